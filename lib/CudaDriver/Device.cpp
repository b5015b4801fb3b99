//===- Device.cpp - A GPU behind the CUDA driver -------------------------===//
//
// Each function is a call of the driver, or a few, with what went wrong in
// words. Kernels run in one stream of the process's primary context.
//
//===----------------------------------------------------------------------===//

#include "tile/CudaDriver/Device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace tilec::cuda;

std::string Device::check(Result result, const std::string &what) const {
  if (result == Success)
    return "";
  const char *name = nullptr, *words = nullptr;
  std::string text = "CUDA cannot " + what + ": ";
  if (driver.getErrorName(result, &name) == Success && name)
    text += name;
  else
    text += "error " + std::to_string(result);
  if (driver.getErrorString(result, &words) == Success && words)
    text += std::string(" (") + words + ")";
  std::string remedy = getRemedy(result, description);
  return remedy.empty() ? text : text + "; " + remedy;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

std::unique_ptr<Device> Device::open(std::string &error) {
  std::unique_ptr<Device> device(new Device());
  error = device->openFirst();
  return error.empty() ? std::move(device) : nullptr;
}

/// Loads the driver and initialises it.
std::string Device::start() {
  std::string error = loadFunctions(driver);
  if (!error.empty())
    return error;
  // Known before there is a device: messages need it.
  (void)driver.getDriverVersion(&description.cudaVersion);
  return check(driver.init(0), "start");
}

/// Makes the primary context of the first device current.
std::string Device::takeFirst(DeviceIndex &index) {
  int count = 0;
  Handle context = nullptr;
  std::string error = check(driver.getDeviceCount(&count), "count the devices");
  if (!error.empty())
    return error;
  if (count == 0)
    return check(NoDevice, "find a device");
  if (!(error = check(driver.getDevice(&index, 0), "take the first device"))
           .empty() ||
      !(error = readDescription(index)).empty() ||
      !(error = check(driver.retainContext(&context, index),
                      "open " + description.name))
           .empty())
    return error;
  return check(driver.setContext(context), "use its context");
}

std::string Device::openFirst() {
  DeviceIndex index = 0;
  std::string error = start();
  if (error.empty())
    error = takeFirst(index);
  return error.empty() ? check(driver.createStream(&stream, 0), "make a stream")
                       : error;
}

std::unique_ptr<Device> Device::openCurrent(std::string &error) {
  std::unique_ptr<Device> device(new Device());
  const Functions &driver = device->driver;
  Handle context = nullptr;
  DeviceIndex index = 0;
  error = device->start();
  if (error.empty())
    error = device->check(driver.getContext(&context), "name the context");
  if (error.empty() && !context)
    error = device->takeFirst(index);
  else if (error.empty())
    error = device->check(driver.getContextDevice(&index),
                          "name the context's device");
  if (error.empty() && context)
    error = device->readDescription(index);
  return error.empty() ? std::move(device) : nullptr;
}

/// The version of the kernel's driver, which libcuda does not tell.
static std::string readDriverVersion() {
  std::FILE *file = std::fopen("/proc/driver/nvidia/version", "r");
  if (!file)
    return "";
  char line[256] = {};
  (void)!std::fgets(line, sizeof line, file);
  std::fclose(file);
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun ..": the
  // first word that is digits and two points.
  for (char *word = std::strtok(line, " \t\n"); word;
       word = std::strtok(nullptr, " \t\n"))
    if (std::strspn(word, "0123456789.") == std::strlen(word) &&
        std::strchr(word, '.'))
      return word;
  return "";
}

std::string Device::readDescription(DeviceIndex index) {
  char name[256] = {};
  std::string error =
      check(driver.getDeviceName(name, sizeof name, index), "name the device");
  if (!error.empty())
    return error;
  description.name = name;
  description.driver = readDriverVersion();
  // A driver that is too old to know of it has none.
  if (driver.getDeviceAttribute(&hasMemoryPools, MemoryPoolsSupported, index) !=
          Success ||
      !driver.allocateInStream || !driver.releaseInStream)
    hasMemoryPools = 0;
  const std::pair<int, int *> attributes[] = {
      {ComputeCapabilityMajor, &description.major},
      {ComputeCapabilityMinor, &description.minor},
      {MultiprocessorCount, &description.multiprocessors},
      {ClockRateKilohertz, &description.clockKilohertz},
      {MemoryClockRateKilohertz, &description.memoryClockKilohertz},
      {MaxSharedBytesPerBlockOptIn, &maxSharedBytes}};
  for (auto [attribute, value] : attributes) {
    Result result = driver.getDeviceAttribute(value, attribute, index);
    if (!(error = check(result, "describe the device")).empty())
      return error;
  }
  return check(driver.getDeviceMemory(&description.memoryBytes, index),
               "tell the device's memory");
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

std::string Device::loadModule(std::string_view ptx, Handle &module) {
  std::string text(ptx); // with a zero at its end
  std::vector<char> log(1 << 16, '\0');
  int options[] = {JitErrorLogBuffer, JitErrorLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  Result result = driver.loadModule(&module, text.c_str(), 2, options, values);
  std::string error = check(result, "compile the PTX");
  if (!error.empty() && log[0])
    error += "\n" + std::string(log.data());
  return error;
}

std::string Device::findKernel(Handle module, const std::string &name,
                               Handle &kernel) {
  return check(driver.getFunction(&kernel, module, name.c_str()),
               "find kernel '" + name + "'");
}

std::string Device::getUse(Handle kernel, KernelUse &use) {
  const std::pair<int, int *> attributes[] = {
      {FunctionRegisters, &use.registers},
      {FunctionLocalBytes, &use.localBytes},
      {FunctionSharedBytes, &use.staticSharedBytes},
      {FunctionMaxThreadsPerBlock, &use.maxThreads}};
  for (auto [attribute, value] : attributes) {
    Result result = driver.getFunctionAttribute(value, attribute, kernel);
    if (std::string error = check(result, "describe the kernel");
        !error.empty())
      return error;
  }
  return "";
}

std::string Device::getParameterSizes(Handle kernel, std::vector<size_t> &sizes,
                                      bool &isKnown) {
  sizes.clear();
  isKnown = driver.getParameterInfo != nullptr;
  while (isKnown) {
    size_t offset = 0, sizeBytes = 0;
    Result result =
        driver.getParameterInfo(kernel, sizes.size(), &offset, &sizeBytes);
    // Past the last parameter the index is invalid.
    if (result == InvalidValue)
      break;
    if (result != Success)
      return check(result, "describe the kernel's parameters");
    sizes.push_back(sizeBytes);
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// What to say of an allocation that ended with `result`.
std::string Device::describeOutOfMemory(Result result, size_t sizeBytes) const {
  std::string what = "allocate " + std::to_string(sizeBytes) + " bytes";
  if (result != OutOfMemory)
    return check(result, what);
  size_t free = 0, total = 0;
  (void)driver.getFreeMemory(&free, &total);
  return check(result, what + ", with " + std::to_string(free) + " of " +
                           std::to_string(total) + " free");
}

std::string Device::allocate(size_t sizeBytes, DeviceAddress &address) {
  // The driver refuses allocations of no bytes.
  return describeOutOfMemory(
      driver.allocate(&address, std::max<size_t>(sizeBytes, 1)), sizeBytes);
}

std::string Device::allocateInStream(size_t sizeBytes, Handle stream,
                                     DeviceAddress &address) {
  if (!hasMemoryPools)
    return allocate(sizeBytes, address);
  return describeOutOfMemory(
      driver.allocateInStream(&address, std::max<size_t>(sizeBytes, 1), stream),
      sizeBytes);
}

std::string Device::releaseInStream(DeviceAddress address, Handle stream) {
  if (hasMemoryPools)
    return check(driver.releaseInStream(address, stream), "free a buffer");
  std::string error = synchronize(stream);
  return error.empty() ? release(address) : error;
}

std::string Device::release(DeviceAddress address) {
  return check(driver.release(address), "free a buffer");
}

std::string Device::write(DeviceAddress address, const void *source,
                          size_t sizeBytes) {
  if (sizeBytes == 0)
    return "";
  return check(driver.copyToDevice(address, source, sizeBytes),
               "copy " + std::to_string(sizeBytes) + " bytes to the device");
}

std::string Device::read(DeviceAddress address, void *target,
                         size_t sizeBytes) {
  if (sizeBytes == 0)
    return "";
  return check(driver.copyToHost(target, address, sizeBytes),
               "copy " + std::to_string(sizeBytes) + " bytes back");
}

std::string Device::fill(DeviceAddress address, uint8_t value,
                         size_t sizeBytes) {
  if (sizeBytes == 0)
    return "";
  return check(driver.fill(address, value, sizeBytes), "fill a buffer");
}

std::string Device::fillInStream(DeviceAddress address, uint8_t value,
                                 size_t sizeBytes, Handle stream) {
  return check(driver.fillInStream(address, value, sizeBytes, stream),
               "fill a buffer");
}

std::string Device::copy(DeviceAddress target, DeviceAddress source,
                         size_t sizeBytes, Handle stream) {
  if (sizeBytes == 0)
    return "";
  return check(driver.copyOnDevice(target, source, sizeBytes, stream),
               "copy " + std::to_string(sizeBytes) + " bytes on the device");
}

std::string Device::copyRows(const RowCopy &rows, Handle stream) {
  return check(driver.copyRowsOnDevice(&rows, stream),
               "copy " + std::to_string(rows.height) + " rows of " +
                   std::to_string(rows.widthBytes) + " bytes on the device");
}

std::string Device::encodeTensorMap(const TensorMapRequest &request,
                                    OpaqueTensorMap &map) {
  if (!driver.encodeTensorMap || !driver.encodeImageMap)
    return "the CUDA driver of this machine, CUDA " +
           description.cudaVersionText() +
           ", has no cuTensorMapEncodeTiled; tensor maps need CUDA 12.0 or "
           "newer: update the driver";
  auto *address =
      reinterpret_cast<void *>(static_cast<uintptr_t>(request.address));
  auto rank = static_cast<uint32_t>(request.rank);
  if (request.isIm2Col)
    return check(driver.encodeImageMap(
                     &map, request.element, rank, address, request.dims,
                     request.stridesBytes, request.lowerCorner,
                     request.upperCorner, request.box[0], request.box[1],
                     request.elementStrides, request.interleave,
                     request.swizzle, request.l2Promotion, request.fill),
                 "encode the tensor map of an image");
  return check(driver.encodeTensorMap(&map, request.element, rank, address,
                                      request.dims, request.stridesBytes,
                                      request.box, request.elementStrides,
                                      request.interleave, request.swizzle,
                                      request.l2Promotion, request.fill),
               "encode the tensor map");
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static uint64_t count(const std::array<unsigned, 3> &extents) {
  return uint64_t(extents[0]) * extents[1] * extents[2];
}

/// What a kernel has to be allowed before a launch.
std::string Device::prepare(const Launch &launch) {
  unsigned sharedBytes = launch.dynamicSharedBytes;
  // More than a block gets without asking has to be asked for; asking for less
  // does no harm.
  Result result =
      driver.setFunctionAttribute(launch.kernel, FunctionMaxDynamicSharedBytes,
                                  static_cast<int>(sharedBytes));
  std::string error =
      check(result, "give the kernel " + std::to_string(sharedBytes) +
                        " bytes of dynamic shared memory");
  if (!error.empty())
    return error + "; a block of this device has at most " +
           std::to_string(maxSharedBytes) + " bytes";
  constexpr unsigned portableClusterBlocks = 8;
  if (count(launch.cluster) <= portableClusterBlocks)
    return "";
  return check(
      driver.setFunctionAttribute(launch.kernel,
                                  FunctionNonPortableClusterSizeAllowed, 1),
      "allow clusters of " + std::to_string(count(launch.cluster)) + " blocks");
}

/// What the driver calls an invalid argument of a launch.
static std::string describeLimits(const Launch &launch) {
  auto print = [](const std::array<unsigned, 3> &extents) {
    return std::to_string(extents[0]) + "x" + std::to_string(extents[1]) + "x" +
           std::to_string(extents[2]);
  };
  return "; the grid of " + print(launch.grid) + " blocks of " +
         print(launch.block) + " threads with " +
         std::to_string(launch.dynamicSharedBytes) +
         " bytes of shared memory is more than the device takes, or the block "
         "is not the one that the PTX asks for (.reqntid, .maxntid)";
}

/// Without `prepare`, which repeated launches need once.
std::string Device::start(const Launch &launch) {
  auto [gridX, gridY, gridZ] = launch.grid;
  auto [blockX, blockY, blockZ] = launch.block;
  auto **parameters = const_cast<void **>(launch.parameters.data());
  bool isCluster = count(launch.cluster) > 1;
  Handle stream = launch.stream.value_or(this->stream);
  if (!isCluster && !launch.isDependent) {
    Result result = driver.launch(launch.kernel, gridX, gridY, gridZ, blockX,
                                  blockY, blockZ, launch.dynamicSharedBytes,
                                  stream, parameters, nullptr);
    std::string error = check(result, "launch the kernel");
    return result == InvalidValue ? error + describeLimits(launch) : error;
  }
  if (!driver.launchWithAttributes)
    return "the CUDA driver of this machine, CUDA " +
           description.cudaVersionText() +
           ", has no cuLaunchKernelEx; clusters and dependent launches need "
           "CUDA 11.8 or newer: update the driver";
  LaunchAttribute attributes[2] = {};
  unsigned attributeCount = 0;
  if (isCluster) {
    LaunchAttribute &attribute = attributes[attributeCount++];
    attribute.id = launchAttributeCluster;
    attribute.value.cluster = {launch.cluster[0], launch.cluster[1],
                               launch.cluster[2]};
  }
  if (launch.isDependent) {
    LaunchAttribute &attribute = attributes[attributeCount++];
    attribute.id = launchAttributeDependent;
    attribute.value.isDependent = 1;
  }
  LaunchConfiguration configuration = {gridX,
                                       gridY,
                                       gridZ,
                                       blockX,
                                       blockY,
                                       blockZ,
                                       launch.dynamicSharedBytes,
                                       stream,
                                       attributes,
                                       attributeCount};
  return check(driver.launchWithAttributes(&configuration, launch.kernel,
                                           parameters, nullptr),
               isCluster ? "launch the kernel in clusters"
                         : "launch the kernel");
}

std::string Device::launch(const Launch &launch) {
  std::string error = prepare(launch);
  return error.empty() ? start(launch) : error;
}

std::string Device::synchronize() {
  return check(driver.synchronize(), "run the kernel to its end");
}

std::string Device::synchronize(Handle stream) {
  return check(driver.synchronizeStream(stream),
               "run the kernels to their end");
}

std::string Device::timeOnce(const Launch &launch, Handle begin, Handle end,
                             double &microseconds) {
  std::string error;
  float milliseconds = 0;
  if (!(error = check(driver.recordEvent(begin, stream), "record an event"))
           .empty() ||
      !(error = start(launch)).empty() ||
      !(error = check(driver.recordEvent(end, stream), "record an event"))
           .empty() ||
      !(error =
            check(driver.synchronizeEvent(end), "run the kernel to its end"))
           .empty() ||
      !(error = check(driver.getElapsedTime(&milliseconds, begin, end),
                      "tell the time between two events"))
           .empty())
    return error;
  microseconds = double(milliseconds) * 1000;
  return "";
}

std::string Device::time(const Launch &launch, unsigned warmUpCount,
                         unsigned count, std::vector<double> &microseconds) {
  microseconds.clear();
  Handle begin = nullptr, end = nullptr;
  std::string error = prepare(launch);
  if (error.empty())
    error = check(driver.createEvent(&begin, 0), "make an event");
  if (error.empty())
    error = check(driver.createEvent(&end, 0), "make an event");
  for (unsigned i = 0; error.empty() && i < warmUpCount + count; ++i) {
    double elapsed = 0;
    error = timeOnce(launch, begin, end, elapsed);
    if (i >= warmUpCount)
      microseconds.push_back(elapsed);
  }
  for (Handle event : {begin, end})
    if (event)
      (void)driver.destroyEvent(event);
  std::sort(microseconds.begin(), microseconds.end());
  return error;
}
