//===- LoadedPlaces.cpp - Places of gathered rows, loaded as they are used -===//
//
// In a launch with roles the places of gathered rows have to be known to the
// threads of the producer, which no exchange with those that compute can tell
// them. Where places are loaded from global memory, and computed from what is
// loaded element by element, each thread loads those that it needs:
//
//     %r = tile.load %m : #a                    %r = tile.load %m : #b
//     %q = tile.convert_layout %r : #a to #b    tile.copy .. rows(%r)
//     tile.copy .. rows(%q)
//
// Several threads then load one place, which costs an access to the cache.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;

/// Whether `value` only says where rows of copies are.
static bool isOfRows(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           return llvm::any_of(getBlockAccesses(user), [&](auto &access) {
             return access.side && access.side->rows == value;
           });
         });
}

/// A load from global memory; null for others.
static LoadOp getGlobalLoad(Operation *op) {
  auto load = dyn_cast<LoadOp>(op);
  return load && !load.getSourceSide().isShared() && !load.getSourceSide().rows
             ? load
             : LoadOp();
}

/// Whether a loop over elements reads global memory alone, and no fragment.
static bool onlyLoads(Operation *loop) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop->getRegions(), used);
  return loop->getNumResults() == 1 &&
         llvm::none_of(
             used,
             [](Value value) { return isa<TensorType>(value.getType()); }) &&
         llvm::all_of(getBlockAccesses(loop), [](const BlockAccess &access) {
           return access.isGlobal() && !access.writes;
         });
}

/// Whether `value` follows from loads of global memory element by element.
static bool canLoadAnew(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (getGlobalLoad(op) || op->hasTrait<OpTrait::ConstantLike>())
    return true;
  if (isa<IterationSpaceOpInterface>(op))
    return onlyLoads(op);
  return op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return !isa<RankedTensorType>(operand.getType()) ||
                  canLoadAnew(operand);
         });
}

/// `width` as far as accesses of `layout` have it.
static IntegerAttr narrow(IntegerAttr width,
                          const tilec::FragmentLayout &layout, int64_t dim) {
  if (!width)
    return width;
  return IntegerAttr::get(width.getType(),
                          std::gcd(width.getInt(), layout.getVectorWidth(dim)));
}

/// `value` in another layout, made beside it.
static Value loadAnew(Value value, FragmentAttr layout,
                      RewriterBase &rewriter) {
  Operation *op = value.getDefiningOp();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      mapping.map(operand, loadAnew(operand, layout, rewriter));
  rewriter.setInsertionPointAfter(op);
  auto type = cast<RankedTensorType>(value.getType());
  auto newType =
      RankedTensorType::get(type.getShape(), type.getElementType(), layout);
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    return arith::ConstantOp::create(rewriter, op->getLoc(),
                                     elements.reshape(newType));
  Operation *clone = rewriter.clone(*op, mapping);
  clone->getResult(0).setType(newType);
  if (LoadOp load = getGlobalLoad(clone)) {
    int64_t last = newType.getRank() - 1;
    load.setVectorWidthAttr(
        narrow(load.getVectorWidthAttr(), layout.getLayout(), last));
    load.setInnerWidthAttr(
        narrow(load.getInnerWidthAttr(), layout.getLayout(), last));
  }
  if (auto loop = dyn_cast<IterationSpaceOpInterface>(clone)) {
    loop.setLayoutAttr(layout);
    loop.setVectorWidthAttr(rewriter.getI64IntegerAttr(1));
  }
  return clone->getResult(0);
}

/// Removes what gave `value` as far as nothing else needs it.
static void eraseUnused(Value value, RewriterBase &rewriter) {
  Operation *op = value.getDefiningOp();
  if (!op || !isOpTriviallyDead(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  rewriter.eraseOp(op);
  for (Value operand : operands)
    eraseUnused(operand, rewriter);
}

// Pattern: convert_layout (load %m : #a) : #b -> load %m : #b [of rows]
LogicalResult mlir::tile::loadPlacesAsUsed(LaunchOp launch,
                                           RewriterBase &rewriter) {
  if (!launch.getRoles())
    return success();
  SmallVector<ConvertLayoutOp> exchanges;
  launch.getBody().walk([&](ConvertLayoutOp convert) {
    if (isOfRows(convert.getResult()) && canLoadAnew(convert.getSource()))
      exchanges.push_back(convert);
  });
  for (ConvertLayoutOp convert : exchanges) {
    Value source = convert.getSource();
    rewriter.replaceOp(
        convert,
        loadAnew(source, getFragment(convert.getResult().getType()), rewriter));
    eraseUnused(source, rewriter);
  }
  return success();
}
