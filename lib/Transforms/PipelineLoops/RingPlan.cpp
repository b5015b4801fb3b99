//===- RingPlan.cpp - Which copies of a loop run ahead --------------------===//

#include "RingPlan.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;

/// Whether the loop may write what `source` reads.
static bool mayWrite(scf::ForOp loop, Value source) {
  BlockAccess read = BlockAccess::read(source);
  WalkResult walk = loop.walk([&](Operation *op) {
    bool writes =
        llvm::any_of(getBlockAccesses(op), [&](const BlockAccess &access) {
          return access.writes && mayOverlap(access, read);
        });
    return writes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// Adds to `ahead` what `value` is computed from inside the body. Fails where
/// that is more than arithmetic on the induction variable and values from
/// outside.
static LogicalResult collectAhead(scf::ForOp loop, Value value,
                                  llvm::SetVector<Operation *> &ahead) {
  if (!loop->isProperAncestor(value.getParentBlock()->getParentOp()) &&
      value.getParentBlock() != loop.getBody())
    return success();
  if (value == loop.getInductionVar())
    return success();
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || !isPure(op) ||
      op->getNumRegions() > 0 || isa<RankedTensorType>(value.getType()))
    return failure();
  if (ahead.contains(op))
    return success();
  for (Value operand : op->getOperands())
    if (failed(collectAhead(loop, operand, ahead)))
      return failure();
  ahead.insert(op);
  return success();
}

/// Why a copy of the body cannot run ahead, or nothing if it can.
static std::optional<StringRef> findObstacle(scf::ForOp loop, CopyOp copy,
                                             AllocOp &buffer) {
  if (!copy.getInstructionAttr().isAsynchronous())
    return "its copy is not asynchronous";
  buffer = copy.getDest().getDefiningOp<AllocOp>();
  if (!buffer || !copy.getDestSide().isWhole())
    return "its copy fills only a part of a buffer";
  if (copy.getSourceRows() || copy.getDestRows())
    return "its copy gathers rows that this iteration computes";
  for (Operation *user : buffer->getUsers()) {
    if (user == copy)
      continue;
    if (!loop->isProperAncestor(user))
      return "its buffer is used outside the loop";
    Operation *inBody = loop.getBody()->findAncestorOpInBlock(*user);
    if (inBody->isBeforeInBlock(copy))
      return "its buffer is read before the copy of the same iteration";
    if (isa<ViewLikeOpInterface>(user))
      return "its buffer is read through a view";
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    if (!effects ||
        effects.getEffectOnValue<MemoryEffects::Write>(buffer.getResult()))
      return "its buffer is written by another operation of the loop";
  }
  if (mayWrite(loop, copy.getSource()))
    return "the loop may write the memory it copies from";
  return std::nullopt;
}

static int64_t getBytes(AllocOp buffer) {
  int64_t bits = getMemoryBits(buffer.getType().getElementType());
  auto layout = buffer.getLayout()->getLayout(bits);
  return layout ? layout->getSizeBytes() : 0;
}

/// The largest number of slots, at most `stages`, that fits beside all other
/// buffers of the launch as if they were live at once.
static int64_t fitSlots(const RingPlan &plan, int64_t stages,
                        const tilec::GpuTarget &target) {
  int64_t ringBytes = 0, allBytes = 0;
  for (const RingCopy &ring : plan.copies)
    ringBytes += getBytes(ring.buffer);
  plan.loop->getParentOfType<LaunchOp>().walk(
      [&](AllocOp alloc) { allBytes += getBytes(alloc); });
  int64_t others = allBytes - ringBytes;
  int64_t fitting = (target.maxSharedBytesPerBlock - others) /
                    std::max<int64_t>(1, ringBytes);
  return std::clamp<int64_t>(fitting, 1, stages);
}

RingPlan tile::planRings(scf::ForOp loop, int64_t stages,
                         const tilec::GpuTarget &target) {
  RingPlan plan;
  plan.loop = loop;
  for (CopyOp copy : loop.getBody()->getOps<CopyOp>()) {
    if (copy.getSourceSide().isShared())
      continue;
    AllocOp buffer;
    std::optional<StringRef> obstacle = findObstacle(loop, copy, buffer);
    llvm::SetVector<Operation *> ahead = plan.ahead;
    if (!obstacle)
      for (Value operand : copy->getOperands())
        if (operand != copy.getDest() &&
            failed(collectAhead(loop, operand, ahead)))
          obstacle = "its place depends on more than the induction variable";
    if (obstacle) {
      plan.reason = llvm::formatv("a buffer keeps one slot: {0}", *obstacle);
      continue;
    }
    plan.ahead = std::move(ahead);
    plan.copies.push_back({copy, buffer});
  }
  if (plan.copies.empty()) {
    if (plan.reason.empty())
      plan.reason = "no copy from global to shared memory stands in its body";
    return plan;
  }
  plan.slots = fitSlots(plan, stages, target);
  if (plan.slots < stages)
    plan.reason = llvm::formatv(
        "{0} slots instead of {1} fit the {2} bytes of shared memory",
        plan.slots, stages, target.maxSharedBytesPerBlock);
  return plan;
}
