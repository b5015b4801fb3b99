//===- Reduce.cpp - Reductions in registers and across lanes --------------===//
//
// For each register of the result: combine the operand's registers that fall on
// it, as a tree; then exchange with the lanes that hold the rest, one butterfly
// step per bit of the reduced lane digits, after which all of them hold the
// result; then combine `init`. Warps are not crossed here: by now a reduction
// over warps is a `tile.partial_reduce`, a trip through shared memory and a
// reduction of what it left.
//
//     lane 0 1 2 3        xor 1           xor 2
//          a b c d   ->  ab ab cd cd  ->  abcd in all
//
// Elements in the padding count as the neutral element; with a combiner, which
// has none, they are skipped. f16 and bf16 accumulate in f32.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::Digit;
using tilec::FragmentLayout;
using tilec::HardwareDim;
using vector::CombiningKind;

namespace {

/// One or more values that are reduced together, and whether they are elements
/// at all (null: certainly).
struct Element {
  SmallVector<Value> values;
  Value isValid;
};

/// How two elements become one.
class Combiner {
public:
  virtual ~Combiner() = default;
  virtual FailureOr<SmallVector<Value>> combine(ArrayRef<Value> lhs,
                                                ArrayRef<Value> rhs) = 0;
  /// What padding counts as; empty if it has to be skipped.
  virtual SmallVector<Value> getNeutral() { return {}; }
  /// Whether exchanging the operands may change the result's last bits.
  virtual bool isOrderSensitive() const { return true; }
};

class KindCombiner final : public Combiner {
public:
  KindCombiner(ThreadEmitter &emitter, CombiningKind kind, Type type)
      : emitter(emitter), kind(kind), type(type) {}

  FailureOr<SmallVector<Value>> combine(ArrayRef<Value> lhs,
                                        ArrayRef<Value> rhs) override;
  SmallVector<Value> getNeutral() override;
  bool isOrderSensitive() const override { return false; }

private:
  template <typename OpT>
  Value emit(Value lhs, Value rhs) {
    return OpT::create(emitter.builder, emitter.loc, lhs, rhs);
  }
  ThreadEmitter &emitter;
  CombiningKind kind;
  Type type;
};

class RegionCombiner final : public Combiner {
public:
  RegionCombiner(ThreadEmitter &emitter, Region &region)
      : emitter(emitter), region(region) {}

  FailureOr<SmallVector<Value>> combine(ArrayRef<Value> lhs,
                                        ArrayRef<Value> rhs) override {
    Block &block = region.front();
    for (auto [index, argument] : llvm::enumerate(block.getArguments()))
      emitter.bind(argument,
                   index < lhs.size() ? lhs[index] : rhs[index - lhs.size()]);
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

//===----------------------------------------------------------------------===//
// Combining
//===----------------------------------------------------------------------===//

/// Combines two elements of which either may be none.
static FailureOr<Element> combine(ThreadEmitter &emitter, Combiner &combiner,
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

static FailureOr<Element> combineTree(ThreadEmitter &emitter,
                                      Combiner &combiner,
                                      SmallVector<Element> elements) {
  while (elements.size() > 1) {
    SmallVector<Element> next;
    for (size_t i = 0; i + 1 < elements.size(); i += 2) {
      FailureOr<Element> element =
          combine(emitter, combiner, elements[i], elements[i + 1]);
      if (failed(element))
        return failure();
      next.push_back(*element);
    }
    if (elements.size() % 2 != 0)
      next.push_back(elements.back());
    elements = std::move(next);
  }
  return elements.front();
}

/// The value of the lane whose number differs in the bits of `mask`.
static Value shuffle(ThreadEmitter &emitter, Value value, int64_t mask) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Type type = value.getType(), i32 = builder.getI32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  auto exchange = [&](Value word) -> Value {
    return NVVM::ShflOp::create(builder, loc, word.getType(), emitter.i32(-1),
                                word, emitter.i32(mask),
                                emitter.i32(emitter.target.warpSize - 1),
                                NVVM::ShflKind::bfly, UnitAttr());
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

/// The bits of the lane number that step along the reduced dimensions.
static SmallVector<int64_t> getLaneMasks(const FragmentLayout &layout,
                                         ArrayRef<int64_t> dims) {
  SmallVector<int64_t> masks;
  int64_t weight = 1;
  for (const Digit &digit : layout.getDigits(HardwareDim::Lane)) {
    if (!digit.replicates() && llvm::is_contained(dims, digit.dim))
      for (int64_t bit = 1; bit < digit.extent; bit *= 2)
        masks.push_back(weight * bit);
    weight *= digit.extent;
  }
  return masks;
}

static FailureOr<Element> combineLanes(ThreadEmitter &emitter,
                                       Combiner &combiner, Element element,
                                       ArrayRef<int64_t> masks) {
  for (int64_t mask : masks) {
    Element other;
    for (Value value : element.values)
      other.values.push_back(shuffle(emitter, value, mask));
    if (element.isValid)
      other.isValid = shuffle(emitter, element.isValid, mask);
    // The lower lane is the left operand in both: a combiner that is
    // commutative only up to rounding or ties still gives both lanes one value.
    Element lower = element, upper = other;
    if (combiner.isOrderSensitive()) {
      Value isUpper =
          emitter.compare(arith::CmpIPredicate::ne,
                          emitter.builder.createOrFold<arith::AndIOp>(
                              emitter.loc, emitter.lane, emitter.i32(mask)),
                          emitter.i32(0));
      auto swap = [&](Value &mine, Value &others) {
        Value chosen = emitter.select(isUpper, others, mine);
        others = emitter.select(isUpper, mine, others);
        mine = chosen;
      };
      for (auto [mine, others] : llvm::zip(lower.values, upper.values))
        swap(mine, others);
      if (element.isValid)
        swap(lower.isValid, upper.isValid);
    }
    FailureOr<Element> combined = combine(emitter, combiner, lower, upper);
    if (failed(combined))
      return failure();
    element = *combined;
  }
  return element;
}

//===----------------------------------------------------------------------===//
// Reductions within warps
//===----------------------------------------------------------------------===//

/// A value in the type that accumulates, and back.
static Value toType(ThreadEmitter &emitter, Value value, Type type) {
  return isa<FloatType>(value.getType())
             ? emitter.convertFloat(value, value.getType(), type)
             : value;
}

namespace {
/// What `tile.reduce` and `tile.partial_reduce` share.
struct WarpReduction {
  ThreadEmitter &emitter;
  SmallVector<Value> sources;
  ArrayRef<int64_t> dims;
  SmallVector<Type> accumulatorTypes;
  Combiner &combiner;

  const FragmentLayout &getLayout() {
    return emitter.getLayout(sources.front());
  }
  Coordinate getKept(const Coordinate &coordinate) const;
  Element getElement(int64_t reg);
  /// Reduces what falls on each kept coordinate; by register coordinate.
  FailureOr<std::map<Coordinate, Element>> reduce();
};
} // namespace

Coordinate WarpReduction::getKept(const Coordinate &coordinate) const {
  Coordinate kept;
  for (auto [dim, position] : llvm::enumerate(coordinate))
    if (!llvm::is_contained(dims, dim))
      kept.push_back(position);
  return kept;
}

/// Register `reg` of all sources, widened; padding along reduced dimensions is
/// neutral or marked. Padding along kept dimensions is nobody's concern.
Element WarpReduction::getElement(int64_t reg) {
  Element element;
  for (auto [source, type] : llvm::zip(sources, accumulatorTypes))
    element.values.push_back(
        toType(emitter, emitter.getElement(source, reg), type));
  const FragmentLayout &layout = getLayout();
  Value isValid;
  Coordinate coordinate = ThreadEmitter::getRegisterCoordinate(layout, reg);
  for (int64_t dim : dims) {
    const ThreadCoordinate &thread = emitter.getThreadCoordinate(layout, dim);
    int64_t room = layout.getShape()[dim] - coordinate[dim];
    if (thread.values.back() < room)
      continue;
    isValid = emitter.both(
        isValid, room <= 0 ? emitter.constant(emitter.builder.getI1Type(), 0)
                           : emitter.compare(arith::CmpIPredicate::ult,
                                             thread.value, emitter.i32(room)));
  }
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

FailureOr<std::map<Coordinate, Element>> WarpReduction::reduce() {
  const FragmentLayout &layout = getLayout();
  std::map<Coordinate, SmallVector<Element>> byKept;
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg)
    byKept[getKept(ThreadEmitter::getRegisterCoordinate(layout, reg))]
        .push_back(getElement(reg));
  SmallVector<int64_t> masks = getLaneMasks(layout, dims);
  std::map<Coordinate, Element> results;
  for (auto &[kept, elements] : byKept) {
    FailureOr<Element> element =
        combineTree(emitter, combiner, std::move(elements));
    if (succeeded(element))
      element = combineLanes(emitter, combiner, *element, masks);
    if (failed(element))
      return failure();
    results[kept] = *element;
  }
  return results;
}

/// f16 and bf16 accumulate in f32.
static Type getAccumulatorType(ThreadEmitter &emitter, Type type, bool isKind) {
  if (isKind && (type.isF16() || type.isBF16()))
    return emitter.builder.getF32Type();
  return emitter.convertScalarType(type);
}

//===----------------------------------------------------------------------===//
// tile.reduce
//===----------------------------------------------------------------------===//

static LogicalResult verifyReduceLayouts(ThreadEmitter &emitter, ReduceOp op) {
  const FragmentLayout &layout = emitter.getLayout(op.getSources().front());
  for (Value source : op.getSources()) {
    Type type = cast<RankedTensorType>(source.getType()).getElementType();
    if (!emitter.convertScalarType(type))
      return emitter.notImplemented(op, "reductions of ") << type;
    if (emitter.getLayout(source) != layout)
      return op.emitError("all operands of a reduction have one layout");
  }
  std::vector<int> dims(op.getDims().begin(), op.getDims().end());
  FragmentLayout expected = layout.dropDims(dims);
  for (Value result : op.getResults())
    if (emitter.getLayout(result) != expected)
      return op.emitError(
          "the result's layout is not the operand's without the "
          "reduced dimensions");
  for (const Digit &digit : layout.getDigits(HardwareDim::Warp))
    if (!digit.replicates() && llvm::is_contained(op.getDims(), digit.dim))
      return emitter.notImplemented(op, "a reduction across warps at stage "
                                        "'outlined'");
  return success();
}

LogicalResult ThreadEmitter::emitReduce(ReduceOp op) {
  if (failed(verifyReduceLayouts(*this, op)))
    return failure();
  SmallVector<Type> types;
  for (Value source : op.getSources())
    types.push_back(getAccumulatorType(
        *this, cast<RankedTensorType>(source.getType()).getElementType(),
        op.getKind().has_value()));
  std::unique_ptr<Combiner> combiner;
  if (op.getKind())
    combiner = std::make_unique<KindCombiner>(*this, *op.getKind(), types[0]);
  else
    combiner = std::make_unique<RegionCombiner>(*this, op.getCombiner());

  WarpReduction reduction{*this, op.getSources(), op.getDims(), types,
                          *combiner};
  auto reduced = reduction.reduce();
  if (failed(reduced))
    return failure();
  const FragmentLayout &layout = getLayout(op.getResults().front());
  SmallVector<SmallVector<Value>> results(op.getNumResults());
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg) {
    Element element = (*reduced)[getRegisterCoordinate(layout, reg)];
    if (!op.getInits().empty()) {
      Element init;
      for (auto [value, type] : llvm::zip(op.getInits(), types))
        init.values.push_back(toType(*this, getElement(value, reg), type));
      FailureOr<Element> combined = combine(*this, *combiner, init, element);
      if (failed(combined))
        return failure();
      element = *combined;
    }
    for (auto [result, value] : llvm::zip(op.getResults(), element.values)) {
      Type type = convertScalarType(
          cast<RankedTensorType>(result.getType()).getElementType());
      results[result.getResultNumber()].push_back(toType(*this, value, type));
    }
  }
  for (auto [result, registers] : llvm::zip(op.getResults(), results))
    bind(result, std::move(registers));
  return success();
}

//===----------------------------------------------------------------------===//
// tile.partial_reduce
//===----------------------------------------------------------------------===//

/// As a reduction, but what the warps hold stays apart, in the last dimension.
LogicalResult ThreadEmitter::emitPartialReduce(PartialReduceOp op) {
  auto sourceType = cast<RankedTensorType>(op.getSource().getType());
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  Type type = getAccumulatorType(*this, sourceType.getElementType(), true);
  Type resultScalar = convertScalarType(resultType.getElementType());
  if (!type || !resultScalar)
    return notImplemented(op, "reductions of ") << sourceType.getElementType();
  KindCombiner combiner(*this, op.getKind(), type);
  WarpReduction reduction{
      *this, {op.getSource()}, op.getDims(), {type}, combiner};
  auto reduced = reduction.reduce();
  if (failed(reduced))
    return failure();
  const FragmentLayout &layout = getLayout(resultType);
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg) {
    Coordinate coordinate = getRegisterCoordinate(layout, reg);
    int64_t warpPart = coordinate.back();
    coordinate.pop_back();
    auto found = reduced->find(coordinate);
    if (warpPart != 0 || found == reduced->end())
      return op.emitError(
          "the result's layout is not the operand's with a last "
          "dimension of warps");
    registers.push_back(
        toType(*this, found->second.values.front(), resultScalar));
  }
  bind(op.getResult(), std::move(registers));
  return success();
}
