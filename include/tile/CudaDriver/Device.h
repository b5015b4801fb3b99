//===- Device.h - A GPU behind the CUDA driver ------------------*- C++ -*-===//
//
// One GPU: memory, modules compiled from PTX by the driver, launches and their
// times. The driver is loaded when `open` is called; without one, or without a
// GPU, `open` says what is missing.
//
//   std::string error;
//   auto device = Device::open(error);
//   Handle module, kernel;
//   device->loadModule(ptxText, module);
//   device->findKernel(module, "gemm", kernel);
//   device->allocate(bytes, address); device->write(address, host, bytes);
//   device->launch({.kernel = kernel, .grid = {4, 4, 1}, ..});
//   device->synchronize();
//
// Every function that can fail returns an empty string, or a sentence with the
// driver's name for the error and, where one is known, the remedy. A kernel's
// own failure appears at `synchronize`, and from then on everywhere: the driver
// takes nothing more from a context in which a kernel failed.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CUDADRIVER_DEVICE_H
#define TILE_CUDADRIVER_DEVICE_H

#include "tile/CudaDriver/DriverApi.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilec::cuda {

struct DeviceDescription {
  std::string name;         ///< "NVIDIA H100 80GB HBM3"
  std::string driver;       ///< "580.65.06"; empty where it is not known
  int cudaVersion = 0;      ///< the newest the driver knows: 13000 for 13.0
  int major = 0, minor = 0; ///< compute capability
  int multiprocessors = 0;
  int clockKilohertz = 0, memoryClockKilohertz = 0; ///< peak
  size_t memoryBytes = 0;

  /// "13.0"
  std::string cudaVersionText() const;
  /// One line for people.
  std::string toText() const;
  /// One JSON object: device, compute_capability, driver, cuda,
  /// multiprocessors, clock_mhz, memory_clock_mhz, memory_bytes.
  std::string toJson() const;
};

/// One launch. Every parameter is a pointer to its bytes, as many as the
/// kernel's parameter has.
struct Launch {
  Handle kernel = nullptr;
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
  unsigned dynamicSharedBytes = 0;
  /// May start before the launch in front has ended; the kernel waits for that.
  bool isDependent = false;
  std::vector<void *> parameters;
  /// Not given: the device's own.
  std::optional<Handle> stream;
};

/// What compiling a kernel came to.
struct KernelUse {
  int registers = 0, localBytes = 0, staticSharedBytes = 0, maxThreads = 0;
};

/// The arguments of cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col; numbers as in
/// the driver's enums, dimension 0 is the innermost.
struct TensorMapRequest {
  int element = 0;
  int rank = 0;
  DeviceAddress address = 0;
  uint64_t dims[5] = {};
  uint64_t stridesBytes[4] = {}; ///< of dimensions 1 to rank - 1
  uint32_t box[5] = {};          ///< in im2col mode of channels and pixels
  uint32_t elementStrides[5] = {1, 1, 1, 1, 1};
  int interleave = 0, swizzle = 0, l2Promotion = 0, fill = 0;
  bool isIm2Col = false;
  int lowerCorner[3] = {}, upperCorner[3] = {}; ///< of dimensions 1 to rank - 2
};

class Device {
public:
  /// The first device; null, and the reason in `error`, where there is none.
  static std::unique_ptr<Device> open(std::string &error);

  /// The device of the calling thread's context. A thread without one gets the
  /// primary context of the first device.
  static std::unique_ptr<Device> openCurrent(std::string &error);

  const DeviceDescription &describe() const { return description; }

  /// Compiles PTX for this device. The message of a failure ends with the log
  /// of the driver's compiler.
  std::string loadModule(std::string_view ptx, Handle &module);
  std::string findKernel(Handle module, const std::string &name,
                         Handle &kernel);
  std::string getUse(Handle kernel, KernelUse &use);
  /// The size of each of a kernel's parameters; `isKnown` is false where the
  /// driver is too old to say.
  std::string getParameterSizes(Handle kernel, std::vector<size_t> &sizes,
                                bool &isKnown);

  std::string allocate(size_t sizeBytes, DeviceAddress &address);
  std::string release(DeviceAddress address);
  std::string write(DeviceAddress address, const void *source,
                    size_t sizeBytes);
  std::string read(DeviceAddress address, void *target, size_t sizeBytes);
  std::string fill(DeviceAddress address, uint8_t value, size_t sizeBytes);
  std::string fillInStream(DeviceAddress address, uint8_t value,
                           size_t sizeBytes, Handle stream);
  /// Copies on the device, in the order of `stream`.
  std::string copy(DeviceAddress target, DeviceAddress source, size_t sizeBytes,
                   Handle stream);
  std::string copyRows(const RowCopy &rows, Handle stream);
  /// Memory that lives from one place of `stream` to another. Where the device has
  /// none of that kind, `releaseInStream` waits for the stream.
  std::string allocateInStream(size_t sizeBytes, Handle stream,
                               DeviceAddress &address);
  std::string releaseInStream(DeviceAddress address, Handle stream);
  std::string encodeTensorMap(const TensorMapRequest &request,
                              OpaqueTensorMap &map);

  /// Starts a kernel, with the driver's consent to its shared memory.
  std::string launch(const Launch &launch);
  /// Waits for everything that was started.
  std::string synchronize();
  std::string synchronize(Handle stream);
  /// Device times of `count` launches, each between two events, after
  /// `warmUpCount` that do not count; in microseconds, ascending.
  std::string time(const Launch &launch, unsigned warmUpCount, unsigned count,
                   std::vector<double> &microseconds);

private:
  Device() = default;
  std::string openFirst();
  std::string start();
  std::string takeFirst(DeviceIndex &index);
  std::string describeOutOfMemory(Result result, size_t sizeBytes) const;
  std::string readDescription(DeviceIndex index);
  std::string check(Result result, const std::string &what) const;
  std::string prepare(const Launch &launch);
  std::string start(const Launch &launch);
  std::string timeOnce(const Launch &launch, Handle begin, Handle end,
                       double &microseconds);

  Functions driver = {};
  DeviceDescription description;
  int maxSharedBytes = 0, hasMemoryPools = 0;
  Handle stream = nullptr;
};

/// What to do about a driver's error; empty where nothing general can be said.
std::string getRemedy(Result result, const DeviceDescription &device);

} // namespace tilec::cuda

#endif // TILE_CUDADRIVER_DEVICE_H
