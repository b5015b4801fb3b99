//===- CheckerTest.cpp - Checkers of exits, limits and memory -------------===//
//
// Cases at the edge of a rule: what is legal stays silent, and the step beyond
// it is reported, with the words that tell what to do.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"

using namespace tilec::emu;

namespace {

Case exits() {
  Case c{"exits", "exits", {1}, {128}, {iota(64), iota(64)}, {}, {}};
  for (uint32_t t = 0; t < 64; ++t)
    c.expected.push_back(64 - t);
  return c;
}

} // namespace

TEST(Checkers, BarrierOfAllThreadsCountsThoseThatAreLeft) {
  expectSound(exits());
}

TEST(Checkers, BarrierWithACountWaitsForExitedThreads) {
  expectCaught(exits(), {
                            {"// all that are left", "bar.sync 0, 128;",
                             deadlock, "threads 64-127 have exited"},
                            {"// all that are left", "", race, "no barrier"},
                        });
}

TEST(Checkers, EndlessLoopThatStoresIsEnded) {
  Case c = exits();
  std::string text =
      mutate(readKernel(c.file),
             {"// all that are left",
              "LOOP: st.shared.u32 [%r5], %r2; bra LOOP;", deadlock});
  LaunchOptions options;
  options.maxInstructions = 100'000;
  LaunchResult result = runText(text, c, options).result;
  EXPECT_FALSE(result.completed);
  ASSERT_EQ(result.reports.size(), 1u) << describe(result);
  const Report &report = result.reports[0];
  EXPECT_EQ(report.kind, ReportKind::Deadlock);
  EXPECT_NE(report.message.find("the limit is 100000"), std::string::npos);
  EXPECT_NE(report.message.find("PTX line 27"), std::string::npos)
      << report.message;
  EXPECT_NE(report.missing.find("--max-instructions"), std::string::npos);
}
