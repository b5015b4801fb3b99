//===- SolveAhead.cpp - Some statements ahead, the rest in order ---------===//
//
// A lead says for each statement how many iterations it runs ahead. An edge
// demands
//
//     lead(from) >= lead(to) - distance
//
// with order deciding where both are equal, so that a request asks for leads of
// all statements from which a path leads to its own: those that it takes along.
// It is legal if all of them may be taken along, which are those that it or
// another legal request needs. The union of two legal sets of requests is legal;
// refusing who takes along what nobody needs finds the largest.
//
// Where leads are equal, distances on a cycle sum to 0; edges of distance 0
// follow program order, so an order of each step always exists.
//
//===----------------------------------------------------------------------===//

#include "tile/Schedule/Schedule.h"

#include <algorithm>

using namespace tilec::schedule;

namespace {

class AheadSolver {
public:
  AheadSolver(const Problem &problem, const std::vector<Ahead> &requests);

  AheadPlan run();

private:
  struct Request {
    Ahead ahead;
    std::vector<int> leads; ///< what it asks of every statement
    std::vector<int> edges; ///< the edge that asks for the lead, or -1
    std::vector<bool> needs;
    bool isGranted = true;
  };

  int getDistance(const Edge &edge) const;
  Request spread(const Ahead &ahead) const;
  std::vector<bool> collectMovable() const;
  int findObstacle(const Request &request,
                   const std::vector<bool> &isMovable) const;
  bool refuseOne();
  void refuse(Request &request, int statement);
  void collectLeads();
  std::vector<int> sortStep() const;
  int getRank(int statement) const;

  const Problem &problem;
  int count;
  std::vector<Request> requests;
  std::vector<int> leads;   ///< of all granted requests
  std::vector<bool> isLate; ///< asked by a granted request
  AheadPlan plan;
};

} // namespace

/// Whether `to` is of no use without `from`.
static bool isNeed(const Edge &edge) {
  bool isEarlierWrite = edge.kind == Dependence::ReadAfterWrite ||
                        edge.kind == Dependence::WriteAfterWrite;
  return edge.kind == Dependence::Value ||
         (isEarlierWrite && edge.distance == 0);
}

AheadSolver::AheadSolver(const Problem &problem,
                         const std::vector<Ahead> &requests)
    : problem(problem),
      count(static_cast<int>(problem.body.statements.size())) {
  for (const Ahead &ahead : requests)
    if (ahead.distance > 0)
      this->requests.push_back(spread(ahead));
}

int AheadSolver::getDistance(const Edge &edge) const {
  bool isReuse = edge.kind == Dependence::WriteAfterRead ||
                 edge.kind == Dependence::WriteAfterWrite;
  return isReuse && edge.distance == 1 ? problem.slots[edge.subject]
                                       : edge.distance;
}

/// The leads that one request asks for, and all that it needs.
AheadSolver::Request AheadSolver::spread(const Ahead &ahead) const {
  Request request{ahead, std::vector<int>(count, 0),
                  std::vector<int>(count, -1), std::vector<bool>(count)};
  request.leads[ahead.statement] = ahead.distance;
  request.needs[ahead.statement] = true;
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    // Edges mostly lead forwards: backwards, few rounds do.
    for (int index = static_cast<int>(problem.graph.edges.size()) - 1;
         index >= 0; --index) {
      const Edge &edge = problem.graph.edges[index];
      if (isNeed(edge) && request.needs[edge.to] && !request.needs[edge.from])
        hasChanged = request.needs[edge.from] = true;
      int lead = request.leads[edge.to] - getDistance(edge);
      if (request.leads[edge.from] >= lead)
        continue;
      request.leads[edge.from] = lead;
      request.edges[edge.from] = index;
      hasChanged = true;
    }
  }
  return request;
}

/// The statements that granted requests may take along.
std::vector<bool> AheadSolver::collectMovable() const {
  std::vector<bool> isMovable(count);
  for (const Request &request : requests)
    for (int statement = 0; statement < count; ++statement)
      if (request.isGranted && request.needs[statement] &&
          problem.body.statements[statement].mayRunAhead)
        isMovable[statement] = true;
  return isMovable;
}

/// Refuses `request`, which takes along `statement`.
void AheadSolver::refuse(Request &request, int statement) {
  request.isGranted = false;
  const Body &body = problem.body;
  auto quote = [&](int index) {
    return "'" + body.statements[index].name + "'";
  };
  int own = request.ahead.statement;
  int distance = request.ahead.distance;
  int edge = request.edges[statement];
  std::string message =
      quote(own) + " cannot run " + std::to_string(distance) +
      (distance == 1 ? " iteration ahead: " : " iterations ahead: ");
  if (edge < 0) {
    message += "it stays with the computation";
  } else {
    const Edge &broken = problem.graph.edges[edge];
    if (broken.to != own)
      message += "it takes " + quote(broken.to) + " along, and ";
    message += describe(body, broken);
  }
  plan.refusals.push_back({own, edge, message});
}

/// A statement that `request` takes along and that may not move: one that it
/// needs itself before one that others need; -1 if there is none.
int AheadSolver::findObstacle(const Request &request,
                              const std::vector<bool> &isMovable) const {
  int found = -1;
  for (int statement = 0; statement < count; ++statement) {
    if (request.leads[statement] == 0 || isMovable[statement])
      continue;
    int edge = request.edges[statement];
    if (edge < 0 || problem.graph.edges[edge].to == request.ahead.statement)
      return statement;
    if (found < 0)
      found = statement;
  }
  return found;
}

/// Refuses the first request that takes along what may not move, if any.
bool AheadSolver::refuseOne() {
  std::vector<bool> isMovable = collectMovable();
  for (Request &request : requests) {
    if (!request.isGranted)
      continue;
    int obstacle = findObstacle(request, isMovable);
    if (obstacle < 0)
      continue;
    refuse(request, obstacle);
    return true;
  }
  return false;
}

void AheadSolver::collectLeads() {
  leads.assign(count, 0);
  isLate.assign(count, false);
  for (const Request &request : requests) {
    if (!request.isGranted)
      continue;
    for (int statement = 0; statement < count; ++statement)
      leads[statement] = std::max(leads[statement], request.leads[statement]);
    if (request.ahead.isLate)
      isLate[request.ahead.statement] = true;
  }
}

/// What goes first of those that may come next: what runs ahead, computation,
/// what is late.
int AheadSolver::getRank(int statement) const {
  if (leads[statement] == 0)
    return 1;
  return isLate[statement] ? 2 : 0;
}

/// The statements in the order of a step.
std::vector<int> AheadSolver::sortStep() const {
  std::vector<std::vector<int>> successors(count);
  std::vector<int> waitsFor(count, 0);
  auto add = [&](int from, int to) {
    successors[from].push_back(to);
    ++waitsFor[to];
  };
  for (const Edge &edge : problem.graph.edges)
    if (leads[edge.to] == leads[edge.from] + getDistance(edge))
      add(edge.from, edge.to);
  for (int statement = 0, last = -1; statement < count; ++statement)
    if (leads[statement] == 0) {
      if (last >= 0)
        add(last, statement);
      last = statement;
    }

  std::vector<int> sorted;
  std::vector<bool> isDone(count, false);
  while (static_cast<int>(sorted.size()) < count) {
    int next = -1;
    for (int statement = 0; statement < count; ++statement)
      if (!isDone[statement] && waitsFor[statement] == 0 &&
          (next < 0 || getRank(statement) < getRank(next)))
        next = statement;
    isDone[next] = true;
    sorted.push_back(next);
    for (int successor : successors[next])
      --waitsFor[successor];
  }
  return sorted;
}

AheadPlan AheadSolver::run() {
  while (refuseOne())
    ;
  collectLeads();
  int last = 0;
  for (int lead : leads)
    last = std::max(last, lead);
  for (int lead : leads)
    plan.schedule.stages.push_back(last - lead);
  plan.leads = leads;
  plan.schedule.orders.resize(count);
  std::vector<int> sorted = sortStep();
  for (int order = 0; order < count; ++order)
    plan.schedule.orders[sorted[order]] = order;
  return std::move(plan);
}

AheadPlan tilec::schedule::solveAhead(const Problem &problem,
                                      const std::vector<Ahead> &ahead) {
  return AheadSolver(problem, ahead).run();
}
