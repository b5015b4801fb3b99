//===- bugs.cpp - Mistakes that the checkers must name --------------------===//
//
// Each kernel of bugs.cu has one mistake; the run passes if the expected kind
// of report names it. A checker that fell silent would fail here.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

using namespace tilec::emu;
using namespace tilec::emu::cuda;

CUDA_CASE(missingBarrier, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Race, "shared");
  auto in = run.upload(std::vector<int>(64, 1));
  run.launch("missingBarrier", {1}, {64}, {}, in, run.allocate<int>(64));
}

CUDA_CASE(missingSyncwarp, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Race, "shared");
  auto in = run.upload(std::vector<int>(32, 1));
  run.launch("missingSyncwarp", {1}, {32}, {}, in, run.allocate<int>(32));
}

CUDA_CASE(reusedTooEarly, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Race, "shared");
  auto in = run.upload(std::vector<int>(192, 1));
  run.launch("reusedTooEarly", {1}, {64}, {}, in, run.allocate<int>(64), 3);
}

// The same kernel is right for a single round.
CUDA_CASE(reusedOnce, "bugs.cu", "sm_80") {
  auto in = generate(64, [](size_t i) { return static_cast<int>(i); });
  auto out = run.allocate<int>(64);
  run.launch("reusedTooEarly", {1}, {64}, {}, run.upload(in), out, 1);
  run.expect(out, generate(64, [&](size_t i) { return in[63 - i]; }));
}

CUDA_CASE(pastTheEnd, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::OutOfBounds, "'answer'");
  auto in = run.upload(std::vector<int>(101, 1));
  run.launch("pastTheEnd", {2}, {64}, {}, in, run.allocate<int>(100, "answer"),
             100);
}

CUDA_CASE(pastSharedEnd, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::OutOfBounds, "shared address");
  run.launch("pastSharedEnd", {1}, {32}, {128, {}}, run.allocate<int>(32));
}

CUDA_CASE(neverWritten, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Uninitialized, "4 bytes");
  run.launch("neverWritten", {1}, {64}, {}, run.allocate<int>(64));
}

CUDA_CASE(readsUninitializedGlobal, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Uninitialized, "4 bytes");
  run.launch("pastTheEnd", {1}, {64}, {}, run.allocate<int>(64, "source"),
             run.allocate<int>(64), 63);
}

CUDA_CASE(unaligned, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Misaligned, "multiple of 4");
  auto in = run.upload(std::vector<int>(64, 1));
  run.launch("unaligned", {1}, {32}, {}, in, run.allocate<int>(32));
}

CUDA_CASE(divergentBarrier, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Barrier, "barrier");
  run.launch("divergentBarrier", {1}, {64}, {}, run.allocate<int>(64));
}

CUDA_CASE(failingAssert, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Trap, "assertion");
  auto in = generate(64, [](size_t i) { return static_cast<int>(i); });
  run.launch("failingAssert", {1}, {64}, {}, run.upload(in),
             run.allocate<int>(64));
}

CUDA_CASE(blocksRace, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Race, "'answer'");
  run.launch("blocksRace", {2}, {32}, {}, run.allocate<int>(32, "answer"));
}

CUDA_CASE(unsynchronisedCounter, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Race, "'counter'");
  run.launch("unsynchronisedCounter", {1}, {64}, {},
             run.zeros<int>(1, "counter"));
}

CUDA_CASE(copyNotAwaited, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Race, "shared");
  auto in = run.upload(std::vector<int>(128, 1));
  run.launch("copyNotAwaited", {1}, {32}, {}, in, run.allocate<int>(32));
}

CUDA_CASE(oneGroupTooFew, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Race, "shared");
  auto in = run.upload(std::vector<int>(256, 1));
  run.launch("oneGroupTooFew", {1}, {32}, {}, in, run.allocate<int>(32));
}

CUDA_CASE(shuffleFromNobody, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Invalid, "lane 20");
  run.launch("shuffleFromNobody", {1}, {32}, {}, run.allocate<int>(32));
}

CUDA_CASE(waitForever, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Deadlock, "");
  run.launch("waitForever", {1}, {64}, {}, run.allocate<int>(64));
}

CUDA_CASE(barrierUsedUnordered, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Race, "mbarrier.init");
  run.launch("barrierUsedUnordered", {1}, {64}, {}, run.allocate<int>(64));
}

CUDA_CASE(matrixByHalfAWarp, "bugs.cu", "sm_80") {
  run.expectReport(ReportKind::Barrier, "");
  run.launch("matrixByHalfAWarp", {1}, {32}, {}, run.allocate<uint32_t>(32));
}
