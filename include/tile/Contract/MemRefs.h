//===- MemRefs.h - Memrefs as plain data ------------------------*- C++ -*-===//
//
// What a type says of a memref, and a memref that is there, for the rules of this
// folder. Sizes, strides and offsets count elements, outermost dimension first.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONTRACT_MEMREFS_H
#define TILE_CONTRACT_MEMREFS_H

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace tilec {

/// A size, stride or offset that a type leaves open.
constexpr int64_t anyExtent = std::numeric_limits<int64_t>::min();

/// The sizes, strides and offset that a type fixes, `anyExtent` for others.
struct MemRefShape {
  std::span<const int64_t> sizes, strides;
  int64_t offset = 0;
};

struct MemRefView {
  /// Of the element at offset zero: in bytes of `buffer`, or of memory.
  int64_t address = 0;
  /// What an interpreter keeps the elements in; null: memory itself.
  const void *buffer = nullptr;
  int64_t offset = 0;
  std::span<const int64_t> sizes, strides;
  int64_t elementBits = 8;

  int64_t getRank() const { return static_cast<int64_t>(sizes.size()); }
  bool isEmpty() const;
  /// The address of the first element, of those of less than a byte rounded down.
  /// Wraps where it is beyond 64 bits, which `getSpanBits` tells.
  int64_t getFirstByte() const {
    auto bits = static_cast<int64_t>(static_cast<uint64_t>(offset) *
                                     static_cast<uint64_t>(elementBits));
    return static_cast<int64_t>(static_cast<uint64_t>(address) +
                                static_cast<uint64_t>(bits >> 3));
  }
  /// "byte 4 of its buffer", "address 0x7f0004".
  std::string formatPlace(int64_t byte) const;
};

/// "dimension 0 has size -8, below zero"; empty where none is.
std::string checkSizes(std::span<const int64_t> sizes);

/// The bits [first, last] of `view`'s address space that its elements span. Nothing
/// where it is empty. Where they are beyond 64 bits `overflows` is set.
std::optional<std::pair<int64_t, int64_t>> getSpanBits(const MemRefView &view,
                                                       bool &overflows);

/// Whether two memrefs have bits in common, by their spans: what lies between the rows
/// of a view counts as the view's.
bool overlap(const MemRefView &a, const MemRefView &b);

/// Whether `divisor` divides `number`; 0 divides only zero.
inline bool divides(int64_t divisor, int64_t number) {
  return divisor == 0 ? number == 0 : number % divisor == 0;
}

/// The parameters of a kernel that a memref is: its address, then the sizes, strides
/// and offset that `shape` leaves open (docs/KernelABI.md).
template <typename Function>
void forEachParameter(const MemRefShape &shape, const MemRefView &view,
                      int64_t address, Function &&visit) {
  visit(address);
  for (size_t dim = 0; dim < shape.sizes.size(); ++dim)
    if (shape.sizes[dim] == anyExtent)
      visit(view.sizes[dim]);
  for (size_t dim = 0; dim < shape.strides.size(); ++dim)
    if (shape.strides[dim] == anyExtent)
      visit(view.strides[dim]);
  if (shape.offset == anyExtent)
    visit(view.offset);
}

} // namespace tilec

#endif // TILE_CONTRACT_MEMREFS_H
