//===- PlaceDistance.cpp - How far apart accesses start -------------------===//

#include "PlaceDistance.h"

#include "tile/Analysis/LoopValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;
using llvm::DynamicAPInt;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

NumberBounds &NumberBounds::operator+=(const NumberBounds &other) {
  least += other.least;
  most += other.most;
  return *this;
}

NumberBounds NumberBounds::operator*(int64_t factor) const {
  DynamicAPInt a = least * factor, b = most * factor;
  return factor < 0 ? NumberBounds{b, a} : NumberBounds{a, b};
}

static DynamicAPInt getPowerOf2(unsigned exponent) {
  return DynamicAPInt(APInt::getOneBitSet(exponent + 2, exponent));
}

static unsigned getWidth(Value value) {
  return ConstantIntRanges::getStorageBitwidth(value.getType());
}

/// The source of a cast between integers; null for other values.
static Value getCastSource(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp, arith::TruncIOp>(
          [](auto cast) { return cast.getIn(); })
      .Default([](Operation *) { return Value(); });
}

/// The number that `value` is as well: what it is widened from, with its sign.
static Value getNarrowest(Value value) {
  while ((value.getDefiningOp<arith::IndexCastOp>() ||
          value.getDefiningOp<arith::ExtSIOp>()) &&
         getWidth(getCastSource(value)) <= getWidth(value))
    value = getCastSource(value);
  return value;
}

/// `form` with what casts are of in their places, equal to it modulo 2 to the least
/// width of these, `bits`.
static LinearForm seeThroughCasts(LinearForm form, unsigned &bits) {
  constexpr int deepest = 8;
  for (int depth = 0; depth < deepest; ++depth)
    for (auto [value, factor] : form.getFactors())
      if (Value source = getCastSource(value)) {
        bits = std::min({bits, getWidth(source), getWidth(value)});
        form = form.substitute(value, LinearForm::getModular(source));
      }
  return form;
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

bool PlaceDistance::isSame(Value value) const {
  Operation *loop = known.advancedLoop;
  return known.hasSameValues ||
         (loop && !loop->isAncestor(value.getParentBlock()->getParentOp()));
}

NumberBounds PlaceDistance::getBounds(Value value) {
  ConstantIntRanges range = facts.getRange(value);
  return {DynamicAPInt(range.smin()), DynamicAPInt(range.smax())};
}

/// What one iteration of the loop changes `value`, a number that it counts, by.
std::optional<NumberBounds> PlaceDistance::getChangeOfOne(Value value) {
  std::optional<LoopValue> counter = getLoopValue(value);
  if (!counter || counter->loop != known.advancedLoop ||
      !isa<BlockArgument>(value))
    return std::nullopt;
  if (!counter->carried) {
    NumberBounds step = getBounds(counter->loop.getStep());
    int64_t divisor = facts.getDivisor(counter->loop.getStep());
    step.least =
        std::max(step.least, DynamicAPInt(std::max<int64_t>(divisor, 1)));
    return step;
  }
  Value next = counter->loop.getYieldedValues()[*counter->carried];
  if (!next.getType().isIntOrIndex())
    return std::nullopt;
  LinearForm growth =
      LinearForm::getModular(next) - LinearForm::getModular(value);
  NumberBounds change{DynamicAPInt(growth.getConstant()),
                      DynamicAPInt(growth.getConstant())};
  for (auto [term, factor] : growth.getFactors()) {
    if (!isSame(term))
      return std::nullopt;
    change += getBounds(term) * factor;
  }
  return change;
}

/// What `value` has changed by; nothing where that is not counted.
std::optional<NumberBounds> PlaceDistance::getChange(Value value) {
  // A loop that ran so often would run for days (IndexRanges.cpp).
  constexpr int64_t mostIterations = int64_t(1) << 48;
  Value number = getNarrowest(value);
  std::optional<NumberBounds> change = getChangeOfOne(number);
  if (!change)
    return std::nullopt;
  scf::ForOp loop = getLoopValue(number)->loop;
  bool isInduction = number == loop.getInductionVar();
  bool mayWrap = isInduction ? loop.getUnsignedCmp() : getWidth(number) < 64;
  if (mayWrap && number != value)
    return std::nullopt;
  if (change->least > 0)
    change->most *= mostIterations;
  else if (change->most < 0)
    change->least *= mostIterations;
  else
    return std::nullopt;
  if (mayWrap)
    return change;
  NumberBounds bounds = getBounds(number);
  DynamicAPInt largest = bounds.most - bounds.least;
  change->most = std::min(change->most, largest);
  change->least = std::max(change->least, -largest);
  return change;
}

NumberBounds PlaceDistance::getDistance(const LinearForm &earlier,
                                        const LinearForm &later) {
  NumberBounds distance{
      DynamicAPInt(later.getConstant()) - earlier.getConstant(),
      DynamicAPInt(later.getConstant()) - earlier.getConstant()};
  llvm::SetVector<Value> values;
  for (const LinearForm *form : {&earlier, &later})
    values.insert_range(llvm::make_first_range(form->getFactors()));
  for (Value value : values) {
    int64_t before = earlier.getFactor(value), now = later.getFactor(value);
    if (isSame(value)) {
      distance += getBounds(value) * (now - before);
      continue;
    }
    std::optional<NumberBounds> change =
        now == before ? getChange(value) : std::nullopt;
    if (change) {
      distance += *change * now;
      continue;
    }
    distance += getBounds(value) * now;
    distance += getBounds(value) * -before;
  }
  return distance;
}

std::optional<int64_t> PlaceDistance::getConstant(const PlaceDim &earlier,
                                                  const PlaceDim &later) const {
  LinearForm difference = later.start - earlier.start;
  bool areSame = llvm::all_of(later.start.getFactors(),
                              [&](auto term) { return isSame(term.first); });
  if (!difference.isConstant() || !areSame)
    return std::nullopt;
  return difference.getConstant();
}

/// How many coordinates lie from the first of a dimension to the last.
static int64_t getRange(const PlaceDim &dim) {
  return (dim.extent - 1) * dim.stride + 1;
}

static bool hasKnownRange(const PlaceDim &dim) {
  return !dim.isUnknown && !ShapedType::isDynamic(dim.extent) &&
         dim.stride >= 1;
}

bool PlaceDistance::areApart(const PlaceDim &earlier, const PlaceDim &later,
                             NumberBounds distance, unsigned bits) const {
  DynamicAPInt before(getRange(earlier)), after(getRange(later));
  if (bits >= 64)
    return distance.least >= before || distance.most <= -after;
  DynamicAPInt modulus = getPowerOf2(bits);
  DynamicAPInt rounds = floorDiv(distance.least - before, modulus);
  return distance.most <= (rounds + 1) * modulus - after;
}

bool PlaceDistance::areApart(const PlaceDim &earlier, const PlaceDim &later) {
  if (!hasKnownRange(earlier) || !hasKnownRange(later))
    return false;
  NumberBounds distance = getDistance(earlier.start, later.start);
  if (areApart(earlier, later, distance, /*bits=*/64))
    return true;
  unsigned bits = 64;
  LinearForm first = seeThroughCasts(earlier.start, bits);
  LinearForm second = seeThroughCasts(later.start, bits);
  return (first != earlier.start || second != later.start) &&
         areApart(earlier, later, getDistance(first, second), bits);
}

//===----------------------------------------------------------------------===//
// Common values
//===----------------------------------------------------------------------===//

void CommonValues::add(const PlaceDim &earlier, const PlaceDim &later) {
  LinearForm difference = later.start - earlier.start;
  if (!hasKnownRange(earlier) || !hasKnownRange(later) ||
      !difference.isConstant())
    return;
  SmallVector<std::pair<Value, int64_t>> moving;
  for (auto term : later.start.getFactors())
    if (!distance.isSame(term.first))
      moving.push_back(term);
  if (moving.size() != 1)
    return;
  auto [value, factor] = moving.front();
  int64_t apart = std::abs(factor), offset = difference.getConstant();
  if (apart + offset >= getRange(earlier) && apart - offset >= getRange(later))
    values.insert(value);
}

/// Whether `value` is computed from what is the same in both.
bool CommonValues::isCommon(Value value, int depth) const {
  constexpr int deepest = 8;
  if (distance.isSame(value) || values.contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && depth < deepest && isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) { return isCommon(operand, depth + 1); });
}

namespace {
/// A quotient or a remainder.
struct Division {
  Value number, divisor, result;
  bool isQuotient = false, isSigned = false;
};
} // namespace

static std::optional<Division> matchDivision(Operation *op) {
  auto make = [](auto division, bool isQuotient, bool isSigned) {
    return Division{division.getLhs(), division.getRhs(), division.getResult(),
                    isQuotient, isSigned};
  };
  using Match = std::optional<Division>;
  return llvm::TypeSwitch<Operation *, Match>(op)
      .Case([&](arith::DivUIOp op) { return make(op, true, false); })
      .Case([&](arith::RemUIOp op) { return make(op, false, false); })
      .Case([&](arith::DivSIOp op) { return make(op, true, true); })
      .Case([&](arith::RemSIOp op) { return make(op, false, true); })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether the two are quotient and remainder of one number by one divisor.
static bool areHalves(const Division &a, const Division &b) {
  return a.isQuotient != b.isQuotient && a.isSigned == b.isSigned &&
         a.number == b.number && a.divisor == b.divisor;
}

/// Adds what can be computed back from `value`.
void CommonValues::addFrom(Value value) {
  if (Value number = getNarrowest(value); number != value)
    values.insert(number);
  SmallVector<std::pair<Value, int64_t>> open;
  for (auto term : LinearForm::getModular(value).getFactors())
    if (!isCommon(term.first))
      open.push_back(term);
  if (open.size() == 1 &&
      (getWidth(value) >= 64 || std::abs(open.front().second) == 1))
    values.insert(open.front().first);
  Operation *op = value.getDefiningOp();
  std::optional<Division> half = op ? matchDivision(op) : std::nullopt;
  if (!half || !isCommon(half->divisor) || !isCommon(half->result))
    return;
  for (Operation *user : half->number.getUsers())
    if (std::optional<Division> other = matchDivision(user);
        other && areHalves(*half, *other) && isCommon(other->result))
      values.insert(half->number);
}

bool CommonValues::include(Value value) {
  for (size_t known = 0; !isCommon(value) && known != values.size();) {
    known = values.size();
    for (Value common : llvm::to_vector(values))
      addFrom(common);
  }
  return isCommon(value);
}
