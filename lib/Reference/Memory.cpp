//===- Memory.cpp - Buffers and memrefs of the interpreter ---------------===//

#include "tile/Reference/Memory.h"

#include "tile/Limits/AvailableMemory.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace mlir;
using namespace mlir::tile::reference;

llvm::SmallVector<int64_t, 4>
mlir::tile::reference::getStrides(llvm::ArrayRef<int64_t> sizes) {
  llvm::SmallVector<int64_t, 4> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;)
    strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

llvm::SmallVector<int64_t, 4>
mlir::tile::reference::delinearize(int64_t position,
                                   llvm::ArrayRef<int64_t> sizes) {
  llvm::SmallVector<int64_t, 4> coordinate(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    coordinate[i] = position % sizes[i];
    position /= sizes[i];
  }
  return coordinate;
}

int64_t MemRef::getNumElements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

int64_t MemRef::getCapacity() const {
  if (table)
    return static_cast<int64_t>(table->size());
  int64_t bytes = buffer->deviceBytes.value_or(buffer->bytes.size());
  return (bytes - baseByte) * 8 / element.memoryBits();
}

std::optional<int64_t> MemRef::getNeededCapacity() const {
  if (llvm::is_contained(sizes, 0))
    return 0;
  int64_t capacity = 0;
  bool overflows = __builtin_add_overflow(offset, 1, &capacity);
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    int64_t span = 0;
    overflows |=
        __builtin_mul_overflow(size - 1, std::max<int64_t>(stride, 0), &span) ||
        __builtin_add_overflow(capacity, span, &capacity);
  }
  if (overflows)
    return std::nullopt;
  return capacity;
}

int64_t MemRef::linearize(llvm::ArrayRef<int64_t> index) const {
  int64_t linear = offset;
  for (size_t i = 0; i < index.size(); ++i)
    linear += index[i] * strides[i];
  return linear;
}

uint64_t MemRef::readBits(int64_t linear) const {
  int64_t address = getBitAddress(linear);
  const uint8_t *at = buffer->bytes.data() + address / 8;
  unsigned bits = element.memoryBits();
  if (bits == 4)
    return (*at >> (address % 8)) & 0xf;
  uint64_t value = 0;
  std::memcpy(&value, at, bits / 8);
  return value;
}

unsigned Buffer::getUndefinedHalves(int64_t byte) const {
  if (undefined.empty())
    return 0;
  uint8_t mark = undefined[byte];
  return mark == 1 ? 3 : mark >> 1;
}

void Buffer::setUndefinedHalves(int64_t byte, unsigned halves) {
  if (undefined.empty() && halves != 0)
    undefined.assign(bytes.size(), 0);
  if (!undefined.empty())
    undefined[byte] = static_cast<uint8_t>(halves == 3 ? 1 : halves << 1);
}

bool MemRef::isUndefined(int64_t linear) const {
  if (buffer->undefined.empty())
    return false;
  int64_t first = getBitAddress(linear) / 8;
  if (element.memoryBits() == 4)
    return buffer->getUndefinedHalves(first) >>
               (getBitAddress(linear) % 8 / 4) &
           1;
  for (int64_t i = 0, e = (element.memoryBits() + 7) / 8; i < e; ++i)
    if (buffer->undefined[first + i])
      return true;
  return false;
}

void MemRef::writeBits(int64_t linear, uint64_t value) const {
  int64_t address = getBitAddress(linear);
  uint8_t *at = buffer->bytes.data() + address / 8;
  unsigned bits = element.memoryBits();
  if (bits == 4) {
    unsigned shift = address % 8;
    *at = static_cast<uint8_t>((*at & ~(0xf << shift)) |
                               ((value & 0xf) << shift));
    unsigned halves = buffer->getUndefinedHalves(address / 8);
    buffer->setUndefinedHalves(address / 8, halves & ~(1u << shift / 4));
    return;
  }
  std::memcpy(at, &value, bits / 8);
  if (!buffer->undefined.empty())
    std::memset(buffer->undefined.data() + address / 8, 0, bits / 8);
}

void MemRef::markUndefined(int64_t linear) const {
  if (element.memoryBits() == 4) {
    int64_t byte = getBitAddress(linear) / 8;
    unsigned half = 1u << getBitAddress(linear) % 8 / 4;
    buffer->setUndefinedHalves(byte, buffer->getUndefinedHalves(byte) | half);
    return;
  }
  if (buffer->undefined.empty())
    buffer->undefined.assign(buffer->bytes.size(), 0);
  std::memset(buffer->undefined.data() + getBitAddress(linear) / 8, 1,
              (element.memoryBits() + 7) / 8);
}

double MemRef::getBound(int64_t linear) const {
  return buffer->bounds.empty() ? 0.0 : buffer->bounds[getGranule(linear)];
}

void MemRef::setBound(int64_t linear, double bound) const {
  if (buffer->bounds.empty() && bound == 0.0)
    return;
  if (buffer->bounds.empty())
    buffer->bounds.assign(buffer->getGranuleCount(), 0.0);
  buffer->bounds[getGranule(linear)] = bound;
}

tilec::MemRefView mlir::tile::reference::getView(const MemRef &memref) {
  return {.buffer = memref.buffer.get(),
          .offset = memref.offset,
          .sizes = memref.sizes,
          .strides = memref.strides,
          .elementBits = memref.element.memoryBits()};
}

std::string
mlir::tile::reference::checkAllocation(ElementType element,
                                       llvm::ArrayRef<int64_t> sizes) {
  // Each byte has a flag.
  return tilec::checkMemory(sizes.vec(), element.memoryBits(),
                            /*bytesBeside=*/1);
}

MemRef mlir::tile::reference::allocate(std::string name, Location location,
                                       ElementType element,
                                       llvm::ArrayRef<int64_t> sizes) {
  MemRef memref;
  memref.element = element;
  memref.sizes.assign(sizes.begin(), sizes.end());
  memref.strides = getStrides(sizes);
  int64_t sizeBytes = (memref.getNumElements() * element.memoryBits() + 7) / 8;
  memref.buffer = std::make_shared<Buffer>(std::move(name), location, sizeBytes,
                                           element.memoryBits());
  memref.buffer->forget();
  return memref;
}

/// Calls `visit(position, linear)` for each element in row-major order.
template <typename Visit>
static void forEachElement(const MemRef &memref, Visit visit) {
  int64_t count = memref.getNumElements();
  if (count == 0)
    return;
  llvm::SmallVector<int64_t, 4> index(memref.getRank(), 0);
  for (int64_t position = 0; position < count; ++position) {
    visit(position, memref.linearize(index));
    for (int64_t d = memref.getRank(); d-- > 0;) {
      if (++index[d] < memref.sizes[d])
        break;
      index[d] = 0;
    }
  }
}

Array mlir::tile::reference::readAll(const MemRef &memref) {
  Array result(memref.element, memref.getNumElements());
  forEachElement(memref, [&](int64_t position, int64_t linear) {
    result.setBits(position, memref.readBits(linear));
    if (memref.isUndefined(linear))
      result.setPoison(position);
    result.setBound(position, memref.getBound(linear));
  });
  return result;
}

void mlir::tile::reference::writeAll(const MemRef &memref,
                                     const Array &values) {
  forEachElement(memref, [&](int64_t position, int64_t linear) {
    memref.writeBits(linear, values.getBits(position));
    memref.setBound(linear, values.getBound(position));
    if (values.isPoison(position))
      memref.markUndefined(linear);
  });
}

void mlir::tile::reference::leaveOpen(const MemRef &memref) {
  forEachElement(memref, [&](int64_t, int64_t linear) {
    memref.setBound(linear, std::numeric_limits<double>::infinity());
  });
}

void mlir::tile::reference::leaveOpen(const MemRef &memref,
                                      llvm::ArrayRef<int64_t> linear) {
  int64_t capacity = memref.getCapacity();
  for (int64_t element : linear)
    if (element >= 0 && element < capacity)
      memref.setBound(element, std::numeric_limits<double>::infinity());
}
