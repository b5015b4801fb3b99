//===- LayoutPageTest.cpp - docs/Layout.md says what the library does -----===//
//
// Makes every layout, picture and worked exchange of the page again and looks
// for it in the page's text.
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/SharedLayout.h"
#include "tile/Layout/WarpExchange.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace tilec;

static const std::string &getPage() {
  static const std::string page = [] {
    std::ifstream file(TILE_LAYOUT_PAGE);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }();
  return page;
}

static void expectOnPage(const std::string &text) {
  EXPECT_NE(getPage().find(text), std::string::npos) << text;
}

template <typename Layout>
static void expectOnPage(const Layout &layout) {
  expectOnPage("\n" + layout.toString() + "\n");
}

static std::string pad(const std::string &text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

// mma.m16n8k16's accumulator: (lane 32, register 4) -> (M 16, N 8)
static FragmentLayout getAccumulator() {
  return *FragmentLayout::get({16, 8}, {{2, 1, 1}, {2, 0, 8}},
                              {{4, 1, 2}, {8, 0, 1}}, {});
}

static FragmentLayout getTiledAccumulator() {
  return *FragmentLayout::tile(getAccumulator(), {128, 128},
                               {{HardwareDim::Register, 1, 8},
                                {HardwareDim::Register, 0, 4},
                                {HardwareDim::Warp, 1, 2},
                                {HardwareDim::Warp, 0, 2}});
}

/// A matrix of elements, each printed by `print(row, column)`.
template <typename Print>
static std::string draw(int64_t rows, int64_t columns, Print print) {
  std::string picture = "       ";
  for (int64_t column = 0; column < columns; ++column)
    picture += pad(std::to_string(column), 6);
  for (int64_t row = 0; row < rows; ++row) {
    picture += "\n" + pad(std::to_string(row), 3) + "    ";
    for (int64_t column = 0; column < columns; ++column)
      picture += pad(print(row, column), 6);
  }
  return "\n" + picture + "\n";
}

TEST(LayoutPage, Accumulator) {
  FragmentLayout layout = getAccumulator();
  expectOnPage(layout);
  EXPECT_EQ(layout.evaluate(3, 17, 0), (Coordinate{12, 3}));
  expectOnPage(draw(16, 8, [&](int64_t row, int64_t column) {
    HardwarePosition at = layout.invert({row, column});
    return std::to_string(at.lane) + "." + std::to_string(at.reg);
  }));
}

TEST(LayoutPage, ReplicationAndPadding) {
  FragmentLayout rows = getAccumulator().dropDims({1});
  expectOnPage(rows);
  std::string holders;
  for (int64_t row = 0; row < 8; ++row) {
    HardwarePosition first = rows.invert({row});
    EXPECT_EQ(first.reg, 0);
    for (int64_t copy = 0; copy < 4; ++copy)
      EXPECT_EQ(rows.evaluate(0, first.lane + copy, 0)[0], row);
    holders += pad(
        std::to_string(first.lane) + "-" + std::to_string(first.lane + 3), 6);
  }
  expectOnPage("\nlanes" + holders);

  FragmentLayout padded = FragmentLayout::blocked({5, 4}, {1, 0}, 1, 32, 1);
  expectOnPage(padded);
  expectOnPage(draw(8, 4, [&](int64_t row, int64_t column) {
    std::string lane = std::to_string(padded.invert({row, column}).lane);
    return padded.isInShape({row, column}) ? lane : "(" + lane + ")";
  }));
}

TEST(LayoutPage, Construction) {
  expectOnPage(getTiledAccumulator());
  expectOnPage(FragmentLayout::blocked({128, 4}, {1, 0}, 1, 32, 4));
  expectOnPage(FragmentLayout::blocked({96, 80}, {1, 0}, 8, 32, 4));
  expectOnPage(FragmentLayout::blocked({128}, {0}, 1, 32, 3));
  FragmentLayout lanes = FragmentLayout::blocked({32}, {0}, 1, 32, 1);
  expectOnPage("\n" + lanes.toString() + " ");
  expectOnPage(*lanes.reshape({8, 4}));
  FragmentLayout sixes =
      *FragmentLayout::get({12}, {}, {{6, 0, 1}}, {{2, 0, 6}});
  expectOnPage("\n" + sixes.toString() + " ");
  expectOnPage("\nnone: " + sixes.reshape({3, 4}).reason() + "\n");
}

// Exchanges ------------------------------------------------------------------

static void expectExchange(const FragmentLayout &source,
                           const FragmentLayout &target, ExchangeKind kind) {
  EXPECT_EQ(classifyExchange(source, target), kind);
  expectOnPage("\n   source  " + source.toString() + "\n   target  " +
               target.toString() + "\n");
}

TEST(LayoutPage, Exchanges) {
  FragmentLayout accumulator = getAccumulator();
  FragmentLayout operand = *FragmentLayout::tile(
      accumulator, {16, 16}, {{HardwareDim::Register, 1, 2}});
  expectOnPage("\n   " + operand.toString() + "\n");

  FragmentLayout rows = accumulator.dropDims({1});
  FragmentLayout fewer =
      *FragmentLayout::get({16}, {}, {{2, -1, 0}, {2, 0, 8}, {8, 0, 1}}, {});
  expectExchange(rows, fewer, ExchangeKind::None);
  EXPECT_TRUE(getRegisterRenaming(rows, fewer).empty());
  EXPECT_EQ(classifyExchange(fewer, rows), ExchangeKind::Shuffle);

  FragmentLayout reordered = *FragmentLayout::get(
      {16, 8}, {{2, 0, 8}, {2, 1, 1}}, {{4, 1, 2}, {8, 0, 1}}, {});
  expectExchange(accumulator, reordered, ExchangeKind::None);
  EXPECT_EQ(getRegisterRenaming(accumulator, reordered),
            (std::vector<int64_t>{0, 2, 1, 3}));

  expectExchange(getTiledAccumulator(),
                 FragmentLayout::blocked({128, 128}, {1, 0}, 8, 32, 4),
                 ExchangeKind::Memory);
}

TEST(LayoutPage, ExchangeInWarp) {
  FragmentLayout rows =
      *FragmentLayout::get({8, 16}, {{4, 1, 1}}, {{4, 1, 4}, {8, 0, 1}}, {});
  FragmentLayout columns =
      *FragmentLayout::get({8, 16}, {{4, 1, 4}}, {{4, 1, 1}, {8, 0, 1}}, {});
  WarpExchange plan = *planWarpExchange(rows, columns);
  std::string rounds;
  for (int64_t round = 0; round < plan.getRoundCount(); ++round)
    rounds += (round == 0 ? "lane ^ " : ", lane ^ ") +
              std::to_string(plan.getLaneMask(round)) +
              (plan.staysInLane(round) ? " (nothing moves)" : "");
  expectOnPage("\nsource  " + rows.toString() + "\ntarget  " +
               columns.toString() + "\nrounds  " + rounds + "\n");
  EXPECT_EQ(plan.countShuffles(), 3);
  EXPECT_EQ(plan.countSelectsBefore(), 8);
  EXPECT_EQ(plan.countSelectsBehind(), 8);
}

// Shared memory --------------------------------------------------------------

/// The 16-byte unit, modulo the banks, in which rows 0 to 7 start.
static std::string getUnits(const SharedLayout &layout) {
  std::string units = "\n16-byte unit modulo 8     ";
  for (int64_t row = 0; row < 8; ++row)
    units += pad(std::to_string(layout.getByteOffset({row, 0}) / 16 % 8), 4);
  return units;
}

TEST(LayoutPage, PaddedRows) {
  SharedLayout padded = *SharedLayout::linear({128, 64}, {1, 0}, 8, 16);
  expectOnPage(padded);
  expectOnPage(getUnits(padded) + "      pitch 72");
  expectOnPage(getUnits(*SharedLayout::linear({128, 64}, {1, 0}, 0, 16)) +
               "      pitch 64");
}

TEST(LayoutPage, XorAndPanels) {
  SharedLayout layout = *SharedLayout::swizzled({32, 128}, {1, 0}, 128, 16);
  expectOnPage(layout);
  EXPECT_EQ(layout.getAlignmentBytes(), 1024);
  std::string picture;
  for (int64_t row = 0; row < 8; ++row) {
    picture += "\nrow " + std::to_string(row) + "  ";
    for (int64_t chunk = 0; chunk < 8; ++chunk)
      picture += pad(
          std::to_string(layout.getByteOffset({row, chunk * 8}) / 16 % 8), 4);
  }
  expectOnPage(picture + "\n");
  for (int64_t row : {0, 1, 31}) {
    std::array<char, 100> line;
    int64_t begin = layout.getLinearOffset({row, 0}) * 2;
    int64_t end = layout.getLinearOffset({row, 64}) * 2;
    std::snprintf(line.data(), line.size(),
                  "\nrow %2d    %-4d .. %-4d         %d .. %d",
                  static_cast<int>(row), static_cast<int>(begin),
                  static_cast<int>(begin + 127), static_cast<int>(end),
                  static_cast<int>(end + 127));
    expectOnPage(std::string(line.data()));
  }
}

TEST(LayoutPage, ExchangeBuffer) {
  SharedLayout buffer = *SharedLayout::get(
      {64, 64},
      {{32, 1, 1, 1}, {16, 0, 4, 32}, {4, 0, 1, 512}, {2, 1, 32, 2048}},
      {3, 4, 3}, 32);
  expectOnPage("\n" + buffer.toString() + "\n");
}

TEST(LayoutPage, ConflictFree) {
  for (int64_t columns : {64, 96, 80, 20})
    expectOnPage(
        "\n[64, " + std::to_string(columns) + "] x 16 bits    " +
        SharedLayout::conflictFree({64, columns}, {1, 0}, 16).toString() +
        "\n");
}
