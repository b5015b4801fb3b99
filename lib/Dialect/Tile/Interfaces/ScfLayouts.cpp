//===- ScfLayouts.cpp - Layouts of values that control flow carries -------===//
//
// What flows into a region or out of it keeps its layout: a loop's initial and
// yielded values have that of the iteration argument, a branch's that of the
// result.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileInterfaces.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tile;

static bool isFragment(Value value) {
  return isa<RankedTensorType>(value.getType());
}

static void flow(OpOperand &use, Value target, LayoutConstraints &constraints) {
  if (isFragment(use.get()))
    constraints.takeSame(use, target);
}

static void join(Value a, Value b, LayoutConstraints &constraints) {
  if (isFragment(a))
    constraints.same.push_back({a, b});
}

namespace {

struct ForLayouts final
    : LayoutConstraintsOpInterface::ExternalModel<ForLayouts, scf::ForOp> {
  void getLayoutConstraints(Operation *op,
                            LayoutConstraints &constraints) const {
    auto loop = cast<scf::ForOp>(op);
    for (auto [init, argument, result] :
         llvm::zip(loop.getInitArgsMutable(), loop.getRegionIterArgs(),
                   loop.getResults())) {
      join(argument, result, constraints);
      flow(init, argument, constraints);
    }
    for (auto [use, argument] : llvm::zip(
             loop.getYieldedValuesMutable().value(), loop.getRegionIterArgs()))
      flow(use, argument, constraints);
  }
};

struct WhileLayouts final
    : LayoutConstraintsOpInterface::ExternalModel<WhileLayouts, scf::WhileOp> {
  void getLayoutConstraints(Operation *op,
                            LayoutConstraints &constraints) const {
    auto loop = cast<scf::WhileOp>(op);
    for (auto [init, argument] :
         llvm::zip(loop.getInitsMutable(), loop.getBeforeArguments()))
      flow(init, argument, constraints);
    auto forwarded = loop.getConditionOp().getArgsMutable();
    for (auto [use, argument, result] :
         llvm::zip(forwarded, loop.getAfterArguments(), loop.getResults())) {
      join(argument, result, constraints);
      flow(use, argument, constraints);
    }
    for (auto [use, argument] : llvm::zip(loop.getYieldOp()->getOpOperands(),
                                          loop.getBeforeArguments()))
      flow(use, argument, constraints);
  }
};

/// For operations whose regions yield their results.
template <typename OpT>
struct BranchLayouts final
    : LayoutConstraintsOpInterface::ExternalModel<BranchLayouts<OpT>, OpT> {
  void getLayoutConstraints(Operation *op,
                            LayoutConstraints &constraints) const {
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      Operation *yield = region.front().getTerminator();
      for (auto [use, result] :
           llvm::zip(yield->getOpOperands(), op->getResults()))
        flow(use, result, constraints);
    }
  }
};

} // namespace

void tile::attachInterfacesToScf(MLIRContext *context) {
  scf::ForOp::attachInterface<ForLayouts>(*context);
  scf::WhileOp::attachInterface<WhileLayouts>(*context);
  scf::IfOp::attachInterface<BranchLayouts<scf::IfOp>>(*context);
  scf::IndexSwitchOp::attachInterface<BranchLayouts<scf::IndexSwitchOp>>(
      *context);
}
