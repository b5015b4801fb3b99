// sm_100a and sm_120a: narrow floats, byte matrices, packed f32.
#include <cstdint>

__device__ uint32_t sharedAddress(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

#if __CUDA_ARCH_SPECIFIC__ == 1200 || __CUDA_ARCH_FAMILY_SPECIFIC__ == 1200
// A 16 x 32 bytes of e2m1 (bits 5:2), B 8 columns of 32 e4m3.
extern "C" __global__ void mmaNarrow(const uint32_t *a, const uint32_t *b, float *d) {
  unsigned g = threadIdx.x / 4, t = threadIdx.x % 4;
  float c[4] = {};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[g * 8 + t]), "r"(a[(g + 8) * 8 + t]), "r"(a[g * 8 + t + 4]), "r"(a[(g + 8) * 8 + t + 4]), "r"(b[g * 8 + t]), "r"(b[g * 8 + t + 4]));
  for (int i = 0; i < 4; ++i)
    d[(g + (i < 2 ? 0 : 8)) * 8 + t * 2 + (i & 1)] = c[i];
}
#endif

// Sixteen rows of 16 bytes, transposed into fragments and written out again.
extern "C" __global__ void byteMatrices(const uint4 *in, uint32_t *fragments, uint8_t *stored) {
  __shared__ __align__(16) uint8_t rows[16][16], out[8][16];
  if (threadIdx.x < 16)
    *(uint4 *)rows[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  uint32_t r0, r1;
  asm volatile("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%0, %1}, [%2];" : "=r"(r0), "=r"(r1) : "r"(sharedAddress(rows[threadIdx.x % 16])));
  fragments[2 * threadIdx.x] = r0;
  fragments[2 * threadIdx.x + 1] = r1;
  asm volatile("stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%0], {%1};" ::"r"(sharedAddress(out[threadIdx.x % 8])), "r"(r0) : "memory");
  __syncwarp();
  for (int i = threadIdx.x; i < 128; i += 32)
    stored[i] = out[i / 16][i % 16];
}

// Rows of sixteen 4-bit elements become bytes with the element at bits 5:2.
extern "C" __global__ void nibbleMatrix(const uint4 *in, uint32_t *fragments) {
  __shared__ __align__(16) uint4 rows[8];
  if (threadIdx.x < 8)
    rows[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  uint32_t r;
  asm volatile("ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {%0}, [%1];" : "=r"(r) : "r"(sharedAddress(&rows[threadIdx.x % 8])));
  fragments[threadIdx.x] = r;
}

extern "C" __global__ void narrowConversions(const float *in, uint16_t *out, uint32_t *back) {
  int i = threadIdx.x;
  float a = in[2 * i], b = in[2 * i + 1];
  uint16_t e2m3, e3m2, ue8m0;
  uint32_t e2m1, h[4];
  asm("{ .reg .b8 x; cvt.rn.satfinite.e2m1x2.f32 x, %1, %2; cvt.u32.u8 %0, x; }" : "=r"(e2m1) : "f"(a), "f"(b));
  asm("cvt.rn.satfinite.e2m3x2.f32 %0, %1, %2;" : "=h"(e2m3) : "f"(a), "f"(b));
  asm("cvt.rn.satfinite.e3m2x2.f32 %0, %1, %2;" : "=h"(e3m2) : "f"(a), "f"(b));
  asm("cvt.rp.satfinite.ue8m0x2.f32 %0, %1, %2;" : "=h"(ue8m0) : "f"(a), "f"(b));
  asm("{ .reg .b8 x; cvt.u8.u32 x, %1; cvt.rn.f16x2.e2m1x2 %0, x; }" : "=r"(h[0]) : "r"(e2m1));
  asm("cvt.rn.f16x2.e2m3x2 %0, %1;" : "=r"(h[1]) : "h"(e2m3));
  asm("cvt.rn.f16x2.e3m2x2 %0, %1;" : "=r"(h[2]) : "h"(e3m2));
  asm("cvt.rn.bf16x2.ue8m0x2 %0, %1;" : "=r"(h[3]) : "h"(ue8m0));
  out[4 * i] = e2m1;
  out[4 * i + 1] = e2m3;
  out[4 * i + 2] = e3m2;
  out[4 * i + 3] = ue8m0;
  for (int j = 0; j < 4; ++j)
    back[4 * i + j] = h[j];
}

extern "C" __global__ void packedSingles(const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *out) {
  int i = threadIdx.x;
  asm("add.rn.f32x2 %0, %1, %2;" : "=l"(out[3 * i]) : "l"(a[i]), "l"(b[i]));
  asm("mul.rz.f32x2 %0, %1, %2;" : "=l"(out[3 * i + 1]) : "l"(a[i]), "l"(b[i]));
  asm("fma.rn.f32x2 %0, %1, %2, %3;" : "=l"(out[3 * i + 2]) : "l"(a[i]), "l"(b[i]), "l"(c[i]));
}

extern "C" __global__ void threeInputs(const float *in, float *out) {
  int i = threadIdx.x;
  float a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  asm("max.f32 %0, %1, %2, %3;" : "=f"(out[2 * i]) : "f"(a), "f"(b), "f"(c));
  asm("min.abs.f32 %0, %1, %2, %3;" : "=f"(out[2 * i + 1]) : "f"(a), "f"(b), "f"(c));
}

extern "C" __global__ void wideLoads(const float *in, float *out) {
  float v[8];
  asm volatile("ld.global.v8.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];"
               : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]), "=f"(v[5]), "=f"(v[6]), "=f"(v[7]) : "l"(in + 8 * threadIdx.x));
  asm volatile("st.global.v8.f32 [%8], {%7,%6,%5,%4,%3,%2,%1,%0};" ::"f"(v[0]), "f"(v[1]), "f"(v[2]), "f"(v[3]), "f"(v[4]), "f"(v[5]), "f"(v[6]), "f"(v[7]), "l"(out + 8 * threadIdx.x) : "memory");
}

#if __CUDA_ARCH_SPECIFIC__ == 1000
extern "C" __global__ void reduceSingles(const float *in, float *out) {
  float value = in[threadIdx.x], most, least;
  asm volatile("redux.sync.max.f32 %0, %1, 0xffffffff;" : "=f"(most) : "f"(value));
  asm volatile("redux.sync.min.abs.f32 %0, %1, 0xffffffff;" : "=f"(least) : "f"(value));
  out[2 * threadIdx.x] = most;
  out[2 * threadIdx.x + 1] = least;
}

extern "C" __global__ void stochastic(const float *in, const uint32_t *random, uint32_t *out) {
  int i = threadIdx.x;
  asm("cvt.rs.f16x2.f32 %0, %1, %2, %3;" : "=r"(out[2 * i]) : "f"(in[2 * i]), "f"(in[2 * i + 1]), "r"(random[i]));
  asm("cvt.rs.bf16x2.f32 %0, %1, %2, %3;" : "=r"(out[2 * i + 1]) : "f"(in[2 * i]), "f"(in[2 * i + 1]), "r"(random[i]));
}
#endif
