//===- CheckerTest.cpp - Checkers of exits, limits and memory -------------===//
//
// Cases at the edge of a rule: what is legal stays silent, and the step beyond
// it is reported, with the words that tell what to do.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"
#include "ParsedKernel.h"

using namespace tilec::emu;

namespace {

Case exits() {
  Case c{"exits", "exits", {1}, {128}, {iota(64), iota(64)}, {}, {}};
  for (uint32_t t = 0; t < 64; ++t)
    c.expected.push_back(64 - t);
  return c;
}

Case readers() {
  Case c{"readers", "readers", {1}, {160}, {iota(32), iota(160)}, {}, {}};
  for (uint32_t t = 0; t < 160; ++t)
    c.expected.push_back(t < 128 ? t % 32 + 1 : 0);
  return c;
}

Case publish() {
  Case c{"publish", "publish", {2}, {32}, {}, {}, {}};
  c.buffers = {iota(32), std::vector<uint32_t>(1), iota(32)};
  for (uint32_t t = 0; t < 16; ++t)
    c.expected.push_back(t);
  return c;
}

Case local() {
  Case c{"local", "local", {1}, {32}, {iota(32)}, {}, {}};
  for (uint32_t t = 0; t < 32; ++t)
    c.expected.push_back(10 * (t % 4));
  return c;
}

Case bulkFlag() {
  Case c{"bulkflag", "bulkflag", {2}, {1}, {}, {}, {7, 7, 7, 7}};
  c.buffers = {iota(4), std::vector<uint32_t>(1), iota(4)};
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
  EXPECT_NE(report.message.find("executed 100001 instructions"),
            std::string::npos);
  EXPECT_NE(report.message.find("the limit is 100000"), std::string::npos);
  EXPECT_NE(report.message.find("PTX line 27"), std::string::npos)
      << report.message;
  EXPECT_NE(report.missing.find("--max-instructions"), std::string::npos);
}

TEST(Checkers, ArrivalsLeftAtABarrierAreNoted) {
  Case c = exits();
  std::string text =
      mutate(readKernel(c.file), {"// all that are left",
                                  "bar.sync 0; bar.arrive 5, 96;", barrier});
  LaunchResult result = runText(text, c, {}).result;
  EXPECT_TRUE(result.ok()) << describe(result);
  ASSERT_EQ(result.notes.size(), 1u);
  const Report &note = result.notes[0];
  EXPECT_EQ(note.kind, ReportKind::Barrier);
  EXPECT_EQ(note.message, "the block ends with 64 of 96 threads arrived at "
                          "barrier 5, for which nobody waits");
  EXPECT_EQ(note.first.ptxLine, 27u);
  EXPECT_EQ(note.first.what, "by 'bar.arrive'");
  EXPECT_TRUE(note.format("kernel").starts_with("note: the block ends"))
      << note.format("kernel");
  LaunchOptions unchecked;
  unchecked.checks = CheckOptions::none();
  EXPECT_TRUE(runText(text, c, unchecked).result.notes.empty());
  EXPECT_TRUE(runText(readKernel(c.file), c, {}).result.notes.empty());
}

TEST(Checkers, WriteIsComparedWithEveryReader) {
  Case c = readers();
  expectSound(c);
  // In this order the first of four readers is the one that is not ordered.
  std::string text = mutate(
      readKernel(c.file),
      {"// participants", "mov.u32 %r7, 128; setp.lt.u32 %p2, %r1, 32;", race});
  LaunchResult result = runText(text, c, {}).result;
  ASSERT_EQ(result.reports.size(), 1u) << describe(result);
  EXPECT_EQ(result.reports[0].kind, ReportKind::Race);
  ASSERT_TRUE(result.reports[0].second);
  EXPECT_EQ(result.reports[0].second->warp, 0u);
  EXPECT_EQ(result.reports[0].first.warp, 4u);
}

TEST(Checkers, ReadersOfManyBlocksAreKept) {
  // The last of 200 blocks writes what all have read, if all have counted
  // themselves; one of them counts too early.
  std::string text = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry last(.param .u64 data, .param .u64 counter, .param .u32 early)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  .reg .pred %p<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [counter];
  ld.param.u32 %r1, [early];
  mov.u32 %r2, %ctaid.x;
  setp.eq.u32 %p1, %r1, %r2;
  @%p1 atom.acq_rel.gpu.global.add.u32 %r3, [%rd2], 1;
  ld.global.u32 %r4, [%rd1];
  @!%p1 atom.acq_rel.gpu.global.add.u32 %r3, [%rd2], 1;
  setp.ne.u32 %p2, %r3, 199;
  @!%p2 st.global.u32 [%rd1], %r4;
  ret;
}
)";
  std::vector<Diagnostic> diagnostics;
  auto module = Module::parse(text, "last.ptx", diagnostics);
  ASSERT_TRUE(module);
  for (uint32_t early : {~0u, 0u, 1u, 70u, 131u, 198u}) {
    DeviceMemory memory;
    uint64_t data = memory.allocate(4, "data"), zero = 0;
    uint64_t counter = memory.allocate(4, "counter");
    memory.write(data, &zero, 4);
    memory.write(counter, &zero, 4);
    ParameterBuilder parameters(module->kernels()[0]);
    parameters.add(data);
    parameters.add(counter);
    parameters.add(early);
    LaunchConfig config;
    config.kernel = "last";
    config.grid = {200};
    config.parameters = parameters.bytes();
    LaunchResult result = launch(*module, memory, config);
    if (early == ~0u) {
      EXPECT_TRUE(result.ok()) << describe(result);
      continue;
    }
    ASSERT_EQ(result.reports.size(), 1u) << early;
    EXPECT_EQ(result.reports[0].kind, ReportKind::Race);
    ASSERT_TRUE(result.reports[0].second);
    EXPECT_EQ(result.reports[0].second->block.x, early);
  }
}

TEST(Checkers, AFencePublishesForItsOwnLane) {
  expectSound(publish());
  expectCaught(
      publish(),
      {
          {"// all written", "", race, "blocks are not ordered"},
          {"// all written", "bar.warp.sync 0x00007fff;", barrier},
          {"// release fence", "", race},
          {"// release fence", "fence.acq_rel.cta;", race},
          {"// release fence", "@%p2 fence.acq_rel.gpu;", race},
          {"// acquire fence", "", race},

          {"// all may read", "", race},
          {"// raise", "@!%p2 red.relaxed.cta.global.add.u32 [%rd2], 1;", race},
      });
}

TEST(Checkers, LocalMemoryMustBeWritten) {
  expectSound(local());
  expectCaught(local(), {
                            {"// low half", "", uninitialized,
                             "that the thread wrote nothing to"},
                            {"// high half", "st.local.u32 [%rd2+8], %r4;",
                             uninitialized, "4 bytes at local address"},
                            {"// second argument", "", uninitialized},
                            {"// returns", "", uninitialized},
                            {"// picks", "ld.u32 %r2, [%rd3+4096];", bounds},
                        });
}

TEST(Checkers, BulkStoresAreOrderedBetweenBlocks) {
  expectSound(bulkFlag());
  expectCaught(bulkFlag(),
               {
                   {"// spin", "", race, "asynchronous"},
                   {"// raise", "st.relaxed.gpu.global.u32 [%rd2], %r5;", race,
                    "asynchronous"},
                   {"// poll", "ld.relaxed.gpu.global.u32 %r6, [%rd2];", race,
                    "blocks are not ordered"},
               });
}

TEST(Checkers, ReportsHaveTheAddressAsData) {
  const std::string head = ".version 7.8\n.target sm_80\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p) {\n"
                           ".shared .align 4 .b8 s[64]; .reg .b64 %rd1;\n"
                           ".reg .b32 %r<4>; .local .align 4 .b8 l[8];\n"
                           "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;\n"
                           "shr.u32 %r2, %r1, 5; mov.u32 %r3, s;\n";
  struct {
    std::string line;
    ReportKind kind;
    bool isGlobal;
    uint64_t offset;
  } const cases[] = {
      {"st.global.u32 [%rd1+8], %r2;", ReportKind::Race, true, 8},
      {"st.shared.u32 [%r3+12], %r2;", ReportKind::Race, false, 12},
      {"ld.global.u32 %r2, [%rd1+20];", ReportKind::OutOfBounds, true, 20},
      {"ld.shared.u32 %r2, [%r3+64];", ReportKind::OutOfBounds, false, 64},
      {"ld.global.u32 %r2, [%rd1+2];", ReportKind::Misaligned, true, 2},
      {"ld.shared.u32 %r2, [%r3+4]; st.global.u32 [%rd1], %r2;",
       ReportKind::Uninitialized, false, 4},
      {"red.global.add.u32 [%rd1+8], %r2;", ReportKind::Uninitialized, true, 8},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.line);
    std::unique_ptr<Module> module = parseKernel(head + c.line + "\nret; }\n");
    ASSERT_TRUE(module);
    DeviceMemory memory;
    uint64_t base = memory.allocate(16, "p");
    ParameterBuilder parameters(module->kernels()[0]);
    parameters.add(base);
    LaunchConfig config;
    config.kernel = "k";
    config.block = {64};
    config.parameters = parameters.bytes();
    LaunchResult result = launch(*module, memory, config);
    ASSERT_FALSE(result.reports.empty());
    EXPECT_EQ(result.reports[0].kind, c.kind) << describe(result);
    EXPECT_EQ(result.reports[0].address, (c.isGlobal ? base : 0) + c.offset);
  }
}
