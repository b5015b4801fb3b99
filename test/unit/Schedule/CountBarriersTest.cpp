//===- CountBarriersTest.cpp - Barriers in a step of a schedule ----------===//
//
// Known cases, and random schedules against all sets of gaps: a set is enough
// if it has a barrier between every two accesses of one slot, one of them a
// write, by statements of whatever iterations.
//
//===----------------------------------------------------------------------===//

#include "RandomBody.h"

#include "gtest/gtest.h"

#include <bit>

using namespace tilec::schedule;
using namespace tilec::schedule::test;

namespace {

Access reads(int place) { return {place, true, false}; }
Access writes(int place) { return {place, false, true}; }

/// A fill and a product that reads it.
Problem makeFillProduct(bool arrivesLate) {
  Body body;
  body.places = {{"tile", true, 1024, true}};
  body.statements = {{"fill", {writes(0)}}, {"product", {reads(0)}}};
  body.statements[0].arrivesLate = arrivesLate;
  return makeProblem(body);
}

TEST(CountBarriers, OneSlotNeedsTwoAndEachSlotMoreSavesOne) {
  Problem problem = makeFillProduct(/*arrivesLate=*/false);
  EXPECT_EQ(countBarriers(problem, {{0, 0}, {0, 1}}), 2);
  problem.slots = {2};
  EXPECT_EQ(countBarriers(problem, {{0, 0}, {0, 1}}), 1);
  // Filled behind the product, an iteration ahead.
  EXPECT_EQ(countBarriers(problem, {{0, 1}, {1, 0}}), 1);
}

TEST(CountBarriers, WhatArrivesLateIsPublishedInItsReadersStep) {
  for (int slots : {2, 3, 4}) {
    Problem problem = makeFillProduct(/*arrivesLate=*/true);
    problem.slots = {slots};
    EXPECT_EQ(countBarriers(problem, {{0, slots - 1}, {0, 1}}), 1);
  }
}

TEST(CountBarriers, NothingHandedOnNeedsNone) {
  Problem problem = makeFillProduct(/*arrivesLate=*/false);
  problem.body.places[0].isHandedOn = false;
  EXPECT_EQ(countBarriers(problem, {{0, 0}, {0, 1}}), 0);
}

TEST(CountBarriers, CountInThePrediction) {
  Problem problem = makeFillProduct(/*arrivesLate=*/false);
  problem.barrierCycles = 30;
  EXPECT_EQ(predictCycles(problem, {{0, 0}, {0, 1}}), 2 + 2 * 30);
}

/// What statement `index` does in step `step`.
struct Instance {
  int time = 0, place = 0, slot = 0, statement = 0;
  bool writes = false;
};

bool isEnough(const std::vector<Instance> &instances, unsigned gaps,
              int count) {
  for (const Instance &first : instances)
    for (const Instance &second : instances) {
      if (first.time >= second.time || first.statement == second.statement ||
          first.place != second.place || first.slot != second.slot ||
          (!first.writes && !second.writes))
        continue;
      bool isBetween = false;
      for (int time = first.time; time < second.time; ++time)
        isBetween |= (gaps >> (time % count)) & 1;
      if (!isBetween)
        return false;
    }
  return true;
}

TEST(CountBarriers, IsTheSmallestSetOfGaps) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    int count = 2 + static_cast<int>(seed % 5);
    Problem problem = makeRandomProblem(seed, count);
    problem.body.overlaps.clear();
    for (Statement &statement : problem.body.statements) {
      statement.isOpaque = false;
      for (Access &access : statement.accesses)
        access.combines = -1;
    }
    for (Place &place : problem.body.places)
      place.isHandedOn = true;
    problem.graph = buildGraph(problem.body);
    Schedule schedule =
        solveAhead(problem, {{static_cast<int>(seed) % count, 1}}).schedule;
    std::vector<Instance> instances;
    for (int step = 0; step < 8; ++step)
      for (int index = 0; index < count; ++index)
        for (const Access &access : problem.body.statements[index].accesses) {
          int iteration = step + 8 - schedule.stages[index];
          instances.push_back(
              {step * count + schedule.orders[index], access.place,
               iteration % problem.slots[access.place], index, access.writes});
        }
    int fewest = count;
    for (unsigned gaps = 0; gaps < (1u << count); ++gaps)
      if (isEnough(instances, gaps, count))
        fewest = std::min(fewest, std::popcount(gaps));
    EXPECT_EQ(countBarriers(problem, schedule), fewest) << seed;
  }
}

} // namespace
