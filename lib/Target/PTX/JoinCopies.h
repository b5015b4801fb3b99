//===- JoinCopies.h - Copies of registers that need no search ---*- C++ -*-===//
//
// Private to lib/Target/PTX. Warpgroups' products are statements of which each of up to
// 256 registers is result and operand. Code generation copies every one into a register
// that crosses blocks, and another time to have the operand in the result's place. Its
// coalescer joins them one by one, comparing with all of the chain so far, which is the
// square of the chain's length; most can be joined at sight.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_TARGET_PTX_JOINCOPIES_H
#define TILE_LIB_TARGET_PTX_JOINCOPIES_H

#include "llvm/CodeGen/MachineFunctionPass.h"

namespace mlir::tile {

/// Reads the source of each copy in the copy's place; for code in SSA form, behind
/// instruction selection.
llvm::MachineFunctionPass *createForwardCopiesPass();

/// Gives a register that ends in a copy the register that begins there, where the first
/// lives within one block; for code that has left SSA form, in front of the coalescer.
llvm::MachineFunctionPass *createJoinChainsPass();

} // namespace mlir::tile

#endif // TILE_LIB_TARGET_PTX_JOINCOPIES_H
