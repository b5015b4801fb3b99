//===- MatrixLoadsTest.cpp - Which matrices one ldmatrix loads ------------===//

#include "tile/Hardware/MatrixLoads.h"
#include "tile/Hardware/GemmPlan.h"

#include "gtest/gtest.h"

using namespace tilec;

namespace {

/// The tiles of operand A of a 64 x 64 x K product on one warp.
OperandTiles getTilesOfA(std::string_view name, int64_t K) {
  const MatrixInstruction &row = *findMatrixInstruction(name);
  auto plan = planGemm(row, 64, 64, K, 1, 1);
  EXPECT_TRUE(plan);
  return OperandTiles(plan->a, row.a.layout, row.a.elementsPerRegister);
}

// PTX ISA, m16n8k16 of f16: a0, a1 in row groupID, a2, a3 eight rows further, a4
// to a7 eight columns further: four matrices, rows first.
TEST(MatrixLoads, FourMatricesAreOneTileOfA) {
  OperandTiles tiles =
      getTilesOfA("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 32);
  EXPECT_EQ(tiles.getOrigins(), (std::vector<int64_t>{0, 16, 32, 48}));
  std::vector<TileMatrix> matrices = tiles.getMatrices(16);
  ASSERT_EQ(matrices.size(), 16u);
  const int64_t outer[] = {16, 24, 16, 24}, k[] = {16, 16, 24, 24};
  for (int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(matrices[4 + i].tile, 1);
    EXPECT_EQ(matrices[4 + i].reg, i);
    EXPECT_EQ(matrices[4 + i].outer, outer[i]);
    EXPECT_EQ(matrices[4 + i].k, k[i]);
  }
  MatrixGroup group = getGroup(matrices, 4);
  EXPECT_EQ(group.count, 4);
  EXPECT_EQ(group.steps[0], std::pair(0, int64_t(8)));
  EXPECT_EQ(group.steps[1], std::pair(1, int64_t(8)));
  EXPECT_EQ(tiles.getLargestGroup(), 4);
}

TEST(MatrixLoads, GroupsRespectTheirLimit) {
  OperandTiles tiles =
      getTilesOfA("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16);
  std::vector<TileMatrix> matrices = tiles.getMatrices(0);
  EXPECT_EQ(getGroup(matrices, 2).count, 2);
  EXPECT_EQ(getGroup(matrices, 1).count, 1);
  EXPECT_EQ(getGroup(std::span(matrices).first(3), 4).count, 2);
  EXPECT_EQ(getGroup(std::span(matrices).first(1), 4).count, 1);
}

// Matrices that are not a grid of two steps: the first two only.
TEST(MatrixLoads, IrregularMatricesAreSplit) {
  std::vector<TileMatrix> matrices = {
      {0, 0, 0, 0}, {0, 1, 8, 0}, {1, 0, 16, 0}, {1, 1, 32, 0}};
  EXPECT_EQ(getGroup(matrices, 4).count, 2);
  matrices[1] = {0, 1, 8, 8};
  EXPECT_EQ(getGroup(matrices, 4).count, 1);
}

} // namespace
