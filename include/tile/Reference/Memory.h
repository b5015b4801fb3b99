//===- Memory.h - Buffers and memrefs of the interpreter --------*- C++ -*-===//
//
// A buffer is bytes, with one flag a byte that says whether anybody wrote it. A
// memref is a buffer, an element type, offset, sizes and strides; in shared
// memory from the placed stage on also a table from logical element to bit
// address, because elements lie as a `#tile.shared` says and several views
// share the bytes of one arena.
//
// Beside the bytes a buffer keeps who touched each element last, by block and
// by iteration of a `tile.parallel`, so that accesses without an order are
// found whatever the values are (see AccessChecker.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_REFERENCE_MEMORY_H
#define TILE_REFERENCE_MEMORY_H

#include "tile/Contract/MemRefs.h"
#include "tile/Reference/Array.h"
#include "tile/Reference/SumError.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace mlir::tile::reference {

struct Ring;

/// Who touched an element last: a block (numbered over the whole run) or an
/// iteration, through which operation, before which of its atomics.
struct LastAccess {
  uint32_t agent = 0; ///< 0: nobody
  uint16_t operation = 0;
  uint16_t epoch = 0;
};

/// The last accesses of each kind, and of those that several agents may make
/// without an order one more by another agent: whoever comes next differs from
/// one of the two. Where block-level atomics order some of more than two, one
/// may be forgotten; what is reported is always unordered.
struct ElementHistory {
  LastAccess write; ///< a plain one; nothing below is from before it
  LastAccess atomic, otherAtomic, read, otherRead;
};

struct Buffer {
  std::string name; ///< as messages call it
  Location location;
  bool isShared = false;
  bool isFreed = false;
  /// What `ElementHistory` is kept for: the element's bits, in an arena 8, or 4
  /// where elements of 4 bits lie in it.
  int64_t granuleBits = 8;
  std::vector<uint8_t> bytes;
  /// Of a buffer in the memory of a GPU, whose bytes are not here: how many it has.
  std::optional<int64_t> deviceBytes;
  /// Empty where every byte was written; else 1 for a byte that was not, or 2
  /// or 4 where only its low or its high half was not.
  Mask undefined;
  /// The bounds of the elements (Array.h), one a granule; empty where all are
  /// zero.
  std::vector<double> bounds;
  /// The terms that atomics have combined since the element was written, one a
  /// granule, in an order that the language leaves open; empty before the first.
  std::vector<SumError> atomicSums;
  /// Why elements are undefined that were written with poison that was
  /// computed, by bit address.
  std::map<int64_t, PoisonOrigin> storedPoison;
  std::vector<ElementHistory> byBlock, byIteration;
  uint32_t iterationGeneration = 0; ///< of the numbers in `byIteration`

  Buffer(std::string name, Location location, int64_t sizeBytes,
         int64_t granuleBits)
      : name(std::move(name)), location(location), granuleBits(granuleBits),
        bytes(sizeBytes, 0) {}

  /// Makes all contents undefined.
  void forget() {
    undefined.assign(bytes.size(), 1);
    storedPoison.clear();
  }
  bool isUndefined(int64_t byte) const {
    return !undefined.empty() && undefined[byte];
  }
  /// The halves of a byte that are undefined: 1 the low one, 2 the high one.
  unsigned getUndefinedHalves(int64_t byte) const;
  void setUndefinedHalves(int64_t byte, unsigned halves);
  int64_t getGranuleCount() const {
    return static_cast<int64_t>(bytes.size()) * 8 / granuleBits;
  }
};

struct MemRef {
  std::shared_ptr<Buffer> buffer;
  ElementType element;
  int64_t offset = 0; ///< in elements
  llvm::SmallVector<int64_t, 4> sizes, strides;
  /// Where a view of an arena begins, and the bit address in it of each element
  /// of the view's own row-major order; no table: elements follow each other.
  int64_t baseByte = 0;
  std::shared_ptr<const std::vector<int64_t>> table;
  /// The ring that guards the elements, and how many element numbers a slot of
  /// it has; null: none.
  std::shared_ptr<Ring> ring;
  int64_t slotElements = 0;

  int64_t getRank() const { return static_cast<int64_t>(sizes.size()); }
  int64_t getNumElements() const;
  /// How many elements there are to address, from `baseByte` on.
  int64_t getCapacity() const;
  /// How many elements a buffer holds that holds all of the view, none of whose sizes is
  /// negative and none of whose elements lies before the buffer; nothing beyond
  /// INT64_MAX.
  std::optional<int64_t> getNeededCapacity() const;
  /// The element's number in the buffer (or view), not checked.
  int64_t linearize(llvm::ArrayRef<int64_t> index) const;
  /// The bit address of an element number.
  int64_t getBitAddress(int64_t linear) const {
    if (table)
      return baseByte * 8 + (*table)[linear];
    return baseByte * 8 + linear * element.memoryBits();
  }

  /// The bits of an element and whether one of its bytes is undefined; the
  /// element number is within the capacity.
  uint64_t readBits(int64_t linear) const;
  bool isUndefined(int64_t linear) const;
  void writeBits(int64_t linear, uint64_t bits) const;
  void markUndefined(int64_t linear) const;
  int64_t getGranule(int64_t linear) const {
    return getBitAddress(linear) / buffer->granuleBits;
  }
  /// The bound of an element, and of one that was just written.
  double getBound(int64_t linear) const;
  void setBound(int64_t linear, double bound) const;
};

/// The memref for the rules of tile/Contract, with addresses in its buffer; lives as
/// long as it does.
tilec::MemRefView getView(const MemRef &memref);

/// Why memory does not suffice for a buffer of these elements with what is kept
/// beside it; empty if it does.
std::string checkAllocation(ElementType element, llvm::ArrayRef<int64_t> sizes);

/// A fresh buffer, undefined, with its memref: `sizes` in row-major order.
MemRef allocate(std::string name, Location location, ElementType element,
                llvm::ArrayRef<int64_t> sizes);

/// Row-major strides.
llvm::SmallVector<int64_t, 4> getStrides(llvm::ArrayRef<int64_t> sizes);

/// The coordinate of a row-major position.
llvm::SmallVector<int64_t, 4> delinearize(int64_t position,
                                          llvm::ArrayRef<int64_t> sizes);

/// Reads all elements of a memref (host side of a comparison or a file); the
/// elements nobody wrote are poison.
Array readAll(const MemRef &memref);
/// Writes all elements.
void writeAll(const MemRef &memref, const Array &values);
/// Gives all elements an infinite bound, or those of these numbers.
void leaveOpen(const MemRef &memref);
void leaveOpen(const MemRef &memref, llvm::ArrayRef<int64_t> linear);

} // namespace mlir::tile::reference

#endif // TILE_REFERENCE_MEMORY_H
