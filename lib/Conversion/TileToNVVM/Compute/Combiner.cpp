//===- Combiner.cpp - How reductions and scans combine --------------------===//

#include "Combiner.h"

#include "Cast.h"

#include "tile/Hardware/ScalarInstruction.h"

#include <limits>

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::FragmentLayout;
using vector::CombiningKind;

namespace {

/// Of extremes padding counts as an infinity or NaN, so no flag may promise that
/// neither occurs.
arith::FastMathFlags getFlagsWithPadding(CombiningKind kind,
                                         arith::FastMathFlags flags) {
  if (kind == CombiningKind::ADD || kind == CombiningKind::MUL)
    return flags;
  return flags & ~(arith::FastMathFlags::nnan | arith::FastMathFlags::ninf);
}

class KindCombiner final : public Combiner {
public:
  KindCombiner(ThreadEmitter &emitter, CombiningKind kind,
               arith::FastMathFlags flags, Type type)
      : emitter(emitter), kind(kind), flags(getFlagsWithPadding(kind, flags)),
        type(type) {}

  FailureOr<SmallVector<Value>> combine(ArrayRef<Value> lhs,
                                        ArrayRef<Value> rhs) override;
  SmallVector<Value> getNeutral() override;
  SmallVector<Value> getEmptyPrefix() override;
  bool isOrderSensitive() const override { return false; }
  Value combineWarp(Value value) override;
  bool fusesProducts() const override {
    return kind == CombiningKind::ADD && isa<FloatType>(type) &&
           bitEnumContainsAll(flags, arith::FastMathFlags::contract);
  }

private:
  template <typename OpT>
  Value emit(Value lhs, Value rhs) {
    if constexpr (OpT::template hasTrait<
                      arith::ArithFastMathInterface::Trait>())
      return OpT::create(emitter.builder, emitter.loc, lhs, rhs, flags);
    else
      return OpT::create(emitter.builder, emitter.loc, lhs, rhs);
  }
  ThreadEmitter &emitter;
  CombiningKind kind;
  arith::FastMathFlags flags;
  Type type;
};

class RegionCombiner final : public Combiner {
public:
  RegionCombiner(ThreadEmitter &emitter, Region &region)
      : emitter(emitter), region(region) {}

  FailureOr<SmallVector<Value>> combine(ArrayRef<Value> lhs,
                                        ArrayRef<Value> rhs) override {
    // A region may branch (ValueMap.h).
    Block &block = region.front();
    for (auto [index, argument] : llvm::enumerate(block.getArguments()))
      emitter.bind(argument, emitter.freeze(index < lhs.size()
                                                ? lhs[index]
                                                : rhs[index - lhs.size()]));
    Location loc = emitter.loc;
    if (failed(emitter.emitBlock(block)))
      return failure();
    emitter.loc = loc;
    SmallVector<Value> results;
    for (Value value : block.getTerminator()->getOperands())
      results.push_back(emitter.getScalar(value));
    return results;
  }

private:
  ThreadEmitter &emitter;
  Region &region;
};
} // namespace

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> KindCombiner::combine(ArrayRef<Value> lhs,
                                                    ArrayRef<Value> rhs) {
  Value a = lhs.front(), b = rhs.front(), result;
  bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case CombiningKind::ADD:
    result = isFloat ? emit<arith::AddFOp>(a, b) : emit<arith::AddIOp>(a, b);
    break;
  case CombiningKind::MUL:
    result = isFloat ? emit<arith::MulFOp>(a, b) : emit<arith::MulIOp>(a, b);
    break;
  case CombiningKind::MINUI:
    result = emit<arith::MinUIOp>(a, b);
    break;
  case CombiningKind::MINSI:
    result = emit<arith::MinSIOp>(a, b);
    break;
  case CombiningKind::MINNUMF:
    result = emit<arith::MinNumFOp>(a, b);
    break;
  case CombiningKind::MAXUI:
    result = emit<arith::MaxUIOp>(a, b);
    break;
  case CombiningKind::MAXSI:
    result = emit<arith::MaxSIOp>(a, b);
    break;
  case CombiningKind::MAXNUMF:
    result = emit<arith::MaxNumFOp>(a, b);
    break;
  case CombiningKind::AND:
    result = emit<arith::AndIOp>(a, b);
    break;
  case CombiningKind::OR:
    result = emit<arith::OrIOp>(a, b);
    break;
  case CombiningKind::XOR:
    result = emit<arith::XOrIOp>(a, b);
    break;
  case CombiningKind::MINIMUMF:
    result = emit<arith::MinimumFOp>(a, b);
    break;
  case CombiningKind::MAXIMUMF:
    result = emit<arith::MaximumFOp>(a, b);
    break;
  }
  return SmallVector<Value>{result};
}

/// The neutral element. For `maxnumf` and `minnumf` NaN, which leaves every
/// other operand as it is, a NaN included; an infinity would replace that one.
SmallVector<Value> KindCombiner::getNeutral() {
  double infinity = std::numeric_limits<double>::infinity();
  double nan = std::numeric_limits<double>::quiet_NaN();
  unsigned width = type.getIntOrFloatBitWidth();
  auto integer = [&](const APInt &value) {
    return emitter.constant(type, value.getSExtValue());
  };
  bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case CombiningKind::ADD:
    return {isFloat ? emitter.floatConstant(type, -0.0)
                    : emitter.constant(type, 0)};
  case CombiningKind::MUL:
    return {isFloat ? emitter.floatConstant(type, 1.0)
                    : integer(APInt(width, 1))};
  case CombiningKind::OR:
  case CombiningKind::XOR:
  case CombiningKind::MAXUI:
    return {integer(APInt::getZero(width))};
  case CombiningKind::AND:
  case CombiningKind::MINUI:
    return {integer(APInt::getAllOnes(width))};
  case CombiningKind::MINSI:
    return {integer(APInt::getSignedMaxValue(width))};
  case CombiningKind::MAXSI:
    return {integer(APInt::getSignedMinValue(width))};
  case CombiningKind::MINNUMF:
  case CombiningKind::MAXNUMF:
    return {emitter.floatConstant(type, nan)};
  case CombiningKind::MINIMUMF:
    return {emitter.floatConstant(type, infinity)};
  case CombiningKind::MAXIMUMF:
    return {emitter.floatConstant(type, -infinity)};
  }
  return {};
}

/// As the neutral element, but of the kinds that pass over NaN an infinity.
SmallVector<Value> KindCombiner::getEmptyPrefix() {
  double infinity = std::numeric_limits<double>::infinity();
  switch (kind) {
  case CombiningKind::MINNUMF:
    return {emitter.floatConstant(type, infinity)};
  case CombiningKind::MAXNUMF:
    return {emitter.floatConstant(type, -infinity)};
  case CombiningKind::ADD:
    return {emitter.zero(type)};
  default:
    return getNeutral();
  }
}

static std::optional<NVVM::ReduxKind> getReduxKind(CombiningKind kind) {
  switch (kind) {
  case CombiningKind::ADD:
    return NVVM::ReduxKind::ADD;
  case CombiningKind::MINUI:
    return NVVM::ReduxKind::UMIN;
  case CombiningKind::MINSI:
    return NVVM::ReduxKind::MIN;
  case CombiningKind::MAXUI:
    return NVVM::ReduxKind::UMAX;
  case CombiningKind::MAXSI:
    return NVVM::ReduxKind::MAX;
  case CombiningKind::AND:
    return NVVM::ReduxKind::AND;
  case CombiningKind::OR:
    return NVVM::ReduxKind::OR;
  case CombiningKind::XOR:
    return NVVM::ReduxKind::XOR;
  case CombiningKind::MINNUMF:
  case CombiningKind::MINIMUMF:
    return NVVM::ReduxKind::FMIN;
  case CombiningKind::MAXNUMF:
  case CombiningKind::MAXIMUMF:
    return NVVM::ReduxKind::FMAX;
  case CombiningKind::MUL:
    return std::nullopt;
  }
  return std::nullopt;
}

/// Integers of fewer bits are combined as 32, extended as the kind compares them.
Value KindCombiner::combineWarp(Value value) {
  OpBuilder &builder = emitter.builder;
  std::optional<NVVM::ReduxKind> redux = getReduxKind(kind);
  bool isFloat = isa<FloatType>(type);
  if (!redux || (isFloat && (kind == CombiningKind::ADD || !type.isF32())) ||
      type.getIntOrFloatBitWidth() > 32)
    return {};
  const tilec::Availability &instruction =
      isFloat ? tilec::floatWarpReduction : tilec::integerWarpReduction;
  if (!instruction.isAvailable(emitter.target, /*ptxVersion=*/0))
    return {};
  Type word = isFloat ? type : Type(builder.getI32Type());
  bool isSigned = kind == CombiningKind::MINSI || kind == CombiningKind::MAXSI;
  if (value.getType() != word)
    value =
        isSigned
            ? builder.createOrFold<arith::ExtSIOp>(emitter.loc, word, value)
            : builder.createOrFold<arith::ExtUIOp>(emitter.loc, word, value);
  bool passesNan =
      kind == CombiningKind::MINIMUMF || kind == CombiningKind::MAXIMUMF;
  Value result =
      NVVM::ReduxOp::create(builder, emitter.loc, word, value, *redux,
                            emitter.i32(-1), /*abs=*/false, passesNan);
  return word == type
             ? result
             : builder.createOrFold<arith::TruncIOp>(emitter.loc, type, result);
}

std::unique_ptr<Combiner>
tile::createCombiner(ThreadEmitter &emitter, std::optional<CombiningKind> kind,
                     arith::FastMathFlags flags, Type type, Region *region) {
  if (kind)
    return std::make_unique<KindCombiner>(emitter, *kind, flags, type);
  return std::make_unique<RegionCombiner>(emitter, *region);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

FailureOr<Element> tile::combine(ThreadEmitter &emitter, Combiner &combiner,
                                 const Element &lhs, const Element &rhs) {
  FailureOr<SmallVector<Value>> both = combiner.combine(lhs.values, rhs.values);
  if (failed(both))
    return failure();
  if (!lhs.isValid && !rhs.isValid)
    return Element{*both, Value()};
  Element result;
  for (auto [index, value] : llvm::enumerate(*both)) {
    if (rhs.isValid)
      value = emitter.select(rhs.isValid, value, lhs.values[index]);
    if (lhs.isValid)
      value = emitter.select(lhs.isValid, value, rhs.values[index]);
    result.values.push_back(value);
  }
  if (lhs.isValid && rhs.isValid)
    result.isValid = emitter.builder.createOrFold<arith::OrIOp>(
        emitter.loc, lhs.isValid, rhs.isValid);
  return result;
}
Type tile::getAccumulatorType(ThreadEmitter &emitter, Type type, bool isKind) {
  if (isKind && (type.isF16() || type.isBF16()))
    return emitter.builder.getF32Type();
  return emitter.convertScalarType(type);
}
Value tile::toAccumulator(ThreadEmitter &emitter, Value value, Type type) {
  return isa<FloatType>(value.getType())
             ? convertFloat(emitter, value, value.getType(), type)
             : value;
}

SmallVector<Type> tile::getAccumulatorTypes(ThreadEmitter &emitter,
                                            ValueRange fragments, bool isKind) {
  SmallVector<Type> types;
  for (Value fragment : fragments)
    types.push_back(getAccumulatorType(
        emitter, cast<RankedTensorType>(fragment.getType()).getElementType(),
        isKind));
  return types;
}

SmallVector<Value> tile::getInits(ThreadEmitter &emitter, ValueRange inits,
                                  ArrayRef<Type> types, int64_t reg) {
  SmallVector<Value> values;
  for (auto [init, type] : llvm::zip(inits, types))
    values.push_back(
        toAccumulator(emitter, emitter.getElement(init, reg), type));
  return values;
}

Value tile::toElement(ThreadEmitter &emitter, Value accumulated, Value result) {
  Type element = cast<RankedTensorType>(result.getType()).getElementType();
  return toAccumulator(emitter, accumulated,
                       emitter.convertScalarType(element));
}

Element tile::getElement(ThreadEmitter &emitter, ArrayRef<Value> sources,
                         ArrayRef<Type> types, int64_t reg) {
  Element element;
  for (auto [source, type] : llvm::zip(sources, types))
    element.values.push_back(
        toAccumulator(emitter, emitter.getElement(source, reg), type));
  return element;
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>>
tile::getLimits(ThreadEmitter &emitter, const FragmentLayout &layout,
                ArrayRef<int64_t> dims, int64_t reg) {
  SmallVector<int64_t> limits;
  Coordinate coordinate = getRegisterCoordinate(layout, reg);
  for (int64_t dim : dims) {
    int64_t room = layout.getShape()[dim] - coordinate[dim];
    if (room <= 0)
      return std::nullopt;
    limits.push_back(
        emitter.getScope().getCoordinate(layout, dim).getLimit(room));
  }
  return limits;
}

Value tile::isWithin(ThreadEmitter &emitter, const FragmentLayout &layout,
                     ArrayRef<int64_t> dims, ArrayRef<int64_t> limits) {
  Value isValid;
  for (auto [dim, limit] : llvm::zip(dims, limits)) {
    const ThreadCoordinate &thread =
        emitter.getScope().getCoordinate(layout, dim);
    if (thread.values.back() >= limit)
      isValid = emitter.both(isValid,
                             emitter.compare(arith::CmpIPredicate::ult,
                                             thread.value, emitter.i32(limit)));
  }
  return isValid;
}

Element tile::maskPadding(ThreadEmitter &emitter, Combiner &combiner,
                          Element element, const FragmentLayout &layout,
                          ArrayRef<int64_t> dims, ArrayRef<int64_t> limits) {
  Value isValid = isWithin(emitter, layout, dims, limits);
  if (!isValid)
    return element;
  SmallVector<Value> neutral = combiner.getNeutral();
  if (neutral.empty()) {
    element.isValid = isValid;
    return element;
  }
  for (auto [value, replacement] : llvm::zip(element.values, neutral))
    value = emitter.select(isValid, value, replacement);
  return element;
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

Value tile::shuffle(ThreadEmitter &emitter, Value value, NVVM::ShflKind kind,
                    Value which) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Type type = value.getType(), i32 = builder.getI32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  // The last lane that is read; for `up` the first one.
  int64_t bound = kind == NVVM::ShflKind::up ? 0 : emitter.target.warpSize - 1;
  auto exchange = [&](Value word) -> Value {
    return NVVM::ShflOp::create(builder, loc, word.getType(), emitter.i32(-1),
                                word, which, emitter.i32(bound), kind,
                                UnitAttr());
  };
  if (type.isF32() || type == i32)
    return exchange(value);
  Type integer = builder.getIntegerType(width);
  Value bits = builder.createOrFold<arith::BitcastOp>(loc, integer, value);
  if (width < 32) {
    bits = builder.createOrFold<arith::ExtUIOp>(loc, i32, bits);
    bits = builder.createOrFold<arith::TruncIOp>(loc, integer, exchange(bits));
  } else {
    Value low = builder.createOrFold<arith::TruncIOp>(loc, i32, bits);
    Value high = builder.createOrFold<arith::TruncIOp>(
        loc, i32, emitter.divide(bits, int64_t(1) << 32));
    low = builder.createOrFold<arith::ExtUIOp>(loc, integer, exchange(low));
    high = builder.createOrFold<arith::ExtUIOp>(loc, integer, exchange(high));
    bits = builder.createOrFold<arith::OrIOp>(
        loc, low, emitter.multiply(high, int64_t(1) << 32));
  }
  return builder.createOrFold<arith::BitcastOp>(loc, type, bits);
}

Element tile::shuffle(ThreadEmitter &emitter, const Element &element,
                      NVVM::ShflKind kind, Value which) {
  Element other;
  for (Value value : element.values)
    other.values.push_back(shuffle(emitter, value, kind, which));
  if (element.isValid)
    other.isValid = shuffle(emitter, element.isValid, kind, which);
  return other;
}

LogicalResult tile::verifyElementTypes(ThreadEmitter &emitter, Operation *op,
                                       ValueRange operands, StringRef what) {
  for (Value operand : operands) {
    Type type = getElementTypeOrSelf(operand.getType());
    if (!emitter.convertScalarType(type))
      return emitter.notImplemented(op, what + Twine(" of ")) << type;
  }
  return success();
}
