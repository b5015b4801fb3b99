//===- TestArenaProblem.cpp - Packs launches and rings that might be ------===//
//
// A tagged buffer with `test.slots = N` and `test.loop = "tag"` becomes a
// candidate: N slots, live in the loop of that tag. With `test.in_front` it is the ring
// of a loop that is planned already.
//
//===----------------------------------------------------------------------===//

#include "TestAnalyses.h"

#include "tile/Analysis/ArenaProblem.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::tile;

namespace {
/// Remarks on tagged buffers: bytes, alignment, lifetimes and offset; on
/// launches: the bytes in total and their lower bound.
struct TestArenaProblem : PassWrapper<TestArenaProblem, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestArenaProblem)
  StringRef getArgument() const override { return "test-tile-arena-problem"; }

  static SmallVector<SlotCandidate> getCandidates(LaunchOp launch,
                                                  bool isInFront) {
    SmallVector<SlotCandidate> candidates;
    launch.walk([&](AllocOp alloc) {
      auto slots = alloc->getAttrOfType<IntegerAttr>("test.slots");
      auto name = alloc->getAttrOfType<StringAttr>("test.loop");
      if (!slots || !name || alloc->hasAttr("test.in_front") != isInFront)
        return;
      launch.walk([&](Operation *op) {
        if (test::getTag(op) == name.getValue())
          candidates.push_back({alloc, slots.getInt(), op});
      });
    });
    return candidates;
  }

  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([&](LaunchOp launch) {
      FailureOr<ArenaProblem> problem = buildArenaProblem(launch);
      if (failed(problem))
        return WalkResult::interrupt();
      addRings(*problem, getCandidates(launch, /*isInFront=*/true));
      SmallVector<SlotCandidate> candidates =
          getCandidates(launch, /*isInFront=*/false);
      auto bytes =
          packCandidates(*problem, candidates, /*limitBytes=*/INT64_MAX);
      if (!bytes) {
        emitRemark(launch.getLoc()) << "packed: nothing.";
        return WalkResult::advance();
      }
      tilec::arena::Problem packing = applyCandidates(*problem, candidates);
      tilec::arena::Solution solution = tilec::arena::solve(packing);
      emitRemark(launch.getLoc()) << "packed: " << *bytes << " bytes, at least "
                                  << solution.lowerBoundBytes << ".";
      remarkOnBuffers(*problem, packing, solution);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

  static void remarkOnBuffers(const ArenaProblem &problem,
                              const tilec::arena::Problem &packing,
                              const tilec::arena::Solution &solution) {
    for (auto [index, alloc] : llvm::enumerate(problem.getBuffers())) {
      if (!test::getTag(alloc))
        continue;
      const tilec::arena::Buffer &buffer = packing.buffers[index];
      InFlightDiagnostic remark = emitRemark(alloc->getLoc())
                                  << *test::getTag(alloc) << ": "
                                  << buffer.sizeBytes << " bytes at "
                                  << solution.offsets[index] << " aligned to "
                                  << buffer.alignmentBytes << ", lives in";
      for (const tilec::arena::Lifetime &span : buffer.lifetimes)
        remark << " [" << span.begin << ", " << span.end << ")";
      remark << ".";
    }
  }
};
} // namespace

void test::registerTestArenaProblem() { PassRegistration<TestArenaProblem>(); }
