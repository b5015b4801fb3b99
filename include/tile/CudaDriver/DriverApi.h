//===- DriverApi.h - What is used of the CUDA driver ------------*- C++ -*-===//
//
// Declarations of the driver's functions, structs and numbers that a launch
// takes, so that nothing of CUDA is needed to build. They are the driver's ABI,
// which never changes for a given name; a test compares each with cuda.h where
// that is installed.
//
// `Functions` has one pointer for each function; optional ones are null in a
// driver that is too old to have them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CUDADRIVER_DRIVERAPI_H
#define TILE_CUDADRIVER_DRIVERAPI_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace tilec::cuda {

using Result = int;      ///< CUresult
using DeviceIndex = int; ///< CUdevice
using DeviceAddress = unsigned long long;
using Handle = void *; ///< CUcontext, CUmodule, CUfunction, CUstream, CUevent

/// CUresult, as far as something is said or tested about it.
enum ResultCode : Result {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  StubLibrary = 34,
  DeviceUnavailable = 46,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidImage = 200,
  InvalidContext = 201,
  NoBinaryForGpu = 209,
  InvalidPtx = 218,
  JitCompilerNotFound = 221,
  UnsupportedPtxVersion = 222,
  InvalidHandle = 400,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchTimeout = 702,
  AssertFailed = 710,
  IllegalInstruction = 715,
  MisalignedAddress = 716,
  InvalidAddressSpace = 717,
  LaunchFailed = 719,
  NotSupported = 801,
  SystemNotReady = 802,
  SystemDriverMismatch = 803,
  CompatibilityNotSupported = 804,
  InvalidClusterSize = 912,
  Unknown = 999
};

/// CUdevice_attribute.
enum DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  ClockRateKilohertz = 13,
  MultiprocessorCount = 16,
  MemoryClockRateKilohertz = 36,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedBytesPerBlockOptIn = 97,
  MemoryPoolsSupported = 115
};

/// CUfunction_attribute.
enum FunctionAttribute : int {
  FunctionMaxThreadsPerBlock = 0,
  FunctionSharedBytes = 1,
  FunctionLocalBytes = 3,
  FunctionRegisters = 4,
  FunctionMaxDynamicSharedBytes = 8,
  FunctionNonPortableClusterSizeAllowed = 14
};

/// CUjit_option.
enum JitOption : int {
  JitInfoLogBuffer = 3,
  JitInfoLogBytes = 4,
  JitErrorLogBuffer = 5,
  JitErrorLogBytes = 6
};

/// CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .._PROGRAMMATIC_STREAM_SERIALIZATION.
constexpr int launchAttributeCluster = 4;
constexpr int launchAttributeDependent = 6;

/// CUlaunchAttribute with the values that are used here.
struct LaunchAttribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    struct {
      unsigned x, y, z;
    } cluster;
    int isDependent;
  } value;
};

/// CUlaunchConfig.
struct LaunchConfiguration {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned dynamicSharedBytes;
  Handle stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

/// CUDA_MEMCPY2D: `height` rows of `widthBytes` bytes.
struct RowCopy {
  static constexpr int deviceMemory = 2; ///< CU_MEMORYTYPE_DEVICE
  struct Side {
    size_t xBytes = 0, y = 0;
    int memoryType = deviceMemory;
    void *host = nullptr;
    DeviceAddress device = 0;
    Handle array = nullptr;
    size_t pitchBytes = 0;
  };
  Side source, target;
  size_t widthBytes = 0, height = 0;
};

/// CU_TENSOR_MAP_L2_PROMOTION_L2_128B: lines of 128 bytes, what the rows of most boxes
/// are.
constexpr int tensorMapPromotionOf128Bytes = 2;

/// CUtensorMap; 64 bytes of alignment before CUDA 13.
struct alignas(128) OpaqueTensorMap {
  uint64_t words[16];
};

struct Functions {
  Result (*getErrorName)(Result, const char **);
  Result (*getErrorString)(Result, const char **);
  Result (*init)(unsigned);
  Result (*getDriverVersion)(int *);
  Result (*getDeviceCount)(int *);
  Result (*getDevice)(DeviceIndex *, int);
  Result (*getDeviceName)(char *, int, DeviceIndex);
  Result (*getDeviceAttribute)(int *, int, DeviceIndex);
  Result (*getDeviceMemory)(size_t *, DeviceIndex);
  Result (*retainContext)(Handle *, DeviceIndex);
  Result (*setContext)(Handle);
  Result (*getContext)(Handle *);
  Result (*getContextDevice)(DeviceIndex *);
  Result (*synchronize)();
  Result (*getFreeMemory)(size_t *, size_t *);
  Result (*allocate)(DeviceAddress *, size_t);
  Result (*release)(DeviceAddress);
  Result (*copyToDevice)(DeviceAddress, const void *, size_t);
  Result (*copyToHost)(void *, DeviceAddress, size_t);
  Result (*copyOnDevice)(DeviceAddress, DeviceAddress, size_t, Handle);
  Result (*copyRowsOnDevice)(const RowCopy *, Handle);
  Result (*fill)(DeviceAddress, unsigned char, size_t);
  Result (*fillInStream)(DeviceAddress, unsigned char, size_t, Handle);
  Result (*loadModule)(Handle *, const void *, unsigned, int *, void **);
  Result (*getFunction)(Handle *, Handle, const char *);
  Result (*setFunctionAttribute)(Handle, int, int);
  Result (*getFunctionAttribute)(int *, int, Handle);
  Result (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, Handle, void **, void **);
  Result (*createStream)(Handle *, unsigned);
  Result (*synchronizeStream)(Handle);
  Result (*createEvent)(Handle *, unsigned);
  Result (*destroyEvent)(Handle);
  Result (*recordEvent)(Handle, Handle);
  Result (*synchronizeEvent)(Handle);
  Result (*getElapsedTime)(float *, Handle, Handle);
  // Optional.
  Result (*allocateInStream)(DeviceAddress *, size_t,
                             Handle);               ///< since CUDA 11.2
  Result (*releaseInStream)(DeviceAddress, Handle); ///< since CUDA 11.2
  Result (*launchWithAttributes)(const LaunchConfiguration *, Handle, void **,
                                 void **); ///< since CUDA 11.8
  Result (*encodeTensorMap)(OpaqueTensorMap *, int, uint32_t, void *,
                            const uint64_t *, const uint64_t *,
                            const uint32_t *, const uint32_t *, int, int, int,
                            int); ///< since CUDA 12.0
  Result (*encodeImageMap)(OpaqueTensorMap *, int, uint32_t, void *,
                           const uint64_t *, const uint64_t *, const int *,
                           const int *, uint32_t, uint32_t, const uint32_t *,
                           int, int, int, int); ///< since CUDA 12.0
  Result (*getParameterInfo)(Handle, size_t, size_t *,
                             size_t *); ///< since CUDA 12.4
};

/// Loads libcuda.so.1 and looks the functions up; an empty string, or which
/// library or function is missing and what to do about it.
std::string loadFunctions(Functions &functions);

} // namespace tilec::cuda

#endif // TILE_CUDADRIVER_DRIVERAPI_H
