//===- LoadStore.cpp - ld, st, prefetch and their like --------------------===//
//
// Loads and stores of every space, width and vector length. A register may be
// wider than the element: loads extend by the sign of the type, stores
// truncate. Cache hints change nothing.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Checkers/StoredValues.h"
#include "../Decode/Decoder.h"
#include "../Decode/Families.h"
#include "../Instructions/Handlers.h"
#include "Access.h"

namespace tilec::emu {

namespace {

enum MemoryFlags : uint8_t {
  wideAddress = 1,
  signExtend = 2,
  strongAccess = 4,
  nonCoherent = 8,
};

/// Semantics and scope, in Instruction::small.
Semantics semanticsOf(const Instruction &i) {
  return static_cast<Semantics>(i.small[0]);
}
Scope scopeOf(const Instruction &i) { return static_cast<Scope>(i.small[1]); }

void prepare(Warp &warp, const Instruction &i, AccessRequest &request,
             AccessMode mode) {
  request.space = i.space;
  request.mode = mode;
  request.bytes = uint32_t(i.bytes) * i.vector;
  gatherAddresses(warp, i, i.ref[1], i.flags & wideAddress, request.addresses);
  if (i.flags & strongAccess)
    request.flags =
        static_cast<uint8_t>(shadowStrong | i.small[1] << shadowScopeShift);
  if (i.flags & nonCoherent)
    request.flags |= shadowNonCoherent;
}

template <typename R, typename M>
void loadElements(Warp &warp, const Instruction &i,
                  const AccessResult &result) {
  const Ref *refs = &warp.launch->program->refs[i.list];
  for (uint32_t e = 0; e < i.vector; ++e) {
    if (refs[e] == noRef)
      continue;
    R *d = warp.ptr<R>(refs[e]);
    forLanes(result.ok, [&](uint32_t lane) {
      M value;
      std::memcpy(&value, result.pointers[lane] + e * sizeof(M), sizeof(M));
      d[lane] = static_cast<R>(value);
    });
  }
}

/// R: the register, M: the element, both signed if the load extends signs.
template <typename R, typename M>
Step load(Warp &warp, const Instruction &i, uint32_t mask) {
  AccessRequest request;
  prepare(warp, i, request, AccessMode::Read);
  AccessResult result;
  access(warp, i, mask, request, result);
  loadElements<R, M>(warp, i, result);
  if (i.flags & strongAccess)
    forLanes(result.ok, [&](uint32_t lane) {
      bool shared = result.shared >> lane & 1;
      strongRead(warp, lane, syncKey(warp, request.addresses[lane], shared),
                 shared, semanticsOf(i), scopeOf(i));
    });
  return Step::Next;
}

/// The kernel's own parameters by name: nothing can go wrong at run time.
template <typename R, typename M>
Step loadParameter(Warp &warp, const Instruction &i, uint32_t mask) {
  const Ref *refs = &warp.launch->program->refs[i.list];
  const uint8_t *source = warp.launch->parameters.data() + i.immediate;
  for (uint32_t e = 0; e < i.vector; ++e) {
    if (refs[e] == noRef)
      continue;
    M value;
    std::memcpy(&value, source + e * sizeof(M), sizeof(M));
    R *d = warp.ptr<R>(refs[e]);
    if (mask == fullMask)
      std::fill_n(d, 32, static_cast<R>(value));
    else
      forLanes(mask, [&](uint32_t lane) { d[lane] = static_cast<R>(value); });
  }
  return Step::Next;
}

template <typename R, typename M>
Step store(Warp &warp, const Instruction &i, uint32_t mask) {
  AccessRequest request;
  prepare(warp, i, request, AccessMode::Write);
  const Ref *refs = &warp.launch->program->refs[i.list];
  PendingStore pending{{}, sizeof(R), sizeof(M), i.vector, request.addresses};
  for (uint32_t e = 0; e < i.vector; ++e)
    pending.registers[e] = warp.ptr<uint8_t>(refs[e]);
  request.store = &pending;
  AccessResult result;
  access(warp, i, mask, request, result);
  if (i.flags & strongAccess)
    forLanes(result.ok, [&](uint32_t lane) {
      bool shared = result.shared >> lane & 1;
      strongWrite(warp, lane, syncKey(warp, request.addresses[lane], shared),
                  shared, semanticsOf(i), scopeOf(i));
    });
  // Lanes that hit each other's bytes must store the same values.
  if (result.collision) {
    forLanes(result.collision, [&](uint32_t lane) {
      forLanes(result.ok & ((1u << lane) - 1), [&](uint32_t other) {
        if (result.pointers[other] != result.pointers[lane])
          return;
        for (uint32_t e = 0; e < i.vector; ++e) {
          const R *a = warp.ptr<R>(refs[e]);
          if (std::memcmp(&a[lane], &a[other], sizeof(M)) != 0) {
            reportAt(warp, i, lane, ReportKind::Race,
                     "lanes " + std::to_string(other) + " and " +
                         std::to_string(lane) +
                         " of one warp store different values to one address "
                         "by one instruction",
                     "which value remains is undefined");
            return;
          }
        }
      });
    });
  }
  for (uint32_t e = 0; e < i.vector; ++e) {
    const R *a = warp.ptr<R>(refs[e]);
    forLanes(result.ok, [&](uint32_t lane) {
      M value;
      std::memcpy(&value, &a[lane], sizeof(M));
      std::memcpy(result.pointers[lane] + e * sizeof(M), &value, sizeof(M));
    });
  }
  // What a thread keeps to itself is no progress: a loop that only waits may
  // well store its variables.
  uint64_t window =
      mask ? request.addresses[__builtin_ctz(mask)] & ~0xffffffffull : 0;
  bool isLocal = i.space == StateSpace::Local ||
                 (i.space == StateSpace::Generic && window == localWindow);
  if (!isLocal)
    ++warp.cluster->progress;
  return Step::Next;
}

Step nothing(Warp &, const Instruction &, uint32_t) { return Step::Next; }

#define MEMORY_HANDLER(NAME)                                                   \
  Handler NAME##Handler(unsigned reg, unsigned bytes, bool sign) {             \
    switch (bytes) {                                                           \
    case 1:                                                                    \
      return reg == 2 ? sign ? NAME<int16_t, int8_t> : NAME<uint16_t, uint8_t> \
             : reg == 4                                                        \
                 ? sign ? NAME<int32_t, int8_t> : NAME<uint32_t, uint8_t>      \
             : reg == 8                                                        \
                 ? sign ? NAME<int64_t, int8_t> : NAME<uint64_t, uint8_t>      \
                 : nullptr;                                                    \
    case 2:                                                                    \
      return reg == 2 ? NAME<uint16_t, uint16_t>                               \
             : reg == 4                                                        \
                 ? sign ? NAME<int32_t, int16_t> : NAME<uint32_t, uint16_t>    \
             : reg == 8                                                        \
                 ? sign ? NAME<int64_t, int16_t> : NAME<uint64_t, uint16_t>    \
                 : nullptr;                                                    \
    case 4:                                                                    \
      return reg == 4 ? NAME<uint32_t, uint32_t>                               \
             : reg == 8                                                        \
                 ? sign ? NAME<int64_t, int32_t> : NAME<uint64_t, uint32_t>    \
                 : nullptr;                                                    \
    case 8:                                                                    \
      return reg == 8 ? NAME<uint64_t, uint64_t> : nullptr;                    \
    case 16:                                                                   \
      return reg == 16 ? NAME<Bits128, Bits128> : nullptr;                     \
    }                                                                          \
    return nullptr;                                                            \
  }
MEMORY_HANDLER(load)
MEMORY_HANDLER(loadParameter)
MEMORY_HANDLER(store)

} // namespace

/// Takes a state space of memory accesses; Generic if none is given.
StateSpace takeStateSpace(Decoder &d) {
  if (d.take("global"))
    return StateSpace::Global;
  if (d.take("shared") || d.take("shared::cta"))
    return StateSpace::Shared;
  if (d.take("shared::cluster"))
    return StateSpace::SharedCluster;
  if (d.take("local"))
    return StateSpace::Local;
  if (d.take("const"))
    return StateSpace::Const;
  if (d.take("param") || d.take("param::entry") || d.take("param::func"))
    return StateSpace::Param;
  return StateSpace::Generic;
}

namespace {

unsigned elementBytesOf(Type type) {
  if (type == Type::B8 || type == Type::U8 || type == Type::S8)
    return 1;
  return registerBytes(type);
}

bool takeSemantics(Decoder &d, bool isLoad) {
  bool isVolatile = d.take("volatile"), mmio = d.take("mmio");
  bool weak = d.take("weak"), relaxed = d.take("relaxed");
  bool acquire = isLoad && d.take("acquire");
  bool release = !isLoad && d.take("release");
  bool scoped = false;
  Scope scope = d.takeScope(Scope::System, &scoped);
  Semantics semantics = acquire                         ? Semantics::Acquire
                        : release                       ? Semantics::Release
                        : relaxed || isVolatile || mmio ? Semantics::Relaxed
                                                        : Semantics::Weak;
  if ((relaxed || acquire || release) && !scoped)
    return d.fail("a scope (.cta, .gpu, ..) is missing");
  d.out.small[0] = static_cast<uint16_t>(semantics);
  d.out.small[1] = static_cast<uint16_t>(scope);
  if (semantics != Semantics::Weak)
    d.out.flags |= strongAccess;
  (void)weak;
  return true;
}

InstructionClass classOf(StateSpace space, bool isLoad) {
  switch (space) {
  case StateSpace::Shared:
  case StateSpace::SharedCluster:
    return isLoad ? InstructionClass::SharedLoad
                  : InstructionClass::SharedStore;
  case StateSpace::Global:
  case StateSpace::Generic:
    return isLoad ? InstructionClass::GlobalLoad
                  : InstructionClass::GlobalStore;
  default:
    return InstructionClass::Other;
  }
}

/// Binds the registers of a vector or scalar operand into the list.
bool bindElements(Decoder &d, const Operand &operand, Type type, bool isLoad,
                  unsigned &width) {
  std::vector<const Operand *> elements;
  if (operand.kind == Operand::Kind::Vector)
    for (const Operand &element : operand.elements)
      elements.push_back(&element);
  else
    elements.push_back(&operand);
  if (elements.size() != d.out.vector)
    return d.fail("expected " + std::to_string(d.out.vector) +
                  " registers, but there are " +
                  std::to_string(elements.size()));
  unsigned bytes = elementBytesOf(type);
  width = 0;
  for (const Operand *element : elements)
    if (unsigned w = d.widthOf(*element)) {
      if (width && w != width)
        return d.fail("registers of different widths in one vector");
      width = w;
    }
  if (width == 0)
    width = bytes < 2 ? 2 : bytes;
  if (width < bytes)
    return d.fail("a register of " + std::to_string(width * 8) +
                  " bits is too narrow");
  Type bits = width == 2   ? Type::B16
              : width == 4 ? Type::B32
              : width == 8 ? Type::B64
                           : Type::B128;
  // A literal keeps its own type, so that 0f.. becomes the right bits.
  Type literal = width == bytes ? type : bits;
  for (const Operand *element : elements) {
    if (isLoad && element->kind == Operand::Kind::Sink)
      d.listOperand(noRef);
    else if (isLoad)
      d.listOperand(d.destination(*element, bits));
    else
      d.listOperand(
          d.source(*element, d.isRegister(*element) ? bits : literal));
  }
  return true;
}

bool takeVector(Decoder &d) {
  int vector = d.takeOne({"v2", "v4", "v8"});
  d.out.vector = vector < 0 ? 1 : static_cast<uint8_t>(2 << vector);
  return true;
}

/// Parameters of functions and calls live in the frame; those of the kernel in
/// the launch.
StateSpace resolveParameterSpace(Decoder &d, const Operand &address) {
  if (d.isKernelParameter(address.name))
    return StateSpace::Param;
  Operand name = address;
  name.kind = Operand::Kind::Name;
  bool inEntry = d.functionSyntax().isEntry;
  return d.isRegister(name) && inEntry ? StateSpace::Param : StateSpace::Local;
}

/// A load of a kernel parameter by name: the address is known, and becomes the
/// immediate.
bool bindKernelParameter(Decoder &d, unsigned bytes) {
  uint64_t where;
  std::memcpy(&where, &d.module.program.constants[d.out.ref[1] & ~constantBit],
              8);
  d.out.immediate += static_cast<int64_t>(where);
  if (d.out.immediate < 0 ||
      static_cast<uint64_t>(d.out.immediate) + bytes * d.out.vector >
          d.functionSyntax().kernel.parameterBytes)
    return d.fail("the access leaves the kernel's parameters");
  return true;
}

/// The operands of a load or store whose modifiers are taken.
bool bindLoadStore(Decoder &d, StateSpace space, Type type, bool isLoad) {
  const Operand &address = d.operand(isLoad ? 1 : 0);
  const Operand &value = d.operand(isLoad ? 0 : 1);
  if (address.kind != Operand::Kind::Address)
    return d.fail("expected an address in brackets");
  unsigned bytes = elementBytesOf(type), width = 0;
  bool sign = isSigned(type), wide = true;
  d.out.bytes = static_cast<uint8_t>(bytes);
  if (d.out.flags & strongAccess)
    d.out.scalarBytes = d.out.bytes;
  if (sign)
    d.out.flags |= signExtend;
  bool kernelParameter =
      space == StateSpace::Param && d.isKernelParameter(address.name);
  if (space == StateSpace::Param)
    space = resolveParameterSpace(d, address);
  d.out.space = space;
  if (!d.address(address, space, d.out.ref[1], wide, d.out.immediate))
    return false;
  if (wide)
    d.out.flags |= wideAddress;
  if (!bindElements(d, value, type, isLoad, width))
    return false;
  Handler handler = isLoad ? loadHandler(width, bytes, sign)
                           : storeHandler(width, bytes, sign);
  if (kernelParameter && isLoad) {
    if (!bindKernelParameter(d, bytes))
      return false;
    handler = loadParameterHandler(width, bytes, sign);
  }
  return d.emit(handler, classOf(space, isLoad));
}

bool decodeLoadStore(Decoder &d) {
  std::string_view opcode = d.syntax().parts[0];
  bool isLoad = opcode == "ld" || opcode == "ldu";
  if (!isLoad && d.take("async"))
    return decodeStoreAsync(d);
  if (!takeSemantics(d, isLoad))
    return false;
  StateSpace space = takeStateSpace(d);
  // "Load read-only data" (ldu) is no more coherent than ld.global.nc.
  if (isLoad && (d.take("nc") || opcode == "ldu"))
    d.out.flags |= nonCoherent;
  d.takeCacheHints();
  d.take("unified");
  d.takePrefix("L2::cache_hint"); // The policy is a third operand.
  takeVector(d);
  Type type = d.takeType();
  return type != Type::None && d.expectOperands(2, 3) &&
         bindLoadStore(d, space, type, isLoad);
}

bool decodePrefetch(Decoder &d) {
  takeStateSpace(d);
  d.take("tensormap");
  while (!d.takePrefix("L1").empty() || !d.takePrefix("L2").empty())
    ;
  if (d.take("L1") || d.take("L2")) {
  }
  d.take("evict_last");
  d.take("evict_normal");
  return d.expectOperands(1, 3) && d.emit(nothing, InstructionClass::Other);
}

bool decodeCreatePolicy(Decoder &d) {
  // A cache policy is an opaque 64-bit value.
  std::string_view modifier;
  while (d.takeNext(modifier)) {
  }
  d.out.ref[0] = d.destination(0, Type::B64);
  return d.emit(nothing, InstructionClass::Other);
}

bool decodeHint(Decoder &d) {
  std::string_view modifier;
  while (d.takeNext(modifier)) {
  }
  return d.emit(nothing, InstructionClass::Other);
}

} // namespace

void registerMemory(OpcodeTable &table) {
  table["ld"] = table["ldu"] = table["st"] = decodeLoadStore;
  table["prefetch"] = table["prefetchu"] = decodePrefetch;
  table["createpolicy"] = decodeCreatePolicy;
  table["applypriority"] = table["discard"] = decodeHint;
}

} // namespace tilec::emu
