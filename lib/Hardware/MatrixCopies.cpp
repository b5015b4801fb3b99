//===- MatrixCopies.cpp - The rows of ldmatrix and stmatrix --------------===//
//
// Both move 8x8 matrices of 16-bit elements whose rows are 16 consecutive bytes
// of shared memory. In every matrix
//
//     lane = 4 * row + column / 2, register element = column % 2
//     with .trans: rows and columns change places
//
// and matrix i of the list goes to 32-bit register i. Elements of 8 or 32 bits
// travel as parts of 16-bit ones or as two of them (not transposed).
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"

using namespace tilec;
using namespace tilec::detail;

/// (register, lane) -> (matrix, row, column) of `matrixCount` 8x8 matrices.
static FragmentLayout makeMatrixLayout(int64_t matrixCount, bool isTransposed) {
  int pairDim = isTransposed ? 1 : 2;
  int laneDim = isTransposed ? 2 : 1;
  return getRowLayout(FragmentLayout::get(
      {matrixCount, 8, 8}, {{2, pairDim, 1}, {matrixCount, 0, 1}},
      {{4, pairDim, 2}, {8, laneDim, 1}}, {}));
}

/// What ldmatrix and stmatrix share, but for the spaces and the chips.
static CopyInstruction makeMatrixCopy(std::string_view mnemonic,
                                      int64_t matrixCount, bool isTransposed) {
  CopyInstruction copy;
  copy.name = std::string(mnemonic) + ".sync.aligned.m8n8.x" +
              std::to_string(matrixCount) + (isTransposed ? ".trans" : "") +
              ".shared.b16";
  copy.accessBytes = {16};
  copy.issuer = Issuer::Warp;
  copy.padding = Padding::None;
  copy.matrixCount = matrixCount;
  copy.isTransposed = isTransposed;
  copy.layout = makeMatrixLayout(matrixCount, isTransposed);
  return copy;
}

void tilec::detail::addMatrixCopies(std::vector<CopyInstruction> &table) {
  for (int64_t matrixCount : {4, 2, 1})
    for (bool isTransposed : {false, true}) {
      CopyInstruction load =
          makeMatrixCopy("ldmatrix", matrixCount, isTransposed);
      load.source = MemorySpace::Shared;
      load.dest = MemorySpace::Registers;
      load.firstCapability = 75;
      load.firstPtxVersion = 65;
      table.push_back(std::move(load));
    }
  for (int64_t matrixCount : {4, 2, 1})
    for (bool isTransposed : {false, true}) {
      CopyInstruction store =
          makeMatrixCopy("stmatrix", matrixCount, isTransposed);
      store.source = MemorySpace::Registers;
      store.dest = MemorySpace::Shared;
      store.firstCapability = 90;
      store.firstPtxVersion = 78;
      table.push_back(std::move(store));
    }
}
