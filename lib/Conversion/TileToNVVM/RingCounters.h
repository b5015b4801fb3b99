//===- RingCounters.h - Numbers of uses in one register ---------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_RINGCOUNTERS_H
#define TILE_LIB_CONVERSION_TILETONVVM_RINGCOUNTERS_H

#include "mlir/IR/Operation.h"

namespace mlir::tile {

/// Lets loops and conditions of `kernel` carry the numbers of uses of rings that
/// are counted modulo twice the slots, and those of slots, as i32 instead of as
/// `index`, which takes two registers and two instructions for each step. What is
/// computed from anything but constants and such numbers stays as it is.
void narrowRingCounters(Operation *kernel);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_RINGCOUNTERS_H
