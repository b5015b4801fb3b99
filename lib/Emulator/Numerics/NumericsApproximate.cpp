//===- NumericsApproximate.cpp - ex2, lg2, sin and the like ---------------===//
//
// The PTX ISA bounds the error of the .approx instructions and fixes their
// special values. Here each is evaluated to within a unit in the last place, so
// within the bounds; what hardware returns differs in the last bits.
//
//===----------------------------------------------------------------------===//

#include "tile/Emulator/Numerics.h"

#include <limits>

using namespace tilec::emu;

/// Flushes operand and result as .ftz does, canonicalises NaN.
template <typename Function>
static float approximate(float x, bool flushToZero, Function function) {
  float result = canonicalF32(function(flushToZero ? flushF32(x) : x));
  return flushToZero ? flushF32(result) : result;
}

float tilec::emu::ex2Approx(float x, bool flushToZero) {
  return approximate(x, flushToZero, [](float v) { return std::exp2(v); });
}

float tilec::emu::lg2Approx(float x, bool flushToZero) {
  return approximate(x, flushToZero, [](float v) { return std::log2(v); });
}

float tilec::emu::rcpApprox(float x, bool flushToZero) {
  return approximate(x, flushToZero, [](float v) { return 1.0f / v; });
}

float tilec::emu::rsqrtApprox(float x, bool flushToZero) {
  return approximate(x, flushToZero, [](float v) {
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(v)));
  });
}

float tilec::emu::sqrtApprox(float x, bool flushToZero) {
  return approximate(x, flushToZero, [](float v) { return std::sqrt(v); });
}

float tilec::emu::sinApprox(float x, bool flushToZero) {
  return approximate(x, flushToZero, [](float v) {
    return static_cast<float>(std::sin(static_cast<double>(v)));
  });
}

float tilec::emu::cosApprox(float x, bool flushToZero) {
  return approximate(x, flushToZero, [](float v) {
    return static_cast<float>(std::cos(static_cast<double>(v)));
  });
}

float tilec::emu::tanhApprox(float x) {
  return canonicalF32(static_cast<float>(std::tanh(static_cast<double>(x))));
}

float tilec::emu::divApprox(float x, float y, bool flushToZero) {
  if (flushToZero) {
    x = flushF32(x);
    y = flushF32(y);
  }
  // Computed as x * (1 / y), and 1 / y is flushed for such y.
  float magnitude = std::fabs(y);
  float result;
  if (magnitude > 0x1p126f &&
      magnitude < std::numeric_limits<float>::infinity())
    result = x * std::copysign(0.0f, y);
  else
    result = x / y;
  result = canonicalF32(result);
  return flushToZero ? flushF32(result) : result;
}

float tilec::emu::divFull(float x, float y, bool flushToZero) {
  if (flushToZero) {
    x = flushF32(x);
    y = flushF32(y);
  }
  float result = canonicalF32(x / y);
  return flushToZero ? flushF32(result) : result;
}

/// The upper word of a double, the lower cleared; subnormals flushed.
static double upperWord(double value) {
  uint64_t bits = f64ToBits(value) & 0xffffffff00000000ull;
  bool small = (bits & 0x7ff0000000000000ull) == 0;
  return bitsToF64(small ? bits & 0x8000000000000000ull : bits);
}

double tilec::emu::rcpApproxF64(double x) {
  if (x != x)
    return bitsToF64(canonicalNanF64);
  return upperWord(1.0 / upperWord(x));
}

double tilec::emu::rsqrtApproxF64(double x, bool flushToZero) {
  if (x != x || x < 0)
    return bitsToF64(canonicalNanF64);
  if (!flushToZero)
    return 1.0 / std::sqrt(x);
  return upperWord(1.0 / std::sqrt(upperWord(x)));
}

uint16_t tilec::emu::ex2ApproxF16(uint16_t x, bool flushToZero) {
  auto flush = [&](uint16_t half) -> uint16_t {
    return flushToZero && (half & 0x7c00u) == 0 ? half & 0x8000u : half;
  };
  double exact = std::exp2(static_cast<double>(f16ToF32(flush(x))));
  return flush(f32ToF16(roundToOddF32(exact)));
}

uint16_t tilec::emu::ex2ApproxBF16(uint16_t x) {
  // The instruction exists as .ftz only.
  float value = flushF32(bf16ToF32(x));
  double exact = std::exp2(static_cast<double>(value));
  return f32ToBF16(flushF32(bf16ToF32(f32ToBF16(roundToOddF32(exact)))));
}

uint16_t tilec::emu::tanhApproxF16(uint16_t x) {
  double exact = std::tanh(static_cast<double>(f16ToF32(x)));
  return f32ToF16(roundToOddF32(exact));
}

uint16_t tilec::emu::tanhApproxBF16(uint16_t x) {
  double exact = std::tanh(static_cast<double>(bf16ToF32(x)));
  return f32ToBF16(roundToOddF32(exact));
}
