//===- RingConditions.cpp - Where a use of a ring is there ----------------===//

#include "RingConditions.h"

#include "tile/Analysis/LoopValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static UseCondition makeLess(LinearForm form, bool isUnsigned) {
  return {UseCondition::Less, std::move(form), isUnsigned, Value()};
}

/// Whether a form is at least 0 for `sign` 1, at most 0 for -1: of a constant and
/// of steps of loops, which are positive.
static bool isSteps(const LinearForm &form, int64_t sign) {
  auto isStep = [](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      if (user->getNumRegions() == 0 ||
          user->getRegion(0).getNumArguments() == 0)
        return false;
      auto loop = getLoopValue(user->getRegion(0).getArgument(0));
      return loop && loop->loop.getStep() == value;
    });
  };
  return form.getConstant() * sign >= 0 &&
         llvm::all_of(form.getFactors(), [&](const auto &entry) {
           return entry.second * sign > 0 && isStep(entry.first);
         });
}

static bool areComparable(const UseCondition &a, const UseCondition &b) {
  return a.kind == UseCondition::Less && b.kind == UseCondition::Less &&
         a.isUnsigned == b.isUnsigned;
}

bool tile::isImplied(const UseCondition &condition, const UseCondition &fact) {
  return condition == fact || (areComparable(condition, fact) &&
                               isSteps(condition.form - fact.form, -1));
}

bool tile::isExcluded(const UseCondition &condition, const UseCondition &fact) {
  return condition == fact || (areComparable(condition, fact) &&
                               isSteps(condition.form - fact.form, 1));
}

/// Whether another iteration of `loop` follows the one of its induction variable.
static UseCondition getExistence(scf::ForOp loop) {
  bool isUnsigned = loop.getUnsignedCmp();
  return makeLess(LinearForm(loop.getInductionVar()) -
                      LinearForm(loop.getUpperBound(), isUnsigned),
                  isUnsigned);
}

bool tile::failsInLastIteration(const UseCondition &condition,
                                scf::ForOp loop) {
  UseCondition next = getExistence(loop);
  next.form.add(LinearForm(loop.getStep(), loop.getUnsignedCmp()));
  return isExcluded(condition, next);
}

//===----------------------------------------------------------------------===//
// Conditions of the program
//===----------------------------------------------------------------------===//

/// `%a + d < %b` of `%b - %a >u d`, which does not wrap where %a < %b.
static std::optional<LinearForm> matchIsFurther(Value value) {
  auto compare = value.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ugt ||
      !compare.getLhs().getDefiningOp<arith::SubIOp>())
    return std::nullopt;
  return LinearForm(compare.getRhs(), /*isUnsigned=*/true) -
         LinearForm(compare.getLhs(), /*isUnsigned=*/true);
}

/// `%i + d < %n` of `%i < select (%n - %lower >u d), %n - d, %lower`: no iteration
/// is below the lower bound.
static std::optional<UseCondition> matchLimit(arith::CmpIOp compare) {
  auto select = compare.getRhs().getDefiningOp<arith::SelectOp>();
  std::optional<LoopValue> left = getLoopValue(compare.getLhs());
  auto further = select ? matchIsFurther(select.getCondition()) : std::nullopt;
  if (!further || !left || left->carried ||
      left->loop.getLowerBound() != select.getFalseValue())
    return std::nullopt;
  bool isUnsigned = left->loop.getUnsignedCmp();
  LinearForm lower(select.getFalseValue(), isUnsigned);
  LinearForm end(select.getTrueValue(), isUnsigned);
  // The end is computed in as many bits as the bound has.
  LinearForm difference = *further - (lower - end);
  unsigned bits = compare.getLhs().getType().isIndex()
                      ? 64
                      : compare.getLhs().getType().getIntOrFloatBitWidth();
  bool isEqual =
      difference.isConstant() &&
      APInt(64, difference.getConstant()).countTrailingZeros() >= bits;
  if (!isEqual)
    return std::nullopt;
  return makeLess(LinearForm(compare.getLhs()) - lower + *further, isUnsigned);
}

static std::optional<UseCondition> matchComparison(arith::CmpIOp compare) {
  using Predicate = arith::CmpIPredicate;
  if (auto limited = matchLimit(compare))
    return limited;
  bool isUnsigned = compare.getPredicate() >= Predicate::ult;
  LinearForm left(compare.getLhs(), isUnsigned);
  LinearForm right(compare.getRhs(), isUnsigned);
  switch (compare.getPredicate()) {
  case Predicate::slt:
  case Predicate::ult:
    return makeLess(left - right, isUnsigned);
  case Predicate::sgt:
  case Predicate::ugt:
    return makeLess(right - left, isUnsigned);
  case Predicate::sle:
  case Predicate::ule:
    return makeLess((left - right).add(-1), isUnsigned);
  case Predicate::sge:
  case Predicate::uge:
    return makeLess((right - left).add(-1), isUnsigned);
  default:
    return std::nullopt;
  }
}

/// `%lower + d < %n` of `%lower < %n && %n - %lower >u d`.
static std::optional<UseCondition> matchBoth(Value value) {
  auto both = value.getDefiningOp<arith::AndIOp>();
  auto runs = both ? both.getLhs().getDefiningOp<arith::CmpIOp>() : nullptr;
  auto further = both ? matchIsFurther(both.getRhs()) : std::nullopt;
  auto less = runs && further ? matchComparison(runs) : std::nullopt;
  if (!less || !isSteps(*further - less->form, 1))
    return std::nullopt;
  return makeLess(*further, less->isUnsigned);
}

/// Whether an iteration that `condition` asks for is that of the induction
/// variable, or one before.
static bool isOfExisting(const UseCondition &condition) {
  return llvm::any_of(condition.form.getFactors(), [&](const auto &entry) {
    std::optional<LoopValue> of = getLoopValue(entry.first);
    return of && !of->carried && isImplied(condition, getExistence(of->loop));
  });
}

UseCondition tile::getUseCondition(Value value) {
  if (matchPattern(value, m_One()))
    return {};
  auto compare = value.getDefiningOp<arith::CmpIOp>();
  std::optional<UseCondition> less =
      compare ? matchComparison(compare) : matchBoth(value);
  if (!less)
    return {UseCondition::Truth, LinearForm(), false, value};
  bool holds = less->form.isConstant() ? less->form.getConstant() < 0
                                       : isOfExisting(*less);
  return holds ? UseCondition() : *less;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

/// Whether a condition says the same in every run.
static bool isConstant(const UseCondition &condition, bool holds) {
  return condition.kind == UseCondition::Less && condition.form.isConstant() &&
         (condition.form.getConstant() < 0) == holds;
}

ConditionEdge::ConditionEdge(const RegionEdge &edge) : edge(edge) {
  for (auto [operand, input] : llvm::zip_equal(edge.operands, edge.inputs))
    if (input.getType().isIntOrIndex())
      received.emplace_back(input, LinearForm(operand));
  Operation *branch = getBranch();
  if (auto loop = dyn_cast<scf::ForOp>(branch))
    describeFor(loop);
  else if (auto loop = dyn_cast<scf::WhileOp>(branch))
    describeWhile(loop);
  else if (auto choice = dyn_cast<scf::IfOp>(branch))
    describeChoice(choice);
  never |= isConstant(held, false) || isConstant(failed, true);
}

/// Whoever comes out of one region has come in there.
void ConditionEdge::describeChoice(scf::IfOp choice) {
  UseCondition condition = getUseCondition(choice.getCondition());
  Region *taken = edge.from ? edge.from : edge.to;
  bool isThen = taken == &choice.getThenRegion();
  (isThen ? held : failed) = condition;
  never |= !isThen && !condition;
}

/// How often `loop` goes round, if that is constant: its bounds need not be.
static std::optional<int64_t> countTrips(scf::ForOp loop) {
  if (std::optional<APInt> count = loop.getStaticTripCount())
    return count->getActiveBits() < 32 ? std::optional(count->getZExtValue())
                                       : std::nullopt;
  bool isUnsigned = loop.getUnsignedCmp();
  LinearForm length = LinearForm(loop.getUpperBound(), isUnsigned) -
                      LinearForm(loop.getLowerBound(), isUnsigned);
  LinearForm step(loop.getStep(), isUnsigned);
  if (!length.isConstant() || !step.isConstant() || step.getConstant() < 1)
    return std::nullopt;
  return llvm::divideCeil(std::max<int64_t>(length.getConstant(), 0),
                          step.getConstant());
}

/// The condition to go on is asked in front of the loop and behind each
/// iteration, of the next one.
void ConditionEdge::describeFor(scf::ForOp loop) {
  bool isUnsigned = loop.getUnsignedCmp();
  LinearForm next(loop.getLowerBound(), isUnsigned);
  if (edge.from)
    next = LinearForm(loop.getInductionVar()) +
           LinearForm(loop.getStep(), isUnsigned);
  UseCondition existence = getExistence(loop), before = existence;
  before.form = existence.form.substitute(loop.getInductionVar(), next);
  (edge.to ? held : failed) = before;
  trips = countTrips(loop);
  if (!edge.to)
    return;
  received.emplace_back(loop.getInductionVar(), next);
  if (LinearForm step(loop.getStep(), isUnsigned); step.isConstant())
    growth = step.getConstant();
  head = existence;
  headBefore = before;
}

/// The condition is asked at the end of the first region.
void ConditionEdge::describeWhile(scf::WhileOp loop) {
  UseCondition goesOn = getUseCondition(loop.getConditionOp().getCondition());
  if (edge.from == &loop.getBefore())
    (edge.to ? held : failed) = goesOn;
  if (edge.to != &loop.getBefore() || goesOn.kind != UseCondition::Less)
    return;
  head = goesOn;
  headBefore = substituteBack(goesOn);
}

/// All values at once: what one is at the start may be another at the end.
UseCondition ConditionEdge::substituteBack(UseCondition condition) const {
  LinearForm form = condition.form;
  for (const auto &[input, before] : received)
    if (int64_t factor = condition.form.getFactor(input))
      form.add(LinearForm(input), -factor).add(before, factor);
  condition.form = form;
  return condition;
}

std::optional<bool> ConditionEdge::evaluate(const UseCondition &condition,
                                            int64_t rounds) const {
  if (!areComparable(condition, head) ||
      !(condition.form - head.form).isConstant() || (rounds > 0 && !growth))
    return std::nullopt;
  LinearForm first = substituteBack(condition).form;
  if (!first.isConstant())
    return std::nullopt;
  return first.getConstant() + rounds * growth.value_or(0) < 0;
}

UseCondition ConditionEdge::getFirstRound() const {
  LinearForm first = substituteBack(head).form;
  if (!growth || !first.isConstant())
    return {};
  return makeLess(head.form - first - LinearForm(*growth), head.isUnsigned);
}

/// Whether `value` means nothing behind an edge.
static bool isLeftBehind(const RegionEdge &edge, Value value) {
  return edge.from && edge.from->isAncestor(value.getParentRegion());
}

/// Whether `form` is how far a condition is ahead of another.
static bool isDistance(const LinearForm &form) {
  return isSteps(form, 1) || isSteps(form, -1) || form.isConstant();
}

/// Whether control leaves a value behind of which `form` speaks.
static bool speaksOfLeft(const RegionEdge &edge, const LinearForm &form) {
  return llvm::any_of(form.getFactors(), [&](const auto &entry) {
    return isLeftBehind(edge, entry.first);
  });
}

std::optional<UseCondition>
ConditionEdge::crossTruth(UseCondition condition) const {
  for (auto [operand, input] : llvm::zip_equal(edge.operands, edge.inputs))
    if (operand == condition.value) {
      condition.value = input;
      return condition;
    }
  if (isLeftBehind(edge, condition.value))
    return std::nullopt;
  return condition;
}

std::optional<UseCondition> ConditionEdge::cross(UseCondition condition,
                                                 bool entersLoop) const {
  if (condition.kind == UseCondition::Truth)
    return crossTruth(std::move(condition));
  if (areComparable(condition, headBefore) && (edge.from || entersLoop)) {
    LinearForm distance = condition.form - headBefore.form;
    if (isDistance(distance) && !speaksOfLeft(edge, distance)) {
      condition.form = head.form + distance;
      return condition;
    }
  }
  LinearForm kept = condition.form, renamed;
  for (const auto &[input, before] : received) {
    Value from = (before - LinearForm(before.getConstant())).getOnlyValue();
    int64_t factor =
        from && isLeftBehind(edge, from) ? kept.getFactor(from) : 0;
    kept = factor ? kept.substitute(from, LinearForm()) : kept;
    renamed.add(LinearForm(input), factor).add(before.getConstant(), -factor);
  }
  if (speaksOfLeft(edge, kept))
    return std::nullopt;
  condition.form = kept + renamed;
  return condition;
}
