//===- ReduceProgram.h - A program with less of what it has -----*- C++ -*-===//
//
// The pass behind `tile-reduce` (docs/Reducing.md), for tools like upstream's mlir-reduce.
// Programs that link it need upstream's MLIRReduce, which is not part of libMLIR.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_REDUCTION_REDUCEPROGRAM_H
#define TILE_REDUCTION_REDUCEPROGRAM_H

namespace mlir::tile {

/// Registers the pass `tile-reduce-program`. Its option `test` names a program that ends
/// with another status than 0 on a file that is interesting; `test-arg` stands before the
/// file, and no more than `trials` files are tried.
void registerReduceProgram();

} // namespace mlir::tile

#endif // TILE_REDUCTION_REDUCEPROGRAM_H
