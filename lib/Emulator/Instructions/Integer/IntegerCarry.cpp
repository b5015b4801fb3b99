//===- IntegerCarry.cpp - Extended-precision integers ---------------------===//
//
// addc, subc, madc and the .cc forms of add, sub and mad, which read and write
// the carry bit of a lane.
//
//===----------------------------------------------------------------------===//

#include "IntegerFamily.h"

namespace tilec::emu {

namespace {

/// d = a + b (+ carry in), ref[3] the carry in (or a constant 0), ref[4] the
/// carry out. Subtraction adds the complement, with borrow = !carry.
template <typename U, bool subtract>
Step addCarry(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const U *a = warp.ptr<U>(instruction.ref[1]);
  const U *b = warp.ptr<U>(instruction.ref[2]);
  U *d = warp.ptr<U>(instruction.ref[0]);
  uint32_t in = warp.predicate(instruction.ref[3]), carryOut = 0;
  forLanes(mask, [&](uint32_t lane) {
    using Wide = unsigned __int128;
    Wide y = subtract ? static_cast<U>(~b[lane]) : b[lane];
    // CC.CF holds the borrow for subtractions.
    bool carry = (in >> lane & 1) != subtract;
    Wide sum = Wide(a[lane]) + y + (carry ? 1 : 0);
    bool overflow = (sum >> (sizeof(U) * 8)) != 0;
    d[lane] = static_cast<U>(sum);
    carryOut |= (overflow != subtract ? 1u : 0u) << lane;
  });
  if (instruction.ref[4] != noRef)
    warp.setPredicate(instruction.ref[4], mask, carryOut);
  return Step::Next;
}

/// d = low or high half of a * b, plus c plus carry.
template <typename T, bool high>
Step madCarry(Warp &warp, const Instruction &instruction, uint32_t mask) {
  using U = std::make_unsigned_t<T>;
  const T *a = warp.ptr<T>(instruction.ref[1]);
  const T *b = warp.ptr<T>(instruction.ref[2]);
  const U *c = warp.ptr<U>(instruction.ref[5]);
  U *d = warp.ptr<U>(instruction.ref[0]);
  uint32_t in = warp.predicate(instruction.ref[3]), carryOut = 0;
  forLanes(mask, [&](uint32_t lane) {
    using Wide = unsigned __int128;
    U product = static_cast<U>(high ? mulHiOp<T>(a[lane], b[lane])
                                    : mulOp<T>(a[lane], b[lane]));
    Wide sum = Wide(product) + c[lane] + (in >> lane & 1);
    d[lane] = static_cast<U>(sum);
    carryOut |= ((sum >> (sizeof(U) * 8)) != 0 ? 1u : 0u) << lane;
  });
  if (instruction.ref[4] != noRef)
    warp.setPredicate(instruction.ref[4], mask, carryOut);
  return Step::Next;
}

} // namespace

bool decodeCarry(Decoder &d) {
  std::string_view opcode = d.syntax().parts[0];
  bool subtract = opcode.starts_with("sub");
  bool takesCarry = opcode.back() == 'c';
  bool setsCarry = d.take("cc");
  Type type = d.takeType();
  if (type == Type::None)
    return false;
  Type bits = registerBytes(type) == 8 ? Type::B64 : Type::B32;
  if (!isInteger(type) || registerBytes(type) < 4)
    return false;
  if (!d.bind(bits, {bits, bits}))
    return false;
  d.out.ref[3] = takesCarry ? d.carry() : d.constant(1, 0);
  d.out.ref[4] = setsCarry ? d.carry() : noRef;
  Handler handler = bits == Type::B64 ? subtract ? addCarry<uint64_t, true>
                                                 : addCarry<uint64_t, false>
                    : subtract        ? addCarry<uint32_t, true>
                                      : addCarry<uint32_t, false>;
  return d.emit(handler, InstructionClass::Integer);
}

bool decodeMadCarry(Decoder &d) {
  bool takesCarry = d.syntax().parts[0] == "madc";
  bool setsCarry = d.take("cc");
  int half = d.takeOne({"lo", "hi"});
  Type type = d.takeType();
  if (half < 0 || !d.bind(type, {type, type, type}))
    return false;
  d.out.ref[5] = d.out.ref[3];
  d.out.ref[3] = takesCarry ? d.carry() : d.constant(1, 0);
  d.out.ref[4] = setsCarry ? d.carry() : noRef;
  Handler handler = nullptr;
  switch (type) {
  case Type::U32:
  case Type::B32:
    handler = half ? madCarry<uint32_t, true> : madCarry<uint32_t, false>;
    break;
  case Type::S32:
    handler = half ? madCarry<int32_t, true> : madCarry<int32_t, false>;
    break;
  case Type::U64:
  case Type::B64:
    handler = half ? madCarry<uint64_t, true> : madCarry<uint64_t, false>;
    break;
  case Type::S64:
    handler = half ? madCarry<int64_t, true> : madCarry<int64_t, false>;
    break;
  default:
    return false;
  }
  return d.emit(handler, InstructionClass::Integer);
}

} // namespace tilec::emu
