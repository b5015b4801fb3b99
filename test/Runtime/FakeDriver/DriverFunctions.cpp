//===- DriverFunctions.cpp - A test double of libcuda.so.1 ---------------===//
//
// The functions of the CUDA driver that the launcher calls, on an imagined
// device (FakeDevice.h) whose kernels run on the PTX emulator. With its folder
// in LD_LIBRARY_PATH, programs that load libcuda.so.1 run against it. For tests
// only: it is never installed.
//
// What it proves: that the launcher loads and initialises a driver in order,
// passes handles, addresses, sizes and kernel parameters in the right places,
// asks for shared memory and clusters, copies what has to be copied, and says
// the right thing about each error. Arguments are checked as the driver's
// documentation has it: a handle that is none is CUDA_ERROR_INVALID_HANDLE, a
// copy beyond an allocation CUDA_ERROR_INVALID_VALUE, a call without a context
// CUDA_ERROR_INVALID_CONTEXT; after a kernel failed every call returns its
// error. The declarations are compared with cuda.h where that is installed
// (HeaderTest.cpp).
//
// What it cannot prove: that a GPU computes what the emulator computes, that
// ptxas inside the driver accepts the PTX, how fast anything is, and what a
// real driver does where its documentation says nothing.
//
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"

#include "tile/Emulator/TensorMap.h"

#include <algorithm>
#include <cstring>
#include <thread>

using namespace tilec;
using namespace tilec::cuda;
using namespace tilec::fake;

//===----------------------------------------------------------------------===//
// Errors, the device, the context
//===----------------------------------------------------------------------===//

namespace {

struct ErrorText {
  Result result;
  const char *name, *words;
};

constexpr ErrorText errorTexts[] = {
    {Success, "CUDA_SUCCESS", "no error"},
    {InvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NotInitialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {StubLibrary, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {NoDevice, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {InvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {InvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {NoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {InvalidPtx, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {UnsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {InvalidHandle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {IllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {LaunchOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {LaunchTimeout, "CUDA_ERROR_LAUNCH_TIMEOUT",
     "the launch timed out and was terminated"},
    {MisalignedAddress, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {LaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {NotSupported, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {SystemDriverMismatch, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
     "system has unsupported display driver / cuda driver combination"},
    {InvalidClusterSize, "CUDA_ERROR_INVALID_CLUSTER_SIZE",
     "cluster misconfiguration"},
};

const ErrorText *findText(Result result) {
  for (const ErrorText &text : errorTexts)
    if (text.result == result)
      return &text;
  return nullptr;
}

} // namespace

EXPORT Result cuGetErrorName(Result error, const char **name) {
  const ErrorText *text = findText(error);
  *name = text ? text->name : nullptr;
  return text ? Success : InvalidValue;
}

EXPORT Result cuGetErrorString(Result error, const char **words) {
  const ErrorText *text = findText(error);
  *words = text ? text->words : nullptr;
  return text ? Success : InvalidValue;
}

EXPORT Result cuInit(unsigned flags) {
  std::lock_guard<std::recursive_mutex> lock(device().mutex);
  if (flags != 0)
    return InvalidValue;
  if (device().initResult)
    return device().initResult;
  if (!device().hasDevice)
    return NoDevice;
  device().isInitialized = true;
  return Success;
}

EXPORT Result cuDriverGetVersion(int *version) {
  if (!version)
    return InvalidValue;
  *version = driverVersion;
  return Success;
}

EXPORT Result cuDeviceGetCount(int *count) {
  if (!device().isInitialized)
    return NotInitialized;
  *count = 1;
  return Success;
}

EXPORT Result cuDeviceGet(DeviceIndex *index, int ordinal) {
  if (!device().isInitialized)
    return NotInitialized;
  if (ordinal != 0)
    return InvalidDevice;
  *index = 0;
  return Success;
}

EXPORT Result cuDeviceGetName(char *name, int sizeBytes, DeviceIndex index) {
  if (!device().isInitialized)
    return NotInitialized;
  if (index != 0)
    return InvalidDevice;
  std::strncpy(name, "Emulated GPU (test double of the driver)",
               static_cast<size_t>(sizeBytes) - 1);
  name[sizeBytes - 1] = '\0';
  return Success;
}

EXPORT Result cuDeviceGetAttribute(int *value, int attribute,
                                   DeviceIndex index) {
  if (!device().isInitialized)
    return NotInitialized;
  if (index != 0)
    return InvalidDevice;
  switch (attribute) {
  case MaxThreadsPerBlock:
    *value = 1024;
    return Success;
  case ClockRateKilohertz:
    *value = 1'000'000;
    return Success;
  case MultiprocessorCount:
    *value =
        static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    return Success;
  case MemoryClockRateKilohertz:
    *value = 2'000'000;
    return Success;
  case ComputeCapabilityMajor:
    *value = device().capability / 10;
    return Success;
  case ComputeCapabilityMinor:
    *value = device().capability % 10;
    return Success;
  case MaxSharedBytesPerBlockOptIn:
    *value = optInSharedBytes;
    return Success;
#ifndef FAKE_DRIVER_OLD
  case MemoryPoolsSupported:
    *value = 1;
    return Success;
#endif
  default:
    return InvalidValue;
  }
}

EXPORT Result cuDeviceTotalMem_v2(size_t *bytes, DeviceIndex index) {
  if (!device().isInitialized)
    return NotInitialized;
  if (index != 0)
    return InvalidDevice;
  *bytes = device().memoryBytes;
  return Success;
}

EXPORT Result cuDevicePrimaryCtxRetain(Handle *context, DeviceIndex index) {
  if (!device().isInitialized)
    return NotInitialized;
  if (index != 0)
    return InvalidDevice;
  device().isContextRetained = true;
  *context = &device();
  return Success;
}

EXPORT Result cuCtxSetCurrent(Handle context) {
  if (!device().isInitialized)
    return NotInitialized;
  if (context != &device() || !device().isContextRetained)
    return InvalidContext;
  device().hasContext = true;
  return Success;
}

EXPORT Result cuCtxGetCurrent(Handle *context) {
  if (!device().isInitialized)
    return NotInitialized;
  *context = device().hasContext ? &device() : nullptr;
  return Success;
}

EXPORT Result cuCtxGetDevice(DeviceIndex *index) {
  REQUIRE_CONTEXT();
  *index = 0;
  return Success;
}

EXPORT Result cuCtxSynchronize() { return device().checkContext(); }

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

EXPORT Result cuModuleLoadDataEx(Handle *module, const void *image,
                                 unsigned optionCount, int *options,
                                 void **values) {
  REQUIRE_CONTEXT();
  if (!module || !image)
    return InvalidValue;
  std::string log;
  FakeModule *loaded = nullptr;
  Result result =
      device().loadModule(static_cast<const char *>(image), loaded, log);
  char *buffer = nullptr;
  size_t capacity = 0;
  for (unsigned i = 0; i < optionCount; ++i) {
    if (options[i] == JitErrorLogBuffer)
      buffer = static_cast<char *>(values[i]);
    else if (options[i] == JitErrorLogBytes)
      capacity = reinterpret_cast<size_t>(values[i]);
    else
      return InvalidValue;
  }
  if (buffer && capacity) {
    size_t count = std::min(log.size(), capacity - 1);
    std::memcpy(buffer, log.data(), count);
    buffer[count] = '\0';
  }
  *module = loaded;
  return result;
}

EXPORT Result cuModuleGetFunction(Handle *function, Handle module,
                                  const char *name) {
  REQUIRE_CONTEXT();
  auto *loaded = static_cast<FakeModule *>(module);
  if (!device().modules.count(loaded))
    return InvalidHandle;
  const emu::KernelInfo *kernel = loaded->module->findKernel(name);
  if (!kernel)
    return NotFound;
  auto *made = new FakeFunction{loaded->module.get(), kernel};
  device().functions.insert(made);
  *function = made;
  return Success;
}

EXPORT Result cuFuncSetAttribute(Handle function, int attribute, int value) {
  REQUIRE_CONTEXT();
  auto *known = static_cast<FakeFunction *>(function);
  if (!device().functions.count(known))
    return InvalidHandle;
  int staticBytes = static_cast<int>(known->kernel->staticSharedBytes);
  if (attribute == FunctionMaxDynamicSharedBytes) {
    if (value < 0 || value > optInSharedBytes - staticBytes)
      return InvalidValue;
    known->maxDynamicSharedBytes = value;
    return Success;
  }
  if (attribute != FunctionNonPortableClusterSizeAllowed)
    return InvalidValue;
  known->isNonPortableClusterAllowed = value != 0;
  return Success;
}

EXPORT Result cuFuncGetAttribute(int *value, int attribute, Handle function) {
  REQUIRE_CONTEXT();
  auto *known = static_cast<FakeFunction *>(function);
  if (!device().functions.count(known))
    return InvalidHandle;
  switch (attribute) {
  case FunctionMaxThreadsPerBlock:
    *value = 1024;
    return Success;
  case FunctionSharedBytes:
    *value = static_cast<int>(known->kernel->staticSharedBytes);
    return Success;
  case FunctionLocalBytes:
    *value = 0;
    return Success;
  case FunctionRegisters:
    *value = 32; // nothing allocates registers here
    return Success;
  default:
    return InvalidValue;
  }
}

//===----------------------------------------------------------------------===//
// Launches, streams, events
//===----------------------------------------------------------------------===//

EXPORT Result cuLaunchKernel(Handle function, unsigned gridX, unsigned gridY,
                             unsigned gridZ, unsigned blockX, unsigned blockY,
                             unsigned blockZ, unsigned sharedBytes,
                             Handle stream, void **parameters, void **extra) {
  REQUIRE_CONTEXT();
  if (!device().isStream(stream))
    return InvalidHandle;
  if (extra)
    return NotSupported; // the launcher does not use it
  return device().launch(static_cast<FakeFunction *>(function),
                         {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, {},
                         sharedBytes, parameters);
}

EXPORT Result cuStreamCreate(Handle *stream, unsigned flags) {
  REQUIRE_CONTEXT();
  if (flags > 1)
    return InvalidValue;
  *stream = new char;
  device().streams.insert(*stream);
  return Success;
}

EXPORT Result cuStreamSynchronize(Handle stream) {
  REQUIRE_CONTEXT();
  return device().isStream(stream) ? Success : InvalidHandle;
}

static FakeEvent *findEvent(Handle event) {
  auto *known = static_cast<FakeEvent *>(event);
  return device().events.count(known) ? known : nullptr;
}

EXPORT Result cuEventCreate(Handle *event, unsigned flags) {
  REQUIRE_CONTEXT();
  if (flags != 0)
    return InvalidValue;
  auto *made = new FakeEvent;
  device().events.insert(made);
  *event = made;
  return Success;
}

EXPORT Result cuEventDestroy_v2(Handle event) {
  FakeEvent *known = findEvent(event);
  if (!known)
    return InvalidHandle;
  device().events.erase(known);
  delete known;
  return Success;
}

EXPORT Result cuEventRecord(Handle event, Handle stream) {
  REQUIRE_CONTEXT();
  FakeEvent *known = findEvent(event);
  if (!known || !device().isStream(stream))
    return InvalidHandle;
  known->isRecorded = true;
  known->time = std::chrono::steady_clock::now();
  return Success;
}

EXPORT Result cuEventSynchronize(Handle event) {
  REQUIRE_CONTEXT();
  return findEvent(event) ? Success : InvalidHandle;
}

EXPORT Result cuEventElapsedTime(float *milliseconds, Handle begin,
                                 Handle end) {
  REQUIRE_CONTEXT();
  FakeEvent *first = findEvent(begin), *last = findEvent(end);
  if (!first || !last || !first->isRecorded || !last->isRecorded)
    return InvalidHandle;
  *milliseconds =
      std::chrono::duration<float, std::milli>(last->time - first->time)
          .count();
  return Success;
}

//===----------------------------------------------------------------------===//
// What an old driver does not have
//===----------------------------------------------------------------------===//

#ifndef FAKE_DRIVER_OLD

EXPORT Result cuLaunchKernelEx(const LaunchConfiguration *configuration,
                               Handle function, void **parameters,
                               void **extra) {
  REQUIRE_CONTEXT();
  if (!configuration || !device().isStream(configuration->stream))
    return InvalidValue;
  if (extra)
    return NotSupported;
  auto *known = static_cast<FakeFunction *>(function);
  emu::Dim3 cluster;
  for (unsigned i = 0; i < configuration->attributeCount; ++i) {
    const LaunchAttribute &attribute = configuration->attributes[i];
    if (attribute.id == launchAttributeDependent) {
      if (attribute.value.isDependent)
        if (Result result = device().noteDependent(known))
          return result;
      continue;
    }
    if (attribute.id != launchAttributeCluster)
      return InvalidValue;
    cluster = {attribute.value.cluster.x, attribute.value.cluster.y,
               attribute.value.cluster.z};
    if (cluster.count() == 0)
      return InvalidValue;
  }
  const LaunchConfiguration &c = *configuration;
  return device().launch(known, {c.gridX, c.gridY, c.gridZ},
                         {c.blockX, c.blockY, c.blockZ}, cluster,
                         c.dynamicSharedBytes, parameters);
}

EXPORT Result cuTensorMapEncodeTiled(
    OpaqueTensorMap *map, int element, uint32_t rank, void *address,
    const uint64_t *dims, const uint64_t *strides, const uint32_t *box,
    const uint32_t *elementStrides, int interleave, int swizzle,
    int l2Promotion, int fill) {
  if (!map || reinterpret_cast<uintptr_t>(map) % 64 != 0 || rank < 1 ||
      rank > 5 || l2Promotion < 0 || l2Promotion > 3 || element < 0 ||
      interleave < 0 || swizzle < 0 || fill < 0)
    return InvalidValue;
  emu::TiledMapArguments arguments;
  arguments.element = static_cast<emu::TensorElement>(element);
  arguments.rank = static_cast<int>(rank);
  arguments.globalAddress = reinterpret_cast<uintptr_t>(address);
  std::copy_n(dims, rank, arguments.dims);
  std::copy_n(strides, rank - 1, arguments.stridesBytes);
  std::copy_n(box, rank, arguments.box);
  std::copy_n(elementStrides, rank, arguments.elementStrides);
  arguments.interleave = static_cast<emu::TensorInterleave>(interleave);
  arguments.swizzle = static_cast<emu::TensorSwizzle>(swizzle);
  arguments.fill = static_cast<emu::TensorFill>(fill);
  emu::TensorMap encoded;
  if (!emu::encodeTiled(arguments, encoded).empty())
    return InvalidValue;
  std::memcpy(map, &encoded, sizeof *map);
  return Success;
}

EXPORT Result cuTensorMapEncodeIm2col(
    OpaqueTensorMap *map, int element, uint32_t rank, void *address,
    const uint64_t *dims, const uint64_t *strides, const int *lowerCorner,
    const int *upperCorner, uint32_t channelsPerPixel, uint32_t pixelsPerColumn,
    const uint32_t *elementStrides, int interleave, int swizzle,
    int l2Promotion, int fill) {
  if (!map || reinterpret_cast<uintptr_t>(map) % 64 != 0 || rank < 3 ||
      rank > 5 || l2Promotion < 0 || l2Promotion > 3 || element < 0 ||
      interleave < 0 || swizzle < 0 || fill < 0)
    return InvalidValue;
  emu::Im2colMapArguments arguments;
  arguments.element = static_cast<emu::TensorElement>(element);
  arguments.rank = static_cast<int>(rank);
  arguments.globalAddress = reinterpret_cast<uintptr_t>(address);
  std::copy_n(dims, rank, arguments.dims);
  std::copy_n(strides, rank - 1, arguments.stridesBytes);
  std::copy_n(lowerCorner, rank - 2, arguments.lowerCorner);
  std::copy_n(upperCorner, rank - 2, arguments.upperCorner);
  arguments.channelsPerPixel = channelsPerPixel;
  arguments.pixelsPerColumn = pixelsPerColumn;
  std::copy_n(elementStrides, rank, arguments.elementStrides);
  arguments.interleave = static_cast<emu::TensorInterleave>(interleave);
  arguments.swizzle = static_cast<emu::TensorSwizzle>(swizzle);
  arguments.fill = static_cast<emu::TensorFill>(fill);
  emu::TensorMap encoded;
  if (!emu::encodeIm2col(arguments, encoded).empty())
    return InvalidValue;
  std::memcpy(map, &encoded, sizeof *map);
  return Success;
}

EXPORT Result cuFuncGetParamInfo(Handle function, size_t index, size_t *offset,
                                 size_t *sizeBytes) {
  REQUIRE_CONTEXT();
  auto *known = static_cast<FakeFunction *>(function);
  if (!device().functions.count(known))
    return InvalidHandle;
  if (index >= known->kernel->parameters.size())
    return InvalidValue;
  *offset = known->kernel->parameters[index].offsetBytes;
  *sizeBytes = known->kernel->parameters[index].sizeBytes;
  return Success;
}

DEFINES(launchWithAttributes, cuLaunchKernelEx);
DEFINES(encodeTensorMap, cuTensorMapEncodeTiled);
DEFINES(encodeImageMap, cuTensorMapEncodeIm2col);
DEFINES(getParameterInfo, cuFuncGetParamInfo);

#endif

DEFINES(getErrorName, cuGetErrorName);
DEFINES(getErrorString, cuGetErrorString);
DEFINES(init, cuInit);
DEFINES(getDriverVersion, cuDriverGetVersion);
DEFINES(getDeviceCount, cuDeviceGetCount);
DEFINES(getDevice, cuDeviceGet);
DEFINES(getDeviceName, cuDeviceGetName);
DEFINES(getDeviceAttribute, cuDeviceGetAttribute);
DEFINES(getDeviceMemory, cuDeviceTotalMem_v2);
DEFINES(retainContext, cuDevicePrimaryCtxRetain);
DEFINES(setContext, cuCtxSetCurrent);
DEFINES(getContext, cuCtxGetCurrent);
DEFINES(getContextDevice, cuCtxGetDevice);
DEFINES(synchronize, cuCtxSynchronize);
DEFINES(loadModule, cuModuleLoadDataEx);
DEFINES(getFunction, cuModuleGetFunction);
DEFINES(setFunctionAttribute, cuFuncSetAttribute);
DEFINES(getFunctionAttribute, cuFuncGetAttribute);
DEFINES(launch, cuLaunchKernel);
DEFINES(createStream, cuStreamCreate);
DEFINES(synchronizeStream, cuStreamSynchronize);
DEFINES(createEvent, cuEventCreate);
DEFINES(destroyEvent, cuEventDestroy_v2);
DEFINES(recordEvent, cuEventRecord);
DEFINES(synchronizeEvent, cuEventSynchronize);
DEFINES(getElapsedTime, cuEventElapsedTime);
