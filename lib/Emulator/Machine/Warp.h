//===- Warp.h - A running warp ----------------------------------*- C++ -*-===//
//
// The unit of execution: a register is an array of 32 lanes. The first members
// are what the inner loop reads at every instruction; memory, checkers and
// asynchronous engines have their state in structures of their own.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MACHINE_WARP_H
#define TILE_LIB_EMULATOR_MACHINE_WARP_H

#include "../Async/AsyncOperations.h"
#include "../Async/WgmmaState.h"
#include "../Checkers/WarpOrder.h"
#include "../Definedness/WarpDefinedness.h"
#include "../Memory/Allocation.h"
#include "../Memory/LocalMemory.h"
#include "Frame.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tilec::emu {

struct Block;
struct Cluster;
struct Launch;

inline constexpr uint32_t fullMask = 0xffffffffu;

struct Warp {
  Warp() = default;
  Warp(const Warp &) = delete;
  ~Warp();

  uint8_t *bank[2] = {nullptr, nullptr}; ///< Registers, constants.
  uint32_t pc = 0;
  uint32_t active = 0; ///< Mask of the running split.
  uint32_t nextPc = 0; ///< Where the running split may meet another.
  uint32_t current = 0;
  uint32_t frameCount = 0;
  bool tracksDefinedness = false; ///< Something undefined is in its registers.
  bool onVariant = false;         ///< See Definedness/Variants.cpp.
  std::vector<std::unique_ptr<Frame>> frames;
  Block *block = nullptr;
  Cluster *cluster = nullptr;
  Launch *launch = nullptr;
  uint32_t indexInBlock = 0, indexInCluster = 0;
  uint32_t existing = 0; ///< Lanes that the launch has.
  uint32_t live = 0;     ///< Lanes that have not exited.
  bool done = false;
  uint64_t executed = 0;

  LocalMemory local;
  Allocation *lastAllocation = nullptr; ///< Where the last access went.
  WarpOrder order;
  AsyncGroups groups;
  std::unique_ptr<WgmmaState> wgmma;            ///< Made at the first wgmma.
  std::unique_ptr<WarpDefinedness> definedness; ///< Made at the first need.

  Frame &frame() { return *frames[frameCount - 1]; }
  template <typename T>
  T *ptr(Ref ref) {
    return reinterpret_cast<T *>(bank[ref >> 31] +
                                 (ref & ~(constantBit | negatedBit)));
  }
  uint32_t predicate(Ref ref) {
    uint32_t bits = *ptr<uint32_t>(ref);
    return ref & negatedBit ? ~bits : bits;
  }
  void setPredicate(Ref ref, uint32_t mask, uint32_t bits) {
    uint32_t &target = *ptr<uint32_t>(ref);
    target = (target & ~mask) | (bits & mask);
  }
  Split &split() { return frame().splits[current]; }
  uint32_t threadIndex(uint32_t lane) const { return indexInBlock * 32 + lane; }

  /// Lets the running split wait at the instruction it is at (`pc` as it is).
  Step waitFor(Wait wait, uint64_t object, uint64_t value, uint32_t required);
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MACHINE_WARP_H
