// Floating-point arithmetic, rounding modes, conversions, the math library.
#include <cstdint>

__device__ int linear() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void roundings32(const float *a, const float *b,
                                       const float *c, float *out) {
  int i = linear();
  float *row = out + 16 * i;
  row[0] = __fadd_rn(a[i], b[i]);
  row[1] = __fadd_rz(a[i], b[i]);
  row[2] = __fadd_ru(a[i], b[i]);
  row[3] = __fadd_rd(a[i], b[i]);
  row[4] = __fmul_rz(a[i], b[i]);
  row[5] = __fmul_ru(a[i], b[i]);
  row[6] = __fmul_rd(a[i], b[i]);
  row[7] = __fmaf_rn(a[i], b[i], c[i]);
  row[8] = __fmaf_rz(a[i], b[i], c[i]);
  row[9] = __fmaf_ru(a[i], b[i], c[i]);
  row[10] = __fmaf_rd(a[i], b[i], c[i]);
  row[11] = __fdiv_rn(a[i], b[i]);
  row[12] = __fdiv_rz(a[i], b[i]);
  row[13] = __frcp_ru(b[i]);
  row[14] = __fsqrt_rd(fabsf(a[i]));
  row[15] = __saturatef(a[i] * 3.0f);
}

extern "C" __global__ void roundings64(const double *a, const double *b,
                                       const double *c, double *out) {
  int i = linear();
  double *row = out + 12 * i;
  row[0] = __dadd_rz(a[i], b[i]);
  row[1] = __dadd_ru(a[i], b[i]);
  row[2] = __dmul_rd(a[i], b[i]);
  row[3] = __dmul_rn(a[i], b[i]);
  row[4] = __fma_rn(a[i], b[i], c[i]);
  row[5] = __fma_rz(a[i], b[i], c[i]);
  row[6] = a[i] / b[i];
  row[7] = __ddiv_rd(a[i], b[i]);
  row[8] = __drcp_rn(b[i]);
  row[9] = sqrt(fabs(a[i]));
  row[10] = __dsqrt_ru(fabs(a[i]));
  row[11] = fmin(a[i], b[i]) - fmax(b[i], c[i]);
}

extern "C" __global__ void toIntegers(const float *a, const double *d,
                                      int64_t *out) {
  int i = linear();
  int64_t *row = out + 12 * i;
  row[0] = __float2int_rz(a[i]);
  row[1] = __float2int_rn(a[i]);
  row[2] = __float2int_ru(a[i]);
  row[3] = __float2int_rd(a[i]);
  row[4] = __float2uint_rz(a[i]);
  row[5] = __float2ll_rn(a[i]);
  row[6] = __float2ull_rz(a[i]);
  row[7] = __double2int_rn(d[i]);
  row[8] = __double2ll_rd(d[i]);
  row[9] = __double2uint_ru(d[i]);
  row[10] = (int8_t)(int)a[i];
  row[11] = __double2ull_rz(d[i]);
}

extern "C" __global__ void fromIntegers(const int64_t *a, float *f, double *d) {
  int i = linear();
  f[6 * i] = __int2float_rn((int)a[i]);
  f[6 * i + 1] = __int2float_rz((int)a[i]);
  f[6 * i + 2] = __uint2float_ru((unsigned)a[i]);
  f[6 * i + 3] = __ll2float_rn(a[i]);
  f[6 * i + 4] = __ull2float_rd(a[i]);
  f[6 * i + 5] = (float)(uint8_t)a[i];
  d[4 * i] = (int)a[i];
  d[4 * i + 1] = __ll2double_rn(a[i]);
  d[4 * i + 2] = __ull2double_rz(a[i]);
  d[4 * i + 3] = (double)(float)a[i] - (double)__double2float_rd((double)a[i]);
}

extern "C" __global__ void integralRounding(const float *a, const double *d,
                                            float *out, double *dout) {
  int i = linear();
  out[6 * i] = floorf(a[i]);
  out[6 * i + 1] = ceilf(a[i]);
  out[6 * i + 2] = truncf(a[i]);
  out[6 * i + 3] = rintf(a[i]);
  out[6 * i + 4] = roundf(a[i]);
  out[6 * i + 5] = a[i] - floorf(a[i]);
  dout[4 * i] = floor(d[i]);
  dout[4 * i + 1] = ceil(d[i]);
  dout[4 * i + 2] = rint(d[i]);
  dout[4 * i + 3] = round(d[i]);
}

extern "C" __global__ void classify(const float *a, const float *b, int *out) {
  int i = linear();
  int bits = 0;
  bits |= isnan(a[i]) << 0;
  bits |= isinf(a[i]) << 1;
  bits |= (a[i] < b[i]) << 2;
  bits |= (a[i] <= b[i]) << 3;
  bits |= (a[i] == b[i]) << 4;
  bits |= (a[i] != b[i]) << 5;
  bits |= !(a[i] >= b[i]) << 6;
  bits |= (signbit(a[i]) != 0) << 7;
  bits |= (isfinite(b[i]) != 0) << 8;
  bits |= (isnan(a[i]) || isnan(b[i])) << 9;
  bits |= (fminf(a[i], b[i]) == a[i]) << 10;
  bits |= (fmaxf(a[i], b[i]) == a[i]) << 11;
  bits |= (copysignf(1.0f, a[i]) < 0) << 12;
  out[i] = bits;
}

extern "C" __global__ void mathFloat(const float *x, float *out) {
  int i = linear();
  float v = x[i];
  float *row = out + 16 * i;
  row[0] = expf(v);
  row[1] = logf(fabsf(v) + 0.1f);
  row[2] = sinf(v);
  row[3] = cosf(v);
  row[4] = tanhf(v);
  row[5] = erff(v);
  row[6] = powf(fabsf(v) + 0.5f, 1.7f);
  row[7] = exp2f(v);
  row[8] = log2f(fabsf(v) + 0.25f);
  row[9] = rsqrtf(fabsf(v) + 0.01f);
  row[10] = atan2f(v, 2.0f);
  row[11] = cbrtf(v);
  row[12] = expm1f(v);
  row[13] = log1pf(fabsf(v));
  row[14] = tgammaf(fabsf(v) + 1.0f);
  row[15] = asinhf(v);
}

// Arguments beyond 105615 take the Payne-Hanek path: local memory and 64-bit
// products.
extern "C" __global__ void sineOfLarge(const float *x, float *out) {
  int i = linear();
  out[2 * i] = sinf(x[i]);
  out[2 * i + 1] = cosf(x[i]);
}

extern "C" __global__ void mathDouble(const double *x, double *out) {
  int i = linear();
  double v = x[i];
  double *row = out + 10 * i;
  row[0] = exp(v);
  row[1] = log(fabs(v) + 0.1);
  row[2] = sin(v);
  row[3] = cos(v);
  row[4] = tanh(v);
  row[5] = erf(v);
  row[6] = pow(fabs(v) + 0.5, 1.7);
  row[7] = atan(v);
  row[8] = rsqrt(fabs(v) + 0.01);
  row[9] = lgamma(fabs(v) + 1.0);
}

extern "C" __global__ void fastMath(const float *x, float *out) {
  int i = linear();
  float v = x[i];
  float *row = out + 8 * i;
  row[0] = __expf(v);
  row[1] = __logf(fabsf(v) + 0.1f);
  row[2] = __sinf(v);
  row[3] = __cosf(v);
  row[4] = __powf(fabsf(v) + 0.5f, 1.5f);
  row[5] = __fdividef(v, 3.0f);
  row[6] = __tanf(v * 0.1f);
  row[7] = __frsqrt_rn(fabsf(v) + 1.0f);
}

extern "C" __global__ void splitting(const float *x, float *out, int *exponents) {
  int i = linear();
  int e;
  out[6 * i] = frexpf(x[i], &e);
  exponents[i] = e;
  out[6 * i + 1] = ldexpf(x[i], 5);
  out[6 * i + 2] = fmodf(x[i], 0.7f);
  out[6 * i + 3] = remainderf(x[i], 0.7f);
  float whole;
  out[6 * i + 4] = modff(x[i], &whole);
  out[6 * i + 5] = whole + nextafterf(x[i], 1e30f) - x[i];
}

extern "C" __global__ void flushing(const float *a, const float *b, float *out) {
  int i = linear();
  asm("add.ftz.f32 %0, %1, %2;" : "=f"(out[4 * i]) : "f"(a[i]), "f"(b[i]));
  asm("mul.ftz.f32 %0, %1, %2;" : "=f"(out[4 * i + 1]) : "f"(a[i]), "f"(b[i]));
  asm("fma.rn.ftz.sat.f32 %0, %1, %2, %1;" : "=f"(out[4 * i + 2]) : "f"(a[i]), "f"(b[i]));
  asm("min.ftz.NaN.f32 %0, %1, %2;" : "=f"(out[4 * i + 3]) : "f"(a[i]), "f"(b[i]));
}

// Kahan summation only works if nothing is reassociated or fused.
extern "C" __global__ void kahan(const float *x, float *out, int n) {
  float sum = 0, carry = 0;
  for (int i = 0; i < n; ++i) {
    float y = __fsub_rn(x[i * 32 + threadIdx.x], carry);
    float t = __fadd_rn(sum, y);
    carry = __fsub_rn(__fsub_rn(t, sum), y);
    sum = t;
  }
  out[threadIdx.x] = sum;
}
