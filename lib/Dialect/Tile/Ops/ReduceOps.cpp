//===- ReduceOps.cpp - Verification of reductions and scans ---------------===//
//
// Both combine with a kind of `vector.CombiningKind`, or several values at once
// with a region whose arguments are the accumulated values, then the new ones.
//
//===----------------------------------------------------------------------===//

#include "../Verify/LayoutChecks.h"
#include "../Verify/LegalOperations.h"

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

/// Whether a kind combines elements of this type.
static bool fits(vector::CombiningKind kind, Type type) {
  using Kind = vector::CombiningKind;
  bool isFloat = isa<FloatType>(type) && !isNarrowFloat(type);
  bool isInteger = type.isSignlessIntOrIndex();
  switch (kind) {
  case Kind::ADD:
  case Kind::MUL:
    return isFloat || isInteger;
  case Kind::MAXNUMF:
  case Kind::MINNUMF:
  case Kind::MAXIMUMF:
  case Kind::MINIMUMF:
    return isFloat;
  default:
    return isInteger;
  }
}

static LogicalResult verifyKind(Operation *op, vector::CombiningKind kind,
                                Type element) {
  if (fits(kind, element))
    return success();
  return op->emitOpError("of kind '")
         << vector::stringifyCombiningKind(kind)
         << "' does not combine elements of type " << element;
}

/// Flags of arithmetic on floats stand where the operation itself does it.
template <typename Op>
static LogicalResult verifyFlags(Op op, Type element) {
  if (op.getFastmath() == arith::FastMathFlags::none)
    return success();
  if constexpr (!std::is_same_v<Op, PartialReduceOp>)
    if (!op.getKind())
      return op.emitOpError("takes 'fastmath' only with a kind; give the flags "
                            "to the operations of the combiner");
  if (!isa<FloatType>(element))
    return op.emitOpError("takes 'fastmath' only where it combines floats, "
                          "got elements of type ")
           << element;
  return success();
}

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Operands of one shape, a kind or a combiner.
template <typename Op>
static LogicalResult verifyOperands(Op op) {
  OperandRange operands = op.getOperands_();
  if (operands.empty())
    return op.emitOpError("combines at least one fragment");
  ArrayRef<int64_t> shape = getTensorType(operands.front()).getShape();
  for (Value operand : operands)
    if (getTensorType(operand).getShape() != shape)
      return op.emitOpError("must combine fragments of one shape, got ")
             << operands.front().getType() << " and " << operand.getType();
  if (op->getNumResults() != operands.size())
    return op.emitOpError("must have a result per operand: expected ")
           << operands.size() << ", got " << op->getNumResults();
  // reduce_c2, reduce_c4, scan_c5
  if (failed(verifyFlags(op, getTensorType(operands[0]).getElementType())))
    return failure();
  if (!op.getKind())
    return success();
  if (operands.size() != 1)
    return op.emitOpError("with a kind must combine one fragment, got ")
           << operands.size() << "; use a combiner";
  if (!op.getCombiner().empty())
    return op.emitOpError("has a kind or a combiner, not both");
  return verifyKind(op, *op.getKind(),
                    getTensorType(operands[0]).getElementType());
}

/// The region takes accumulated and new values and yields accumulated ones.
template <typename Op>
static LogicalResult verifyCombiner(Op op) {
  // reduce_c3
  if (op.getKind())
    return success();
  Region &combiner = op.getCombiner();
  SmallVector<Type> elements;
  for (Value operand : op.getOperands_())
    elements.push_back(getTensorType(operand).getElementType());
  if (!combiner.hasOneBlock())
    return op.emitOpError("needs a kind, as in <add>, or a combiner region of "
                          "one block");
  SmallVector<Type> arguments(elements);
  arguments.append(elements);
  if (!llvm::equal(combiner.getArgumentTypes(), arguments))
    return op.emitOpError(
               "must have a combiner that takes the accumulated values, "
               "then the new ones: expected (")
           << arguments << "), got (" << combiner.getArgumentTypes() << ")";
  auto yield = combiner.front().empty()
                   ? YieldOp()
                   : dyn_cast<YieldOp>(combiner.front().back());
  if (!yield || !llvm::equal(yield.getValues().getTypes(), elements))
    return op.emitOpError("has a combiner that ends in 'tile.yield' of the "
                          "element types (")
           << elements << ")";
  return verifyLegalOperations(combiner, Place::Combiner);
}

/// The shape of `type` without the increasing dimensions `dims`.
static SmallVector<int64_t> dropDims(RankedTensorType type,
                                     ArrayRef<int64_t> dims) {
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      shape.push_back(extent);
  return shape;
}

/// Dimensions in range and increasing, at least one.
static LogicalResult verifyDims(Operation *op, ArrayRef<int64_t> dims,
                                int64_t rank) {
  bool increasing =
      llvm::is_sorted(dims, [](int64_t a, int64_t b) { return a <= b; });
  if (dims.empty() || !increasing || dims.front() < 0 || dims.back() >= rank)
    return op->emitOpError("must have dims that are increasing and from 0 to ")
           << rank - 1 << ", got " << formatShape(dims);
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyOperands(*this)))
    return failure();
  // reduce_c1
  RankedTensorType source = getTensorType(getOperands_().front());
  if (failed(verifyDims(*this, getDims(), source.getRank())))
    return failure();
  SmallVector<int64_t> shape = dropDims(source, getDims());
  for (auto [operand, result] :
       llvm::zip_equal(getOperands_(), getResults_())) {
    RankedTensorType type = getTensorType(result);
    if (type.getShape() != ArrayRef<int64_t>(shape) ||
        type.getElementType() != getTensorType(operand).getElementType())
      return emitOpError("reduces ")
             << operand.getType() << " to shape " << formatShape(shape)
             << " of the same element type, got " << type;
  }
  if (!getInits().empty() &&
      !llvm::equal(getInits().getTypes(), getResults_().getTypes()))
    return emitOpError("has an 'init' of exactly the type of each result: "
                       "expected (")
           << getResults_().getTypes() << "), got (" << getInits().getTypes()
           << ")";
  return success();
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombiner(*this); }

LogicalResult ScanOp::verify() {
  if (failed(verifyOperands(*this)))
    return failure();
  // scan_c1
  int64_t dim = getDim();
  RankedTensorType source = getTensorType(getOperands_().front());
  if (failed(verifyDims(*this, {dim}, source.getRank())))
    return failure();
  for (auto [operand, result] : llvm::zip_equal(getOperands_(), getResults_()))
    if (withoutLayout(getTensorType(operand)) !=
        withoutLayout(getTensorType(result)))
      return emitOpError("has results of its operands' shape and element type, "
                         "got ")
             << operand.getType() << " and " << result.getType();
  // scan_c4
  bool needsInit = getExclusive() && !getKind();
  if (needsInit && getInits().empty())
    return emitOpError("is exclusive with a combiner, so it needs the empty "
                       "prefix: write init(...) after the dimension");
  if (!needsInit && !getInits().empty())
    return emitOpError("takes 'init' only where it is exclusive with a "
                       "combiner; combine the first value by 'arith' instead");
  SmallVector<Type> expected;
  for (Type type : getResults_().getTypes())
    expected.push_back(getTypeWithoutDim(type, dim));
  if (needsInit && !llvm::equal(getInits().getTypes(), expected))
    return emitOpError("has an 'init' of the results' types without dimension ")
           << dim << ": expected (" << expected << "), got ("
           << getInits().getTypes() << ")";
  return success();
}

LogicalResult ScanOp::verifyRegions() { return verifyCombiner(*this); }

LogicalResult PartialReduceOp::verify() {
  // partial_reduce_c1
  RankedTensorType source = getSource().getType();
  FragmentAttr layout = getFragment(source);
  if (!layout)
    return emitOpError(
               "combines within warps, so its operand carries a layout, "
               "got ")
           << source;
  if (failed(verifyDims(*this, getDims(), source.getRank())) ||
      failed(verifyKind(*this, getKind(), source.getElementType())) ||
      failed(verifyFlags(*this, source.getElementType())))
    return failure();
  int64_t warps = 1;
  tilec::FragmentLayout value = layout.getLayout();
  for (const tilec::Digit &digit : value.getDigits(tilec::HardwareDim::Warp))
    if (!digit.replicates() && llvm::is_contained(getDims(), digit.dim))
      warps *= digit.extent;
  SmallVector<int64_t> shape = dropDims(source, getDims());
  shape.push_back(warps);
  if (getType().getShape() != ArrayRef<int64_t>(shape) ||
      getType().getElementType() != source.getElementType())
    return emitOpError("leaves one value for each of the ")
           << warps << " warps along its dims: expected shape "
           << formatShape(shape) << " of the same element type, got "
           << getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// All operands in the layout of the first, all results in the one it gives.
void ReduceOp::getLayoutConstraints(LayoutConstraints &constraints) {
  OpOperand &first = getOperation()->getOpOperand(0);
  for (OpOperand &use : llvm::drop_begin(getOperands_Mutable()))
    constraints.takeSame(use, &first);
  tilec::Coordinate dims(getDims().begin(), getDims().end());
  for (Value result : getResults())
    constraints.given.push_back(
        {&first, result, tilec::LayoutMap::dropDims(dims), std::nullopt, {}});
  for (auto [init, result] : llvm::zip(getInitsMutable(), getResults()))
    constraints.takeSame(init, result);
  for (OpOperand &use : getOperands_Mutable())
    constraints.combined.push_back({&use, llvm::to_vector(getDims())});
}

/// All operands and results in one layout, `init` in that without the scanned
/// dimension.
void ScanOp::getLayoutConstraints(LayoutConstraints &constraints) {
  Value first = getResult(0);
  for (Value result : getResults()) {
    constraints.same.push_back({first, result});
    constraints.given.push_back(
        {first, result, tilec::LayoutMap(), std::nullopt, {}});
  }
  for (OpOperand &use : getOperands_Mutable())
    constraints.takeSame(use, first);
  auto dim = static_cast<int64_t>(getDim());
  for (OpOperand &use : getInitsMutable())
    constraints.taken.push_back(
        {&use, first, tilec::LayoutMap::dropDims({dim})});
  for (OpOperand &use : getOperands_Mutable())
    constraints.combined.push_back({&use, {dim}, /*isScan=*/true, hasTotals()});
  for (Value result : getResults())
    constraints.combined.push_back(
        {result, {dim}, /*isScan=*/true, hasTotals()});
}

bool ScanOp::hasTotals() {
  using Kind = vector::CombiningKind;
  return getKind() && *getKind() != Kind::MAXNUMF &&
         *getKind() != Kind::MINNUMF;
}
