/* Runs the tests of all headers in one context: c-consumer examples/gemm_f16.mlir */
#include "consumer.h"

#include "tile-c/Compile.h"
#include "tile-c/Dialect.h"

void appendString(MlirStringRef string, void *userData) {
  appendText(userData, string.data, string.length);
}

MlirLogicalResult collectDiagnostic(MlirDiagnostic diagnostic, void *userData) {
  intptr_t note;
  mlirDiagnosticPrint(diagnostic, appendString, userData);
  appendText(userData, "\n", 1);
  for (note = 0; note < mlirDiagnosticGetNumNotes(diagnostic); ++note)
    collectDiagnostic(mlirDiagnosticGetNote(diagnostic, note), userData);
  return mlirLogicalResultSuccess();
}

bool equals(MlirStringRef string, const char *text) {
  return mlirStringRefEqual(string, mlirStringRefCreateFromCString(text));
}

static const char *const scale =
    "func.func @scale(%f: f32, %x: memref<?xf32>, %y: memref<?xf32>) {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c128 = arith.constant 128 : index\n"
    "  %n = memref.dim %x, %c0 : memref<?xf32>\n"
    "  %blocks = arith.ceildivsi %n, %c128 : index\n"
    "  tile.launch @scale_kernel blocks(%b) in (%blocks) threads(128) {\n"
    "    %i = arith.muli %b, %c128 : index\n"
    "    %t = tile.load %x[%i] : memref<?xf32> -> tensor<128xf32>\n"
    "    %s = tensor.splat %f : tensor<128xf32>\n"
    "    %u = arith.mulf %t, %s : tensor<128xf32>\n"
    "    tile.store %u, %y[%i] : tensor<128xf32>, memref<?xf32>\n"
    "  }\n"
    "  return\n"
    "}\n";

MlirModule parseScale(MlirContext context) {
  return tileParse(context, mlirStringRefCreateFromCString(scale),
                   mlirStringRefCreateFromCString("scale.mlir"), NULL, NULL);
}

int main(int argc, char **argv) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  MlirContext context;
  tileRegisterDialects(registry);
  context = mlirContextCreateWithRegistry(registry, true);
  mlirDialectRegistryDestroy(registry);
  testEmulator();
  testDialect(context);
  testCompile(context, argv[argc - 1]);
  testRun(context);
  mlirContextDestroy(context);
  return finishChecks();
}
