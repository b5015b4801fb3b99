//===- RowRuns.cpp - Rows that follow each other --------------------------===//
//
// Each value of the iteration either stays or steps by one over a number of
// iterations, a power of two. What steps may besides be aligned: the number of a
// group's first iteration is a multiple of the group. Then a quotient stays in a
// group, and a remainder steps:
//
//                     steps      aligned         of 128 iterations, %first = 128 * i
//     j               128        128
//     p = %first + j  128        128             it is known what divides %first
//     p / 32          stays 32
//     p % 32          32         32
//     load [p / 32]   stays 32
//
// Powers of two divide whatever wraps, so that no bounds are asked for where
// numbers are without a sign.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/RowRuns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Limits that count: sums of them are far from wrapping.
constexpr int64_t largest = int64_t(1) << 48;

/// How a value goes over the iterations.
struct Walk {
  int64_t run = 1;    ///< iterations of a group
  bool steps = false; ///< by one each, or stays
  /// Iterations of a group whose first has a multiple of that; of what steps.
  int64_t aligned = 1;
  /// What all of it is below, and none is negative; 0 where that is not known.
  int64_t limit = 0;
};

class RunFinder {
public:
  RunFinder(IndexFacts &facts, ParallelOp op)
      : facts(facts), op(op),
        all(getPowerOfTwo(static_cast<uint64_t>(op.getShape().front()))) {}

  Walk getWalk(Value value);

private:
  /// The largest power of two that divides `number`; for 0 a large one.
  static int64_t getPowerOfTwo(uint64_t number) {
    return number == 0 ? int64_t(1) << 32 : int64_t(number & -number);
  }
  /// `limit`, where numbers below it are numbers of `type`.
  static int64_t getLimit(int64_t limit, Type type) {
    unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    return limit <= largest && (bits > 32 || limit <= int64_t(1) << (bits - 1))
               ? limit
               : 0;
  }
  Walk computeWalk(Value value);
  Walk getComputed(Operation *made);
  Walk getSum(Value a, Value b, bool isDifference);
  Walk getQuotient(Value dividend, uint64_t divisor, bool isRemainder);
  Walk getSame(Operation *made);
  Walk divide(Operation *made, bool isRemainder, bool isSigned);

  IndexFacts &facts;
  ParallelOp op;
  int64_t all;
  llvm::DenseMap<Value, Walk> walks;
};
} // namespace

/// What adds two values that go over iterations; only one may step.
Walk RunFinder::getSum(Value left, Value right, bool isDifference) {
  Walk a = getWalk(left), b = getWalk(right);
  if (b.steps && !isDifference) {
    std::swap(left, right);
    std::swap(a, b);
  }
  if (b.steps)
    return {};
  Walk sum{std::gcd(a.run, b.run), a.steps};
  if (!a.steps)
    return sum;
  int64_t divisor = getPowerOfTwo(std::abs(facts.getDivisor(right)));
  sum.aligned = std::min({a.aligned, sum.run, divisor});
  if (!isDifference && a.limit != 0 && b.limit != 0)
    sum.limit = getLimit(a.limit + b.limit - 1, left.getType());
  return sum;
}

/// What divides by a constant, towards zero or down, which is the same of what
/// is not negative.
Walk RunFinder::getQuotient(Value dividend, uint64_t divisor,
                            bool isRemainder) {
  Walk walk = getWalk(dividend);
  int64_t group = std::min(walk.aligned, getPowerOfTwo(divisor));
  if (!walk.steps || group <= 1)
    return walk.steps ? Walk() : Walk{walk.run};
  return isRemainder
             ? Walk{group, true, group, getLimit(divisor, dividend.getType())}
             : Walk{group};
}

Walk RunFinder::divide(Operation *made, bool isRemainder, bool isSigned) {
  APInt divisor;
  Value dividend = made->getOperand(0);
  if (!matchPattern(made->getOperand(1), m_ConstantInt(&divisor)) ||
      !divisor.isStrictlyPositive() ||
      (isSigned && getWalk(dividend).limit == 0))
    return getSame(made);
  return getQuotient(dividend, divisor.getZExtValue(), isRemainder);
}

/// What any operation makes of values that stay.
Walk RunFinder::getSame(Operation *made) {
  Walk same{all};
  for (Value operand : made->getOperands()) {
    Walk walk = getWalk(operand);
    if (walk.steps)
      return {};
    same.run = std::min(same.run, walk.run);
  }
  return same;
}

Walk RunFinder::getComputed(Operation *made) {
  auto getConstant = [&](APInt &constant) {
    return matchPattern(made->getOperand(1), m_ConstantInt(&constant));
  };
  APInt constant;
  return llvm::TypeSwitch<Operation *, Walk>(made)
      .Case([&](arith::AddIOp add) {
        return getSum(add.getLhs(), add.getRhs(), /*isDifference=*/false);
      })
      .Case([&](arith::SubIOp difference) {
        return getSum(difference.getLhs(), difference.getRhs(),
                      /*isDifference=*/true);
      })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
          [&](auto cast) {
            Walk walk = getWalk(cast.getIn());
            return walk.steps && getLimit(walk.limit, cast.getType()) != 0
                       ? walk
                       : getSame(made);
          })
      .Case<arith::DivUIOp>([&](auto) {
        return divide(made, /*isRemainder=*/false, /*isSigned=*/false);
      })
      .Case<arith::RemUIOp>([&](auto) {
        return divide(made, /*isRemainder=*/true, /*isSigned=*/false);
      })
      .Case<arith::FloorDivSIOp>([&](auto) {
        return divide(made, /*isRemainder=*/false, /*isSigned=*/false);
      })
      .Case<arith::DivSIOp>([&](auto) {
        return divide(made, /*isRemainder=*/false, /*isSigned=*/true);
      })
      .Case<arith::RemSIOp>([&](auto) {
        return divide(made, /*isRemainder=*/true, /*isSigned=*/true);
      })
      .Case([&](arith::ShRUIOp shift) {
        return getConstant(constant) && constant.ult(32)
                   ? getQuotient(shift.getLhs(),
                                 uint64_t(1) << constant.getZExtValue(), false)
                   : getSame(made);
      })
      .Case([&](arith::AndIOp mask) {
        return getConstant(constant) && constant.isMask() &&
                       constant.isStrictlyPositive()
                   ? getQuotient(mask.getLhs(), constant.getZExtValue() + 1,
                                 true)
                   : getSame(made);
      })
      .Default([&](Operation *) { return getSame(made); });
}

Walk RunFinder::computeWalk(Value value) {
  if (value == op.getInductionVars().front())
    return {all, true, all, op.getShape().front()};
  bool isOutside = !op.getBody().isAncestor(value.getParentRegion());
  Walk walk = isOutside ? Walk{all} : getComputed(value.getDefiningOp());
  if (!walk.steps && value.getType().isSignlessIntOrIndex()) {
    std::optional<int64_t> low = facts.getLowerBound(value);
    std::optional<int64_t> high = facts.getUpperBound(value);
    if (low && high && *low >= 0 && *high < largest)
      walk.limit = *high + 1;
  }
  return walk;
}

Walk RunFinder::getWalk(Value value) {
  auto known = walks.find(value);
  return known != walks.end() ? known->second
                              : walks[value] = computeWalk(value);
}

/// Whether `made` can be computed for one iteration alone, wherever the whole
/// stands: it reads scalars and memory.
static bool isAlone(Operation &made) {
  auto isOfScalars = [](Type type) { return !isa<TensorType>(type); };
  return made.getNumRegions() == 0 &&
         (isMemoryEffectFree(&made) ||
          hasSingleEffect<MemoryEffects::Read>(&made)) &&
         llvm::all_of(made.getOperandTypes(), isOfScalars);
}

/// Whether numbers of this type wrap to where no row is: no tensor that the copy
/// engine knows has 2^31.
static bool isWide(Type type) {
  return type.isIndex() || type.getIntOrFloatBitWidth() >= 32;
}

/// The `tile.parallel` of one dimension that computes `rows`.
static ParallelOp getIterations(Value rows) {
  auto op = rows.getDefiningOp<ParallelOp>();
  return op && op.getShape().size() == 1 ? op : ParallelOp();
}

static Value getYielded(Value rows) {
  return getIterations(rows).getYield()->getOperand(
      cast<OpResult>(rows).getResultNumber());
}

int64_t tile::getRowRun(IndexFacts &facts, Value rows) {
  ParallelOp op = getIterations(rows);
  if (!op || !llvm::all_of(op.getBody().front().without_terminator(), isAlone))
    return 1;
  Value row = getYielded(rows);
  // The numbers of rows have a sign, as what widens them last takes them.
  Operation *last = row.getDefiningOp();
  if (last && op.getBody().isAncestor(row.getParentRegion()))
    row = llvm::TypeSwitch<Operation *, Value>(last)
              .Case<arith::IndexCastOp, arith::ExtSIOp>(
                  [](auto cast) { return cast.getIn(); })
              .Default(row);
  if (!isWide(row.getType()) || !isWide(getYielded(rows).getType()))
    return 1;
  Walk walk = RunFinder(facts, op).getWalk(row);
  return walk.steps ? walk.run : 1;
}

Value tile::computeRow(OpBuilder &builder, Value rows, int64_t index) {
  ParallelOp op = getIterations(rows);
  IRMapping mapping;
  mapping.map(op.getInductionVars().front(),
              arith::ConstantIndexOp::create(builder, op.getLoc(), index));
  for (Operation &made : op.getBody().front().without_terminator())
    builder.clone(made, mapping);
  return mapping.lookupOrDefault(getYielded(rows));
}
