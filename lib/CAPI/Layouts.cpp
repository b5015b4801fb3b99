//===- Layouts.cpp - Layouts of fragments and buffers, in C ---------------===//

#include "tile-c/Dialect.h"

#include "tile/Dialect/Tile/SharedSpelling.h"

#include "mlir/CAPI/IR.h"

using namespace mlir;
using namespace mlir::tile;

static tilec::Coordinate getCoordinate(intptr_t rank, const int64_t *numbers) {
  return {numbers, numbers + rank};
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

static_assert(static_cast<int>(tilec::HardwareDim::Warp) ==
              TileHardwareDimWarp);

bool tileAttributeIsAFragment(MlirAttribute attr) {
  return isa<FragmentAttr>(unwrap(attr));
}

MlirAttribute tileFragmentAttrGet(MlirLocation loc, intptr_t rank,
                                  const int64_t *shape,
                                  const intptr_t numDigits[3],
                                  const TileDigit *const digits[3]) {
  tilec::Digits lists[3];
  for (int where = 0; where < 3; ++where)
    for (const TileDigit &digit : ArrayRef(digits[where], numDigits[where]))
      lists[where].push_back(
          {digit.extent, static_cast<int>(digit.dim), digit.step});
  auto layout = tilec::FragmentLayout::get(getCoordinate(rank, shape), lists[0],
                                           lists[1], lists[2]);
  Location at = unwrap(loc);
  if (layout)
    return wrap(Attribute(FragmentAttr::get(at.getContext(), *layout)));
  emitError(at) << "invalid fragment layout: " << layout.reason();
  return wrap(Attribute());
}

static tilec::FragmentLayout getFragmentLayout(MlirAttribute attr) {
  return cast<FragmentAttr>(unwrap(attr)).getLayout();
}

intptr_t tileFragmentAttrGetRank(MlirAttribute attr) {
  return getFragmentLayout(attr).getRank();
}

int64_t tileFragmentAttrGetSize(MlirAttribute attr, intptr_t dim) {
  return getFragmentLayout(attr).getShape()[dim];
}

intptr_t tileFragmentAttrGetNumDigits(MlirAttribute attr,
                                      TileHardwareDim where) {
  return static_cast<intptr_t>(
      getFragmentLayout(attr)
          .getDigits(static_cast<tilec::HardwareDim>(where))
          .size());
}

TileDigit tileFragmentAttrGetDigit(MlirAttribute attr, TileHardwareDim where,
                                   intptr_t digit) {
  tilec::FragmentLayout layout = getFragmentLayout(attr);
  const tilec::Digit &found =
      layout.getDigits(static_cast<tilec::HardwareDim>(where))[digit];
  return {found.extent, found.dim, found.step, /*weight=*/0};
}

void tileFragmentAttrEvaluate(MlirAttribute attr, const int64_t position[3],
                              int64_t *coordinate) {
  llvm::copy(
      getFragmentLayout(attr).evaluate(position[0], position[1], position[2]),
      coordinate);
}

//===----------------------------------------------------------------------===//
// Shared buffers
//===----------------------------------------------------------------------===//

bool tileAttributeIsAShared(MlirAttribute attr) {
  return isa<SharedAttr>(unwrap(attr));
}

static MlirAttribute getShared(MlirLocation loc,
                               const SharedSpelling &spelling) {
  Location at = unwrap(loc);
  return wrap(Attribute(tile::getShared(at.getContext(), spelling,
                                        [&] { return emitError(at); })));
}

MlirAttribute tileSharedAttrGet(MlirLocation loc, intptr_t rank,
                                const int64_t *shape, intptr_t numDigits,
                                const TileDigit *digits,
                                const int64_t *xorBits) {
  SharedSpelling spelling;
  spelling.shape.assign(shape, shape + rank);
  for (const TileDigit &digit : ArrayRef(digits, numDigits))
    spelling.offset.push_back(
        {digit.extent, static_cast<int>(digit.dim), digit.step, digit.weight});
  if (xorBits)
    spelling.xorBits.assign(xorBits, xorBits + 3);
  return getShared(loc, spelling);
}

MlirAttribute tileSharedAttrGetShort(MlirLocation loc, intptr_t rank,
                                     const int64_t *shape, const int64_t *order,
                                     int64_t pad, int64_t swizzle) {
  SharedSpelling spelling;
  spelling.shape.assign(shape, shape + rank);
  if (order)
    spelling.order.assign(order, order + rank);
  spelling.pad = pad;
  spelling.swizzle = swizzle;
  return getShared(loc, spelling);
}

static SharedAttr unwrapShared(MlirAttribute attr) {
  return cast<SharedAttr>(unwrap(attr));
}

intptr_t tileSharedAttrGetRank(MlirAttribute attr) {
  return static_cast<intptr_t>(unwrapShared(attr).getShape().size());
}

int64_t tileSharedAttrGetSize(MlirAttribute attr, intptr_t dim) {
  return unwrapShared(attr).getShape()[dim];
}

bool tileSharedAttrIsShort(MlirAttribute attr) {
  return unwrapShared(attr).isShortForm();
}

int64_t tileSharedAttrGetPad(MlirAttribute attr) {
  return unwrapShared(attr).getPad();
}

int64_t tileSharedAttrGetSwizzle(MlirAttribute attr) {
  return unwrapShared(attr).getSwizzle();
}

int64_t tileSharedAttrGetBitOffset(MlirAttribute attr, int64_t elementBits,
                                   const int64_t *coordinate) {
  auto layout = unwrapShared(attr).getLayout(elementBits);
  if (!layout)
    return -1;
  return layout->getBitOffset(getCoordinate(layout->getRank(), coordinate));
}
