//===- WgmmaArithmetic.cpp - What wgmma computes --------------------------===//
//
// A descriptor names a matrix in shared memory by a start address, two strides
// and a swizzle. Without the swizzle, with rows of the operand counted along M
// or N ("mn") and S the width of the swizzle:
//
//   K-major, no swizzle:  core matrices of 8 rows x 16 bytes, contiguous;
//                         the next 8 rows at stride, the next 16 bytes of K at
//                         leading
//   K-major, swizzle S:   rows of S bytes; the next 8 rows at stride
//   MN-major, no swizzle: core matrices of 8 k x 16 bytes of mn, contiguous;
//                         the next 8 mn at stride, the next 8 k at leading
//   MN-major, swizzle S:  rows (one k) of S bytes of mn; the next S bytes of mn
//                         at leading, the next 8 k at stride
//
// The swizzle then exchanges 16-byte chunks: address bits 4 and up are xored
// with the bits from 7 up, 1, 2 or 3 of them for 32, 64 or 128 bytes; the base
// offset shifts the phase of that pattern, whose rows are 128 bytes.
//
//===----------------------------------------------------------------------===//

#include "DenseOperands.h"

#include <algorithm>
#include <cstring>

using namespace tilec::emu;

WgmmaDescriptor tilec::emu::decodeWgmmaDescriptor(uint64_t bits) {
  static constexpr uint32_t swizzles[] = {0, 128, 64, 32};
  return {static_cast<uint32_t>(bits & 0x3fff) << 4,
          static_cast<uint32_t>((bits >> 16) & 0x3fff) << 4,
          static_cast<uint32_t>((bits >> 32) & 0x3fff) << 4,
          static_cast<uint32_t>((bits >> 49) & 7), swizzles[(bits >> 62) & 3]};
}

//===----------------------------------------------------------------------===//
// What exists
//===----------------------------------------------------------------------===//

static bool isFloat8(ElementType type) {
  return type == ElementType::E4M3 || type == ElementType::E5M2;
}

std::string tilec::emu::checkWgmma(const WgmmaOp &op) {
  std::string name = std::string(op.sparse ? "wgmma.sp" : "wgmma") + ".m64n" +
                     std::to_string(op.n) + "k" + std::to_string(op.k) + "." +
                     nameOf(op.d) + "." + nameOf(op.a) + "." + nameOf(op.b);
  bool is16 = op.a == ElementType::F16 || op.a == ElementType::BF16;
  bool is8 = op.a == ElementType::S8 || op.a == ElementType::U8;
  bool types = false;
  if (op.a == ElementType::F16)
    types =
        op.b == op.a && (op.d == ElementType::F32 || op.d == ElementType::F16);
  else if (op.a == ElementType::BF16 || op.a == ElementType::TF32)
    types = op.b == op.a && op.d == ElementType::F32;
  else if (isFloat8(op.a))
    types = isFloat8(op.b) &&
            (op.d == ElementType::F32 || op.d == ElementType::F16);
  else if (is8)
    types = (op.b == ElementType::S8 || op.b == ElementType::U8) &&
            op.d == ElementType::S32;
  else if (op.a == ElementType::B1)
    types = op.b == op.a && op.d == ElementType::S32 && !op.sparse &&
            op.bitOperation == BitOperation::And;
  if (!types)
    return name + " has no such combination of types";
  int bits = 256 / bitWidth(op.a);
  if (op.k != (op.sparse ? 2 * bits : bits))
    return name + " needs k" + std::to_string(op.sparse ? 2 * bits : bits);
  // Integer shapes step by 16 above 32.
  bool isInteger = is8 || op.a == ElementType::B1;
  if (op.n < 8 || op.n > 256 || op.n % 8 != 0 ||
      (isInteger && op.n > 32 && op.n % 16 != 0))
    return name + " has no such n";
  if ((op.aMnMajor || op.bMnMajor) && !is16)
    return name + " can be transposed for 16-bit types only";
  if (op.aMnMajor && op.aInRegisters)
    return name + " cannot transpose A in registers";
  if ((op.negateA || op.negateB) && isInteger)
    return name + " cannot negate integers";
  if (op.saturateFinite && !is8)
    return name + " has no .satfinite";
  return "";
}

int tilec::emu::wgmmaRegisterCountA(const WgmmaOp &) { return 4; }

int tilec::emu::wgmmaRegisterCountD(const WgmmaOp &op) {
  return op.d == ElementType::F16 ? op.n / 4 : op.n / 2;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// `mn` counts rows of A or columns of B; `kBits` is a bit offset along K.
static uint32_t addressOf(const WgmmaDescriptor &descriptor, bool mnMajor,
                          int mn, int kBits) {
  uint32_t swizzle = descriptor.swizzleBytes, offset;
  if (!mnMajor) {
    uint32_t kByte = static_cast<uint32_t>(kBits) / 8;
    offset = static_cast<uint32_t>(mn / 8) * descriptor.strideOffsetBytes;
    if (swizzle == 0)
      offset += (mn % 8) * 16 + kByte / 16 * descriptor.leadingOffsetBytes +
                kByte % 16;
    else
      offset += (mn % 8) * swizzle + kByte;
  } else {
    // 16-bit elements only.
    uint32_t k = static_cast<uint32_t>(kBits) / 16;
    uint32_t mnByte = static_cast<uint32_t>(mn) * 2;
    if (swizzle == 0)
      offset = mnByte % 16 + mnByte / 16 * descriptor.strideOffsetBytes +
               k % 8 * 16 + k / 8 * descriptor.leadingOffsetBytes;
    else
      offset = mnByte % swizzle +
               mnByte / swizzle * descriptor.leadingOffsetBytes +
               k % 8 * swizzle + k / 8 * descriptor.strideOffsetBytes;
  }
  uint32_t address = descriptor.startAddress + offset;
  uint32_t phase = (address >> 7) - descriptor.baseOffset;
  if (swizzle != 0)
    address ^= (phase & (swizzle / 16 - 1)) << 4;
  return address;
}

static int storedK(const WgmmaOp &op, WgmmaOperand operand) {
  return op.sparse && operand == WgmmaOperand::A ? op.k / 2 : op.k;
}

uint32_t tilec::emu::wgmmaAddress(const WgmmaOp &op, WgmmaOperand operand,
                                  uint64_t descriptor, int row, int column) {
  bool isA = operand == WgmmaOperand::A;
  int mn = isA ? row : column, k = isA ? column : row;
  return addressOf(decodeWgmmaDescriptor(descriptor),
                   isA ? op.aMnMajor : op.bMnMajor, mn,
                   k * bitWidth(isA ? op.a : op.b));
}

void tilec::emu::wgmmaForEachChunk(
    const WgmmaOp &op, WgmmaOperand operand, uint64_t descriptor,
    const std::function<void(uint32_t address)> &visit) {
  WgmmaDescriptor decoded = decodeWgmmaDescriptor(descriptor);
  bool isA = operand == WgmmaOperand::A;
  bool mnMajor = isA ? op.aMnMajor : op.bMnMajor;
  int width = bitWidth(isA ? op.a : op.b);
  int end = isA ? 64 : op.n;
  int kBits = storedK(op, operand) * width;
  if (!mnMajor) {
    for (int matrix = 0; matrix < end; matrix += 8)
      for (int bit = 0; bit < kBits; bit += 128)
        for (int mn = matrix; mn < matrix + 8; ++mn)
          visit(addressOf(decoded, false, mn, bit));
    return;
  }
  for (int mn = 0; mn < end; mn += 8)
    for (int bit = 0; bit < kBits; bit += width)
      visit(addressOf(decoded, true, mn, bit));
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Rows [begin, begin + count) of an operand as packed words along K.
static void gatherShared(const WgmmaDescriptor &descriptor, bool mnMajor,
                         int begin, int count, int kBits, const uint8_t *shared,
                         uint32_t *words) {
  int wordsPerRow = kBits / 32;
  for (int row = 0; row < count; ++row) {
    if (!mnMajor) {
      for (int bit = 0; bit < kBits; bit += 128)
        std::memcpy(words + row * wordsPerRow + bit / 32,
                    shared + addressOf(descriptor, false, begin + row, bit),
                    16);
      continue;
    }
    for (int k = 0; k < kBits / 16; k += 2) {
      uint16_t low, high;
      std::memcpy(&low,
                  shared + addressOf(descriptor, true, begin + row, 16 * k), 2);
      std::memcpy(
          &high, shared + addressOf(descriptor, true, begin + row, 16 * k + 16),
          2);
      words[row * wordsPerRow + k / 2] = low | static_cast<uint32_t>(high)
                                                   << 16;
    }
  }
}

/// Flips the sign of every packed element.
static void negate(ElementType type, uint32_t *words, int count) {
  int width = bitWidth(type);
  uint32_t signs = width == 32   ? 0x80000000u
                   : width == 16 ? 0x80008000u
                                 : 0x80808080u;
  for (int i = 0; i < count; ++i)
    words[i] ^= signs;
}

/// D's registers and a dense 16 x n array: register pair r of the f32 layout is
/// row lane / 4 + 8 * (r % 2), columns 8 * (r / 2) + 2 * (lane % 4) and the
/// next.
static void gatherD(const WgmmaOp &op, const LaneWords *d, Accumulator *dense) {
  for (int pair = 0; pair < op.n / 4; ++pair)
    for (int lane = 0; lane < warpLanes; ++lane) {
      Accumulator *target = dense + (lane / 4 + 8 * (pair % 2)) * op.n +
                            8 * (pair / 2) + lane % 4 * 2;
      if (op.d == ElementType::F16) {
        target[0].real = f16ToF32(static_cast<uint16_t>(d[pair][lane]));
        target[1].real = f16ToF32(static_cast<uint16_t>(d[pair][lane] >> 16));
      } else {
        target[0].integer = static_cast<int32_t>(d[2 * pair][lane]);
        target[1].integer = static_cast<int32_t>(d[2 * pair + 1][lane]);
      }
    }
}

static void scatterD(const WgmmaOp &op, const Accumulator *dense,
                     LaneWords *d) {
  for (int pair = 0; pair < op.n / 4; ++pair)
    for (int lane = 0; lane < warpLanes; ++lane) {
      const Accumulator *source = dense + (lane / 4 + 8 * (pair % 2)) * op.n +
                                  8 * (pair / 2) + lane % 4 * 2;
      if (op.d == ElementType::F16) {
        uint32_t low = f32ToF16(source[0].real);
        uint32_t high = f32ToF16(source[1].real);
        d[pair][lane] = low | high << 16;
      } else {
        d[2 * pair][lane] = static_cast<uint32_t>(source[0].integer);
        d[2 * pair + 1][lane] = static_cast<uint32_t>(source[1].integer);
      }
    }
}

void tilec::emu::wgmma(const WgmmaOp &op, int warp, const uint8_t *shared,
                       const LaneWords *aRegisters, uint64_t aDescriptor,
                       uint64_t bDescriptor, bool scaleD, LaneWords *d,
                       const uint32_t *metadata, uint32_t selector) {
  int kBitsA = storedK(op, WgmmaOperand::A) * bitWidth(op.a); // 256
  int kBitsB = op.k * bitWidth(op.b);
  uint32_t left[16 * 8], dense[16 * 16];
  // Scratch, written before it is read: kept off the stack, which it is large
  // for, and not made anew for each product.
  alignas(64) static thread_local uint32_t right[maxN * 16];
  alignas(64) static thread_local Accumulator sums[16 * maxN];
  if (aRegisters) {
    for (int r = 0; r < 4; ++r)
      for (int lane = 0; lane < warpLanes; ++lane)
        left[(lane / 4 + 8 * (r % 2)) * 8 + 4 * (r / 2) + lane % 4] =
            aRegisters[r][lane];
  } else {
    gatherShared(decodeWgmmaDescriptor(aDescriptor), op.aMnMajor, 16 * warp, 16,
                 kBitsA, shared, left);
  }
  gatherShared(decodeWgmmaDescriptor(bDescriptor), op.bMnMajor, 0, op.n, kBitsB,
               shared, right);
  if (op.negateA)
    negate(op.a, left, 16 * kBitsA / 32);
  if (op.negateB)
    negate(op.b, right, op.n * kBitsB / 32);
  PackedOperand packedA{left, 16, kBitsA / 32};
  if (op.sparse) {
    uint64_t rowMetadata[16];
    collectMetadata(op.a, op.k, metadata, selector, rowMetadata);
    expandSparse(op.a, packedA, rowMetadata, dense);
    packedA = {dense, 16, 2 * kBitsA / 32};
  }
  if (scaleD)
    gatherD(op, d, sums);
  else
    std::fill_n(sums, 16 * op.n, Accumulator{0.0f});
  multiplyPacked({op.a, op.b, false, op.saturateFinite, op.bitOperation},
                 packedA, {right, op.n, kBitsB / 32}, sums);
  scatterD(op, sums, d);
}
