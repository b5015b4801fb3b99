//===- BytePairsTest.cpp - Operands of bytes that lie across K ------------===//

#include "tile/Hardware/BytePairs.h"
#include "tile/Hardware/GemmPlan.h"
#include "tile/Hardware/MatrixLoads.h"

#include <gtest/gtest.h>

#include <set>

using namespace tilec;

static const MatrixInstruction &getBytes() {
  return *findMatrixInstruction(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32");
}

TEST(BytePairs, PlacesAreAPermutationOfBlocks) {
  for (int64_t place = 0; place < 64; ++place) {
    EXPECT_EQ(getPairedPlace(place) / 16, place / 16);
    EXPECT_EQ(getInstructionPlace(getPairedPlace(place)), place);
  }
  EXPECT_EQ(getPairedPlace(3), 6);
  EXPECT_EQ(getPairedPlace(16 + 8 + 3), 16 + 7);
}

/// Every position holds in the plan of pairs what it holds in the plan without, at the
/// paired place.
TEST(BytePairs, PlansMoveRowsAndColumns) {
  for (BytePairs pairs : {BytePairs{true, false}, BytePairs{false, true},
                          BytePairs{true, true}}) {
    auto plain = planGemm(getBytes(), 64, 64, 64, 2, 2);
    auto plan = planGemm(getBytes(), 64, 64, 64, 2, 2, /*scaleBlock=*/0, pairs);
    EXPECT_EQ(plan->pairs.a, pairs.a);
    EXPECT_EQ(plan->pairs.b, pairs.b);
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t warp = 0; warp < 4; ++warp) {
        std::set<Coordinate> expected, held;
        for (int64_t reg = 0; reg < plan->result.getRegisterCount(); ++reg) {
          expected.insert(
              plan->getPlace(plain->result.evaluate(reg, lane, warp)));
          held.insert(plan->result.evaluate(reg, lane, warp));
        }
        ASSERT_EQ(held, expected);
      }
  }
}

TEST(BytePairs, NeighboursFollowEachOther) {
  auto plan =
      planGemm(getBytes(), 64, 64, 64, 2, 2, /*scaleBlock=*/0, {false, true});
  EXPECT_EQ(plan->result.getVectorWidth(1), 4);
  EXPECT_EQ(planGemm(getBytes(), 64, 64, 64, 2, 2)->result.getVectorWidth(1),
            2);
}

TEST(BytePairs, AreOfWholeTilesOfBytes) {
  // One tile of eight columns a warp, padded rows, elements of 16 bits.
  EXPECT_FALSE(
      planGemm(getBytes(), 64, 16, 32, 2, 2, /*scaleBlock=*/0, {true, true})
          ->pairs.b);
  EXPECT_TRUE(
      planGemm(getBytes(), 64, 16, 32, 2, 2, /*scaleBlock=*/0, {true, true})
          ->pairs.a);
  EXPECT_FALSE(
      planGemm(getBytes(), 24, 32, 32, 1, 1, /*scaleBlock=*/0, {true, true})
          ->pairs.a);
  EXPECT_FALSE(planGemm(*findMatrixInstruction("mma.sync.aligned.m16n8k16.row."
                                               "col.f32.f16.f16.f32"),
                        64, 64, 64, 2, 2, /*scaleBlock=*/0, {true, true})
                   ->pairs.a);
}

TEST(BytePairs, TilesAreInTheOrderOfInstructions) {
  auto plan =
      planGemm(getBytes(), 64, 64, 64, 2, 2, /*scaleBlock=*/0, {true, true});
  OperandTiles columns(plan->b.transpose({1, 0}),
                       getBytes().b.layout.transpose({1, 0}), 4, true);
  EXPECT_EQ(columns.getOrigins(), (std::vector<int64_t>{0, 8, 16, 24}));
  OperandTiles rows(plan->a, getBytes().a.layout, 4, true);
  EXPECT_EQ(rows.getOrigins(), (std::vector<int64_t>{0, 16}));
}
