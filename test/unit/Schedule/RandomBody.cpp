//===- RandomBody.cpp - Small loop bodies of all kinds -------------------===//
//
// See RandomBody.h. A place may be private if the first statement that touches
// it replaces its contents.
//
//===----------------------------------------------------------------------===//

#include "RandomBody.h"

#include <numeric>

using namespace tilec::schedule;
using namespace tilec::schedule::test;

static Access makeAccess(Random &random, int place) {
  switch (random.below(8)) {
  case 0:
    return {place, true, true, -1};
  case 1:
    return {place, true, true, random.below(2)};
  case 2:
  case 3:
  case 4:
    return {place, true, false, -1};
  default:
    return {place, false, true, -1};
  }
}

static void addUses(Random &random, const Body &body, Statement &statement) {
  for (int value = 0; value < body.valueCount; ++value)
    if (random.isOneIn(4))
      statement.uses.push_back({value, random.below(2)});
}

static Body makeRandomBody(Random &random, int count) {
  Body body;
  int placeCount = 1 + random.below(3);
  for (int place = 0; place < placeCount; ++place)
    body.places.push_back({std::string(1, static_cast<char>('A' + place))});
  for (int index = 0; index < count; ++index) {
    Statement statement;
    statement.name = "s" + std::to_string(index);
    for (int place = 0; place < placeCount; ++place)
      if (random.below(2 * placeCount) < 3)
        statement.accesses.push_back(makeAccess(random, place));
    statement.isOpaque = random.isOneIn(16);
    addUses(random, body, statement);
    if (random.isOneIn(2))
      statement.defines.push_back(body.valueCount++);
    body.statements.push_back(statement);
  }
  // Values of later statements come from the iteration before.
  for (Statement &statement : body.statements)
    if (body.valueCount > 0 && random.isOneIn(6))
      statement.uses.push_back({random.below(body.valueCount), 1});
  if (placeCount > 1 && random.isOneIn(4))
    body.overlaps.push_back({random.below(placeCount - 1), placeCount - 1});
  return body;
}

static bool canBePrivate(const Body &body, int place) {
  for (const Statement &statement : body.statements)
    for (const Access &access : statement.accesses)
      if (access.place == place)
        return access.writes && access.combines < 0;
  return false;
}

Problem tilec::schedule::test::makeProblem(Body body) {
  Problem problem;
  problem.graph = buildGraph(body);
  problem.slots.assign(body.places.size(), 1);
  problem.body = std::move(body);
  return problem;
}

Problem tilec::schedule::test::makeRandomProblem(uint64_t seed, int count) {
  Random random(seed);
  Body body = makeRandomBody(random, count);
  std::vector<int> slots;
  for (int place = 0; place < static_cast<int>(body.places.size()); ++place) {
    body.places[place].isPrivate =
        canBePrivate(body, place) && !random.isOneIn(4);
    bool isOverlapped = false;
    for (auto [first, second] : body.overlaps)
      isOverlapped |= first == place || second == place;
    slots.push_back(body.places[place].isPrivate && !isOverlapped
                        ? 1 + random.below(3)
                        : 1);
  }
  Problem problem = makeProblem(std::move(body));
  problem.slots = slots;
  return problem;
}

Schedule tilec::schedule::test::makeProgramOrder(int count) {
  Schedule schedule;
  schedule.stages.assign(count, 0);
  schedule.orders.resize(count);
  std::iota(schedule.orders.begin(), schedule.orders.end(), 0);
  return schedule;
}
