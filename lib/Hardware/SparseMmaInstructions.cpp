//===- SparseMmaInstructions.cpp - The rows of mma.sp ---------------------===//
//
// A keeps two of every four columns of K, so that its registers are those of an
// A with half as many; B and C are as for mma.sync. A 4-bit number names the two
// that are kept, lowest first, and a word of 16 bits those of 16 columns.
//
// All lanes have a register of metadata, of which an instruction takes those of
// one pair of lanes in four, or all: its selector says which. What the lanes of
// all selectors hold together is 16 rows by four words, 64 columns of K, so
// that one register serves 64 / K instructions. (register, lane) -> (M, word):
//
//     16 bits  register [2 : (8, 0)]              two rows, one word
//              lane     [4 : (0, 1), 8 : (1, 0)]
//      8 bits  register [2 : (0, 1)]              one row, two words
//              lane     [2 : (8, 0), 2 : (0, 2), 8 : (1, 0)]
//
// Each warp of wgmma has the same of its own 16 rows. tf32 is missing: the
// instructions keep one column of two.
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::detail;
using enum ElementKind;

// PTX ISA, "mma.sp", the tables of shapes and "Target ISA Notes". The largest K
// of each type is enough, and 32 where a K of tiles may be no multiple of it.
constexpr MmaRow sparseRows[] = {
    {16, 8, 32, F16, F16, F32, 80, 71},   {16, 8, 32, F16, F16, F16, 80, 71},
    {16, 8, 32, BF16, BF16, F32, 80, 71},

    {16, 8, 64, S8, S8, S32, 80, 71},     {16, 8, 32, S8, S8, S32, 80, 71},
    {16, 8, 64, S8, U8, S32, 80, 71},     {16, 8, 32, S8, U8, S32, 80, 71},
    {16, 8, 64, U8, S8, S32, 80, 71},     {16, 8, 32, U8, S8, S32, 80, 71},
    {16, 8, 64, U8, U8, S32, 80, 71},     {16, 8, 32, U8, U8, S32, 80, 71},

    {16, 8, 64, E4M3, E4M3, F32, 89, 84}, {16, 8, 64, E4M3, E5M2, F32, 89, 84},
    {16, 8, 64, E5M2, E4M3, F32, 89, 84}, {16, 8, 64, E5M2, E5M2, F32, 89, 84},
};

/// The first version that has `.sp::ordered_metadata`, for which pairs of
/// positions increase. Newer chips are said to be slower without.
constexpr int firstOrderedPtxVersion = 85;

MatrixOperand tilec::detail::makeMetadata(int64_t elementBits, int64_t warps) {
  constexpr int64_t rows = 16, words = 4;
  bool isByRows = elementBits == 16;
  Digits ofWarps;
  if (warps > 1)
    ofWarps.push_back({warps, 0, rows});
  MatrixOperand metadata;
  metadata.elementsPerRegister = 2;
  metadata.layout = getRowLayout(
      isByRows
          ? FragmentLayout::get({rows * warps, words}, {{2, 0, 8}},
                                {{4, 1, 1}, {8, 0, 1}}, ofWarps)
          : FragmentLayout::get({rows * warps, words}, {{2, 1, 1}},
                                {{2, 0, 8}, {2, 1, 2}, {8, 0, 1}}, ofWarps));
  return metadata;
}

static MatrixInstruction makeSparse(const MmaRow &row, bool isOrdered) {
  MatrixInstruction mma = makeMmaInstruction(row);
  mma.name.replace(0, 3, isOrdered ? "mma.sp::ordered_metadata" : "mma.sp");
  mma.a.layout = makeLayoutA(row.m, row.k / 2, mma.a.elementsPerRegister, 1);
  mma.metadata = makeMetadata(getElementBits(row.a), /*warps=*/1);
  if (isOrdered)
    mma.firstPtxVersion = std::max(row.firstPtxVersion, firstOrderedPtxVersion);
  return mma;
}

void tilec::detail::addSparseMmaInstructions(
    std::vector<MatrixInstruction> &table) {
  for (bool isOrdered : {true, false})
    for (const MmaRow &row : sparseRows)
      table.push_back(makeSparse(row, isOrdered));
}
