//===- program.cpp - Compiling and running --------------------------------===//

#include "program.h"

#include "tile-c/Dialect.h"

#include <type_traits>

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

namespace {

/// The options of C, for as long as a call takes.
class Options {
public:
  explicit Options(const CompileOptions &from)
      : options(tileCompileOptionsCreate()) {
    tileCompileOptionsSetChip(options, toC(from.chip));
    tileCompileOptionsSetOptLevel(options, from.optLevel);
    tileCompileOptionsSetLineInfo(options, from.lineInfo);
    tileCompileOptionsSetCheckAssumptions(options, from.checkAssumptions);
    tileCompileOptionsSetVersions(options, from.versions);
    tileCompileOptionsSetPrefetchBytes(options, from.prefetchBytes);
    tileCompileOptionsSetReuse(options, static_cast<TileReuse>(from.reuse));
    tileCompileOptionsSetMakesCubin(options, from.cubin);
    tileCompileOptionsSetDrawsLayouts(options, from.layouts);
    tileCompileOptionsSetLibdevice(options, toC(from.libdevice));
    if (!from.toolkits)
      tileCompileOptionsDenyToolkits(options);
    else
      for (const std::string &folder : *from.toolkits)
        tileCompileOptionsAddToolkit(options, toC(folder));
  }
  ~Options() { tileCompileOptionsDestroy(options); }
  Options(const Options &) = delete;
  TileCompileOptions *get() const { return options; }

private:
  TileCompileOptions *options;
};

} // namespace

static MlirContext makeContext() {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/true);
  mlirDialectRegistryDestroy(registry);
  return context;
}

/// Parses in a new context and gives the module to `use`, which may keep the context.
template <typename Use>
static Compilation withModule(const std::string &source,
                              const std::string &sourceName, Use use) {
  Compilation result;
  MlirContext context = makeContext();
  bool isKept = false;
  {
    Diagnostics diagnostics(context, source, sourceName);
    MlirModule module =
        tileParse(context, toC(source), toC(sourceName), nullptr, nullptr);
    if (!mlirModuleIsNull(module)) {
      isKept = use(context, module, result);
      mlirModuleDestroy(module);
    }
    result.diagnostics = std::move(diagnostics.list);
    result.text = std::move(diagnostics.text);
  }
  if (!isKept)
    mlirContextDestroy(context);
  return result;
}

Compilation compile(const std::string &source, const std::string &sourceName,
                    const CompileOptions &options) {
  return withModule(
      source, sourceName,
      [&](MlirContext context, MlirModule module, Compilation &result) {
        TileProgram *program =
            tileCompile(module, Options(options).get(), nullptr, nullptr);
        // Threads end with compiling: a process that forks later would miss them.
        mlirContextEnableMultithreading(context, false);
        if (program)
          result.program =
              std::make_unique<Program>(context, program, source, sourceName);
        return program != nullptr;
      });
}

Compilation emitText(const std::string &source, const std::string &sourceName,
                     const CompileOptions &options, int text) {
  return withModule(source, sourceName,
                    [&](MlirContext, MlirModule module, Compilation &result) {
                      (void)tileEmit(module, Options(options).get(),
                                     static_cast<TileText>(text), append,
                                     &result.emitted, nullptr, nullptr);
                      return false;
                    });
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Program::~Program() {
  tileProgramDestroy(program);
  mlirContextDestroy(context);
}

static void add(TileArguments *arguments, const Value &value) {
  std::visit(
      [&](const auto &given) {
        using Given = std::decay_t<decltype(given)>;
        if constexpr (std::is_same_v<Given, int64_t>)
          tileArgumentsAddInteger(arguments, given);
        else if constexpr (std::is_same_v<Given, double>)
          tileArgumentsAddNumber(arguments, given);
        else if (given.isOnGpu)
          tileArgumentsAddGpuArray(arguments, given.address, given.elementBits,
                                   static_cast<intptr_t>(given.sizes.size()),
                                   given.sizes.data(), given.strides.data());
        else
          tileArgumentsAddArray(
              arguments, reinterpret_cast<void *>(given.address),
              given.elementBits, static_cast<intptr_t>(given.sizes.size()),
              given.sizes.data(), given.strides.data(), given.isConstant);
      },
      value);
}

OwnedExecutionOptions makeOptions(const ExecutionOptions &from) {
  OwnedExecutionOptions owned(tileExecutionOptionsCreate(),
                              tileExecutionOptionsDestroy);
  TileExecutionOptions *options = owned.get();
  tileExecutionOptionsSetBackend(options,
                                 static_cast<TileBackend>(from.backend));
  tileExecutionOptionsSetSeed(options, from.seed);
  if (from.limit)
    tileExecutionOptionsSetLimit(options, *from.limit);
  tileExecutionOptionsSetMultiprocessors(options, from.multiprocessors);
  tileExecutionOptionsSetCollectsStatistics(options, from.statistics);
  tileExecutionOptionsSetTiming(options, from.timedLaunches, from.warmUp);
  return owned;
}

Execution Program::run(const std::string &entry,
                       const std::vector<Value> &values,
                       TileExecutionOptions *options) const {
  std::lock_guard lock(running); // diagnostics of a context have one collector
  Execution result;
  Diagnostics diagnostics(context, source, sourceName);
  TileArguments *arguments = tileArgumentsCreate();
  for (const Value &value : values)
    add(arguments, value);
  tileExecutionOptionsSetOutput(options, append, &result.output);
  TileExecution *execution =
      tileProgramRun(program, toC(entry), arguments, options, nullptr, nullptr);
  if (execution) {
    result.isDone = true;
    result.statistics = toPython(tileExecutionGetStatisticsJson(execution));
    for (intptr_t i = 0; i < tileExecutionGetNumTimes(execution); ++i)
      result.times.emplace_back(
          toPython(tileExecutionGetTimedKernel(execution, i)),
          tileExecutionGetMedianSeconds(execution, i));
    tileExecutionDestroy(execution);
  }
  tileArgumentsDestroy(arguments);
  result.diagnostics = std::move(diagnostics.list);
  result.text = std::move(diagnostics.text);
  return result;
}
