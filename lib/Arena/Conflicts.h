//===- Conflicts.h - The conflict graph of a packing problem ----*- C++ -*-===//
//
// Pairs of conflicting buffers as a symmetric matrix, and its cliques. The
// bytes that the buffers of a clique take end to end bound every solution from
// below; for lifetimes without extra conflicts the heaviest clique is the
// largest sum of sizes live at one point.
//
// Buffers of no bytes conflict with nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ARENA_CONFLICTS_H
#define TILE_LIB_ARENA_CONFLICTS_H

#include "tile/Arena/Arena.h"

#include <span>

namespace tilec::arena {

/// Indices of pairwise conflicting buffers, increasing.
using Clique = std::vector<int>;

class Conflicts {
public:
  explicit Conflicts(const Problem &problem);

  int getCount() const { return count; }
  bool conflict(int first, int second) const {
    return matrix[static_cast<size_t>(first) * count + second];
  }
  /// Which buffers conflict with one: 1, the others 0.
  std::span<const char> getRow(int buffer) const {
    return {matrix.data() + static_cast<size_t>(buffer) * count,
            static_cast<size_t>(count)};
  }
  const std::vector<int> &getNeighbors(int buffer) const {
    return neighbors[buffer];
  }

private:
  int count = 0;
  std::vector<char> matrix; ///< not bits, which take longer to read
  std::vector<std::vector<int>> neighbors;
};

/// What the buffers take end to end in any order: every size but the last is
/// rounded up to the smallest alignment among them.
int64_t getCliqueBytes(const Problem &problem, const Clique &clique);

/// Maximal cliques that bound well, heaviest first: those of each program
/// point, one grown around each buffer, and the heaviest that a bounded exact
/// search finds. Never empty unless there are no buffers.
std::vector<Clique> collectCliques(const Problem &problem,
                                   const Conflicts &conflicts);

/// The smallest multiple of `alignment` (a power of two) not below `value`.
inline int64_t alignUp(int64_t value, int64_t alignment) {
  return (value + alignment - 1) & -alignment;
}

} // namespace tilec::arena

#endif // TILE_LIB_ARENA_CONFLICTS_H
