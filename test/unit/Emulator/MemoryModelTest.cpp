//===- MemoryModelTest.cpp - Accesses that no barrier makes right ---------===//
//
// Non-coherent reads of what the launch writes, sources of cp.async that are
// overwritten in flight, strong accesses of different sizes. Each program is a
// few lines between one prologue and one end; the line that must be reported
// says "// later", the other one "// earlier". Beside each stands what is legal.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"

#include <algorithm>

using namespace tilec::emu;

namespace {

// %rd4: 16 bytes of a thread's own in `data`; %rd5: those of a thread of the
// other warp; %rd1: `data`; %r2: 16 shared bytes of a thread's own.
constexpr const char *prologue = R"(
.version 8.6
.target sm_90a
.address_size 64
.visible .entry program(.param .u64 data, .param .u64 output)
{
  .reg .b16 %h<8>;
  .reg .b32 %r<24>;
  .reg .f32 %f<8>;
  .reg .b64 %rd<16>;
  .reg .b128 %q<2>;
  .reg .pred %p<8>;
  .shared .align 128 .b8 tile[1024];
  .shared .align 8 .b8 flag[8];
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [output];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 16;
  add.u64 %rd4, %rd1, %rd3;
  xor.b32 %r3, %r1, 32;
  mul.wide.u32 %rd5, %r3, 16;
  add.u64 %rd5, %rd1, %rd5;
  mov.u32 %r2, tile;
  shl.b32 %r4, %r1, 4;
  add.u32 %r2, %r2, %r4;
  mov.u32 %r5, flag;
  setp.eq.u32 %p1, %r1, 0;    // thread 0
  setp.eq.u32 %p2, %r1, 1;    // thread 1
  setp.eq.u32 %p3, %r1, 32;   // thread 32
  setp.lt.u32 %p4, %r1, 32;   // warp 0
  mov.u32 %r6, %ctaid.x;
  setp.eq.u32 %p5, %r6, 0;    // block 0
  mov.u64 %rd6, 1;
  mov.u32 %r7, 1;
  mov.u16 %h1, 1;
  mov.f32 %f1, 0f3f800000;
)";

struct Program {
  std::string body;
  std::string says; ///< What the one report contains; "": none.
  uint32_t blocks = 1;
};

uint32_t lineOf(const std::string &text, const std::string &mark) {
  size_t at = text.find(mark);
  EXPECT_NE(at, std::string::npos) << mark;
  return 1 + static_cast<uint32_t>(
                 std::count(text.begin(), text.begin() + at, '\n'));
}

void expectPrograms(const std::vector<Program> &programs) {
  for (const Program &program : programs)
    for (Delivery delivery :
         {Delivery::Late, Delivery::Early, Delivery::Random}) {
      std::string text = prologue + program.body + "\n  ret;\n}\n";
      Case c{"program", "program", {program.blocks}, {64}, {}, {}, {}};
      c.buffers = {std::vector<uint32_t>(256), std::vector<uint32_t>(4)};
      LaunchOptions options;
      options.delivery = delivery;
      LaunchResult result = runText(text, c, options).result;
      if (program.says.empty()) {
        EXPECT_TRUE(result.ok()) << program.body << describe(result);
        continue;
      }
      ASSERT_EQ(result.reports.size(), 1u) << program.body << describe(result);
      const Report &report = result.reports[0];
      EXPECT_EQ(report.kind, ReportKind::Race) << program.body;
      EXPECT_NE(describe(result).find(program.says), std::string::npos)
          << program.body << describe(result);
      ASSERT_TRUE(report.second) << program.body;
      EXPECT_EQ(report.first.ptxLine, lineOf(text, "// later"))
          << program.body << describe(result);
      EXPECT_EQ(report.second->ptxLine, lineOf(text, "// earlier"))
          << program.body << describe(result);
    }
}

constexpr const char *readThenWrite =
    "a non-coherent read and a write of the same bytes";
constexpr const char *writeThenRead =
    "a write and a non-coherent read of the same bytes";

} // namespace

//===----------------------------------------------------------------------===//
// Non-coherent reads
//===----------------------------------------------------------------------===//

TEST(MemoryModel, NonCoherentReadsOfWhatIsWritten) {
  expectPrograms({
      // By one thread, before and after.
      {"st.global.u32 [%rd4], %r1; // earlier\n"
       "ld.global.nc.u32 %r8, [%rd4]; // later",
       writeThenRead},
      {"ld.global.nc.u32 %r8, [%rd4]; // earlier\n"
       "st.global.u32 [%rd4], %r1; // later",
       readThenWrite},
      // A barrier does not make it right.
      {"st.global.u32 [%rd4], %r1; // earlier\n"
       "bar.sync 0;\n"
       "ld.global.nc.u32 %r8, [%rd5]; // later",
       writeThenRead},
      {"ld.global.nc.u32 %r8, [%rd5]; // earlier\n"
       "bar.sync 0;\n"
       "st.global.u32 [%rd4], %r1; // later",
       readThenWrite},
      // Another block.
      {"@!%p5 bra OTHER;\n"
       "ld.global.nc.u32 %r8, [%rd4]; // earlier\n"
       "ret;\n"
       "OTHER:\n"
       "st.global.u32 [%rd4], %r1; // later",
       readThenWrite, 2},
      // The place is that of the non-coherent read, whatever is read after it.
      {"ld.global.nc.u32 %r8, [%rd4]; // earlier\n"
       "ld.global.u32 %r9, [%rd4];\n"
       "st.global.u32 [%rd4], %r1; // later",
       readThenWrite},
      {"ldu.global.u32 %r8, [%rd1]; // earlier\n"
       "bar.sync 0;\n"
       "@%p1 st.global.u32 [%rd1], %r1; // later",
       readThenWrite},
  });
}

TEST(MemoryModel, NonCoherentReadsAndEveryKindOfWrite) {
  for (const char *write : {
           "st.global.u8 [%rd4+3], %r1;",
           "st.global.v4.u32 [%rd4], {%r1, %r1, %r1, %r1};",
           "st.u32 [%rd4], %r1;",
           "st.relaxed.gpu.global.u32 [%rd4], %r1;",
           "red.global.add.u32 [%rd4], %r1;",
           "atom.global.exch.b32 %r9, [%rd4], %r1;",
           "atom.global.cas.b32 %r9, [%rd4], %r1, %r1;",
           "red.global.add.v4.f32 [%rd4], {%f1, %f1, %f1, %f1};",
           "cp.async.bulk.global.shared::cta.bulk_group [%rd4], [%r2], 16;",
           "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd4], "
           "[%r2], 16;",
       })
    expectPrograms({{"st.shared.v4.u32 [%r2], {%r1, %r1, %r1, %r1};\n"
                     "fence.proxy.async;\n"
                     "ld.global.nc.u32 %r8, [%rd4]; // earlier\n" +
                         std::string(write) +
                         " // later\n"
                         "cp.async.bulk.commit_group;\n"
                         "cp.async.bulk.wait_group 0;",
                     readThenWrite}});
}

TEST(MemoryModel, NonCoherentReadsOfEveryWidth) {
  for (const char *read :
       {"ld.global.nc.u8 %r8, [%rd4+3];", "ld.global.nc.u16 %h2, [%rd4+2];",
        "ld.global.nc.u32 %r8, [%rd4];", "ld.global.nc.u64 %rd8, [%rd4];",
        "ld.global.nc.f32 %f2, [%rd4];", "ld.global.ca.nc.u32 %r8, [%rd4];",
        "ld.global.nc.L1::no_allocate.u32 %r8, [%rd4];",
        "ld.global.nc.v2.u32 {%r8, %r9}, [%rd4];",
        "ld.global.nc.v4.u32 {%r8, %r9, %r10, %r11}, [%rd4];",
        "ld.global.nc.v2.u64 {%rd8, %rd9}, [%rd4];",
        "ld.global.nc.b128 %q1, [%rd4];"})
    expectPrograms({{std::string(read) + " // earlier\n"
                                         "st.global.u8 [%rd4+3], %r1; // later",
                     readThenWrite},
                    {"st.global.u8 [%rd4+3], %r1; // earlier\n" +
                         std::string(read) + " // later",
                     writeThenRead}});
}

TEST(MemoryModel, NonCoherentReadsOfWhatNobodyWrites) {
  expectPrograms({
      // Bytes beside written ones.
      {"ld.global.nc.u32 %r8, [%rd4];\n"
       "st.global.u32 [%rd4+4], %r1;\n"
       "ld.global.nc.u32 %r8, [%rd4];",
       ""},
      {"ld.global.nc.u8 %r8, [%rd4+1];\n"
       "st.global.u8 [%rd4], %r1;\n"
       "st.global.u8 [%rd4+2], %r1;",
       ""},
      // Coherent reads of what is written.
      {"st.global.u32 [%rd4], %r1;\n"
       "bar.sync 0;\n"
       "ld.global.u32 %r8, [%rd5];",
       ""},
      {"ld.global.nc.u32 %r8, [%rd4];\n"
       "ld.global.u32 %r8, [%rd5];\n"
       "@%p1 st.global.u32 [%rd2], %r7;",
       ""},
  });
}

TEST(MemoryModel, NonCoherentReadersOfManyBlocksAreKept) {
  // The last of 60 blocks to count itself writes what all have read.
  std::string body = R"(
  ld.global.nc.u32 %r8, [%rd1]; // earlier
  bar.sync 0;
  @%p1 atom.acq_rel.gpu.global.add.u32 %r9, [%rd2], 1;
  setp.eq.and.u32 %p6, %r9, 59, %p1;
  @%p6 st.global.u32 [%rd1], %r9; // later
)";
  std::string text = prologue + body + "\n  ret;\n}\n";
  Case c{"program", "program", {60}, {64}, {}, {}, {}};
  c.buffers = {std::vector<uint32_t>(256), std::vector<uint32_t>(4)};
  c.outputIsNew = false;
  LaunchResult result = runText(text, c, {}).result;
  ASSERT_EQ(result.reports.size(), 1u) << describe(result);
  EXPECT_NE(describe(result).find(readThenWrite), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Bulk reductions
//===----------------------------------------------------------------------===//

/// 16 bytes of each block's thread 0 are added to `place`.
static std::string reduceInto(const std::string &place,
                              const std::string &mark = "") {
  return "st.shared.v4.u32 [%r2], {%r1, %r1, %r1, %r1};\n"
         "fence.proxy.async;\n"
         "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [" +
         place + "], [%r2], 16; " + mark +
         "\n"
         "cp.async.bulk.commit_group;\n"
         "cp.async.bulk.wait_group 0;\n";
}

TEST(MemoryModel, BulkReductionsAreAtomics) {
  expectPrograms({
      {reduceInto("%rd1"), "", 2},
      {"@!%p5 bra OTHER;\n" + reduceInto("%rd1") +
           "ret;\n"
           "OTHER:\n"
           "@%p1 red.relaxed.gpu.global.add.u32 [%rd1], %r1;",
       "", 2},
      {"@!%p5 bra OTHER;\n" + reduceInto("%rd1", "// earlier") +
           "ret;\n"
           "OTHER:\n"
           "@%p1 st.global.u32 [%rd1], %r1; // later",
       "that are not ordered", 2},
      {"@!%p5 bra OTHER;\n" + reduceInto("%rd1", "// earlier") +
           "ret;\n"
           "OTHER:\n"
           "@%p1 red.relaxed.cta.global.add.u32 [%rd1], %r1; // later",
       "that are not ordered", 2},
  });
}

TEST(MemoryModel, BulkReductionsReadWhatTheyWrite) {
  std::string text = prologue + reduceInto("%rd2") + "\n  ret;\n}\n";
  Case c{"program", "program", {1}, {64}, {}, {}, {}};
  c.buffers = {std::vector<uint32_t>(256), std::vector<uint32_t>(4)};
  LaunchResult result = runText(text, c, {}).result;
  ASSERT_EQ(result.reports.size(), 1u) << describe(result);
  EXPECT_EQ(result.reports[0].kind, ReportKind::Uninitialized);
}

//===----------------------------------------------------------------------===//
// Sources of cp.async
//===----------------------------------------------------------------------===//

TEST(MemoryModel, SourcesInFlightAreNotOverwritten) {
  const char *inFlight = "the asynchronous operation was not waited for";
  std::string copy = "cp.async.ca.shared.global [%r2], [%rd4], 4; // earlier\n"
                     "cp.async.commit_group;\n";
  expectPrograms({
      {copy + "st.global.u32 [%rd4], 777; // later\n"
              "cp.async.wait_group 0;",
       inFlight},
      {copy + "bar.sync 0;\n"
              "st.global.u32 [%rd5], 777; // later\n"
              "cp.async.wait_group 0;",
       inFlight},
      // Not even committed.
      {"cp.async.cg.shared.global [%r2], [%rd4], 16; // earlier\n"
       "st.global.u32 [%rd4+12], 777; // later\n"
       "cp.async.wait_all;",
       inFlight},
      // The second of two groups.
      {"cp.async.ca.shared.global [%r2], [%rd4], 4;\n"
       "cp.async.commit_group;\n"
       "cp.async.ca.shared.global [%r2+4], [%rd4+4], 4; // earlier\n"
       "cp.async.commit_group;\n"
       "cp.async.wait_group 1;\n"
       "st.global.u32 [%rd4], 777;\n"
       "st.global.u32 [%rd4+4], 777; // later\n"
       "cp.async.wait_group 0;",
       inFlight},
      // Waited for, but not ordered.
      {copy + "bar.sync 0;\n"
              "cp.async.wait_group 0;\n"
              "st.global.u32 [%rd5], 777; // later",
       "a read and a write that are not ordered"},
      {"@!%p1 bra SECOND;\n" + copy +
           "cp.async.wait_group 0;\n"
           "SECOND:\n"
           "@%p2 st.global.u32 [%rd1], 777; // later",
       "lanes of one warp are not ordered"},
      // Lanes that read one source wait each for itself.
      {"@%p4 cp.async.ca.shared.global [%r2], [%rd1], 4; // earlier\n"
       "cp.async.wait_all;\n"
       "@%p1 st.global.u32 [%rd1], 777; // later",
       "lanes of one warp are not ordered"},
      // Another block: an ordinary race.
      {"@!%p5 bra OTHER;\n" + copy +
           "cp.async.wait_group 0;\n"
           "ret;\n"
           "OTHER:\n"
           "st.global.u32 [%rd4], 777; // later",
       "blocks are not ordered", 2},
  });
}

// Thread 0 waits and fences apart from its warp; the asynchronous proxy then reads for
// the partner of each thread what that copied.
TEST(MemoryModel, LanesWaitForCopiesApart) {
  auto program = [](const char *loneFence) {
    return std::string(
               "xor.b32 %r8, %r4, 512;\n"
               "mov.u32 %r9, tile;\n"
               "add.u32 %r8, %r8, %r9;\n"
               "cp.async.cg.shared.global [%r2], [%rd4], 16; // earlier\n"
               "cp.async.commit_group;\n"
               "@%p1 bra LONE;\n"
               "cp.async.wait_group 0;\n"
               "fence.proxy.async.shared::cta;\n"
               "bra NEXT;\n"
               "LONE:\n"
               "cp.async.wait_group 0;\n") +
           loneFence +
           "NEXT:\n"
           "bar.sync 0;\n"
           "cp.async.bulk.global.shared::cta.bulk_group [%rd4], [%r8], 16; "
           "// later\n"
           "cp.async.bulk.commit_group;\n"
           "cp.async.bulk.wait_group 0;";
  };
  expectPrograms({{program("fence.proxy.async.shared::cta;\n"), ""},
                  {program(""), "no fence.proxy.async"}});
}

TEST(MemoryModel, SourcesMayBeOverwrittenBehindTheWait) {
  std::string copy = "cp.async.ca.shared.global [%r2], [%rd4], 4;\n"
                     "cp.async.commit_group;\n";
  expectPrograms({
      {copy + "cp.async.wait_group 0;\n"
              "st.global.u32 [%rd4], 777;",
       ""},
      {copy + "cp.async.wait_group 0;\n"
              "bar.sync 0;\n"
              "st.global.u32 [%rd5], 777;",
       ""},
      {copy + "cp.async.wait_all;\n"
              "bar.warp.sync 0xffffffff;\n"
              "bar.sync 0;\n"
              "@%p1 st.global.u32 [%rd1+16], 777;",
       ""},
      {"cp.async.ca.shared.global [%r2], [%rd1], 4;\n"
       "cp.async.wait_all;\n"
       "bar.sync 0;\n"
       "@%p1 st.global.u32 [%rd1], 777;",
       ""},
      // Reads do not matter, nor do bytes that the copy leaves out.
      {copy + "ld.global.u32 %r8, [%rd4];\n"
              "bar.sync 0;\n"
              "ld.global.u32 %r8, [%rd5];\n"
              "st.global.u32 [%rd4+4], 777;\n"
              "cp.async.wait_all;",
       ""},
      {"cp.async.ca.shared.global [%r2], [%rd4], 16, 4;\n"
       "st.global.u32 [%rd4+4], 777;\n"
       "cp.async.wait_all;",
       ""},
  });
}

TEST(MemoryModel, SourcesOfCopiesOnAnMbarrier) {
  std::string copy = "@%p1 mbarrier.init.shared.b64 [%r5], 64;\n"
                     "bar.sync 0;\n"
                     "cp.async.ca.shared.global [%r2], [%rd4], 4; // earlier\n"
                     "cp.async.mbarrier.arrive.noinc.shared.b64 [%r5];\n";
  std::string wait = "WAIT:\n"
                     "mbarrier.try_wait.parity.shared.b64 %p6, [%r5], 0;\n"
                     "@!%p6 bra WAIT;\n";
  expectPrograms({
      {copy + wait + "st.global.u32 [%rd5], 777;", ""},
      {copy +
           "bar.sync 0;\n"
           "st.global.u32 [%rd5], 777; // later\n" +
           wait,
       "st.global"},
  });
}

// What cp.async wrote is of the generic proxy: who reads it through the other one
// fences behind the wait.
TEST(MemoryModel, CopiesOnAnMbarrierCrossProxies) {
  std::string copy = "@%p1 mbarrier.init.shared.b64 [%r5], 64;\n"
                     "bar.sync 0;\n"
                     "cp.async.ca.shared.global [%r2], [%rd4], 16; // earlier\n"
                     "cp.async.mbarrier.arrive.noinc.shared.b64 [%r5];\n"
                     "WAIT:\n"
                     "mbarrier.try_wait.parity.shared.b64 %p6, [%r5], 0;\n"
                     "@!%p6 bra WAIT;\n";
  std::string store = "@!%p1 bra DONE;\n"
                      "mov.u32 %r8, tile;\n"
                      "cp.async.bulk.global.shared::cta.bulk_group "
                      "[%rd2], [%r8], 16; // later\n"
                      "cp.async.bulk.commit_group;\n"
                      "cp.async.bulk.wait_group 0;\n"
                      "DONE:\n";
  expectPrograms({
      {copy + store, "no fence.proxy.async follows the wait"},
      {copy + "fence.proxy.async.shared::cta;\n" + store, ""},
      {copy + "ld.shared.u32 %r8, [%r2];", ""},
  });
}

// Halves of a warp that are an iteration apart run one copy together, and each half's
// is complete with the mbarrier that it arrives at.
TEST(MemoryModel, CopiesOfLanesApartOnMbarriers) {
  expectPrograms({{".shared .align 8 .b8 words[16];\n"
                   "mov.u32 %r9, words;\n"
                   "@%p1 mbarrier.init.shared.b64 [%r9], 64;\n"
                   "@%p1 mbarrier.init.shared.b64 [%r9+8], 64;\n"
                   "bar.sync 0;\n"
                   "and.b32 %r10, %r1, 16;\n"
                   "setp.eq.u32 %p7, %r10, 0;\n"
                   "mov.u32 %r11, 0;\n"
                   "@!%p7 bra BOTH;\n"
                   "cp.async.ca.shared.global [%r2], [%rd4], 8;\n"
                   "cp.async.mbarrier.arrive.noinc.shared.b64 [%r9];\n"
                   "mov.u32 %r11, 8;\n"
                   "BOTH:\n"
                   "bar.warp.sync 0xffffffff;\n"
                   "add.u32 %r12, %r2, %r11;\n"
                   "add.u32 %r13, %r9, %r11;\n"
                   "cp.async.ca.shared.global [%r12], [%rd4], 8;\n"
                   "cp.async.mbarrier.arrive.noinc.shared.b64 [%r13];\n"
                   "@%p7 bra WAIT;\n"
                   "cp.async.ca.shared.global [%r2+8], [%rd4], 8;\n"
                   "cp.async.mbarrier.arrive.noinc.shared.b64 [%r9+8];\n"
                   "WAIT:\n"
                   "mbarrier.try_wait.parity.shared.b64 %p6, [%r9], 0;\n"
                   "@!%p6 bra WAIT;\n"
                   "xor.b32 %r14, %r4, 256;\n"
                   "mov.u32 %r15, tile;\n"
                   "add.u32 %r15, %r15, %r14;\n"
                   "ld.shared.u32 %r8, [%r15];",
                   ""}});
}

// A bulk copy arrives at an mbarrier through the asynchronous proxy, which is shown
// its initialisation by who initialised it, or by who is ordered behind that.
TEST(MemoryModel, MbarriersThatBulkCopiesArriveAt) {
  std::string init = "@%p1 mbarrier.init.shared.b64 [%r5], 1; // earlier\n";
  std::string show = "fence.mbarrier_init.release.cluster;\n";
  std::string fence = "fence.proxy.async.shared::cta;\n";
  std::string sync = "bar.sync 0;\n";
  std::string copy = "@!%p3 bra WAIT;\n"
                     "mbarrier.arrive.expect_tx.shared.b64 _, [%r5], 16;\n";
  std::string load = "cp.async.bulk.shared::cluster.global.mbarrier::"
                     "complete_tx::bytes [%r2], [%rd1], 16, [%r5]; // later\n";
  std::string wait = "WAIT:\n"
                     "mbarrier.try_wait.parity.shared.b64 %p6, [%r5], 0;\n"
                     "@!%p6 bra WAIT;\n";
  const char *says = "no fence.mbarrier_init by the thread that initialised";
  expectPrograms({
      {init + sync + copy + load + wait, says},
      {init + "@%p1 " + show + sync + copy + load + wait, ""},
      {init + "@%p1 " + fence + sync + copy + load + wait, ""},
      {init + sync + copy + fence + load + wait, ""},
      // By another thread, too late, of what was not initialised yet.
      {init + "@%p2 " + show + sync + copy + load + wait, says},
      {init + sync + copy + show + load + wait, says},
      {"@%p1 " + show + init + sync + copy + load + wait, says},
      // Threads that arrive need none.
      {init + sync + "@%p3 mbarrier.arrive.shared.b64 _, [%r5];\n" + wait, ""},
  });
}

TEST(MemoryModel, SourcesOfBulkCopies) {
  std::string begin = "@%p1 mbarrier.init.shared.b64 [%r5], 1;\n"
                      "fence.mbarrier_init.release.cluster;\n"
                      "bar.sync 0;\n"
                      "@!%p1 bra WAIT;\n"
                      "mbarrier.arrive.expect_tx.shared.b64 _, [%r5], 16;\n"
                      "cp.async.bulk.shared::cluster.global.mbarrier::"
                      "complete_tx::bytes [%r2], [%rd1], 16, [%r5]; "
                      "// earlier\n";
  std::string wait = "WAIT:\n"
                     "mbarrier.try_wait.parity.shared.b64 %p6, [%r5], 0;\n"
                     "@!%p6 bra WAIT;\n";
  expectPrograms({
      {begin + "st.global.u32 [%rd1+8], %r7; // later\n" + wait,
       "the copy completes on an mbarrier whose phase 1 this thread did not "
       "wait for"},
      {begin + wait + "@%p3 st.global.u32 [%rd1+8], %r7;", ""},
      {begin + wait + "@%p1 st.global.u32 [%rd1+8], %r7;", ""},
      {begin + "st.global.u32 [%rd1+16], %r7;\n" + wait, ""},
  });
}

//===----------------------------------------------------------------------===//
// Sizes of strong accesses
//===----------------------------------------------------------------------===//

TEST(MemoryModel, AtomicsOfDifferentSizes) {
  const char *sizes = "accesses of different sizes overlap only in part";
  std::string small = "atom.global.add.u32 %r8, [%rd1], %r7; // earlier\n";
  std::string large = "atom.global.add.u64 %rd8, [%rd1], %rd6; // later\n";
  std::string sharedBegin = "st.shared.u64 [%r2], %rd6; mov.u32 %r9, tile;\n"
                            "bar.sync 0;\n";
  expectPrograms({
      // Lanes of one warp, of two warps, of two blocks.
      {"@%p1 " + small + "@%p2 " + large, sizes},
      {"@%p1 " + small + "@%p3 " + large, sizes},
      {"@!%p5 bra OTHER;\n" + small + "ret;\nOTHER:\n" + large, sizes, 2},
      {sharedBegin + "@%p1 atom.shared.add.u32 %r8, [%r9+4], %r7; // earlier\n"
                     "@%p2 atom.shared.add.u64 %rd8, [%r9], %rd6; // later",
       sizes},
      // Other strong accesses, halves of words, vectors.
      {"@%p1 " + small +
           "@%p3 ld.relaxed.gpu.global.u64 %rd8, [%rd1]; // later",
       sizes},
      {"@%p1 " + small +
           "@%p3 st.relaxed.gpu.global.u8 [%rd1+3], %r1; // later",
       sizes},
      {"@%p1 " + small +
           "@%p3 atom.global.cas.b16 %h2, [%rd1+2], %h1, %h1; // later",
       sizes},
      {"@%p1 red.global.add.v2.f32 [%rd1], {%f1, %f1}; // earlier\n"
       "@%p3 " +
           large,
       sizes},
      {"@%p1 red.global.add.noftz.f16x2 [%rd1], %r7; // earlier\n"
       "@%p3 atom.global.add.u32 %r8, [%rd1], %r7; // later",
       sizes},
  });
}

TEST(MemoryModel, AtomicsOfOneSize) {
  expectPrograms({
      {"atom.global.add.u32 %r8, [%rd1], %r7;\n"
       "red.global.max.s32 [%rd1], %r7;\n"
       "atom.global.cas.b32 %r8, [%rd1], %r7, %r7;\n"
       "ld.relaxed.gpu.global.u32 %r9, [%rd1];\n"
       "st.relaxed.gpu.global.u32 [%rd1], %r7;",
       "", 2},
      // A packed or vector operation is one on each of its elements.
      {"red.global.add.noftz.f16x2 [%rd1], %r7;\n"
       "@%p4 red.global.add.noftz.f16 [%rd1+2], %h1;\n"
       "red.global.add.v4.f32 [%rd1+16], {%f1, %f1, %f1, %f1};\n"
       "red.global.add.f32 [%rd1+20], %f1;\n"
       "ld.relaxed.gpu.global.v2.f32 {%f2, %f3}, [%rd1+24];",
       "", 2},
      // Ordered, sizes do not matter; nor beside each other.
      {"@%p1 atom.global.add.u32 %r8, [%rd1], %r7;\n"
       "bar.sync 0;\n"
       "@%p3 atom.global.add.u64 %rd8, [%rd1], %rd6;\n"
       "atom.global.add.u32 %r8, [%rd1+8], %r7;",
       ""},
  });
}
