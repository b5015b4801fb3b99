//===- Cast.h - Casts between element types ---------------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_CAST_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_CAST_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// A float of type `from`, as it stands in a register, as one of type `to`;
/// rounded once.
Value convertFloat(ThreadEmitter &emitter, Value value, Type from, Type to);

/// The same of many: floats of 8 bits are converted four in a word, f32 to halves two at
/// a time. `areApart` says that no four of them are in a register.
SmallVector<Value> convertFloats(ThreadEmitter &emitter, ArrayRef<Value> values,
                                 Type from, Type to, bool areApart = false);

/// An element as copies convert it: i1 widens as 0 or 1, other integers with
/// their sign.
Value convertElement(ThreadEmitter &emitter, Value value, Type from, Type to);

/// How many elements are best converted at once.
int64_t getConvertedAtOnce(Type from, Type to);

/// The same of many, `getConvertedAtOnce` at a time; `areApart` as of convertFloats.
SmallVector<Value> convertElements(ThreadEmitter &emitter,
                                   ArrayRef<Value> values, Type from, Type to,
                                   bool areApart = false);

/// Lowers `op`, which converts integers to floats, where those are i4, or i8 four of
/// which are neighbours, and these f32, f16 or bf16 (NarrowIntegers.cpp); fails,
/// without an error, elsewhere.
LogicalResult convertNarrowIntegers(ThreadEmitter &emitter, Operation *op,
                                    bool isSigned);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_CAST_H
