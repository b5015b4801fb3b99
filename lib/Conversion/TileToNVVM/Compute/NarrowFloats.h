//===- NarrowFloats.h - fp8, fp6 and fp4 to wider floats and back -*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_NARROWFLOATS_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_NARROWFLOATS_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// Whether floats of `type` are narrower than f16 and no powers of two: they travel as
/// their bits.
bool isBelowHalf(Type type);

/// Whether `type` is e4m3 or e5m2, of which four lie in a word.
bool isFloat8(Type type);

/// Narrow floats of type `from` as f16, exactly. `areApart` says that no four of them are in
/// a register.
SmallVector<Value> widenToHalves(ThreadEmitter &emitter, ArrayRef<Value> values,
                                 Type from, bool areApart);

/// f16 or f32 as narrow floats of type `to`, rounded once.
SmallVector<Value> narrowToBits(ThreadEmitter &emitter, ArrayRef<Value> values,
                                Type to);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_NARROWFLOATS_H
