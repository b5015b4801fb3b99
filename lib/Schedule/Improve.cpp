//===- Improve.cpp - Small changes of a schedule -------------------------===//
//
// See Improve.h.
//
//===----------------------------------------------------------------------===//

#include "Improve.h"

#include <algorithm>

using namespace tilec::schedule;

namespace {

/// Edges and statements that all candidates together may look at.
constexpr int64_t improvementBudget = 60'000;

class Climber {
public:
  explicit Climber(Incumbent &incumbent)
      : incumbent(incumbent), count(incumbent.getCount()),
        cost(count +
             static_cast<int64_t>(incumbent.getProblem().graph.edges.size())) {}

  void run();

private:
  /// Takes the cost of a candidate off the budget; false if it is used up.
  bool pay() { return (budget -= cost) >= 0; }
  bool tryMoves(int statement);
  std::vector<bool> collectChain(int statement, bool isForward) const;
  bool tryChains(int statement);

  Incumbent &incumbent;
  int count;
  int64_t cost;
  int64_t budget = improvementBudget;
};

} // namespace

/// Tries `statement` at every position of every stage near its own, nearest
/// first; whether one is better than the best.
bool Climber::tryMoves(int statement) {
  const Candidate from = incumbent.getBest();
  for (int distance = 0; distance < 2 * incumbent.getLimits().maxStages - 1;
       ++distance) {
    int shift = distance % 2 == 0 ? distance / 2 : -(distance + 1) / 2;
    for (int position = 0; position < count; ++position) {
      if (!pay())
        return false;
      Sequence sequence = from.sequence;
      std::erase(sequence, statement);
      sequence.insert(sequence.begin() + position, statement);
      std::vector<int> stages = from.schedule.stages;
      stages[statement] += shift;
      if (incumbent.offer(sequence, std::move(stages)))
        return true;
    }
  }
  return false;
}

/// `statement` with all that leads to it, or all that it leads to, within one
/// iteration.
std::vector<bool> Climber::collectChain(int statement, bool isForward) const {
  std::vector<bool> isInChain(count);
  isInChain[statement] = true;
  // Such edges follow program order, and so does the graph.
  auto visit = [&](const Edge &edge) {
    int near = isForward ? edge.from : edge.to;
    int far = isForward ? edge.to : edge.from;
    if (edge.distance == 0 && isInChain[near])
      isInChain[far] = true;
  };
  const std::vector<Edge> &edges = incumbent.getProblem().graph.edges;
  if (isForward)
    std::for_each(edges.begin(), edges.end(), visit);
  else
    std::for_each(edges.rbegin(), edges.rend(), visit);
  return isInChain;
}

/// Tries what leads to `statement` a stage earlier, or what follows from it a
/// stage later, where it stands and at both ends of the step; whether one is
/// better than the best.
bool Climber::tryChains(int statement) {
  const Candidate from = incumbent.getBest();
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
      if (!pay())
        return false;
      if (incumbent.offer(sequence, stages))
        return true;
    }
  }
  return false;
}

void Climber::run() {
  int sinceLast = 0;
  for (int statement = 0; sinceLast < count && budget >= 0;
       statement = (statement + 1) % count) {
    bool isBetter = tryChains(statement) || tryMoves(statement);
    sinceLast = isBetter ? 0 : sinceLast + 1;
  }
}

void tilec::schedule::improve(Incumbent &incumbent) {
  Climber(incumbent).run();
}
