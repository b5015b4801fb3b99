//===- AccessWidth.h - How many elements one access may move ----*- C++ -*-===//
//
// Whether the consecutive registers of a thread can be moved to or from a side
// in one access follows from four things: that they are consecutive in memory,
// that the address is a multiple of the access, that the bounds cut between
// accesses and never through one, and that no access is wider than 16 bytes.
// Inference records the answer on copies, loads and stores; the lowering obeys.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_ACCESSWIDTH_H
#define TILE_ANALYSIS_ACCESSWIDTH_H

#include "tile/Analysis/IndexFacts.h"
#include "tile/Dialect/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::tile {

/// Layouts that are chosen for buffers, by their `tile.alloc`, and not written
/// on them yet.
using PlannedBuffers = llvm::DenseMap<Value, tilec::SharedLayout>;

/// Whether the edge of the memref may cut through an access.
enum class AccessBounds {
  Respect, ///< an access lies inside as a whole or outside as a whole
  Ignore,  ///< the caller knows that the whole tile lies inside
};

/// The largest power of two n such that every aligned group of n consecutive
/// elements along tile dimension `tileDim` can be moved to or from `side` in
/// one access. 1 where nothing better is known.
int64_t getAccessWidth(IndexFacts &facts, const Side &side,
                       ArrayRef<int64_t> tileShape, int tileDim,
                       AccessBounds bounds = AccessBounds::Respect,
                       const PlannedBuffers *planned = nullptr);

/// The same for a fragment: limited by the consecutive registers of `layout`
/// along the dimension its registers run through first, and by its padding. Of a whole
/// buffer these may run on along others, as the layout of the buffer does.
int64_t getAccessWidth(IndexFacts &facts, const Side &side,
                       const tilec::FragmentLayout &layout,
                       AccessBounds bounds = AccessBounds::Respect);

/// How many neighbours one instruction of `target` combines at most.
int64_t getLargestWidth(AtomicRMWOp op, const tilec::GpuTarget &target);

/// Writes on a load or store whose fragment has a layout how many elements its
/// accesses move (`vector_width`, `inner_width`); on an atomic how many elements an
/// instruction of `target` combines.
void recordAccessWidths(IndexFacts &facts, LoadOp op);
void recordAccessWidths(IndexFacts &facts, StoreOp op);
void recordAccessWidths(IndexFacts &facts, AtomicRMWOp op,
                        const tilec::GpuTarget &target);

/// Whether every aligned group of `count` consecutive elements along dimension
/// `dim` of a shared memref lies together and aligned to its size.
bool isSharedGroupContiguous(IndexFacts &facts, Value memref, int64_t dim,
                             int64_t count);

/// The largest power of two n such that every aligned group of n consecutive
/// columns of a `tile.im2col` is n channels of one position of the image, which
/// can be read in one access.
int64_t getImageAccessWidth(IndexFacts &facts, Im2ColOp op);

/// The tile dimension along which `side` is consecutive in memory: the fastest
/// of a shared layout, the innermost of a global memref; nothing if there is
/// none.
std::optional<int>
getContiguousTileDim(const Side &side, ArrayRef<int64_t> tileShape,
                     const PlannedBuffers *planned = nullptr);

/// Whether the box of `side` lies inside its memref along memref dimension
/// `dim`, by assertion or by static bounds, so that no check is needed.
bool isKnownInBounds(IndexFacts &facts, const Side &side,
                     ArrayRef<int64_t> tileShape, int64_t dim);

/// The layout of a shared memref's root buffer; nothing before layouts are
/// chosen.
std::optional<tilec::SharedLayout>
getSharedLayout(Value memref, const PlannedBuffers *planned = nullptr);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_ACCESSWIDTH_H
