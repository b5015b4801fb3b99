//===- MemRefRoots.cpp - Where memrefs come from --------------------------===//

#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/SubViews.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

using Values = SmallVector<Value>;

/// What `op` gives on, as a view of one memref or a choice of two.
static Values getSources(Operation *op) {
  return llvm::TypeSwitch<Operation *, Values>(op)
      .Case(
          [](ViewLikeOpInterface view) { return Values{view.getViewSource()}; })
      .Case([](AssumeOp assume) { return Values{assume.getSource()}; })
      .Case([](arith::SelectOp select) {
        return Values{select.getTrueValue(), select.getFalseValue()};
      })
      .Default(Values());
}

/// The values that `value` is one of, looking through one operation; empty
/// where `value` is a root.
static Values getOrigins(Value value) {
  Operation *op = value.getDefiningOp();
  if (op)
    if (Values sources = getSources(op); !sources.empty())
      return sources;
  Operation *owner =
      op ? op : cast<BlockArgument>(value).getOwner()->getParentOp();
  auto branch = dyn_cast_or_null<RegionBranchOpInterface>(owner);
  if (!branch)
    return {};
  RegionBranchInverseSuccessorMapping inputs;
  branch.getSuccessorInputOperandMapping(inputs);
  Values origins;
  for (OpOperand *operand : inputs.lookup(value))
    origins.push_back(operand->get());
  return origins;
}

SmallVector<Value> tile::getMemRefRoots(Value memref) {
  llvm::SetVector<Value> seen;
  SmallVector<Value> roots;
  seen.insert(memref);
  for (size_t next = 0; next < seen.size(); ++next) {
    SmallVector<Value> origins = getOrigins(seen[next]);
    if (origins.empty())
      roots.push_back(seen[next]);
    seen.insert(origins.begin(), origins.end());
  }
  return roots;
}

Value tile::getSharedRoot(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (isa<AllocOp, ViewOp, ArenaOp>(op))
      return memref;
    SmallVector<Value> origins = getOrigins(memref);
    if (origins.size() != 1)
      return {};
    memref = origins.front();
  }
  return {};
}

/// The dimension that is alone in its group with dimension `dim` of a reshape.
template <typename OpT>
static std::optional<int64_t> getReshapedDim(OpT reshape, int64_t dim) {
  bool isCollapse = std::is_same_v<OpT, memref::CollapseShapeOp>;
  for (auto [index, group] :
       llvm::enumerate(reshape.getReassociationIndices())) {
    auto joined = static_cast<int64_t>(index);
    if (isCollapse ? joined != dim : !llvm::is_contained(group, dim))
      continue;
    if (group.size() != 1)
      return std::nullopt;
    return isCollapse ? group.front() : joined;
  }
  return std::nullopt;
}

std::optional<int64_t>
tile::getRootDim(Value memref, int64_t dim,
                 llvm::function_ref<bool(OpFoldResult)> accepts) {
  Value root = getSharedRoot(memref);
  if (!root)
    return std::nullopt;
  while (memref != root) {
    if (auto castOp = memref.getDefiningOp<memref::CastOp>()) {
      memref = castOp.getSource();
      continue;
    }
    auto collapse = memref.getDefiningOp<memref::CollapseShapeOp>();
    auto expand = memref.getDefiningOp<memref::ExpandShapeOp>();
    if (collapse || expand) {
      auto reshaped = collapse ? getReshapedDim(collapse, dim)
                               : getReshapedDim(expand, dim);
      if (!reshaped)
        return std::nullopt;
      dim = *reshaped;
      memref = memref.getDefiningOp()->getOperand(0);
      continue;
    }
    auto view = memref.getDefiningOp<memref::SubViewOp>();
    if (!view)
      return std::nullopt;
    // Rank-reducing views number the dimensions that are left.
    llvm::SmallBitVector dropped = getDroppedDims(view);
    int64_t sourceDim = 0;
    for (int64_t left = dim;; ++sourceDim)
      if (!dropped.test(sourceDim) && left-- == 0)
        break;
    dim = sourceDim;
    if (getConstantIntValue(view.getMixedStrides()[dim]) != 1 ||
        (accepts && !accepts(view.getMixedOffsets()[dim])))
      return std::nullopt;
    memref = view.getSource();
  }
  return dim;
}

bool tile::mayAliasOthers(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    auto function = dyn_cast_or_null<FunctionOpInterface>(
        argument.getOwner()->getParentOp());
    return !function ||
           function.getArgAttr(argument.getArgNumber(),
                               TileDialect::MayAliasAttrHelper::getNameStr());
  }
  return !root.getDefiningOp<memref::AllocOp>();
}
