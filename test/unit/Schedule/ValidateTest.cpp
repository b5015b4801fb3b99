//===- ValidateTest.cpp - Schedules that are right and wrong -------------===//
//
// Schedules written by hand, the reordered loops that peers shipped among them.
//
//===----------------------------------------------------------------------===//

#include "RandomBody.h"

#include "gtest/gtest.h"

using namespace tilec::schedule;
using namespace tilec::schedule::test;

namespace {

Access reads(int place) { return {place, true, false}; }
Access writes(int place) { return {place, false, true}; }

std::string errorOf(const Problem &problem, std::vector<int> stages,
                    std::vector<int> orders) {
  std::optional<Violation> violation = validate(problem, {stages, orders});
  return violation ? violation->message : "";
}

/// A copy fills a private tile, a gemm reads it.
Problem makeCopyGemm() {
  Body body;
  body.places = {{"tile", true, 4096}};
  body.statements = {{"copy", {writes(0)}}, {"gemm", {reads(0)}}};
  return makeProblem(body);
}

TEST(Validate, CopiesAheadNeedOneSlotAStage) {
  for (int stages = 2; stages <= 4; ++stages) {
    Problem problem = makeCopyGemm();
    Schedule first{{0, stages - 1}, {0, 1}};
    EXPECT_EQ(countSlots(problem, first), std::vector<int>{stages});
    problem.slots = {stages};
    EXPECT_EQ(validate(problem, first), std::nullopt);
    problem.slots = {stages - 1};
    EXPECT_TRUE(validate(problem, first).has_value());
    // Behind the gemm the copy fills the slot that was just read.
    Schedule last{{0, stages - 1}, {1, 0}};
    EXPECT_EQ(countSlots(problem, last), std::vector<int>{stages - 1});
    EXPECT_EQ(validate(problem, last), std::nullopt);
  }
}

TEST(Validate, NamesBothStatementsTheSlotsAndTheirPlacesInTheSchedule) {
  Problem problem = makeCopyGemm();
  EXPECT_EQ(errorOf(problem, {1, 0}, {0, 1}),
            "'gemm' reads what 'copy' writes to 'tile' in the same iteration, "
            "but 'gemm' (stage 0, order 1) would run before 'copy' (stage 1, "
            "order 0)");
  problem.slots = {2};
  EXPECT_EQ(errorOf(problem, {0, 2}, {0, 1}),
            "'copy' overwrites what 'gemm' reads from 'tile' in the iteration "
            "before (with 2 slots, 2 iterations before), but 'copy' (stage 0, "
            "order 0) would run before 'gemm' (stage 2, order 1)");
}

TEST(Validate, RefusesWhatIsNoSchedule) {
  Problem problem = makeCopyGemm();
  EXPECT_EQ(errorOf(problem, {0}, {0, 1}),
            "the schedule has 1 stages and 2 orders for 2 statements");
  EXPECT_EQ(errorOf(problem, {0, -1}, {0, 1}), "'gemm' has the negative stage "
                                               "-1");
  EXPECT_EQ(errorOf(problem, {0, 0}, {4, 4}),
            "'copy' and 'gemm' have the same order 4");
  EXPECT_EQ(errorOf(problem, {0, 0}, {3, 7}), "");
}

TEST(Validate, RefusesSlotsOfPlacesThatCannotHaveThem) {
  Problem problem = makeCopyGemm();
  problem.slots = {};
  EXPECT_EQ(errorOf(problem, {0, 0}, {0, 1}),
            "there are 0 counts of slots for 1 places");
  problem.slots = {0};
  EXPECT_EQ(errorOf(problem, {0, 0}, {0, 1}), "place 'tile' has 0 slots");
  Body body = problem.body;
  body.places.push_back({"other"});
  body.overlaps = {{1, 0}};
  problem = makeProblem(body);
  problem.slots = {2, 1};
  EXPECT_EQ(errorOf(problem, {0, 0}, {0, 1}),
            "place 'tile' has 2 slots, but it overlaps place 'other'");
  problem.slots = {1, 2};
  EXPECT_EQ(errorOf(problem, {0, 0}, {0, 1}),
            "place 'other' has 2 slots, but its contents flow from iteration "
            "to iteration");
}

/// A read at stage 0 of what the iteration before writes at stage 1, behind it:
/// fine in one iteration, wrong across the back edge.
TEST(Validate, WriteAfterReadAcrossTheBackEdge) {
  Body body;
  body.places = {{"state"}};
  body.statements = {{"read", {reads(0)}}, {"write", {writes(0)}}};
  Problem problem = makeProblem(body);
  EXPECT_EQ(errorOf(problem, {0, 1}, {0, 1}),
            "'read' reads what 'write' writes to 'state' in the iteration "
            "before, but 'read' (stage 0, order 0) would run before 'write' "
            "(stage 1, order 1)");
  EXPECT_EQ(errorOf(problem, {0, 1}, {1, 0}), "");
  EXPECT_EQ(errorOf(problem, {1, 0}, {0, 1}),
            "'write' overwrites what 'read' reads from 'state' in the same "
            "iteration, but 'write' (stage 0, order 1) would run before 'read' "
            "(stage 1, order 0)");
}

TEST(Validate, AReadStaysBehindTheAtomic) {
  Body body;
  body.places = {{"counter"}};
  body.statements = {{"atomic", {{0, true, true, 0}}}, {"read", {reads(0)}}};
  EXPECT_EQ(errorOf(makeProblem(body), {0, 0}, {1, 0}),
            "'read' reads what 'atomic' writes to 'counter' in the same "
            "iteration, but 'read' (stage 0, order 0) would run before "
            "'atomic' (stage 0, order 1)");
}

TEST(Validate, ChainsOfScalarsAndBuffers) {
  Body body;
  body.places = {{"indices"}, {"tile", true}};
  body.valueCount = 1;
  body.statements = {{"load", {reads(0)}, {}, {0}},
                     {"gather", {writes(1)}, {{0, 0}}},
                     {"gemm", {reads(1)}}};
  Problem problem = makeProblem(body);
  EXPECT_EQ(errorOf(problem, {0, 1, 1}, {2, 0, 1}), "");
  EXPECT_EQ(errorOf(problem, {1, 0, 1}, {0, 1, 2}),
            "'gather' uses what 'load' computes in the same iteration, but "
            "'gather' (stage 0, order 1) would run before 'load' (stage 1, "
            "order 0)");
}

TEST(Validate, ExplicitSchedulesOfThreeStages) {
  Body body;
  body.places = {{"A", true}, {"B", true}};
  body.statements = {{"load", {writes(0)}},
                     {"convert", {reads(0), writes(1)}},
                     {"gemm", {reads(1)}}};
  Problem problem = makeProblem(body);
  // Backwards, each fills what the one before it in the step has just read.
  EXPECT_EQ(errorOf(problem, {0, 1, 2}, {2, 1, 0}), "");
  EXPECT_EQ(countSlots(problem, {{0, 1, 2}, {2, 1, 0}}),
            (std::vector<int>{1, 1}));
  EXPECT_EQ(countSlots(problem, {{0, 1, 2}, {0, 1, 2}}),
            (std::vector<int>{2, 2}));
  EXPECT_EQ(countSlots(problem, {{0, 1, 3}, {0, 2, 1}}),
            (std::vector<int>{2, 2}));
  EXPECT_NE(errorOf(problem, {0, 1, 2}, {0, 1, 2}), "");
  problem.slots = {2, 2};
  EXPECT_EQ(errorOf(problem, {0, 1, 2}, {0, 1, 2}), "");
}

TEST(Validate, CyclicOrdersAreRefusedWithBothNames) {
  Body body;
  body.valueCount = 2;
  body.statements = {{"first", {}, {{1, 1}}, {0}},
                     {"second", {}, {{0, 0}}, {1}}};
  Problem problem = makeProblem(body);
  EXPECT_EQ(errorOf(problem, {0, 0}, {1, 0}),
            "'second' uses what 'first' computes in the same iteration, but "
            "'second' (stage 0, order 0) would run before 'first' (stage 0, "
            "order 1)");
  EXPECT_EQ(errorOf(problem, {0, 1}, {0, 1}),
            "'first' uses what 'second' computes in the iteration before, but "
            "'first' (stage 0, order 0) would run before 'second' (stage 1, "
            "order 1)");
  EXPECT_NE(errorOf(problem, {0, 2}, {1, 0}), "");
  EXPECT_EQ(errorOf(problem, {0, 1}, {1, 0}), "");
}

TEST(CountRegisters, CountsTheStepsBeyondAValuesOwn) {
  Body body;
  body.valueCount = 2;
  Statement load{"load", {}, {}, {0}};
  load.registers = 8;
  Statement add{"add", {}, {{0, 0}, {1, 1}}, {1}};
  add.registers = 3;
  body.statements = {load, add};
  EXPECT_EQ(countRegisters(body, {{0, 0}, {0, 1}}), 3);
  EXPECT_EQ(countRegisters(body, {{0, 2}, {0, 1}}), 2 * 8 + 3);
}

} // namespace
