//===- ChooseSolver.cpp - Which solver's schedule a loop gets -------------===//

#include "ChooseSolver.h"
#include "EstimateCosts.h"
#include "ModuloPlan.h"

#include "llvm/Support/FormatVariadic.h"

#include <utility>

using namespace mlir;
using namespace mlir::tile;
namespace schedule = tilec::schedule;

/// Of 100 predicted cycles the modulo schedule must save this many. What is not
/// predicted, the conditions that guard each lead and the values that pass from
/// step to step, costs a few of 100.
static constexpr int64_t leastGain = 10;

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

/// No schedule of `body` has fewer cycles.
static int64_t countIssueCycles(const schedule::Body &body) {
  int64_t cycles = 0;
  for (const schedule::Statement &statement : body.statements)
    cycles += statement.issueCycles;
  return cycles;
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

/// Why the modulo schedule is taken or not: its cycles, and the blocks that a
/// multiprocessor holds with it instead of `aheadBlocks`.
static std::string explain(const SolverChoice &choice, int64_t aheadBlocks,
                           int64_t moduloBlocks, Operation *longestWait) {
  int64_t gain = 100 - choice.moduloCycles * 100 /
                           std::max<int64_t>(choice.aheadCycles, 1);
  if (choice.moduloCycles >= choice.aheadCycles)
    return "modulo is not faster";
  std::string fewer =
      moduloBlocks < aheadBlocks
          ? llvm::formatv(" with {0} blocks of {1}", moduloBlocks, aheadBlocks)
                .str()
          : "";
  if (!choice.isModulo)
    return llvm::formatv("modulo would save {0} of 100 cycles{1}, too few",
                         gain, fewer);
  std::string waits = longestWait ? " waits for " + describe(longestWait)
                                  : " waits for several results";
  return llvm::formatv("saves {0} of 100 cycles{1}: ahead{2}", gain, fewer,
                       waits);
}

static SmallVector<SlotCandidate> getCandidates(scf::ForOp loop,
                                                ArrayRef<RingBuffer> rings) {
  SmallVector<SlotCandidate> candidates;
  for (const RingBuffer &ring : rings)
    candidates.push_back({ring.buffer, ring.slots, loop});
  return candidates;
}

void tile::chooseSolver(scf::ForOp loop, int64_t stages,
                        const tilec::GpuTarget &target,
                        const ArenaProblem &arena,
                        const LoopStatements &statements,
                        const schedule::Schedule &ahead, LoopPlan &plan) {
  bool isHeld = llvm::any_of(
      plan.rings, [](const RingBuffer &ring) { return ring.isHeld; });
  ArrayRef<Operation *> ops = statements.getOps();
  // The modulo schedule counts what loads give as it is packed.
  bool lacksRegisters = !findLackOfRegisters(loop, ops, ops, target).empty();
  if (ops.empty() || isHeld || lacksRegisters || !canMoveOperations(ops))
    return;
  ModuloPlanner planner(loop, stages, target, statements, arena);
  schedule::Problem aheadProblem = planner.getAheadProblem(plan.rings);
  SolverChoice choice;
  choice.aheadCycles = choice.moduloCycles =
      schedule::predictCycles(aheadProblem, ahead);
  if (plan.hidesWaits) {
    choice.reason = "other blocks fill its waits";
    plan.choice = std::move(choice);
    return;
  }
  int64_t busy = countIssueCycles(aheadProblem.body);
  if (busy * 100 > choice.aheadCycles * (100 - leastGain)) {
    choice.reason = llvm::formatv("units are busy for {0}", busy);
    plan.choice = std::move(choice);
    return;
  }
  auto modulo = planner.solve(choice.reason);
  if (modulo) {
    choice.moduloCycles = planner.predict(*modulo);
    int64_t aheadBlocks = planner.countBlocks(aheadProblem, ahead,
                                              getCandidates(loop, plan.rings));
    int64_t moduloBlocks = planner.countBlocks(planner.getProblem(), *modulo,
                                               planner.getCandidates(*modulo));
    // Blocks hide each other's waits: fewer of them have to be faster by as much.
    choice.isModulo = modulo->getLastStage() > 0 && moduloBlocks > 0 &&
                      choice.moduloCycles * 100 * aheadBlocks <=
                          choice.aheadCycles * (100 - leastGain) *
                              std::min(moduloBlocks, aheadBlocks);
    choice.reason = explain(choice, aheadBlocks, moduloBlocks,
                            findLongestWait(aheadProblem, ahead, ops));
  }
  if (std::string limit = planner.explainLimits(
          choice.isModulo ? choice.moduloCycles : choice.aheadCycles);
      !limit.empty())
    choice.reason += "; " + limit;
  if (choice.isModulo)
    planner.apply(*modulo, plan);
  plan.choice = std::move(choice);
}
