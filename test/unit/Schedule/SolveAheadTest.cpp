//===- SolveAheadTest.cpp - Statements ahead of computation --------------===//
//
// Named loops with the schedules they must get, and random bodies against a
// search through all sets of requests.
//
//===----------------------------------------------------------------------===//

#include "Execute.h"
#include "RandomBody.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace tilec::schedule;
using namespace tilec::schedule::test;

namespace {

Access reads(int place) { return {place, true, false}; }
Access writes(int place) { return {place, false, true}; }

AheadPlan solveValidated(const Problem &problem,
                         const std::vector<Ahead> &ahead) {
  AheadPlan plan = solveAhead(problem, ahead);
  std::optional<Violation> violation = validate(problem, plan.schedule);
  EXPECT_EQ(violation ? violation->message : "", "");
  return plan;
}

/// Two copies into private tiles, a gemm of both.
Problem makeGemm(int slots) {
  Body body;
  body.places = {{"A"}, {"B"}, {"a", true}, {"b", true}};
  body.statements = {{"copy A", {reads(0), writes(2)}},
                     {"copy B", {reads(1), writes(3)}},
                     {"gemm", {reads(2), reads(3)}}};
  Problem problem = makeProblem(body);
  problem.slots = {1, 1, slots, slots};
  return problem;
}

TEST(SolveAhead, CopiesRunStagesAheadInFrontOfComputation) {
  for (int stages = 2; stages <= 4; ++stages) {
    Problem problem = makeGemm(stages);
    AheadPlan plan =
        solveValidated(problem, {{0, stages - 1}, {1, stages - 1}});
    EXPECT_TRUE(plan.refusals.empty());
    EXPECT_EQ(plan.schedule, (Schedule{{0, 0, stages - 1}, {0, 1, 2}}));
    EXPECT_EQ(countSlots(problem, plan.schedule), problem.slots);
  }
}

TEST(SolveAhead, WithOneSlotACopyFollowsTheLastReader) {
  Body body = makeGemm(1).body;
  body.statements.push_back({"scale", {{2, true, false}}});
  body.statements.push_back({"store", {writes(0)}});
  body.places.push_back({"C"});
  body.statements.back().accesses = {writes(4)};
  Problem problem = makeProblem(body);
  AheadPlan plan = solveValidated(problem, {{0, 1}, {1, 1}});
  EXPECT_TRUE(plan.refusals.empty());
  // gemm, copy B, scale, copy A, store
  EXPECT_EQ(plan.schedule, (Schedule{{0, 0, 1, 1, 1}, {3, 1, 0, 2, 4}}));
}

TEST(SolveAhead, FewerSlotsThanTheDistanceAreRefused) {
  AheadPlan plan = solveValidated(makeGemm(2), {{0, 3}, {1, 2}});
  ASSERT_EQ(plan.refusals.size(), 1u);
  EXPECT_EQ(plan.refusals[0].message,
            "'copy A' cannot run 3 iterations ahead: 'copy A' overwrites what "
            "'gemm' reads from 'a' in the iteration before");
  EXPECT_EQ(plan.schedule, (Schedule{{2, 0, 2}, {0, 2, 1}}));
}

TEST(SolveAhead, ASourceWrittenInTheLoopIsRefused) {
  Body body = makeGemm(1).body;
  body.statements.push_back({"store A", {writes(0)}});
  Problem problem = makeProblem(body);
  problem.slots = {1, 1, 3, 3};
  AheadPlan plan = solveValidated(problem, {{0, 2}, {1, 2}});
  ASSERT_EQ(plan.refusals.size(), 1u);
  EXPECT_EQ(plan.refusals[0].statement, 0);
  EXPECT_EQ(plan.refusals[0].message,
            "'copy A' cannot run 2 iterations ahead: 'copy A' reads what "
            "'store A' writes to 'A' in the iteration before");
  EXPECT_EQ(plan.schedule, (Schedule{{2, 0, 2, 2}, {1, 0, 2, 3}}));
  // One ahead it may run, behind the store.
  plan = solveValidated(problem, {{0, 1}, {1, 1}});
  EXPECT_TRUE(plan.refusals.empty());
  EXPECT_EQ(plan.schedule, (Schedule{{0, 0, 1, 1}, {3, 0, 1, 2}}));
}

/// Rows gathered by loaded indices, computed on, accumulated.
Problem makeGather(int slots) {
  Body body;
  body.places = {{"table"}, {"rows", true}};
  body.valueCount = 2;
  body.statements = {{"load index", {reads(0)}, {}, {0}},
                     {"gather", {writes(1)}, {{0, 0}}},
                     {"gemm", {reads(1)}, {{1, 1}}, {1}}};
  Problem problem = makeProblem(body);
  problem.slots = {1, slots};
  return problem;
}

TEST(SolveAhead, WhatACopyNeedsRunsAsFarAhead) {
  AheadPlan plan = solveValidated(makeGather(3), {{1, 2}});
  EXPECT_EQ(plan.schedule, (Schedule{{0, 0, 2}, {0, 1, 2}}));
}

TEST(SolveAhead, WhatACopyNeedsRunsFartherAheadIfAsked) {
  AheadPlan plan = solveValidated(makeGather(2), {{0, 2}, {1, 1}});
  EXPECT_TRUE(plan.refusals.empty());
  EXPECT_EQ(plan.schedule, (Schedule{{0, 1, 2}, {0, 1, 2}}));
}

TEST(SolveAhead, WhatIsNeededMayForbidIt) {
  Problem problem = makeGather(3);
  Body body = problem.body;
  body.statements.push_back({"update", {writes(0)}});
  Problem written = makeProblem(body);
  written.slots = problem.slots;
  AheadPlan plan = solveValidated(written, {{1, 2}});
  ASSERT_EQ(plan.refusals.size(), 1u);
  EXPECT_EQ(
      plan.refusals[0].message,
      "'gather' cannot run 2 iterations ahead: it takes 'load index' "
      "along, and 'load index' reads what 'update' writes to 'table' in the "
      "iteration before");

  problem.body.statements[0].mayRunAhead = false;
  plan = solveValidated(problem, {{1, 2}});
  ASSERT_EQ(plan.refusals.size(), 1u);
  EXPECT_EQ(plan.refusals[0].message,
            "'gather' cannot run 2 iterations ahead: 'gather' uses what 'load "
            "index' computes in the same iteration");
  EXPECT_EQ(plan.schedule, makeProgramOrder(3));
  plan = solveValidated(problem, {{0, 2}});
  EXPECT_EQ(plan.refusals[0].message, "'load index' cannot run 2 iterations "
                                      "ahead: it stays with the computation");
}

TEST(SolveAhead, ALateStoreFollowsTheComputation) {
  Body body;
  body.places = {{"tile", true}};
  body.valueCount = 2;
  body.statements = {{"load", {}, {}, {0}},
                     {"store", {writes(0)}, {{0, 0}}},
                     {"gemm", {reads(0)}, {{1, 1}}, {1}},
                     {"scale", {}, {{1, 0}}}};
  for (int slots = 1; slots <= 2; ++slots) {
    Problem problem = makeProblem(body);
    problem.slots = {slots};
    AheadPlan plan = solveValidated(problem, {{1, 1, /*isLate=*/true}});
    EXPECT_TRUE(plan.refusals.empty());
    EXPECT_EQ(plan.schedule, (Schedule{{0, 0, 1, 1}, {0, 3, 1, 2}}));
  }
}

TEST(SolveAhead, ABufferFilledInPartsGoesAsOne) {
  Body body;
  body.places = {{"tile", true}};
  body.statements = {
      {"zero", {writes(0)}}, {"copy", {writes(0)}}, {"gemm", {reads(0)}}};
  Problem problem = makeProblem(body);
  problem.slots = {2};
  AheadPlan plan = solveValidated(problem, {{1, 1}});
  EXPECT_TRUE(plan.refusals.empty());
  EXPECT_EQ(plan.schedule, (Schedule{{0, 0, 1}, {0, 1, 2}}));
}

TEST(SolveAhead, ABufferFilledTwiceAnIterationStays) {
  Body body;
  body.places = {{"tile", true}};
  body.statements = {{"copy K", {writes(0)}},
                     {"scores", {reads(0)}},
                     {"copy V", {writes(0)}},
                     {"values", {reads(0)}}};
  Problem problem = makeProblem(body);
  AheadPlan plan = solveValidated(problem, {{0, 1}, {2, 1}});
  ASSERT_EQ(plan.refusals.size(), 1u);
  EXPECT_EQ(plan.refusals[0].message,
            "'copy V' cannot run 1 iteration ahead: 'copy V' overwrites what "
            "'scores' reads from 'tile' in the same iteration");
}

TEST(SolveAhead, FewerIterationsThanStages) {
  Problem problem = makeGemm(4);
  Schedule schedule = solveValidated(problem, {{0, 3}, {1, 3}}).schedule;
  Executor executor(problem);
  for (int trips = 0; trips <= 9; ++trips)
    EXPECT_EQ(executor.run(schedule, trips), executor.runSequentially(trips));
}

//===----------------------------------------------------------------------===//
// Against all sets of requests
//===----------------------------------------------------------------------===//

/// Whether some legal schedule has the leads that `isChosen` of the requests
/// ask for, everything that they do not need without a lead.
class Search {
public:
  Search(const Problem &problem, const std::vector<Ahead> &requests)
      : problem(problem), requests(requests),
        count(static_cast<int>(problem.body.statements.size())) {}

  /// The most requests that can be granted together.
  int findMost() {
    int most = 0;
    for (unsigned chosen = 0; chosen < 1u << requests.size(); ++chosen) {
      int size = __builtin_popcount(chosen);
      if (size > most && isLegal(chosen))
        most = size;
    }
    return most;
  }

private:
  bool isLegal(unsigned chosen) {
    least.assign(count, 0);
    isNeeded.assign(count, false);
    for (size_t index = 0; index < requests.size(); ++index)
      if (chosen >> index & 1) {
        int &lead = least[requests[index].statement];
        lead = std::max(lead, requests[index].distance);
        markNeeds(requests[index].statement);
      }
    leads = least;
    return assign(0);
  }

  void markNeeds(int statement) {
    isNeeded[statement] = true;
    for (const Edge &edge : problem.graph.edges) {
      bool isNeed =
          edge.kind == Dependence::Value ||
          (edge.distance == 0 && (edge.kind == Dependence::ReadAfterWrite ||
                                  edge.kind == Dependence::WriteAfterWrite));
      if (isNeed && edge.to == statement && !isNeeded[edge.from])
        markNeeds(edge.from);
    }
  }

  bool assign(int statement) {
    if (statement == count)
      return hasOrder();
    int most = isNeeded[statement] ? 3 : 0;
    for (int lead = least[statement]; lead <= most; ++lead) {
      leads[statement] = lead;
      if (assign(statement + 1))
        return true;
    }
    return false;
  }

  bool hasOrder() const {
    Schedule schedule = makeProgramOrder(count);
    for (int statement = 0; statement < count; ++statement)
      schedule.stages[statement] = 3 - leads[statement];
    do
      if (!validate(problem, schedule))
        return true;
    while (std::ranges::next_permutation(schedule.orders).found);
    return false;
  }

  const Problem &problem;
  const std::vector<Ahead> &requests;
  int count;
  std::vector<int> least, leads;
  std::vector<bool> isNeeded;
};

/// Everything that is ahead and not late stands as early as its edges allow:
/// in front of the computation before it, the schedule would be wrong.
void expectEarly(const Problem &problem, const Schedule &schedule,
                 const std::vector<Ahead> &requests) {
  int last = schedule.getLastStage();
  int count = static_cast<int>(schedule.orders.size());
  for (int statement = 0; statement < count; ++statement)
    for (int before = 0; before < count; ++before) {
      bool isLate = std::ranges::any_of(requests, [&](const Ahead &request) {
        return request.isLate && request.statement == statement;
      });
      if (isLate || schedule.stages[statement] == last ||
          schedule.stages[before] != last ||
          schedule.orders[before] + 1 != schedule.orders[statement])
        continue;
      Schedule swapped = schedule;
      std::swap(swapped.orders[before], swapped.orders[statement]);
      EXPECT_TRUE(validate(problem, swapped).has_value());
    }
}

TEST(SolveAhead, RefusesAsFewAsPossible) {
  int refused = 0;
  int granted = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    int count = 2 + static_cast<int>(seed % 3);
    Problem problem = makeRandomProblem(seed, count);
    problem.body.statements.push_back({"compute"}); // is never ahead
    std::vector<Ahead> requests;
    for (int statement = 0; statement < count; ++statement)
      if (random.isOneIn(2))
        requests.push_back({statement, 1 + random.below(3), random.isOneIn(4)});
    SCOPED_TRACE("body " + std::to_string(seed));
    AheadPlan plan = solveValidated(problem, requests);
    int most = Search(problem, requests).findMost();
    int grants = static_cast<int>(requests.size() - plan.refusals.size());
    ASSERT_EQ(grants, most);
    expectEarly(problem, plan.schedule, requests);
    granted += grants;
    refused += static_cast<int>(plan.refusals.size());
  }
  EXPECT_GT(granted, 300);
  EXPECT_GT(refused, 300);
}

} // namespace
