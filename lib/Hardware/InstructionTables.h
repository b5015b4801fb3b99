//===- InstructionTables.h - The families behind the tables -----*- C++ -*-===//
//
// Private to lib/Hardware. Each family of instructions is a file that appends
// its rows, or makes those of the types asked for; MatrixInstructions.cpp and
// CopyInstructions.cpp put the tables together and answer the queries.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_HARDWARE_INSTRUCTIONTABLES_H
#define TILE_LIB_HARDWARE_INSTRUCTIONTABLES_H

#include "tile/Hardware/CopyInstruction.h"
#include "tile/Hardware/MatrixInstruction.h"

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace tilec::detail {

void addMmaInstructions(std::vector<MatrixInstruction> &table);
void addSparseMmaInstructions(std::vector<MatrixInstruction> &table);
void addMatrixCopies(std::vector<CopyInstruction> &table);
void addBulkCopies(std::vector<CopyInstruction> &table);

/// As names of instructions list types: ".f32.f16.f16".
std::string listKinds(std::initializer_list<ElementKind> kinds);

/// Types that wgmma multiplies.
struct WgmmaTypes {
  ElementKind a, b, accumulator;
  int firstPtxVersion = 80;

  std::string getName() const { return listKinds({accumulator, a, b}); }
};

std::span<const WgmmaTypes> getWgmmaTypes();

/// The rows of wgmma for `types`, one of getWgmmaTypes(), of which there are many: made
/// when somebody asks for them.
std::span<const MatrixInstruction> getWgmmaInstructions(const WgmmaTypes &types,
                                                        bool isSparse);

/// One line of the tables of mma; the layouts follow from it.
struct MmaRow {
  int64_t m, n, k;
  ElementKind a, b, accumulator;
  int firstCapability;
  int firstPtxVersion;
};

/// The row of mma.sync for a line, with a dense A.
MatrixInstruction makeMmaInstruction(const MmaRow &row);

/// The layout of a row, whose digits are constants of its family.
template <typename Layout>
Layout getRowLayout(const Expected<Layout> &layout) {
  if (!layout) {
    std::fprintf(stderr, "invalid row of an instruction table: %s\n",
                 layout.reason().c_str());
    std::abort();
  }
  return *layout;
}

/// (register, lane, warp) -> (M, K) of an operand A in registers that a warp
/// holds `rows` rows of, spread like mma's: see MmaInstructions.cpp.
FragmentLayout makeLayoutA(int64_t rows, int64_t k, int64_t elementsPerRegister,
                           int64_t warps);

/// (register, lane, warp) -> (M, N) of an accumulator, likewise.
FragmentLayout makeAccumulatorLayout(int64_t rows, int64_t n, int64_t warps);

/// The metadata of a sparse A of elements of 16 or 8 bits, of which each of `warps`
/// has 16 rows: see SparseMmaInstructions.cpp.
MatrixOperand makeMetadata(int64_t elementBits, int64_t warps);

} // namespace tilec::detail

#endif // TILE_LIB_HARDWARE_INSTRUCTIONTABLES_H
