//===- Move.cpp - mov -----------------------------------------------------===//
//
// mov copies registers, takes addresses, packs and unpacks vectors of
// registers; special registers are SpecialRegister.cpp's. Narrowing and the
// address of a frame's variables serve the decoder as helpers, too.
//
//===----------------------------------------------------------------------===//

#include "../Decode/Families.h"
#include "Handlers.h"

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// Helpers of the decoder
//===----------------------------------------------------------------------===//

namespace {

template <typename D, typename S>
D narrowOp(S value) {
  return static_cast<D>(value);
}
Step narrow128(Warp &warp, const Instruction &i, uint32_t mask) {
  const Bits128 *a = warp.ptr<Bits128>(i.ref[1]);
  uint64_t *d = warp.ptr<uint64_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) { d[lane] = a[lane].low; });
  return Step::Next;
}

} // namespace

Handler narrowHandler(unsigned wideBytes, unsigned narrowBytes) {
  if (wideBytes == 16)
    return narrow128;
  if (wideBytes == 8)
    return narrowBytes == 4
               ? Handler(
                     mapLanes<narrowOp<uint32_t, uint64_t>, uint32_t, uint64_t>)
               : Handler(mapLanes<narrowOp<uint16_t, uint64_t>, uint16_t,
                                  uint64_t>);
  return mapLanes<narrowOp<uint16_t, uint32_t>, uint16_t, uint32_t>;
}

Step frameAddressHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  uint64_t *d = warp.ptr<uint64_t>(i.ref[0]);
  uint64_t address =
      static_cast<uint64_t>(i.immediate) + warp.frame().localBase;
  forLanes(mask, [&](uint32_t lane) { d[lane] = address; });
  return Step::Next;
}

namespace {

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

template <typename T>
T same(T a) {
  return a;
}
Step mov128(Warp &warp, const Instruction &i, uint32_t mask) {
  Bits128 *d = warp.ptr<Bits128>(i.ref[0]);
  const Bits128 *a = warp.ptr<Bits128>(i.ref[1]);
  forLanes(mask, [&](uint32_t lane) { d[lane] = a[lane]; });
  return Step::Next;
}
Step movPredicate(Warp &warp, const Instruction &i, uint32_t mask) {
  warp.setPredicate(i.ref[0], mask, warp.predicate(i.ref[1]));
  return Step::Next;
}

/// d = {a, b, ..}: `bytes` is the size of an element, the list the elements.
Step pack(Warp &warp, const Instruction &i, uint32_t mask) {
  uint8_t *d = warp.ptr<uint8_t>(i.ref[0]);
  const Ref *refs = &warp.launch->program->refs[i.list];
  unsigned total = i.bytes * i.listCount;
  for (uint32_t e = 0; e < i.listCount; ++e) {
    const uint8_t *a = warp.ptr<uint8_t>(refs[e]);
    forLanes(mask, [&](uint32_t lane) {
      std::memcpy(d + lane * total + e * i.bytes, a + lane * i.vector, i.bytes);
    });
  }
  return Step::Next;
}
/// {a, b, ..} = d
Step unpack(Warp &warp, const Instruction &i, uint32_t mask) {
  const uint8_t *s = warp.ptr<uint8_t>(i.ref[1]);
  const Ref *refs = &warp.launch->program->refs[i.list];
  unsigned total = i.bytes * i.listCount;
  // The source may be one of the targets.
  alignas(64) uint8_t copy[512];
  std::memcpy(copy, s, total * 32);
  for (uint32_t e = 0; e < i.listCount; ++e) {
    if (refs[e] == noRef)
      continue;
    uint8_t *d = warp.ptr<uint8_t>(refs[e]);
    forLanes(mask, [&](uint32_t lane) {
      uint64_t value = 0;
      std::memcpy(&value, copy + lane * total + e * i.bytes, i.bytes);
      std::memcpy(d + lane * i.vector, &value, i.vector);
    });
  }
  return Step::Next;
}

Type bitsOf(unsigned bytes) {
  return bytes == 2   ? Type::B16
         : bytes == 4 ? Type::B32
         : bytes == 8 ? Type::B64
                      : Type::B128;
}

bool decodePack(Decoder &d, Type type) {
  bool packs = d.operand(1).kind == Operand::Kind::Vector;
  const Operand &vector = d.operand(packs ? 1 : 0);
  unsigned count = static_cast<unsigned>(vector.elements.size());
  unsigned total = registerBytes(type);
  if (count != 2 && count != 4)
    return d.fail("a vector of 2 or 4 elements is needed");
  unsigned bytes = total / count;
  if (bytes == 0)
    return false;
  d.out.bytes = static_cast<uint8_t>(bytes);
  unsigned width = bytes == 1 ? 2 : bytes;
  d.out.vector = static_cast<uint8_t>(width);
  std::vector<Ref> refs;
  for (const Operand &element : vector.elements) {
    if (!packs && element.kind == Operand::Kind::Sink)
      refs.push_back(noRef);
    else
      refs.push_back(packs ? d.source(element, bitsOf(width))
                           : d.destination(element, bitsOf(width)));
  }
  if (packs)
    d.out.ref[0] = d.destination(0, type);
  else
    d.out.ref[1] = d.source(1, type);
  for (Ref ref : refs)
    d.listOperand(ref);
  return d.emit(packs ? pack : unpack, InstructionClass::Integer);
}

bool decodeMov(Decoder &d) {
  Type type = d.takeType();
  if (!d.expectOperands(2, 2))
    return false;
  const Operand &source = d.operand(1);
  if (source.kind == Operand::Kind::Vector ||
      d.operand(0).kind == Operand::Kind::Vector)
    return decodePack(d, type);
  bool named = source.kind == Operand::Kind::Name;
  if (named && source.name.starts_with("%") && !d.isRegister(source))
    return decodeSpecialMove(d, type, source);
  if (type == Type::Pred) {
    d.out.ref[1] = d.sourcePredicate(source);
    d.out.ref[0] = d.destinationPredicate(d.operand(0));
    return d.emit(movPredicate, InstructionClass::Integer);
  }
  unsigned bytes = registerBytes(type);
  if (named && !d.isRegister(source)) {
    Ref base;
    bool wide;
    int64_t offset;
    if (!d.address(source, StateSpace::Register, base, wide, offset))
      return false;
    if (bytes != 4 && bytes != 8)
      return false;
    if (base & constantBit) {
      uint64_t value;
      std::memcpy(&value, &d.module.program.constants[base & ~constantBit], 8);
      d.out.ref[1] = d.constant(bytes, value + static_cast<uint64_t>(offset));
    } else {
      // The address of a frame variable: the helper's result, plus an offset.
      Ref sum = d.scratch(8);
      d.helper(frameAddressHandler, sum, noRef, noRef,
               d.module.program.code.back().immediate + offset);
      if (bytes == 4) {
        Ref low = d.scratch(4);
        d.helper(narrowHandler(8, 4), low, sum);
        sum = low;
      }
      d.out.ref[1] = sum;
    }
  } else {
    d.out.ref[1] = d.source(1, type);
  }
  d.out.ref[0] = d.destination(0, type);
  Handler handler =
      bytes == 2   ? Handler(mapLanes<same<uint16_t>, uint16_t, uint16_t>)
      : bytes == 4 ? Handler(mapLanes<same<uint32_t>, uint32_t, uint32_t>)
      : bytes == 8 ? Handler(mapLanes<same<uint64_t>, uint64_t, uint64_t>)
                   : mov128;
  return d.emit(handler, InstructionClass::Integer);
}

} // namespace

void registerMove(OpcodeTable &table) { table["mov"] = decodeMov; }

} // namespace tilec::emu
