//===- FakeDevice.h - The test double of a device ---------------*- C++ -*-===//
//
// One imagined GPU: memory with a limit, modules, functions, events, and the
// error that sticks after a kernel failed. Kernels run on the PTX emulator with
// the checks that a GPU makes too (addresses, alignment, traps) and none of the
// others. What the device is like comes from the environment:
//
//   FAKE_CUDA_INIT=CODE      what cuInit answers (default 0)
//   FAKE_CUDA_NO_DEVICE=1    there is no device
//   FAKE_CUDA_MEMORY=BYTES   of the device (default 1 GiB)
//   FAKE_CUDA_CAPABILITY=90  compute capability, times ten
//   FAKE_CUDA_FLIP=N         the lowest bit of byte N of everything that is
//                            copied back is flipped: a planted difference
//   FAKE_CUDA_DEPENDENT=FILE names of kernels that were launched as dependent
//                            ones are written there, a line a launch
//   FAKE_CUDA_LOADS=FILE     targets of modules that were loaded, a line each
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_RUNTIME_FAKEDRIVER_FAKEDEVICE_H
#define TILE_TEST_RUNTIME_FAKEDRIVER_FAKEDEVICE_H

#include "tile/CudaDriver/DriverApi.h"
#include "tile/Emulator/Emulator.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <type_traits>

namespace tilec::fake {

struct FakeModule {
  std::unique_ptr<emu::Module> module;
};

struct FakeFunction {
  emu::Module *module = nullptr;
  const emu::KernelInfo *kernel = nullptr;
  /// What cuFuncSetAttribute allowed.
  int maxDynamicSharedBytes = 0;
  bool isNonPortableClusterAllowed = false;
};

struct FakeEvent {
  bool isRecorded = false;
  std::chrono::steady_clock::time_point time;
};

/// The state of a process's driver.
struct FakeDevice {
  FakeDevice();

  // From the environment.
  cuda::Result initResult = cuda::Success;
  bool hasDevice = true;
  uint64_t memoryBytes = uint64_t(1) << 30;
  int capability = 90;
  int64_t flippedByte = -1;
  const char *dependentLaunches = nullptr, *loads = nullptr;

  bool isInitialized = false, isContextRetained = false;
  /// Whether the context is that of the calling thread.
  static thread_local bool hasContext;
  /// Taken by every call that needs the context.
  std::recursive_mutex mutex;
  /// The result of every call after a kernel failed.
  cuda::Result sticky = cuda::Success;
  emu::DeviceMemory memory;
  std::map<uint64_t, uint64_t> allocations; ///< address to bytes
  uint64_t allocatedBytes = 0;
  std::set<FakeModule *> modules;
  std::set<FakeFunction *> functions;
  std::set<FakeEvent *> events;
  std::set<void *> streams;

  /// What every call that needs a context answers first.
  cuda::Result checkContext() const;
  bool isStream(void *stream) const {
    return !stream || streams.count(stream) != 0;
  }

  cuda::Result loadModule(const char *ptx, FakeModule *&module,
                          std::string &log);
  cuda::Result launch(FakeFunction *function, const emu::Dim3 &grid,
                      const emu::Dim3 &block, const emu::Dim3 &cluster,
                      uint32_t dynamicSharedBytes, void **parameters);
  /// Notes that a launch may start before the one in front has ended.
  cuda::Result noteDependent(FakeFunction *function) const;

private:
  cuda::Result checkTarget(const std::string &ptx, const std::string &target,
                           std::string &log) const;
  cuda::Result checkLaunch(const FakeFunction &function, const emu::Dim3 &grid,
                           const emu::Dim3 &block, const emu::Dim3 &cluster,
                           uint32_t dynamicSharedBytes) const;
};

FakeDevice &device();

/// CUDA's version that this driver claims: 13000, or 11040 for the old one.
extern const int driverVersion;
/// A block's shared memory with consent, and without.
constexpr int optInSharedBytes = 232448, defaultSharedBytes = 49152;

} // namespace tilec::fake

//===----------------------------------------------------------------------===//
// The driver's functions
//===----------------------------------------------------------------------===//

#define EXPORT extern "C" __attribute__((visibility("default")))

/// Ends a function unless a context is current and no kernel has failed. One call at a
/// time: the emulator's memory is not touched while a kernel runs.
#define REQUIRE_CONTEXT()                                                      \
  std::lock_guard<std::recursive_mutex> lock(device().mutex);                  \
  if (Result result = device().checkContext())                                 \
  return result

/// The name and the type that the launcher looks up must be those defined here.
#define DEFINES(member, function)                                              \
  static_assert(                                                               \
      std::is_same_v<decltype(Functions::member), decltype(&function)>)

#endif // TILE_TEST_RUNTIME_FAKEDRIVER_FAKEDEVICE_H
