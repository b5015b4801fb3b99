//===- NumericsLanes.cpp - Arithmetic on 32 lanes at once -----------------===//
//
// The operations that pay for wide vectors: compiled once for the baseline and
// once for each vector extension, chosen when the program is loaded. Results
// are the same in every version: a fused multiply-add is one whether the
// machine has the instruction or the library computes it.
//
//===----------------------------------------------------------------------===//

#include "VectorTargets.h"
#include "tile/Emulator/Numerics.h"

using namespace tilec::emu;

TILE_VECTOR_TARGETS
void tilec::emu::f32FmaLanes(float *result, const float *a, const float *b,
                             const float *c) {
  float sums[warpLanes]; // operands may alias the result
  for (int lane = 0; lane < warpLanes; ++lane)
    sums[lane] = f32Fma(a[lane], b[lane], c[lane]);
  for (int lane = 0; lane < warpLanes; ++lane)
    result[lane] = sums[lane];
}

TILE_VECTOR_TARGETS
void tilec::emu::f16x2FmaLanes(uint32_t *result, const uint32_t *a,
                               const uint32_t *b, const uint32_t *c) {
  uint32_t sums[warpLanes];
  for (int lane = 0; lane < warpLanes; ++lane) {
    uint32_t low =
        f16Fma(static_cast<uint16_t>(a[lane]), static_cast<uint16_t>(b[lane]),
               static_cast<uint16_t>(c[lane]));
    uint32_t high = f16Fma(static_cast<uint16_t>(a[lane] >> 16),
                           static_cast<uint16_t>(b[lane] >> 16),
                           static_cast<uint16_t>(c[lane] >> 16));
    sums[lane] = low | high << 16;
  }
  for (int lane = 0; lane < warpLanes; ++lane)
    result[lane] = sums[lane];
}

TILE_VECTOR_TARGETS
void tilec::emu::bf16x2FmaLanes(uint32_t *result, const uint32_t *a,
                                const uint32_t *b, const uint32_t *c) {
  uint32_t sums[warpLanes];
  for (int lane = 0; lane < warpLanes; ++lane) {
    uint32_t low =
        bf16Fma(static_cast<uint16_t>(a[lane]), static_cast<uint16_t>(b[lane]),
                static_cast<uint16_t>(c[lane]));
    uint32_t high = bf16Fma(static_cast<uint16_t>(a[lane] >> 16),
                            static_cast<uint16_t>(b[lane] >> 16),
                            static_cast<uint16_t>(c[lane] >> 16));
    sums[lane] = low | high << 16;
  }
  for (int lane = 0; lane < warpLanes; ++lane)
    result[lane] = sums[lane];
}
