//===- Expectation.h - Results compared with files --------------*- C++ -*-===//

#ifndef TILE_TOOLS_PTXRUN_EXPECTATION_H
#define TILE_TOOLS_PTXRUN_EXPECTATION_H

#include "Arguments.h"

namespace tilec {

/// One `--expect=N:FILE.npy[,type=TYPE][,rtol=X][,atol=X][,mask=FILE.npy]`.
struct Expectation {
  uint64_t argument = 0;
  std::string path, type, maskPath;
  double rtol = 0, atol = 0;
};

/// An empty string or what is wrong with the text.
std::string parseExpectation(const std::string &text, Expectation &expectation);

/// Compares a buffer with its file and prints a line; false if they differ or
/// cannot be compared.
bool checkExpectation(const Expectation &expectation, ArgumentList &arguments,
                      Executor &executor);

} // namespace tilec

#endif // TILE_TOOLS_PTXRUN_EXPECTATION_H
