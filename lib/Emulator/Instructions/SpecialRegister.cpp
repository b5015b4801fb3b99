//===- SpecialRegister.cpp - Special registers ----------------------------===//
//
// The names, widths and values of %tid.x and the like, which mov reads and some
// instructions have as a source. Time is the number of instructions that the
// warp has executed, so that a run can be repeated.
//
//===----------------------------------------------------------------------===//

#include "../Decode/Families.h"
#include "Handlers.h"

namespace tilec::emu {

namespace {

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
  Zero, ///< What the driver or a profiler sets.
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
    {"%reserved_smem_offset_cap", Special::Zero, 4},
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
  case Special::Zero:
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

/// A special register as a source: reads it into scratch.
Step readSpecialHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  auto special = static_cast<Special>(i.immediate);
  uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    d[lane] = static_cast<uint32_t>(readSpecial(warp, special, lane));
  });
  return Step::Next;
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
    d.out.small[0] = static_cast<uint16_t>(Special::Zero);
    d.out.ref[0] = d.destination(0, type);
    return d.emit(wide ? movSpecial<uint64_t> : movSpecial<uint32_t>,
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

} // namespace tilec::emu
