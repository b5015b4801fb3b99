//===- Expectation.h - Results compared with files --------------*- C++ -*-===//

#ifndef TILE_TOOLS_PTXRUN_EXPECTATION_H
#define TILE_TOOLS_PTXRUN_EXPECTATION_H

#include "Arguments.h"

#include "tile/Runtime/Comparison.h"

namespace tilec {

/// One `--expect=N:FILE.npy[,KEY=VALUE]..`.
struct Expectation {
  uint64_t argument = 0;
  std::string path, type, maskPath, boundsPath;
  ComparisonRule rule;
  /// What the files hold, once they were read; empty without a path.
  NpyArray expected, mask, bounds;
};

/// An empty string or what is wrong with the text.
std::string parseExpectation(const std::string &text, Expectation &expectation);

/// Reads the files and checks that they fit the buffer of the argument, before
/// anything runs: an empty string or what is wrong.
std::string loadExpectation(Expectation &expectation, ArgumentList &arguments);

/// Compares the argument's buffer with what was loaded; nothing, with a message
/// in `error`, where the buffer cannot be read.
std::optional<Comparison> checkExpectation(const Expectation &expectation,
                                           ArgumentList &arguments,
                                           Executor &executor,
                                           std::string &error);

} // namespace tilec

#endif // TILE_TOOLS_PTXRUN_EXPECTATION_H
