//===- Arguments.h - What a function's arguments have to be -----*- C++ -*-===//
//
// The facts that compiled code relies on: static sizes, `tile.divisible`,
// `tile.align`, equal names in `tile.dims`, and the absence of `tile.may_alias`. The
// reference interpreter and the runtime of compiled host code check them where a
// program is started and at every call on the host, in these words.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONTRACT_ARGUMENTS_H
#define TILE_CONTRACT_ARGUMENTS_H

#include "tile/Contract/MemRefs.h"

#include <string_view>
#include <vector>

namespace tilec {

/// One argument: what is said about it, and what it is.
struct Argument {
  std::string name; ///< "argument 1", "argument 'A'"
  /// Of a scalar nothing is said.
  bool isMemRef = false;
  MemRefShape shape;
  std::span<const int64_t> divisors;   ///< of sizes; empty: none
  std::vector<std::string_view> names; ///< of sizes; empty: none
  bool mayAlias = false;
  /// What `alignBytes` divides: an address, or a byte of the buffer.
  int64_t begin = 0, alignBytes = 1;
  /// Whether `tile.align` says so, or nobody, and it is what holds otherwise.
  bool isAlignStated = true;
  MemRefView view;
};

struct ArgumentProblem {
  size_t argument; ///< its number
  std::string message;
};

/// The first thing that is wrong with the arguments of a function.
std::optional<ArgumentProblem>
checkArguments(std::span<const Argument> arguments);

} // namespace tilec

#endif // TILE_CONTRACT_ARGUMENTS_H
