//===- LaunchLimits.h - The sizes that CUDA takes for a launch --*- C++ -*-===//
//
// What every chip of compute capability 3.0 and later takes, as the table
// "Technical Specifications per Compute Capability" of the CUDA C++ Programming
// Guide has it. The reference, the emulator and the launchers refuse the same
// launches, in the same words; what one chip alone decides stands in
// tile/Hardware/GpuTarget.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIMITS_LAUNCHLIMITS_H
#define TILE_LIMITS_LAUNCHLIMITS_H

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace tilec {

/// Extents by dimension x, y, z.
using Extents = std::array<int64_t, 3>;

constexpr Extents maxGridExtents = {2147483647, 65535, 65535};
constexpr Extents maxBlockExtents = {1024, 1024, 64};
constexpr int64_t maxThreadsPerBlock = 1024;
/// What the reference and the emulator number; a GPU takes more in all.
constexpr int64_t maxInterpretedBlocks = 2147483647;

/// "4x1x1".
inline std::string formatExtents(const Extents &extents) {
  return std::to_string(extents[0]) + "x" + std::to_string(extents[1]) + "x" +
         std::to_string(extents[2]);
}

/// Why CUDA takes no grid or block ("the `what`") of these extents, which are
/// not negative; empty if it does.
inline std::string checkExtents(const std::string &what, const Extents &extents,
                                const Extents &limits) {
  for (size_t dim = 0; dim < 3; ++dim)
    if (extents[dim] > limits[dim])
      return "extent " + std::to_string(dim) + " of the " + what + " is " +
             std::to_string(extents[dim]) + ", more than the " +
             std::to_string(limits[dim]) + " that CUDA takes in " + "xyz"[dim];
  return "";
}

/// Why nothing starts with these extents, in clusters of those; empty if it does. A
/// cluster may have fewer dimensions.
inline std::string checkExtentsStart(std::span<const int64_t> grid,
                                     std::span<const int64_t> cluster) {
  for (size_t dim = 0; dim < grid.size(); ++dim) {
    std::string extent = "extent " + std::to_string(dim) + " of the grid is " +
                         std::to_string(grid[dim]);
    if (grid[dim] < 0)
      return extent + ", below zero";
    if (dim < cluster.size() && grid[dim] % cluster[dim] != 0)
      return extent + ", which the cluster's " + std::to_string(cluster[dim]) +
             " does not divide";
  }
  return "";
}

inline std::string checkGrid(const Extents &grid) {
  return checkExtents("grid", grid, maxGridExtents);
}

inline std::string checkBlock(const Extents &block) {
  std::string problem = checkExtents("block", block, maxBlockExtents);
  if (!problem.empty())
    return problem;
  // Within the limits of each dimension the product cannot overflow.
  int64_t threads = block[0] * block[1] * block[2];
  if (threads <= maxThreadsPerBlock)
    return "";
  return "the block " + formatExtents(block) + " has " +
         std::to_string(threads) + " threads, more than the " +
         std::to_string(maxThreadsPerBlock) + " that CUDA takes";
}

/// Why a grid that CUDA takes has too many blocks to be interpreted one by one;
/// empty if it has not.
inline std::string checkInterpretedGrid(const Extents &grid) {
  std::string problem = checkGrid(grid);
  if (!problem.empty())
    return problem;
  // At most 2^31 * 2^32.
  int64_t blocks = grid[0] * grid[1] * grid[2];
  if (blocks <= maxInterpretedBlocks)
    return "";
  return "the grid " + formatExtents(grid) + " has " + std::to_string(blocks) +
         " blocks, more than the " + std::to_string(maxInterpretedBlocks) +
         " that can be interpreted";
}

} // namespace tilec

#endif // TILE_LIMITS_LAUNCHLIMITS_H
