//===- MemberMaskTest.cpp - Lanes with several member masks ---------------===//
//
// Every instruction with a member mask, executed by the lanes of a warp with
// one to four masks at once: all together, and after they came apart. The
// result of a lane is a function of the values in its own group.
//
//===----------------------------------------------------------------------===//

#include "Mutation.h"

#include <algorithm>
#include <bit>
#include <functional>

using namespace tilec::emu;

namespace {

using Masks = std::vector<uint32_t>; ///< Disjoint, all lanes together.

const std::vector<Masks> partitions = {
    {0xffffffff},
    {0x0000ffff, 0xffff0000},
    {0xaaaaaaaa, 0x55555555},
    {0x000000ff, 0x00ffff00, 0xff000000},
    {0x80000001, 0x7fff0000, 0x0000fffe},
    {0x0000000f, 0x00000ff0, 0x00fff000, 0xff000000},
    {0x11111111, 0x22222222, 0x44444444, 0x88888888},
};

/// What an instruction computes: of `lane`, whose group is `members`.
using Expected = std::function<uint32_t(uint32_t lane, uint32_t members,
                                        const std::vector<uint32_t> &values)>;
struct Exchange {
  /// From the value %r3 (and its double %rd6), member mask %r4, lane %r5, first
  /// lane of the group %r6 and oddness of the value %p1 to %r9; %p2 and %r10
  /// are free.
  const char *code;
  Expected expected;
};

/// `initial`, combined with the values of a group.
uint32_t fold(uint32_t members, const std::vector<uint32_t> &values,
              uint32_t initial,
              const std::function<uint32_t(uint32_t, uint32_t)> &combine) {
  for (uint32_t m = members; m; m &= m - 1)
    initial =
        combine(initial, values[static_cast<size_t>(std::countr_zero(m))]);
  return initial;
}

uint32_t oddOnes(uint32_t members, const std::vector<uint32_t> &values) {
  uint32_t odd = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    odd |= (values[lane] & 1) << lane;
  return odd & members;
}

uint32_t equalOnes(uint32_t lane, uint32_t members,
                   const std::vector<uint32_t> &values) {
  uint32_t equal = 0;
  for (uint32_t other = 0; other < 32; ++other)
    equal |= (values[other] == values[lane] ? 1u : 0u) << other;
  return equal & members;
}

const std::vector<Exchange> exchanges = {
    {"redux.sync.add.s32 %r9, %r3, %r4;",
     [](uint32_t, uint32_t m, auto &v) {
       return fold(m, v, 0, std::plus<uint32_t>());
     }},
    {"redux.sync.add.u32 %r3, %r3, %r4; mov.u32 %r9, %r3;",
     [](uint32_t, uint32_t m, auto &v) {
       return fold(m, v, 0, std::plus<uint32_t>());
     }},
    {"redux.sync.max.u32 %r9, %r3, %r4;",
     [](uint32_t, uint32_t m, auto &v) {
       return fold(m, v, 0,
                   [](uint32_t a, uint32_t b) { return std::max(a, b); });
     }},
    {"redux.sync.min.s32 %r9, %r3, %r4;",
     [](uint32_t, uint32_t m, auto &v) {
       return fold(m, v, ~0u >> 1,
                   [](uint32_t a, uint32_t b) { return std::min(a, b); });
     }},
    {"redux.sync.and.b32 %r9, %r3, %r4;",
     [](uint32_t, uint32_t m, auto &v) {
       return fold(m, v, ~0u, std::bit_and<uint32_t>());
     }},
    {"redux.sync.or.b32 %r9, %r3, %r4;",
     [](uint32_t, uint32_t m, auto &v) {
       return fold(m, v, 0, std::bit_or<uint32_t>());
     }},
    {"redux.sync.xor.b32 %r9, %r3, %r4;",
     [](uint32_t, uint32_t m, auto &v) {
       return fold(m, v, 0, std::bit_xor<uint32_t>());
     }},
    {"mov.b32 %f1, %r3; redux.sync.max.f32 %f2, %f1, %r4; mov.b32 %r9, %f2;",
     [](uint32_t, uint32_t m, auto &v) {
       return fold(m, v, 0,
                   [](uint32_t a, uint32_t b) { return std::max(a, b); });
     }},
    {"shfl.sync.idx.b32 %r9, %r3, %r6, 31, %r4;",
     [](uint32_t, uint32_t m, auto &v) {
       return v[static_cast<size_t>(std::countr_zero(m))];
     }},
    {"shfl.sync.idx.b32 %r3|%p2, %r3, %r6, 31, %r4; mov.u32 %r9, %r3;",
     [](uint32_t, uint32_t m, auto &v) {
       return v[static_cast<size_t>(std::countr_zero(m))];
     }},
    // Each lane reads from itself where a neighbour might be of another group.
    {"shfl.sync.bfly.b32 %r9, %r3, 0, 31, %r4;",
     [](uint32_t lane, uint32_t, auto &v) { return v[lane]; }},
    {"shfl.sync.up.b32 %r9, %r3, 0, 0, %r4;",
     [](uint32_t lane, uint32_t, auto &v) { return v[lane]; }},
    {"shfl.sync.down.b32 %r9, %r3, 0, 31, %r4;",
     [](uint32_t lane, uint32_t, auto &v) { return v[lane]; }},
    {"vote.sync.all.pred %p2, %p1, %r4; selp.u32 %r9, 1, 0, %p2;",
     [](uint32_t, uint32_t m, auto &v) { return oddOnes(m, v) == m; }},
    {"vote.sync.any.pred %p2, %p1, %r4; selp.u32 %r9, 1, 0, %p2;",
     [](uint32_t, uint32_t m, auto &v) { return oddOnes(m, v) != 0; }},
    {"vote.sync.uni.pred %p2, %p1, %r4; selp.u32 %r9, 1, 0, %p2;",
     [](uint32_t, uint32_t m, auto &v) {
       uint32_t odd = oddOnes(m, v);
       return odd == 0 || odd == m;
     }},
    {"vote.sync.ballot.b32 %r9, %p1, %r4;",
     [](uint32_t, uint32_t m, auto &v) { return oddOnes(m, v); }},
    {"match.any.sync.b32 %r9, %r3, %r4;",
     [](uint32_t lane, uint32_t m, auto &v) { return equalOnes(lane, m, v); }},
    {"match.any.sync.b64 %r9, %rd6, %r4;",
     [](uint32_t lane, uint32_t m, auto &v) { return equalOnes(lane, m, v); }},
    {"match.all.sync.b32 %r9|%p2, %r3, %r4; selp.u32 %r10, 1, 0, %p2; "
     "add.u32 %r9, %r9, %r10;",
     [](uint32_t lane, uint32_t m, auto &v) {
       return equalOnes(lane, m, v) == m ? m + 1 : 0;
     }},
    {"elect.sync %r9|%p2, %r4; selp.u32 %r10, 100, 0, %p2; "
     "add.u32 %r9, %r9, %r10;",
     [](uint32_t lane, uint32_t m, auto &) {
       auto leader = static_cast<uint32_t>(std::countr_zero(m));
       return leader + (lane == leader ? 100 : 0);
     }},
    // Each lane stores and reads what the first of its group stored.
    {"st.shared.u32 [%r7], %r3; bar.warp.sync %r4; ld.shared.u32 %r9, [%r8];",
     [](uint32_t, uint32_t m, auto &v) {
       return v[static_cast<size_t>(std::countr_zero(m))];
     }},
};

/// How lanes come to the instruction.
const std::vector<std::pair<const char *, const char *>> arrivals = {
    {"all together", ""},
    // Odd lanes take another way, groups in the middle of which they are split.
    {"lanes of one group apart",
     "and.b32 %r10, %r5, 1; setp.eq.u32 %p3, %r10, 1; @%p3 bra LATE; bra HERE; "
     "LATE: mov.u32 %r11, 3; bra HERE; HERE:"},
    // Lanes wait for each other in pairs before, behind code of their own.
    {"each group apart",
     "setp.lt.u32 %p3, %r4, 0x10000; @%p3 bra HERE; mov.u32 %r11, 3; "
     "bar.warp.sync %r4; HERE:"},
    // The lower half comes back for a second exchange after its first.
    {"one after the other",
     "setp.eq.u32 %p3, %r6, 0; @%p3 bra FIRST; bra HERE; FIRST: "
     "redux.sync.add.u32 %r11, %r3, %r4; HERE:"},
};

std::string programOf(const char *arrival, const char *code) {
  return std::string(R"(
.version 8.6
.target sm_100a
.address_size 64
.visible .entry program(.param .u64 values, .param .u64 masks,
                        .param .u64 output)
{
  .reg .b32 %r<16>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<12>;
  .reg .pred %p<8>;
  .shared .align 4 .b8 tile[128];
  ld.param.u64 %rd1, [values];
  ld.param.u64 %rd2, [masks];
  ld.param.u64 %rd3, [output];
  mov.u32 %r5, %tid.x;
  mul.wide.u32 %rd4, %r5, 4;
  add.u64 %rd1, %rd1, %rd4;
  add.u64 %rd2, %rd2, %rd4;
  add.u64 %rd3, %rd3, %rd4;
  ld.global.u32 %r3, [%rd1];
  ld.global.u32 %r4, [%rd2];
  mul.wide.u32 %rd6, %r3, 2;
  brev.b32 %r6, %r4;
  clz.b32 %r6, %r6;
  and.b32 %r9, %r3, 1;
  setp.eq.u32 %p1, %r9, 1;
  mov.u32 %r7, tile;
  shl.b32 %r8, %r6, 2;
  add.u32 %r8, %r7, %r8;
  shl.b32 %r9, %r5, 2;
  add.u32 %r7, %r7, %r9;
  )") + arrival +
         "\n" + code + R"(
  st.global.u32 [%rd3], %r9;
  ret;
}
)";
}

Case caseOf(const std::vector<uint32_t> &values, const Masks &masks) {
  Case c{"program", "program", {1}, {32}, {}, {}, {}};
  std::vector<uint32_t> ofLane(32);
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t members : masks)
      if (members >> lane & 1)
        ofLane[lane] = members;
  c.buffers = {values, ofLane, std::vector<uint32_t>(32)};
  c.expected.resize(32);
  return c;
}

} // namespace

TEST(MemberMask, GroupsExchangeWithinThemselves) {
  // Values that differ, few that occur often, and one.
  std::vector<std::vector<uint32_t>> inputs(3, std::vector<uint32_t>(32));
  for (uint32_t lane = 0; lane < 32; ++lane) {
    inputs[0][lane] = 1000 + 37 * lane % 64;
    inputs[1][lane] = lane / 3 % 2 + 4;
    inputs[2][lane] = 7;
  }
  for (const Exchange &exchange : exchanges)
    for (const auto &[name, arrival] : arrivals) {
      std::string text = programOf(arrival, exchange.code);
      for (const Masks &masks : partitions)
        for (const auto &values : inputs) {
          Case c = caseOf(values, masks);
          for (uint32_t lane = 0; lane < 32; ++lane)
            c.expected[lane] =
                exchange.expected(lane, c.buffers[1][lane], values);
          Outcome outcome = runText(text, c, {});
          ASSERT_TRUE(outcome.result.ok())
              << exchange.code << ", " << name << "\n"
              << describe(outcome.result);
          ASSERT_EQ(outcome.output, c.expected)
              << exchange.code << ", " << name << ", " << masks.size()
              << " masks";
        }
    }
}

// The same instruction at two places, with operands of its own at each: the lanes
// of a group are parted by their number's lowest bit.
TEST(MemberMask, MembersMeetBetweenPlaces) {
  std::vector<uint32_t> values(32);
  for (uint32_t lane = 0; lane < 32; ++lane)
    values[lane] = 1000 + 37 * lane % 64;
  for (const Exchange &exchange : exchanges) {
    // The second place has the value in another register and another result.
    std::string other = exchange.code;
    auto replaceAll = [&](const std::string &from, const std::string &to) {
      for (size_t at = 0; (at = other.find(from, at)) != std::string::npos;
           at += to.size())
        other.replace(at, from.size(), to);
    };
    replaceAll("%r3", "%r12");
    replaceAll("%r9", "%r13");
    replaceAll("%p2", "%p5");
    std::string text = programOf(
        "mov.u32 %r12, %r3; and.b32 %r10, %r5, 1; setp.eq.u32 %p3, %r10, 1; "
        "@%p3 bra ODD;",
        (std::string(exchange.code) + " bra BOTH; ODD: " + other +
         " mov.u32 %r9, %r13; BOTH:")
            .c_str());
    for (const Masks &masks : partitions) {
      Case c = caseOf(values, masks);
      for (uint32_t lane = 0; lane < 32; ++lane)
        c.expected[lane] = exchange.expected(lane, c.buffers[1][lane], values);
      Outcome outcome = runText(text, c, {});
      ASSERT_TRUE(outcome.result.ok()) << exchange.code << "\n"
                                       << describe(outcome.result);
      ASSERT_EQ(outcome.output, c.expected)
          << exchange.code << ", " << masks.size() << " masks";
    }
  }
}

TEST(MemberMask, UndefinedValuesTravelBetweenPlaces) {
  Case c = caseOf(std::vector<uint32_t>(32, 1), {0xffffffff});
  auto run = [&](const char *last) {
    std::string code =
        "redux.sync.add.u32 %r9, %r3, %r4; bra BOTH; ODD: ld.shared.u32 %r12, "
        "[%r7]; redux.sync.add.u32 %r13, %r12, %r4; mov.u32 %r9, %r13; BOTH:";
    return runText(programOf("and.b32 %r10, %r5, 1; setp.eq.u32 %p3, %r10, 1; "
                             "@%p3 bra ODD;",
                             (code + last).c_str()),
                   c, {})
        .result;
  };
  // Stored, the sum decides; replaced, it does not.
  LaunchResult stored = run("");
  ASSERT_FALSE(stored.reports.empty());
  EXPECT_EQ(stored.reports[0].kind, ReportKind::Uninitialized);
  LaunchResult dropped = run("mov.u32 %r9, 5;");
  EXPECT_TRUE(dropped.ok()) << describe(dropped);
}

TEST(MemberMask, OtherQualifiersDoNotMeet) {
  Case c = caseOf(std::vector<uint32_t>(32, 1), {0xffffffff});
  LaunchResult result =
      runText(programOf("and.b32 %r10, %r5, 1; setp.eq.u32 %p3, %r10, 1; @%p3 "
                        "bra ODD;",
                        "redux.sync.add.s32 %r9, %r3, %r4; bra BOTH; ODD: "
                        "redux.sync.max.s32 %r9, %r3, %r4; BOTH:"),
              c, {})
          .result;
  ASSERT_EQ(result.reports.size(), 1u) << describe(result);
  EXPECT_EQ(result.reports[0].kind, ReportKind::Barrier);
}

TEST(MemberMask, AMemberThatGivesAnotherMaskHasNotCome) {
  // Lanes 16 to 31 wait for the lower ones, which have a mask of their own.
  Case c = caseOf(std::vector<uint32_t>(32, 1), {0x0000ffff, 0xffffffff});
  for (uint32_t lane = 0; lane < 16; ++lane)
    c.buffers[1][lane] = 0x0000ffff;
  std::string once = programOf("", "redux.sync.add.s32 %r9, %r3, %r4;\n"
                                   "bar.warp.sync 0xffffffff;");
  LaunchResult never = runText(once, c, {}).result;
  ASSERT_EQ(never.reports.size(), 1u) << describe(never);
  EXPECT_EQ(never.reports[0].kind, ReportKind::Barrier);
  EXPECT_NE(describe(never).find(
                "lanes 0xffff0000 at PTX line 34: waits for lanes 0x0000ffff "
                "to execute the instruction with member mask 0xffffffff"),
            std::string::npos)
      << describe(never);
  // If they come again with the other mask, all go on.
  std::string again = programOf(
      "AGAIN:", "redux.sync.add.s32 %r9, %r3, %r4; setp.eq.u32 %p4, %r4, "
                "0xffffffff; mov.u32 %r4, 0xffffffff; @!%p4 bra AGAIN;");
  Outcome both = runText(again, c, {});
  EXPECT_TRUE(both.result.ok()) << describe(both.result);
  EXPECT_EQ(both.output, std::vector<uint32_t>(32, 32));
}

TEST(MemberMask, WhatIsUndefinedIsReported) {
  Case c = caseOf(std::vector<uint32_t>(32, 1), {0x0000ffff, 0xffff0000});
  auto expectReport = [&](const char *arrival, const char *code,
                          ReportKind kind, const char *says) {
    LaunchResult result = runText(programOf(arrival, code), c, {}).result;
    ASSERT_FALSE(result.reports.empty()) << code;
    EXPECT_EQ(result.reports[0].kind, kind);
    EXPECT_NE(describe(result).find(says), std::string::npos)
        << describe(result);
  };
  for (const Exchange &exchange : exchanges)
    expectReport("not.b32 %r4, %r4;", exchange.code, barrier, "not name");
  // A shuffle from a lane of the other group, here 16 and 0.
  expectReport("",
               "xor.b32 %r10, %r5, 16; shfl.sync.idx.b32 %r9, %r3, %r10, "
               "31, %r4;",
               ReportKind::Invalid,
               "shuffle reads from lane 16, which does not take part");
  expectReport("",
               "setp.ne.u32 %p4, %r5, 3; @%p4 redux.sync.add.s32 %r9, "
               "%r3, %r4;",
               barrier, "names lanes whose guard predicate is false");
}
