//===- MmaArithmetic.cpp - What mma.sync and mma.sp compute ---------------===//
//
// Which shapes and types exist, and the three steps of executing one: registers
// to dense words (DenseOperands.h has the picture), the product, and the
// accumulators back to registers.
//
//===----------------------------------------------------------------------===//

#include "../Numerics/VectorTargets.h"
#include "DenseOperands.h"

#include <algorithm>
#include <cstring>

using namespace tilec::emu;

namespace {

bool isOneOf(int value, std::initializer_list<int> values) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool isFloat8(ElementType type) {
  return type == ElementType::E4M3 || type == ElementType::E5M2;
}
bool isFloat8Or6Or4(ElementType type) {
  return isFloat8(type) || type == ElementType::E3M2 ||
         type == ElementType::E2M3 || type == ElementType::E2M1;
}
bool isInteger8(ElementType type) {
  return type == ElementType::S8 || type == ElementType::U8;
}
bool isInteger4(ElementType type) {
  return type == ElementType::S4 || type == ElementType::U4;
}

std::string describe(const MmaOp &op) {
  return std::string(op.sparse ? "mma.sp" : "mma") + ".m" +
         std::to_string(op.m) + "n" + std::to_string(op.n) + "k" +
         std::to_string(op.k) + "." +
         (op.scaling.vectors ? "block_scale." : "") + nameOf(op.d) + "." +
         nameOf(op.a) + "." + nameOf(op.b) + "." + nameOf(op.c);
}

/// The legacy f16 shape: four independent products, one per quad pair.
bool isQuadPair(const MmaOp &op) {
  return op.m == 8 && op.k == 4 && op.a == ElementType::F16;
}

/// Whether the shape exists for operands of type `a`.
bool hasShape(const MmaOp &op) {
  bool m16n8 = op.m == 16 && op.n == 8, m8n8 = op.m == 8 && op.n == 8;
  int s = op.sparse ? 2 : 1;
  switch (op.a) {
  case ElementType::F16:
    return (m16n8 && isOneOf(op.k, {8 * s, 16 * s})) ||
           (m8n8 && op.k == 4 && !op.sparse);
  case ElementType::BF16:
    return m16n8 && isOneOf(op.k, {8 * s, 16 * s});
  case ElementType::TF32:
    return m16n8 && isOneOf(op.k, {4 * s, 8 * s});
  case ElementType::F64:
    return !op.sparse &&
           ((m16n8 && isOneOf(op.k, {4, 8, 16})) || (m8n8 && op.k == 4));
  case ElementType::S8:
  case ElementType::U8:
    return (m16n8 && isOneOf(op.k, {16 * s, 32 * s})) ||
           (m8n8 && op.k == 16 && !op.sparse);
  case ElementType::S4:
  case ElementType::U4:
    return (m16n8 && isOneOf(op.k, {32 * s, 64 * s})) ||
           (m8n8 && op.k == 32 && !op.sparse);
  case ElementType::B1:
    return !op.sparse &&
           ((m16n8 && isOneOf(op.k, {128, 256})) || (m8n8 && op.k == 128));
  case ElementType::E4M3:
  case ElementType::E5M2:
    return m16n8 &&
           (op.sparse ? op.k == 64
                      : op.k == 32 || (op.k == 16 && !op.byteContainers));
  case ElementType::E3M2:
  case ElementType::E2M3:
  case ElementType::E2M1:
    return m16n8 &&
           (op.byteContainers ? op.k == 32 * s
                              : op.scaling.vectors > 1 && op.k == 64 * s);
  default:
    return false;
  }
}

/// mxf8f6f4 scales bytes by one power of two a row; mxf4 and mxf4nvf4 scale
/// pairs of e2m1 by two, or four with a mantissa.
bool hasScaledTypes(const MmaOp &op) {
  if (op.byteContainers)
    return isFloat8Or6Or4(op.a) && isFloat8Or6Or4(op.b) &&
           op.scaling == MmaScaling{1, ElementType::UE8M0};
  return op.a == ElementType::E2M1 && op.b == op.a &&
         (op.scaling == MmaScaling{2, ElementType::UE8M0} ||
          op.scaling == MmaScaling{4, ElementType::E4M3});
}

bool hasTypes(const MmaOp &op) {
  bool f32Results = op.c == ElementType::F32 && op.d == ElementType::F32;
  bool f16Results = op.c == ElementType::F16 && op.d == ElementType::F16;
  bool s32Results = op.c == ElementType::S32 && op.d == ElementType::S32;
  if (op.scaling.vectors)
    return f32Results && hasScaledTypes(op);
  switch (op.a) {
  case ElementType::F16:
    if (isQuadPair(op)) // every mixture but f16 results of f32 addends
      return op.b == op.a &&
             (f32Results || f16Results ||
              (op.c == ElementType::F16 && op.d == ElementType::F32));
    return op.b == op.a && (f32Results || f16Results);
  case ElementType::BF16:
  case ElementType::TF32:
    return op.b == op.a && f32Results;
  case ElementType::F64:
    return op.b == op.a && op.c == op.a && op.d == op.a;
  case ElementType::B1:
    return op.b == op.a && s32Results;
  case ElementType::S8:
  case ElementType::U8:
    return isInteger8(op.b) && s32Results;
  case ElementType::S4:
  case ElementType::U4:
    return isInteger4(op.b) && s32Results;
  default:
    if (op.byteContainers)
      return isFloat8Or6Or4(op.b) && (f32Results || f16Results);
    return isFloat8(op.b) && (f32Results || f16Results);
  }
}

} // namespace

//===----------------------------------------------------------------------===//
// What exists
//===----------------------------------------------------------------------===//

std::string tilec::emu::checkMma(const MmaOp &op) {
  if (!hasTypes(op))
    return describe(op) + " has no such combination of types";
  if (!hasShape(op))
    return describe(op) + " has no such shape for its types";
  if ((op.aColumnMajor || op.bRowMajor) && !isQuadPair(op))
    return describe(op) + " takes A as .row and B as .col only";
  bool needsOrder = op.byteContainers || op.scaling.vectors ||
                    (isFloat8(op.a) && op.c == ElementType::F16);
  if (op.sparse && !op.orderedMetadata && needsOrder)
    return describe(op) + " needs .sp::ordered_metadata";
  if (op.rounding != Rounding::NearestEven && op.a != ElementType::F64)
    return describe(op) + " has no rounding modifier";
  if (op.saturateFinite && !isInteger8(op.a) && !isInteger4(op.a))
    return describe(op) + " has no .satfinite";
  return "";
}

MmaRegisterCounts tilec::emu::mmaRegisterCounts(const MmaOp &op) {
  if (isQuadPair(op))
    return {2, 2, op.c == ElementType::F16 ? 4 : 8,
            op.d == ElementType::F16 ? 4 : 8};
  int perLaneC = op.m * op.n / warpLanes;
  if (op.a == ElementType::F64)
    return {op.m * op.k / warpLanes, op.k * op.n / warpLanes, perLaneC,
            perLaneC};
  int perWordA = elementsPerWord(op.a, op.byteContainers);
  int perWordB = elementsPerWord(op.b, op.byteContainers);
  int storedK = op.sparse ? op.k / 2 : op.k;
  return {op.m * storedK / warpLanes / perWordA,
          op.k * op.n / warpLanes / perWordB,
          op.c == ElementType::F16 ? perLaneC / 2 : perLaneC,
          op.d == ElementType::F16 ? perLaneC / 2 : perLaneC};
}

//===----------------------------------------------------------------------===//
// Where elements are
//===----------------------------------------------------------------------===//

MatrixIndex tilec::emu::mmaIndexA(const MmaOp &op, int lane, int element) {
  if (isQuadPair(op)) {
    int high = lane < 16 ? 0 : 4;
    return op.aColumnMajor ? MatrixIndex{element % 4 + high, lane % 4}
                           : MatrixIndex{lane % 4 + high, element};
  }
  int perWord =
      op.a == ElementType::F64 ? 1 : elementsPerWord(op.a, op.byteContainers);
  int word = element / perWord, rowBlocks = op.m / 8;
  return {lane / 4 + 8 * (word % rowBlocks),
          (4 * (word / rowBlocks) + lane % 4) * perWord + element % perWord};
}

MatrixIndex tilec::emu::mmaIndexB(const MmaOp &op, int lane, int element) {
  if (isQuadPair(op)) {
    int high = lane < 16 ? 0 : 4;
    return op.bRowMajor ? MatrixIndex{lane % 4, element + high}
                        : MatrixIndex{element, lane % 4 + high};
  }
  int perWord =
      op.b == ElementType::F64 ? 1 : elementsPerWord(op.b, op.byteContainers);
  int word = element / perWord;
  return {(4 * word + lane % 4) * perWord + element % perWord, lane / 4};
}

static MatrixIndex quadPairIndexC(ElementType type, int lane, int element) {
  int high = lane < 16 ? 0 : 4;
  if (type == ElementType::F16)
    return {lane % 4 + high, element};
  return {(lane & 1) + (element & 2) + high,
          (element & 4) + (lane & 2) + (element & 1)};
}

MatrixIndex tilec::emu::mmaIndexC(const MmaOp &op, int lane, int element) {
  if (isQuadPair(op))
    return quadPairIndexC(op.d, lane, element);
  return {lane / 4 + 8 * (element / 2), lane % 4 * 2 + element % 2};
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Registers of C to a dense m x 8 array.
static void gatherC(ElementType type, int rows, const LaneWords *c,
                    Accumulator *dense) {
  for (int block = 0; block < rows / 8; ++block)
    for (int lane = 0; lane < warpLanes; ++lane) {
      Accumulator *pair = dense + (8 * block + lane / 4) * 8 + lane % 4 * 2;
      if (type == ElementType::F16) {
        uint32_t word = c[block][lane];
        pair[0].real = f16ToF32(static_cast<uint16_t>(word));
        pair[1].real = f16ToF32(static_cast<uint16_t>(word >> 16));
      } else {
        pair[0].integer = static_cast<int32_t>(c[2 * block][lane]);
        pair[1].integer = static_cast<int32_t>(c[2 * block + 1][lane]);
      }
    }
}

static void scatterD(ElementType type, int rows, const Accumulator *dense,
                     LaneWords *d) {
  for (int block = 0; block < rows / 8; ++block)
    for (int lane = 0; lane < warpLanes; ++lane) {
      const Accumulator *pair =
          dense + (8 * block + lane / 4) * 8 + lane % 4 * 2;
      if (type == ElementType::F16) {
        uint32_t low = f32ToF16(pair[0].real), high = f32ToF16(pair[1].real);
        d[block][lane] = low | high << 16;
      } else {
        d[2 * block][lane] = static_cast<uint32_t>(pair[0].integer);
        d[2 * block + 1][lane] = static_cast<uint32_t>(pair[1].integer);
      }
    }
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Four 8x8x4 products; product q belongs to lanes 4q..4q+3 and 16+4q..16+4q+3.
static void mmaQuadPairs(const MmaOp &op, const LaneWords *a,
                         const LaneWords *b, const LaneWords *c, LaneWords *d) {
  auto half = [](const LaneWords *words, int lane, int element) {
    return f16ToF32(static_cast<uint16_t>(words[element / 2][lane] >>
                                          (16 * (element % 2))));
  };
  LaneWords results[8];
  for (int quad = 0; quad < 4; ++quad) {
    float left[8][4], right[4][8], sums[8][8];
    auto forEachLane = [&](auto visit) {
      for (int i = 0; i < 4; ++i) {
        visit(4 * quad + i);
        visit(16 + 4 * quad + i);
      }
    };
    forEachLane([&](int lane) {
      for (int element = 0; element < 4; ++element) {
        MatrixIndex at = mmaIndexA(op, lane, element);
        left[at.row][at.column] = half(a, lane, element);
        at = mmaIndexB(op, lane, element);
        right[at.row][at.column] = half(b, lane, element);
      }
      for (int element = 0; element < 8; ++element) {
        MatrixIndex at = quadPairIndexC(op.c, lane, element);
        sums[at.row][at.column] = op.c == ElementType::F16
                                      ? half(c, lane, element)
                                      : bitsToF32(c[element][lane]);
      }
    });
    multiplyFloats(8, 8, 4, left[0], right[0], sums[0]);
    forEachLane([&](int lane) {
      for (int element = 0; element < 8; ++element) {
        MatrixIndex at = quadPairIndexC(op.d, lane, element);
        float sum = sums[at.row][at.column];
        if (op.d == ElementType::F32) {
          results[element][lane] = f32ToBits(sum);
        } else {
          uint32_t bits = f32ToF16(sum);
          uint32_t &word = results[element / 2][lane];
          word = element % 2 ? (word & 0xffff) | bits << 16 : bits;
        }
      }
    });
  }
  int count = mmaRegisterCounts(op).d;
  for (int i = 0; i < count; ++i)
    std::copy(results[i], results[i] + warpLanes, d[i]);
}

/// 64 halves of one register, as f32.
template <bool isBfloat>
static inline __attribute__((always_inline)) void
decodeRegister(const LaneWords &words, float *values) {
  uint16_t halves[64];
  std::memcpy(halves, words, sizeof(halves));
  for (int i = 0; i < 64; ++i)
    values[i] = isBfloat ? bf16ToF32(halves[i]) : f16ToF32(halves[i]);
}

template <bool isBfloat>
static inline __attribute__((always_inline)) void
multiplyHalves(int blocks, const LaneWords *a, const LaneWords *b,
               Accumulator *c) {
  alignas(64) float left[4][64], packed[64], right[16][8];
  for (int r = 0; r < 2 * blocks; ++r)
    decodeRegister<isBfloat>(a[r], left[r]);
  for (int r = 0; r < blocks; ++r) {
    decodeRegister<isBfloat>(b[r], packed);
    for (int k = 0; k < 8; ++k)
      for (int n = 0; n < 8; ++n)
        right[8 * r + k][n] = packed[8 * n + k];
  }
  for (int half = 0; half < 2; ++half) {
    Accumulator *rows = c + 64 * half;
    float sums[8][8];
    for (int row = 0; row < 8; ++row)
      for (int n = 0; n < 8; ++n)
        sums[row][n] = rows[8 * row + n].real;
    for (int k = 0; k < 8 * blocks; ++k)
      for (int row = 0; row < 8; ++row)
        for (int n = 0; n < 8; ++n)
          sums[row][n] = std::fma(left[2 * (k / 8) + half][8 * row + k % 8],
                                  right[k][n], sums[row][n]);
    for (int row = 0; row < 8; ++row)
      for (int n = 0; n < 8; ++n)
        rows[8 * row + n].real = canonicalF32(sums[row][n]);
  }
}

/// The dense 16-bit shapes, straight from the registers: what most programs
/// spend their time in. `blocks`: K / 8.
TILE_VECTOR_TARGETS
static void multiplyHalfRegisters(bool isBfloat, int blocks, const LaneWords *a,
                                  const LaneWords *b, Accumulator *c) {
  if (isBfloat)
    multiplyHalves<true>(blocks, a, b, c);
  else
    multiplyHalves<false>(blocks, a, b, c);
}

void tilec::emu::mma(const MmaOp &op, const LaneWords *a, const LaneWords *b,
                     const LaneWords *c, LaneWords *d, const uint32_t *metadata,
                     uint32_t selector, const MmaScales *scales) {
  if (isQuadPair(op))
    return mmaQuadPairs(op, a, b, c, d);
  Accumulator sums[16 * 8];
  gatherC(op.c, op.m, c, sums);
  if (bitWidth(op.a) == 16 && !op.sparse) {
    multiplyHalfRegisters(op.a == ElementType::BF16, op.k / 8, a, b, sums);
    return scatterD(op.d, op.m, sums, d);
  }
  constexpr int maxWords = 32; // of a row, dense
  uint32_t words[16 * maxWords], dense[16 * maxWords], right[8 * maxWords];
  MmaRegisterCounts counts = mmaRegisterCounts(op);

  int rowBlocks = op.m / 8, wordsA = 4 * (counts.a / rowBlocks);
  for (int r = 0; r < counts.a; ++r)
    for (int lane = 0; lane < warpLanes; ++lane)
      words[(lane / 4 + 8 * (r % rowBlocks)) * wordsA + 4 * (r / rowBlocks) +
            lane % 4] = a[r][lane];
  int wordsB = 4 * counts.b;
  for (int r = 0; r < counts.b; ++r)
    for (int lane = 0; lane < warpLanes; ++lane)
      right[lane / 4 * wordsB + 4 * r + lane % 4] = b[r][lane];

  PackedOperand left{words, op.m, wordsA};
  if (op.sparse) {
    uint64_t rowMetadata[16];
    // Narrow elements in bytes are chosen as bytes.
    ElementType stored = op.byteContainers ? ElementType::E4M3 : op.a;
    collectMetadata(stored, op.k, metadata, selector, rowMetadata);
    expandSparse(stored, left, rowMetadata, dense);
    left = {dense, op.m, 2 * wordsA};
  }
  if (op.scaling.vectors)
    multiplyScaled(op, left, {right, op.n, wordsB}, *scales, &sums->real);
  else
    multiplyPacked(
        {op.a, op.b, op.byteContainers, op.saturateFinite, op.bitOperation},
        left, {right, op.n, wordsB}, sums);
  scatterD(op.d, op.m, sums, d);
}

void tilec::emu::mmaF64(const MmaOp &op, const LaneDoubles *a,
                        const LaneDoubles *b, const LaneDoubles *c,
                        LaneDoubles *d) {
  double left[16][16], right[16][8], sums[16][8];
  MmaRegisterCounts counts = mmaRegisterCounts(op);
  for (int lane = 0; lane < warpLanes; ++lane) {
    for (int i = 0; i < counts.a; ++i) {
      MatrixIndex at = mmaIndexA(op, lane, i);
      left[at.row][at.column] = bitsToF64(a[i][lane]);
    }
    for (int i = 0; i < counts.b; ++i) {
      MatrixIndex at = mmaIndexB(op, lane, i);
      right[at.row][at.column] = bitsToF64(b[i][lane]);
    }
    for (int i = 0; i < counts.c; ++i) {
      MatrixIndex at = mmaIndexC(op, lane, i);
      sums[at.row][at.column] = bitsToF64(c[i][lane]);
    }
  }
  for (int row = 0; row < op.m; ++row)
    for (int column = 0; column < op.n; ++column)
      for (int k = 0; k < op.k; ++k)
        sums[row][column] = fuseDoubles(left[row][k], right[k][column],
                                        sums[row][column], op.rounding);
  for (int lane = 0; lane < warpLanes; ++lane)
    for (int i = 0; i < counts.d; ++i) {
      MatrixIndex at = mmaIndexC(op, lane, i);
      double sum = sums[at.row][at.column];
      d[i][lane] = sum != sum ? canonicalNanF64 : f64ToBits(sum);
    }
}
