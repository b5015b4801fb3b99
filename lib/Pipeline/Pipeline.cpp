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

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

void mlir::tile::buildLogicalPhase(OpPassManager &pm,
                                   const TileCompileOptions &options) {
  pm.addPass(createInlineCalls());
  SetTargetOptions target;
  target.chip = options.chip;
  pm.addPass(createSetTarget(target));
  pm.addNestedPass<func::FuncOp>(createExpandGrid());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void mlir::tile::buildLayoutPhase(OpPassManager &pm,
                                  const TileCompileOptions &options) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createPlanRoles());
  functions.addPass(createInferLayouts());
  functions.addPass(createMaterializeScratch());
}

void mlir::tile::buildSchedulePhase(OpPassManager &pm,
                                    const TileCompileOptions &options) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createPipelineLoops());
  functions.addPass(createPlanSharedMemory());
  functions.addPass(createInsertBarriers());
}

void mlir::tile::buildKernelPhase(OpPassManager &pm,
                                  const TileCompileOptions &options) {
  pm.addPass(createOutlineKernels());
  pm.addPass(createConvertTileToNVVM());
}

void mlir::tile::buildCodePhase(OpPassManager &pm,
                                const TileCompileOptions &options) {
  buildConvertToLLVMPipeline(pm);
  SerializeKernelsOptions serialize;
  serialize.optLevel = options.optLevel;
  pm.addPass(createSerializeKernels(serialize));
}

void mlir::tile::buildTileCompilePipeline(OpPassManager &pm,
                                          const TileCompileOptions &options) {
  buildLogicalPhase(pm, options);
  buildLayoutPhase(pm, options);
  buildSchedulePhase(pm, options);
  buildKernelPhase(pm, options);
  buildCodePhase(pm, options);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void mlir::tile::registerTilePipelines() {
  registerTileTransformsPasses();
  registerTileConversionPasses();
  registerTileTargetPasses();
  using Registration = PassPipelineRegistration<TileCompileOptions>;
  Registration("tile-logical-phase", "Source to logical", buildLogicalPhase);
  Registration("tile-layout-phase", "Logical to materialized",
               buildLayoutPhase);
  Registration("tile-schedule-phase", "Materialized to synchronized",
               buildSchedulePhase);
  Registration("tile-kernel-phase", "Synchronized to threaded",
               buildKernelPhase);
  Registration("tile-code-phase", "Threaded to PTX", buildCodePhase);
  Registration("tile-compile", "A tile program to PTX: all phases",
               buildTileCompilePipeline);
}
