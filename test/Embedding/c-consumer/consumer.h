/* What the parts of the consumer share. */
#ifndef CONSUMER_H
#define CONSUMER_H

#include "check.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"

/* Each tests one header of tile-c. */
void testEmulator(void);
void testDialect(MlirContext context);
/* `gemm`: the path of examples/gemm_f16.mlir. */
void testCompile(MlirContext context, const char *gemm);
void testRun(MlirContext context);

/* A callback of MLIR's that appends to the Text that `userData` is. */
void appendString(MlirStringRef string, void *userData);
/* A handler that appends messages and their notes to the Text that `userData` is. */
MlirLogicalResult collectDiagnostic(MlirDiagnostic diagnostic, void *userData);
/* The program `scale`: y = f * x. */
MlirModule parseScale(MlirContext context);
bool equals(MlirStringRef string, const char *text);

#endif
