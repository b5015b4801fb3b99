//===- ThreadScope.h - The threads that run one piece of code ---*- C++ -*-===//
//
// The threads of a kernel: their numbers and what follows from them. What every
// thread needs once stands in the scope's *prologue*, before its body.
//
// A coordinate of a register is a part known at compile time (the digits of the
// register) plus a part that depends on the thread (the digits of lane and
// warp):
//
//     coordinate = register part + sum over the thread's digits of
//                                  ((number / weight) % extent) * step
//
// The sum is emitted in the prologue, once, whichever access asks for it first;
// everything an access needs then is additions of constants, which LLVM folds
// into the immediate offsets of loads and stores.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_THREADSCOPE_H
#define TILE_LIB_CONVERSION_TILETONVVM_THREADSCOPE_H

#include "ScalarEmitter.h"

#include "tile/Hardware/GpuTarget.h"
#include "tile/Layout/FragmentLayout.h"

#include <algorithm>
#include <map>
#include <optional>

namespace mlir::tile {

/// Where the lane and warp digits of a layout put a thread along one dimension.
struct ThreadCoordinate {
  Value value;                 ///< i32; null where it is 0 in every thread
  std::vector<int64_t> values; ///< all values it takes, ascending

  /// The largest number that the same values are below as below `limit`: one for
  /// all elements of a vector that padding does not cut. One more than the
  /// largest value where all are.
  int64_t getLimit(int64_t limit) const {
    auto first = std::lower_bound(values.begin(), values.end(), limit);
    return first == values.end() ? values.back() + 1 : *first;
  }
};

/// The register part of a register's coordinate.
inline tilec::Coordinate
getRegisterCoordinate(const tilec::FragmentLayout &layout, int64_t reg) {
  return layout.evaluate(reg, 0, 0);
}

/// The register with this register part.
inline int64_t getRegister(const tilec::FragmentLayout &layout,
                           const tilec::Coordinate &coordinate) {
  return layout.invert(coordinate).reg;
}

class ThreadScope {
public:
  /// The scope of `threadCount` threads, whose number in it is `thread` (i32).
  /// Its prologue ends before `endOfPrologue`; `thread` stands there already.
  ThreadScope(ScalarEmitter &emitter, const tilec::GpuTarget &target,
              Value thread, int64_t threadCount, Operation *endOfPrologue);

  int64_t getWarpCount() const { return warpCount; }

  Value getThread() const { return thread; } ///< i32
  Value getLane() const { return lane; }     ///< i32
  Value getWarp() const { return warp; }     ///< i32
  /// Whether this is the thread that acts for all of the scope; null where no
  /// other runs the code.
  Value getIsElected();
  /// From here on the elected thread alone runs what is emitted.
  void setSingleThread() { isSingleThread = true; }
  bool isOneThread() const { return isSingleThread; }

  /// From here on places across lane and warp are computed of the thread's number
  /// where they can be: a register more where both are needed besides.
  void setNumbersThreads() { numbersThreads = true; }

  /// Where what each thread computes once ends.
  Operation *getEndOfPrologue() const { return endOfPrologue; }

  /// The named barrier at which the threads of the scope meet; 0 is that of the
  /// block.
  int64_t getBarrier() const { return barrier; }
  void setBarrier(int64_t id) { barrier = id; }

  /// The named barriers of warpgroups that take turns: where this one waits for its
  /// own, and where the next one does, of `threads` threads each.
  struct Turns {
    Value own, next; ///< i32
    Value isFirst;   ///< whether this is the first warpgroup
    int64_t threads = 0;
  };
  const std::optional<Turns> &getTurns() const { return turns; }
  void setTurns(const Turns &barriers) { turns = barriers; }

  /// The thread's part of the coordinate along `dim`.
  const ThreadCoordinate &getCoordinate(const tilec::FragmentLayout &layout,
                                        int dim);
  const ThreadCoordinate &getCoordinate(const tilec::Digits &lanes,
                                        const tilec::Digits &warps, int dim);
  /// Whether this thread holds the first replica of its elements; null where
  /// nothing is replicated.
  Value getIsFirstReplica(const tilec::FragmentLayout &layout);
  /// Whether register `reg` of this thread lies in the shape; null if always.
  /// `layout` lives as long as the scope.
  Value getIsInShape(const tilec::FragmentLayout &layout, int64_t reg);

private:
  class InPrologue;
  Value emitDigits(const tilec::Digits &digits, Value number, int dim);
  Value emitDigits(const tilec::Digits &lanes, const tilec::Digits &warps,
                   int dim);
  Value emitElection();

  ScalarEmitter &emitter;
  const tilec::GpuTarget &target;
  Operation *endOfPrologue;
  int64_t warpCount;
  int64_t barrier = 0;
  bool isSingleThread = false;
  bool numbersThreads = false;
  std::optional<Turns> turns;
  Value thread, lane, warp; ///< i32
  Value isElected;          ///< null until it is asked for
  std::map<std::vector<int64_t>, ThreadCoordinate> coordinates;
  std::map<std::vector<int64_t>, Value> firstReplicas;
  std::map<std::vector<int64_t>, Value> shapeConditions;
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_THREADSCOPE_H
