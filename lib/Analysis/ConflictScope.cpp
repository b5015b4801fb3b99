//===- ConflictScope.cpp - Whose accesses conflict ------------------------===//

#include "tile/Analysis/ConflictScope.h"

#include "PlaceComparison.h"
#include "PlaceDistance.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

static SmallVector<AccessPlace> getPlaces(ArrayRef<BlockAccess> accesses) {
  return llvm::map_to_vector(accesses, [](const BlockAccess &access) {
    return access.memref ? getAccessPlace(access) : AccessPlace();
  });
}

ConflictScopes::ConflictScopes(LaunchOp launch, ArrayRef<BlockAccess> accesses,
                               bool isOneWarp)
    : accesses(accesses), indices(launch), places(getPlaces(accesses)),
      kinds(accesses, places),
      widest(isOneWarp ? ConflictScope::Warp : ConflictScope::Block) {}

std::optional<ConflictScope>
ConflictScopes::find(int64_t earlier, int64_t later, PlaceFacts facts) const {
  auto [entry, isNew] = known.try_emplace(
      {kinds.getKind(earlier), kinds.getKind(later), facts}, std::nullopt);
  if (!isNew)
    return entry->second;
  entry->second = compute(earlier, later, facts);
  if (entry->second)
    entry->second = std::min(*entry->second, widest);
  return entry->second;
}

bool ConflictScopes::mayBeOfOthers(int64_t earlier, int64_t later) const {
  if (kinds.areApart(kinds.getKind(earlier), kinds.getKind(later)))
    return false;
  PlaceFacts facts;
  facts.hasSameValues = true;
  std::optional<ConflictScope> scope = find(earlier, later, facts);
  return scope && scope != ConflictScope::Thread;
}

bool ConflictScopes::movesWith(Operation *loop, int64_t access) const {
  auto isInside = [&](Value value) {
    return loop->isAncestor(value.getParentBlock()->getParentOp());
  };
  const AccessPlace &place = places[access];
  return (place.space && isInside(place.space)) ||
         llvm::any_of(place.dims, [&](const PlaceDim &dim) {
           return (dim.rows && isInside(dim.rows)) ||
                  llvm::any_of(llvm::make_first_range(dim.start.getFactors()),
                               isInside);
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

/// The starts of both places in one space, relative to each other, and what
/// coordinates exist. `areDisjoint` is set where that is shown. Fails where a
/// dimension cannot be compared.
static LogicalResult alignStarts(ComparedAccess &a, ComparedAccess &b,
                                 PlaceFacts facts, PlaceDistance distance,
                                 bool &areDisjoint) {
  ArrayRef<int64_t> shape =
      cast<MemRefType>(a.place->space.getType()).getShape();
  bool areComparable = true;
  CommonValues common(distance);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    PlaceDim aDim = a.place->dims[dim], bDim = b.place->dims[dim];
    if (dim == 0 && facts.isSameSlot)
      aDim.start = bDim.start = LinearForm();
    bool areKnown = !aDim.isUnknown && !bDim.isUnknown;
    bool areAlike =
        aDim.rows && aDim.rows == bDim.rows && distance.isSame(aDim.rows);
    a.hasRows |= areAlike;
    std::optional<int64_t> apart =
        areKnown || areAlike ? distance.getConstant(aDim, bDim) : std::nullopt;
    a.starts.push_back(aDim.start.getConstant());
    b.starts.push_back(a.starts.back() + apart.value_or(0));
    bool isConstant = areKnown && aDim.start.isConstant();
    a.ends.push_back(isConstant ? shape[dim] : ShapedType::kDynamic);
    b.ends.push_back(a.ends.back());
    areComparable &= apart.has_value();
    areDisjoint |= distance.areApart(aDim, bDim);
    common.add(aDim, bDim);
  }
  auto loop = dyn_cast_or_null<LoopLikeOpInterface>(facts.advancedLoop);
  if (std::optional<Value> number =
          loop ? loop.getSingleInductionVar() : std::nullopt)
    areDisjoint |= common.include(*number);
  return success(areComparable);
}

/// The starts of a place whose dimensions are all constant.
static LogicalResult setConstantStarts(ComparedAccess &own) {
  auto type = cast<MemRefType>(own.place->space.getType());
  for (auto [dim, extent] : llvm::zip(own.place->dims, type.getShape())) {
    if (!dim.start.isConstant() || dim.isUnknown)
      return failure();
    own.starts.push_back(dim.start.getConstant());
    own.ends.push_back(extent);
  }
  return success();
}

/// Whether elements share bytes with their neighbours.
static bool hasPartialBytes(const BlockAccess &access) {
  auto type = cast<MemRefType>(access.memref.getType());
  return getMemoryBits(type.getElementType()) % 8 != 0;
}

/// Which thread touches which element; of gathered rows, by their numbers.
static FragmentAttr getThreads(const ComparedAccess &own, bool hasRows) {
  return hasRows && own.access->fragment
             ? getFragment(own.access->fragment.getType())
             : own.access->threads;
}

/// Whether each thread touches the elements of one layout at one place, each of
/// which it alone holds. The same as enumerating, at once.
static bool isThreadPrivate(const ComparedAccess &a, const ComparedAccess &b) {
  FragmentAttr threads = getThreads(a, a.hasRows);
  return threads && threads == getThreads(b, a.hasRows) &&
         a.starts == b.starts && a.place->tileDims == b.place->tileDims &&
         llvm::equal(a.place->dims, b.place->dims,
                     [](const PlaceDim &x, const PlaceDim &y) {
                       return x.stride == y.stride;
                     }) &&
         threads.getLayout().getReplication() == 1;
}

/// Whether no row is repeated: a store writes an element once.
static bool hasUniqueRows(const ComparedAccess &own) {
  return isa<StoreOp>(own.access->op);
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
    PlaceDistance distance(indices, facts);
    if (!isFixed(space) && !distance.isSame(space))
      return ConflictScope::Block;
    bool areDisjoint = false;
    LogicalResult aligned = alignStarts(a, b, facts, distance, areDisjoint);
    if (areDisjoint)
      return std::nullopt;
    if (failed(aligned))
      return ConflictScope::Block;
    bool areRowsUnique = !a.hasRows || hasUniqueRows(a) || hasUniqueRows(b);
    if (isThreadPrivate(a, b) && areRowsUnique)
      return ConflictScope::Thread;
    if (a.hasRows)
      return ConflictScope::Block;
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
