// hopper INPUTS OUTPUTS: calls functions of four objects.
#include "bulk_im2col.h"
#include "clusters.h"
#include "dependent_launches.h"
#include "gemm_persistent.h"
#include "host.h"

static void callGemm(const char *inputs, const char *outputs) {
  struct Array a = load(inputs, "a", "<f2"), b = load(inputs, "b", "<f2");
  struct Array c = makeArray("<f2", 2, 200, 136, 0, 0);
  check(gemm_persistent(a.device, 200, 256, b.device, 136, 256, c.device, 200,
                        136, NULL),
        "gemm_persistent");
  finish(&c, outputs, "gemm");
  discard(&a);
  discard(&b);
}

static void callClusters(const char *outputs) {
  struct Array o = makeArray("<i4", 2, 24, 28, 0, 0);
  struct Array p = makeArray("<i4", 2, 24, 28, 0, 0);
  struct Array q = makeArray("<i4", 3, 6, 24, 28, 0);
  save(&o, outputs, "words");
  save(&q, outputs, "cube");
  check(
      walk(o.device, 24, 28, p.device, 24, 28, q.device, 6, 24, 28, 4, 8, NULL),
      "walk");
  finish(&o, outputs, "plain");
  finish(&p, outputs, "panels");
  finish(&q, outputs, "walk");
}

static void callImages(const char *inputs, const char *outputs) {
  struct Array x = load(inputs, "image", "<f2");
  struct Array o = makeArray("<f2", 4, 2, 7, 64, 16);
  check(dynamic(x.device, 3, 4, 6, 16, o.device, 2, 7, 64, 16, NULL),
        "dynamic");
  finish(&o, outputs, "image");
  discard(&x);
  o = makeArray("<f2", 4, 2, 7, 64, 16);
  check(dynamic(NULL, 2, 4, 0, 16, o.device, 2, 7, 64, 16, NULL), "dynamic");
  finish(&o, outputs, "empty");
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  callGemm(argv[1], argv[2]);
  callClusters(argv[2]);
  callImages(argv[1], argv[2]);
  struct Array x = load(argv[1], "chain-in", "<f4");
  check(chain(x.device, 300, 3, NULL), "chain");
  finish(&x, argv[2], "chain");
  return 0;
}
