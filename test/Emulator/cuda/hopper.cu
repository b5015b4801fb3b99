// sm_90a: clusters, bulk and tensor copies, mbarrier transactions, wgmma.
#include <cstdint>
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

__device__ uint32_t sharedAddress(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void initBarrier(uint64_t *barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(count) : "memory");
}
__device__ void fenceInit() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ void fenceAsync() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void expectTx(uint64_t *barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(bytes) : "memory");
}
__device__ void arrive(uint64_t *barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(barrier)) : "memory");
}
__device__ void waitParity(uint64_t *barrier, uint32_t parity) {
  asm volatile("{\n"
               ".reg .pred p;\n"
               "LAB_WAIT:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\n"
               "bra LAB_WAIT;\n"
               "DONE:\n"
               "}\n" ::"r"(sharedAddress(barrier)), "r"(parity) : "memory");
}
__device__ void bulkLoad(void *to, const void *from, uint32_t bytes, uint64_t *barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sharedAddress(to)), "l"(from), "r"(bytes), "r"(sharedAddress(barrier)) : "memory");
}
__device__ void tensorLoad(void *to, const CUtensorMap *map, int x, int y, uint64_t *barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(sharedAddress(to)), "l"(map), "r"(x), "r"(y), "r"(sharedAddress(barrier)) : "memory");
}
__device__ void commitBulk() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ void waitBulk() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

extern "C" __global__ void bulkCopy(const int *in, int *out, int bytes) {
  extern __shared__ __align__(128) int buffer[];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    initBarrier(&barrier, 1);
    fenceInit();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    expectTx(&barrier, bytes);
    bulkLoad(buffer, (const char *)in + (size_t)blockIdx.x * bytes, bytes, &barrier);
  }
  waitParity(&barrier, 0);
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x)
    buffer[i] = buffer[i] * 3 + blockIdx.x;
  fenceAsync();
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"((char *)out + (size_t)blockIdx.x * bytes), "r"(sharedAddress(buffer)), "r"(bytes) : "memory");
    commitBulk();
    waitBulk();
  }
}

extern "C" __global__ void bulkReduce(const float *in, float *sum, int *most) {
  __shared__ __align__(128) float values[64];
  __shared__ __align__(128) int keys[64];
  values[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  keys[threadIdx.x] = (int)in[blockIdx.x * 64 + threadIdx.x] * 7;
  fenceAsync();
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], 256;" ::"l"(sum), "r"(sharedAddress(values)) : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%0], [%1], 256;" ::"l"(most), "r"(sharedAddress(keys)) : "memory");
    commitBulk();
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    waitBulk();
  }
}

// Four stages, one producer lane, full and empty barriers.
extern "C" __global__ void bulkPipeline(const float *in, float *out, int tiles) {
  __shared__ __align__(128) float stages[4][128];
  __shared__ uint64_t full[4], empty[4];
  if (threadIdx.x == 0) {
    for (int s = 0; s < 4; ++s) {
      initBarrier(&full[s], 1);
      initBarrier(&empty[s], 4);
    }
    fenceInit();
  }
  __syncthreads();
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128)
      for (int t = 0; t < tiles; ++t) {
        int s = t % 4;
        if (t >= 4)
          waitParity(&empty[s], (t / 4 - 1) & 1);
        expectTx(&full[s], 512);
        bulkLoad(stages[s], in + t * 128, 512, &full[s]);
      }
  } else {
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
      int s = t % 4;
      waitParity(&full[s], t / 4 & 1);
      sum += stages[s][threadIdx.x ^ 5] * (t + 1);
      __syncwarp();
      if (threadIdx.x % 32 == 0)
        arrive(&empty[s]);
    }
    out[threadIdx.x] = sum;
  }
}

//===----------------------------------------------------------------------===//
// Tensor copies
//===----------------------------------------------------------------------===//

// A 2-D box of int32, 16 x 8, moved and transposed by the threads.
extern "C" __global__ void tensorCopy(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, int dx, int dy) {
  __shared__ __align__(128) int tile[8][16];
  __shared__ uint64_t barrier;
  int x = blockIdx.x * 16, y = blockIdx.y * 8;
  if (threadIdx.x == 0) {
    initBarrier(&barrier, 1);
    fenceInit();
    asm volatile("prefetch.tensormap [%0];" ::"l"(&from) : "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    expectTx(&barrier, sizeof(tile));
    tensorLoad(tile, &from, x + dx, y + dy, &barrier);
  }
  waitParity(&barrier, 0);
  tile[threadIdx.x / 16][threadIdx.x % 16] += 1000;
  fenceAsync();
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to), "r"(x), "r"(y), "r"(sharedAddress(tile)) : "memory");
    commitBulk();
    waitBulk();
  }
}

// Bytes as they lie in shared memory after a swizzled load of 64 f16 x 16.
extern "C" __global__ void tensorSwizzle(const __grid_constant__ CUtensorMap map, uint16_t *out, int bytes) {
  extern __shared__ __align__(1024) uint16_t tile[];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    initBarrier(&barrier, 1);
    fenceInit();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    expectTx(&barrier, bytes);
    tensorLoad(tile, &map, 0, 0, &barrier);
  }
  waitParity(&barrier, 0);
  for (int i = threadIdx.x; i < bytes / 2; i += blockDim.x)
    out[i] = tile[i];
}

extern "C" __global__ void tensorReduce(const __grid_constant__ CUtensorMap map) {
  __shared__ __align__(128) float tile[4][32];
  for (int i = threadIdx.x; i < 128; i += 32)
    tile[i / 32][i % 32] = blockIdx.x + i;
  fenceAsync();
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(8), "r"(2), "r"(sharedAddress(tile)) : "memory");
    commitBulk();
    waitBulk();
  }
}

// A 3-D box, gathered out of the last dimension in reverse.
extern "C" __global__ void tensorVolume(const __grid_constant__ CUtensorMap map, float *out) {
  __shared__ __align__(128) float box[2 * 4 * 8];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    initBarrier(&barrier, 1);
    fenceInit();
  }
  __syncthreads();
  for (int z = 0; z < 3; ++z) {
    if (threadIdx.x == 0) {
      expectTx(&barrier, sizeof(box));
      asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(sharedAddress(box)), "l"(&map), "r"(4), "r"(-1), "r"(2 - z), "r"(sharedAddress(&barrier)) : "memory");
    }
    waitParity(&barrier, z & 1);
    out[z * 64 + threadIdx.x] = box[threadIdx.x];
    __syncthreads();
  }
}

extern "C" __global__ void tensorIm2col(const __grid_constant__ CUtensorMap map, float *out) {
  __shared__ __align__(128) float column[8 * 8];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    initBarrier(&barrier, 1);
    fenceInit();
    expectTx(&barrier, sizeof(column));
    uint16_t offset = 1;
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6], {%7, %8};" ::"r"(sharedAddress(column)), "l"(&map), "r"(0), "r"(-1), "r"(-1), "r"(0), "r"(sharedAddress(&barrier)), "h"(offset), "h"((uint16_t)2) : "memory");
  }
  __syncthreads();
  waitParity(&barrier, 0);
  out[threadIdx.x] = column[threadIdx.x];
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

extern "C" __global__ void __cluster_dims__(4, 1, 1) clusterRing(const int *in, int *out) {
  __shared__ int values[32];
  auto cluster = cg::this_cluster();
  values[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  cluster.sync();
  int *next = cluster.map_shared_rank(values, (cluster.block_rank() + 1) % 4);
  int sum = next[threadIdx.x] * 10 + cluster.block_rank();
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) clusterHistogram(const uint8_t *in, int *bins, int n) {
  __shared__ int local[16];
  auto cluster = cg::this_cluster();
  if (threadIdx.x < 16)
    local[threadIdx.x] = 0;
  cluster.sync();
  int rank = cluster.block_rank();
  for (int i = rank * blockDim.x + threadIdx.x; i < n; i += 2 * blockDim.x) {
    int bin = in[i] % 32;
    atomicAdd(cluster.map_shared_rank(local, bin / 16) + bin % 16, 1);
  }
  cluster.sync();
  if (threadIdx.x < 16)
    bins[rank * 16 + threadIdx.x] = local[threadIdx.x];
}

// Each block's copy goes to both; a remote arrive frees the buffer.
extern "C" __global__ void __cluster_dims__(2, 1, 1) multicast(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ __align__(128) int tile[2][8 * 8];
  __shared__ uint64_t barrier;
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    initBarrier(&barrier, 1);
    fenceInit();
  }
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  if (threadIdx.x == 0) {
    expectTx(&barrier, sizeof(tile));
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(sharedAddress(tile[rank])), "l"(&map), "r"(0), "r"(int(rank * 8)), "r"(sharedAddress(&barrier)), "h"((uint16_t)3) : "memory");
  }
  waitParity(&barrier, 0);
  out[blockIdx.x * 128 + threadIdx.x] = tile[0][threadIdx.x] + rank;
  out[blockIdx.x * 128 + 64 + threadIdx.x] = tile[1][threadIdx.x] + rank;
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// st.async and a remote arrival: a value handed from block to block.
extern "C" __global__ void __cluster_dims__(2, 1, 1) remoteStores(const int *in, int *out) {
  __shared__ __align__(16) int inbox[32];
  __shared__ uint64_t barrier;
  uint32_t rank, remoteInbox, remoteBarrier;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    initBarrier(&barrier, 1);
    fenceInit();
    expectTx(&barrier, sizeof(inbox));
  }
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remoteInbox) : "r"(sharedAddress(&inbox[threadIdx.x])), "r"(rank ^ 1));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remoteBarrier) : "r"(sharedAddress(&barrier)), "r"(rank ^ 1));
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(remoteInbox), "r"(in[blockIdx.x * 32 + threadIdx.x]), "r"(remoteBarrier) : "memory");
  waitParity(&barrier, 0);
  out[blockIdx.x * 32 + threadIdx.x] = inbox[threadIdx.x ^ 1];
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

__device__ uint64_t descriptor(const void *p, uint64_t leading, uint64_t stride, uint64_t swizzle) {
  return (uint64_t)((sharedAddress(p) & 0x3ffff) >> 4) | (leading >> 4) << 16 | (stride >> 4) << 32 | swizzle << 62;
}
__device__ void wgmmaFence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void wgmmaCommit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N> __device__ void wgmmaWait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }

__device__ void wgmma32(float *d, uint64_t a, uint64_t b, int scale) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 "
               "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}, %16, %17, p, 1, 1, 0, 0;\n}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                 "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
               : "l"(a), "l"(b), "r"(scale));
}
__device__ void storeAccumulators(float *out, const float *d, int ld) {
  int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  for (int i = 0; i < 16; ++i)
    out[(warp * 16 + lane / 4 + (i % 4 < 2 ? 0 : 8)) * ld + i / 4 * 8 + lane % 4 * 2 + (i & 1)] = d[i];
}

// A 64 x 64, B 32 columns of 64, both K-major with 128-byte rows written by the
// threads in the permuted order.
extern "C" __global__ void __launch_bounds__(128) wgmmaShared(const uint16_t *a, const uint16_t *b, float *out) {
  __shared__ __align__(1024) uint16_t as[64 * 64];
  __shared__ __align__(1024) uint16_t bs[32 * 64];
  for (int i = threadIdx.x; i < 64 * 64; i += 128)
    as[i / 64 * 64 + ((i % 64 / 8) ^ (i / 64 % 8)) * 8 + i % 8] = a[i];
  for (int i = threadIdx.x; i < 32 * 64; i += 128)
    bs[i / 64 * 64 + ((i % 64 / 8) ^ (i / 64 % 8)) * 8 + i % 8] = b[i];
  fenceAsync();
  __syncthreads();
  float d[16];
  for (int i = 0; i < 16; ++i)
    d[i] = 0;
  wgmmaFence();
  for (int k = 0; k < 4; ++k)
    wgmma32(d, descriptor(as, 16, 1024, 1) + k * 2, descriptor(bs, 16, 1024, 1) + k * 2, k > 0);
  wgmmaCommit();
  wgmmaWait<0>();
  storeAccumulators(out, d, 32);
}

// A in registers, B MN-major without swizzle: core matrices of 8 k x 8 n.
extern "C" __global__ void __launch_bounds__(128) wgmmaRegisters(const uint16_t *a, const uint16_t *b, float *out) {
  __shared__ __align__(1024) uint16_t bs[16 * 8];
  for (int i = threadIdx.x; i < 128; i += 128)
    bs[i] = b[i]; // (k / 8) * 64 + (k % 8) * 8 + n: rows of k
  fenceAsync();
  __syncthreads();
  int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4 * 2;
  uint32_t fa[4];
  for (int i = 0; i < 4; ++i) {
    const uint16_t *p = a + (warp * 16 + g + i % 2 * 8) * 16 + t + i / 2 * 8;
    fa[i] = p[0] | (uint32_t)p[1] << 16;
  }
  float d[4] = {1, 1, 1, 1};
  wgmmaFence();
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1, 1, -1, 1;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "l"(descriptor(bs, 128, 128, 0)));
  wgmmaCommit();
  wgmmaWait<0>();
  for (int i = 0; i < 4; ++i)
    out[(warp * 16 + g + (i < 2 ? 0 : 8)) * 8 + t + (i & 1)] = d[i];
}

// s8, K-major without swizzle; D in integers.
extern "C" __global__ void __launch_bounds__(128) wgmmaBytes(const int8_t *a, const int8_t *b, int *out) {
  __shared__ __align__(128) int8_t as[64 * 32], bs[8 * 32];
  for (int i = threadIdx.x; i < 64 * 32; i += 128) {
    int row = i / 32, k = i % 32;
    as[row / 8 * 256 + k / 16 * 128 + row % 8 * 16 + k % 16] = a[i];
    if (row < 8)
      bs[k / 16 * 128 + row * 16 + k % 16] = b[i];
  }
  fenceAsync();
  __syncthreads();
  int d[4];
  wgmmaFence();
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0,%1,%2,%3}, %4, %5, 0;"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "l"(descriptor(as, 128, 256, 0)), "l"(descriptor(bs, 128, 256, 0)));
  wgmmaCommit();
  wgmmaWait<0>();
  int lane = threadIdx.x % 32;
  for (int i = 0; i < 4; ++i)
    out[(threadIdx.x / 32 * 16 + lane / 4 + (i < 2 ? 0 : 8)) * 8 + lane % 4 * 2 + (i & 1)] = d[i];
}

template <int Selector> __device__ void wgmmaSparse32(float *d, uint64_t a, uint64_t b, uint32_t metadata) {
  asm volatile("wgmma.mma_async.sp.sync.aligned.m64n32k32.f32.f16.f16 "
               "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}, %16, %17, %18, %19, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                 "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
               : "l"(a), "l"(b), "r"(metadata), "n"(Selector));
}

// Two of every four columns of A, 64 x 32 stored of 64 x 64, both K-major with rows
// of 64 and of 128 bytes. A lane has the words of rows g and g + 8 of 16 columns:
// lanes 0 and 1 of four for the first 32, 2 and 3 for the others.
extern "C" __global__ void __launch_bounds__(128) wgmmaSparse(const uint16_t *a, const uint16_t *words, const uint16_t *b, float *out) {
  __shared__ __align__(1024) uint16_t as[64 * 32];
  __shared__ __align__(1024) uint16_t bs[32 * 64];
  for (int i = threadIdx.x; i < 64 * 32; i += 128) {
    int row = i / 32, k = i % 32;
    as[row * 32 + ((k / 8) ^ (row / 2 % 4)) * 8 + k % 8] = a[i];
    bs[i / 64 * 64 + ((i % 64 / 8) ^ (i / 64 % 8)) * 8 + i % 8] = b[i];
  }
  int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, word = threadIdx.x % 4;
  uint32_t metadata = words[row * 4 + word] | (uint32_t)words[(row + 8) * 4 + word] << 16;
  fenceAsync();
  __syncthreads();
  uint64_t da = descriptor(as, 16, 512, 2), db = descriptor(bs, 16, 1024, 1);
  float d[16];
  for (int i = 0; i < 16; ++i)
    d[i] = 0;
  wgmmaFence();
  wgmmaSparse32<0>(d, da, db, metadata);
  wgmmaSparse32<1>(d, da + 2, db + 4, metadata);
  wgmmaCommit();
  wgmmaWait<0>();
  storeAccumulators(out, d, 32);
}

// s8, A in registers: 16 stored bytes of each of a lane's rows g and g + 8. A lane
// has 32 columns of one row: of g or g + 8 by its lowest bit, the first or the last by
// the next.
extern "C" __global__ void __launch_bounds__(128) wgmmaSparseBytes(const int8_t *a, const uint16_t *words, const int8_t *b, int *out) {
  __shared__ __align__(512) int8_t bs[8 * 64];
  for (int i = threadIdx.x; i < 8 * 64; i += 128)
    bs[i / 64 * 64 + ((i % 64 / 16) ^ (i / 128 % 4)) * 16 + i % 16] = b[i];
  int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  uint32_t fa[4];
  for (int i = 0; i < 4; ++i)
    fa[i] = *(const uint32_t *)(a + (row + i % 2 * 8) * 32 + i / 2 * 16 + t * 4);
  const uint16_t *kept = words + (row + t % 2 * 8) * 4 + t / 2 * 2;
  uint32_t metadata = kept[0] | (uint32_t)kept[1] << 16;
  fenceAsync();
  __syncthreads();
  int d[4];
  wgmmaFence();
  asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, %9, 0, 0;"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "l"(descriptor(bs, 16, 512, 2)), "r"(metadata));
  wgmmaCommit();
  wgmmaWait<0>();
  for (int i = 0; i < 4; ++i)
    out[(row + (i < 2 ? 0 : 8)) * 8 + t * 2 + (i & 1)] = d[i];
}

// Warp-specialised GEMM: a producer warpgroup loads by tensor copies, a consumer
// warpgroup multiplies; 64 x 32 a block, K in steps of 64, three stages.
extern "C" __global__ void __launch_bounds__(256) specializedGemm(const __grid_constant__ CUtensorMap mapA, const __grid_constant__ CUtensorMap mapB, float *out, int n, int tiles) {
  extern __shared__ __align__(1024) char shared[];
  uint16_t *as = (uint16_t *)shared, *bs = as + 3 * 64 * 64;
  __shared__ uint64_t full[3], empty[3];
  if (threadIdx.x == 0) {
    for (int s = 0; s < 3; ++s) {
      initBarrier(&full[s], 1);
      initBarrier(&empty[s], 1);
    }
    fenceInit();
  }
  __syncthreads();
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0)
      for (int t = 0; t < tiles; ++t) {
        int s = t % 3;
        if (t >= 3)
          waitParity(&empty[s], (t / 3 - 1) & 1);
        expectTx(&full[s], 64 * 128 + 32 * 128);
        tensorLoad(as + s * 4096, &mapA, t * 64, blockIdx.y * 64, &full[s]);
        tensorLoad(bs + s * 2048, &mapB, t * 64, blockIdx.x * 32, &full[s]);
      }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float d[16];
    for (int i = 0; i < 16; ++i)
      d[i] = 0;
    for (int t = 0; t < tiles; ++t) {
      int s = t % 3;
      waitParity(&full[s], t / 3 & 1);
      wgmmaFence();
      for (int k = 0; k < 4; ++k)
        wgmma32(d, descriptor(as + s * 4096, 16, 1024, 1) + k * 2, descriptor(bs + s * 2048, 16, 1024, 1) + k * 2, 1);
      wgmmaCommit();
      wgmmaWait<0>();
      asm volatile("bar.sync 1, 128;" ::: "memory");
      if (threadIdx.x == 128)
        arrive(&empty[s]);
    }
    storeAccumulators(out + blockIdx.y * 64 * n + blockIdx.x * 32, d, n);
  }
}

//===----------------------------------------------------------------------===//
// Smaller things
//===----------------------------------------------------------------------===//

extern "C" __global__ void electOne(int *out) {
  uint32_t elected, lane;
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(lane), "=r"(elected));
  atomicAdd(&out[threadIdx.x / 32], elected);
  out[2 + threadIdx.x] = lane < 32;
}

extern "C" __global__ void dependentLaunch(const int *in, int *out) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  out[threadIdx.x] = in[threadIdx.x] + 1;
  asm volatile("griddepcontrol.launch_dependents;");
}
