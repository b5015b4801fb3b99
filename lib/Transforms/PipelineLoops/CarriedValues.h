//===- CarriedValues.h - What steps of a pipelined loop hand on -*- C++ -*-===//
//
// A pipelined loop carries from step to step
//
// - a value made by an operation with a larger lead than its user, once for
//   each step that it waits;
// - what the old loop carried. Made by an operation of lead n, it is what that
//   operation made 1, 2, .. steps ago; computed from scalars (i += 32), it is
//   carried separately for each lead that needs it. Where a scheduled operation
//   makes what it is computed from (a chain of loads) only in the step that
//   uses it, it is not carried but computed there.
//
// Here is counted which of these some operation needs.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_CARRIEDVALUES_H
#define TILE_TRANSFORMS_PIPELINELOOPS_CARRIEDVALUES_H

#include "ExpandSchedule.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tile {

/// A loop-carried value of the pipelined loop.
struct CarriedValue {
  /// A result of a scheduled operation of the old body, or an argument of it.
  Value value;
  /// Steps since it was made; of an argument computed from scalars, the lead of
  /// the iteration whose value it is.
  int64_t age = 0;
};

class CarriedValues {
public:
  CarriedValues(scf::ForOp loop, ArrayRef<ScheduledOp> order);

  ArrayRef<CarriedValue> getAll() const { return carried; }
  /// The position of a carried value among the new loop's.
  unsigned getIndex(const CarriedValue &value) const;
  /// The position of the one that ends as the old loop's result.
  unsigned getResultIndex(BlockArgument argument) const;

  bool isInLoop(Value value) const;
  /// The lead of an operation that is scheduled.
  std::optional<int64_t> getLead(Operation *op) const;
  int64_t getLeadOf(Value value) const {
    return *getLead(value.getDefiningOp());
  }
  int64_t getLargestLead() const { return largestLead; }
  /// Whether a value of the loop is made by a scheduled operation.
  bool isScheduled(Value value) const {
    return isInLoop(value) && getLead(value.getDefiningOp());
  }
  /// Whether `argument` of an iteration with this lead is computed in the step
  /// that uses it: at the end of the step before, what it takes is not there.
  bool isComputedInStep(BlockArgument argument, int64_t lead) const;
  /// What the old loop hands on to the next iteration's `argument`.
  Value getYielded(BlockArgument argument) const;

  /// Whether an operation that is not scheduled computes something for those
  /// without a lead.
  bool isNeededWithoutLead(Operation *op) const { return scalars.contains(op); }

  /// The results of `ops` that other operations or later steps use.
  SmallVector<Value> getLeaving(ArrayRef<Operation *> ops) const;
  /// The loop-carried values that `ops` make.
  SmallVector<BlockArgument> getAdvanced(ArrayRef<Operation *> ops) const;

private:
  void needOf(Operation *op, int64_t lead);
  void need(Value value, int64_t lead);
  void needCarried(BlockArgument argument, int64_t lead);
  void addResults();
  void add(const CarriedValue &value);
  bool isThereAtEnd(Value value, int64_t lead) const;

  scf::ForOp loop;
  llvm::DenseMap<Operation *, int64_t> leads;
  int64_t largestLead = 0;
  SmallVector<CarriedValue> carried;
  /// Arguments that scheduled operations make and something needs.
  llvm::SetVector<BlockArgument> advanced;
  llvm::DenseMap<std::pair<Value, int64_t>, unsigned> indices;
  llvm::DenseSet<Operation *> scalars;
  /// For each result of a scheduled operation the others that use it, perhaps
  /// by way of scalars; null stands for later steps.
  llvm::DenseMap<Value, llvm::SmallSetVector<Operation *, 2>> users;
  /// Whose needs are being noted; null: the loop's own.
  Operation *user = nullptr;
  /// What has been noted: for whom, of which value, at which lead.
  llvm::DenseSet<std::tuple<Operation *, Value, int64_t>> visited;
};

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_CARRIEDVALUES_H
