/* tile-c/Run.h */
#include "tile-c/Run.h"

#include "consumer.h"

enum { count = 1000 };
static float x[count], y[count];
static const int64_t sizes[] = {count};

static TileArguments *makeArguments(bool isConstant) {
  TileArguments *arguments = tileArgumentsCreate();
  int i;
  for (i = 0; i < count; ++i) {
    x[i] = (float)i;
    y[i] = -1;
  }
  tileArgumentsAddNumber(arguments, 0.5);
  tileArgumentsAddArray(arguments, x, 32, 1, sizes, NULL, true);
  tileArgumentsAddArray(arguments, y, 32, 1, sizes, NULL, isConstant);
  return arguments;
}

static void testBackend(const TileProgram *program, TileBackend backend) {
  MlirStringRef entry = mlirStringRefCreateFromCString("scale");
  TileExecutionOptions *options = tileExecutionOptionsCreate();
  TileArguments *arguments = makeArguments(false);
  TileExecution *execution;
  Text text = {NULL, 0};
  bool counts = backend == TileBackendEmulator;
  tileExecutionOptionsSetBackend(options, backend);
  tileExecutionOptionsSetSeed(options, 3);
  tileExecutionOptionsSetLimit(options, 1000000);
  tileExecutionOptionsSetMultiprocessors(options, 4);
  tileExecutionOptionsSetOutput(options, appendString, &text);
  tileExecutionOptionsSetCollectsStatistics(options, counts);
  tileExecutionOptionsSetTiming(options, counts ? 3 : 0, 1);
  execution = tileProgramRun(program, entry, arguments, options, NULL, NULL);
  if (CHECK(execution)) {
    MlirStringRef json = tileExecutionGetStatisticsJson(execution);
    CHECK(y[0] == 0 && y[999] == 499.5f);
    CHECK((json.length != 0) == counts);
    CHECK(tileExecutionGetNumTimes(execution) == counts);
    if (counts) {
      CHECK(equals(tileExecutionGetTimedKernel(execution, 0), "scale_kernel"));
      CHECK(tileExecutionGetMedianSeconds(execution, 0) > 0);
    }
  }
  tileExecutionDestroy(execution);

  y[0] = y[999] = -1;
  tileExecutionOptionsInterrupt(options);
  CHECK(!tileProgramRun(program, entry, arguments, options, collectDiagnostic,
                        &text));
  CHECK(hasText(&text, "interrupted") && y[0] == -1 && y[999] == -1);
  tileArgumentsDestroy(arguments);
  tileExecutionOptionsDestroy(options);
  clearText(&text);
}

static void testErrors(const TileProgram *program) {
  static const int64_t two[] = {10, 100}, backwards[] = {-1};
  MlirStringRef entry = mlirStringRefCreateFromCString("scale");
  MlirStringRef unknown = mlirStringRefCreateFromCString("scales");
  TileArguments *arguments = makeArguments(true);
  Text text = {NULL, 0};
  CHECK(!tileProgramRun(program, unknown, arguments, NULL, collectDiagnostic,
                        &text));
  CHECK(hasText(&text, "'scales'"));
  CHECK(!tileProgramRun(program, entry, arguments, NULL, collectDiagnostic,
                        &text));
  CHECK(hasText(&text, "given as const") && y[999] == -1);
  tileArgumentsDestroy(arguments);

  arguments = tileArgumentsCreate();
  tileArgumentsAddInteger(arguments, 1);
  CHECK(!tileProgramRun(program, entry, arguments, NULL, collectDiagnostic,
                        &text));
  CHECK(hasText(&text, "takes 3 arguments, and 1 are given"));
  tileArgumentsAddArray(arguments, x, 32, 2, two, NULL, false);
  tileArgumentsAddArray(arguments, y, 32, 1, sizes, backwards, false);
  CHECK(!tileProgramRun(program, entry, arguments, NULL, collectDiagnostic,
                        &text));
  CHECK(hasText(&text, "is a float, and no number is given"));
  tileArgumentsDestroy(arguments);
  clearText(&text);

  arguments = tileArgumentsCreate();
  tileArgumentsAddNumber(arguments, 1);
  tileArgumentsAddGpuArray(arguments, 4096, 32, 1, sizes, NULL);
  tileArgumentsAddGpuArray(arguments, 8192, 32, 1, sizes, NULL);
  CHECK(!tileProgramRun(program, entry, arguments, NULL, collectDiagnostic,
                        &text));
  CHECK(hasText(&text, "lies in the memory of a GPU"));
  tileArgumentsDestroy(arguments);
  clearText(&text);
}

void testRun(MlirContext context) {
  MlirModule module = parseScale(context);
  TileCompileOptions *options = tileCompileOptionsCreate();
  TileProgram *program;
  tileCompileOptionsSetChip(options, mlirStringRefCreateFromCString("sm_80"));
  program = tileCompile(module, options, NULL, NULL);
  tileCompileOptionsDestroy(options);
  mlirModuleDestroy(module); /* the program has its own */
  if (!CHECK(program))
    return;
  testBackend(program, TileBackendEmulator);
  testBackend(program, TileBackendReference);
  testErrors(program);
  tileProgramDestroy(program);
}
