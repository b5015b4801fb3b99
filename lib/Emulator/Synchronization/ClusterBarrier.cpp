//===- ClusterBarrier.cpp - Clusters and other facilities of sm_90 --------===//
//
// barrier.cluster, mapa, getctarank, griddepcontrol. Shared addresses of other
// blocks carry the block's rank plus one from bit 24 up.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "../Decode/Families.h"
#include "../Instructions/Handlers.h"
#include "../Machine/Interpreter.h"
#include "../Memory/Access.h"
#include "Mbarrier.h"
#include "Waiting.h"

#include <algorithm>

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// barrier.cluster
//===----------------------------------------------------------------------===//

/// Whether all threads have arrived that have not exited: arrivals of those that
/// have stand for nobody else.
static bool haveAllArrived(const Cluster &cluster) {
  const std::vector<uint32_t> &arrived = cluster.barrier.arrivedLanes;
  return std::all_of(
      cluster.warps.begin(), cluster.warps.end(), [&](const Warp *warp) {
        return (warp->live & ~arrived[warp->indexInCluster]) == 0;
      });
}

void completeClusterBarrier(Cluster &cluster) {
  BarrierState &barrier = cluster.barrier;
  if (barrier.arrived == 0 || !haveAllArrived(cluster))
    return;
  barrier.released.join(barrier.gathered);
  barrier.gathered.clear();
  barrier.arrived = 0;
  std::fill(barrier.arrivedLanes.begin(), barrier.arrivedLanes.end(), 0);
  ++barrier.generation;
}

namespace {

/// A thread's arrival is remembered until it waits: small[0] is relaxed.
Step clusterArrive(Warp &warp, const Instruction &i, uint32_t mask) {
  if (i.small[1] && !areConverged(warp, warp.live))
    return warp.waitFor(Wait::Converge, 0, 0, warp.live);
  Cluster &cluster = *warp.cluster;
  BarrierState &barrier = cluster.barrier;
  if (!i.small[0])
    releaseInto(warp, mask, barrier.gathered);
  barrier.arrived += static_cast<uint32_t>(__builtin_popcount(mask));
  barrier.arrivedLanes.resize(cluster.warps.size());
  barrier.arrivedLanes[warp.indexInCluster] |= mask;
  barrier.arrivedBefore.resize(cluster.warps.size());
  barrier.arrivedBefore[warp.indexInCluster] = barrier.generation + 1;
  completeClusterBarrier(cluster);
  ++cluster.progress;
  return Step::Next;
}

/// Waits for the generation this warp arrived in.
Step clusterWait(Warp &warp, const Instruction &i, uint32_t mask) {
  if (i.small[1] && !areConverged(warp, warp.live))
    return warp.waitFor(Wait::Converge, 0, 0, warp.live);
  BarrierState &barrier = warp.cluster->barrier;
  barrier.arrivedBefore.resize(warp.cluster->warps.size());
  uint32_t arrived = barrier.arrivedBefore[warp.indexInCluster];
  if (arrived == 0) {
    reportAt(warp, i, static_cast<uint32_t>(__builtin_ctz(mask)),
             ReportKind::Barrier,
             "barrier.cluster.wait without an arrive before it");
    return Step::Next;
  }
  if (barrier.generation < arrived)
    return warp.waitFor(Wait::ClusterBarrier, 0, barrier.generation, 0);
  acquireFrom(warp, mask, barrier.released);
  if ((mask & warp.live) == warp.live)
    synchronizeLanes(warp, mask);
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// d = the address of `a` in the block of rank `b`. flags: generic addresses.
template <typename T>
Step mapa(Warp &warp, const Instruction &i, uint32_t mask) {
  const T *a = warp.ptr<T>(i.ref[1]);
  const uint32_t *b = warp.ptr<uint32_t>(i.ref[2]);
  T *d = warp.ptr<T>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    if (b[lane] >= warp.cluster->blocks.size())
      reportAt(warp, i, lane, ReportKind::OutOfBounds,
               "there is no block of rank " + std::to_string(b[lane]) +
                   " in a cluster of " +
                   std::to_string(warp.cluster->blocks.size()));
    uint64_t address =
        static_cast<uint64_t>(a[lane]) + static_cast<uint64_t>(i.immediate);
    uint64_t offset = address & ((1u << sharedRankShift) - 1);
    uint64_t window = i.flags ? sharedWindow : 0;
    d[lane] = static_cast<T>(
        window | (uint64_t(b[lane] + 1) << sharedRankShift) | offset);
  });
  return Step::Next;
}

template <typename T>
Step getRank(Warp &warp, const Instruction &i, uint32_t mask) {
  const T *a = warp.ptr<T>(i.ref[1]);
  uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    uint32_t rank = static_cast<uint32_t>(a[lane]) >> sharedRankShift;
    d[lane] = rank ? rank - 1 : warp.block->rank;
  });
  return Step::Next;
}

bool decodeMapa(Decoder &d) {
  bool isMapa = d.syntax().parts[0] == "mapa";
  bool shared = d.take("shared::cluster");
  Type type = d.takeType();
  if ((type != Type::U32 && type != Type::U64) ||
      !d.expectOperands(isMapa ? 3 : 2, isMapa ? 3 : 2))
    return false;
  bool wide = type == Type::U64;
  d.out.flags = !shared;
  const Operand &source = d.operand(1);
  if (d.isRegister(source)) {
    d.out.ref[1] = d.source(1, type);
  } else {
    bool wideBase;
    if (!d.address(source, shared ? StateSpace::Shared : StateSpace::Generic,
                   d.out.ref[1], wideBase, d.out.immediate))
      return false;
    if (!(d.out.ref[1] & constantBit))
      return d.fail("the address is not in shared memory");
    if (!wide) {
      uint64_t value;
      std::memcpy(&value,
                  &d.module.program.constants[d.out.ref[1] & ~constantBit], 8);
      d.out.ref[1] = d.constant(4, value);
    }
  }
  if (isMapa)
    d.out.ref[2] = d.source(2, Type::U32);
  d.out.ref[0] = d.destination(0, isMapa ? type : Type::U32);
  Handler handler = isMapa ? wide ? mapa<uint64_t> : mapa<uint32_t>
                    : wide ? getRank<uint64_t>
                           : getRank<uint32_t>;
  return d.emit(handler, InstructionClass::Integer);
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

Step nothing(Warp &, const Instruction &, uint32_t) { return Step::Next; }

bool decodeGriddepcontrol(Decoder &d) {
  return d.takeOne({"launch_dependents", "wait"}) >= 0 &&
         d.emit(nothing, InstructionClass::Other);
}

} // namespace

bool decodeClusterBarrier(Decoder &d) {
  int operation = d.takeOne({"arrive", "wait"});
  int order = d.takeOne({"release", "relaxed", "acquire"});
  d.out.small[0] = order == 1;
  d.out.small[1] = d.take("aligned");
  return operation >= 0 && d.expectOperands(0, 0) &&
         d.emit(operation == 0 ? clusterArrive : clusterWait,
                InstructionClass::Barrier);
}

void registerCluster(OpcodeTable &table) {
  table["mapa"] = table["getctarank"] = decodeMapa;
  registerRegisterCount(table);
  table["griddepcontrol"] = decodeGriddepcontrol;
}

} // namespace tilec::emu
