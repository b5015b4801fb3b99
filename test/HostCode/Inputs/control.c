// control OUTPUTS: calls `host` of test/Execution/launches.mlir.
#include "host.h"
#include "launches.h"

static void call(const char *outputs, const char *name, int64_t n, float by) {
  struct Array x = makeArray("<f4", 1, 64, 0, 0, 0);
  struct Array y = makeArray("<f4", 1, 64, 0, 0, 0);
  save(&x, outputs, "x");
  check(host(x.device, 64, y.device, 64, n, by, NULL), name);
  finish(&y, outputs, name);
  discard(&x);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  call(argv[1], "copied", 0, 2.5f);
  call(argv[1], "scaled", 1, -2.25f);
  call(argv[1], "repeated", 5, 2.0f);
  return 0;
}
