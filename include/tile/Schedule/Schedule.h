//===- Schedule.h - Overlapping the iterations of a loop --------*- C++ -*-===//
//
// A loop body is a list of statements. A schedule gives each of them a stage
// and an order: in step t of the pipelined loop, statement s does the work of
// iteration t - stage(s), and within a step statements run by their order.
//
//     Body -> buildGraph -> Problem -> solve -> Schedule -> validate
//
//             step   0     1     2     3          stage 0: copy
//     iteration 0   copy         gemm             stage 2: gemm
//     iteration 1         copy         gemm
//
// Dependences are edges with a distance, the number of iterations from the one
// to the other: whatever `to` does in iteration i + distance comes after what
// `from` does in iteration i. A schedule is right if every edge holds:
//
//     stage(to) + distance > stage(from)
//     or both are equal and order(from) < order(to)
//
// A place with several slots is written in turn: iteration i uses slot
// i mod slots. What would overwrite what another iteration still needs (anti
// and output dependences across iterations) then keeps a distance of `slots`.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_SCHEDULE_SCHEDULE_H
#define TILE_SCHEDULE_SCHEDULE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilec::schedule {

//===----------------------------------------------------------------------===//
// Loop bodies
//===----------------------------------------------------------------------===//

/// A touch of a place, which is memory that is named as a whole: a shared
/// buffer, a tensor in global memory.
struct Access {
  int place = 0;
  bool reads = false;
  bool writes = false;
  /// Writes with the same kind that is not negative commute: atomics whose old
  /// value nobody uses.
  int combines = -1;
};

/// A value that a statement needs, made `distance` iterations before: 0 in the
/// same iteration, 1 where the loop carries it.
struct Use {
  int value = 0;
  int distance = 0;
};

struct Statement {
  std::string name; ///< for messages
  std::vector<Access> accesses = {};
  std::vector<Use> uses = {};
  std::vector<int> defines = {}; ///< values; each is defined by one statement
  /// Is ordered with everything that touches memory and with all other opaque
  /// statements: a print, an unknown operation.
  bool isOpaque = false;
  /// `solveAhead` may move it, asked to or for the sake of a statement that
  /// needs it. False for what would take all computation along, such as a gemm.
  bool mayRunAhead = true;
  /// `solveModulo` leaves it at the last stage.
  bool isLast = false;
  /// Cycles for which the block can issue nothing else.
  int64_t issueCycles = 1;
  /// Cycles after its issue began until its values and writes can be used.
  int64_t latencyCycles = 0;
  /// Its writes are there some time after it: who reads them waits for that.
  bool arrivesLate = false;
  /// Registers that each of its values takes, per thread.
  int64_t registers = 0;
};

struct Place {
  std::string name;
  /// Every read follows a write of all of it in the same iteration: nothing
  /// flows from one iteration to the next, and the place may have slots, unless
  /// it overlaps another.
  bool isPrivate = false;
  int64_t bytes = 0; ///< of one slot
  /// Threads write it for each other: there is a barrier between a write and
  /// what else touches the same slot.
  bool isHandedOn = false;
  /// A slot is filled again only in the step behind that of its last reader: one
  /// barrier a step then orders all of it.
  bool isReusedNextStep = false;
};

struct Overlap {
  int first = 0, second = 0; ///< different places that may share bytes
};

/// The statements in program order.
struct Body {
  std::vector<Statement> statements;
  std::vector<Place> places;
  std::vector<Overlap> overlaps;
  /// Values defined outside or recomputed at will have no defining statement.
  int valueCount = 0;
};

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

enum class Dependence {
  Value,           ///< `to` uses what `from` defines
  ReadAfterWrite,  ///< flow through a place
  WriteAfterRead,  ///< anti
  WriteAfterWrite, ///< output
  Order,           ///< one of them is opaque
};

/// Statements are named by their index.
struct Edge {
  int from = 0, to = 0;
  int distance = 0;
  Dependence kind = Dependence::Value;
  /// The place, or the value if the kind is `Value`; -1 if neither.
  int subject = -1;
  bool operator==(const Edge &) const = default;
};

struct Graph {
  std::vector<Edge> edges;
};

/// What is wrong with `body`, or nothing: an index out of range, a value
/// defined twice or used before it is defined with distance 0, a distance other
/// than 0 and 1, an access that does nothing or combines without a write, a
/// private place that is read first, a place that overlaps itself, a negative
/// number of cycles, registers or bytes.
std::optional<std::string> checkBody(const Body &body);

/// All dependences of a body that passes `checkBody`, sorted, each once. Edges
/// that follow from others are kept.
Graph buildGraph(const Body &body);

/// A clause with both statements, what they share and the distance: "'gemm'
/// reads what 'copy' writes to 'A' in the same iteration".
std::string describe(const Body &body, const Edge &edge);

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

struct Problem {
  Body body;
  Graph graph;
  /// Slots of each place; more than 1 only where the place is private and
  /// overlaps no other.
  std::vector<int> slots;
  /// Of the block at each barrier, for `predictCycles`.
  int64_t barrierCycles = 0;
};

/// One entry a statement.
struct Schedule {
  std::vector<int> stages; ///< from 0 on
  std::vector<int> orders; ///< distinct
  int getLastStage() const;
  bool operator==(const Schedule &) const = default;
};

/// An edge that a schedule breaks.
struct Violation {
  int edge = 0;
  std::string message; ///< one sentence, with both statements and their stages
};

/// The first edge that `schedule` breaks, or nothing. Also refuses, with edge
/// -1, schedules of the wrong size, negative stages, equal orders, and slots of
/// places that cannot have them. Shares no code with the solvers.
std::optional<Violation> validate(const Problem &problem,
                                  const Schedule &schedule);

/// What a violation says of an edge, with the stages and orders that `schedule`
/// gives both statements: those that a program says may be equal.
std::string describeBreak(const Problem &problem, const Schedule &schedule,
                          const Edge &edge);

/// The fewest slots of each place with which `schedule` is right, whatever
/// `problem.slots` says: 1 where a place is not private or overlaps another.
std::vector<int> countSlots(const Problem &problem, const Schedule &schedule);

/// The fewest barriers in a step with which threads see each other's writes to
/// places that they hand on. `schedule` must be right.
int countBarriers(const Problem &problem, const Schedule &schedule);

/// Registers of the values that live from one step into the next, once for each
/// step that a value lives beyond its own.
int64_t countRegisters(const Body &body, const Schedule &schedule);

//===----------------------------------------------------------------------===//
// First solver: some statements ahead, the rest in program order
//===----------------------------------------------------------------------===//

/// A statement that is to run `distance` iterations (at least 1) ahead of
/// computation.
struct Ahead {
  int statement = 0;
  int distance = 0;
  /// Issued behind the computation of the step instead of as early as is
  /// legal: a store of what was loaded at its beginning.
  bool isLate = false;
};

struct AheadPlan {
  Schedule schedule;
  /// How many iterations each statement runs ahead; none may be at 0.
  std::vector<int> leads;
  /// Those that do not run as far ahead as asked, each with the edge that
  /// forbids it; -1 where it may not run ahead itself.
  struct Refusal {
    int statement = 0;
    int edge = -1;
    std::string message; ///< one sentence with both statements of the edge
  };
  std::vector<Refusal> refusals;
};

/// Runs `ahead` ahead, together with what they need: the statements that define
/// their values, and those that write, earlier in the same iteration, what they
/// read or overwrite. What is needed runs at the same distance, or farther ahead
/// if an edge or another request demands it. The largest set of requests that is
/// legal is granted. Everything else runs in program order at the last stage.
/// What runs ahead goes as early in the step as its edges allow, what is late
/// behind all else. The schedule is always right.
AheadPlan solveAhead(const Problem &problem, const std::vector<Ahead> &ahead);

//===----------------------------------------------------------------------===//
// Second solver: modulo scheduling
//===----------------------------------------------------------------------===//

struct Limits {
  int maxStages = 1;
  int64_t sharedBytes = 0; ///< for all slots of private places together
  int64_t registers = 0;   ///< for values that live from step to step
};

/// Cycles that one iteration takes in the long run, rounded up, if statements
/// issue in order and each waits for the values and writes that it needs, and
/// those of the barriers of a step. `schedule` must be right.
int64_t predictCycles(const Problem &problem, const Schedule &schedule);

/// The schedule with the fewest predicted cycles that is found under `limits`;
/// of those the one with the fewest stages, then the closest to program order.
/// Iterative modulo scheduling (Rau 1994) over increasing initiation intervals,
/// asynchronous statements ahead by each distance, small changes of the best.
/// The problem's slots are ignored and follow from the schedule (`countSlots`).
/// Nothing if none is faster than the program's order. Deterministic.
std::optional<Schedule> solveModulo(const Problem &problem,
                                    const Limits &limits);

} // namespace tilec::schedule

#endif // TILE_SCHEDULE_SCHEDULE_H
