// Calls, branches, local memory, tables, assertions.
#include <cassert>
#include <cstdint>

__device__ int linear() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ __noinline__ int helper(int a, int b) { return a * 3 - b; }
__device__ __noinline__ double mixed(char c, short s, float f, double d,
                                     int64_t l) {
  return c + s * 2.0 + f * 0.5 + d + l;
}
struct Pair {
  int64_t first;
  float second[3];
};
__device__ __noinline__ Pair makePair(Pair p, int i) {
  p.first += i;
  for (int j = 0; j < 3; ++j)
    p.second[j] *= i + j;
  return p;
}

extern "C" __global__ void functionCalls(const int *in, double *out) {
  int i = linear();
  Pair p = {i * 10ll, {1.5f, 2.5f, -1.0f}};
  p = makePair(p, in[i]);
  double value = helper(in[i], i);
  if (in[i] > 0)
    value += mixed((char)in[i], (short)i, 1.5f, 2.25, -in[i]);
  out[i] = value + p.first + p.second[0] + p.second[1] * p.second[2];
}

__device__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

extern "C" __global__ void recursion(const int *in, int *out) {
  int i = linear();
  out[2 * i] = factorial(in[i] % 10);
  out[2 * i + 1] = ackermann(in[i] % 3, i % 4);
}

__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
typedef int (*Binary)(int, int);
__device__ Binary operations[3] = {plus, minus, times};

extern "C" __global__ void functionPointers(const int *in, int *out) {
  int i = linear();
  out[i] = operations[in[i] % 3](in[i], i);
}

extern "C" __global__ void switchTable(const int *in, int *out) {
  int i = linear(), x = in[i], y;
  switch (x) {
  case 0: y = x + 11; break;
  case 1: y = i * 7; break;
  case 2: y = i ^ 0x55; break;
  case 3: y = -i; break;
  case 4: y = i << 3; break;
  case 5: y = 99 - x * i; break;
  case 6: y = i / 3;
  case 7: y = i % 5; break;
  case 8: y = 1000; break;
  case 9: y = i * i; break;
  case 40: y = 40; break;
  default: y = -1000 - x;
  }
  out[i] = y;
}

extern "C" __global__ void localArrays(const int *in, int *out, int n) {
  int i = linear();
  int values[24];
  for (int j = 0; j < 24; ++j)
    values[j] = in[i] + j * j;
  for (int j = 0; j < n; ++j) {
    int a = (in[i] + j * 7) % 24, b = (j * 5 + 3) % 24;
    int t = values[a];
    values[a] = values[b] + 1;
    values[b] = t;
  }
  int sum = 0;
  for (int j = 0; j < 24; ++j)
    sum = sum * 3 + values[j];
  out[i] = sum;
}

extern "C" __global__ void insertionSort(const int *in, int *out) {
  int i = linear();
  int values[12];
  for (int j = 0; j < 12; ++j)
    values[j] = in[12 * i + j];
  for (int j = 1; j < 12; ++j) {
    int v = values[j], k = j - 1;
    while (k >= 0 && values[k] > v) {
      values[k + 1] = values[k];
      --k;
    }
    values[k + 1] = v;
  }
  for (int j = 0; j < 12; ++j)
    out[12 * i + j] = values[j];
}

extern "C" __global__ void divergentLoops(const int *in, int *out) {
  int i = linear(), sum = 0;
  for (int a = 0; a < in[i]; ++a) {
    if ((a + i) % 3 == 0)
      continue;
    for (int b = a; b < 20; b += 1 + i % 4) {
      if (b * a > 150)
        break;
      sum += b ^ a;
    }
    if (sum > 5000)
      return;
  }
  out[i] = sum;
}

extern "C" __global__ void earlyExit(const int *in, int *out) {
  int i = linear();
  if (in[i] < 0)
    return;
  __syncwarp(__activemask());
  int x = in[i];
  if (x % 2) {
    if (x % 5 == 0) {
      out[i] = 5;
      return;
    }
    out[i] = 1;
  } else {
    out[i] = 2;
  }
  __syncwarp(__activemask());
  out[i] += x;
}

extern "C" __global__ void assertions(const int *in, int *out) {
  int i = linear();
  assert(in[i] < 1000);
  out[i] = in[i] + 1;
}

extern "C" __global__ void predicatedSelects(const int *a, const float *b,
                                             int *out) {
  int i = linear();
  int x = a[i] > 3 ? (b[i] > 0 ? 1 : 2) : (b[i] > 0.5f || a[i] < -3 ? 3 : 4);
  bool p = (a[i] & 1) && b[i] < 0.25f, q = !p ^ (a[i] > 0);
  out[i] = x * 4 + p * 2 + q;
}

extern "C" __global__ void stateMachine(const uint8_t *text, int length,
                                        int *words) {
  int state = 0, count = 0;
  for (int i = threadIdx.x; i < length; ++i) {
    uint8_t c = text[i];
    switch (state) {
    case 0:
      if (c > 'a') { state = 1; ++count; }
      break;
    case 1:
      if (c == 'x') state = 2;
      else if (c <= 'a') state = 0;
      break;
    default:
      state = c & 1 ? 0 : 1;
      count += 100;
    }
  }
  words[threadIdx.x] = count;
}

struct Padded {
  char tag;
  int64_t value;
  short tail;
};
__device__ __noinline__ int64_t weigh(Padded p, int i) {
  return p.value * i + p.tag + p.tail;
}
__device__ __noinline__ Padded choose(Padded *table, int i) { return table[i]; }

// The padding is copied through parameters and local memory.
extern "C" __global__ void paddedStructs(const int *in, int64_t *out) {
  int i = linear();
  Padded table[4];
  for (int j = 0; j < 4; ++j) {
    table[j].tag = (char)(in[i] + j);
    table[j].value = 100ll * j;
    table[j].tail = (short)(in[i] - j);
  }
  Padded copy = choose(table, in[i] & 3);
  out[i] = weigh(copy, i);
}

// One member is not written.
extern "C" __global__ void missingMember(const int *in, int64_t *out) {
  int i = linear();
  Padded table[4];
  for (int j = 0; j < 4; ++j) {
    table[j].tag = (char)(in[i] + j);
    if (in[i] != 5)
      table[j].value = 100ll * j;
    table[j].tail = (short)(in[i] - j);
  }
  out[i] = weigh(choose(table, in[i] & 3), i);
}
