//===- TensorMapCopy.cpp - Boxes, fills and reductions --------------------===//
//
// A box is walked in shared-memory order: its rows of contiguous elements, each
// cut into the 16-byte chunks that the swizzle moves about. Whether a chunk's
// elements lie inside the tensor is decided per element along dimension 0 and
// per row for the others, so a run is in bounds or out as a whole.
//
//===----------------------------------------------------------------------===//

#include "tile/Emulator/Numerics.h"
#include "tile/Emulator/TensorMap.h"

#include <algorithm>
#include <cstring>

using namespace tilec::emu;

uint32_t tilec::emu::swizzleAddress(TensorSwizzle swizzle, uint32_t address) {
  switch (swizzle) {
  case TensorSwizzle::None:
    return address;
  case TensorSwizzle::Bytes32:
    return address ^ ((address >> 3) & 0x10);
  case TensorSwizzle::Bytes64:
    return address ^ ((address >> 3) & 0x30);
  case TensorSwizzle::Bytes128:
    return address ^ ((address >> 3) & 0x70);
  case TensorSwizzle::Bytes128Atom32:
    return address ^ ((address >> 2) & 0x60);
  case TensorSwizzle::Bytes128Atom32Flip8:
    // As Atom32, and the 8-byte halves of each 16 bytes exchanged on odd rows.
    return address ^ ((address >> 2) & 0x60) ^ ((address >> 4) & 0x8);
  case TensorSwizzle::Bytes128Atom64:
    return address ^ ((address >> 1) & 0x40);
  }
  return address;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

namespace {

/// Emits the runs of one row: `count` elements along dimension 0 from
/// `coordinate`, at `rowAddress` (of coordinate 0).
struct RowWalker {
  const TensorMap &map;
  const std::function<void(const TensorRun &)> &visit;
  uint32_t sharedAddress; // not swizzled; advances
  uint32_t bytes;         // of an element

  void walk(int64_t coordinate, int count, uint64_t rowAddress,
            bool rowInBounds) {
    int64_t extent = static_cast<int64_t>(map.dim(0));
    // Bytes that a swizzle keeps together.
    uint32_t unit = map.swizzle == TensorSwizzle::Bytes128Atom32Flip8 ? 8 : 16;
    for (int i = 0; i < count;) {
      int64_t first = coordinate + i;
      bool inBounds = rowInBounds && first >= 0 && first < extent;
      int room = static_cast<int>((unit - sharedAddress % unit) / bytes);
      int length = std::min(std::max(room, 1), count - i);
      // Cut where the tensor begins or ends.
      if (inBounds)
        length = static_cast<int>(std::min<int64_t>(length, extent - first));
      else if (rowInBounds && first < 0)
        length = static_cast<int>(std::min<int64_t>(length, -first));
      TensorRun run;
      run.sharedAddress = swizzleAddress(map.swizzle, sharedAddress);
      run.globalAddress =
          inBounds ? rowAddress + static_cast<uint64_t>(first) * bytes : 0;
      run.bytes = static_cast<uint32_t>(length) * bytes;
      run.inBounds = inBounds;
      visit(run);
      sharedAddress += run.bytes;
      i += length;
    }
  }
};

void walkTiled(const TensorMap &map, const TensorBox &box, RowWalker &rows) {
  int counts[5] = {map.box[0]};
  for (int i = 1; i < 5; ++i)
    counts[i] = i < map.rank ? (map.box[i] + map.elementStrides[i] - 1) /
                                   map.elementStrides[i]
                             : 1;
  int index[5] = {};
  for (;;) {
    uint64_t address = map.globalAddress;
    bool inBounds = true;
    for (int i = 1; i < map.rank; ++i) {
      int64_t coordinate =
          int64_t(box.coordinates[i]) + index[i] * map.elementStrides[i];
      inBounds &=
          coordinate >= 0 && coordinate < static_cast<int64_t>(map.dim(i));
      address += static_cast<uint64_t>(coordinate) * map.stridesBytes[i - 1];
    }
    rows.walk(box.coordinates[0], counts[0], address, inBounds);
    int dimension = 1;
    while (dimension < map.rank && ++index[dimension] == counts[dimension])
      index[dimension++] = 0;
    if (dimension >= map.rank)
      return;
  }
}

/// Pixels run through the bounding box, innermost spatial dimension first and
/// the batch last; each is moved by the offsets before it is read.
void walkIm2col(const TensorMap &map, const TensorBox &box, RowWalker &rows) {
  int spatial = map.rank - 2, batch = map.rank - 1;
  int64_t position[5];
  for (int i = 1; i < map.rank; ++i)
    position[i] = box.coordinates[i];
  for (int pixel = 0; pixel < map.pixelsPerColumn; ++pixel) {
    uint64_t address = map.globalAddress;
    bool inBounds = true;
    for (int i = 1; i < map.rank; ++i) {
      int64_t coordinate = position[i];
      if (i <= spatial)
        coordinate += box.im2colOffsets[i - 1];
      inBounds &=
          coordinate >= 0 && coordinate < static_cast<int64_t>(map.dim(i));
      address += static_cast<uint64_t>(coordinate) * map.stridesBytes[i - 1];
    }
    rows.walk(box.coordinates[0], map.channelsPerPixel, address, inBounds);
    int dimension = 1;
    for (; dimension <= spatial; ++dimension) {
      position[dimension] += map.elementStrides[dimension];
      int64_t end = static_cast<int64_t>(map.dim(dimension)) +
                    map.upperCorner[dimension - 1];
      if (position[dimension] < end)
        break;
      position[dimension] = map.lowerCorner[dimension - 1];
    }
    if (dimension > spatial)
      ++position[batch];
  }
}

} // namespace

void tilec::emu::forEachRun(
    const TensorMap &map, const TensorBox &box,
    const std::function<void(const TensorRun &)> &visit) {
  RowWalker rows{map, visit, box.sharedAddress,
                 static_cast<uint32_t>(elementBytes(map.element))};
  if (map.mode == TensorMode::Im2col)
    walkIm2col(map, box, rows);
  else
    walkTiled(map, box, rows);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void tilec::emu::fillOutOfBounds(const TensorMap &map, uint8_t *destination,
                                 uint32_t bytes) {
  std::memset(destination, 0, bytes);
  if (map.fill != TensorFill::NaN)
    return;
  auto fill = [&](auto bits) {
    for (uint32_t i = 0; i + sizeof(bits) <= bytes; i += sizeof(bits))
      std::memcpy(destination + i, &bits, sizeof(bits));
  };
  switch (map.element) {
  case TensorElement::F16:
    return fill(canonicalNanF16);
  case TensorElement::BF16:
    return fill(canonicalNanBF16);
  case TensorElement::F64:
    return fill(canonicalNanF64);
  default:
    return fill(canonicalNanF32);
  }
}

void tilec::emu::convertOnLoad(const TensorMap &map, uint8_t *data,
                               uint32_t bytes) {
  bool flush = map.element == TensorElement::F32Ftz ||
               map.element == TensorElement::TF32Ftz;
  bool round = map.element == TensorElement::TF32 ||
               map.element == TensorElement::TF32Ftz;
  if (!flush && !round)
    return;
  for (uint32_t i = 0; i + 4 <= bytes; i += 4) {
    uint32_t bits;
    std::memcpy(&bits, data + i, 4);
    if (flush)
      bits = f32ToBits(flushF32(bitsToF32(bits)));
    if (round)
      bits = static_cast<uint32_t>(
          convertFloat(ElementType::TF32, ElementType::F32, bits));
    std::memcpy(data + i, &bits, 4);
  }
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

std::string tilec::emu::checkReduction(TensorElement element,
                                       BulkReduction operation) {
  bool exists = false;
  switch (operation) {
  case BulkReduction::Add:
    exists = elementBytes(element) >= 2 && element != TensorElement::U16;
    break;
  case BulkReduction::Min:
  case BulkReduction::Max:
    exists = element == TensorElement::U32 || element == TensorElement::S32 ||
             element == TensorElement::U64 || element == TensorElement::S64 ||
             element == TensorElement::F16 || element == TensorElement::BF16;
    break;
  case BulkReduction::Inc:
  case BulkReduction::Dec:
    exists = element == TensorElement::U32;
    break;
  case BulkReduction::And:
  case BulkReduction::Or:
  case BulkReduction::Xor:
    exists = element == TensorElement::U32 || element == TensorElement::S32 ||
             element == TensorElement::U64 || element == TensorElement::S64;
    break;
  }
  return exists ? "" : "the reduction does not exist for this element type";
}

template <typename T>
static T reduceInteger(BulkReduction operation, T a, T b) {
  switch (operation) {
  case BulkReduction::Add:
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  case BulkReduction::Min:
    return std::min(a, b);
  case BulkReduction::Max:
    return std::max(a, b);
  case BulkReduction::Inc:
    return a >= b ? 0 : a + 1;
  case BulkReduction::Dec:
    return a == 0 || a > b ? b : a - 1;
  case BulkReduction::And:
    return a & b;
  case BulkReduction::Or:
    return a | b;
  case BulkReduction::Xor:
    return a ^ b;
  }
  return a;
}

static uint64_t reduceFloat(ElementType type, BulkReduction operation,
                            uint64_t a, uint64_t b) {
  if (operation == BulkReduction::Min)
    return minFloat(type, a, b);
  if (operation == BulkReduction::Max)
    return maxFloat(type, a, b);
  return addFloat(type, a, b, {});
}

template <typename T, typename Function>
static void reduceEach(uint8_t *destination, const uint8_t *source,
                       uint32_t bytes, Function function) {
  for (uint32_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
    T a, b;
    std::memcpy(&a, destination + i, sizeof(T));
    std::memcpy(&b, source + i, sizeof(T));
    a = static_cast<T>(function(a, b));
    std::memcpy(destination + i, &a, sizeof(T));
  }
}

void tilec::emu::reduceElements(TensorElement element, BulkReduction operation,
                                uint8_t *destination, const uint8_t *source,
                                uint32_t bytes) {
  auto integers = [&](auto zero) {
    using T = decltype(zero);
    reduceEach<T>(destination, source, bytes,
                  [&](T a, T b) { return reduceInteger<T>(operation, a, b); });
  };
  auto floats = [&](auto zero, ElementType type) {
    using T = decltype(zero);
    reduceEach<T>(destination, source, bytes,
                  [&](T a, T b) { return reduceFloat(type, operation, a, b); });
  };
  switch (element) {
  case TensorElement::U8:
    return integers(uint8_t());
  case TensorElement::U16:
    return integers(uint16_t());
  case TensorElement::U32:
    return integers(uint32_t());
  case TensorElement::S32:
    return integers(int32_t());
  case TensorElement::U64:
    return integers(uint64_t());
  case TensorElement::S64:
    return integers(int64_t());
  case TensorElement::F16:
    return floats(uint16_t(), ElementType::F16);
  case TensorElement::BF16:
    return floats(uint16_t(), ElementType::BF16);
  case TensorElement::F64:
    return floats(uint64_t(), ElementType::F64);
  default:
    return floats(uint32_t(), ElementType::F32);
  }
}
