//===- FragmentSlice.cpp - A part of a fragment, in place -----------------===//
//
// A part stays where it is if every thread holds it in registers of its own:
// the part must start and end at multiples of the block that lanes and warps
// share out, or end in the last one, whose rest is padding then, and its
// registers, counted in their old order or in that of the elements, must again be
// digits.
//
//     [128] lane = [32 : (1)], register = [4 : (32)]
//     [64, 128)   register = [2 : (32)], two of the four
//     [64, 120)   the same, of which the last 8 elements are padding
//     [16, 48)    none: cuts the blocks of 32
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "tile/Layout/FragmentLayout.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::detail;

/// The step from which on all digits of `dim` are register digits: parts that
/// start and end at its multiples consist of whole registers.
static int64_t getRegisterStep(const FragmentLayout &layout, int dim) {
  int64_t step = 1;
  for (HardwareDim where : {HardwareDim::Lane, HardwareDim::Warp})
    for (const Digit &digit : layout.getDigits(where))
      if (digit.dim == dim)
        step = std::max(step, digit.step * digit.extent);
  return step;
}

/// The digits whose map is `table`, a list of coordinates that starts with
/// zero.
static std::optional<Digits> fitDigits(const std::vector<Coordinate> &table,
                                       int rank) {
  Digits digits;
  int64_t count = static_cast<int64_t>(table.size());
  for (int64_t place = 1; place < count;) {
    // The position `place` is this digit's value 1 alone.
    Digit digit;
    for (int dim = 0; dim < rank; ++dim)
      if (table[place][dim] != 0) {
        if (!digit.replicates() || table[place][dim] < 0)
          return std::nullopt;
        digit.dim = dim;
        digit.step = table[place][dim];
      }
    if (digit.replicates())
      return std::nullopt;
    auto continues = [&](int64_t value) {
      if (place * value >= count)
        return false;
      Coordinate wanted(rank, 0);
      wanted[digit.dim] = value * digit.step;
      return table[place * value] == wanted;
    };
    while (continues(digit.extent))
      ++digit.extent;
    place *= digit.extent;
    digits.push_back(digit);
    if (count % place != 0)
      return std::nullopt;
  }
  for (int64_t i = 0; i < count; ++i) {
    Coordinate coordinate(rank, 0);
    int64_t rest = i;
    for (const Digit &digit : digits) {
      coordinate[digit.dim] += rest % digit.extent * digit.step;
      rest /= digit.extent;
    }
    if (coordinate != table[i])
      return std::nullopt;
  }
  return digits;
}

Expected<FragmentLayout> FragmentLayout::slice(const Coordinate &offsets,
                                               const Coordinate &sizes) const {
  if (offsets.size() != shape.size() || sizes.size() != shape.size())
    return Failure{"a slice has one offset and one size a dimension"};
  if (sizes == shape && std::ranges::count(offsets, 0) == getRank())
    return *this;
  Coordinate end(shape.size()), box = getBox();
  for (int dim = 0; dim < getRank(); ++dim) {
    int64_t offset = offsets[dim], size = sizes[dim];
    if (offset < 0 || size < 1 || offset > shape[dim] - size)
      return Failure{"the part of dimension " + std::to_string(dim) +
                     " at offset " + std::to_string(offset) + " of size " +
                     std::to_string(size) + " is not inside the extent, " +
                     std::to_string(shape[dim])};
    end[dim] = offset + size;
    bool isWhole = size == shape[dim];
    int64_t step = getRegisterStep(*this, dim);
    bool reachesEnd = roundUp(end[dim], step) >= shape[dim];
    if (!isWhole &&
        (offset % step != 0 || (end[dim] % step != 0 && !reachesEnd)))
      return Failure{"lanes and warps hold dimension " + std::to_string(dim) +
                     " in blocks of " + std::to_string(step) +
                     ", which the part at offset " + std::to_string(offset) +
                     " of size " + std::to_string(size) + " cuts"};
    end[dim] = isWhole ? box[dim] : roundUp(end[dim], step);
  }

  // The registers of the part are the same in all threads, since what lanes and
  // warps add stays below the block they belong to.
  std::vector<Coordinate> held;
  for (int64_t reg = 0, count = getRegisterCount(); reg < count; ++reg) {
    Coordinate coordinate = evaluate(reg, 0, 0);
    bool isHeld = true;
    for (int dim = 0; dim < getRank(); ++dim) {
      isHeld &= coordinate[dim] >= offsets[dim] && coordinate[dim] < end[dim];
      coordinate[dim] -= offsets[dim];
    }
    if (isHeld)
      held.push_back(std::move(coordinate));
  }
  std::optional<Digits> registers = fitDigits(held, getRank());
  if (!registers) {
    // In their old order they do not count from the first element on.
    std::ranges::sort(held);
    registers = fitDigits(held, getRank());
  }
  if (!registers)
    return Failure{"the registers of the part do not count in digits"};
  return get(sizes, std::move(*registers), getDigits(HardwareDim::Lane),
             getDigits(HardwareDim::Warp));
}
