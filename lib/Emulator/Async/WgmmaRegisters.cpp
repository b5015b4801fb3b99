//===- WgmmaRegisters.cpp - Who touches registers of wgmma ----------------===//
//
// See Wgmma.h for the rules. Registers are compared as their place in the
// frame; accumulators and A fragments have 32 bits, so that no other register
// overlaps one.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Instructions/Handlers.h"
#include "Wgmma.h"

namespace tilec::emu {

WgmmaState &wgmmaStateOf(Warp &warp) {
  if (!warp.wgmma)
    warp.wgmma = std::make_unique<WgmmaState>();
  return *warp.wgmma;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static std::string nameOf(const Warp &warp, uint32_t id) {
  return "register " + warp.launch->program->wgmmaRegisters->names[id];
}

static const WgmmaRegisters::Watched &watchedOf(const Warp &warp,
                                                const Instruction &i) {
  const Program &program = *warp.launch->program;
  return program.wgmmaRegisters
      ->instructions[static_cast<size_t>(&i - program.code.data())];
}

static WgmmaState::Register &registerOf(Warp &warp, uint32_t id) {
  WgmmaState &state = wgmmaStateOf(warp);
  if (state.registers.size() <= id)
    state.registers.resize(warp.launch->program->wgmmaRegisters->names.size());
  return state.registers[id];
}

static bool isInFlight(const WgmmaState &state, const WgmmaState::Register &r) {
  return r.wgmma && r.group > state.retired;
}

static void reportInFlight(Warp &warp, const Instruction &i, uint32_t lane,
                           uint32_t id, const WgmmaState::Register &r) {
  reportPair(
      warp, warp, {ReportKind::Race, &i, r.wgmma, lane, lane},
      nameOf(warp, id) + " is accessed while a wgmma that " +
          (r.accumulates ? "accumulates in it" : "reads A from it") +
          " is in flight",
      "later:   access by " + spellInstruction(i),
      "earlier: " + std::string(r.accumulates ? "accumulation" : "read of A") +
          " by " + spellInstruction(*r.wgmma) + ", asynchronous",
      "wgmma.commit_group and a wgmma.wait_group that retires the group must "
      "come between");
}

/// An ordinary instruction that names registers of wgmma.
static Step watchedHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  const WgmmaRegisters::Watched &watched = watchedOf(warp, i);
  if (!mask || !warp.launch->options.checks.races || warp.onVariant)
    return watched.handler(warp, i, mask);
  WgmmaState &state = wgmmaStateOf(warp);
  const std::vector<uint32_t> &ids = warp.launch->program->wgmmaRegisters->ids;
  auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
  for (uint32_t k = 0; k < watched.count; ++k) {
    uint32_t id = ids[watched.first + k];
    WgmmaState::Register &r = registerOf(warp, id);
    if (isInFlight(state, r))
      reportInFlight(warp, i, lane, id, r);
    r.touched = &i;
    r.touchedLane = lane;
    // nvcc sinks copies into the operands of an asm below a fence before it,
    // and ptxas keeps them in order: a move is taken to stand at the last wait.
    bool isMove = i.syntax && i.syntax->parts[0] == "mov";
    r.touchedFences = isMove ? state.fencesAtWait : state.fences;
  }
  return watched.handler(warp, i, mask);
}

/// Whether a wgmma.fence stands between the last access of a register and a
/// wgmma; else a report.
static bool checkFence(Warp &warp, const Instruction &i, uint32_t id,
                       const WgmmaState::Register &r, bool accumulates,
                       uint32_t shape) {
  const WgmmaState &state = *warp.wgmma;
  const char *remedy = "wgmma.fence.sync.aligned must come between";
  if (r.touched && r.touchedFences == state.fences) {
    reportPair(
        warp, warp,
        {ReportKind::Race, &i, r.touched, r.touchedLane, r.touchedLane},
        nameOf(warp, id) + " is accessed and then used by a wgmma without a "
                           "wgmma.fence between",
        "later:   " + std::string(accumulates ? "accumulation" : "read of A") +
            " by " + spellInstruction(i) + ", asynchronous",
        "earlier: access by " + spellInstruction(*r.touched), remedy);
    return false;
  }
  bool shapes = r.wgmma && accumulates && r.accumulates && r.shape != shape;
  if (!shapes || r.wgmmaFences != state.fences)
    return true;
  reportPair(warp, warp, {ReportKind::Race, &i, r.wgmma, 0, 0},
             nameOf(warp, id) +
                 " accumulates products of two shapes without a wgmma.fence "
                 "between",
             "later:   accumulation by " + spellInstruction(i),
             "earlier: accumulation by " + spellInstruction(*r.wgmma), remedy);
  return false;
}

void useWgmmaRegisters(Warp &warp, const Instruction &i,
                       const WgmmaRegisterUse &use) {
  if (!warp.launch->options.checks.races)
    return;
  WgmmaState &state = wgmmaStateOf(warp);
  const WgmmaRegisters::Watched &watched = watchedOf(warp, i);
  const std::vector<uint32_t> &ids = warp.launch->program->wgmmaRegisters->ids;
  bool anyTouched = false, fenced = true;
  for (uint32_t k = 0; k < watched.count; ++k) {
    uint32_t id = ids[watched.first + k];
    WgmmaState::Register &r = registerOf(warp, id);
    bool accumulates = k < use.accumulators;
    // Two products may read one A, and may add to one accumulator.
    if (isInFlight(state, r) && r.accumulates != accumulates)
      reportInFlight(warp, i, 0, id, r);
    fenced = fenced && checkFence(warp, i, id, r, accumulates, use.shape);
    anyTouched |= r.touched != nullptr;
    r.wgmma = &i;
    r.group = state.openGroup;
    r.wgmmaFences = state.fences;
    r.shape = use.shape;
    r.accumulates = accumulates;
  }
  if (!state.fences && !anyTouched)
    reportAt(warp, i, 0, ReportKind::Barrier,
             "the first wgmma of a warp comes without a wgmma.fence before it",
             "wgmma.fence.sync.aligned orders earlier accesses of registers "
             "before it");
}

//===----------------------------------------------------------------------===//
// Finding the instructions
//===----------------------------------------------------------------------===//

static bool isWgmma(const Instruction &i) {
  return i.counted && i.syntax && i.syntax->parts.size() > 1 &&
         i.syntax->parts[0] == "wgmma" && i.syntax->parts[1] == "mma_async";
}

/// Gives every accumulator and A register of the function an id.
static void collectIds(Program &program, const ProgramFunction &function,
                       std::unordered_map<Ref, uint32_t> &idOf) {
  WgmmaRegisters &watch = *program.wgmmaRegisters;
  for (uint32_t at = function.entry; at < function.end; ++at) {
    const Instruction &i = program.code[at];
    if (!isWgmma(i))
      continue;
    std::vector<std::string_view> names;
    for (size_t operand = 0; operand < 2; ++operand)
      for (const Operand &element : i.syntax->operands[operand].elements)
        names.push_back(element.name);
    WgmmaRegisters::Watched &watched = watch.instructions[at];
    watched.first = static_cast<uint32_t>(watch.ids.size());
    watched.count = i.listCount;
    for (uint32_t k = 0; k < i.listCount; ++k) {
      auto [found, fresh] = idOf.try_emplace(
          program.refs[i.list + k], static_cast<uint32_t>(watch.names.size()));
      if (fresh)
        watch.names.emplace_back(k < names.size() ? names[k] : "?");
      watch.ids.push_back(found->second);
    }
  }
}

void watchWgmmaRegisters(Program &program, uint32_t first) {
  for (const ProgramFunction &function : program.functions) {
    if (!function.decoded || function.entry < first)
      continue;
    bool any = false;
    for (uint32_t at = function.entry; at < function.end; ++at)
      any |= isWgmma(program.code[at]);
    if (!any)
      continue;
    if (!program.wgmmaRegisters)
      program.wgmmaRegisters = std::make_unique<WgmmaRegisters>();
    WgmmaRegisters &watch = *program.wgmmaRegisters;
    watch.instructions.resize(program.code.size());
    std::unordered_map<Ref, uint32_t> idOf;
    collectIds(program, function, idOf);
    for (uint32_t at = function.entry; at < function.end; ++at) {
      Instruction &i = program.code[at];
      if (isWgmma(i))
        continue;
      auto begin = static_cast<uint32_t>(watch.ids.size());
      auto note = [&](Ref ref) {
        if (auto found = idOf.find(ref); found != idOf.end())
          watch.ids.push_back(found->second);
      };
      for (Ref ref : i.ref)
        note(ref);
      // The list of a branch table holds targets.
      bool isTable = i.syntax && i.syntax->parts[0] == "brx";
      for (uint32_t k = 0; k < i.listCount && !isTable; ++k)
        note(program.refs[i.list + k]);
      auto count = static_cast<uint32_t>(watch.ids.size()) - begin;
      if (!count)
        continue;
      watch.instructions[at] = {i.handler, begin, count};
      i.handler = watchedHandler;
    }
  }
}

} // namespace tilec::emu
