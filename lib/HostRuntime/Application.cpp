//===- Application.cpp - What applications call ---------------------------===//

#include "Backend.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

using namespace tilec;
using namespace tilec::rt;

//===----------------------------------------------------------------------===//
// The device in use
//===----------------------------------------------------------------------===//

namespace {
/// Both live as long as the process: kernels may run when it ends.
struct Devices {
  std::mutex mutex;
  Backend *backends[2] = {};
  std::atomic<Backend *> current = nullptr;
};
} // namespace

static Devices &getDevices() {
  static auto *devices = new Devices();
  return *devices;
}

/// Takes `device`, or, `unlessChosen`, leaves the one that somebody has chosen.
static Problem chooseDevice(TileRtDevice device, bool unlessChosen) {
  if (device != TILE_RT_CUDA && device != TILE_RT_EMULATOR)
    return {TILE_RT_INVALID_USE,
            "there is no device " + std::to_string(static_cast<int>(device)) +
                ": TILE_RT_CUDA and TILE_RT_EMULATOR are known"};
  Devices &devices = getDevices();
  std::lock_guard<std::mutex> lock(devices.mutex);
  if (unlessChosen && devices.current)
    return {};
  Backend *&backend = devices.backends[device];
  if (!backend)
    backend =
        (device == TILE_RT_EMULATOR ? makeEmulatorBackend() : makeCudaBackend())
            .release();
  devices.current = backend;
  return {};
}

Problem tilec::rt::useDevice(TileRtDevice device) {
  return chooseDevice(device, /*unlessChosen=*/false);
}

void tilec::rt::forgetImage(const TileRtImage *image) {
  Devices &devices = getDevices();
  std::lock_guard<std::mutex> lock(devices.mutex);
  for (Backend *backend : devices.backends)
    if (backend)
      backend->forget(image);
}

/// As the environment says, else a GPU.
static Problem useDefault() {
  const char *name = std::getenv("TILE_RT_DEVICE");
  if (!name || !*name || !std::strcmp(name, "cuda"))
    return chooseDevice(TILE_RT_CUDA, /*unlessChosen=*/true);
  if (!std::strcmp(name, "emulator"))
    return chooseDevice(TILE_RT_EMULATOR, /*unlessChosen=*/true);
  return {TILE_RT_INVALID_USE, "TILE_RT_DEVICE=" + std::string(name) +
                                   ": known are cuda and emulator"};
}

Problem tilec::rt::getBackend(Backend *&backend) {
  backend = getDevices().current;
  if (backend)
    return {};
  if (Problem problem = useDefault())
    return problem;
  backend = getDevices().current;
  return {};
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static thread_local Problem lastProblem;

TileRtStatus tilec::rt::record(const Problem &problem) {
  if (problem)
    lastProblem = problem;
  return problem.status;
}

TileRtStatus tilec::rt::getLastStatus() { return lastProblem.status; }

const char *tileRtLastError(void) { return lastProblem.message.c_str(); }

//===----------------------------------------------------------------------===//
// Memory and streams
//===----------------------------------------------------------------------===//

static uint64_t getAddress(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

/// Calls `use` with the device in use.
template <typename Function>
static TileRtStatus withBackend(Function &&use) {
  Backend *backend = nullptr;
  if (Problem problem = getBackend(backend))
    return record(problem);
  return record(use(*backend));
}

TileRtStatus tileRtUseDevice(TileRtDevice device) {
  return record(useDevice(device));
}

TileRtStatus tileRtAllocate(void **address, size_t sizeBytes) {
  if (!address)
    return record({TILE_RT_INVALID_USE, "tileRtAllocate: address is null"});
  *address = nullptr;
  return withBackend([&](Backend &backend) {
    uint64_t made = 0;
    Problem problem = backend.allocate(sizeBytes, made);
    if (!problem)
      *address = reinterpret_cast<void *>(static_cast<uintptr_t>(made));
    return problem;
  });
}

TileRtStatus tileRtRelease(void *address) {
  if (!address)
    return TILE_RT_SUCCESS;
  return withBackend(
      [&](Backend &backend) { return backend.release(getAddress(address)); });
}

TileRtStatus tileRtCopyToDevice(void *target, const void *source,
                                size_t sizeBytes) {
  return withBackend([&](Backend &backend) {
    return backend.write(getAddress(target), source, sizeBytes);
  });
}

TileRtStatus tileRtCopyToHost(void *target, const void *source,
                              size_t sizeBytes) {
  return withBackend([&](Backend &backend) {
    return backend.read(target, getAddress(source), sizeBytes);
  });
}

TileRtStatus tileRtSynchronize(TileRtStream stream) {
  return withBackend(
      [&](Backend &backend) { return backend.synchronize(stream); });
}
