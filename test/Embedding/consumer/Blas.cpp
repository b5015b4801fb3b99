//===- Blas.cpp - A dialect with two operations----------------------------===//

#include "Blas.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "BlasDialect.cpp.inc"
#define GET_OP_CLASSES
#include "Blas.cpp.inc"

void blas::BlasDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Blas.cpp.inc"
      >();
}
