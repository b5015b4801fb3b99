//===- CopyAtomsTest.cpp - Copies against the PTX ISA's tables -----------===//
//
// ldmatrix and stmatrix: the PTX ISA's figure "ldmatrix fragment layout" typed
// out. Each row of a matrix is spread over four lanes, two elements in one
// register: lane l holds row l / 4, elements 2 * (l % 4) and 2 * (l % 4) + 1 of
// it; with .trans the matrix is loaded in column-major form, so that the same
// lane holds column l / 4. Destination register i belongs to matrix i.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/Instructions.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace tilec;

namespace {

TEST(CopyAtoms, MatrixLayoutsEqualThePtxIsaFigure) {
  int seen = 0;
  for (const CopyAtom &atom : getCopyAtoms()) {
    if (atom.matrixCount == 0)
      continue;
    ++seen;
    SCOPED_TRACE(atom.name);
    EXPECT_EQ(atom.layout.getShape(), (Coordinate{atom.matrixCount, 8, 8}));
    EXPECT_EQ(atom.layout.getRegisterCount(), 2 * atom.matrixCount);
    EXPECT_EQ(atom.layout.getExtent(HardwareDim::Lane), 32);
    std::set<Coordinate> held;
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t matrix = 0; matrix < atom.matrixCount; ++matrix)
        for (int64_t half = 0; half < 2; ++half) {
          int64_t line = lane / 4;
          int64_t element = 2 * (lane % 4) + half;
          Coordinate expected = atom.isTransposed
                                    ? Coordinate{matrix, element, line}
                                    : Coordinate{matrix, line, element};
          EXPECT_EQ(atom.layout.evaluate(2 * matrix + half, lane, 0), expected)
              << "lane " << lane << ", register " << matrix << ", half "
              << half;
          held.insert(expected);
        }
    EXPECT_EQ(int64_t(held.size()), 64 * atom.matrixCount);
  }
  EXPECT_EQ(seen, 12);
}

/// Checks that the matrices of `copy`, put at `origins` of an operand, deliver
/// what `operand` asks for, register by register.
void expectDelivers(const CopyAtom &copy,
                    const std::vector<Coordinate> &origins,
                    const FragmentLayout &operand) {
  ASSERT_EQ(copy.layout.getRegisterCount(), operand.getRegisterCount());
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t reg = 0; reg < operand.getRegisterCount(); ++reg) {
      Coordinate at = copy.layout.evaluate(reg, lane, 0);
      const Coordinate &origin = origins[at[0]];
      EXPECT_EQ(operand.evaluate(reg, lane, 0),
                (Coordinate{origin[0] + at[1], origin[1] + at[2]}))
          << "lane " << lane << ", element " << reg;
    }
}

TEST(CopyAtoms, MatricesDeliverTheOperandsOfMma) {
  const MmaAtom &mma =
      *findMmaAtomByName("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  // A row-major over (M, K): rows of memory are rows of A.
  expectDelivers(
      *findCopyAtomByName("ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
      {{0, 0}, {8, 0}, {0, 8}, {8, 8}}, mma.aLayout);
  // B row-major over (K, N): rows of memory run across a lane's pair.
  expectDelivers(
      *findCopyAtomByName("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"),
      {{0, 0}, {8, 0}}, mma.bLayout);
  // C, converted to f16, stored row-major over (M, N).
  expectDelivers(
      *findCopyAtomByName("stmatrix.sync.aligned.m8n8.x2.shared.b16"),
      {{0, 0}, {8, 0}}, mma.cLayout);
}

TEST(CopyAtoms, NamesAgreeWithTheirRows) {
  std::set<std::string> names;
  for (const CopyAtom &atom : getCopyAtoms()) {
    EXPECT_TRUE(names.insert(atom.name).second) << atom.name;
    EXPECT_EQ(findCopyAtomByName(atom.name), &atom);
  }
  const CopyAtom *load =
      findCopyAtomByName("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16");
  ASSERT_NE(load, nullptr);
  EXPECT_EQ(load->kind, CopyKind::LoadMatrix);
  EXPECT_EQ(load->matrixCount, 4);
  EXPECT_TRUE(load->isTransposed);
  EXPECT_EQ(load->bytesPerAccess, 16);
  const CopyAtom *store =
      findCopyAtomByName("stmatrix.sync.aligned.m8n8.x2.shared.b16");
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->kind, CopyKind::StoreMatrix);
  EXPECT_EQ(store->matrixCount, 2);
  EXPECT_FALSE(store->isTransposed);
  EXPECT_EQ(findCopyAtomByName("ldmatrix"), nullptr);
}

std::vector<std::string> names(std::string_view chip, CopyKind kind,
                               MemorySpace space, int ptxVersion = 0) {
  std::vector<std::string> found;
  for (const CopyAtom *atom :
       findCopyAtoms(*findTarget(chip), kind, space, ptxVersion))
    found.push_back(atom->name);
  return found;
}

TEST(CopyAtoms, FoundWidestFirst) {
  EXPECT_EQ(names("sm_80", CopyKind::Async, MemorySpace::Global),
            (std::vector<std::string>{
                "cp.async.ca.shared.global.16", "cp.async.cg.shared.global.16",
                "cp.async.ca.shared.global.8", "cp.async.ca.shared.global.4"}));
  EXPECT_EQ(names("sm_80", CopyKind::Load, MemorySpace::Shared),
            (std::vector<std::string>{"ld.shared.v4.b32", "ld.shared.v2.b32",
                                      "ld.shared.b32", "ld.shared.b16",
                                      "ld.shared.b8"}));
  EXPECT_EQ(names("sm_80", CopyKind::Store, MemorySpace::Global),
            (std::vector<std::string>{"st.global.v4.b32", "st.global.v2.b32",
                                      "st.global.b32", "st.global.b16",
                                      "st.global.b8"}));
  for (const GpuTarget &target : getKnownTargets())
    for (CopyKind kind : {CopyKind::LoadMatrix, CopyKind::StoreMatrix,
                          CopyKind::Async, CopyKind::Load, CopyKind::Store})
      for (MemorySpace space : {MemorySpace::Global, MemorySpace::Shared}) {
        int64_t last = 1 << 20;
        for (const CopyAtom *atom : findCopyAtoms(target, kind, space)) {
          int64_t bytes =
              atom->bytesPerAccess * std::max<int64_t>(1, atom->matrixCount);
          EXPECT_LE(bytes, last) << atom->name;
          last = bytes;
        }
      }
}

TEST(CopyAtoms, WidthsCoverOneToSixteenBytes) {
  for (MemorySpace space : {MemorySpace::Global, MemorySpace::Shared})
    for (CopyKind kind : {CopyKind::Load, CopyKind::Store}) {
      std::vector<int64_t> bytes;
      for (const CopyAtom *atom :
           findCopyAtoms(*findTarget("sm_80"), kind, space))
        bytes.push_back(atom->bytesPerAccess);
      EXPECT_EQ(bytes, (std::vector<int64_t>{16, 8, 4, 2, 1}));
    }
}

TEST(CopyAtoms, StoreMatrixStartsWithSm90) {
  EXPECT_TRUE(
      names("sm_89", CopyKind::StoreMatrix, MemorySpace::Shared, 90).empty());
  EXPECT_EQ(names("sm_90a", CopyKind::StoreMatrix, MemorySpace::Shared).size(),
            6u);
  EXPECT_EQ(names("sm_80", CopyKind::LoadMatrix, MemorySpace::Shared).size(),
            6u);
  EXPECT_EQ(names("sm_80", CopyKind::LoadMatrix, MemorySpace::Shared).front(),
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16");
}

} // namespace
