//===- IndexFacts.cpp - What is known of an index value -------------------===//

#include "tile/Analysis/IndexFacts.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;

/// The attribute `name` of the function argument `value`, or null.
template <typename AttrT>
static AttrT getArgumentAttr(Value value, StringRef name) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return {};
  auto function =
      dyn_cast_or_null<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function)
    return {};
  return function.getArgAttrOfType<AttrT>(argument.getArgNumber(), name);
}

static int64_t divisorOfConstant(int64_t value) {
  return value == 0 ? IndexFacts::anyDivisor : std::abs(value);
}

static int64_t multiplySaturating(int64_t a, int64_t b) {
  return a >= IndexFacts::anyDivisor / b ? IndexFacts::anyDivisor : a * b;
}

//===----------------------------------------------------------------------===//
// Divisors
//===----------------------------------------------------------------------===//

int64_t IndexFacts::getDivisor(Value value) {
  auto [it, isNew] = divisors.try_emplace(value, 1);
  if (!isNew)
    return it->second;
  int64_t divisor = computeDivisor(value);
  divisors[value] = divisor;
  return divisor;
}

int64_t IndexFacts::computeDivisor(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return divisorOfConstant(constant.getSExtValue());

  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())) {
      if (argument == loop.getInductionVar())
        return std::gcd(getDivisor(loop.getLowerBound()),
                        getDivisor(loop.getStep()));
    }
    return 1;
  }

  Operation *op = value.getDefiningOp();
  if (auto add = dyn_cast<arith::AddIOp>(op))
    return std::gcd(getDivisor(add.getLhs()), getDivisor(add.getRhs()));
  if (auto sub = dyn_cast<arith::SubIOp>(op))
    return std::gcd(getDivisor(sub.getLhs()), getDivisor(sub.getRhs()));
  if (auto mul = dyn_cast<arith::MulIOp>(op))
    return multiplySaturating(getDivisor(mul.getLhs()),
                              getDivisor(mul.getRhs()));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return std::gcd(getDivisor(select.getTrueValue()),
                    getDivisor(select.getFalseValue()));
  if (isa<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(op))
    return std::gcd(getDivisor(op->getOperand(0)),
                    getDivisor(op->getOperand(1)));
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp>(op))
    return getDivisor(op->getOperand(0));
  if (auto shift = dyn_cast<arith::ShLIOp>(op)) {
    APInt amount;
    if (matchPattern(shift.getRhs(), m_ConstantInt(&amount)) && amount.ult(30))
      return multiplySaturating(getDivisor(shift.getLhs()),
                                int64_t(1) << amount.getZExtValue());
    return getDivisor(shift.getLhs());
  }
  if (auto assume = dyn_cast<AssumeDivisibleOp>(op))
    return std::lcm(getDivisor(assume.getValue()),
                    int64_t(assume.getDivisor()));
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    if (!index || !type || *index < 0 || *index >= type.getRank())
      return 1;
    return getMemRefFacts(dim.getSource()).sizeDivisors[*index];
  }
  return 1;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

std::optional<int64_t> IndexFacts::getUpperBound(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      auto end = getConstantIntValue(loop.getUpperBound());
      if (argument != loop.getInductionVar() || !end)
        return std::nullopt;
      auto begin = getConstantIntValue(loop.getLowerBound());
      auto step = getConstantIntValue(loop.getStep());
      if (!begin || !step || *step <= 0 || *end <= *begin)
        return *end - 1;
      return *begin + (*end - 1 - *begin) / *step * *step;
    }
    if (auto launch = dyn_cast<LaunchOp>(parent)) {
      auto extent =
          getConstantIntValue(launch.getGrid()[argument.getArgNumber()]);
      if (extent)
        return *extent - 1;
    }
    return std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (auto add = dyn_cast<arith::AddIOp>(op)) {
    auto lhs = getUpperBound(add.getLhs()), rhs = getUpperBound(add.getRhs());
    if (lhs && rhs)
      return *lhs + *rhs;
  }
  if (auto mul = dyn_cast<arith::MulIOp>(op)) {
    auto factor = getConstantIntValue(mul.getRhs());
    auto other = getUpperBound(mul.getLhs());
    if (factor && other && *factor >= 0)
      return *other * *factor;
  }
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    if (auto bound = id.getUpperBound())
      return bound->getSExtValue() - 1;
  return std::nullopt;
}

std::optional<int64_t> IndexFacts::getLowerBound(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return argument == loop.getInductionVar()
                 ? getLowerBound(loop.getLowerBound())
                 : std::nullopt;
    if (isa<LaunchOp>(parent))
      return 0;
    return std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (isa<gpu::BlockIdOp, memref::DimOp>(op))
    return 0;
  if (auto add = dyn_cast<arith::AddIOp>(op)) {
    auto lhs = getLowerBound(add.getLhs()), rhs = getLowerBound(add.getRhs());
    if (lhs && rhs)
      return *lhs + *rhs;
  }
  if (auto mul = dyn_cast<arith::MulIOp>(op)) {
    auto factor = getConstantIntValue(mul.getRhs());
    auto other = getLowerBound(mul.getLhs());
    if (factor && other && *factor >= 0)
      return *other * *factor;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

MemRefFacts IndexFacts::getMemRefFacts(Value memref) {
  return computeMemRefFacts(memref);
}

/// Fills strides from sizes where the type leaves them open but the layout is
/// the identity: a pitch is the product of the sizes inside it.
static void deriveStrides(MemRefType type, MemRefFacts &facts) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return;
  bool isIdentity = type.getLayout().isIdentity();
  int64_t product = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (!ShapedType::isDynamic(strides[dim]))
      facts.strideDivisors[dim] = divisorOfConstant(strides[dim]);
    else if (isIdentity)
      facts.strideDivisors[dim] = product;
    product = multiplySaturating(product, facts.sizeDivisors[dim]);
  }
  facts.isInnermostContiguous =
      type.getRank() == 0 || strides[type.getRank() - 1] == 1;
}

/// Whether the assumption is checked whenever the memref is there, or whenever
/// the launch runs.
bool IndexFacts::isCertain(AssumeDivisibleOp assume, Value memref) {
  Block *block = assume->getBlock();
  if (block == memref.getParentBlock())
    return true;
  if (!launch)
    return false;
  if (block == &launch.getBody().front())
    return true;
  Operation *around = block->findAncestorOpInBlock(*launch);
  return around && assume->isBeforeInBlock(around);
}

MemRefFacts IndexFacts::computeMemRefFacts(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t rank = type.getRank();
  int64_t bytes =
      std::max<int64_t>(1, getMemoryBits(type.getElementType()) / 8);
  MemRefFacts facts;
  facts.sizeDivisors.assign(rank, 1);
  facts.strideDivisors.assign(rank, 1);

  // Sizes: static ones are exact, others as the argument says.
  auto divisible = getArgumentAttr<DenseI64ArrayAttr>(memref, "tile.divisible");
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (!type.isDynamicDim(dim))
      facts.sizeDivisors[dim] = divisorOfConstant(type.getDimSize(dim));
    else if (divisible && dim < divisible.size())
      facts.sizeDivisors[dim] = divisible[dim];
  }
  // Facts stated about the results of memref.dim are facts about the memref.
  for (Operation *user : memref.getUsers()) {
    auto dim = dyn_cast<memref::DimOp>(user);
    std::optional<int64_t> index = dim ? dim.getConstantIndex() : std::nullopt;
    if (!index || *index < 0 || *index >= rank)
      continue;
    for (Operation *dimUser : dim->getUsers())
      if (auto assume = dyn_cast<AssumeDivisibleOp>(dimUser);
          assume && isCertain(assume, memref))
        facts.sizeDivisors[*index] =
            std::lcm(facts.sizeDivisors[*index], int64_t(assume.getDivisor()));
  }
  deriveStrides(type, facts);

  SmallVector<int64_t> strides;
  int64_t offset = 0;
  (void)type.getStridesAndOffset(strides, offset);

  Operation *op = memref.getDefiningOp();
  bool isArgument =
      !op && isa<FunctionOpInterface>(memref.getParentBlock()->getParentOp());
  if (!op && !isArgument) {
    facts.alignmentBytes = bytes; // carried by a loop: any memref that flows in
    return facts;
  }
  if (isArgument || isa<memref::AllocOp>(op)) {
    // An argument: 16 bytes unless it says otherwise; its own offset comes on
    // top.
    int64_t base = 16;
    if (auto align = getArgumentAttr<IntegerAttr>(memref, "tile.align"))
      base = align.getInt();
    facts.alignmentBytes =
        ShapedType::isDynamic(offset)
            ? std::gcd(base, bytes)
            : std::gcd(base,
                       multiplySaturating(divisorOfConstant(offset), bytes));
    return facts;
  }
  if (auto assume = dyn_cast<AssumeOp>(op)) {
    MemRefFacts source = computeMemRefFacts(assume.getSource());
    facts.alignmentBytes = source.alignmentBytes;
    if (assume.getAlignment())
      facts.alignmentBytes =
          std::lcm(facts.alignmentBytes, int64_t(*assume.getAlignment()));
    for (int64_t dim = 0; dim < rank; ++dim) {
      facts.sizeDivisors[dim] =
          std::lcm(facts.sizeDivisors[dim], source.sizeDivisors[dim]);
      facts.strideDivisors[dim] =
          std::lcm(facts.strideDivisors[dim], source.strideDivisors[dim]);
      if (assume.getSizes())
        facts.sizeDivisors[dim] =
            std::lcm(facts.sizeDivisors[dim], (*assume.getSizes())[dim]);
      if (assume.getStrides())
        facts.strideDivisors[dim] =
            std::lcm(facts.strideDivisors[dim], (*assume.getStrides())[dim]);
    }
    return facts;
  }
  if (auto castOp = dyn_cast<memref::CastOp>(op)) {
    MemRefFacts source = computeMemRefFacts(castOp.getSource());
    facts.alignmentBytes = source.alignmentBytes;
    if (source.sizeDivisors.size() == facts.sizeDivisors.size())
      for (int64_t dim = 0; dim < rank; ++dim) {
        facts.sizeDivisors[dim] =
            std::lcm(facts.sizeDivisors[dim], source.sizeDivisors[dim]);
        facts.strideDivisors[dim] =
            std::lcm(facts.strideDivisors[dim], source.strideDivisors[dim]);
      }
    facts.isInnermostContiguous |= source.isInnermostContiguous;
    return facts;
  }
  if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    MemRefFacts source = computeMemRefFacts(view.getSource());
    auto dropped = view.getDroppedDims();
    int64_t alignment = source.alignmentBytes, resultDim = 0;
    for (auto [dim, start] : llvm::enumerate(view.getMixedOffsets())) {
      auto constant = getConstantIntValue(start);
      int64_t divisor = constant ? divisorOfConstant(*constant)
                                 : getDivisor(cast<Value>(start));
      alignment = std::gcd(
          alignment,
          multiplySaturating(
              multiplySaturating(divisor, source.strideDivisors[dim]), bytes));
      if (dropped.test(dim))
        continue;
      auto size = view.getMixedSizes()[dim], step = view.getMixedStrides()[dim];
      if (auto value = dyn_cast<Value>(size))
        facts.sizeDivisors[resultDim] =
            std::lcm(facts.sizeDivisors[resultDim], getDivisor(value));
      if (auto value = getConstantIntValue(step))
        facts.strideDivisors[resultDim] =
            std::lcm(facts.strideDivisors[resultDim],
                     multiplySaturating(source.strideDivisors[dim],
                                        divisorOfConstant(*value)));
      ++resultDim;
    }
    facts.alignmentBytes = alignment;
    return facts;
  }
  if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(op)) {
    facts.alignmentBytes = computeMemRefFacts(op->getOperand(0)).alignmentBytes;
    return facts;
  }
  facts.alignmentBytes = bytes;
  return facts;
}
