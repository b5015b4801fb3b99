//===- HeaderTest.cpp - DriverApi.h against cuda.h -----------------------===//
//
// Compiled where the CUDA toolkit is installed, never run: every number, struct
// and function of DriverApi.h is compared with the driver's own header. Types
// may have other names there, so functions are compared argument by argument:
// pointer with pointer, number with number of the same size.
//
//===----------------------------------------------------------------------===//

#include "tile/CudaDriver/DriverApi.h"

// The functions by the names that the launcher looks up, not as macros.
#include <cuda.h>

#include <type_traits>

using namespace tilec;

namespace {

template <typename A, typename B>
constexpr bool isAlike =
    sizeof(A) == sizeof(B) && std::is_pointer_v<A> == std::is_pointer_v<B>;

template <typename A, typename B>
struct Alike : std::false_type {};

template <typename R, typename... As, typename S, typename... Bs>
struct Alike<R (*)(As...), S (*)(Bs...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(As) != sizeof...(Bs))
      return false;
    else
      return isAlike<R, S> && (isAlike<As, Bs> && ...);
  }();
};

} // namespace

#define FUNCTION(member, name)                                                 \
  static_assert(                                                               \
      Alike<decltype(cuda::Functions::member), decltype(&name)>::value)
#define NUMBER(ours, theirs)                                                   \
  static_assert(static_cast<long long>(ours) == static_cast<long long>(theirs))
#define FIELD(ourType, ourField, theirType, theirField)                        \
  static_assert(offsetof(ourType, ourField) == offsetof(theirType, theirField))

FUNCTION(getErrorName, cuGetErrorName);
FUNCTION(getErrorString, cuGetErrorString);
FUNCTION(init, cuInit);
FUNCTION(getDriverVersion, cuDriverGetVersion);
FUNCTION(getDeviceCount, cuDeviceGetCount);
FUNCTION(getDevice, cuDeviceGet);
FUNCTION(getDeviceName, cuDeviceGetName);
FUNCTION(getDeviceAttribute, cuDeviceGetAttribute);
FUNCTION(getDeviceMemory, cuDeviceTotalMem_v2);
FUNCTION(retainContext, cuDevicePrimaryCtxRetain);
FUNCTION(setContext, cuCtxSetCurrent);
FUNCTION(getContext, cuCtxGetCurrent);
FUNCTION(getContextDevice, cuCtxGetDevice);
FUNCTION(synchronize, cuCtxSynchronize);
FUNCTION(getFreeMemory, cuMemGetInfo_v2);
FUNCTION(allocate, cuMemAlloc_v2);
FUNCTION(release, cuMemFree_v2);
FUNCTION(copyToDevice, cuMemcpyHtoD_v2);
FUNCTION(copyToHost, cuMemcpyDtoH_v2);
FUNCTION(copyOnDevice, cuMemcpyDtoDAsync_v2);
FUNCTION(copyRowsOnDevice, cuMemcpy2DAsync_v2);
FUNCTION(fill, cuMemsetD8_v2);
FUNCTION(fillInStream, cuMemsetD8Async);
FUNCTION(loadModule, cuModuleLoadDataEx);
FUNCTION(getFunction, cuModuleGetFunction);
FUNCTION(setFunctionAttribute, cuFuncSetAttribute);
FUNCTION(getFunctionAttribute, cuFuncGetAttribute);
FUNCTION(launch, cuLaunchKernel);
FUNCTION(createStream, cuStreamCreate);
FUNCTION(synchronizeStream, cuStreamSynchronize);
FUNCTION(createEvent, cuEventCreate);
FUNCTION(destroyEvent, cuEventDestroy_v2);
FUNCTION(recordEvent, cuEventRecord);
FUNCTION(synchronizeEvent, cuEventSynchronize);
// CUDA 13 renames the macro to a new version; the old name stays in the driver
// and has the same arguments.
FUNCTION(getElapsedTime, cuEventElapsedTime);
#if CUDA_VERSION >= 11020
FUNCTION(allocateInStream, cuMemAllocAsync);
FUNCTION(releaseInStream, cuMemFreeAsync);
NUMBER(cuda::MemoryPoolsSupported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
#endif
#if CUDA_VERSION >= 11080
FUNCTION(launchWithAttributes, cuLaunchKernelEx);
#endif
#if CUDA_VERSION >= 12000
FUNCTION(encodeTensorMap, cuTensorMapEncodeTiled);
FUNCTION(encodeImageMap, cuTensorMapEncodeIm2col);
static_assert(sizeof(cuda::OpaqueTensorMap) == sizeof(CUtensorMap));
static_assert(alignof(cuda::OpaqueTensorMap) >= alignof(CUtensorMap));
NUMBER(3, CU_TENSOR_MAP_SWIZZLE_128B);
NUMBER(6, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
NUMBER(12, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ);
NUMBER(cuda::tensorMapPromotionOf128Bytes, CU_TENSOR_MAP_L2_PROMOTION_L2_128B);
NUMBER(3, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
NUMBER(1, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
#endif
#if CUDA_VERSION >= 12040
FUNCTION(getParameterInfo, cuFuncGetParamInfo);
#endif

NUMBER(cuda::InvalidValue, CUDA_ERROR_INVALID_VALUE);
NUMBER(cuda::OutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
NUMBER(cuda::NotInitialized, CUDA_ERROR_NOT_INITIALIZED);
NUMBER(cuda::StubLibrary, CUDA_ERROR_STUB_LIBRARY);
NUMBER(cuda::DeviceUnavailable, CUDA_ERROR_DEVICE_UNAVAILABLE);
NUMBER(cuda::NoDevice, CUDA_ERROR_NO_DEVICE);
NUMBER(cuda::InvalidDevice, CUDA_ERROR_INVALID_DEVICE);
NUMBER(cuda::InvalidImage, CUDA_ERROR_INVALID_IMAGE);
NUMBER(cuda::InvalidContext, CUDA_ERROR_INVALID_CONTEXT);
NUMBER(cuda::NoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
NUMBER(cuda::InvalidPtx, CUDA_ERROR_INVALID_PTX);
NUMBER(cuda::JitCompilerNotFound, CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
NUMBER(cuda::UnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
NUMBER(cuda::InvalidHandle, CUDA_ERROR_INVALID_HANDLE);
NUMBER(cuda::NotFound, CUDA_ERROR_NOT_FOUND);
NUMBER(cuda::NotReady, CUDA_ERROR_NOT_READY);
NUMBER(cuda::IllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
NUMBER(cuda::LaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
NUMBER(cuda::LaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT);
NUMBER(cuda::AssertFailed, CUDA_ERROR_ASSERT);
NUMBER(cuda::IllegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
NUMBER(cuda::MisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS);
NUMBER(cuda::InvalidAddressSpace, CUDA_ERROR_INVALID_ADDRESS_SPACE);
NUMBER(cuda::LaunchFailed, CUDA_ERROR_LAUNCH_FAILED);
NUMBER(cuda::NotSupported, CUDA_ERROR_NOT_SUPPORTED);
NUMBER(cuda::SystemNotReady, CUDA_ERROR_SYSTEM_NOT_READY);
NUMBER(cuda::SystemDriverMismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
NUMBER(cuda::CompatibilityNotSupported,
       CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE);
NUMBER(cuda::Unknown, CUDA_ERROR_UNKNOWN);

NUMBER(cuda::MaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
NUMBER(cuda::ClockRateKilohertz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
NUMBER(cuda::MultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
NUMBER(cuda::MemoryClockRateKilohertz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
NUMBER(cuda::ComputeCapabilityMajor,
       CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
NUMBER(cuda::ComputeCapabilityMinor,
       CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
NUMBER(cuda::MaxSharedBytesPerBlockOptIn,
       CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);

static_assert(sizeof(cuda::RowCopy) == sizeof(CUDA_MEMCPY2D));
FIELD(cuda::RowCopy, source.memoryType, CUDA_MEMCPY2D, srcMemoryType);
FIELD(cuda::RowCopy, source.device, CUDA_MEMCPY2D, srcDevice);
FIELD(cuda::RowCopy, source.pitchBytes, CUDA_MEMCPY2D, srcPitch);
FIELD(cuda::RowCopy, target, CUDA_MEMCPY2D, dstXInBytes);
FIELD(cuda::RowCopy, target.device, CUDA_MEMCPY2D, dstDevice);
FIELD(cuda::RowCopy, widthBytes, CUDA_MEMCPY2D, WidthInBytes);
FIELD(cuda::RowCopy, height, CUDA_MEMCPY2D, Height);
NUMBER(cuda::RowCopy::deviceMemory, CU_MEMORYTYPE_DEVICE);

NUMBER(cuda::FunctionMaxThreadsPerBlock,
       CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
NUMBER(cuda::FunctionSharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
NUMBER(cuda::FunctionLocalBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
NUMBER(cuda::FunctionRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS);
NUMBER(cuda::FunctionMaxDynamicSharedBytes,
       CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);

NUMBER(cuda::JitInfoLogBuffer, CU_JIT_INFO_LOG_BUFFER);
NUMBER(cuda::JitInfoLogBytes, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
NUMBER(cuda::JitErrorLogBuffer, CU_JIT_ERROR_LOG_BUFFER);
NUMBER(cuda::JitErrorLogBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);

#if CUDA_VERSION >= 11080
NUMBER(cuda::FunctionNonPortableClusterSizeAllowed,
       CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
NUMBER(cuda::InvalidClusterSize, CUDA_ERROR_INVALID_CLUSTER_SIZE);
NUMBER(cuda::launchAttributeCluster, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
NUMBER(cuda::launchAttributeDependent,
       CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
static_assert(sizeof(cuda::LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(sizeof(cuda::LaunchConfiguration) == sizeof(CUlaunchConfig));
FIELD(cuda::LaunchAttribute, value, CUlaunchAttribute, value);
FIELD(cuda::LaunchAttribute, value.isDependent, CUlaunchAttribute,
      value.programmaticStreamSerializationAllowed);
FIELD(cuda::LaunchConfiguration, blockX, CUlaunchConfig, blockDimX);
FIELD(cuda::LaunchConfiguration, dynamicSharedBytes, CUlaunchConfig,
      sharedMemBytes);
FIELD(cuda::LaunchConfiguration, stream, CUlaunchConfig, hStream);
FIELD(cuda::LaunchConfiguration, attributes, CUlaunchConfig, attrs);
FIELD(cuda::LaunchConfiguration, attributeCount, CUlaunchConfig, numAttrs);
#endif
