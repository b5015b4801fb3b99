//===- StageContract.cpp - Which stage a pass needs and gives -------------===//
//
// The table, the check at the start of a pass and the record at its end.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/Stages.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

static constexpr StageContract contracts[] = {
    {"tile-inline-calls", Stage::Source, Stage::Source},
    {"tile-await-products", Stage::Source, Stage::Source},
    {"tile-check-assumptions", Stage::Source, Stage::Source},
    {"tile-set-target", Stage::Source, Stage::Source},
    {"tile-expand-grid", Stage::Source, Stage::Logical},
    {"tile-version-launches", Stage::Logical, Stage::Logical},
    {"tile-split-scaled-products", Stage::Logical, Stage::Logical},
    {"tile-plan-roles", Stage::Logical, Stage::Logical},
    {"tile-widen-products", Stage::Logical, Stage::Logical},
    {"tile-infer-layouts", Stage::Logical, Stage::LaidOut},
    {"tile-materialize-scratch", Stage::LaidOut, Stage::Materialized},
    {"tile-split-first-product", Stage::Materialized, Stage::Materialized},
    {"tile-pipeline-loops", Stage::Materialized, Stage::Scheduled},
    {"tile-overlap-products", Stage::Scheduled, Stage::Scheduled},
    {"tile-lower-rings", Stage::Scheduled, Stage::Scheduled},
    {"tile-plan-shared-memory", Stage::Scheduled, Stage::Placed},
    {"tile-insert-barriers", Stage::Placed, Stage::Synchronized},
    {"tile-alternate-consumers", Stage::Synchronized, Stage::Synchronized},
    {"tile-multicast-copies", Stage::Synchronized, Stage::Synchronized},
    {"tile-specialize-warps", Stage::Synchronized, Stage::Synchronized},
    {"tile-hoist-operands", Stage::Synchronized, Stage::Synchronized},
    {"tile-outline-kernels", Stage::Synchronized, Stage::Outlined},
    // Comes after any pass that leaves barriers, and is not needed to go on.
    {"tile-check-barriers", Stage::Synchronized, Stage::Synchronized},
    // Works on kernels, whose stage is the discardable `tile.stage`.
    {"convert-tile-to-nvvm", Stage::Outlined, Stage::Threaded},
};

ArrayRef<StageContract> mlir::tile::getStageContracts() { return contracts; }

static const StageContract &getContract(StringRef pass) {
  for (const StageContract &contract : contracts)
    if (contract.pass == pass)
      return contract;
  llvm_unreachable("a pass without a row in the table of stages");
}

/// The pass that takes a launch on from `stage`; empty after the last.
static StringRef getNextPass(Stage stage) {
  for (const StageContract &contract : contracts)
    if (contract.required == stage)
      return contract.pass;
  return {};
}

/// Pending values, roles before tile-specialize-warps makes them, and clones before
/// tile-overlap-products does, have a meaning (the reference interpreter runs them)
/// but no lowering: an error at the first in a launch, if any.
static bool refuseAsynchronous(LaunchOp launch) {
  bool hasRoles = launch.getReachedStage() >= Stage::Synchronized;
  bool hasClones = launch.getReachedStage() >= Stage::Scheduled;
  auto refuse = [](Operation *op, StringRef form = "") {
    emitErrorWithoutRegions(op)
        << "not implemented yet: " << op->getName().getStringRef() << form;
    return WalkResult::interrupt();
  };
  WalkResult result = launch.walk<WalkOrder::PreOrder>([&](Operation *op) {
    return llvm::TypeSwitch<Operation *, WalkResult>(op)
        .Case([&](CloneOp clone) {
          return hasClones ? WalkResult::advance() : refuse(clone);
        })
        .Case([&](SpecializeOp specialize) {
          return hasRoles ? WalkResult::advance() : refuse(specialize);
        })
        .Case([&](TakeTurnOp turn) {
          return hasRoles ? WalkResult::advance() : refuse(turn);
        })
        .Case([&](GemmAsyncOp product) {
          // By an instruction that is waited for later it has a lowering.
          InstructionAttr instruction = product.getInstructionAttr();
          bool isLowered =
              instruction && instruction.getMatrix() &&
              instruction.getMatrix()->completion == tilec::Completion::Group;
          return isLowered ? WalkResult::advance() : refuse(product);
        })
        .Case([&](BarrierOp barrier) {
          return barrier.getId() ? refuse(barrier, " with an id")
                                 : WalkResult::advance();
        })
        .Default(WalkResult::advance());
  });
  return result.wasInterrupted();
}

/// Rings are lowered at the end of stage `scheduled`: an error at the first that
/// is left for a pass behind that and that no mbarriers carry out, if any.
static bool refuseRings(LaunchOp launch, StringRef pass) {
  auto isOf = [&](const StageContract &row) { return row.pass == pass; };
  auto isLowering = [](const StageContract &row) {
    return row.pass == "tile-lower-rings";
  };
  if (llvm::find_if(contracts, isOf) <= llvm::find_if(contracts, isLowering))
    return false;
  WalkResult result = launch.walk([&](RingOp ring) {
    if (ring.getBarriers())
      return WalkResult::advance();
    ring.emitOpError("is left; run 'tile-lower-rings' before '") << pass << "'";
    return WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

LogicalResult mlir::tile::verifyRequiredStage(Operation *launchOrKernel,
                                              StringRef pass) {
  Stage required = getContract(pass).required;
  bool isForKernels = required >= Stage::Outlined;
  Stage reached = getReachedStage(launchOrKernel);
  if (reached == required)
    return success();
  InFlightDiagnostic error =
      emitErrorWithoutRegions(launchOrKernel)
      << pass << " needs a " << (isForKernels ? "kernel" : "launch")
      << " at stage '" << stringifyStage(required) << "', this one is at '"
      << stringifyStage(reached) << "'";
  StringRef next = getNextPass(reached);
  if (!next.empty() && !isForKernels)
    error.attachNote() << "the pass to run on it next is " << next;
  return error;
}

FailureOr<SmallVector<LaunchOp>> mlir::tile::getLaunches(Operation *root,
                                                         StringRef pass) {
  SmallVector<LaunchOp> launches;
  bool hasFailed = false;
  root->walk([&](LaunchOp launch) {
    launches.push_back(launch);
    hasFailed |= failed(verifyRequiredStage(launch, pass)) ||
                 (launch.getReachedStage() != Stage::Source &&
                  refuseAsynchronous(launch)) ||
                 refuseRings(launch, pass);
  });
  if (hasFailed)
    return failure();
  return launches;
}

void mlir::tile::establishStage(LaunchOp launch, StringRef pass) {
  Stage stage = getContract(pass).established;
  launch.setStageAttr(StageAttr::get(launch.getContext(), stage));
}

LogicalResult
mlir::tile::transformLaunches(Operation *root, StringRef pass,
                              function_ref<LogicalResult(LaunchOp)> transform) {
  FailureOr<SmallVector<LaunchOp>> launches = getLaunches(root, pass);
  if (failed(launches))
    return failure();
  for (LaunchOp launch : *launches) {
    if (failed(transform(launch)))
      return failure();
    establishStage(launch, pass);
  }
  return success();
}
