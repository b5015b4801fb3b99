//===- ClusterFacts.cpp - What blocks of a cluster have in common ---------===//
//
// What regions hand on (carried values, results) is taken to be the same until
// something that is handed over is not; so the answer for a loop is the largest
// that holds for every iteration.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ClusterFacts.h"

#include "tile/Analysis/OperationTable.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/StructuredDataflow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace mlir::tile;

SmallVector<int64_t> tile::getClusterShape(LaunchOp launch) {
  SmallVector<int64_t> shape(launch.getGrid().size(), 1);
  if (std::optional<ArrayRef<int64_t>> cluster = launch.getCluster())
    llvm::copy(*cluster, shape.begin());
  return shape;
}

ClusterFacts::ClusterFacts(LaunchOp launch)
    : launch(launch), facts(launch), shape(getClusterShape(launch)),
      blockCount(llvm::product_of(shape)) {}

ClusterValue ClusterFacts::meet(const ClusterValue &a, const ClusterValue &b) {
  std::map<std::pair<int64_t, int64_t>, int64_t> labels;
  ClusterValue both;
  for (auto [first, second] : llvm::zip_equal(a.offsets, b.offsets))
    both.offsets.push_back(
        labels.try_emplace({first, second}, labels.size()).first->second);
  return both;
}

/// A value that is the same in all blocks.
ClusterValue ClusterFacts::getSame(Value value) {
  int64_t divisor =
      value && value.getType().isIntOrIndex() ? facts.getDivisor(value) : 1;
  return {SmallVector<int64_t>(blockCount, 0), /*isSum=*/true, divisor};
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

using SumRules = OperationTable<std::optional<ClusterValue>(
    const ClusterValue &, const ClusterValue &, std::optional<int64_t>)>;
using Constant = std::optional<int64_t>;

static std::optional<ClusterValue>
addSums(const ClusterValue &a, const ClusterValue &b, Constant, arith::AddIOp) {
  ClusterValue sum = a;
  for (auto [own, other] : llvm::zip_equal(sum.offsets, b.offsets))
    own += other;
  sum.divisor = std::gcd(a.divisor, b.divisor);
  return sum;
}

static std::optional<ClusterValue> scaleSum(const ClusterValue &a,
                                            const ClusterValue &,
                                            Constant factor, arith::MulIOp) {
  ClusterValue product = a;
  if (!factor || llvm::MulOverflow(a.divisor, *factor, product.divisor))
    return std::nullopt;
  for (int64_t &offset : product.offsets)
    offset *= *factor;
  product.divisor = std::abs(product.divisor);
  return product;
}

/// (common + offset) / factor, all of them no less than zero: what is left of the
/// offset beyond multiples of a divisor of both cannot reach the next multiple of
/// the factor.
static std::optional<ClusterValue> divideSum(const ClusterValue &a,
                                             const ClusterValue &,
                                             Constant factor, Operation *) {
  if (!factor || *factor <= 0)
    return std::nullopt;
  int64_t divisor = std::gcd(a.divisor, *factor);
  ClusterValue quotient = a;
  for (int64_t &offset : quotient.offsets)
    offset /= divisor;
  quotient.isSum = a.divisor % *factor == 0;
  quotient.divisor = quotient.isSum ? a.divisor / *factor : 1;
  return quotient;
}

/// (common + offset) mod factor = common mod factor + offset, where the offset is
/// below a divisor of both.
static std::optional<ClusterValue> reduceSum(const ClusterValue &a,
                                             const ClusterValue &,
                                             Constant factor, Operation *) {
  if (!factor || *factor <= 0)
    return std::nullopt;
  int64_t divisor = std::gcd(a.divisor, *factor);
  bool isMultiple = a.divisor % *factor == 0;
  ClusterValue rest = a;
  for (int64_t &offset : rest.offsets) {
    if (isMultiple)
      offset %= *factor;
    else if (offset >= divisor)
      return std::nullopt;
  }
  rest.divisor = isMultiple ? 0 : divisor;
  return rest;
}

static const SumRules &getSumRules() {
  static const SumRules rules = [] {
    SumRules table;
    table.add(addSums);
    table.add(scaleSum);
    table.addAll<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
        divideSum);
    table.addAll<arith::RemUIOp, arith::RemSIOp>(reduceSum);
    return table;
  }();
  return rules;
}

/// Whether `value` is a number of few enough bits that nothing above wraps.
static bool isSmall(IndexFacts &facts, Value value) {
  constexpr int64_t most = int64_t(1) << 48;
  std::optional<int64_t> low = facts.getLowerBound(value),
                         high = facts.getUpperBound(value);
  return low && high && *low >= 0 && *high <= most;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A value that the operation `op` itself computes.
ClusterValue ClusterFacts::computeMade(Value value) {
  Operation *op = value.getDefiningOp();
  ClusterValue result = getSame({});
  bool areSums = op->getNumOperands() == 2;
  SmallVector<ClusterValue> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(compute(operand));
    result = meet(result, operands.back());
    areSums &= operands.back().isSum && isSmall(facts, operand);
  }
  const SumRules::Rule *rule = getSumRules().find(op);
  if (rule && areSums && !result.isSame() && isSmall(facts, value))
    if (auto sum = (*rule)(operands[0], operands[1],
                           getConstantIntValue(op->getOperand(1)), op))
      result = *sum;
  return result.isSame() ? getSame(value) : result;
}

/// What decides where control goes in `branch`: operands of it and of its
/// terminators that are not handed over.
ClusterValue ClusterFacts::computeChoice(RegionBranchOpInterface branch) {
  RegionBranchSuccessorMapping handedOver;
  branch.getSuccessorOperandInputMapping(handedOver);
  ClusterValue result = getSame({});
  auto add = [&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (!handedOver.contains(&operand))
        result = meet(result, compute(operand.get()));
  };
  add(branch);
  for (Region &region : branch->getRegions())
    if (!region.empty())
      add(region.front().getTerminator());
  return result;
}

/// An argument or a result of an operation with regions. Blocks in step are in the
/// same iteration; how many there are decides over results only.
ClusterValue ClusterFacts::computeForwarded(Value value) {
  Operation *owner = value.getDefiningOp();
  if (owner) {
    ClusterValue result = computeChoice(cast<RegionBranchOpInterface>(owner));
    for (Value operand : getHandedOver(value))
      result = meet(result, compute(operand));
    return result;
  }
  owner = value.getParentBlock()->getParentOp();
  SmallVector<Value> sources = getHandedOver(value);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(owner); loop && sources.empty())
    for (auto bounds : {loop.getLoopLowerBounds(), loop.getLoopSteps()})
      if (bounds)
        llvm::append_range(sources,
                           llvm::map_range(*bounds, [](OpFoldResult bound) {
                             return cast<Value>(bound);
                           }));
  ClusterValue result = getSame({});
  for (Value source : sources)
    result = meet(result, compute(source));
  return result;
}

ClusterValue ClusterFacts::compute(Value value) {
  Region *region = value.getParentRegion();
  if (!launch.getBody().isAncestor(region))
    return getSame(value);
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && region == &launch.getBody()) {
    ClusterValue coordinate{{}, /*isSum=*/true, shape[argument.getArgNumber()]};
    int64_t stride = 1;
    for (int64_t extent : ArrayRef(shape).take_front(argument.getArgNumber()))
      stride *= extent;
    for (int64_t rank = 0; rank < blockCount; ++rank)
      coordinate.offsets.push_back(rank / stride % coordinate.divisor);
    return coordinate.isSame() ? getSame(value) : coordinate;
  }
  Operation *owner = argument ? region->getParentOp() : value.getDefiningOp();
  if (auto branch = dyn_cast<RegionBranchOpInterface>(owner)) {
    ClusterValue &entry =
        forwarded.try_emplace(value, ClusterValue()).first->second;
    return entry.offsets.empty() || entry.isSame() ? getSame({}) : entry;
  }
  auto [entry, isNew] = known.try_emplace(value);
  if (!isNew && !entry->second.offsets.empty())
    return entry->second;
  ClusterValue result;
  if (owner->getNumRegions() == 0 && !argument)
    result = computeMade(value);
  else
    result.offsets = llvm::to_vector(llvm::seq<int64_t>(0, blockCount));
  return known[value] = result;
}

/// Looks again at what regions hand on; returns whether less is the same.
bool ClusterFacts::refine() {
  bool isFiner = false;
  for (size_t i = 0; i < forwarded.size(); ++i) {
    Value value = forwarded.begin()[i].first;
    ClusterValue result = computeForwarded(value);
    ClusterValue &entry = forwarded[value];
    if (!entry.offsets.empty())
      result = meet(entry, result);
    isFiner |= entry.offsets != result.offsets;
    entry = result;
  }
  known.clear();
  return isFiner;
}

ClusterValue ClusterFacts::get(Value value) {
  ClusterValue result = compute(value);
  while (refine())
    result = compute(value);
  return result;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

ClusterValue ClusterFacts::computeControl(Operation *op) {
  ClusterValue result = getSame({});
  for (op = op->getParentOp(); op != launch; op = op->getParentOp())
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      result = meet(result, computeChoice(branch));
  return result;
}

ClusterValue ClusterFacts::getControl(Operation *op) {
  ClusterValue result = computeControl(op);
  while (refine())
    result = computeControl(op);
  return result;
}

ClusterValue ClusterFacts::getRingControl(RingOp ring) {
  ClusterValue result = getSame({});
  for (Operation *user : ring->getUsers()) {
    std::optional<RingUseKind> kind = getRingUseKind(user);
    if (kind != RingUseKind::Acquire && kind != RingUseKind::Commit)
      continue;
    for (Value operand : user->getOperands().drop_front())
      result = meet(result, get(operand));
    result = meet(result, getControl(user));
  }
  return result;
}

ClusterValue ClusterFacts::getPlace(Operation *load) {
  ClusterValue result = getSame({});
  for (Value operand : load->getOperands())
    result = meet(result, get(operand));
  return result;
}
