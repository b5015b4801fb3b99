//===- CopyFacts.h - What an instruction can copy ---------------*- C++ -*-===//
//
// Whether a row of the table of copy instructions can carry out a copy: the one
// place that layout inference chooses by and that stage `laid_out` checks with.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_COPYFACTS_H
#define TILE_DIALECT_TILE_COPYFACTS_H

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/BulkBoxes.h"
#include "tile/Hardware/BulkReductions.h"
#include "tile/Hardware/CopyInstruction.h"

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tile {

/// Where a memref lives, as instructions name it.
tilec::MemorySpace getMemorySpace(MemRefType type);

/// Why `row` does not move elements of `source` to `dest`, `accessBits` an
/// access; nothing if it does. To be read after the instruction's name.
std::optional<std::string> findObstacle(const tilec::CopyInstruction &row,
                                        MemRefType source, MemRefType dest,
                                        int64_t accessBits);

/// How many elements an access to a side of type `side` moves, of a copy of
/// `vectorWidth` elements at a time: where elements change type, those of the
/// wider one may take several accesses.
int64_t getSideWidth(MemRefType side, int64_t vectorWidth);

/// Whether `op` is a copy by bulk copies from global memory, whose bytes are
/// counted at an mbarrier; or to global memory; or either. They move boxes by a
/// tensor map, or spans of bytes (SpanCopies.h).
bool isBulkLoad(Operation *op);
bool isBulkStore(Operation *op);
bool isBulkCopy(Operation *op);
/// How a copy by bulk tensor copies combines what it moves into what is there;
/// nothing of one that replaces it, as all others do.
std::optional<arith::AtomicRMWKind> getCombination(TensorCopyOpInterface copy);
/// The same of `row` for elements of `type`.
std::optional<arith::AtomicRMWKind>
getCombination(const tilec::CopyInstruction &row, Type type);
/// The reduction that combines elements of `type` by `kind`, as tensor maps
/// describe them (docs/KernelABI.md): integers without a sign.
std::optional<tilec::BulkReduction> findReduction(arith::AtomicRMWKind kind,
                                                  Type type);

/// `op` as a copy by bulk copies; null if it is none.
TensorCopyOpInterface getBulkCopy(Operation *op);
/// Where a copy in im2col mode goes in its image; entries are of height and width.
struct PixelWalk {
  SmallVector<int64_t, 2> lower, upper; ///< corners
  SmallVector<int64_t, 2> strides;
  bool operator==(const PixelWalk &) const = default;
};

/// Nothing for copies in tile mode.
std::optional<PixelWalk> getPixelWalk(TensorCopyOpInterface copy);

/// The memref that the tensor map of a bulk copy describes.
Value getTensor(TensorCopyOpInterface copy);

/// Why the bulk copy that `copy` has for its instruction does not carry it out,
/// whatever the layout of its buffer; nothing if it does. To be read after the
/// instruction's name.
std::optional<std::string> findRowObstacle(TensorCopyOpInterface copy);

/// The boxes or spans that move a copy by bulk copies of `row`, where the buffer
/// of its shared side has the layout `buffer`; or what is in the way. Offsets
/// of pieces are per dimension of the global memref (of an image's matrix, its
/// rows and columns), bytes count from the first
/// element of the shared side. `getDivisor` is asked what divides places in the
/// buffer that are not constant; without it they are taken to be where boxes
/// may begin.
tilec::Expected<tilec::BulkBoxes>
getBulkBoxes(TensorCopyOpInterface copy, const tilec::CopyInstruction &row,
             const tilec::SharedLayout &buffer,
             llvm::function_ref<int64_t(Value)> getDivisor = nullptr);

/// The same for a copy whose instruction and buffer are chosen; where several
/// blocks bring the tile (`multicast`), the boxes of one of them.
tilec::Expected<tilec::BulkBoxes>
getBulkBoxes(TensorCopyOpInterface copy,
             llvm::function_ref<int64_t(Value)> getDivisor = nullptr);

/// Whether padding with `pad` (null: zero) fills with zero bits.
bool isZeroPad(Value pad);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_COPYFACTS_H
