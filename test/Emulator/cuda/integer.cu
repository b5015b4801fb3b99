// Integer arithmetic of every width, bit manipulation, SIMD in a word.
#include <cstdint>

__device__ int linear() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void divide32(const int *a, const int *b, int *q, int *r,
                                    unsigned *uq, unsigned *ur) {
  int i = linear();
  q[i] = a[i] / b[i];
  r[i] = a[i] % b[i];
  uq[i] = (unsigned)a[i] / (unsigned)b[i];
  ur[i] = (unsigned)a[i] % (unsigned)b[i];
}

extern "C" __global__ void divide64(const int64_t *a, const int64_t *b,
                                    int64_t *q, int64_t *r, uint64_t *uq,
                                    uint64_t *ur) {
  int i = linear();
  q[i] = a[i] / b[i];
  r[i] = a[i] % b[i];
  uq[i] = (uint64_t)a[i] / (uint64_t)b[i];
  ur[i] = (uint64_t)a[i] % (uint64_t)b[i];
}

extern "C" __global__ void divideConstants(const int *a, int *out) {
  int i = linear();
  out[4 * i] = a[i] / 7;
  out[4 * i + 1] = a[i] % 10;
  out[4 * i + 2] = (unsigned)a[i] / 641u;
  out[4 * i + 3] = a[i] / -16;
}

extern "C" __global__ void multiplies(const int *a, const int *b, int64_t *out) {
  int i = linear();
  int64_t *row = out + 8 * i;
  row[0] = __mulhi(a[i], b[i]);
  row[1] = __umulhi(a[i], b[i]);
  row[2] = (int64_t)a[i] * b[i];
  row[3] = (uint64_t)(unsigned)a[i] * (unsigned)b[i];
  row[4] = __mul24(a[i], b[i]);
  row[5] = a[i] * b[i] + 17;
  row[6] = __mul64hi((long long)a[i] << 30, (long long)b[i] << 29);
  row[7] = (short)a[i] * (short)b[i];
}

extern "C" __global__ void bits32(const unsigned *a, unsigned *out) {
  int i = linear();
  unsigned *row = out + 8 * i;
  row[0] = __popc(a[i]);
  row[1] = __clz(a[i]);
  row[2] = __ffs(a[i]);
  row[3] = __brev(a[i]);
  row[4] = a[i] << (a[i] & 31);
  row[5] = (int)a[i] >> (a[i] & 31);
  row[6] = a[i] >> (a[i] & 31);
  row[7] = ~a[i] ^ (a[i] & 0xff00ff00u);
}

extern "C" __global__ void bits64(const uint64_t *a, uint64_t *out) {
  int i = linear();
  uint64_t *row = out + 8 * i;
  row[0] = __popcll(a[i]);
  row[1] = __clzll(a[i]);
  row[2] = __ffsll(a[i]);
  row[3] = __brevll(a[i]);
  row[4] = a[i] << (a[i] & 63);
  row[5] = (int64_t)a[i] >> (a[i] & 63);
  row[6] = a[i] >> 17 | a[i] << 47;
  row[7] = a[i] * 0x9e3779b97f4a7c15ull;
}

extern "C" __global__ void permuteBytes(const unsigned *a, const unsigned *b,
                                        const unsigned *s, unsigned *out) {
  int i = linear();
  unsigned *row = out + 4 * i;
  row[0] = __byte_perm(a[i], b[i], s[i] & 0x7777);
  row[1] = __byte_perm(a[i], b[i], 0x0123);
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(row[2]) : "r"(a[i]), "r"(b[i]), "r"(s[i]));
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(row[3]) : "r"(a[i]), "r"(b[i]), "r"(s[i]));
}

extern "C" __global__ void funnelShifts(const unsigned *a, const unsigned *b,
                                        const unsigned *s, unsigned *out) {
  int i = linear();
  unsigned *row = out + 4 * i;
  row[0] = __funnelshift_l(a[i], b[i], s[i]);
  row[1] = __funnelshift_r(a[i], b[i], s[i]);
  row[2] = __funnelshift_lc(a[i], b[i], s[i] & 63);
  row[3] = __funnelshift_rc(a[i], b[i], s[i] & 63);
}

extern "C" __global__ void threeInputLogic(const unsigned *a, const unsigned *b,
                                           const unsigned *c, unsigned *out) {
  int i = linear();
  unsigned *row = out + 4 * i;
  row[0] = (a[i] & b[i]) | (~a[i] & c[i]);
  row[1] = a[i] ^ b[i] ^ c[i];
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(row[2]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
  asm("lop3.b32 %0, %1, %2, %3, 0x1b;" : "=r"(row[3]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
}

extern "C" __global__ void bitFields(const unsigned *a, const unsigned *b,
                                     unsigned *out) {
  int i = linear();
  unsigned *row = out + 6 * i;
  unsigned position = b[i] & 31, length = (b[i] >> 8) & 31;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(row[0]) : "r"(a[i]), "r"(position), "r"(length));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(row[1]) : "r"(a[i]), "r"(position), "r"(length));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(row[2]) : "r"(b[i]), "r"(a[i]), "r"(position), "r"(length));
  asm("bfind.u32 %0, %1;" : "=r"(row[3]) : "r"(a[i]));
  asm("bfind.shiftamt.s32 %0, %1;" : "=r"(row[4]) : "r"(a[i]));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(row[5]) : "r"(position), "r"(length));
}

extern "C" __global__ void dotProducts(const int *a, const int *b, const int *c,
                                       int *out) {
  int i = linear();
  int *row = out + 6 * i;
  row[0] = __dp4a(a[i], b[i], c[i]);
  row[1] = __dp4a((unsigned)a[i], (unsigned)b[i], (unsigned)c[i]);
  row[2] = __dp2a_lo(a[i], b[i], c[i]);
  row[3] = __dp2a_hi((unsigned)a[i], (unsigned)b[i], (unsigned)c[i]);
  row[4] = __sad(a[i], b[i], c[i]);
  row[5] = __usad(a[i], b[i], c[i]);
}

extern "C" __global__ void add128(const uint64_t *a, const uint64_t *b,
                                  uint64_t *out) {
  int i = linear();
  unsigned __int128 x = (unsigned __int128)a[2 * i + 1] << 64 | a[2 * i];
  unsigned __int128 y = (unsigned __int128)b[2 * i + 1] << 64 | b[2 * i];
  unsigned __int128 sum = x + y, difference = x - y, product = x * y;
  out[6 * i] = sum;
  out[6 * i + 1] = sum >> 64;
  out[6 * i + 2] = difference;
  out[6 * i + 3] = difference >> 64;
  out[6 * i + 4] = product;
  out[6 * i + 5] = product >> 64;
}

extern "C" __global__ void minMaxAbs(const int *a, const int *b, int64_t *out) {
  int i = linear();
  int64_t *row = out + 8 * i;
  row[0] = min(a[i], b[i]);
  row[1] = max((unsigned)a[i], (unsigned)b[i]);
  row[2] = abs(a[i]);
  row[3] = min((int64_t)a[i] << 20, (int64_t)b[i] << 19);
  row[4] = llabs((long long)a[i] * b[i]);
  row[5] = __hadd(a[i], b[i]);
  row[6] = __urhadd(a[i], b[i]);
  row[7] = min((short)a[i], (short)b[i]);
}

extern "C" __global__ void simdInWord(const unsigned *a, const unsigned *b,
                                      unsigned *out) {
  int i = linear();
  unsigned *row = out + 6 * i;
  row[0] = __vadd4(a[i], b[i]);
  row[1] = __vabsdiffu4(a[i], b[i]);
  row[2] = __vmaxs2(a[i], b[i]);
  row[3] = __vcmpgtu4(a[i], b[i]);
  row[4] = __vavgu4(a[i], b[i]);
  row[5] = __vsubus2(a[i], b[i]);
}

extern "C" __global__ void collatz(const unsigned *in, unsigned *steps) {
  int i = linear();
  uint64_t n = in[i];
  unsigned count = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n >> 1;
    ++count;
  }
  steps[i] = count;
}

extern "C" __global__ void gcd(const unsigned *a, const unsigned *b,
                               unsigned *out) {
  int i = linear();
  unsigned x = a[i], y = b[i];
  while (y) {
    unsigned t = x % y;
    x = y;
    y = t;
  }
  out[i] = x;
}

extern "C" __global__ void murmur(const unsigned *in, unsigned *out) {
  int i = linear();
  unsigned h = in[i];
  for (int round = 0; round < 10; ++round) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h = (h << 15 | h >> 17) + round;
  }
  out[i] = h;
}
