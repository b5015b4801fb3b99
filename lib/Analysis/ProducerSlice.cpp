//===- ProducerSlice.cpp - What a producer of its own would run -----------===//

#include "tile/Analysis/ProducerSlice.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/StructuredDataflow.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tile;

bool tile::isProducerOp(Operation *op) {
  std::optional<RingUseKind> kind = getRingUseKind(op);
  return kind == RingUseKind::Acquire || kind == RingUseKind::Commit ||
         isMbarrierFill(op);
}

namespace {
class SliceBuilder {
public:
  explicit SliceBuilder(LaunchOp launch);
  ProducerSlice build();

private:
  void addOperation(Operation *op);
  void addControl(RegionBranchOpInterface branch);
  void addValue(Value value);
  void addMade(Value value);
  void checkFill(Operation *fill);
  void checkSource(Value source);
  void checkDest(Operation *fill, Value dest);
  const BlockAccess *findWrite(Value memref);
  void refuse(Operation *op, const Twine &reason) {
    if (!slice.obstacle)
      slice.obstacle = SplitObstacle{op, reason.str()};
  }

  LaunchOp launch;
  ProgramPoints points;
  SmallVector<const BlockAccess *> writes; ///< of all but the producer
  ProducerSlice slice;
};
} // namespace

SliceBuilder::SliceBuilder(LaunchOp launch) : launch(launch), points(launch) {
  for (const BlockAccess &access : points.getAccesses())
    if (access.writes && !isProducerOp(access.op))
      writes.push_back(&access);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool tile::mayWriteItself(Operation *op, const BlockAccess &access,
                          Value memref) {
  if (!access.writes)
    return false;
  if (access.memref || !access.isGlobalOnly)
    return mayOverlap(access, BlockAccess::read(memref));
  auto isPassed = [&](Value operand) {
    return isa<MemRefType>(operand.getType()) && mayOverlap(operand, memref);
  };
  // The atomic may stand in `op`, as in a `tile.once`.
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(), isPassed)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// An access that may write to `memref`, but those of the producer.
const BlockAccess *SliceBuilder::findWrite(Value memref) {
  for (const BlockAccess *access : writes)
    if (mayWriteItself(access->op, *access, memref))
      return access;
  return nullptr;
}

/// The producer runs ahead of what the consumers write.
void SliceBuilder::checkSource(Value source) {
  if (const BlockAccess *write = findWrite(source))
    refuse(write->op, "it may write what a copy of the producer reads, which "
                      "does not wait for it");
}

/// Only who fills a ring may write to its slots.
void SliceBuilder::checkDest(Operation *fill, Value dest) {
  Value root = getSharedRoot(dest);
  if (!root)
    return refuse(fill, "its destination is no view of a buffer");
  for (const BlockAccess *access : writes)
    if (access->memref && access->op != root.getDefiningOp() &&
        getSharedRoot(access->memref) == root)
      refuse(access->op, "it writes to a buffer that the producer fills");
}

void SliceBuilder::checkFill(Operation *fill) {
  for (const BlockAccess &access : getBlockAccesses(fill)) {
    if (access.reads)
      checkSource(access.memref);
    if (access.writes)
      checkDest(fill, access.memref);
  }
}

//===----------------------------------------------------------------------===//
// The slice
//===----------------------------------------------------------------------===//

/// Whether `op` makes what is in front of both roles.
static bool isInFrontOfRoles(Operation *op) {
  return isa<AllocOp, ArenaOp, ViewOp, RingOp>(op);
}

/// Whether each thread has by itself what `op` gives: a scalar, or a fragment of
/// places that is loaded or computed element by element.
static bool isOfEachThread(Operation *op) {
  auto isFragment = [](Type type) {
    return isa<TensorType, PendingType>(type);
  };
  auto isPlace = [&](Type type) {
    return !isFragment(type) ||
           getElementTypeOrSelf(type).isSignlessIntOrIndex();
  };
  bool isAlone = op->getNumRegions() == 0 || isa<IterationSpaceOpInterface>(op);
  return isAlone && llvm::all_of(op->getResultTypes(), isPlace) &&
         (op->hasTrait<OpTrait::Elementwise>() ||
          llvm::none_of(op->getOperandTypes(), isFragment));
}

/// A value that the operation `op` itself computes.
void SliceBuilder::addMade(Value value) {
  Operation *op = value.getDefiningOp();
  if (isInFrontOfRoles(op))
    return;
  if (isProducerOp(op))
    return addOperation(op);
  if (!isOfEachThread(op) || !(isMemoryEffectFree(op) || onlyReadsGlobal(op)))
    return refuse(op, "the consumers alone know what it gives, and a copy of "
                      "the producer needs it");
  for (const BlockAccess &access : getBlockAccesses(op))
    if (findWrite(access.memref))
      return refuse(op, "what it loads may be written in this launch");
  addOperation(op);
}

void SliceBuilder::addValue(Value value) {
  Region *region = value.getParentRegion();
  bool isInside = region->getParentOp() != launch.getOperation()
                      ? launch.getBody().isAncestor(region)
                      : !isa<BlockArgument>(value);
  if (!isInside || slice.values.contains(value))
    return;
  Operation *owner = value.getDefiningOp();
  if (!owner)
    owner = value.getParentBlock()->getParentOp();
  auto branch = dyn_cast<RegionBranchOpInterface>(owner);
  if (!branch)
    return addMade(value);
  slice.values.insert(value);
  addOperation(branch);
  for (Value operand : getHandedOver(value))
    addValue(operand);
}

/// What decides where control goes in `branch`: operands of it and of its
/// terminators that are not handed over.
void SliceBuilder::addControl(RegionBranchOpInterface branch) {
  RegionBranchSuccessorMapping handedOver;
  branch.getSuccessorOperandInputMapping(handedOver);
  auto add = [&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (!handedOver.contains(&operand))
        addValue(operand.get());
  };
  add(branch);
  for (Region &region : branch->getRegions())
    if (!region.empty())
      add(region.front().getTerminator());
}

void SliceBuilder::addOperation(Operation *op) {
  if (op == launch || !slice.ops.insert(op).second)
    return;
  addOperation(op->getParentOp());
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return addControl(branch);
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value operand : used)
    addValue(operand);
}

ProducerSlice SliceBuilder::build() {
  for (Operation *op : points.getOperations()) {
    if (!isProducerOp(op))
      continue;
    addOperation(op);
    if (isMbarrierFill(op))
      checkFill(op);
  }
  return std::move(slice);
}

ProducerSlice tile::computeProducerSlice(LaunchOp launch) {
  return SliceBuilder(launch).build();
}
