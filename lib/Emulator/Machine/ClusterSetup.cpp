//===- ClusterSetup.cpp - A cluster ready to run --------------------------===//
//
// Makes the blocks and warps of a cluster: identities, memory filled with
// poison, shadows where something is checked, and the kernel's frame.
//
//===----------------------------------------------------------------------===//

#include "../Definedness/Definedness.h"
#include "Interpreter.h"

#include <algorithm>

namespace tilec::emu {

/// Shared memory begins at a multiple of this on the host, so that swizzles,
/// which work on address bits, agree with shared addresses.
static constexpr size_t sharedAlignment = 1024;

static std::unique_ptr<Warp> makeWarp(Launch &launch, Block &block,
                                      uint32_t index) {
  auto warp = std::make_unique<Warp>();
  uint32_t warpsPerBlock = launch.warpsPerBlock;
  warp->block = &block;
  warp->cluster = block.cluster;
  warp->launch = &launch;
  warp->indexInBlock = index;
  warp->indexInCluster = block.rank * warpsPerBlock + index;
  uint32_t threads = static_cast<uint32_t>(launch.config->block.count());
  uint32_t lanes = std::min(threads - index * 32, 32u);
  warp->existing = lanes == 32 ? fullMask : (1u << lanes) - 1;
  warp->live = warp->existing;
  size_t warpsInCluster = warpsPerBlock * launch.clusterDim.count();
  warp->order.knowledge = Knowledge(warpsInCluster);
  warp->local.stride = launch.kernel->stackBytes;
  warp->local.bytes.assign(uint64_t(32) * warp->local.stride, 0xff);
  if (launch.options.checks.init)
    warp->local.initialized.assign(warp->local.bytes.size(), 0);
  warp->bank[1] = launch.program->constants.data();
  pushFrame(*warp, *launch.kernel, 0, warp->existing);
  return warp;
}

static void makeSharedMemory(Launch &launch, Block &block) {
  block.sharedBytes = launch.sharedBytes;
  block.sharedStorage.resize(launch.sharedBytes + sharedAlignment);
  auto raw = reinterpret_cast<uintptr_t>(block.sharedStorage.data());
  block.shared = reinterpret_cast<uint8_t *>((raw + sharedAlignment - 1) &
                                             ~(sharedAlignment - 1));
  std::memset(block.shared, 0xff, launch.sharedBytes);
  forgetDefinedBits(block.shared, launch.sharedBytes);
  if (launch.options.checks.races || launch.options.checks.init)
    block.shadow.reset(launch.sharedBytes,
                       launch.warpsPerBlock *
                           static_cast<uint32_t>(launch.clusterDim.count()));
}

static std::unique_ptr<Block> makeBlock(Launch &launch, Cluster &cluster,
                                        uint32_t rank) {
  auto block = std::make_unique<Block>();
  const Dim3 &shape = launch.clusterDim, &grid = launch.config->grid;
  Dim3 inCluster = delinearize(rank, shape);
  block->cluster = &cluster;
  block->rank = rank;
  block->id = {cluster.id.x * shape.x + inCluster.x,
               cluster.id.y * shape.y + inCluster.y,
               cluster.id.z * shape.z + inCluster.z};
  block->linear =
      block->id.x +
      uint64_t(grid.x) * (block->id.y + uint64_t(grid.y) * block->id.z);
  makeSharedMemory(launch, *block);
  block->liveThreads = static_cast<uint32_t>(launch.config->block.count());
  fillRegisterPool(*block, launch.registersPerThread, launch.warpsPerBlock);
  for (uint32_t index = 0; index < launch.warpsPerBlock; ++index) {
    block->warps.push_back(makeWarp(launch, *block, index));
    cluster.warps.push_back(block->warps.back().get());
  }
  return block;
}

std::unique_ptr<Cluster> makeCluster(Launch &launch, uint32_t linear) {
  auto cluster = std::make_unique<Cluster>();
  cluster->launch = &launch;
  cluster->linear = linear;
  cluster->id = delinearize(linear, launch.clusterGrid);
  // Far apart, so that neighbouring seeds share no cluster's numbers.
  cluster->random = seedRandom(launch.options.seed * 1'000'003 + linear);
  cluster->rows.emplace_back(); // Row 0 means none.
  uint32_t blocks = static_cast<uint32_t>(launch.clusterDim.count());
  for (uint32_t rank = 0; rank < blocks; ++rank)
    cluster->blocks.push_back(makeBlock(launch, *cluster, rank));
  cluster->statistics.warps = cluster->warps.size();
  return cluster;
}

} // namespace tilec::emu
