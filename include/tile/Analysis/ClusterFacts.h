//===- ClusterFacts.h - What blocks of a cluster have in common -*- C++ -*-===//
//
// Blocks of a cluster run one program. A value is the same in two of them where
// it follows from what is the same; what a block's place in the grid adds is
// followed through arithmetic, as far as it is a constant for each rank:
//
//     value in the block of rank r  =  common + offsets[r]
//
//     %h                 cluster (1, 2)      c + 0, c + 1     2 divides c
//     %h / 4             key head of GQA     c' + 0, c' + 0   the same
//     %k of scf.for      same bounds         the same
//
// "The same" is meant for blocks that are at the same use of a ring: all that
// decides how often it is used has to be the same, too (`getRingControl`).
//
// Values are those of a producer's slice (ProducerSlice.h): what it loads nobody
// writes, so that a load gives the same where its place is the same.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_CLUSTERFACTS_H
#define TILE_ANALYSIS_CLUSTERFACTS_H

#include "tile/Analysis/IndexFacts.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tile {

/// A value in each block of a cluster.
struct ClusterValue {
  /// Where two are equal, the value is the same in these blocks.
  SmallVector<int64_t> offsets;
  /// Whether the value is a number that all blocks know plus the offset.
  bool isSum = false;
  /// A divisor of that number; 0 where it is zero.
  int64_t divisor = 1;

  bool isSame() const { return llvm::all_equal(offsets); }
};

/// The extents of a launch's clusters, a number for each dimension of its grid.
SmallVector<int64_t> getClusterShape(LaunchOp launch);

class ClusterFacts {
public:
  explicit ClusterFacts(LaunchOp launch);

  /// In which blocks `value` is the same.
  ClusterValue get(Value value);
  /// In which blocks control comes to `op` in step.
  ClusterValue getControl(Operation *op);
  /// In which blocks the fills of `ring` are the same in number and order.
  ClusterValue getRingControl(RingOp ring);
  /// In which blocks `load`, a bulk copy into a ring, fills the same place with
  /// the same box, if they come to it in step.
  ClusterValue getPlace(Operation *load);

  /// What is the same where both are.
  static ClusterValue meet(const ClusterValue &a, const ClusterValue &b);

private:
  ClusterValue getSame(Value value);
  ClusterValue compute(Value value);
  ClusterValue computeMade(Value value);
  ClusterValue computeForwarded(Value value);
  ClusterValue computeControl(Operation *op);
  ClusterValue computeChoice(RegionBranchOpInterface branch);
  bool refine();

  LaunchOp launch;
  IndexFacts facts;
  SmallVector<int64_t> shape;
  int64_t blockCount;
  /// What regions hand on, as far as it is known not to be the same.
  llvm::MapVector<Value, ClusterValue> forwarded;
  llvm::DenseMap<Value, ClusterValue> known;
};

} // namespace mlir::tile

#endif // TILE_ANALYSIS_CLUSTERFACTS_H
