//===- LoopStatements.h - A loop body as a scheduling problem ---*- C++ -*-===//
//
// The operations of a loop body that have a place in a schedule, and what the
// Schedule library has to know of them: which memory each touches, which values
// it makes and needs. Scalars that are computed again by every user
// (`isRecomputed`) are looked through.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PIPELINELOOPS_LOOPSTATEMENTS_H
#define TILE_TRANSFORMS_PIPELINELOOPS_LOOPSTATEMENTS_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Schedule/Schedule.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tile {

class LoopStatements {
public:
  /// Without `looksThroughScalars` every operation but constants is a
  /// statement.
  explicit LoopStatements(scf::ForOp loop, bool looksThroughScalars = true);

  /// In program order; the index is the number of the statement.
  ArrayRef<Operation *> getOps() const { return ops; }
  std::optional<int> find(Operation *op) const;

  bool mayRunAhead(Operation *op) const {
    return body.statements[numbers.lookup(op)].mayRunAhead;
  }

  const tilec::schedule::Body &getBody() const { return body; }
  /// Says that nothing flows through a shared buffer from one iteration to the
  /// next.
  void setPrivate(Value buffer) {
    body.places[places.lookup(buffer)].isPrivate = true;
  }
  /// The place of a root of shared or global memory that the loop touches.
  std::optional<int> getPlace(Value root) const;

private:
  void addStatement(Operation *op);
  void addAccesses(Operation *op, tilec::schedule::Statement &statement);
  void addEffects(Operation *op, tilec::schedule::Statement &statement);
  void addUses(Value value, int distance,
               llvm::DenseSet<std::pair<Value, int>> &seen,
               tilec::schedule::Statement &statement);
  int addPlace(Value root);
  void addOverlaps();

  scf::ForOp loop;
  bool looksThroughScalars;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, int> numbers;
  llvm::MapVector<Value, int> places;
  llvm::DenseMap<Value, int> values;
  std::optional<int> console, trap;
  tilec::schedule::Body body;
};

/// What a remark calls an operation: its name and its line.
std::string describe(Operation *op);

/// Whether all uses of a ring, which may stand in front of `loop`, are inside of
/// it: those of loops in it.
bool isRingOfInside(scf::ForOp loop, Value ring);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_PIPELINELOOPS_LOOPSTATEMENTS_H
