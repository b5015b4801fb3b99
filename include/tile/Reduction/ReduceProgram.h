//===- ReduceProgram.h - A program with less of what it has -----*- C++ -*-===//
//
// The pass behind `tile-reduce` (docs/Reducing.md), for tools like upstream's mlir-reduce.
// Programs that link it need upstream's MLIRReduce, which is not part of libMLIR.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_REDUCTION_REDUCEPROGRAM_H
#define TILE_REDUCTION_REDUCEPROGRAM_H

#include <functional>

namespace mlir::tile {

/// Registers the pass `tile-reduce-program`. Its option `test` names a program that ends
/// with another status than 0 on a file that is interesting; `test-arg` stands before the
/// file, and no more than `trials` files are tried. Once `isStopped`, which is asked behind
/// each trial, that one is not counted and the smallest program so far is the result.
void registerReduceProgram(std::function<bool()> isStopped = [] {
  return false;
});

} // namespace mlir::tile

#endif // TILE_REDUCTION_REDUCEPROGRAM_H
