//===- RingConditions.h - Where a use of a ring is there --------*- C++ -*-===//
//
// A loop that fills ahead acquires and commits under the condition that the
// iteration exists which will wait:
//
//     scf.if (%lower < %n)      { acquire, commit 0 }
//     scf.if (%lower + %s < %n) { acquire, commit 1 }
//     scf.for %i = %lower to %n step %s iter_args(%use = 0) {
//       wait %use
//       scf.if (%i + 2 * %s < %n) { acquire, commit %use + 2 }
//     }
//
// Such a condition is a comparison `form < 0` of a linear form, which changes
// with the numbers where control goes along an edge of the loop:
//
//     entry        %lower + k * %s - %n < 0   is   %i + k * %s - %n < 0
//     back edge    %i + k * %s - %n < 0       is   %i' + (k - 1) * %s - %n < 0
//
// where the edge itself says that %i - %n < 0: use 0 is there. Where the loop
// ends %i + %s - %n < 0 does not hold, and none of a further iteration does.
// Other conditions are the value that they are; a loop may carry it.
//
// Sums are taken not to wrap. The forms that the compiler gives conditions where
// sums may wrap are known by what they mean.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_ANALYSIS_RINGCONDITIONS_H
#define TILE_LIB_ANALYSIS_RINGCONDITIONS_H

#include "tile/Analysis/LinearForm.h"

#include "tile/Analysis/StructuredDataflow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tile {

/// A condition on a path of a launch.
struct UseCondition {
  enum Kind {
    Always,
    Less,  ///< `form < 0`
    Truth, ///< `value`
  };
  Kind kind = Always;
  LinearForm form;
  bool isUnsigned = false;
  Value value;

  explicit operator bool() const { return kind != Always; }
  bool operator==(const UseCondition &) const = default;
};

/// What `value` says.
UseCondition getUseCondition(Value value);

/// Whether `condition` holds wherever `fact` does.
bool isImplied(const UseCondition &condition, const UseCondition &fact);

/// Whether `condition` holds nowhere where `fact` does not.
bool isExcluded(const UseCondition &condition, const UseCondition &fact);

/// Whether `condition` does not hold in the last iteration of `loop`.
bool failsInLastIteration(const UseCondition &condition, scf::ForOp loop);

/// What an edge of control says of conditions.
class ConditionEdge {
public:
  explicit ConditionEdge(const RegionEdge &edge);

  /// What holds on the edge, and what does not, in the terms of its start.
  const UseCondition &getHeld() const { return held; }
  const UseCondition &getFailed() const { return failed; }
  /// Whether no run takes the edge.
  bool isNever() const { return never; }
  /// How often the loop that the edge is of goes round, if that is constant.
  std::optional<int64_t> getTrips() const { return trips; }
  Operation *getBranch() const { return edge.op; }
  /// The same condition behind the edge; nothing if it speaks of what is left
  /// behind. `entersLoop`: it is that of a use whose number the loop carries.
  std::optional<UseCondition> cross(UseCondition condition,
                                    bool entersLoop) const;
  /// What `condition`, in the terms of the end of an edge into a loop, says where
  /// the loop has gone round `rounds` times; nothing if that is not constant.
  std::optional<bool> evaluate(const UseCondition &condition,
                               int64_t rounds) const;
  /// Whether the loop has not gone round; always where that is not constant.
  UseCondition getFirstRound() const;

private:
  void describeChoice(scf::IfOp choice);
  void describeFor(scf::ForOp loop);
  void describeWhile(scf::WhileOp loop);
  std::optional<UseCondition> crossTruth(UseCondition condition) const;
  UseCondition substituteBack(UseCondition condition) const;

  RegionEdge edge;
  UseCondition held, failed;
  bool never = false;
  std::optional<int64_t> trips;
  /// The condition to go on of the loop that the edge leads to the head of, at
  /// its end and at its start.
  UseCondition head, headBefore;
  /// What `head` grows by in each round, if that is constant.
  std::optional<int64_t> growth;
  /// What values of the end are at the start.
  SmallVector<std::pair<Value, LinearForm>> received;
};

} // namespace mlir::tile

#endif // TILE_LIB_ANALYSIS_RINGCONDITIONS_H
