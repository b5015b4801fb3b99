//===- ScheduleHints.h - When operations of a loop run ----------*- C++ -*-===//
//
// A program may say the schedule of a loop itself: `tile.pipeline_stage` and
// `tile.pipeline_order` on every operation of the body. Passes in front of
// `tile-pipeline-loops` write out operations as several. What stands in place of
// an operation runs when it would have: it has the same stage and order, and
// operations of one order run in the order of the program.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_SCHEDULEHINTS_H
#define TILE_DIALECT_TILE_SCHEDULEHINTS_H

#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mlir::tile {

struct ScheduleHint {
  IntegerAttr stage, order;
};

/// What the program says of `op`, or nothing.
std::optional<ScheduleHint> getScheduleHint(Operation *op);

/// The first operation of a loop's body of which the program says when it runs;
/// null if there is none.
Operation *findScheduled(Block &body);

void setScheduleHint(Operation *op, ScheduleHint hint);
void removeScheduleHint(Operation *op);

/// Says of `to` what the program says of `from`, if anything.
void copyScheduleHint(Operation *from, Operation *to);

/// Listens to a rewriter that writes out operations one at a time: what was made
/// directly in front of or behind an operation that is erased gets its hint.
class ScheduleHintKeeper final : public RewriterBase::Listener {
public:
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override;
  void notifyOperationErased(Operation *op) override;

private:
  /// Made since an operation was erased last.
  llvm::DenseSet<Operation *> fresh;
};

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_SCHEDULEHINTS_H
