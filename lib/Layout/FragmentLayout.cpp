//===- FragmentLayout.cpp - Validity, facts and the map itself ------------===//
//
// A layout is checked and brought to its canonical form once, when it is made;
// everything after relies on both. Merging adjacent digits that continue each
// other is enough for one spelling a map: the extent of the first digit is the
// longest run of positions that advance by one step, which the map determines,
// and so on for the digits after it.
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/FragmentLayout.h"

#include "Arithmetic.h"

using namespace tilec;
using namespace tilec::detail;

static constexpr std::array<const char *, 3> hardwareDimNames = {
    "register", "lane", "warp"};

/// Why the digits of one hardware dimension are impossible in themselves.
static std::optional<Failure> checkDigits(const Digits &digits, HardwareDim dim,
                                          int rank) {
  std::string name = hardwareDimNames[static_cast<int>(dim)];
  int64_t positions = 1;
  for (const Digit &digit : digits) {
    if (auto failure = checkDigit(digit.extent, digit.dim, digit.step, rank))
      return Failure{failure->reason + " (in '" + name + "')"};
    if (dim == HardwareDim::Register && digit.step == 0 && digit.extent > 1)
      return Failure{"a register digit must not replicate, but one of extent " +
                     std::to_string(digit.extent) + " has a zero step"};
    std::optional<int64_t> product = multiply(positions, digit.extent);
    if (!product)
      return Failure{"the digits of '" + name + "' count past 2^48"};
    positions = *product;
    // Merging multiplies a step by an extent.
    if (!multiply(digit.step, digit.extent))
      return Failure{"a digit of '" + name + "' reaches past 2^48"};
  }
  return std::nullopt;
}

Expected<FragmentLayout> FragmentLayout::get(Coordinate shape, Digits registers,
                                             Digits lanes, Digits warps) {
  if (auto failure = checkShape(shape))
    return *failure;
  std::array<Digits, 3> given = {std::move(registers), std::move(lanes),
                                 std::move(warps)};
  FragmentLayout layout;
  Digits chained;
  for (int i = 0; i < 3; ++i) {
    if (auto failure = checkDigits(given[i], static_cast<HardwareDim>(i),
                                   static_cast<int>(shape.size())))
      return *failure;
    layout.digits[i] = mergeDigits(given[i]);
    for (const Digit &digit : layout.digits[i])
      if (!digit.replicates())
        chained.push_back(digit);
  }
  if (auto failure = checkChains(shape, std::move(chained)))
    return *failure;
  layout.shape = std::move(shape);
  return layout;
}

// Facts ----------------------------------------------------------------------

int64_t FragmentLayout::getExtent(HardwareDim dim) const {
  int64_t extent = 1;
  for (const Digit &digit : getDigits(dim))
    extent *= digit.extent;
  return extent;
}

int64_t FragmentLayout::getReplication() const {
  int64_t copies = 1;
  for (const Digits &list : digits)
    for (const Digit &digit : list)
      copies *= digit.replicates() ? digit.extent : 1;
  return copies;
}

Coordinate FragmentLayout::getBox() const {
  Coordinate box(shape.size(), 1);
  for (const Digits &list : digits)
    for (const Digit &digit : list)
      if (!digit.replicates())
        box[digit.dim] *= digit.extent;
  // A dimension of extent 0 without digits is covered exactly.
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] == 0 && box[dim] == 1)
      box[dim] = 0;
  return box;
}

bool FragmentLayout::isShared(HardwareDim where, int dim) const {
  for (const Digit &digit : getDigits(where))
    if (digit.dim == dim && digit.step < shape[dim])
      return true;
  return false;
}

int64_t FragmentLayout::getVectorWidth(int dim) const {
  const Digits &registers = getDigits(HardwareDim::Register);
  if (registers.empty() || registers[0].dim != dim || registers[0].step != 1)
    return 1;
  return registers[0].extent;
}

uint64_t FragmentLayout::getHash() const {
  uint64_t hash = 0;
  for (int64_t extent : shape)
    mixHash(hash, extent);
  for (const Digits &list : digits) {
    mixHash(hash, static_cast<int64_t>(list.size()));
    for (const Digit &digit : list) {
      mixHash(hash, digit.extent);
      mixHash(hash, digit.dim);
      mixHash(hash, digit.step);
    }
  }
  return hash;
}

std::string FragmentLayout::toString() const {
  std::string text = "[" + join(shape) + "]";
  for (int i = 0; i < 3; ++i) {
    text += std::string(", ") + hardwareDimNames[i] + " = [";
    for (size_t j = 0; j < digits[i].size(); ++j) {
      const Digit &digit = digits[i][j];
      text += (j ? ", " : "") +
              detail::toString(digit.extent, digit.dim, digit.step, getRank());
    }
    text += "]";
  }
  return text;
}

// The map --------------------------------------------------------------------

Coordinate FragmentLayout::evaluate(int64_t reg, int64_t lane,
                                    int64_t warp) const {
  Coordinate coordinate(shape.size(), 0);
  std::array<int64_t, 3> position = {reg, lane, warp};
  for (int i = 0; i < 3; ++i)
    for (const Digit &digit : digits[i]) {
      if (!digit.replicates())
        coordinate[digit.dim] += position[i] % digit.extent * digit.step;
      position[i] /= digit.extent;
    }
  return coordinate;
}

HardwarePosition FragmentLayout::invert(const Coordinate &coordinate) const {
  std::array<int64_t, 3> position = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    int64_t place = 1;
    for (const Digit &digit : digits[i]) {
      if (!digit.replicates())
        position[i] +=
            coordinate[digit.dim] / digit.step % digit.extent * place;
      place *= digit.extent;
    }
  }
  return {position[0], position[1], position[2]};
}

bool FragmentLayout::isInShape(const Coordinate &coordinate) const {
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (coordinate[dim] < 0 || coordinate[dim] >= shape[dim])
      return false;
  return true;
}
