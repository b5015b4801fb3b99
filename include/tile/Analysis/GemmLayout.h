//===- GemmLayout.h - How a gemm is spread over warps -----------*- C++ -*-===//
//
// Given an instruction and a grid of warps, the layouts of a gemm's result and
// operands follow. In every dimension the chain is: the instruction's atom, the
// tiles one warp repeats in registers, then the warps:
//
//     M:  atom.m | tilesM (register) | warpsM    operand B replicates over these
//     N:  atom.n | tilesN (register) | warpsN    operand A replicates over these
//     K:  atom.k | tilesK (register)
//
// Registers run through the atom, then N (K for A and B), then M (N for B), so
// that the result of one gemm can be operand A of the next without moving data.
// Warps count along M first.
//
// Requires nothing of a stage: inference chooses with it, the lowering asks it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_GEMMLAYOUT_H
#define TILE_ANALYSIS_GEMMLAYOUT_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/Instructions.h"

namespace mlir::tile {

/// The value of `tile.gemm`'s `instruction` for multiply-adds by single
/// threads.
constexpr llvm::StringLiteral fmaInstruction = "fma";

struct GemmPlan {
  const tilec::MmaAtom *atom = nullptr;
  int64_t warpsM = 1, warpsN = 1;
  /// Atoms one warp repeats along each dimension.
  int64_t tilesM = 1, tilesN = 1, tilesK = 1;
  tilec::FragmentLayout result; ///< over (M, N)
  tilec::FragmentLayout a;      ///< over (M, K)
  tilec::FragmentLayout b;      ///< over (K, N)
};

/// The layouts for an M x N x K gemm on warpsM x warpsN warps. Fails where a
/// dimension is too small to give every warp a tile without breaking a chain.
tilec::Expected<GemmPlan> planGemm(const tilec::MmaAtom &atom, int64_t M,
                                   int64_t N, int64_t K, int64_t warpsM,
                                   int64_t warpsN);

/// The plan of a gemm whose instruction and result layout are chosen, found
/// back from them; fails if the result's layout is none that `planGemm` gives.
tilec::Expected<GemmPlan> getGemmPlan(GemmOp gemm);

/// The instruction's element kinds for a gemm's operands and accumulator.
struct GemmKinds {
  tilec::ElementKind a, b, accumulator;
};
/// Nothing for pairs of types that no matrix instruction multiplies (f32 ieee).
std::optional<GemmKinds> getGemmKinds(GemmOp gemm);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_GEMMLAYOUT_H
