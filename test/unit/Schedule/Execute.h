//===- Execute.h - Running a schedule on symbols ----------------*- C++ -*-===//
//
// Every statement of every iteration computes a symbol of its own: a hash of
// its identity and of all that it reads. Memory holds histories, hashes of all
// that was written since the place was replaced, so that a write that comes too
// early, too late or not at all shows. Atomics of one kind add up in any order.
//
// Places that overlap share a cell. A place with slots has its cells once for
// each, and iteration i uses slot i mod slots.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_SCHEDULE_EXECUTE_H
#define TILE_TEST_UNIT_SCHEDULE_EXECUTE_H

#include "tile/Schedule/Schedule.h"

namespace tilec::schedule::test {

class Executor {
public:
  explicit Executor(const Problem &problem);

  /// All that an observer can see of `trips` iterations: what each statement of
  /// each iteration read, what memory holds after the loop (of a place with
  /// slots the one written last), what opaque statements saw and in which
  /// order.
  std::vector<uint64_t> run(const Schedule &schedule, int trips);
  /// The same of the loop as it is written, with one slot for each place.
  std::vector<uint64_t> runSequentially(int trips);

private:
  struct Cell {
    uint64_t history = 0;
    int combines = -1; ///< kind of the atomics in `sum`
    uint64_t sum = 0;
    uint64_t get() const;
  };

  void reset(int trips);
  void execute(int statement, int iteration, int trips);
  uint64_t readOperands(int statement, int iteration, int trips) const;
  void write(int statement, int iteration, uint64_t symbol);
  Cell &getCell(int place, size_t part, int iteration);

  const Problem &problem;
  std::vector<int> slots;
  std::vector<std::vector<int>> parts; ///< cells of each place, slot 0
  std::vector<int> replacers; ///< who replaces a private place, else -1
  std::vector<Cell> initial;
  std::vector<int> definitions;

  std::vector<Cell> cells;
  std::vector<uint64_t> values; ///< value by iteration
  std::vector<uint64_t> seen;   ///< statement by iteration
  uint64_t touched = 0;         ///< the set of those that touched memory
  uint64_t output = 0;          ///< of opaque statements
};

} // namespace tilec::schedule::test

#endif // TILE_TEST_UNIT_SCHEDULE_EXECUTE_H
