//===- GpuTarget.h - What one GPU architecture can hold ---------*- C++ -*-===//
//
// One row per chip the compiler generates code for. Every limit that a pass, a
// verifier or a report compares with comes from here: no other folder spells a
// chip's name or one of its numbers.
//
// Sources of the numbers: the table "Technical Specifications per Compute
// Capability" of the CUDA C++ Programming Guide and the same facts in
// CUDA 13.0's cuda_occupancy.h (allocation granularities, sub-partitions) and
// CCCL's arch_traits.h; the first PTX version of each chip is what LLVM 22
// accepts without a fatal error; multiprocessors are NVIDIA's architecture
// whitepapers' (A100, GA102, AD102, H100 SXM, B200, GB202 products).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_GPUTARGET_H
#define TILE_HARDWARE_GPUTARGET_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilec {

/// One chip, as named to LLVM and ptxas. Registers are 32 bits wide.
struct GpuTarget {
  std::string_view name; ///< "sm_80", "sm_90a", ...
  /// Ten times the major plus the minor compute capability: 80, 90, 120.
  int computeCapability = 0;
  /// The `a` chips: code for them runs on that architecture only and may use
  /// its specific instructions.
  bool isArchitectureSpecific = false;

  // Threads ------------------------------------------------------------------
  int64_t warpSize = 0;
  int64_t maxThreadsPerBlock = 0;
  int64_t maxThreadsPerMultiprocessor = 0;
  int64_t maxBlocksPerMultiprocessor = 0;
  /// The cluster size every device of the chip supports; 1 without clusters.
  int64_t maxClusterSize = 0;
  /// Named barriers of a block (`bar.sync` ids 0 to n - 1).
  int64_t namedBarrierCount = 0;

  // Devices ------------------------------------------------------------------
  /// Multiprocessors of the largest product with the chip.
  int64_t multiprocessorCount = 0;

  // Registers ----------------------------------------------------------------
  int64_t registersPerMultiprocessor = 0;
  int64_t maxRegistersPerBlock = 0;
  int64_t maxRegistersPerThread = 0;
  /// A warp's registers are allocated in multiples of this.
  int64_t registerGranularity = 0;
  /// Each holds an equal part of the registers; a warp lives in one.
  int64_t subPartitionsPerMultiprocessor = 0;

  // Shared memory ------------------------------------------------------------
  /// What a block gets without opting in, and the limit of static arrays.
  int64_t staticSharedBytesPerBlock = 0;
  /// What a block gets after opting in, all of it dynamic.
  int64_t maxSharedBytesPerBlock = 0;
  int64_t sharedBytesPerMultiprocessor = 0;
  /// What the system takes for each resident block on top of its own.
  int64_t reservedSharedBytesPerBlock = 0;
  int64_t sharedGranularityBytes = 0;

  // Instruction families -----------------------------------------------------
  /// cp.async.bulk.tensor (TMA) and mbarriers that count its bytes.
  bool hasBulkTensorCopy = false;
  /// griddepcontrol: a launch may start before the one in front has ended.
  bool hasDependentLaunch = false;

  // PTX ----------------------------------------------------------------------
  // Versions are written as LLVM's features write them: 78 is PTX ISA 7.8.
  /// The oldest version that knows the chip; LLVM aborts on anything older.
  int firstPtxVersion = 0;
  /// The version used where the user names none.
  int defaultPtxVersion = 0;

  int64_t getMaxWarpsPerBlock() const { return maxThreadsPerBlock / warpSize; }
  int64_t getMaxWarpsPerMultiprocessor() const {
    return maxThreadsPerMultiprocessor / warpSize;
  }
  /// Whether LLVM generates code for this chip at `ptxVersion` (78, 84, ...)
  /// instead of ending the process.
  bool acceptsPtxVersion(int ptxVersion) const;
  /// All versions that `acceptsPtxVersion`, oldest first.
  std::vector<int> getAcceptedPtxVersions() const;
};

/// The row named `name`, or null. Names match exactly: "sm_90" is not "sm_90a".
const GpuTarget *findTarget(std::string_view name);

/// All rows, oldest compute capability first.
const std::vector<GpuTarget> &getKnownTargets();

/// "sm_80, sm_86, ...": the list an error about an unknown chip ends with.
std::string getKnownTargetNames();

/// "unknown chip 'sm_90'; did you mean 'sm_90a'? known: sm_80, ..": the error
/// for a name that `findTarget` does not know.
std::string describeUnknownTarget(std::string_view name);

/// The LLVM subtarget feature of a PTX version: 78 -> "+ptx78".
std::string getPtxFeature(int ptxVersion);

/// A PTX version as the ISA writes it: 78 -> "7.8".
std::string formatPtxVersion(int ptxVersion);

} // namespace tilec

#endif // TILE_HARDWARE_GPUTARGET_H
