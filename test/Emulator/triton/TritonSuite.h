//===- TritonSuite.h - Triton's kernels through the PTX emulator *- C++ -*-===//
//
// kernels.py holds kernels of our own, ptx/ what Triton made of them (see
// regenerate.py). Each case runs under several schedules with all checkers on,
// and its outputs are compared with values computed here.
//
//   TRITON_CASE(vector_add, "sm_80 sm_100") {
//     auto x = run.upload(randomFloats(1000));
//     ...
//     launch(run, "vector_add", {1}, x, y, out, 1000u);
//     run.expect(out, ...);
//   }
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_EMULATOR_TRITON_TRITONSUITE_H
#define TILE_TEST_EMULATOR_TRITON_TRITONSUITE_H

#include "KernelRun.h"

namespace tilec::emu::triton {

using namespace kernels;

/// What a case runs in: a launch's dynamic shared memory comes from its file.
class TritonRun : public Run {
public:
  TritonRun(Module &module, LaunchOptions options, uint32_t sharedBytes)
      : Run(module, options), sharedBytes(sharedBytes) {}
  uint32_t sharedBytes;
};

/// Triton appends two pointers, to scratch memory that these kernels don't use.
template <typename... Arguments>
void launch(TritonRun &run, const char *kernel, Dim3 grid,
            const Arguments &...arguments) {
  const KernelInfo *info = run.module.findKernel(kernel);
  if (!info || !info->requiredBlock)
    return run.fail("there is no such kernel with .reqntid");
  auto [x, y, z] = *info->requiredBlock;
  run.launch(kernel, grid, {x, y, z}, {run.sharedBytes, {}}, arguments...,
             uint64_t(0), uint64_t(0));
}

struct Case {
  const char *name;
  const char *chips; // separated by spaces
  void (*body)(TritonRun &run);
};
std::vector<Case> &cases();

struct Registration {
  Registration(Case entry) { cases().push_back(entry); }
};

#define TRITON_CASE(name, chips)                                               \
  static void body_##name(::tilec::emu::triton::TritonRun &run);               \
  static ::tilec::emu::triton::Registration registration_##name(               \
      {#name, chips, body_##name});                                            \
  static void body_##name(::tilec::emu::triton::TritonRun &run)

} // namespace tilec::emu::triton

#endif // TILE_TEST_EMULATOR_TRITON_TRITONSUITE_H
