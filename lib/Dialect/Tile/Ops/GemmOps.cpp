//===- GemmOps.cpp - Verification of matrix products ----------------------===//
//
// Which element types multiply into which accumulator, and of what K must be a
// multiple, is a table. Whether a chip has an instruction is not asked here:
// that is known once the target is.
//
//===----------------------------------------------------------------------===//

#include "../Verify/LayoutChecks.h"
#include "../Verify/LegalOperations.h"

#include "tile/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static ShapedType getShapedType(Value operand) {
  return cast<ShapedType>(operand.getType());
}

/// Extent of dimension `dim` of an operand that may be transposed.
static int64_t getDim(Value operand, int dim, bool transpose) {
  return getShapedType(operand).getDimSize(transpose ? 1 - dim : dim);
}

/// Operands of static shape and rank 2.
static LogicalResult verifyMatrices(Operation *op, TypeRange operands) {
  for (Type operand : operands) {
    auto type = dyn_cast<ShapedType>(operand);
    if (!type || !type.hasRank() || type.getRank() != 2 ||
        !type.hasStaticShape())
      return op->emitOpError(
                 "must multiply matrices of static shape and rank 2, "
                 "got ")
             << operand;
  }
  return success();
}

namespace {
/// An extent as each operand has it.
struct Extent {
  StringLiteral name;
  int64_t value;
  StringLiteral first;
  int64_t other;
  StringLiteral second;
};
} // namespace

static LogicalResult verifyExtents(Operation *op, ArrayRef<Extent> extents) {
  for (const Extent &extent : extents)
    if (extent.value != extent.other)
      return op->emitOpError("has ")
             << extent.name << " = " << extent.value << " in " << extent.first
             << " but " << extent.other << " in " << extent.second
             << "; check the shapes and 'transpose_a', 'transpose_b'";
  return success();
}

/// The grid of warps, where chosen: how many along M and N.
static LogicalResult verifyWarpGrid(Operation *op, DenseI64ArrayAttr grid) {
  if (!grid || (grid.size() == 2 && grid[0] > 0 && grid[1] > 0))
    return success();
  return op->emitOpError("must have two positive entries in 'warp_grid', the "
                         "warps along M and along N, got ")
         << formatShape(grid.asArrayRef());
}

/// Whether `value` is a positive multiple; names the nearest legal sizes.
static LogicalResult verifyMultiple(Operation *op, StringRef name,
                                    int64_t value, int64_t multiple,
                                    StringRef sizesAndTypes) {
  if (value > 0 && value % multiple == 0)
    return success();
  int64_t below = value / multiple * multiple;
  InFlightDiagnostic error = op->emitOpError("has ")
                             << name << " = " << value << ", not a multiple of "
                             << multiple << " (" << sizesAndTypes
                             << "); the nearest legal "
                             << (below > 0 ? "sizes are " : "size is ");
  if (below > 0)
    error << below << " and ";
  return error << below + multiple;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool isF8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

/// Of what K must be a multiple; nothing where the types do not multiply.
static std::optional<int64_t> getMultipleOfK(Type a, Type b, Type result,
                                             bool isTF32) {
  if (a != b && !(isF8(a) && isF8(b)))
    return std::nullopt;
  if (isF8(a) && (result.isF32() || result.isF16()))
    return 32;
  if (a.isF16() && (result.isF32() || result.isF16()))
    return 16;
  if (a.isBF16() && result.isF32())
    return 16;
  if (a.isF32() && result.isF32())
    return isTF32 ? 8 : 1;
  if (a.isInteger(8) && result.isInteger(32))
    return 32;
  if (a.isF64() && result.isF64())
    return 4;
  return std::nullopt;
}

/// `M = 64, N = 64, K = 20, f16 x f16 -> f32`.
static std::string describe(int64_t m, int64_t n, int64_t k, Type a, Type b,
                            Type result) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "M = " << m << ", N = " << n << ", K = " << k << ", " << a << " x "
      << b << " -> " << result;
  return text;
}

/// `precision` and signedness are there for the types that have a choice.
template <typename Op>
static LogicalResult verifyTypeFlags(Op op, Type a) {
  if (op.getPrecision() && !a.isF32())
    return op.emitOpError("has 'precision', which is for f32 operands, got ")
           << a;
  if ((op.getUnsignedA() || op.getUnsignedB()) && !a.isInteger(8))
    return op.emitOpError("has 'unsigned_a' or 'unsigned_b', which are for i8 "
                          "operands, got ")
           << a;
  return success();
}

template <typename Op>
static LogicalResult verifyAccumulator(Op op) {
  if (op.getC() && op.getC().getType() != op.getType())
    return op.emitOpError("has an accumulator of type ")
           << op.getC().getType() << ", but its result is " << op.getType();
  return success();
}

static InFlightDiagnostic emitUnknownTypes(Operation *op,
                                           const std::string &sizesAndTypes) {
  return op->emitOpError("does not multiply these types: ")
         << sizesAndTypes
         << "; it has f16 to f32 or f16, bf16 to f32, f32 to f32, f8E4M3FN and "
            "f8E5M2 to f32 or f16, i8 to i32, f64 to f64";
}

/// What `tile.gemm` and `tile.gemm_async` ask for alike; `type` is the fragment
/// that is computed.
template <typename Op>
static LogicalResult verifyProduct(Op op, RankedTensorType type) {
  if (failed(verifyWarpGrid(op, op.getWarpGridAttr())))
    return failure();
  Value a = op.getA(), b = op.getB();
  // gemm_c1
  if (failed(verifyMatrices(op, {a.getType(), b.getType(), type})))
    return failure();
  int64_t m = getDim(a, 0, op.getTransposeA());
  int64_t k = getDim(a, 1, op.getTransposeA());
  int64_t n = getDim(b, 1, op.getTransposeB());
  if (failed(verifyExtents(
          op, {{"K", k, "a", getDim(b, 0, op.getTransposeB()), "b"},
               {"M", m, "a", type.getDimSize(0), "the result"},
               {"N", n, "b", type.getDimSize(1), "the result"}})))
    return failure();
  // gemm_c2
  Type elementA = getShapedType(a).getElementType();
  Type elementB = getShapedType(b).getElementType();
  std::string what =
      describe(m, n, k, elementA, elementB, type.getElementType());
  std::optional<int64_t> multiple =
      getMultipleOfK(elementA, elementB, type.getElementType(), op.isTF32());
  if (!multiple)
    return emitUnknownTypes(op, what);
  // gemm_c3
  if (failed(verifyMultiple(op, "M", m, 8, what)) ||
      failed(verifyMultiple(op, "N", n, 8, what)) ||
      failed(verifyMultiple(op, "K", k, *multiple, what)))
    return failure();
  // gemm_c4
  return verifyTypeFlags(op, elementA);
}

/// What `tile.gemm_sparse` and a `tile.gemm_async` with `meta` ask for alike.
template <typename Op>
static LogicalResult verifySparseProduct(Op op, RankedTensorType type) {
  if (failed(verifyWarpGrid(op, op.getWarpGridAttr())))
    return failure();
  Value a = op.getA(), meta = op.getMeta(), b = op.getB();
  // gemm_sparse_c1
  if (failed(
          verifyMatrices(op, {a.getType(), meta.getType(), b.getType(), type})))
    return failure();
  int64_t m = getDim(a, 0, op.getTransposeA());
  int64_t k = getDim(b, 0, op.getTransposeB());
  int64_t n = getDim(b, 1, op.getTransposeB());
  if (failed(verifyExtents(
          op, {{"K", k, "b", 2 * getDim(a, 1, op.getTransposeA()), "2 x a"},
               {"K", k, "b", 16 * getDim(meta, 1, false), "16 x meta"},
               {"M", m, "a", getDim(meta, 0, false), "meta"},
               {"M", m, "a", type.getDimSize(0), "the result"},
               {"N", n, "b", type.getDimSize(1), "the result"}})))
    return failure();
  if (!getShapedType(meta).getElementType().isInteger(16))
    return op.emitOpError("must have positions of type i16, got ")
           << getShapedType(meta).getElementType();
  Type elementA = getShapedType(a).getElementType();
  Type elementB = getShapedType(b).getElementType();
  std::string what =
      describe(m, n, k, elementA, elementB, type.getElementType());
  if (!getMultipleOfK(elementA, elementB, type.getElementType(), op.isTF32()) ||
      elementA.isF64() || (elementA.isF32() && !op.isTF32()))
    return op.emitOpError("does not multiply these types: ")
           << what
           << "; it has those of 'tile.gemm' but f64, and f32 with 'precision' "
              "tf32 only";
  if (failed(verifyMultiple(op, "M", m, 8, what)) ||
      failed(verifyMultiple(op, "N", n, 8, what)) ||
      failed(verifyMultiple(op, "K", k, 32, what)))
    return failure();
  return verifyTypeFlags(op, elementA);
}

LogicalResult GemmOp::verify() {
  if (failed(verifyAccumulator(*this)))
    return failure();
  return verifyProduct(*this, getType());
}

LogicalResult GemmAsyncOp::verify() {
  // gemm_async_c1
  RankedTensorType fragment = getType().getFragment();
  if (getC() && getC().getType() != fragment && getC().getType() != getType())
    return emitOpError("has an accumulator of type ")
           << getC().getType() << ", but its result is " << getType();
  return getMeta() ? verifySparseProduct(*this, fragment)
                   : verifyProduct(*this, fragment);
}

LogicalResult GemmSparseOp::verify() {
  if (failed(verifyAccumulator(*this)))
    return failure();
  return verifySparseProduct(*this, getType());
}

LogicalResult GemmScaledOp::verify() {
  if (failed(verifyWarpGrid(*this, getWarpGridAttr())))
    return failure();
  // gemm_scaled_c1
  if (failed(verifyMatrices(*this, ValueRange{getA(), getScaleA(), getB(),
                                              getScaleB(), getResult()}
                                       .getTypes())))
    return failure();
  int64_t block = getBlock();
  int64_t m = getDim(getA(), 0, getTransposeA());
  int64_t k = getDim(getA(), 1, getTransposeA());
  int64_t n = getDim(getB(), 1, getTransposeB());
  RankedTensorType type = getType();
  if (block < 1 || k % block != 0)
    return emitOpError("must have a positive 'block' that divides K = ")
           << k << ", got " << block;
  if (failed(verifyExtents(
          *this,
          {{"K", k, "a", getDim(getB(), 0, getTransposeB()), "b"},
           {"K", k, "a", block * getDim(getScaleA(), 1, false),
            "block x scales of a"},
           {"K", k, "a", block * getDim(getScaleB(), 1, false),
            "block x scales of b"},
           {"M", m, "a", getDim(getScaleA(), 0, false), "the scales of a"},
           {"N", n, "b", getDim(getScaleB(), 0, false), "the scales of b"},
           {"M", m, "a", type.getDimSize(0), "the result"},
           {"N", n, "b", type.getDimSize(1), "the result"}})) ||
      failed(verifyAccumulator(*this)))
    return failure();
  Type a = getShapedType(getA()).getElementType();
  Type b = getShapedType(getB()).getElementType();
  std::string what = describe(m, n, k, a, b, type.getElementType());
  // gemm_scaled_c2
  if (!isNarrowFloat(a) || !isNarrowFloat(b) || !type.getElementType().isF32())
    return emitOpError("does not multiply these types: ")
           << what << "; it has floats of 8 bits and fewer to f32";
  for (Value scale : {getScaleA(), getScaleB()})
    if (!isa<Float8E8M0FNUType, Float8E4M3FNType>(
            getShapedType(scale).getElementType()))
      return emitOpError("must have scales of type f8E8M0FNU or f8E4M3FN, got ")
             << getShapedType(scale).getElementType();
  if (failed(verifyMultiple(*this, "M", m, 8, what)) ||
      failed(verifyMultiple(*this, "N", n, 8, what)))
    return failure();
  return verifyMultiple(*this, "K", k, 32, what);
}

Value GemmScaledOp::multiplyUnscaled(OpBuilder &builder, Value a, Value b) {
  auto product =
      GemmOp::create(builder, getLoc(), TypeRange(getType()), ValueRange{a, b});
  product.setTransposeA(getTransposeA());
  product.setTransposeB(getTransposeB());
  product.setWarpsAttr(getWarpsAttr());
  return product;
}
