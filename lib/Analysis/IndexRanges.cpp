//===- IndexRanges.cpp - In which range an index value lies ---------------===//
//
// The arithmetic is upstream's: operations say by InferIntRangeInterface what
// follows for their results, wrapping included. What is added here are the
// sources (launches, loops, parameters) and what the language leaves open.
//
// Upstream's IntegerRangeAnalysis is a dataflow analysis of a whole function,
// solved anew whenever the IR changes; passes ask about a handful of values
// while they rewrite, hence an analysis on demand. Values that a loop carries
// are taken to be anything.
//
// Only signed bounds are kept: what is unsigned and does not cross the sign
// follows from them, and one interval can be stated on a kernel's parameter.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/IndexFacts.h"
#include "tile/Analysis/OperationTable.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/SpanCopies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

static ConstantIntRanges getFullRange(Type type) {
  return ConstantIntRanges::maxRange(
      ConstantIntRanges::getStorageBitwidth(type));
}

/// The same numbers by signed bounds alone. A range without numbers, in code
/// that never runs, becomes the full one.
static ConstantIntRanges toSigned(const ConstantIntRanges &range) {
  APInt low = range.smin(), high = range.smax();
  if (range.umin().isNegative() == range.umax().isNegative()) {
    low = llvm::APIntOps::smax(low, range.umin());
    high = llvm::APIntOps::smin(high, range.umax());
  }
  if (low.sgt(high))
    return ConstantIntRanges::maxRange(low.getBitWidth());
  return ConstantIntRanges::fromSigned(low, high);
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// The coordinates in a grid or box of at most `extent`; the extents that a launch
/// can have are positive 32-bit numbers.
static ConstantIntRanges getCoordinateRange(const APInt &extent) {
  APInt largest(extent.getBitWidth(), INT32_MAX);
  APInt end = llvm::APIntOps::smin(extent, largest);
  APInt zero = APInt::getZero(extent.getBitWidth());
  if (!end.isStrictlyPositive())
    return ConstantIntRanges::constant(zero);
  return ConstantIntRanges::fromSigned(zero, end - 1);
}

/// The last number that a loop reaches by steps of at most `step` from at most
/// `start`: a loop that ran 2^48 times would run for days. So a loop over a
/// dynamic size does not come near the end of 64 bits.
static APInt getReach(const APInt &start, const APInt &step, bool isUnsigned) {
  constexpr unsigned iterationBits = 48;
  unsigned width = start.getBitWidth(), wide = 2 * width + iterationBits;
  APInt largest =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  auto widen = [&](const APInt &value) {
    return isUnsigned ? value.zext(wide) : value.sext(wide);
  };
  APInt reach = widen(start) + widen(step).shl(iterationBits);
  return llvm::APIntOps::smin(reach, widen(largest)).trunc(width);
}

/// The values of an induction variable: from the lower bound to the last step
/// before the upper one. The loop's own increment never wraps.
static ConstantIntRanges getInductionRange(IndexFacts &facts, scf::ForOp loop) {
  bool isUnsigned = loop.getUnsignedCmp();
  ConstantIntRanges lower = facts.getRange(loop.getLowerBound());
  ConstantIntRanges upper = facts.getRange(loop.getUpperBound());
  APInt first = isUnsigned ? lower.umin() : lower.smin();
  APInt end = isUnsigned ? upper.umax() : upper.smax();
  if (isUnsigned ? first.uge(end) : first.sge(end))
    return getFullRange(loop.getInductionVar().getType());
  APInt last = end - 1;
  ConstantIntRanges steps = facts.getRange(loop.getStep());
  APInt reach = isUnsigned ? getReach(lower.umax(), steps.umax(), true)
                           : getReach(lower.smax(), steps.smax(), false);
  last = isUnsigned ? llvm::APIntOps::umin(last, reach)
                    : llvm::APIntOps::smin(last, reach);
  std::optional<APInt> step = steps.getConstantValue();
  if (lower.getConstantValue() && step && !step->isZero() &&
      (isUnsigned || step->isStrictlyPositive()))
    last = first + (last - first).udiv(*step) * *step;
  return isUnsigned ? ConstantIntRanges::fromUnsigned(first, last)
                    : ConstantIntRanges::fromSigned(first, last);
}

/// What a kernel states of its scalar parameter.
static ConstantIntRanges getParameterRange(BlockArgument argument) {
  ConstantIntRanges full = getFullRange(argument.getType());
  auto function = cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  auto facts = function.getArgAttrOfType<ScalarFactsAttr>(
      argument.getArgNumber(),
      TileDialect::ScalarFactsAttrHelper::getNameStr());
  if (!facts || !argument.getOwner()->isEntryBlock())
    return full;
  unsigned width = full.smin().getBitWidth();
  auto clamp = [&](int64_t bound) {
    APInt wide(64, bound, /*isSigned=*/true);
    APInt low = full.smin().sext(64), high = full.smax().sext(64);
    return llvm::APIntOps::smin(llvm::APIntOps::smax(wide, low), high)
        .trunc(width);
  };
  return ConstantIntRanges::fromSigned(clamp(facts.getMin()),
                                       clamp(facts.getMax()));
}

//===----------------------------------------------------------------------===//
// What the language leaves open
//===----------------------------------------------------------------------===//

static bool canBe(const ConstantIntRanges &range, int64_t number) {
  APInt value(range.smin().getBitWidth(), number, /*isSigned=*/true);
  return range.smin().sle(value) && range.smax().sge(value);
}

static bool mayShiftTooFar(ArrayRef<IntegerValueRange> operands, Operation *) {
  APInt amount = operands[1].getValue().umax();
  return amount.uge(amount.getBitWidth());
}

static bool mayDivideByZero(ArrayRef<IntegerValueRange> operands, Operation *) {
  return canBe(operands[1].getValue(), 0);
}

/// By zero, or the smallest integer by -1.
static bool mayDivideWrongly(ArrayRef<IntegerValueRange> operands,
                             Operation *) {
  return canBe(operands[1].getValue(), 0) ||
         (operands[0].getValue().smin().isMinSignedValue() &&
          canBe(operands[1].getValue(), -1));
}

using OpennessRules = OperationTable<bool(ArrayRef<IntegerValueRange>)>;

/// Whether the result is open for some of these operands; never where there is
/// no rule.
static const OpennessRules &getOpennessRules() {
  static const OpennessRules rules = [] {
    OpennessRules table;
    table.addAll<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(mayShiftTooFar);
    table.addAll<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp>(
        mayDivideByZero);
    table.addAll<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
                 arith::RemSIOp>(mayDivideWrongly);
    return table;
  }();
  return rules;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static ConstantIntRanges getAssumedRange(IndexFacts &facts,
                                         AssumeDivisibleOp op) {
  return facts.getRange(op.getValue());
}

/// Whether a tensor map describes `memref` in the launch that facts are of.
static bool isCopiedInBulk(Value memref, LaunchOp launch) {
  return launch && llvm::any_of(memref.getUsers(), [&](Operation *user) {
           TensorCopyOpInterface copy = getBulkCopy(user);
           return copy && needsTensorMap(copy) &&
                  launch->isProperAncestor(copy) &&
                  (copy.getSource() == memref || copy.getDest() == memref);
         });
}

/// A launch whose tensor map would describe 2^31 elements along a dimension is
/// refused (docs/KernelABI.md, "Tensor maps").
static ConstantIntRanges getSizeRange(IndexFacts &facts, memref::DimOp op) {
  APInt largest = getFullRange(op.getType()).smax();
  if (isCopiedInBulk(op.getSource(), facts.getLaunch()))
    largest = APInt(largest.getBitWidth(), INT32_MAX);
  return ConstantIntRanges::fromSigned(APInt::getZero(largest.getBitWidth()),
                                       largest);
}

static ConstantIntRanges getBlockRange(IndexFacts &, gpu::BlockIdOp op) {
  APInt largest = getFullRange(op.getType()).smax();
  std::optional<APInt> bound = op.getUpperBound();
  return getCoordinateRange(bound ? bound->sextOrTrunc(largest.getBitWidth())
                                  : largest);
}

/// A device has some hundred at most.
static ConstantIntRanges getMultiprocessorRange(IndexFacts &, SmCountOp op) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(op.getType());
  return ConstantIntRanges::fromSigned(APInt(width, 1),
                                       APInt(width, INT16_MAX));
}

using RangeRules = OperationTable<ConstantIntRanges(IndexFacts &)>;

/// The sources among operations; `arith` says of itself what follows.
static const RangeRules &getRangeRules() {
  static const RangeRules rules = [] {
    RangeRules table;
    table.add(getAssumedRange);
    table.add(getSizeRange);
    table.add(getBlockRange);
    table.add(getMultiprocessorRange);
    return table;
  }();
  return rules;
}

static ConstantIntRanges getResultRange(IndexFacts &facts, OpResult result) {
  Operation *op = result.getOwner();
  if (const RangeRules::Rule *rule = getRangeRules().find(op))
    return (*rule)(facts, op);
  ConstantIntRanges range = getFullRange(result.getType());
  auto inferable = dyn_cast<InferIntRangeInterface>(op);
  if (!inferable || !isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    return range;
  SmallVector<IntegerValueRange> operands;
  for (Value operand : op->getOperands()) {
    if (!operand.getType().isIntOrIndex())
      return range;
    operands.push_back(facts.getRange(operand));
  }
  const OpennessRules::Rule *isOpen = getOpennessRules().find(op);
  if (isOpen && (*isOpen)(operands, op))
    return range;
  inferable.inferResultRangesFromOptional(
      operands, [&](Value value, const IntegerValueRange &inferred) {
        if (value == result && !inferred.isUninitialized())
          range = inferred.getValue();
      });
  return range;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

ConstantIntRanges IndexFacts::computeRange(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return ConstantIntRanges::constant(constant);
  if (auto result = dyn_cast<OpResult>(value))
    return getResultRange(*this, result);
  auto argument = cast<BlockArgument>(value);
  scf::ForOp loop = scf::getForInductionVarOwner(argument);
  if (loop && argument == loop.getInductionVar())
    return getInductionRange(*this, loop);
  using Ranges = ConstantIntRanges;
  unsigned number = argument.getArgNumber();
  return llvm::TypeSwitch<Operation *, Ranges>(
             argument.getOwner()->getParentOp())
      .Case([&](LaunchOp launch) {
        return getCoordinateRange(getRange(launch.getGrid()[number]).smax());
      })
      .Case([&](ParallelOp parallel) {
        unsigned width = Ranges::getStorageBitwidth(value.getType());
        return getCoordinateRange(APInt(width, parallel.getShape()[number]));
      })
      .Case([&](FunctionOpInterface) { return getParameterRange(argument); })
      .Default([&](Operation *) { return getFullRange(value.getType()); });
}

ConstantIntRanges IndexFacts::getRange(Value value) {
  if (auto known = ranges.find(value); known != ranges.end())
    return known->second;
  ConstantIntRanges range = toSigned(computeRange(value));
  ranges.try_emplace(value, range);
  return range;
}

std::optional<int64_t> IndexFacts::getUpperBound(Value value) {
  APInt bound = getRange(value).smax();
  if (bound.isMaxSignedValue())
    return std::nullopt;
  return bound.getSExtValue();
}

std::optional<int64_t> IndexFacts::getLowerBound(Value value) {
  APInt bound = getRange(value).smin();
  if (bound.isMinSignedValue())
    return std::nullopt;
  return bound.getSExtValue();
}
