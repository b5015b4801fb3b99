//===- HeapPages.cpp - A heap of large pages ------------------------------===//

#include "HeapPages.h"

#include <cstdint>
#include <cstdlib>

#if defined(__linux__) && defined(__GLIBC__)

#include "llvm/Support/MathExtras.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

void mlir::tile::useLargeHeapPages() {
  constexpr int heapBytes = 64 << 20;
  constexpr uintptr_t pageBytes = 2 << 20;
  // The heap grows by that much at once, holds large blocks as well, which would be
  // mapped and given back each time, and keeps what it has.
  mallopt(M_TOP_PAD, heapBytes);
  mallopt(M_MMAP_THRESHOLD, heapBytes / 2);
  mallopt(M_TRIM_THRESHOLD, 4 * heapBytes);
  auto getEnd = [] { return reinterpret_cast<uintptr_t>(sbrk(0)); };
  uintptr_t begin = llvm::alignTo(getEnd(), pageBytes);
  // More than is left of the heap as it is.
  void *volatile block = malloc(pageBytes);
  free(block);
  // Where the system has no such pages, or the heap could not grow, all is as before.
  if (uintptr_t end = getEnd(); end > begin)
    (void)madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
}

#else

void mlir::tile::useLargeHeapPages() {}

#endif
