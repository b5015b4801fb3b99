//===- ArithIntegerRules.cpp - arith on integers and indices -------------===//
//
// Integers are held sign-extended; each result is cut to its width again.
// Division by zero, its overflow, shifts beyond the width and what an operation's
// flags exclude give an unspecified value (Language.md, "Aliasing and order"):
// poison, which holds zero or the wrapped result.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "llvm/ADT/TypeSwitch.h"

#include <bit>

using namespace mlir;
using namespace mlir::tile::reference;

namespace {

/// Why operands give no value; empty where they do.
using OpenCase =
    llvm::function_ref<StringRef(int64_t a, int64_t b, unsigned bits)>;

/// Makes the elements poison whose operands `getCause` names. What lanes
/// compute that are not active concerns nobody.
void addOpenCases(Machine &machine, Operation *op, OpenCase getCause) {
  const Array &a = machine.getArray(op->getOperand(0));
  const Array &b = machine.getArray(op->getOperands().back());
  int64_t count = machine.getArray(op->getResult(0)).count;
  unsigned bits = a.type.bits;
  std::optional<Array> result;
  for (int64_t i = 0; i < count; ++i) {
    if (machine.isInParallel() && count > 1 && !machine.isActive(i))
      continue;
    StringRef cause = getCause(a.integers[a.count == 1 ? 0 : i],
                               b.integers[b.count == 1 ? 0 : i], bits);
    if (cause.empty())
      continue;
    if (!result)
      result = machine.getArray(op->getResult(0));
    if (!result->origin.op)
      result->origin = {op, /*isInFlight=*/false, cause};
    result->setPoison(i);
  }
  if (result)
    machine.set(op->getResult(0), std::move(*result));
}

/// Which of an operation's flags these operands break; empty where none.
StringRef getBrokenFlag(Operation *op, const APInt &a, const APInt &b) {
  using Flags = arith::IntegerOverflowFlags;
  bool isSignedOverflow = false, isUnsignedOverflow = false, isInexact = false;
  auto flags =
      llvm::TypeSwitch<Operation *, Flags>(op)
          .Case([&](arith::AddIOp add) {
            (void)a.sadd_ov(b, isSignedOverflow);
            (void)a.uadd_ov(b, isUnsignedOverflow);
            return add.getOverflowFlags();
          })
          .Case([&](arith::SubIOp sub) {
            (void)a.ssub_ov(b, isSignedOverflow);
            (void)a.usub_ov(b, isUnsignedOverflow);
            return sub.getOverflowFlags();
          })
          .Case([&](arith::MulIOp mul) {
            (void)a.smul_ov(b, isSignedOverflow);
            (void)a.umul_ov(b, isUnsignedOverflow);
            return mul.getOverflowFlags();
          })
          .Case([&](arith::ShLIOp shift) {
            (void)a.sshl_ov(b, isSignedOverflow);
            (void)a.ushl_ov(b, isUnsignedOverflow);
            return shift.getOverflowFlags();
          })
          .Case([&](arith::TruncIOp cut) {
            unsigned bits = getResultType(cut).bits;
            isSignedOverflow = !a.isSignedIntN(bits);
            isUnsignedOverflow = !a.isIntN(bits);
            return cut.getOverflowFlags();
          })
          .Case([&](arith::DivSIOp division) {
            isInexact = division.getIsExact() && !b.isZero() && a.srem(b) != 0;
            return Flags::none;
          })
          .Case([&](arith::DivUIOp division) {
            isInexact = division.getIsExact() && !b.isZero() && a.urem(b) != 0;
            return Flags::none;
          })
          .Case<arith::ShRSIOp, arith::ShRUIOp>([&](auto shift) {
            isInexact = shift.getIsExact() && b.ugt(a.countr_zero());
            return Flags::none;
          })
          .Default(Flags::none);
  if (isSignedOverflow && bitEnumContainsAll(flags, Flags::nsw))
    return "an overflow that 'overflow<nsw>' excludes";
  if (isUnsignedOverflow && bitEnumContainsAll(flags, Flags::nuw))
    return "an overflow that 'overflow<nuw>' excludes";
  return isInexact ? "a remainder that 'exact' excludes" : "";
}

/// Whether an operation has flags that operands can break.
bool hasFlags(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp,
            arith::TruncIOp>([](auto flagged) {
        return flagged.getOverflowFlags() != arith::IntegerOverflowFlags::none;
      })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [](auto flagged) { return flagged.getIsExact(); })
      .Default(false);
}

/// Makes the elements poison whose operands break a flag of the operation.
void addBrokenFlags(Machine &machine, Operation *op) {
  if (!hasFlags(op))
    return;
  addOpenCases(machine, op, [&](int64_t a, int64_t b, unsigned bits) {
    return getBrokenFlag(op, APInt(bits, a, /*isSigned=*/true),
                         APInt(bits, b, /*isSigned=*/true));
  });
}

template <typename Function>
LogicalResult binary(Machine &machine, Operation *op, Function function) {
  const Array &a = machine.getArray(op->getOperand(0));
  const Array &b = machine.getArray(op->getOperand(1));
  Array result(getResultType(op), getCommonCount({&a, &b}));
  unsigned bits = result.type.bits;
  mapBinary(result.integers, a.integers, b.integers, [&](int64_t x, int64_t y) {
    return signExtend(function(x, y, bits), bits);
  });
  addPoison(result, a);
  addPoison(result, b);
  deriveBounds(machine, op, result);
  machine.set(op->getResult(0), std::move(result));
  addBrokenFlags(machine, op);
  return success();
}

StringRef getOpenDivision(int64_t, int64_t b, unsigned) {
  return b == 0 ? "a division by zero" : "";
}
StringRef getOpenSignedDivision(int64_t a, int64_t b, unsigned bits) {
  int64_t least = signExtend(int64_t(1) << (bits - 1), bits);
  bool overflows = b == -1 && a == least && bits > 1;
  return overflows ? "a division that overflows" : getOpenDivision(a, b, bits);
}
StringRef getOpenShift(int64_t, int64_t b, unsigned bits) {
  return zeroExtend(b, bits) >= bits ? "a shift by the width or more" : "";
}

int64_t wrap(uint64_t value) { return static_cast<int64_t>(value); }

/// Signed division that cannot trap; `divide` gets operands that are safe.
template <typename Divide>
int64_t divideSigned(int64_t a, int64_t b, Divide divide) {
  if (b == 0)
    return 0;
  if (b == -1)
    return divide(0, 1) + wrap(0 - static_cast<uint64_t>(a));
  return divide(a, b);
}

#define INTEGER_RULE(NAME, EXPRESSION)                                         \
  LogicalResult NAME(Machine &machine, Operation *op) {                        \
    return binary(machine, op,                                                 \
                  [](int64_t a, int64_t b, unsigned bits) -> int64_t {         \
                    [[maybe_unused]] uint64_t ua = zeroExtend(a, bits);        \
                    [[maybe_unused]] uint64_t ub = zeroExtend(b, bits);        \
                    return EXPRESSION;                                         \
                  });                                                          \
  }

#define OPEN_INTEGER_RULE(NAME, CASE, EXPRESSION)                              \
  INTEGER_RULE(NAME##OrOpen, EXPRESSION)                                       \
  LogicalResult NAME(Machine &machine, Operation *op) {                        \
    LogicalResult result = NAME##OrOpen(machine, op);                          \
    addOpenCases(machine, op, CASE);                                           \
    return result;                                                             \
  }

/// LangRef arith.addi, arith.subi, arith.muli: the result wraps.
INTEGER_RULE(addi, wrap(ua + ub))
INTEGER_RULE(subi, wrap(ua - ub))
INTEGER_RULE(muli, wrap(ua *ub))
/// LangRef arith.andi, arith.ori, arith.xori.
INTEGER_RULE(andi, a &b)
INTEGER_RULE(ori, a | b)
INTEGER_RULE(xori, a ^ b)
/// LangRef arith.maxsi, arith.minsi, arith.maxui, arith.minui.
INTEGER_RULE(maxsi, std::max(a, b))
INTEGER_RULE(minsi, std::min(a, b))
INTEGER_RULE(maxui, ua > ub ? a : b)
INTEGER_RULE(minui, ua < ub ? a : b)
/// LangRef arith.shli, arith.shrsi, arith.shrui; beyond the width unspecified
/// (Language.md, "Aliasing and order").
OPEN_INTEGER_RULE(shli, getOpenShift, ub >= bits ? 0 : wrap(ua << ub))
OPEN_INTEGER_RULE(shrsi, getOpenShift, ub >= bits ? 0 : a >> ub)
OPEN_INTEGER_RULE(shrui, getOpenShift, ub >= bits ? 0 : wrap(ua >> ub))
/// LangRef arith.divui, arith.remui, arith.ceildivui, arith.divsi, arith.remsi,
/// arith.floordivsi, arith.ceildivsi; by zero and on overflow unspecified
/// (Language.md, "Aliasing and order").
OPEN_INTEGER_RULE(divui, getOpenDivision, ub == 0 ? 0 : wrap(ua / ub))
OPEN_INTEGER_RULE(remui, getOpenDivision, ub == 0 ? 0 : wrap(ua % ub))
OPEN_INTEGER_RULE(ceildivui, getOpenDivision,
                  ub == 0 ? 0 : wrap(ua / ub + (ua % ub != 0)))
OPEN_INTEGER_RULE(divsi, getOpenSignedDivision,
                  divideSigned(a, b,
                               [](int64_t x, int64_t y) { return x / y; }))
OPEN_INTEGER_RULE(remsi, getOpenSignedDivision, b == 0 || b == -1 ? 0 : a % b)
OPEN_INTEGER_RULE(floordivsi, getOpenSignedDivision,
                  divideSigned(a, b, [](int64_t x, int64_t y) {
                    return x / y - (x % y != 0 && ((x < 0) != (y < 0)));
                  }))
OPEN_INTEGER_RULE(ceildivsi, getOpenSignedDivision,
                  divideSigned(a, b, [](int64_t x, int64_t y) {
                    return x / y + (x % y != 0 && ((x < 0) == (y < 0)));
                  }))
#undef OPEN_INTEGER_RULE
#undef INTEGER_RULE

bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b,
             unsigned bits) {
  uint64_t ua = zeroExtend(a, bits), ub = zeroExtend(b, bits);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return ua < ub;
  case arith::CmpIPredicate::ule:
    return ua <= ub;
  case arith::CmpIPredicate::ugt:
    return ua > ub;
  case arith::CmpIPredicate::uge:
    return ua >= ub;
  }
  return false;
}

/// LangRef arith.cmpi.
LogicalResult compareIntegers(Machine &machine, arith::CmpIOp op) {
  const Array &a = machine.getArray(op.getLhs());
  const Array &b = machine.getArray(op.getRhs());
  Array result(ElementType::integer(1), getCommonCount({&a, &b}));
  mapBinary(result.integers, a.integers, b.integers, [&](int64_t x, int64_t y) {
    return -int64_t(compare(op.getPredicate(), x, y, a.type.bits));
  });
  addPoison(result, a);
  addPoison(result, b);
  deriveBounds(machine, op, result);
  machine.set(op.getResult(), std::move(result));
  return success();
}

/// LangRef arith.extsi, arith.trunci, arith.index_cast: sign-extended or cut.
LogicalResult castSigned(Machine &machine, Operation *op) {
  machine.set(op->getResult(0), convert(machine.getArray(op->getOperand(0)),
                                        getResultType(op), true, true));
  addBrokenFlags(machine, op);
  return success();
}

/// LangRef arith.extui, arith.index_castui: zero-extended or cut.
LogicalResult castUnsigned(Machine &machine, Operation *op) {
  machine.set(op->getResult(0), convert(machine.getArray(op->getOperand(0)),
                                        getResultType(op), false));
  return success();
}

/// LangRef arith.constant.
LogicalResult constant(Machine &machine, arith::ConstantOp op) {
  FailureOr<Array> value = getConstant(op, op.getValue());
  if (failed(value))
    return failure();
  machine.set(op.getResult(), std::move(*value));
  return success();
}

/// LangRef ub.poison; where it is an error: Language.md, "Aliasing and order".
LogicalResult poison(Machine &machine, ub::PoisonOp op) {
  Type type = op.getType();
  if (!ElementType::get(type) || isa<MemRefType>(type))
    return machine.error(op)
           << "ub.poison of " << type << " has no meaning in a tile program";
  machine.set(op.getResult(),
              Array::poisoned(*ElementType::get(type), getElementCount(type)));
  return success();
}

/// LangRef arith.select. Only what is chosen counts: its poison passes on, the
/// other's does not (Language.md, "Aliasing and order").
LogicalResult selectValues(Machine &machine, arith::SelectOp op) {
  const Array &condition = machine.getArray(op.getCondition());
  bool isMemRef = isa<MemRefType>(op.getType());
  if (isMemRef) {
    FailureOr<int64_t> chosen =
        machine.getUniform(op, op.getCondition(), "the choice of a memref");
    if (failed(chosen))
      return failure();
    machine.set(op.getResult(),
                machine.get(*chosen ? op.getTrueValue() : op.getFalseValue()));
    return success();
  }
  Mask mask(condition.count);
  for (int64_t i = 0; i < condition.count; ++i)
    mask[i] = condition.isTrue(i);
  Array result = select(mask, machine.getArray(op.getTrueValue()),
                        machine.getArray(op.getFalseValue()));
  addPoison(result, condition);
  joinOpenChoices(condition, machine.getArray(op.getTrueValue()),
                  machine.getArray(op.getFalseValue()), result);
  machine.set(op.getResult(), std::move(result));
  return success();
}

} // namespace

FailureOr<Array> mlir::tile::reference::getConstant(Operation *op,
                                                    TypedAttr value) {
  std::optional<ElementType> type = ElementType::get(value.getType());
  if (!type)
    return op->emitError("a constant of type ")
           << value.getType() << " has no meaning in a tile program";
  Array result(*type, getElementCount(value.getType()));
  auto fromInteger = [&](int64_t i, const APInt &number) {
    result.integers[i] = number.getSExtValue();
  };
  auto fromFloat = [&](int64_t i, const APFloat &number) {
    result.setBits(i, number.bitcastToAPInt().getZExtValue());
  };
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    fromInteger(0, integer.getValue());
    return result;
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    fromFloat(0, number.getValue());
    return result;
  }
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements)
    return op->emitError("a constant that is neither a number nor dense");
  auto fill = [&](auto values, auto assign) {
    if (elements.isSplat()) {
      Array one(*type, 1);
      std::swap(one, result);
      assign(0, *values.begin());
      result = broadcast(result, one.count);
      return;
    }
    for (auto [i, number] : llvm::enumerate(values))
      assign(i, number);
  };
  if (type->isFloat)
    fill(elements.getValues<APFloat>(), fromFloat);
  else
    fill(elements.getValues<APInt>(), fromInteger);
  return result;
}

void mlir::tile::reference::addArithIntegerRules(RuleTable &table) {
  table.addAll<arith::AddIOp>(addi);
  table.addAll<arith::SubIOp>(subi);
  table.addAll<arith::MulIOp>(muli);
  table.addAll<arith::AndIOp>(andi);
  table.addAll<arith::OrIOp>(ori);
  table.addAll<arith::XOrIOp>(xori);
  table.addAll<arith::MaxSIOp>(maxsi);
  table.addAll<arith::MinSIOp>(minsi);
  table.addAll<arith::MaxUIOp>(maxui);
  table.addAll<arith::MinUIOp>(minui);
  table.addAll<arith::ShLIOp>(shli);
  table.addAll<arith::ShRSIOp>(shrsi);
  table.addAll<arith::ShRUIOp>(shrui);
  table.addAll<arith::DivSIOp>(divsi);
  table.addAll<arith::DivUIOp>(divui);
  table.addAll<arith::RemSIOp>(remsi);
  table.addAll<arith::RemUIOp>(remui);
  table.addAll<arith::FloorDivSIOp>(floordivsi);
  table.addAll<arith::CeilDivSIOp>(ceildivsi);
  table.addAll<arith::CeilDivUIOp>(ceildivui);
  table.addAll<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(castSigned);
  table.addAll<arith::ExtUIOp, arith::IndexCastUIOp>(castUnsigned);
  table.add(compareIntegers);
  table.add(constant);
  table.add(poison);
  table.add(selectValues);
}
