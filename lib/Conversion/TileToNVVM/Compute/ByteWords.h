//===- ByteWords.h - Four bytes in a word -----------------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BYTEWORDS_H
#define TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BYTEWORDS_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

inline constexpr int64_t bytesPerWord = 4;

/// Up to four bytes as a word, the first one lowest; zeros above.
Value joinBytes(ThreadEmitter &emitter, ArrayRef<Value> bytes);

/// `prmt`: a byte of the eight of `low` and `high` for each of the four numbers of
/// `selector`.
Value permuteBytes(ThreadEmitter &emitter, Value low, Value high,
                   int64_t selector);

/// `values`, which have one type, as a vector.
Value joinInVector(ThreadEmitter &emitter, ArrayRef<Value> values);

/// Appends each element of `vector`.
void appendElements(ThreadEmitter &emitter, Value vector,
                    SmallVectorImpl<Value> &elements);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BYTEWORDS_H
