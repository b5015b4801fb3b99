//===- WmmaArithmetic.cpp - What wmma computes ----------------------------===//
//
// The PTX ISA leaves the layout of wmma fragments open, so ours is the
// simplest: element e of lane l is the (l * perLane + e)-th of the matrix in
// row-major order, wrapping round where the ISA's register count has room for
// copies (f16 operands). Code that indexes fragments through load, store and
// element-wise arithmetic alone, as the ISA demands, cannot tell.
//
//===----------------------------------------------------------------------===//

#include "DenseOperands.h"

#include <algorithm>

using namespace tilec::emu;

namespace {

bool isShape(const WmmaOp &op, int m, int n, int k) {
  return op.m == m && op.n == n && op.k == k;
}

int rowsOf(const WmmaFragment &fragment) {
  return fragment.role == WmmaRole::B ? fragment.k : fragment.m;
}
int columnsOf(const WmmaFragment &fragment) {
  return fragment.role == WmmaRole::A ? fragment.k : fragment.n;
}

WmmaFragment fragmentOf(const WmmaOp &op, WmmaRole role) {
  ElementType type = role == WmmaRole::A   ? op.a
                     : role == WmmaRole::B ? op.b
                     : role == WmmaRole::C ? op.c
                                           : op.d;
  return {role, type, op.m, op.n, op.k};
}

/// Packed words of an operand, rows (A) or columns (B) one after another.
void gatherPacked(const WmmaFragment &fragment, const LaneWords *registers,
                  uint32_t *words) {
  int width = bitWidth(fragment.type), perWord = 32 / width;
  uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
  std::fill_n(words, rowsOf(fragment) * columnsOf(fragment) / perWord, 0u);
  int elements = wmmaRegisterCount(fragment) * perWord;
  for (int lane = 0; lane < warpLanes; ++lane)
    for (int element = 0; element < elements; ++element) {
      MatrixIndex at = wmmaIndex(fragment, lane, element);
      bool isB = fragment.role == WmmaRole::B;
      int outer = isB ? at.column : at.row, inner = isB ? at.row : at.column;
      uint32_t value = (registers[element / perWord][lane] >>
                        (width * (element % perWord))) &
                       mask;
      int index = outer * fragment.k + inner;
      words[index / perWord] |= value << (width * (index % perWord));
    }
}

} // namespace

std::string tilec::emu::checkWmma(const WmmaOp &op) {
  bool square = isShape(op, 16, 16, 16) || isShape(op, 8, 32, 16) ||
                isShape(op, 32, 8, 16);
  bool f32 = op.c == ElementType::F32 && op.d == ElementType::F32;
  bool s32 = op.c == ElementType::S32 && op.d == ElementType::S32;
  bool same = op.a == op.b, exists = false;
  auto isHalfOrSingle = [](ElementType type) {
    return type == ElementType::F16 || type == ElementType::F32;
  };
  auto is8 = [](ElementType type) {
    return type == ElementType::S8 || type == ElementType::U8;
  };
  switch (op.a) {
  case ElementType::F16:
    exists = same && square && isHalfOrSingle(op.c) && isHalfOrSingle(op.d);
    break;
  case ElementType::BF16:
    exists = same && square && f32;
    break;
  case ElementType::TF32:
    exists = same && isShape(op, 16, 16, 8) && f32;
    break;
  case ElementType::F64:
    exists = same && isShape(op, 8, 8, 4) && op.c == op.a && op.d == op.a;
    break;
  case ElementType::S8:
  case ElementType::U8:
    exists = is8(op.b) && same && square && s32;
    break;
  case ElementType::S4:
  case ElementType::U4:
    exists = same && isShape(op, 8, 8, 32) && s32;
    break;
  case ElementType::B1:
    exists = same && isShape(op, 8, 8, 128) && s32;
    break;
  default:
    break;
  }
  return exists ? ""
                : "wmma.m" + std::to_string(op.m) + "n" + std::to_string(op.n) +
                      "k" + std::to_string(op.k) + " with " + nameOf(op.a) +
                      ", " + nameOf(op.b) + ", " + nameOf(op.c) + ", " +
                      nameOf(op.d) + " does not exist";
}

int tilec::emu::wmmaElementsPerRegister(const WmmaFragment &fragment) {
  return fragment.type == ElementType::F64 ? 1 : 32 / bitWidth(fragment.type);
}

int tilec::emu::wmmaRegisterCount(const WmmaFragment &fragment) {
  bool isOperand = fragment.role == WmmaRole::A || fragment.role == WmmaRole::B;
  if (isOperand && fragment.type == ElementType::F16)
    return 8; // whatever the shape, so with copies
  return rowsOf(fragment) * columnsOf(fragment) / warpLanes /
         wmmaElementsPerRegister(fragment);
}

MatrixIndex tilec::emu::wmmaIndex(const WmmaFragment &fragment, int lane,
                                  int element) {
  int perLane = wmmaRegisterCount(fragment) * wmmaElementsPerRegister(fragment);
  int rows = rowsOf(fragment), columns = columnsOf(fragment);
  int index = (lane * perLane + element) % (rows * columns);
  if (fragment.role == WmmaRole::B) // packed elements are neighbours along K
    return {index % rows, index / rows};
  return {index / columns, index % columns};
}

void tilec::emu::wmmaMma(const WmmaOp &op, const LaneWords *a,
                         const LaneWords *b, const LaneWords *c, LaneWords *d) {
  uint32_t left[512], right[512];
  Accumulator sums[32 * 32];
  gatherPacked(fragmentOf(op, WmmaRole::A), a, left);
  gatherPacked(fragmentOf(op, WmmaRole::B), b, right);
  WmmaFragment fragmentC = fragmentOf(op, WmmaRole::C);
  WmmaFragment fragmentD = fragmentOf(op, WmmaRole::D);
  int elements = op.m * op.n / warpLanes;
  for (int lane = 0; lane < warpLanes; ++lane)
    for (int element = 0; element < elements; ++element) {
      MatrixIndex at = wmmaIndex(fragmentC, lane, element);
      Accumulator &sum = sums[at.row * op.n + at.column];
      if (op.c == ElementType::F16)
        sum.real = f16ToF32(static_cast<uint16_t>(c[element / 2][lane] >>
                                                  (16 * (element % 2))));
      else
        sum.integer = static_cast<int32_t>(c[element][lane]);
    }
  int words = op.k * bitWidth(op.a) / 32;
  multiplyPacked({op.a, op.b, false, op.saturateFinite, op.bitOperation},
                 {left, op.m, words}, {right, op.n, words}, sums);
  for (int lane = 0; lane < warpLanes; ++lane)
    for (int element = 0; element < elements; ++element) {
      MatrixIndex at = wmmaIndex(fragmentD, lane, element);
      const Accumulator &sum = sums[at.row * op.n + at.column];
      if (op.d == ElementType::F16) {
        uint32_t bits = f32ToF16(sum.real);
        uint32_t &word = d[element / 2][lane];
        word = element % 2 ? (word & 0xffff) | bits << 16 : bits;
      } else {
        d[element][lane] = static_cast<uint32_t>(sum.integer);
      }
    }
}

void tilec::emu::wmmaMmaF64(const WmmaOp &op, const LaneDoubles *a,
                            const LaneDoubles *b, const LaneDoubles *c,
                            LaneDoubles *d) {
  double left[8][4], right[4][8], sums[8][8];
  WmmaFragment fragmentA = fragmentOf(op, WmmaRole::A);
  WmmaFragment fragmentB = fragmentOf(op, WmmaRole::B);
  WmmaFragment fragmentC = fragmentOf(op, WmmaRole::C);
  for (int lane = 0; lane < warpLanes; ++lane) {
    MatrixIndex at = wmmaIndex(fragmentA, lane, 0);
    left[at.row][at.column] = bitsToF64(a[0][lane]);
    at = wmmaIndex(fragmentB, lane, 0);
    right[at.row][at.column] = bitsToF64(b[0][lane]);
    for (int element = 0; element < 2; ++element) {
      at = wmmaIndex(fragmentC, lane, element);
      sums[at.row][at.column] = bitsToF64(c[element][lane]);
    }
  }
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column)
      for (int k = 0; k < 4; ++k)
        sums[row][column] = fuseDoubles(left[row][k], right[k][column],
                                        sums[row][column], op.rounding);
  for (int lane = 0; lane < warpLanes; ++lane)
    for (int element = 0; element < 2; ++element) {
      MatrixIndex at = wmmaIndex(fragmentC, lane, element);
      double sum = sums[at.row][at.column];
      d[element][lane] = sum != sum ? canonicalNanF64 : f64ToBits(sum);
    }
}
