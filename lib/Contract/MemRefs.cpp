//===- MemRefs.cpp - Memrefs as plain data --------------------------------===//

#include "tile/Contract/MemRefs.h"

#include <algorithm>
#include <cstdio>

using namespace tilec;

bool MemRefView::isEmpty() const {
  return std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
}

std::string tilec::checkSizes(std::span<const int64_t> sizes) {
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (sizes[dim] < 0)
      return "dimension " + std::to_string(dim) + " has size " +
             std::to_string(sizes[dim]) + ", below zero";
  return "";
}

std::string MemRefView::formatPlace(int64_t byte) const {
  if (buffer)
    return "byte " + std::to_string(byte) + " of its buffer";
  char text[32];
  std::snprintf(text, sizeof text, "address 0x%llx",
                static_cast<unsigned long long>(byte));
  return text;
}

std::optional<std::pair<int64_t, int64_t>>
tilec::getSpanBits(const MemRefView &view, bool &overflows) {
  overflows = false;
  if (view.isEmpty())
    return std::nullopt;
  // Elements behind the first one of the address space.
  int64_t first = view.offset, last = view.offset;
  for (size_t dim = 0; dim < view.sizes.size(); ++dim) {
    int64_t step = 0, &end = view.strides[dim] < 0 ? first : last;
    overflows |= __builtin_sub_overflow(view.sizes[dim], 1, &step);
    overflows |= __builtin_mul_overflow(step, view.strides[dim], &step);
    overflows |= __builtin_add_overflow(end, step, &end);
  }
  overflows |= __builtin_mul_overflow(first, view.elementBits, &first);
  overflows |= __builtin_add_overflow(last, 1, &last);
  overflows |= __builtin_mul_overflow(last, view.elementBits, &last);
  int64_t base = 0;
  overflows |= __builtin_mul_overflow(view.address, 8, &base);
  overflows |= __builtin_add_overflow(first, base, &first);
  overflows |= __builtin_add_overflow(last, base, &last);
  overflows |= __builtin_sub_overflow(last, 1, &last);
  return std::pair(first, last);
}

bool tilec::overlap(const MemRefView &a, const MemRefView &b) {
  bool overflows = false;
  auto bitsA = getSpanBits(a, overflows), bitsB = getSpanBits(b, overflows);
  return a.buffer == b.buffer && bitsA && bitsB &&
         bitsA->second >= bitsB->first && bitsB->second >= bitsA->first;
}
