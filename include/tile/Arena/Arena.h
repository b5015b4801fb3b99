//===- Arena.h - Packing buffers into one block of memory -------*- C++ -*-===//
//
// Buffers that are never needed at the same time may share bytes. A problem
// says which may not, a solution gives every buffer an offset, and a validator
// that knows nothing of the solver checks it:
//
//     Problem -> solve -> Solution -> validate
//
//     bytes ^                            two buffers that conflict (their
//           |  +-----------+             lifetimes overlap) may not overlap in
//           |  |     B     |             bytes; A and C do not conflict and
//           |  +--+--+-----+  +-----+    share offset 0
//           |  |  A  |        |  C  |
//           +--+-----+--------+-----+--> time
//
// The solver takes the best of several first-fit orders and, where that does
// not meet the lower bound, searches the canonical solutions (those in which no
// buffer can be moved down) by branch and bound. Same input, same output.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ARENA_ARENA_H
#define TILE_ARENA_ARENA_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilec::arena {

/// A half-open span [begin, end) of program points.
struct Lifetime {
  int64_t begin = 0;
  int64_t end = 0;
  bool operator==(const Lifetime &) const = default;
};

struct Buffer {
  std::string name; ///< for the map only; need not be unique
  int64_t sizeBytes = 0;
  int64_t alignmentBytes = 16; ///< a power of two
  /// When the buffer holds something that is still needed. Several spans where
  /// there are gaps; none where only `Problem::conflicts` speaks.
  std::vector<Lifetime> lifetimes;
};

/// Buffers are named by their index in `buffers`.
struct Problem {
  std::vector<Buffer> buffers;
  /// Pairs that may not share bytes in addition to those whose lifetimes
  /// overlap, in either order: what no linear time can say, such as buffers of
  /// two roles that run concurrently.
  std::vector<std::pair<int, int>> conflicts;

  /// Appends a buffer and returns its index.
  int addBuffer(std::string name, int64_t sizeBytes, int64_t alignmentBytes,
                std::vector<Lifetime> lifetimes = {});
};

struct Solution {
  std::vector<int64_t> offsets; ///< in bytes, one a buffer
  int64_t totalBytes = 0;       ///< the largest end of a buffer
  /// No solution is smaller: what some set of pairwise conflicting buffers
  /// (the peak) takes end to end.
  int64_t lowerBoundBytes = 0;
  /// `totalBytes` is proven to be the least possible.
  bool isOptimal = false;
};

/// The search stops after this many nodes and keeps the best solution so far.
/// The short one takes at most 0.1 ms with 20 buffers (benchmarks/arena); it misses
/// the smallest packing of 7 in 1000 random problems of 20, by 0.5 % at most.
constexpr int64_t shortNodeBudget = 300;
constexpr int64_t longNodeBudget = 50'000;

/// Why `problem` is not one, or nothing: a negative or absurd size (above
/// 2^40), an alignment that is not a power of two up to 2^20, a lifetime that
/// ends before it begins, a conflict with an index that does not exist or of a
/// buffer with itself.
std::optional<std::string> checkProblem(const Problem &problem);

/// Packs the buffers. `problem` must pass `checkProblem`; an invalid one gives
/// a solution without offsets, which `validate` refuses.
Solution solve(const Problem &problem, int64_t nodeBudget = shortNodeBudget);

/// The same, but where the packing of the short search is above `limitBytes` and
/// a smaller one is not excluded, that of the long one.
Solution solveWithin(const Problem &problem, int64_t limitBytes);

/// The bytes of that packing, for less: of parts of the problem that do not conflict
/// only those are packed that may be the largest.
int64_t packBytes(const Problem &problem, int64_t limitBytes);

/// What is wrong with `solution`, in one sentence with the buffers' names and
/// bytes, or nothing. Checks the problem, offsets, alignments, overlaps of
/// conflicting buffers and the totals; shares no code with `solve`.
std::optional<std::string> validate(const Problem &problem,
                                    const Solution &solution);

/// The pairwise conflicting buffers whose sizes sum to the most, by increasing
/// index: the set an error about too much memory lists.
std::vector<int> getPeak(const Problem &problem);

/// The memory map, one line a buffer by offset, and a line of totals:
///
///          offset       bytes  lifetime  name
///               0       32768  [0, 9)    Q
///     ...
///     total 163840 bytes, lower bound 163840 bytes
std::string formatMap(const Problem &problem, const Solution &solution);

/// The buffers of the peak, largest first, and their sum:
///
///           bytes  lifetime  name
///           65536  [1, 8)    K
///     ...
///     163840 bytes are needed at the same time
std::string formatPeak(const Problem &problem);

} // namespace tilec::arena

#endif // TILE_ARENA_ARENA_H
