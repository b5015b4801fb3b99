// mma.sync, ldmatrix, stmatrix, movmatrix through inline PTX. Fragments are
// loaded and stored by the formulas of the PTX ISA.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ unsigned group() { return threadIdx.x % 32 / 4; }
__device__ unsigned inGroup() { return threadIdx.x % 4; }
__device__ uint32_t pair(const uint16_t *p) { return p[0] | (uint32_t)p[1] << 16; }
__device__ uint32_t pair(const uint16_t *p, int stride) { return p[0] | (uint32_t)p[stride] << 16; }

__device__ void storeC(float *d, const float *c) {
  for (int i = 0; i < 4; ++i)
    d[(group() + (i < 2 ? 0 : 8)) * 8 + inGroup() * 2 + (i & 1)] = c[i];
}

// A is 16 x 16 row-major, B 8 columns of 16 (column-major), D 16 x 8.
__device__ void loadHalf(const uint16_t *a, const uint16_t *b, uint32_t *fa, uint32_t *fb) {
  unsigned g = group(), t = inGroup() * 2;
  fa[0] = pair(a + g * 16 + t);
  fa[1] = pair(a + (g + 8) * 16 + t);
  fa[2] = pair(a + g * 16 + t + 8);
  fa[3] = pair(a + (g + 8) * 16 + t + 8);
  fb[0] = pair(b + g * 16 + t);
  fb[1] = pair(b + g * 16 + t + 8);
}

extern "C" __global__ void mmaHalf(const uint16_t *a, const uint16_t *b, float *d, uint32_t *packed) {
  uint32_t fa[4], fb[2], h[2] = {0x3c003c00, 0x3c003c00};
  float c[4] = {1, 2, 3, 4};
  loadHalf(a, b, fa, fb);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  storeC(d, c);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
               : "+r"(h[0]), "+r"(h[1])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  packed[group() * 4 + inGroup()] = h[0];
  packed[(group() + 8) * 4 + inGroup()] = h[1];
}

extern "C" __global__ void mmaHalfShort(const uint16_t *a, const uint16_t *b, float *d) {
  uint32_t fa[4], fb[2];
  float c[4] = {};
  loadHalf(a, b, fa, fb);
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(fa[0]), "r"(fa[1]), "r"(fb[0]));
  storeC(d, c);
}

extern "C" __global__ void mmaBfloat(const uint16_t *a, const uint16_t *b, float *d) {
  uint32_t fa[4], fb[2];
  float c[4] = {};
  loadHalf(a, b, fa, fb);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  storeC(d, c);
}

// A 16 x 8 row-major, B 8 columns of 8.
extern "C" __global__ void mmaTf32(const float *a, const float *b, float *d) {
  unsigned g = group(), t = inGroup();
  uint32_t fa[4], fb[2];
  float c[4] = {};
  float va[4] = {a[g * 8 + t], a[(g + 8) * 8 + t], a[g * 8 + t + 4], a[(g + 8) * 8 + t + 4]};
  for (int i = 0; i < 4; ++i)
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(fa[i]) : "f"(va[i]));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(fb[0]) : "f"(b[g * 8 + t]));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(fb[1]) : "f"(b[g * 8 + t + 4]));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  storeC(d, c);
}

// A 16 x 32 bytes row-major, B 8 columns of 32 bytes.
__device__ void loadBytes(const uint32_t *a, const uint32_t *b, uint32_t *fa, uint32_t *fb) {
  unsigned g = group(), t = inGroup();
  fa[0] = a[g * 8 + t];
  fa[1] = a[(g + 8) * 8 + t];
  fa[2] = a[g * 8 + t + 4];
  fa[3] = a[(g + 8) * 8 + t + 4];
  fb[0] = b[g * 8 + t];
  fb[1] = b[g * 8 + t + 4];
}

extern "C" __global__ void mmaByte(const uint32_t *a, const uint32_t *b, int *d) {
  uint32_t fa[4], fb[2];
  int c[4] = {10, 10, 10, 10};
  loadBytes(a, b, fa, fb);
  asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  for (int i = 0; i < 4; ++i)
    d[(group() + (i < 2 ? 0 : 8)) * 8 + inGroup() * 2 + (i & 1)] = c[i];
}

#if __CUDA_ARCH__ >= 890
extern "C" __global__ void mmaEight(const uint32_t *a, const uint32_t *b, float *d) {
  uint32_t fa[4], fb[2];
  float c[4] = {};
  loadBytes(a, b, fa, fb);
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  storeC(d, c);
}
#endif

extern "C" __global__ void mmaDouble(const double *a, const double *b, double *d) {
  unsigned g = group(), t = inGroup();
  double c0 = 1, c1 = 2;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(c0), "+d"(c1) : "d"(a[g * 4 + t]), "d"(b[g * 4 + t]));
  d[g * 8 + t * 2] = c0;
  d[g * 8 + t * 2 + 1] = c1;
}

// 2:4 sparse A: 16 x 16 stored of 16 x 32; metadata as the ISA places it.
extern "C" __global__ void mmaSparse(const uint16_t *a, const uint16_t *b, const uint32_t *metadata, float *d) {
  uint32_t fa[4], fb[4], unused[2];
  float c[4] = {};
  unsigned g = group(), t = inGroup() * 2;
  loadHalf(a, b, fa, unused);
  for (int i = 0; i < 4; ++i)
    fb[i] = pair(b + g * 32 + t + 8 * i);
  asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]), "r"(fb[2]), "r"(fb[3]), "r"(metadata[threadIdx.x]));
  storeC(d, c);
}

__device__ uint32_t sharedAddress(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

// A 64 x 64 x 64 GEMM by four warps: ldmatrix of A, ldmatrix.trans of B.
extern "C" __global__ void ldmatrixGemm(const __half *a, const __half *b, float *d) {
  __shared__ __align__(16) __half as[64][72], bs[64][72];
  for (int i = threadIdx.x; i < 64 * 8; i += 128) {
    *(int4 *)&as[i / 8][i % 8 * 8] = *(const int4 *)&a[i * 8];
    *(int4 *)&bs[i / 8][i % 8 * 8] = *(const int4 *)&b[i * 8];
  }
  __syncthreads();
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float c[8][4] = {};
  for (int k = 0; k < 64; k += 16) {
    uint32_t fa[4], fb[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(sharedAddress(&as[warp * 16 + lane % 16][k + lane / 16 * 8])));
    for (int n = 0; n < 8; n += 2) {
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
                   : "r"(sharedAddress(&bs[k + lane % 16][n * 8 + lane / 16 * 8])));
      for (int j = 0; j < 2; ++j)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(c[n + j][0]), "+f"(c[n + j][1]), "+f"(c[n + j][2]), "+f"(c[n + j][3])
                     : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[2 * j]), "r"(fb[2 * j + 1]));
    }
  }
  for (int n = 0; n < 8; ++n)
    for (int i = 0; i < 4; ++i)
      d[(warp * 16 + group() + (i < 2 ? 0 : 8)) * 64 + n * 8 + inGroup() * 2 + (i & 1)] = c[n][i];
}

extern "C" __global__ void transposeFragments(const uint32_t *in, uint32_t *moved, uint16_t *stored) {
  __shared__ __align__(16) uint16_t tile[8][8];
  uint32_t word = in[threadIdx.x], out;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(out) : "r"(word));
  moved[threadIdx.x] = out;
#if __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(sharedAddress(tile[threadIdx.x % 8])), "r"(word) : "memory");
#else
  tile[group()][inGroup() * 2] = (uint16_t)out;
  tile[group()][inGroup() * 2 + 1] = (uint16_t)(out >> 16);
#endif
  __syncwarp();
  for (int i = threadIdx.x; i < 64; i += 32)
    stored[i] = tile[i / 8][i % 8];
}
