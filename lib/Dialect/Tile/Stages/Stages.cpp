//===- Stages.cpp - Stages of launches and kernels ------------------------===//
//
// The record of the stage and the order of the predicates: a stage holds if its
// own predicate holds and those of all stages before it. Only `threaded` stands
// by itself, as there are no tile operations left that the others speak of.
//
//===----------------------------------------------------------------------===//

#include "StagePredicates.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

InFlightDiagnostic tile::emitErrorWithoutRegions(Operation *op) {
  InFlightDiagnostic error = mlir::emitError(op->getLoc());
  if (op->getContext()->shouldPrintOpOnDiagnostic())
    error.attachNote(op->getLoc())
        .append("see current operation: ")
        .appendOp(*op, OpPrintingFlags().printGenericOpForm().skipRegions());
  return error;
}

static TileDialect &getDialect(Operation *op) {
  return *op->getContext()->getLoadedDialect<TileDialect>();
}

Stage tile::getReachedStage(Operation *launchOrKernel) {
  if (auto launch = dyn_cast<LaunchOp>(launchOrKernel))
    return launch.getReachedStage();
  StageAttr stage =
      getDialect(launchOrKernel).getStageAttrHelper().getAttr(launchOrKernel);
  return stage ? stage.getValue() : Stage::Source;
}

void tile::setReachedStage(Operation *launchOrKernel, Stage stage) {
  auto attribute = StageAttr::get(launchOrKernel->getContext(), stage);
  if (auto launch = dyn_cast<LaunchOp>(launchOrKernel))
    launch.setStageAttr(attribute);
  else
    getDialect(launchOrKernel)
        .getStageAttrHelper()
        .setAttr(launchOrKernel, attribute);
}

InFlightDiagnostic tile::emitStageError(Operation *op, Stage stage) {
  return emitErrorWithoutRegions(op)
         << "'" << op->getName() << "' op breaks stage '"
         << stringifyStage(stage) << "': ";
}

/// A kernel's operations are not verified yet when its attribute is: the
/// predicates that ask them for more than their dialect need them well-formed.
static LogicalResult verifyOperations(Region &body) {
  WalkResult result = body.walk([](Operation *op) -> WalkResult {
    std::optional<RegisteredOperationName> name = op->getRegisteredInfo();
    return name ? name->verifyInvariants(op) : success();
  });
  return failure(result.wasInterrupted());
}

/// Whether the predicate of `stage` holds, and those of all stages before it.
static LogicalResult verifyPredicates(const StagedCode &code, Stage stage) {
  if (stage == Stage::Threaded)
    return verifyThreaded(code);
  using Predicate = LogicalResult (*)(const StagedCode &);
  static constexpr std::pair<Stage, Predicate> predicates[] = {
      {Stage::Logical, verifyLogical},
      {Stage::LaidOut, verifyLaidOut},
      {Stage::Materialized, verifyMaterialized},
      {Stage::Scheduled, verifyScheduled},
      {Stage::Placed, verifyPlaced},
      {Stage::Synchronized, verifySynchronized},
      {Stage::Outlined, verifyOutlined},
  };
  for (auto [at, predicate] : predicates)
    if (at <= stage && failed(predicate(code)))
      return failure();
  return success();
}

static LogicalResult verifyLaunchStage(LaunchOp launch, Stage stage) {
  if (stage >= Stage::Outlined)
    return emitStageError(launch, stage)
           << "launches have become kernels by then";
  return verifyPredicates(
      {launch, &launch.getBody(), (int64_t)launch.getThreads()}, stage);
}

static LogicalResult verifyKernelStage(FunctionOpInterface function,
                                       Stage stage) {
  if (function.isExternal())
    return success();
  if (stage != Stage::Threaded &&
      failed(verifyOperations(function.getFunctionBody())))
    return failure();
  StagedCode code{function, &function.getFunctionBody()};
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(code.owner)) {
    std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
    if (!size || size->size() != 3)
      return emitStageError(kernel, stage)
             << "a kernel has 'known_block_size' with its number of threads";
    code.threads = int64_t((*size)[0]) * (*size)[1] * (*size)[2];
  }
  if (stage < Stage::Outlined)
    return emitStageError(function, stage)
           << "a kernel is at 'outlined' or 'threaded'";
  return verifyPredicates(code, stage);
}

LogicalResult tile::verifyStage(Operation *launchOrKernel, Stage stage) {
  if (stage == Stage::Source)
    return success();
  return llvm::TypeSwitch<Operation *, LogicalResult>(launchOrKernel)
      .Case([&](LaunchOp launch) { return verifyLaunchStage(launch, stage); })
      .Case([](func::FuncOp) { return success(); })
      .Case([&](FunctionOpInterface function) {
        return verifyKernelStage(function, stage);
      })
      .Default(success());
}
