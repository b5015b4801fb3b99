//===- Compile.cpp - From a module to a compiled program ------------------===//

#include "tile/Pipeline/Compile.h"

#include "CollectReport.h"
#include "Steps.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Pipeline/Pipeline.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Adds what passes that are behind the module would have shown to the reports: layouts
/// and instructions stand in it until buffers are placed.
static void addStanding(ModuleOp module, Stage reached,
                        ReportCollector &collector, bool drawsLayouts) {
  if (reached < Stage::LaidOut || reached >= Stage::Placed)
    return;
  module.walk([&](LaunchOp launch) {
    collector.addLaunch(launch);
    if (drawsLayouts && reached >= Stage::Materialized)
      collector.addDrawings(launch);
  });
}

static LogicalResult configure(PassManager &pm, const CompileOptions &options) {
  return options.configure ? options.configure(pm) : success();
}

/// Lowers what the kernels of `module` have left of other dialects to LLVM's. To verify
/// kernels of single threads takes as long as a pass: the result is verified, not what
/// each pass makes of them.
static LogicalResult lowerThreads(ModuleOp module,
                                  const CompileOptions &options,
                                  const TileCompileOptions &compile) {
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  pm.enableVerifier(false);
  if (failed(configure(pm, options)))
    return failure();
  buildThreadPhase(pm, compile);
  return failed(pm.run(module)) ? failure() : verify(module);
}

LogicalResult tile::makeThreaded(ModuleOp module, const CompileOptions &options,
                                 ReportCollector *collector,
                                 bool drawsLayouts) {
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  if (failed(configure(pm, options)))
    return failure();
  std::optional<ReportScope> scope;
  if (collector)
    if (failed(scope.emplace(*collector).enter(pm, drawsLayouts)))
      return failure();
  TileCompileOptions compile;
  compile.chip = options.chip;
  compile.optLevel = options.optLevel;
  compile.lineInfo = options.lineInfo;
  compile.checkAssumptions = options.checkAssumptions;
  compile.versions = options.versions;
  compile.prefetchBytes = options.prefetchBytes;
  compile.reuse = options.reuse;
  Stage reached = getReachedStage(module);
  if (collector)
    addStanding(module, reached, *collector, drawsLayouts);
  buildLogicalPhase(pm, compile, reached);
  buildLayoutPhase(pm, compile, reached);
  buildSchedulePhase(pm, compile, reached);
  buildKernelPhase(pm, compile, reached);
  if (failed(pm.run(module)))
    return failure();
  return lowerThreads(module, options, compile);
}

std::optional<Location> tile::findFirstLaunch(ModuleOp module) {
  std::optional<Location> place;
  module.walk([&](LaunchOp launch) {
    place = launch.getLoc();
    return WalkResult::interrupt();
  });
  return place;
}

gpu::GPUModuleOp tile::findKernels(ModuleOp module,
                                   std::optional<Location> launch) {
  auto kernels = module.getOps<gpu::GPUModuleOp>();
  if (!kernels.empty())
    return *kernels.begin();
  if (launch)
    emitError(
        *launch,
        "no 'tile.launch' of the module is ever reached, so that there is "
        "nothing to emit: a loop around this one makes no iteration, or a "
        "condition never holds");
  else
    module.emitError("holds no tile.launch and no kernel: there is nothing to "
                     "emit");
  return {};
}

SerializeOptions tile::getSerializeOptions(const CompileOptions &options) {
  SerializeOptions serialize;
  serialize.optLevel = options.optLevel;
  serialize.libdevicePath = options.libdevice.empty()
                                ? findLibdevice(options.toolkits).value_or("")
                                : options.libdevice;
  serialize.searchToolkits = !options.toolkits.isDenied;
  return serialize;
}

/// The launch of the kernel that ptxas names in what it says; the module where it
/// names none.
static Operation *findLaunch(ModuleOp module, StringRef message) {
  Operation *found = module;
  module.walk([&](gpu::LaunchFuncOp launch) {
    auto [before, behind] =
        message.split(("function " + launch.getKernelName().getValue()).str());
    bool isNamed = before.size() < message.size() &&
                   (behind.empty() || !llvm::isAlnum(behind.front()));
    if (!isNamed || behind.starts_with("_"))
      return WalkResult::advance();
    found = launch;
    return WalkResult::interrupt();
  });
  return found;
}

FailureOr<PtxasResult> tile::assemble(ModuleOp module, StringRef ptx,
                                      const tilec::GpuTarget &target,
                                      const ToolkitSearch &toolkits) {
  std::optional<std::string> ptxas = findPtxas(toolkits);
  if (!ptxas)
    return module.emitError("a cubin needs ptxas, and none was found; set "
                            "CUDA_HOME or put ptxas on PATH");
  auto result = runPtxas(*ptxas, ptx, target.name);
  if (!result)
    return findLaunch(module, result.reason())->emitError(result.reason());
  return *result;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

const KernelReport *CompiledProgram::findKernel(StringRef name) const {
  auto kernel = llvm::find_if(
      kernels, [&](const KernelReport &known) { return known.name == name; });
  return kernel == kernels.end() ? nullptr : &*kernel;
}

std::string CompiledProgram::getKernelPtx(StringRef name) const {
  std::string text;
  bool isLeftOut = false, isFound = false;
  for (StringRef rest = ptx; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    StringRef entry = line, comment = line;
    if (comment.consume_front("\t// .globl\t") && comment != name)
      continue;
    if (entry.consume_front(".visible .entry ")) {
      isLeftOut = entry.split('(').first != name;
      isFound |= !isLeftOut;
    }
    if (!isLeftOut)
      text += (line + "\n").str();
    // The end of a body, as the code generator writes it.
    if (line == "}")
      isLeftOut = false;
  }
  return isFound ? text : "";
}

std::string CompiledProgram::toJson() const {
  std::string text;
  {
    llvm::raw_string_ostream os(text);
    printReportJson(kernels, os);
  }
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  assert(json && "the report is JSON");
  llvm::json::Object &object = *json->getAsObject();
  object["chip"] = chip;
  llvm::json::Array list;
  for (const LaunchData &launch : launches)
    list.push_back(launch.toJson());
  object["launches"] = std::move(list);
  text.clear();
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}", *json);
  return text;
}

/// The PTX of the binary that the last phase made.
static std::string getPtx(ModuleOp host) {
  for (gpu::BinaryOp binary : host.getOps<gpu::BinaryOp>())
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      return object.getObject().getValue().str();
  return {};
}

FailureOr<CompiledProgram> tile::compile(ModuleOp module,
                                         const CompileOptions &options) {
  CompiledProgram program;
  program.source = module.clone();
  program.host = module.clone();
  ModuleOp host = *program.host;
  ReportCollector collector;
  std::optional<Location> launch = findFirstLaunch(host);
  if (failed(makeThreaded(host, options, &collector, options.drawsLayouts)))
    return failure();
  FailureOr<const tilec::GpuTarget *> target = getModuleTarget(host);
  if (failed(target) || !findKernels(host, launch))
    return failure();
  program.chip = (*target)->name;
  if (failed(serializeKernels(host, **target, getSerializeOptions(options))))
    return failure();
  program.ptx = getPtx(host);
  std::optional<PtxasResult> assembled;
  if (options.makesCubin) {
    FailureOr<PtxasResult> result =
        assemble(host, program.ptx, **target, options.toolkits);
    if (failed(result))
      return failure();
    assembled = *result;
    program.cubin = assembled->cubin;
  }
  collector.finish(**target, assembled ? &*assembled : nullptr);
  program.kernels = collector.getReports();
  program.launches = getLaunchData(host);
  return program;
}
