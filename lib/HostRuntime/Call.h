//===- Call.h - One run of a host function ----------------------*- C++ -*-===//

#ifndef TILE_LIB_HOSTRUNTIME_CALL_H
#define TILE_LIB_HOSTRUNTIME_CALL_H

#include "Backend.h"

#include <set>

/// Everything between `tileRtEnter` and `tileRtLeave`.
struct TileRtCall {
  const TileRtFunction *function = nullptr;
  tilec::rt::Backend *backend = nullptr;
  TileRtStream stream = nullptr;
  /// What memref.alloc made and memref.dealloc did not end.
  std::set<uint64_t> buffers;
  /// The first thing that went wrong.
  tilec::rt::Problem problem;

  /// Keeps `newProblem`, which happened at `place`, where it is the first.
  void fail(const char *place, tilec::rt::Problem newProblem) {
    if (!newProblem || problem)
      return;
    newProblem.message = place + (": " + newProblem.message);
    problem = std::move(newProblem);
  }
};

namespace tilec::rt {

/// The memref that `words` begin with, which are moved behind it.
MemRefView readMemRef(int64_t rank, int64_t elementBits, const int64_t *&words);

/// A memref type's fixed parts.
MemRefShape getShape(const TileRtMemRef &type);

/// As many entries as there are, or none.
inline std::span<const int64_t> getEntries(const int64_t *entries,
                                           int64_t count) {
  return {entries, entries ? static_cast<size_t>(count) : 0};
}

} // namespace tilec::rt

#endif // TILE_LIB_HOSTRUNTIME_CALL_H
