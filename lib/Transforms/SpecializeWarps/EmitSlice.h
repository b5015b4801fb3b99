//===- EmitSlice.h - A slice as a program of its own ------------*- C++ -*-===//
//
// Emits the operations of a slice again, in the order and under the loops and
// conditions in which they stood. Loops carry and conditions give only what the
// slice needs:
//
//     %a, %n = scf.for %i = .. iter_args(%acc, %use)       scf.for %i = ..
//       copy .. %use            in the slice          =>       iter_args(%use)
//       gemm .. %acc            not                           copy .. %use
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_SPECIALIZEWARPS_EMITSLICE_H
#define TILE_TRANSFORMS_SPECIALIZEWARPS_EMITSLICE_H

#include "tile/Analysis/ProducerSlice.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::tile {

/// Emits what `slice` has of `block`, terminator excepted, where `builder`
/// stands. `mapping` gets what the emitted operations give.
void emitSlice(Block &block, const ProducerSlice &slice, OpBuilder &builder,
               IRMapping &mapping);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_SPECIALIZEWARPS_EMITSLICE_H
