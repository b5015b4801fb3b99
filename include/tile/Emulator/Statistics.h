//===- Statistics.h - What a launch executed --------------------*- C++ -*-===//
//
// Counts that describe the code rather than the machine: how many instructions
// of each class warps executed, how many shared-memory wavefronts and global
// sectors their accesses took, and how many they would take at best. Two
// compilers' PTX for one kernel can be compared by them without a GPU.
//
// Shared memory: 32 banks of 4 bytes; an access of 4, 8 or 16 bytes a lane is
// done in groups of 32, 16 or 8 lanes; a group takes as many wavefronts as the
// largest number of distinct words it needs from one bank. Ideal: one per group
// with an active lane.
// Global memory: sectors of 32 bytes, counted once per instruction and warp.
// Ideal: the distinct bytes, divided by 32 and rounded up.
// wgmma: a warpgroup reads A, where it is in shared memory, 16 rows a warp, and
// B once for the four warps. Each core matrix of eight 16-byte chunks, at the
// addresses that the descriptor and its swizzle give, is one access of 128
// bytes: one wavefront at best, more where chunks meet in a bank.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_EMULATOR_STATISTICS_H
#define TILE_EMULATOR_STATISTICS_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilec::emu {

enum class InstructionClass : uint8_t {
  Mma,
  Ldmatrix,
  SharedLoad,
  SharedStore,
  GlobalLoad,
  GlobalStore,
  AsyncCopy,
  Atomic,
  Shuffle,
  Barrier,
  Branch,
  Integer,
  Float,
  Convert,
  Other,
};
inline constexpr unsigned instructionClassCount = 15;

/// "mma", "shared_load", ... as the JSON has it.
const char *toString(InstructionClass c);

struct Statistics {
  std::string name;          ///< The kernel.
  uint64_t warps = 0;        ///< Warps launched.
  uint64_t instructions = 0; ///< By a warp; predicated off included.
  std::array<uint64_t, instructionClassCount> classes{};

  uint64_t sharedAccesses = 0;
  uint64_t sharedWavefronts = 0;
  uint64_t sharedIdealWavefronts = 0;
  uint64_t sharedBytes = 0;

  uint64_t globalAccesses = 0;
  uint64_t globalSectors = 0;
  uint64_t globalIdealSectors = 0;
  uint64_t globalBytes = 0;

  uint64_t flops = 0; ///< Of mma: 2 M N K each.

  void add(const Statistics &other);
};

/// A JSON array, one object a launch.
std::string toJson(const std::vector<Statistics> &launches);
/// A table a person can read.
std::string toText(const Statistics &statistics);

} // namespace tilec::emu

#endif // TILE_EMULATOR_STATISTICS_H
