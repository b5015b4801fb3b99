//===- UnwrittenRegistersTest.cpp - Registers that nothing wrote ----------===//
//
// A register that may be read before it is written is undefined until then. A
// report names it, and what it decides.
//
//===----------------------------------------------------------------------===//

#include "DefinednessCase.h"

using namespace tilec::emu;

TEST(Definedness, RegistersThatNothingWrote) {
  check({
      {"a sum", "add.u32 %r9, %r20, 1; st.global.u32 [%rd2], %r9;",
       "register %r20, which nothing has written, is stored to global memory",
       "", false},
      {"a guard", "@%p5 st.global.u32 [%rd2], %r1;",
       "register %p5, which nothing has written, decides whether", "", false},
      {"on one path",
       "setp.lt.u32 %p1, %r1, 16;\n@%p1 bra JOIN;\nmov.u32 %r20, 1;\n"
       "JOIN: st.global.u32 [%rd2], %r20;",
       "register %r20", "", false},
      {"under a guard",
       "setp.lt.u32 %p1, %r1, 16;\n@%p1 mov.u32 %r20, 1;\n"
       "st.global.u32 [%rd2], %r20;",
       "register %r20", "", false},
      {"on both paths",
       "setp.lt.u32 %p1, %r1, 16;\nmov.u32 %r20, 2;\n@%p1 bra JOIN;\n"
       "mov.u32 %r20, 1;\nJOIN: st.global.u32 [%rd2], %r20;",
       ""},
      {"by guards that are each other's opposite",
       "setp.lt.u32 %p1, %r1, 16;\n@%p1 mov.u32 %r20, 1;\n"
       "@!%p1 mov.u32 %r20, 2;\nst.global.u32 [%rd2], %r20;",
       ""},
      {"in a loop that writes it for the next iteration",
       "mov.u32 %r19, 0;\nLOOP: setp.eq.u32 %p1, %r19, 0;\n@%p1 bra FIRST;\n"
       "st.global.u32 [%rd2], %r20;\nFIRST: mov.u32 %r20, %r19;\n"
       "add.u32 %r19, %r19, 1; setp.lt.u32 %p1, %r19, 3;\n@%p1 bra LOOP;",
       ""},
      {"of a function called",
       "{ .param .b32 r0; call.uni (r0), f, (); ld.param.b32 %r9, [r0]; }\n"
       "st.global.u32 [%rd2], %r9;",
       "is stored to global memory",
       ".func (.param .b32 out) f()\n{ .reg .b32 %a<4>;\n"
       "st.param.b32 [out], %a1; ret; }\n"},
      {"at the place that another function's has",
       "call.uni f, ();\n@%p0 st.global.u32 [%rd2], %r1;",
       "register %p0, which nothing has written",
       ".func f()\n{ .reg .pred %a<2>; and.pred %a1, %a0, %a0; ret; }\n",
       false},
      {"read and dropped",
       "add.u32 %r9, %r20, 1; setp.ge.u32 %p1, %r1, 0;\n"
       "setp.eq.or.u32 %p2, %r20, 1, %p1; @%p2 st.global.u32 [%rd2], %r1;",
       ""},
      {"compared, and not dropped",
       "setp.ge.u32 %p1, %r1, 0; setp.eq.and.u32 %p2, %r20, 1, %p1;\n"
       "@%p2 st.global.u32 [%rd2], %r1;",
       "register %r20", "", false},
  });
}
