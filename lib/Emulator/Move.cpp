//===- Move.cpp - mov, cvta, isspacep and special registers ---------------===//
//
// mov copies registers, takes addresses, packs and unpacks vectors of registers
// and reads special registers. Generic addresses are a window's base plus an
// address of the space (Machine.h); global addresses are generic as they are.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Handlers.h"

#include <chrono>

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
// Special registers
//===----------------------------------------------------------------------===//

enum class Special : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  SmId,
  NsmId,
  GridId,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  Clock,
  ClockHi,
  Clock64,
  GlobalTimer,
  GlobalTimerLo,
  GlobalTimerHi,
  DynamicSmem,
  TotalSmem,
  ReservedSmem,
  AggrSmem,
  ClusterIdX,
  ClusterIdY,
  ClusterIdZ,
  NclusterIdX,
  NclusterIdY,
  NclusterIdZ,
  ClusterCtaidX,
  ClusterCtaidY,
  ClusterCtaidZ,
  ClusterNctaidX,
  ClusterNctaidY,
  ClusterNctaidZ,
  ClusterCtarank,
  ClusterNctarank,
  IsExplicitCluster,
  ReservedSmemBegin,
  ReservedSmemEnd,
  ReservedSmemCap,
};

struct SpecialName {
  std::string_view name;
  Special special;
  unsigned bytes;
};
constexpr SpecialName specialNames[] = {
    {"%tid.x", Special::TidX, 4},
    {"%tid.y", Special::TidY, 4},
    {"%tid.z", Special::TidZ, 4},
    {"%ntid.x", Special::NtidX, 4},
    {"%ntid.y", Special::NtidY, 4},
    {"%ntid.z", Special::NtidZ, 4},
    {"%ctaid.x", Special::CtaidX, 4},
    {"%ctaid.y", Special::CtaidY, 4},
    {"%ctaid.z", Special::CtaidZ, 4},
    {"%nctaid.x", Special::NctaidX, 4},
    {"%nctaid.y", Special::NctaidY, 4},
    {"%nctaid.z", Special::NctaidZ, 4},
    {"%laneid", Special::LaneId, 4},
    {"%warpid", Special::WarpId, 4},
    {"%nwarpid", Special::NwarpId, 4},
    {"%smid", Special::SmId, 4},
    {"%nsmid", Special::NsmId, 4},
    {"%gridid", Special::GridId, 8},
    {"%lanemask_eq", Special::LanemaskEq, 4},
    {"%lanemask_le", Special::LanemaskLe, 4},
    {"%lanemask_lt", Special::LanemaskLt, 4},
    {"%lanemask_ge", Special::LanemaskGe, 4},
    {"%lanemask_gt", Special::LanemaskGt, 4},
    {"%clock", Special::Clock, 4},
    {"%clock_hi", Special::ClockHi, 4},
    {"%clock64", Special::Clock64, 8},
    {"%globaltimer", Special::GlobalTimer, 8},
    {"%globaltimer_lo", Special::GlobalTimerLo, 4},
    {"%globaltimer_hi", Special::GlobalTimerHi, 4},
    {"%dynamic_smem_size", Special::DynamicSmem, 4},
    {"%total_smem_size", Special::TotalSmem, 4},
    {"%reserved_smem_offset_begin", Special::ReservedSmem, 4},
    {"%reserved_smem_offset_end", Special::ReservedSmem, 4},
    {"%reserved_smem_offset_0", Special::ReservedSmem, 4},
    {"%reserved_smem_offset_1", Special::ReservedSmem, 4},
    {"%aggr_smem_size", Special::AggrSmem, 4},
    {"%clusterid.x", Special::ClusterIdX, 4},
    {"%clusterid.y", Special::ClusterIdY, 4},
    {"%clusterid.z", Special::ClusterIdZ, 4},
    {"%nclusterid.x", Special::NclusterIdX, 4},
    {"%nclusterid.y", Special::NclusterIdY, 4},
    {"%nclusterid.z", Special::NclusterIdZ, 4},
    {"%cluster_ctaid.x", Special::ClusterCtaidX, 4},
    {"%cluster_ctaid.y", Special::ClusterCtaidY, 4},
    {"%cluster_ctaid.z", Special::ClusterCtaidZ, 4},
    {"%cluster_nctaid.x", Special::ClusterNctaidX, 4},
    {"%cluster_nctaid.y", Special::ClusterNctaidY, 4},
    {"%cluster_nctaid.z", Special::ClusterNctaidZ, 4},
    {"%cluster_ctarank", Special::ClusterCtarank, 4},
    {"%cluster_nctarank", Special::ClusterNctarank, 4},
    {"%is_explicit_cluster", Special::IsExplicitCluster, 1},
    {"%reserved_smem_offset_begin", Special::ReservedSmemBegin, 4},
    {"%reserved_smem_offset_end", Special::ReservedSmemEnd, 4},
    {"%reserved_smem_offset_cap", Special::ReservedSmemCap, 4},
};

uint64_t readSpecial(Warp &warp, Special special, uint32_t lane) {
  const Block &block = *warp.block;
  const Launch &launch = *warp.launch;
  const Dim3 &ntid = launch.config->block;
  const Dim3 &grid = launch.config->grid;
  const Dim3 &cluster = launch.clusterDim;
  uint32_t thread = warp.threadIndex(lane);
  uint64_t now = warp.executed;
  switch (special) {
  case Special::TidX:
    return thread % ntid.x;
  case Special::TidY:
    return thread / ntid.x % ntid.y;
  case Special::TidZ:
    return thread / (ntid.x * ntid.y);
  case Special::NtidX:
    return ntid.x;
  case Special::NtidY:
    return ntid.y;
  case Special::NtidZ:
    return ntid.z;
  case Special::CtaidX:
    return block.id.x;
  case Special::CtaidY:
    return block.id.y;
  case Special::CtaidZ:
    return block.id.z;
  case Special::NctaidX:
    return grid.x;
  case Special::NctaidY:
    return grid.y;
  case Special::NctaidZ:
    return grid.z;
  case Special::LaneId:
    return lane;
  case Special::WarpId:
    return warp.indexInBlock;
  case Special::NwarpId:
    return launch.warpsPerBlock;
  case Special::SmId:
    return block.linear % 132;
  case Special::NsmId:
    return 132;
  case Special::GridId:
    return 1;
  case Special::LanemaskEq:
    return 1u << lane;
  case Special::LanemaskLe:
    return (2u << lane) - 1;
  case Special::LanemaskLt:
    return (1u << lane) - 1;
  case Special::LanemaskGe:
    return ~((1u << lane) - 1);
  case Special::LanemaskGt:
    return ~((2u << lane) - 1);
  case Special::Clock:
  case Special::Clock64:
    return now;
  case Special::ClockHi:
    return now >> 32;
  case Special::GlobalTimer:
  case Special::GlobalTimerLo:
    return now;
  case Special::GlobalTimerHi:
    return now >> 32;
  case Special::DynamicSmem:
    return launch.config->dynamicSharedBytes;
  case Special::ReservedSmem:
    // The driver's own shared memory: beyond every block's, so that an access
    // to it is reported.
    return 0xffff00;
  case Special::TotalSmem:
  case Special::AggrSmem:
    return launch.sharedBytes;
  case Special::ClusterIdX:
    return block.id.x / cluster.x;
  case Special::ClusterIdY:
    return block.id.y / cluster.y;
  case Special::ClusterIdZ:
    return block.id.z / cluster.z;
  case Special::NclusterIdX:
    return grid.x / cluster.x;
  case Special::NclusterIdY:
    return grid.y / cluster.y;
  case Special::NclusterIdZ:
    return grid.z / cluster.z;
  case Special::ClusterCtaidX:
    return block.id.x % cluster.x;
  case Special::ClusterCtaidY:
    return block.id.y % cluster.y;
  case Special::ClusterCtaidZ:
    return block.id.z % cluster.z;
  case Special::ClusterNctaidX:
    return cluster.x;
  case Special::ClusterNctaidY:
    return cluster.y;
  case Special::ClusterNctaidZ:
    return cluster.z;
  case Special::ClusterCtarank:
    return block.rank;
  case Special::ClusterNctarank:
    return cluster.count();
  case Special::IsExplicitCluster:
    return cluster.count() > 1;
  case Special::ReservedSmemBegin:
  case Special::ReservedSmemEnd:
  case Special::ReservedSmemCap:
    return 0;
  }
  return 0;
}

template <typename T>
Step movSpecial(Warp &warp, const Instruction &i, uint32_t mask) {
  T *d = warp.ptr<T>(i.ref[0]);
  auto special = static_cast<Special>(i.small[0]);
  forLanes(mask, [&](uint32_t lane) {
    d[lane] = static_cast<T>(readSpecial(warp, special, lane));
  });
  return Step::Next;
}
Step movSpecialPredicate(Warp &warp, const Instruction &i, uint32_t mask) {
  auto special = static_cast<Special>(i.small[0]);
  warp.setPredicate(i.ref[0], mask,
                    readSpecial(warp, special, 0) ? fullMask : 0);
  return Step::Next;
}

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

/// A special register as a source: reads it into scratch.
Step readSpecialHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  auto special = static_cast<Special>(i.immediate);
  uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    d[lane] = static_cast<uint32_t>(readSpecial(warp, special, lane));
  });
  return Step::Next;
}

bool decodeSpecial(Decoder &d, Type type, const Operand &source) {
  // What the driver or a profiler sets is zero.
  if (source.name.starts_with("%envreg") || source.name.starts_with("%pm") ||
      source.name == "%current_graph_exec") {
    bool wide = source.name.ends_with("_64") || source.name[1] == 'c';
    if (registerBytes(type) != (wide ? 8 : 4))
      return d.fail("the special register has " +
                    std::to_string(wide ? 64 : 32) + " bits");
    d.out.ref[1] = d.constant(wide ? 8 : 4, 0);
    d.out.ref[0] = d.destination(0, type);
    return d.emit(wide ? Handler(mapLanes<same<uint64_t>, uint64_t, uint64_t>)
                       : Handler(mapLanes<same<uint32_t>, uint32_t, uint32_t>),
                  InstructionClass::Integer);
  }
  for (const SpecialName &s : specialNames) {
    if (s.name != source.name)
      continue;
    d.out.small[0] = static_cast<uint16_t>(s.special);
    if (s.bytes == 1) {
      d.out.ref[0] = d.destinationPredicate(d.operand(0));
      return d.emit(movSpecialPredicate, InstructionClass::Integer);
    }
    d.out.ref[0] = d.destination(0, type);
    unsigned bytes = registerBytes(type);
    return d.emit(bytes == 2   ? movSpecial<uint16_t>
                  : bytes == 4 ? movSpecial<uint32_t>
                               : movSpecial<uint64_t>,
                  InstructionClass::Integer);
  }
  return d.fail("unknown special register '" + std::string(source.name) + "'");
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
  if (named && source.name.starts_with("%") && !d.isRegister(source)) {
    // envreg and the like are not known either.
    return decodeSpecial(d, type, source);
  }
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

//===----------------------------------------------------------------------===//
// Generic addresses
//===----------------------------------------------------------------------===//

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

Ref specialSource(Decoder &d, const Operand &operand) {
  for (const SpecialName &s : specialNames)
    if (s.name == operand.name && s.bytes == 4) {
      Ref target = d.scratch(4);
      d.helper(readSpecialHandler, target, noRef, noRef,
               static_cast<int64_t>(s.special));
      return target;
    }
  return noRef;
}

void registerMove(OpcodeTable &table) {
  table["mov"] = decodeMov;
  table["cvta"] = decodeCvta;
  table["isspacep"] = decodeIsspacep;
}

} // namespace tilec::emu
