//===- SolveModulo.cpp - The fastest schedule under limits ---------------===//
//
// Candidates come from three sources: modulo schedules at initiation intervals
// between the bound of issue and recurrences and the time of one iteration,
// asynchronous statements ahead by each distance, and small changes of the best.
// All are judged by `predictCycles`.
//
// A schedule whose rings take too many bytes is tried again with fewer slots for
// the largest of them: reuse of a place then is a dependence at that distance.
//
//===----------------------------------------------------------------------===//

#include "CycleRatio.h"
#include "ModuloTimes.h"
#include "tile/Schedule/Schedule.h"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <tuple>
#include <utility>

using namespace tilec::schedule;

namespace {

constexpr int intervalCount = 16;
/// Edges and statements that one round of small changes may look at.
constexpr int64_t improvementBudget = 60'000;

struct Candidate {
  Schedule schedule;
  int64_t cycles = 0;
  std::vector<int> sequence; ///< statements by order
  auto getKey() const {
    return std::tuple(cycles, schedule.getLastStage(), sequence,
                      schedule.stages);
  }
};

class ModuloSolver {
public:
  ModuloSolver(const Problem &problem, const Limits &limits);

  std::optional<Schedule> run();

private:
  using Sequence = std::vector<int>;

  bool consider(const Sequence &sequence, std::vector<int> stages);
  bool isWithinLimits(const Schedule &schedule);
  std::vector<Arc> buildArcs() const;
  void tryInterval(int64_t interval);
  bool takeSlot(const Schedule &schedule);
  void tryIntervals();
  void tryAhead();
  std::vector<bool> collectChain(int statement, bool isForward) const;
  bool tryChains(int statement, int64_t &budget);
  bool tryMoves(int statement, int64_t &budget);
  void improve();

  Problem problem; ///< with the slots of the candidate
  Limits limits;
  int count;
  std::vector<int64_t> issueCycles;
  std::vector<bool> mayHaveSlots;
  std::vector<int> slotLimits;
  Candidate best;
};

} // namespace

ModuloSolver::ModuloSolver(const Problem &problem, const Limits &limits)
    : problem(problem), limits(limits),
      count(static_cast<int>(problem.body.statements.size())) {
  const Body &body = problem.body;
  for (const Statement &statement : body.statements)
    issueCycles.push_back(std::max<int64_t>(statement.issueCycles, 1));
  for (const Place &place : body.places)
    mayHaveSlots.push_back(place.isPrivate);
  for (auto [first, second] : body.overlaps)
    mayHaveSlots[first] = mayHaveSlots[second] = false;

  Candidate &order = best;
  order.sequence.resize(count);
  std::iota(order.sequence.begin(), order.sequence.end(), 0);
  order.schedule = {std::vector<int>(count, 0), order.sequence};
  this->problem.slots.assign(body.places.size(), 1);
  order.cycles = predictCycles(this->problem, order.schedule);
}

/// Sets the problem's slots to what the schedule needs.
bool ModuloSolver::isWithinLimits(const Schedule &schedule) {
  if (schedule.getLastStage() >= limits.maxStages ||
      countRegisters(problem.body, schedule) > limits.registers)
    return false;
  problem.slots = countSlots(problem, schedule);
  int64_t bytes = 0;
  for (size_t place = 0; place < problem.slots.size(); ++place)
    if (problem.body.places[place].isPrivate)
      bytes += problem.slots[place] * problem.body.places[place].bytes;
  return bytes <= limits.sharedBytes;
}

/// Keeps the schedule if it is legal, within the limits and the best so far.
bool ModuloSolver::consider(const Sequence &sequence, std::vector<int> stages) {
  Candidate candidate;
  candidate.sequence = sequence;
  int first = stages.empty() ? 0 : *std::ranges::min_element(stages);
  for (int &stage : stages)
    stage -= first;
  candidate.schedule.stages = std::move(stages);
  candidate.schedule.orders.resize(count);
  for (int order = 0; order < count; ++order)
    candidate.schedule.orders[sequence[order]] = order;
  if (!isWithinLimits(candidate.schedule) ||
      validate(problem, candidate.schedule))
    return false;
  candidate.cycles = predictCycles(problem, candidate.schedule);
  if (candidate.getKey() >= best.getKey())
    return false;
  best = std::move(candidate);
  return true;
}

//===----------------------------------------------------------------------===//
// Modulo schedules
//===----------------------------------------------------------------------===//

/// The dependences, reuse of a place after as many iterations as its limit of
/// slots says.
std::vector<Arc> ModuloSolver::buildArcs() const {
  std::vector<Arc> arcs;
  for (const Edge &edge : problem.graph.edges) {
    bool isReuse = edge.kind == Dependence::WriteAfterRead ||
                   edge.kind == Dependence::WriteAfterWrite;
    bool isInOrder = edge.kind == Dependence::WriteAfterRead ||
                     edge.kind == Dependence::Order;
    int64_t cycles = issueCycles[edge.from];
    if (!isInOrder)
      cycles =
          std::max(cycles, problem.body.statements[edge.from].latencyCycles);
    int distance = isReuse && edge.distance == 1 ? slotLimits[edge.subject]
                                                 : edge.distance;
    arcs.push_back({edge.from, edge.to, cycles, distance});
  }
  return arcs;
}

/// Lowers the limit of the place whose slots take the most bytes.
bool ModuloSolver::takeSlot(const Schedule &schedule) {
  std::vector<int> slots = countSlots(problem, schedule);
  int largest = -1;
  auto getBytes = [&](int place) {
    return slots[place] * problem.body.places[place].bytes;
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
  for (size_t place = 0; place < slotLimits.size(); ++place)
    slotLimits[place] = mayHaveSlots[place] ? limits.maxStages : 1;
  Schedule schedule;
  do {
    std::optional<std::vector<int64_t>> times =
        findModuloTimes(issueCycles, buildArcs(), interval);
    if (!times)
      return;
    Sequence sequence(count);
    std::iota(sequence.begin(), sequence.end(), 0);
    std::ranges::sort(sequence, {}, [&](int statement) {
      return std::pair((*times)[statement] % interval, statement);
    });
    schedule = {std::vector<int>(count), std::vector<int>(count)};
    for (int order = 0; order < count; ++order) {
      schedule.orders[sequence[order]] = order;
      schedule.stages[order] = static_cast<int>((*times)[order] / interval);
    }
    consider(sequence, schedule.stages);
    if (schedule.getLastStage() >= limits.maxStages)
      return;
  } while (!isWithinLimits(schedule) && takeSlot(schedule));
}

void ModuloSolver::tryIntervals() {
  slotLimits.assign(mayHaveSlots.size(), 1);
  for (size_t place = 0; place < slotLimits.size(); ++place)
    if (mayHaveSlots[place])
      slotLimits[place] = limits.maxStages;
  int64_t issue =
      std::accumulate(issueCycles.begin(), issueCycles.end(), int64_t(0));
  int64_t lowest = findCycleRatio(count, buildArcs(), issue);
  int64_t highest = std::max(best.cycles, lowest);
  int64_t last = 0;
  for (int64_t step = 0; step <= intervalCount; ++step) {
    // Denser near the bound.
    int64_t interval = lowest + (highest - lowest) * step * step /
                                    (intervalCount * intervalCount);
    if (interval > best.cycles)
      return;
    if (interval > last)
      tryInterval(interval);
    last = interval;
  }
}

//===----------------------------------------------------------------------===//
// Other candidates
//===----------------------------------------------------------------------===//

/// What goes on behind the back of the block, ahead by each distance.
void ModuloSolver::tryAhead() {
  std::vector<Ahead> requests;
  for (int statement = 0; statement < count; ++statement)
    if (problem.body.statements[statement].latencyCycles >
        issueCycles[statement])
      requests.push_back({statement, 1});
  for (int distance = 1; distance < limits.maxStages; ++distance)
    for (int slots : {distance, distance + 1}) {
      for (Ahead &request : requests)
        request.distance = distance;
      for (size_t place = 0; place < mayHaveSlots.size(); ++place)
        problem.slots[place] = mayHaveSlots[place] ? slots : 1;
      Schedule schedule = solveAhead(problem, requests).schedule;
      Sequence sequence(count);
      for (int statement = 0; statement < count; ++statement)
        sequence[schedule.orders[statement]] = statement;
      consider(sequence, schedule.stages);
    }
}

/// Tries `statement` at every position of every stage near its own, nearest
/// first; whether one is better than the best.
bool ModuloSolver::tryMoves(int statement, int64_t &budget) {
  const Candidate from = best;
  auto cost = static_cast<int64_t>(problem.graph.edges.size()) + count;
  for (int distance = 0; distance < 2 * limits.maxStages - 1; ++distance) {
    int shift = distance % 2 == 0 ? distance / 2 : -(distance + 1) / 2;
    for (int position = 0; position < count; ++position) {
      if ((budget -= cost) < 0)
        return false;
      Sequence sequence = from.sequence;
      std::erase(sequence, statement);
      sequence.insert(sequence.begin() + position, statement);
      std::vector<int> stages = from.schedule.stages;
      stages[statement] += shift;
      if (consider(sequence, std::move(stages)))
        return true;
    }
  }
  return false;
}

/// `statement` with all that leads to it, or all that it leads to, within one
/// iteration.
std::vector<bool> ModuloSolver::collectChain(int statement,
                                             bool isForward) const {
  std::vector<bool> isInChain(count);
  isInChain[statement] = true;
  // Such edges follow program order, and so does the graph.
  auto visit = [&](const Edge &edge) {
    int near = isForward ? edge.from : edge.to;
    int far = isForward ? edge.to : edge.from;
    if (edge.distance == 0 && isInChain[near])
      isInChain[far] = true;
  };
  const std::vector<Edge> &edges = problem.graph.edges;
  if (isForward)
    std::ranges::for_each(edges, visit);
  else
    std::ranges::for_each(edges | std::views::reverse, visit);
  return isInChain;
}

/// Tries what leads to `statement` a stage earlier, or what follows from it a
/// stage later, where it stands and at both ends of the step; whether one is
/// better than the best.
bool ModuloSolver::tryChains(int statement, int64_t &budget) {
  const Candidate from = best;
  auto cost = static_cast<int64_t>(problem.graph.edges.size()) + count;
  for (bool isForward : {false, true}) {
    std::vector<bool> isInChain = collectChain(statement, isForward);
    std::vector<int> stages = from.schedule.stages;
    for (int index = 0; index < count; ++index)
      if (isInChain[index])
        stages[index] += isForward ? 1 : -1;
    Sequence chain, others;
    for (int index : from.sequence)
      (isInChain[index] ? chain : others).push_back(index);
    Sequence first = chain;
    first.insert(first.end(), others.begin(), others.end());
    Sequence last = others;
    last.insert(last.end(), chain.begin(), chain.end());
    for (const Sequence &sequence : {from.sequence, first, last}) {
      if ((budget -= cost) < 0)
        return false;
      if (consider(sequence, stages))
        return true;
    }
  }
  return false;
}

void ModuloSolver::improve() {
  int64_t budget = improvementBudget;
  int sinceLast = 0;
  for (int statement = 0; sinceLast < count && budget >= 0;
       statement = (statement + 1) % count) {
    bool isBetter = tryChains(statement, budget) || tryMoves(statement, budget);
    sinceLast = isBetter ? 0 : sinceLast + 1;
  }
}

std::optional<Schedule> ModuloSolver::run() {
  if (count == 0)
    return std::nullopt;
  int64_t inOrder = best.cycles;
  improve();
  tryAhead();
  tryIntervals();
  improve();
  if (best.cycles >= inOrder)
    return std::nullopt;
  return best.schedule;
}

std::optional<Schedule> tilec::schedule::solveModulo(const Problem &problem,
                                                     const Limits &limits) {
  return ModuloSolver(problem, limits).run();
}
