//===- AlternateTiles.cpp - Teams whose tiles take turns ------------------===//

#include "AlternateTiles.h"

#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/TileWalk.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;

/// Why the consumers of `launch` are no team of one warpgroup.
static std::optional<std::string> findTeamObstacle(LaunchOp launch) {
  for (RoleAttr role : launch.getRoles()->getRoles())
    if (role.getKind() == RoleKind::Consumer && role.getWarpgroupCount() != 1)
      return llvm::formatv(
                 "a team is one warpgroup of four warps, and {0} warps "
                 "compute a tile; 'threads' counts those of one team",
                 role.getWarps())
          .str();
  if (launch.getCluster())
    return "its blocks are in clusters; leave 'cluster' out";
  return std::nullopt;
}

/// Whether `op` waits for the producer, somewhere in it.
static bool awaitsProducer(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return getRingUseKind(inner) == RingUseKind::Wait
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

// Pattern: wait for the producer; ..; the last wait; store
//       -> take_turn; wait for the producer; ..; the last wait; pass_turn; store
std::optional<SplitObstacle> tile::alternateTiles(LaunchOp launch) {
  if (std::optional<std::string> reason = findTeamObstacle(launch))
    return SplitObstacle{launch, *reason};
  if (auto obstacle = findWalkObstacle(launch))
    return obstacle;
  scf::ForOp walk = getTileWalk(launch.getBody());
  Operation *first = nullptr, *last = nullptr;
  for (Operation &op : *walk.getBody()) {
    if (!awaitsProducer(&op))
      continue;
    first = first ? first : &op;
    last = &op;
  }
  if (!first)
    return SplitObstacle{walk, "no tile waits for the producer"};
  OpBuilder builder(first);
  TakeTurnOp::create(builder, first->getLoc());
  builder.setInsertionPointAfter(last);
  PassTurnOp::create(builder, last->getLoc());
  return std::nullopt;
}
