//===- BranchAndBound.h - Exact packing within a node budget ----*- C++ -*-===//
//
// Improves a solution by searching the canonical ones: among the smallest
// packings there is one whose offsets have the least sum, and in it no buffer
// can be moved down. So buffers can be placed in the order of their offsets,
// each at
//
//     floor(b) = the largest end of the placed buffers that conflict with b,
//                rounded up to b's alignment,
//
// and the search chooses only which buffer comes next. Three rules cut it:
//  - bound: a clique's unplaced buffers, stacked from their lowest floor, must
//    end below the best total so far;
//  - dominance: b may not come next if another buffer fits wholly below
//    floor(b), since that one could be moved down;
//  - symmetry: of buffers alike in size, alignment and conflicts the lower
//  index
//    comes first.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ARENA_BRANCHANDBOUND_H
#define TILE_LIB_ARENA_BRANCHANDBOUND_H

#include "Conflicts.h"

namespace tilec::arena {

/// Replaces `solution` by the smallest one found within `nodeBudget` nodes.
/// Returns whether the search was complete, that is, the result is optimal.
bool searchCanonicalSolutions(const Problem &problem,
                              const Conflicts &conflicts,
                              const std::vector<Clique> &cliques,
                              int64_t nodeBudget, Solution &solution);

} // namespace tilec::arena

#endif // TILE_LIB_ARENA_BRANCHANDBOUND_H
