//===- ExchangeCostTest.cpp - Shuffles or memory --------------------------===//

#include "tile/Hardware/ExchangeCost.h"

#include <gtest/gtest.h>

using namespace tilec;

namespace {
struct Pair {
  FragmentLayout source, target;
};
} // namespace

/// A quad transposes 4 x 4, on as many warps.
static Pair getQuad(int64_t warps) {
  auto get = [&](int64_t registers, int64_t lanes) {
    return *FragmentLayout::get({8 * warps, 16}, {{4, 1, registers}},
                                {{4, 1, lanes}, {8, 0, 1}}, {{warps, 0, 8}});
  };
  return {get(1, 4), get(4, 1)};
}

static ExchangeCost getCost(const Pair &pair, int64_t bits = 32,
                            bool isInLoop = false) {
  return getExchangeCost(*findTarget("sm_80"),
                         {pair.source, pair.target, bits, isInLoop});
}

TEST(ExchangeCost, FewShufflesAreCheaperThanABarrier) {
  ExchangeCost cost = getCost(getQuad(4));
  EXPECT_EQ(cost.kind, ExchangeKind::Shuffle);
  EXPECT_EQ(cost.shuffles, 3);
  EXPECT_EQ(cost.selects, 16);
  EXPECT_LT(cost.shuffleCycles, cost.memoryCycles);
  // Two words each.
  EXPECT_EQ(getCost(getQuad(4), 64).shuffles, 6);
}

TEST(ExchangeCost, AWarpThatTransposes32x32GoesThroughMemory) {
  Pair pair = {*FragmentLayout::get({32, 32}, {{32, 1, 1}}, {{32, 0, 1}}, {}),
               *FragmentLayout::get({32, 32}, {{32, 0, 1}}, {{32, 1, 1}}, {})};
  ExchangeCost cost = getCost(pair);
  EXPECT_EQ(cost.kind, ExchangeKind::Memory);
  EXPECT_EQ(cost.shuffles, 31);
  EXPECT_EQ(cost.selects, 320);
  EXPECT_GT(cost.shuffleCycles, cost.memoryCycles);
}

TEST(ExchangeCost, ALoopHasTwoBarriers) {
  ExchangeCost once = getCost(getQuad(4)),
               looped = getCost(getQuad(4), 32, true);
  EXPECT_EQ(looped.memoryCycles - once.memoryCycles,
            countBarrierCycles(getThroughput(*findTarget("sm_80")), 128));
  EXPECT_EQ(looped.shuffleCycles, once.shuffleCycles);
}

TEST(ExchangeCost, NarrowElementsThatTravelTogetherShareWords) {
  auto get = [](const Digits &lanes) {
    return *FragmentLayout::get({32, 6}, {{6, 1, 1}}, lanes, {});
  };
  Pair pair = {get({{2, 0, 1}, {16, 0, 2}}), get({{16, 0, 2}, {2, 0, 1}})};
  EXPECT_EQ(getCost(pair, 32).shuffles, 6);
  EXPECT_EQ(getCost(pair, 16).shuffles, 3);
  EXPECT_EQ(getCost(pair, 8).shuffles, 2);
  EXPECT_EQ(getCost(pair, 1).shuffles, 1);
  EXPECT_EQ(getCost(pair, 64).shuffles, 12);
}

TEST(ExchangeCost, WhatStaysInItsThreadCostsChoices) {
  Pair pair = {FragmentLayout::replicated({32}, 32, 1),
               *FragmentLayout::get({32}, {}, {{32, 0, 1}}, {})};
  ExchangeCost cost = getCost(pair);
  EXPECT_EQ(cost.kind, ExchangeKind::None);
  EXPECT_EQ(cost.shuffles, 0);
  EXPECT_EQ(cost.selects, 31);
}
