//===- CopyFacts.h - What an instruction can copy ---------------*- C++ -*-===//
//
// Whether a row of the table of copy instructions can carry out a copy: the one
// place that layout inference chooses by and that stage `laid_out` checks with.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_COPYFACTS_H
#define TILE_DIALECT_TILE_COPYFACTS_H

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

/// Whether padding with `pad` (null: zero) fills with zero bits.
bool isZeroPad(Value pad);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_COPYFACTS_H
