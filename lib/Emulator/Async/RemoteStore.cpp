//===- RemoteStore.cpp - st.async and red.async ---------------------------===//
//
// Stores and reductions into the shared memory of a block of the cluster that
// complete on an mbarrier beside the data. They are of the generic proxy; the
// mbarrier's phase is what orders them, so each is an asynchronous operation
// that pends until its bytes are delivered.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "../Decode/Families.h"
#include "../Instructions/Handlers.h"
#include "../Machine/Interpreter.h"
#include "../Memory/Access.h"
#include "../Synchronization/Mbarrier.h"
#include "AsyncCopy.h"
#include "tile/Emulator/TensorMap.h"

namespace tilec::emu {

namespace {

struct RemoteInfo {
  bool targetWide = false, mbarrierWide = false;
  int64_t targetOffset = 0, mbarrierOffset = 0;
  uint32_t elementBytes = 4, count = 1;
  bool reduces = false;
  BulkReduction reduction = BulkReduction::Add;
  TensorElement element = TensorElement::U32;
};

/// The values of one lane on their way.
struct RemoteState {
  const RemoteInfo *info = nullptr;
  uint8_t values[16];
  uint32_t bytes = 0, row = 0;
  Block *target = nullptr, *signal = nullptr;
  uint32_t targetOffset = 0, signalOffset = 0;
};

void deliverRemote(Cluster &cluster, PendingOperation &operation) {
  auto &state = *static_cast<RemoteState *>(operation.state.get());
  uint8_t *target = state.target->shared + state.targetOffset;
  if (state.info->reduces)
    reduceElements(state.info->element, state.info->reduction, target,
                   state.values, state.bytes);
  else
    std::memcpy(target, state.values, state.bytes);
  if (cluster.launch->options.checks.init)
    state.target->shadow.setInitialized(state.targetOffset, state.bytes);
  if (MbarrierState *m = findMbarrier(*state.signal, state.signalOffset)) {
    cluster.rows[state.row].mbarrier = m->id;
    cluster.rows[state.row].phase = m->phase + 1;
  }
  completeTransaction(*operation.warp, *operation.instruction, *state.signal,
                      state.signalOffset, state.bytes);
  ++cluster.progress;
}

uint64_t addressOf(Warp &warp, Ref ref, bool wide, int64_t offset,
                   uint32_t lane) {
  uint64_t base =
      wide ? warp.ptr<uint64_t>(ref)[lane] : warp.ptr<uint32_t>(ref)[lane];
  return base + static_cast<uint64_t>(offset);
}

/// Issues the store of one lane; nothing after a report.
void issueLane(Warp &warp, const Instruction &i, const RemoteInfo &info,
               uint32_t lane) {
  Cluster &cluster = *warp.cluster;
  uint64_t mbarrier =
      addressOf(warp, i.ref[1], info.mbarrierWide, info.mbarrierOffset, lane);
  auto state = std::make_shared<RemoteState>();
  state->info = &info;
  state->bytes = info.elementBytes * info.count;
  state->signal = blockOfShared(warp, mbarrier, state->signalOffset);
  MbarrierState *object = requireMbarrier(warp, i, lane, state->signal,
                                          state->signalOffset, mbarrier);
  if (!object)
    return;
  state->row = newRow(warp, i, 0);
  AsyncRow &row = cluster.rows[state->row];
  row.isBulk = true;
  row.mbarrier = object->id;
  row.phase = object->phase + 1;

  uint64_t target =
      addressOf(warp, i.ref[0], info.targetWide, info.targetOffset, lane);
  AccessRequest request;
  request.mode = info.reduces ? AccessMode::ReadWrite : AccessMode::Write;
  request.flags = static_cast<uint8_t>(shadowAsync | shadowStrong |
                                       static_cast<uint8_t>(Scope::Cluster)
                                           << shadowScopeShift);
  request.row = state->row;
  request.markInit = false;
  if (!accessShared(warp, i, lane, target, state->bytes, request))
    return;
  state->target = blockOfShared(warp, target, state->targetOffset);
  const Ref *refs = &warp.launch->program->refs[i.list];
  for (uint32_t e = 0; e < info.count; ++e)
    std::memcpy(state->values + e * info.elementBytes,
                warp.ptr<uint8_t>(refs[e]) + lane * info.elementBytes,
                info.elementBytes);
  PendingOperation operation;
  operation.warp = &warp;
  operation.instruction = &i;
  operation.row = state->row;
  operation.lane = lane;
  operation.state = state;
  operation.deliver = deliverRemote;
  if (deliversNow(cluster))
    deliverRemote(cluster, operation);
  else
    cluster.pending.push_back(std::move(operation));
}

Step remoteStore(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = *static_cast<const RemoteInfo *>(i.extra);
  forLanes(mask, [&](uint32_t lane) { issueLane(warp, i, info, lane); });
  ++warp.cluster->progress;
  return Step::Next;
}

/// Which elements a reduction is of; false if there is none of that type.
bool chooseElement(Type type, RemoteInfo &info) {
  switch (type) {
  case Type::U32:
  case Type::B32:
    info.element = TensorElement::U32;
    return true;
  case Type::S32:
    info.element = TensorElement::S32;
    return true;
  case Type::U64:
  case Type::S64:
    info.element = TensorElement::U64; // Sums are the same.
    return info.reduction == BulkReduction::Add;
  default:
    return false;
  }
}

bool decodeRemote(Decoder &d, bool reduces) {
  auto *info = d.makeExtra<RemoteInfo>();
  info->reduces = reduces;
  d.take("weak");
  if (d.take("relaxed"))
    d.take("cluster");
  // Without a space the address is generic, and must be of shared memory.
  d.out.space = StateSpace::SharedCluster;
  if (!d.take("shared::cluster"))
    d.out.space = StateSpace::Generic;
  if (!d.take("mbarrier::complete_tx::bytes"))
    return d.fail("'.mbarrier::complete_tx::bytes' is missing");
  if (reduces) {
    int operation =
        d.takeOne({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
    if (operation < 0)
      return d.fail("the operation is missing");
    info->reduction = static_cast<BulkReduction>(operation);
  } else {
    int vector = d.takeOne({"v2", "v4"});
    info->count = vector < 0 ? 1 : 2u << vector;
  }
  Type type = d.takeType();
  info->elementBytes = registerBytes(type);
  if ((info->elementBytes != 4 && info->elementBytes != 8) ||
      info->elementBytes * info->count > 16 ||
      (reduces && !chooseElement(type, *info)))
    return false;
  if (!d.expectOperands(3, 3) ||
      !d.address(d.operand(0), d.out.space, d.out.ref[0], info->targetWide,
                 info->targetOffset) ||
      !d.address(d.operand(2), d.out.space, d.out.ref[1], info->mbarrierWide,
                 info->mbarrierOffset))
    return false;
  const Operand &value = d.operand(1);
  bool isVector = value.kind == Operand::Kind::Vector;
  if ((isVector ? value.elements.size() : 1) != info->count)
    return d.fail("expected " + std::to_string(info->count) + " registers");
  for (uint32_t e = 0; e < info->count; ++e)
    d.listOperand(d.source(isVector ? value.elements[e] : value, type));
  return d.emit(remoteStore, InstructionClass::AsyncCopy);
}

} // namespace

bool decodeStoreAsync(Decoder &d) { return decodeRemote(d, false); }
bool decodeRedAsync(Decoder &d) { return decodeRemote(d, true); }

} // namespace tilec::emu
