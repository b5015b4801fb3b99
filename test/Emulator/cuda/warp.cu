// Shuffles, votes, matches, reductions in a warp.
#include <cstdint>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__device__ int linear() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void reduceXor(const float *in, float *out) {
  float value = in[linear()];
  for (int mask = 16; mask > 0; mask >>= 1)
    value += __shfl_xor_sync(0xffffffffu, value, mask);
  out[linear()] = value;
}

extern "C" __global__ void reduceBlock(const int *in, int *out) {
  __shared__ int partial[32];
  int value = in[linear()];
  for (int offset = 16; offset > 0; offset >>= 1)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (int offset = 16; offset > 0; offset >>= 1)
      value += __shfl_down_sync(0xffffffffu, value, offset);
    if (threadIdx.x == 0)
      out[blockIdx.x] = value;
  }
}

extern "C" __global__ void scanWarp(const int *in, int *out) {
  int value = in[linear()], lane = threadIdx.x % 32;
  for (int offset = 1; offset < 32; offset <<= 1) {
    int other = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset)
      value += other;
  }
  out[linear()] = value;
}

extern "C" __global__ void scanBlock(const int *in, int *out, int n) {
  __shared__ int values[2][256];
  int i = threadIdx.x, from = 0;
  values[0][i] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < 256; offset <<= 1) {
    values[1 - from][i] =
        values[from][i] + (i >= offset ? values[from][i - offset] : 0);
    from = 1 - from;
    __syncthreads();
  }
  if (i < n)
    out[i] = values[from][i];
}

extern "C" __global__ void shuffleWidths(const int *in, int *out) {
  int value = in[threadIdx.x];
  int *row = out + 5 * threadIdx.x;
  row[0] = __shfl_sync(0xffffffffu, value, 5, 8);
  row[1] = __shfl_up_sync(0xffffffffu, value, 3, 16);
  row[2] = __shfl_down_sync(0xffffffffu, value, 2, 4);
  row[3] = __shfl_xor_sync(0xffffffffu, value, 9, 16);
  row[4] = __shfl_sync(0xffffffffu, value, threadIdx.x * 7);
}

extern "C" __global__ void shuffle64(const double *in, double *out,
                                     const int64_t *x, int64_t *y) {
  out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, in[threadIdx.x], 1);
  y[threadIdx.x] = __shfl_down_sync(0xffffffffu, (long long)x[threadIdx.x], 4);
}

extern "C" __global__ void votes(const int *in, unsigned *out) {
  bool p = in[threadIdx.x] > 0;
  unsigned *row = out + 4 * threadIdx.x;
  row[0] = __ballot_sync(0xffffffffu, p);
  row[1] = __any_sync(0xffffffffu, p);
  row[2] = __all_sync(0xffffffffu, p);
  unsigned odd = 0;
  if (threadIdx.x % 2)
    odd = __ballot_sync(0xaaaaaaaau, in[threadIdx.x] > 5);
  row[3] = odd;
}

extern "C" __global__ void matches(const int *in, const uint64_t *wide,
                                   unsigned *out) {
  int pred;
  unsigned *row = out + 4 * threadIdx.x;
  row[0] = __match_any_sync(0xffffffffu, in[threadIdx.x]);
  row[1] = __match_all_sync(0xffffffffu, in[threadIdx.x], &pred);
  row[2] = pred;
  row[3] = __match_any_sync(0xffffffffu, (unsigned long long)wide[threadIdx.x]);
}

extern "C" __global__ void reduxes(const int *in, const unsigned *bits,
                                   int *out) {
  int value = in[threadIdx.x];
  unsigned word = bits[threadIdx.x];
  int *row = out + 8 * threadIdx.x;
  row[0] = __reduce_add_sync(0xffffffffu, value);
  row[1] = __reduce_min_sync(0xffffffffu, value);
  row[2] = __reduce_max_sync(0xffffffffu, value);
  row[3] = __reduce_and_sync(0xffffffffu, word);
  row[4] = __reduce_or_sync(0xffffffffu, word);
  row[5] = __reduce_xor_sync(0xffffffffu, word);
  row[6] = __reduce_min_sync(0xffffffffu, word);
  row[7] = 0;
  if (threadIdx.x >= 20)
    row[7] = __reduce_add_sync(0xfff00000u, value);
}

extern "C" __global__ void activeMasks(const int *in, unsigned *out) {
  unsigned mask;
  if (in[threadIdx.x] % 3 == 0)
    mask = __activemask();
  else
    mask = ~__activemask();
  out[threadIdx.x] = mask;
}

// Lanes of one warp exchange through shared memory, ordered by __syncwarp.
extern "C" __global__ void exchangeSyncwarp(const int *in, int *out) {
  __shared__ int values[64];
  values[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  int other = values[threadIdx.x ^ 7];
  __syncwarp();
  values[threadIdx.x] = other * 2;
  __syncwarp();
  out[threadIdx.x] = values[threadIdx.x ^ 1];
}

extern "C" __global__ void bitonicSort(const int *in, int *out) {
  int value = in[linear()], lane = threadIdx.x % 32;
  for (int k = 2; k <= 32; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      int other = __shfl_xor_sync(0xffffffffu, value, j);
      bool up = (lane & k) == 0, lower = (lane & j) == 0;
      value = (up == lower) ? min(value, other) : max(value, other);
    }
  out[linear()] = value;
}

extern "C" __global__ void groupReduce(const int *in, int *out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int sum = cg::reduce(tile, in[linear()], cg::plus<int>());
  out[linear()] = sum * 100 + tile.thread_rank() + tile.meta_group_rank();
}

// Groups of one warp reduce by one redux.sync with a member mask for each.
template <unsigned size>
__device__ void reduceTiles(const int *in, int *out) {
  auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  int sum = cg::reduce(tile, in[linear()], cg::plus<int>());
  int most = cg::reduce(tile, in[linear()], cg::greater<int>());
  unsigned bits = cg::reduce(tile, 1u << in[linear()], cg::bit_or<unsigned>());
  out[linear()] = sum * 10000 + most * 1000 + __popc(bits);
}
extern "C" __global__ void tileReduce(const int *in, int *out4, int *out8,
                                      int *out16, int *out32) {
  reduceTiles<4>(in, out4);
  reduceTiles<8>(in, out8);
  reduceTiles<16>(in, out16);
  reduceTiles<32>(in, out32);
}
// Only some lanes of each group take part at first.
extern "C" __global__ void tileReduceDiverged(const int *in, int *out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int sum = 0;
  for (int i = 0; i <= in[linear()] % 3 * 2; ++i)
    sum += i;
  if (tile.meta_group_rank() % 2)
    sum += 100;
  out[linear()] = cg::reduce(tile, sum, cg::plus<int>());
}

// Lanes that agree increment once: warp-aggregated atomics.
extern "C" __global__ void aggregatedAtomics(const int *in, int *counter,
                                             int *slots) {
  int i = linear();
  if (in[i] % 2 == 0) {
    auto active = cg::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0)
      base = atomicAdd(counter, active.size());
    base = active.shfl(base, 0);
    slots[base + active.thread_rank()] = in[i];
  }
}

extern "C" __global__ void blockVotes(const int *in, int *out) {
  int p = in[linear()] > 0;
  int count = __syncthreads_count(p);
  int all = __syncthreads_and(in[linear()] > -100);
  int any = __syncthreads_or(in[linear()] > 98);
  out[linear()] = count * 100 + all * 10 + any;
}
