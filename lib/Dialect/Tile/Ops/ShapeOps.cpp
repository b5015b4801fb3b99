//===- ShapeOps.cpp - Broadcast, transpose, bitcast -----------------------===//
//
// Verification and folding of the operations that give a fragment another shape
// or element type.
//
//===----------------------------------------------------------------------===//

#include "../Verify/LayoutChecks.h"
#include "../Verify/LegalOperations.h"

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::tile;

/// The constant of type `type` whose elements are all that of `attribute`; null
/// where that is not a splat.
static Attribute foldSplat(Attribute attribute, RankedTensorType type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(attribute);
  return splat ? DenseElementsAttr::get(type, splat.getSplatValue<Attribute>())
               : Attribute();
}

//===----------------------------------------------------------------------===//
// Broadcast
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  // broadcast_c1
  RankedTensorType source = getSource().getType(), result = getType();
  int64_t previous = -1;
  for (int64_t dim : getDims()) {
    if (dim <= previous || dim >= result.getRank())
      return emitOpError("must have dims that are increasing and from 0 to ")
             << result.getRank() - 1 << ", got " << formatShape(getDims());
    previous = dim;
  }
  SmallVector<int64_t> kept;
  for (auto [dim, extent] : llvm::enumerate(result.getShape()))
    if (!llvm::is_contained(getDims(), static_cast<int64_t>(dim)))
      kept.push_back(extent);
  if (source.getShape() == ArrayRef<int64_t>(kept) &&
      source.getElementType() == result.getElementType())
    return success();
  return emitOpError("has a result that without dims ")
         << formatShape(getDims()) << " is the operand " << source << ", got "
         << result;
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  // Pattern: broadcast x dims [] -> x [if the types agree]
  if (getDims().empty() && getSource().getType() == getType())
    return getSource();
  // Pattern: broadcast splat(c) -> splat(c)
  return foldSplat(adaptor.getSource(), getType());
}

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::verify() {
  // transpose_c1
  RankedTensorType source = getSource().getType(), result = getType();
  ArrayRef<int64_t> permutation = getPermutation();
  SmallVector<int64_t> sorted = llvm::to_vector(permutation);
  llvm::sort(sorted);
  if (sorted != llvm::to_vector(llvm::seq<int64_t>(0, source.getRank())))
    return emitOpError("must have a permutation of the operand's ")
           << source.getRank() << " dimensions, got "
           << formatShape(permutation);
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(source.getDimSize(dim));
  if (result.getShape() == ArrayRef<int64_t>(shape) &&
      result.getElementType() == source.getElementType())
    return success();
  return emitOpError("gives shape ")
         << formatShape(shape) << " of " << source.getElementType() << " from "
         << source << ", got " << result;
}

/// permutation[i] = i.
static bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  // Pattern: transpose x [0, 1, ..] -> x [if the types agree]
  if (isIdentity(getPermutation()) && getSource().getType() == getType())
    return getSource();
  // Pattern: transpose splat(c) -> splat(c)
  if (Attribute splat = foldSplat(adaptor.getSource(), getType()))
    return splat;
  // Pattern: transpose (transpose x [p]) [q] -> transpose x [p o q]
  auto inner = getSource().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  SmallVector<int64_t> composed;
  for (int64_t dim : getPermutation())
    composed.push_back(inner.getPermutation()[dim]);
  if (isIdentity(composed) && inner.getSource().getType() == getType())
    return inner.getSource();
  // With layouts in between, the operand may carry another one than the
  // result's.
  if (inner.getSource() == getSource())
    return {};
  setPermutation(composed);
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

//===----------------------------------------------------------------------===//
// Bitcast
//===----------------------------------------------------------------------===//

LogicalResult BitcastOp::verify() {
  // bitcast_c1
  RankedTensorType source = getSource().getType(), result = getType();
  for (RankedTensorType type : {source, result})
    if (!type.getElementType().isIntOrFloat())
      return emitOpError("must read integers and floats, got ")
             << type << "; use 'arith.index_cast' for 'index'";
  if (source.getRank() == 0 || result.getRank() != source.getRank() ||
      source.getShape().drop_back() != result.getShape().drop_back())
    return emitOpError("must keep rank (at least 1) and shape but for the last "
                       "dimension, got ")
           << source << " and " << result;
  int64_t sourceBits =
      source.getShape().back() * source.getElementTypeBitWidth();
  int64_t resultBits =
      result.getShape().back() * result.getElementTypeBitWidth();
  int64_t wide = std::max(source.getElementTypeBitWidth(),
                          result.getElementTypeBitWidth());
  int64_t narrow = std::min(source.getElementTypeBitWidth(),
                            result.getElementTypeBitWidth());
  if (sourceBits != resultBits)
    return emitOpError("keeps the bits of the last dimension: ")
           << sourceBits << " in " << source << ", " << resultBits << " in "
           << result;
  if (wide % narrow != 0)
    return emitOpError("has element widths of which one divides the other, "
                       "got ")
           << source.getElementTypeBitWidth() << " and "
           << result.getElementTypeBitWidth();
  return success();
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  // Pattern: bitcast x -> x [if the types agree]
  if (getSource().getType() == getType())
    return getSource();
  // Pattern: bitcast (bitcast x) -> x [if the types agree]
  auto inner = getSource().getDefiningOp<BitcastOp>();
  if (inner && inner.getSource().getType() == getType())
    return inner.getSource();
  return {};
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static tilec::Coordinate toCoordinate(ArrayRef<int64_t> list) {
  return tilec::Coordinate(list.begin(), list.end());
}

/// A repeated element is held by whoever holds the one that is repeated.
void BroadcastOp::getLayoutConstraints(LayoutConstraints &constraints) {
  constraints.taken.push_back(
      {&getSourceMutable(), getResult(),
       tilec::LayoutMap::dropDims(toCoordinate(getDims()))});
}

void TransposeOp::getLayoutConstraints(LayoutConstraints &constraints) {
  tilec::Coordinate permutation = toCoordinate(getPermutation());
  tilec::Coordinate inverse(permutation.size());
  for (auto [dim, source] : llvm::enumerate(permutation))
    inverse[source] = static_cast<int64_t>(dim);
  GivenLayout given;
  given.source = &getSourceMutable();
  given.result = getResult();
  given.map = tilec::LayoutMap::permute(permutation);
  given.inverse = tilec::LayoutMap::permute(inverse);
  constraints.given.push_back(std::move(given));
}

/// Widening joins elements that one thread must hold in a row.
void BitcastOp::getLayoutConstraints(LayoutConstraints &constraints) {
  RankedTensorType source = getSource().getType(), result = getType();
  if (source.getShape() == result.getShape())
    return constraints.takeSame(getSourceMutable(), getResult(),
                                Relabelling::Always);
  int64_t sourceBits = source.getElementTypeBitWidth();
  int64_t resultBits = result.getElementTypeBitWidth();
  GivenLayout given;
  given.source = &getSourceMutable();
  given.result = getResult();
  given.map = tilec::LayoutMap::recast(sourceBits, resultBits);
  given.inverse = tilec::LayoutMap::recast(resultBits, sourceBits);
  given.residentDims = {source.getRank() - 1};
  given.relabelling = Relabelling::UnlessStaged;
  constraints.given.push_back(std::move(given));
}
