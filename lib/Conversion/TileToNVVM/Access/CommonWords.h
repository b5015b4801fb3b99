//===- CommonWords.h - Words in which several store elements ----*- C++ -*-===//
//
// A single narrow element is stored by atomics on the word of 32 bits around it
// (NarrowElements.cpp). Other blocks may touch other bytes of this word
// meanwhile. PTX has no race where all of them do so by atomic accesses of the
// same size; a byte beside a word would be one. So a kernel that stores single
// elements moves what is less than a word by *common words*. Accesses of whole
// words need no such care: who stores an element of theirs meets the elements
// themselves.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_COMMONWORDS_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_COMMONWORDS_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// Whether the kernel stores single narrow elements to global memory.
bool storesSingleElements(ThreadEmitter &emitter);

/// Whether others may store single elements of `memref` while the kernel runs.
bool mayHaveCommonWords(ThreadEmitter &emitter, Value memref);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_COMMONWORDS_H
