/* tile-c/Compile.h */
#include "tile-c/Compile.h"

#include "consumer.h"

#include "mlir-c/Pass.h"

#include <string.h>

static void testPipeline(MlirContext context) {
  MlirStringRef pipeline =
      mlirStringRefCreateFromCString("tile-compile{chip=sm_80}");
  MlirModule module = parseScale(context);
  MlirPassManager manager = mlirPassManagerCreate(context);
  Text text = {NULL, 0};
  tileRegisterPasses();
  tileRegisterPasses(); /* once for a process */
  CHECK(mlirLogicalResultIsSuccess(
      mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                   pipeline, appendString, &text)));
  CHECK(mlirLogicalResultIsSuccess(
      mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
  mlirOperationPrint(mlirModuleGetOperation(module), appendString, &text);
  CHECK(hasText(&text, "gpu.binary") && hasText(&text, ".target sm_80"));
  clearText(&text);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
}

/* 1000 elements in the first memref. */
static int64_t getArgument(int64_t argument, int64_t dim, void *userData) {
  ++*(int *)userData;
  return argument == 1 && dim == 0 ? 1000 : -1;
}

static void testLaunchData(const TileProgram *program) {
  const TileLaunch *launch = tileProgramGetLaunch(program, 0);
  Text text = {NULL, 0};
  int64_t value = 0;
  int calls = 0;
  CHECK(tileProgramGetNumLaunches(program) == 1);
  CHECK(equals(tileLaunchGetFunction(launch), "scale"));
  CHECK(equals(tileLaunchGetKernel(launch), "scale_kernel"));
  CHECK(tileLaunchGetBlockThreads(launch) == 128 &&
        !tileLaunchIsRepeated(launch));
  CHECK(tileExpressionEvaluate(tileLaunchGetGrid(launch, 0), getArgument,
                               &calls, &value));
  CHECK(value == 8 && calls == 1);
  CHECK(tileExpressionEvaluate(tileLaunchGetGrid(launch, 2), getArgument,
                               &calls, &value));
  CHECK(value == 1);
  CHECK(tileExpressionEvaluate(tileLaunchGetSharedBytes(launch), getArgument,
                               &calls, &value));
  CHECK(value == 0);
  tileExpressionPrint(tileLaunchGetGrid(launch, 0), appendString, &text);
  CHECK(hasText(&text, "ceildivsi(arg1.size[0], 128)"));
  CHECK(tileLaunchGetNumConditions(launch) == 0);
  CHECK(tileLaunchGetNumOperands(launch) == 3);
  CHECK(tileLaunchGetOperandArgument(launch, 0) == 0);
  CHECK(!tileLaunchGetOperandValue(launch, 0)); /* a float */
  clearText(&text);
}

static void testReports(const TileProgram *program) {
  Text text = {NULL, 0};
  CHECK(tileProgramGetNumKernels(program) == 1);
  CHECK(equals(tileProgramGetKernelName(program, 0), "scale_kernel"));
  tileProgramPrintKernelPtx(program, 0, appendString, &text);
  CHECK(hasText(&text, ".entry scale_kernel"));
  clearText(&text);
  CHECK(mlirLogicalResultIsSuccess(
      tileProgramPrintReport(program, 0, TileFormatJson, appendString, &text)));
  CHECK(hasText(&text, "\"kernels\"") && hasText(&text, "scale_kernel"));
  clearText(&text);
  CHECK(mlirLogicalResultIsSuccess(tileProgramPrintReport(
      program, -1, TileFormatText, appendString, &text)));
  CHECK(hasText(&text, "scale_kernel") && !hasText(&text, "\"kernels\""));
  CHECK(mlirLogicalResultIsFailure(
      tileProgramPrintReport(program, 0, TileFormatSvg, appendString, &text)));
  clearText(&text);
  CHECK(mlirLogicalResultIsSuccess(
      tileProgramPrintLayouts(program, 0, TileFormatSvg, appendString, &text)));
  CHECK(hasText(&text, "<svg"));
  clearText(&text);
  CHECK(mlirLogicalResultIsFailure(tileProgramPrintLayouts(
      program, 0, TileFormatJson, appendString, &text)));
  tileProgramPrintArena(program, 0, appendString, &text);
  CHECK(hasText(&text, "<svg"));
  clearText(&text);
  tileProgramPrintJson(program, appendString, &text);
  CHECK(hasText(&text, "\"chip\": \"sm_80\"") &&
        hasText(&text, "\"launches\""));
  clearText(&text);
  mlirOperationPrint(mlirModuleGetOperation(tileProgramGetSource(program)),
                     appendString, &text);
  CHECK(hasText(&text, "tile.launch"));
  clearText(&text);
  mlirOperationPrint(mlirModuleGetOperation(tileProgramGetHost(program)),
                     appendString, &text);
  CHECK(hasText(&text, "gpu.launch_func"));
  clearText(&text);
}

static TileCompileOptions *makeOptions(const char *chip) {
  TileCompileOptions *options = tileCompileOptionsCreate();
  tileCompileOptionsSetChip(options, mlirStringRefCreateFromCString(chip));
  return options;
}

static void testProgram(MlirContext context) {
  MlirModule module = parseScale(context);
  TileCompileOptions *options = makeOptions("sm_80");
  TileProgram *program;
  tileCompileOptionsSetDrawsLayouts(options, true);
  program = tileCompile(module, options, NULL, NULL);
  tileCompileOptionsDestroy(options);
  if (!CHECK(program))
    return;
  CHECK(equals(tileProgramGetChip(program), "sm_80"));
  CHECK(strstr(tileProgramGetPtx(program).data, ".target sm_80"));
  CHECK(tileProgramGetCubin(program).length == 0);
  testReports(program);
  testLaunchData(program);
  tileProgramDestroy(program);
  CHECK(mlirOperationVerify(mlirModuleGetOperation(module)));
  mlirModuleDestroy(module);
}

/* Launches under a condition, in a loop, of numbers that the host computes. */
static void testHostCode(MlirContext context) {
  MlirStringRef source = mlirStringRefCreateFromCString(
      "func.func @again(%n: index, %x: memref<?xf32>) {\n"
      "  %c0 = arith.constant 0 : index\n"
      "  %c1 = arith.constant 1 : index\n"
      "  %isMore = arith.cmpi sgt, %n, %c1 : index\n"
      "  %m = arith.muli %n, %n : index\n"
      "  scf.if %isMore {\n"
      "    scf.for %i = %c0 to %n step %c1 {\n"
      "      tile.launch @k blocks(%b) in (%n) threads(128) {\n"
      "        %t = tile.load %x[%m] : memref<?xf32> -> tensor<128xf32>\n"
      "        %u = arith.addf %t, %t : tensor<128xf32>\n"
      "        tile.store %u, %x[%b] : tensor<128xf32>, memref<?xf32>\n"
      "      }\n"
      "    }\n"
      "  }\n"
      "  return\n"
      "}\n");
  MlirStringRef name = mlirStringRefCreateFromCString("again.mlir");
  TileCompileOptions *options = makeOptions("sm_80");
  MlirModule module = tileParse(context, source, name, NULL, NULL);
  TileProgram *program = tileCompile(module, options, NULL, NULL);
  const TileLaunch *launch;
  Text text = {NULL, 0};
  intptr_t operand, values = 0;
  tileCompileOptionsDestroy(options);
  mlirModuleDestroy(module);
  if (!CHECK(program))
    return;
  launch = tileProgramGetLaunch(program, 0);
  CHECK(tileLaunchIsRepeated(launch) &&
        tileLaunchGetNumConditions(launch) == 1);
  tileExpressionPrint(tileLaunchGetCondition(launch, 0), appendString, &text);
  CHECK(hasText(&text, "cmpi sgt(arg0, 1)"));
  clearText(&text);
  for (operand = 0; operand < tileLaunchGetNumOperands(launch); ++operand) {
    const TileExpression *value = tileLaunchGetOperandValue(launch, operand);
    if (!value)
      continue;
    ++values;
    tileExpressionPrint(value, appendString, &text);
  }
  CHECK(values >= 1 && hasText(&text, "muli(arg0, arg0)"));
  clearText(&text);
  tileProgramDestroy(program);
}

/* The product of the examples copies by tensor maps. */
static void testTensorMaps(MlirContext context, const char *gemm) {
  MlirModule module = mlirModuleCreateParseFromFile(
      context, mlirStringRefCreateFromCString(gemm));
  TileCompileOptions *options = makeOptions("sm_90a");
  TileProgram *program = tileCompile(module, options, NULL, NULL);
  const TileLaunch *launch;
  intptr_t operand, maps = 0;
  tileCompileOptionsDestroy(options);
  mlirModuleDestroy(module);
  if (!CHECK(program))
    return;
  launch = tileProgramGetLaunch(program, 0);
  for (operand = 0; operand < tileLaunchGetNumOperands(launch); ++operand)
    maps += tileLaunchIsOperandTensorMap(launch, operand);
  CHECK(maps >= 2);
  tileProgramDestroy(program);
}

static void testOptions(MlirContext context) {
  MlirStringRef nowhere = mlirStringRefCreateFromCString("/nowhere");
  MlirModule module = parseScale(context);
  TileCompileOptions *options = makeOptions("sm_90a");
  TileProgram *program;
  Text text = {NULL, 0};
  tileCompileOptionsSetOptLevel(options, 1);
  tileCompileOptionsSetLineInfo(options, false);
  tileCompileOptionsSetCheckAssumptions(options, true);
  tileCompileOptionsSetVersions(options, false);
  tileCompileOptionsSetPrefetchBytes(options, 128);
  tileCompileOptionsSetReuse(options, TileReuseNever);
  tileCompileOptionsAddToolkit(options, nowhere);
  program = tileCompile(module, options, collectDiagnostic, &text);
  if (CHECK(program)) {
    CHECK(!strstr(tileProgramGetPtx(program).data, ".loc"));
    CHECK(mlirLogicalResultIsFailure(tileProgramPrintLayouts(
        program, -1, TileFormatSvg, appendString, &text)));
    tileProgramDestroy(program);
  }
  CHECK(mlirLogicalResultIsSuccess(tileEmit(module, options, TileTextLlvm,
                                            appendString, &text, NULL, NULL)));
  CHECK(hasText(&text, "define ptx_kernel void @scale_kernel"));
  clearText(&text);
  CHECK(mlirLogicalResultIsSuccess(tileEmit(module, options, TileTextNvvm,
                                            appendString, &text, NULL, NULL)));
  CHECK(hasText(&text, "nvvm."));
  clearText(&text);
  /* A cubin needs ptxas, and there is none. */
  tileCompileOptionsSetLibdevice(options, nowhere);
  tileCompileOptionsDenyToolkits(options);
  tileCompileOptionsSetMakesCubin(options, true);
  CHECK(!tileCompile(module, options, collectDiagnostic, &text));
  CHECK(hasText(&text, "a cubin needs ptxas"));
  clearText(&text);
  tileCompileOptionsDestroy(options);
  mlirModuleDestroy(module);
}

static MlirLogicalResult passOn(MlirDiagnostic diagnostic, void *userData) {
  MlirLocation at = mlirDiagnosticGetLocation(diagnostic);
  if (mlirLocationIsAFileLineColRange(at))
    *(int *)userData = mlirLocationFileLineColRangeGetStartLine(at);
  return mlirLogicalResultFailure();
}

/* Data through a handler, and text as the command line prints it. */
static void testDiagnostics(MlirContext context) {
  MlirStringRef source = mlirStringRefCreateFromCString(
      "func.func @f() {\n"
      "  %c1 = arith.constant 1 : index\n"
      "  tile.launch blocks(%b) in (%c1) threads(100) { }\n"
      "  return\n"
      "}\n");
  MlirStringRef name = mlirStringRefCreateFromCString("wrong.mlir");
  Text text = {NULL, 0};
  int line = 0;
  MlirModule module;
  TileCompileOptions *options = makeOptions("sm_1");
  TileDiagnosticPrinter *printer =
      tileDiagnosticPrinterAttach(context, source, name, appendString, &text);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, passOn, &line, NULL);
  CHECK(mlirModuleIsNull(tileParse(context, source, name, NULL, NULL)));
  CHECK(line == 3);
  CHECK(hasText(&text, "wrong.mlir:3:3: error: "));
  CHECK(hasText(&text,
                "\n  tile.launch blocks(%b) in (%c1) threads(100) { }\n  ^\n"));
  mlirContextDetachDiagnosticHandler(context, handler);
  tileDiagnosticPrinterDetach(printer);
  clearText(&text);

  /* What a call is given comes before what the context has. */
  module = parseScale(context);
  CHECK(!tileCompile(module, options, collectDiagnostic, &text));
  CHECK(hasText(&text, "sm_1") && hasText(&text, "sm_80"));
  clearText(&text);
  tileCompileOptionsDestroy(options);
  options = tileCompileOptionsCreate();
  tileCompileOptionsSetOptLevel(options, 7);
  tileCompileOptionsSetChip(options, mlirStringRefCreateFromCString("sm_80"));
  CHECK(!tileCompile(module, options, collectDiagnostic, &text));
  CHECK(hasText(&text, "7"));
  clearText(&text);
  tileCompileOptionsDestroy(options);
  mlirModuleDestroy(module);
}

void testCompile(MlirContext context, const char *gemm) {
  testPipeline(context);
  testProgram(context);
  testHostCode(context);
  testTensorMaps(context, gemm);
  testOptions(context);
  testDiagnostics(context);
}
