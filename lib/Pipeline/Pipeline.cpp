//===- Pipeline.cpp - From a tile program to PTX, phase by phase ----------===//
//
// A table of contents: which pass runs when. Why they run in this order is told
// in docs/Pipeline.md. Passes before outlining work on one function at a time,
// since a launch shares values with the function around it.
//
// Only canonicalisation and common subexpressions touch tensors; loop-invariant
// code motion would lengthen the time fragments stay in registers.
//
//===----------------------------------------------------------------------===//

#include "tile/Pipeline/Pipeline.h"

#include "tile/Conversion/Passes.h"
#include "tile/Target/PTX/Passes.h"
#include "tile/Transforms/Passes.h"

#include "tile/Dialect/Tile/Stages.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// A chip that contradicts what was compiled already is refused; the module's
/// own needs no look.
static void addTargetCheck(OpPassManager &pm,
                           const TileCompileOptions &options) {
  CheckTargetOptions target;
  target.chip = options.chip;
  if (!options.chip.empty())
    pm.addPass(createCheckTarget(target));
}

void tile::buildLogicalPhase(OpPassManager &pm,
                             const TileCompileOptions &options, Stage reached) {
  if (reached >= Stage::Logical)
    return addTargetCheck(pm, options);
  pm.addPass(createInlineCalls());
  if (options.checkAssumptions)
    pm.addNestedPass<func::FuncOp>(createCheckAssumptions());
  pm.addNestedPass<func::FuncOp>(createAwaitProducts());
  SetTargetOptions target;
  target.chip = options.chip;
  pm.addPass(createSetTarget(target));
  pm.addNestedPass<func::FuncOp>(createExpandGrid());
  pm.addNestedPass<func::FuncOp>(createSimplifyLoops());
  pm.addPass(createCanonicalize());
  pm.addPass(createCSEPass());
}

void tile::buildLayoutPhase(OpPassManager &pm,
                            const TileCompileOptions &options, Stage reached) {
  // Behind what would drop facts that nothing uses.
  VersionLaunchesOptions versions;
  if (!options.versions)
    versions.maxOperations = 0;
  if (reached < Stage::LaidOut)
    pm.addPass(createVersionLaunches(versions));
  OpPassManager &functions = pm.nest<func::FuncOp>();
  if (reached < Stage::LaidOut) {
    functions.addPass(createSplitScaledProducts());
    functions.addPass(createPlanRoles());
    functions.addPass(createWidenProducts());
    InferLayoutsOptions layouts;
    layouts.bulkCopies = options.bulkCopies;
    functions.addPass(createInferLayouts(layouts));
  }
  if (reached < Stage::Materialized)
    functions.addPass(createMaterializeScratch());
}

void tile::buildSchedulePhase(OpPassManager &pm,
                              const TileCompileOptions &options,
                              Stage reached) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  if (reached < Stage::Scheduled) {
    functions.addPass(createSplitFirstProduct());
    functions.addPass(createPipelineLoops());
  }
  if (reached < Stage::Placed) {
    functions.addPass(createOverlapProducts());
    functions.addPass(createLowerRings());
    PlanSharedMemoryOptions memory;
    memory.reuse = options.reuse;
    functions.addPass(createPlanSharedMemory(memory));
  }
  if (reached < Stage::Synchronized)
    functions.addPass(createInsertBarriers());
}

void tile::buildKernelPhase(OpPassManager &pm,
                            const TileCompileOptions &options, Stage reached) {
  if (reached < Stage::Outlined) {
    OpPassManager &functions = pm.nest<func::FuncOp>();
    functions.addPass(createAlternateConsumers());
    functions.addPass(createMulticastCopies());
    functions.addPass(createSpecializeWarps());
    functions.addPass(createHoistOperands());
    pm.addPass(createOutlineKernels());
  }
  if (reached < Stage::Threaded)
    pm.addPass(createConvertTileToNVVM());
}

void tile::buildThreadPhase(OpPassManager &pm,
                            const TileCompileOptions &options) {
  buildConvertToLLVMPipeline(pm, options.prefetchBytes, options.rotateLoops);
  if (options.lineInfo) {
    // Directives only: anything more makes ptxas give up its optimisations.
    LLVM::DIScopeForLLVMFuncOpPassOptions scope;
    scope.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
    pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(scope));
  }
}

void tile::buildCodePhase(OpPassManager &pm,
                          const TileCompileOptions &options) {
  SerializeKernelsOptions serialize;
  serialize.optLevel = options.optLevel;
  serialize.libdevice = options.libdevice;
  serialize.searchToolkits = options.searchToolkits;
  pm.addPass(createSerializeKernels(serialize));
}

void tile::buildTileCompilePipeline(OpPassManager &pm,
                                    const TileCompileOptions &options,
                                    Stage reached) {
  buildLogicalPhase(pm, options, reached);
  buildLayoutPhase(pm, options, reached);
  buildSchedulePhase(pm, options, reached);
  buildKernelPhase(pm, options, reached);
  buildThreadPhase(pm, options);
  buildCodePhase(pm, options);
}

Stage tile::getReachedStage(ModuleOp module) {
  std::optional<Stage> earliest;
  auto note = [&](Stage stage) {
    earliest = earliest ? std::min(*earliest, stage) : stage;
  };
  TileDialect::StageAttrHelper recorded(module.getContext());
  module.walk([&](Operation *op) {
    bool isKernel =
        recorded.isAttrPresent(op) && op->getParentOfType<gpu::GPUModuleOp>();
    if (isa<LaunchOp>(op) || isKernel)
      note(getReachedStage(op));
  });
  return earliest.value_or(Stage::Source);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void mlir::tile::registerTilePipelines() {
  registerTileTransformsPasses();
  registerTileConversionPasses();
  registerTileTargetPasses();
  using Registration = PassPipelineRegistration<TileCompileOptions>;
  auto whole = [](auto buildPhase) {
    return [buildPhase](OpPassManager &pm, const TileCompileOptions &options) {
      addTargetCheck(pm, options);
      buildPhase(pm, options, Stage::Source);
    };
  };
  Registration("tile-logical-phase", "Source to logical",
               whole(buildLogicalPhase));
  Registration("tile-layout-phase", "Logical to materialized",
               whole(buildLayoutPhase));
  Registration("tile-schedule-phase", "Materialized to synchronized",
               whole(buildSchedulePhase));
  Registration("tile-kernel-phase", "Synchronized to threaded",
               whole([](OpPassManager &pm, const TileCompileOptions &options,
                        Stage reached) {
                 buildKernelPhase(pm, options, reached);
                 buildThreadPhase(pm, options);
               }));
  Registration("tile-code-phase", "Threaded to PTX",
               [](OpPassManager &pm, const TileCompileOptions &options) {
                 addTargetCheck(pm, options);
                 buildCodePhase(pm, options);
               });
  Registration("tile-compile", "A tile program to PTX: all phases",
               whole(buildTileCompilePipeline));
}
