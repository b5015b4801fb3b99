//===- Elementwise.cpp - Arithmetic, register by register -----------------===//
//
// What of `arith` needs care has a row of its own: here, in Cast.cpp, in
// Division.cpp or in Math.cpp (ScalarLowerings.h tells what a row is). The rest
// is repeated as it is, flags included. No fast-math flag is added: LLVM then
// prints products and sums with `.rn`, and ptxas fuses nothing.
//
//===----------------------------------------------------------------------===//

#include "../RegionValues.h"
#include "Distribution.h"
#include "ScalarLowerings.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The bits of a constant in a register: fp8 as i8, index as i64.
static TypedAttr convertConstant(ThreadEmitter &emitter, Attribute value,
                                 Type type) {
  Type registerType = emitter.convertScalarType(type);
  if (auto number = dyn_cast<FloatAttr>(value)) {
    if (isa<IntegerType>(registerType))
      return IntegerAttr::get(registerType, number.getValue().bitcastToAPInt());
    return number;
  }
  auto number = cast<IntegerAttr>(value);
  return IntegerAttr::get(registerType, number.getValue());
}

static LogicalResult lowerConstant(ThreadEmitter &emitter,
                                   arith::ConstantOp op) {
  Type elementType = getElementTypeOrSelf(op.getType());
  if (!emitter.convertScalarType(elementType))
    return emitter.notImplemented(op, "constants of ") << elementType;
  auto toValue = [&](Attribute value) {
    TypedAttr attr = convertConstant(emitter, value, elementType);
    if (auto integer = dyn_cast<IntegerAttr>(attr))
      return emitter.constant(integer.getType(),
                              integer.getValue().getSExtValue());
    return emitter.constant(attr);
  };
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense) {
    emitter.bind(op.getResult(), toValue(op.getValue()));
    return success();
  }
  const tilec::FragmentLayout &layout = emitter.getLayout(op.getResult());
  if (dense.isSplat()) {
    emitter.bind(op.getResult(),
                 SmallVector<Value>(layout.getRegisterCount(),
                                    toValue(dense.getSplatValue<Attribute>())));
    return success();
  }
  SmallVector<Value> elements;
  for (Attribute element : dense.getValues<Attribute>())
    elements.push_back(toValue(element));
  emitter.bind(op.getResult(), emitDistribution(emitter, layout, elements));
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult tile::lowerElementwise(ThreadEmitter &emitter, Operation *op,
                                     const ScalarLowering &lower) {
  Value result = op->getResult(0);
  Type elementType = getElementTypeOrSelf(result.getType());
  if (!emitter.convertScalarType(elementType))
    return emitter.notImplemented(op, "values of type ") << elementType;
  bool isFragment = isa<RankedTensorType>(result.getType());
  int64_t count = isFragment ? emitter.getLayout(result).getRegisterCount() : 1;
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < count; ++reg) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(emitter.getElement(operand, reg));
    FailureOr<Value> value = lower(emitter, op, operands);
    if (failed(value))
      return failure();
    registers.push_back(*value);
  }
  emitter.bind(result, std::move(registers));
  return success();
}

/// The operation again, on scalars of a thread or vectors of them.
static Value repeat(ThreadEmitter &emitter, Operation *op,
                    ValueRange operands) {
  Type type = emitter.convertScalarType(
      getElementTypeOrSelf(op->getResult(0).getType()));
  if (auto vector = dyn_cast<VectorType>(operands.front().getType()))
    type = vector.clone(type);
  Operation *copy =
      Operation::create(emitter.loc, op->getName(), type, operands,
                        DictionaryAttr::get(op->getContext()),
                        op->getPropertiesStorage(), BlockRange(),
                        /*numRegions=*/0);
  SmallVector<Value> folded;
  if (succeeded(emitter.builder.tryFold(copy, folded)) && folded.size() == 1) {
    copy->destroy();
    return folded.front();
  }
  return emitter.builder.insert(copy)->getResult(0);
}

/// What of `arith` has no row: arithmetic of a thread as it stands. A cast that
/// nobody knows would not mean the same on the types of registers.
static LogicalResult lowerArithmetic(ThreadEmitter &emitter, Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      isa<CastOpInterface>(op))
    return emitter.notImplemented(op, "'" + op->getName().getStringRef() + "'");
  return lowerElementwise(emitter, op, repeat);
}

/// Shifts at or beyond the width give an unspecified value, not undefined
/// behaviour of whatever it reaches.
static Value emitShift(ThreadEmitter &emitter, Operation *op,
                       ValueRange operands) {
  Value result = repeat(emitter, op, operands);
  APInt amount;
  if (matchPattern(operands[1], m_ConstantInt(&amount)) &&
      amount.ult(operands[0].getType().getIntOrFloatBitWidth()))
    return result;
  return LLVM::FreezeOp::create(emitter.builder, emitter.loc, result);
}

/// Whether `number` of type `index` is known to be from 0 to the largest of 31 bits.
static bool fitsOneRegister(ThreadEmitter &emitter, Value number) {
  ConstantIntRanges range = emitter.facts.getRange(number);
  return range.smin().isNonNegative() && range.smax().isSignedIntN(32);
}

/// Small indices are compared as one register each.
static Value emitComparison(ThreadEmitter &emitter, Operation *op,
                            ValueRange operands) {
  arith::CmpIOp comparison(op);
  if (!comparison.getLhs().getType().isIndex() ||
      !fitsOneRegister(emitter, comparison.getLhs()) ||
      !fitsOneRegister(emitter, comparison.getRhs()))
    return repeat(emitter, op, operands);
  return emitter.compare(comparison.getPredicate(), emitter.narrow(operands[0]),
                         emitter.narrow(operands[1]));
}

/// Between memrefs, each number that stands for one is selected.
static LogicalResult lowerSelect(ThreadEmitter &emitter, arith::SelectOp op) {
  if (!isa<MemRefType>(op.getType()))
    return lowerElementwise(emitter, op, repeat);
  if (failed(flattenTypes(emitter, op.getType(), op)))
    return failure();
  Value condition = emitter.getScalar(op.getCondition());
  SmallVector<Value> flat;
  for (auto [ifTrue, ifFalse] : llvm::zip(flatten(emitter, op.getTrueValue()),
                                          flatten(emitter, op.getFalseValue())))
    flat.push_back(emitter.select(condition, ifTrue, ifFalse));
  bindFlat(emitter, op.getResult(), flat);
  return success();
}

static Value emitPoison(ThreadEmitter &emitter, Operation *op, ValueRange) {
  return emitter.poison(emitter.convertScalarType(
      getElementTypeOrSelf(op->getResult(0).getType())));
}

static LogicalResult lowerPoison(ThreadEmitter &emitter, ub::PoisonOp op) {
  if (!isa<MemRefType>(op.getType()))
    return lowerElementwise(emitter, op, emitPoison);
  FailureOr<SmallVector<Type>> types = flattenTypes(emitter, op.getType(), op);
  if (failed(types))
    return failure();
  SmallVector<Value> flat;
  for (Type type : *types)
    flat.push_back(emitter.poison(type));
  bindFlat(emitter, op.getResult(), flat);
  return success();
}

/// An operation of two results: sum and carry, or the halves of a product.
static LogicalResult lowerExtended(ThreadEmitter &emitter, Operation *op) {
  Value first = op->getResult(0);
  bool isFragment = isa<RankedTensorType>(first.getType());
  int64_t count = isFragment ? emitter.getLayout(first).getRegisterCount() : 1;
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(emitter.convertScalarType(getElementTypeOrSelf(type)));
  SmallVector<Value> results[2];
  for (int64_t reg = 0; reg < count; ++reg) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(emitter.getElement(operand, reg));
    Operation *copy = emitter.builder.insert(Operation::create(
        emitter.loc, op->getName(), types, operands,
        DictionaryAttr::get(op->getContext()), op->getPropertiesStorage(),
        BlockRange(), /*numRegions=*/0));
    for (int i : {0, 1})
      results[i].push_back(copy->getResult(i));
  }
  for (int i : {0, 1})
    emitter.bind(op->getResult(i), std::move(results[i]));
  return success();
}

/// A fact about a scalar, which is the scalar itself.
static LogicalResult lowerAssumeDivisible(ThreadEmitter &emitter,
                                          AssumeDivisibleOp op) {
  emitter.bind(op.getResult(), emitter.getScalar(op.getValue()));
  return success();
}

void tile::registerElementwiseLowerings(LoweringTable &table) {
  table.add(lowerConstant);
  table.add(lowerAssumeDivisible);
  table.add(lowerSelect);
  table.add(lowerPoison);
  table.addAll<arith::AddUIExtendedOp, arith::MulSIExtendedOp,
               arith::MulUIExtendedOp>(lowerExtended);
  addScalar<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(table, emitShift);
  addScalar<arith::CmpIOp>(table, emitComparison);
  addPaired<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
            arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
            arith::MinNumFOp>(table, repeat);
  table.addDialect<arith::ArithDialect>(lowerArithmetic);
}
