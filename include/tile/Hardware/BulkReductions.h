//===- BulkReductions.h - Bulk copies that combine --------------*- C++ -*-===//
//
// Rows of the table of copy instructions that do not replace what is in global
// memory: each element of the box is combined into its element of the tensor, by
// an atomic of its own, relaxed at the scope of the device. What the elements
// are, the tensor map says.
//
// Source: PTX ISA 9.0, "cp.reduce.async.bulk" (types) and
// "cp.reduce.async.bulk.tensor".
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_BULKREDUCTIONS_H
#define TILE_HARDWARE_BULKREDUCTIONS_H

#include "tile/Hardware/CopyInstruction.h"

namespace tilec {

enum class BulkReduction { Add, Min, Max, And, Or, Xor };

/// How the row combines; nothing of one that copies.
std::optional<BulkReduction> getReduction(const CopyInstruction &row);

} // namespace tilec

#endif // TILE_HARDWARE_BULKREDUCTIONS_H
