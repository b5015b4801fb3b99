//===- Wgmma.cpp - Asynchronous matrix products of a warpgroup ------------===//
//
// wgmma.mma_async, fence, commit_group, wait_group. Each warp computes its 16
// rows when it executes the instruction, but the results reach the accumulator
// registers only at the wait; until then these hold poison, as an early read
// would be wrong on the hardware. Shared operands are reads of the asynchronous
// proxy that pend until the wait.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "AsyncCopy.h"
#include "Decoder.h"
#include "Handlers.h"
#include "Interpreter.h"
#include "Report.h"
#include "TensorFamily.h"

#include <algorithm>
#include <map>

namespace tilec::emu {

/// Accumulators in flight, and the groups that will deliver them.
struct Warp::WgmmaState {
  struct Values {
    alignas(64) uint32_t lanes[32];
  };
  struct Pending {
    std::vector<Ref> registers;
    std::vector<Values> values;
    uint64_t group = 0; ///< The last group that adds to it.
  };
  std::map<Ref, Pending> pending; ///< By first register.
  uint64_t openGroup = 1;         ///< Number of the group being filled.
  uint32_t openRow = 0;
  std::vector<std::pair<uint64_t, uint32_t>> rows; ///< Group and row.
};

namespace {

struct WgmmaInfo {
  WgmmaOp op;
  int a = 0, d = 0;
  uint64_t flops = 0;
  Ref aDescriptor = noRef, bDescriptor = noRef, scale = noRef;
  Ref metadata = noRef;
  uint32_t selector = 0;
};

Warp::WgmmaState &stateOf(Warp &warp) {
  if (!warp.wgmma)
    warp.wgmma = std::make_shared<Warp::WgmmaState>();
  return *warp.wgmma;
}

/// Checks and marks the shared bytes of one operand; false after a report.
bool readOperand(Warp &warp, const Instruction &i, const WgmmaOp &op,
                 WgmmaOperand operand, uint64_t descriptor, int warpIndex,
                 uint32_t row) {
  AccessRequest request;
  request.mode = AccessMode::Read;
  request.flags = shadowAsync | shadowProxyAsync;
  request.row = row;
  request.collective = true;
  bool ok = true;
  wgmmaForEachChunk(op, operand, descriptor, warpIndex, [&](uint32_t address) {
    if (ok)
      ok = accessShared(warp, i, 0, address, 16, request) != nullptr;
  });
  return ok;
}

Step wgmmaHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  if (!areConverged(warp, warp.live))
    return warp.waitFor(Wait::Converge, 0, 0, warp.live);
  const auto &info = *static_cast<const WgmmaInfo *>(i.extra);
  if (mask != fullMask || warp.launch->warpsPerBlock < 4) {
    reportAt(warp, i, 0, ReportKind::Barrier,
             "wgmma needs all threads of a warpgroup of four warps");
    warp.launch->stop = true;
    return Step::Stop;
  }
  Warp::WgmmaState &state = stateOf(warp);
  if (!state.openRow) {
    state.openRow = newRow(warp, i, 0);
    state.rows.push_back({state.openGroup, state.openRow});
  }
  const Ref *refs = &warp.launch->program->refs[i.list];
  int index = static_cast<int>(warp.indexInBlock % 4);
  uint64_t aDescriptor =
      info.op.aInRegisters ? 0 : warp.ptr<uint64_t>(info.aDescriptor)[0];
  uint64_t bDescriptor = warp.ptr<uint64_t>(info.bDescriptor)[0];
  if (!info.op.aInRegisters &&
      !readOperand(warp, i, info.op, WgmmaOperand::A, aDescriptor, index,
                   state.openRow)) {
    warp.launch->stop = true;
    return Step::Stop;
  }
  if (!readOperand(warp, i, info.op, WgmmaOperand::B, bDescriptor, -1,
                   state.openRow)) {
    warp.launch->stop = true;
    return Step::Stop;
  }
  // One warp of four counts the product of all.
  if (index == 0)
    warp.cluster->statistics.flops += info.flops;

  alignas(64) LaneWords a[8];
  for (int r = 0; r < info.a; ++r)
    std::memcpy(a[r], warp.ptr<uint32_t>(refs[info.d + r]), sizeof(LaneWords));
  auto &pending = state.pending[refs[0]];
  size_t count = static_cast<size_t>(info.d);
  if (pending.registers.size() != count ||
      !std::equal(pending.registers.begin(), pending.registers.end(), refs)) {
    pending.registers.assign(refs, refs + count);
    pending.values.resize(count);
    for (size_t r = 0; r < count; ++r)
      std::memcpy(pending.values[r].lanes, warp.ptr<uint32_t>(refs[r]),
                  sizeof(LaneWords));
  }
  pending.group = state.openGroup;
  bool scale = warp.predicate(info.scale) & 1;
  auto *d = reinterpret_cast<LaneWords *>(pending.values.data());
  wgmma(info.op, index, warp.block->shared, info.op.aInRegisters ? a : nullptr,
        aDescriptor, bDescriptor, scale, d,
        info.metadata == noRef ? nullptr : warp.ptr<uint32_t>(info.metadata),
        info.selector);
  for (size_t r = 0; r < count; ++r)
    std::memset(warp.ptr<uint32_t>(refs[r]), 0xff, sizeof(LaneWords));
  ++warp.cluster->progress;
  return Step::Next;
}

Step wgmmaFence(Warp &, const Instruction &, uint32_t) { return Step::Next; }

Step wgmmaCommit(Warp &warp, const Instruction &, uint32_t) {
  Warp::WgmmaState &state = stateOf(warp);
  ++state.openGroup;
  state.openRow = 0;
  return Step::Next;
}

Step wgmmaWait(Warp &warp, const Instruction &i, uint32_t) {
  Warp::WgmmaState &state = stateOf(warp);
  uint64_t keep = static_cast<uint64_t>(i.immediate);
  uint64_t last = state.openGroup - 1; // The last committed group.
  uint64_t done = last > keep ? last - keep : 0;
  for (auto it = state.pending.begin(); it != state.pending.end();) {
    if (it->second.group > done) {
      ++it;
      continue;
    }
    for (size_t r = 0; r < it->second.registers.size(); ++r)
      std::memcpy(warp.ptr<uint32_t>(it->second.registers[r]),
                  it->second.values[r].lanes, sizeof(LaneWords));
    it = state.pending.erase(it);
  }
  size_t kept = 0;
  for (auto &entry : state.rows) {
    if (entry.first > done) {
      state.rows[kept++] = entry;
      continue;
    }
    AsyncRow &row = warp.cluster->rows[entry.second];
    row.clock = row.readClock = warp.clock;
  }
  state.rows.resize(kept);
  ++warp.cluster->progress;
  return Step::Next;
}

bool decodeMmaAsync(Decoder &d) {
  auto *info = d.makeExtra<WgmmaInfo>();
  WgmmaOp &op = info->op;
  op.sparse = d.take("sp");
  if (!d.take("sync") || !d.take("aligned"))
    return false;
  int m, n, k;
  if (!takeShape(d, m, n, k))
    return false;
  if (m != 64)
    return d.fail("wgmma has 64 rows");
  op.n = n;
  op.k = k;
  if (!takeElement(d, op.d) || !takeElement(d, op.a) || !takeElement(d, op.b))
    return false;
  op.saturateFinite = d.take("satfinite");
  if (op.a == ElementType::B1 && (!d.take("and") || !d.take("popc")))
    return false;
  size_t at = 2;
  if (d.operandCount() < 4)
    return d.expectOperands(4, 9);
  op.aInRegisters = d.operand(1).kind == Operand::Kind::Vector;
  std::string problem = checkWgmma(op);
  info->d = wgmmaRegisterCountD(op);
  info->a = op.aInRegisters ? wgmmaRegisterCountA(op) : 0;
  Type accumulator = op.d == ElementType::F32 ? Type::F32 : Type::B32;
  if (!listRegisters(d, d.operand(0), static_cast<size_t>(info->d), accumulator,
                     true))
    return false;
  if (op.aInRegisters) {
    if (!listRegisters(d, d.operand(1), static_cast<size_t>(info->a), Type::B32,
                       false))
      return false;
  } else {
    info->aDescriptor = d.source(1, Type::B64);
  }
  info->bDescriptor = d.source(at++, Type::B64);
  if (op.sparse) {
    uint64_t selector = 0;
    info->metadata = d.source(at++, Type::B32);
    if (at >= d.operandCount() || !d.constantOperand(d.operand(at++), selector))
      return false;
    info->selector = static_cast<uint32_t>(selector);
  }
  if (at >= d.operandCount())
    return d.fail("scale-d is missing");
  info->scale = d.sourcePredicate(d.operand(at++));
  int64_t values[4] = {1, 1, 0, 0};
  size_t index = 0;
  // imm-scale-a, imm-scale-b, then imm-trans-a (not with A in registers) and
  // imm-trans-b.
  std::vector<int64_t> rest;
  while (at < d.operandCount()) {
    uint64_t value = 0;
    if (!d.constantOperand(d.operand(at++), value))
      return false;
    rest.push_back(static_cast<int64_t>(value));
  }
  for (int64_t value : rest) {
    if (index == 2 && op.aInRegisters)
      index = 3;
    if (index > 3)
      return d.fail("too many operands");
    values[index++] = value;
  }
  op.negateA = values[0] == -1;
  op.negateB = values[1] == -1;
  op.aMnMajor = values[2] == 1;
  op.bMnMajor = values[3] == 1;
  if (problem.empty())
    problem = checkWgmma(op);
  if (!problem.empty())
    return d.fail(problem);
  info->flops =
      2ull * 64 * static_cast<uint64_t>(op.n) * static_cast<uint64_t>(op.k);
  return d.emit(wgmmaHandler, InstructionClass::Mma);
}

bool decodeWgmma(Decoder &d) {
  if (d.take("mma_async"))
    return decodeMmaAsync(d);
  if (d.take("fence"))
    return d.take("sync") && d.take("aligned") &&
           d.emit(wgmmaFence, InstructionClass::Barrier);
  if (d.take("commit_group"))
    return d.take("sync") && d.take("aligned") &&
           d.emit(wgmmaCommit, InstructionClass::Barrier);
  if (d.take("wait_group")) {
    uint64_t groups = 0;
    if (!d.take("sync") || !d.take("aligned") || !d.expectOperands(1, 1) ||
        !d.constantOperand(d.operand(0), groups))
      return false;
    d.out.immediate = static_cast<int64_t>(groups);
    return d.emit(wgmmaWait, InstructionClass::Barrier);
  }
  return false;
}

} // namespace

void registerWgmma(OpcodeTable &table) { table["wgmma"] = decodeWgmma; }

} // namespace tilec::emu
