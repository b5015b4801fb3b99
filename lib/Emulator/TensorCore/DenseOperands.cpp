//===- DenseOperands.cpp - Dense matrices and their products --------------===//
//
// Decoding of packed elements and the inner loops of all matrix instructions.
// The loops are vectorised over columns: a row of the result stays in registers
// while k ascends.
//
//===----------------------------------------------------------------------===//

#include "DenseOperands.h"
#include "../Numerics/VectorTargets.h"

#include <array>
#include <bit>
#include <limits>

using namespace tilec::emu;

int tilec::emu::elementsPerWord(ElementType type, bool byteContainers) {
  int width = bitWidth(type);
  return byteContainers && width < 8 ? 4 : 32 / width;
}

bool tilec::emu::isIntegerOperand(ElementType type) { return !isFloat(type); }

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// The values of every byte of an 8-bit or narrower type.
static std::array<float, 256> makeByteTable(ElementType type, int shift,
                                            int mask) {
  std::array<float, 256> table;
  for (int byte = 0; byte < 256; ++byte)
    table[byte] = static_cast<float>(decodeFloat(type, (byte >> shift) & mask));
  return table;
}

static const float *byteTable(ElementType type) {
  static const std::array<float, 256> e4m3 =
      makeByteTable(ElementType::E4M3, 0, 0xff);
  static const std::array<float, 256> e5m2 =
      makeByteTable(ElementType::E5M2, 0, 0xff);
  static const std::array<float, 256> e3m2 =
      makeByteTable(ElementType::E3M2, 0, 0x3f);
  static const std::array<float, 256> e2m3 =
      makeByteTable(ElementType::E2M3, 0, 0x3f);
  static const std::array<float, 256> e2m1 =
      makeByteTable(ElementType::E2M1, 2, 0xf);
  switch (type) {
  case ElementType::E4M3:
    return e4m3.data();
  case ElementType::E5M2:
    return e5m2.data();
  case ElementType::E3M2:
    return e3m2.data();
  case ElementType::E2M3:
    return e2m3.data();
  default:
    return e2m1.data();
  }
}

TILE_VECTOR_TARGETS
static void decodeF16(const uint32_t *words, int wordCount, float *values) {
  for (int i = 0; i < wordCount; ++i) {
    values[2 * i] = f16ToF32(static_cast<uint16_t>(words[i]));
    values[2 * i + 1] = f16ToF32(static_cast<uint16_t>(words[i] >> 16));
  }
}

void tilec::emu::decodeFloats(ElementType type, const uint32_t *words,
                              int wordCount, float *values,
                              bool byteContainers) {
  if (type == ElementType::F16)
    return decodeF16(words, wordCount, values);
  if (type == ElementType::BF16) {
    for (int i = 0; i < wordCount; ++i) {
      values[2 * i] = bitsToF32(words[i] << 16);
      values[2 * i + 1] = bitsToF32(words[i] & 0xffff0000u);
    }
    return;
  }
  if (type == ElementType::TF32) {
    // The low 13 bits are not read.
    for (int i = 0; i < wordCount; ++i)
      values[i] = bitsToF32(words[i] & 0xffffe000u);
    return;
  }
  if (bitWidth(type) == 4 && !byteContainers) {
    for (int i = 0; i < wordCount * 8; ++i)
      values[i] = static_cast<float>(
          decodeFloat(type, (words[i / 8] >> (4 * (i % 8))) & 0xf));
    return;
  }
  const float *table = byteTable(type);
  for (int i = 0; i < wordCount * 4; ++i)
    values[i] = table[(words[i / 4] >> (8 * (i % 4))) & 0xff];
}

void tilec::emu::decodeIntegers(ElementType type, const uint32_t *words,
                                int wordCount, int32_t *values) {
  int width = bitWidth(type), perWord = 32 / width;
  bool isSigned = isSignedInteger(type);
  for (int i = 0; i < wordCount; ++i)
    for (int j = 0; j < perWord; ++j) {
      uint32_t top = words[i] << (32 - width * (j + 1));
      values[i * perWord + j] = isSigned
                                    ? static_cast<int32_t>(top) >> (32 - width)
                                    : static_cast<int32_t>(top >> (32 - width));
    }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Two rows of the result at a time, `Columns` columns kept in registers.
template <int Rows, int Columns>
static inline __attribute__((always_inline)) void
multiplyBlock(int n, int k, const float *a, const float *b, float *c) {
  float sums[Rows][Columns];
  for (int row = 0; row < Rows; ++row)
    for (int column = 0; column < Columns; ++column)
      sums[row][column] = c[row * n + column];
  for (int i = 0; i < k; ++i)
    for (int row = 0; row < Rows; ++row)
      for (int column = 0; column < Columns; ++column)
        sums[row][column] =
            std::fma(a[row * k + i], b[i * n + column], sums[row][column]);
  for (int row = 0; row < Rows; ++row)
    for (int column = 0; column < Columns; ++column)
      c[row * n + column] = canonicalF32(sums[row][column]);
}

TILE_VECTOR_TARGETS
void tilec::emu::multiplyFloats(int m, int n, int k, const float *a,
                                const float *b, float *c) {
  for (int row = 0; row < m; row += 8) {
    int column = 0;
    for (; column + 16 <= n; column += 16)
      multiplyBlock<8, 16>(n, k, a + row * k, b + column, c + row * n + column);
    for (; column < n; column += 8)
      multiplyBlock<8, 8>(n, k, a + row * k, b + column, c + row * n + column);
  }
}

double tilec::emu::fuseDoubles(double x, double y, double z,
                               Rounding rounding) {
  if (rounding == Rounding::NearestEven)
    return std::fma(x, y, z);
  FloatMode mode;
  mode.rounding = rounding;
  return bitsToF64(fmaFloat(ElementType::F64, f64ToBits(x), f64ToBits(y),
                            f64ToBits(z), mode));
}

void tilec::emu::multiplyIntegers(int m, int n, int k, const int32_t *a,
                                  const int32_t *b, int32_t *c, bool saturate) {
  for (int row = 0; row < m; ++row) {
    int64_t sums[maxN];
    for (int column = 0; column < n; ++column)
      sums[column] = c[row * n + column];
    for (int i = 0; i < k; ++i)
      for (int column = 0; column < n; ++column)
        sums[column] += a[row * k + i] * b[i * n + column];
    constexpr int64_t low = std::numeric_limits<int32_t>::min();
    constexpr int64_t high = std::numeric_limits<int32_t>::max();
    for (int column = 0; column < n; ++column) {
      int64_t sum = sums[column];
      if (saturate)
        sum = sum < low ? low : sum > high ? high : sum;
      c[row * n + column] = static_cast<int32_t>(sum);
    }
  }
}

void tilec::emu::multiplyBits(int m, int n, int words, const uint32_t *a,
                              const uint32_t *b, int32_t *c,
                              BitOperation operation) {
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      int count = 0;
      for (int i = 0; i < words; ++i) {
        uint32_t x = a[row * words + i], y = b[column * words + i];
        count += std::popcount(operation == BitOperation::Xor ? x ^ y : x & y);
      }
      c[row * n + column] += count;
    }
}

void tilec::emu::multiplyPacked(const MultiplyTypes &types,
                                const PackedOperand &a, const PackedOperand &b,
                                Accumulator *c) {
  int m = a.rows, n = b.rows;
  if (types.a == ElementType::B1)
    return multiplyBits(m, n, a.wordsPerRow, a.words, b.words, &c->integer,
                        types.bitOperation);
  int k = a.wordsPerRow * elementsPerWord(types.a, types.byteContainers);
  // Scratch of up to 128 KiB each, written before it is read: too large for the
  // stack of an OS thread, and fresh memory for each product would cost more
  // than the product.
  if (isIntegerOperand(types.a)) {
    alignas(64) static thread_local int32_t left[64 * maxK];
    alignas(64) static thread_local int32_t packed[maxK];
    alignas(64) static thread_local int32_t right[maxK * maxN];
    decodeIntegers(types.a, a.words, m * a.wordsPerRow, left);
    for (int column = 0; column < n; ++column) {
      decodeIntegers(types.b, b.words + column * b.wordsPerRow, b.wordsPerRow,
                     packed);
      for (int i = 0; i < k; ++i)
        right[i * n + column] = packed[i];
    }
    return multiplyIntegers(m, n, k, left, right, &c->integer, types.saturate);
  }
  alignas(64) static thread_local float left[64 * maxK];
  alignas(64) static thread_local float packed[maxN * maxK];
  alignas(64) static thread_local float right[maxK * maxN];
  decodeFloats(types.a, a.words, m * a.wordsPerRow, left, types.byteContainers);
  decodeFloats(types.b, b.words, n * b.wordsPerRow, packed,
               types.byteContainers);
  for (int column = 0; column < n; ++column)
    for (int i = 0; i < k; ++i)
      right[i * n + column] = packed[column * k + i];
  multiplyFloats(m, n, k, left, right, &c->real);
}

//===----------------------------------------------------------------------===//
// Sparsity
//===----------------------------------------------------------------------===//

// Metadata is four bits for two stored slots of a group of four; a slot is an
// element of 16 or 8 bits, a pair of 4-bit elements, or half of a 32-bit
// element (whose two halves are stored and named one by one: 0b0100 and
// 0b1110).
//
// Where it stands: a thread's register holds 16 bits for row g and 16 for row
// g + 8 (16- and 32-bit types), or 32 bits for one of these rows (8- and 4-bit
// types), g being the lane's group of four. Which threads of the group hold it:
//
//   width   K (slots)   threads            contents
//   16, 32  16          selector           rows g | g + 8
//           32          2 selector + p     columns 16 p: rows g | g + 8
//   8, 4    32          2 selector + p     row g + 8 p
//           64          0, 1, 2, 3         2 q + p: columns 32 q, row g + 8 p
void tilec::emu::collectMetadata(ElementType type, int k,
                                 const uint32_t *metadata, uint32_t selector,
                                 uint64_t *rowMetadata) {
  int width = bitWidth(type);
  int slots = width == 32 ? 2 * k : width == 4 ? k / 2 : k;
  for (int group = 0; group < 8; ++group) {
    const uint32_t *lanes = metadata + 4 * group;
    uint64_t &upper = rowMetadata[group], &lower = rowMetadata[group + 8];
    if (width >= 16) {
      int threads = slots / 16;
      upper = lower = 0;
      for (int p = 0; p < threads; ++p) {
        uint64_t word = lanes[(threads * selector + p) & 3];
        upper |= (word & 0xffff) << (16 * p);
        lower |= (word >> 16) << (16 * p);
      }
    } else if (slots == 32) {
      upper = lanes[(2 * selector) & 3];
      lower = lanes[(2 * selector + 1) & 3];
    } else {
      upper = lanes[0] | static_cast<uint64_t>(lanes[2]) << 32;
      lower = lanes[1] | static_cast<uint64_t>(lanes[3]) << 32;
    }
  }
}

void tilec::emu::expandSparse(ElementType type, const PackedOperand &stored,
                              const uint64_t *rowMetadata, uint32_t *dense) {
  int width = bitWidth(type);
  int slotBits = width == 4 ? 8 : width == 32 ? 16 : width;
  int slotsPerWord = 32 / slotBits;
  uint32_t mask = (uint32_t(1) << slotBits) - 1;
  for (int row = 0; row < stored.rows; ++row) {
    const uint32_t *source = stored.words + row * stored.wordsPerRow;
    uint32_t *target = dense + row * 2 * stored.wordsPerRow;
    for (int i = 0; i < 2 * stored.wordsPerRow; ++i)
      target[i] = 0;
    for (int slot = 0; slot < stored.wordsPerRow * slotsPerWord; ++slot) {
      uint32_t value =
          (source[slot / slotsPerWord] >> (slotBits * (slot % slotsPerWord))) &
          mask;
      int index = static_cast<int>(rowMetadata[row] >> (2 * slot)) & 3;
      int place = slot / 2 * 4 + index;
      target[place / slotsPerWord] |= value
                                      << (slotBits * (place % slotsPerWord));
    }
  }
}

//===----------------------------------------------------------------------===//
// Whether metadata is valid
//===----------------------------------------------------------------------===//

namespace {
/// What decides which metadata a sparse product takes, and from where.
struct MetadataShape {
  ElementType stored; ///< bytes that hold narrow elements count as such
  int k;
  bool isOrdered;

  int width() const { return bitWidth(stored); }
};
} // namespace

static MetadataShape shapeOf(const MmaOp &op) {
  return {op.byteContainers ? ElementType::E4M3 : op.a, op.k,
          op.orderedMetadata};
}

static MetadataShape shapeOf(const WgmmaOp &op) { return {op.a, op.k, false}; }

/// Those of the lanes of a group that hold 16 or 32 bits each.
static uint32_t countSelectors(const MetadataShape &shape) {
  bool isShort = shape.k * shape.width() == 256;
  if (shape.width() >= 16)
    return isShort ? 4 : 2;
  return isShort ? 2 : 1;
}

/// Whether four bits name what is kept of a group.
static bool isValidGroup(const MetadataShape &shape, uint32_t bits) {
  if (shape.stored == ElementType::TF32)
    return bits == 0x4 || bits == 0xe;
  uint32_t first = bits & 3, second = bits >> 2;
  return shape.isOrdered ? first < second : first != second;
}

/// As checkMetadata, of rows that count from `firstRow` on.
static std::string findInvalidGroup(const MetadataShape &shape,
                                    const uint32_t *metadata, uint32_t selector,
                                    int firstRow) {
  uint64_t rows[16];
  collectMetadata(shape.stored, shape.k, metadata, selector, rows);
  // Of tf32 two elements are a group, of 4-bit types four pairs.
  int width = shape.width();
  int groupColumns = width == 32 ? 2 : width == 4 ? 8 : 4;
  for (int row = 0; row < 16; ++row)
    for (int group = 0; group < shape.k / groupColumns; ++group) {
      auto bits = static_cast<uint32_t>(rows[row] >> (4 * group)) & 0xf;
      if (isValidGroup(shape, bits))
        continue;
      int first = group * groupColumns;
      return "the metadata of row " + std::to_string(firstRow + row) +
             ", columns " + std::to_string(first) + " to " +
             std::to_string(first + groupColumns - 1) + ", is " +
             std::to_string(bits) + ": positions " + std::to_string(bits & 3) +
             " and " + std::to_string(bits >> 2);
    }
  return "";
}

uint32_t tilec::emu::sparsitySelectorCount(const MmaOp &op) {
  return countSelectors(shapeOf(op));
}

uint32_t tilec::emu::sparsitySelectorCount(const WgmmaOp &op) {
  return countSelectors(shapeOf(op));
}

std::string tilec::emu::checkMetadata(const MmaOp &op, const uint32_t *metadata,
                                      uint32_t selector) {
  return findInvalidGroup(shapeOf(op), metadata, selector, 0);
}

std::string tilec::emu::checkMetadata(const WgmmaOp &op, int warp,
                                      const uint32_t *metadata,
                                      uint32_t selector) {
  return findInvalidGroup(shapeOf(op), metadata, selector, 16 * warp);
}

bool tilec::emu::isMetadataRead(const WgmmaOp &op, int lane,
                                uint32_t selector) {
  return bitWidth(op.a) < 16 || static_cast<uint32_t>(lane % 4 / 2) == selector;
}

int tilec::emu::metadataRow(const WgmmaOp &op, int lane, int half) {
  return lane / 4 + 8 * (bitWidth(op.a) < 16 ? lane % 2 : half);
}
