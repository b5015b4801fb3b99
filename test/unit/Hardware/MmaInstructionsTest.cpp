//===- MmaInstructionsTest.cpp - mma.sync against the PTX ISA -------------===//
//
// The formulas of the PTX ISA, section "Matrix fragments for mma.<shape>",
// typed out with its own names: for element i of a lane,
//
//     groupID = %laneid >> 2, threadID_in_group = %laneid % 4
//
// and a row and a column. One function a table; nothing is shared with the code
// that builds the rows. Every element of every lane of every row is compared.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/MatrixInstruction.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilec;
using enum ElementKind;

namespace {

struct Position {
  int64_t row, col;
};

/// One table: where lane (groupID, threadID_in_group) holds element i.
using Table = Position (*)(int groupID, int threadID, int i);

// m16n8k16, f16 and bf16 ------------------------------------------------------

Position m16n8k16A16Bit(int groupID, int threadID, int i) {
  bool upper = (0 <= i && i < 2) || (4 <= i && i < 6);
  int row = upper ? groupID : groupID + 8;
  int col = i < 4 ? (threadID * 2) + (i & 0x1) : (threadID * 2) + (i & 0x1) + 8;
  return {row, col};
}

Position m16n8k16B16Bit(int groupID, int threadID, int i) {
  int row = i < 2 ? (threadID * 2) + (i & 0x1) : (threadID * 2) + (i & 0x1) + 8;
  return {row, groupID};
}

// m16n8k8, f16 and bf16 -------------------------------------------------------

Position m16n8k8A16Bit(int groupID, int threadID, int i) {
  return {i < 2 ? groupID : groupID + 8, threadID * 2 + (i & 0x1)};
}

Position m16n8k8B16Bit(int groupID, int threadID, int i) {
  return {(threadID * 2) + i, groupID};
}

// m16n8k8 and m16n8k4, tf32 ---------------------------------------------------

Position m16n8k8ATf32(int groupID, int threadID, int i) {
  int row = (i == 0 || i == 2) ? groupID : groupID + 8;
  int col = (i == 0 || i == 1) ? threadID : threadID + 4;
  return {row, col};
}

Position m16n8k8BTf32(int groupID, int threadID, int i) {
  return {i == 0 ? threadID : threadID + 4, groupID};
}

Position m16n8k4ATf32(int groupID, int threadID, int i) {
  return {i == 0 ? groupID : groupID + 8, threadID};
}

Position m16n8k4BTf32(int groupID, int threadID, int) {
  return {threadID, groupID};
}

// m8n8k4, f64 -----------------------------------------------------------------

Position m8n8k4AF64(int groupID, int threadID, int) {
  return {groupID, threadID};
}

Position m8n8k4BF64(int groupID, int threadID, int) {
  return {threadID, groupID};
}

Position m8n8k4CF64(int groupID, int threadID, int i) {
  return {groupID, threadID * 2 + (i & 0x1)};
}

// m16n8k16, 8 bits ------------------------------------------------------------

Position m16n8k16A8Bit(int groupID, int threadID, int i) {
  return {i < 4 ? groupID : groupID + 8, (threadID * 4) + (i & 0x3)};
}

Position m16n8k16B8Bit(int groupID, int threadID, int i) {
  return {(threadID * 4) + i, groupID};
}

// m16n8k32, 8 bits ------------------------------------------------------------

Position m16n8k32A8Bit(int groupID, int threadID, int i) {
  bool upper = (0 <= i && i < 4) || (8 <= i && i < 12);
  int row = upper ? groupID : groupID + 8;
  int col =
      i < 8 ? (threadID * 4) + (i & 0x3) : (threadID * 4) + (i & 0x3) + 16;
  return {row, col};
}

Position m16n8k32B8Bit(int groupID, int threadID, int i) {
  int row =
      i < 4 ? (threadID * 4) + (i & 0x3) : (threadID * 4) + (i & 0x3) + 16;
  return {row, groupID};
}

// m16n8k64, 4 bits ------------------------------------------------------------

Position m16n8k64A4Bit(int groupID, int threadID, int i) {
  bool upper = (0 <= i && i < 8) || (16 <= i && i < 24);
  int row = upper ? groupID : groupID + 8;
  int col =
      i < 16 ? (threadID * 8) + (i & 0x7) : (threadID * 8) + (i & 0x7) + 32;
  return {row, col};
}

Position m16n8k64B4Bit(int groupID, int threadID, int i) {
  int row =
      i < 8 ? (threadID * 8) + (i & 0x7) : (threadID * 8) + (i & 0x7) + 32;
  return {row, groupID};
}

// C and D of every shape with M = 16 ------------------------------------------

Position m16n8C(int groupID, int threadID, int i) {
  return {i < 2 ? groupID : groupID + 8, (threadID * 2) + (i & 0x1)};
}

// The rows --------------------------------------------------------------------

struct Row {
  const char *name;
  Table a, b, c;
  int aElements, bElements, cElements;    // a lane
  int aRegisters, bRegisters, cRegisters; // of the PTX operand lists
};

#define NAME(SHAPE, TYPES) "mma.sync.aligned." SHAPE ".row.col." TYPES

#define ROWS_16BIT_K16(TYPES, C_REGISTERS)                                     \
  {NAME("m16n8k16", TYPES),                                                    \
   m16n8k16A16Bit,                                                             \
   m16n8k16B16Bit,                                                             \
   m16n8C,                                                                     \
   8,                                                                          \
   4,                                                                          \
   4,                                                                          \
   4,                                                                          \
   2,                                                                          \
   C_REGISTERS}
#define ROWS_16BIT_K8(TYPES, C_REGISTERS)                                      \
  {NAME("m16n8k8", TYPES),                                                     \
   m16n8k8A16Bit,                                                              \
   m16n8k8B16Bit,                                                              \
   m16n8C,                                                                     \
   4,                                                                          \
   2,                                                                          \
   4,                                                                          \
   2,                                                                          \
   1,                                                                          \
   C_REGISTERS}
#define ROWS_8BIT_K32(TYPES, C_REGISTERS)                                      \
  {NAME("m16n8k32", TYPES),                                                    \
   m16n8k32A8Bit,                                                              \
   m16n8k32B8Bit,                                                              \
   m16n8C,                                                                     \
   16,                                                                         \
   8,                                                                          \
   4,                                                                          \
   4,                                                                          \
   2,                                                                          \
   C_REGISTERS}
#define ROWS_8BIT_K16(TYPES)                                                   \
  {NAME("m16n8k16", TYPES),                                                    \
   m16n8k16A8Bit,                                                              \
   m16n8k16B8Bit,                                                              \
   m16n8C,                                                                     \
   8,                                                                          \
   4,                                                                          \
   4,                                                                          \
   2,                                                                          \
   1,                                                                          \
   4}

const Row rows[] = {
    ROWS_16BIT_K16("f32.f16.f16.f32", 4),
    ROWS_16BIT_K8("f32.f16.f16.f32", 4),
    ROWS_16BIT_K16("f16.f16.f16.f16", 2),
    ROWS_16BIT_K8("f16.f16.f16.f16", 2),
    ROWS_16BIT_K16("f32.bf16.bf16.f32", 4),
    ROWS_16BIT_K8("f32.bf16.bf16.f32", 4),
    {NAME("m16n8k8", "f32.tf32.tf32.f32"), m16n8k8ATf32, m16n8k8BTf32, m16n8C,
     4, 2, 4, 4, 2, 4},
    {NAME("m16n8k4", "f32.tf32.tf32.f32"), m16n8k4ATf32, m16n8k4BTf32, m16n8C,
     2, 1, 4, 2, 1, 4},
    {NAME("m8n8k4", "f64.f64.f64.f64"), m8n8k4AF64, m8n8k4BF64, m8n8k4CF64, 1,
     1, 2, 1, 1, 2},
    ROWS_8BIT_K32("s32.s8.s8.s32", 4),
    ROWS_8BIT_K16("s32.s8.s8.s32"),
    ROWS_8BIT_K32("s32.s8.u8.s32", 4),
    ROWS_8BIT_K16("s32.s8.u8.s32"),
    ROWS_8BIT_K32("s32.u8.s8.s32", 4),
    ROWS_8BIT_K16("s32.u8.s8.s32"),
    ROWS_8BIT_K32("s32.u8.u8.s32", 4),
    ROWS_8BIT_K16("s32.u8.u8.s32"),
    ROWS_8BIT_K32("f32.e4m3.e4m3.f32", 4),
    ROWS_8BIT_K32("f16.e4m3.e4m3.f16", 2),
    ROWS_8BIT_K32("f32.e4m3.e5m2.f32", 4),
    ROWS_8BIT_K32("f16.e4m3.e5m2.f16", 2),
    ROWS_8BIT_K32("f32.e5m2.e4m3.f32", 4),
    ROWS_8BIT_K32("f16.e5m2.e4m3.f16", 2),
    ROWS_8BIT_K32("f32.e5m2.e5m2.f32", 4),
    ROWS_8BIT_K32("f16.e5m2.e5m2.f16", 2),
};

void expectTable(const FragmentLayout &layout, Coordinate shape, Table table,
                 int elements) {
  EXPECT_EQ(layout.getShape(), shape);
  EXPECT_EQ(layout.getExtent(HardwareDim::Register), elements);
  EXPECT_EQ(layout.getExtent(HardwareDim::Lane), 32);
  EXPECT_EQ(layout.getExtent(HardwareDim::Warp), 1);
  std::set<Coordinate> held;
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < elements; ++i) {
      Position expected = table(lane >> 2, lane % 4, i);
      Coordinate coordinate = layout.evaluate(i, lane, 0);
      EXPECT_EQ(coordinate, (Coordinate{expected.row, expected.col}))
          << "lane " << lane << ", element " << i;
      held.insert(coordinate);
    }
  // Each element of the matrix is held exactly once.
  EXPECT_EQ(int64_t(held.size()), shape[0] * shape[1]);
  EXPECT_EQ(int64_t(held.size()), int64_t(32) * elements);
}

void expectRegisters(const MatrixOperand &operand, int registers, int bits) {
  EXPECT_EQ(operand.space, OperandSpace::Registers);
  EXPECT_EQ(operand.getRegisterCount(), registers);
  EXPECT_EQ(operand.registerBits, bits);
  EXPECT_TRUE(operand.sharedLayouts.empty());
}

// The rows of mma.sync come first in the table, in the order of `rows`.
TEST(MmaInstructions, LayoutsEqualThePtxIsaTables) {
  const std::vector<const MatrixInstruction *> all = getMatrixInstructions();
  for (size_t i = 0; i < std::size(rows); ++i) {
    const Row &row = rows[i];
    SCOPED_TRACE(row.name);
    const MatrixInstruction &mma = *all[i];
    ASSERT_EQ(mma.name, row.name);
    {
      SCOPED_TRACE("A");
      expectTable(mma.a.layout, {mma.m, mma.k}, row.a, row.aElements);
    }
    {
      SCOPED_TRACE("B");
      expectTable(mma.b.layout, {mma.k, mma.n}, row.b, row.bElements);
    }
    {
      SCOPED_TRACE("C");
      expectTable(mma.accumulator.layout, {mma.m, mma.n}, row.c, row.cElements);
    }
    int bits = mma.kindA == F64 ? 64 : 32;
    expectRegisters(mma.a, row.aRegisters, bits);
    expectRegisters(mma.b, row.bRegisters, bits);
    expectRegisters(mma.accumulator, row.cRegisters, bits);
  }
}

TEST(MmaInstructions, AreByAWarpAndDoneAtOnce) {
  size_t count = 0;
  for (const MatrixInstruction *instruction : getMatrixInstructions()) {
    const MatrixInstruction &row = *instruction;
    if (!row.name.starts_with("mma.sync."))
      continue;
    EXPECT_EQ(row.participants, Participants::Warp) << row.name;
    EXPECT_EQ(row.completion, Completion::Immediate) << row.name;
    if (row.scaling)
      continue;
    ++count;
    EXPECT_FALSE(row.isArchitectureSpecific) << row.name;
    EXPECT_FALSE(row.metadata || row.scaleA || row.scaleB) << row.name;
  }
  EXPECT_EQ(count, std::size(rows));
}

TEST(MmaInstructions, NamesAgreeWithShapeAndTypes) {
  const std::vector<const MatrixInstruction *> all = getMatrixInstructions();
  for (size_t i = 0; i < std::size(rows); ++i) {
    const MatrixInstruction &mma = *all[i];
    std::string shape = ".m" + std::to_string(mma.m) + "n" +
                        std::to_string(mma.n) + "k" + std::to_string(mma.k) +
                        ".";
    EXPECT_NE(mma.name.find(shape), std::string::npos) << mma.name;
    std::string types;
    for (ElementKind kind :
         {mma.kindAccumulator, mma.kindA, mma.kindB, mma.kindAccumulator})
      types += "." + std::string(getName(kind));
    EXPECT_TRUE(mma.name.ends_with(types)) << mma.name;
  }
}

const char *const mxf8f6f4 = "mma.sync.aligned.m16n8k32.row.col."
                             "kind::mxf8f6f4.block_scale.scale_vec::1X.f32.";
const char *const mxf4 =
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X."
    "f32.e2m1.e2m1.f32.ue8m0";
const char *const nvf4 =
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale."
    "scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3";

// PTX ISA, the figures of scale_vec::1X, 2X and 4X: of the four lanes 4 g + t of a group
// those with t = 2 s + h have the scales of row g + 8 h of A where s, and the lane with
// t = s that of column g of B where s is the thread that the statement names. The
// layouts let every s be named; where the sign of a scale is lost, every lane has both
// rows.
TEST(MmaInstructions, ScalesLieWhereAnyLaneOfAGroupMayBeNamed) {
  int count = 0;
  for (const MatrixInstruction *instruction : getMatrixInstructions()) {
    const MatrixInstruction &row = *instruction;
    if (!row.scaling)
      continue;
    SCOPED_TRACE(row.name);
    ++count;
    bool losesSign = row.scaling->kind == UE4M3;
    if (row.k == 64)
      EXPECT_EQ(row.name, losesSign ? nvf4 : mxf4);
    else
      EXPECT_EQ(row.name, mxf8f6f4 + std::string(getName(row.kindA)) + "." +
                              std::string(getName(row.kindB)) + ".f32.ue8m0");
    EXPECT_EQ(row.scaling->block, losesSign ? 16 : 32);
    EXPECT_EQ(row.getScalesPerStep(), losesSign ? 4 : row.k / 32);
    EXPECT_EQ(row.scaleA->layout.getShape(), (Coordinate{16, 1}));
    EXPECT_EQ(row.scaleB->layout.getShape(), (Coordinate{8, 1}));
    EXPECT_EQ(row.scaleA->layout.getRegisterCount(), losesSign ? 2 : 1);
    for (int lane = 0; lane < 32; ++lane) {
      int g = lane / 4, t = lane % 4;
      int reg = losesSign ? t % 2 : 0;
      EXPECT_EQ(row.scaleA->layout.evaluate(reg, lane, 0),
                (Coordinate{g + 8 * (t % 2), 0}));
      EXPECT_EQ(row.scaleB->layout.evaluate(0, lane, 0), (Coordinate{g, 0}));
    }
  }
  EXPECT_EQ(count, 27);
}

// PTX ISA, "Matrix Fragments for mma.m16n8k64"; narrower elements of m16n8k32 lie as
// those of 8 bits do.
TEST(MmaInstructions, ScaledElementsLieAsThePtxIsaHasThem) {
  for (const MatrixInstruction *instruction : getMatrixInstructions()) {
    const MatrixInstruction &row = *instruction;
    if (!row.scaling)
      continue;
    SCOPED_TRACE(row.name);
    bool isPacked = row.k == 64;
    expectTable(row.a.layout, {16, row.k},
                isPacked ? m16n8k64A4Bit : m16n8k32A8Bit, isPacked ? 32 : 16);
    expectTable(row.b.layout, {row.k, 8},
                isPacked ? m16n8k64B4Bit : m16n8k32B8Bit, isPacked ? 16 : 8);
    expectTable(row.accumulator.layout, {16, 8}, m16n8C, 4);
    expectRegisters(row.a, 4, 32);
    expectRegisters(row.b, 2, 32);
    expectRegisters(row.accumulator, 4, 32);
  }
}

// Scales are of rows with them only, for blocks of which theirs is a divisor.
TEST(MmaInstructions, RowsWithScalesAreAskedFor) {
  const GpuTarget &sm120 = *findTarget("sm_120a");
  auto find = [&](const GpuTarget &target, int64_t block) {
    return findScaledInstructions(target, ElementKind::E4M3, ElementKind::E5M2,
                                  ElementKind::F32, {ElementKind::UE8M0, block})
        .size();
  };
  EXPECT_EQ(find(sm120, 32), 1u);
  EXPECT_EQ(find(sm120, 96), 1u);
  EXPECT_EQ(find(sm120, 16), 0u);
  EXPECT_EQ(find(*findTarget("sm_100a"), 32), 0u);
  auto findPacked = [&](const BlockScaling &scaling) -> std::string {
    auto found = findScaledInstructions(sm120, E2M1, E2M1, F32, scaling);
    return found.empty() ? "" : found.front()->name;
  };
  EXPECT_EQ(findPacked({UE8M0, 64}), mxf4);
  EXPECT_EQ(findPacked({UE8M0, 16}), "");
  EXPECT_EQ(findPacked({UE4M3, 48}), nvf4);
  EXPECT_EQ(findPacked({UE4M3, 24}), "");
  EXPECT_TRUE(
      findScaledInstructions(sm120, E2M1, E4M3, F32, {UE4M3, 16}).empty());
  for (const MatrixInstruction *row : findMatrixInstructions(
           sm120, ElementKind::E4M3, ElementKind::E5M2, ElementKind::F32))
    EXPECT_FALSE(row->scaling) << row->name;
}

} // namespace
