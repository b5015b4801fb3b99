//===- SharedViews.h - The arena and views of it ----------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SHAREDVIEWS_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SHAREDVIEWS_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

/// The only digit of a dimension of the layout whose coordinate is one; null if it
/// has others.
const tilec::OffsetDigit *findLinearDigit(const SharedView &view,
                                          int layoutDim);

// The view that an operation makes of a memref in shared memory; failure where
// its elements cannot be told by coordinates any more.

FailureOr<SharedView> takeShared(ThreadEmitter &emitter, AssumeOp op,
                                 SharedView source);
FailureOr<SharedView> takeShared(ThreadEmitter &emitter, memref::CastOp op,
                                 SharedView source);
FailureOr<SharedView> takeShared(ThreadEmitter &emitter,
                                 memref::CollapseShapeOp op, SharedView source);
FailureOr<SharedView> takeShared(ThreadEmitter &emitter,
                                 memref::ExpandShapeOp op, SharedView source);
FailureOr<SharedView> takeShared(ThreadEmitter &emitter,
                                 memref::ReinterpretCastOp op,
                                 SharedView source);
FailureOr<SharedView> takeShared(ThreadEmitter &emitter, memref::SubViewOp op,
                                 SharedView source);

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_SHAREDVIEWS_H
