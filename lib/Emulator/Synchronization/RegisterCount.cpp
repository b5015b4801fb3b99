//===- RegisterCount.cpp - setmaxnreg -------------------------------------===//
//
// The warps of a block share a pool of registers: setmaxnreg.dec gives some of
// a warp's back, setmaxnreg.inc waits until the pool has what it asks for. How
// many a kernel is launched with is known from .maxnreg or the launch; else the
// pool is what a multiprocessor has at most, 65536 registers, and a warp that
// has not executed a setmaxnreg is taken to have the least, 24.
//
// Warps that end keep their registers until the block ends.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "../Decode/Families.h"
#include "../Instructions/Handlers.h"
#include "../Machine/Interpreter.h"
#include "Warpgroup.h"

namespace tilec::emu {

void fillRegisterPool(Block &block, uint32_t perThread, uint32_t warps) {
  uint32_t rounded = (perThread + 7) / 8 * 8;
  block.registers.total =
      perThread ? rounded * warps : registersPerMultiprocessor / 32;
  block.registers.perWarp.assign(warps, rounded);
}

std::string describeRegisters(const Block &block) {
  std::string text = "of " + std::to_string(block.registers.total) +
                     " registers (a thread's, summed over warps) the warps "
                     "have";
  for (size_t w = 0; w < block.registers.perWarp.size(); ++w) {
    uint32_t count = block.registers.perWarp[w];
    text += (w ? ", " : " ") +
            (count ? std::to_string(count)
                   : "at least " + std::to_string(RegisterPool::leastPerWarp));
  }
  return text;
}

namespace {

/// Before its next one, a warp must be ordered behind the last ones of the
/// other warps of its group.
void checkOrder(Warp &warp, const Instruction &i, const WarpgroupLog &log) {
  uint32_t index = warp.indexInBlock % 4;
  uint32_t last = log.registerChanges[index];
  for (uint32_t other = 0; other < 4 && last; ++other) {
    uint32_t clock = log.registerClocks[other][last % 2];
    if (other == index || (log.registerChanges[other] >= last &&
                           warp.order.knowledge.all.warp(
                               warp.indexInCluster - index + other) >= clock))
      continue;
    reportAt(warp, i, 0, ReportKind::Barrier,
             "nothing orders this setmaxnreg behind the last one of warp " +
                 std::to_string(warp.indexInBlock - index + other) +
                 " of the warpgroup",
             "the warps of a warpgroup must synchronise (bar.sync) between two "
             "of them");
    return;
  }
}

/// immediate: the registers a thread shall have; flags: .inc.
Step setRegisters(Warp &warp, const Instruction &i, uint32_t mask) {
  if (!areConverged(warp, warp.live))
    return warp.waitFor(Wait::Converge, 0, 0, warp.live);
  if (!mask)
    return Step::Next;
  bool checked = warp.launch->options.checks.barriers;
  if ((mask & warp.live) != warp.live && checked)
    reportAt(warp, i, static_cast<uint32_t>(__builtin_ctz(mask)),
             ReportKind::Barrier,
             "only some lanes of the warp execute setmaxnreg",
             "all threads of the warpgroup must execute it");
  RegisterPool &pool = warp.block->registers;
  uint32_t &current = pool.perWarp[warp.indexInBlock];
  auto wanted = static_cast<uint32_t>(i.immediate);
  bool increases = i.flags;
  if (increases) {
    uint32_t had = current ? current : RegisterPool::leastPerWarp;
    uint32_t more = wanted > had ? wanted - had : 0;
    if (more > pool.available())
      return warp.waitFor(Wait::Registers, 0, more, 0);
  }
  if (current && (increases ? wanted < current : wanted > current) && checked)
    reportAt(warp, i, 0, ReportKind::Barrier,
             "setmaxnreg" + std::string(increases ? ".inc" : ".dec") +
                 " asks for " + std::to_string(wanted) +
                 " registers a thread, but the warp has " +
                 std::to_string(current) + " already",
             increases ? "use setmaxnreg.dec to release registers"
                       : "use setmaxnreg.inc to request registers");
  executeInWarpgroup(warp, i, {wanted, increases});
  if (WarpgroupLog *log = findWarpgroup(warp, i); log && checked) {
    checkOrder(warp, i, *log);
    uint32_t index = warp.indexInBlock % 4;
    log->registerClocks[index][++log->registerChanges[index] % 2] =
        warp.order.clock;
    ++warp.order.clock;
  }
  current = wanted;
  ++warp.cluster->progress;
  return Step::Next;
}

bool decodeSetmaxnreg(Decoder &d) {
  int direction = d.takeOne({"inc", "dec"});
  uint64_t count = 0;
  if (direction < 0 || !d.take("sync") || !d.take("aligned") ||
      d.takeType() != Type::U32 || !d.expectOperands(1, 1) ||
      !d.constantOperand(d.operand(0), count))
    return false;
  if (count < 24 || count > 256 || count % 8)
    return d.fail("the register count " + std::to_string(count) +
                  " is not a multiple of 8 from 24 to 256");
  d.out.immediate = static_cast<int64_t>(count);
  d.out.flags = direction == 0;
  return d.emit(setRegisters, InstructionClass::Other);
}

} // namespace

void registerRegisterCount(OpcodeTable &table) {
  table["setmaxnreg"] = decodeSetmaxnreg;
}

} // namespace tilec::emu
