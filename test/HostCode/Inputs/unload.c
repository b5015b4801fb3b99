// unload LIBRARY...: calls `add` of each library, with the others unloaded.
#include "tile-rt/tileRt.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

int main(int argc, char **argv) {
  float x = 0;
  void *device;
  if (tileRtAllocate(&device, sizeof x) ||
      tileRtCopyToDevice(device, &x, sizeof x))
    return 1;
  for (int i = 1; i < argc; ++i) {
    void *library = dlopen(argv[i], RTLD_NOW);
    int (*add)(void *, int64_t, void *);
    if (!library)
      return 1;
    *(void **)&add = dlsym(library, "add");
    if (!add || add(device, 1, NULL) ||
        tileRtCopyToHost(&x, device, sizeof x)) {
      printf("%s\n", tileRtLastError());
      return 1;
    }
    printf("%g ", (double)x);
    dlclose(library);
  }
  printf("\n");
  return 0;
}
