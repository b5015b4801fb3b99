//===- Operands.h - What a kernel takes for granted -------------*- C++ -*-===//
//
// Facts of a launch's operands that its kernel was compiled for
// (`tile.operand_facts`), checked in front of each launch.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONTRACT_OPERANDS_H
#define TILE_CONTRACT_OPERANDS_H

#include "tile/Contract/MemRefs.h"

namespace tilec {

/// As `#tile.memref_facts` has them.
struct MemRefFacts {
  int64_t alignment = 1; ///< of the first element, in bytes
  std::span<const int64_t> sizeDivisors, strideDivisors;
  bool isContiguous = false;
};

/// As `#tile.scalar_facts` has them.
struct ScalarFacts {
  int64_t divisor = 1;
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
};

/// Which fact does not hold, as it goes on behind "kernel 'k' is compiled for an
/// operand 2 "; empty where all do.
std::string checkFacts(const MemRefFacts &facts, const MemRefView &view);
std::string checkFacts(const ScalarFacts &facts, int64_t number);

/// "kernel 'k' is compiled for an operand 2 that is divisible by 8, and it is 9".
inline std::string formatOperandProblem(const std::string &kernel, size_t index,
                                        const std::string &problem) {
  return "kernel '" + kernel + "' is compiled for an operand " +
         std::to_string(index) + " " + problem;
}

} // namespace tilec

#endif // TILE_CONTRACT_OPERANDS_H
