//===- DriverApi.cpp - Finding the CUDA driver's functions ---------------===//
//
// libcuda.so.1 is installed with the kernel driver of the GPU, never with the
// toolkit, so it is looked for when a program runs, not when it is built.
//
//===----------------------------------------------------------------------===//

#include "tile/CudaDriver/DriverApi.h"

#include <type_traits>

#include <dlfcn.h>

using namespace tilec::cuda;

namespace {

/// Looks names up in one library and remembers the first that is missing.
class Lookup {
public:
  explicit Lookup(void *library) : library(library) {}

  template <typename Function>
  void required(Function &function, const char *name) {
    optional(function, name);
    if (!function && missing.empty())
      missing = name;
  }
  template <typename Function>
  void optional(Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
  }

  std::string missing;

private:
  void *library;
};

} // namespace

std::string tilec::cuda::loadFunctions(Functions &functions) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return std::string("there is no CUDA driver on this machine: ") +
           (reason ? reason : "libcuda.so.1 cannot be loaded") +
           ". It comes with the NVIDIA driver, not with the CUDA toolkit; if "
           "it "
           "is installed, name its folder in LD_LIBRARY_PATH";
  }
  Lookup lookup(library);
  lookup.required(functions.getErrorName, "cuGetErrorName");
  lookup.required(functions.getErrorString, "cuGetErrorString");
  lookup.required(functions.init, "cuInit");
  lookup.required(functions.getDriverVersion, "cuDriverGetVersion");
  lookup.required(functions.getDeviceCount, "cuDeviceGetCount");
  lookup.required(functions.getDevice, "cuDeviceGet");
  lookup.required(functions.getDeviceName, "cuDeviceGetName");
  lookup.required(functions.getDeviceAttribute, "cuDeviceGetAttribute");
  lookup.required(functions.getDeviceMemory, "cuDeviceTotalMem_v2");
  lookup.required(functions.retainContext, "cuDevicePrimaryCtxRetain");
  lookup.required(functions.setContext, "cuCtxSetCurrent");
  lookup.required(functions.getContext, "cuCtxGetCurrent");
  lookup.required(functions.getContextDevice, "cuCtxGetDevice");
  lookup.required(functions.synchronize, "cuCtxSynchronize");
  lookup.required(functions.getFreeMemory, "cuMemGetInfo_v2");
  lookup.required(functions.allocate, "cuMemAlloc_v2");
  lookup.required(functions.release, "cuMemFree_v2");
  lookup.required(functions.copyToDevice, "cuMemcpyHtoD_v2");
  lookup.required(functions.copyToHost, "cuMemcpyDtoH_v2");
  lookup.required(functions.copyOnDevice, "cuMemcpyDtoDAsync_v2");
  lookup.required(functions.copyRowsOnDevice, "cuMemcpy2DAsync_v2");
  lookup.required(functions.fill, "cuMemsetD8_v2");
  lookup.required(functions.fillInStream, "cuMemsetD8Async");
  lookup.required(functions.loadModule, "cuModuleLoadDataEx");
  lookup.required(functions.getFunction, "cuModuleGetFunction");
  lookup.required(functions.setFunctionAttribute, "cuFuncSetAttribute");
  lookup.required(functions.getFunctionAttribute, "cuFuncGetAttribute");
  lookup.required(functions.launch, "cuLaunchKernel");
  lookup.required(functions.createStream, "cuStreamCreate");
  lookup.required(functions.synchronizeStream, "cuStreamSynchronize");
  lookup.required(functions.createEvent, "cuEventCreate");
  lookup.required(functions.destroyEvent, "cuEventDestroy_v2");
  lookup.required(functions.recordEvent, "cuEventRecord");
  lookup.required(functions.synchronizeEvent, "cuEventSynchronize");
  lookup.required(functions.getElapsedTime, "cuEventElapsedTime");
  lookup.optional(functions.allocateInStream, "cuMemAllocAsync");
  lookup.optional(functions.releaseInStream, "cuMemFreeAsync");
  lookup.optional(functions.launchWithAttributes, "cuLaunchKernelEx");
  lookup.optional(functions.encodeTensorMap, "cuTensorMapEncodeTiled");
  lookup.optional(functions.encodeImageMap, "cuTensorMapEncodeIm2col");
  lookup.optional(functions.getParameterInfo, "cuFuncGetParamInfo");
  if (lookup.missing.empty())
    return "";
  return "the CUDA driver of this machine has no function " + lookup.missing +
         "; it is too old (CUDA 11 or newer is needed) or no driver at all";
}
