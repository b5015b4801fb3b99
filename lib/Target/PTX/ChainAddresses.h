//===- ChainAddresses.h - Addresses of copies, each from the last -*- C++ -*-===//
//
// The copies of a loop bring rows of a tile, whose pitch is known at run time only:
//
//     for k: copy [a + k], [a + d + k], [a + 2 d + k], [a + 3 d + k]
//
// LLVM's strength reduction has a pointer for each row that it advances in each
// iteration, or, where it finds too many ways, takes apart what all have in common:
// two additions of 64 bits a row, and two registers or more. Here one pointer is kept,
// and each address is made of the one before:
//
//     for k: p; q = p + d; r = q + d; s = r + d;  p' = p + step, or s + d where that is it
//
// One addition a row, and two registers for each distinct distance.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_TARGET_PTX_CHAINADDRESSES_H
#define TILE_LIB_TARGET_PTX_CHAINADDRESSES_H

#include "llvm/IR/PassManager.h"

namespace mlir::tile {

/// Chains the addresses in global memory that inline assembly in innermost loops takes:
/// those that advance by one step, two or more of them. LLVM's strength reduction does
/// not look into the chain, which ends in `freeze`.
class ChainAddressesPass : public llvm::PassInfoMixin<ChainAddressesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace mlir::tile

#endif // TILE_LIB_TARGET_PTX_CHAINADDRESSES_H
