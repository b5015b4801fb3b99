//===- WgmmaCompletionTest.cpp - For whom a group of wgmma completes ------===//
//
// One thread releases what the products of its warp or warpgroup have read. By
// default that is sound, and executed so; in the strict reading it is a race.
// What the wait does not order is found in both.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"

using namespace tilec::emu;

namespace {

Case release() {
  return {"release",
          "release",
          {1},
          {160},
          {std::vector<uint32_t>(512)},
          {},
          std::vector<uint32_t>(512, 0x41800000u)};
}

LaunchOptions completingFor(WgmmaCompletion completion) {
  LaunchOptions options;
  options.wgmmaCompletion = completion;
  return options;
}

const LaunchOptions warpgroup = completingFor(WgmmaCompletion::Warpgroup);
const LaunchOptions strict = completingFor(WgmmaCompletion::Warp);

/// The kernel in which thread 0 releases for the warpgroup.
std::string releasedByOneThread() {
  std::string text = mutate(
      readKernel("release"),
      {"// release", "@%p5 mbarrier.arrive.shared.b64 _, [%r11];", race});
  return mutate(
      text, {"// arrivals", "@%p5 mbarrier.init.shared.b64 [%r11], 1;", race});
}

/// Runs it under many schedules; with checks it must be silent, and in any case
/// right.
void expectRight(const std::string &text, LaunchOptions options) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    options.seed = seed;
    Outcome outcome = runText(text, release(), options);
    ASSERT_TRUE(outcome.result.ok()) << describe(outcome.result);
    ASSERT_EQ(outcome.output, release().expected) << seed;
  }
}

} // namespace

TEST(WgmmaCompletion, OneLaneOfEachWarpReleases) {
  expectSound(release(), warpgroup);
  std::string text = readKernel("release");
  LaunchOptions unchecked = warpgroup;
  unchecked.checks = CheckOptions::none();
  expectRight(text, unchecked);
}

TEST(WgmmaCompletion, OneThreadOfTheWarpgroupReleases) {
  std::string text = releasedByOneThread();
  expectRight(text, warpgroup);
  LaunchOptions unchecked = warpgroup;
  unchecked.checks = CheckOptions::none();
  expectRight(text, unchecked);
}

TEST(WgmmaCompletion, StrictReadingWantsEveryThread) {
  Case c = release();
  LaunchResult oneLane = runText(readKernel(c.file), c, strict).result;
  ASSERT_EQ(oneLane.reports.size(), 2u) << describe(oneLane); // A and B.
  EXPECT_EQ(oneLane.reports[0].kind, ReportKind::Race);
  LaunchResult oneThread = runText(releasedByOneThread(), c, strict).result;
  EXPECT_FALSE(oneThread.ok());
  // A bar.warp.sync before the release of each warp is right in both readings.
  std::string text =
      mutate(readKernel(c.file),
             {"// before release", "bar.warp.sync 0xffffffff;", race});
  expectRight(text, strict);
  expectRight(text, warpgroup);
}

TEST(WgmmaCompletion, WhatTheWaitDoesNotOrderIsFound) {
  const char *inFlight = "no wgmma.wait_group that retires its group";
  const std::vector<Mutant> mutants = {
      {"// early",
       "@%p4 mbarrier.arrive.shared.b64 _, [%r11]; bar.sync 1, 128;", race,
       inFlight},
      {"// wait", "", race, inFlight},
      {"// wait", "wgmma.wait_group.sync.aligned 1;", race, inFlight},
      {"// commit", "", race, inFlight},
      // Reads by the threads themselves are not the wgmma's.
      {"// before release", "ld.shared.u32 %r14, [%r4];", race,
       "no barrier, mbarrier or release/acquire"},
  };
  expectCaught(release(), mutants, warpgroup);
}

TEST(WgmmaCompletion, BothPlacesAreNamed) {
  Case c = release();
  std::string text =
      mutate(readKernel(c.file),
             {"// wait", "wgmma.wait_group.sync.aligned 1;", race});
  LaunchResult result = runText(text, c, warpgroup).result;
  ASSERT_FALSE(result.reports.empty());
  bool found = false;
  for (const Report &report : result.reports)
    found |=
        report.first.what.find("'st.shared.v4.u32'") != std::string::npos &&
        report.second &&
        report.second->what.find("'wgmma.mma_async") != std::string::npos;
  EXPECT_TRUE(found) << describe(result);
}

TEST(WgmmaCompletion, AWarpThatDoesNotCommitIsWaitedFor) {
  Case c = release();
  std::string text = mutate(
      readKernel(c.file),
      {"// product",
       "setp.lt.u32 %p3, %r1, 96; @!%p3 bar.sync 1, 64; "
       "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, "
       "%f3}, %rd2, %rd3, %p2, 1, 1, 0, 0;",
       race});
  LaunchResult result = runText(text, c, warpgroup).result;
  ASSERT_FALSE(result.completed);
  EXPECT_NE(describe(result).find("waits in wgmma.wait_group for the other "
                                  "warps of its warpgroup to commit group 1"),
            std::string::npos)
      << describe(result);
}
