//===- VectorClock.h - What a thread knows has happened ---------*- C++ -*-===//
//
// A vector clock with two parts. The dense part has one component per warp of
// the cluster: all lanes of that warp up to the clock are known. The sparse
// part has what the dense part cannot say, by key:
//   - one lane of a warp (an elected thread released for itself alone),
//   - a warp or lane of another cluster (ordered through global memory),
//   - the phase of an mbarrier (asynchronous copies that completed on it).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_CHECKERS_VECTORCLOCK_H
#define TILE_LIB_EMULATOR_CHECKERS_VECTORCLOCK_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tilec::emu {

inline constexpr uint32_t allLanes = 63;

/// Keys of the sparse part.
inline uint64_t laneKey(uint32_t cluster, uint32_t warp, uint32_t lane) {
  return uint64_t(cluster) << 24 | uint64_t(warp) << 8 | lane;
}
inline uint64_t mbarrierKey(uint32_t id) { return uint64_t(1) << 62 | id; }

class VectorClock {
public:
  VectorClock() = default;
  explicit VectorClock(size_t warps) : dense(warps) {}

  uint32_t warp(size_t index) const {
    return index < dense.size() ? dense[index] : 0;
  }
  void setWarp(size_t index, uint32_t clock) {
    if (index >= dense.size())
      dense.resize(index + 1);
    dense[index] = clock;
  }
  uint32_t find(uint64_t key) const {
    for (const auto &[k, clock] : sparse)
      if (k == key)
        return clock;
    return 0;
  }
  void raise(uint64_t key, uint32_t clock) {
    for (auto &[k, c] : sparse)
      if (k == key) {
        c = c < clock ? clock : c;
        return;
      }
    sparse.emplace_back(key, clock);
  }
  void join(const VectorClock &other) {
    if (dense.size() < other.dense.size())
      dense.resize(other.dense.size());
    for (size_t i = 0; i < other.dense.size(); ++i)
      dense[i] = dense[i] < other.dense[i] ? other.dense[i] : dense[i];
    for (const auto &[key, clock] : other.sparse)
      raise(key, clock);
  }
  void clear() {
    for (uint32_t &clock : dense)
      clock = 0;
    sparse.clear();
  }
  /// Drops lane entries of `cluster` that the dense part already covers.
  void prune(uint32_t cluster) {
    size_t kept = 0;
    for (auto &entry : sparse) {
      bool own = (entry.first >> 62) == 0 && (entry.first >> 24) == cluster;
      size_t index = (entry.first >> 8) & 0xffff;
      if (own && warp(index) >= entry.second)
        continue;
      sparse[kept++] = entry;
    }
    sparse.resize(kept);
  }

  std::vector<uint32_t> dense;
  std::vector<std::pair<uint64_t, uint32_t>> sparse;
};

/// Knowledge of all accesses, and of those generic accesses that a proxy fence
/// has made known to the asynchronous proxy.
struct Knowledge {
  VectorClock all, fenced;

  Knowledge() = default;
  explicit Knowledge(size_t warps) : all(warps), fenced(warps) {}
  void join(const Knowledge &other) {
    all.join(other.all);
    fenced.join(other.fenced);
  }
  void clear() {
    all.clear();
    fenced.clear();
  }
};

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_CHECKERS_VECTORCLOCK_H
