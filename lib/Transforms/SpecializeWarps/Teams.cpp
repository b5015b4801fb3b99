//===- Teams.cpp - Two teams that compute every second tile ---------------===//

#include "Teams.h"

#include "SkippedTile.h"
#include "StepCount.h"

#include "tile/Analysis/TeamBuffers.h"
#include "tile/Analysis/TileWalk.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tile;

RolesAttr tile::getRolesOfTeams(LaunchOp launch) {
  SmallVector<RoleAttr> roles;
  for (RoleAttr role : launch.getRoles()->getRoles()) {
    bool computes = role.getKind() == RoleKind::Consumer;
    roles.append(computes ? launch.getTeamCount() : 1, role);
  }
  return RolesAttr::get(launch.getContext(), roles);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static tilec::SharedLayout getMemoryLayout(ViewOp view) {
  return *view.getLayout().getLayout(
      getMemoryBits(view.getType().getElementType()));
}

LogicalResult tile::verifyTeamBuffers(LaunchOp launch) {
  int64_t teams = launch.getTeamCount();
  SmallVector<ViewOp> views;
  launch.walk([&](ViewOp view) { views.push_back(view); });
  auto getEnd = [&](ViewOp view, bool ofTeams) {
    int64_t size = getMemoryLayout(view).getSizeBytes();
    if (ofTeams)
      size += (teams - 1) * getTeamStride(getMemoryLayout(view));
    return static_cast<int64_t>(view.getOffset()) + size;
  };
  for (ViewOp view : views) {
    if (teams == 1 || !isOfTeam(view))
      continue;
    int64_t end = getEnd(view, /*ofTeams=*/true);
    if (end > view.getArena().getType().getDimSize(0))
      return view.emitOpError("is kept by each of ")
             << teams << " teams, up to byte " << end
             << ", and the arena has no room for that";
    for (ViewOp other : views) {
      if (other == view || other.getOffset() >= static_cast<uint64_t>(end) ||
          getEnd(other, isOfTeam(other)) <=
              static_cast<int64_t>(view.getOffset()))
        continue;
      InFlightDiagnostic error = view.emitOpError("is kept by each of ")
                                 << teams << " teams, from byte "
                                 << view.getOffset() << " to " << end
                                 << ", and cannot share bytes";
      error.attachNote(other.getLoc()) << "with this buffer";
      return error;
    }
  }
  return success();
}

/// Gives `program` its own copy of what teams keep.
static void moveBuffers(Block &front, Region &program, int64_t team) {
  OpBuilder builder = OpBuilder::atBlockBegin(&program.front());
  for (ViewOp view : front.getOps<ViewOp>()) {
    if (!isOfTeam(view))
      continue;
    Operation *own = builder.clone(*view);
    replaceAllUsesInRegionWith(view, own->getResult(0), program);
  }
  program.walk([&](ViewOp view) {
    if (isOfTeam(view))
      view.setOffset(view.getOffset() +
                     team * getTeamStride(getMemoryLayout(view)));
  });
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// As many tiles as the team has less than the first one have a turn of their own,
/// behind the walk over `count` tiles in all: none or one.
static void takeLastTurn(OpBuilder &builder, Location loc, Value count,
                         int64_t team, int64_t teams) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  // The last round has `left` tiles, or all: team 1 .. have none if 1 <= left.
  Value left = arith::RemUIOp::create(builder, loc, count, constant(teams));
  Value last = arith::SubIOp::create(builder, loc, left, constant(1));
  Value hasNone = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        last, constant(team));
  auto branch = scf::IfOp::create(builder, loc, hasNone,
                                  /*withElseRegion=*/false);
  OpBuilder inside = branch.getThenBodyBuilder();
  TakeTurnOp::create(inside, loc);
  PassTurnOp::create(inside, loc);
}

// Pattern: for tile = b .. n step s, numbers  ->  every tile of the team
static void takeEverySecond(scf::ForOp walk, int64_t team, int64_t teams) {
  Location loc = walk.getLoc();
  SmallVector<Value> next(walk.getYieldedValues());
  Operation *yield = walk.getBody()->getTerminator();
  OpBuilder inside(yield), before(walk);
  SmallVector<Value> skipped = next;
  for (int64_t i = 1; i < teams; ++i)
    skipped = emitSkippedTile(inside, walk, skipped, next);
  SmallVector<Value> start(walk.getInitArgs());
  Value lower = walk.getLowerBound();
  for (int64_t i = 0; i < team; ++i) {
    start = emitSkippedTile(before, walk, start, next);
    lower = arith::AddIOp::create(before, loc, lower, walk.getStep());
  }
  yield->setOperands(skipped);
  Value count = arith::ConstantIndexOp::create(before, loc, teams);
  Value step = arith::MulIOp::create(before, loc, walk.getStep(), count);
  walk.setLowerBound(lower);
  walk.setStep(step);
  walk.getInitArgsMutable().assign(start);
}

void tile::giveTiles(Block &front, Region &program, int64_t team,
                     int64_t teams) {
  scf::ForOp walk = getTileWalk(program);
  if (team > 0) {
    moveBuffers(front, program, team);
    if (TakeTurnOp::isIn(program)) {
      OpBuilder behind(walk);
      Value count = emitStepCount(behind, walk, walk.getLowerBound(),
                                  walk.getUpperBound(), walk.getStep());
      behind.setInsertionPointAfter(walk);
      takeLastTurn(behind, walk.getLoc(), count, team, teams);
    }
  }
  takeEverySecond(walk, team, teams);
}
