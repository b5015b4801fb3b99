//===- PlaceComparison.cpp - Threads at common places ---------------------===//

#include "PlaceComparison.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::FragmentLayout;
using tilec::HardwareDim;

void PlaceComparison::Toucher::add(Toucher other) {
  if (warp == none) {
    *this = other;
    return;
  }
  if (warp != other.warp || lane != other.lane)
    lane = several;
  if (warp != other.warp)
    warp = several;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// How many coordinates lie between the first and the last of a dimension.
static int64_t getRange(const PlaceDim &dim) {
  return (dim.extent - 1) * dim.stride + 1;
}

LogicalResult PlaceComparison::setUpElements() {
  placeCount = 1;
  for (const PlaceDim &dim : sides[0].place->dims) {
    if (ShapedType::isDynamic(dim.extent) || dim.stride < 1)
      return failure();
    ranges.push_back(getRange(dim));
    if (ranges.back() > largestCount)
      return failure();
    placeCount *= ranges.back();
    if (placeCount > largestCount)
      return failure();
  }
  return success();
}

LogicalResult PlaceComparison::setUpBytes() {
  areBytes = true;
  for (int side : {0, 1}) {
    auto view = sides[side].place->space.getDefiningOp<ViewOp>();
    int64_t bits = getMemoryBits(
        cast<MemRefType>(view.getResult().getType()).getElementType());
    auto layout = view.getLayout().getLayout(bits);
    if (!layout)
      return failure();
    layouts[side] = *layout;
    begins[side] = view.getOffset();
    bytesPerPlace = side == 0 ? bits / 8 : std::gcd(bytesPerPlace, bits / 8);
  }
  placeCount = layouts[0].getSizeBytes() / bytesPerPlace;
  bool isAligned = (begins[1] - begins[0]) % bytesPerPlace == 0;
  return success(isAligned && placeCount <= largestCount);
}

/// Names the places of one element, those that the first access may touch.
void PlaceComparison::visitElement(int side, ArrayRef<int64_t> coordinate,
                                   Toucher toucher, Visit visit) const {
  for (auto [value, end] : llvm::zip(coordinate, sides[side].ends))
    if (!ShapedType::isDynamic(end) && (value < 0 || value >= end))
      return;
  if (!areBytes) {
    int64_t place = 0;
    for (auto [value, start, range] :
         llvm::zip(coordinate, sides[0].starts, ranges)) {
      if (value < start || value >= start + range)
        return;
      place = place * range + value - start;
    }
    return visit(place, toucher);
  }
  const tilec::SharedLayout &layout = layouts[side];
  int64_t begin =
      begins[side] - begins[0] +
      layout.getByteOffset(Coordinate(coordinate.begin(), coordinate.end()));
  int64_t end = begin + layout.getElementBits() / 8;
  for (int64_t byte = begin; byte < end; byte += bytesPerPlace)
    if (int64_t place = byte / bytesPerPlace; byte >= 0 && place < placeCount)
      visit(place, toucher);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// The coordinates of the digits of one hardware dimension.
static SmallVector<Coordinate> getParts(const FragmentLayout &layout,
                                        HardwareDim dim) {
  SmallVector<Coordinate> parts;
  for (int64_t i = 0; i < layout.getExtent(dim); ++i)
    parts.push_back(layout.evaluate(dim == HardwareDim::Register ? i : 0,
                                    dim == HardwareDim::Lane ? i : 0,
                                    dim == HardwareDim::Warp ? i : 0));
  return parts;
}

/// All elements of the box, touched by one thread or by any.
LogicalResult PlaceComparison::visitBox(int side, Visit visit) const {
  const ComparedAccess &own = sides[side];
  int64_t count = 1;
  for (const PlaceDim &dim : own.place->dims) {
    if (ShapedType::isDynamic(dim.extent) || dim.extent > largestCount)
      return failure();
    count *= dim.extent;
    if (count > largestCount)
      return failure();
  }
  Toucher toucher{0, 0};
  if (!own.access->byOneThread)
    toucher = {Toucher::several, Toucher::several};
  SmallVector<int64_t> coordinate(own.starts.size());
  for (int64_t number = 0; number < count && !isWidest; ++number) {
    int64_t left = number;
    for (int64_t dim = coordinate.size() - 1; dim >= 0; --dim) {
      const PlaceDim &along = own.place->dims[dim];
      coordinate[dim] = own.starts[dim] + left % along.extent * along.stride;
      left /= along.extent;
    }
    visitElement(side, coordinate, toucher, visit);
  }
  return success();
}

LogicalResult PlaceComparison::visit(int side, Visit visit) const {
  const ComparedAccess &own = sides[side];
  if (!own.access->threads)
    return visitBox(side, visit);
  const FragmentLayout &layout = own.access->threads.getLayout();
  SmallVector<Coordinate> registers = getParts(layout, HardwareDim::Register);
  SmallVector<Coordinate> lanes = getParts(layout, HardwareDim::Lane);
  SmallVector<Coordinate> warps = getParts(layout, HardwareDim::Warp);
  if (int64_t(registers.size() * lanes.size() * warps.size()) >
      largestCount * layout.getReplication())
    return failure();
  SmallVector<int64_t> coordinate(own.starts);
  for (auto [warp, warpPart] : llvm::enumerate(warps))
    for (auto [lane, lanePart] : llvm::enumerate(lanes)) {
      Toucher toucher{static_cast<int>(warp), static_cast<int>(lane)};
      for (const Coordinate &part : registers) {
        if (isWidest)
          return success();
        bool isInShape = true;
        for (auto [tileDim, dim] : llvm::enumerate(own.place->tileDims)) {
          int64_t value = part[tileDim] + lanePart[tileDim] + warpPart[tileDim];
          isInShape &= value < layout.getShape()[tileDim];
          coordinate[dim] =
              own.starts[dim] + value * own.place->dims[dim].stride;
        }
        if (isInShape)
          visitElement(side, coordinate, toucher, visit);
      }
    }
  return success();
}

FailureOr<std::optional<ConflictScope>>
PlaceComparison::compare(bool inOneSpace) {
  if (failed(inOneSpace ? setUpElements() : setUpBytes()))
    return failure();
  SmallVector<Toucher> touchers(placeCount);
  if (failed(visit(0, [&](int64_t place, Toucher toucher) {
        touchers[place].add(toucher);
      })))
    return failure();
  std::optional<ConflictScope> scope;
  auto widen = [&](int64_t place, Toucher second) {
    Toucher first = touchers[place];
    if (first.warp == Toucher::none)
      return;
    bool isOneWarp = first.warp == second.warp && first.warp >= 0;
    bool isOneThread =
        isOneWarp && first.lane == second.lane && first.lane >= 0;
    ConflictScope own = isOneThread ? ConflictScope::Thread
                        : isOneWarp ? ConflictScope::Warp
                                    : ConflictScope::Block;
    scope = std::max(scope.value_or(own), own);
    isWidest = own == ConflictScope::Block;
  };
  if (failed(visit(1, widen)))
    return failure();
  return scope;
}
