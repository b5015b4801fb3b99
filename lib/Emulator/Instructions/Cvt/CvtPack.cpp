//===- CvtPack.cpp - cvt.pack ---------------------------------------------===//
//
// Two integers, saturated and packed into the low bits of a register.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "CvtFamily.h"

namespace tilec::emu {

namespace {

/// cvt.pack.sat.{s16,u16,s8,u8,s4,u4,s2,u2}.s32{.b32} d, a, b{, c}: `small[0]`
/// is the width of an element, `flags` whether it is signed.
Step packIntegers(Warp &warp, const Instruction &i, uint32_t mask) {
  const int32_t *a = warp.ptr<int32_t>(i.ref[1]);
  const int32_t *b = warp.ptr<int32_t>(i.ref[2]);
  const uint32_t *c =
      i.ref[3] == noRef ? nullptr : warp.ptr<uint32_t>(i.ref[3]);
  uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
  unsigned bits = i.small[0];
  int32_t least = i.flags ? -(1 << (bits - 1)) : 0;
  int32_t most = (1 << (i.flags ? bits - 1 : bits)) - 1;
  auto clamp = [&](int32_t x) {
    x = x < least ? least : x > most ? most : x;
    return static_cast<uint32_t>(x) & ((1u << bits) - 1);
  };
  forLanes(mask, [&](uint32_t lane) {
    uint32_t pair = clamp(a[lane]) << bits | clamp(b[lane]);
    d[lane] = c ? pair | c[lane] << (2 * bits) : pair;
  });
  return Step::Next;
}

} // namespace

bool decodeCvtPack(Decoder &d) {
  bool saturate = d.take("sat");
  int element = d.takeOne({"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"});
  Type from = d.takeType(), third = d.takeTypeIfAny();
  bool wide = element == 0 || element == 1;
  if (!saturate || element < 0 || from != Type::S32 ||
      third != (wide ? Type::None : Type::B32))
    return false;
  size_t count = wide ? 3 : 4;
  if (!d.expectOperands(count, count))
    return false;
  d.out.small[0] = static_cast<uint16_t>(16 >> (element / 2));
  d.out.flags = element % 2;
  d.out.ref[1] = d.source(1, Type::S32);
  d.out.ref[2] = d.source(2, Type::S32);
  if (!wide)
    d.out.ref[3] = d.source(3, Type::B32);
  d.out.ref[0] = d.destination(0, Type::B32);
  return d.emit(packIntegers, InstructionClass::Convert);
}

} // namespace tilec::emu
