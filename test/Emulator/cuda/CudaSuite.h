//===- CudaSuite.h - CUDA kernels through the PTX emulator ------*- C++ -*-===//
//
// Every case is a CUDA C++ kernel that this project did not compile: nvcc makes
// PTX of its source file when the test runs, the emulator executes that with
// all checkers on, and the outputs are compared with a function on the CPU. A
// case runs several times, with different schedules and deliveries of
// asynchronous copies; the answer is the same each time, and no checker speaks.
//
//   CUDA_CASE(warpReduce, "warp.cu", "sm_80") {
//     auto x = run.upload(randomFloats(256));
//     auto y = run.allocate<float>(8);
//     run.launch("warpReduce", 1, 256, x, y);
//     run.expect(y, ...);
//   }
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_EMULATOR_CUDA_CUDASUITE_H
#define TILE_TEST_EMULATOR_CUDA_CUDASUITE_H

#include "KernelRun.h"

namespace tilec::emu::cuda {

using namespace kernels;

struct Case {
  const char *name;
  const char *source; // a file beside this header
  const char *architecture;
  void (*body)(Run &run);
};
/// All cases, in the order of their files.
std::vector<Case> &cases();

struct Registration {
  Registration(Case entry) { cases().push_back(entry); }
};

#define CUDA_CASE(name, source, architecture)                                  \
  static void body_##name(::tilec::emu::cuda::Run &run);                       \
  static ::tilec::emu::cuda::Registration registration_##name(                 \
      {#name, source, architecture, body_##name});                             \
  static void body_##name([[maybe_unused]] ::tilec::emu::cuda::Run &run)

} // namespace tilec::emu::cuda

#endif // TILE_TEST_EMULATOR_CUDA_CUDASUITE_H
