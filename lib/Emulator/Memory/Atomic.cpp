//===- Atomic.cpp - atom and red ------------------------------------------===//
//
// Read-modify-write operations on global and shared memory, scalar and vector.
// Lanes take their turns in ascending order; clusters on other OS threads are
// kept out of global locations by a lock per address stripe.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "../Decode/Families.h"
#include "../Instructions/Float/FloatFamily.h"
#include "../Instructions/Handlers.h"
#include "Access.h"
#include "tile/Emulator/Numerics.h"

namespace tilec::emu {

namespace {

enum class AtomicOp : uint8_t {
  And,
  Or,
  Xor,
  Cas,
  Exchange,
  Add,
  Inc,
  Dec,
  Min,
  Max
};

struct AtomicInfo {
  AtomicOp operation = AtomicOp::Add;
  Type type = Type::U32;
  unsigned bytes = 4; ///< Of an element.
  bool wide = true;
  bool hasResult = true;
};

/// The lock of a location, by its host address. Of the process and not of a
/// launch, since launches on several OS threads may share device memory; 64, so
/// that different locations rarely meet.
std::mutex &stripe(const uint8_t *address) {
  constexpr size_t stripes = 64;
  static std::mutex mutexes[stripes];
  return mutexes[(reinterpret_cast<uintptr_t>(address) >> 4) % stripes];
}

uint64_t signExtend(uint64_t value, Type type) {
  return type == Type::S32 ? static_cast<uint64_t>(static_cast<int64_t>(
                                 static_cast<int32_t>(value)))
                           : value;
}

uint64_t floatOperation(AtomicOp op, ElementType element, uint64_t a,
                        uint64_t b, bool flush) {
  FloatMode mode;
  mode.flushToZero = flush;
  switch (op) {
  case AtomicOp::Add:
    return addFloat(element, a, b, mode);
  case AtomicOp::Min:
    return minFloat(element, a, b);
  default:
    return maxFloat(element, a, b);
  }
}

/// The new value of one element.
uint64_t compute(const AtomicInfo &info, uint64_t old, uint64_t b, uint64_t c) {
  switch (info.operation) {
  case AtomicOp::And:
    return old & b;
  case AtomicOp::Or:
    return old | b;
  case AtomicOp::Xor:
    return old ^ b;
  case AtomicOp::Cas:
    return old == b ? c : old;
  case AtomicOp::Exchange:
    return b;
  case AtomicOp::Inc:
    return old >= b ? 0 : old + 1;
  case AtomicOp::Dec:
    return old == 0 || old > b ? b : old - 1;
  default:
    break;
  }
  switch (info.type) {
  case Type::F32:
  case Type::F64:
  case Type::F16:
  case Type::BF16:
    // f32 atomics on global memory flush subnormals on no recent device.
    return floatOperation(info.operation, elementOf(info.type), old, b, false);
  case Type::F16x2:
  case Type::BF16x2: {
    ElementType element = elementOf(info.type);
    uint64_t low = floatOperation(info.operation, element, old & 0xffff,
                                  b & 0xffff, false);
    uint64_t high = floatOperation(info.operation, element, old >> 16 & 0xffff,
                                   b >> 16 & 0xffff, false);
    return (low & 0xffff) | (high & 0xffff) << 16;
  }
  default:
    break;
  }
  if (info.operation == AtomicOp::Add)
    return old + b;
  bool less = isSigned(info.type)
                  ? static_cast<int64_t>(signExtend(old, info.type)) <
                        static_cast<int64_t>(signExtend(b, info.type))
                  : old < b;
  bool takeOld = info.operation == AtomicOp::Min ? less : !less;
  return takeOld ? old : b;
}

/// One element of one lane: `b` and `c` the operands, `old` where the result
/// goes, or null.
struct AtomicElement {
  uint8_t *place;
  const uint8_t *b, *c;
  uint8_t *old;
};

/// 128 bits: exch and cas.
void perform128(const AtomicInfo &info, const AtomicElement &element) {
  Bits128 old, b, c;
  std::memcpy(&old, element.place, 16);
  std::memcpy(&b, element.b, 16);
  Bits128 next = b;
  if (info.operation == AtomicOp::Cas) {
    std::memcpy(&c, element.c, 16);
    next = old.low == b.low && old.high == b.high ? c : old;
  }
  std::memcpy(element.place, &next, 16);
  if (element.old)
    std::memcpy(element.old, &old, 16);
}

/// True if the memory changed.
bool perform(const AtomicInfo &info, const AtomicElement &element) {
  uint64_t old = 0, b = 0, c = 0;
  std::memcpy(&old, element.place, info.bytes);
  std::memcpy(&b, element.b, info.bytes);
  if (info.operation == AtomicOp::Cas)
    std::memcpy(&c, element.c, info.bytes);
  uint64_t next = compute(info, old, b, c);
  std::memcpy(element.place, &next, info.bytes);
  if (element.old)
    std::memcpy(element.old, &old, info.bytes);
  return next != old;
}

/// Performs all elements of one lane. Refs: list = results (vector elements),
/// then b elements, then c elements.
void performLane(Warp &warp, const Instruction &i, uint32_t lane,
                 uint8_t *memory) {
  const auto &info = i.data<AtomicInfo>();
  const Ref *refs = &warp.launch->program->refs[i.list];
  auto at = [&](uint32_t operand, uint32_t index) -> uint8_t * {
    Ref ref = refs[operand * i.vector + index];
    return ref == noRef ? nullptr : warp.ptr<uint8_t>(ref) + lane * info.bytes;
  };
  bool hasThird = info.operation == AtomicOp::Cas;
  for (uint32_t index = 0; index < i.vector; ++index) {
    AtomicElement element{memory + index * info.bytes, at(1, index),
                          hasThird ? at(2, index) : nullptr,
                          info.hasResult ? at(0, index) : nullptr};
    if (info.bytes == 16)
      perform128(info, element);
    else if (perform(info, element))
      ++warp.cluster->progress;
  }
}

Step atomic(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = i.data<AtomicInfo>();
  AccessRequest request;
  request.space = i.space;
  request.mode = AccessMode::ReadWrite;
  request.bytes = info.bytes * i.vector;
  gatherAddresses(warp, i, i.ref[1], info.wide, request.addresses);
  request.flags =
      static_cast<uint8_t>(shadowStrong | i.small[1] << shadowScopeShift);
  AccessResult result;
  access(warp, i, mask, request, result);
  auto semantics = static_cast<Semantics>(i.small[0]);
  auto scope = static_cast<Scope>(i.small[1]);
  forLanes(result.ok, [&](uint32_t lane) {
    bool shared = result.shared >> lane & 1;
    uint64_t key = syncKey(warp, request.addresses[lane], shared);
    strongWrite(warp, lane, key, shared, semantics, scope);
    uint8_t *memory = result.pointers[lane];
    {
      std::unique_lock<std::mutex> lock(stripe(memory), std::defer_lock);
      if (!shared)
        lock.lock();
      performLane(warp, i, lane, memory);
    }
    strongRead(warp, lane, key, shared, semantics, scope);
  });
  return Step::Next;
}

bool isAllowed(const AtomicInfo &info) {
  bool isFloat = !isInteger(info.type);
  switch (info.operation) {
  case AtomicOp::And:
  case AtomicOp::Or:
  case AtomicOp::Xor:
    return info.type == Type::B32 || info.type == Type::B64;
  case AtomicOp::Cas:
  case AtomicOp::Exchange:
    return isBits(info.type) || info.type == Type::U32 ||
           info.type == Type::U64;
  case AtomicOp::Inc:
  case AtomicOp::Dec:
    return info.type == Type::U32;
  case AtomicOp::Add:
    return isFloat || isUnsigned(info.type) || info.type == Type::S32;
  default:
    return info.type != Type::F64 && !isBits(info.type);
  }
}

/// Lists the elements of an operand: results, sources, or (null) nothing.
bool listElements(Decoder &d, const AtomicInfo &info, const Operand *operand,
                  bool isResult) {
  std::vector<const Operand *> elements;
  if (operand && operand->kind == Operand::Kind::Vector)
    for (const Operand &element : operand->elements)
      elements.push_back(&element);
  else
    elements.push_back(operand);
  if (operand && elements.size() != d.out.vector)
    return d.fail("the number of registers does not match");
  for (uint32_t index = 0; index < d.out.vector; ++index) {
    const Operand *element = operand ? elements[index] : nullptr;
    Ref ref = noRef;
    if (element && isResult && element->kind != Operand::Kind::Sink)
      ref = d.destination(*element, info.type);
    else if (element && isResult && info.bytes == 16)
      ref = d.scratch(16);
    else if (element && !isResult)
      ref = d.source(*element, info.type);
    d.listOperand(ref);
  }
  return true;
}

/// Semantics, scope, space, operation and type.
bool takeAtomicModifiers(Decoder &d, AtomicInfo &info) {
  int semantics = d.takeOne({"relaxed", "acquire", "release", "acq_rel"});
  d.out.small[0] = static_cast<uint16_t>(
      semantics < 0 ? Semantics::Relaxed
                    : static_cast<Semantics>(semantics + 1));
  d.out.small[1] = static_cast<uint16_t>(d.takeScope(Scope::Gpu));
  d.out.space = takeStateSpace(d);
  int operation = d.takeOne(
      {"and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"});
  if (operation < 0)
    return d.fail("unknown operation");
  info.operation = static_cast<AtomicOp>(operation);
  d.take("noftz");
  d.takeCacheHints();
  int vector = d.takeOne({"v2", "v4", "v8"});
  d.out.vector = vector < 0 ? 1 : static_cast<uint8_t>(2 << vector);
  info.type = d.takeType();
  info.bytes = registerBytes(info.type);
  bool isPacked = info.type == Type::F16x2 || info.type == Type::BF16x2;
  d.out.scalarBytes = static_cast<uint8_t>(isPacked ? 2 : info.bytes);
  return isAllowed(info) ||
         d.fail("the operation does not exist for this type");
}

bool decodeAtomic(Decoder &d) {
  bool hasResult = d.syntax().parts[0] == "atom";
  if (!hasResult && d.take("async"))
    return decodeRedAsync(d);
  auto *info = d.makeData<AtomicInfo>();
  info->hasResult = hasResult;
  if (!takeAtomicModifiers(d, *info))
    return false;
  bool cas = info->operation == AtomicOp::Cas;
  size_t least = (hasResult ? 1 : 0) + 2 + (cas ? 1 : 0);
  if (!d.expectOperands(least, least + 1)) // A cache policy may follow.
    return false;
  size_t at = 0;
  if (!listElements(d, *info, hasResult ? &d.operand(at++) : nullptr, true))
    return false;
  if (!d.address(d.operand(at++), d.out.space, d.out.ref[1], info->wide,
                 d.out.immediate))
    return false;
  if (!listElements(d, *info, &d.operand(at++), false) ||
      (cas && !listElements(d, *info, &d.operand(at++), false)))
    return false;
  return d.emit(atomic, InstructionClass::Atomic);
}

} // namespace

void registerAtomic(OpcodeTable &table) {
  table["atom"] = table["red"] = decodeAtomic;
}

} // namespace tilec::emu
