// Uses the runtime from several threads, and wrongly.
#include "runtime.h"
#include "host.h"
#include "tile-rt/abi.h"

#include <dlfcn.h>
#include <pthread.h>

enum { THREADS = 8, CALLS = 5, SIZE = 100 };

// Adds to an array of its own; returns the number of failures.
static void *addOften(void *argument) {
  struct Array array = makeArray("<f4", 1, SIZE, 0, 0, 0);
  intptr_t failures = 0;
  (void)argument;
  for (int i = 0; i < CALLS; ++i)
    failures += add(array.device, SIZE, NULL) != 0;
  failures += tileRtSynchronize(NULL) != 0;
  // The words of another thread's failure are not this one's.
  failures += strcmp(tileRtLastError(), "") != 0;
  check(tileRtCopyToHost(array.host, array.device, array.bytes),
        "tileRtCopyToHost");
  for (int i = 0; i < SIZE; ++i)
    failures += ((float *)array.host)[i] != (float)(i % 61 + 1 + CALLS);
  discard(&array);
  return (void *)failures;
}

static void useThreads(void) {
  pthread_t threads[THREADS];
  intptr_t failures = 0;
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], NULL, addOften, NULL);
  for (int i = 0; i < THREADS; ++i) {
    void *result;
    pthread_join(threads[i], &result);
    failures += (intptr_t)result;
  }
  printf("threads: %d failed, each added once\n", (int)failures);
}

static void report(const char *what, int status) {
  printf("%s: %d%s%s\n", what, status, status ? " " : "",
         status ? tileRtLastError() : "");
}

// In a stream of the application's own, as the driver makes them.
static void useStream(void) {
  struct Array array = makeArray("<f4", 1, SIZE, 0, 0, 0);
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), *stream = NULL;
  int (*create)(void **, unsigned) = NULL;
  if (driver)
    *(void **)&create = dlsym(driver, "cuStreamCreate");
  if (!create || create(&stream, 1) != 0 || !stream) {
    printf("no stream\n");
    return;
  }
  report("own stream", add(array.device, SIZE, stream));
  report("its end", tileRtSynchronize(stream));
  check(tileRtCopyToHost(array.host, array.device, array.bytes),
        "tileRtCopyToHost");
  printf("added: %g\n", (double)((float *)array.host)[0]);
  discard(&array);
}

static void useWrongly(void) {
  struct Array array = makeArray("<f4", 1, SIZE, 0, 0, 0);
  int noStream;
  char bytes[8192];
  void *address;
  report("stream", add(array.device, SIZE, &noStream));
  report("address", tileRtAllocate(NULL, 8));
  report("release", tileRtRelease((char *)array.device + 8));
  report("copy", tileRtCopyToHost(bytes, array.device, sizeof bytes));
  report("memory", tileRtAllocate(&address, (size_t)1 << 40));
  static const TileRtImage image = {.abiVersion = 1000, .ptx = ""};
  static const TileRtFunction function = {&image, "f", 0, NULL};
  report("version", tileRtLeave(tileRtEnter(&function, NULL, NULL)));
  report("device", tileRtUseDevice((TileRtDevice)7));
  discard(&array);
}

// What a kernel takes for granted is checked before it is looked for.
static void breakFacts(void) {
  static const TileRtImage image = {.abiVersion = TILE_RT_ABI_VERSION,
                                    .ptx = ""};
  static const TileRtFunction function = {&image, "f", 0, NULL};
  static const int64_t sizes[] = {TILE_RT_ANY, TILE_RT_ANY},
                       divisors[] = {1, 8};
  static const int64_t strides[] = {TILE_RT_ANY, 1}, box[] = {16, 32};
  static const TileRtMemRef type = {2, 16, sizes, strides, TILE_RT_ANY};
  static const int64_t strideDivisors[] = {8, 1};
  static const TileRtFacts memref = {16, 1, divisors, strideDivisors, 1, 0, 0};
  static const TileRtFacts scalar = {1, 0, NULL, NULL, 4, 0, 100};
  static const TileRtTensorMap map = {6, 64, 2, box, NULL, NULL, NULL};
  static const TileRtOperand operands[] = {{&type, 0, &memref, NULL},
                                           {NULL, 8, &scalar, NULL},
                                           {&type, 0, NULL, &map}};
  static const TileRtLaunch launch = {&image, "k", "here", 0, 3, operands};
  // Grid, block, cluster, shared bytes; address, offset, sizes, strides; a number;
  // the memref of the tensor map.
  static const int64_t right[] = {1, 1,  1,  32, 1, 1,    1, 1, 1,  0,  4096, 8,
                                  4, 16, 24, 1,  8, 4096, 8, 4, 16, 24, 1};
  static const struct {
    int word;
    int64_t number;
  } wrong[] = {{0, 65536 * INT64_C(65536)},
               {3, 2048},
               {11, 4},
               {13, 12},
               {14, 20},
               {15, 2},
               {16, 6},
               {16, 104},
               {18, 4},
               {20, INT64_C(1) << 31},
               {21, 20},
               {21, 8},
               {22, 2},
               {13, -12},
               {18, INT64_C(1) << 61}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    int64_t words[23];
    memcpy(words, right, sizeof words);
    words[wrong[i].word] = wrong[i].number;
    TileRtCall *call = tileRtEnter(&function, NULL, NULL);
    tileRtLaunch(call, &launch, words);
    report("fact", tileRtLeave(call));
  }
}

static void useEmulator(void) {
  void *address;
  char byte[4];
  check(tileRtUseDevice(TILE_RT_EMULATOR), "tileRtUseDevice");
  struct Array array = makeArray("<f4", 1, SIZE, 0, 0, 0);
  report("emulator", add(array.device, SIZE, NULL));
  check(tileRtRelease(array.device), "tileRtRelease");
  check(tileRtAllocate(&address, 400), "tileRtAllocate");
  report("unwritten", add(address, SIZE, NULL));
  report("assertion", smallOnly(array.device, SIZE, 1000, NULL));
  report("release there", tileRtRelease(array.device));
  report("read there", tileRtCopyToHost(byte, (void *)8, 4));
  report("memory there", tileRtAllocate(&address, SIZE_MAX));
  free(array.host);
}

int main(void) {
  printf("before: '%s'\n", tileRtLastError());
  useThreads();
  useStream();
  useWrongly();
  breakFacts();
  useEmulator();
  return 0;
}
