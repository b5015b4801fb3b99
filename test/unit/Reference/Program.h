//===- Program.h - A tile program run by the reference ----------*- C++ -*-===//
//
// Runs the text of a program on arrays and gives back what its last argument
// holds, with bounds; and says whether another result would be called equal.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_REFERENCE_PROGRAM_H
#define TILE_TEST_UNIT_REFERENCE_PROGRAM_H

#include "tile/Reference/Interpreter.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace mlir::tile::reference {

/// `text` with every `{NAME}` replaced.
std::string fill(std::string text,
                 const llvm::StringMap<std::string> &replacements);

/// Runs the only function of `text`. Its arguments are memrefs of static shape;
/// `inputs` are the contents of the first ones, rounded to their types, the
/// others begin as zeros. Returns the contents of the last one.
Array run(const std::string &text, llvm::ArrayRef<std::vector<double>> inputs,
          Accumulation accumulation = Accumulation::Single);

/// The same on arrays of the arguments' types, which may have bounds.
Array run(const std::string &text, llvm::ArrayRef<Array> inputs,
          Accumulation accumulation = Accumulation::Single);

/// How `actual` compares with what the reference expects.
struct Verdict {
  int64_t different = 0; ///< further away than their bounds
  int64_t unchecked = 0; ///< of bounds above the root mean square
  /// Whether nothing is different, and at most a hundredth unchecked.
  bool isEqual = false;
};

Verdict judge(const std::vector<double> &actual, const Array &expected);

} // namespace mlir::tile::reference

#endif // TILE_TEST_UNIT_REFERENCE_PROGRAM_H
