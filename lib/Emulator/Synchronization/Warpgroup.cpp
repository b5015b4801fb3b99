//===- Warpgroup.cpp - What four warps must do together -------------------===//
//
// See Warpgroup.h. An entry leaves the log when the fourth warp has executed
// it.
//
//===----------------------------------------------------------------------===//

#include "Warpgroup.h"
#include "../Checkers/Report.h"

namespace tilec::emu {

WarpgroupLog *findWarpgroup(Warp &warp, const Instruction &instruction) {
  Block &block = *warp.block;
  uint32_t group = warp.indexInBlock / 4;
  if (4 * group + 4 > block.warps.size()) {
    if (warp.launch->options.checks.barriers)
      reportAt(warp, instruction, 0, ReportKind::Barrier,
               "the block has " + std::to_string(block.warps.size()) +
                   " warps, so that the warpgroup of warp " +
                   std::to_string(warp.indexInBlock) + " is not complete",
               "a warpgroup is four warps, of which the first is a multiple of "
               "four");
    return nullptr;
  }
  block.warpgroups.resize(block.warps.size() / 4);
  std::unique_ptr<WarpgroupLog> &log = block.warpgroups[group];
  if (!log)
    log = std::make_unique<WarpgroupLog>();
  return log.get();
}

static void reportMissing(Warp &ended, const WarpgroupLog::Entry &entry) {
  Warp &warp = *ended.block->warps[entry.warp];
  reportAt(warp, *entry.instruction, 0, ReportKind::Barrier,
           "warp " + std::to_string(ended.indexInBlock) +
               " of the warpgroup ended without executing " +
               spellInstruction(*entry.instruction),
           "all four warps of a warpgroup must execute it");
}

void executeInWarpgroup(Warp &warp, const Instruction &instruction,
                        std::array<uint64_t, 2> operands) {
  WarpgroupLog *log = findWarpgroup(warp, instruction);
  if (!log || !warp.launch->options.checks.barriers)
    return;
  uint32_t index = warp.indexInBlock % 4;
  uint64_t number = log->executed[index]++;
  size_t at = static_cast<size_t>(number - log->first);
  if (at == log->entries.size()) {
    log->entries.push_back({&instruction, operands, warp.indexInBlock, 0});
    for (uint32_t other = 0; other < 4; ++other)
      if (log->ended >> other & 1)
        reportMissing(*warp.block->warps[warp.indexInBlock / 4 * 4 + other],
                      log->entries.back());
  }
  WarpgroupLog::Entry &entry = log->entries[at];
  bool same = entry.instruction == &instruction ||
              entry.instruction->syntax->opcode == instruction.syntax->opcode;
  if (!same || entry.operands != operands)
    reportPair(warp, *warp.block->warps[entry.warp],
               {ReportKind::Barrier, &instruction, entry.instruction, 0, 0},
               same ? "two warps of a warpgroup execute " +
                          spellInstruction(instruction) +
                          " with different operands"
                    : "two warps of a warpgroup execute different instructions "
                      "of the warpgroup",
               "by " + spellInstruction(instruction),
               "by " + spellInstruction(*entry.instruction),
               "all four warps must execute the same ones in the same order");
  entry.seen |= 1u << index;
  while (!log->entries.empty() && log->entries.front().seen == 15) {
    log->entries.pop_front();
    ++log->first;
  }
}

void endInWarpgroup(Warp &warp) {
  uint32_t group = warp.indexInBlock / 4, index = warp.indexInBlock % 4;
  if (group >= warp.block->warpgroups.size() || !warp.block->warpgroups[group])
    return;
  WarpgroupLog &log = *warp.block->warpgroups[group];
  log.ended |= 1u << index;
  if (log.executed[index] - log.first < log.entries.size())
    reportMissing(
        warp,
        log.entries[static_cast<size_t>(log.executed[index] - log.first)]);
}

} // namespace tilec::emu
