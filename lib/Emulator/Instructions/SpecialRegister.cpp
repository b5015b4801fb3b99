//===- SpecialRegister.cpp - Special registers ----------------------------===//
//
// The names, widths and values of %tid.x and the like, which mov reads and some
// instructions have as a source. Time is the number of instructions that the
// warp has executed, so that a run can be repeated.
//
//===----------------------------------------------------------------------===//

#include "../Decode/Families.h"
#include "Handlers.h"

#include <iterator>

namespace tilec::emu {

namespace {

/// The value for a lane. Those of 32 bits are cut to the register.
using ReadSpecial = uint64_t (*)(const Warp &warp, uint32_t lane);

struct SpecialRegister {
  std::string_view name;
  unsigned bytes; ///< 1: a predicate.
  ReadSpecial read;
};

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Multiprocessors of an H100 SXM, which %smid counts blocks through.
constexpr uint64_t multiprocessors = 132;
/// The driver's own shared memory: beyond every block's, so that an access to
/// it is reported.
constexpr uint64_t reservedShared = 0xffff00;

template <uint64_t value>
uint64_t constant(const Warp &, uint32_t) {
  return value;
}
uint64_t lane(const Warp &, uint32_t lane) { return lane; }
uint64_t time(const Warp &warp, uint32_t) { return warp.executed; }
uint64_t timeHigh(const Warp &warp, uint32_t) { return warp.executed >> 32; }
uint64_t sharedBytes(const Warp &warp, uint32_t) {
  return warp.launch->sharedBytes;
}

using Axis = uint32_t Dim3::*;

template <Axis axis>
uint64_t threadIndex(const Warp &warp, uint32_t lane) {
  return delinearize(warp.threadIndex(lane), warp.launch->config->block).*axis;
}
template <Axis axis>
uint64_t blockShape(const Warp &warp, uint32_t) {
  return warp.launch->config->block.*axis;
}
template <Axis axis>
uint64_t blockIndex(const Warp &warp, uint32_t) {
  return warp.block->id.*axis;
}
template <Axis axis>
uint64_t gridShape(const Warp &warp, uint32_t) {
  return warp.launch->config->grid.*axis;
}
template <Axis axis>
uint64_t clusterIndex(const Warp &warp, uint32_t) {
  return warp.block->id.*axis / warp.launch->clusterDim.*axis;
}
template <Axis axis>
uint64_t clusterCount(const Warp &warp, uint32_t) {
  return warp.launch->config->grid.*axis / warp.launch->clusterDim.*axis;
}
template <Axis axis>
uint64_t indexInCluster(const Warp &warp, uint32_t) {
  return warp.block->id.*axis % warp.launch->clusterDim.*axis;
}
template <Axis axis>
uint64_t clusterShape(const Warp &warp, uint32_t) {
  return warp.launch->clusterDim.*axis;
}

constexpr SpecialRegister specialRegisters[] = {
    {"%tid.x", 4, threadIndex<&Dim3::x>},
    {"%tid.y", 4, threadIndex<&Dim3::y>},
    {"%tid.z", 4, threadIndex<&Dim3::z>},
    {"%ntid.x", 4, blockShape<&Dim3::x>},
    {"%ntid.y", 4, blockShape<&Dim3::y>},
    {"%ntid.z", 4, blockShape<&Dim3::z>},
    {"%ctaid.x", 4, blockIndex<&Dim3::x>},
    {"%ctaid.y", 4, blockIndex<&Dim3::y>},
    {"%ctaid.z", 4, blockIndex<&Dim3::z>},
    {"%nctaid.x", 4, gridShape<&Dim3::x>},
    {"%nctaid.y", 4, gridShape<&Dim3::y>},
    {"%nctaid.z", 4, gridShape<&Dim3::z>},
    {"%laneid", 4, lane},
    {"%warpid", 4,
     [](const Warp &warp, uint32_t) -> uint64_t { return warp.indexInBlock; }},
    {"%nwarpid", 4,
     [](const Warp &warp, uint32_t) -> uint64_t {
       return warp.launch->warpsPerBlock;
     }},
    {"%smid", 4,
     [](const Warp &warp, uint32_t) {
       return warp.block->linear % multiprocessors;
     }},
    {"%nsmid", 4, constant<multiprocessors>},
    {"%gridid", 8, constant<1>},
    {"%lanemask_eq", 4,
     [](const Warp &, uint32_t lane) -> uint64_t { return 1u << lane; }},
    {"%lanemask_le", 4,
     [](const Warp &, uint32_t lane) -> uint64_t { return (2u << lane) - 1; }},
    {"%lanemask_lt", 4,
     [](const Warp &, uint32_t lane) -> uint64_t { return (1u << lane) - 1; }},
    {"%lanemask_ge", 4,
     [](const Warp &, uint32_t lane) -> uint64_t {
       return ~((1u << lane) - 1);
     }},
    {"%lanemask_gt", 4,
     [](const Warp &, uint32_t lane) -> uint64_t {
       return ~((2u << lane) - 1);
     }},
    {"%clock", 4, time},
    {"%clock_hi", 4, timeHigh},
    {"%clock64", 8, time},
    {"%globaltimer", 8, time},
    {"%globaltimer_lo", 4, time},
    {"%globaltimer_hi", 4, timeHigh},
    {"%dynamic_smem_size", 4,
     [](const Warp &warp, uint32_t) -> uint64_t {
       return warp.launch->config->dynamicSharedBytes;
     }},
    {"%total_smem_size", 4, sharedBytes},
    {"%reserved_smem_offset_begin", 4, constant<reservedShared>},
    {"%reserved_smem_offset_end", 4, constant<reservedShared>},
    {"%reserved_smem_offset_0", 4, constant<reservedShared>},
    {"%reserved_smem_offset_1", 4, constant<reservedShared>},
    {"%aggr_smem_size", 4, sharedBytes},
    {"%clusterid.x", 4, clusterIndex<&Dim3::x>},
    {"%clusterid.y", 4, clusterIndex<&Dim3::y>},
    {"%clusterid.z", 4, clusterIndex<&Dim3::z>},
    {"%nclusterid.x", 4, clusterCount<&Dim3::x>},
    {"%nclusterid.y", 4, clusterCount<&Dim3::y>},
    {"%nclusterid.z", 4, clusterCount<&Dim3::z>},
    {"%cluster_ctaid.x", 4, indexInCluster<&Dim3::x>},
    {"%cluster_ctaid.y", 4, indexInCluster<&Dim3::y>},
    {"%cluster_ctaid.z", 4, indexInCluster<&Dim3::z>},
    {"%cluster_nctaid.x", 4, clusterShape<&Dim3::x>},
    {"%cluster_nctaid.y", 4, clusterShape<&Dim3::y>},
    {"%cluster_nctaid.z", 4, clusterShape<&Dim3::z>},
    {"%cluster_ctarank", 4,
     [](const Warp &warp, uint32_t) -> uint64_t { return warp.block->rank; }},
    {"%cluster_nctarank", 4,
     [](const Warp &warp, uint32_t) {
       return warp.launch->clusterDim.count();
     }},
    {"%is_explicit_cluster", 1,
     [](const Warp &warp, uint32_t) -> uint64_t {
       return warp.launch->clusterDim.count() > 1;
     }},
    {"%reserved_smem_offset_cap", 4, constant<0>},
    // What the driver or a profiler sets: %envreg<n>, %pm<n> and the like.
    {"", 0, constant<0>},
};
constexpr uint16_t zeroRegister = std::size(specialRegisters) - 1;

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

template <typename T>
Step movSpecial(Warp &warp, const Instruction &i, uint32_t mask) {
  T *d = warp.ptr<T>(i.ref[0]);
  ReadSpecial read = specialRegisters[i.small[0]].read;
  forLanes(mask,
           [&](uint32_t lane) { d[lane] = static_cast<T>(read(warp, lane)); });
  return Step::Next;
}
Step movSpecialPredicate(Warp &warp, const Instruction &i, uint32_t mask) {
  ReadSpecial read = specialRegisters[i.small[0]].read;
  warp.setPredicate(i.ref[0], mask, read(warp, 0) ? fullMask : 0);
  return Step::Next;
}

/// A special register as a source: reads it into scratch.
Step readSpecialHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  ReadSpecial read = specialRegisters[i.immediate].read;
  uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    d[lane] = static_cast<uint32_t>(read(warp, lane));
  });
  return Step::Next;
}

const SpecialRegister *findSpecial(std::string_view name) {
  for (const SpecialRegister &special : specialRegisters)
    if (!name.empty() && special.name == name)
      return &special;
  return nullptr;
}

} // namespace

bool decodeSpecialMove(Decoder &d, Type type, const Operand &source) {
  // What the driver or a profiler sets is zero.
  if (source.name.starts_with("%envreg") || source.name.starts_with("%pm") ||
      source.name == "%current_graph_exec") {
    bool wide = source.name.ends_with("_64") || source.name[1] == 'c';
    if (registerBytes(type) != (wide ? 8 : 4))
      return d.fail("the special register has " +
                    std::to_string(wide ? 64 : 32) + " bits");
    d.out.small[0] = zeroRegister;
    d.out.ref[0] = d.destination(0, type);
    return d.emit(wide ? movSpecial<uint64_t> : movSpecial<uint32_t>,
                  InstructionClass::Integer);
  }
  const SpecialRegister *found = findSpecial(source.name);
  if (!found)
    return d.fail("unknown special register '" + std::string(source.name) +
                  "'");
  d.out.small[0] = static_cast<uint16_t>(found - specialRegisters);
  if (found->bytes == 1) {
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

Ref specialSource(Decoder &d, const Operand &operand) {
  const SpecialRegister *found = findSpecial(operand.name);
  if (!found || found->bytes != 4)
    return noRef;
  Ref target = d.scratch(4);
  d.helper(readSpecialHandler, target, noRef, noRef, found - specialRegisters);
  return target;
}

} // namespace tilec::emu
