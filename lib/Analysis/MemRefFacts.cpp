//===- MemRefFacts.cpp - What is known of a memref ------------------------===//
//
// From the type, from what a function states of its argument and of sizes of the same
// name, from what the program assumes of sizes; then, for views, from the memref that
// is viewed.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/Divisors.h"
#include "tile/Analysis/IndexFacts.h"
#include "tile/Analysis/OperationTable.h"
#include "tile/Analysis/SizeNames.h"
#include "tile/Dialect/Tile/SubViews.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

/// What `tile.align` is where an argument does not carry it, and what
/// allocations have.
static constexpr int64_t defaultAlignmentBytes = 16;

static int64_t getElementBytes(MemRefType type) {
  return llvm::divideCeil(getMemoryBits(type.getElementType()), 8);
}

/// The alignment of what lies a multiple of `elements` elements after an address
/// aligned to `bytes`; 1 also where that may end in the middle of a byte.
static int64_t getAlignmentBehind(int64_t bytes, int64_t elements,
                                  MemRefType type) {
  int64_t bits =
      multiplyDivisors(elements, getMemoryBits(type.getElementType()));
  return std::max<int64_t>(1, std::gcd(8 * bytes, bits) / 8);
}

//===----------------------------------------------------------------------===//
// Types, sizes and strides
//===----------------------------------------------------------------------===//

/// What the type alone says of sizes.
static MemRefFacts getTypeFacts(MemRefType type) {
  MemRefFacts facts;
  facts.alignmentBytes = facts.baseAlignmentBytes = getElementBytes(type);
  facts.strideDivisors.assign(type.getRank(), 1);
  for (int64_t size : type.getShape())
    facts.sizeDivisors.push_back(
        ShapedType::isDynamic(size) ? 1 : getDivisorOf(size));
  return facts;
}

/// Divisors of sizes that the type says are those of the type: where something else is
/// assumed of the memref that is viewed, the launch never runs.
static void keepStaticSizes(MemRefType type, MemRefFacts &facts) {
  for (auto [divisor, size] : llvm::zip(facts.sizeDivisors, type.getShape()))
    if (!ShapedType::isDynamic(size))
      divisor = getDivisorOf(size);
}

/// Fills strides: those of the type, else from sizes where the layout is the identity:
/// a pitch is the product of the sizes inside it.
static void deriveStrides(MemRefType type, MemRefFacts &facts) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return;
  bool isIdentity = type.getLayout().isIdentity();
  int64_t product = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    int64_t &divisor = facts.strideDivisors[dim];
    divisor = ShapedType::isDynamic(strides[dim])
                  ? joinDivisors(divisor, isIdentity ? product : 1)
                  : getDivisorOf(strides[dim]);
    product = multiplyDivisors(product, facts.sizeDivisors[dim]);
  }
  facts.isInnermostContiguous |=
      type.getRank() == 0 || strides[type.getRank() - 1] == 1;
}

static void join(SmallVectorImpl<int64_t> &divisors, ArrayRef<int64_t> others) {
  for (auto [divisor, other] : llvm::zip(divisors, others))
    divisor = joinDivisors(divisor, other);
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

/// Facts stated about the results of memref.dim are facts about the memref.
void IndexFacts::addAssumedSizes(Value memref, MemRefFacts &facts) {
  if (cast<MemRefType>(memref.getType()).hasStaticShape())
    return;
  for (Operation *user : memref.getUsers()) {
    auto dim = dyn_cast<memref::DimOp>(user);
    std::optional<int64_t> index = dim ? dim.getConstantIndex() : std::nullopt;
    if (!index || *index < 0 ||
        *index >= static_cast<int64_t>(facts.sizeDivisors.size()))
      continue;
    int64_t &divisor = facts.sizeDivisors[*index];
    for (Operation *dimUser : dim->getUsers())
      if (auto assume = dyn_cast<AssumeDivisibleOp>(dimUser);
          assume && isCertain(assume, memref))
        divisor = joinDivisors(divisor, assume.getDivisor());
  }
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static int64_t getOffsetDivisor(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset))
    return 1;
  return getDivisorOf(offset);
}

template <typename AttrT>
static AttrT getArgumentAttr(BlockArgument argument, StringRef name) {
  auto function = cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function.getArgAttrOfType<AttrT>(argument.getArgNumber(), name);
}

/// An allocation, or an argument of which nothing is stated but perhaps its
/// alignment.
static void addAllocation(MemRefType type, int64_t baseAlignmentBytes,
                          MemRefFacts &facts) {
  facts.baseAlignmentBytes = baseAlignmentBytes;
  facts.alignmentBytes =
      getAlignmentBehind(baseAlignmentBytes, getOffsetDivisor(type), type);
}

/// What a function says of its argument: a kernel everything that was known
/// outside, others sizes and the alignment of the allocation.
static void addArgumentFacts(BlockArgument argument, MemRefFacts &facts) {
  auto type = cast<MemRefType>(argument.getType());
  if (auto stated = getArgumentAttr<MemRefFactsAttr>(
          argument, TileDialect::MemrefFactsAttrHelper::getNameStr())) {
    facts.baseAlignmentBytes = stated.getBaseAlignment();
    facts.alignmentBytes = stated.getAlignment();
    join(facts.sizeDivisors, stated.getSizes());
    join(facts.strideDivisors, stated.getStrides());
    facts.isInnermostContiguous = stated.getContiguous();
    return;
  }
  auto align = getArgumentAttr<IntegerAttr>(
      argument, TileDialect::AlignAttrHelper::getNameStr());
  addAllocation(type, align ? align.getInt() : defaultAlignmentBytes, facts);
  if (auto divisible = getArgumentAttr<DenseI64ArrayAttr>(
          argument, TileDialect::DivisibleAttrHelper::getNameStr()))
    join(facts.sizeDivisors, divisible.asArrayRef());
}

MemRefFacts tile::getArgumentFacts(MemRefType type) {
  MemRefFacts facts = getTypeFacts(type);
  addAllocation(type, defaultAlignmentBytes, facts);
  deriveStrides(type, facts);
  return facts;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

namespace {
/// What a view's facts follow from: what is known of indices and of the memref
/// that is viewed. A rule adds to the facts of the view.
struct ViewedMemRef {
  IndexFacts &index;
  const MemRefFacts &facts;
};
} // namespace

/// A view of the whole memref in another type.
static void addWholeView(const ViewedMemRef &source, MemRefFacts &facts,
                         Operation *) {
  facts.alignmentBytes = source.facts.alignmentBytes;
  if (source.facts.sizeDivisors.size() != facts.sizeDivisors.size())
    return;
  join(facts.sizeDivisors, source.facts.sizeDivisors);
  join(facts.strideDivisors, source.facts.strideDivisors);
  facts.isInnermostContiguous |= source.facts.isInnermostContiguous;
}

/// The whole memref, with facts of its own.
static void addAssumption(const ViewedMemRef &source, MemRefFacts &facts,
                          AssumeOp op) {
  addWholeView(source, facts, op);
  if (op.getAlignment())
    facts.alignmentBytes =
        joinDivisors(facts.alignmentBytes, *op.getAlignment());
  if (op.getSizes())
    join(facts.sizeDivisors, *op.getSizes());
  if (op.getStrides())
    join(facts.strideDivisors, *op.getStrides());
}

static void addSubView(const ViewedMemRef &source, MemRefFacts &facts,
                       memref::SubViewOp op) {
  llvm::SmallBitVector dropped = getDroppedDims(op);
  facts.alignmentBytes = source.facts.alignmentBytes;
  int64_t resultDim = 0;
  for (auto [dim, start, size, step] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    int64_t pitch = source.facts.strideDivisors[dim];
    facts.alignmentBytes = getAlignmentBehind(
        facts.alignmentBytes,
        multiplyDivisors(source.index.getDivisor(start), pitch), op.getType());
    if (dropped.test(dim))
      continue;
    int64_t &sizeDivisor = facts.sizeDivisors[resultDim];
    sizeDivisor = joinDivisors(sizeDivisor, source.index.getDivisor(size));
    int64_t &strideDivisor = facts.strideDivisors[resultDim];
    strideDivisor = joinDivisors(
        strideDivisor, multiplyDivisors(pitch, source.index.getDivisor(step)));
    bool isInnermost = dim + 1 == source.facts.strideDivisors.size();
    facts.isInnermostContiguous |= isInnermost &&
                                   source.facts.isInnermostContiguous &&
                                   getConstantIntValue(step) == 1;
    ++resultDim;
  }
}

/// Sizes, strides and the offset from the allocation are given anew.
static void addReinterpretation(const ViewedMemRef &source, MemRefFacts &facts,
                                memref::ReinterpretCastOp op) {
  facts.alignmentBytes = getAlignmentBehind(
      facts.baseAlignmentBytes,
      source.index.getDivisor(op.getMixedOffsets().front()), op.getType());
  for (auto [divisor, size] :
       llvm::zip_equal(facts.sizeDivisors, op.getMixedSizes()))
    divisor = joinDivisors(divisor, source.index.getDivisor(size));
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  for (auto [divisor, stride] : llvm::zip_equal(facts.strideDivisors, strides))
    divisor = joinDivisors(divisor, source.index.getDivisor(stride));
  facts.isInnermostContiguous |=
      !strides.empty() && getConstantIntValue(strides.back()) == 1;
}

/// The same elements under other coordinates: strides follow from sizes.
static void addReshape(const ViewedMemRef &source, MemRefFacts &facts,
                       Operation *) {
  facts.alignmentBytes = source.facts.alignmentBytes;
}

using ViewRules = OperationTable<void(const ViewedMemRef &, MemRefFacts &)>;

/// Where an operation has no rule it is unknown which memref it views, and the
/// type is all there is.
static const ViewRules &getViewRules() {
  static const ViewRules rules = [] {
    ViewRules table;
    table.add(addAssumption);
    table.add(addSubView);
    table.add(addReinterpretation);
    table.addAll<memref::CastOp>(addWholeView);
    table.addAll<memref::ExpandShapeOp, memref::CollapseShapeOp>(addReshape);
    return table;
  }();
  return rules;
}

/// What follows from the memref that `op` views.
static void addViewFacts(IndexFacts &index, Operation *op, MemRefFacts &facts) {
  const ViewRules::Rule *rule = getViewRules().find(op);
  if (!rule || !isa<MemRefType>(op->getOperand(0).getType()))
    return;
  MemRefFacts source = index.getMemRefFacts(op->getOperand(0));
  facts.baseAlignmentBytes = source.baseAlignmentBytes;
  (*rule)({index, source}, facts, op);
}

MemRefFacts IndexFacts::getOwnFacts(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  MemRefFacts facts = getTypeFacts(type);
  auto argument = dyn_cast<BlockArgument>(memref);
  if (argument && argument.getOwner()->isEntryBlock() &&
      isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
    addArgumentFacts(argument, facts);
  if (memref.getDefiningOp<memref::AllocOp>())
    addAllocation(type, defaultAlignmentBytes, facts);
  else if (Operation *op = memref.getDefiningOp())
    addViewFacts(*this, op, facts);
  addAssumedSizes(memref, facts);
  if (auto it = supposed.find(memref); it != supposed.end()) {
    facts.alignmentBytes =
        joinDivisors(facts.alignmentBytes, it->second.alignmentBytes);
    join(facts.sizeDivisors, it->second.sizeDivisors);
    join(facts.strideDivisors, it->second.strideDivisors);
  }
  return facts;
}

MemRefFacts IndexFacts::getMemRefFacts(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  MemRefFacts facts = getOwnFacts(memref);
  for (auto [dim, divisor] : llvm::enumerate(facts.sizeDivisors))
    for (auto [other, otherDim] : getEqualSizes({memref, int64_t(dim)}))
      divisor =
          joinDivisors(divisor, getOwnFacts(other).sizeDivisors[otherDim]);
  keepStaticSizes(type, facts);
  deriveStrides(type, facts);
  return facts;
}
