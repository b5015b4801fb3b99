//===- EmulatorTest.cpp - The emulator's host API, core and statistics ----===//
//
// Loading, memory, launches, divergence, calls, diagnostics and the counts of
// kernels small enough that every number follows from their text. What single
// instructions compute is tested by the CUDA suite.
//
//===----------------------------------------------------------------------===//

#include "tile/Emulator/Emulator.h"
#include "tile/Emulator/TensorMap.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace tilec::emu;

namespace {

constexpr const char *header = ".version 8.0\n.target sm_90\n"
                               ".address_size 64\n";

/// A kernel `k(.u64 a, .u64 b)` with registers to spare around `body`; %rd1 and
/// %rd2 hold a and b, %r1 the thread, %r2 its byte offset, %rd3 a + offset,
/// %rd4 b + offset.
std::string wrap(const std::string &body, const std::string &before = "") {
  return std::string(header) + before +
         ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
         ".reg .b16 %h<20>; .reg .b32 %r<40>; .reg .b64 %rd<40>;\n"
         ".reg .f32 %f<20>; .reg .pred %p<10>;\n"
         "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b];\n"
         "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; cvt.u64.u32 %rd5, %r2;\n"
         "add.u64 %rd3, %rd1, %rd5; add.u64 %rd4, %rd2, %rd5;\n" +
         body + "\nret;\n}\n";
}

struct Outcome {
  LaunchResult result;
  std::vector<uint32_t> output;
};

Outcome run(const std::string &text, Dim3 grid, Dim3 block, size_t words,
            LaunchOptions options = {}, uint32_t shared = 0) {
  Outcome outcome;
  std::vector<Diagnostic> diagnostics;
  auto module = Module::parse(text, "test.ptx", diagnostics);
  for (const Diagnostic &d : diagnostics)
    ADD_FAILURE() << d.line << ": " << d.message;
  if (!module)
    return outcome;
  DeviceMemory memory;
  std::vector<uint32_t> input(words);
  std::iota(input.begin(), input.end(), 100);
  uint64_t a = memory.allocate(words * 4, "a"),
           b = memory.allocate(words * 4, "b");
  memory.write(a, input.data(), words * 4);
  ParameterBuilder parameters(module->kernels().at(0));
  parameters.add(a);
  parameters.add(b);
  LaunchConfig config;
  config.kernel = "k";
  config.grid = grid;
  config.block = block;
  config.dynamicSharedBytes = shared;
  config.parameters = parameters.bytes();
  outcome.result = launch(*module, memory, config, options);
  outcome.output.resize(words);
  memory.read(b, outcome.output.data(), words * 4);
  return outcome;
}

std::string reportsOf(const LaunchResult &result) {
  std::string text;
  for (const Report &report : result.reports)
    text += report.format("test.ptx") + "\n";
  return text;
}

/// The first report's kind; fails if there is none.
ReportKind firstKind(const LaunchResult &result) {
  EXPECT_FALSE(result.reports.empty());
  return result.reports.empty() ? ReportKind::Invalid : result.reports[0].kind;
}

uint64_t countOf(const Statistics &s, InstructionClass c) {
  return s.classes[static_cast<size_t>(c)];
}

} // namespace

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

TEST(Module, ListsKernelsWithTheirParameters) {
  std::vector<Diagnostic> diagnostics;
  auto module = Module::parse(
      std::string(header) +
          ".visible .entry f(.param .u32 x, .param .u64 .ptr .global .align 16 "
          "p, .param .align 64 .b8 m[128], .param .u8 c)\n"
          ".maxntid 256, 1, 1 .minnctapersm 2\n{ .shared .b8 s[40]; ret; }\n",
      "m", diagnostics);
  ASSERT_TRUE(module);
  const KernelInfo *f = module->findKernel("f");
  ASSERT_TRUE(f);
  ASSERT_EQ(f->parameters.size(), 4u);
  EXPECT_EQ(f->parameters[1].offsetBytes, 8u);
  EXPECT_EQ(f->parameters[2].offsetBytes, 64u);
  EXPECT_EQ(f->parameters[2].sizeBytes, 128u);
  EXPECT_EQ(f->parameters[3].offsetBytes, 192u);
  EXPECT_EQ(f->parameterBytes, 193u);
  EXPECT_EQ(f->staticSharedBytes, 40u);
  EXPECT_EQ((*f->maximumBlock)[0], 256u);
}

TEST(Module, WhatIsUnknownIsAnErrorWithItsLine) {
  struct {
    const char *instruction, *expected;
  } cases[] = {
      {"frobnicate.u32 %r1, %r2;", "unknown instruction"},
      {"add.u32.odd %r1, %r2, %r3;", "unsupported modifier '.odd'"},
      {"add.u32 %r1, %r2;", "expected 3 operands"},
      {"add.u32 %r1, %r2, %rd3;", "64 bits wide"},
      {"add.u32 %r1, %r99, %r3;", "unknown register"},
      {"bra NOWHERE;", "unknown label"},
      {"ld.global.u32 %r1, %r2;", "brackets"},
      {"mma.sync.aligned.m16n8k7.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, "
       "{%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4};",
       ""},
      {"mov.u32 %r1, %nosuch;", "unknown special register"},
  };
  for (const auto &c : cases) {
    std::vector<Diagnostic> diagnostics;
    auto module = Module::parse(wrap(c.instruction), "m", diagnostics);
    ASSERT_TRUE(module) << c.instruction;
    EXPECT_FALSE(module->prepare("k", diagnostics)) << c.instruction;
    ASSERT_FALSE(diagnostics.empty()) << c.instruction;
    EXPECT_EQ(diagnostics[0].line, 11u) << c.instruction;
    EXPECT_NE(diagnostics[0].message.find(c.expected), std::string::npos)
        << diagnostics[0].message;
  }
}

TEST(Module, CheckOptionsParse) {
  std::string error;
  auto some = CheckOptions::parse("races,init", error);
  ASSERT_TRUE(some);
  EXPECT_TRUE(some->races && some->init);
  EXPECT_FALSE(some->bounds || some->barriers);
  EXPECT_FALSE(CheckOptions::parse("rases", error));
  EXPECT_NE(error.find("'rases'"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(DeviceMemory, KnowsBoundsAndWhatWasWritten) {
  DeviceMemory memory;
  uint64_t a = memory.allocate(100, "a"), b = memory.allocate(0, "empty");
  EXPECT_EQ(a % 256, 0u);
  EXPECT_NE(a, b);
  uint8_t bytes[16] = {1, 2, 3};
  EXPECT_TRUE(memory.write(a + 84, bytes, 16));
  EXPECT_FALSE(memory.write(a + 85, bytes, 16));
  EXPECT_FALSE(memory.write(b, bytes, 1));
  EXPECT_EQ(memory.countUninitialized(a, 100), 84u);
  EXPECT_TRUE(memory.copy(a, a + 84, 16));
  EXPECT_EQ(memory.countUninitialized(a, 100), 68u);
  EXPECT_TRUE(memory.forget(a, 8));
  EXPECT_EQ(memory.countUninitialized(a, 100), 76u);
  EXPECT_NE(memory.describe(a + 104).find("4 bytes past the end"),
            std::string::npos);
  EXPECT_TRUE(memory.release(a));
  EXPECT_FALSE(memory.release(a));
  EXPECT_NE(memory.describe(a).find("freed"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

TEST(Control, LanesOfOneWarpTakeDifferentLoops) {
  // b[t] = sum of 0 .. t
  Outcome r = run(wrap("mov.u32 %r3, 0; mov.u32 %r4, 0;\n"
                       "LOOP: add.u32 %r4, %r4, %r3; add.u32 %r3, %r3, 1;\n"
                       "setp.le.u32 %p1, %r3, %r1; @%p1 bra LOOP;\n"
                       "st.global.u32 [%rd4], %r4;"),
                  {1}, {40}, 40);
  EXPECT_TRUE(r.result.ok()) << reportsOf(r.result);
  for (uint32_t t = 0; t < 40; ++t)
    EXPECT_EQ(r.output[t], t * (t + 1) / 2);
}

TEST(Control, BranchTables) {
  Outcome r = run(wrap("and.b32 %r3, %r1, 3;\n"
                       "T: .branchtargets A, B, C, A;\n"
                       "brx.idx %r3, T;\n"
                       "A: mov.u32 %r4, 10; bra END;\n"
                       "B: mov.u32 %r4, 20; bra END;\n"
                       "C: mov.u32 %r4, 30;\n"
                       "END: st.global.u32 [%rd4], %r4;"),
                  {1}, {32}, 32);
  EXPECT_TRUE(r.result.ok()) << reportsOf(r.result);
  uint32_t expected[] = {10, 20, 30, 10};
  for (uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(r.output[t], expected[t & 3]);
}

TEST(Control, RecursiveCallsOfSomeLanes) {
  // factorial of t mod 8, by recursion, only for odd lanes.
  std::string function =
      ".func (.param .b32 out) fact(.param .b32 n)\n{\n"
      ".reg .b32 %r<9>; .reg .pred %p<2>;\n"
      "ld.param.u32 %r1, [n]; mov.u32 %r2, 1; setp.lt.u32 %p1, %r1, 2;\n"
      "@%p1 bra END; sub.u32 %r3, %r1, 1;\n"
      "{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r3;\n"
      "call.uni (r0), fact, (p0); ld.param.b32 %r4, [r0]; }\n"
      "mul.lo.u32 %r2, %r4, %r1;\n"
      "END: st.param.b32 [out], %r2; ret;\n}\n";
  Outcome r =
      run(wrap("and.b32 %r3, %r1, 7; and.b32 %r5, %r1, 1; mov.u32 %r4, 0;\n"
               "setp.eq.u32 %p1, %r5, 0; @%p1 bra END;\n"
               "{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r3;\n"
               "call (r0), fact, (p0); ld.param.b32 %r4, [r0]; }\n"
               "END: st.global.u32 [%rd4], %r4;",
               function),
          {1}, {32}, 32);
  EXPECT_TRUE(r.result.ok()) << reportsOf(r.result);
  uint32_t factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  for (uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(r.output[t], t & 1 ? factorial[t & 7] : 0u);
}

TEST(Control, LanesMayWaitForOtherLanesOfTheirWarp) {
  // Lane 0 spins until lane 31, behind it in the text, raises a flag.
  Outcome r =
      run(wrap("setp.ne.u32 %p1, %r1, 0; @%p1 bra OTHER;\n"
               "SPIN: ld.acquire.gpu.global.u32 %r3, [%rd1];\n"
               "setp.ne.u32 %p2, %r3, 7; @%p2 bra SPIN;\n"
               "bra END;\n"
               "OTHER: setp.ne.u32 %p3, %r1, 31; @%p3 bra END;\n"
               "mov.u32 %r4, 7; st.release.gpu.global.u32 [%rd1], %r4;\n"
               "END: st.global.u32 [%rd4], %r1;"),
          {1}, {32}, 32);
  EXPECT_TRUE(r.result.ok()) << reportsOf(r.result);
}

TEST(Control, SpinningForEverIsAHang) {
  LaunchOptions options;
  options.hangLimit = 200'000;
  Outcome r = run(wrap("SPIN: ld.volatile.global.u32 %r3, [%rd1];\n"
                       "setp.ne.u32 %p2, %r3, 7; @%p2 bra SPIN;"),
                  {1}, {32}, 32, options);
  EXPECT_FALSE(r.result.completed);
  EXPECT_EQ(firstKind(r.result), ReportKind::Deadlock);
}

TEST(Control, ComputingForLongIsNoHang) {
  LaunchOptions options;
  options.hangLimit = 20'000;
  Outcome r = run(wrap("mov.u32 %r3, 0;\n"
                       "AGAIN: add.u32 %r3, %r3, 1;\n"
                       "setp.lt.u32 %p2, %r3, 1000000; @%p2 bra AGAIN;\n"
                       "st.global.u32 [%rd4], %r3;"),
                  {1}, {32}, 32, options);
  EXPECT_TRUE(r.result.ok()) << reportsOf(r.result);
  EXPECT_EQ(r.output[31], 1000000u);
}

TEST(Control, TrapStopsTheLaunch) {
  Outcome r = run(wrap("setp.eq.u32 %p1, %r1, 5; @%p1 trap;"), {1}, {32}, 32);
  EXPECT_FALSE(r.result.completed);
  EXPECT_EQ(firstKind(r.result), ReportKind::Trap);
  EXPECT_EQ(r.result.reports[0].first.thread.x, 5u);
}

TEST(Control, BlocksOfOneLaunchMayWaitForEachOther) {
  // Every block waits until all 40 have counted themselves.
  Outcome r = run(wrap("setp.ne.u32 %p1, %r1, 0; @%p1 bra JOIN;\n"
                       "atom.add.acq_rel.gpu.global.u32 %r3, [counter], 1;\n"
                       "SPIN: ld.acquire.gpu.global.u32 %r4, [counter];\n"
                       "setp.lt.u32 %p2, %r4, 40; @%p2 bra SPIN;\n"
                       "JOIN: bar.sync 0;",
                       ".global .u32 counter;\n"),
                  {40}, {64}, 32);
  EXPECT_TRUE(r.result.ok()) << reportsOf(r.result);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

TEST(Reports, NameSourceLinesAndInlining) {
  std::string text = wrap(".loc 1 12 3\n.loc 2 40 7, function_name F, "
                          "inlined_at 1 12 3\nld.global.u32 %r3, [%rd3+4096];");
  text += ".file 1 \"kernel.cu\"\n.file 2 \"helper.h\"\n";
  Outcome r = run(text, {1}, {32}, 32);
  ASSERT_EQ(firstKind(r.result), ReportKind::OutOfBounds);
  EXPECT_EQ(r.result.reports[0].first.source,
            "helper.h:40:7, inlined at kernel.cu:12:3");
}

TEST(Reports, UninitializedGlobalMemory) {
  // Reading it decides nothing.
  Outcome read = run(wrap("ld.global.u32 %r3, [%rd4];"), {1}, {32}, 32);
  EXPECT_TRUE(read.result.ok()) << reportsOf(read.result);
  Outcome r = run(wrap("ld.global.u32 %r3, [%rd4];\n"
                       "st.global.u32 [%rd3], %r3;"),
                  {1}, {32}, 32);
  ASSERT_EQ(firstKind(r.result), ReportKind::Uninitialized);
  EXPECT_EQ(r.result.reports[0].first.ptxLine, 12u);
  ASSERT_TRUE(r.result.reports[0].second);
  EXPECT_EQ(r.result.reports[0].second->ptxLine, 11u);
}

TEST(Reports, BlocksThatWriteTheSameElement) {
  Outcome r = run(wrap("st.global.u32 [%rd4], %r1;"), {2}, {32}, 32);
  ASSERT_EQ(firstKind(r.result), ReportKind::Race);
  // There are no clusters.
  EXPECT_NE(r.result.reports[0].second->what.find(" of another block"),
            std::string::npos);
}

TEST(Reports, LanesThatStoreDifferentValuesToOneAddress) {
  Outcome different = run(wrap("st.global.u32 [%rd2], %r1;"), {1}, {32}, 32);
  EXPECT_EQ(firstKind(different.result), ReportKind::Race);
  Outcome equal =
      run(wrap("mov.u32 %r3, 4; st.global.u32 [%rd2], %r3;"), {1}, {32}, 32);
  EXPECT_TRUE(equal.result.ok()) << reportsOf(equal.result);
}

TEST(Reports, AConfigurationThatDoesNotFit) {
  Outcome r = run(wrap(""), {1}, {2048}, 32);
  EXPECT_FALSE(r.result.completed);
  EXPECT_EQ(firstKind(r.result), ReportKind::Invalid);
}

TEST(Reports, NothingIsSaidWithoutChecks) {
  LaunchOptions options;
  options.checks = CheckOptions::none();
  Outcome r = run(wrap("ld.global.u32 %r3, [%rd4]; st.global.u32 [%rd2], %r1;\n"
                       "ld.global.u32 %r4, [%rd3+4096];"),
                  {2}, {32}, 32, options);
  EXPECT_TRUE(r.result.ok()) << reportsOf(r.result);
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

TEST(Statistics, CountsFollowFromTheKernel) {
  Outcome r = run(wrap("ld.global.u32 %r3, [%rd3]; st.global.u32 [%rd4], %r3;"),
                  {2}, {96}, 96, [] {
                    LaunchOptions o;
                    o.checks.races = false;
                    return o;
                  }());
  const Statistics &s = r.result.statistics;
  EXPECT_EQ(s.warps, 6u);
  // 2 parameters, mov, shl, cvt, 2 adds, load, store, ret.
  EXPECT_EQ(s.instructions, 6u * 10);
  EXPECT_EQ(std::accumulate(s.classes.begin(), s.classes.end(), uint64_t(0)),
            s.instructions);
  EXPECT_EQ(countOf(s, InstructionClass::GlobalLoad), 6u);
  EXPECT_EQ(countOf(s, InstructionClass::GlobalStore), 6u);
  EXPECT_EQ(s.globalAccesses, 12u);
  EXPECT_EQ(s.globalSectors, 12u * 4);
  EXPECT_EQ(s.globalIdealSectors, 12u * 4);
  EXPECT_EQ(s.globalBytes, 12u * 128);
}

TEST(Statistics, StridedGlobalAccessesTakeMoreSectors) {
  Outcome r = run(wrap("mul.lo.u32 %r3, %r1, 32; cvt.u64.u32 %rd6, %r3;\n"
                       "add.u64 %rd7, %rd1, %rd6; ld.global.u32 %r4, [%rd7];"),
                  {1}, {32}, 256);
  EXPECT_EQ(r.result.statistics.globalSectors, 32u);
  EXPECT_EQ(r.result.statistics.globalIdealSectors, 4u);
}

TEST(Statistics, SharedWavefrontsFollowFromTheStride) {
  for (uint32_t stride : {0u, 1u, 2u, 3u, 4u, 8u, 16u, 32u, 33u}) {
    Outcome r = run(wrap("mul.lo.u32 %r3, %r1, " + std::to_string(stride * 4) +
                             ";\nmov.u32 %r4, tile; add.u32 %r4, %r4, %r3;\n"
                             "mov.u32 %r5, 1; st.shared.u32 [%r4], %r5;",
                         ".shared .align 16 .b8 tile[8192];\n"),
                    {1}, {32}, 32);
    EXPECT_TRUE(r.result.ok()) << reportsOf(r.result);
    uint32_t expected = stride == 0 ? 1 : std::gcd(stride, 32u);
    EXPECT_EQ(r.result.statistics.sharedWavefronts, expected) << stride;
    EXPECT_EQ(r.result.statistics.sharedIdealWavefronts, 1u);
  }
}

TEST(Statistics, WideSharedAccessesGoInGroups) {
  Outcome r = run(wrap("mul.lo.u32 %r3, %r1, 16; mov.u32 %r4, tile;\n"
                       "add.u32 %r4, %r4, %r3;\n"
                       "st.shared.v4.u32 [%r4], {%r1, %r1, %r1, %r1};",
                       ".shared .align 16 .b8 tile[512];\n"),
                  {1}, {32}, 32);
  EXPECT_EQ(r.result.statistics.sharedWavefronts, 4u);
  EXPECT_EQ(r.result.statistics.sharedIdealWavefronts, 4u);
  EXPECT_EQ(r.result.statistics.sharedBytes, 512u);
}

TEST(Statistics, JsonHasOneEntryPerLaunch) {
  Statistics s;
  s.name = "k";
  s.warps = 3;
  std::string json = toJson({s, s});
  EXPECT_NE(json.find("\"warps\": 3"), std::string::npos);
  EXPECT_NE(json.find("\"ideal_wavefronts\": 0"), std::string::npos);
  EXPECT_EQ(json.find("\"name\": \"k\""), json.find("\"name\""));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

TEST(Launch, ThreadsAndSeedsDoNotChangeResults) {
  std::string text =
      wrap("mov.u32 %r5, %ctaid.x; mul.wide.u32 %rd6, %r5, 128;\n"
           "add.u64 %rd7, %rd3, %rd6; add.u64 %rd8, %rd4, %rd6;\n"
           "ld.global.u32 %r3, [%rd7]; add.u32 %r3, %r3, 1;\n"
           "st.global.u32 [%rd8], %r3;");
  for (uint32_t threads : {1u, 2u, 4u})
    for (uint64_t seed : {0u, 1u, 2u}) {
      LaunchOptions options;
      options.threadCount = threads;
      options.seed = seed;
      Outcome r = run(text, {50}, {32}, 1600, options);
      EXPECT_TRUE(r.result.ok()) << reportsOf(r.result);
      for (uint32_t i = 0; i < 1600; ++i)
        ASSERT_EQ(r.output[i], i + 101);
      EXPECT_EQ(r.result.statistics.warps, 50u);
    }
}

TEST(Launch, DynamicSharedMemoryLiesBehindStatic) {
  std::string before = ".shared .align 4 .b8 fixed[128];\n"
                       ".extern .shared .align 16 .b8 open[];\n";
  std::string body = "mov.u32 %r3, fixed; add.u32 %r3, %r3, %r2;\n"
                     "mov.u32 %r4, open; add.u32 %r4, %r4, %r2;\n"
                     "st.shared.u32 [%r3], %r1; st.shared.u32 [%r4], %r2;\n"
                     "ld.shared.u32 %r5, [%r3]; st.global.u32 [%rd4], %r5;";
  Outcome fits = run(wrap(body, before), {1}, {32}, 32, {}, 128);
  EXPECT_TRUE(fits.result.ok()) << reportsOf(fits.result);
  EXPECT_EQ(fits.output[31], 31u);
  Outcome small = run(wrap(body, before), {1}, {32}, 32, {}, 64);
  EXPECT_EQ(firstKind(small.result), ReportKind::OutOfBounds);
}

TEST(Launch, PrintsWithVprintf) {
  std::string before =
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
      ".global .align 1 .b8 text[10] = {116, 61, 37, 100, 10, 0};\n";
  Outcome r = run(wrap(".local .align 8 .b8 args[8];\n"
                       "mov.u64 %rd6, args; cvta.local.u64 %rd7, %rd6;\n"
                       "st.local.u32 [%rd6], %r1; mov.u64 %rd8, text;\n"
                       "cvta.global.u64 %rd9, %rd8;\n"
                       "{ .param .b64 p0; .param .b64 p1; .param .b32 r0;\n"
                       "st.param.b64 [p0], %rd9; st.param.b64 [p1], %rd7;\n"
                       "call.uni (r0), vprintf, (p0, p1); }",
                       before),
                  {1}, {3}, 32);
  EXPECT_TRUE(r.result.ok()) << reportsOf(r.result);
  EXPECT_EQ(r.result.output, "t=0\nt=1\nt=2\n");
}

TEST(Launch, TensorMapsCanBeChangedByKernels) {
  std::vector<Diagnostic> diagnostics;
  auto module = Module::parse(
      wrap("mov.u64 %rd6, 4096; mov.u32 %r3, 77;\n"
           "tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], "
           "%rd6;\n"
           "tensormap.replace.tile.global_dim.global.b1024.b32 [%rd1], 1, "
           "%r3;"),
      "m", diagnostics);
  ASSERT_TRUE(module);
  TiledMapArguments arguments;
  arguments.rank = 2;
  arguments.globalAddress = 256;
  arguments.dims[0] = arguments.dims[1] = 64;
  arguments.stridesBytes[0] = 128;
  arguments.box[0] = arguments.box[1] = 16;
  TensorMap map;
  ASSERT_EQ(encodeTiled(arguments, map), "");
  DeviceMemory memory;
  uint64_t address = memory.allocate(128, "map");
  memory.write(address, &map, 128);
  ParameterBuilder parameters(module->kernels()[0]);
  parameters.add(address);
  parameters.add(address);
  LaunchConfig config;
  config.kernel = "k";
  config.parameters = parameters.bytes();
  LaunchResult result = launch(*module, memory, config);
  EXPECT_TRUE(result.ok()) << reportsOf(result);
  memory.read(address, &map, 128);
  EXPECT_EQ(map.globalAddress, 4096u);
  EXPECT_EQ(map.dim(1), 77u);
}
