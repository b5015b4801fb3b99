//===- ExplicitPlan.cpp - Schedules that the program says -----------------===//

#include "BufferWalk.h"
#include "LoopPlan.h"

#include "tile/Analysis/NestedAccesses.h"
#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;
namespace schedule = tilec::schedule;

/// Gives a place to what a pass put beside the operations of the program, such as
/// an exchange: behind all that it depends on in its iteration, else in front of
/// what depends on it. That is right if the schedule without it is.
static void completeSchedule(scf::ForOp loop) {
  LoopStatements statements(loop, /*looksThroughScalars=*/false);
  schedule::Graph graph = schedule::buildGraph(statements.getBody());
  ArrayRef<Operation *> ops = statements.getOps();
  auto isBefore = [](ScheduleHint a, ScheduleHint b) {
    return std::pair(a.stage.getInt(), a.order.getInt()) <
           std::pair(b.stage.getInt(), b.order.getInt());
  };
  auto complete = [&](int number, bool fromBehind) {
    std::optional<ScheduleHint> place;
    for (const schedule::Edge &edge : graph.edges) {
      int own = fromBehind ? edge.from : edge.to;
      int other = fromBehind ? edge.to : edge.from;
      if (own != number || other == number || edge.distance != 0)
        continue;
      std::optional<ScheduleHint> hint = getScheduleHint(ops[other]);
      if (hint && (!place || isBefore(fromBehind ? *hint : *place,
                                      fromBehind ? *place : *hint)))
        place = hint;
    }
    if (place)
      setScheduleHint(ops[number], *place);
  };
  int count = static_cast<int>(ops.size());
  for (int number = 0; number < count; ++number)
    if (!getScheduleHint(ops[number]))
      complete(number, /*fromBehind=*/false);
  for (int number = count - 1; number >= 0; --number)
    if (!getScheduleHint(ops[number]))
      complete(number, /*fromBehind=*/true);
}

/// The stage and order that the program says of every operation of the body. What
/// depends on nothing and serves nothing may run anywhere.
static schedule::Schedule readHints(ArrayRef<Operation *> ops) {
  schedule::Schedule hints;
  for (Operation *op : ops) {
    std::optional<ScheduleHint> hint = getScheduleHint(op);
    hints.stages.push_back(hint ? hint->stage.getInt() : 0);
    hints.orders.push_back(hint ? hint->order.getInt() : 0);
  }
  return hints;
}

/// The same with the operations of one order apart: they run in the order of the
/// program.
static schedule::Schedule separateOrders(schedule::Schedule hints) {
  SmallVector<int> sorted(
      llvm::to_vector(llvm::seq<int>(0, hints.orders.size())));
  llvm::sort(sorted, [&](int a, int b) {
    return std::pair(hints.orders[a], a) < std::pair(hints.orders[b], b);
  });
  for (auto [position, number] : llvm::enumerate(sorted))
    hints.orders[number] = static_cast<int>(position);
  return hints;
}

/// The shared buffers through which nothing flows from one iteration to the
/// next, nor out of the loop.
static SmallVector<AllocOp> findPrivateBuffers(scf::ForOp loop,
                                               LoopStatements &statements) {
  SmallVector<AllocOp> buffers;
  auto launch = loop->getParentOfType<LaunchOp>();
  SharedLiveness liveness = computeSharedLiveness(launch);
  launch.walk([&](AllocOp buffer) {
    if (!statements.getPlace(buffer.getResult()) ||
        isNeededBehind(loop, buffer, liveness) ||
        !followBuffer(loop, buffer).mayHaveSlots())
      return;
    statements.setPrivate(buffer.getResult());
    buffers.push_back(buffer);
  });
  return buffers;
}

/// Says what is wrong with the stages and orders that the program has written.
static LogicalResult emitViolation(const schedule::Problem &problem,
                                   const schedule::Violation &violation,
                                   const schedule::Schedule &written,
                                   ArrayRef<Operation *> ops) {
  if (violation.edge < 0)
    return ops.front()->emitError(violation.message);
  const schedule::Edge &edge = problem.graph.edges[violation.edge];
  InFlightDiagnostic error =
      ops[edge.to]->emitError(schedule::describeBreak(problem, written, edge));
  error.attachNote(ops[edge.from]->getLoc()) << "the other operation";
  return error;
}

/// Each stage but the last is a step in front of the loop.
static LogicalResult verifyStageCount(scf::ForOp loop) {
  for (Operation &op : *loop.getBody()) {
    std::optional<ScheduleHint> hint = getScheduleHint(&op);
    if (hint && hint->stage.getInt() >= maxStages)
      return op.emitError("is at stage ")
             << hint->stage.getInt() << ", but a loop has at most " << maxStages
             << " stages, 0 to " << maxStages - 1;
  }
  return success();
}

/// Checks all operations, those included that users compute again.
static LogicalResult verifySchedule(scf::ForOp loop, int64_t stages) {
  LoopStatements all(loop, /*looksThroughScalars=*/false);
  SmallVector<AllocOp> buffers = findPrivateBuffers(loop, all);
  schedule::Problem problem{
      all.getBody(), schedule::buildGraph(all.getBody()), {}};
  problem.slots.assign(problem.body.places.size(), 1);
  for (AllocOp buffer : buffers)
    problem.slots[*all.getPlace(buffer.getResult())] = stages;
  schedule::Schedule written = readHints(all.getOps());
  if (auto violation = schedule::validate(problem, separateOrders(written)))
    return emitViolation(problem, *violation, written, all.getOps());
  return success();
}

/// The operations that write a buffer at its first stage, in front of what reads
/// it there: behind that the slot is in use.
static SmallVector<Operation *>
findWriters(AllocOp buffer, const LoopPlan &plan, int64_t &lead) {
  SmallVector<Operation *> writers;
  bool isUsed = false;
  for (const ScheduledOp &entry : plan.order) {
    bool reads = false, writes = false;
    for (const BlockAccess &access : getNestedAccesses(entry.op))
      if (isIn(access, buffer))
        (access.reads ? reads : writes) = true;
    if (writers.empty() || entry.lead > lead) {
      if (!writes)
        continue;
      writers.clear();
      isUsed = false;
      lead = entry.lead;
    }
    if (entry.lead < lead)
      continue;
    if (writes && !isUsed)
      writers.push_back(entry.op);
    isUsed |= reads;
  }
  return writers;
}

FailureOr<LoopPlan> tile::planExplicit(scf::ForOp loop, int64_t stages,
                                       const tilec::GpuTarget &target) {
  if (failed(verifyStageCount(loop)))
    return failure();
  completeSchedule(loop);
  if (failed(verifySchedule(loop, stages)))
    return failure();
  LoopStatements statements(loop);
  SmallVector<AllocOp> buffers = findPrivateBuffers(loop, statements);
  ArrayRef<Operation *> ops = statements.getOps();
  schedule::Schedule explicitly = separateOrders(readHints(ops));
  schedule::Problem problem{
      statements.getBody(), schedule::buildGraph(statements.getBody()), {}};
  // One stage in the program's order is the loop as it is.
  if (explicitly.getLastStage() == 0 && llvm::is_sorted(explicitly.orders))
    return LoopPlan();
  std::vector<int> slots = schedule::countSlots(problem, explicitly);
  int last = explicitly.getLastStage();

  LoopPlan plan;
  SmallVector<int> order(llvm::to_vector(llvm::seq<int>(0, ops.size())));
  llvm::sort(order, [&](int a, int b) {
    return explicitly.orders[a] < explicitly.orders[b];
  });
  for (int number : order) {
    int64_t lead = last - explicitly.stages[number];
    plan.order.push_back({ops[number], lead});
    plan.stages = std::max(plan.stages, lead + 1);
  }
  for (AllocOp buffer : buffers) {
    int needed = slots[*statements.getPlace(buffer.getResult())];
    if (needed == 1)
      continue;
    int64_t lead = 0;
    SmallVector<Operation *> writers = findWriters(buffer, plan, lead);
    plan.ahead += static_cast<int64_t>(writers.size());
    plan.rings.push_back({buffer, needed, lead, /*isHeld=*/false, writers});
  }
  return plan;
}
