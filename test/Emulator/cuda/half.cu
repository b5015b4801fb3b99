// f16, bf16, fp8: arithmetic, comparison, conversion.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__device__ int linear() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void halfArithmetic(const __half2 *a, const __half2 *b,
                                          const __half2 *c, __half2 *out) {
  int i = linear();
  __half2 *row = out + 8 * i;
  row[0] = __hadd2(a[i], b[i]);
  row[1] = __hsub2(a[i], b[i]);
  row[2] = __hmul2(a[i], b[i]);
  row[3] = __hfma2(a[i], b[i], c[i]);
  row[4] = __hadd2_sat(a[i], b[i]);
  row[5] = __hmax2(a[i], b[i]);
  row[6] = __hmin2_nan(a[i], b[i]);
  row[7] = __hneg2(__habs2(a[i]));
}

extern "C" __global__ void bfloatArithmetic(const __nv_bfloat162 *a,
                                            const __nv_bfloat162 *b,
                                            const __nv_bfloat162 *c,
                                            __nv_bfloat162 *out) {
  int i = linear();
  __nv_bfloat162 *row = out + 6 * i;
  row[0] = __hadd2(a[i], b[i]);
  row[1] = __hsub2(a[i], b[i]);
  row[2] = __hmul2(a[i], b[i]);
  row[3] = __hfma2(a[i], b[i], c[i]);
  row[4] = __hmax2(a[i], b[i]);
  row[5] = __hfma2_relu(a[i], b[i], c[i]);
}

extern "C" __global__ void halfComparisons(const __half *a, const __half *b,
                                           int *out) {
  int i = linear();
  int bits = 0;
  bits |= __hlt(a[i], b[i]) << 0;
  bits |= __hle(a[i], b[i]) << 1;
  bits |= __heq(a[i], b[i]) << 2;
  bits |= __hne(a[i], b[i]) << 3;
  bits |= __hgeu(a[i], b[i]) << 4;
  bits |= __hisnan(a[i]) << 5;
  bits |= __hbeq2(__half2half2(a[i]), __half2half2(b[i])) << 6;
  bits |= (a[i] > b[i]) << 7;
  out[i] = bits;
}

extern "C" __global__ void halfConversions(const float *f, const int *n,
                                           uint16_t *out, float *back) {
  int i = linear();
  uint16_t *row = out + 8 * i;
  row[0] = __half_as_ushort(__float2half_rn(f[i]));
  row[1] = __half_as_ushort(__float2half_rz(f[i]));
  row[2] = __half_as_ushort(__float2half_ru(f[i]));
  row[3] = __half_as_ushort(__float2half_rd(f[i]));
  row[4] = __bfloat16_as_ushort(__float2bfloat16_rn(f[i]));
  row[5] = __bfloat16_as_ushort(__float2bfloat16_rz(f[i]));
  row[6] = __half_as_ushort(__int2half_rn(n[i]));
  row[7] = (uint16_t)__half2int_rz(__float2half_rn(f[i]));
  back[3 * i] = __half2float(__ushort_as_half((uint16_t)n[i]));
  back[3 * i + 1] = __bfloat162float(__ushort_as_bfloat16((uint16_t)n[i]));
  back[3 * i + 2] = __low2float(__floats2half2_rn(f[i], 0)) +
                    __high2float(__floats2half2_rn(1.0f, f[i]));
}

extern "C" __global__ void halfMath(const __half *x, __half *out) {
  int i = linear();
  __half *row = out + 8 * i;
  row[0] = hexp(x[i]);
  row[1] = hlog(__habs(x[i]));
  row[2] = hsqrt(__habs(x[i]));
  row[3] = hrcp(x[i]);
  row[4] = hsin(x[i]);
  row[5] = htanh(x[i]);
  row[6] = hfloor(x[i]);
  row[7] = hexp2(x[i]);
}

// Every f16 to both fp8 formats, and every fp8 back.
extern "C" __global__ void floatEight(const float *f, uint8_t *e4m3,
                                      uint8_t *e5m2) {
  int i = linear();
  e4m3[i] = __nv_cvt_float_to_fp8(f[i], __NV_SATFINITE, __NV_E4M3);
  e5m2[i] = __nv_cvt_float_to_fp8(f[i], __NV_SATFINITE, __NV_E5M2);
}

extern "C" __global__ void floatEightPairs(const uint16_t *in, __half2 *e4m3,
                                           __half2 *e5m2, uint16_t *again) {
  int i = linear();
  e4m3[i] = __half2(__nv_cvt_fp8x2_to_halfraw2(in[i], __NV_E4M3));
  e5m2[i] = __half2(__nv_cvt_fp8x2_to_halfraw2(in[i], __NV_E5M2));
  again[i] = __nv_cvt_halfraw2_to_fp8x2(e4m3[i], __NV_SATFINITE, __NV_E4M3);
}

extern "C" __global__ void halfDot(const __half2 *a, const __half2 *b,
                                   float *out, int n) {
  __half2 sum = __float2half2_rn(0);
  for (int i = 0; i < n; ++i)
    sum = __hfma2(a[i * 32 + threadIdx.x], b[i * 32 + threadIdx.x], sum);
  float value = __low2float(sum) + __high2float(sum);
  for (int mask = 16; mask; mask >>= 1)
    value += __shfl_xor_sync(~0u, value, mask);
  out[threadIdx.x] = value;
}

extern "C" __global__ void bytePermuteHalves(const __half2 *in, __half2 *out) {
  int i = linear();
  __half2 swapped = __lowhigh2highlow(in[i]);
  out[2 * i] = __halves2half2(__high2half(swapped), __low2half(in[i]));
  out[2 * i + 1] = __highs2half2(in[i], swapped);
}
