//===- BulkBoxes.cpp - A tile as boxes of a bulk copy ---------------------===//
//
// The offset of an element is a sum over dimensions, so each dimension is
// looked at alone: along the innermost a box reaches as far as elements lie
// together, along every other as far as it continues what is inside of it. The
// XOR repeats, so a box may begin wherever its pattern begins.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/BulkBoxes.h"
#include "tile/Hardware/BulkSpans.h"

#include <algorithm>
#include <numeric>

using namespace tilec;

namespace {

/// A tile in its buffer.
class BufferTile {
public:
  BufferTile(const SharedLayout &buffer, const std::vector<TensorAxis> &axes) {
    for (const TensorAxis &axis : axes) {
      std::vector<int64_t> &along = offsets.emplace_back(axis.extent, 0);
      Coordinate place(buffer.getRank(), 0);
      for (int64_t index = 0; axis.bufferDim && index < axis.extent; ++index) {
        place[*axis.bufferDim] = index;
        along[index] = buffer.getLinearOffset(place);
      }
    }
  }

  /// How far element `index` along dimension `dim` of the tensor is from the
  /// tile's first, in elements before the XOR.
  int64_t getOffset(size_t dim, int64_t index) const {
    return offsets[dim][index];
  }

  /// The most elements along `dim`, at most `limit` and a divisor of the tile's
  /// extent, that are `pitch` apart in every such group of the tile. Groups
  /// that begin at multiples of `align` elements are preferred.
  int64_t getGroup(size_t dim, int64_t pitch, int64_t limit,
                   int64_t align) const {
    int64_t extent = static_cast<int64_t>(offsets[dim].size());
    int64_t largest = 1;
    for (int64_t group = std::min(extent, limit); group > 1; --group) {
      if (extent % group != 0 || !isEven(dim, group, pitch))
        continue;
      if (isAligned(dim, group, align))
        return group;
      largest = std::max(largest, group);
    }
    return largest;
  }

private:
  bool isEven(size_t dim, size_t group, int64_t pitch) const {
    const std::vector<int64_t> &along = offsets[dim];
    for (size_t index = 0; index < along.size(); ++index)
      if (along[index] !=
          along[index / group * group] + int64_t(index % group) * pitch)
        return false;
    return true;
  }

  bool isAligned(size_t dim, size_t group, int64_t align) const {
    for (size_t index = 0; index < offsets[dim].size(); index += group)
      if (offsets[dim][index] % align != 0)
        return false;
    return true;
  }

  std::vector<std::vector<int64_t>> offsets; ///< by dimension and index
};

} // namespace

//===----------------------------------------------------------------------===//
// Where a tile may begin
//===----------------------------------------------------------------------===//

/// A divisor of what `digit` adds to the offset of places that `divisor`
/// divides.
static int64_t getOffsetDivisor(const OffsetDigit &digit, int64_t divisor) {
  if (divisor == 0)
    return 0;
  int64_t step = divisor % digit.step == 0
                     ? std::gcd(divisor / digit.step, digit.extent)
                     : 1;
  return step == digit.extent ? 0 : digit.weight * step;
}

/// Whether, from every place that `divisor` divides on, the next `extent`
/// elements along `dim` are as far apart as they are from place 0 on: either a
/// step is the same everywhere, or none of them crosses into the next digit at
/// which it is not.
static bool isSameFromAnywhere(const SharedLayout &buffer, int dim,
                               int64_t divisor, int64_t extent) {
  std::vector<OffsetDigit> digits;
  for (const OffsetDigit &digit : buffer.getDigits())
    if (digit.dim == dim)
      digits.push_back(digit);
  std::ranges::sort(digits, {}, &OffsetDigit::step);
  if (divisor == 0 || digits.size() < 2)
    return true;
  return std::ranges::any_of(digits, [&](const OffsetDigit &digit) {
    return digit.step >= extent && divisor % digit.step == 0;
  });
}

/// Why a tile may not begin where it does.
static std::optional<Failure>
checkStart(const SharedLayout &buffer, const std::vector<TensorAxis> &axes,
           const std::vector<int64_t> &startDivisors, int64_t alignBytes) {
  std::vector<int64_t> extents(buffer.getRank(), 1);
  for (const TensorAxis &axis : axes)
    if (axis.bufferDim)
      extents[*axis.bufferDim] = axis.extent;
  for (int dim = 0; dim < buffer.getRank(); ++dim)
    if (!isSameFromAnywhere(buffer, dim, startDivisors[dim], extents[dim]))
      return Failure{"the tile of " + std::to_string(extents[dim]) +
                     " elements along dimension " + std::to_string(dim) +
                     " of the buffer begins at a multiple of " +
                     std::to_string(startDivisors[dim]) +
                     " and may lie in two panels"};
  for (const OffsetDigit &digit : buffer.getDigits()) {
    int64_t divisor = getOffsetDivisor(digit, startDivisors[digit.dim]);
    int64_t bytes = divisor * buffer.getElementBits() / 8;
    if (bytes % alignBytes != 0)
      return Failure{"along dimension " + std::to_string(digit.dim) +
                     " of the buffer the tile begins at a multiple of " +
                     std::to_string(startDivisors[digit.dim]) +
                     ", which is known to be a multiple of " +
                     std::to_string(bytes) + " bytes and not of the " +
                     std::to_string(alignBytes) +
                     " at which the box's pattern begins"};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// The swizzle mode whose XOR the buffer has.
static Expected<int64_t> getMode(const TensorBox &rules,
                                 const SharedLayout &buffer) {
  const Swizzle &swizzle = buffer.getSwizzle();
  if (swizzle.bits == 0)
    return int64_t(0);
  // 32 bytes are one bit, of chunks of 16 bytes and lines of 128.
  int64_t mode = int64_t(16) << swizzle.bits;
  if (swizzle.base == 4 && swizzle.shift == 3 &&
      std::ranges::find(rules.swizzleBytes, mode) != rules.swizzleBytes.end())
    return mode;
  return Failure{"the buffer's XOR is that of no swizzle mode"};
}

/// The box, from the innermost dimension out.
static Expected<Coordinate> getBox(const TensorBox &rules,
                                   const BufferTile &tile, int64_t mode,
                                   const std::vector<TensorAxis> &axes,
                                   int64_t elementBits, int64_t alignBytes) {
  Coordinate box(axes.size(), 1);
  int64_t pitch = 1;
  for (size_t dim = axes.size(); dim-- > 0;) {
    bool isInnermost = dim + 1 == axes.size();
    int64_t limit = isInnermost && mode != 0
                        ? mode * 8 / elementBits
                        : rules.getMaxExtent(isInnermost, elementBits);
    box[dim] = tile.getGroup(dim, pitch, limit, alignBytes * 8 / elementBits);
    pitch *= box[dim];
  }
  auto layout = rules.getLayout(box, mode, elementBits);
  if (!layout)
    return Failure{layout.reason()};
  return box;
}

/// What elements along `extents` take.
static int64_t getBits(const Coordinate &extents, int64_t elementBits) {
  int64_t bits = elementBits;
  for (int64_t extent : extents)
    bits *= extent;
  return bits;
}

/// All pieces of a tile, in the order of the tensor's elements.
static std::vector<BoxPiece> getPieces(const BufferTile &tile,
                                       const std::vector<TensorAxis> &axes,
                                       const Coordinate &box,
                                       int64_t elementBits) {
  std::vector<BoxPiece> pieces = {{Coordinate(axes.size(), 0), 0}};
  for (size_t dim = 0; dim < axes.size(); ++dim) {
    std::vector<BoxPiece> next;
    for (const BoxPiece &piece : pieces)
      for (int64_t index = 0; index < axes[dim].extent; index += box[dim]) {
        BoxPiece &part = next.emplace_back(piece);
        part.offsets[dim] = index;
        part.byteOffset += tile.getOffset(dim, index) * elementBits / 8;
      }
    pieces = std::move(next);
  }
  return pieces;
}

Expected<BulkBoxes>
tilec::getBulkBoxes(const CopyInstruction &row, const SharedLayout &buffer,
                    const std::vector<TensorAxis> &axes,
                    const std::vector<int64_t> &startDivisors) {
  const TensorBox &rules = *row.box;
  int64_t elementBits = buffer.getElementBits();
  Expected<int64_t> mode = getMode(rules, buffer);
  if (!mode)
    return Failure{mode.reason()};
  int64_t alignBytes =
      std::max(row.alignBytes, buffer.getSwizzle().getPeriodBytes());
  if (auto failure = checkStart(buffer, axes, startDivisors, alignBytes))
    return *failure;
  BufferTile tile(buffer, axes);
  Expected<Coordinate> box =
      getBox(rules, tile, *mode, axes, elementBits, alignBytes);
  if (!box)
    return Failure{box.reason()};

  BulkBoxes boxes{*box, *mode, getBits(*box, elementBits) / 8,
                  getPieces(tile, axes, *box, elementBits)};
  for (const BoxPiece &piece : boxes.pieces)
    if (piece.byteOffset % alignBytes != 0)
      return Failure{
          "the buffer has a box " + std::to_string(piece.byteOffset) +
          " bytes behind its first, no multiple of the " +
          std::to_string(alignBytes) + " at which the box's pattern begins"};
  return boxes;
}

//===----------------------------------------------------------------------===//
// Spans
//===----------------------------------------------------------------------===//

/// What lies together, from the innermost dimension out: a dimension goes on where
/// the one inside of it ends, in memory and in the buffer.
static Coordinate getSpan(const BufferTile &tile,
                          const std::vector<TensorAxis> &axes,
                          const std::vector<int64_t> &pitches,
                          int64_t alignElements) {
  Coordinate span(axes.size(), 1);
  int64_t length = 1;
  for (size_t dim = axes.size(); dim-- > 0;) {
    if (axes[dim].extent == 1)
      continue;
    if (pitches[dim] != length)
      break;
    span[dim] = tile.getGroup(dim, length, axes[dim].extent, alignElements);
    length *= span[dim];
    if (span[dim] != axes[dim].extent)
      break;
  }
  return span;
}

Expected<BulkBoxes>
tilec::getBulkSpans(const CopyInstruction &row, const SharedLayout &buffer,
                    const std::vector<TensorAxis> &axes,
                    const std::vector<int64_t> &startDivisors,
                    const std::vector<int64_t> &pitches) {
  int64_t elementBits = buffer.getElementBits();
  if (buffer.getSwizzle().bits != 0)
    return Failure{"the buffer exchanges parts of its rows, and bytes keep "
                   "their order"};
  if (auto failure = checkStart(buffer, axes, startDivisors, row.alignBytes))
    return *failure;
  BufferTile tile(buffer, axes);
  Coordinate span =
      getSpan(tile, axes, pitches, row.alignBytes * 8 / elementBits);
  int64_t bits = getBits(span, elementBits);
  if (bits % (row.accessBytes.front() * 8) != 0)
    return Failure{"what lies together, " + std::to_string(bits / 8) +
                   " bytes, is no multiple of " +
                   std::to_string(row.accessBytes.front())};
  BulkBoxes spans{span, /*swizzleBytes=*/0, bits / 8,
                  getPieces(tile, axes, span, elementBits)};
  for (const BoxPiece &piece : spans.pieces)
    if (piece.byteOffset % row.alignBytes != 0)
      return Failure{"the buffer has a span " +
                     std::to_string(piece.byteOffset) +
                     " bytes behind its first, no multiple of " +
                     std::to_string(row.alignBytes)};
  return spans;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Expected<BulkBoxes> tilec::splitBoxes(const CopyInstruction &row,
                                      const BulkBoxes &whole, int64_t parts) {
  BulkBoxes split = whole;
  split.parts = parts;
  while (split.partDim + 1 < split.box.size() && split.box[split.partDim] == 1)
    ++split.partDim;
  int64_t &extent = split.box[split.partDim];
  bool isInSwizzledRow =
      whole.swizzleBytes != 0 && split.partDim + 1 == split.box.size();
  // Eight rows of a swizzle mode are one period of its XOR.
  int64_t alignBytes = std::max(row.alignBytes, 8 * whole.swizzleBytes);
  split.boxBytes /= parts;
  if (extent % parts != 0 || isInSwizzledRow ||
      split.boxBytes % alignBytes != 0)
    return Failure{"a box of " + std::to_string(whole.boxBytes) +
                   " bytes and " + std::to_string(extent) + " rows has no " +
                   std::to_string(parts) + " equal parts of a multiple of " +
                   std::to_string(alignBytes) + " bytes"};
  extent /= parts;
  return split;
}
