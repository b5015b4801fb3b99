//===- Launch.h - A running launch ------------------------------*- C++ -*-===//
//
// What all clusters of a launch share; they run on several OS threads.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MACHINE_LAUNCH_H
#define TILE_LIB_EMULATOR_MACHINE_LAUNCH_H

#include "../Checkers/SyncLocations.h"
#include "../Decode/ModuleImpl.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tilec::emu {

/// The coordinates of element `linear` of a grid, x fastest.
inline Dim3 delinearize(uint32_t linear, const Dim3 &grid) {
  return {linear % grid.x, linear / grid.x % grid.y,
          linear / (grid.x * grid.y)};
}

class ReportSink;
class GlobalShadow;

struct Launch {
  ModuleImpl *module = nullptr;
  Program *program = nullptr;
  DeviceMemory *memory = nullptr;
  const LaunchConfig *config = nullptr;
  LaunchOptions options;
  const ProgramFunction *kernel = nullptr;
  const KernelInfo *kernelInfo = nullptr;
  Dim3 clusterDim, clusterGrid;
  uint32_t sharedBytes = 0;
  uint32_t warpsPerBlock = 0;
  uint32_t registersPerThread = 0; ///< 0: not known.
  std::vector<uint8_t> parameters;
  std::vector<uint32_t> order; ///< Of clusters.
  std::atomic<uint64_t> nextCluster{0};
  std::atomic<bool> stop{false};
  ReportSink *sink = nullptr;
  GlobalShadow *globalShadow = nullptr;
  SyncLocations *locations = nullptr; ///< In global memory.
  std::mutex mutex;

  /// Whether nothing more is to run: after what ends a launch, and where whoever started
  /// it wants that.
  bool isStopping() {
    if (options.interrupt && options.interrupt->load(std::memory_order_relaxed))
      stop = true;
    return stop.load(std::memory_order_relaxed);
  }
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MACHINE_LAUNCH_H
