//===- FragmentTile.cpp - Repeating an atom, and finding it again ---------===//
//
// An instruction fixes the innermost digits, its atom; what a warp repeats and
// how warps share the tile are digits on top. `tile` puts them there, `divide`
// takes them off, and `tile(atom, shape, *layout.divide(atom)) == layout`.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "tile/Layout/FragmentLayout.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::detail;

Expected<FragmentLayout> FragmentLayout::tile(const FragmentLayout &atom,
                                              Coordinate shape,
                                              const std::vector<Outer> &outer) {
  if (shape.size() != atom.shape.size())
    return Failure{"an atom of rank " + std::to_string(atom.shape.size()) +
                   " cannot tile a shape of rank " +
                   std::to_string(shape.size())};
  std::array<Digits, 3> digits = atom.digits;
  Coordinate reached = atom.getBox();
  for (int64_t &end : reached)
    end = std::max<int64_t>(end, 1);
  for (const Outer &entry : outer) {
    Digits &list = digits[static_cast<int>(entry.where)];
    if (auto failure = checkDigit(entry.extent, entry.dim, 0,
                                  static_cast<int>(shape.size())))
      return *failure;
    if (entry.dim == Digit::replicated) {
      list.push_back({entry.extent, Digit::replicated, 0});
      continue;
    }
    list.push_back({entry.extent, entry.dim, reached[entry.dim]});
    std::optional<int64_t> product = multiply(reached[entry.dim], entry.extent);
    if (!product)
      return Failure{"the digits in dimension " + std::to_string(entry.dim) +
                     " cover more than 2^48"};
    reached[entry.dim] = *product;
  }
  return get(std::move(shape), std::move(digits[0]), std::move(digits[1]),
             std::move(digits[2]));
}

/// Takes the digits of `atom` off the front of `digits`. The last may be a
/// divisor of the digit it is merged with.
static bool stripAtom(Digits &digits, const Digits &atom) {
  if (atom.size() > digits.size())
    return false;
  for (size_t i = 0; i < atom.size(); ++i) {
    Digit &digit = digits[i];
    if (digit.dim != atom[i].dim || digit.step != atom[i].step ||
        digit.extent % atom[i].extent != 0)
      return false;
    digit.extent /= atom[i].extent;
    digit.step *= atom[i].extent;
    if (digit.extent > 1 && i + 1 < atom.size())
      return false;
  }
  std::erase_if(digits, [](const Digit &digit) { return digit.extent == 1; });
  return true;
}

Expected<std::vector<FragmentLayout::Outer>>
FragmentLayout::divide(const FragmentLayout &atom) const {
  if (atom.shape.size() != shape.size())
    return Failure{"an atom of rank " + std::to_string(atom.shape.size()) +
                   " cannot divide a layout of rank " +
                   std::to_string(shape.size())};
  std::array<Digits, 3> rest = digits;
  for (int i = 0; i < 3; ++i)
    if (!stripAtom(rest[i], atom.digits[i]))
      return Failure{"the atom " + atom.toString() +
                     " is not the innermost part of " + toString()};

  // `tile` continues chains in list order, so a digit's turn has come when its
  // step is where its dimension's chain stands. Taking one never blocks
  // another.
  std::vector<Outer> outer;
  Coordinate reached = atom.getBox();
  std::array<size_t, 3> next = {0, 0, 0};
  for (bool progressed = true; progressed;) {
    progressed = false;
    for (int i = 0; i < 3; ++i)
      for (; next[i] < rest[i].size(); ++next[i]) {
        const Digit &digit = rest[i][next[i]];
        if (!digit.replicates()) {
          if (digit.step != reached[digit.dim])
            break;
          reached[digit.dim] *= digit.extent;
        }
        outer.push_back({static_cast<HardwareDim>(i), digit.dim, digit.extent});
        progressed = true;
      }
  }
  for (int i = 0; i < 3; ++i)
    if (next[i] < rest[i].size())
      return Failure{"beyond the atom " + atom.toString() +
                     ", no order of digits gives " + toString()};
  return outer;
}
