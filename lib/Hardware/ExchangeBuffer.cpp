//===- ExchangeBuffer.cpp - The buffer between two layouts ----------------===//

#include "tile/Hardware/ExchangeBuffer.h"

#include "tile/Hardware/CopyInstruction.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <optional>

using namespace tilec;

FragmentLayout tilec::orderRegisters(const FragmentLayout &layout, int dim) {
  Digits neighbours, others;
  for (const Digit &digit : layout.getDigits(HardwareDim::Register))
    (digit.dim == dim ? neighbours : others).push_back(digit);
  std::ranges::sort(neighbours, {}, &Digit::step);
  neighbours.insert(neighbours.end(), others.begin(), others.end());
  auto ordered = FragmentLayout::get(layout.getShape(), neighbours,
                                     layout.getDigits(HardwareDim::Lane),
                                     layout.getDigits(HardwareDim::Warp));
  return ordered ? *ordered : layout;
}

/// Takes out of `digits` what begins along `dim` at `step`, up to `limit` values of it,
/// and returns how many; 1 where nothing does.
static int64_t takeDigit(Digits &digits, int dim, int64_t step, int64_t limit) {
  for (size_t i = 0; i < digits.size(); ++i) {
    Digit digit = digits[i];
    if (digit.dim != dim || step % digit.step != 0 ||
        digit.extent % (step / digit.step) != 0)
      continue;
    int64_t below = step / digit.step;
    int64_t taken = std::gcd(digit.extent / below, limit);
    if (taken == 1)
      continue;
    digits[i].extent = below;
    digits.insert(digits.begin() + i + 1,
                  {digit.extent / below / taken, dim, step * taken});
    return taken;
  }
  return 1;
}

FragmentLayout tilec::orderRegisters(const FragmentLayout &layout,
                                     const SharedLayout &buffer) {
  if (buffer.getDigits().empty())
    return layout;
  int along = buffer.getDigits().front().dim;
  Digits rest = orderRegisters(layout, along).getDigits(HardwareDim::Register);
  Digits first;
  // No access is wider.
  int64_t left = maxAccessBytes * 8 / buffer.getElementBits();
  for (OffsetDigit digit : buffer.getDigits())
    while (digit.extent > 1) {
      int64_t taken =
          takeDigit(rest, digit.dim, digit.step, std::gcd(digit.extent, left));
      if (taken == 1) {
        left = 1;
        break;
      }
      first.push_back({taken, digit.dim, digit.step});
      digit.extent /= taken;
      digit.step *= taken;
      left /= taken;
    }
  first.insert(first.end(), rest.begin(), rest.end());
  auto ordered = FragmentLayout::get(layout.getShape(), first,
                                     layout.getDigits(HardwareDim::Lane),
                                     layout.getDigits(HardwareDim::Warp));
  return ordered ? *ordered : layout;
}

Digits tilec::getFirstRegisters(const FragmentLayout &layout, int64_t count) {
  Digits first;
  for (Digit digit : layout.getDigits(HardwareDim::Register)) {
    int64_t extent = std::gcd(digit.extent, count);
    if (extent > 1)
      first.push_back({extent, digit.dim, digit.step});
    if (extent != digit.extent)
      break;
    count /= extent;
  }
  return first;
}

int64_t tilec::getExchangeWidth(const FragmentLayout &layout, int dim,
                                int64_t elementBits) {
  return std::gcd(orderRegisters(layout, dim).getVectorWidth(dim),
                  maxAccessBytes * 8 / elementBits);
}

int tilec::chooseExchangeDim(int rank, int64_t elementBits,
                             const FragmentLayout *written,
                             const FragmentLayout *read) {
  int best = rank - 1;
  int64_t bestWidth = 0;
  for (int dim = rank - 1; dim >= 0; --dim) {
    int64_t width = 0;
    for (const FragmentLayout *access : {written, read})
      if (access)
        width += getExchangeWidth(*access, dim, elementBits);
    if (width > bestWidth) {
      best = dim;
      bestWidth = width;
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Wavefronts
//===----------------------------------------------------------------------===//

int64_t tilec::countExchangeWavefronts(const SharedLayout &buffer, int dim,
                                       const FragmentLayout &fragment,
                                       int64_t &ideal) {
  // Further accesses repeat what the first ones do.
  constexpr int64_t lookedAt = 16;
  FragmentLayout ordered = orderRegisters(fragment, dim);
  int64_t bits = buffer.getElementBits();
  int64_t width = getExchangeWidth(fragment, dim, bits);
  int64_t registers = std::min(ordered.getRegisterCount(), lookedAt * width);
  // An element lies where its register's and its lane's parts add up to.
  std::vector<Coordinate> laneParts;
  for (int64_t lane = 0; lane < ordered.getExtent(HardwareDim::Lane); ++lane)
    laneParts.push_back(ordered.evaluate(0, lane, 0));
  std::vector<int64_t> addresses;
  Coordinate at;
  int64_t count = 0;
  ideal = 0;
  for (int64_t reg = 0; reg < registers; reg += width) {
    addresses.clear();
    Coordinate registerPart = ordered.evaluate(reg, 0, 0);
    for (const Coordinate &lanePart : laneParts) {
      at = registerPart;
      std::ranges::transform(at, lanePart, at.begin(), std::plus<>());
      if (ordered.isInShape(at))
        addresses.push_back(buffer.getByteOffset(at));
    }
    count += countWavefronts(addresses, width * bits / 8);
    // Lanes that hold the same share a word.
    std::ranges::sort(addresses);
    auto repeated = std::ranges::unique(addresses);
    ideal += countIdealWavefronts(repeated.begin() - addresses.begin(),
                                  width * bits / 8);
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Lines along `dim`, where it `fills` as many rows of `next` as 128 bytes hold, then
/// every `part`-th, whose number the XOR goes by; fails where a line is none of the modes.
static Expected<SharedLayout> getLines(const Coordinate &shape, int dim,
                                       int next, int64_t part, bool fills,
                                       int64_t elementBits) {
  constexpr int64_t chunkBits = 128, longestLine = 8;
  int64_t chunks = std::gcd(shape[dim] * elementBits / chunkBits, longestLine);
  if (shape[dim] * elementBits % chunkBits != 0 || chunks < 2)
    return Failure{"no line of chunks"};
  int64_t line = chunks * chunkBits / elementBits;
  int64_t filling = fills ? std::min(part, longestLine / chunks) : 1;
  OffsetDigits digits = {{line, dim, 1},
                         {filling, next, 1},
                         {shape[next] / part, next, part},
                         {part / filling, next, filling},
                         {shape[dim] / line, dim, line}};
  for (int other = static_cast<int>(shape.size()) - 1; other >= 0; --other)
    if (other != dim && other != next)
      digits.push_back({shape[other], other, 1});
  int64_t weight = 1;
  for (OffsetDigit &digit : digits) {
    digit.weight = weight;
    weight *= digit.extent;
  }
  int bits = std::countr_zero(static_cast<uint64_t>(chunks));
  return SharedLayout::get(shape, digits, {bits, 4, 3}, elementBits);
}

/// Whether lanes hold neighbouring vectors along `dim`: what they access without
/// conflicts where rows along it are dense.
static bool areLanesNeighbours(const FragmentLayout &layout, int dim,
                               int64_t elementBits) {
  int64_t neighbours = layout.getVectorWidth(dim);
  return neighbours * elementBits <= maxAccessBytes * 8 &&
         std::ranges::all_of(
             layout.getDigits(HardwareDim::Lane), [&](const Digit &digit) {
               return digit.replicates() ||
                      (digit.dim == dim && digit.step == neighbours);
             });
}

/// Rows along `order.front()` without gaps or XOR, which costs instructions, where all
/// that access them do so one by one.
static std::optional<SharedLayout> getDenseRows(const Coordinate &shape,
                                                const std::vector<int> &order,
                                                int64_t elementBits,
                                                const FragmentLayout *written,
                                                const FragmentLayout *read) {
  bool isDense = !order.empty() && (written || read) &&
                 shape[order.front()] * elementBits % (maxAccessBytes * 8) == 0;
  for (const FragmentLayout *access : {written, read})
    isDense = isDense && (!access || areLanesNeighbours(*access, order.front(),
                                                        elementBits));
  if (!isDense)
    return std::nullopt;
  auto dense = SharedLayout::linear(shape, order, 0, elementBits);
  return dense ? std::optional(*dense) : std::nullopt;
}

SharedLayout tilec::chooseExchangeBuffer(const Coordinate &shape, int dim,
                                         int64_t elementBits,
                                         const FragmentLayout *written,
                                         const FragmentLayout *read) {
  std::vector<int> order;
  for (int other = static_cast<int>(shape.size()) - 1; other >= 0; --other)
    if (other != dim)
      order.push_back(other);
  if (!shape.empty())
    order.insert(order.begin(), dim);
  if (auto dense = getDenseRows(shape, order, elementBits, written, read))
    return *dense;
  SharedLayout best = SharedLayout::conflictFree(shape, order, elementBits);
  if (shape.size() < 2)
    return best;
  int64_t fewest = 0, ideal = 0;
  auto count = [&](const SharedLayout &layout) {
    int64_t wavefronts = 0, least = 0;
    ideal = 0;
    for (const FragmentLayout *access : {written, read})
      if (access) {
        wavefronts += countExchangeWavefronts(layout, dim, *access, least);
        ideal += least;
      }
    return wavefronts;
  };
  fewest = count(best);
  auto consider = [&](const Expected<SharedLayout> &lines) {
    if (!lines || (written && !lines->isAdditiveOver(*written)) ||
        (read && !lines->isAdditiveOver(*read)))
      return;
    int64_t wavefronts = count(*lines);
    if (wavefronts < fewest) {
      fewest = wavefronts;
      best = *lines;
    }
  };
  for (int next : order)
    for (int64_t part = 1; next != dim && fewest > ideal && part < shape[next];
         part *= 2) {
      if (shape[next] % part != 0)
        break;
      for (bool fills : {false, true})
        consider(getLines(shape, dim, next, part, fills, elementBits));
    }
  return best;
}
