//===- MixedFloat.cpp - f32 arithmetic with f16 or bf16 operands ----------===//
//
// add, sub and fma of the form `.f32.f16` and `.f32.bf16` (PTX ISA, mixed
// precision floating-point instructions, sm_100 on): all operands but the last
// are narrow and widened exactly; the last operand, the arithmetic and its one
// rounding are f32. LLVM makes them of an extension and an operation.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "FloatFamily.h"

namespace tilec::emu {

namespace {

struct Mixed {
  FloatMode mode;
  ElementType narrow = ElementType::F16;
};

template <char operation>
Step mixed(Warp &warp, const Instruction &instruction, uint32_t mask) {
  constexpr ElementType f32 = ElementType::F32;
  const auto &mixed = instruction.data<Mixed>();
  const uint16_t *a = warp.ptr<uint16_t>(instruction.ref[1]);
  const uint16_t *b =
      operation == 'f' ? warp.ptr<uint16_t>(instruction.ref[2]) : nullptr;
  const uint32_t *c =
      warp.ptr<uint32_t>(instruction.ref[operation == 'f' ? 3 : 2]);
  uint32_t *d = warp.ptr<uint32_t>(instruction.ref[0]);
  auto widen = [&](uint16_t value) {
    return convertFloat(f32, mixed.narrow, value, FloatMode());
  };
  forLanes(mask, [&](uint32_t lane) {
    uint64_t result;
    if constexpr (operation == '+')
      result = addFloat(f32, widen(a[lane]), c[lane], mixed.mode);
    else if constexpr (operation == '-')
      result = subFloat(f32, widen(a[lane]), c[lane], mixed.mode);
    else
      result =
          fmaFloat(f32, widen(a[lane]), widen(b[lane]), c[lane], mixed.mode);
    d[lane] = static_cast<uint32_t>(result);
  });
  return Step::Next;
}

} // namespace

bool decodeMixedArithmetic(Decoder &d, char operation, Type narrow,
                           const FloatModifiers &modifiers) {
  if (operation == '*' || (narrow != Type::F16 && narrow != Type::BF16) ||
      modifiers.mode.flushToZero || modifiers.mode.relu)
    return false;
  if (operation == 'f' && !modifiers.roundingGiven)
    return d.fail("a rounding modifier is missing");
  size_t sources = operation == 'f' ? 3 : 2;
  if (!d.expectOperands(sources + 1, sources + 1))
    return false;
  for (size_t i = 1; i < sources; ++i)
    d.out.ref[i] = d.source(i, narrow);
  d.out.ref[sources] = d.source(sources, Type::F32);
  d.out.ref[0] = d.destination(0, Type::F32);
  *d.makeData<Mixed>() = {modifiers.mode, elementOf(narrow)};
  Handler handler = operation == '+'   ? mixed<'+'>
                    : operation == '-' ? mixed<'-'>
                                       : mixed<'f'>;
  return d.emit(handler, InstructionClass::Float);
}

} // namespace tilec::emu
