//===- functions.cu - What LLVM makes of functions, switches, arrays ------===//
//
// Device code without any header of CUDA: calls through the param space with
// structures, recursion, calls through pointers, jump tables, arrays in local
// memory. The tests include the device functions as plain C++ too.
//
//===----------------------------------------------------------------------===//

#ifdef __CUDA__
#define GLOBAL __attribute__((global))
#define DEVICE __attribute__((device))
#define TID static_cast<int>(__nvvm_read_ptx_sreg_tid_x())
#else
#define GLOBAL
#define DEVICE
#endif
#define FUNCTION extern "C" DEVICE __attribute__((noinline))
#define KERNEL extern "C" GLOBAL void

FUNCTION int collatz(int n) {
  int steps = 0;
  for (; n > 1; ++steps)
    n = n & 1 ? 3 * n + 1 : n / 2;
  return steps;
}

struct Pair {
  double first;
  int second;
  char tail[5];
};

FUNCTION Pair makePair(int i, Pair p) {
  p.first += i;
  p.second *= 2;
  p.tail[i % 5] = static_cast<char>(i);
  return p;
}

FUNCTION double sumPair(int i, int x) {
  Pair q = makePair(i, Pair{1.5, x, {1, 2, 3, 4, 5}});
  double sum = q.first + q.second;
  for (int k = 0; k < 5; ++k)
    sum += q.tail[k];
  return sum;
}

FUNCTION int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

FUNCTION int increment(int v) { return v + 1; }
FUNCTION int twice(int v) { return v * 2; }

/// A switch dense enough for a jump table.
FUNCTION int choose(int v) {
  switch (v & 15) {
  case 0:
    return v * 3;
  case 1:
    return v ^ 0x55;
  case 2:
    return collatz(v);
  case 3:
    return -v;
  case 4:
    return v >> 3;
  case 5:
    return __builtin_popcount(static_cast<unsigned>(v));
  case 6:
    return 7;
  case 7:
    return v % 11;
  case 9:
    return v + 100;
  case 10:
    return ~v;
  case 11:
    return v * v;
  default:
    return 1;
  }
}

/// The median of 15 values, sorted in an array.
FUNCTION int median(const int *x, int first) {
  int a[15];
  for (int k = 0; k < 15; ++k)
    a[k] = x[(first + k) % 32];
  for (int k = 1; k < 15; ++k) {
    int v = a[k], j = k;
    for (; j > 0 && a[j - 1] > v; --j)
      a[j] = a[j - 1];
    a[j] = v;
  }
  return a[7];
}

#ifdef __CUDA__
using Function = int (*)(int);
DEVICE Function const table[3] = {increment, twice, collatz};

KERNEL switches(const int *x, int *y) { y[TID] = choose(x[TID]); }
KERNEL structures(const int *x, double *y) { y[TID] = sumPair(TID, x[TID]); }
KERNEL arrays(const int *x, int *y) { y[TID] = median(x, TID); }
KERNEL recursion(const int *x, int *y) { y[TID] = factorial(x[TID] % 12); }
KERNEL pointers(const int *x, int *y) { y[TID] = table[TID % 3](x[TID]); }
#endif
