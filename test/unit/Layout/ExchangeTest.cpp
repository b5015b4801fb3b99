//===- ExchangeTest.cpp - Containment, classes and renaming ---------------===//
//
// Every answer about a pair of layouts against enumeration of what each thread
// holds, over pairs that are related and pairs that are not.
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::test;

static bool includesAll(const std::vector<Coordinate> &held,
                        const std::vector<Coordinate> &wanted) {
  std::set<Coordinate> set(held.begin(), held.end());
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](const Coordinate &at) { return set.count(at); });
}

static ExchangeKind classifyByEnumeration(const FragmentLayout &source,
                                          const FragmentLayout &target) {
  bool isNone = true, isShuffle = true;
  for (int64_t w = 0; w < target.getExtent(HardwareDim::Warp); ++w) {
    std::vector<Coordinate> ofWarp;
    for (int64_t l = 0; l < source.getExtent(HardwareDim::Lane); ++l)
      for (const Coordinate &at : getHeld(source, l, w))
        ofWarp.push_back(at);
    for (int64_t l = 0; l < target.getExtent(HardwareDim::Lane); ++l) {
      std::vector<Coordinate> wanted = getHeld(target, l, w);
      isNone &= includesAll(getHeld(source, l, w), wanted);
      isShuffle &= includesAll(ofWarp, wanted);
    }
  }
  return isNone      ? ExchangeKind::None
         : isShuffle ? ExchangeKind::Shuffle
                     : ExchangeKind::Memory;
}

/// The renaming by definition; entries that no thread needs are -1.
static std::vector<int64_t> renameByEnumeration(const FragmentLayout &source,
                                                const FragmentLayout &target) {
  std::vector<int64_t> renaming(target.getRegisterCount(), -1);
  bool isSame = true;
  forAllPositions(target, [&](int64_t r, int64_t l, int64_t w) {
    Coordinate at = target.evaluate(r, l, w);
    if (!target.isInShape(at))
      return;
    int64_t from = 0;
    while (source.evaluate(from, l, w) != at)
      ++from;
    isSame &= renaming[r] == -1 || renaming[r] == from;
    renaming[r] = from;
  });
  if (!isSame)
    renaming.clear();
  return renaming;
}

struct Pair {
  FragmentLayout source, target;
};

/// Two layouts of one shape and as many threads. Half of the time the source
/// comes from the target by holding more in each thread and shuffling
/// registers.
static std::optional<Pair> makePair(Random &random) {
  RandomOptions options;
  options.maxRank = 2;
  options.maxExtent = 8;
  Coordinate shape = makeRandomShape(random, options);
  int64_t lanes = random.pick<int64_t>({2, 4, 6, 8});
  int64_t warps = random.pick<int64_t>({1, 2, 3, 4});
  auto target = makeRandomLayoutFor(random, shape, lanes, warps);
  if (!target)
    return std::nullopt;
  if (random.flip()) {
    auto source = makeRandomLayoutFor(random, shape, lanes, warps);
    if (!source)
      return std::nullopt;
    return Pair{*source, *target};
  }
  Digits registers = target->getDigits(HardwareDim::Register);
  Digits lists[] = {target->getDigits(HardwareDim::Lane),
                    target->getDigits(HardwareDim::Warp)};
  for (Digits &list : lists)
    for (Digit &digit : list)
      if (!digit.replicates() && random.flip()) {
        registers.push_back(digit);
        digit = {digit.extent, Digit::replicated, 0};
      }
  random.shuffle(registers);
  auto source = FragmentLayout::get(shape, registers, lists[0], lists[1]);
  return Pair{*source, *target};
}

TEST(Exchange, ClassesAndRenamingMatchEnumeration) {
  Random random(41);
  std::array<int, 3> seen = {};
  int renamed = 0, dependent = 0;
  for (int i = 0; i < 40000; ++i) {
    auto pair = makePair(random);
    if (!pair)
      continue;
    const auto &[source, target] = *pair;
    ExchangeKind kind = classifyByEnumeration(source, target);
    std::string both = source.toString() + "\n" + target.toString();
    ASSERT_EQ(source.contains(target), kind == ExchangeKind::None) << both;
    ASSERT_EQ(classifyExchange(source, target), kind) << both;
    ++seen[static_cast<int>(kind)];
    if (kind != ExchangeKind::None)
      continue;
    std::vector<int64_t> want = renameByEnumeration(source, target);
    std::vector<int64_t> have = getRegisterRenaming(source, target);
    ASSERT_EQ(have.size(), want.size()) << both;
    for (size_t r = 0; r < want.size(); ++r) {
      ASSERT_LT(have[r], source.getRegisterCount());
      ASSERT_TRUE(want[r] == -1 || have[r] == want[r]) << both;
    }
    ++(want.empty() ? dependent : renamed);
  }
  EXPECT_GT(seen[0], 2000);
  EXPECT_GT(seen[1], 500);
  EXPECT_GT(seen[2], 500);
  EXPECT_GT(renamed, 500);
  EXPECT_GT(dependent, 500);
}

TEST(Exchange, ContainmentIsAPartialOrderUpToRegisters) {
  Random random(42);
  int chains = 0;
  for (int i = 0; i < 20000; ++i) {
    auto pair = makePair(random);
    if (!pair)
      continue;
    const auto &[source, target] = *pair;
    ASSERT_TRUE(source.contains(source));
    FragmentLayout everything = FragmentLayout::replicated(
        target.getShape(), target.getExtent(HardwareDim::Lane),
        target.getExtent(HardwareDim::Warp));
    ASSERT_TRUE(everything.contains(source));
    ASSERT_TRUE(!source.contains(everything) ||
                classifyByEnumeration(source, everything) ==
                    ExchangeKind::None);
    chains += source.contains(target) && source != target;
  }
  EXPECT_GT(chains, 500);
}

TEST(Exchange, KnownCases) {
  // Row statistics of an accumulator go back to the rows: nothing moves.
  FragmentLayout accumulator = *FragmentLayout::get(
      {16, 8}, {{2, 1, 1}, {2, 0, 8}}, {{4, 1, 2}, {8, 0, 1}}, {});
  FragmentLayout rows = accumulator.dropDims({1});
  FragmentLayout quad =
      *FragmentLayout::get({16}, {{2, 0, 8}}, {{4, -1, 0}, {8, 0, 1}}, {});
  EXPECT_EQ(rows, quad);
  FragmentLayout oneLane =
      *FragmentLayout::get({16}, {}, {{2, -1, 0}, {2, 0, 8}, {8, 0, 1}}, {});
  EXPECT_EQ(classifyExchange(rows, oneLane), ExchangeKind::None);
  // Which register it is depends on the lane.
  EXPECT_TRUE(getRegisterRenaming(rows, oneLane).empty());
  EXPECT_EQ(classifyExchange(oneLane, rows), ExchangeKind::Shuffle);
  // Two accumulators side by side are an A operand of mma.m16n8k16.
  FragmentLayout twice = *FragmentLayout::tile(accumulator, {16, 16},
                                               {{HardwareDim::Register, 1, 2}});
  FragmentLayout operandA = *FragmentLayout::get(
      {16, 16}, {{2, 1, 1}, {2, 0, 8}, {2, 1, 8}}, {{4, 1, 2}, {8, 0, 1}}, {});
  EXPECT_EQ(twice, operandA);
  // Different numbers of threads never convert in registers.
  EXPECT_EQ(
      classifyExchange(accumulator, FragmentLayout::replicated({16, 8}, 32, 2)),
      ExchangeKind::Memory);
}
