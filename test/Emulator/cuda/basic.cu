// Memory, indices, parameters: the plain data-parallel kernels.
#include <cstdint>

extern "C" __global__ void vectorAdd(const float *a, const float *b, float *c,
                                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

extern "C" __global__ void saxpyGridStride(float alpha, const float *x,
                                           float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    y[i] = alpha * x[i] + y[i];
}

extern "C" __global__ void transposeTile(const int *in, int *out, int width,
                                         int height) {
  __shared__ int tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void matmulTiled(const float *a, const float *b, float *c,
                                       int n) {
  __shared__ float as[16][16], bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void stencil(const float *in, float *out, int n) {
  __shared__ float window[128 + 2];
  int i = blockIdx.x * 128 + threadIdx.x;
  window[threadIdx.x + 1] = i < n ? in[i] : 0;
  if (threadIdx.x == 0)
    window[0] = i > 0 ? in[i - 1] : 0;
  if (threadIdx.x == 127)
    window[129] = i + 1 < n ? in[i + 1] : 0;
  __syncthreads();
  if (i < n)
    out[i] = 0.25f * window[threadIdx.x] + 0.5f * window[threadIdx.x + 1] +
             0.25f * window[threadIdx.x + 2];
}

extern "C" __global__ void reverseDynamic(const uint16_t *in, uint16_t *out) {
  extern __shared__ uint16_t values[];
  values[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      values[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void copyVectors(const float4 *a, float4 *b,
                                       const int2 *c, int2 *d,
                                       const uchar4 *e, uchar4 *f,
                                       const longlong2 *g, longlong2 *h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = a[i];
  b[i] = make_float4(v.w, v.z, v.y, v.x);
  int2 w = c[i];
  d[i] = make_int2(w.y, w.x);
  uchar4 u = e[i];
  f[i] = make_uchar4(u.y + 1, u.x, u.w, u.z);
  longlong2 l = __ldg(&g[i]);
  h[i] = make_longlong2(l.y, l.x - 1);
}

extern "C" __global__ void narrowTypes(const int8_t *a, const uint8_t *b,
                                       const int16_t *c, int *sum, int8_t *d,
                                       uint16_t *e) {
  int i = threadIdx.x;
  sum[i] = a[i] + b[i] * 3 - c[i];
  d[i] = static_cast<int8_t>(a[i] * c[i]);
  e[i] = static_cast<uint16_t>(b[i] << 4) | static_cast<uint16_t>(a[i] & 15);
}

struct Affine {
  float scale[3];
  float shift;
  int64_t count;
  char tag;
};

extern "C" __global__ void structParameter(Affine affine, const float *in,
                                           float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < affine.count)
    out[i] = in[i] * affine.scale[i % 3] + affine.shift + affine.tag;
}

__constant__ int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__device__ int counter = 100;
__device__ double weights[4] = {0.5, 0.25, 0.125, 1.0 / 3};

extern "C" __global__ void moduleVariables(const int *index, double *out) {
  int i = threadIdx.x;
  out[i] = table[index[i] & 15] * weights[i & 3];
  atomicAdd(&counter, i);
}

extern "C" __global__ void readCounter(int *out) { *out = counter; }

extern "C" __global__ void gridIndices(int *out) {
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int thread =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int size = blockDim.x * blockDim.y * blockDim.z;
  unsigned lane, warp;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  warp = thread / 32;
  out[block * size + thread] =
      block * 1000 + thread + (lane == thread % 32 ? 0 : 500) + (warp << 20);
}

extern "C" __global__ void unsignedStrides(const uint8_t *in, uint64_t *out,
                                           uint32_t pitch, uint32_t rows) {
  uint64_t sum = 0;
  for (uint32_t r = 0; r < rows; ++r)
    sum = sum * 31 + in[static_cast<uint64_t>(r) * pitch + threadIdx.x];
  out[threadIdx.x] = sum;
}

extern "C" __global__ void softmaxRows(const float *in, float *out, int n) {
  __shared__ float scratch[128];
  const float *row = in + blockIdx.x * n;
  float best = -INFINITY;
  for (int i = threadIdx.x; i < n; i += 128)
    best = fmaxf(best, row[i]);
  scratch[threadIdx.x] = best;
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      scratch[threadIdx.x] = fmaxf(scratch[threadIdx.x], scratch[threadIdx.x + s]);
    __syncthreads();
  }
  best = scratch[0];
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 128)
    sum += expf(row[i] - best);
  scratch[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      scratch[threadIdx.x] += scratch[threadIdx.x + s];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += 128)
    out[blockIdx.x * n + i] = expf(row[i] - best) / scratch[0];
}
