//===- CudaLauncher.cpp - Kernels on a GPU -------------------------------===//
//
// The few entry points of the driver that a launch takes, looked up by name in
// libcuda. Memory that nobody wrote is not told apart on a device: it is copied
// there as zeros and counts as written afterwards.
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/CudaLauncher.h"

#include "tile/Runtime/EmulatorLauncher.h"
#include "tile/Runtime/KernelParameters.h"

#include "llvm/Support/DynamicLibrary.h"

#include <map>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

using Result = int; // CUresult; 0 is success
using DevicePointer = unsigned long long;

/// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES of cuda.h.
constexpr int maxDynamicSharedAttribute = 8;

struct Driver {
  Result (*init)(unsigned);
  Result (*getDevice)(int *, int);
  Result (*retainContext)(void **, int);
  Result (*setContext)(void *);
  Result (*synchronize)();
  Result (*loadModule)(void **, const void *);
  Result (*getFunction)(void **, void *, const char *);
  Result (*setFunctionAttribute)(void *, int, int);
  Result (*allocate)(DevicePointer *, size_t);
  Result (*copyToDevice)(DevicePointer, const void *, size_t);
  Result (*copyToHost)(void *, DevicePointer, size_t);
  Result (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, void *, void **, void **);
  Result (*getErrorString)(Result, const char **);

  bool load(std::string &error);
  std::string describe(Result result) const {
    const char *text = nullptr;
    if (getErrorString(result, &text) != 0 || !text)
      return "error " + std::to_string(result);
    return text;
  }
};

} // namespace

bool Driver::load(std::string &error) {
  std::string reason;
  auto library =
      llvm::sys::DynamicLibrary::getPermanentLibrary("libcuda.so.1", &reason);
  if (!library.isValid()) {
    error = "there is no CUDA driver on this machine (libcuda.so.1 is not "
            "found)";
    return false;
  }
  auto find = [&](auto &function, const char *name) {
    void *address = library.getAddressOfSymbol(name);
    if (!address)
      error = std::string("the CUDA driver has no function ") + name;
    function = reinterpret_cast<std::decay_t<decltype(function)>>(address);
    return address != nullptr;
  };
  return find(init, "cuInit") && find(getDevice, "cuDeviceGet") &&
         find(retainContext, "cuDevicePrimaryCtxRetain") &&
         find(setContext, "cuCtxSetCurrent") &&
         find(synchronize, "cuCtxSynchronize") &&
         find(loadModule, "cuModuleLoadData") &&
         find(getFunction, "cuModuleGetFunction") &&
         find(setFunctionAttribute, "cuFuncSetAttribute") &&
         find(allocate, "cuMemAlloc_v2") &&
         find(copyToDevice, "cuMemcpyHtoD_v2") &&
         find(copyToHost, "cuMemcpyDtoH_v2") &&
         find(launch, "cuLaunchKernel") &&
         find(getErrorString, "cuGetErrorString");
}

struct CudaLauncher::Impl {
  ModuleOp module;
  Driver driver;
  /// Modules by name of their `gpu.binary`, buffers by identity; both live
  /// until the process ends, as the context does.
  std::map<std::string, void *> modules;
  struct Mirror {
    std::shared_ptr<Buffer> buffer;
    DevicePointer address = 0;
  };
  std::map<const Buffer *, Mirror> mirrors;

  LogicalResult check(Operation *op, Result result, const Twine &what) {
    if (result == 0)
      return success();
    return op->emitError("CUDA cannot ")
           << what << ": " << driver.describe(result);
  }
  FailureOr<void *> getKernel(gpu::LaunchFuncOp op);
  LogicalResult copyIn(gpu::LaunchFuncOp op,
                       const std::shared_ptr<Buffer> &buffer);
};

CudaLauncher::CudaLauncher(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
CudaLauncher::~CudaLauncher() = default;

std::unique_ptr<CudaLauncher> CudaLauncher::create(ModuleOp module,
                                                   std::string &error) {
  auto impl = std::make_unique<Impl>();
  impl->module = module;
  Driver &driver = impl->driver;
  if (!driver.load(error))
    return nullptr;
  int device = 0;
  void *context = nullptr;
  for (auto step : {+[](Driver &d, int &, void *&) { return d.init(0); },
                    +[](Driver &d, int &device, void *&) {
                      return d.getDevice(&device, 0);
                    },
                    +[](Driver &d, int &device, void *&context) {
                      return d.retainContext(&context, device);
                    },
                    +[](Driver &d, int &, void *&context) {
                      return d.setContext(context);
                    }})
    if (Result result = step(driver, device, context)) {
      error =
          "the CUDA driver has no device to run on: " + driver.describe(result);
      return nullptr;
    }
  return std::unique_ptr<CudaLauncher>(new CudaLauncher(std::move(impl)));
}

FailureOr<void *> CudaLauncher::Impl::getKernel(gpu::LaunchFuncOp op) {
  void *&loaded = modules[op.getKernelModuleName().str()];
  if (!loaded) {
    std::string ptx = findPtx(module, op).str();
    if (ptx.empty() || failed(check(op, driver.loadModule(&loaded, ptx.c_str()),
                                    "load the PTX")))
      return failure();
  }
  void *kernel = nullptr;
  std::string name = op.getKernelName().str();
  if (failed(check(op, driver.getFunction(&kernel, loaded, name.c_str()),
                   "find kernel '" + name + "'")))
    return failure();
  return kernel;
}

LogicalResult
CudaLauncher::Impl::copyIn(gpu::LaunchFuncOp op,
                           const std::shared_ptr<Buffer> &buffer) {
  Mirror &mirror = mirrors[buffer.get()];
  size_t sizeBytes = buffer->bytes.size();
  if (!mirror.buffer) {
    mirror.buffer = buffer;
    // The driver refuses allocations of no bytes.
    if (failed(check(
            op,
            driver.allocate(&mirror.address, std::max<size_t>(sizeBytes, 1)),
            "allocate " + Twine(sizeBytes) + " bytes")))
      return failure();
  }
  if (sizeBytes == 0)
    return success();
  return check(
      op, driver.copyToDevice(mirror.address, buffer->bytes.data(), sizeBytes),
      "copy a buffer to the device");
}

LogicalResult CudaLauncher::launch(const LaunchRequest &request) {
  gpu::LaunchFuncOp op = request.op;
  Driver &driver = impl->driver;
  FailureOr<void *> kernel = impl->getKernel(op);
  if (failed(kernel))
    return failure();
  std::map<const Buffer *, bool> used;
  for (const RuntimeValue &argument : request.arguments)
    if (argument.memref) {
      used[argument.memref->buffer.get()] = true;
      if (failed(impl->copyIn(op, argument.memref->buffer)))
        return failure();
    }
  FailureOr<SmallVector<KernelParameter>> parameters = getKernelParameters(
      op, op.getKernelOperands().getTypes(), request.arguments,
      [&](const std::shared_ptr<Buffer> &buffer) {
        return impl->mirrors[buffer.get()].address;
      });
  if (failed(parameters))
    return failure();
  SmallVector<void *> pointers;
  for (KernelParameter &parameter : *parameters)
    pointers.push_back(&parameter.bits);

  int sharedBytes = static_cast<int>(request.dynamicSharedBytes);
  if (failed(impl->check(
          op,
          driver.setFunctionAttribute(*kernel, maxDynamicSharedAttribute,
                                      sharedBytes),
          "give the kernel " + Twine(sharedBytes) + " bytes of shared memory")))
    return failure();
  auto extent = [](int64_t value) { return static_cast<unsigned>(value); };
  const auto &grid = request.grid, &block = request.block;
  if (failed(impl->check(op,
                         driver.launch(*kernel, extent(grid[0]),
                                       extent(grid[1]), extent(grid[2]),
                                       extent(block[0]), extent(block[1]),
                                       extent(block[2]), extent(sharedBytes),
                                       nullptr, pointers.data(), nullptr),
                         "launch the kernel")) ||
      failed(impl->check(op, driver.synchronize(), "run the kernel")))
    return failure();
  for (auto &[key, isUsed] : used) {
    Impl::Mirror &mirror = impl->mirrors[key];
    Buffer &buffer = *mirror.buffer;
    buffer.undefined.clear();
    if (!buffer.bytes.empty() &&
        failed(
            impl->check(op,
                        driver.copyToHost(buffer.bytes.data(), mirror.address,
                                          buffer.bytes.size()),
                        "copy a buffer back")))
      return failure();
  }
  return success();
}
