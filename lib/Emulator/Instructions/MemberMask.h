//===- MemberMask.h - Lanes that name each other ----------------*- C++ -*-===//
//
// An instruction with a member mask (shfl, vote, match, redux, elect) makes a
// lane wait "until all non-exited threads corresponding to membermask have
// executed [it] with the same qualifiers and same membermask value" (PTX ISA).
// Lanes that stand at one instruction may have several masks: those of equal
// value are a group, and each group exchanges within itself.
//
//   lanes    0 .. 15       16 .. 31        groups 0xffff, 0xffff0000:
//   masks    0x0000ffff    0xffff0000      two exchanges, one after the other
//
// A group whose members are not all there waits as a split of its own
// (Wait::Members), while the others go on. A lane that its own mask does not
// name is undefined and reported; a member that executes with another mask has
// not come yet.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_INSTRUCTIONS_MEMBERMASK_H
#define TILE_LIB_EMULATOR_INSTRUCTIONS_MEMBERMASK_H

#include "../Machine/Machine.h"

namespace tilec::emu {

class MemberGroups {
public:
  struct Group {
    uint32_t members; ///< The mask that its lanes gave.
    uint32_t lanes;   ///< That execute the instruction with it.
  };
  /// Divides the lanes of `mask`, whose member masks are in `maskRef`, and
  /// reports misuse.
  MemberGroups(Warp &warp, const Instruction &instruction, uint32_t mask,
               Ref maskRef);

  const Group *begin() const { return ready; }
  const Group *end() const { return ready + readyCount; }
  /// What the handler returns when the groups that are there have exchanged:
  /// the others become splits that wait.
  Step finish();

private:
  void check(const Instruction &instruction, const Group &group,
             uint32_t skipped);

  Warp &warp;
  uint32_t readyCount = 0, waitingCount = 0;
  Group ready[32], waiting[32];
};

/// Calls `exchange(lanes, members)` for each group whose members are there.
template <typename F>
Step exchangeByMembers(Warp &warp, const Instruction &instruction,
                       uint32_t mask, Ref maskRef, F &&exchange) {
  MemberGroups groups(warp, instruction, mask, maskRef);
  for (const MemberGroups::Group &group : groups)
    exchange(group.lanes, group.members);
  return groups.finish();
}

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_INSTRUCTIONS_MEMBERMASK_H
