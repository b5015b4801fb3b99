//===- ParsedKernel.h - A kernel of a test, ready to run --------*- C++ -*-===//

#ifndef TILE_TEST_UNIT_EMULATOR_PARSEDKERNEL_H
#define TILE_TEST_UNIT_EMULATOR_PARSEDKERNEL_H

#include "tile/Emulator/Emulator.h"

#include <gtest/gtest.h>

namespace tilec::emu {

/// The module of `text` with its kernel `k` decoded; null, and a failure of the
/// test for each diagnostic, if there is any.
inline std::unique_ptr<Module> parseKernel(const std::string &text) {
  std::vector<Diagnostic> diagnostics;
  auto module = Module::parse(text, "test.ptx", diagnostics);
  if (module)
    module->prepare("k", diagnostics);
  for (const Diagnostic &d : diagnostics)
    ADD_FAILURE() << d.line << ": " << d.message;
  return diagnostics.empty() ? std::move(module) : nullptr;
}

} // namespace tilec::emu

#endif // TILE_TEST_UNIT_EMULATOR_PARSEDKERNEL_H
