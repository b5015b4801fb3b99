//===- BulkCopies.h - What bulk tensor copies need to know ------*- C++ -*-===//
//
// What copies that become bulk tensor copies (ChooseBulkCopy.cpp) and tiles that
// are staged for one (StageTiles.cpp) ask alike. Most functions say what
// is in the way, and nothing where nothing is.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_INFERLAYOUTS_BULKCOPIES_H
#define TILE_TRANSFORMS_INFERLAYOUTS_BULKCOPIES_H

#include "LaunchLayouts.h"

#include "tile/Hardware/BulkReductions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tile {

/// What is in the way of something, as a sentence for the author.
using Obstacle = std::optional<std::string>;

/// A smaller box takes the copy engine as long as one of this size, and threads
/// copy it in one access each.
constexpr int64_t smallestBoxBytes = 512;

/// The innermost pipelined loop around `op` that a producer is to fill buffers
/// for; null where there is none.
scf::ForOp getProducerLoop(LayoutContext &context, Operation *op);

/// The most `tile.stages` of the loops around `op`, which is how many slots a buffer
/// that it fills may get; 1 outside of such loops.
int64_t getMostStages(LayoutContext &context, Operation *op);

/// The smallest box for which `op` may be a bulk copy: any in a loop with a
/// producer, which would go where threads have to copy.
int64_t getSmallestBoxBytes(LayoutContext &context, Operation *op);

/// The bulk tensor copy between these memories for tensors of `rank`, or of the
/// highest rank that there is, if that is lower; null if there is none. One that
/// combines by `reduction`, or without, one that replaces what is there.
const tilec::CopyInstruction *
findBulkRow(const tilec::GpuTarget &target, tilec::MemorySpace source,
            tilec::MemorySpace dest, int64_t rank,
            std::optional<tilec::BulkReduction> reduction = std::nullopt);

/// The bulk copy of bytes that carries out `copy`, and is no worse than by boxes of
/// `tensorRow`, if those are possible; null where there is none. Blocks of a cluster
/// share boxes. Fails with what is in the way of one that its buffer allows.
tilec::Expected<const tilec::CopyInstruction *>
chooseSpans(LayoutContext &context, TensorCopyOpInterface copy,
            const tilec::CopyInstruction &tensorRow, bool hasBoxes,
            const PlannedBuffers &planned);

/// What is in the way of boxes or spans by `row` that fill the tile of `copy` in its
/// buffer.
Obstacle findBufferObstacle(LayoutContext &context, TensorCopyOpInterface copy,
                            const tilec::CopyInstruction &row,
                            const PlannedBuffers &planned);

/// The bulk tensor copy in im2col mode; null if there is none.
const tilec::CopyInstruction *findIm2ColRow(const tilec::GpuTarget &target);

/// What is not known of the memref that a tensor map would describe.
Obstacle findTensorObstacle(LayoutContext &context, Value memref,
                            const tilec::TensorBox &rules);

/// What is in the way of a tensor map for `side`, of a tile of shape `tile`, whose
/// memref is a view that the launch makes; nothing of other memrefs
/// (LookThroughViews.cpp).
Obstacle findViewObstacle(LayoutContext &context, const Side &side,
                          ArrayRef<int64_t> tile);

/// What in the launch besides `own` writes `memref` by another way than the copy
/// engine, which would not see it; what `mayFollow` holds of does not count
/// (GlobalWrites.h).
Obstacle findOtherWriter(LayoutContext &context, Operation *own, Value memref,
                         llvm::function_ref<bool(Operation *)> mayFollow);

/// What is in the way of copying the rows that `copy` gathers into shared memory in
/// boxes of those that follow each other (SplitRows.cpp).
Obstacle findRunObstacle(LayoutContext &context, CopyOp copy);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_INFERLAYOUTS_BULKCOPIES_H
