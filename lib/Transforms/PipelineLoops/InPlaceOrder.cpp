//===- InPlaceOrder.cpp - A body in the order of its schedule -------------===//

#include "InPlaceOrder.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
class BodyOrder {
public:
  explicit BodyOrder(Block &body) : body(body) {}
  void place(Operation *op);
  /// Erases what nothing needs, as views of what is filled and not read.
  void eraseOthers();

private:
  Block &body;
  llvm::SmallPtrSet<Operation *, 32> placed;
};
} // namespace

/// Moves `op` behind what is placed, and what it needs in front of it.
void BodyOrder::place(Operation *op) {
  if (!placed.insert(op).second)
    return;
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    if (Operation *needed = value.getDefiningOp())
      if (needed->getBlock() == &body)
        place(needed);
  op->moveBefore(body.getTerminator());
}

void BodyOrder::eraseOthers() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (!placed.contains(&op) && isOpTriviallyDead(&op))
      op.erase();
}

void tile::orderInPlace(scf::ForOp loop, ArrayRef<ScheduledOp> order) {
  BodyOrder body(*loop.getBody());
  for (const ScheduledOp &entry : order)
    body.place(entry.op);
  for (Value yielded : loop.getYieldedValues())
    if (Operation *needed = yielded.getDefiningOp())
      if (needed->getBlock() == loop.getBody())
        body.place(needed);
  body.eraseOthers();
}
