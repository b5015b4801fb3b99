//===- Elementwise.cpp - Arithmetic, register by register -----------------===//
//
// An operation on fragments is the same operation on each register; one on
// scalars is itself. Both go through `emitScalarOperation`, which sends what
// needs care (division, shifts, casts, fp8, math) to its file and repeats the
// rest of `arith` as it is, flags included. No fast-math flag is added: LLVM
// then prints products and sums with `.rn`, and ptxas fuses nothing.
//
//===----------------------------------------------------------------------===//

#include "../RegionValues.h"
#include "Distribution.h"
#include "ScalarOperations.h"

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

/// The operation again, on scalars of a thread.
static Value repeat(ThreadEmitter &emitter, Operation *op, ValueRange operands,
                    Type resultType) {
  Operation *copy = Operation::create(
      emitter.loc, op->getName(), resultType, operands,
      DictionaryAttr::get(op->getContext()), op->getPropertiesStorage(),
      BlockRange(), /*numRegions=*/0);
  SmallVector<Value> folded;
  if (succeeded(emitter.builder.tryFold(copy, folded)) && folded.size() == 1) {
    copy->destroy();
    return folded.front();
  }
  return emitter.builder.insert(copy)->getResult(0);
}

/// Shifts at or beyond the width give an unspecified value, not undefined
/// behaviour of whatever it reaches.
static Value emitShift(ThreadEmitter &emitter, Operation *op,
                       ValueRange operands) {
  Type type = operands[0].getType();
  Value result = repeat(emitter, op, operands, type);
  APInt amount;
  if (matchPattern(operands[1], m_ConstantInt(&amount)) &&
      amount.ult(type.getIntOrFloatBitWidth()))
    return result;
  return LLVM::FreezeOp::create(emitter.builder, emitter.loc, result);
}

static FailureOr<Value> emitScalarOperation(ThreadEmitter &emitter,
                                            Operation *op,
                                            ValueRange operands) {
  Type elementType = getElementTypeOrSelf(op->getResult(0).getType());
  Type type = emitter.convertScalarType(elementType);
  if (!type)
    return emitter.notImplemented(op, "values of type ") << elementType;
  if (isa<math::MathDialect>(op->getDialect()))
    return emitMath(emitter, op, operands);
  if (isa<ub::PoisonOp>(op))
    return emitter.poison(type);
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return emitDivision(emitter, op, operands[0], operands[1]);
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return emitShift(emitter, op, operands);
  if (isa<arith::RemFOp>(op))
    return emitMath(emitter, op, operands);
  if (isa<CastOpInterface>(op))
    return emitCast(emitter, op, operands[0]);
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return emitter.notImplemented(op, "'" + op->getName().getStringRef() + "'");
  return repeat(emitter, op, operands, type);
}

/// `arith.select` between global memrefs, or `ub.poison` of one.
static LogicalResult emitMemRefValue(ThreadEmitter &emitter, Operation *op) {
  Value result = op->getResult(0);
  FailureOr<SmallVector<Type>> types =
      flattenTypes(emitter, result.getType(), op);
  if (failed(types))
    return failure();
  SmallVector<Value> flat;
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    Value condition = emitter.getScalar(choice.getCondition());
    for (auto [ifTrue, ifFalse] :
         llvm::zip(flatten(emitter, choice.getTrueValue()),
                   flatten(emitter, choice.getFalseValue())))
      flat.push_back(emitter.select(condition, ifTrue, ifFalse));
  } else if (isa<ub::PoisonOp>(op)) {
    for (Type type : *types)
      flat.push_back(emitter.poison(type));
  } else {
    return emitter.notImplemented(op, "this operation on memrefs");
  }
  bindFlat(emitter, result, flat);
  return success();
}

/// f32 to f16 or bf16, two registers at a time: one instruction converts both.
static SmallVector<Value> emitPairedTruncation(ThreadEmitter &emitter,
                                               arith::TruncFOp op, Type type) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  ArrayRef<Value> wide = emitter.getValues(op.getIn());
  SmallVector<Value> registers;
  for (size_t reg = 0; reg < wide.size(); reg += 2) {
    Value pair = emitter.poison(VectorType::get({2}, builder.getF32Type()));
    for (int i : {0, 1})
      pair = LLVM::InsertElementOp::create(builder, loc, pair, wide[reg + i],
                                           emitter.i32(i));
    pair =
        arith::TruncFOp::create(builder, loc, VectorType::get({2}, type), pair);
    for (int i : {0, 1})
      registers.push_back(
          LLVM::ExtractElementOp::create(builder, loc, pair, emitter.i32(i)));
  }
  return registers;
}

/// An operation of two results: sum and carry, or the halves of a product.
static void emitExtended(ThreadEmitter &emitter, Operation *op) {
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
}

static LogicalResult lowerElementwise(ThreadEmitter &emitter, Operation *op) {
  if (isa<arith::AddUIExtendedOp, arith::MulSIExtendedOp,
          arith::MulUIExtendedOp>(op)) {
    emitExtended(emitter, op);
    return success();
  }
  if (op->getNumResults() != 1)
    return emitter.notImplemented(op, "'" + op->getName().getStringRef() + "'");
  Value result = op->getResult(0);
  if (isa<MemRefType>(result.getType()))
    return emitMemRefValue(emitter, op);
  auto fragment = dyn_cast<RankedTensorType>(result.getType());
  int64_t count = fragment ? emitter.getLayout(result).getRegisterCount() : 1;
  if (auto truncation = dyn_cast<arith::TruncFOp>(op)) {
    Type from = getElementTypeOrSelf(truncation.getIn().getType());
    Type to = getElementTypeOrSelf(result.getType());
    if (count % 2 == 0 && from.isF32() && (to.isF16() || to.isBF16())) {
      emitter.bind(result, emitPairedTruncation(emitter, truncation, to));
      return success();
    }
  }
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < count; ++reg) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(emitter.getElement(operand, reg));
    FailureOr<Value> value = emitScalarOperation(emitter, op, operands);
    if (failed(value))
      return failure();
    registers.push_back(*value);
  }
  emitter.bind(result, std::move(registers));
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
  table.addDialects<arith::ArithDialect, math::MathDialect, ub::UBDialect>(
      lowerElementwise);
}
