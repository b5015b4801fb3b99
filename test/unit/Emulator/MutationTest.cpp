//===- MutationTest.cpp - Broken kernels are caught, sound ones are not ---===//
//
// Each kernel under kernels/ is correct: under many schedules and every
// delivery of asynchronous copies it computes the right result and no checker
// speaks. Then single lines are removed or changed, as one forgets a barrier or
// waits for too little; every such mutant must be reported, by the checker that
// is meant to find it. Some mutants still compute the right values.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"

using namespace tilec::emu;

namespace {

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Case exchange() {
  Case c{"exchange", "exchange", {1}, {128}, {iota(128), iota(128)}, {}, {}};
  c.expected = iota(128);
  return c;
}

Case warpExchange() {
  Case c{"warpexchange", "warpexchange", {1}, {32}, {iota(32), iota(32)}, {},
         iota(32)};
  return c;
}

Case copyAsync() {
  constexpr uint32_t count = 5;
  Case c{
      "copyasync", "copyasync", {1}, {128}, {iota(count * 512, 3), iota(128)},
      {count},     {}};
  for (uint32_t t = 0; t < 128; ++t) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < count; ++k)
      for (uint32_t w = 0; w < 4; ++w)
        sum += c.buffers[0][k * 512 + (t ^ 64) * 4 + w];
    c.expected.push_back(sum);
  }
  return c;
}

Case pipeline() {
  constexpr uint32_t count = 6;
  Case c{"pipeline", "pipeline", {1}, {64}, {iota(count * 128, 7), iota(32)},
         {count},    {}};
  for (uint32_t t = 0; t < 32; ++t) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < count; ++k)
      for (uint32_t w = 0; w < 4; ++w)
        sum += c.buffers[0][k * 128 + w * 32 + t];
    c.expected.push_back(sum);
  }
  return c;
}

Case named() {
  constexpr uint32_t count = 5;
  Case c{"named", "named", {1}, {64}, {iota(count * 32, 5), iota(32)},
         {count}, {}};
  for (uint32_t t = 0; t < 32; ++t) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < count; ++k)
      sum += c.buffers[0][k * 32 + t];
    c.expected.push_back(sum);
  }
  return c;
}

Case cluster() {
  Case c{"cluster", "exchange2", {2}, {32}, {iota(64)}, {}, {}};
  for (uint32_t t = 0; t < 64; ++t)
    c.expected.push_back(t ^ 32);
  return c;
}

Case flag() {
  Case c{
      "flag", "flag", {2}, {32}, {iota(32), std::vector<uint32_t>(1), iota(32)},
      {},     {}};
  for (uint32_t t = 0; t < 32; ++t)
    c.expected.push_back(t);
  return c;
}

Case warpgroup() {
  // 16.0f everywhere.
  return {"warpgroup",
          "warpgroup",
          {1},
          {128},
          {iota(512)},
          {},
          std::vector<uint32_t>(512, 0x41800000u)};
}

Case reduction() {
  // Subnormal numbers add as the integers of their bits do.
  return {"reduction", "reduction", {1}, {96}, {iota(96), iota(1)}, {}, {4656}};
}

} // namespace

TEST(Mutation, SoundKernelsAreSilent) {
  for (const Case &c : {exchange(), warpExchange(), copyAsync(), pipeline(),
                        named(), cluster(), flag(), warpgroup(), reduction()})
    expectSound(c);
}

TEST(Mutation, BlockBarriers) {
  expectCaught(
      exchange(),
      {
          {"// first", "", race},
          {"// second", "", race},
          {"// third", "", race},
          {"// first", "bar.warp.sync 0xffffffff;", race},
          {"// second", "membar.cta;", race},
          {"bar.sync 0; // second", "bar.sync 0, 64;", race},
          {"// third", "bar.sync 1, 256;", barrier},
          {"// third", "setp.lt.u32 %p1, %r1, 64; @%p1 bar.sync 1;", race},
          {"// third", "setp.lt.u32 %p1, %r1, 40; @%p1 bar.sync 0;", barrier},
          {"shared .align 4", ".shared .align 4 .b8 tile[508];", bounds},
          {"sub.u32 %r6", "sub.u32 %r6, 512, %r4;", bounds},
          {"sub.u32 %r6", "sub.u32 %r6, 507, %r4;", misaligned},
          {"st.shared.u32 [%r5], %r2", "", uninitialized},
          {"ld.shared.u32 %r8", "cvt.u64.u32 %rd6, %r7; ld.u32 %r8, [%rd6];",
           bounds, "null pointer"},
          {"add.s64 %rd4", "add.s64 %rd4, %rd1, 4; add.s64 %rd4, %rd4, %rd3;",
           bounds},
      });
}

TEST(Mutation, WarpBarriers) {
  expectCaught(warpExchange(),
               {
                   {"// first", "", race},
                   {"// second", "", race},
                   {"// third", "", race},
                   {"// second", "bar.warp.sync 0x55555555;", barrier},
                   {"// first", "membar.cta;", race},
               });
}

TEST(Mutation, AsyncCopies) {
  expectCaught(
      copyAsync(),
      {
          {"// wait", "", race},
          {"// wait", "cp.async.wait_group 2;", race},
          {"// arrived", "", race},
          {"// consumed", "", race},
          {"// prologue copy", "", uninitialized},
          {"// next copy", "", uninitialized},
          {"// next commit", "", race},
          {"// next slot", "mov.u32 %r15, %r5;", race},
          {"// current slot",
           "xor.b32 %r17, %r17, 2048; add.u32 %r18, %r7, "
           "%r17;",
           race},
          {"shared .align 16", ".shared .align 16 .b8 tile[4080];", bounds},
          {"setp.lt.u32 %p1", "setp.le.u32 %p1, %r12, %r1;", bounds},
          {"// wait", "setp.lt.u32 %p3, %r2, 64; @%p3 cp.async.wait_group 1;",
           race},
      });
}

TEST(Mutation, Pipelines) {
  expectCaught(
      pipeline(),
      {
          {"// spin empty", "", race},
          {"// spin full", "", race},
          {"// release", "", deadlock},
          {"// expect",
           "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r10], "
           "256;",
           deadlock},
          {"// expect", "mbarrier.arrive.shared::cta.b64 _, [%r10];", race},
          {"// load", "", deadlock},
          {"// producer phase", "", deadlock},
          {"// consumer phase", "and.b32 %r13, %r13, 1; xor.b32 %r13, %r13, 1;",
           race},
          {"// init empty", "mbarrier.init.shared::cta.b64 [empty], 33;",
           deadlock},
          {"// init empty", "mbarrier.init.shared::cta.b64 [empty], 16;",
           deadlock},
          {"// init full", "", barrier},
          {"// initialised", "", barrier},
          {"// init empty",
           "mbarrier.init.shared::cta.b64 [empty], 32; "
           "mbarrier.init.shared::cta.b64 [empty], 32;",
           barrier, "is initialised twice"},
          {"// initialised",
           "bar.sync 0; @!%p1 mbarrier.inval.shared::cta.b64 [full]; "
           "bar.sync 0;",
           barrier, "was not initialised"},
          {"// last read", "ld.shared.u32 %r24, [full];", barrier,
           "which is alive"},
          {"// last read", "st.shared.u32 [empty+8], %r21;", barrier,
           "which is alive"},
          {"// release", "mbarrier.arrive.shared::cta.b64 _, [%r9], 33;",
           barrier, "gets more arrivals than the 32"},
          {"// expect",
           "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r10], 2097152;",
           barrier, "outside of its range"},
          {"// store wait", "", barrier, "may still read its shared memory"},
          {"// store commit", "", barrier, "may still read its shared memory"},
          {"@%p4 bra NEXT",
           "sub.u32 %r30, %r1, 1; setp.lt.u32 %p4, %r6, %r30; @%p4 bra NEXT;",
           barrier, "may still write its shared memory"},
          {"// last read",
           "mbarrier.arrive.shared::cta.b64 _, [%r9]; ld.shared.u32 %r24, "
           "[%r12+384]; bra RELEASED;",
           race},
          {"// proxy fence", "", race},
          {"// store sync", "", race},
          {"// consumer slot", "mov.u32 %r12, %r3;", race},
          {"// slot", "", race},
          {".b8 tile[1024]", ".shared .align 128 .b8 tile[512];", race},
      });
}

TEST(Mutation, NamedBarriers) {
  expectCaught(named(),
               {
                   {"// producer waits for empty", "", race},
                   {"// producer signals full", "", deadlock},
                   {"// consumer waits for full", "", race},
                   {"// consumer opens", "", deadlock},
                   {"// consumer opens", "bar.arrive 2, 64; bar.arrive 2, 64;",
                    barrier, "twice before it completes"},
                   {"// consumer signals empty", "", deadlock},
                   {"// producer waits for empty", "bar.sync 2, 32;", barrier},
               });
}

TEST(Mutation, Clusters) {
  expectCaught(
      cluster(),
      {
          {"// written", "barrier.cluster.arrive.relaxed.aligned;", race},
          {"// wait written", "", race},
          {"// written", "", barrier, "without an arrive before it"},
          {"// wait read", "", race},
          {"// wait read",
           "mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, "
           "%rd2; st.global.u32 [%rd3], %r9; ret;",
           race, "ends without being ordered behind"},
          {"xor.b32 %r7", "add.u32 %r7, %r2, 1;", bounds},
      });
}

TEST(Mutation, Flags) {
  expectCaught(flag(),
               {
                   {"// raise", "st.relaxed.gpu.global.u32 [%rd2], %r3;", race},
                   {"// raise", "st.release.cta.global.u32 [%rd2], %r3;", race},
                   {"// raise", "st.global.u32 [%rd2], %r3;", race},
                   {"// raise", "", deadlock},
                   {"// poll", "ld.relaxed.gpu.global.u32 %r4, [%rd2];", race},
                   {"// all written", "", race},
                   {"// all may read", "", race},
               });
}

TEST(Mutation, Warpgroups) {
  expectCaught(
      warpgroup(),
      {
          {"// proxy fence", "", race},
          {"// filled", "", race},
          {"// fill A", "", uninitialized},
          {"// fill B", "", uninitialized},
          {"// wait", "", race},
          {"// wait", "wgmma.wait_group.sync.aligned 1;", race},
          {"// commit", "", race},
          {".b8 b[256]", ".shared .align 128 .b8 b[128];", bounds},
          {"or.b64 %rd3", "or.b64 %rd3, %rd3, 0x0000001000100000;", bounds},
          {"setp.ne.u32 %p2",
           "setp.lt.u32 %p3, %r1, 80; setp.ne.u32 %p2, %r1, %r1; "
           "@!%p3 bar.sync 0;",
           barrier},
      });
  // Behind its own wait a warp overwrites what the others read.
  LaunchOptions strict;
  strict.wgmmaCompletion = WgmmaCompletion::Warp;
  expectSound(warpgroup(), strict);
  expectCaught(warpgroup(), {{"// read", "", race}}, strict);
}

TEST(Mutation, CompiledReductions) {
  const char *decides = "the value is stored to global memory";
  expectCaught(reduction(),
               {
                   {"// to scratch", "", uninitialized, decides},
                   {"setp.ne.b32   %p1", "setp.ne.b32 %p1, %r1, 0;",
                    uninitialized, decides},
                   {"setp.ne.b32   %p1", "setp.ne.b32 %p1, %r1, 64;",
                    uninitialized, decides},
                   {"add.rn.f32   %r20", "add.rn.f32 %r20, %r19, %r18;",
                    uninitialized, decides},
                   {"bar.sync", "", race},
               });
}

TEST(Mutation, ProductsOfAWarpgroupWithAnUndefinedColumn) {
  // The first 8 elements of column 3 of B are not written: D is undefined in
  // its column 3, which lanes 1, 5, .. hold.
  std::string text =
      mutate(readKernel("warpgroup"),
             {"// fill B",
              "setp.eq.u32 %p3, %r1, 3; or.pred %p3, %p3, %p1;\n"
              "@!%p3 st.shared.v4.u32 [%r7], {%r5, %r5, %r5, %r5};",
              uninitialized});
  Outcome all = runText(text, warpgroup(), {});
  ASSERT_EQ(all.result.reports.size(), 1u) << describe(all.result);
  EXPECT_EQ(all.result.reports[0].kind, uninitialized);
  EXPECT_EQ(all.result.reports[0].first.thread.x % 4, 1u);
  std::string others =
      mutate(text, {"st.global.v4.f32",
                    "and.b32 %r10, %r1, 3; setp.ne.u32 %p3, %r10, 1;\n"
                    "@%p3 st.global.v4.f32 [%rd5], {%f0, %f1, %f2, %f3};",
                    uninitialized});
  Outcome silent = runText(others, warpgroup(), {});
  EXPECT_TRUE(silent.result.ok()) << describe(silent.result);
}
