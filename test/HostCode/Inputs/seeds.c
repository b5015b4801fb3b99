// seeds INPUTS OUTPUTS: calls each function of seeds.mlir once or twice.
#include "seeds.h"
#include "host.h"

static const char *inputs, *outputs;

#define N 128, 128

static struct Array begin(void) {
  struct Array array = makeArray("<f4", 2, N, 0, 0);
  save(&array, inputs, "x");
  return array;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  inputs = argv[1], outputs = argv[2];
  struct Array x = begin();

  struct Array y = begin();
  check(siblings(x.device, N, y.device, N, NULL), "siblings");
  finish(&y, outputs, "siblings");

  y = begin();
  check(helper(x.device, N, y.device, N, 200, NULL), "helper");
  finish(&y, outputs, "helper");

  y = begin();
  check(workspace(x.device, N, y.device, N, 3, NULL), "workspace");
  finish(&y, outputs, "workspace");

  for (int twice = 0; twice < 2; ++twice) {
    y = begin();
    check(conditional(x.device, N, y.device, N, twice, NULL), "conditional");
    finish(&y, outputs, twice ? "then" : "else");
  }

  y = begin();
  check(empty(x.device, N, y.device, N, 0, NULL), "empty");
  finish(&y, outputs, "empty");
  discard(&x);
  return 0;
}
