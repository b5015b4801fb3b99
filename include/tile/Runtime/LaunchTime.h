//===- LaunchTime.h - How long launches take --------------------*- C++ -*-===//
//
// A launch that is timed runs once for its results and then again: some times
// to warm up, then as often as asked. Its buffers are what they were before it
// each time, since a kernel that counts in memory would do nothing the second
// time. Copies are not in the times.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_LAUNCHTIME_H
#define TILE_RUNTIME_LAUNCHTIME_H

#include <string>
#include <vector>

namespace mlir::tile {

struct TimingOptions {
  static constexpr unsigned defaultCount = 5;
  unsigned count = 0; ///< launches that are measured; 0: none
  unsigned warmUpCount = 1;
};

struct LaunchTime {
  std::string kernel;
  /// Ascending. On the emulator the host's clock, with every check; on a GPU the
  /// device's, between two events.
  std::vector<double> seconds;
};

} // namespace mlir::tile

#endif // TILE_RUNTIME_LAUNCHTIME_H
