//===- RowRuns.h - Rows that follow each other ------------------*- C++ -*-===//
//
// Gathered rows are places that a `tile.parallel` computes. Those of pages follow
// each other within a page, though nobody knows where a page is:
//
//     row(j) = table[j / 32] * 32 + j % 32       a run: 32 iterations, one more each
//
// What is a run is one box of a bulk tensor copy, whose place is that of its first
// row. A run is a power of two of iterations and begins at a multiple of that.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_ROWRUNS_H
#define TILE_ANALYSIS_ROWRUNS_H

#include "tile/Analysis/IndexFacts.h"

namespace mlir::tile {

/// How many rows of `rows`, a fragment of integers or indices, are known to follow
/// each other, from every multiple of that on: a divisor of their number. 1 where
/// nothing is known, or where a scalar program does not compute them by itself.
/// The number of a row may wrap in a run, past 2^31 and more of an i32.
int64_t getRowRun(IndexFacts &facts, Value rows);

/// The number of row `index`, computed where `builder` stands, which is where
/// `rows` are; they have runs.
Value computeRow(OpBuilder &builder, Value rows, int64_t index);

} // namespace mlir::tile

#endif // TILE_ANALYSIS_ROWRUNS_H
