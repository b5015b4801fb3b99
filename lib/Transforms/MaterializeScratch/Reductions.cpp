//===- Reductions.cpp - Reductions across warps ---------------------------===//
//
// A reduction whose operand is spread over warps along the reduced dimensions.
// With a kind, each warp first reduces what it holds, and only one value a warp
// travels:
//
//     64 x 128, 4 warps along columns      64 x 4          64
//     x --- partial_reduce -------------> p --- buffer --> q --- reduce --> r
//                                          warp w holds     every thread holds
//                                          column w         its row's columns
//
// Where a thread holds neighbours of the result, p lies in the buffer as one row of
// them a warp, so that they move together; else as one row of warps an element.
//
// A combiner has Combiners.cpp. Either way the result has the layout that it had, so
// nothing around changes.
//
// Sums and products of f16 and bf16 round once: those of a warp travel as f32.
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::Digit;
using tilec::Digits;
using tilec::FragmentLayout;
using tilec::HardwareDim;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static bool isReduced(const Digit &digit, ArrayRef<int64_t> dims) {
  return !digit.replicates() && llvm::is_contained(dims, digit.dim);
}

static bool crossesWarps(ReduceOp reduce) {
  FragmentLayout layout = getLayout(reduce.getSources().front());
  return llvm::any_of(
      layout.getDigits(HardwareDim::Warp),
      [&](const Digit &digit) { return isReduced(digit, reduce.getDims()); });
}

/// `result` with one more dimension of extent `count` behind, held whole in the
/// registers of every thread: before all others, or behind those of elements that
/// are neighbours, which then stay together.
static tilec::Expected<FragmentLayout>
appendRegisterDim(const FragmentLayout &result, int64_t count) {
  Coordinate shape = result.getShape();
  Digits registers = result.getDigits(HardwareDim::Register);
  bool hasNeighbours =
      llvm::any_of(llvm::seq<int>(0, result.getRank()),
                   [&](int dim) { return result.getVectorWidth(dim) > 1; });
  registers.insert(hasNeighbours ? registers.end() : registers.begin(),
                   {count, result.getRank(), 1});
  shape.push_back(count);
  return FragmentLayout::get(shape, registers,
                             result.getDigits(HardwareDim::Lane),
                             result.getDigits(HardwareDim::Warp));
}

/// The layout of a partial reduction: that of its result, with the warps that
/// share a row numbered along one more dimension.
static tilec::Expected<FragmentLayout>
getPartialLayout(const FragmentLayout &operand, ArrayRef<int64_t> dims) {
  FragmentLayout result =
      operand.dropDims(std::vector<int>(dims.begin(), dims.end()));
  // Digit by digit as in the operand; dropping may have merged those of
  // `result`.
  Digits warps;
  int64_t count = 1;
  for (Digit digit : operand.getDigits(HardwareDim::Warp)) {
    if (isReduced(digit, dims)) {
      digit = {digit.extent, result.getRank(), count};
      count *= digit.extent;
    } else if (!digit.replicates()) {
      digit.dim -=
          llvm::count_if(dims, [&](int64_t dim) { return dim < digit.dim; });
    }
    warps.push_back(digit);
  }
  Coordinate shape = result.getShape();
  shape.push_back(count);
  return FragmentLayout::get(shape, result.getDigits(HardwareDim::Register),
                             result.getDigits(HardwareDim::Lane), warps);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static RankedTensorType withElementType(Type type, Type element) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), element,
                               tensor.getEncoding());
}

ReduceOp mlir::tile::createReduce(RewriterBase &rewriter, ReduceOp reduce,
                                  TypeRange results, ValueRange sources,
                                  ValueRange inits, ArrayRef<int64_t> dims) {
  auto created = ReduceOp::create(
      rewriter, reduce.getLoc(), results, sources, inits, reduce.getKindAttr(),
      rewriter.getDenseI64ArrayAttr(dims), reduce.getFastmathAttr());
  if (!reduce.getCombiner().empty()) {
    IRMapping mapping;
    reduce.getCombiner().cloneInto(&created.getCombiner(), mapping);
  }
  return created;
}

LogicalResult mlir::tile::refuseReduction(ReduceOp reduce,
                                          const std::string &reason) {
  return reduce.emitError("not implemented yet: this reduction across warps: ")
         << reason;
}

// Pattern: reduce<kind> %x  ->  reduce<kind> (load (store (partial_reduce %x)))
static LogicalResult materializeKind(ReduceOp reduce, RewriterBase &rewriter) {
  Location loc = reduce.getLoc();
  Value source = reduce.getSources().front();
  auto resultType = cast<RankedTensorType>(reduce.getResult(0).getType());
  Type element = resultType.getElementType();
  FragmentLayout operand = getLayout(source);
  auto partialLayout = getPartialLayout(operand, reduce.getDims());
  if (!partialLayout)
    return refuseReduction(reduce, partialLayout.reason());
  int64_t rank = resultType.getRank();
  auto gatheredLayout = appendRegisterDim(getLayout(reduce.getResult(0)),
                                          partialLayout->getShape().back());
  if (!gatheredLayout)
    return refuseReduction(reduce, gatheredLayout.reason());

  rewriter.setInsertionPoint(reduce);
  bool isRounded = *reduce.getKind() == vector::CombiningKind::ADD ||
                   *reduce.getKind() == vector::CombiningKind::MUL;
  bool isWidened = isRounded && (element.isF16() || element.isBF16());
  Type wide = isWidened ? Type(rewriter.getF32Type()) : element;
  auto widen = [&](Value value) -> Value {
    return isWidened
               ? arith::ExtFOp::create(rewriter, loc,
                                       withElementType(value.getType(), wide),
                                       value)
               : value;
  };
  Value partial = PartialReduceOp::create(
      rewriter, loc, getFragmentType(*partialLayout, wide), *reduce.getKind(),
      widen(source), reduce.getDims(), reduce.getFastmath());
  Value gathered = moveThroughScratch(rewriter, loc, partial,
                                      getFragmentType(*gatheredLayout, wide));
  SmallVector<Value> inits;
  for (Value init : reduce.getInits())
    inits.push_back(widen(init));
  Value total =
      createReduce(rewriter, reduce, withElementType(resultType, wide),
                   gathered, inits, {rank})
          .getResult(0);
  if (isWidened)
    total = arith::TruncFOp::create(rewriter, loc, resultType, total);
  rewriter.replaceOp(reduce, total);
  return success();
}

LogicalResult mlir::tile::materializeReductions(LaunchOp launch,
                                                RewriterBase &rewriter) {
  SmallVector<ReduceOp> reductions;
  launch.getBody().walk([&](ReduceOp reduce) {
    if (crossesWarps(reduce))
      reductions.push_back(reduce);
  });
  for (ReduceOp reduce : reductions)
    if (failed(reduce.getKind() ? materializeKind(reduce, rewriter)
                                : materializeCombiner(reduce, rewriter)))
      return failure();
  return success();
}
