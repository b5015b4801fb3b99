//===- BroadcastTest.cpp - Reads by several lanes of a warp ---------------===//
//
// Lanes that read one address are kept as one read of several lanes. It is
// ordered where each of them is, also by barriers of a part of the warp, and
// not where one of them is not.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"

#include <numeric>

using namespace tilec::emu;

static Case halves() {
  std::vector<uint32_t> input(32), expected(32);
  std::iota(input.begin(), input.end(), 100);
  for (uint32_t lane = 0; lane < 32; ++lane)
    expected[lane] = input[lane ^ 15] + 3 * input[lane & 16];
  return {"halves", "halves", {1}, {32}, {input, std::vector<uint32_t>(32)},
          {},       expected};
}

TEST(Broadcast, BarriersOfAHalfOrderItsReaders) { expectSound(halves()); }

TEST(Broadcast, ReadersOutsideOfABarrierAreNotOrdered) {
  constexpr ReportKind race = ReportKind::Race;
  expectCaught(
      halves(),
      {
          {"// first", "", race},
          {"// second", "", race},
          {"// third", "", race},
          // All lanes read lane 0, which waits for its own half alone.
          {"// broadcast", "ld.shared.u32 %r12, [%r4];", race},
          {"// mirror", "xor.b32 %r8, %r5, 124;", race},
          // Even lanes of the lower half read lane 16, before its own half does.
          {"// leader",
           "not.b32 %r7, %r1; shl.b32 %r7, %r7, 6; or.b32 %r7, %r7, %r5;"
           "and.b32 %r7, %r7, 64;",
           race},
      });
}
