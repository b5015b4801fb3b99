//===- GenericAddress.cpp - cvta and isspacep -----------------------------===//
//
// Generic addresses are a window's base plus an address of the space
// (AddressWindows.h); global addresses are generic as they are.
//
//===----------------------------------------------------------------------===//

#include "../Decode/Decoder.h"
#include "../Instructions/Handlers.h"

namespace tilec::emu {

namespace {

Step cvta(Warp &warp, const Instruction &i, uint32_t mask) {
  const uint64_t *a = warp.ptr<uint64_t>(i.ref[1]);
  uint64_t *d = warp.ptr<uint64_t>(i.ref[0]);
  uint64_t addend = static_cast<uint64_t>(i.immediate);
  forLanes(mask, [&](uint32_t lane) { d[lane] = a[lane] + addend; });
  return Step::Next;
}

bool takeSpace(Decoder &d, StateSpace &space, uint64_t &window) {
  struct Entry {
    std::string_view name;
    StateSpace space;
    uint64_t window;
  };
  static constexpr Entry entries[] = {
      {"global", StateSpace::Global, 0},
      {"shared", StateSpace::Shared, sharedWindow},
      {"shared::cta", StateSpace::Shared, sharedWindow},
      {"shared::cluster", StateSpace::SharedCluster, sharedWindow},
      {"local", StateSpace::Local, localWindow},
      {"const", StateSpace::Const, constWindow},
      {"param", StateSpace::Param, paramWindow},
      {"param::entry", StateSpace::Param, paramWindow},
  };
  for (const Entry &entry : entries)
    if (d.take(entry.name)) {
      space = entry.space;
      window = entry.window;
      return true;
    }
  return d.fail("a state space is missing");
}

bool decodeCvta(Decoder &d) {
  bool to = d.take("to");
  StateSpace space;
  uint64_t window;
  if (!takeSpace(d, space, window))
    return false;
  Type type = d.takeType();
  if (type != Type::U64 || !d.expectOperands(2, 2))
    return false;
  const Operand &source = d.operand(1);
  d.out.immediate = static_cast<int64_t>(to ? 0 - window : window);
  if (d.isRegister(source)) {
    d.out.ref[1] = d.source(1, type);
  } else {
    bool wide;
    int64_t offset;
    if (!d.address(source, StateSpace::Register, d.out.ref[1], wide, offset))
      return false;
    d.out.immediate += offset;
  }
  d.out.ref[0] = d.destination(0, type);
  return d.emit(cvta, InstructionClass::Integer);
}

Step isspacep(Warp &warp, const Instruction &i, uint32_t mask) {
  const uint64_t *a = warp.ptr<uint64_t>(i.ref[1]);
  uint32_t bits = 0;
  auto space = static_cast<StateSpace>(i.small[0]);
  forLanes(mask, [&](uint32_t lane) {
    uint64_t address = a[lane];
    uint64_t window = address >= globalBegin ? 0 : address & ~0xffffffffull;
    bool inside = false;
    switch (space) {
    case StateSpace::Global:
      inside = address >= globalBegin;
      break;
    case StateSpace::Shared:
      inside =
          window == sharedWindow &&
          ((address & 0xffffffff) >> sharedRankShift == 0 ||
           (address & 0xffffffff) >> sharedRankShift == warp.block->rank + 1);
      break;
    case StateSpace::SharedCluster:
      inside = window == sharedWindow;
      break;
    case StateSpace::Local:
      inside = window == localWindow;
      break;
    case StateSpace::Const:
      inside = window == constWindow;
      break;
    case StateSpace::Param:
      inside = window == paramWindow;
      break;
    default:
      break;
    }
    bits |= (inside ? 1u : 0u) << lane;
  });
  warp.setPredicate(i.ref[0], mask, bits);
  return Step::Next;
}

bool decodeIsspacep(Decoder &d) {
  StateSpace space;
  uint64_t window;
  if (!takeSpace(d, space, window) || !d.expectOperands(2, 2))
    return false;
  d.out.small[0] = static_cast<uint16_t>(space);
  d.out.ref[1] = d.source(1, Type::U64);
  d.out.ref[0] = d.destinationPredicate(d.operand(0));
  return d.emit(isspacep, InstructionClass::Integer);
}

} // namespace

void registerGenericAddress(OpcodeTable &table) {
  table["cvta"] = decodeCvta;
  table["isspacep"] = decodeIsspacep;
}

} // namespace tilec::emu
