//===- InstructionTest.cpp - Values of single instructions ----------------===//
//
// Instructions that neither nvcc nor Triton write, with values worked out by
// hand: each case is a few lines of PTX that leave 32 words.
//
//===----------------------------------------------------------------------===//

#include "ParsedKernel.h"

using namespace tilec::emu;

namespace {

struct Outcome {
  std::vector<uint32_t> words;
  std::vector<Report> reports;
};

/// Runs `body` with %r9 the thread's index in the grid, %rd9 the address of the
/// output and %rd8 that of the thread's word in it.
Outcome run(const std::string &body, Dim3 grid = {1}, Dim3 block = {32},
            const LaunchOptions &options = {}) {
  std::string text =
      ".version 9.0\n.target sm_120a\n.address_size 64\n"
      ".entry k(.param .u64 out) {\n"
      ".reg .pred %p<10>; .reg .b16 %h<10>; .reg .b32 %r<10>;\n"
      ".reg .b64 %rd<10>; .reg .f32 %f<10>; .shared .align 16 .b8 s[256];\n"
      "ld.param.u64 %rd9, [out]; mov.u32 %r7, %ctaid.x; mov.u32 %r8, %ntid.x;\n"
      "mov.u32 %r9, %tid.x; mad.lo.u32 %r9, %r7, %r8, %r9;\n"
      "mad.wide.u32 %rd8, %r9, 4, %rd9;\n" +
      body + "\nret; }\n";
  Outcome outcome;
  auto module = parseKernel(text);
  if (!module)
    return outcome;
  size_t words = grid.count() * block.count();
  DeviceMemory memory;
  uint64_t out = memory.allocate(words * 4, "out");
  ParameterBuilder parameters(module->kernels().at(0));
  parameters.add(out);
  LaunchConfig config;
  config.kernel = "k";
  config.grid = grid;
  config.block = block;
  config.parameters = parameters.bytes();
  outcome.reports = launch(*module, memory, config, options).reports;
  outcome.words.resize(words);
  memory.read(out, outcome.words.data(), words * 4);
  return outcome;
}

/// The one word that `body` leaves in %r0 of every thread.
uint32_t value(const std::string &body) {
  Outcome outcome = run(body + "\nst.global.b32 [%rd8], %r0;");
  EXPECT_TRUE(outcome.reports.empty());
  return outcome.words.empty() ? 0 : outcome.words[5];
}

std::string compareHalves(const std::string &comparison, const char *a,
                          const char *b) {
  return std::string("mov.b16 %h0, ") + a + "; mov.b16 %h1, " + b + "; setp." +
         comparison + " %p0, %h0, %h1; selp.b32 %r0, 1, 0, %p0;";
}

} // namespace

TEST(Instruction, HalfComparisonsFlushSubnormals) {
  // 0x0001 is the least subnormal, 0x0400 the least normal number.
  EXPECT_EQ(value(compareHalves("gt.f16", "0x0001", "0x0000")), 1u);
  EXPECT_EQ(value(compareHalves("gt.ftz.f16", "0x0001", "0x0000")), 0u);
  EXPECT_EQ(value(compareHalves("eq.ftz.f16", "0x83ff", "0x0000")), 1u);
  EXPECT_EQ(value(compareHalves("gt.ftz.f16", "0x0400", "0x0000")), 1u);
  EXPECT_EQ(value("mov.b32 %r1, 0x04000001; mov.b32 %r2, 0; "
                  "set.gt.ftz.f16x2.f16x2 %r0, %r1, %r2;"),
            0x3c000000u);
  EXPECT_EQ(value("mov.b32 %r1, 0x04000001; mov.b32 %r2, 0; "
                  "setp.gt.ftz.f16x2 %p0|%p1, %r1, %r2; "
                  "selp.b32 %r0, 1, 0, %p0; @%p1 add.u32 %r0, %r0, 2;"),
            2u);
}

TEST(Instruction, SignsOfHalvesFlushSubnormals) {
  EXPECT_EQ(value("mov.b32 %r1, 0x80010400; neg.ftz.f16x2 %r0, %r1;"),
            0x00008400u);
  EXPECT_EQ(value("mov.b32 %r1, 0x8001bc00; abs.ftz.f16x2 %r0, %r1;"),
            0x00003c00u);
  EXPECT_EQ(value("mov.b16 %h0, 0x03ff; neg.ftz.f16 %h0, %h0; "
                  "cvt.u32.u16 %r0, %h0;"),
            0x8000u);
}

TEST(Instruction, VectorRegistersAndConstantExpressions) {
  EXPECT_EQ(value("{ .reg .v4 .b32 %v; mov.b32 %v.x, 1; mov.b32 %v.y, 2; "
                  "mov.b32 %v.b, 3; mov.b32 %v.w, 4; st.shared.v4.b32 [s], %v; "
                  "bar.warp.sync -1; ld.shared.b32 %r0, [s+8]; }"),
            3u);
  EXPECT_EQ(value("{ .reg .v2 .b32 %v<2>; mov.b32 %v1.r, 8; "
                  "mov.b32 %v0.g, 9; sub.u32 %r0, %v0.y, %v1.x; }"),
            1u);
  EXPECT_EQ(value("mov.b32 %r0, 2 + 3 * 4 - 1 << 2;"), 52u);
  EXPECT_EQ(value("mov.b32 %r0, 3 * WARP_SZ;"), 96u);
  EXPECT_EQ(value("mov.b32 %r1, s; mov.b32 %r2, s+-4+4*8; "
                  "sub.u32 %r0, %r2, %r1;"),
            28u);
  EXPECT_EQ(value("mov.b32 %r1, s; mov.b32 %r2, 8; st.shared.b32 [s+8], %r2; "
                  "add.u32 %r1, %r1, 16; bar.warp.sync -1; "
                  "ld.shared.b32 %r0, [%r1+-2*4];"),
            8u);
  EXPECT_EQ(value("mov.b32 %r0, 7 / 2 > 3 ? 5 : -6 / 4 & 255;"), 255u);
}

TEST(Instruction, PackedNarrowIntegers) {
  EXPECT_EQ(value("cvt.pack.sat.s4.s32.b32 %r0, -9, 9, 0x12345678;"),
            0x34567887u);
  EXPECT_EQ(value("cvt.pack.sat.u4.s32.b32 %r0, 99, -1, 0xabcdef01;"),
            0xcdef01f0u);
  EXPECT_EQ(value("cvt.pack.sat.u2.s32.b32 %r0, 2, 7, 1;"), 0x1bu);
  EXPECT_EQ(value("cvt.pack.sat.s2.s32.b32 %r0, -5, 5, 0;"), 0b1001u);
  EXPECT_EQ(value("cvt.pack.sat.s16.s32 %r0, 70000, -70000;"), 0x7fff8000u);
}

TEST(Instruction, MultiplyAddOf24BitsSaturates) {
  // 0x7fffff squared is 0x3fffff000001, whose bits 47 to 16 are 0x3fffff00.
  EXPECT_EQ(value("mov.b32 %r1, 0x7fffff; mad24.hi.s32 %r0, %r1, %r1, "
                  "0x7fffffff;"),
            0xbffffeffu);
  EXPECT_EQ(value("mov.b32 %r1, 0x7fffff; mad24.hi.sat.s32 %r0, %r1, %r1, "
                  "0x7fffffff;"),
            0x7fffffffu);
  EXPECT_EQ(value("mov.b32 %r1, 0x7fffff; mov.b32 %r2, 0x800000; "
                  "mad24.hi.sat.s32 %r0, %r1, %r2, 0x80000000;"),
            0x80000000u);
}

TEST(Instruction, ConversionsReadSpecialRegisters) {
  EXPECT_EQ(value("cvt.u16.u32 %h0, %tid.x; cvt.u32.u16 %r0, %h0;"), 5u);
  EXPECT_EQ(value("cvt.u64.u32 %rd0, %ntid.x; cvt.u32.u64 %r0, %rd0;"), 32u);
  EXPECT_EQ(value("cvt.u32.u8 %r0, %laneid;"), 5u);
  EXPECT_EQ(value("mov.u32 %r0, %envreg3;"), 0u);
}

//===----------------------------------------------------------------------===//
// Stores of one value by many
//===----------------------------------------------------------------------===//

static Outcome runAllowed(const std::string &body, Dim3 grid, Dim3 block) {
  LaunchOptions options;
  options.allowEqualStores = true;
  return run(body, grid, block, options);
}

static constexpr const char *equalStores[] = {
    "st.shared.b32 [s], 7;", "st.global.b32 [%rd9], 7;",
    "mov.b32 %r1, 7; st.shared.v2.b32 [s+8], {%r1, %r1};"};

TEST(EqualStores, OfOneInstructionAreNoRace) {
  for (const char *store : equalStores)
    EXPECT_TRUE(run(store, {1}, {32}).reports.empty()) << store;
}

TEST(EqualStores, OfSeveralWarpsAreARace) {
  for (const char *store : equalStores) {
    Outcome outcome = run(store, {1}, {64});
    ASSERT_EQ(outcome.reports.size(), 1u) << store;
    const Report &report = outcome.reports[0];
    EXPECT_EQ(report.kind, ReportKind::Race);
    EXPECT_TRUE(
        report.message.starts_with("a write and a write of equal values "
                                   "that are not ordered: "))
        << report.message;
    EXPECT_TRUE(report.missing.ends_with(
        "; let one of them store, or allow stores of equal values "
        "(LaunchOptions::allowEqualStores, ptx-run --equal-stores=allowed)"))
        << report.missing;
  }
}

TEST(EqualStores, OfSeveralWarpsCanBeAllowed) {
  for (const char *store : equalStores)
    EXPECT_TRUE(runAllowed(store, {1}, {64}).reports.empty()) << store;
}

TEST(EqualStores, DifferentValuesAreARace) {
  for (const char *store :
       {"shr.u32 %r1, %r9, 5; st.shared.b32 [s], %r1;",
        "shr.u32 %r1, %r9, 5; st.global.b32 [%rd9], %r1;",
        "shr.u32 %r1, %r9, 5; st.shared.v2.b32 [s+8], {%r8, %r1};"}) {
    for (const Outcome &outcome :
         {run(store, {1}, {64}), runAllowed(store, {1}, {64})}) {
      ASSERT_FALSE(outcome.reports.empty()) << store;
      EXPECT_EQ(outcome.reports[0].kind, ReportKind::Race);
      EXPECT_EQ(outcome.reports[0].message.find("equal"), std::string::npos)
          << outcome.reports[0].message;
    }
  }
}

TEST(EqualStores, OfTwoBlocksAreARace) {
  for (const Outcome &outcome :
       {run("st.global.b32 [%rd9], 7;", {2}, {32}),
        runAllowed("st.global.b32 [%rd9], 7;", {2}, {32})}) {
    ASSERT_FALSE(outcome.reports.empty());
    EXPECT_EQ(outcome.reports[0].kind, ReportKind::Race);
    EXPECT_EQ(outcome.reports[0].missing.find("equal"), std::string::npos)
        << outcome.reports[0].missing;
  }
}

TEST(EqualStores, AReadAmongThemIsARace) {
  std::string body =
      "st.shared.b32 [s], 7; bar.warp.sync -1; ld.shared.b32 %r0, [s];";
  for (const Outcome &outcome :
       {run(body, {1}, {64}), runAllowed(body, {1}, {64})}) {
    ASSERT_FALSE(outcome.reports.empty());
    EXPECT_EQ(outcome.reports[0].kind, ReportKind::Race);
  }
}
