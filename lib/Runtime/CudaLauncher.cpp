//===- CudaLauncher.cpp - Kernels on a GPU -------------------------------===//
//
// Host code on the CPU, kernels on a device. Memory that nobody wrote is not
// told apart on a device: it is copied there as zeros and counts as written
// afterwards.
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/CudaLauncher.h"

#include "OperandFacts.h"

#include "tile/DeviceLaunch/CudaLaunch.h"
#include "tile/Runtime/AllocationSize.h"
#include "tile/Runtime/EmulatorLauncher.h"
#include "tile/Runtime/KernelParameters.h"

#include <algorithm>
#include <map>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace cuda = tilec::cuda;

struct CudaLauncher::Impl {
  ModuleOp module;
  std::unique_ptr<cuda::Device> device;
  /// Modules by name of their `gpu.binary`, buffers by identity; both live
  /// until the process ends, as the context does.
  std::map<std::string, cuda::Handle> modules;
  struct Mirror {
    std::shared_ptr<Buffer> buffer;
    cuda::DeviceAddress address = 0;
  };
  std::map<const Buffer *, Mirror> mirrors;
  TimingOptions timing;
  std::vector<LaunchTime> times;

  LogicalResult check(Operation *op, const std::string &error) {
    return error.empty() ? success() : op->emitError(error);
  }
  FailureOr<cuda::Handle> getKernel(gpu::LaunchFuncOp op);
  LogicalResult checkParameters(gpu::LaunchFuncOp op, cuda::Handle kernel,
                                ArrayRef<KernelParameter> parameters);
  LogicalResult copyIn(gpu::LaunchFuncOp op,
                       const std::shared_ptr<Buffer> &buffer);
  LogicalResult copyOut(gpu::LaunchFuncOp op, const Mirror &mirror);
  /// What buffers hold, and where.
  using Contents =
      std::vector<std::pair<cuda::DeviceAddress, std::vector<uint8_t>>>;
  /// What a buffer holds on the device in front of a launch.
  LogicalResult keep(gpu::LaunchFuncOp op, const Buffer &buffer,
                     Contents &contents);
  LogicalResult measure(gpu::LaunchFuncOp op, const cuda::Launch &launch,
                        const Contents &before);
};

CudaLauncher::CudaLauncher(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
CudaLauncher::~CudaLauncher() = default;

std::unique_ptr<CudaLauncher> CudaLauncher::create(ModuleOp module,
                                                   std::string &error,
                                                   TimingOptions timing) {
  auto impl = std::make_unique<Impl>();
  impl->module = module;
  impl->timing = timing;
  impl->device = cuda::Device::open(error);
  if (!impl->device)
    return nullptr;
  return std::unique_ptr<CudaLauncher>(new CudaLauncher(std::move(impl)));
}

LogicalResult CudaLauncher::addResident(std::shared_ptr<Buffer> buffer,
                                        uint64_t address) {
  std::string error = impl->device->synchronize();
  if (!error.empty())
    return emitError(buffer->location, error);
  const Buffer *key = buffer.get();
  impl->mirrors[key] = {std::move(buffer), address};
  return success();
}

int64_t CudaLauncher::getMultiprocessors() const {
  return impl->device->describe().multiprocessors;
}

FailureOr<cuda::Handle> CudaLauncher::Impl::getKernel(gpu::LaunchFuncOp op) {
  cuda::Handle &loaded = modules[op.getKernelModuleName().str()];
  if (!loaded) {
    StringRef ptx = findPtx(module, op);
    if (ptx.empty() ||
        failed(
            check(op, device->loadModule(
                          std::string_view(ptx.data(), ptx.size()), loaded))))
      return failure();
  }
  cuda::Handle kernel = nullptr;
  if (failed(check(
          op, device->findKernel(loaded, op.getKernelName().str(), kernel))))
    return failure();
  return kernel;
}

/// Whether the kernel ABI and the PTX agree, where the driver can say it: with
/// other sizes the driver would read past an argument.
LogicalResult
CudaLauncher::Impl::checkParameters(gpu::LaunchFuncOp op, cuda::Handle kernel,
                                    ArrayRef<KernelParameter> parameters) {
  std::vector<size_t> sizes;
  bool isKnown = false;
  if (failed(check(op, device->getParameterSizes(kernel, sizes, isKnown))))
    return failure();
  if (!isKnown)
    return success();
  if (sizes.size() != parameters.size())
    return op.emitError("kernel '")
           << op.getKernelName() << "' has " << sizes.size()
           << " parameters, but the kernel ABI gives " << parameters.size();
  for (auto [i, parameter] : llvm::enumerate(parameters))
    if (sizes[i] != parameter.sizeBytes)
      return op.emitError("parameter ")
             << i << " of kernel '" << op.getKernelName() << "' has "
             << sizes[i] << " bytes, but the kernel ABI gives "
             << parameter.sizeBytes;
  return success();
}

LogicalResult
CudaLauncher::Impl::copyIn(gpu::LaunchFuncOp op,
                           const std::shared_ptr<Buffer> &buffer) {
  auto [it, isNew] = mirrors.try_emplace(buffer.get(), Mirror{buffer, 0});
  Mirror &mirror = it->second;
  size_t sizeBytes = buffer->bytes.size();
  if (buffer->deviceBytes)
    return success();
  if (isNew && failed(check(op, device->allocate(getAllocationSize(*buffer),
                                                 mirror.address))))
    return failure();
  return check(op,
               device->write(mirror.address, buffer->bytes.data(), sizeBytes));
}

LogicalResult CudaLauncher::Impl::copyOut(gpu::LaunchFuncOp op,
                                          const Mirror &mirror) {
  Buffer &buffer = *mirror.buffer;
  if (buffer.deviceBytes)
    return success();
  buffer.undefined.clear();
  return check(op, device->read(mirror.address, buffer.bytes.data(),
                                buffer.bytes.size()));
}

LogicalResult CudaLauncher::Impl::keep(gpu::LaunchFuncOp op,
                                       const Buffer &buffer,
                                       Contents &contents) {
  auto &[address, bytes] =
      contents.emplace_back(mirrors.at(&buffer).address, buffer.bytes);
  if (!buffer.deviceBytes)
    return success();
  bytes.resize(*buffer.deviceBytes);
  return check(op, device->read(address, bytes.data(), bytes.size()));
}

/// Runs the launch again, from what the buffers held `before` it each time.
LogicalResult CudaLauncher::Impl::measure(gpu::LaunchFuncOp op,
                                          const cuda::Launch &launch,
                                          const Contents &before) {
  LaunchTime time{op.getKernelName().str(), {}};
  for (unsigned run = 0; run < timing.warmUpCount + timing.count; ++run) {
    for (const auto &[address, bytes] : before)
      if (failed(check(op, device->write(address, bytes.data(), bytes.size()))))
        return failure();
    std::vector<double> microseconds;
    if (failed(check(op, device->time(launch, /*warmUpCount=*/0, /*count=*/1,
                                      microseconds))))
      return failure();
    if (run >= timing.warmUpCount)
      time.seconds.push_back(microseconds.front() * 1e-6);
  }
  std::sort(time.seconds.begin(), time.seconds.end());
  times.push_back(std::move(time));
  return success();
}

const std::vector<LaunchTime> &CudaLauncher::getTimes() const {
  return impl->times;
}

LogicalResult CudaLauncher::launch(const LaunchRequest &request) {
  gpu::LaunchFuncOp op = request.op;
  if (failed(checkOperandFacts(op, request.arguments)))
    return failure();
  FailureOr<cuda::Handle> kernel = impl->getKernel(op);
  if (failed(kernel))
    return failure();
  llvm::SmallPtrSet<const Buffer *, 8> used;
  for (const RuntimeValue &argument : request.arguments)
    if (argument.memref && used.insert(argument.memref->buffer.get()).second &&
        failed(impl->copyIn(op, argument.memref->buffer)))
      return failure();
  bool isCopied = true;
  FailureOr<SmallVector<KernelParameter>> parameters =
      getKernelParameters(op, op.getKernelOperands(), request.arguments,
                          [&](const std::shared_ptr<Buffer> &buffer) {
                            isCopied &= !used.insert(buffer.get()).second ||
                                        succeeded(impl->copyIn(op, buffer));
                            return impl->mirrors[buffer.get()].address;
                          });
  if (failed(parameters) || !isCopied ||
      failed(impl->checkParameters(op, *kernel, *parameters)))
    return failure();
  tilec::CudaLaunch start;
  if (failed(impl->check(op,
                         start.prepare(*impl->device, *kernel,
                                       getKernelLaunch(request, *parameters)))))
    return failure();
  Impl::Contents before;
  if (impl->timing.count > 0)
    for (const Buffer *buffer : used)
      if (failed(impl->keep(op, *buffer, before)))
        return failure();
  if (failed(impl->check(op, impl->device->launch(start.launch))) ||
      failed(impl->check(op, impl->device->synchronize())))
    return failure();
  for (const Buffer *buffer : used)
    if (failed(impl->copyOut(op, impl->mirrors.at(buffer))))
      return failure();
  return impl->timing.count > 0 ? impl->measure(op, start.launch, before)
                                : success();
}
