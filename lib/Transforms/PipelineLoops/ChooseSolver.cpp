//===- ChooseSolver.cpp - Which solver's schedule a loop gets -------------===//

#include "ChooseSolver.h"
#include "ModuloPlan.h"

#include "llvm/Support/FormatVariadic.h"

#include <utility>

using namespace mlir;
using namespace mlir::tile;
namespace schedule = tilec::schedule;

/// Of 100 predicted cycles the modulo schedule must save this many. What is not
/// predicted, the conditions that guard each lead and the values that pass from
/// step to step, costs a few of 100.
static constexpr int64_t leastGain = 5;

/// Whether every operation may be done for another iteration than the one that
/// the loop is at.
static bool canMoveOperations(ArrayRef<Operation *> ops) {
  auto canWait = [](Type type) {
    return isa<RankedTensorType, FloatType, IntegerType, IndexType>(type);
  };
  return llvm::all_of(ops, [&](Operation *op) {
    bool hasRing = op->walk([](RingAcquireOp) {
                       return WalkResult::interrupt();
                     }).wasInterrupted();
    return !hasRing && llvm::all_of(op->getResultTypes(), canWait);
  });
}

/// What `schedule` waits for longest: without its latency an iteration would take
/// the fewest cycles. Null if nothing is waited for.
static Operation *findLongestWait(schedule::Problem problem,
                                  const schedule::Schedule &schedule,
                                  ArrayRef<Operation *> ops) {
  int64_t fewest = schedule::predictCycles(problem, schedule);
  Operation *longest = nullptr;
  for (auto [op, statement] : llvm::zip_equal(ops, problem.body.statements)) {
    int64_t latency = std::exchange(statement.latencyCycles, 0);
    int64_t cycles = schedule::predictCycles(problem, schedule);
    statement.latencyCycles = latency;
    if (cycles < fewest) {
      fewest = cycles;
      longest = op;
    }
  }
  return longest;
}

/// Why a schedule that takes `choice` is taken or not.
static std::string explain(const SolverChoice &choice, Operation *longestWait) {
  int64_t gain = 100 - choice.moduloCycles * 100 /
                           std::max<int64_t>(choice.aheadCycles, 1);
  if (choice.moduloCycles >= choice.aheadCycles)
    return "modulo is not faster";
  if (!choice.isModulo)
    return llvm::formatv("modulo would save {0} of 100 cycles, less than {1}",
                         gain, leastGain);
  std::string waits = longestWait ? " waits for " + describe(longestWait)
                                  : " waits for several results";
  return llvm::formatv("saves {0} of 100 cycles: ahead{1}", gain, waits);
}

void tile::chooseSolver(scf::ForOp loop, int64_t stages,
                        const tilec::GpuTarget &target,
                        const ArenaProblem &arena,
                        const LoopStatements &statements,
                        const schedule::Schedule &ahead, LoopPlan &plan) {
  bool isHeld = llvm::any_of(
      plan.rings, [](const RingBuffer &ring) { return ring.isHeld; });
  ArrayRef<Operation *> ops = statements.getOps();
  if (ops.empty() || isHeld || !canMoveOperations(ops))
    return;
  ModuloPlanner planner(loop, stages, target, statements, arena);
  schedule::Problem aheadProblem = planner.getAheadProblem(plan.rings);
  SolverChoice choice;
  choice.aheadCycles = choice.moduloCycles =
      schedule::predictCycles(aheadProblem, ahead);
  auto modulo = planner.solve(choice.reason);
  if (modulo) {
    choice.moduloCycles = planner.predict(*modulo);
    choice.isModulo =
        modulo->getLastStage() > 0 &&
        choice.moduloCycles * 100 <= choice.aheadCycles * (100 - leastGain);
    choice.reason = explain(choice, findLongestWait(aheadProblem, ahead, ops));
  }
  if (choice.isModulo)
    planner.apply(*modulo, plan);
  plan.choice = std::move(choice);
}
