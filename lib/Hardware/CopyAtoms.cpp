//===- CopyAtoms.cpp - The rows of instructions that move data -----------===//
//
// ldmatrix and stmatrix move 8x8 matrices of 16-bit elements whose rows are 16
// consecutive bytes of shared memory. In every matrix
//
//     lane = 4 * row + column / 2, register element = column % 2
//     with .trans: rows and columns change places
//
// and matrix i of the list goes to 32-bit register i. Elements of 8 or 32 bits
// travel as parts of 16-bit ones or as two of them (not transposed).
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/Instructions.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace tilec;

/// (register, lane) -> (matrix, row, column) of `matrixCount` 8x8 matrices.
static FragmentLayout makeMatrixLayout(int64_t matrixCount, bool isTransposed) {
  int pairDim = isTransposed ? 1 : 2;
  int laneDim = isTransposed ? 2 : 1;
  Expected<FragmentLayout> layout = FragmentLayout::get(
      {matrixCount, 8, 8}, {{2, pairDim, 1}, {matrixCount, 0, 1}},
      {{4, pairDim, 2}, {8, laneDim, 1}}, {});
  if (!layout) {
    std::fprintf(stderr, "invalid row of the copy table: %s\n",
                 layout.reason().c_str());
    std::abort();
  }
  return *layout;
}

static void addMatrixRows(std::vector<CopyAtom> &rows, CopyKind kind,
                          std::string_view mnemonic, int capability,
                          int ptxVersion) {
  for (int64_t matrixCount : {4, 2, 1})
    for (bool isTransposed : {false, true}) {
      CopyAtom atom;
      atom.name = std::string(mnemonic) + ".sync.aligned.m8n8.x" +
                  std::to_string(matrixCount) + (isTransposed ? ".trans" : "") +
                  ".shared.b16";
      atom.kind = kind;
      atom.space = MemorySpace::Shared;
      atom.bytesPerAccess = 16;
      atom.matrixCount = matrixCount;
      atom.isTransposed = isTransposed;
      atom.layout = makeMatrixLayout(matrixCount, isTransposed);
      atom.firstCapability = capability;
      atom.firstPtxVersion = ptxVersion;
      rows.push_back(std::move(atom));
    }
}

static void addAsyncRow(std::vector<CopyAtom> &rows, std::string_view cache,
                        int64_t bytes) {
  CopyAtom atom;
  atom.name = "cp.async." + std::string(cache) + ".shared.global." +
              std::to_string(bytes);
  atom.kind = CopyKind::Async;
  atom.space = MemorySpace::Global;
  atom.bytesPerAccess = bytes;
  atom.firstCapability = 80;
  atom.firstPtxVersion = 70;
  rows.push_back(std::move(atom));
}

static void addVectorRows(std::vector<CopyAtom> &rows, CopyKind kind,
                          MemorySpace space) {
  struct Width {
    int64_t bytes;
    const char *suffix;
  };
  constexpr Width widths[] = {
      {16, "v4.b32"}, {8, "v2.b32"}, {4, "b32"}, {2, "b16"}, {1, "b8"}};
  for (const Width &width : widths) {
    CopyAtom atom;
    atom.name = kind == CopyKind::Load ? "ld." : "st.";
    atom.name += space == MemorySpace::Global ? "global." : "shared.";
    atom.name += width.suffix;
    atom.kind = kind;
    atom.space = space;
    atom.bytesPerAccess = width.bytes;
    atom.firstCapability = 10;
    atom.firstPtxVersion = 10;
    rows.push_back(std::move(atom));
  }
}

static std::vector<CopyAtom> makeCopyAtoms() {
  std::vector<CopyAtom> rows;
  addMatrixRows(rows, CopyKind::LoadMatrix, "ldmatrix", 75, 65);
  addMatrixRows(rows, CopyKind::StoreMatrix, "stmatrix", 90, 78);
  addAsyncRow(rows, "ca", 16);
  addAsyncRow(rows, "cg", 16);
  addAsyncRow(rows, "ca", 8);
  addAsyncRow(rows, "ca", 4);
  for (CopyKind kind : {CopyKind::Load, CopyKind::Store})
    for (MemorySpace space : {MemorySpace::Global, MemorySpace::Shared})
      addVectorRows(rows, kind, space);
  return rows;
}

const std::vector<CopyAtom> &tilec::getCopyAtoms() {
  static const std::vector<CopyAtom> atoms = makeCopyAtoms();
  return atoms;
}

bool CopyAtom::isAvailable(const GpuTarget &target, int ptxVersion) const {
  return target.computeCapability >= firstCapability &&
         ptxVersion >= firstPtxVersion;
}

std::vector<const CopyAtom *> tilec::findCopyAtoms(const GpuTarget &target,
                                                   CopyKind kind,
                                                   MemorySpace space,
                                                   int ptxVersion) {
  if (ptxVersion == 0)
    ptxVersion = target.defaultPtxVersion;
  std::vector<const CopyAtom *> found;
  // The table already has the order of the result.
  for (const CopyAtom &atom : getCopyAtoms())
    if (atom.kind == kind && atom.space == space &&
        atom.isAvailable(target, ptxVersion))
      found.push_back(&atom);
  return found;
}

const CopyAtom *tilec::findCopyAtomByName(std::string_view name) {
  for (const CopyAtom &atom : getCopyAtoms())
    if (atom.name == name)
      return &atom;
  return nullptr;
}
