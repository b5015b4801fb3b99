//===- GemmPlanTest.cpp - Products spread over warps and warpgroups ------===//
//
// Element by element: which warp, tile and element of the instruction an
// element of the result and of the operands belongs to, counted from the
// header's picture, not from digits.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/GemmPlan.h"

#include "gtest/gtest.h"

using namespace tilec;

namespace {

const MatrixInstruction &get(std::string_view name) {
  return *findMatrixInstruction(name);
}

constexpr std::string_view mmaName =
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr std::string_view wgmmaName =
    "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs";

/// One operand of a plan: tiles and groups along its two dimensions. Registers
/// run through the box, then `firstDim`, then the other.
struct Spread {
  const FragmentLayout &layout;
  const FragmentLayout &box;
  int64_t tiles[2];
  int firstDim;
};

/// Checks the element at every register, lane and warp; `groups` are those
/// along (M, N), `groupDims` the operand's dimension for each, -1 for none.
void expectSpread(const Spread &spread, const int64_t (&groups)[2],
                  const int (&groupDims)[2]) {
  int64_t warpsPerGroup = spread.box.getExtent(HardwareDim::Warp);
  int64_t warps = warpsPerGroup * groups[0] * groups[1];
  int64_t elements = spread.box.getRegisterCount();
  ASSERT_EQ(spread.layout.getExtent(HardwareDim::Warp), warps);
  ASSERT_EQ(spread.layout.getRegisterCount(),
            elements * spread.tiles[0] * spread.tiles[1]);
  int secondDim = 1 - spread.firstDim;
  for (int64_t warp = 0; warp < warps; ++warp)
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t reg = 0; reg < spread.layout.getRegisterCount(); ++reg) {
        Coordinate expected =
            spread.box.evaluate(reg % elements, lane, warp % warpsPerGroup);
        int64_t tile[2], tileNumber = reg / elements;
        tile[spread.firstDim] = tileNumber % spread.tiles[spread.firstDim];
        tile[secondDim] = tileNumber / spread.tiles[spread.firstDim];
        int64_t group = warp / warpsPerGroup;
        int64_t along[2] = {group % groups[0], group / groups[0]};
        for (int i = 0; i < 2; ++i)
          if (groupDims[i] >= 0)
            tile[groupDims[i]] += along[i] * spread.tiles[groupDims[i]];
        for (int dim = 0; dim < 2; ++dim)
          expected[dim] += tile[dim] * spread.box.getShape()[dim];
        ASSERT_EQ(spread.layout.evaluate(reg, lane, warp), expected)
            << "register " << reg << ", lane " << lane << ", warp " << warp;
      }
}

TEST(GemmPlan, WarpsOfMma) {
  const MatrixInstruction &mma = get(mmaName);
  auto plan = planGemm(mma, 128, 64, 32, 2, 4);
  ASSERT_TRUE(plan) << plan.reason();
  EXPECT_EQ(plan->instruction, &mma);
  EXPECT_EQ(plan->warpsM, 2);
  EXPECT_EQ(plan->warpsN, 4);
  EXPECT_EQ(plan->tilesM, 4);
  EXPECT_EQ(plan->tilesN, 2);
  EXPECT_EQ(plan->tilesK, 2);
  EXPECT_EQ(plan->result.getShape(), (Coordinate{128, 64}));
  EXPECT_EQ(plan->a.getShape(), (Coordinate{128, 32}));
  EXPECT_EQ(plan->b.getShape(), (Coordinate{32, 64}));
  expectSpread({plan->result, mma.accumulator.layout, {4, 2}, 1}, {2, 4},
               {0, 1});
  expectSpread({plan->a, mma.a.layout, {4, 2}, 1}, {2, 4}, {0, -1});
  expectSpread({plan->b, mma.b.layout, {2, 2}, 0}, {2, 4}, {-1, 1});
}

// Scales follow A along M and B along N; a register has those of neighbours along K.
TEST(GemmPlan, ScalesOfBlocks) {
  const MatrixInstruction &mma =
      get("mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale."
          "scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0");
  auto plan = planGemm(mma, 64, 64, 128, 2, 2, /*scaleBlock=*/32);
  ASSERT_TRUE(plan) << plan.reason();
  EXPECT_EQ(plan->scaleA.getShape(), (Coordinate{64, 4}));
  EXPECT_EQ(plan->scaleB.getShape(), (Coordinate{64, 4}));
  expectSpread({plan->scaleA, mma.scaleA->layout, {2, 4}, 1}, {2, 2}, {0, -1});
  expectSpread({plan->scaleB, mma.scaleB->layout, {4, 4}, 1}, {2, 2}, {-1, 0});
  EXPECT_EQ(planGemm(mma, 64, 64, 128, 2, 2, 64)->scaleA.getShape(),
            (Coordinate{64, 2}));
  EXPECT_EQ(planGemm(mma, 64, 64, 128, 2, 2, 16).reason(),
            mma.name + " takes a scale for every 32 elements along K");
  EXPECT_EQ(planGemm(get(mmaName), 64, 64, 32, 2, 2)->scaleA, FragmentLayout());
}

// Where a lane has those of two rows of a tile, the ones of a row lie together too.
TEST(GemmPlan, ScalesOfTwoRowsOfALane) {
  const MatrixInstruction &mma =
      get("mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale."
          "scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3");
  auto plan = planGemm(mma, 64, 64, 128, 2, 2, /*scaleBlock=*/16);
  ASSERT_TRUE(plan) << plan.reason();
  EXPECT_EQ(plan->scaleA.getShape(), (Coordinate{64, 8}));
  EXPECT_EQ(plan->scaleB.getShape(), (Coordinate{64, 8}));
  EXPECT_EQ(plan->scaleA.getRegisterCount(), 32);
  EXPECT_EQ(plan->scaleB.getRegisterCount(), 32);
  for (int64_t reg = 0; reg < 32; ++reg)
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t warp = 0; warp < 4; ++warp) {
        int64_t block = reg % 8, group = lane / 4;
        EXPECT_EQ(plan->scaleA.evaluate(reg, lane, warp),
                  (Coordinate{32 * (warp % 2) + reg / 8 * 8 + group, block}));
        EXPECT_EQ(plan->scaleB.evaluate(reg, lane, warp),
                  (Coordinate{32 * (warp / 2) + reg / 8 * 8 + group, block}));
      }
}

TEST(GemmPlan, WarpgroupsOfWgmma) {
  const MatrixInstruction &wgmma = get(wgmmaName);
  auto plan = planGemm(wgmma, 256, 256, 64, 2, 2);
  ASSERT_TRUE(plan) << plan.reason();
  EXPECT_EQ(plan->tilesM, 2);
  EXPECT_EQ(plan->tilesN, 2);
  EXPECT_EQ(plan->tilesK, 4);
  // Four groups of four warps.
  EXPECT_EQ(plan->result.getExtent(HardwareDim::Warp), 16);
  expectSpread({plan->result, wgmma.accumulator.layout, {2, 2}, 1}, {2, 2},
               {0, 1});
  expectSpread({plan->a, wgmma.a.layout, {2, 4}, 1}, {2, 2}, {0, -1});
  // B is behind a descriptor.
  EXPECT_EQ(plan->b, FragmentLayout());
}

// The result of one product is operand A of the next, for both families.
TEST(GemmPlan, ResultsAreOperandsWithoutMoves) {
  auto shared =
      planGemm(get("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16.ss"),
               128, 128, 64, 2, 1);
  auto next =
      planGemm(get("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.rs"),
               128, 64, 128, 2, 1);
  ASSERT_TRUE(shared && next);
  EXPECT_EQ(shared->a, FragmentLayout());
  EXPECT_EQ(shared->result, next->a);
  auto mma = planGemm(get(mmaName), 64, 128, 64, 4, 1);
  auto nextMma = planGemm(get(mmaName), 64, 64, 128, 4, 1);
  ASSERT_TRUE(mma && nextMma);
  EXPECT_EQ(mma->result, nextMma->a);
}

// Past the shape only the last digit of a dimension's chain may reach.
TEST(GemmPlan, TheLastDigitMayPadAndNoOther) {
  auto plan = planGemm(get(mmaName), 12, 20, 16, 1, 2);
  ASSERT_TRUE(plan) << plan.reason();
  EXPECT_EQ(plan->result.getBox(), (Coordinate{16, 32}));
  EXPECT_TRUE(plan->result.hasPadding());
  EXPECT_TRUE(planGemm(get(wgmmaName), 32, 64, 16, 1, 1));
  // The rows of a lane's group, the columns of a lane, a warp's rows.
  EXPECT_FALSE(planGemm(get(mmaName), 4, 8, 16, 1, 1));
  EXPECT_FALSE(planGemm(get(mmaName), 16, 4, 16, 1, 2));
  EXPECT_FALSE(planGemm(get(wgmmaName), 8, 64, 16, 1, 1));
}

TEST(GemmPlan, RefusesInstructionsWithoutALayout) {
  EXPECT_EQ(planGemm(get(fmaName), 64, 64, 16, 1, 1).reason(),
            "fma gives its accumulator no layout");
}

} // namespace
