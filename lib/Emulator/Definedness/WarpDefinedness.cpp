//===- WarpDefinedness.cpp - Undefined values of one warp -----------------===//
//
// See WarpDefinedness.h.
//
//===----------------------------------------------------------------------===//

#include "Definedness.h"

namespace tilec::emu {

// Origin 0 means none.
WarpDefinedness::WarpDefinedness() : origins(1) {}
WarpDefinedness::~WarpDefinedness() = default;

uint32_t WarpDefinedness::addOrigin(uint64_t instructionIndex,
                                    const UndefinedOrigin &origin) {
  auto [found, isNew] =
      originOf.try_emplace(instructionIndex << 5 | (origin.lane & 31),
                           static_cast<uint32_t>(origins.size()));
  if (isNew)
    origins.push_back(origin);
  else
    origins[found->second] = origin;
  return found->second;
}

const SavedRegister *WarpDefinedness::findSaved(Ref ref) const {
  for (size_t index = 0; index < savedCount; ++index)
    if (saved[index].ref == ref)
      return &saved[index];
  return nullptr;
}

WarpDefinedness &definednessOf(Warp &warp) {
  if (!warp.definedness)
    warp.definedness = std::make_unique<WarpDefinedness>();
  return *warp.definedness;
}

UndefinedRegisters &undefinedRegistersOf(Warp &warp) {
  WarpDefinedness &state = definednessOf(warp);
  while (state.frames.size() < warp.frameCount) {
    const Frame &frame = *warp.frames[state.frames.size()];
    state.frames.emplace_back().reset(frame.function->registerBytes);
  }
  return state.frames[warp.frameCount - 1];
}

const InstructionUses &usesOf(const Warp &warp, const Instruction &i) {
  const Program &program = *warp.launch->program;
  return program.registerUses
      .instructions[static_cast<size_t>(&i - program.code.data())];
}

const RegisterUse *beginUses(const Warp &warp, const InstructionUses &uses) {
  return warp.launch->program->registerUses.uses.data() + uses.first;
}

void saveOperands(Warp &warp, const Instruction &i) {
  WarpDefinedness &state = definednessOf(warp);
  if (state.underWay == &i)
    return;
  state.underWay = &i;
  state.savedCount = 0;
  state.readLanes = 0;
  const InstructionUses &uses = usesOf(warp, i);
  const RegisterUse *use = beginUses(warp, uses);
  for (uint32_t k = 0; k < uses.count; ++k) {
    if (use[k].isConstant() || state.findSaved(use[k].ref))
      continue;
    if (state.saved.size() == state.savedCount)
      state.saved.emplace_back();
    SavedRegister &target = state.saved[state.savedCount++];
    target.ref = use[k].ref;
    target.bytes = use[k].bytes;
    std::memcpy(target.values.data(), warp.ptr<uint8_t>(target.ref),
                target.size());
  }
}

void enterFrame(Warp &warp, const ProgramFunction &function) {
  if (!warp.launch->options.checks.init ||
      (!warp.definedness && function.unassigned.empty()))
    return;
  WarpDefinedness &state = definednessOf(warp);
  if (state.frames.size() >= warp.frameCount)
    state.frames.resize(warp.frameCount - 1);
  UndefinedRegisters &registers = undefinedRegistersOf(warp);
  uint32_t lanes = warp.frame().liveMask;
  for (const RegisterUse &use : function.unassigned) {
    UndefinedOrigin origin;
    origin.registerName = use.name;
    // Behind the indices of instructions, by function and register.
    uint64_t key = uint64_t(function.entry) << 33 | uint64_t(1) << 32 | use.ref;
    uint32_t index = state.addOrigin(key, origin);
    for (uint32_t left = lanes; left; left &= left - 1)
      registers.set(use.ref, use.bytes,
                    static_cast<uint32_t>(__builtin_ctz(left)), nullptr, index);
  }
  if (!function.unassigned.empty())
    warp.tracksDefinedness = true;
}

} // namespace tilec::emu
