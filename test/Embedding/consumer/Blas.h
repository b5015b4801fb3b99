//===- Blas.h - A dialect with two operations--------------------*- C++ -*-===//

#ifndef CONSUMER_BLAS_H
#define CONSUMER_BLAS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#include "BlasDialect.h.inc"
#define GET_OP_CLASSES
#include "Blas.h.inc"

namespace blas {

/// Replaces every operation of the dialect by a tile program.
std::unique_ptr<mlir::Pass> createLowerBlasToTile();

} // namespace blas

#endif // CONSUMER_BLAS_H
