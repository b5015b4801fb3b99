//===- Reduce.cpp - Reductions in registers and across lanes --------------===//
//
// For each register of the result: combine the operand's registers that fall on
// it, as a tree (products that may fuse with the sum: in chains); then exchange
// with the lanes that hold the rest, one butterfly step per bit of the reduced lane
// digits, after which all of them hold the result; then combine `init`. Warps are
// not crossed here: by now a reduction over warps is a `tile.partial_reduce`, a
// trip through shared memory and a reduction of what it left.
//
//     lane 0 1 2 3        xor 1           xor 2
//          a b c d   ->  ab ab cd cd  ->  abcd in all
//
// Elements in the padding count as the neutral element; with a combiner, which
// has none, they are skipped. Registers that lie in the padding together, as those
// of a vector do, are combined first and masked once. f16 and bf16 accumulate in f32.
//
//===----------------------------------------------------------------------===//

#include "Combiner.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::Digit;
using tilec::FragmentLayout;
using tilec::HardwareDim;

//===----------------------------------------------------------------------===//
// Combining
//===----------------------------------------------------------------------===//

static FailureOr<Element> combineTree(ThreadEmitter &emitter,
                                      Combiner &combiner,
                                      SmallVector<Element> elements) {
  while (elements.size() > 1) {
    SmallVector<Element> next;
    for (size_t i = 0; i + 1 < elements.size(); i += 2) {
      FailureOr<Element> element =
          combine(emitter, combiner, elements[i], elements[i + 1]);
      if (failed(element))
        return failure();
      next.push_back(*element);
    }
    if (elements.size() % 2 != 0)
      next.push_back(elements.back());
    elements = std::move(next);
  }
  return elements.front();
}

/// Whether the sum of `elements` fuses with products: a chain of n elements is
/// then n instructions, a tree half as many again.
static bool areFusedProducts(const Combiner &combiner,
                             ArrayRef<Element> elements) {
  return combiner.fusesProducts() &&
         llvm::all_of(elements, [](const Element &element) {
           auto product = element.values.front().getDefiningOp<arith::MulFOp>();
           return product && bitEnumContainsAll(product.getFastmath(),
                                                arith::FastMathFlags::contract);
         });
}

/// One after the other in `chainCount` chains, which then are a tree.
static FailureOr<Element> combineChains(ThreadEmitter &emitter,
                                        Combiner &combiner,
                                        ArrayRef<Element> elements) {
  constexpr size_t chainCount = 2;
  SmallVector<Element> chains;
  for (auto [index, element] : llvm::enumerate(elements)) {
    if (index < chainCount) {
      chains.push_back(element);
      continue;
    }
    Element &chain = chains[index % chainCount];
    FailureOr<Element> next = combine(emitter, combiner, chain, element);
    if (failed(next))
      return failure();
    chain = *next;
  }
  return combineTree(emitter, combiner, std::move(chains));
}

/// The bits of the lane number that step along the reduced dimensions.
static SmallVector<int64_t> getLaneMasks(const FragmentLayout &layout,
                                         ArrayRef<int64_t> dims) {
  SmallVector<int64_t> masks;
  int64_t weight = 1;
  for (const Digit &digit : layout.getDigits(HardwareDim::Lane)) {
    if (!digit.replicates() && llvm::is_contained(dims, digit.dim))
      for (int64_t bit = 1; bit < digit.extent; bit *= 2)
        masks.push_back(weight * bit);
    weight *= digit.extent;
  }
  return masks;
}

static FailureOr<Element> combineLanes(ThreadEmitter &emitter,
                                       Combiner &combiner, Element element,
                                       ArrayRef<int64_t> masks) {
  bool isWholeWarp = int64_t(1) << masks.size() == emitter.target.warpSize;
  if (isWholeWarp && !element.isValid)
    if (Value all = combiner.combineWarp(element.values.front()))
      return Element{{all}, Value()};
  for (int64_t mask : masks) {
    Element other =
        shuffle(emitter, element, NVVM::ShflKind::bfly, emitter.i32(mask));
    // The lower lane is the left operand in both: a combiner that is
    // commutative only up to rounding or ties still gives both lanes one value.
    Element lower = element, upper = other;
    if (combiner.isOrderSensitive()) {
      Value isUpper = emitter.compare(
          arith::CmpIPredicate::ne,
          emitter.builder.createOrFold<arith::AndIOp>(
              emitter.loc, emitter.getScope().getLane(), emitter.i32(mask)),
          emitter.i32(0));
      auto swap = [&](Value &mine, Value &others) {
        Value chosen = emitter.select(isUpper, others, mine);
        others = emitter.select(isUpper, mine, others);
        mine = chosen;
      };
      for (auto [mine, others] : llvm::zip(lower.values, upper.values))
        swap(mine, others);
      if (element.isValid)
        swap(lower.isValid, upper.isValid);
    }
    FailureOr<Element> combined = combine(emitter, combiner, lower, upper);
    if (failed(combined))
      return failure();
    element = *combined;
  }
  return element;
}

//===----------------------------------------------------------------------===//
// Reductions within warps
//===----------------------------------------------------------------------===//

namespace {
/// What `tile.reduce` and `tile.partial_reduce` share.
struct WarpReduction {
  ThreadEmitter &emitter;
  SmallVector<Value> sources;
  ArrayRef<int64_t> dims;
  SmallVector<Type> accumulatorTypes;
  Combiner &combiner;

  const FragmentLayout &getLayout() {
    return emitter.getLayout(sources.front());
  }
  Coordinate getKept(const Coordinate &coordinate) const;
  FailureOr<Element> combineRegisters(ArrayRef<int64_t> registers);
  /// Reduces what falls on each kept coordinate; by register coordinate.
  FailureOr<std::map<Coordinate, Element>> reduce();
};
} // namespace

Coordinate WarpReduction::getKept(const Coordinate &coordinate) const {
  Coordinate kept;
  for (auto [dim, position] : llvm::enumerate(coordinate))
    if (!llvm::is_contained(dims, dim))
      kept.push_back(position);
  return kept;
}

/// Combines registers that fall on one kept coordinate.
FailureOr<Element>
WarpReduction::combineRegisters(ArrayRef<int64_t> registers) {
  const FragmentLayout &layout = getLayout();
  std::map<SmallVector<int64_t>, SmallVector<Element>> byLimits;
  for (int64_t reg : registers)
    if (auto limits = getLimits(emitter, layout, dims, reg))
      byLimits[*limits].push_back(
          getElement(emitter, sources, accumulatorTypes, reg));
  SmallVector<Element> totals;
  for (auto &[limits, elements] : byLimits) {
    FailureOr<Element> total =
        areFusedProducts(combiner, elements)
            ? combineChains(emitter, combiner, elements)
            : combineTree(emitter, combiner, std::move(elements));
    if (failed(total))
      return failure();
    totals.push_back(
        maskPadding(emitter, combiner, *total, layout, dims, limits));
  }
  return combineTree(emitter, combiner, std::move(totals));
}

FailureOr<std::map<Coordinate, Element>> WarpReduction::reduce() {
  const FragmentLayout &layout = getLayout();
  std::map<Coordinate, SmallVector<int64_t>> byKept;
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg)
    byKept[getKept(getRegisterCoordinate(layout, reg))].push_back(reg);
  SmallVector<int64_t> masks = getLaneMasks(layout, dims);
  std::map<Coordinate, Element> results;
  for (auto &[kept, registers] : byKept) {
    FailureOr<Element> element = combineRegisters(registers);
    if (succeeded(element))
      element = combineLanes(emitter, combiner, *element, masks);
    if (failed(element))
      return failure();
    results[kept] = *element;
  }
  return results;
}

//===----------------------------------------------------------------------===//
// tile.reduce
//===----------------------------------------------------------------------===//

static LogicalResult lowerReduce(ThreadEmitter &emitter, ReduceOp op) {
  if (failed(verifyElementTypes(emitter, op, op.getSources(), "reductions")))
    return failure();
  SmallVector<Type> types =
      getAccumulatorTypes(emitter, op.getSources(), op.getKind().has_value());
  std::unique_ptr<Combiner> combiner = createCombiner(
      emitter, op.getKind(), op.getFastmath(), types[0], &op.getCombiner());

  WarpReduction reduction{emitter, op.getSources(), op.getDims(), types,
                          *combiner};
  auto reduced = reduction.reduce();
  if (failed(reduced))
    return failure();
  const FragmentLayout &layout = emitter.getLayout(op.getResults().front());
  SmallVector<SmallVector<Value>> results(op.getNumResults());
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg) {
    Element element = (*reduced)[getRegisterCoordinate(layout, reg)];
    if (!op.getInits().empty()) {
      Element init{getInits(emitter, op.getInits(), types, reg), Value()};
      FailureOr<Element> combined = combine(emitter, *combiner, init, element);
      if (failed(combined))
        return failure();
      element = *combined;
    }
    for (auto [index, value] : llvm::enumerate(element.values))
      results[index].push_back(toElement(emitter, value, op.getResult(index)));
  }
  for (auto [result, registers] : llvm::zip(op.getResults(), results))
    emitter.bind(result, std::move(registers));
  return success();
}

//===----------------------------------------------------------------------===//
// tile.partial_reduce
//===----------------------------------------------------------------------===//

/// As a reduction, but what the warps hold stays apart, in the last dimension.
static LogicalResult lowerPartialReduce(ThreadEmitter &emitter,
                                        PartialReduceOp op) {
  auto sourceType = cast<RankedTensorType>(op.getSource().getType());
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  Type type = getAccumulatorType(emitter, sourceType.getElementType(), true);
  Type resultScalar = emitter.convertScalarType(resultType.getElementType());
  if (!type || !resultScalar)
    return emitter.notImplemented(op, "reductions of ")
           << sourceType.getElementType();
  std::unique_ptr<Combiner> combiner =
      createCombiner(emitter, op.getKind(), op.getFastmath(), type,
                     /*region=*/nullptr);
  WarpReduction reduction{
      emitter, {op.getSource()}, op.getDims(), {type}, *combiner};
  auto reduced = reduction.reduce();
  if (failed(reduced))
    return failure();
  const FragmentLayout &layout = emitter.getLayout(resultType);
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < layout.getRegisterCount(); ++reg) {
    Coordinate coordinate = getRegisterCoordinate(layout, reg);
    int64_t warpPart = coordinate.back();
    coordinate.pop_back();
    auto found = reduced->find(coordinate);
    if (warpPart != 0 || found == reduced->end())
      return op.emitError(
          "the result's layout is not the operand's with a last "
          "dimension of warps");
    registers.push_back(
        toAccumulator(emitter, found->second.values.front(), resultScalar));
  }
  emitter.bind(op.getResult(), std::move(registers));
  return success();
}

void tile::registerReduceLowerings(LoweringTable &table) {
  table.add(lowerReduce);
  table.add(lowerPartialReduce);
}
