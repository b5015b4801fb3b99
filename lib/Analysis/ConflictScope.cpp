//===- ConflictScope.cpp - Whose accesses conflict ------------------------===//

#include "tile/Analysis/ConflictScope.h"

#include "PlaceComparison.h"

#include "tile/Analysis/LoopValue.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

ConflictScopes::ConflictScopes(ArrayRef<BlockAccess> accesses, bool isOneWarp)
    : accesses(accesses),
      widest(isOneWarp ? ConflictScope::Warp : ConflictScope::Block) {
  for (const BlockAccess &access : accesses)
    places.push_back(access.memref ? getAccessPlace(access) : AccessPlace());
}

std::optional<ConflictScope>
ConflictScopes::find(int64_t earlier, int64_t later, PlaceFacts facts) const {
  auto [entry, isNew] =
      known.try_emplace({earlier, later, facts}, std::nullopt);
  if (!isNew)
    return entry->second;
  entry->second = compute(earlier, later, facts);
  if (entry->second)
    entry->second = std::min(*entry->second, widest);
  return entry->second;
}

bool ConflictScopes::movesWith(Operation *loop, int64_t access) const {
  auto isInside = [&](Value value) {
    return value && loop->isAncestor(value.getParentBlock()->getParentOp());
  };
  const AccessPlace &place = places[access];
  return isInside(place.space) ||
         llvm::any_of(place.dims, [&](const PlaceDim &dim) {
           return isInside(dim.symbol);
         });
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Whether `space` is one memref for as long as the launch runs.
static bool isFixed(Value space) {
  if (auto argument = dyn_cast<BlockArgument>(space))
    return isa_and_nonnull<FunctionOpInterface>(
        argument.getOwner()->getParentOp());
  return isa<ViewOp, AllocOp>(space.getDefiningOp());
}

/// Whether two boxes have no coordinate of a dimension in common, given that
/// the starts are comparable.
static bool areApart(const PlaceDim &a, int64_t aStart, const PlaceDim &b,
                     int64_t bStart) {
  if (ShapedType::isDynamic(a.extent) || ShapedType::isDynamic(b.extent) ||
      a.stride < 1 || b.stride < 1)
    return false;
  int64_t aEnd = aStart + (a.extent - 1) * a.stride + 1;
  int64_t bEnd = bStart + (b.extent - 1) * b.stride + 1;
  return aEnd <= bStart || bEnd <= aStart;
}

/// Whether `value` is the same in all iterations of `loop`.
static bool isInvariant(Value value, Operation *loop) {
  return !loop->isAncestor(value.getParentBlock()->getParentOp());
}

/// Whether `b`, one or more iterations of `loop` after `a`, starts where `a`
/// ends or further.
static bool hasMovedPast(const PlaceDim &a, const PlaceDim &b,
                         Operation *loop) {
  std::optional<LoopValue> symbol =
      a.symbol ? getLoopValue(a.symbol) : std::nullopt;
  if (!symbol || symbol->carried || symbol->loop != loop ||
      a.symbol != b.symbol || a.factor != b.factor || a.factor < 1 ||
      ShapedType::isDynamic(a.extent) || a.stride < 1 || b.stride < 1)
    return false;
  std::optional<int64_t> step = getConstantIntValue(symbol->loop.getStep());
  int64_t end = a.start + (a.extent - 1) * a.stride + 1;
  return step && *step > 0 && a.factor * *step + b.start >= end;
}

/// The starts of both places in one space, common symbols left out, and what
/// coordinates exist. `areDisjoint` is set where some dimension shows that.
/// Fails where a dimension cannot be compared.
static LogicalResult alignStarts(ComparedAccess &a, ComparedAccess &b,
                                 PlaceFacts facts, bool &areDisjoint) {
  ArrayRef<int64_t> shape =
      cast<MemRefType>(a.place->space.getType()).getShape();
  bool areComparable = true;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    const PlaceDim &aDim = a.place->dims[dim], &bDim = b.place->dims[dim];
    bool isSameSlot = dim == 0 && facts.isSameSlot;
    bool isSameValue =
        !aDim.symbol || facts.hasSameValues ||
        (facts.advancedLoop && isInvariant(aDim.symbol, facts.advancedLoop));
    bool hasCommonSymbol =
        aDim.symbol == bDim.symbol && aDim.factor == bDim.factor && isSameValue;
    a.starts.push_back(isSameSlot ? 0 : aDim.start);
    b.starts.push_back(isSameSlot ? 0 : bDim.start);
    bool isKnown = isSameSlot || !aDim.symbol;
    a.ends.push_back(isKnown ? shape[dim] : ShapedType::kDynamic);
    b.ends.push_back(a.ends.back());
    if (aDim.isUnknown || bDim.isUnknown) {
      areComparable = false;
    } else if (!isSameSlot && !hasCommonSymbol) {
      areComparable = false;
      areDisjoint |= hasMovedPast(aDim, bDim, facts.advancedLoop);
    } else {
      areDisjoint |= areApart(aDim, a.starts[dim], bDim, b.starts[dim]);
    }
  }
  return success(areComparable);
}

/// The starts of a place whose dimensions are all constant.
static LogicalResult setConstantStarts(ComparedAccess &own) {
  auto type = cast<MemRefType>(own.place->space.getType());
  for (auto [dim, extent] : llvm::zip(own.place->dims, type.getShape())) {
    if (dim.symbol || dim.isUnknown)
      return failure();
    own.starts.push_back(dim.start);
    own.ends.push_back(extent);
  }
  return success();
}

/// Whether elements share bytes with their neighbours.
static bool hasPartialBytes(const BlockAccess &access) {
  auto type = cast<MemRefType>(access.memref.getType());
  return getMemoryBits(type.getElementType()) % 8 != 0;
}

/// Whether each thread touches the elements of one layout at one place, each of
/// which it alone holds. The same as enumerating, at once.
static bool isThreadPrivate(const ComparedAccess &a, const ComparedAccess &b) {
  return a.access->threads && a.access->threads == b.access->threads &&
         a.starts == b.starts && a.place->tileDims == b.place->tileDims &&
         llvm::equal(a.place->dims, b.place->dims,
                     [](const PlaceDim &x, const PlaceDim &y) {
                       return x.stride == y.stride;
                     }) &&
         a.access->threads.getLayout().getReplication() == 1;
}

/// Whether the place has all elements between its ends.
static bool isDense(const ComparedAccess &own) {
  return llvm::all_of(own.place->dims,
                      [](const PlaceDim &dim) { return dim.stride == 1; });
}

/// Whether any thread may touch any element of the place, which is a dense box.
static bool isByAnyThread(const ComparedAccess &own) {
  return !own.access->threads && !own.access->byOneThread && isDense(own);
}

std::optional<ConflictScope> ConflictScopes::compute(int64_t earlier,
                                                     int64_t later,
                                                     PlaceFacts facts) const {
  ComparedAccess a{&accesses[earlier], &places[earlier], {}, {}};
  ComparedAccess b{&accesses[later], &places[later], {}, {}};
  if (a.access->byOneThread && b.access->byOneThread)
    return ConflictScope::Thread;
  Value space = a.place->space;
  if (!space || !b.place->space || hasPartialBytes(*a.access) ||
      hasPartialBytes(*b.access))
    return ConflictScope::Block;
  bool inOneSpace = space == b.place->space;
  if (inOneSpace) {
    if (!facts.hasSameValues && !isFixed(space))
      return ConflictScope::Block;
    bool areDisjoint = false;
    LogicalResult aligned = alignStarts(a, b, facts, areDisjoint);
    if (areDisjoint)
      return std::nullopt;
    if (failed(aligned))
      return ConflictScope::Block;
    if (isThreadPrivate(a, b))
      return ConflictScope::Thread;
    if ((isByAnyThread(a) && isDense(b)) || (isByAnyThread(b) && isDense(a)))
      return ConflictScope::Block;
  } else {
    auto aView = space.getDefiningOp<ViewOp>();
    auto bView = b.place->space.getDefiningOp<ViewOp>();
    bool areViews = aView && bView && aView.getArena() == bView.getArena();
    if (!areViews || failed(setConstantStarts(a)) ||
        failed(setConstantStarts(b)))
      return ConflictScope::Block;
  }
  FailureOr<std::optional<ConflictScope>> scope =
      PlaceComparison(std::move(a), std::move(b)).compare(inOneSpace);
  return succeeded(scope) ? *scope : ConflictScope::Block;
}
