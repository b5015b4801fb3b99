//===- SplitScaledProducts.cpp - Scales on partial products ---------------===//
//
// Requires and keeps logical.
//
// A product with scales of blocks is one instruction on chips that have it; it
// takes the scales from registers. Elsewhere it is a sum of ordinary products,
// one for each block along K:
//
//     d = c;  for each block g:  d = (a[:, g] * b[g, :]) . s + d
//     s(m, n) = scaleA(m, g) * scaleB(n, g)
//
// Two scales of f8E8M0FNU multiply to between 2^-254 and 2^254, which f32 does
// not hold though it may hold the scaled product. So each is two factors of half
// its exponent, of one the first rounded down and of the other up, and a partial
// product is multiplied by the product of the first ones, then by that of the
// second ones. Both are in range, and so is what is in between whenever the end is:
//
//     first(a) = 2^floor(e / 2)    second(a) = 2^ceil(e / 2)
//     first(b) = 2^ceil(f / 2)     second(b) = 2^floor(f / 2)
//
// Other scales have few bits and small exponents: their product is exact.
//
// Comes before roles are planned, so that all passes behind it see only products
// that the chip has (docs/decisions/0019).
//
//===----------------------------------------------------------------------===//

#include "OperandFragment.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "tile-split-scaled-products"

namespace mlir::tile {
#define GEN_PASS_DEF_SPLITSCALEDPRODUCTS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

static Type getElementType(Value operand) {
  return cast<ShapedType>(operand.getType()).getElementType();
}

static bool hasInstruction(GemmScaledOp product,
                           const tilec::GpuTarget &target) {
  return !findScaledInstructions(product, target).empty();
}

/// Whether matrix instructions without scales multiply elements of this type.
static bool isFloat8(Value operand) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(getElementType(operand));
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
/// What a scale multiplies by, one after the other; the second is null where the
/// first is all.
struct Factors {
  Value first, second;
};

/// Which of the two factors has the larger exponent where they differ.
enum class Larger { First, Second };

/// One product on a chip without an instruction for it.
class ScaledProduct {
public:
  ScaledProduct(IRRewriter &rewriter, GemmScaledOp op)
      : rewriter(rewriter), loc(op.getLoc()), op(op), block(op.getBlock()) {}

  /// The sum of all blocks, in front of the product.
  Value split();

private:
  Value slice(Value source, ArrayRef<int64_t> from, ArrayRef<int64_t> shape,
              ArrayRef<int64_t> sizes);
  Value getOperand(Value operand, int dimOfK, int64_t number);
  Value keepBlock(Value operand, int dimOfK, int64_t from, int64_t number);
  Value getHalf(Value exponent, int64_t bias);
  Factors getFactors(Value scales, int64_t number, Larger larger);
  Value spread(Value factor, int64_t newDim);
  Value add(Value product, Factors rows, Factors columns, Value sum);

  Value mul(Value lhs, Value rhs) {
    return arith::MulFOp::create(rewriter, loc, lhs, rhs);
  }
  Value integer(int64_t count, int32_t value) {
    auto type = RankedTensorType::get({count}, rewriter.getI32Type());
    return arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(type, rewriter.getI32IntegerAttr(value)));
  }

  IRRewriter &rewriter;
  Location loc;
  GemmScaledOp op;
  int64_t block;
};
} // namespace

/// The part of a fragment or buffer at `from`, of `shape` without the dimensions
/// of extent 1 that `sizes` has besides.
Value ScaledProduct::slice(Value source, ArrayRef<int64_t> from,
                           ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes) {
  auto type = cast<ShapedType>(source.getType());
  if (type.getShape() == shape)
    return source;
  auto asResults = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(rewriter.getContext(), numbers);
  };
  auto offsets = asResults(from), extents = asResults(sizes),
       strides = asResults({1, 1});
  if (auto memref = dyn_cast<MemRefType>(type)) {
    auto view = memref::SubViewOp::inferRankReducedResultType(
        shape, memref, offsets, extents, strides);
    return memref::SubViewOp::create(rewriter, loc, view, source, offsets,
                                     extents, strides);
  }
  return tensor::ExtractSliceOp::create(
      rewriter, loc, cast<RankedTensorType>(type.clone(shape)), source, offsets,
      extents, strides);
}

/// What block `number` of `operand`, of which K begins at `from`, has, and zeros
/// beside it, as f16.
Value ScaledProduct::keepBlock(Value operand, int dimOfK, int64_t from,
                               int64_t number) {
  auto type = cast<RankedTensorType>(operand.getType());
  int64_t first = number * block - from;
  SmallVector<bool> isKept(type.getDimSize(dimOfK), false);
  std::fill_n(isKept.begin() + first, block, true);
  auto bits =
      RankedTensorType::get({type.getDimSize(dimOfK)}, rewriter.getI1Type());
  Value mask = arith::ConstantOp::create(rewriter, loc,
                                         DenseElementsAttr::get(bits, isKept));
  mask = BroadcastOp::create(rewriter, loc, type.clone(rewriter.getI1Type()),
                             mask, rewriter.getDenseI64ArrayAttr({1 - dimOfK}));
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  return arith::SelectOp::create(rewriter, loc, mask, operand, zero);
}

/// The operand of the product of block `number`: f8 as it is where instructions
/// take so many elements along K, else widened to f16, which holds all values.
/// Blocks that no instruction takes stand among zeros.
Value ScaledProduct::getOperand(Value operand, int dimOfK, int64_t number) {
  constexpr int64_t stepOfF8 = 32, stepOfF16 = 16;
  SmallVector<int64_t> from = {0, 0};
  SmallVector<int64_t> shape(cast<ShapedType>(operand.getType()).getShape());
  from[dimOfK] = llvm::alignDown(number * block, stepOfF16);
  shape[dimOfK] = llvm::alignTo((number + 1) * block, stepOfF16) - from[dimOfK];
  Value part = slice(operand, from, shape, shape);
  if (block % stepOfF8 == 0 && isFloat8(op.getA()) && isFloat8(op.getB()))
    return part;
  part = getOperandFragment(rewriter, loc, part, rewriter.getF16Type());
  return block % stepOfF16 == 0 ? part
                                : keepBlock(part, dimOfK, from[dimOfK], number);
}

/// The power of two whose exponent is half of that with the encoding `exponent`,
/// rounded down with a `bias` of 127, up with 128.
Value ScaledProduct::getHalf(Value exponent, int64_t bias) {
  constexpr int32_t f32Mantissa = 23;
  auto type = cast<RankedTensorType>(exponent.getType());
  int64_t count = type.getDimSize(0);
  Value sum = arith::AddIOp::create(rewriter, loc, exponent,
                                    integer(count, static_cast<int32_t>(bias)));
  Value half = arith::ShRUIOp::create(rewriter, loc, sum, integer(count, 1));
  Value word =
      arith::ShLIOp::create(rewriter, loc, half, integer(count, f32Mantissa));
  return arith::BitcastOp::create(rewriter, loc,
                                  type.clone(rewriter.getF32Type()), word);
}

/// The factors of column `number` of `scales`. NaN is in the first.
Factors ScaledProduct::getFactors(Value scales, int64_t number, Larger larger) {
  constexpr int32_t f32Mantissa = 23, f32Bias = 127, nan = 0xff;
  int64_t count = cast<ShapedType>(scales.getType()).getDimSize(0);
  Value column = slice(scales, {0, number}, {count}, {count, 1});
  Value scale =
      getOperandFragment(rewriter, loc, column, rewriter.getF32Type());
  if (!isa<Float8E8M0FNUType>(getElementType(scales)))
    return {scale, Value()};
  Value word = arith::BitcastOp::create(
      rewriter, loc, RankedTensorType::get({count}, rewriter.getI32Type()),
      scale);
  Value exponent =
      arith::ShRUIOp::create(rewriter, loc, word, integer(count, f32Mantissa));
  bool isFirst = larger == Larger::First;
  Value first = getHalf(exponent, f32Bias + (isFirst ? 1 : 0));
  Value second = getHalf(exponent, f32Bias + (isFirst ? 0 : 1));
  Value isNaN = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                      exponent, integer(count, nan));
  return {arith::SelectOp::create(rewriter, loc, isNaN, scale, first), second};
}

/// A factor of each row (`newDim` 1) or column as a factor of each element.
Value ScaledProduct::spread(Value factor, int64_t newDim) {
  return BroadcastOp::create(rewriter, loc, op.getType(), factor,
                             rewriter.getDenseI64ArrayAttr({newDim}));
}

/// `product` scaled, plus `sum` unless it is null.
Value ScaledProduct::add(Value product, Factors rows, Factors columns,
                         Value sum) {
  Value factor = mul(spread(rows.first, 1), spread(columns.first, 0));
  if (rows.second || columns.second) {
    product = mul(product, factor);
    if (rows.second && columns.second)
      factor = mul(spread(rows.second, 1), spread(columns.second, 0));
    else
      factor = rows.second ? spread(rows.second, 1) : spread(columns.second, 0);
  }
  if (!sum)
    return mul(product, factor);
  return math::FmaOp::create(rewriter, loc, product, factor, sum);
}

Value ScaledProduct::split() {
  int dimOfA = op.getTransposeA() ? 0 : 1, dimOfB = op.getTransposeB() ? 1 : 0;
  int64_t blocks = cast<ShapedType>(op.getScaleA().getType()).getDimSize(1);
  Value sum = op.getC();
  if (sum && matchPattern(sum, m_AnyZeroFloat()))
    sum = Value();
  for (int64_t number = 0; number < blocks; ++number) {
    Value product =
        op.multiplyUnscaled(rewriter, getOperand(op.getA(), dimOfA, number),
                            getOperand(op.getB(), dimOfB, number));
    Factors rows = getFactors(op.getScaleA(), number, Larger::Second);
    Factors columns = getFactors(op.getScaleB(), number, Larger::First);
    sum = add(product, rows, columns, sum);
  }
  return sum;
}

static void sayWhy(LaunchOp launch, GemmScaledOp product,
                   const tilec::GpuTarget &target) {
  auto print = [](Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  };
  auto printOperand = [&](Value operand, bool isAlongK, const char *outer) {
    std::string text = print(getElementType(operand));
    return sharesBytesAcross(operand, isAlongK) ? text + " along " + outer
                                                : text;
  };
  remark::missed(product.getLoc(),
                 remark::RemarkOpts::name("SplitScaledGemm")
                     .category(DEBUG_TYPE)
                     .function(launch.getKernel().value_or("")))
      << remark::reason(
             "{0} has no matrix instruction for {1} x {2} with "
             "scales of {3} and "
             "{4} for blocks of {5} and K = {6}; each block is a "
             "product whose elements are "
             "multiplied by the scales",
             target.name,
             printOperand(product.getA(), !product.getTransposeA(), "M"),
             printOperand(product.getB(), product.getTransposeB(), "N"),
             print(getElementType(product.getScaleA())),
             print(getElementType(product.getScaleB())), product.getBlock(),
             cast<MatrixProductOpInterface>(*product).getK());
}

/// Instructions take scales from registers.
static void loadScales(GemmScaledOp product) {
  OpBuilder builder(product);
  for (OpOperand *scales : product.getScales()) {
    if (!isa<MemRefType>(scales->get().getType()))
      continue;
    scales->assign(getOperandFragment(builder, product.getLoc(), scales->get(),
                                      getElementType(scales->get())));
    copyScheduleHint(product, scales->get().getDefiningOp());
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

static LogicalResult splitScaledProducts(LaunchOp launch) {
  FailureOr<const tilec::GpuTarget *> target = getModuleTarget(launch);
  if (failed(target))
    return failure();
  ScheduleHintKeeper hints;
  IRRewriter rewriter(launch.getContext(), &hints);
  launch.getBody().walk([&](GemmScaledOp product) {
    if (hasInstruction(product, **target))
      return loadScales(product);
    sayWhy(launch, product, **target);
    rewriter.setInsertionPoint(product);
    rewriter.replaceOp(product, ScaledProduct(rewriter, product).split());
  });
  return success();
}

namespace {
struct SplitScaledProducts final
    : tile::impl::SplitScaledProductsBase<SplitScaledProducts> {
  void runOnOperation() override {
    if (failed(transformLaunches(getOperation(), getArgument(),
                                 splitScaledProducts)))
      signalPassFailure();
  }
};
} // namespace
