//===- Cast.h - Casts between element types ---------------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_CAST_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_CAST_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// A float of type `from`, as it stands in a register, as one of type `to`;
/// rounded once.
Value convertFloat(ThreadEmitter &emitter, Value value, Type from, Type to);

/// An element as copies convert it: i1 widens as 0 or 1, other integers with
/// their sign.
Value convertElement(ThreadEmitter &emitter, Value value, Type from, Type to);

/// The same for elements that go on together, as to one word of memory: f32 to f16 or
/// bf16 two at a time, which one instruction converts.
SmallVector<Value> convertElements(ThreadEmitter &emitter,
                                   ArrayRef<Value> values, Type from, Type to);

/// Lowers `op`, which converts integers to floats, where those are i4, or i8 four of
/// which are neighbours, and these f32, f16 or bf16 (NarrowIntegers.cpp); fails,
/// without an error, elsewhere.
LogicalResult convertNarrowIntegers(ThreadEmitter &emitter, Operation *op,
                                    bool isSigned);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_CAST_H
