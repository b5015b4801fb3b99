//===- Remedy.cpp - What to do about an error of the driver --------------===//
//
// The driver says what happened in terms of its own calls. For the errors that
// people meet, one sentence says what it usually means and what to do.
//
//===----------------------------------------------------------------------===//

#include "tile/CudaDriver/Device.h"

using namespace tilec::cuda;

static const char *const runInEmulator =
    "run the same on the emulator, whose checks name the instruction";

std::string tilec::cuda::getRemedy(Result result,
                                   const DeviceDescription &device) {
  switch (result) {
  case OutOfMemory:
    return "give the kernel smaller buffers, or end other programs that use "
           "the GPU";
  case StubLibrary:
    return "the libcuda.so.1 that was found is the toolkit's stub for linking; "
           "take its folder off LD_LIBRARY_PATH";
  case DeviceUnavailable:
    return "another program holds the GPU exclusively";
  case NoDevice:
    return "see what nvidia-smi lists, whether CUDA_VISIBLE_DEVICES hides the "
           "GPU and, in a container, whether it was given one";
  case InvalidImage:
  case InvalidPtx:
    return "the log of the driver's compiler names the line; ptxas compiles "
           "the same text without a GPU";
  case NoBinaryForGpu:
    return "the .target of the PTX is not this device, of compute capability " +
           std::to_string(device.major) + "." + std::to_string(device.minor) +
           "; compile for it (a target that ends in a runs on that chip only)";
  case JitCompilerNotFound:
    return "libnvidia-ptxjitcompiler.so.1 of the driver is not installed";
  case UnsupportedPtxVersion:
    return "the .version of the PTX is newer than this driver, which knows "
           "CUDA " +
           device.cudaVersionText() + "; update the driver";
  case LaunchOutOfResources:
    return "a block needs more registers, threads or shared memory than the "
           "device has, or the arguments are not those of the kernel";
  case LaunchTimeout:
    return std::string("the kernel ran too long, as one that waits for "
                       "itself does; ") +
           runInEmulator;
  case IllegalAddress:
  case AssertFailed:
  case IllegalInstruction:
  case MisalignedAddress:
  case InvalidAddressSpace:
  case LaunchFailed:
    return runInEmulator;
  case SystemNotReady:
    return "a service of the system is not running, on machines with NVSwitch "
           "the fabric manager";
  case SystemDriverMismatch:
  case CompatibilityNotSupported:
    return "libcuda.so.1 is of another version than the kernel's driver; after "
           "an update, restart the machine";
  case InvalidClusterSize:
    return "a cluster has at most 8 blocks on every device that has clusters, "
           "and the grid is a multiple of it";
  default:
    return "";
  }
}
