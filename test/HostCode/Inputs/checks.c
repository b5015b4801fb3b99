// Calls the functions of checks.mlir with arguments of every wrong kind.
#include "checks.h"
#include "host.h"

static void report(const char *what, int status) {
  printf("%s: %d%s%s\n", what, status, status ? " " : "",
         status ? tileRtLastError() : "");
}

int main(void) {
  struct Array a = makeArray("<f4", 2, 8, 64, 0, 0);
  struct Array b = makeArray("<f4", 2, 16, 64, 0, 0);
  struct Array c = makeArray("<f4", 2, 8, 64, 0, 0);
  struct Array o = makeArray("<f4", 2, 8, 64, 0, 0);
  float *A = a.device, *B = b.device, *C = c.device, *O = o.device;
  int64_t most = INT64_MAX;

  report("right", f(A, 8, 64, B, 8, 64, 64, 0, C, 8, 64, O, 8, 64, 8, NULL));
  report("size below zero",
         f(A, -8, 64, B, 8, 64, 64, 0, C, 8, 64, O, 8, 64, 8, NULL));
  report("size of the type",
         f(A, 8, 63, B, 8, 64, 64, 0, C, 8, 64, O, 8, 64, 8, NULL));
  report("divisor", f(A, 10, 64, B, 8, 64, 64, 0, C, 8, 64, O, 8, 64, 8, NULL));
  report("name", f(A, 8, 64, B, 12, 64, 64, 0, C, 8, 64, O, 8, 64, 8, NULL));
  report("default alignment",
         f(A + 1, 8, 64, B, 8, 64, 64, 0, C, 8, 64, O, 8, 64, 8, NULL));
  report("stated alignment",
         f(A, 8, 64, B + 8, 8, 64, 64, 0, C, 8, 64, O, 8, 64, 8, NULL));
  report("null", f(NULL, 8, 64, B, 8, 64, 64, 0, C, 8, 64, O, 8, 64, 8, NULL));
  report("null and empty",
         f(NULL, 0, 64, NULL, 0, 64, 64, 0, NULL, 0, 64, NULL, 0, 64, 0, NULL));
  report("overlap", f(A, 8, 64, B, 8, 64, 64, 0, C, 8, 64, A, 8, 64, 8, NULL));
  // Two rows of B at a time, from its second quarter on.
  report("overlap by stride",
         f(A, 4, 64, B, 4, 64, 128, 256, C, 4, 64, B + 256, 4, 64, 4, NULL));
  // What lies between the rows of a view counts as the view's.
  report("between rows",
         f(A, 4, 64, B, 4, 64, 192, 0, C, 4, 64, B + 64, 4, 64, 4, NULL));
  report("may alias",
         f(A, 8, 64, B, 8, 64, 64, 0, A, 8, 64, O, 8, 64, 8, NULL));
  report("beyond 64 bits",
         f(A, most / 4 * 4, 64, B, 8, 64, 64, 0, C, 8, 64, O, 8, 64, 8, NULL));
  report("assumption",
         f(A, 8, 64, B, 8, 64, 64, 0, C, 8, 64, O, 8, 64, 7, NULL));
  report("grid below zero",
         f(A, 8, 64, B, 8, 64, 64, 0, C, 8, 64, O, 8, 64, -2, NULL));
  report("grid too large", f(A, 8, 64, B, 8, 64, 64, 0, C, 8, 64, O, 8, 64,
                             INT64_C(2147483648), NULL));
  report("call", outer(A, 5, 64, O, 5, 64, 1, NULL));
  report("aliasing call", outer(A, 4, 64, O, 4, 64, 4, NULL));
  report("cluster", clusters(O, 8, 64, 3, NULL));
  report("buffer below zero", buffers(-1, 32, false, NULL));
  report("buffer too large", buffers(INT64_C(1) << 57, 32, false, NULL));
  report("buffer beyond 64 bits", buffers(most, 32, false, NULL));
  report("copy", buffers(64, 32, false, NULL));
  report("freed twice", buffers(64, 64, true, NULL));
  report("buffers", buffers(64, 64, false, NULL));
  printf("error stays: 0 %s\n", tileRtLastError());
  // More rows than there are: nothing of the host's knows.
  int64_t far = INT64_C(1) << 24;
  report("kernel", f(A, 4000, 64, B + far, 4000, 64, 64, 0, C, 4000, 64,
                     O + 2 * far, 4000, 64, 4000, NULL));
  report("synchronize", tileRtSynchronize(NULL));
  // Not on the device: it takes nothing more where a kernel failed.
  free(a.host);
  free(b.host);
  free(c.host);
  free(o.host);
  return 0;
}
