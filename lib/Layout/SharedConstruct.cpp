//===- SharedConstruct.cpp - Shared layouts made from a shape -------------===//
//
// Nested loops with a padded pitch, the hardware's XOR modes with their panels,
// and the choice between the two that keeps a matrix free of bank conflicts.
//
// Eight rows of 16 bytes, one below the other, cover the 32 banks once if their
// addresses differ modulo 128 bytes: with a pitch of an odd number of 16 bytes
// they do, and with a pitch of 128, 64 or 32 bytes the XOR of the mode of that
// length spreads them.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "tile/Layout/SharedLayout.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

using namespace tilec;
using namespace tilec::detail;

/// The lengths of the XOR modes, longest first; mode i is (3 - i, 4, 3).
static constexpr std::array<int64_t, 3> modesBytes = {128, 64, 32};

static Failure getOrderFailure(const std::vector<int> &order, int rank) {
  return {"the order [" +
          join(std::vector<int64_t>(order.begin(), order.end())) +
          "] must name each of " + std::to_string(rank) + " dimensions once"};
}

/// Digits of nested loops over `order` from its entry `first` on; the innermost
/// of them has weight `weight`.
static void appendLoops(OffsetDigits &digits, const Coordinate &shape,
                        const std::vector<int> &order, size_t first,
                        int64_t weight) {
  for (size_t i = first; i < order.size(); ++i) {
    int64_t extent = std::max<int64_t>(shape[order[i]], 1);
    digits.push_back({extent, order[i], 1, weight});
    // Past every number, `get` refuses the weight.
    weight = multiply(weight, extent).value_or(2 * largestNumber);
  }
}

Expected<SharedLayout> SharedLayout::linear(const Coordinate &shape,
                                            const std::vector<int> &order,
                                            int64_t padElements,
                                            int64_t elementBits) {
  if (!isPermutation(order, static_cast<int>(shape.size())))
    return getOrderFailure(order, static_cast<int>(shape.size()));
  if (auto failure = checkShape(shape))
    return *failure;
  if (padElements < 0 || padElements > (int64_t(1) << 32))
    return Failure{"the padding must be from 0 to 2^32 elements, not " +
                   std::to_string(padElements)};
  OffsetDigits digits;
  if (!order.empty()) {
    int64_t row = std::max<int64_t>(shape[order[0]], 1);
    digits.push_back({row, order[0], 1, 1});
    appendLoops(digits, shape, order, 1, row + padElements);
  }
  return get(shape, std::move(digits), Swizzle{}, elementBits);
}

/// `128, 64 and 32`: the modes whose length divides a row.
static std::string getFittingModes(int64_t rowBits) {
  std::vector<std::string> fitting;
  for (int64_t mode : modesBytes)
    if (rowBits % (mode * 8) == 0)
      fitting.push_back(std::to_string(mode));
  if (fitting.empty())
    return "no mode fits it (padding does)";
  std::string text = fitting[0];
  for (size_t i = 1; i < fitting.size(); ++i)
    text += (i + 1 == fitting.size() ? " and " : ", ") + fitting[i];
  return fitting.size() == 1 ? "mode " + text + " fits it"
                             : "modes " + text + " fit it";
}

Expected<SharedLayout> SharedLayout::swizzled(const Coordinate &shape,
                                              const std::vector<int> &order,
                                              int64_t modeBytes,
                                              int64_t elementBits) {
  if (!isPermutation(order, static_cast<int>(shape.size())))
    return getOrderFailure(order, static_cast<int>(shape.size()));
  if (auto failure = checkShape(shape))
    return *failure;
  const int64_t *mode = std::ranges::find(modesBytes, modeBytes);
  if (mode == modesBytes.end())
    return Failure{"the XOR modes are 32, 64 and 128 bytes, not " +
                   std::to_string(modeBytes)};
  if (!isPowerOfTwo(elementBits) || elementBits < 4 || elementBits > 128)
    return get(shape, {}, Swizzle{}, elementBits); // says what is wrong
  int64_t row = order.empty() ? 1 : std::max<int64_t>(shape[order[0]], 1);
  int64_t panel = modeBytes * 8 / elementBits;
  if (row % panel != 0)
    return Failure{"a row of " + std::to_string(row) + " elements of " +
                   std::to_string(elementBits) + " bits is no multiple of " +
                   std::to_string(modeBytes) + " bytes; " +
                   getFittingModes(row * elementBits)};

  // columns of a panel, rows, panels, then what is outside of the matrix
  OffsetDigits digits = {{panel, order[0], 1, 1}};
  int64_t weight = panel;
  if (order.size() > 1) {
    int64_t rows = std::max<int64_t>(shape[order[1]], 1);
    digits.push_back({rows, order[1], 1, weight});
    weight *= rows;
  }
  digits.push_back({row / panel, order[0], panel, weight});
  appendLoops(digits, shape, order, 2, weight * (row / panel));
  int bits = 3 - static_cast<int>(mode - modesBytes.begin());
  return get(shape, std::move(digits), Swizzle{bits, 4, 3}, elementBits);
}

SharedLayout SharedLayout::conflictFree(const Coordinate &shape,
                                        const std::vector<int> &order,
                                        int64_t elementBits) {
  constexpr int64_t unitBits = 16 * 8;
  int64_t rows = 1;
  for (size_t i = 1; i < order.size(); ++i)
    rows *= std::max<int64_t>(shape[order[i]], 1);
  int64_t rowBits =
      order.empty() ? 0 : std::max<int64_t>(shape[order[0]], 1) * elementBits;
  int64_t padElements = 0;
  if (rows > 1 && rowBits > unitBits) {
    for (int64_t mode : modesBytes)
      if (rowBits % (mode * 8) == 0)
        return *swizzled(shape, order, mode, elementBits);
    // An odd number of units: an even one plus one.
    int64_t pitchBits =
        roundUp(rowBits, unitBits) / (2 * unitBits) * (2 * unitBits) + unitBits;
    padElements = (pitchBits - rowBits) / elementBits;
  }
  Expected<SharedLayout> layout =
      linear(shape, order, padElements, elementBits);
  assert(layout && "every shape has a linear layout");
  return *layout;
}
