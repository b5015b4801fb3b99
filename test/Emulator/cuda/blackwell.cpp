//===- blackwell.cpp - Narrow floats, byte matrices, packed f32 -----------===//
//
// What blackwell.cu computes, on the CPU.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

#include <algorithm>

using namespace tilec::emu;
using namespace tilec::emu::cuda;

namespace {

uint8_t narrow(ElementType type, float value,
               Rounding rounding = Rounding::NearestEven) {
  FloatMode mode;
  mode.saturation = Saturation::Finite;
  mode.rounding = rounding;
  return static_cast<uint8_t>(encodeFloat(type, value, mode));
}

/// Halves of a word.
uint64_t pairOf(float low, float high) {
  return f32ToBits(low) | uint64_t(f32ToBits(high)) << 32;
}

void packedSingles(Run &run) {
  auto x = randomFloats(64, -9, 9, 1), y = randomFloats(64, -9, 9, 2),
       z = randomFloats(64, -9, 9, 3);
  auto pairs = [](const std::vector<float> &v) {
    return generate(32,
                    [&](size_t i) { return pairOf(v[2 * i], v[2 * i + 1]); });
  };
  auto out = run.allocate<uint64_t>(96);
  run.launch("packedSingles", {1}, {32}, {}, run.upload(pairs(x)),
             run.upload(pairs(y)), run.upload(pairs(z)), out);
  FloatMode truncate;
  truncate.rounding = Rounding::TowardZero;
  auto one = [&](size_t operation, size_t i) {
    if (operation == 0)
      return x[i] + y[i];
    if (operation == 2)
      return std::fma(x[i], y[i], z[i]);
    return bitsToF32(static_cast<uint32_t>(mulFloat(
        ElementType::F32, f32ToBits(x[i]), f32ToBits(y[i]), truncate)));
  };
  run.expect(out, generate(96, [&](size_t i) {
               size_t lane = i / 3;
               return pairOf(one(i % 3, 2 * lane), one(i % 3, 2 * lane + 1));
             }));
}

void byteMatrices(Run &run) {
  auto in = randomIntegers<uint8_t>(256, 0, 255);
  auto fragments = run.allocate<uint8_t>(256);
  auto stored = run.allocate<uint8_t>(128);
  run.launch("byteMatrices", {1}, {32}, {}, run.upload(in), fragments, stored);
  // Lane (g, t) holds bytes g and g + 8 of the four rows from 4 t.
  run.expect(fragments, generate(256, [&](size_t i) {
               size_t lane = i / 8, half = i / 4 % 2, byte = i % 4;
               size_t row = 4 * (lane % 4) + 2 * half + byte % 2;
               return in[row * 16 + lane / 4 + 8 * (byte / 2)];
             }));
  // Stored again, the first register's rows follow each other.
  run.expect(stored, generate(128, [&](size_t i) {
               size_t row = i / 16, t = row / 2;
               return in[(4 * t + row % 2) * 16 + i % 16];
             }));
}

void narrowConversions(Run &run) {
  auto in = randomFloats(128, -9, 9);
  in[0] = 100, in[1] = -100, in[2] = 0.25f, in[3] = -0.0f, in[4] = 2.5f;
  for (size_t i = 64; i < 128; ++i)
    in[i] = std::ldexp(in[i], static_cast<int>(i % 20) - 10);
  auto out = run.allocate<uint16_t>(256), back = run.allocate<uint16_t>(512);
  run.launch("narrowConversions", {1}, {64}, {}, run.upload(in), out, back);
  static const ElementType types[] = {ElementType::E2M1, ElementType::E2M3,
                                      ElementType::E3M2, ElementType::UE8M0};
  auto element = [&](size_t kind, float value) {
    // A power of two has no sign: the magnitude is rounded up.
    return kind == 3 ? narrow(types[3], std::fabs(value), Rounding::Up)
                     : narrow(types[kind], value);
  };
  run.expect(out, generate(256, [&](size_t i) {
               uint16_t high = element(i % 4, in[i / 4 * 2]);
               uint16_t low = element(i % 4, in[i / 4 * 2 + 1]);
               return static_cast<uint16_t>(low | high << (i % 4 ? 8 : 4));
             }));
  run.expect(back, generate(512, [&](size_t i) {
               size_t kind = i / 2 % 4;
               float value = in[i / 8 * 2 + (i % 2 ? 0 : 1)];
               double exact = decodeFloat(types[kind], element(kind, value));
               return static_cast<uint16_t>(encodeFloat(
                   kind == 3 ? ElementType::BF16 : ElementType::F16, exact));
             }));
}

} // namespace

CUDA_CASE(mmaNarrow, "blackwell.cu", "sm_120a") {
  static const float values[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  auto codes = randomIntegers<int>(512, 0, 15, 1);
  auto b = randomIntegers<int>(256, -4, 4, 2);
  auto packedA =
      generate(512, [&](size_t i) { return uint8_t(codes[i] << 2); });
  auto packedB = generate(256, [&](size_t i) { return toE4M3(float(b[i])); });
  auto d = run.allocate<float>(128);
  run.launch("mmaNarrow", {1}, {32}, {}, run.upload(packedA),
             run.upload(packedB), d);
  run.expect(d, matmul(
                    16, 8, 32,
                    [&](int i, int k) {
                      int code = codes[i * 32 + k];
                      return code & 8 ? -values[code & 7] : values[code & 7];
                    },
                    [&](int k, int j) { return b[j * 32 + k]; }));
}

CUDA_CASE(byteMatrices100, "blackwell.cu", "sm_100a") { byteMatrices(run); }
CUDA_CASE(byteMatrices120, "blackwell.cu", "sm_120a") { byteMatrices(run); }

CUDA_CASE(nibbleMatrix, "blackwell.cu", "sm_120a") {
  auto in = randomIntegers<uint8_t>(128, 0, 255);
  auto out = run.allocate<uint8_t>(128);
  run.launch("nibbleMatrix", {1}, {32}, {}, run.upload(in), out);
  run.expect(out, generate(128, [&](size_t i) {
               size_t row = i / 16, column = i % 16;
               uint8_t byte = in[row * 16 + column / 2];
               return uint8_t((column % 2 ? byte >> 4 : byte & 15) << 2);
             }));
}

CUDA_CASE(narrowConversions100, "blackwell.cu", "sm_100a") {
  narrowConversions(run);
}
CUDA_CASE(narrowConversions120, "blackwell.cu", "sm_120a") {
  narrowConversions(run);
}
CUDA_CASE(packedSingles, "blackwell.cu", "sm_100a") { packedSingles(run); }

CUDA_CASE(threeInputs, "blackwell.cu", "sm_100a") {
  auto in = randomFloats(96, -9, 9);
  in[4] = NAN;
  auto out = run.allocate<float>(64);
  run.launch("threeInputs", {1}, {32}, {}, run.upload(in), out);
  run.expect(out, generate(64, [&](size_t i) {
               float a = in[i / 2 * 3], b = in[i / 2 * 3 + 1],
                     c = in[i / 2 * 3 + 2];
               return i % 2 ? std::fmin(std::fabs(a),
                                        std::fmin(std::fabs(b), std::fabs(c)))
                            : std::fmax(a, std::fmax(b, c));
             }));
}

CUDA_CASE(wideLoads, "blackwell.cu", "sm_100a") {
  auto in = randomFloats(256);
  auto out = run.allocate<float>(256);
  run.launch("wideLoads", {1}, {32}, {}, run.upload(in), out);
  run.expect(out, generate(256, [&](size_t i) { return in[i ^ 7]; }));
}

CUDA_CASE(reduceSingles, "blackwell.cu", "sm_100a") {
  auto in = randomFloats(32, -9, 9);
  auto out = run.allocate<float>(64);
  run.launch("reduceSingles", {1}, {32}, {}, run.upload(in), out);
  float most = *std::max_element(in.begin(), in.end()), least = 100;
  for (float value : in)
    least = std::min(least, std::fabs(value));
  run.expect(out, generate(64, [&](size_t i) { return i % 2 ? least : most; }));
}

// The random bits are added below the last bit that is kept, the rest dropped.
CUDA_CASE(stochastic, "blackwell.cu", "sm_100a") {
  auto in = randomFloats(128, 1, 1000);
  auto random = randomWords(64);
  auto out = run.allocate<uint16_t>(256);
  run.launch("stochastic", {1}, {64}, {}, run.upload(in), run.upload(random),
             out);
  run.expect(out, generate(256, [&](size_t i) {
               size_t lane = i / 4;
               bool isHigh = i % 2;
               uint32_t bits = f32ToBits(in[2 * lane + (isHigh ? 0 : 1)]);
               uint32_t noise =
                   isHigh ? random[lane] >> 16 : random[lane] & 0xffff;
               if (i % 4 >= 2)
                 return static_cast<uint16_t>((bits + noise) >> 16);
               bits += noise & 0x1fff;
               return static_cast<uint16_t>((bits >> 13) - (112u << 10));
             }));
}
