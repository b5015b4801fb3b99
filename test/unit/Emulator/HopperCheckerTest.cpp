//===- HopperCheckerTest.cpp - Misuse of a warpgroup's instructions -------===//
//
// wgmma: fences, registers and shared memory in flight, warps that do not go
// together. setmaxnreg: the order of changes and what the pool has. Each is
// found in a mutant of a kernel that is sound.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"

using namespace tilec::emu;

namespace {

Case wgmmaLoop() {
  return {"wgmmaloop",
          "wgmmaloop",
          {1},
          {128},
          {iota(512)},
          {},
          std::vector<uint32_t>(512, 0x42800000u)};
}

Case wgmmaSparse() {
  return {"wgmmasparse",
          "wgmmasparse",
          {1},
          {128},
          {iota(512)},
          {},
          std::vector<uint32_t>(512, 0x42000000u)};
}

Case registerCount() {
  Case c{"registercount", "registercount", {1}, {256}, {iota(256)}, {}, {}};
  for (uint32_t t = 0; t < 256; ++t)
    c.expected.push_back(t);
  return c;
}

} // namespace

TEST(HopperCheckers, SoundKernelsAreSilent) {
  expectSound(wgmmaLoop());
  expectSound(wgmmaSparse());
  expectSound(registerCount());
}

TEST(HopperCheckers, WgmmaNeedsFences) {
  expectCaught(
      wgmmaLoop(),
      {
          {"// first fence", "", race, "without a wgmma.fence"},
          {"// first fence", "or.b32 %r10, %r10, 0;", race,
           "without a wgmma.fence"},
          {"// second fence", "", race, "without a wgmma.fence"},
          {"// second fence", "fence.proxy.async;", race,
           "without a wgmma.fence"},
          {"// second product",
           "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f0, %f1, %f2, "
           "%f3}, %rd2, %rd3, %p3, 1, 1;",
           race, "products of two shapes"},
          {"// first fence",
           "setp.lt.u32 %p4, %r1, 16; @%p4 wgmma.fence.sync.aligned;", barrier,
           "not all lanes"},
      });
}

TEST(HopperCheckers, WgmmaRegistersInFlight) {
  expectCaught(
      wgmmaLoop(),
      {
          {"// first wait", "", race, "accumulates in it is in flight"},
          {"// first wait", "wgmma.wait_group.sync.aligned 2;", race,
           "'mul.f32'"},
          {"// last wait", "", race, "'add.f32'"},
          {"// last wait", "wgmma.wait_group.sync.aligned 1;", race,
           "accumulates in it is in flight"},
          {"// first commit", "", race, "accumulates in it is in flight"},
          {"// in flight", "mov.u32 %r10, %r1;", race,
           "reads A from it is in flight"},
          {"// in flight", "add.u32 %r14, %r1, %r13;", race,
           "reads A from it is in flight"},
          {"// in flight", "mov.f32 %f8, %f4;", race,
           "accumulates in it is in flight"},
          {"// in flight", "st.shared.v4.u32 [%r4], {%r1, %r1, %r1, %r1};",
           race, "was not waited for"},
          {"// in flight",
           "@!%p1 st.shared.v4.u32 [%r7], {%r1, %r1, %r1, %r1};", race,
           "was not waited for"},
          {"// third product",
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, "
           "%f3}, {%f4, %f5, %f6, %f7}, %rd3, %p3, 1, 1, 0;",
           race, "accumulates in it is in flight"},
      });
}

TEST(HopperCheckers, SparseWgmma) {
  expectCaught(
      wgmmaSparse(),
      {
          {"// first metadata", "selp.b32 %r13, 0xe9d84544, %r15, %p2;",
           invalid, "the metadata of row 0, columns 8 to 11, is 5"},
          {"// second metadata", "", invalid, "the metadata of row 0"},
          {"// second metadata", "and.b32 %r13, %r15, 0x4444e9d8;",
           uninitialized, "decides"},
          {"// fence", "", race, "without a wgmma.fence"},
          {"// in flight", "mov.u32 %r14, %f0;", race,
           "accumulates in it is in flight"},
          {"// in flight", "st.shared.u32 [%r3], %r1;", race,
           "was not waited for"},
          {"// in flight", "st.shared.u32 [%r6 + 508], %r1;", race,
           "was not waited for"},
      });
}

TEST(HopperCheckers, WarpsOfAWarpgroupGoTogether) {
  expectCaught(
      wgmmaLoop(),
      {
          {"// descriptor of B",
           "setp.lt.u32 %p4, %r1, 32; or.b64 %rd3, %rd3, 0x0000001000080000; "
           "@%p4 or.b64 %rd3, %rd3, 0x0000002000000000;",
           barrier, "with different operands"},
          {"// second product",
           "setp.lt.u32 %p4, %r1, 32; @!%p4 "
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f4, %f5, %f6, "
           "%f7}, {%r10, %r11, %r12, %r13}, %rd3, %p3, 1, 1, 0;",
           barrier},
          {"// third product",
           "setp.lt.u32 %p4, %r1, 32; @!%p4 "
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, "
           "%f3}, %rd2, %rd3, %p3, 1, 1, 0, 0;",
           barrier, "ended without executing"},
      });
}

TEST(HopperCheckers, SetmaxnregNeedsTheRegisters) {
  expectCaught(
      registerCount(),
      {
          {"// request", "setmaxnreg.inc.sync.aligned.u32 104;", deadlock,
           "waits in setmaxnreg.inc for 40 registers"},
          {"// request", "setmaxnreg.inc.sync.aligned.u32 56;", barrier,
           "the warp has 64 already"},
          {"// request", "setmaxnreg.dec.sync.aligned.u32 88;", barrier,
           "the warp has 64 already"},
          {"// release now", "setmaxnreg.dec.sync.aligned.u32 72;", barrier,
           "the warp has 64 already"},
          {"// release now", "@%p2 setmaxnreg.dec.sync.aligned.u32 40;",
           barrier, "ended without executing"},
          {"// request",
           "setp.lt.u32 %p2, %r1, 140; @%p2 setmaxnreg.inc.sync.aligned.u32 "
           "88;",
           barrier, "only some lanes"},
          {"// between", "", barrier, "nothing orders this setmaxnreg"},
      });
}

TEST(HopperCheckers, AWarpgroupIsFourWarps) {
  Case c = registerCount();
  c.block = {288};
  c.buffers = {iota(288)};
  LaunchResult result = runText(readKernel(c.file), c, {}).result;
  ASSERT_FALSE(result.reports.empty());
  EXPECT_EQ(result.reports[0].kind, ReportKind::Barrier);
  EXPECT_NE(describe(result).find("is not complete"), std::string::npos);
}

TEST(HopperCheckers, RegistersOfALaunch) {
  // Without .maxnreg the pool is what a multiprocessor has at most: 32 and 256
  // for two warpgroups are possible, 32 and twice 256 are not.
  Case c = registerCount();
  std::string text = mutate(readKernel(c.file), {".maxnreg 64", "", deadlock});
  LaunchResult unknown = runText(text, c, {}).result;
  EXPECT_TRUE(unknown.ok()) << describe(unknown);
  text = mutate(
      text, {"// request", "setmaxnreg.inc.sync.aligned.u32 256;", deadlock});
  LaunchResult most = runText(text, c, {}).result;
  EXPECT_TRUE(most.ok()) << describe(most);
  c.block = {384};
  c.buffers = {iota(384)};
  LaunchResult tooMany = runText(text, c, {}).result;
  ASSERT_FALSE(tooMany.reports.empty());
  EXPECT_EQ(tooMany.reports[0].kind, ReportKind::Deadlock);
  // 1024 threads of 72 registers do not fit.
  text = mutate(readKernel(c.file), {".maxnreg 64", ".maxnreg 72", deadlock});
  c.block = {1024};
  LaunchResult large = runText(text, c, {}).result;
  ASSERT_EQ(large.reports.size(), 1u);
  EXPECT_EQ(large.reports[0].kind, ReportKind::Invalid);
  EXPECT_NE(large.reports[0].message.find("1024 threads of 72 registers"),
            std::string::npos)
      << large.reports[0].message;
}

TEST(HopperCheckers, StatisticsCountWhatWgmmaReads) {
  Case c = wgmmaLoop();
  LaunchResult result = runText(readKernel(c.file), c, {}).result;
  ASSERT_TRUE(result.ok()) << describe(result);
  const Statistics &s = result.statistics;
  // The threads store A and B. Two products read A and B, one only B, which the
  // four warps read once.
  constexpr uint64_t a = 64 * 16 * 2, b = 16 * 8 * 2;
  EXPECT_EQ(s.sharedBytes, (a + b) + 2 * (a + b) + b);
  EXPECT_EQ(s.sharedIdealWavefronts, s.sharedBytes / 128);
  EXPECT_EQ(s.sharedWavefronts, s.sharedBytes / 128);
  // Four stores of A, one of B; a core matrix is one access.
  EXPECT_EQ(s.sharedAccesses, 4 + 1 + (2 * (a + b) + b) / 128);
  EXPECT_EQ(s.flops, 3u * 2 * 64 * 8 * 16);
}
