//===- MmaAtomsTest.cpp - mma.sync against the PTX ISA's tables ----------===//
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

#include "tile/Hardware/Instructions.h"

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

// C and D of every shape with M = 16 ------------------------------------------

Position m16n8C(int groupID, int threadID, int i) {
  return {i < 2 ? groupID : groupID + 8, (threadID * 2) + (i & 0x1)};
}

// The rows -----------------------------------------------------------------------

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

TEST(MmaAtoms, LayoutsEqualThePtxIsaTables) {
  ASSERT_EQ(getMmaAtoms().size(), std::size(rows));
  for (const Row &row : rows) {
    SCOPED_TRACE(row.name);
    const MmaAtom *atom = findMmaAtomByName(row.name);
    ASSERT_NE(atom, nullptr);
    {
      SCOPED_TRACE("A");
      expectTable(atom->aLayout, {atom->m, atom->k}, row.a, row.aElements);
    }
    {
      SCOPED_TRACE("B");
      expectTable(atom->bLayout, {atom->k, atom->n}, row.b, row.bElements);
    }
    {
      SCOPED_TRACE("C");
      expectTable(atom->cLayout, {atom->m, atom->n}, row.c, row.cElements);
    }
    EXPECT_EQ(atom->getARegisters(), row.aRegisters);
    EXPECT_EQ(atom->getBRegisters(), row.bRegisters);
    EXPECT_EQ(atom->getCRegisters(), row.cRegisters);
    EXPECT_EQ(atom->registerBits, atom->a == F64 ? 64 : 32);
  }
}

TEST(MmaAtoms, NamesAgreeWithShapeAndTypes) {
  for (const MmaAtom &atom : getMmaAtoms()) {
    std::string shape = ".m" + std::to_string(atom.m) + "n" +
                        std::to_string(atom.n) + "k" + std::to_string(atom.k) +
                        ".";
    EXPECT_NE(atom.name.find(shape), std::string::npos) << atom.name;
    std::string types;
    for (ElementKind kind :
         {atom.accumulator, atom.a, atom.b, atom.accumulator})
      types += "." + std::string(getName(kind));
    EXPECT_TRUE(atom.name.ends_with(types)) << atom.name;
    EXPECT_EQ(findMmaAtomByName(atom.name), &atom);
  }
}

std::vector<int64_t> kExtents(const std::vector<const MmaAtom *> &atoms) {
  std::vector<int64_t> extents;
  for (const MmaAtom *atom : atoms)
    extents.push_back(atom->k);
  return extents;
}

TEST(MmaAtoms, FoundByTypesLargestKFirst) {
  const GpuTarget &sm80 = *findTarget("sm_80");
  EXPECT_EQ(kExtents(findMmaAtoms(sm80, F16, F16, F32)),
            (std::vector<int64_t>{16, 8}));
  EXPECT_EQ(kExtents(findMmaAtoms(sm80, TF32, TF32, F32)),
            (std::vector<int64_t>{8, 4}));
  EXPECT_EQ(kExtents(findMmaAtoms(sm80, U8, S8, S32)),
            (std::vector<int64_t>{32, 16}));
  EXPECT_EQ(kExtents(findMmaAtoms(sm80, F64, F64, F64)),
            (std::vector<int64_t>{4}));
  // No such instruction.
  EXPECT_TRUE(findMmaAtoms(sm80, F16, BF16, F32).empty());
  EXPECT_TRUE(findMmaAtoms(sm80, BF16, BF16, BF16).empty());
  EXPECT_TRUE(findMmaAtoms(sm80, S8, S8, F32).empty());
  EXPECT_EQ(findMmaAtomByName("mma.sync.aligned.m16n8k16"), nullptr);
}

TEST(MmaAtoms, Fp8StartsWithSm89AndItsPtxVersions) {
  EXPECT_TRUE(findMmaAtoms(*findTarget("sm_80"), E4M3, E5M2, F32, 90).empty());
  EXPECT_TRUE(findMmaAtoms(*findTarget("sm_86"), E4M3, E5M2, F32, 90).empty());
  const GpuTarget &sm89 = *findTarget("sm_89");
  EXPECT_EQ(findMmaAtoms(sm89, E4M3, E5M2, F32).size(), 1u);
  EXPECT_TRUE(findMmaAtoms(sm89, E4M3, E5M2, F32, 83).empty());
  EXPECT_TRUE(findMmaAtoms(sm89, E4M3, E5M2, F16).empty());
  EXPECT_EQ(findMmaAtoms(sm89, E4M3, E5M2, F16, 87).size(), 1u);
  EXPECT_EQ(findMmaAtoms(*findTarget("sm_120a"), E5M2, E5M2, F16).size(), 1u);
}

TEST(MmaAtoms, FirstTargetIsTheRemedy) {
  EXPECT_EQ(firstTargetFor(F16, F16, F32), findTarget("sm_80"));
  EXPECT_EQ(firstTargetFor(E4M3, E4M3, F32), findTarget("sm_89"));
  EXPECT_EQ(firstTargetFor(E4M3, E4M3, F16), findTarget("sm_89"));
  EXPECT_EQ(firstTargetFor(F32, F32, F32), nullptr);
}

TEST(MmaAtoms, DefaultPtxVersionsLackOnlyFp8WithF16Accumulators) {
  for (const GpuTarget &target : getKnownTargets())
    for (const MmaAtom &atom : getMmaAtoms())
      if (atom.firstCapability <= target.computeCapability &&
          !(atom.a == E4M3 || atom.a == E5M2 ? atom.accumulator == F16 : false))
        EXPECT_TRUE(atom.isAvailable(target, target.defaultPtxVersion))
            << target.name << " " << atom.name;
}

} // namespace
