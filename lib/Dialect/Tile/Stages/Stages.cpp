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
/// predicates need them well-formed.
static LogicalResult verifyOperations(Region &body) {
  WalkResult result = body.walk([](Operation *op) -> WalkResult {
    std::optional<RegisteredOperationName> name = op->getRegisteredInfo();
    return name ? name->verifyInvariants(op) : success();
  });
  return failure(result.wasInterrupted());
}

/// What a predicate looks at; nothing for functions that are neither.
static FailureOr<std::optional<StagedCode>> getCode(Operation *op,
                                                    Stage stage) {
  if (auto launch = dyn_cast<LaunchOp>(op))
    return std::optional(
        StagedCode{op, &launch.getBody(), (int64_t)launch.getThreads()});
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || isa<func::FuncOp>(op) || function.isExternal())
    return std::optional<StagedCode>();
  if (failed(verifyOperations(function.getFunctionBody())))
    return failure();
  StagedCode code{op, &function.getFunctionBody()};
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op)) {
    std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
    if (!size || size->size() != 3)
      return emitStageError(op, stage)
             << "a kernel has 'known_block_size' with its number of threads";
    code.threads = int64_t((*size)[0]) * (*size)[1] * (*size)[2];
  }
  return std::optional(code);
}

LogicalResult tile::verifyStage(Operation *launchOrKernel, Stage stage) {
  if (stage == Stage::Source)
    return success();
  bool isLaunch = isa<LaunchOp>(launchOrKernel);
  if (isLaunch && stage >= Stage::Outlined)
    return emitStageError(launchOrKernel, stage)
           << "launches have become kernels by then";
  FailureOr<std::optional<StagedCode>> code = getCode(launchOrKernel, stage);
  if (failed(code))
    return failure();
  if (!*code)
    return success();
  if (!isLaunch && stage < Stage::Outlined)
    return emitStageError(launchOrKernel, stage)
           << "a kernel is at 'outlined' or 'threaded'";
  if (stage == Stage::Threaded)
    return verifyThreaded(**code);
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
    if (at <= stage && failed(predicate(**code)))
      return failure();
  return success();
}
