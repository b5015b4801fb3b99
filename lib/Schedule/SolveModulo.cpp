//===- SolveModulo.cpp - The fastest schedule under limits ---------------===//
//
// Candidates come from three sources: modulo schedules at initiation intervals
// between the bound of issue and recurrences and the time of one iteration,
// asynchronous statements ahead by each distance, and small changes of the best.
//
// A modulo schedule whose rings take too many bytes is tried again with fewer
// slots for the largest of them: reuse of a place then is a dependence at that
// distance.
//
//===----------------------------------------------------------------------===//

#include "CycleRatio.h"
#include "Improve.h"
#include "Incumbent.h"
#include "ModuloTimes.h"

#include <algorithm>
#include <numeric>
#include <utility>

using namespace tilec::schedule;

namespace {

constexpr int intervalCount = 16;
/// With ever fewer slots.
constexpr int attemptsPerInterval = 8;

class ModuloSolver {
public:
  ModuloSolver(const Problem &problem, const Limits &limits);

  std::optional<Schedule> run();

private:
  void setSlots(std::vector<int> &slots, int slotCount) const;
  std::vector<Arc> buildArcs() const;
  bool takeSlot(const Schedule &schedule);
  void tryInterval(int64_t interval);
  void tryIntervals();
  void tryAhead();

  Incumbent incumbent;
  int count;
  int maxStages;
  std::vector<int64_t> issueCycles; ///< at least 1
  std::vector<bool> mayHaveSlots;
  std::vector<int> slotLimits;
};

} // namespace

ModuloSolver::ModuloSolver(const Problem &problem, const Limits &limits)
    : incumbent(problem, limits), count(incumbent.getCount()),
      maxStages(limits.maxStages) {
  const Body &body = problem.body;
  for (const Statement &statement : body.statements)
    issueCycles.push_back(std::max<int64_t>(statement.issueCycles, 1));
  for (const Place &place : body.places)
    mayHaveSlots.push_back(place.isPrivate);
  for (auto [first, second] : body.overlaps)
    mayHaveSlots[first] = mayHaveSlots[second] = false;
}

/// `slotCount` slots for each place that may have them, else 1.
void ModuloSolver::setSlots(std::vector<int> &slots, int slotCount) const {
  slots.assign(mayHaveSlots.size(), 1);
  for (size_t place = 0; place < slots.size(); ++place)
    if (mayHaveSlots[place])
      slots[place] = slotCount;
}

/// The dependences, reuse of a place after as many iterations as its limit of
/// slots says.
std::vector<Arc> ModuloSolver::buildArcs() const {
  std::vector<Arc> arcs;
  for (const Edge &edge : incumbent.getProblem().graph.edges) {
    bool isReuse = edge.kind == Dependence::WriteAfterRead ||
                   edge.kind == Dependence::WriteAfterWrite;
    bool isInOrder = edge.kind == Dependence::WriteAfterRead ||
                     edge.kind == Dependence::Order;
    int64_t cycles = issueCycles[edge.from];
    if (!isInOrder)
      cycles = std::max(
          cycles,
          incumbent.getProblem().body.statements[edge.from].latencyCycles);
    int distance = isReuse && edge.distance == 1 ? slotLimits[edge.subject]
                                                 : edge.distance;
    arcs.push_back({edge.from, edge.to, cycles, distance});
  }
  return arcs;
}

/// Lowers the limit of the place whose slots take the most bytes.
bool ModuloSolver::takeSlot(const Schedule &schedule) {
  std::vector<int> slots = countSlots(incumbent.getProblem(), schedule);
  int largest = -1;
  auto getBytes = [&](int place) {
    return slots[place] * incumbent.getProblem().body.places[place].bytes;
  };
  for (int place = 0; place < static_cast<int>(slots.size()); ++place)
    if (slots[place] > 1 &&
        (largest < 0 || getBytes(place) > getBytes(largest)))
      largest = place;
  if (largest < 0)
    return false;
  slotLimits[largest] = slots[largest] - 1;
  return true;
}

void ModuloSolver::tryInterval(int64_t interval) {
  setSlots(slotLimits, maxStages);
  for (int attempt = 0; attempt < attemptsPerInterval; ++attempt) {
    std::optional<std::vector<int64_t>> times =
        findModuloTimes(issueCycles, buildArcs(), interval);
    if (!times)
      return;
    Sequence sequence(count);
    std::iota(sequence.begin(), sequence.end(), 0);
    std::ranges::sort(sequence, {}, [&](int statement) {
      return std::pair((*times)[statement] % interval, statement);
    });
    Schedule schedule{std::vector<int>(count), std::vector<int>(count)};
    for (int order = 0; order < count; ++order) {
      schedule.orders[sequence[order]] = order;
      schedule.stages[order] = static_cast<int>((*times)[order] / interval);
    }
    incumbent.offer(sequence, schedule.stages);
    if (schedule.getLastStage() >= maxStages ||
        incumbent.isWithinLimits(schedule) || !takeSlot(schedule))
      return;
  }
}

void ModuloSolver::tryIntervals() {
  setSlots(slotLimits, maxStages);
  int64_t issue =
      std::accumulate(issueCycles.begin(), issueCycles.end(), int64_t(0));
  int64_t lowest = findCycleRatio(count, buildArcs(), issue);
  int64_t highest = std::max(incumbent.getBest().cycles, lowest);
  int64_t last = 0;
  for (int64_t step = 0; step <= intervalCount; ++step) {
    // Denser near the bound.
    int64_t interval = lowest + (highest - lowest) * step * step /
                                    (intervalCount * intervalCount);
    if (interval > incumbent.getBest().cycles)
      return;
    if (interval > last)
      tryInterval(interval);
    last = interval;
  }
}

/// What goes on behind the back of the block, ahead by each distance.
void ModuloSolver::tryAhead() {
  Problem problem = incumbent.getProblem();
  for (int distance = 1; distance < maxStages; ++distance)
    for (int slots : {distance, distance + 1}) {
      std::vector<Ahead> requests;
      for (int index = 0; index < count; ++index)
        if (problem.body.statements[index].latencyCycles > issueCycles[index])
          requests.push_back({index, distance});
      setSlots(problem.slots, slots);
      Schedule schedule = solveAhead(problem, requests).schedule;
      Sequence sequence(count);
      for (int index = 0; index < count; ++index)
        sequence[schedule.orders[index]] = index;
      incumbent.offer(sequence, schedule.stages);
    }
}

std::optional<Schedule> ModuloSolver::run() {
  if (count == 0 || maxStages < 1)
    return std::nullopt;
  int64_t inOrder = incumbent.getBest().cycles;
  improve(incumbent);
  tryAhead();
  tryIntervals();
  improve(incumbent);
  const Candidate &best = incumbent.getBest();
  if (best.cycles >= inOrder)
    return std::nullopt;
  return best.schedule;
}

std::optional<Schedule> tilec::schedule::solveModulo(const Problem &problem,
                                                     const Limits &limits) {
  return ModuloSolver(problem, limits).run();
}
