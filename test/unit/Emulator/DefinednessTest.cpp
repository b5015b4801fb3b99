//===- DefinednessTest.cpp - Undefined values and what they decide --------===//
//
// Each kind of decision has a case in which an undefined value makes it, and
// neighbours in which one is read, moved or dropped and decides nothing.
//
//===----------------------------------------------------------------------===//

#include "DefinednessCase.h"

using namespace tilec::emu;

namespace {

/// Reads the word of the thread that nothing was written to into %r9, and one
/// that is defined into %r8.
const std::string readBoth =
    "ld.shared.u32 %r8, [%r2+4]; ld.shared.u32 %r9, [%r2+8];\n";

} // namespace

TEST(Definedness, ReadingAndDroppingIsSilent) {
  check({
      {"a vector of which a part is used",
       "ld.shared.v4.b32 {%r8, %r9, %r10, %r11}, [%r2];\n"
       "add.u32 %r12, %r8, %r9; st.global.u32 [%rd2], %r12;",
       ""},
      {"a computation nobody uses",
       readBoth + "add.u32 %r9, %r9, %r8; cvt.rn.f32.u32 %f1, %r9;\n"
                  "setp.eq.u32 %p1, %r9, 5; selp.b32 %r10, 1, 2, %p1;\n"
                  "st.global.u32 [%rd2], %r8;",
       ""},
      {"a register that is written over",
       readBoth + "mov.u32 %r9, 1; st.global.u32 [%rd2], %r9;", ""},
      {"global memory",
       "ld.global.v4.b32 {%r8, %r9, %r10, %r11}, [%rd3];\n"
       "st.global.u32 [%rd2], %r8;",
       ""},
  });
}

TEST(Definedness, StoresToGlobalMemory) {
  check({
      {"of a word of shared memory", readBoth + "st.global.u32 [%rd2], %r9;",
       "read of 4 bytes at shared address 0x8 that nothing was written to; the "
       "value is stored to global memory: "},
      {"of a word of global memory",
       "ld.global.u32 %r9, [%rd3+8]; st.global.u32 [%rd2], %r9;",
       "buffer 'half'"},
      {"of a word of local memory",
       "mov.u64 %rd5, l; ld.local.u32 %r9, [%rd5]; st.global.u32 [%rd2], %r9;",
       "at local address 0x0 that the thread wrote nothing to"},
      {"of one byte of four",
       "st.shared.u8 [%r2+8], %r1; ld.shared.u32 %r9, [%r2+8];\n"
       "st.global.u32 [%rd2], %r9;",
       "(3 of them)"},
      {"of that byte alone",
       "st.shared.u8 [%r2+8], %r1; ld.shared.u32 %r9, [%r2+8];\n"
       "st.global.u8 [%rd2], %r9;",
       ""},
      {"of a sum",
       readBoth + "add.u32 %r9, %r9, %r8;\n"
                  "st.global.u32 [%rd2], %r9;",
       "is stored to global memory"},
      {"through a generic address", readBoth + "st.u32 [%rd2], %r9;",
       "is stored to global memory"},
      {"by an atomic",
       "mov.u32 %r8, 0; st.global.u32 [%rd2], %r8;\n"
       "ld.shared.u32 %r9, [%r2+8]; red.global.add.u32 [%rd2], %r9;",
       "is stored to global memory"},
      {"by an atomic on undefined memory",
       "atom.global.add.u32 %r9, [%rd2], 1;", "is stored to global memory"},
      {"of a half that atomics wrote",
       "red.shared.and.b32 [%r2+8], 0xfffffff0;\n"
       "red.shared.or.b32 [%r2+8], 5; ld.shared.u8 %r9, [%r2+8];\n"
       "and.b32 %r9, %r9, 15; st.global.u32 [%rd2], %r9;",
       ""},
      {"of the other half",
       "red.shared.and.b32 [%r2+8], 0xfffffff0;\n"
       "red.shared.or.b32 [%r2+8], 5; ld.shared.u8 %r9, [%r2+8];\n"
       "st.global.u32 [%rd2], %r9;",
       "is stored to global memory"},
      {"of both halves, one after the other",
       "red.shared.and.b32 [%r2+8], 0xfffffff0; red.shared.or.b32 [%r2+8], 5;\n"
       "red.shared.and.b32 [%r2+8], 0xffffff0f; red.shared.or.b32 [%r2+8], "
       "16;\n"
       "ld.shared.u8 %r9, [%r2+8]; st.global.u32 [%rd2], %r9;",
       ""},
      {"of the byte beside it",
       "red.shared.and.b32 [%r2+8], 0xffffff00;\n"
       "ld.shared.u8 %r9, [%r2+9]; st.global.u32 [%rd2], %r9;",
       "is stored to global memory"},
      {"by an exchange with undefined memory",
       "atom.global.exch.b32 %r9, [%rd2], %r1; ld.global.u32 %r8, [%rd2];\n"
       "st.global.u32 [%rd2], %r8;",
       ""},
      {"of what an exchange found",
       "atom.global.exch.b32 %r9, [%rd2], %r1; st.global.u32 [%rd2], %r9;",
       "is stored to global memory"},
      {"of the word that an atomic found",
       "atom.shared.or.b32 %r9, [%r2+8], 5; st.global.u32 [%rd2], %r9;",
       "is stored to global memory"},
      {"by one lane, and of bits that the others define",
       "setp.eq.u32 %p1, %r1, 3; mov.u32 %r9, 5;\n"
       "@%p1 ld.shared.u32 %r9, [%r2+8]; red.global.or.b32 [%rd2], %r9;",
       "thread (3,0,0)"},
      {"of bits that a mask removes",
       readBoth + "and.b32 %r9, %r9, 0; or.b32 %r9, %r9, %r8;\n"
                  "st.global.u32 [%rd2], %r9;",
       ""},
  });
}

TEST(Definedness, Predicates) {
  check({
      {"a branch", readBoth + "setp.eq.u32 %p1, %r9, 5;\n@%p1 bra END;\nEND:",
       "decides a branch"},
      {"a guard",
       readBoth + "setp.eq.u32 %p1, %r9, 5;\n@%p1 st.global.u32 [%rd2], %r8;",
       "decides whether 'st.global.u32' is executed"},
      {"through the votes of a warp",
       readBoth + "setp.eq.u32 %p1, %r9, 5;\n"
                  "vote.sync.any.pred %p2, %p1, 0xffffffff;\n@%p2 bra END;\n"
                  "END:",
       "decides a branch"},
      {"a defined value beside it",
       readBoth + "setp.eq.u32 %p1, %r8, 5;\n@%p1 bra END;\nEND:", ""},
      {"a conjunction with false",
       readBoth + "setp.eq.u32 %p1, %r9, 5; setp.ne.u32 %p2, %r8, 7;\n"
                  "and.pred %p3, %p1, %p2;\n@%p3 bra END;\nEND:",
       ""},
      {"a conjunction with true",
       readBoth + "setp.eq.u32 %p1, %r9, 5; setp.eq.u32 %p2, %r8, 7;\n"
                  "and.pred %p3, %p1, %p2;\n@%p3 bra END;\nEND:",
       "decides a branch"},
      {"a disjunction with the opposite of false",
       readBoth + "setp.eq.u32 %p1, %r9, 5; setp.ne.u32 %p2, %r8, 7;\n"
                  "not.pred %p2, %p2; or.pred %p3, %p1, %p2;\n"
                  "@%p3 bra END;\nEND:",
       ""},
      {"a comparison combined with false",
       readBoth + "setp.ne.u32 %p2, %r8, 7;\n"
                  "setp.eq.and.u32 %p2, %r9, 5, %p2;\n@%p2 bra END;\nEND:",
       ""},
      {"a comparison combined with true",
       readBoth + "setp.ne.u32 %p2, %r8, 7;\n"
                  "setp.eq.and.u32 %p1, %r9, 5, !%p2;\n@%p1 bra END;\nEND:",
       "decides a branch"},
      {"a comparison or true",
       readBoth + "setp.ne.u32 %p2, %r8, 7;\n"
                  "setp.eq.or.u32 %p1, %r9, 5, !%p2;\n@%p1 bra END;\nEND:",
       ""},
      {"a comparison that differs from true",
       readBoth + "setp.eq.u32 %p2, %r8, 7;\n"
                  "setp.eq.xor.u32 %p1, %r9, 5, %p2;\n@%p1 bra END;\nEND:",
       "decides a branch"},
      {"a table of branches",
       readBoth + "and.b32 %r9, %r9, 1;\nT: .branchtargets A, A;\n"
                  "brx.idx %r9, T;\nA:",
       "decides a branch"},
      {"a selection by it that is stored",
       readBoth + "setp.eq.u32 %p1, %r9, 5; selp.b32 %r10, %r1, 9, %p1;\n"
                  "st.global.u32 [%rd2], %r10;",
       "is stored to global memory"},
      {"a selection of what is defined",
       readBoth + "setp.eq.u32 %p1, %r8, 7; selp.b32 %r10, %r8, %r9, %p1;\n"
                  "st.global.u32 [%rd2], %r10;",
       ""},
  });
}

TEST(Definedness, Addresses) {
  check({
      {"of a load",
       readBoth + "and.b32 %r9, %r9, 12; add.u32 %r9, %r9, %r2;\n"
                  "ld.shared.u32 %r11, [%r9];",
       "is the address of 'ld.shared.u32'"},
      {"of a store",
       readBoth + "and.b32 %r9, %r9, 12; add.u32 %r9, %r9, %r2;\n"
                  "st.shared.u32 [%r9], %r8;",
       "is the address of 'st.shared.u32'"},
      {"of an atomic",
       "st.shared.u8 [%r2+9], %r1; ld.shared.u32 %r9, [%r2+8];\n"
       "and.b32 %r9, %r9, 12; add.u32 %r9, %r9, %r2;\n"
       "atom.shared.add.u32 %r11, [%r9], 1;",
       "is the address of 'atom.shared.add.u32'"},
      {"an operand of a barrier",
       readBoth + "and.b32 %r9, %r9, 1; bar.sync %r9, 32;",
       "is an operand of 'bar.sync'"},
      {"the size of a copy",
       "ld.shared.u32 %r9, [%r2+8]; and.b32 %r9, %r9, 4; mov.u32 %r10, t;\n"
       "add.u32 %r10, %r10, %r3;\n"
       "cp.async.ca.shared.global [%r10], [%rd3], 4, %r9;",
       "is an operand of 'cp.async.ca.shared.global'"},
      {"lanes whose addresses a matrix move does not take",
       readBoth + "st.shared.v4.b32 [%r2], {%r1, %r1, %r1, %r1};\n"
                  "bar.warp.sync 0xffffffff; setp.lt.u32 %p1, %r1, 8;\n"
                  "selp.b32 %r10, %r2, %r9, %p1;\n"
                  "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r11}, [%r10];\n"
                  "st.global.u32 [%rd2], %r11;",
       ""},
  });
}

TEST(Definedness, BitsGoWhereInstructionsMoveThem) {
  // %r9: bytes 0 and 2 are defined, 1 and 3 are not.
  std::string word = "st.shared.u8 [%r2+8], %r1; st.shared.u8 [%r2+10], %r1;\n"
                     "ld.shared.u32 %r9, [%r2+8];\n";
  auto silent = [&](const char *name, const std::string &moves) {
    return DefinednessCase{name, word + moves, ""};
  };
  auto caught = [&](const char *name, const std::string &moves) {
    return DefinednessCase{name, word + moves, "is stored to global memory"};
  };
  std::string store = "st.global.u32 [%rd2], %r10;";
  check({
      silent("prmt of defined bytes",
             "prmt.b32 %r10, %r9, %r1, 0x4624; and.b32 %r10, %r10, 0xffffff;\n"
             "prmt.b32 %r10, %r9, 0, 0x4042;" +
                 store),
      caught("prmt of an undefined byte",
             "prmt.b32 %r10, %r9, 0, 0x4142;" + store),
      silent("shift",
             "shr.u32 %r10, %r9, 16; and.b32 %r10, %r10, 255;" + store),
      caught("shift by too little",
             "shr.u32 %r10, %r9, 15; and.b32 %r10, %r10, 511;" + store),
      silent("bfe", "bfe.u32 %r10, %r9, 16, 8;" + store),
      caught("bfe that meets an undefined bit",
             "bfe.u32 %r10, %r9, 16, 9;" + store),
      caught("the sign of bfe", "bfe.s32 %r10, %r9, 12, 4;" + store),
      silent("bfi", "bfi.b32 %r10, %r1, %r9, 8, 8; bfi.b32 %r10, 0, %r10, 24, "
                    "8;" +
                        store),
      silent("cvt to 8 bits", "cvt.u32.u8 %r10, %r9;" + store),
      caught("cvt to 16 bits", "cvt.u32.u16 %r10, %r9;" + store),
      silent("unpacking",
             "mov.b32 {%h1, %h2}, %r9; cvt.u32.u8 %r10, %h2;" + store),
      silent("lop3 of defined bits",
             "lop3.b32 %r10, %r9, 0x00ff00ff, %r1, 0xea;" + store),
      caught("lop3 of undefined bits",
             "lop3.b32 %r10, %r9, 0x01ff00ff, %r1, 0xea;" + store),
      caught("xor", "xor.b32 %r10, %r9, %r1;" + store),
      caught("a shuffle from its lane",
             "shfl.sync.bfly.b32 %r10, %r9, 1, 31, 0xffffffff;" + store),
  });
}

TEST(Definedness, SumsCarryUpwards) {
  // %r9: bits 8 to 15 are not defined.
  std::string word = "mov.u32 %r9, 0; st.shared.u32 [%r2+8], %r9;\n"
                     "ld.shared.u8 %r10, [%r2+12]; shl.b32 %r9, %r10, 8;\n";
  auto silent = [&](const char *name, const std::string &sum) {
    return DefinednessCase{name, word + sum + "st.global.u8 [%rd2], %r11;", ""};
  };
  auto caught = [&](const char *name, const std::string &sum) {
    return DefinednessCase{name, word + sum + "st.global.u8 [%rd2], %r11;",
                           "is stored to global memory"};
  };
  std::string next = "shr.u32 %r11, %r11, 8;", top = "shr.u32 %r11, %r11, 24;";
  check({
      silent("below a sum", "add.s32 %r11, %r9, %r1;"),
      caught("at its place in a sum", "add.s32 %r11, %r9, %r1;" + next),
      caught("above it", "add.s32 %r11, %r1, %r9;" + top),
      silent("below a difference", "sub.s32 %r11, %r1, %r9;"),
      caught("above a difference", "sub.s32 %r11, %r1, %r9;" + top),
      silent("below the negative", "neg.s32 %r11, %r9;"),
      silent("below a product", "mul.lo.s32 %r11, %r9, %r1;"),
      caught("above a product", "mul.lo.s32 %r11, %r9, %r1;" + top),
      silent("below a wide product",
             "mul.wide.s32 %rd5, %r9, %r1; cvt.u32.u64 %r11, %rd5;"),
      caught("in the upper half of a wide product",
             "mul.wide.s32 %rd5, %r9, %r1; shr.u64 %rd5, %rd5, 32;\n"
             "cvt.u32.u64 %r11, %rd5;"),
      silent("below a product and a sum", "mad.lo.s32 %r11, %r1, %r1, %r9;"),
      caught("the upper half of a product", "mul.hi.s32 %r11, %r9, %r1;"),
      caught("a sum that saturates", "add.sat.s32 %r11, %r9, %r1;"),
      caught("a sum of floats", "mov.b32 %f1, %r9; add.f32 %f1, %f1, %f1;\n"
                                "mov.b32 %r11, %f1;"),
  });
}

TEST(Definedness, LanesByShuffles) {
  // Undefined in lane 3 only.
  std::string word = "setp.ne.u32 %p1, %r1, 3;\n"
                     "@%p1 st.shared.u32 [%r2+8], %r1;\n"
                     "ld.shared.u32 %r9, [%r2+8];\n";
  check({
      {"from the undefined lane",
       word + "shfl.sync.idx.b32 %r10, %r9, 3, 31, 0xffffffff;\n"
              "st.global.u32 [%rd2], %r10;",
       "is stored to global memory"},
      {"from another lane",
       word + "shfl.sync.idx.b32 %r10, %r9, 4, 31, 0xffffffff;\n"
              "st.global.u32 [%rd2], %r10;",
       ""},
      {"into a lane that stores nothing",
       word + "shfl.sync.down.b32 %r10, %r9, 1, 31, 0xffffffff;\n"
              "setp.ne.u32 %p2, %r1, 2;\n@%p2 st.global.u32 [%rd2], %r10;",
       ""},
  });
}

TEST(Definedness, HalvesOfPairs) {
  // %r9 has a defined low half.
  std::string word = "cvt.u16.u32 %h1, %r1; st.shared.u16 [%r2+8], %h1;\n"
                     "ld.shared.u32 %r9, [%r2+8]; ld.shared.u32 %r10, [%r2];\n";
  check({
      {"the low half of a sum",
       word + "add.f16x2 %r11, %r9, %r10; st.global.u16 [%rd2], %r11;", ""},
      {"all of a sum",
       word + "add.f16x2 %r11, %r9, %r10; st.global.u32 [%rd2], %r11;",
       "is stored"},
      {"packed beside a defined value",
       "ld.shared.f32 %f1, [%r2+8]; ld.shared.f32 %f2, [%r2];\n"
       "cvt.rn.f16x2.f32 %r11, %f1, %f2; st.global.u16 [%rd2], %r11;",
       ""},
      {"packed as the half that is stored",
       "ld.shared.f32 %f1, [%r2+8]; ld.shared.f32 %f2, [%r2];\n"
       "cvt.rn.f16x2.f32 %r11, %f2, %f1; st.global.u16 [%rd2], %r11;",
       "is stored"},
  });
}

TEST(Definedness, MemoryKeepsIt) {
  // One thread copies 16 bytes to `t` (%r11), and all wait for them.
  std::string bulk = "mov.u32 %r11, t; mov.u32 %r12, bar;\n"
                     "setp.eq.u32 %p1, %r1, 0;\n"
                     "@%p1 mbarrier.init.shared::cta.b64 [%r12], 1;\n"
                     "fence.proxy.async; bar.warp.sync 0xffffffff;\n"
                     "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, "
                     "[%r12], 16;\n@%p1 ";
  std::string wait = "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, "
                     "[%r12], 0;\n@!%p2 bra WAIT;\n";
  check({
      {"in shared memory",
       readBoth + "st.shared.u32 [%r2+4], %r9; ld.shared.u32 %r10, [%r2+4];\n"
                  "st.global.u32 [%rd2], %r10;",
       "at shared address 0x4"},
      {"in local memory, with its padding",
       "ld.shared.v4.b32 {%r8, %r9, %r10, %r11}, [%r2]; mov.u64 %rd5, l;\n"
       "st.local.v4.b32 [%rd5], {%r8, %r9, %r10, %r11};\n"
       "ld.local.v4.b32 {%r12, %r13, %r14, %r15}, [%rd5];\n"
       "add.u32 %r12, %r12, %r13; st.global.u32 [%rd2], %r12;",
       ""},
      {"in local memory, where it is used",
       "ld.shared.v4.b32 {%r8, %r9, %r10, %r11}, [%r2]; mov.u64 %rd5, l;\n"
       "st.local.v4.b32 [%rd5], {%r8, %r9, %r10, %r11};\n"
       "ld.local.u32 %r12, [%rd5+12]; st.global.u32 [%rd2], %r12;",
       "at local address 0xc"},
      {"by an atomic on shared memory",
       "atom.shared.add.u32 %r9, [%r2+8], 1; ld.shared.u32 %r10, [%r2+8];\n"
       "st.global.u32 [%rd2], %r10;",
       "at shared address 0x8"},
      {"by ldmatrix, whose lanes 2 and 3 of four get undefined bytes",
       "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r9, %r10, %r11, %r12}, "
       "[%r2];\nst.global.u32 [%rd2], %r11;",
       "is stored to global memory"},
      {"by ldmatrix, beside what is used",
       "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r9, %r10, %r11, %r12}, "
       "[%r2];\nand.b32 %r13, %r1, 2; setp.eq.u32 %p1, %r13, 0;\n"
       "@%p1 st.global.u32 [%rd2], %r11;",
       ""},
      {"by stmatrix",
       "mov.u32 %r10, t; add.u32 %r10, %r10, %r3; ld.shared.u32 %r9, [%r2+8];\n"
       "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r10], {%r9};\n"
       "bar.warp.sync 0xffffffff; mov.u32 %r11, t; ld.shared.u32 %r12, [%r11];"
       "\nst.global.u32 [%rd2], %r12;",
       "is stored to global memory"},
      {"by cp.async",
       "mov.u32 %r10, t; add.u32 %r10, %r10, %r3;\n"
       "cp.async.ca.shared.global [%r10], [%rd3], 16; cp.async.wait_all;\n"
       "ld.shared.u32 %r9, [%r10+8]; st.global.u32 [%rd2], %r9;",
       "is stored to global memory"},
      {"by cp.async, beside what is used",
       "mov.u32 %r10, t; add.u32 %r10, %r10, %r3;\n"
       "cp.async.ca.shared.global [%r10], [%rd3], 16; cp.async.wait_all;\n"
       "ld.shared.v4.u32 {%r9, %r11, %r12, %r13}, [%r10];\n"
       "st.global.u32 [%rd2], %r11;",
       ""},
      {"by a bulk copy into shared memory",
       bulk +
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
           " [%r11], [%rd3], 16, [%r12];\n" +
           wait +
           "ld.shared.u32 %r9, [%r11+8];\n@%p1 st.global.u32 [%rd2], "
           "%r9;",
       "is stored to global memory"},
      {"by a bulk copy into shared memory, beside what is used",
       bulk +
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
           " [%r11], [%rd3], 16, [%r12];\n" +
           wait +
           "ld.shared.u32 %r9, [%r11+4];\n@%p1 st.global.u32 [%rd2], "
           "%r9;",
       ""},
      {"by a bulk copy within shared memory",
       bulk +
           "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
           "bytes [%r11], [%r2], 16, [%r12];\n" +
           wait +
           "ld.shared.u32 %r9, [%r11+8];\n@%p1 st.global.u32 [%rd2], "
           "%r9;",
       "is stored to global memory"},
      {"by a bulk copy out of shared memory",
       "fence.proxy.async; bar.warp.sync 0xffffffff;\n"
       "setp.eq.u32 %p1, %r1, 0;\n"
       "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 16;\n"
       "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
       "read of 16 bytes at shared address 0x0 that nothing was written to (8 "
       "of them)",
       "", false},
  });
}

TEST(Definedness, OfTheBitsThatTheHostWrites) {
  DeviceMemory memory;
  uint64_t a = memory.allocate(8, "a"), b = memory.allocate(8, "b");
  EXPECT_EQ(memory.getInitializedBits(a), 0);
  EXPECT_TRUE(memory.writeBits(a, 0x35, 0x0f));
  EXPECT_EQ(memory.getInitializedBits(a), 0x0f);
  EXPECT_EQ(memory.countUninitialized(a, 8), 8u);
  EXPECT_TRUE(memory.writeBits(a, 0x72, 0xf0));
  EXPECT_EQ(memory.getInitializedBits(a), 0xff);
  EXPECT_EQ(memory.countUninitialized(a, 8), 7u);
  uint8_t byte = 0;
  EXPECT_TRUE(memory.read(a, &byte, 1));
  EXPECT_EQ(byte, 0x75);
  EXPECT_FALSE(memory.writeBits(a + 8, 0, 1));
  EXPECT_EQ(memory.getInitializedBits(a + 8), 0);
  // Nothing is left where the bytes become undefined again.
  memory.writeBits(a + 1, 0, 0x0f);
  memory.forget(a, 8);
  EXPECT_EQ(memory.getInitializedBits(a), 0);
  EXPECT_EQ(memory.getInitializedBits(a + 1), 0);
  memory.writeBits(a + 2, 0, 0x0f);
  memory.copy(a, b, 8);
  EXPECT_EQ(memory.getInitializedBits(a + 2), 0);
}

TEST(Definedness, ProductsSpoilRowsAndColumns) {
  // A is in %r10 to %r13, undefined where the case says; lane l has rows l / 4
  // and l / 4 + 8, and of D columns 2 (l % 4) and the next.
  std::string product =
      "mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0;\n"
      "mov.u32 %r14, 0; mov.u32 %r15, 0; mov.f32 %f1, 0f00000000;\n"
      "ld.shared.u32 %r9, [%r2+8]; setp.eq.u32 %p1, %r1, 5;\n"
      "LINE\n"
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f4, %f5, %f6, %f7},"
      " {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%f1, %f1, %f1, %f1};\n"
      "shr.u32 %r16, %r1, 2; and.b32 %r17, %r1, 3;\n";
  auto with = [&](const std::string &line, const std::string &after) {
    std::string text = product;
    return text.replace(text.find("LINE"), 4, line) + after;
  };
  std::string ofA = "@%p1 mov.u32 %r10, %r9;"; // Row 1.
  std::string ofB = "@%p1 mov.u32 %r14, %r9;"; // Column 1.
  check({
      {"nobody uses the product", with(ofA, ""), ""},
      {"all other rows",
       with(ofA, "setp.ne.u32 %p2, %r16, 1;\n"
                 "@%p2 st.global.f32 [%rd2], %f4; st.global.f32 [%rd2], %f6;"),
       ""},
      {"the row of A",
       with(ofA, "setp.eq.u32 %p2, %r16, 1;\n@%p2 st.global.f32 [%rd2], %f4;"),
       "is stored to global memory"},
      {"all other columns",
       with(ofB, "st.global.f32 [%rd2], %f4; setp.ne.u32 %p2, %r17, 0;\n"
                 "@%p2 st.global.f32 [%rd2], %f5;"),
       ""},
      {"the column of B",
       with(ofB, "setp.eq.u32 %p2, %r17, 0;\n@%p2 st.global.f32 [%rd2], %f7;"),
       "is stored to global memory"},
  });
}

TEST(Definedness, NothingIsSaidWithoutTheCheck) {
  std::string error;
  LaunchOptions options;
  options.checks =
      *CheckOptions::parse("races,bounds,alignment,barriers,deadlock", error);
  EXPECT_TRUE(
      run(wrap(readBoth + "st.global.u32 [%rd2], %r9;"), options).empty());
  EXPECT_TRUE(run(wrap("st.global.u32 [%rd2], %r20;"), options).empty());
}
