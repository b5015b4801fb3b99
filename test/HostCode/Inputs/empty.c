// Writes to a memref without elements, and reads one.
#include "empty.h"
#include "host.h"

int main(void) {
  struct Array o = makeArray("<f4", 2, 64, 64, 0, 0);
  check(writeTile(NULL, 0, 64, NULL), "writeTile");
  check(readTile(NULL, 0, 64, o.device, 64, 64, NULL), "readTile");
  check(tileRtCopyToHost(o.host, o.device, o.bytes), "tileRtCopyToHost");
  double sum = 0;
  for (int i = 0; i < 64 * 64; ++i)
    sum += (double)((float *)o.host)[i];
  printf("sum: %g\n", sum);
  discard(&o);
  return 0;
}
