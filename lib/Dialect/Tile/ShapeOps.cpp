//===- ShapeOps.cpp - Broadcast, transpose, bitcast, facts, debugging -----===//
//
// Verification, folding and canonicalization of the operations that move no
// data between memories: shape and type helpers, facts about values, print,
// assert.
//
//===----------------------------------------------------------------------===//

#include "LayoutChecks.h"
#include "LegalOperations.h"

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
      return emitOpError("has dims that are increasing and from 0 to ")
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
    return emitOpError("has a permutation of the operand's ")
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
      return emitOpError("reads integers and floats, got ")
             << type << "; use 'arith.index_cast' for 'index'";
  if (source.getRank() == 0 || result.getRank() != source.getRank() ||
      source.getShape().drop_back() != result.getShape().drop_back())
    return emitOpError("keeps rank (at least 1) and shape but for the last "
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
// Print and assert
//===----------------------------------------------------------------------===//

LogicalResult PrintOp::verify() {
  Type type = getValue().getType();
  if (isa<RankedTensorType>(type) || type.isIntOrIndexOrFloat())
    return success();
  // What a fragment becomes where it goes through a buffer.
  auto buffer = dyn_cast<MemRefType>(type);
  if (buffer && isSharedMemory(buffer) && buffer.hasStaticShape() &&
      buffer.getRank() > 0)
    return success();
  return emitOpError("prints a scalar or a fragment, got ")
         << type << "; load a fragment first";
}

namespace {
/// Pattern: assert true -> nothing
struct EraseTrueAssert final : OpRewritePattern<AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AssertOp op,
                                PatternRewriter &rewriter) const override {
    if (!matchPattern(op.getCondition(), m_One()))
      return rewriter.notifyMatchFailure(op, "the condition is not known");
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void AssertOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<EraseTrueAssert>(context);
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

LogicalResult AssumeDivisibleOp::verify() {
  // assume_divisible_c1
  int64_t divisor = static_cast<int64_t>(getDivisor());
  if (divisor < 1)
    return emitOpError("has a positive divisor, got ") << divisor;
  return success();
}

OpFoldResult AssumeDivisibleOp::fold(FoldAdaptor adaptor) {
  // Pattern: assume_divisible x by 1 -> x
  if (getDivisor() == 1)
    return getValue();
  // Pattern: assume_divisible c by d -> c [if d divides c]
  auto constant = dyn_cast_or_null<IntegerAttr>(adaptor.getValue());
  if (constant &&
      constant.getValue().getSExtValue() % static_cast<int64_t>(getDivisor()) ==
          0)
    return getValue();
  return {};
}

/// Positive entries, one per dimension of the memref.
static LogicalResult verifyDivisors(AssumeOp op, StringRef name,
                                    std::optional<ArrayRef<int64_t>> divisors) {
  if (!divisors)
    return success();
  int64_t rank = op.getType().getRank();
  if (static_cast<int64_t>(divisors->size()) != rank)
    return op.emitOpError("has ")
           << divisors->size() << ' ' << name << " for a memref of rank "
           << rank << "; give one per dimension, 1 for no fact";
  for (int64_t divisor : *divisors)
    if (divisor < 1)
      return op.emitOpError("has positive ") << name << ", got " << divisor;
  return success();
}

/// A static extent that a divisor does not divide contradicts it.
static LogicalResult verifyContradiction(AssumeOp op, StringRef name,
                                         ArrayRef<int64_t> extents,
                                         ArrayRef<int64_t> divisors) {
  for (auto [dim, extent, divisor] : llvm::enumerate(extents, divisors))
    if (!ShapedType::isDynamic(extent) && extent % divisor != 0)
      return op.emitOpError("states that ")
             << name << ' ' << extent << " of dimension " << dim
             << " is divisible by " << divisor;
  return success();
}

LogicalResult AssumeOp::verify() {
  // assume_c1
  if (failed(verifyDivisors(*this, "sizes", getSizes())) ||
      failed(verifyDivisors(*this, "strides", getStrides())))
    return failure();
  if (std::optional<uint64_t> alignment = getAlignment())
    if (static_cast<int64_t>(*alignment) < 1 ||
        !llvm::isPowerOf2_64(*alignment))
      return emitOpError("has an alignment that is a power of two, got ")
             << static_cast<int64_t>(*alignment);
  if (getSizes() && failed(verifyContradiction(
                        *this, "size", getType().getShape(), *getSizes())))
    return failure();
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (getStrides() && succeeded(getType().getStridesAndOffset(strides, offset)))
    return verifyContradiction(*this, "stride", strides, *getStrides());
  return success();
}
