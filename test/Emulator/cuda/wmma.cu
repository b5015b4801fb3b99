// Tensor-core GEMMs through nvcuda::wmma.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <typename T> struct IsColumn { static constexpr bool value = false; };
template <> struct IsColumn<wmma::col_major> { static constexpr bool value = true; };

// One warp a tile of C; A row-major, B row- or column-major.
template <int M, int N, int K, typename T, typename Operand, typename Sum, typename LayoutB>
__device__ void gemm(const T *a, const T *b, const Sum *c, Sum *d, int m, int n, int k, int ldb) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int row = warp / (n / N) * M, column = warp % (n / N) * N;
  if (row >= m)
    return;
  wmma::fragment<wmma::matrix_a, M, N, K, Operand, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, Operand, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> fc;
  wmma::load_matrix_sync(fc, c + row * n + column, n, wmma::mem_row_major);
  for (int i = 0; i < k; i += K) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    const T *block = IsColumn<LayoutB>::value ? b + column * k + i : b + i * n + column;
    wmma::load_matrix_sync(fb, block, ldb);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(d + row * n + column, fc, n, wmma::mem_row_major);
}

extern "C" __global__ void wmmaHalf(const __half *a, const __half *b, const float *c, float *d, int m, int n, int k) {
  gemm<16, 16, 16, __half, __half, float, wmma::row_major>(a, b, c, d, m, n, k, n);
}
extern "C" __global__ void wmmaHalfColumn(const __half *a, const __half *b, const float *c, float *d, int m, int n, int k) {
  gemm<16, 16, 16, __half, __half, float, wmma::col_major>(a, b, c, d, m, n, k, k);
}
extern "C" __global__ void wmmaHalfHalf(const __half *a, const __half *b, const __half *c, __half *d, int m, int n, int k) {
  gemm<32, 8, 16, __half, __half, __half, wmma::row_major>(a, b, c, d, m, n, k, n);
}
extern "C" __global__ void wmmaBfloat(const __nv_bfloat16 *a, const __nv_bfloat16 *b, const float *c, float *d, int m, int n, int k) {
  gemm<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float, wmma::row_major>(a, b, c, d, m, n, k, n);
}
extern "C" __global__ void wmmaByte(const int8_t *a, const int8_t *b, const int *c, int *d, int m, int n, int k) {
  gemm<16, 16, 16, signed char, signed char, int, wmma::row_major>((const signed char *)a, (const signed char *)b, c, d, m, n, k, n);
}
extern "C" __global__ void wmmaDouble(const double *a, const double *b, const double *c, double *d, int m, int n, int k) {
  gemm<8, 8, 4, double, double, double, wmma::row_major>(a, b, c, d, m, n, k, n);
}

extern "C" __global__ void wmmaTf32(const float *a, const float *b, float *d, int k) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
  wmma::fill_fragment(fc, 0.5f);
  for (int i = 0; i < k; i += 8) {
    wmma::load_matrix_sync(fa, a + i, k);
    wmma::load_matrix_sync(fb, b + i, k);
    for (int t = 0; t < fa.num_elements; ++t)
      fa.x[t] = wmma::__float_to_tf32(fa.x[t]);
    for (int t = 0; t < fb.num_elements; ++t)
      fb.x[t] = wmma::__float_to_tf32(fb.x[t]);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int t = 0; t < fc.num_elements; ++t)
    fc.x[t] *= 2.0f;
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_col_major);
}

extern "C" __global__ void wmmaNibble(const uint32_t *a, const uint32_t *b, int *d) {
  namespace sub = wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 32, sub::precision::s4, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 32, sub::precision::s4, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> fc;
  wmma::fill_fragment(fc, 1);
  wmma::load_matrix_sync(fa, a, 32);
  wmma::load_matrix_sync(fb, b, 32);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}

extern "C" __global__ void wmmaBits(const uint32_t *a, const uint32_t *b, int *d) {
  namespace sub = wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, sub::precision::b1, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, sub::precision::b1, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> fc, fe;
  wmma::fill_fragment(fc, 0);
  wmma::load_matrix_sync(fa, a, 128);
  wmma::load_matrix_sync(fb, b, 128);
  wmma::bmma_sync(fe, fa, fb, fc, sub::bmmaBitOpXOR);
  wmma::store_matrix_sync(d, fe, 8, wmma::mem_row_major);
  wmma::bmma_sync(fe, fa, fb, fc, sub::bmmaBitOpAND);
  wmma::store_matrix_sync(d + 64, fe, 8, wmma::mem_row_major);
}

// Operands staged in shared memory, four warps on a 32 x 32 tile.
extern "C" __global__ void wmmaShared(const __half *a, const __half *b, float *d, int n) {
  __shared__ __half as[32][24], bs[16][40];
  int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0);
  for (int k = 0; k < n; k += 16) {
    for (int i = threadIdx.x; i < 512; i += 128) {
      as[i / 16][i % 16] = a[(blockIdx.y * 32 + i / 16) * n + k + i % 16];
      bs[i / 32][i % 32] = b[(k + i / 32) * n + blockIdx.x * 32 + i % 32];
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::load_matrix_sync(fa, &as[row][0], 24);
    wmma::load_matrix_sync(fb, &bs[0][column], 40);
    wmma::mma_sync(fc, fa, fb, fc);
    __syncthreads();
  }
  wmma::store_matrix_sync(d + (blockIdx.y * 32 + row) * n + blockIdx.x * 32 + column, fc, n, wmma::mem_row_major);
}
