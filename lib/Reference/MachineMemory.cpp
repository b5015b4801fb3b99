//===- MachineMemory.cpp - Memory accesses with their checks -------------===//
//
// Every access of the interpreted program goes through here: a list of element
// numbers of one memref, read, written or combined. The checks (bounds of the
// buffer, freed buffers, order between blocks and iterations, poison) come
// first, then one loop moves the elements.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <cstring>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

InFlightDiagnostic Machine::errorAt(Operation *op, int64_t lane) {
  InFlightDiagnostic diagnostic = error(op);
  if (inParallel)
    diagnostic.attachNote(op->getLoc()) << "in iteration " << lane;
  return diagnostic;
}

LogicalResult Machine::checkAccess(Operation *op, const MemRef &memref,
                                   ArrayRef<int64_t> linear, AccessKind kind) {
  const Buffer &buffer = *memref.buffer;
  if (buffer.isFreed) {
    InFlightDiagnostic diagnostic = error(op);
    diagnostic.attachNote(buffer.location) << "the buffer is from here";
    return diagnostic << "buffer '" << buffer.name << "' was deallocated";
  }
  int64_t capacity = memref.getCapacity();
  for (int64_t i = 0, e = linear.size(); i < e; ++i) {
    if (linear[i] == skipped || (linear[i] >= 0 && linear[i] < capacity))
      continue;
    InFlightDiagnostic diagnostic = errorAt(op, i);
    diagnostic.attachNote(buffer.location) << "the buffer is from here";
    return diagnostic << "access to element " << linear[i] << " of buffer '"
                      << buffer.name << "', which has " << capacity
                      << " elements";
  }
  if (memref.ring && failed(checkSlots(*this, op, memref, linear, kind)))
    return failure();
  bool isInFlight =
      blockState && !(blockState->inFlight.empty() && role->pending.empty());
  if (isInFlight && kind != AccessKind::Read &&
      failed(checkNotInFlight(*this, op, memref, linear)))
    return failure();
  if (!checker.isWatched(buffer))
    return success();
  for (int64_t i = 0, e = linear.size(); i < e; ++i)
    if (linear[i] != skipped &&
        failed(checker.check(op, memref, linear[i], kind, inParallel ? i : -1)))
      return failure();
  return success();
}

/// The copy that is still to deliver an element, or else the operation that
/// reads it.
PoisonOrigin Machine::getOrigin(Operation *op, const MemRef &memref,
                                int64_t linear) const {
  Elements read(memref, {linear});
  for (const PendingWrite &write : role->pending)
    if (write.to.overlaps(read))
      return {write.op, /*isInFlight=*/true};
  return {op, /*isInFlight=*/false};
}

InFlightDiagnostic Machine::undefinedAt(Operation *op, int64_t lane,
                                        const Array &array) {
  InFlightDiagnostic diagnostic = errorAt(op, lane);
  if (Operation *origin = array.origin.op)
    diagnostic.attachNote(origin->getLoc())
        << (array.origin.isInFlight
                ? "this copy to it has not been waited for"
                : "it was read here, where nobody had written it");
  return diagnostic;
}

FailureOr<Array> Machine::load(Operation *op, const MemRef &memref,
                               ArrayRef<int64_t> linear) {
  if (failed(checkAccess(op, memref, linear, AccessKind::Read)))
    return failure();
  Array result(memref.element, linear.size());
  const uint8_t *bytes = memref.buffer->bytes.data();
  auto forEach = [&](auto read) {
    for (int64_t i = 0, e = linear.size(); i < e; ++i)
      if (linear[i] != skipped)
        read(i, bytes + memref.getBitAddress(linear[i]) / 8);
  };
  bool isF32 = memref.element == ElementType::floating(FloatFormat::F32);
  if (isF32)
    forEach([&](int64_t i, const uint8_t *at) {
      std::memcpy(&result.floats[i], at, 4);
    });
  else if (memref.element == ElementType::floating(FloatFormat::F16))
    forEach([&](int64_t i, const uint8_t *at) {
      uint16_t bits;
      std::memcpy(&bits, at, 2);
      result.floats[i] = decodeF16(bits);
    });
  else
    for (int64_t i = 0, e = linear.size(); i < e; ++i)
      if (linear[i] != skipped)
        result.setBits(i, memref.readBits(linear[i]));
  if (!memref.buffer->undefined.empty())
    for (int64_t i = 0, e = linear.size(); i < e; ++i)
      if (linear[i] != skipped && memref.isUndefined(linear[i])) {
        if (!result.origin.op)
          result.origin = getOrigin(op, memref, linear[i]);
        result.setPoison(i);
      }
  if (!memref.buffer->bounds.empty())
    for (int64_t i = 0, e = linear.size(); i < e; ++i)
      if (linear[i] != skipped)
        result.setBound(i, memref.getBound(linear[i]));
  return result;
}

/// Writes elements; poison leaves them undefined.
static void writeElements(const MemRef &memref, ArrayRef<int64_t> linear,
                          const Array &values) {
  for (int64_t i = 0, e = linear.size(); i < e; ++i) {
    if (linear[i] == skipped)
      continue;
    int64_t from = values.count == 1 ? 0 : i;
    if (values.isPoison(from))
      memref.markUndefined(linear[i]);
    else
      memref.writeBits(linear[i], values.getBits(from));
    memref.setBound(linear[i], values.getBound(from));
    if (!memref.buffer->atomicSums.empty())
      memref.buffer->atomicSums[memref.getGranule(linear[i])] = {};
  }
}

LogicalResult Machine::store(Operation *op, const MemRef &memref,
                             ArrayRef<int64_t> linear, const Array &values,
                             bool carriesPoison) {
  if (failed(checkAccess(op, memref, linear, AccessKind::Write)))
    return failure();
  bool mayFail = !carriesPoison && !values.poison.empty();
  for (int64_t i = 0, e = linear.size(); mayFail && i < e; ++i) {
    if (linear[i] == skipped || !values.isPoison(values.count == 1 ? 0 : i))
      continue;
    InFlightDiagnostic diagnostic = undefinedAt(op, i, values);
    diagnostic.attachNote(memref.buffer->location)
        << "the buffer stored to is from here";
    return diagnostic << "stores an element (" << i << " of " << linear.size()
                      << ") that depends on memory that nobody wrote";
  }
  writeElements(memref, linear, values);
  return success();
}

void Machine::deliver(const PendingWrite &write) {
  writeElements(write.to.memref, write.to.linear, write.values);
}

//===----------------------------------------------------------------------===//
// Scalar indices
//===----------------------------------------------------------------------===//

FailureOr<std::vector<int64_t>>
Machine::getElements(Operation *op, const MemRef &memref, ValueRange indices) {
  SmallVector<const Array *> arrays;
  for (Value index : indices)
    arrays.push_back(&getArray(index));
  std::vector<int64_t> result(laneCount, memref.offset);
  for (int64_t lane = 0; lane < laneCount; ++lane) {
    if (!isActive(lane)) {
      result[lane] = skipped;
      continue;
    }
    for (auto [dim, array] : llvm::enumerate(arrays)) {
      int64_t at = array->count == 1 ? 0 : lane;
      if (array->isPoison(at))
        return undefinedAt(op, lane, *array)
               << "index " << dim << " depends on memory that nobody wrote";
      if (array->getBound(at) != 0.0)
        leaveOpen(op);
      int64_t index = array->integers[at];
      if (index < 0 || index >= memref.sizes[dim])
        return errorAt(op, lane)
               << "index " << dim << " is " << index << ", outside of [0, "
               << memref.sizes[dim] << ") of buffer '" << memref.buffer->name
               << "'";
      result[lane] += index * memref.strides[dim];
    }
  }
  return result;
}
