//===- SparseMmaInstructionsTest.cpp - The rows of mma.sp -----------------===//
//
// The places of elements are written from the PTX ISA's figures, those of
// metadata from its table of threads and selectors; they are not taken from the
// layouts.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/GemmPlan.h"

#include "gtest/gtest.h"

using namespace tilec;
using enum ElementKind;

namespace {

const MatrixInstruction &get(std::string_view name) {
  const MatrixInstruction *row = findMatrixInstruction(name);
  EXPECT_NE(row, nullptr) << name;
  return *row;
}

/// Rows of 16-bit and of 8-bit elements: `k` columns, of which A holds half.
struct Row {
  std::string_view name;
  int k, perRegister, aRegisters, bRegisters;
};
const Row sparse[] = {
    {"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 32, 2, 4, 4},
    {"mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", 32, 2, 4, 4},
    {"mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.u8.s32", 64, 4, 4, 4},
    {"mma.sp.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32", 32, 4, 2, 2},
    {"mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e5m2.f32", 64, 4, 4, 4},
};

TEST(SparseMmaInstructions, OperandsAreThoseOfHalfTheColumns) {
  for (const Row &expected : sparse) {
    SCOPED_TRACE(expected.name);
    const MatrixInstruction &row = get(expected.name);
    ASSERT_TRUE(row.isSparse());
    EXPECT_EQ(row.k, expected.k);
    EXPECT_EQ(row.a.getRegisterCount(), expected.aRegisters);
    EXPECT_EQ(row.b.getRegisterCount(), expected.bRegisters);
    EXPECT_EQ(row.metadata->getRegisterCount(), 1);
    int e = expected.perRegister;
    for (int lane = 0; lane < 32; ++lane) {
      int group = lane / 4, thread = lane % 4;
      for (int i = 0; i < expected.aRegisters * e; ++i) {
        int reg = i / e;
        EXPECT_EQ(row.a.layout.evaluate(i, lane, 0),
                  (Coordinate{group + 8 * (reg % 2),
                              thread * e + i % e + 4 * e * (reg / 2)}));
      }
      for (int i = 0; i < expected.bRegisters * e; ++i)
        EXPECT_EQ(row.b.layout.evaluate(i, lane, 0),
                  (Coordinate{thread * e + i % e + 4 * e * (i / e), group}));
    }
  }
}

// A selector names the threads of a group of four from which the instruction
// takes metadata; the selectors of one register are those of steps that follow
// each other. Elements of 16 bits: thread 2 s + p has columns 16 p to 16 p + 15
// of row g in its low half, of row g + 8 in its high half. Of 8 bits: thread
// 2 s + p (for k32), 2 q + p (k64, from column 32 q on) has 32 columns of row
// g + 8 p.
TEST(SparseMmaInstructions, MetadataIsWhereSelectorsFindIt) {
  for (const Row &expected : sparse) {
    SCOPED_TRACE(expected.name);
    const MatrixOperand &metadata = *get(expected.name).metadata;
    EXPECT_EQ(metadata.elementsPerRegister, 2);
    EXPECT_EQ(metadata.layout.getShape(), (Coordinate{16, 4}));
    for (int lane = 0; lane < 32; ++lane)
      for (int half = 0; half < 2; ++half) {
        int group = lane / 4, thread = lane % 4, p = thread % 2;
        int firstColumn = 32 * (thread / 2);
        Coordinate place =
            expected.perRegister == 2
                ? Coordinate{group + 8 * half, (firstColumn + 16 * p) / 16}
                : Coordinate{group + 8 * p, firstColumn / 16 + half};
        EXPECT_EQ(metadata.layout.evaluate(half, lane, 0), place);
      }
  }
}

TEST(SparseMmaInstructions, OrderedMetadataWherePtxHasIt) {
  auto first = [](std::string_view chip, ElementKind a, ElementKind sum,
                  int ptxVersion) -> std::string {
    auto rows = findMatrixInstructions(*findTarget(chip), a, a, sum, ptxVersion,
                                       Participants::Warp, /*isSparse=*/true);
    return rows.empty() ? "" : rows.front()->name;
  };
  EXPECT_EQ(first("sm_80", F16, F32, 0),
            "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32");
  EXPECT_EQ(first("sm_80", F16, F16, 85),
            "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f16.f16."
            "f16.f16");
  EXPECT_EQ(first("sm_100a", S8, S32, 0),
            "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8."
            "s32");
  EXPECT_EQ(first("sm_80", E4M3, F32, 0), "");
  EXPECT_EQ(first("sm_89", E4M3, F32, 0),
            "mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32");
  for (ElementKind kind : {TF32, F32, F64})
    EXPECT_EQ(first("sm_120a", kind, kind == TF32 ? F32 : kind, 0), "");
  auto getFirst = [](ElementKind a, ElementKind sum) {
    return firstTargetFor(a, a, sum, Participants::Warp, /*isSparse=*/true);
  };
  EXPECT_EQ(getFirst(F16, F32), findTarget("sm_80"));
  EXPECT_EQ(getFirst(E4M3, F32), findTarget("sm_89"));
  EXPECT_EQ(getFirst(TF32, F32), nullptr);
}

// 40 x 24 x 96 on 3 warps along M: the third register of metadata is of one step
// only, and rows from 40 on are padding.
TEST(SparseMmaInstructions, PlansHaveMetadataLikeA) {
  const MatrixInstruction &row = get(sparse[0].name);
  auto plan = planGemm(row, 40, 24, 96, 3, 2);
  ASSERT_TRUE(plan) << plan.reason();
  EXPECT_EQ(plan->tilesK, 3);
  EXPECT_EQ(plan->a.getShape(), (Coordinate{40, 48}));
  EXPECT_EQ(plan->b.getShape(), (Coordinate{96, 24}));
  EXPECT_EQ(plan->metadata.getShape(), (Coordinate{40, 6}));
  EXPECT_EQ(plan->metadata.getBox(), (Coordinate{48, 8}));
  for (int warp = 0; warp < 6; ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int reg = 0; reg < 4; ++reg)
        EXPECT_EQ(plan->metadata.evaluate(reg, lane, warp),
                  (Coordinate{16 * (warp % 3) + lane / 4 + 8 * (reg % 2),
                              4 * (reg / 2) + lane % 4}));
}

} // namespace
