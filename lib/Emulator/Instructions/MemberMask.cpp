//===- MemberMask.cpp - Lanes that name each other ------------------------===//
//
// See MemberMask.h.
//
//===----------------------------------------------------------------------===//

#include "MemberMask.h"
#include "../Checkers/Report.h"
#include "Handlers.h"

namespace tilec::emu {

/// The lanes of `mask` whose mask is `members`.
static uint32_t lanesWith(const uint32_t *masks, uint32_t mask,
                          uint32_t members) {
  uint32_t equal = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    equal |= (masks[lane] == members ? 1u : 0u) << lane;
  return equal & mask;
}

MemberGroups::MemberGroups(Warp &warp, const Instruction &instruction,
                           uint32_t mask, Ref maskRef)
    : warp(warp) {
  const uint32_t *masks = warp.ptr<uint32_t>(maskRef);
  // Lanes whose guard is false are at the instruction but do not take part.
  uint32_t skipped = warp.active & ~mask;
  for (uint32_t left = mask; left;) {
    uint32_t members = masks[__builtin_ctz(left)];
    Group group{members, lanesWith(masks, left, members)};
    left &= ~group.lanes;
    uint32_t named = members & skipped;
    check(instruction, group, named);
    if (!(members & warp.live & ~group.lanes & ~named)) {
      ready[readyCount++] = group;
      continue;
    }
    // The lanes that it names wait with it, to be found when it goes on.
    skipped &= ~named;
    group.lanes |= named;
    waiting[waitingCount++] = group;
  }
}

void MemberGroups::check(const Instruction &instruction, const Group &group,
                         uint32_t skipped) {
  if (!warp.launch->options.checks.barriers)
    return;
  auto first = static_cast<uint32_t>(__builtin_ctz(group.lanes));
  forLanes(group.lanes & ~group.members, [&](uint32_t lane) {
    reportAt(warp, instruction, lane, ReportKind::Barrier,
             "the member mask does not name the executing lane " +
                 std::to_string(lane));
  });
  if (group.members & warp.existing & ~warp.live)
    reportAt(warp, instruction, first, ReportKind::Barrier,
             "the member mask names lanes that have exited");
  if (skipped && !(group.members & warp.live & ~group.lanes & ~skipped))
    reportAt(warp, instruction, first, ReportKind::Barrier,
             "the member mask names lanes whose guard predicate is false");
}

Step MemberGroups::finish() {
  if (readyCount)
    ++warp.cluster->progress;
  if (!waitingCount)
    return Step::Next;
  uint32_t pc = warp.pc, gone = warp.active;
  for (uint32_t index = 0; index < waitingCount; ++index)
    gone &= ~waiting[index].lanes;
  Split &split = warp.split();
  split.mask = gone;
  split.pc = pc + 1;
  for (uint32_t index = 0; index < waitingCount; ++index) {
    Split rest;
    rest.mask = waiting[index].lanes;
    rest.pc = pc;
    rest.wait = Wait::Members;
    rest.required = waiting[index].members;
    warp.frame().splits.push_back(rest);
  }
  return Step::Reschedule;
}

} // namespace tilec::emu
