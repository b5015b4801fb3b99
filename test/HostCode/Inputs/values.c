// values INPUTS OUTPUTS: calls the functions of values.mlir.
#include "values.h"

#include "host.h"
#include <math.h>

static const char *inputs, *outputs;

static struct Array begin(void) {
  struct Array array = makeArray("<f4", 2, 48, 64, 0, 0);
  save(&array, inputs, "x");
  return array;
}

static void callWithNumbers(void) {
  struct Array o = makeArray("<f4", 1, 16, 0, 0, 0);
  int8_t a = 0, b = 0;
  int64_t c = 0;
  bool d = false;
  uint16_t e = 0, f = 0;
  uint8_t g = 0;
  // 1.5 as f16 and bf16, 1 as f8E4M3FN.
  check(numbers(o.device, 16, -7, -3, 200, true, 0x3e00, 0x3fc0, 0x38, &a, &b,
                &c, &d, &e, &f, &g, NULL),
        "numbers");
  printf("numbers: %d %d %" PRId64 " %d 0x%x 0x%x 0x%x\n", a, b, c, d, e, f, g);
  float sum[16];
  check(tileRtCopyToHost(sum, o.device, sizeof sum), "tileRtCopyToHost");
  printf("sum: %g\n", (double)sum[15]);
  // Results that nobody wants.
  check(numbers(o.device, 16, -7, -3, 200, true, 0x3e00, 0x3fc0, 0x38, NULL,
                NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        "numbers");

  int64_t p, q, r, s, t;
  float u, v;
  int32_t w;
  check(arithmetic(o.device, 16, 15, 8, 20.25f, 0x3f60, &p, &q, &r, &s, &t, &u,
                   &v, &w, NULL),
        "arithmetic");
  int64_t first = p;
  check(arithmetic(o.device, 16, -17, 8, 20.25f, 0x3f60, &p, &q, &r, &s, &t, &u,
                   &v, &w, NULL),
        "arithmetic");
  (void)t;
  check(arithmetic(o.device, 16, 15, -1, 20.25f, 0x3f60, NULL, NULL, NULL, NULL,
                   &t, NULL, NULL, NULL, NULL),
        "arithmetic");
  printf("arithmetic: %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
         " %g %g %d\n",
         first, q, r, s, t, (double)u, (double)v, w);

  bool bits[3];
  uint16_t halves[3];
  check(functions(o.device, 16, INFINITY, 3, 0.7, bits, bits + 1, bits + 2,
                  halves, halves + 1, halves + 2, NULL),
        "functions");
  printf("functions: %d %d %d 0x%x 0x%x 0x%x\n", bits[0], bits[1], bits[2],
         halves[0], halves[1], halves[2]);

  int32_t x[4];
  int64_t y[2];
  check(divisions(o.device, 16, 5, 0, 5, 0, x, x + 1, x + 2, x + 3, y, y + 1,
                  NULL),
        "divisions");
  check(divisions(o.device, 16, INT32_MIN, -1, INT64_MIN, -1, x, x + 1, x + 2,
                  x + 3, y, y + 1, NULL),
        "divisions");
  printf("divisions: went on\n");
  discard(&o);
}

static void callLoops(struct Array *x) {
  int8_t a, b, c, d;
  int64_t e, f, rows, columns;
  const int64_t most = INT64_MAX, half = INT64_C(1) << 62;
  void *X = x->device;
  check(loops(X, 48, 64, 127, 100, (int8_t)250, (int8_t)200, most, half, 0, &a,
              &b, &c, &d, &e, &f, &rows, NULL),
        "loops");
  check(loops(X, 48, 64, 127, 100, 1, 1, 1, 1, 1, NULL, NULL, NULL, NULL, NULL,
              NULL, &columns, NULL),
        "loops");
  printf("loops: %d %d, %d %d, %" PRId64 " %" PRId64 ", %" PRId64 " %" PRId64
         "\n",
         a, b, c, d, e, f, rows, columns);
  const int8_t steps[][2] = {{0, 1}, {-1, 1}, {1, 0}};
  for (int i = 0; i < 3; ++i)
    printf("step: %d %s\n",
           loops(X, 48, 64, 9, steps[i][0], 9, steps[i][1], 1, 1, 0, NULL, NULL,
                 NULL, NULL, NULL, NULL, NULL, NULL),
           tileRtLastError());
  for (int64_t dim = 2; dim >= -1; dim -= 3)
    printf("dimension: %d %s\n",
           loops(X, 48, 64, 1, 1, 1, 1, 1, 1, dim, NULL, NULL, NULL, NULL, NULL,
                 NULL, NULL, NULL),
           tileRtLastError());
}

// Rows of 40 elements, from the eighth on.
static void callWithView(struct Array *x) {
  struct Array whole = makeArray("<f4", 2, 17, 40, 0, 0);
  struct Array y = makeArray("<f4", 2, 16, 32, 0, 0);
  save(&y, inputs, "y");
  check(strided(x->device, 48, 64, whole.device, 16, 32, 40, 8, NULL),
        "strided");
  check(tileRtCopyToHost(whole.host, whole.device, whole.bytes),
        "tileRtCopyToHost");
  for (int row = 0; row < 16; ++row)
    memcpy(y.host + row * 128, whole.host + (row * 40 + 8) * 4, 128);
  check(tileRtCopyToDevice(y.device, y.host, y.bytes), "tileRtCopyToDevice");
  finish(&y, outputs, "strided");
  int status = strided(x->device, 48, 64, whole.device, 15, 32, 40, 8, NULL);
  printf("cast: %d %s\n", status, tileRtLastError());
  discard(&whole);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  inputs = argv[1], outputs = argv[2];
  callWithNumbers();
  struct Array x = begin(), y = begin();
  callLoops(&y);
  discard(&y);
  y = begin();
  check(copies(x.device, 48, 64, y.device, 48, 64, 3, NULL), "copies");
  finish(&y, outputs, "copies");
  y = begin();
  check(moves(x.device, 48, 64, y.device, 48, 64, 5, NULL), "moves");
  finish(&y, outputs, "moves");
  y = begin();
  check(views(x.device, 48, 64, y.device, 48, 64, 7, NULL), "views");
  finish(&y, outputs, "views");
  y = begin();
  int status = copies(x.device, 48, 64, y.device, 48, 64, 30, NULL);
  printf("outside: %d %s\n", status, tileRtLastError());
  discard(&y);
  callWithView(&x);
  discard(&x);
  return 0;
}
