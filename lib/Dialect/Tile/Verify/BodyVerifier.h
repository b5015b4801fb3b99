//===- BodyVerifier.h - What holds in a body at every stage -----*- C++ -*-===//
//
// The checks that see more than one operation: the closed list, the types of
// all values, where shared memrefs come from, lanes times warps of every
// layout, and that reshapes only relabel.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_DIALECT_TILE_VERIFY_BODYVERIFIER_H
#define TILE_LIB_DIALECT_TILE_VERIFY_BODYVERIFIER_H

#include "LegalOperations.h"

#include "llvm/ADT/DenseSet.h"

namespace mlir::tile {

/// Whether the consumers among `roles` are the `threads` of a launch (all
/// roles, those of a kernel), and a block can have all of them.
LogicalResult verifyRoleThreads(Operation *op, RolesAttr roles, int64_t threads,
                                bool isKernel);

class BodyVerifier {
public:
  /// `owner` is the launch or kernel whose block of `threads` runs the body.
  BodyVerifier(Operation *owner, int64_t threads, Stage stage)
      : owner(owner), threads(threads), stage(stage) {}

  /// Checks the operations and values of a region, regions inside it included.
  LogicalResult verify(Region &region, Place place);

private:
  LogicalResult verifyRegion(Region &region, Place place);
  LogicalResult verifyRoles(SpecializeOp op, Place place);
  LogicalResult verifyOperation(Operation *op, Place place);
  LogicalResult verifyType(Type type, Place place, Operation *op);
  LogicalResult verifyLayout(FragmentAttr layout, Operation *op);
  LogicalResult verifySharedResult(OpResult result);
  LogicalResult verifyRelabelling(Operation *op);
  LogicalResult verifyRelabelling(Operation *op, FragmentAttr from,
                                  FragmentAttr actual,
                                  const tilec::LayoutMap &map,
                                  bool mayBeStaged);

  Operation *owner;
  /// Those that run the operations at hand: the block's, or a role's.
  int64_t threads;
  bool isRole = false;
  Stage stage;
  /// Types and layouts found good, by place.
  llvm::DenseSet<std::pair<Type, unsigned>> goodTypes;
  llvm::DenseSet<FragmentAttr> goodLayouts;
};

} // namespace mlir::tile

#endif // TILE_LIB_DIALECT_TILE_VERIFY_BODYVERIFIER_H
