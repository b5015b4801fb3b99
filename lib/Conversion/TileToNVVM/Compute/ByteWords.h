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

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_COMPUTE_BYTEWORDS_H
