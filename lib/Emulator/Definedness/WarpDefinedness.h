//===- WarpDefinedness.h - Undefined values of one warp ---------*- C++ -*-===//
//
// What a warp knows while something undefined is in its registers: which bits,
// where they were read, and the registers of the instruction under way as they
// were before it. Made when a warp first meets an undefined value.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_DEFINEDNESS_WARPDEFINEDNESS_H
#define TILE_LIB_EMULATOR_DEFINEDNESS_WARPDEFINEDNESS_H

#include "RegisterUses.h"
#include "UndefinedRegisters.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tilec::emu {

/// Bytes that an instruction reads and of which some are undefined.
struct UndefinedRead {
  StateSpace space = StateSpace::Shared;
  uint64_t address = 0; ///< As the space counts.
  uint32_t bytes = 0, undefinedBytes = 0;
};

/// Where an undefined value came from: a read, or a register never written.
struct UndefinedOrigin {
  const Instruction *instruction = nullptr; ///< Null: a register.
  uint32_t lane = 0;
  UndefinedRead read;
  std::string_view registerName;
};

/// A register as it was before the instruction under way.
struct SavedRegister {
  Ref ref = noRef;
  uint8_t bytes = 0;
  std::array<uint8_t, 512> values;

  size_t size() const { return bytes ? size_t(32) * bytes : 4; }
};

struct VariantAccess;

struct WarpDefinedness {
  WarpDefinedness();
  ~WarpDefinedness();

  std::vector<UndefinedRegisters> frames; ///< By depth.
  std::vector<UndefinedOrigin> origins;
  std::unordered_map<uint64_t, uint32_t> originOf;

  /// The instruction under way that deals with undefined values, if it does.
  const Instruction *underWay = nullptr;
  std::vector<SavedRegister> saved; ///< Of its operands, `savedCount` of them.
  size_t savedCount = 0;
  uint32_t readLanes = 0; ///< That read undefined bytes of memory.
  std::array<uint32_t, 32> readOrigins{};
  std::array<uint32_t, 32> readBytes{}; ///< Of an atomic, those undefined.

  /// While an instruction is executed on variants (Variants.cpp): what stands
  /// for undefined bits, and its accesses so far.
  uint8_t fill = 0;
  std::deque<VariantAccess> *accesses = nullptr;

  /// The index of an origin. A later one of the same instruction and lane takes
  /// its place.
  uint32_t addOrigin(uint64_t instructionIndex, const UndefinedOrigin &origin);
  const SavedRegister *findSaved(Ref ref) const;
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_DEFINEDNESS_WARPDEFINEDNESS_H
