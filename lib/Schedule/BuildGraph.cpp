//===- BuildGraph.cpp - The dependences of a loop body -------------------===//
//
// Every pair of statements is asked twice: what holds between them in one
// iteration (program order decides who is first), and what holds between the
// one in an iteration and the other in the next. Later iterations follow: each
// statement's own instances stay in order.
//
//===----------------------------------------------------------------------===//

#include "tile/Schedule/Schedule.h"

#include <algorithm>
#include <tuple>

using namespace tilec::schedule;

namespace {

class Builder {
public:
  explicit Builder(const Body &body)
      : body(body), placeCount(body.places.size()),
        overlaps(placeCount * placeCount) {
    for (auto [first, second] : body.overlaps) {
      overlaps[first * placeCount + second] = true;
      overlaps[second * placeCount + first] = true;
    }
  }

  Graph build();

private:
  void addValues();
  void addPair(int from, int to, int distance);
  void addAccesses(Edge edge, const Access &first, const Access &second);
  void add(Edge edge, Dependence kind, int subject) {
    edge.kind = kind;
    edge.subject = subject;
    graph.edges.push_back(edge);
  }

  const Body &body;
  size_t placeCount;
  std::vector<bool> overlaps; ///< symmetric matrix of different places
  Graph graph;
};

} // namespace

/// What two accesses demand, `first` being the earlier one.
void Builder::addAccesses(Edge edge, const Access &first,
                          const Access &second) {
  bool isSamePlace = first.place == second.place;
  if (!isSamePlace && !overlaps[first.place * placeCount + second.place])
    return;
  if (first.combines >= 0 && first.combines == second.combines)
    return;
  // What an iteration reads from a private place it has written itself.
  bool canFlow =
      !isSamePlace || edge.distance == 0 || !body.places[first.place].isPrivate;
  if (first.writes && second.reads && canFlow)
    add(edge, Dependence::ReadAfterWrite, first.place);
  if (first.reads && second.writes)
    add(edge, Dependence::WriteAfterRead, first.place);
  if (first.writes && second.writes)
    add(edge, Dependence::WriteAfterWrite, first.place);
}

void Builder::addPair(int from, int to, int distance) {
  const Statement &first = body.statements[from];
  const Statement &second = body.statements[to];
  Edge edge{from, to, distance};
  auto isOrdered = [](const Statement &statement) {
    return statement.isOpaque || !statement.accesses.empty();
  };
  if ((first.isOpaque && isOrdered(second)) ||
      (second.isOpaque && isOrdered(first)))
    add(edge, Dependence::Order, -1);
  for (const Access &earlier : first.accesses)
    for (const Access &later : second.accesses)
      addAccesses(edge, earlier, later);
}

void Builder::addValues() {
  std::vector<int> definitions(body.valueCount, -1);
  int count = static_cast<int>(body.statements.size());
  for (int index = 0; index < count; ++index)
    for (int value : body.statements[index].defines)
      definitions[value] = index;
  for (int index = 0; index < count; ++index)
    for (auto [value, distance] : body.statements[index].uses)
      if (definitions[value] >= 0)
        add({definitions[value], index, distance}, Dependence::Value, value);
}

Graph Builder::build() {
  addValues();
  int count = static_cast<int>(body.statements.size());
  for (int from = 0; from < count; ++from)
    for (int to = 0; to < count; ++to) {
      if (from < to)
        addPair(from, to, 0);
      addPair(from, to, 1);
    }
  auto getKey = [](const Edge &edge) {
    return std::tuple(edge.from, edge.to, edge.distance, edge.kind,
                      edge.subject);
  };
  std::ranges::sort(graph.edges, {}, getKey);
  auto repeated = std::ranges::unique(graph.edges);
  graph.edges.erase(repeated.begin(), repeated.end());
  return std::move(graph);
}

Graph tilec::schedule::buildGraph(const Body &body) {
  return Builder(body).build();
}

std::string tilec::schedule::describe(const Body &body, const Edge &edge) {
  auto quote = [](const std::string &name) { return "'" + name + "'"; };
  std::string from = quote(body.statements[edge.from].name);
  std::string place;
  if (edge.kind != Dependence::Value && edge.kind != Dependence::Order)
    place = quote(body.places[edge.subject].name);
  std::string clause = quote(body.statements[edge.to].name);
  switch (edge.kind) {
  case Dependence::Value:
    clause += " uses what " + from + " computes";
    break;
  case Dependence::ReadAfterWrite:
    clause += " reads what " + from + " writes to " + place;
    break;
  case Dependence::WriteAfterRead:
    clause += " overwrites what " + from + " reads from " + place;
    break;
  case Dependence::WriteAfterWrite:
    clause += " overwrites what " + from + " writes to " + place;
    break;
  case Dependence::Order:
    clause += " may not pass " + from;
    break;
  }
  return clause + (edge.distance == 0 ? " in the same iteration"
                                      : " in the iteration before");
}
