//===- RingNumbers.cpp - Which use of a ring a value numbers --------------===//

#include "tile/Analysis/RingNumbers.h"

#include "tile/Analysis/LoopValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Base and offset
//===----------------------------------------------------------------------===//

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

/// Without additions of constants.
static RingNumber stripAdditions(Value value) {
  RingNumber number{value, 0};
  while (auto add = number.base.getDefiningOp<arith::AddIOp>()) {
    std::optional<int64_t> left = getConstant(add.getLhs());
    std::optional<int64_t> right = getConstant(add.getRhs());
    if (!left && !right)
      return number;
    number.base = right ? add.getLhs() : add.getRhs();
    number.offset += right ? *right : *left;
  }
  if (std::optional<int64_t> constant = getConstant(number.base))
    return {Value(), number.offset + *constant};
  return number;
}

namespace {
/// A value that grows by `step` in each iteration of a loop.
struct CarriedNumber {
  RingNumber start;
  int64_t step = 0;
};
} // namespace

/// How a loop carries its region iteration argument `index`.
static std::optional<CarriedNumber> getCarried(scf::ForOp loop,
                                               unsigned index) {
  RingNumber next = stripAdditions(loop.getYieldedValues()[index]);
  if (next.base != loop.getRegionIterArg(index))
    return std::nullopt;
  return CarriedNumber{getRingNumber(loop.getInitArgs()[index]), next.offset};
}

static std::optional<CarriedNumber> getCarriedInduction(scf::ForOp loop) {
  std::optional<int64_t> step = getConstant(loop.getStep());
  if (!step)
    return std::nullopt;
  return CarriedNumber{getRingNumber(loop.getLowerBound()), *step};
}

/// How a loop carries its induction variable or another value.
static std::optional<CarriedNumber> getCarried(const LoopValue &value) {
  return value.carried ? getCarried(value.loop, *value.carried)
                       : getCarriedInduction(value.loop);
}

/// The number after `iterations` of a loop with so many.
static RingNumber getAfter(const CarriedNumber &carried, int64_t iterations) {
  return carried.start + iterations * carried.step;
}

/// How often a loop goes round, where that is known and at least once.
static std::optional<int64_t> getTripCount(scf::ForOp loop) {
  std::optional<APInt> count = loop.getStaticTripCount();
  if (!count || count->isZero() || count->getActiveBits() > 31)
    return std::nullopt;
  return count->getZExtValue();
}

/// The first argument of the loop that is always at a known distance from the
/// one described by `carried`, and the distance to that.
static std::optional<std::pair<unsigned, int64_t>>
findCompanion(scf::ForOp loop, const CarriedNumber &carried) {
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
    if (!loop.getRegionIterArg(i).getType().isIndex())
      continue;
    std::optional<CarriedNumber> other = getCarried(loop, i);
    if (other && other->step == carried.step &&
        other->start.base == carried.start.base)
      return std::pair(i, carried.start.offset - other->start.offset);
  }
  return std::nullopt;
}

RingNumber tile::getRingNumber(Value value) {
  RingNumber number = stripAdditions(value);
  if (!number.base)
    return number;
  std::optional<LoopValue> base = getLoopValue(number.base);
  std::optional<CarriedNumber> carried =
      base ? getCarried(*base) : std::nullopt;
  if (!carried)
    return number;
  scf::ForOp loop = base->loop;
  bool isArgument = isa<BlockArgument>(number.base);
  // Pattern: what a loop of known length ends with -> what it starts with + ..
  if (std::optional<int64_t> count = getTripCount(loop); count && !isArgument)
    return getAfter(*carried, *count) + number.offset;
  if (auto companion = findCompanion(loop, *carried)) {
    auto [first, distance] = *companion;
    number.base = isArgument ? Value(loop.getRegionIterArg(first))
                             : Value(loop.getResult(first));
    number.offset += distance;
  }
  return number;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

NumberEdge::NumberEdge(const RegionEdge &edge) : left(edge.from) {
  for (auto [operand, input] : llvm::zip_equal(edge.operands, edge.inputs))
    if (input.getType().isIndex())
      received.push_back({input, getRingNumber(operand)});
  RegionBranchOpInterface branch = edge.op;
  auto loop = dyn_cast<scf::ForOp>(branch.getOperation());
  if (loop && !edge.to && edge.from)
    endOf = loop;
  if (!loop || !edge.to)
    return;
  Value induction = loop.getInductionVar();
  if (!induction.getType().isIndex())
    return;
  if (!edge.from)
    received.push_back({induction, getRingNumber(loop.getLowerBound())});
  else if (std::optional<int64_t> step = getConstant(loop.getStep()))
    received.push_back({induction, {induction, *step}});
}

/// What a number in the last iteration of a loop of known length is.
static std::optional<RingNumber> getLast(scf::ForOp loop, RingNumber number) {
  std::optional<int64_t> count = getTripCount(loop);
  auto argument = dyn_cast<BlockArgument>(number.base);
  if (!count || !argument || argument.getOwner() != loop.getBody())
    return std::nullopt;
  std::optional<CarriedNumber> carried = getCarried(*getLoopValue(argument));
  if (!carried)
    return std::nullopt;
  return getAfter(*carried, *count - 1) + number.offset;
}

std::optional<RingNumber>
NumberEdge::cross(RingNumber number,
                  const llvm::SetVector<Value> &bases) const {
  for (auto [input, from] : received)
    if (from.base == number.base && bases.contains(input))
      return RingNumber{input, number.offset - from.offset};
  bool isLeftBehind =
      number.base && left && left->isAncestor(number.base.getParentRegion());
  if (!isLeftBehind)
    return number;
  return endOf ? getLast(endOf, number) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Bases
//===----------------------------------------------------------------------===//

/// Calls `visit` with the number that each edge gives `value`, a result or a
/// region argument of a region branch.
static void forEachReceived(Value value, function_ref<void(RingNumber)> visit) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *owner =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  auto branch = dyn_cast_or_null<RegionBranchOpInterface>(owner);
  if (!branch)
    return;
  auto visitEdges = [&](Region *from, RegionBranchPoint point) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    for (const RegionSuccessor &to : successors) {
      NumberEdge edge(RegionEdge(branch, from, to));
      for (auto [input, number] : edge.getReceived())
        if (input == value)
          visit(number);
    }
  };
  visitEdges(nullptr, RegionBranchPoint::parent());
  for (Region &region : owner->getRegions())
    if (!region.empty())
      visitEdges(&region,
                 RegionBranchPoint(cast<RegionBranchTerminatorOpInterface>(
                     region.front().getTerminator())));
}

int64_t tile::getSlotCount(Operation *ring) {
  return cast<RingType>(ring->getResult(0).getType()).getSlots();
}

llvm::SetVector<Value> tile::getNumberBases(RingOp ring) {
  llvm::SetVector<Value> bases;
  auto add = [&](RingNumber number) {
    if (number.base)
      bases.insert(number.base);
  };
  for (Operation *use : ring.getResult().getUsers())
    for (Value operand : use->getOperands().drop_front())
      add(getRingNumber(operand));
  for (size_t i = 0; i < bases.size(); ++i)
    forEachReceived(bases[i], add);
  return bases;
}
