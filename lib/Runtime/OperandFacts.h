//===- OperandFacts.h - What a kernel takes for granted ---------*- C++ -*-===//
//
// A kernel is compiled with what the host shows of its operands: alignments,
// divisors, ranges (`tile.operand_facts` on the `gpu.launch_func`). What the
// host computes is so by construction, what a program states was checked where
// it is stated; both are checked again at every launch, so that neither a host
// that is run otherwise nor a mistake of the compiler goes unnoticed.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_RUNTIME_OPERANDFACTS_H
#define TILE_LIB_RUNTIME_OPERANDFACTS_H

#include "tile/Reference/Interpreter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::tile {

/// Checks the facts of a launch against its operands. Addresses are taken to
/// begin, as buffers do, at multiples of every alignment that can be asked for.
LogicalResult checkOperandFacts(gpu::LaunchFuncOp op,
                                ArrayRef<reference::RuntimeValue> operands);

} // namespace mlir::tile

#endif // TILE_LIB_RUNTIME_OPERANDFACTS_H
