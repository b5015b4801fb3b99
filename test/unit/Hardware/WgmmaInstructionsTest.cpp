//===- WgmmaInstructionsTest.cpp - wgmma against the PTX ISA's figures ---===//
//
// The formulas of the PTX ISA, section "Register fragments and shared memory
// matrix layouts" of wgmma.mma_async, typed out with its own names: element i
// of lane %laneid of warp %warpid holds a row and a column. Nothing is shared
// with the code that builds the rows.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/MatrixInstruction.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace tilec;
using enum ElementKind;

namespace {

struct Position {
  int64_t row, col;
};

using Figure = Position (*)(int warp, int lane, int i);

// "wgmma .m64nNk16 A", 16 bits: a0..a7.
Position a16Bit(int warp, int lane, int i) {
  static const int rows[] = {0, 0, 8, 8, 0, 0, 8, 8};
  static const int cols[] = {0, 1, 0, 1, 8, 9, 8, 9};
  return {16 * (warp % 4) + lane / 4 + rows[i], 2 * (lane % 4) + cols[i]};
}

// "wgmma .m64nNk8 A", tf32: a0..a3.
Position aTf32(int warp, int lane, int i) {
  static const int rows[] = {0, 8, 0, 8};
  static const int cols[] = {0, 0, 4, 4};
  return {16 * (warp % 4) + lane / 4 + rows[i], lane % 4 + cols[i]};
}

// "wgmma .m64nNk32 A", 8 bits: a0..a15.
Position a8Bit(int warp, int lane, int i) {
  static const int rows[] = {0, 0, 0, 0, 8, 8, 8, 8, 0, 0, 0, 0, 8, 8, 8, 8};
  static const int cols[] = {0,  1,  2,  3,  0,  1,  2,  3,
                             16, 17, 18, 19, 16, 17, 18, 19};
  return {16 * (warp % 4) + lane / 4 + rows[i], 4 * (lane % 4) + cols[i]};
}

// "wgmma .m64nN D", every shape: d(X) with X = i.
Position d(int warp, int lane, int i) {
  int row = (i % 4) / 2 * 8 + lane / 4 + 16 * (warp % 4);
  int col = (i / 4) * 8 + (lane % 4) * 2 + i % 2;
  return {row, col};
}

Figure getFigureA(ElementKind kind) {
  switch (getElementBits(kind)) {
  case 32:
    return aTf32;
  case 16:
    return a16Bit;
  default:
    return a8Bit;
  }
}

void expectFigure(const FragmentLayout &layout, Coordinate shape,
                  Figure figure) {
  ASSERT_EQ(layout.getShape(), shape);
  ASSERT_EQ(layout.getExtent(HardwareDim::Lane), 32);
  ASSERT_EQ(layout.getExtent(HardwareDim::Warp), 4);
  std::set<Coordinate> held;
  int64_t elements = layout.getRegisterCount();
  for (int warp = 0; warp < 4; ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < elements; ++i) {
        Position expected = figure(warp, lane, i);
        Coordinate coordinate = layout.evaluate(i, lane, warp);
        ASSERT_EQ(coordinate, (Coordinate{expected.row, expected.col}))
            << "warp " << warp << ", lane " << lane << ", element " << i;
        held.insert(coordinate);
      }
  EXPECT_EQ(int64_t(held.size()), shape[0] * shape[1]);
  EXPECT_EQ(int64_t(held.size()), 128 * elements);
}

std::vector<const MatrixInstruction *> getWgmmaRows() {
  std::vector<const MatrixInstruction *> rows;
  for (const MatrixInstruction *row : getMatrixInstructions())
    if (row->name.starts_with("wgmma."))
      rows.push_back(row);
  return rows;
}

TEST(WgmmaInstructions, AccumulatorsEqualThePtxIsaFigure) {
  std::map<int64_t, FragmentLayout> compared; // by N
  for (const MatrixInstruction *row : getWgmmaRows()) {
    SCOPED_TRACE(row->name);
    EXPECT_EQ(row->accumulator.space, OperandSpace::Registers);
    if (compared.contains(row->n)) {
      EXPECT_EQ(row->accumulator.layout, compared[row->n]);
    } else {
      expectFigure(row->accumulator.layout, {64, row->n}, d);
      compared[row->n] = row->accumulator.layout;
    }
    // N/2 registers of 32 bits, half of that for f16.
    EXPECT_EQ(row->accumulator.getRegisterCount(),
              row->kindAccumulator == F16 ? row->n / 4 : row->n / 2);
  }
}

TEST(WgmmaInstructions, OperandAInRegistersEqualsThePtxIsaFigures) {
  int inRegisters = 0, inShared = 0;
  for (const MatrixInstruction *row : getWgmmaRows()) {
    SCOPED_TRACE(row->name);
    // Of a sparse A half of the columns are stored.
    int64_t stored = row->isSparse() ? row->k / 2 : row->k;
    EXPECT_EQ(stored * getElementBits(row->kindA), 32 * 8);
    if (row->name.ends_with(".ss")) {
      ++inShared;
      EXPECT_EQ(row->a.space, OperandSpace::SharedByDescriptor);
      EXPECT_EQ(row->a.getRegisterCount(), 0);
      continue;
    }
    ++inRegisters;
    ASSERT_TRUE(row->name.ends_with(".rs"));
    EXPECT_EQ(row->a.space, OperandSpace::Registers);
    expectFigure(row->a.layout, {64, stored}, getFigureA(row->kindA));
    EXPECT_EQ(row->a.getRegisterCount(), 4);
    EXPECT_TRUE(row->a.sharedLayouts.empty());
  }
  EXPECT_EQ(inRegisters, inShared);
}

TEST(WgmmaInstructions, ExtentsOfNAreThoseOfThePtxIsa) {
  const std::vector<int64_t> ofFloats = {256, 248, 240, 232, 224, 216, 208, 200,
                                         192, 184, 176, 168, 160, 152, 144, 136,
                                         128, 120, 112, 104, 96,  88,  80,  72,
                                         64,  56,  48,  40,  32,  24,  16,  8};
  const std::vector<int64_t> ofIntegers = {256, 240, 224, 208, 192, 176,
                                           160, 144, 128, 112, 96,  80,
                                           64,  48,  32,  24,  16,  8};
  struct Types {
    ElementKind a, b, accumulator;
  };
  const Types types[] = {
      {F16, F16, F32},   {F16, F16, F16},   {BF16, BF16, F32},
      {TF32, TF32, F32}, {E4M3, E4M3, F32}, {E4M3, E4M3, F16},
      {E4M3, E5M2, F32}, {E4M3, E5M2, F16}, {E5M2, E4M3, F32},
      {E5M2, E4M3, F16}, {E5M2, E5M2, F32}, {E5M2, E5M2, F16},
      {S8, S8, S32},     {S8, U8, S32},     {U8, S8, S32},
      {U8, U8, S32}};
  size_t count = 0;
  for (const Types &type : types)
    for (bool isSparse : {false, true}) {
      std::vector<int64_t> shared, registers;
      for (const MatrixInstruction *row : findMatrixInstructions(
               *findTarget("sm_90a"), type.a, type.b, type.accumulator, 0,
               Participants::Warpgroup, isSparse)) {
        (row->a.space == OperandSpace::Registers ? registers : shared)
            .push_back(row->n);
        EXPECT_EQ(row->m, 64);
        ++count;
      }
      // A sparse tf32 keeps one column of two, which is not the language's.
      std::vector<int64_t> expected =
          type.accumulator == S32 ? ofIntegers : ofFloats;
      if (isSparse && type.a == TF32)
        expected.clear();
      EXPECT_EQ(shared, expected);
      EXPECT_EQ(registers, expected);
    }
  EXPECT_EQ(count, getWgmmaRows().size());
}

TEST(WgmmaInstructions, TraitsAndChips) {
  for (const MatrixInstruction *row : getWgmmaRows()) {
    SCOPED_TRACE(row->name);
    EXPECT_EQ(row->participants, Participants::Warpgroup);
    EXPECT_EQ(row->completion, Completion::Group);
    EXPECT_EQ(row->proxy, Proxy::Async);
    EXPECT_EQ(row->b.space, OperandSpace::SharedByDescriptor);
    for (const GpuTarget &target : getKnownTargets())
      EXPECT_EQ(row->isAvailable(target, 90), target.name == "sm_90a");
    // Products of s8 and u8 with each other came later.
    bool isMixed = row->kindAccumulator == S32 && row->kindA != row->kindB;
    int first = isMixed ? 84 : row->isSparse() ? 82 : 80;
    EXPECT_FALSE(row->isAvailable(*findTarget("sm_90a"), first - 1));
    EXPECT_TRUE(row->isAvailable(*findTarget("sm_90a"), first));
  }
}

// "Sparse wgmma .m64nNk32 metadata", 16 bits: of four lanes number t has columns
// 16 t to 16 t + 15 of 64, which two selectors name, of row g in its low half and of
// row g + 8 in its high half. ".m64nNk64", 8 bits: lane 2 q + p has columns 32 q to
// 32 q + 31 of row g + 8 p. Each warp has 16 rows.
TEST(WgmmaInstructions, MetadataEqualThePtxIsaFigures) {
  int count = 0;
  for (const MatrixInstruction *row : getWgmmaRows()) {
    SCOPED_TRACE(row->name);
    EXPECT_EQ(row->isSparse(), row->name.starts_with("wgmma.mma_async.sp."));
    if (!row->isSparse())
      continue;
    ++count;
    const FragmentLayout &layout = row->metadata->layout;
    EXPECT_EQ(row->metadata->getRegisterCount(), 1);
    EXPECT_EQ(layout.getShape(), (Coordinate{64, 4}));
    for (int warp = 0; warp < 4; ++warp)
      for (int lane = 0; lane < 32; ++lane)
        for (int half = 0; half < 2; ++half) {
          int g = 16 * warp + lane / 4, t = lane % 4;
          EXPECT_EQ(layout.evaluate(half, lane, warp),
                    getElementBits(row->kindA) == 16
                        ? (Coordinate{g + 8 * half, t})
                        : (Coordinate{g + 8 * (t % 2), t / 2 * 2 + half}));
        }
  }
  EXPECT_GT(count, 800);
}

TEST(WgmmaInstructions, NamesAreThoseOfPtx) {
  const MatrixInstruction *row = findMatrixInstruction(
      "wgmma.mma_async.sync.aligned.m64n96k32.f16.e4m3.e5m2.rs");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->n, 96);
  EXPECT_EQ(row->k, 32);
  EXPECT_EQ(row->kindA, E4M3);
  EXPECT_EQ(row->kindB, E5M2);
  EXPECT_EQ(row->kindAccumulator, F16);
  for (std::string_view name :
       {"wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16.ss",
        "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32.ss",
        "wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.u8.rs",
        "wgmma.mma_async.sp.sync.aligned.m64n256k32.f16.f16.f16.ss",
        "wgmma.mma_async.sp.sync.aligned.m64n24k64.s32.u8.u8.rs"})
    EXPECT_NE(findMatrixInstruction(name), nullptr) << name;
  EXPECT_EQ(findMatrixInstruction(
                "wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8.ss"),
            nullptr);
}

} // namespace
