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
#include "../Memory/AddressOperand.h"
#include "../Synchronization/Mbarrier.h"
#include "tile/Emulator/TensorMap.h"

namespace tilec::emu {

namespace {

struct RemoteInfo {
  AddressOperand target, mbarrier;
  uint32_t elementBytes = 4, count = 1;
  bool reduces = false;
  BulkReduction reduction = BulkReduction::Add;
  TensorElement element = TensorElement::U32;
};

/// The values of one lane on their way.
class RemoteOperation final : public PendingOperation {
public:
  RemoteOperation(Warp &warp, const Instruction &instruction)
      : PendingOperation(warp, instruction),
        info(instruction.data<RemoteInfo>()) {}
  void deliver(Cluster &cluster) override;

  const RemoteInfo &info;
  uint8_t values[16];
  uint32_t bytes = 0;
  Block *target = nullptr, *signal = nullptr;
  uint32_t targetOffset = 0, signalOffset = 0;
};

void RemoteOperation::deliver(Cluster &cluster) {
  uint8_t *bytesThere = target->shared + targetOffset;
  if (info.reduces)
    reduceElements(info.element, info.reduction, bytesThere, values, bytes);
  else
    std::memcpy(bytesThere, values, bytes);
  if (cluster.launch->options.checks.init)
    target->shadow.setInitialized(targetOffset, bytes);
  if (MbarrierState *state = findMbarrier(*signal, signalOffset)) {
    cluster.rows[row].mbarrier = state->id;
    cluster.rows[row].phase = state->phase + 1;
  }
  completeTransaction(warp, instruction, *signal, signalOffset, bytes);
  ++cluster.progress;
}

/// Finds the mbarrier that `operation` signals and makes its row; false after a
/// report.
bool bindSignal(RemoteOperation &operation, uint32_t lane) {
  Warp &warp = operation.warp;
  uint64_t address = operation.info.mbarrier.of(warp, lane);
  operation.signal = blockOfShared(warp, address, operation.signalOffset);
  MbarrierState *state =
      requireMbarrier(warp, operation.instruction, lane, operation.signal,
                      operation.signalOffset, address);
  if (!state)
    return false;
  operation.row = newRow(warp, operation.instruction, 0);
  AsyncRow &row = warp.cluster->rows[operation.row];
  row.isBulk = true;
  row.mbarrier = state->id;
  row.phase = state->phase + 1;
  return true;
}

/// Issues the store of one lane; nothing after a report.
void issueLane(Warp &warp, const Instruction &i, uint32_t lane) {
  auto operation = std::make_unique<RemoteOperation>(warp, i);
  const RemoteInfo &info = operation->info;
  operation->bytes = info.elementBytes * info.count;
  if (!bindSignal(*operation, lane))
    return;
  uint64_t target = info.target.of(warp, lane);
  AccessRequest request;
  request.mode = info.reduces ? AccessMode::ReadWrite : AccessMode::Write;
  request.flags = static_cast<uint8_t>(shadowAsync | shadowStrong |
                                       static_cast<uint8_t>(Scope::Cluster)
                                           << shadowScopeShift);
  request.row = operation->row;
  request.markInit = false;
  if (!accessShared(warp, i, lane, target, operation->bytes, request))
    return;
  operation->target = blockOfShared(warp, target, operation->targetOffset);
  const Ref *refs = &warp.launch->program->refs[i.list];
  for (uint32_t e = 0; e < info.count; ++e)
    std::memcpy(operation->values + e * info.elementBytes,
                warp.ptr<uint8_t>(refs[e]) + lane * info.elementBytes,
                info.elementBytes);
  Cluster &cluster = *warp.cluster;
  issueOperation(cluster, std::move(operation), deliversNow(cluster));
}

Step remoteStore(Warp &warp, const Instruction &i, uint32_t mask) {
  forLanes(mask, [&](uint32_t lane) { issueLane(warp, i, lane); });
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
  auto *info = d.makeData<RemoteInfo>();
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
      !d.address(d.operand(0), d.out.space, info->target) ||
      !d.address(d.operand(2), d.out.space, info->mbarrier))
    return false;
  d.out.scalarBytes = static_cast<uint8_t>(info->elementBytes);
  // Where WgmmaRegisters.cpp looks for registers.
  d.out.ref[0] = info->target.base;
  d.out.ref[1] = info->mbarrier.base;
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
