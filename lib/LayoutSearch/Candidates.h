//===- Candidates.h - Layouts that a class may have -------------*- C++ -*-===//
//
// The search chooses among finitely many layouts for every class, which are
// listed in the header of the problem. What follows along edges is closed under
// all of them, so that neighbours can agree on what one of them is best with.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_LAYOUTSEARCH_CANDIDATES_H
#define TILE_LIB_LAYOUTSEARCH_CANDIDATES_H

#include "Consequences.h"

namespace tilec::detail {

struct Candidate {
  FragmentLayout layout;
  LayoutReason reason;
};

/// The most candidates of a class.
inline constexpr size_t maxCandidates = 12;

/// By class, its greedy layout first and no layout twice; empty for numbers of
/// nodes that are no class.
std::vector<std::vector<Candidate>>
listCandidates(const LayoutProblem &problem, const GreedyLayouts &greedy,
               const Consequences &consequences);

} // namespace tilec::detail

#endif // TILE_LIB_LAYOUTSEARCH_CANDIDATES_H
