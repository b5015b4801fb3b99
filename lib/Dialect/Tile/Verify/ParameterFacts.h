//===- ParameterFacts.h - What a kernel knows of its parameters -*- C++ -*-===//
//
// `tile.memref_facts` and `tile.scalar_facts` on the parameters of a kernel, and
// the same facts as `tile.operand_facts` on the launches that start it, stand
// where they can be true: on a kernel, on a value of their kind, one fact per
// dimension, none that the type contradicts.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_DIALECT_TILE_VERIFY_PARAMETERFACTS_H
#define TILE_LIB_DIALECT_TILE_VERIFY_PARAMETERFACTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace mlir::tile {

/// Checks facts about a value of type `type`; the error that `emitError` begins
/// ends in what is wrong.
LogicalResult
verifyParameterFacts(Type type, Attribute facts,
                     llvm::function_ref<InFlightDiagnostic()> emitError);

/// `op` if it starts a kernel, else null.
gpu::LaunchFuncOp getKernelLaunch(Operation *op);

/// Checks `tile.operand_facts`: an entry per operand of a `gpu.launch_func`,
/// `unit` where nothing is known.
LogicalResult verifyOperandFacts(Operation *op, Attribute facts);

} // namespace mlir::tile

#endif // TILE_LIB_DIALECT_TILE_VERIFY_PARAMETERFACTS_H
