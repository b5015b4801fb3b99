//===- WarpExchangeTest.cpp - Exchanges by shuffles -----------------------===//
//
// The steps of a plan as WarpExchange.h states them, run on numbers: over random pairs
// of layouts every thread ends with the elements of the target, and no plan moves more
// than it has to where nothing is replicated.
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"

#include "tile/Layout/WarpExchange.h"

#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::test;

namespace {
/// What a register holds: the row-major index of an element, or nothing.
constexpr int64_t nothing = -1;
using Bundles = std::vector<std::vector<int64_t>>;

/// The lanes of one warp.
struct Warp {
  const WarpExchange &plan;
  int64_t warp;
  std::vector<Bundles> lanes;

  int64_t getDigit(const WarpExchange::WarpDigit &digit) const {
    return warp / digit.place % digit.extent;
  }
  void choose(int64_t lane, int64_t extent, int64_t value);
  void swap(int64_t lane, size_t bit, int laneBit);
  int64_t getSourceLane(int64_t lane, int64_t round) const;
  void prepare();
  void exchange();
  void finish();
};
} // namespace

void Warp::choose(int64_t lane, int64_t extent, int64_t value) {
  Bundles &all = lanes[lane];
  ASSERT_EQ(all.size() % extent, 0u);
  size_t count = all.size() / extent;
  all = Bundles(all.begin() + value * count, all.begin() + (value + 1) * count);
}

void Warp::swap(int64_t lane, size_t bit, int laneBit) {
  Bundles before = lanes[lane];
  for (size_t b = 0; b < before.size(); ++b)
    lanes[lane][b] = before[b ^ size_t(lane >> laneBit & 1) << bit];
}

int64_t Warp::getSourceLane(int64_t lane, int64_t round) const {
  int64_t source = 0;
  for (size_t bit = 0; bit < plan.laneBits.size(); ++bit)
    if (plan.laneBits[bit] >= 0)
      source |= (lane >> plan.laneBits[bit] & 1) << bit;
  for (const WarpExchange::WarpPart &part : plan.warpParts)
    source |= getDigit(part.digit) << part.bit;
  return source ^ plan.getLaneMask(round);
}

void Warp::prepare() {
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    for (size_t i = plan.warpChoices.size(); i-- > 0;)
      choose(lane, plan.warpChoices[i].extent, getDigit(plan.warpChoices[i]));
    for (size_t i = plan.laneChoices.size(); i-- > 0;)
      choose(lane, 2, int64_t(lane) >> plan.laneChoices[i] & 1);
    for (size_t k = 0; k < plan.swaps.size(); ++k)
      swap(lane, k, plan.swaps[k].publisher);
  }
}

void Warp::exchange() {
  std::vector<Bundles> read(lanes.size());
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (int64_t round = 0; round < plan.getRoundCount(); ++round) {
      int64_t from = getSourceLane(lane, round);
      ASSERT_LT(from, static_cast<int64_t>(lanes.size()));
      if (plan.staysInLane(round)) {
        ASSERT_EQ(from, static_cast<int64_t>(lane));
      }
      const auto &published = lanes[from][plan.getPublished(round)];
      read[lane].push_back(
          plan.isNeeded(round)
              ? published
              : std::vector<int64_t>(published.size(), nothing));
    }
  lanes = std::move(read);
}

void Warp::finish() {
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    for (size_t i = plan.lateChoices.size(); i-- > 0;)
      choose(lane, 2, int64_t(lane) >> plan.lateChoices[i] & 1);
    for (size_t k = 0; k < plan.swaps.size(); ++k)
      swap(lane, k, plan.swaps[k].reader);
  }
}

/// What each register of each lane holds in the end.
static std::vector<std::vector<int64_t>> run(const WarpExchange &plan,
                                             const FragmentLayout &source,
                                             const FragmentLayout &target,
                                             int64_t number) {
  int64_t laneCount = source.getExtent(HardwareDim::Lane);
  Warp warp{plan, number, {}};
  for (int64_t lane = 0; lane < laneCount; ++lane) {
    Bundles &all = warp.lanes.emplace_back();
    for (const std::vector<int64_t> &list : plan.sources)
      for (auto &bundle = all.emplace_back(); int64_t reg : list) {
        Coordinate at;
        if (reg != WarpExchange::noRegister)
          at = source.evaluate(reg, lane, number);
        bundle.push_back(reg != WarpExchange::noRegister && source.isInShape(at)
                             ? linearize(at, source.getShape())
                             : nothing);
      }
  }
  warp.prepare();
  warp.exchange();
  warp.finish();
  std::vector<std::vector<int64_t>> result(
      laneCount, std::vector<int64_t>(target.getRegisterCount(), nothing));
  for (int64_t lane = 0; lane < laneCount; ++lane)
    for (size_t b = 0; b < plan.targets.size(); ++b)
      for (size_t m = 0; m < plan.targets[b].size(); ++m)
        if (plan.targets[b][m] != WarpExchange::noRegister)
          result[lane][plan.targets[b][m]] = warp.lanes[lane][b][m];
  return result;
}

/// The most elements that a lane needs and has not, over all lanes.
static int64_t countMissing(const FragmentLayout &source,
                            const FragmentLayout &target) {
  int64_t most = 0;
  for (int64_t w = 0; w < source.getExtent(HardwareDim::Warp); ++w)
    for (int64_t l = 0; l < source.getExtent(HardwareDim::Lane); ++l) {
      std::vector<Coordinate> have = getHeld(source, l, w);
      std::set<Coordinate> held(have.begin(), have.end());
      int64_t missing = 0;
      for (const Coordinate &at : getHeld(target, l, w))
        missing += !held.count(at);
      most = std::max(most, missing);
    }
  return most;
}

static void expectRight(const WarpExchange &plan, const FragmentLayout &source,
                        const FragmentLayout &target) {
  std::string both = source.toString() + "\n" + target.toString();
  for (int64_t w = 0; w < target.getExtent(HardwareDim::Warp); ++w) {
    auto result = run(plan, source, target, w);
    for (int64_t l = 0; l < target.getExtent(HardwareDim::Lane); ++l)
      for (int64_t r = 0; r < target.getRegisterCount(); ++r) {
        Coordinate at = target.evaluate(r, l, w);
        if (target.isInShape(at)) {
          ASSERT_EQ(result[l][r], linearize(at, target.getShape()))
              << both << "\nregister " << r << " lane " << l << " warp " << w;
        }
      }
  }
  int64_t shuffles = plan.countShuffles() * plan.getBundleSize();
  ASSERT_GE(shuffles, countMissing(source, target)) << both;
  if (source.getReplication() == 1 && target.getReplication() == 1 &&
      !source.hasPadding() && !target.hasPadding()) {
    ASSERT_EQ(shuffles, countMissing(source, target)) << both;
  }
  if (source.contains(target)) {
    ASSERT_EQ(shuffles, 0) << both;
  }
}

/// The digits of `layout`, of which some change between registers and lanes, in
/// another order.
static Expected<FragmentLayout> redistribute(Random &random,
                                             const FragmentLayout &layout) {
  Digits lists[2];
  for (HardwareDim where : {HardwareDim::Register, HardwareDim::Lane})
    for (const Digit &digit : layout.getDigits(where)) {
      bool goesToLanes = !digit.replicates() &&
                         (digit.extent & (digit.extent - 1)) == 0 &&
                         random.flip();
      if (!digit.replicates())
        lists[goesToLanes].push_back(digit);
    }
  random.shuffle(lists[0]);
  random.shuffle(lists[1]);
  int64_t lanes = 1;
  for (const Digit &digit : lists[1])
    lanes *= digit.extent;
  int64_t wanted = layout.getExtent(HardwareDim::Lane);
  if (wanted % lanes != 0)
    return Failure{"too many lanes"};
  lists[1].insert(lists[1].begin() +
                      random.get(0, static_cast<int64_t>(lists[1].size())),
                  {wanted / lanes, Digit::replicated, 0});
  return FragmentLayout::get(layout.getShape(), lists[0], lists[1],
                             layout.getDigits(HardwareDim::Warp));
}

TEST(WarpExchange, RandomPairsEndWhereTheTargetHasThem) {
  Random random(73);
  int planned = 0, moved = 0, exact = 0, unplanned = 0;
  for (int i = 0; i < 60000; ++i) {
    RandomOptions options;
    options.maxRank = 2;
    options.maxExtent = 16;
    Coordinate shape = makeRandomShape(random, options);
    int64_t lanes = random.pick<int64_t>({2, 4, 8, 16});
    int64_t warps = random.pick<int64_t>({1, 2, 3, 4});
    auto source = makeRandomLayoutFor(random, shape, lanes, warps);
    if (!source)
      continue;
    auto target = makeRandomLayoutFor(random, shape, lanes, warps);
    auto same = redistribute(random, *source);
    for (const FragmentLayout *to :
         {target ? &*target : nullptr, same ? &*same : nullptr}) {
      if (!to)
        continue;
      ExchangeKind kind = classifyExchange(*source, *to);
      auto plan = planWarpExchange(*source, *to);
      if (!plan) {
        unplanned += kind == ExchangeKind::Shuffle;
        continue;
      }
      ASSERT_NE(kind, ExchangeKind::Memory) << source->toString() << "\n"
                                            << to->toString();
      expectRight(*plan, *source, *to);
      ++planned;
      moved += kind == ExchangeKind::Shuffle;
      exact += source->getReplication() == 1 && to->getReplication() == 1;
    }
  }
  EXPECT_GT(planned, 10000);
  EXPECT_GT(moved, 4000);
  EXPECT_GT(exact, 200);
  EXPECT_LT(unplanned, moved / 4);
}

TEST(WarpExchange, KnownCases) {
  // Four lanes transpose 4 x 4: three shuffles, two choices in each of four steps.
  FragmentLayout rows =
      *FragmentLayout::get({4, 4}, {{4, 1, 1}}, {{4, 0, 1}}, {});
  FragmentLayout columns =
      *FragmentLayout::get({4, 4}, {{4, 0, 1}}, {{4, 1, 1}}, {});
  WarpExchange quad = *planWarpExchange(rows, columns);
  EXPECT_EQ(quad.countShuffles(), 3);
  EXPECT_EQ(quad.countSelectsBefore(), 8);
  EXPECT_EQ(quad.countSelectsBehind(), 8);
  EXPECT_TRUE(quad.hasOwnLane());
  // Lanes change places: one shuffle for all that travels together.
  FragmentLayout straight =
      *FragmentLayout::get({8, 6}, {{6, 1, 1}}, {{2, 0, 1}, {4, 0, 2}}, {});
  FragmentLayout turned =
      *FragmentLayout::get({8, 6}, {{6, 1, 1}}, {{4, 0, 2}, {2, 0, 1}}, {});
  WarpExchange turn = *planWarpExchange(straight, turned);
  EXPECT_EQ(turn.countShuffles(), 1);
  EXPECT_EQ(turn.getBundleSize(), 6);
  EXPECT_EQ(turn.countSelectsBefore() + turn.countSelectsBehind(), 0);
  // To every lane everything: a broadcast of each, and nothing to choose.
  WarpExchange gather =
      *planWarpExchange(*FragmentLayout::get({8}, {}, {{8, 0, 1}}, {}),
                        FragmentLayout::replicated({8}, 8, 1));
  EXPECT_EQ(gather.countShuffles(), 8);
  EXPECT_EQ(gather.countSelectsBefore() + gather.countSelectsBehind(), 0);
  // A copy tells the lane that publishes what to publish.
  WarpExchange told = *planWarpExchange(
      *FragmentLayout::get({8}, {{2, 0, 4}}, {{2, -1, 0}, {4, 0, 1}}, {}),
      *FragmentLayout::get({8}, {}, {{8, 0, 1}}, {}));
  EXPECT_EQ(told.countShuffles(), 1);
  EXPECT_EQ(told.countSelectsBefore(), 1);
}

TEST(WarpExchange, WhatHasNoPlan) {
  auto get = [](const Digits &registers, const Digits &lanes,
                const Digits &warps) {
    return *FragmentLayout::get({96}, registers, lanes, warps);
  };
  EXPECT_EQ(planWarpExchange(get({{3, 0, 1}}, {{32, 0, 3}}, {}),
                             get({{3, 0, 32}}, {{32, 0, 1}}, {}))
                .reason(),
            "the digits of dimension 0 have no common cuts");
  EXPECT_EQ(planWarpExchange(get({{3, 0, 1}}, {{16, 0, 3}}, {{2, 0, 48}}),
                             get({{3, 0, 1}}, {{16, 0, 6}}, {{2, 0, 3}}))
                .reason(),
            "elements change warps");
}
