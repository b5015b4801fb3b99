//===- LaunchData.cpp - What host code starts -----------------------------===//

#include "tile/Pipeline/LaunchData.h"

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// The number of an argument of a host function.
static std::optional<int64_t> getArgumentNumber(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument ||
      !isa_and_nonnull<FunctionOpInterface>(argument.getOwner()->getParentOp()))
    return std::nullopt;
  return argument.getArgNumber();
}

static HostExpression getConstant(int64_t number, unsigned bits = 64) {
  HostExpression constant;
  constant.kind = HostExpression::Kind::Constant;
  constant.number = number;
  constant.bits = bits;
  return constant;
}

static HostExpression getSize(memref::DimOp op) {
  std::optional<int64_t> dim = op.getConstantIndex();
  std::optional<int64_t> argument = getArgumentNumber(op.getSource());
  HostExpression size;
  if (!dim || !argument)
    return size;
  size.kind = HostExpression::Kind::Size;
  size.number = *argument;
  size.dim = *dim;
  return size;
}

/// "cmpi slt", "ceildivsi".
static std::string getOperationName(Operation *op) {
  std::string name = op->getName().stripDialect().str();
  llvm::TypeSwitch<Operation *>(op).Case([&](arith::CmpIOp compare) {
    name += " " + arith::stringifyCmpIPredicate(compare.getPredicate()).str();
  });
  return name;
}

HostExpression HostExpression::get(Value value) {
  HostExpression expression;
  Type type = value.getType();
  if (!type.isIntOrIndex())
    return expression;
  expression.bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return getConstant(constant.getSExtValue(), expression.bits);
  if (std::optional<int64_t> argument = getArgumentNumber(value)) {
    expression.kind = Kind::Argument;
    expression.number = *argument;
    return expression;
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return expression;
  if (auto dim = value.getDefiningOp<memref::DimOp>())
    return getSize(dim);
  if (auto assumed = value.getDefiningOp<AssumeDivisibleOp>())
    return get(assumed->getOperand(0));
  if (op->getName().getDialectNamespace() !=
      arith::ArithDialect::getDialectNamespace())
    return expression;
  expression.kind = Kind::Operation;
  expression.operation = getOperationName(op);
  for (Value operand : op->getOperands())
    expression.operands.push_back(get(operand));
  return expression;
}

bool HostExpression::isKnown() const {
  return kind != Kind::Unknown &&
         llvm::all_of(operands, [](const HostExpression &operand) {
           return operand.isKnown();
         });
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

static std::optional<APInt> divide(StringRef name, const APInt &a,
                                   const APInt &b) {
  if (b.isZero())
    return std::nullopt;
  using Rounding = APInt::Rounding;
  return llvm::StringSwitch<std::optional<APInt>>(name)
      .Case("divsi", a.sdiv(b))
      .Case("divui", a.udiv(b))
      .Case("ceildivsi", llvm::APIntOps::RoundingSDiv(a, b, Rounding::UP))
      .Case("ceildivui", llvm::APIntOps::RoundingUDiv(a, b, Rounding::UP))
      .Case("floordivsi", llvm::APIntOps::RoundingSDiv(a, b, Rounding::DOWN))
      .Case("remsi", a.srem(b))
      .Case("remui", a.urem(b))
      .Default(std::nullopt);
}

static std::optional<APInt> combine(StringRef name, const APInt &a,
                                    const APInt &b) {
  if (name.contains("div") || name.starts_with("rem"))
    return divide(name, a, b);
  if (name.starts_with("sh"))
    if (b.uge(a.getBitWidth()))
      return std::nullopt;
  return llvm::StringSwitch<std::optional<APInt>>(name)
      .Case("addi", a + b)
      .Case("subi", a - b)
      .Case("muli", a * b)
      .Case("andi", a & b)
      .Case("ori", a | b)
      .Case("xori", a ^ b)
      .Case("shli", a.shl(b))
      .Case("shrsi", a.ashr(b))
      .Case("shrui", a.lshr(b))
      .Case("minsi", llvm::APIntOps::smin(a, b))
      .Case("minui", llvm::APIntOps::umin(a, b))
      .Case("maxsi", llvm::APIntOps::smax(a, b))
      .Case("maxui", llvm::APIntOps::umax(a, b))
      .Default(std::nullopt);
}

static std::optional<APInt> convert(StringRef name, const APInt &value,
                                    unsigned bits) {
  if (name == "extui" || name == "index_castui")
    return value.zextOrTrunc(bits);
  if (name == "extsi" || name == "index_cast" || name == "trunci")
    return value.sextOrTrunc(bits);
  return std::nullopt;
}

static std::optional<APInt>
evaluateExpression(const HostExpression &expression,
                   const HostExpression::GetArgument &getArgument) {
  using Kind = HostExpression::Kind;
  auto get = [&](int64_t number) {
    return APInt(expression.bits, number, /*isSigned=*/true,
                 /*implicitTrunc=*/true);
  };
  switch (expression.kind) {
  case Kind::Constant:
    return get(expression.number);
  case Kind::Argument:
    return get(getArgument(expression.number, 0));
  case Kind::Size:
    return get(getArgument(expression.number, expression.dim));
  case Kind::Unknown:
    return std::nullopt;
  case Kind::Operation:
    break;
  }
  SmallVector<APInt> operands;
  for (const HostExpression &operand : expression.operands) {
    std::optional<APInt> value = evaluateExpression(operand, getArgument);
    if (!value)
      return std::nullopt;
    operands.push_back(*value);
  }
  StringRef name = expression.operation;
  if (name.consume_front("cmpi ")) {
    std::optional<arith::CmpIPredicate> predicate =
        arith::symbolizeCmpIPredicate(name);
    if (!predicate || operands.size() != 2)
      return std::nullopt;
    return APInt(
        1, arith::applyCmpPredicate(*predicate, operands[0], operands[1]));
  }
  if (name == "select" && operands.size() == 3)
    return operands[0].isZero() ? operands[2] : operands[1];
  if (operands.size() == 1)
    return convert(name, operands[0], expression.bits);
  return operands.size() == 2 ? combine(name, operands[0], operands[1])
                              : std::nullopt;
}

std::optional<int64_t>
HostExpression::evaluate(const GetArgument &getArgument) const {
  std::optional<APInt> value = evaluateExpression(*this, getArgument);
  if (!value)
    return std::nullopt;
  return bits == 1 ? static_cast<int64_t>(value->getZExtValue())
                   : value->getSExtValue();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string HostExpression::toString() const {
  switch (kind) {
  case Kind::Constant:
    return std::to_string(number);
  case Kind::Argument:
    return "arg" + std::to_string(number);
  case Kind::Size:
    return "arg" + std::to_string(number) + ".size[" + std::to_string(dim) +
           "]";
  case Kind::Unknown:
    return "?";
  case Kind::Operation:
    break;
  }
  std::string text = operation + "(";
  for (const HostExpression &operand : operands)
    text += (&operand == operands.data() ? "" : ", ") + operand.toString();
  return text + ")";
}

llvm::json::Value HostExpression::toJson() const {
  if (kind == Kind::Unknown)
    return nullptr;
  if (kind == Kind::Constant)
    return number;
  if (kind != Kind::Operation)
    return toString();
  llvm::json::Array list;
  for (const HostExpression &operand : operands)
    list.push_back(operand.toJson());
  return llvm::json::Object{{"op", operation},
                            {"bits", static_cast<int64_t>(bits)},
                            {"operands", std::move(list)}};
}

llvm::json::Value LaunchData::toJson() const {
  llvm::json::Array extents, all, values;
  for (const HostExpression &extent : grid)
    extents.push_back(extent.toJson());
  for (const HostExpression &condition : conditions)
    all.push_back(condition.toJson());
  for (const Operand &operand : operands) {
    if (operand.argument)
      values.push_back("arg" + std::to_string(*operand.argument));
    else if (operand.value)
      values.push_back(operand.value->toJson());
    else if (operand.isTensorMap)
      values.push_back("tensor map");
    else
      values.push_back(nullptr);
  }
  return llvm::json::Object{{"function", function},
                            {"kernel", kernel},
                            {"grid", std::move(extents)},
                            {"block", blockThreads},
                            {"shared_bytes", sharedBytes.toJson()},
                            {"conditions", std::move(all)},
                            {"repeated", isRepeated},
                            {"operands", std::move(values)}};
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// What has to be true for `branch` to run the region that `op` stands in.
static HostExpression getCondition(scf::IfOp branch, Operation *op) {
  HostExpression condition = HostExpression::get(branch.getCondition());
  if (op->getParentRegion() != &branch.getElseRegion())
    return condition;
  HostExpression negated;
  negated.kind = HostExpression::Kind::Operation;
  negated.operation = "xori";
  negated.bits = 1;
  negated.operands = {condition, getConstant(1, 1)};
  return negated;
}

/// What stands around `op` in its function: conditions, unknown ones where it is no
/// `scf.if`, and loops.
static void addSurroundings(Operation *op, LaunchData &data) {
  Operation *parent = op->getParentOp();
  if (!parent || isa<FunctionOpInterface>(parent))
    return;
  llvm::TypeSwitch<Operation *>(parent)
      .Case([&](scf::IfOp branch) {
        data.conditions.push_back(getCondition(branch, op));
      })
      .Case([&](LoopLikeOpInterface) { data.isRepeated = true; })
      .Default([&](Operation *) { data.conditions.emplace_back(); });
  addSurroundings(parent, data);
}

static LaunchData::Operand getOperand(Value value) {
  LaunchData::Operand operand;
  operand.isTensorMap = value.getDefiningOp<EncodeTensorMapOp>() != nullptr;
  operand.argument = getArgumentNumber(value);
  if (!operand.argument && value.getType().isIntOrIndex())
    operand.value = HostExpression::get(value);
  return operand;
}

std::vector<LaunchData> tile::getLaunchData(ModuleOp host) {
  std::vector<LaunchData> launches;
  for (func::FuncOp function : host.getOps<func::FuncOp>())
    function.walk([&](gpu::LaunchFuncOp op) {
      LaunchData data;
      data.function = function.getName().str();
      data.kernel = op.getKernelName().str();
      data.grid = {HostExpression::get(op.getGridSizeX()),
                   HostExpression::get(op.getGridSizeY()),
                   HostExpression::get(op.getGridSizeZ())};
      APInt threads;
      if (matchPattern(op.getBlockSizeX(), m_ConstantInt(&threads)))
        data.blockThreads = threads.getSExtValue();
      data.sharedBytes =
          op.getDynamicSharedMemorySize()
              ? HostExpression::get(op.getDynamicSharedMemorySize())
              : getConstant(0, 32);
      addSurroundings(op, data);
      for (Value operand : op.getKernelOperands())
        data.operands.push_back(getOperand(operand));
      launches.push_back(std::move(data));
    });
  return launches;
}
