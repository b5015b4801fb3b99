// Kernels with one mistake each; the emulator must name it.
#include <cassert>
#include <cstdint>

extern "C" __global__ void missingBarrier(const int *in, int *out) {
  __shared__ int values[64];
  values[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = values[63 - threadIdx.x];
}

extern "C" __global__ void missingSyncwarp(const int *in, int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = ((volatile int *)values)[threadIdx.x ^ 1];
}

extern "C" __global__ void reusedTooEarly(const int *in, int *out, int rounds) {
  __shared__ int values[64];
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    values[threadIdx.x] = in[r * 64 + threadIdx.x];
    __syncthreads();
    sum += values[63 - threadIdx.x]; // no barrier before the next round
  }
  out[threadIdx.x] = sum;
}

extern "C" __global__ void pastTheEnd(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    out[i] = in[i];
}

extern "C" __global__ void pastSharedEnd(int *out) {
  extern __shared__ int values[];
  values[threadIdx.x + 1] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x + 1];
}

extern "C" __global__ void neverWritten(int *out) {
  __shared__ int values[64];
  if (threadIdx.x < 63)
    values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}

extern "C" __global__ void unaligned(const char *in, int *out) {
  out[threadIdx.x] = *(const int *)(in + 2 + 4 * threadIdx.x);
}

extern "C" __global__ void divergentBarrier(int *out) {
  // That the others leave would be legal; that they wait elsewhere is not.
  if (threadIdx.x & 1)
    asm volatile("bar.sync 1;" ::: "memory");
  else
    asm volatile("bar.sync 2;" ::: "memory");
  out[threadIdx.x] = 1;
}

extern "C" __global__ void failingAssert(const int *in, int *out) {
  assert(in[threadIdx.x] < 50);
  out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void blocksRace(int *out) {
  out[threadIdx.x] = blockIdx.x;
}

extern "C" __global__ void unsynchronisedCounter(int *counter) {
  *counter = *counter + 1;
}

__device__ uint32_t sharedAddress(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

extern "C" __global__ void copyNotAwaited(const int *in, int *out) {
  __shared__ __align__(16) int buffer[128];
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAddress(&buffer[threadIdx.x * 4])), "l"(&in[threadIdx.x * 4]));
  asm volatile("cp.async.commit_group;");
  __syncthreads();
  out[threadIdx.x] = buffer[threadIdx.x * 4];
}

extern "C" __global__ void oneGroupTooFew(const int *in, int *out) {
  __shared__ __align__(16) int buffer[2][128];
  for (int s = 0; s < 2; ++s) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAddress(&buffer[s][threadIdx.x * 4])), "l"(&in[s * 128 + threadIdx.x * 4]));
    asm volatile("cp.async.commit_group;");
  }
  asm volatile("cp.async.wait_group 1;");
  __syncthreads();
  out[threadIdx.x] = buffer[1][threadIdx.x * 4];
}

extern "C" __global__ void shuffleFromNobody(int *out) {
  int value = threadIdx.x;
  if (threadIdx.x < 16)
    value = __shfl_sync(0xffff, value, 20);
  out[threadIdx.x] = value;
}

extern "C" __global__ void waitForever(int *out) {
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 65;" ::"r"(sharedAddress(&barrier)) : "memory");
  __syncthreads();
  uint64_t state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(sharedAddress(&barrier)) : "memory");
  uint32_t done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(sharedAddress(&barrier)), "l"(state) : "memory");
  out[threadIdx.x] = 1;
}

// Thread 0 arrives first, so that the object's last write is an arrival.
extern "C" __global__ void barrierUsedUnordered(int *out) {
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0)
    asm volatile("{ .reg .b64 s; mbarrier.init.shared.b64 [%0], 64; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(sharedAddress(&barrier)) : "memory");
  if (threadIdx.x != 0)
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(sharedAddress(&barrier)) : "memory");
  out[threadIdx.x] = 1;
}

extern "C" __global__ void matrixByHalfAWarp(uint32_t *out) {
  uint32_t word = threadIdx.x;
  if (threadIdx.x < 16)
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(word));
  out[threadIdx.x] = word;
}
