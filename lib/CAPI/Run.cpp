//===- Run.cpp - A compiled program on arrays in memory, in C -------------===//

#include "tile-c/Run.h"

#include "Handlers.h"
#include "Program.h"

#include "tile/Program/Run.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Utils.h"

#include <memory>

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

struct TileArguments {
  std::vector<HostArgument> list;
};

TileArguments *tileArgumentsCreate(void) { return new TileArguments; }

void tileArgumentsDestroy(TileArguments *arguments) { delete arguments; }

void tileArgumentsAddInteger(TileArguments *arguments, int64_t value) {
  arguments->list.push_back(HostArgument::scalar(value));
}

void tileArgumentsAddNumber(TileArguments *arguments, double value) {
  arguments->list.push_back(HostArgument::scalar(value));
}

void tileArgumentsAddArray(TileArguments *arguments, void *data,
                           int64_t elementBits, intptr_t rank,
                           const int64_t *sizes, const int64_t *strides,
                           bool isConstant) {
  HostArgument argument =
      HostArgument::array(data, elementBits, {sizes, sizes + rank});
  if (strides)
    argument.strides = {strides, strides + rank};
  argument.isConst = isConstant;
  arguments->list.push_back(std::move(argument));
}

void tileArgumentsAddGpuArray(TileArguments *arguments, uint64_t address,
                              int64_t elementBits, intptr_t rank,
                              const int64_t *sizes, const int64_t *strides) {
  tileArgumentsAddArray(arguments, reinterpret_cast<void *>(address),
                        elementBits, rank, sizes, strides, false);
  arguments->list.back().isOnGpu = true;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

struct TileExecutionOptions {
  ExecutionOptions options;
  std::unique_ptr<mlir::detail::CallbackOstream> output;
  std::atomic<bool> isInterrupted{false};

  TileExecutionOptions() { options.interrupt = &isInterrupted; }
};

static_assert(static_cast<int>(Backend::Gpu) == TileBackendGpu);

TileExecutionOptions *tileExecutionOptionsCreate(void) {
  return new TileExecutionOptions;
}

void tileExecutionOptionsDestroy(TileExecutionOptions *options) {
  delete options;
}

void tileExecutionOptionsSetBackend(TileExecutionOptions *options,
                                    TileBackend backend) {
  options->options.backend = static_cast<Backend>(backend);
}

void tileExecutionOptionsSetSeed(TileExecutionOptions *options, uint64_t seed) {
  options->options.seed = seed;
}

void tileExecutionOptionsSetLimit(TileExecutionOptions *options,
                                  uint64_t limit) {
  options->options.limit = limit;
}

void tileExecutionOptionsSetMultiprocessors(TileExecutionOptions *options,
                                            int64_t count) {
  options->options.multiprocessors = count;
}

void tileExecutionOptionsSetCollectsStatistics(TileExecutionOptions *options,
                                               bool value) {
  options->options.collectsStatistics = value;
}

void tileExecutionOptionsSetTiming(TileExecutionOptions *options,
                                   unsigned count, unsigned warmUpCount) {
  options->options.timing = {count, warmUpCount};
}

void tileExecutionOptionsSetOutput(TileExecutionOptions *options,
                                   MlirStringCallback print, void *userData) {
  options->output =
      std::make_unique<mlir::detail::CallbackOstream>(print, userData);
  options->options.output = options->output.get();
}

void tileExecutionOptionsInterrupt(TileExecutionOptions *options) {
  options->isInterrupted = true;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

struct TileExecution {
  ExecutionResult result;
};

TileExecution *tileProgramRun(const TileProgram *program, MlirStringRef entry,
                              const TileArguments *arguments,
                              const TileExecutionOptions *options,
                              MlirDiagnosticHandler handler, void *userData) {
  const CompiledProgram &compiled = program->program;
  CallHandler scope(compiled.source.get().getContext(), handler, userData);
  FailureOr<ExecutionResult> result =
      run(compiled, unwrap(entry), arguments->list,
          options ? options->options : ExecutionOptions());
  return succeeded(result) ? new TileExecution{std::move(*result)} : nullptr;
}

void tileExecutionDestroy(TileExecution *execution) { delete execution; }

MlirStringRef tileExecutionGetStatisticsJson(const TileExecution *execution) {
  return wrap(execution->result.statisticsJson);
}

intptr_t tileExecutionGetNumTimes(const TileExecution *execution) {
  return static_cast<intptr_t>(execution->result.times.size());
}

MlirStringRef tileExecutionGetTimedKernel(const TileExecution *execution,
                                          intptr_t launch) {
  return wrap(execution->result.times[launch].kernel);
}

double tileExecutionGetMedianSeconds(const TileExecution *execution,
                                     intptr_t launch) {
  const std::vector<double> &seconds = execution->result.times[launch].seconds;
  return seconds.empty() ? 0 : seconds[seconds.size() / 2];
}
