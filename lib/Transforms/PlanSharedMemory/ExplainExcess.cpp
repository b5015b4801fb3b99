//===- ExplainExcess.cpp - What would fit instead -------------------------===//

#include "ExplainExcess.h"

#include "tile/Dialect/Tile/Stages.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tile;

using tilec::arena::Problem;

namespace {

/// The indices of the rings that each loop uses.
using RingsOfLoops = llvm::MapVector<Operation *, SmallVector<int>>;

class ExcessExplainer {
public:
  ExcessExplainer(const ArenaProblem &arena, const tilec::GpuTarget &target)
      : arena(arena), target(target) {}

  void addPeak(InFlightDiagnostic &error) const;
  void addReuse(InFlightDiagnostic &error, const ReusePlan &plan) const;
  void addStages(InFlightDiagnostic &error) const;
  void addBuffers(InFlightDiagnostic &error) const;
  void addChips(InFlightDiagnostic &error, int64_t bytes) const;

private:
  RingsOfLoops collectRings() const;
  int64_t countSlots(ArrayRef<int> rings) const;
  void setSlots(Problem &problem, ArrayRef<int> rings, int64_t slots) const;
  int64_t pack(const Problem &problem) const {
    return tilec::arena::solveWithin(problem, target.maxSharedBytesPerBlock)
        .totalBytes;
  }
  bool fits(const Problem &problem) const {
    return pack(problem) <= target.maxSharedBytesPerBlock;
  }

  const ArenaProblem &arena;
  const tilec::GpuTarget &target;
};

} // namespace

void ExcessExplainer::addPeak(InFlightDiagnostic &error) const {
  error.attachNote() << "live at the peak:\n"
                     << tilec::arena::formatPeak(arena.packing);
}

/// Where only the policy is in the way.
void ExcessExplainer::addReuse(InFlightDiagnostic &error,
                               const ReusePlan &plan) const {
  if (plan.packedBytes <= target.maxSharedBytesPerBlock)
    error.attachNote() << "with reuse=cold the launch fits in "
                       << plan.packedBytes << " bytes";
}

//===----------------------------------------------------------------------===//
// Fewer stages
//===----------------------------------------------------------------------===//

/// Rings by the loop that uses them: the first in the block of the ring itself.
RingsOfLoops ExcessExplainer::collectRings() const {
  RingsOfLoops rings;
  for (auto [index, buffer] : llvm::enumerate(arena.getBuffers())) {
    AllocOp alloc = buffer;
    if (getSlotCount(alloc) == 1)
      continue;
    Operation *first = nullptr;
    for (Operation *user : alloc->getUsers()) {
      Operation *loop = alloc->getBlock()->findAncestorOpInBlock(*user);
      if (isa_and_nonnull<LoopLikeOpInterface>(loop) &&
          (!first || loop->isBeforeInBlock(first)))
        first = loop;
    }
    if (first)
      rings[first].push_back(index);
  }
  return rings;
}

int64_t ExcessExplainer::countSlots(ArrayRef<int> rings) const {
  int64_t most = 1;
  for (int ring : rings)
    most = std::max(most, getSlotCount(arena.getBuffers()[ring]));
  return most;
}

/// Leaves each of `rings` at most `slots` slots.
void ExcessExplainer::setSlots(Problem &problem, ArrayRef<int> rings,
                               int64_t slots) const {
  for (int ring : rings) {
    int64_t present = getSlotCount(arena.getBuffers()[ring]);
    int64_t &bytes = problem.buffers[ring].sizeBytes;
    bytes = bytes / present * std::min(present, slots);
  }
}

void ExcessExplainer::addStages(InFlightDiagnostic &error) const {
  RingsOfLoops loops = collectRings();
  if (loops.empty())
    return;
  auto describe = [](int64_t slots) {
    return std::to_string(slots) + (slots == 1 ? " stage" : " stages");
  };
  bool isSolved = false;
  int64_t mostStages = 1;
  for (const auto &[loop, rings] : loops) {
    int64_t present = countSlots(rings);
    mostStages = std::max(mostStages, present);
    for (int64_t slots = present - 1; slots >= 1; --slots) {
      Problem fewer = arena.packing;
      setSlots(fewer, rings, slots);
      if (!fits(fewer))
        continue;
      error.attachNote(loop->getLoc())
          << "the launch fits if this loop has " << describe(slots)
          << " instead of " << present << ": " << pack(fewer) << " bytes";
      isSolved = true;
      break;
    }
  }
  if (isSolved)
    return;
  // No loop alone is enough.
  for (int64_t slots = mostStages - 1; slots >= 1; --slots) {
    Problem fewer = arena.packing;
    for (const auto &[loop, rings] : loops)
      setSlots(fewer, rings, slots);
    if (fits(fewer)) {
      error.attachNote() << "the launch fits if each loop has at most "
                         << describe(slots) << ": " << pack(fewer) << " bytes";
      return;
    }
    if (slots == 1)
      error.attachNote() << "without stages the launch needs " << pack(fewer)
                         << " bytes";
  }
}

//===----------------------------------------------------------------------===//
// Smaller buffers, larger chips
//===----------------------------------------------------------------------===//

/// For the largest buffers of the peak: the largest power of two to divide it
/// by for the launch to fit.
void ExcessExplainer::addBuffers(InFlightDiagnostic &error) const {
  constexpr size_t maxBuffers = 4;
  constexpr int64_t smallestPart = 16;
  std::vector<int> peak = tilec::arena::getPeak(arena.packing);
  auto getSize = [&](int buffer) {
    return arena.packing.buffers[buffer].sizeBytes;
  };
  llvm::sort(peak, [&](int a, int b) {
    return std::pair(-getSize(a), a) < std::pair(-getSize(b), b);
  });
  if (peak.size() > maxBuffers)
    peak.resize(maxBuffers);
  for (int buffer : peak) {
    AllocOp alloc = arena.getBuffers()[buffer];
    Diagnostic &note = error.attachNote(alloc.getLoc());
    note << "a buffer of " << getSize(buffer) << " bytes";
    for (int64_t part = 2; part <= smallestPart; part *= 2) {
      Problem smaller = arena.packing;
      smaller.buffers[buffer].sizeBytes /= part;
      if (!fits(smaller))
        continue;
      note << "; the launch fits with 1/" << part << " of it here";
      break;
    }
  }
}

void ExcessExplainer::addChips(InFlightDiagnostic &error, int64_t bytes) const {
  SmallVector<StringRef> chips;
  int64_t most = 0;
  for (const tilec::GpuTarget &chip : tilec::getKnownTargets()) {
    most = std::max(most, chip.maxSharedBytesPerBlock);
    if (chip.maxSharedBytesPerBlock >= bytes)
      chips.push_back(chip.name);
  }
  Diagnostic &note = error.attachNote();
  if (chips.empty()) {
    note << "no known chip has so much: the most is " << most << " bytes";
    return;
  }
  note << "chips that take it as it is: ";
  llvm::interleaveComma(chips, note);
}

LogicalResult tile::explainExcess(LaunchOp launch, const ArenaProblem &arena,
                                  const ReusePlan &plan,
                                  const tilec::GpuTarget &target) {
  int64_t bytes = plan.solution.totalBytes;
  int64_t limit = target.maxSharedBytesPerBlock;
  InFlightDiagnostic error =
      emitErrorWithoutRegions(launch)
      << "needs " << bytes << " bytes of shared memory; a block of "
      << target.name << " has " << limit << ", " << bytes - limit << " too few";
  ExcessExplainer explainer(arena, target);
  explainer.addPeak(error);
  explainer.addReuse(error, plan);
  if (plan.packedBytes > limit) {
    explainer.addStages(error);
    explainer.addBuffers(error);
  }
  explainer.addChips(error, bytes);
  return failure();
}
