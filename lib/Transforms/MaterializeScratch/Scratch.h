//===- Scratch.h - Buffers that exchange data between threads ---*- C++ -*-===//
//
// What the parts of `tile-materialize-scratch` share: making a buffer for one
// exchange, writing a fragment to it and reading it back in another layout.
//
//     %b = f(%a)      ->     %s = tile.alloc layout(..)
//                            tile.store %a, %s
//                            %b = tile.load %s
//
// Every exchange has a buffer of its own where it is executed, so an exchange
// in a loop has a fresh buffer in every iteration; which of them share bytes is
// for `tile-plan-shared-memory` to find. Barriers are for
// `tile-insert-barriers`.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_MATERIALIZESCRATCH_SCRATCH_H
#define TILE_TRANSFORMS_MATERIALIZESCRATCH_SCRATCH_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/GpuTarget.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::tile {

/// A buffer for elements of `type`, written in the layout of `written` and read
/// in that of `read` (either may be null): the dimension that both access in
/// the widest vectors is the fastest, rows are placed without bank conflicts.
/// Elements narrower than a byte take one each.
Value createScratch(RewriterBase &rewriter, Location loc,
                    ArrayRef<int64_t> shape, Type elementType,
                    FragmentAttr written, FragmentAttr read);

/// The same in a layout that is known.
Value createScratch(RewriterBase &rewriter, Location loc,
                    ArrayRef<int64_t> shape, Type elementType,
                    const tilec::SharedLayout &layout);

/// The bytes of a buffer for all elements of a fragment, and whether a block has them.
int64_t getScratchBytes(RankedTensorType type);
bool fitsSharedMemory(RankedTensorType type, const tilec::GpuTarget &target);

/// Writes the whole of `buffer`; with `indices`, what of the fragment, which lies from
/// there on, is inside of it.
void storeToScratch(RewriterBase &rewriter, Location loc, Value fragment,
                    Value buffer, ValueRange indices = {});

/// The same into a buffer of other elements, of a byte or more, to which `tile.store`
/// converts.
void storeConverted(RewriterBase &rewriter, Location loc, Value fragment,
                    Value buffer, ValueRange indices = {});

/// Reads the whole of `buffer` as a fragment of `type`, which may lack dimensions of
/// extent 1.
Value loadFromScratch(RewriterBase &rewriter, Location loc, Value buffer,
                      RankedTensorType type);

/// A value, fragment or scalar, as such a buffer holds it, and back: elements
/// narrower than a byte are widened and cut.
Value widenToScratch(RewriterBase &rewriter, Location loc, Value value);
Value narrowFromScratch(RewriterBase &rewriter, Location loc, Value value,
                        Type elementType);

/// `fragment` in the layout of `type`, part by part through buffers of half of the shared
/// memory (Parts.cpp). Its elements have not 6 bits.
Value moveInParts(RewriterBase &rewriter, Location loc, Value fragment,
                  RankedTensorType type, const tilec::GpuTarget &target);

/// `fragment` in the layout of `type`, through a buffer made here.
Value moveThroughScratch(RewriterBase &rewriter, Location loc, Value fragment,
                         RankedTensorType type);

/// The type of a fragment of `layout`.
RankedTensorType getFragmentType(const tilec::FragmentLayout &layout,
                                 Type element);

/// A reduction like `reduce` of other sources (Reductions.cpp).
ReduceOp createReduce(RewriterBase &rewriter, ReduceOp reduce,
                      TypeRange results, ValueRange sources, ValueRange inits,
                      ArrayRef<int64_t> dims);

/// The error of a reduction across warps that has no layout, for `reason` (Reductions.cpp).
LogicalResult refuseReduction(ReduceOp reduce, const std::string &reason);

/// A reduction by a combiner whose operands are spread over warps (Combiners.cpp).
LogicalResult materializeCombiner(ReduceOp reduce, RewriterBase &rewriter);

/// The outermost `tile.parallel` around `op` or `op` itself: what stands at block
/// level.
Operation *getBlockLevelOp(Operation *op);

// The parts of the pass, in the order in which they run -----------------------

/// Scans whose operands are spread over warps along the scanned dimension
/// (Scans.cpp).
LogicalResult materializeScans(LaunchOp launch, RewriterBase &rewriter);
/// Reductions whose operands are spread over warps (Reductions.cpp).
LogicalResult materializeReductions(LaunchOp launch, RewriterBase &rewriter);
/// Elements read at indices that another thread holds (Extracts.cpp).
LogicalResult materializeExtracts(LaunchOp launch, RewriterBase &rewriter);
/// Loops that run once for all their replicas and have results
/// (ReplicatedLoops.cpp).
LogicalResult materializeReplicatedLoops(LaunchOp launch,
                                         RewriterBase &rewriter);
/// Fragments that are printed (Prints.cpp).
LogicalResult materializePrints(LaunchOp launch, RewriterBase &rewriter);
/// Exchanges of places of rows that each thread can load (LoadedPlaces.cpp).
LogicalResult loadPlacesAsUsed(LaunchOp launch, RewriterBase &rewriter);
/// Reshapes and insertions for which a thread would hold more of a fragment
/// (Reshapes.cpp).
LogicalResult materializeReshapes(LaunchOp launch, RewriterBase &rewriter);
/// Slices of fragments that would move as a whole (Slices.cpp).
LogicalResult materializeSlices(LaunchOp launch, RewriterBase &rewriter);
/// Stores of results whose threads hold pieces of rows (RowStores.cpp).
LogicalResult materializeRowStores(LaunchOp launch, RewriterBase &rewriter);
/// Exchanges that move data between threads (Exchanges.cpp).
LogicalResult materializeExchanges(LaunchOp launch, RewriterBase &rewriter);
/// Stores and atomics that act once for the block (BlockEffects.cpp).
LogicalResult materializeBlockEffects(LaunchOp launch, RewriterBase &rewriter);

} // namespace mlir::tile

#endif // TILE_TRANSFORMS_MATERIALIZESCRATCH_SCRATCH_H
