//===- Validate.cpp - Independent check of a schedule --------------------===//
//
// Holds every edge against stages and orders, one at a time, so that a mistake
// of a solver cannot hide in shared code.
//
//===----------------------------------------------------------------------===//

#include "tile/Schedule/Schedule.h"

#include <algorithm>

using namespace tilec::schedule;

static std::string number(int64_t value) { return std::to_string(value); }

int Schedule::getLastStage() const {
  int last = 0;
  for (int stage : stages)
    last = std::max(last, stage);
  return last;
}

static std::optional<std::string> checkSlots(const Problem &problem) {
  const Body &body = problem.body;
  if (problem.slots.size() != body.places.size())
    return "there are " + number(int64_t(problem.slots.size())) +
           " counts of slots for " + number(int64_t(body.places.size())) +
           " places";
  for (size_t place = 0; place < problem.slots.size(); ++place) {
    int slots = problem.slots[place];
    std::string name = "place '" + body.places[place].name + "'";
    if (slots < 1)
      return name + " has " + number(slots) + " slots";
    if (slots > 1 && !body.places[place].isPrivate)
      return name + " has " + number(slots) +
             " slots, but its contents flow from iteration to iteration";
    for (auto [first, second] : body.overlaps)
      if (slots > 1 && (size_t(first) == place || size_t(second) == place))
        return name + " has " + number(slots) +
               " slots, but it overlaps place '" +
               body.places[size_t(first) == place ? second : first].name + "'";
  }
  return std::nullopt;
}

static std::optional<std::string> checkShape(const Problem &problem,
                                             const Schedule &schedule) {
  const std::vector<Statement> &statements = problem.body.statements;
  if (schedule.stages.size() != statements.size() ||
      schedule.orders.size() != statements.size())
    return "the schedule has " + number(int64_t(schedule.stages.size())) +
           " stages and " + number(int64_t(schedule.orders.size())) +
           " orders for " + number(int64_t(statements.size())) + " statements";
  for (size_t index = 0; index < statements.size(); ++index) {
    std::string name = "'" + statements[index].name + "'";
    if (schedule.stages[index] < 0)
      return name + " has the negative stage " + number(schedule.stages[index]);
    for (size_t other = 0; other < index; ++other)
      if (schedule.orders[other] == schedule.orders[index])
        return "'" + statements[other].name + "' and " + name +
               " have the same order " + number(schedule.orders[index]);
  }
  return std::nullopt;
}

/// Iterations after which `to` must be behind `from`: a place with slots is
/// overwritten only when its slot comes round again.
static int getDistance(const Problem &problem, const Edge &edge) {
  bool isReuse = edge.kind == Dependence::WriteAfterRead ||
                 edge.kind == Dependence::WriteAfterWrite;
  return isReuse && edge.distance == 1 ? problem.slots[edge.subject]
                                       : edge.distance;
}

static bool holds(const Problem &problem, const Schedule &schedule,
                  const Edge &edge) {
  int fromStep = schedule.stages[edge.from];
  int toStep = schedule.stages[edge.to] + getDistance(problem, edge);
  return toStep > fromStep ||
         (toStep == fromStep &&
          schedule.orders[edge.from] < schedule.orders[edge.to]);
}

std::string tilec::schedule::describeBreak(const Problem &problem,
                                           const Schedule &schedule,
                                           const Edge &edge) {
  auto locate = [&](int statement) {
    return "'" + problem.body.statements[statement].name + "' (stage " +
           number(schedule.stages[statement]) + ", order " +
           number(schedule.orders[statement]) + ")";
  };
  std::string text = describe(problem.body, edge);
  if (int distance = getDistance(problem, edge); distance > 1)
    text += " (with " + number(distance) + " slots, " + number(distance) +
            " iterations before)";
  return text + ", but " + locate(edge.to) + " would run before " +
         locate(edge.from);
}

std::optional<Violation> tilec::schedule::validate(const Problem &problem,
                                                   const Schedule &schedule) {
  if (std::optional<std::string> error = checkSlots(problem))
    return Violation{-1, *error};
  if (std::optional<std::string> error = checkShape(problem, schedule))
    return Violation{-1, *error};
  const std::vector<Edge> &edges = problem.graph.edges;
  for (size_t index = 0; index < edges.size(); ++index)
    if (!holds(problem, schedule, edges[index]))
      return Violation{static_cast<int>(index),
                       describeBreak(problem, schedule, edges[index])};
  return std::nullopt;
}
