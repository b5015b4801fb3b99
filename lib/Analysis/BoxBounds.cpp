//===- BoxBounds.cpp - Where boxes and views end --------------------------===//
//
// A box lies inside of a size by the range of its start, or because both are
// multiples of its extent and the start is below the size: it counts up to there. A view
// ends where the memref does if it has all of it, or what an offset leaves.
//
//===----------------------------------------------------------------------===//

#include "BoxBounds.h"
#include "tile/Analysis/Divisors.h"
#include "tile/Analysis/LinearForm.h"
#include "tile/Analysis/SizeNames.h"
#include "tile/Dialect/Tile/SubViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

/// The sum of what `getBound` says of the terms, whose factors are positive;
/// nothing where that is not known, or does not fit.
static std::optional<int64_t>
getBound(const BoxStart &start,
         llvm::function_ref<std::optional<int64_t>(Value)> getBound) {
  int64_t sum = start.constant;
  for (auto [value, factor] : start.terms) {
    std::optional<int64_t> bound = getBound(value);
    int64_t product;
    if (!bound || llvm::MulOverflow(*bound, factor, product) ||
        llvm::AddOverflow(sum, product, sum))
      return std::nullopt;
  }
  return sum;
}

std::optional<int64_t> tile::getLowerBound(IndexFacts &facts,
                                           const BoxStart &start) {
  return getBound(start,
                  [&](Value value) { return facts.getLowerBound(value); });
}

std::optional<int64_t> tile::getUpperBound(IndexFacts &facts,
                                           const BoxStart &start) {
  return getBound(start,
                  [&](Value value) { return facts.getUpperBound(value); });
}

bool tile::isNegativeNowhere(IndexFacts &facts, const BoxStart &start) {
  return getLowerBound(facts, start).value_or(-1) >= 0;
}

//===----------------------------------------------------------------------===//
// Boxes inside
//===----------------------------------------------------------------------===//

/// Whether `grid` is the number of groups of `group` that `size` has.
static bool countsGroups(Value grid, Value size, int64_t group) {
  Operation *op = grid.getDefiningOp();
  bool isQuotient = grid.getDefiningOp<arith::CeilDivSIOp>() ||
                    grid.getDefiningOp<arith::CeilDivUIOp>() ||
                    grid.getDefiningOp<arith::FloorDivSIOp>() ||
                    grid.getDefiningOp<arith::DivSIOp>() ||
                    grid.getDefiningOp<arith::DivUIOp>();
  return isQuotient && op->getOperand(0) == size &&
         getConstantIntValue(op->getOperand(1)) == group;
}

/// What `number`, of a block or a step of a loop, is below of; null for others.
static Value getEnd(IndexFacts &facts, Value number) {
  if (scf::ForOp loop = scf::getForInductionVarOwner(number))
    return loop.getUnsignedCmp() ? Value() : loop.getUpperBound();
  auto argument = dyn_cast<BlockArgument>(number);
  LaunchOp launch = facts.getLaunch();
  return argument && argument.getOwner() == &launch.getBody().front()
             ? launch.getGrid()[argument.getArgNumber()]
             : Value();
}

/// Whether the `extent` elements from `start` on lie below `size`, which they divide
/// as the start: a loop or the grid counts up to there, in groups or one by one. A
/// group that is not the last but one ends below the size, and does not wrap.
static bool isWithin(IndexFacts &facts, Value start, int64_t extent,
                     Value size) {
  if (facts.getDivisor(size) % extent != 0)
    return false;
  if (getEnd(facts, start) == size)
    return facts.getDivisor(start) % extent == 0 &&
           facts.getLowerBound(start).value_or(-1) >= 0;
  LinearForm form(start);
  auto factors = form.getFactors();
  if (form.getConstant() != 0 || factors.size() != 1)
    return false;
  auto [number, group] = factors.front();
  Value end = getEnd(facts, number);
  return end && group > 0 && group % extent == 0 &&
         countsGroups(end, size, group) &&
         facts.getLowerBound(number).value_or(-1) >= 0;
}

bool tile::isInside(IndexFacts &facts, const ViewedBox &box, int64_t dim,
                    int64_t size) {
  if (box.inBounds[dim])
    return true;
  const BoxStart &start = box.starts[dim];
  if (box.rowsDim == dim || !isNegativeNowhere(facts, start))
    return false;
  std::optional<int64_t> last = getUpperBound(facts, start);
  return last && *last <= size - box.extents[dim];
}

bool tile::isInside(IndexFacts &facts, const ViewedBox &box, int64_t dim,
                    OpFoldResult size) {
  if (auto constant = getConstantIntValue(size))
    return isInside(facts, box, dim, *constant);
  const BoxStart &start = box.starts[dim];
  bool isOneValue = start.constant == 0 && start.terms.size() == 1 &&
                    start.terms.front().second == 1;
  return box.inBounds[dim] || (isOneValue && box.rowsDim != dim &&
                               isWithin(facts, start.terms.front().first,
                                        box.extents[dim], cast<Value>(size)));
}

/// The sizes that the view `memref` is made with; none of others.
static SmallVector<OpFoldResult> getStatedSizes(Value memref) {
  if (auto view = memref.getDefiningOp<memref::ExpandShapeOp>())
    return view.getMixedOutputShape();
  SmallVector<OpFoldResult> kept;
  auto view = memref.getDefiningOp<memref::SubViewOp>();
  llvm::SmallBitVector dropped =
      view ? getDroppedDims(view) : llvm::SmallBitVector();
  for (unsigned dim = 0; dim < dropped.size(); ++dim)
    if (!dropped.test(dim))
      kept.push_back(view.getMixedSizes()[dim]);
  return kept;
}

/// The sizes of `memref` along `dim` that operations give.
static SmallVector<Value> getAskedSizes(Value memref, int64_t dim) {
  SmallVector<Value> sizes;
  for (Operation *user : memref.getUsers())
    for (Value result : user->getResults())
      if (auto op = result.getDefiningOp<memref::DimOp>();
          op && op.getSource() == memref && op.getConstantIndex() == dim)
        sizes.push_back(result);
  return sizes;
}

/// What is known to be the size of `memref` along `dim`.
static SmallVector<OpFoldResult> getSizes(TypedValue<MemRefType> memref,
                                          int64_t dim) {
  if (!memref.getType().isDynamicDim(dim)) {
    Builder builder(memref.getContext());
    return {builder.getIndexAttr(memref.getType().getDimSize(dim))};
  }
  SmallVector<OpFoldResult> sizes;
  SmallVector<OpFoldResult> stated = getStatedSizes(memref);
  if (!stated.empty())
    sizes.push_back(stated[dim]);
  llvm::append_range(sizes, getAskedSizes(memref, dim));
  for (const MemRefSize &equal : getEqualSizes({memref, dim}))
    llvm::append_range(sizes, getAskedSizes(equal.memref, equal.dim));
  return sizes;
}

bool tile::isInside(IndexFacts &facts, const ViewedBox &box, int64_t dim) {
  auto sizes = getSizes(cast<TypedValue<MemRefType>>(box.memref), dim);
  return box.inBounds[dim] || llvm::any_of(sizes, [&](OpFoldResult size) {
           return isInside(facts, box, dim, size);
         });
}

/// Whether `size` is that of `memref` along `dim`.
static bool isSizeOf(OpFoldResult size, TypedValue<MemRefType> memref,
                     int64_t dim) {
  if (auto constant = getConstantIntValue(size))
    return memref.getType().getDimSize(dim) == *constant;
  return llvm::is_contained(getSizes(memref, dim), size);
}

bool tile::endsTogether(OpFoldResult offset, OpFoldResult size,
                        TypedValue<MemRefType> memref, int64_t dim) {
  auto first = getConstantIntValue(offset), count = getConstantIntValue(size);
  if (first == 0)
    return isSizeOf(size, memref, dim);
  if (first && count)
    return memref.getType().getDimSize(dim) == *first + *count;
  auto rest = count ? arith::SubIOp()
                    : cast<Value>(size).getDefiningOp<arith::SubIOp>();
  return rest && getAsOpFoldResult(rest.getRhs()) == offset &&
         isSizeOf(getAsOpFoldResult(rest.getLhs()), memref, dim);
}
