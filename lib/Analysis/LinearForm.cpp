//===- LinearForm.cpp - Sums of multiples of values -----------------------===//

#include "tile/Analysis/LinearForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tile;

/// Deeper expressions count as values of their own.
static constexpr int deepest = 8;

/// The number that a value is computed as from constants, as its type has it.
static std::optional<APInt> evaluate(Value value, int depth = 0) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!op || depth > deepest || op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<APInt> left = evaluate(op->getOperand(0), depth + 1);
  std::optional<APInt> right =
      left ? evaluate(op->getOperand(1), depth + 1) : std::nullopt;
  if (!right)
    return std::nullopt;
  if (value.getDefiningOp<arith::AddIOp>())
    return *left + *right;
  if (value.getDefiningOp<arith::SubIOp>())
    return *left - *right;
  if (value.getDefiningOp<arith::MulIOp>())
    return *left * *right;
  return std::nullopt;
}

static std::optional<int64_t> getInteger(Value value, bool isUnsigned = false) {
  std::optional<APInt> constant = evaluate(value);
  if (!constant)
    return std::nullopt;
  return isUnsigned && constant->getBitWidth() < 64 ? constant->getZExtValue()
                                                    : constant->getSExtValue();
}

/// `%product` of `select (%step <= largest / n), %product, largest`: larger than
/// all there is where it does not fit its type.
static Value getSaturated(Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  std::optional<int64_t> largest =
      select ? getInteger(select.getFalseValue()) : std::nullopt;
  return largest == -1 ? select.getTrueValue() : value;
}

LinearForm::LinearForm(Value value, bool isUnsigned) {
  if (std::optional<int64_t> integer = getInteger(value, isUnsigned))
    constant = *integer;
  else
    addValue(value, 1, /*isModular=*/false);
}

LinearForm LinearForm::getModular(Value value) {
  LinearForm form;
  form.addValue(value, 1, /*isModular=*/true);
  return form;
}

void LinearForm::addValue(Value value, int64_t factor, bool isModular,
                          int depth) {
  if (!isModular)
    value = getSaturated(value);
  if (std::optional<int64_t> integer = getInteger(value)) {
    constant += factor * *integer;
    return;
  }
  auto sum = value.getDefiningOp<arith::AddIOp>();
  auto difference = value.getDefiningOp<arith::SubIOp>();
  auto product = value.getDefiningOp<arith::MulIOp>();
  if (depth < deepest && (sum || difference)) {
    Operation *op = value.getDefiningOp();
    addValue(op->getOperand(0), factor, isModular, depth + 1);
    return addValue(op->getOperand(1), sum ? factor : -factor, isModular,
                    depth + 1);
  }
  if (depth < deepest && product) {
    if (auto right = getInteger(product.getRhs()))
      return addValue(product.getLhs(), factor * *right, isModular, depth + 1);
    if (auto left = getInteger(product.getLhs()))
      return addValue(product.getRhs(), factor * *left, isModular, depth + 1);
  }
  if ((factors[value.getAsOpaquePointer()] += factor) == 0)
    factors.erase(value.getAsOpaquePointer());
}

int64_t LinearForm::getFactor(Value value) const {
  auto found = factors.find(value.getAsOpaquePointer());
  return found == factors.end() ? 0 : found->second;
}

SmallVector<std::pair<Value, int64_t>> LinearForm::getFactors() const {
  SmallVector<std::pair<Value, int64_t>> all;
  for (auto [value, factor] : factors)
    all.emplace_back(Value::getFromOpaquePointer(value), factor);
  return all;
}

Value LinearForm::getOnlyValue() const {
  bool isOne = factors.size() == 1 && factors.begin()->second == 1;
  return isOne ? Value::getFromOpaquePointer(factors.begin()->first) : Value();
}

LinearForm &LinearForm::add(const LinearForm &other, int64_t factor) {
  constant += factor * other.constant;
  for (auto [value, count] : other.factors)
    if ((factors[value] += factor * count) == 0)
      factors.erase(value);
  return *this;
}

LinearForm LinearForm::substitute(Value value, const LinearForm &form) const {
  int64_t factor = getFactor(value);
  LinearForm result = *this;
  result.factors.erase(value.getAsOpaquePointer());
  return result.add(form, factor);
}
