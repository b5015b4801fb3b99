//===- StoredRows.cpp - Results in the order of rows ----------------------===//

#include "tile/Hardware/StoredRows.h"

#include "tile/Hardware/CopyInstruction.h"

#include <algorithm>
#include <bit>

using namespace tilec;

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Digits of two values each as far as extents are even; what is odd comes last.
static Digits splitToBits(const Digits &digits) {
  Digits bits;
  for (Digit digit : digits) {
    while (digit.extent % 2 == 0) {
      bits.push_back({2, digit.dim, digit.step});
      digit.extent /= 2;
      digit.step *= 2;
    }
    if (digit.extent > 1)
      bits.push_back(digit);
  }
  return bits;
}

static bool contains(const Digits &digits, const Digit &digit) {
  return std::ranges::find(digits, digit) != digits.end();
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

/// The bit of `registers` along `dim` with the smallest step from `least` on; the end
/// where there is none.
static Digits::iterator findNextBit(Digits &registers, int dim, int64_t least) {
  auto best = registers.end();
  for (auto digit = registers.begin(); digit != registers.end(); ++digit)
    if (digit->dim == dim && digit->extent == 2 && digit->step >= least &&
        (best == registers.end() || digit->step < best->step))
      best = digit;
  return best;
}

/// Gives lanes the bits of `rest` and of `warps` along `dim` from `width` to `run`, for
/// theirs of other dimensions; whether all can be theirs.
static bool lengthenRun(Digits &rest, Digits &lanes, Digits &warps, int dim,
                        int64_t width, int64_t run) {
  for (int64_t step = width; step < run; step *= 2) {
    Digit bit{2, dim, step};
    if (contains(lanes, bit))
      continue;
    Digits &holders = contains(rest, bit) ? rest : warps;
    auto held = std::ranges::find(holders, bit);
    auto lane = std::ranges::find_if(lanes, [&](const Digit &digit) {
      return digit.extent == 2 && digit.dim != dim && !digit.replicates();
    });
    if (held == holders.end() || lane == lanes.end())
      return false;
    std::swap(*held, *lane);
  }
  return true;
}

std::optional<FragmentLayout>
tilec::gatherNeighbours(const FragmentLayout &layout, int dim, int64_t width,
                        int64_t run) {
  if (layout.hasPadding() || !std::has_single_bit(uint64_t(width)))
    return std::nullopt;
  Digits rest = splitToBits(layout.getDigits(HardwareDim::Register));
  Digits lanes = splitToBits(layout.getDigits(HardwareDim::Lane));
  Digits warps = splitToBits(layout.getDigits(HardwareDim::Warp));
  Digits registers;
  for (int64_t step = 1; step < width; step *= 2) {
    Digit bit{2, dim, step};
    registers.push_back(bit);
    if (std::erase(rest, bit) != 0)
      continue;
    auto lane = std::ranges::find(lanes, bit);
    auto next = findNextBit(rest, dim, width);
    if (lane == lanes.end() || next == rest.end())
      return std::nullopt;
    *lane = *next;
    rest.erase(next);
  }
  if (!lengthenRun(rest, lanes, warps, dim, width, run))
    return std::nullopt;
  registers.insert(registers.end(), rest.begin(), rest.end());
  auto gathered =
      FragmentLayout::get(layout.getShape(), registers, lanes, warps);
  return gathered ? std::optional(*gathered) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Bricks
//===----------------------------------------------------------------------===//

static constexpr int64_t wordBits = 32, quad = 4;

/// The first bits of `digits` that count to `count`; nothing where these are no bits.
static std::optional<Digits> getFirstBits(const Digits &digits, int64_t count) {
  Digits bits;
  for (const Digit &digit : splitToBits(digits)) {
    if (count == 1)
      break;
    if (digit.extent != 2 || digit.replicates())
      return std::nullopt;
    bits.push_back(digit);
    count /= 2;
  }
  return count == 1 ? std::optional(bits) : std::nullopt;
}

/// Bits of registers that both sides have, in the order of the reader, as far as they
/// count elements of together `limit` bits.
static Digits getCommonBits(const FragmentLayout &written,
                            const FragmentLayout &read, int64_t elementBits,
                            int64_t limit) {
  Digits ofWriter = splitToBits(written.getDigits(HardwareDim::Register));
  Digits common;
  for (const Digit &digit :
       splitToBits(read.getDigits(HardwareDim::Register))) {
    if (digit.extent != 2 || !contains(ofWriter, digit) ||
        elementBits * 2 > limit)
      continue;
    common.push_back(digit);
    elementBits *= 2;
  }
  return common;
}

namespace {
/// What lies side by side, and the bits of the lanes that meet at the banks.
struct Brick {
  Digits order;
  Digits writers, readers;
};
} // namespace

/// A word of a thread for each of the four that read them by ldmatrix, each matrix by
/// the addresses of eight rows.
static std::optional<Brick> getMatrixBrick(const FragmentLayout &written,
                                           const FragmentLayout &read,
                                           int64_t elementBits) {
  constexpr int64_t rows = 8;
  Brick brick{getCommonBits(written, read, elementBits, wordBits), {}, {}};
  Digits ofWriter = splitToBits(written.getDigits(HardwareDim::Register));
  auto lanes = getFirstBits(read.getDigits(HardwareDim::Lane), quad * rows);
  auto writers = getFirstBits(written.getDigits(HardwareDim::Lane), rows);
  if (!lanes || !writers || elementBits << brick.order.size() != wordBits)
    return std::nullopt;
  auto others = lanes->begin() + std::countr_zero(static_cast<uint64_t>(quad));
  for (auto lane = lanes->begin(); lane != others; ++lane) {
    if (!contains(ofWriter, *lane))
      return std::nullopt;
    brick.order.push_back(*lane);
  }
  brick.writers = *writers;
  brick.readers.assign(others, lanes->end());
  return brick;
}

/// What both sides have in registers, as much as one access moves.
static std::optional<Brick> getCommonBrick(const FragmentLayout &written,
                                           const FragmentLayout &read,
                                           int64_t elementBits) {
  constexpr int64_t passBits = 128 * 8;
  Brick brick{
      getCommonBits(written, read, elementBits, maxAccessBytes * 8), {}, {}};
  int64_t bits = elementBits << brick.order.size();
  if (bits < wordBits)
    return std::nullopt;
  auto writers =
      getFirstBits(written.getDigits(HardwareDim::Lane), passBits / bits);
  auto readers =
      getFirstBits(read.getDigits(HardwareDim::Lane), passBits / bits);
  if (!writers || !readers)
    return std::nullopt;
  brick.writers = *writers;
  brick.readers = *readers;
  return brick;
}

/// All digits of a layout but `used`: those of the thread first, so that its number is
/// its place.
static Digits getOthers(const FragmentLayout &layout, const Digits &used) {
  Digits others;
  for (HardwareDim where :
       {HardwareDim::Lane, HardwareDim::Warp, HardwareDim::Register})
    for (const Digit &digit : splitToBits(layout.getDigits(where)))
      if (!contains(used, digit))
        others.push_back(digit);
  return others;
}

/// Bricks one behind the other, in an order in which neither side has bank conflicts:
/// by lanes of the writer alone, by those that the reader counts alike, by those of the
/// reader alone. The XOR of the first and the last is another place for each lane of
/// either.
static std::optional<SharedLayout>
stack(Brick brick, const FragmentLayout &written, int64_t elementBits) {
  Digits ofBoth, ofWriter, ofReader;
  for (const Digit &digit : brick.writers)
    (contains(brick.readers, digit) ? ofBoth : ofWriter).push_back(digit);
  for (const Digit &digit : brick.readers)
    if (!contains(ofBoth, digit))
      ofReader.push_back(digit);
  Digits order = brick.order;
  int base = static_cast<int>(order.size()) +
             std::countr_zero(static_cast<uint64_t>(elementBits / 8));
  for (const Digits *part : {&ofWriter, &ofBoth, &ofReader})
    order.insert(order.end(), part->begin(), part->end());
  Digits others = getOthers(written, order);
  order.insert(order.end(), others.begin(), others.end());
  OffsetDigits offset;
  int64_t weight = 1;
  for (const Digit &digit : order) {
    offset.push_back({digit.extent, digit.dim, digit.step, weight});
    weight *= digit.extent;
  }
  int moved = static_cast<int>(ofWriter.size());
  int shift = moved + static_cast<int>(ofBoth.size());
  auto layout = SharedLayout::get(
      written.getShape(), offset,
      moved == 0 ? Swizzle() : Swizzle{moved, base, shift}, elementBits);
  return layout ? std::optional(*layout) : std::nullopt;
}

std::optional<SharedLayout> tilec::getBricks(const FragmentLayout &written,
                                             const FragmentLayout &read,
                                             int64_t elementBits) {
  if (written.getReplication() != 1 || read.getReplication() != 1 ||
      written.hasPadding() || read.hasPadding() || elementBits < 8 ||
      elementBits > wordBits)
    return std::nullopt;
  auto brick = getMatrixBrick(written, read, elementBits);
  if (!brick)
    brick = getCommonBrick(written, read, elementBits);
  auto buffer = brick ? stack(*brick, written, elementBits) : std::nullopt;
  bool isUsable =
      buffer && buffer->isAdditiveOver(written) && buffer->isAdditiveOver(read);
  return isUsable ? buffer : std::nullopt;
}

bool tilec::holdsMatrices(const SharedLayout &buffer,
                          const FragmentLayout &layout) {
  int64_t bits = buffer.getElementBits();
  if (bits < 8 || bits > wordBits || layout.hasPadding() ||
      layout.getReplication() != 1 || layout.getRank() != buffer.getRank())
    return false;
  auto numbering =
      getFirstBits(layout.getDigits(HardwareDim::Register), wordBits / bits);
  auto lanes = getFirstBits(layout.getDigits(HardwareDim::Lane), quad * 8);
  if (!numbering || !lanes)
    return false;
  numbering->insert(numbering->end(), lanes->begin(), lanes->begin() + 2);
  return buffer.getVectorWidth(*numbering) == quad * wordBits / bits;
}
