//===- DriverMemory.cpp - Memory of the driver's test double --------------===//
//
// The driver's functions that allocate and copy. Streams run at once, so what is in
// the order of one is done when it is asked for.
//
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"

using namespace tilec::cuda;
using namespace tilec::fake;

EXPORT Result cuMemGetInfo_v2(size_t *free, size_t *total) {
  REQUIRE_CONTEXT();
  *total = device().memoryBytes;
  *free = device().memoryBytes - device().allocatedBytes;
  return Success;
}

static Result allocateMemory(DeviceAddress *address, size_t sizeBytes) {
  if (sizeBytes == 0 || !address)
    return InvalidValue;
  if (sizeBytes > device().memoryBytes - device().allocatedBytes)
    return OutOfMemory;
  *address = device().memory.allocate(sizeBytes, "cuMemAlloc");
  device().allocations[*address] = sizeBytes;
  device().allocatedBytes += sizeBytes;
  return Success;
}

EXPORT Result cuMemAlloc_v2(DeviceAddress *address, size_t sizeBytes) {
  REQUIRE_CONTEXT();
  return allocateMemory(address, sizeBytes);
}

static Result releaseMemory(DeviceAddress address) {
  auto found = device().allocations.find(address);
  if (found == device().allocations.end())
    return InvalidValue;
  device().allocatedBytes -= found->second;
  device().memory.release(address);
  device().allocations.erase(found);
  return Success;
}

EXPORT Result cuMemFree_v2(DeviceAddress address) {
  REQUIRE_CONTEXT();
  return releaseMemory(address);
}

#ifndef FAKE_DRIVER_OLD
EXPORT Result cuMemAllocAsync(DeviceAddress *address, size_t sizeBytes,
                              Handle stream) {
  REQUIRE_CONTEXT();
  return device().isStream(stream) ? allocateMemory(address, sizeBytes)
                                   : InvalidHandle;
}

EXPORT Result cuMemFreeAsync(DeviceAddress address, Handle stream) {
  REQUIRE_CONTEXT();
  return device().isStream(stream) ? releaseMemory(address) : InvalidHandle;
}
#endif

EXPORT Result cuMemcpyHtoD_v2(DeviceAddress target, const void *source,
                              size_t sizeBytes) {
  REQUIRE_CONTEXT();
  if (!source || !device().memory.write(target, source, sizeBytes))
    return InvalidValue;
  return Success;
}

EXPORT Result cuMemcpyDtoH_v2(void *target, DeviceAddress source,
                              size_t sizeBytes) {
  REQUIRE_CONTEXT();
  if (!target || !device().memory.read(source, target, sizeBytes))
    return InvalidValue;
  int64_t flipped = device().flippedByte;
  if (flipped >= 0 && static_cast<size_t>(flipped) < sizeBytes)
    static_cast<uint8_t *>(target)[flipped] ^= 1;
  return Success;
}

EXPORT Result cuMemcpyDtoDAsync_v2(DeviceAddress target, DeviceAddress source,
                                   size_t sizeBytes, Handle stream) {
  REQUIRE_CONTEXT();
  if (!device().isStream(stream))
    return InvalidHandle;
  return device().memory.copy(target, source, sizeBytes) ? Success
                                                         : InvalidValue;
}

EXPORT Result cuMemcpy2DAsync_v2(const RowCopy *rows, Handle stream) {
  REQUIRE_CONTEXT();
  if (!device().isStream(stream))
    return InvalidHandle;
  const RowCopy::Side &from = rows->source, &to = rows->target;
  for (const RowCopy::Side *side : {&from, &to})
    if (side->memoryType != RowCopy::deviceMemory ||
        (side->pitchBytes < rows->widthBytes && rows->height > 1))
      return InvalidValue;
  for (size_t row = 0; row < rows->height; ++row)
    if (!device().memory.copy(
            to.device + (to.y + row) * to.pitchBytes + to.xBytes,
            from.device + (from.y + row) * from.pitchBytes + from.xBytes,
            rows->widthBytes))
      return InvalidValue;
  return Success;
}

EXPORT Result cuMemsetD8_v2(DeviceAddress target, unsigned char value,
                            size_t count) {
  REQUIRE_CONTEXT();
  return device().memory.fill(target, value, count) ? Success : InvalidValue;
}

EXPORT Result cuMemsetD8Async(DeviceAddress target, unsigned char value,
                              size_t count, Handle stream) {
  REQUIRE_CONTEXT();
  if (!device().isStream(stream))
    return InvalidHandle;
  return device().memory.fill(target, value, count) ? Success : InvalidValue;
}

DEFINES(getFreeMemory, cuMemGetInfo_v2);
DEFINES(allocate, cuMemAlloc_v2);
DEFINES(release, cuMemFree_v2);
DEFINES(copyToDevice, cuMemcpyHtoD_v2);
DEFINES(copyToHost, cuMemcpyDtoH_v2);
DEFINES(fill, cuMemsetD8_v2);
DEFINES(fillInStream, cuMemsetD8Async);
DEFINES(copyOnDevice, cuMemcpyDtoDAsync_v2);
DEFINES(copyRowsOnDevice, cuMemcpy2DAsync_v2);
#ifndef FAKE_DRIVER_OLD
DEFINES(allocateInStream, cuMemAllocAsync);
DEFINES(releaseInStream, cuMemFreeAsync);
#endif
