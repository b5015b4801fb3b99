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

/// Whether `op` is a copy by bulk tensor copies from global memory, whose bytes
/// are counted at an mbarrier; or to global memory; or either.
bool isBulkLoad(Operation *op);
bool isBulkStore(Operation *op);
bool isBulkCopy(Operation *op);
/// `op` as a copy by bulk tensor copies; null if it is none.
CopyOp getBulkCopy(Operation *op);

/// Why `row`, a bulk tensor copy, does not carry out `copy`, whatever the layout
/// of its buffer; nothing if it does. To be read after the instruction's name.
std::optional<std::string> findBulkObstacle(CopyOp copy,
                                            const tilec::CopyInstruction &row);
/// The same for the instruction that the copy has.
std::optional<std::string> findBulkObstacle(CopyOp copy);

/// The boxes that move a copy by bulk tensor copies of `row`, where the buffer
/// of its shared side has the layout `buffer`; or what is in the way. Offsets
/// of pieces are per dimension of the global memref, bytes count from the first
/// element of the shared side. `getDivisor` is asked what divides places in the
/// buffer that are not constant; without it they are taken to be where boxes
/// may begin.
tilec::Expected<tilec::BulkBoxes>
getBulkBoxes(CopyOp copy, const tilec::CopyInstruction &row,
             const tilec::SharedLayout &buffer,
             llvm::function_ref<int64_t(Value)> getDivisor = nullptr);

/// The same for a copy whose instruction and buffer are chosen; where several
/// blocks bring the tile (`multicast`), the boxes of one of them.
tilec::Expected<tilec::BulkBoxes>
getBulkBoxes(CopyOp copy,
             llvm::function_ref<int64_t(Value)> getDivisor = nullptr);

/// Whether padding with `pad` (null: zero) fills with zero bits.
bool isZeroPad(Value pad);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_COPYFACTS_H
