// Atomic operations, histograms, reductions across blocks.
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_bf16.h>

__device__ int linear() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void histogramShared(const uint8_t *in, unsigned *bins,
                                           int n) {
  __shared__ unsigned local[64];
  if (threadIdx.x < 64)
    local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = linear(); i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i] & 63], 1u);
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

extern "C" __global__ void histogramGlobal(const uint8_t *in, int *bins) {
  atomicAdd(&bins[in[linear()]], 1);
}

extern "C" __global__ void minMax(const int *in, int *signedOut,
                                  unsigned *unsignedOut, int64_t *wide) {
  int i = linear();
  atomicMin(&signedOut[0], in[i]);
  atomicMax(&signedOut[1], in[i]);
  atomicMin(&unsignedOut[0], (unsigned)in[i]);
  atomicMax(&unsignedOut[1], (unsigned)in[i]);
  atomicMin((long long *)&wide[0], (long long)in[i] << 20);
  atomicMax((unsigned long long *)&wide[1], (unsigned long long)(unsigned)in[i] << 20);
}

extern "C" __global__ void logical(const unsigned *in, unsigned *out,
                                   uint64_t *wide) {
  int i = linear();
  atomicAnd(&out[0], in[i] | 0xff);
  atomicOr(&out[1], in[i] & 0xffff0000u);
  atomicXor(&out[2], in[i]);
  atomicXor((unsigned long long *)wide, (unsigned long long)in[i] << 32 | in[i]);
}

extern "C" __global__ void sums(const float *in, float *f, double *d,
                                uint64_t *u) {
  int i = linear();
  atomicAdd(&f[i % 3], in[i]);
  atomicAdd(d, (double)in[i] * 0.5);
  atomicAdd((unsigned long long *)u, (unsigned long long)i << 33);
}

extern "C" __global__ void packedSums(const float *in, __half2 *h,
                                      __nv_bfloat162 *b, __half *single) {
  int i = linear();
  atomicAdd(&h[i % 2], __floats2half2_rn(in[i], -in[i]));
  atomicAdd(&b[i % 2], __floats2bfloat162_rn(1.0f, in[i]));
  atomicAdd(single, __float2half(1.0f));
}

__device__ float atomicMaxFloat(float *address, float value) {
  // A plain read beside atomics would be a race; a volatile one is not.
  int *bits = (int *)address, old = *(volatile int *)address, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed,
                    __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

extern "C" __global__ void casMaximum(const float *in, float *out) {
  __shared__ float best;
  if (threadIdx.x == 0)
    best = -1e30f;
  __syncthreads();
  atomicMaxFloat(&best, in[linear()]);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicMaxFloat(out, best);
}

extern "C" __global__ void counters(unsigned *inc, unsigned *dec, int *sub,
                                    int *seen, unsigned long long *cas) {
  int i = linear();
  unsigned ticket = atomicInc(inc, 9999);
  atomicExch(&seen[ticket], i + 1);
  atomicDec(dec, 10);
  atomicSub(sub, i);
  atomicCAS(cas, 5ull, 1ull << 40);
}

// The last block to arrive adds the partial sums of all.
extern "C" __global__ void lastBlock(const int *in, int *partial, unsigned *done,
                                     int *out) {
  __shared__ int sum;
  __shared__ bool last;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[linear()]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(done, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int total = 0;
    for (int i = 0; i < gridDim.x; ++i)
      total += ((volatile int *)partial)[i];
    *out = total;
  }
}

// A lock in shared memory, taken by one lane of each warp in turn.
extern "C" __global__ void spinLock(int *out) {
  __shared__ int lock;
  __shared__ int values[2];
  if (threadIdx.x == 0) {
    lock = 0;
    values[0] = values[1] = 1;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    __threadfence_block();
    int next = values[0] + values[1];
    values[0] = values[1];
    values[1] = next;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    *out = values[1];
}

extern "C" __global__ void blockScope(int *out) {
  __shared__ int total;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  atomicAdd_block(&total, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd_system(out, total);
}
