//===- ModuloPlan.cpp - Which solver's schedule a loop gets ---------------===//

#include "ModuloPlan.h"
#include "BufferWalk.h"
#include "EstimateCosts.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;
namespace schedule = tilec::schedule;

/// Of 100 predicted cycles the modulo schedule must save this many. What is not
/// predicted, the conditions that guard each lead and the values that pass from
/// step to step, costs a few of 100.
static constexpr int64_t leastGain = 5;

/// Schedules that are asked for less shared memory, one after the other.
static constexpr int fitAttempts = 4;

namespace {
/// A buffer that may have slots.
struct PrivateBuffer {
  AllocOp buffer;
  int place = 0;
  /// The operations of the body that write it; all others only read it.
  SmallVector<int> writers, readers;
};

class ModuloPlanner {
public:
  ModuloPlanner(scf::ForOp loop, int64_t stages,
                const tilec::GpuTarget &target,
                const LoopStatements &statements, const ArenaProblem &arena);

  /// The cycles of an iteration under `ahead`, whose buffers have slots as in
  /// `rings`.
  int64_t predict(const schedule::Schedule &ahead,
                  ArrayRef<RingBuffer> rings) const;
  /// Finds a schedule whose slots fit; nothing, and a reason, if there is none.
  std::optional<schedule::Schedule> solve(StringRef &reason);
  int64_t predict(const schedule::Schedule &modulo);
  void apply(const schedule::Schedule &modulo, LoopPlan &plan) const;

private:
  void addCosts();
  void setRegisterLimit();
  void pinWhatPeopleSee();
  void findPrivateBuffers();
  bool mayHaveSlots(PrivateBuffer &buffer);
  bool dropMixedBuffer(const schedule::Schedule &modulo);
  std::optional<int64_t> getExcessBytes(const schedule::Schedule &modulo) const;

  scf::ForOp loop;
  const tilec::GpuTarget &target;
  const LoopStatements &statements;
  const ArenaProblem &arena;
  SmallVector<PrivateBuffer> buffers;
  schedule::Problem problem;
  schedule::Limits limits;
};
} // namespace

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

ModuloPlanner::ModuloPlanner(scf::ForOp loop, int64_t stages,
                             const tilec::GpuTarget &target,
                             const LoopStatements &statements,
                             const ArenaProblem &arena)
    : loop(loop), target(target), statements(statements), arena(arena) {
  problem.body = statements.getBody();
  limits.maxStages = static_cast<int>(stages);
  addCosts();
  setRegisterLimit();
  pinWhatPeopleSee();
  findPrivateBuffers();
  problem.graph = schedule::buildGraph(problem.body);
}

void ModuloPlanner::addCosts() {
  CostEstimator costs(loop->getParentOfType<LaunchOp>(), target);
  for (auto [op, statement] :
       llvm::zip_equal(statements.getOps(), problem.body.statements)) {
    OperationCost cost = costs.estimate(op);
    statement.issueCycles = cost.issueCycles;
    statement.latencyCycles = cost.latencyCycles;
    for (Type type : op->getResultTypes())
      statement.registers =
          std::max(statement.registers, countRegisters(type));
  }
}

/// What the program itself carries from iteration to iteration has its
/// registers.
void ModuloPlanner::setRegisterLimit() {
  int count = static_cast<int>(problem.body.statements.size());
  schedule::Schedule inOrder{std::vector<int>(count), std::vector<int>(count)};
  std::iota(inOrder.orders.begin(), inOrder.orders.end(), 0);
  limits.registers = schedule::countRegisters(problem.body, inOrder) +
                     std::max<int64_t>(countFreeRegisters(loop, target), 0);
}

/// What is printed and what may end the program stay behind what memory shows
/// of the iterations before.
void ModuloPlanner::pinWhatPeopleSee() {
  auto isSeen = [](const MemoryEffects::EffectInstance &effect) {
    return effect.getResource() == ConsoleResource::get() ||
           effect.getResource() == TrapResource::get();
  };
  for (auto [op, statement] :
       llvm::zip_equal(statements.getOps(), problem.body.statements))
    if (auto effects = getEffectsRecursively(op);
        !effects || llvm::any_of(*effects, isSeen))
      statement.isOpaque = true;
}

/// Whether nothing flows through a buffer from one iteration to the next or out
/// of the loop, and everything that fills it stands in front of what reads it.
bool ModuloPlanner::mayHaveSlots(PrivateBuffer &entry) {
  AllocOp buffer = entry.buffer;
  const SharedLiveness &liveness = arena.liveness;
  auto number = llvm::find(liveness.buffers, buffer) - liveness.buffers.begin();
  auto behind = llvm::find(liveness.points, loop->getNextNode()) -
                liveness.points.begin();
  if (llvm::any_of(buffer.getResult().getUsers(), llvm::IsaPred<RingOp>) ||
      liveness.needed[number].test(behind) ||
      followBuffer(loop, buffer).uncoveredRead)
    return false;
  for (auto [index, statement] : llvm::enumerate(problem.body.statements))
    for (const schedule::Access &access : statement.accesses) {
      if (access.place != entry.place)
        continue;
      if (access.reads && access.writes)
        return false;
      (access.writes ? entry.writers : entry.readers).push_back(index);
    }
  return !entry.writers.empty() && !entry.readers.empty() &&
         entry.writers.back() < entry.readers.front();
}

void ModuloPlanner::findPrivateBuffers() {
  for (schedule::Place &place : problem.body.places)
    place.isPrivate = false;
  for (auto [number, found] : llvm::enumerate(arena.getBuffers())) {
    AllocOp buffer = found;
    std::optional<int> place = statements.getPlace(buffer.getResult());
    if (!place)
      continue;
    PrivateBuffer entry{buffer, *place, {}, {}};
    if (!mayHaveSlots(entry))
      continue;
    problem.body.places[*place].isPrivate = true;
    problem.body.places[*place].bytes =
        arena.packing.buffers[number].sizeBytes;
    buffers.push_back(std::move(entry));
  }
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

int64_t ModuloPlanner::predict(const schedule::Schedule &ahead,
                               ArrayRef<RingBuffer> rings) const {
  // Its own dependences: those of the modulo schedule are a few more.
  schedule::Problem own{statements.getBody(), {}, {}};
  for (auto [statement, costly] :
       llvm::zip_equal(own.body.statements, problem.body.statements)) {
    statement.issueCycles = costly.issueCycles;
    statement.latencyCycles = costly.latencyCycles;
  }
  own.graph = schedule::buildGraph(own.body);
  own.slots.assign(own.body.places.size(), 1);
  for (const RingBuffer &ring : rings) {
    AllocOp buffer = ring.buffer;
    own.slots[*statements.getPlace(buffer.getResult())] = ring.slots;
  }
  return schedule::predictCycles(own, ahead);
}

int64_t ModuloPlanner::predict(const schedule::Schedule &modulo) {
  problem.slots = schedule::countSlots(problem, modulo);
  return schedule::predictCycles(problem, modulo);
}

/// Bytes of the packed launch beyond what a block has; nothing if a ring is
/// beyond any chip's memory.
std::optional<int64_t>
ModuloPlanner::getExcessBytes(const schedule::Schedule &modulo) const {
  std::vector<int> slots = schedule::countSlots(problem, modulo);
  SmallVector<SlotCandidate> candidates;
  for (const PrivateBuffer &entry : buffers)
    if (slots[entry.place] > 1)
      candidates.push_back({entry.buffer, slots[entry.place], loop});
  auto packed = packCandidates(arena, candidates);
  if (!packed)
    return std::nullopt;
  return packed->totalBytes - target.maxSharedBytesPerBlock;
}

/// The slot of an iteration is filled at one stage. Takes the slots of a buffer
/// that `modulo` fills at several; whether there is one.
bool ModuloPlanner::dropMixedBuffer(const schedule::Schedule &modulo) {
  std::vector<int> slots = schedule::countSlots(problem, modulo);
  auto isMixed = [&](const PrivateBuffer &entry) {
    return slots[entry.place] > 1 &&
           llvm::any_of(entry.writers, [&](int writer) {
             return modulo.stages[writer] !=
                    modulo.stages[entry.writers.front()];
           });
  };
  auto mixed = llvm::find_if(buffers, isMixed);
  if (mixed == buffers.end())
    return false;
  problem.body.places[mixed->place].isPrivate = false;
  problem.graph = schedule::buildGraph(problem.body);
  buffers.erase(mixed);
  return true;
}

std::optional<schedule::Schedule> ModuloPlanner::solve(StringRef &reason) {
  for (const PrivateBuffer &entry : buffers)
    limits.sharedBytes +=
        limits.maxStages * problem.body.places[entry.place].bytes;
  for (int attempt = 0; attempt < fitAttempts;) {
    problem.slots.assign(problem.body.places.size(), 1);
    auto modulo = schedule::solveModulo(problem, limits);
    if (!modulo) {
      reason = "no order is faster than the program's";
      return std::nullopt;
    }
    if (dropMixedBuffer(*modulo))
      continue;
    std::optional<int64_t> excess = getExcessBytes(*modulo);
    if (excess && *excess <= 0)
      return modulo;
    ++attempt;
    int64_t taken = 0;
    std::vector<int> slots = schedule::countSlots(problem, *modulo);
    for (const PrivateBuffer &entry : buffers)
      taken += slots[entry.place] * problem.body.places[entry.place].bytes;
    limits.sharedBytes = taken - excess.value_or(taken / 2);
  }
  reason = "its slots do not fit";
  return std::nullopt;
}

void ModuloPlanner::apply(const schedule::Schedule &modulo,
                          LoopPlan &plan) const {
  std::vector<int> slots = schedule::countSlots(problem, modulo);
  int last = modulo.getLastStage();
  ArrayRef<Operation *> ops = statements.getOps();
  SmallVector<int> order(llvm::to_vector(llvm::seq<int>(0, ops.size())));
  llvm::sort(order,
             [&](int a, int b) { return modulo.orders[a] < modulo.orders[b]; });
  plan.order.clear();
  plan.rings.clear();
  plan.obstacles.clear();
  plan.stages = last + 1;
  plan.ahead = 0;
  for (int number : order) {
    plan.order.push_back({ops[number], last - modulo.stages[number]});
    plan.ahead += modulo.stages[number] < last;
  }
  for (const PrivateBuffer &entry : buffers) {
    if (slots[entry.place] == 1)
      continue;
    RingBuffer ring{entry.buffer, slots[entry.place],
                    last - modulo.stages[entry.writers.front()],
                    /*isHeld=*/false,
                    {}};
    for (int writer : entry.writers)
      ring.writers.push_back(ops[writer]);
    plan.rings.push_back(std::move(ring));
  }
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

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

LogicalResult tile::chooseSolver(scf::ForOp loop, int64_t stages,
                                 const tilec::GpuTarget &target,
                                 const LoopStatements &statements,
                                 const schedule::Schedule &ahead,
                                 LoopPlan &plan) {
  bool isHeld = llvm::any_of(
      plan.rings, [](const RingBuffer &ring) { return ring.isHeld; });
  if (isHeld || !canMoveOperations(statements.getOps()))
    return success();
  FailureOr<ArenaProblem> arena =
      buildArenaProblem(loop->getParentOfType<LaunchOp>());
  if (failed(arena))
    return failure();
  ModuloPlanner planner(loop, stages, target, statements, *arena);
  SolverChoice choice;
  choice.aheadCycles = choice.moduloCycles = planner.predict(ahead, plan.rings);
  StringRef reason;
  auto modulo = planner.solve(reason);
  if (modulo)
    choice.moduloCycles = planner.predict(*modulo);
  choice.isModulo = modulo && modulo->getLastStage() > 0 &&
                    choice.moduloCycles * 100 <=
                        choice.aheadCycles * (100 - leastGain);
  if (choice.isModulo)
    reason = "it is predicted to be faster";
  else if (modulo)
    reason = "the other is not predicted to be clearly faster";
  choice.reason = reason.str();
  if (choice.isModulo)
    planner.apply(*modulo, plan);
  plan.choice = std::move(choice);
  return success();
}
