//===- Interpreter.cpp - Running warps and blocks -------------------------===//
//
// The inner loop, divergence, and the round-robin over the warps of a cluster.
// A warp runs until it waits or its quantum is over. When no warp can run, a
// pending asynchronous operation is delivered; when there is none either, it is
// a deadlock, exactly.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "../Definedness/Definedness.h"
#include "../Instructions/MemberMeeting.h"
#include "../Synchronization/Waiting.h"

#include <algorithm>
#include <numeric>

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// Splits
//===----------------------------------------------------------------------===//

Step Warp::waitFor(Wait wait, uint64_t object, uint64_t value,
                   uint32_t required) {
  Split &waiting = split();
  waiting.pc = pc;
  waiting.wait = wait;
  waiting.object = object;
  waiting.value = value;
  waiting.required = required;
  return Step::Reschedule;
}

/// Whether a split can go on together with another at its instruction.
static bool canMeet(const Split &split) {
  return split.wait == Wait::None || split.wait == Wait::Converge ||
         split.wait == Wait::Members;
}

/// Whether two splits at one instruction become one. Lanes that wait for
/// different members do not wait for each other.
static bool canJoin(const Split &a, const Split &b) {
  bool differ = a.wait == Wait::Members && b.wait == Wait::Members &&
                a.required != b.required;
  return canMeet(a) && canMeet(b) && !differ;
}

/// Joins splits at the same instruction and drops empty ones.
static void joinSplits(std::vector<Split> &splits) {
  for (size_t first = 0; first < splits.size(); ++first) {
    Split &into = splits[first];
    if (!into.mask)
      continue;
    for (size_t second = first + 1; second < splits.size(); ++second) {
      Split &other = splits[second];
      if (other.mask && other.pc == into.pc && canJoin(into, other)) {
        into.mask |= other.mask;
        into.wait = Wait::None;
        other.mask = 0;
      }
    }
  }
  std::erase_if(splits, [](const Split &split) { return split.mask == 0; });
}

/// The runnable split with the lowest pc (with `rotate`, of those elsewhere
/// than the warp is); the number of splits if none can run.
static size_t chooseSplit(Warp &warp, std::vector<Split> &splits, bool rotate) {
  size_t best = splits.size();
  uint32_t lowest = ~0u;
  for (size_t index = 0; index < splits.size(); ++index) {
    if (!isReady(warp, splits[index]))
      continue;
    if (rotate && splits.size() > 1 && splits[index].pc == warp.pc)
      continue;
    if (splits[index].pc < lowest) {
      lowest = splits[index].pc;
      best = index;
    }
  }
  return best;
}

/// Makes a split the running one: the runnable one with the lowest pc or, with
/// `rotate`, another than the current if there is one. False if none can run.
static bool schedule(Warp &warp, bool rotate = false) {
  std::vector<Split> &splits = warp.frame().splits;
  joinSplits(splits);
  if (splits.empty()) {
    // All lanes of the frame have left; returns were handled already.
    warp.done = warp.live == 0;
    return false;
  }
  if (splits.size() > 1 && meetBetweenPlaces(warp))
    joinSplits(splits);
  size_t best = chooseSplit(warp, splits, rotate);
  if (best == splits.size())
    return rotate ? schedule(warp) : false;
  warp.current = static_cast<uint32_t>(best);
  Split &chosen = splits[best];
  chosen.wait = Wait::None;
  warp.pc = chosen.pc;
  warp.active = chosen.mask;
  warp.nextPc = ~0u;
  for (size_t index = 0; index < splits.size(); ++index)
    if (index != best && canMeet(splits[index]) && splits[index].pc > chosen.pc)
      warp.nextPc = std::min(warp.nextPc, splits[index].pc);
  return true;
}

//===----------------------------------------------------------------------===//
// The inner loop
//===----------------------------------------------------------------------===//

namespace {
/// How a run of instructions ended.
enum class RunEnd : uint8_t {
  Quantum, ///< The quantum is over.
  Waiting, ///< No split can run, or the warp is done.
  Stopped, ///< The launch ends.
  Changed, ///< Undefined values came up, or are gone.
};
struct Run {
  RunEnd end;
  uint64_t executed;
};
} // namespace

/// Executes at most `quantum` instructions. While nothing undefined is in the
/// registers (not `tracks`), handlers run as they are; one that reads undefined
/// bytes makes the next instruction a meeting point, so that it is noticed
/// (Definedness.h).
template <bool tracks>
static Run runInstructions(Warp &warp, uint64_t quantum) {
  const Instruction *code = warp.launch->program->code.data();
  Statistics &statistics = warp.cluster->statistics;
  uint64_t executed = 0;
  while (executed < quantum) {
    const Instruction &instruction = code[warp.pc];
    if (tracks && instruction.predicate != noRef)
      requireDefinedGuard(warp, instruction);
    uint32_t mask = warp.active;
    if (instruction.predicate != noRef)
      mask &= warp.predicate(instruction.predicate);
    ++executed;
    ++warp.executed;
    if (instruction.counted) {
      ++statistics.instructions;
      ++statistics.classes[static_cast<size_t>(instruction.instructionClass)];
    }
    if (mask || instruction.always) {
      Step step = tracks ? executeTracked(warp, instruction, mask)
                         : instruction.handler(warp, instruction, mask);
      if (step == Step::Next) {
        ++warp.pc;
      } else if (step == Step::Stop) {
        return {RunEnd::Stopped, executed};
      } else if (step == Step::Reschedule || warp.frame().splits.size() > 1) {
        if (step == Step::Jump)
          warp.split().pc = warp.pc;
        if (warp.done || !schedule(warp))
          return {RunEnd::Waiting, executed};
        if (tracks != warp.tracksDefinedness)
          return {RunEnd::Changed, executed};
        continue;
      }
    } else {
      ++warp.pc;
    }
    if (warp.pc >= warp.nextPc) {
      if (!tracks && warp.tracksDefinedness)
        settle(warp, instruction, mask);
      warp.split().pc = warp.pc;
      if (!schedule(warp))
        return {RunEnd::Waiting, executed};
      if (tracks != warp.tracksDefinedness)
        return {RunEnd::Changed, executed};
    }
    if (tracks && !warp.tracksDefinedness)
      return {RunEnd::Changed, executed};
  }
  return {RunEnd::Quantum, executed};
}

/// Runs a warp for at most `quantum` instructions. False if it cannot run.
static bool runWarp(Warp &warp, uint64_t quantum, bool rotate) {
  if (warp.done || !schedule(warp, rotate))
    return false;
  uint64_t limit = warp.launch->options.maxInstructions;
  if (limit)
    quantum = std::min(quantum, limit + 1 - std::min(warp.executed, limit));
  uint64_t executed = 0;
  Run run{RunEnd::Changed, 0};
  while (run.end == RunEnd::Changed && executed < quantum) {
    run = warp.tracksDefinedness
              ? runInstructions<true>(warp, quantum - executed)
              : runInstructions<false>(warp, quantum - executed);
    executed += run.executed;
  }
  if (run.end == RunEnd::Stopped)
    return false;
  if (executed >= quantum && !warp.done && warp.frameCount) {
    std::vector<Split> &splits = warp.frame().splits;
    if (warp.current < splits.size() && splits[warp.current].wait == Wait::None)
      splits[warp.current].pc = warp.pc;
  }
  warp.cluster->sinceProgress += executed;
  if (limit && warp.executed > limit && !warp.done)
    reportLimit(warp);
  return true;
}

//===----------------------------------------------------------------------===//
// The warps of a cluster
//===----------------------------------------------------------------------===//

/// Instructions of a warp until the next one's turn. Many, so that scheduling
/// costs little beside them; a warp that waits gives its turn up at once.
static constexpr uint64_t fixedQuantum = 4000;
/// With a seed the quantum is drawn from [shortest, shortest + range): short
/// ones interleave warps finely, and the average pays for the drawing.
static constexpr uint64_t shortestQuantum = 16, quantumRange = 2000;

/// A warp whose lanes wait for each other (a lock that one lane holds) must let
/// each of them run, though the split with the lowest pc comes first: in every
/// fourth period of so many instructions it does not. The period is about a
/// quantum, so that each of the two rules has whole turns.
static constexpr uint64_t rotationPeriod = 4096;

/// Instructions of a cluster without any effect, above which its threads are
/// taken to spin on test_wait, which never blocks: a pending copy may be what
/// they wait for. A dozen quanta, so that a computation between two stores is
/// rarely taken for it; if it is, a copy arrives early, which it may.
static constexpr uint64_t spinningInstructions = 50'000;
/// The same for threads that poll a flag (Cluster::isPolling): another cluster
/// may have to run. Two quanta: they are known to read flags.
static constexpr uint64_t pollingInstructions = 10'000;

static uint64_t drawQuantum(Cluster &cluster, bool random) {
  return random ? shortestQuantum + cluster.nextRandom() % quantumRange
                : fixedQuantum;
}

static void shuffle(std::vector<uint32_t> &order, Cluster &cluster) {
  for (size_t count = order.size(); count > 1; --count)
    std::swap(order[count - 1], order[cluster.nextRandom() % count]);
}

namespace {
/// What one turn of all warps did.
struct Turn {
  bool ran = false;   ///< A warp could run.
  bool alive = false; ///< A warp has not ended.
  uint64_t executed = 0;
};
} // namespace

static Turn runWarps(Cluster &cluster, const std::vector<uint32_t> &order) {
  Launch &launch = *cluster.launch;
  Turn turn;
  for (uint32_t index : order) {
    Warp &warp = *cluster.warps[index];
    if (warp.done)
      continue;
    turn.alive = true;
    uint64_t quantum = drawQuantum(cluster, launch.options.seed != 0);
    uint64_t before = warp.executed;
    bool rotate = before / rotationPeriod % 4 == 3;
    turn.ran |= runWarp(warp, quantum, rotate);
    turn.executed += warp.executed - before;
    if (launch.isStopping())
      break;
  }
  return turn;
}

/// Something has changed: whoever polled may poll anew.
static void noteProgress(Cluster &cluster) {
  if (cluster.progress == cluster.seenProgress)
    return;
  cluster.seenProgress = cluster.progress;
  cluster.sinceProgress = 0;
  cluster.polls = 0;
  for (Warp *warp : cluster.warps)
    if (!warp->done)
      for (Split &split : warp->frame().splits)
        split.polls = 0;
}

ClusterState runCluster(Cluster &cluster, uint64_t budget) {
  Launch &launch = *cluster.launch;
  std::vector<uint32_t> order(cluster.warps.size());
  std::iota(order.begin(), order.end(), 0u);
  bool random = launch.options.seed != 0;
  uint64_t used = 0;
  while (!launch.isStopping()) {
    if (random)
      shuffle(order, cluster);
    Turn turn = runWarps(cluster, order);
    used += turn.executed;
    if (launch.isStopping())
      return ClusterState::Finished;
    if (!turn.alive) {
      while (deliverOne(cluster))
        ;
      return ClusterState::Finished;
    }
    noteProgress(cluster);
    if (!turn.ran) {
      if (deliverOne(cluster) || wakePolling(cluster))
        continue;
      return ClusterState::Blocked;
    }
    // One pending operation in four turns, wherever the threads are.
    bool deliverNow = random && launch.options.delivery == Delivery::Random &&
                      cluster.nextRandom() % 4 == 0;
    bool spinning = cluster.sinceProgress > spinningInstructions;
    if ((deliverNow || spinning) && !cluster.pending.empty())
      deliverOne(cluster);
    bool polling =
        cluster.isPolling() && cluster.sinceProgress > pollingInstructions;
    if (used >= budget || (polling && used > pollingInstructions))
      return ClusterState::Running;
  }
  return ClusterState::Finished;
}

} // namespace tilec::emu
