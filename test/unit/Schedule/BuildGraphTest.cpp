//===- BuildGraphTest.cpp - Dependences and what a body must be ----------===//
//
// Edges of small bodies in full, their wording, and the errors of bodies.
//
//===----------------------------------------------------------------------===//

#include "RandomBody.h"

#include "gtest/gtest.h"

using namespace tilec::schedule;
using namespace tilec::schedule::test;

namespace {

constexpr Access read{0, true, false};
constexpr Access write{0, false, true};

/// The edges as clauses, one a line.
std::string listEdges(const Body &body) {
  std::string text;
  for (const Edge &edge : buildGraph(body).edges)
    text += describe(body, edge) + "\n";
  return text;
}

/// 'write' and 'read' of one place.
Body makeWriteRead(bool isPrivate) {
  Body body;
  body.places = {{"A", isPrivate}};
  body.statements = {{"write", {write}}, {"read", {read}}};
  return body;
}

TEST(BuildGraph, WriteAndReadWithinAndAcrossIterations) {
  EXPECT_EQ(listEdges(makeWriteRead(/*isPrivate=*/false)),
            "'write' overwrites what 'write' writes to 'A' in the iteration "
            "before\n"
            "'read' reads what 'write' writes to 'A' in the same iteration\n"
            "'read' reads what 'write' writes to 'A' in the iteration before\n"
            "'write' overwrites what 'read' reads from 'A' in the iteration "
            "before\n");
}

TEST(BuildGraph, NothingFlowsThroughAPrivatePlaceAcrossIterations) {
  EXPECT_EQ(listEdges(makeWriteRead(/*isPrivate=*/true)),
            "'write' overwrites what 'write' writes to 'A' in the iteration "
            "before\n"
            "'read' reads what 'write' writes to 'A' in the same iteration\n"
            "'write' overwrites what 'read' reads from 'A' in the iteration "
            "before\n");
}

TEST(BuildGraph, OverlappingPlacesAreOnePlaceAndNeverPrivate) {
  Body body = makeWriteRead(/*isPrivate=*/true);
  body.places.push_back({"view", true});
  body.statements[1].accesses[0] = {1, true, true};
  body.overlaps = {{1, 0}};
  EXPECT_EQ(listEdges(body),
            "'write' overwrites what 'write' writes to 'A' in the iteration "
            "before\n"
            "'read' reads what 'write' writes to 'A' in the same iteration\n"
            "'read' overwrites what 'write' writes to 'A' in the same "
            "iteration\n"
            "'read' reads what 'write' writes to 'A' in the iteration before\n"
            "'read' overwrites what 'write' writes to 'A' in the iteration "
            "before\n"
            "'write' overwrites what 'read' reads from 'view' in the iteration "
            "before\n"
            "'write' overwrites what 'read' writes to 'view' in the iteration "
            "before\n"
            "'read' overwrites what 'read' reads from 'view' in the iteration "
            "before\n"
            "'read' overwrites what 'read' writes to 'view' in the iteration "
            "before\n");
}

TEST(BuildGraph, AtomicsOfOneKindCommuteAndOthersDoNot) {
  Body body;
  body.places = {{"C"}};
  body.statements = {{"add", {{0, true, true, 0}}},
                     {"add too", {{0, true, true, 0}}}};
  EXPECT_EQ(listEdges(body), "");
  body.statements[1].accesses[0].combines = 1;
  EXPECT_EQ(buildGraph(body).edges.size(), 9u); // three kinds, three ways
  body.statements[1].accesses[0] = read;
  EXPECT_EQ(listEdges(body),
            "'add too' reads what 'add' writes to 'C' in the same iteration\n"
            "'add too' reads what 'add' writes to 'C' in the iteration before\n"
            "'add' overwrites what 'add too' reads from 'C' in the iteration "
            "before\n");
}

TEST(BuildGraph, ValuesAndOpaqueStatements) {
  Body body;
  body.places = {{"A"}};
  body.valueCount = 2; // value 1 comes from outside
  body.statements = {{"compute", {}, {{0, 1}, {1, 0}}, {0}},
                     {"use", {}, {{0, 0}}},
                     {"print", {}, {}, {}, true},
                     {"read", {read}}};
  EXPECT_EQ(listEdges(body),
            "'compute' uses what 'compute' computes in the iteration before\n"
            "'use' uses what 'compute' computes in the same iteration\n"
            "'print' may not pass 'print' in the iteration before\n"
            "'read' may not pass 'print' in the same iteration\n"
            "'read' may not pass 'print' in the iteration before\n"
            "'print' may not pass 'read' in the iteration before\n");
}

std::string errorOf(const Statement &statement) {
  Body body;
  body.places = {{"A"}, {"ring", true}};
  body.valueCount = 2;
  body.statements = {statement, {"late", {}, {}, {1}}};
  return checkBody(body).value_or("");
}

TEST(CheckBody, RefusesWhatIsNoStatement) {
  EXPECT_EQ(errorOf({"s"}), "");
  EXPECT_EQ(errorOf({"s", {{2, true, false}}}),
            "statement 's' accesses place 2; there are 2");
  EXPECT_EQ(errorOf({"s", {{0}}}),
            "statement 's' neither reads nor writes place 'A'");
  EXPECT_EQ(errorOf({"s", {{0, true, false, 0}}}),
            "statement 's' combines with place 'A' and does not write it");
  EXPECT_EQ(errorOf({"s", {{1, true, false}}}),
            "place 'ring' is private and statement 's' reads it before it is "
            "written");
  EXPECT_EQ(errorOf({"s", {{1, true, true}}}), "");
  Statement slow{"s"};
  slow.latencyCycles = -3;
  EXPECT_EQ(errorOf(slow), "statement 's' has -3 cycles of latency");
}

TEST(CheckBody, RefusesValuesWithoutOneDefinitionBeforeTheirUses) {
  EXPECT_EQ(errorOf({"s", {}, {{2, 0}}}),
            "statement 's' uses value 2; there are 2");
  EXPECT_EQ(errorOf({"s", {}, {{1, 2}}}),
            "statement 's' uses value 1 at a distance of 2 iterations; it must "
            "be 0 or 1");
  EXPECT_EQ(errorOf({"s", {}, {{1, 0}}}),
            "statement 's' uses value 1 before statement 'late' defines it");
  EXPECT_EQ(errorOf({"s", {}, {{1, 1}}}), "");
  EXPECT_EQ(errorOf({"s", {}, {}, {1}}),
            "statement 'late' defines value 1, which statement 's' defines "
            "too");
  EXPECT_EQ(errorOf({"s", {}, {}, {-1}}),
            "statement 's' defines value -1; there are 2");
}

TEST(CheckBody, RefusesWhatIsNoPlace) {
  Body body;
  body.places = {{"A", false, -16}, {"B"}};
  EXPECT_EQ(checkBody(body), "place 'A' has -16 bytes");
  body.places[0].bytes = 0;
  body.overlaps = {{0, 2}};
  EXPECT_EQ(checkBody(body),
            "overlap (0, 2) names a place that does not exist; there are 2");
  body.overlaps = {{1, 1}};
  EXPECT_EQ(checkBody(body), "overlap (1, 1) is of a place with itself");
  body.overlaps = {{0, 1}};
  EXPECT_EQ(checkBody(body), std::nullopt);
}

} // namespace
