// cp.async pipelines, named barriers, mbarriers of sm_80.
#include <cstdint>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

__device__ uint32_t sharedAddress(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void copy16(void *to, const void *from, int bytes = 16) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(sharedAddress(to)), "l"(from), "r"(bytes));
}
__device__ void commit() { asm volatile("cp.async.commit_group;"); }
template <int N> __device__ void waitGroup() { asm volatile("cp.async.wait_group %0;" ::"n"(N)); }

extern "C" __global__ void copyAsync(const int *in, int *out) {
  __shared__ __align__(16) int buffer[256];
  int i = threadIdx.x * 4;
  copy16(&buffer[i], &in[blockIdx.x * 256 + i]);
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  for (int j = 0; j < 4; ++j)
    out[blockIdx.x * 256 + i + j] = buffer[255 - i - j];
}

// The last copies are short; the rest of their 16 bytes becomes zero.
extern "C" __global__ void copyZeroFill(const float *in, float *out, int n) {
  __shared__ __align__(16) float buffer[128];
  int i = threadIdx.x * 4, left = max(0, min(4, n - i));
  copy16(&buffer[i], left ? &in[i] : in, left * 4);
  commit();
  waitGroup<0>();
  __syncthreads();
  for (int j = 0; j < 4; ++j)
    out[i + j] = buffer[(i + j + 64) % 128];
}

extern "C" __global__ void copySmall(const int *in, int64_t *wide, int *out, int64_t *wideOut) {
  __shared__ int a[64];
  __shared__ int64_t b[64];
  int i = threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(sharedAddress(&a[i])), "l"(&in[i]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(sharedAddress(&b[i])), "l"(&wide[i]));
  commit();
  waitGroup<0>();
  __syncthreads();
  out[i] = a[63 - i];
  wideOut[i] = b[i ^ 1];
}

// Three stages of a sum over tiles.
extern "C" __global__ void pipelineSum(const float *in, float *out, int tiles) {
  __shared__ __align__(16) float stages[3][128];
  int i = threadIdx.x * 4;
  for (int s = 0; s < 2; ++s) {
    if (s < tiles)
      copy16(&stages[s][i], &in[s * 128 + i]);
    commit();
  }
  float sum[4] = {};
  for (int t = 0; t < tiles; ++t) {
    waitGroup<1>();
    __syncthreads();
    if (t + 2 < tiles)
      copy16(&stages[(t + 2) % 3][i], &in[(t + 2) * 128 + i]);
    commit();
    for (int j = 0; j < 4; ++j)
      sum[j] += stages[t % 3][(i + j) ^ 127];
  }
  for (int j = 0; j < 4; ++j)
    out[i + j] = sum[j];
}

// f16 GEMM, 64 x 64 a block, K in steps of 32 through two stages, rows of 64
// bytes permuted so that ldmatrix has no bank conflicts.
extern "C" __global__ void pipelineGemm(const __half *a, const __half *b, float *d, int n) {
  __shared__ __align__(128) __half as[2][64 * 32], bs[2][32 * 64];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  a += blockIdx.y * 64 * n;
  b += blockIdx.x * 64;
  auto load = [&](int stage, int k) {
    for (int i = threadIdx.x; i < 256; i += 128) {
      int row = i / 4, chunk = i % 4;
      copy16(&as[stage][row * 32 + (chunk ^ (row / 2 % 4)) * 8], &a[row * n + k + chunk * 8]);
      row = i / 8, chunk = i % 8;
      copy16(&bs[stage][row * 64 + (chunk ^ (row % 8)) * 8], &b[(k + row) * n + chunk * 8]);
    }
    commit();
  };
  float c[8][4] = {};
  load(0, 0);
  for (int k = 0; k < n; k += 32) {
    int stage = k / 32 % 2;
    if (k + 32 < n) {
      load(1 - stage, k + 32);
      waitGroup<1>();
    } else {
      waitGroup<0>();
    }
    __syncthreads();
    for (int kk = 0; kk < 2; ++kk) {
      uint32_t fa[4], fb[4];
      int row = warp * 16 + lane % 16, chunk = kk * 2 + lane / 16;
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                   : "r"(sharedAddress(&as[stage][row * 32 + (chunk ^ (row / 2 % 4)) * 8])));
      for (int j = 0; j < 8; j += 2) {
        int r = kk * 16 + lane % 16, ch = j + lane / 16;
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
                     : "r"(sharedAddress(&bs[stage][r * 64 + (ch ^ (r % 8)) * 8])));
        for (int h = 0; h < 2; ++h)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                       : "+f"(c[j + h][0]), "+f"(c[j + h][1]), "+f"(c[j + h][2]), "+f"(c[j + h][3])
                       : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[2 * h]), "r"(fb[2 * h + 1]));
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 4; ++i) {
      int row = blockIdx.y * 64 + warp * 16 + lane / 4 + (i < 2 ? 0 : 8);
      d[row * n + blockIdx.x * 64 + j * 8 + lane % 4 * 2 + (i & 1)] = c[j][i];
    }
}

extern "C" __global__ void primitives(const float4 *in, float4 *out) {
  __shared__ float4 buffer[64];
  __pipeline_memcpy_async(&buffer[threadIdx.x], &in[threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = buffer[63 - threadIdx.x];
}

extern "C" __global__ void groupCopy(const int *in, int *out, int n) {
  extern __shared__ int buffer[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, buffer, in + blockIdx.x * n, sizeof(int) * n);
  cg::wait(block);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = buffer[n - 1 - i];
}

// Two warps produce, two consume, through named barriers.
extern "C" __global__ void namedBarriers(const int *in, int *out, int rounds) {
  __shared__ int buffer[2][64];
  int i = threadIdx.x % 64;
  bool producer = threadIdx.x < 64;
  for (int r = 0; r < rounds; ++r) {
    int s = r % 2;
    if (producer) {
      if (r >= 2)
        asm volatile("barrier.sync %0, 128;" ::"r"(3 + s) : "memory");
      buffer[s][i] = in[r * 64 + i] * 2;
      asm volatile("barrier.arrive %0, 128;" ::"r"(1 + s) : "memory");
    } else {
      asm volatile("barrier.sync %0, 128;" ::"r"(1 + s) : "memory");
      out[r * 64 + i] = buffer[s][i ^ 33] + 1;
      if (r + 2 < rounds)
        asm volatile("barrier.arrive %0, 128;" ::"r"(3 + s) : "memory");
    }
  }
}

// mbarrier of sm_80: arrive returns a state, test_wait polls it.
extern "C" __global__ void mbarrierRounds(const int *in, int *out) {
  __shared__ uint64_t barrier;
  __shared__ int values[2][128];
  uint32_t address = sharedAddress(&barrier);
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(address) : "memory");
  __syncthreads();
  int value = in[threadIdx.x];
  for (int r = 0; r < 5; ++r) {
    values[r % 2][threadIdx.x] = value;
    uint64_t state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
    uint32_t done = 0;
    while (!done)
      asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done) : "r"(address), "l"(state) : "memory");
    value += values[r % 2][(threadIdx.x * 5 + r) % 128];
  }
  out[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(address) : "memory");
}

// Copies that arrive on a mbarrier when they are done.
extern "C" __global__ void copyArrive(const int *in, int *out) {
  __shared__ uint64_t barrier;
  __shared__ __align__(16) int buffer[256];
  uint32_t address = sharedAddress(&barrier);
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(address) : "memory");
  __syncthreads();
  copy16(&buffer[threadIdx.x * 4], &in[threadIdx.x * 4]);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(address) : "memory");
  uint32_t done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(address) : "memory");
  for (int j = 0; j < 4; ++j)
    out[threadIdx.x * 4 + j] = buffer[(threadIdx.x * 4 + j) ^ 255];
}

extern "C" __global__ void cudaBarrier(const int *in, int *out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(Barrier) unsigned char storage[sizeof(Barrier)];
  __shared__ int values[96];
  Barrier &barrier = *reinterpret_cast<Barrier *>(storage);
  if (threadIdx.x == 0)
    init(&barrier, 96);
  __syncthreads();
  int value = in[threadIdx.x];
  for (int r = 0; r < 3; ++r) {
    values[threadIdx.x] = value;
    barrier.arrive_and_wait();
    value += values[(threadIdx.x + 17) % 96];
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = value;
}
