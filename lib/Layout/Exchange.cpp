//===- Exchange.cpp - From one layout to another --------------------------===//
//
// The question behind all of this: does the element that `target` puts at a
// position agree with a digit of `source`? If for all lane and warp digits it
// does, the source holds the element in the same thread; if for the warp digits
// alone, in the same warp.
//
// A digit of `source` agrees for certain when one digit of `target` at the same
// place has the same step and a multiple of its extent. That settles nearly
// every case by arithmetic; the digits it leaves open are compared position by
// position, up to the first that disagrees. Padding never counts.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "tile/Layout/FragmentLayout.h"

#include <cassert>
#include <initializer_list>

using namespace tilec;
using namespace tilec::detail;

namespace {
/// A digit and the weight of its value in its hardware position.
struct PlacedDigit {
  Digit digit;
  HardwareDim where;
  int64_t place;
};
} // namespace

/// Whether `target` has a digit that implies this one of another layout: for
/// all elements x of target, x[dim] / step % extent is position / place %
/// extent.
static bool isImplied(const PlacedDigit &wanted, const FragmentLayout &target) {
  int64_t place = 1;
  for (const Digit &digit : target.getDigits(wanted.where)) {
    if (digit.dim == wanted.digit.dim && wanted.place % place == 0) {
      int64_t below = wanted.place / place;
      if (below < digit.extent && digit.step * below == wanted.digit.step &&
          digit.extent % (below * wanted.digit.extent) == 0)
        return true;
    }
    place *= digit.extent;
  }
  return false;
}

/// Calls `visit(reg, lane, warp, coordinate)` for the elements of the shape
/// until one call is false; whether none was.
template <typename Visitor>
static bool allOf(const FragmentLayout &layout, Visitor visit) {
  int64_t registers = layout.getRegisterCount();
  int64_t lanes = layout.getExtent(HardwareDim::Lane);
  int64_t warps = layout.getExtent(HardwareDim::Warp);
  for (int64_t warp = 0; warp < warps; ++warp)
    for (int64_t lane = 0; lane < lanes; ++lane)
      for (int64_t reg = 0; reg < registers; ++reg) {
        Coordinate coordinate = layout.evaluate(reg, lane, warp);
        if (layout.isInShape(coordinate) && !visit(reg, lane, warp, coordinate))
          return false;
      }
  return true;
}

/// Whether all elements of `target` sit where the digits of `source` in the
/// hardware dimensions `dims` want them.
static bool agrees(const FragmentLayout &source, const FragmentLayout &target,
                   std::initializer_list<HardwareDim> dims) {
  std::vector<PlacedDigit> open;
  for (HardwareDim where : dims) {
    int64_t place = 1;
    for (const Digit &digit : source.getDigits(where)) {
      PlacedDigit placed = {digit, where, place};
      if (!digit.replicates() && !isImplied(placed, target))
        open.push_back(placed);
      place *= digit.extent;
    }
  }
  if (open.empty())
    return true;
  return allOf(target, [&](int64_t, int64_t lane, int64_t warp,
                           const Coordinate &coordinate) {
    for (const PlacedDigit &wanted : open) {
      int64_t position = wanted.where == HardwareDim::Lane ? lane : warp;
      const Digit &digit = wanted.digit;
      if (coordinate[digit.dim] / digit.step % digit.extent !=
          position / wanted.place % digit.extent)
        return false;
    }
    return true;
  });
}

/// Whether the two have the same elements and the same threads.
static bool areComparable(const FragmentLayout &a, const FragmentLayout &b) {
  return a.getShape() == b.getShape() &&
         a.getExtent(HardwareDim::Lane) == b.getExtent(HardwareDim::Lane) &&
         a.getExtent(HardwareDim::Warp) == b.getExtent(HardwareDim::Warp);
}

bool FragmentLayout::contains(const FragmentLayout &other) const {
  if (*this == other)
    return true;
  return areComparable(*this, other) &&
         agrees(*this, other, {HardwareDim::Lane, HardwareDim::Warp});
}

ExchangeKind tilec::classifyExchange(const FragmentLayout &source,
                                     const FragmentLayout &target) {
  if (source.contains(target))
    return ExchangeKind::None;
  if (areComparable(source, target) &&
      agrees(source, target, {HardwareDim::Warp}))
    return ExchangeKind::Shuffle;
  return ExchangeKind::Memory;
}

// Register renaming ----------------------------------------------------------

/// Whether the digits of `target` in lanes and warps never reach into a
/// register digit of `source`: each ends at or below it or starts at or above
/// its end, with whole multiples, so that no sum carries.
static bool areRegistersIndependent(const FragmentLayout &source,
                                    const FragmentLayout &target) {
  for (const Digit &held : source.getDigits(HardwareDim::Register))
    for (HardwareDim where : {HardwareDim::Lane, HardwareDim::Warp})
      for (const Digit &digit : target.getDigits(where)) {
        if (digit.dim != held.dim)
          continue;
        bool isBelow = held.step % (digit.step * digit.extent) == 0;
        bool isAbove = digit.step % (held.step * held.extent) == 0;
        if (!isBelow && !isAbove)
          return false;
      }
  return true;
}

std::vector<int64_t> tilec::getRegisterRenaming(const FragmentLayout &source,
                                                const FragmentLayout &target) {
  assert(source.getShape() == target.getShape() &&
         "an exchange keeps the shape");
  int64_t count = target.getRegisterCount();
  std::vector<int64_t> renaming(count, 0);
  for (int64_t reg = 0; reg < count; ++reg)
    renaming[reg] = source.invert(target.evaluate(reg, 0, 0)).reg;
  if (areRegistersIndependent(source, target))
    return renaming;

  // What thread 0 holds in the padding decides nothing: the first thread with
  // an element in a register does.
  std::vector<bool> isDecided(count, false);
  bool isSame = allOf(
      target, [&](int64_t reg, int64_t, int64_t, const Coordinate &coordinate) {
        int64_t from = source.invert(coordinate).reg;
        if (!isDecided[reg]) {
          isDecided[reg] = true;
          renaming[reg] = from;
        }
        return renaming[reg] == from;
      });
  if (!isSame)
    renaming.clear();
  return renaming;
}
