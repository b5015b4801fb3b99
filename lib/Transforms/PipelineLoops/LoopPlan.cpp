//===- LoopPlan.cpp - What runs ahead in a loop, and in which slots -------===//

#include "LoopPlan.h"
#include "BufferWalk.h"
#include "ChooseSolver.h"
#include "CopiesBehindProduct.h"
#include "CopiesByThreads.h"
#include "EarlyRelease.h"
#include "EstimateCosts.h"
#include "ExplainFill.h"
#include "LateStores.h"
#include "LoneOrder.h"
#include "SplitFills.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/LiveRegisters.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Analysis/RingFills.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;
namespace schedule = tilec::schedule;

namespace {
/// The plan of a loop in the making.
class AheadPlanner {
public:
  AheadPlanner(scf::ForOp loop, int64_t stages, const tilec::GpuTarget &target,
               const ArenaProblem &arena, ArrayRef<ContinuedRing> continued)
      : loop(loop), asked(stages), stages(stages), target(target), arena(arena),
        continued(continued), statements(loop) {}
  LoopPlan plan(bool mayBeModulo);
  LoopPlan planInPlace();

private:
  void findBuffers();
  bool isScratchOfPlaces(AllocOp buffer);
  bool isUsedAhead(const RingBuffer &ring);
  std::string findHindrance(RingBuffer &ring);
  void addBuffer(AllocOp buffer, Operation *filler);
  void dropBuffer(AllocOp buffer, Operation *op, const Twine &reason);
  void dropIncomplete();
  void fitSlots();
  void addFillRequests();
  void request(Operation *op, int64_t distance, bool isLate);
  void addNeeded(int statement, int distance);
  void addLoads();
  bool solve();
  bool overlaps();
  void addObstacle(Operation *op, std::string reason, Value buffer = {});
  void finish(LoopPlan &plan);

  int64_t chooseLead(const RingBuffer &ring);
  int64_t getLead(Operation *op);
  RingBuffer *findRing(Operation *writer);

  scf::ForOp loop;
  int64_t asked, stages;
  const tilec::GpuTarget &target;
  const ArenaProblem &arena;
  ArrayRef<ContinuedRing> continued;
  LoopStatements statements;
  SmallVector<RingBuffer> rings;
  llvm::DenseSet<Value> dropped;
  schedule::Graph graph;
  std::vector<schedule::Ahead> requests;
  schedule::Problem problem;
  schedule::AheadPlan solution;
  SmallVector<Obstacle> obstacles;
};
} // namespace

//===----------------------------------------------------------------------===//
// Buffers that may have slots
//===----------------------------------------------------------------------===//

void AheadPlanner::addObstacle(Operation *op, std::string reason,
                               Value buffer) {
  for (const Obstacle &known : obstacles)
    if (known.reason == reason)
      return;
  obstacles.push_back({op, std::move(reason), buffer});
}

void AheadPlanner::dropBuffer(AllocOp buffer, Operation *op,
                              const Twine &reason) {
  if (!dropped.insert(buffer.getResult()).second)
    return;
  addObstacle(
      op,
      ("the buffer that " + describe(op) + " fills keeps one slot: " + reason)
          .str(),
      buffer.getResult());
}

/// Why a buffer keeps one slot: something flows through it from one iteration to the
/// next, or out of the loop not only to its own block, or registers that its fills pass
/// are not there. Empty if it need not.
std::string AheadPlanner::findHindrance(RingBuffer &ring) {
  BufferUse use = followBuffer(loop, ring.buffer);
  if (std::string reason =
          explainFlow(use, statements.getOps(), ring.writers, ring.buffer);
      !reason.empty())
    return reason;
  if (mixesBulkCopies(ring.writers, ring.buffer))
    return "bulk copies fill it, which an mbarrier counts, and others do";
  if (ring.continued && !isFilledAlike(*ring.continued, ring.writers))
    return "bulk copies, which an mbarrier counts, fill it in one loop and "
           "others in another; give each loop a buffer of its own";
  ring.isHeld =
      ring.continued || isNeededBehind(loop, ring.buffer, arena.liveness);
  if (ring.isHeld && ring.buffer->getBlock() != loop->getBlock())
    return "what is in it is read behind the loop, in an operation around it; "
           "allocate it in front of the loop";
  if (ring.isHeld && !use.isReplaced)
    return "an iteration may leave a part of it as it was, and it is read "
           "behind the loop";
  return stages == 1 ? ""
                     : findLackOfRegisters(loop, ring.writers,
                                           statements.getOps(), target);
}

/// Whether a buffer only hands on indices of what runs ahead, and runs ahead
/// itself.
bool AheadPlanner::isScratchOfPlaces(AllocOp buffer) {
  return llvm::any_of(statements.getOps(), [&](Operation *op) {
    bool reads =
        llvm::any_of(getNestedAccesses(op), [&](const BlockAccess &access) {
          return access.reads && isIn(access, buffer);
        });
    return reads && statements.mayRunAhead(op);
  });
}

/// Whether something that runs as far ahead as a buffer is filled uses what is
/// in it, or fills it with what was computed.
bool AheadPlanner::isUsedAhead(const RingBuffer &ring) {
  return llvm::any_of(statements.getOps(), [&](Operation *op) {
    return getLead(op) >= ring.lead && !llvm::is_contained(ring.writers, op) &&
           llvm::any_of(getNestedAccesses(op), [&](const BlockAccess &access) {
             return isIn(access, ring.buffer);
           });
  });
}

void AheadPlanner::addBuffer(AllocOp buffer, Operation *filler) {
  for (RingBuffer &ring : rings)
    if (ring.buffer == buffer) {
      ring.writers.push_back(filler);
      return;
    }
  rings.push_back({buffer, stages, 0, false, {filler}});
  for (const ContinuedRing &ring : continued)
    if (ring.buffer == buffer)
      rings.back().continued = ring;
}

/// Every buffer that the body fills from global memory.
void AheadPlanner::findBuffers() {
  SmallVector<std::pair<AllocOp, UnmovedFill>> stored;
  for (Operation *op : statements.getOps()) {
    bool isAhead = isOnlyFills(op) || matchLateStore(op);
    for (Value root : getWrittenBuffers(op)) {
      auto buffer = root.getDefiningOp<AllocOp>();
      if (!buffer || isScratchOfPlaces(buffer))
        continue;
      auto unmoved = isAhead ? std::nullopt : explainFill(op, buffer);
      if (!isAhead && !unmoved)
        continue;
      if (RingOp ring = getRingOfBuffer(root)) {
        // The slots of a loop inside are its own.
        if (!isRingOfInside(loop, ring.getResult()))
          dropBuffer(buffer, op, explainOtherRing(ring));
      } else if (isAhead)
        addBuffer(buffer, op);
      else if (unmoved->filler == op)
        stored.push_back({buffer, *unmoved});
      else
        dropBuffer(buffer, unmoved->filler, unmoved->reason);
    }
  }
  // What is stored into a slot that copies fill is stored there in turn.
  for (auto &[buffer, unmoved] : stored)
    if (llvm::none_of(rings, [&](const RingBuffer &ring) {
          return ring.buffer == buffer;
        }))
      dropBuffer(buffer, unmoved.filler, unmoved.reason);
  for (RingBuffer &ring : rings)
    if (std::string reason = findHindrance(ring); !reason.empty())
      dropBuffer(ring.buffer, ring.writers.front(), reason);
  dropIncomplete();
}

/// Drops rings whose buffer is dropped, and those that share an operation with
/// one that is.
void AheadPlanner::dropIncomplete() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (RingBuffer &ring : rings)
      for (Operation *writer : ring.writers)
        for (Value other : getWrittenBuffers(writer))
          if (dropped.contains(other) &&
              !dropped.contains(ring.buffer.getResult())) {
            dropBuffer(ring.buffer, writer,
                       "it fills another buffer that keeps one");
            changed = true;
          }
  }
  llvm::erase_if(rings, [&](RingBuffer &ring) {
    return dropped.contains(ring.buffer.getResult());
  });
}

//===----------------------------------------------------------------------===//
// Slots that fit
//===----------------------------------------------------------------------===//

/// What goes through registers is stored one iteration ahead, more would cost
/// bytes and gain nothing.
int64_t AheadPlanner::chooseLead(const RingBuffer &ring) {
  return llvm::any_of(ring.writers, arrivesLate)
             ? std::max<int64_t>(stages - 1, 1)
             : 1;
}

/// Takes the largest number of stages whose slots fit, packed with all other
/// buffers of the launch. With one, a fill follows the last use of its buffer in
/// the iteration before. A buffer whose ring goes on in other loops has the slots
/// that these ask for, if they fit, too.
void AheadPlanner::fitSlots() {
  int64_t limit = target.maxSharedBytesPerBlock, needed = 0, behind = 0;
  for (RingBuffer &ring : rings)
    if (ring.isHeld)
      behind = std::max(behind, countStagesBehind(loop, ring.buffer));
  for (;;) {
    SmallVector<SlotCandidate> candidates;
    for (RingBuffer &ring : rings) {
      ring.lead = chooseLead(ring);
      ring.slots = std::min(ring.lead + 1, stages);
      if (ring.continued) {
        ring.slots = ring.continued->getSlotCount();
        ring.lead = std::min(ring.lead, ring.slots - 1);
        continue;
      }
      if (ring.isHeld)
        ring.slots = std::max(
            ring.slots, std::min(behind, countStagesBehind(loop, ring.buffer)));
      candidates.push_back({ring.buffer, ring.slots, loop});
    }
    auto packed = packCandidates(arena, candidates, limit);
    if (stages == 1 || (packed && *packed <= limit))
      break;
    needed = packed.value_or(0);
    // What only other loops ask for goes first.
    int64_t &most = behind > stages ? behind : stages;
    --most;
  }
  if (stages < asked && !rings.empty())
    addObstacle(loop,
                llvm::formatv("{0} slots instead of {1} fit the {2} bytes "
                              "of shared memory; {3} would take {4}",
                              stages, asked, limit, stages + 1, needed)
                    .str());
  for (RingBuffer &ring : rings)
    if (ring.continued && ring.lead < chooseLead(ring))
      addObstacle(
          ring.writers.front(),
          explainLead(*ring.continued, ring.writers.front(), ring.lead));
  // A use that is held until the next one needs a second slot.
  if (stages == 1)
    llvm::erase_if(
        rings, [](RingBuffer &ring) { return ring.isHeld && !ring.continued; });
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// Loads that an operation running ahead needs come from global memory one
/// iteration before it: it does not wait for them.
void AheadPlanner::addNeeded(int statement, int distance) {
  for (const schedule::Edge &edge : graph.edges) {
    bool isNeeded = edge.to == statement && edge.from != statement &&
                    edge.distance == 0 &&
                    (edge.kind == schedule::Dependence::Value ||
                     edge.kind == schedule::Dependence::ReadAfterWrite);
    bool isKnown = llvm::any_of(requests, [&](const schedule::Ahead &known) {
      return known.statement == edge.from && known.distance > distance;
    });
    if (!isNeeded || isKnown)
      continue;
    bool loads = loadsGlobal(statements.getOps()[edge.from]);
    if (loads)
      requests.push_back({edge.from, distance + 1});
    addNeeded(edge.from, loads ? distance + 1 : distance);
  }
}

void AheadPlanner::request(Operation *op, int64_t distance, bool isLate) {
  requests.push_back(
      {*statements.find(op), static_cast<int>(distance), isLate});
}

void AheadPlanner::addFillRequests() {
  for (RingBuffer &ring : rings)
    for (Operation *writer : ring.writers) {
      std::optional<LateStore> late = matchLateStore(writer);
      request(writer, ring.lead, late.has_value());
      if (!late) {
        addNeeded(*statements.find(writer), ring.lead);
        continue;
      }
      for (Operation *op : late->between)
        request(op, ring.lead, /*isLate=*/true);
      // The loads are issued in the same step, in front of the computation.
      for (Operation *load : late->loads) {
        request(load, ring.lead, /*isLate=*/false);
        addNeeded(*statements.find(load), ring.lead);
      }
    }
}

/// Loads from global memory to fragments run one iteration ahead where the
/// registers for a second one are free.
void AheadPlanner::addLoads() {
  int64_t free = countFreeRegisters(loop, target);
  for (LoadOp load : loop.getBody()->getOps<LoadOp>()) {
    Operation *op = load;
    int number = *statements.find(op);
    bool isKnown = llvm::any_of(requests, [&](const schedule::Ahead &request) {
      return request.statement == number;
    });
    if (load.getSourceSide().isShared() || isKnown)
      continue;
    int64_t registers = countHeldRegisters(load.getResult());
    if (registers > free) {
      addObstacle(op, llvm::formatv(
                          "the fragment that {0} loads is not loaded ahead: it "
                          "takes {1} registers and {2} are free",
                          describe(op), registers, std::max<int64_t>(free, 0))
                          .str());
      continue;
    }
    free -= registers;
    requests.push_back({number, 1});
    addNeeded(number, 1);
  }
}

//===----------------------------------------------------------------------===//
// Solving
//===----------------------------------------------------------------------===//

int64_t AheadPlanner::getLead(Operation *op) {
  return solution.leads[*statements.find(op)];
}

RingBuffer *AheadPlanner::findRing(Operation *writer) {
  for (RingBuffer &ring : rings)
    if (llvm::is_contained(ring.writers, writer))
      return &ring;
  return nullptr;
}

/// Solves, and takes back what cannot be. Whether nothing had to be.
bool AheadPlanner::solve() {
  problem = {statements.getBody(), graph, {}};
  problem.slots.assign(problem.body.places.size(), 1);
  for (RingBuffer &ring : rings)
    problem.slots[*statements.getPlace(ring.buffer.getResult())] = ring.slots;
  solution = schedule::solveAhead(problem, requests);
  bool isComplete = true;
  for (RingBuffer &ring : rings)
    if (isUsedAhead(ring)) {
      dropBuffer(ring.buffer, ring.writers.front(),
                 "what else uses it runs as far ahead");
      isComplete = false;
    }
  for (const schedule::AheadPlan::Refusal &refusal : solution.refusals) {
    Operation *op = statements.getOps()[refusal.statement];
    if (RingBuffer *ring = findRing(op)) {
      dropBuffer(ring->buffer, op, refusal.message);
      isComplete = false;
    } else if (loadsGlobal(op)) {
      addObstacle(op, "the fragment that " + describe(op) +
                          " loads is not loaded ahead: " + refusal.message);
    }
  }
  return isComplete;
}

/// Whether something is computed behind the first fill that runs ahead.
bool AheadPlanner::overlaps() {
  const std::vector<int> &orders = solution.schedule.orders;
  int first = orders.size();
  for (const schedule::Ahead &request : requests)
    if (findRing(statements.getOps()[request.statement]))
      first = std::min(first, orders[request.statement]);
  for (auto [number, op] : llvm::enumerate(statements.getOps()))
    if (orders[number] > first && getLead(op) == 0)
      return true;
  return false;
}

void AheadPlanner::finish(LoopPlan &plan) {
  ArrayRef<Operation *> ops = statements.getOps();
  SmallVector<int> order = issueLoneCopiesFirst(statements, problem, solution);
  for (int number :
       issueBehindProduct(statements, problem, solution.schedule, order))
    plan.order.push_back({ops[number], getLead(ops[number])});
  plan.rings = rings;
  plan.stages = std::min<int64_t>(stages, 2);
  for (RingBuffer &ring : rings) {
    plan.stages = std::max(plan.stages, ring.slots > 1 ? ring.lead + 1 : 1);
    plan.ahead += ring.writers.size();
  }
}

LoopPlan AheadPlanner::plan(bool mayBeModulo) {
  findBuffers();
  LoopPlan plan;
  for (;;) {
    requests.clear();
    fitSlots();
    EarlyRelease release = releaseEarly(loop, target, arena, rings);
    plan.asksRegisters |= release.asksRegisters;
    plan.hidesWaits = release.isHidden;
    for (RingBuffer &ring : rings)
      statements.setPrivate(ring.buffer);
    graph = schedule::buildGraph(statements.getBody());
    addFillRequests();
    if (stages > 1)
      addLoads();
    if (solve())
      break;
    dropIncomplete();
  }
  bool runsAhead =
      llvm::any_of(solution.leads, [](int lead) { return lead > 0; });
  if (runsAhead && (stages > 1 || overlaps()))
    finish(plan);
  else if (obstacles.empty())
    addObstacle(loop, "neither a fill of a shared buffer nor a load of a "
                      "fragment from global memory stands in its body");
  // Whoever asks for one stage asks for what there is to have.
  if (asked > 1)
    plan.obstacles = std::move(obstacles);
  if (asked > 1 && mayBeModulo)
    chooseSolver(loop, asked, target, arena, statements, solution.schedule,
                 plan);
  return plan;
}

LoopPlan tile::planLoop(scf::ForOp loop, int64_t stages,
                        const tilec::GpuTarget &target,
                        const ArenaProblem &arena, bool mayBeModulo) {
  SmallVector<ContinuedRing> continued;
  if (stages > 1)
    continued = openHeldSlots(loop);
  LoopPlan plan = AheadPlanner(loop, stages, target, arena, continued)
                      .plan(mayBeModulo && continued.empty());
  plan.opensSlots = !continued.empty();
  for (ContinuedRing &ring : continued)
    if (llvm::none_of(plan.rings, [&](const RingBuffer &taken) {
          return taken.buffer == ring.buffer;
        }))
      closeHeldSlot(ring);
  return plan;
}

LoopPlan AheadPlanner::planInPlace() {
  findBuffers();
  fitSlots();
  LoopPlan plan;
  if (!rings.empty())
    for (Operation *op : statements.getOps())
      plan.order.push_back({op, /*lead=*/0});
  for (RingBuffer &ring : rings) {
    ring.lead = 0;
    plan.stages = std::max(plan.stages, ring.slots);
    plan.ahead += ring.writers.size();
  }
  plan.rings = std::move(rings);
  if (asked > 1)
    plan.obstacles = std::move(obstacles);
  return plan;
}

LoopPlan tile::planInPlace(scf::ForOp loop, int64_t stages,
                           const tilec::GpuTarget &target,
                           const ArenaProblem &arena) {
  return AheadPlanner(loop, stages, target, arena, {}).planInPlace();
}
