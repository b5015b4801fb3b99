//===- ModuloPlan.cpp - The modulo schedule of a loop ---------------------===//

#include "ModuloPlan.h"
#include "BufferWalk.h"
#include "CopiesBehindProduct.h"
#include "EstimateCosts.h"
#include "LateStores.h"
#include "SplitFills.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/Occupancy.h"

#include "llvm/Support/FormatVariadic.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::tile;
namespace schedule = tilec::schedule;

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
  buildGraph();
}

/// The statements that bring data from global memory, and what they need for it
/// in their iteration.
std::vector<bool> ModuloPlanner::findMovable() const {
  ArrayRef<Operation *> ops = statements.getOps();
  std::vector<bool> isMovable;
  for (Operation *op : ops)
    isMovable.push_back(loadsGlobal(op) || isOnlyFills(op) ||
                        matchLateStore(op));
  // Such edges follow program order, and so do the numbers of the statements.
  for (int number = ops.size() - 1; number >= 0; --number)
    for (const schedule::Edge &edge : problem.graph.edges)
      if (edge.to == number && isMovable[number] && edge.distance == 0 &&
          (edge.kind == schedule::Dependence::Value ||
           edge.kind == schedule::Dependence::ReadAfterWrite))
        isMovable[edge.from] = true;
  return isMovable;
}

/// The dependences, and that what may not move keeps its order, at the last
/// stage.
void ModuloPlanner::buildGraph() {
  problem.graph = schedule::buildGraph(problem.body);
  SmallVector<int> pinned;
  for (auto [number, isMovable] : llvm::enumerate(findMovable())) {
    problem.body.statements[number].isLast = !isMovable;
    if (!isMovable)
      pinned.push_back(static_cast<int>(number));
  }
  if (pinned.empty())
    return;
  auto add = [&](int from, int to, int distance) {
    problem.graph.edges.push_back(
        {from, to, distance, schedule::Dependence::Order});
  };
  for (auto [before, after] :
       llvm::zip(pinned, ArrayRef<int>(pinned).drop_front()))
    add(before, after, 0);
  for (size_t other = 0; other < problem.body.statements.size(); ++other)
    if (static_cast<int>(other) != pinned.front())
      add(static_cast<int>(other), pinned.front(), 1);
}

void ModuloPlanner::addCosts() {
  CostEstimator costs(loop->getParentOfType<LaunchOp>(), target);
  for (auto [op, statement] :
       llvm::zip_equal(statements.getOps(), problem.body.statements)) {
    OperationCost cost = costs.estimate(op);
    statement.issueCycles = cost.issueCycles;
    statement.latencyCycles = cost.latencyCycles;
    for (Type type : op->getResultTypes())
      statement.registers = std::max(statement.registers, countRegisters(type));
    statement.arrivesLate = arrivesLate(op);
  }
  problem.barrierCycles = costs.getBarrierCycles();
  for (AllocOp buffer : arena.getBuffers())
    if (std::optional<int> place = statements.getPlace(buffer.getResult()))
      problem.body.places[*place].isHandedOn = true;
}

/// What the program itself carries from iteration to iteration has its
/// registers.
void ModuloPlanner::setRegisterLimit() {
  int count = static_cast<int>(problem.body.statements.size());
  schedule::Schedule inOrder{std::vector<int>(count), std::vector<int>(count)};
  std::iota(inOrder.orders.begin(), inOrder.orders.end(), 0);
  ownRegisters = schedule::countRegisters(problem.body, inOrder);
  limits.registers =
      ownRegisters + std::max<int64_t>(countFreeRegisters(loop, target), 0);
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
  if (llvm::any_of(buffer.getResult().getUsers(), llvm::IsaPred<RingOp>) ||
      isNeededBehind(loop, buffer, arena.liveness) ||
      !followBuffer(loop, buffer).mayHaveSlots())
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
    problem.body.places[*place].isReusedNextStep = true;
    problem.body.places[*place].bytes = arena.packing.buffers[number].sizeBytes;
    buffers.push_back(std::move(entry));
  }
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

schedule::Problem
ModuloPlanner::getAheadProblem(ArrayRef<RingBuffer> rings) const {
  schedule::Problem ahead = problem;
  for (auto [place, known] :
       llvm::zip_equal(ahead.body.places, statements.getBody().places))
    place.isPrivate = known.isPrivate;
  ahead.graph = schedule::buildGraph(ahead.body);
  ahead.slots.assign(ahead.body.places.size(), 1);
  for (const RingBuffer &ring : rings) {
    AllocOp buffer = ring.buffer;
    ahead.slots[*statements.getPlace(buffer.getResult())] = ring.slots;
  }
  return ahead;
}

int64_t ModuloPlanner::predict(const schedule::Schedule &modulo) {
  problem.slots = countSlots(modulo);
  return schedule::predictCycles(problem, modulo);
}

std::vector<int>
ModuloPlanner::countSlots(const schedule::Schedule &modulo) const {
  return schedule::countSlots(problem, modulo);
}

SmallVector<SlotCandidate>
ModuloPlanner::getCandidates(const schedule::Schedule &modulo) const {
  std::vector<int> slots = countSlots(modulo);
  SmallVector<SlotCandidate> candidates;
  for (const PrivateBuffer &entry : buffers)
    if (slots[entry.place] > 1)
      candidates.push_back({entry.buffer, slots[entry.place], loop});
  return candidates;
}

/// Bytes of the packed launch; nothing if a ring is beyond any chip's memory.
std::optional<int64_t>
ModuloPlanner::countSharedBytes(const schedule::Schedule &modulo) const {
  return packCandidates(arena, getCandidates(modulo),
                        target.maxSharedBytesPerBlock);
}

int64_t ModuloPlanner::countBlocks(const schedule::Problem &scheduled,
                                   const schedule::Schedule &schedule,
                                   ArrayRef<SlotCandidate> slots) const {
  auto packed = packCandidates(arena, slots, target.maxSharedBytesPerBlock);
  if (!packed)
    return 0;
  auto launch = loop->getParentOfType<LaunchOp>();
  int64_t registers = countNeededRegisters(loop) - ownRegisters +
                      schedule::countRegisters(scheduled.body, schedule);
  return tilec::computeOccupancy(
             target,
             {static_cast<int64_t>(launch.getThreads()), registers, *packed})
      .blocksPerMultiprocessor;
}

/// The slot of an iteration is filled at one stage and read at the last. Takes
/// the slots of a buffer with which `modulo` does otherwise; whether there is
/// one.
bool ModuloPlanner::dropMixedBuffer(const schedule::Schedule &modulo) {
  std::vector<int> slots = countSlots(modulo);
  auto isElsewhere = [&](int stage) {
    return [&modulo, stage](int statement) {
      return modulo.stages[statement] != stage;
    };
  };
  auto isMixed = [&](const PrivateBuffer &entry) {
    int fillStage = modulo.stages[entry.writers.front()];
    return slots[entry.place] > 1 &&
           (llvm::any_of(entry.writers, isElsewhere(fillStage)) ||
            llvm::any_of(entry.readers, isElsewhere(modulo.getLastStage())));
  };
  auto mixed = llvm::find_if(buffers, isMixed);
  if (mixed == buffers.end())
    return false;
  problem.body.places[mixed->place].isPrivate = false;
  buffers.erase(mixed);
  buildGraph();
  return true;
}

std::optional<schedule::Schedule> ModuloPlanner::solve(std::string &reason) {
  for (const PrivateBuffer &entry : buffers)
    limits.sharedBytes +=
        limits.maxStages * problem.body.places[entry.place].bytes;
  for (;;) {
    problem.slots.assign(problem.body.places.size(), 1);
    auto modulo = schedule::solveModulo(problem, limits);
    if (modulo && dropMixedBuffer(*modulo))
      continue;
    if (!modulo)
      break;
    std::optional<int64_t> bytes = countSharedBytes(*modulo);
    if (bytes && *bytes <= target.maxSharedBytesPerBlock)
      return modulo;
    if (bytes && !tooLarge)
      tooLarge = {predict(*modulo), *bytes};
    // Fewer bytes each time, until none are left.
    int64_t taken = 0;
    std::vector<int> slots = countSlots(*modulo);
    for (const PrivateBuffer &entry : buffers)
      taken += slots[entry.place] * problem.body.places[entry.place].bytes;
    limits.sharedBytes = taken - (bytes ? *bytes - target.maxSharedBytesPerBlock
                                        : std::max<int64_t>(taken / 2, 1));
  }
  reason = "no modulo schedule that fits and keeps computation in order is "
           "faster than the program";
  return std::nullopt;
}

/// Whether what may move could take more registers than are free.
bool ModuloPlanner::mayExceedRegisters() const {
  int64_t most = ownRegisters;
  for (const schedule::Statement &statement : problem.body.statements)
    if (!statement.isLast)
      most += limits.maxStages * statement.registers *
              static_cast<int64_t>(statement.defines.size());
  return most > limits.registers;
}

std::string ModuloPlanner::explainLimits(int64_t cycles) {
  if (tooLarge && tooLarge->cycles < cycles)
    return llvm::formatv("limited by shared memory: {0} cycles would take {1} "
                         "of {2} bytes",
                         tooLarge->cycles, tooLarge->sharedBytes,
                         target.maxSharedBytesPerBlock);
  if (!mayExceedRegisters())
    return "";
  schedule::Limits more = limits;
  more.registers = std::numeric_limits<int64_t>::max();
  problem.slots.assign(problem.body.places.size(), 1);
  auto modulo = schedule::solveModulo(problem, more);
  if (!modulo || predict(*modulo) >= cycles)
    return "";
  return llvm::formatv(
      "limited by registers: {0} cycles would keep {1} from step to step, {2} "
      "are free",
      predict(*modulo), schedule::countRegisters(problem.body, *modulo),
      limits.registers);
}

void ModuloPlanner::apply(const schedule::Schedule &modulo,
                          LoopPlan &plan) const {
  std::vector<int> slots = countSlots(modulo);
  int last = modulo.getLastStage();
  ArrayRef<Operation *> ops = statements.getOps();
  SmallVector<int> order(llvm::to_vector(llvm::seq<int>(0, ops.size())));
  llvm::sort(order,
             [&](int a, int b) { return modulo.orders[a] < modulo.orders[b]; });
  plan.order.clear();
  plan.rings.clear();
  plan.stages = last + 1;
  plan.ahead = 0;
  schedule::Problem slotted = problem;
  slotted.slots = slots;
  for (int number : issueBehindProduct(statements, slotted, modulo, order)) {
    plan.order.push_back({ops[number], last - modulo.stages[number]});
    plan.ahead += modulo.stages[number] < last &&
                  (loadsGlobal(ops[number]) || isOnlyFills(ops[number]));
  }
  for (const PrivateBuffer &entry : buffers) {
    if (slots[entry.place] == 1)
      continue;
    RingBuffer ring{entry.buffer,
                    slots[entry.place],
                    last - modulo.stages[entry.writers.front()],
                    /*isHeld=*/false,
                    {}};
    for (int writer : entry.writers)
      ring.writers.push_back(ops[writer]);
    plan.rings.push_back(std::move(ring));
  }
  // What the other plan could not do and this one does.
  llvm::erase_if(plan.obstacles, [&](const Obstacle &obstacle) {
    auto number = statements.find(obstacle.op);
    return obstacle.op == loop ||
           llvm::any_of(plan.rings,
                        [&](RingBuffer &ring) {
                          return ring.buffer.getResult() == obstacle.buffer;
                        }) ||
           (!obstacle.buffer && number && modulo.stages[*number] < last);
  });
}
