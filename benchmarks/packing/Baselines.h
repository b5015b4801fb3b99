//===- Baselines.h - The packers that others ship ---------------*- C++ -*-===//
//
// Both walk the buffers once, by the begin of their lifetimes, and never look
// back. They see a lifetime with gaps as one from its first to its last point.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_BENCHMARKS_PACKING_BASELINES_H
#define TILE_BENCHMARKS_PACKING_BASELINES_H

#include "tile/Arena/Arena.h"

/// The lowest gap between the live buffers that is large enough.
tilec::arena::Solution packByLinearScan(const tilec::arena::Problem &problem);

/// The smallest gap between the live buffers that is large enough; above all of
/// them where none is.
tilec::arena::Solution packByBestFit(const tilec::arena::Problem &problem);

#endif // TILE_BENCHMARKS_PACKING_BASELINES_H
