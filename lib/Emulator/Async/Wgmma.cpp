//===- Wgmma.cpp - Asynchronous matrix products of a warpgroup ------------===//
//
// wgmma.mma_async, fence, commit_group, wait_group. Each warp computes its 16
// rows when it executes the instruction, but the results reach the accumulator
// registers only at the wait; until then these hold poison, as an early read
// would be wrong on the hardware. Shared operands are reads of the asynchronous
// proxy that pend until the wait; WgmmaGroup.h says of whom.
//
//===----------------------------------------------------------------------===//

#include "Wgmma.h"
#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "../Instructions/Handlers.h"
#include "../Instructions/Matrix/MatrixFamily.h"
#include "../Machine/Interpreter.h"
#include "../Memory/Access.h"
#include "../Synchronization/Warpgroup.h"
#include "WgmmaGroup.h"

#include <algorithm>

namespace tilec::emu {

namespace {

struct WgmmaInfo {
  WgmmaOp op;
  int a = 0, d = 0;
  uint64_t flops = 0;
  uint32_t shape = 0; ///< Differs for different shapes and types of D.
  Ref aDescriptor = noRef, bDescriptor = noRef, scale = noRef;
  Ref metadata = noRef;
  uint32_t selector = 0;
};

/// Checks and marks the shared bytes of one operand; false after a report. Each
/// eight chunks are a core matrix, which counts as one access of the
/// statistics.
bool readOperand(Warp &warp, const Instruction &i, const WgmmaOp &op,
                 WgmmaOperand operand, uint64_t descriptor, uint32_t row,
                 bool counts) {
  AccessRequest request;
  request.mode = AccessMode::Read;
  request.flags = shadowAsync | shadowProxyAsync;
  request.row = row;
  request.collective = true;
  bool ok = true;
  uint64_t matrix[32];
  uint32_t chunks = 0;
  wgmmaForEachChunk(op, operand, descriptor, [&](uint32_t address) {
    if (ok)
      ok = accessShared(warp, i, 0, address, 16, request) != nullptr;
    matrix[chunks++] = address;
    if (chunks < 8)
      return;
    if (counts)
      countShared(warp, matrix, 0xff, 16);
    chunks = 0;
  });
  return ok;
}

/// Whether the metadata of a sparse product, if it is one, names what its warp
/// keeps; else a report. They are read when the product is issued: it is of
/// accumulators and of A that the ISA says that they may not be touched then.
bool checkMetadataOf(Warp &warp, const Instruction &i, const WgmmaInfo &info) {
  if (info.metadata == noRef)
    return true;
  std::string problem =
      checkMetadata(info.op, static_cast<int>(warp.indexInBlock % 4),
                    warp.ptr<uint32_t>(info.metadata), info.selector);
  if (problem.empty())
    return true;
  reportAt(warp, i, 0, ReportKind::Invalid, problem);
  return false;
}

/// Whether the whole warp executes the instruction; else a report.
bool isWhole(Warp &warp, const Instruction &i, uint32_t mask) {
  if (mask == fullMask)
    return true;
  if (warp.launch->options.checks.barriers)
    reportAt(warp, i, mask ? static_cast<uint32_t>(__builtin_ctz(mask)) : 0,
             ReportKind::Barrier,
             "not all lanes of the warp execute " + spellInstruction(i),
             "all threads of a warpgroup of four warps must execute it");
  return false;
}

/// The values of an accumulator that the open group adds to: those in flight,
/// or what its registers hold.
WgmmaState::Pending &pendingAccumulator(Warp &warp, WgmmaState &state,
                                        const Ref *refs, int registers) {
  auto &pending = state.pending[{warp.frameCount - 1, refs[0]}];
  size_t count = static_cast<size_t>(registers);
  if (pending.registers.size() != count ||
      !std::equal(pending.registers.begin(), pending.registers.end(), refs)) {
    pending.registers.assign(refs, refs + count);
    pending.values.resize(count);
    for (size_t r = 0; r < count; ++r)
      std::memcpy(pending.values[r].lanes, warp.ptr<uint32_t>(refs[r]),
                  sizeof(LaneWords));
  }
  pending.group = state.openGroup;
  pending.frame = warp.frameCount - 1;
  return pending;
}

Step wgmmaHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  if (!areConverged(warp, warp.live))
    return warp.waitFor(Wait::Converge, 0, 0, warp.live);
  const auto &info = i.data<WgmmaInfo>();
  if (!mask)
    return Step::Next;
  if (!isWhole(warp, i, mask) || !findWarpgroup(warp, i)) {
    warp.launch->stop = true;
    return Step::Stop;
  }
  WgmmaState &state = wgmmaStateOf(warp);
  if (!state.openRow) {
    state.openRow = newRow(warp, i, 0);
    state.rows.push_back({state.openGroup, state.openRow});
    bindToWarpgroup(warp, state.openRow, state.openGroup);
  }
  const Ref *refs = &warp.launch->program->refs[i.list];
  int index = static_cast<int>(warp.indexInBlock % 4);
  uint64_t aDescriptor =
      info.op.aInRegisters ? 0 : warp.ptr<uint64_t>(info.aDescriptor)[0];
  uint64_t bDescriptor = warp.ptr<uint64_t>(info.bDescriptor)[0];
  executeInWarpgroup(warp, i, {aDescriptor, bDescriptor});
  // The four warps read both operands together: that each reads its own rows of A
  // is said nowhere. One read of four is counted.
  auto read = [&](WgmmaOperand operand, uint64_t descriptor) {
    return readOperand(warp, i, info.op, operand, descriptor, state.openRow,
                       index == 0);
  };
  if ((!info.op.aInRegisters && !read(WgmmaOperand::A, aDescriptor)) ||
      !read(WgmmaOperand::B, bDescriptor) || !checkMetadataOf(warp, i, info)) {
    warp.launch->stop = true;
    return Step::Stop;
  }
  useWgmmaRegisters(warp, i, {static_cast<uint32_t>(info.d), info.shape});
  // One warp of four counts the product of all.
  if (index == 0)
    warp.cluster->statistics.flops += info.flops;

  alignas(64) LaneWords a[8];
  for (int r = 0; r < info.a; ++r)
    std::memcpy(a[r], warp.ptr<uint32_t>(refs[info.d + r]), sizeof(LaneWords));
  WgmmaState::Pending &pending = pendingAccumulator(warp, state, refs, info.d);
  bool scale = warp.predicate(info.scale) & 1;
  auto *d = reinterpret_cast<LaneWords *>(pending.values.data());
  wgmma(info.op, index, warp.block->shared, info.op.aInRegisters ? a : nullptr,
        aDescriptor, bDescriptor, scale, d,
        info.metadata == noRef ? nullptr : warp.ptr<uint32_t>(info.metadata),
        info.selector);
  for (int r = 0; r < info.d; ++r)
    std::memset(warp.ptr<uint32_t>(refs[r]), poisonByte, sizeof(LaneWords));
  ++warp.cluster->progress;
  return Step::Next;
}

Step wgmmaFence(Warp &warp, const Instruction &i, uint32_t mask) {
  if (!areConverged(warp, warp.live))
    return warp.waitFor(Wait::Converge, 0, 0, warp.live);
  if (mask && isWhole(warp, i, mask))
    ++wgmmaStateOf(warp).fences;
  return Step::Next;
}

Step wgmmaCommit(Warp &warp, const Instruction &i, uint32_t mask) {
  if (!areConverged(warp, warp.live))
    return warp.waitFor(Wait::Converge, 0, 0, warp.live);
  if (!mask || !isWhole(warp, i, mask))
    return Step::Next;
  WgmmaState &state = wgmmaStateOf(warp);
  ++state.openGroup;
  state.openRow = 0;
  return Step::Next;
}

Step wgmmaWait(Warp &warp, const Instruction &i, uint32_t mask) {
  if (!areConverged(warp, warp.live))
    return warp.waitFor(Wait::Converge, 0, 0, warp.live);
  if (!mask || !isWhole(warp, i, mask))
    return Step::Next;
  WgmmaState &state = wgmmaStateOf(warp);
  uint64_t keep = static_cast<uint64_t>(i.immediate);
  uint64_t last = state.openGroup - 1; // The last committed group.
  uint64_t done = last > keep ? last - keep : 0;
  if (!hasWarpgroupCommitted(warp, done))
    return warp.waitFor(Wait::Warpgroup, 0, done, 0);
  learnCompletion(warp, done);
  state.retired = std::max(state.retired, done);
  state.fencesAtWait = state.fences;
  for (auto it = state.pending.begin(); it != state.pending.end();) {
    const WgmmaState::Pending &pending = it->second;
    if (pending.group > done) {
      ++it;
      continue;
    }
    uint8_t *registers = warp.frames[pending.frame]->registers.data();
    for (size_t r = 0; r < pending.registers.size(); ++r)
      std::memcpy(registers + pending.registers[r], pending.values[r].lanes,
                  sizeof(LaneWords));
    it = state.pending.erase(it);
  }
  size_t kept = 0;
  for (auto &entry : state.rows) {
    if (entry.first > done) {
      state.rows[kept++] = entry;
      continue;
    }
    AsyncRow &row = warp.cluster->rows[entry.second];
    row.clock = row.readClock = warp.order.clock;
  }
  state.rows.resize(kept);
  ++warp.cluster->progress;
  return Step::Next;
}

/// The modifiers: shape, types, what happens to the sum.
bool takeWgmmaOp(Decoder &d, WgmmaOp &op) {
  op.sparse = d.take("sp");
  if (!d.take("sync") || !d.take("aligned"))
    return false;
  int m;
  if (!takeShape(d, m, op.n, op.k))
    return false;
  if (m != 64)
    return d.fail("wgmma has 64 rows");
  op.saturateFinite = d.take("satfinite");
  if (!takeElement(d, op.d) || !takeElement(d, op.a) || !takeElement(d, op.b))
    return false;
  op.saturateFinite |= d.take("satfinite");
  return op.a != ElementType::B1 || (d.take("and") && d.take("popc"));
}

/// D, A and B, metadata and scale-d; `at` becomes the operand behind them.
bool bindWgmmaOperands(Decoder &d, WgmmaInfo &info, size_t &at) {
  const WgmmaOp &op = info.op;
  Type accumulator = op.d == ElementType::F32 ? Type::F32 : Type::B32;
  if (!listRegisters(d, d.operand(0), static_cast<size_t>(info.d), accumulator,
                     true))
    return false;
  if (op.aInRegisters) {
    if (!listRegisters(d, d.operand(1), static_cast<size_t>(info.a), Type::B32,
                       false))
      return false;
  } else {
    info.aDescriptor = d.source(1, Type::B64);
  }
  at = 2;
  info.bDescriptor = d.source(at++, Type::B64);
  if (op.sparse) {
    uint64_t selector = 0;
    info.metadata = d.source(at++, Type::B32);
    if (at >= d.operandCount() || !d.constantOperand(d.operand(at++), selector))
      return false;
    uint64_t choices = sparsitySelectorCount(op);
    if (selector >= choices)
      return d.fail("the sparsity selector is " + std::to_string(selector) +
                    ", but must be below " + std::to_string(choices));
    info.selector = static_cast<uint32_t>(selector);
  }
  if (at >= d.operandCount())
    return d.fail("scale-d is missing");
  info.scale = d.sourcePredicate(d.operand(at++));
  return true;
}

/// imm-scale-a, imm-scale-b, then imm-trans-a (not with A in registers) and
/// imm-trans-b.
bool takeWgmmaImmediates(Decoder &d, WgmmaOp &op, size_t at) {
  int64_t values[4] = {1, 1, 0, 0};
  std::vector<int64_t> rest;
  while (at < d.operandCount()) {
    uint64_t value = 0;
    if (!d.constantOperand(d.operand(at++), value))
      return false;
    rest.push_back(static_cast<int64_t>(value));
  }
  size_t index = 0;
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
  return true;
}

bool decodeMmaAsync(Decoder &d) {
  auto *info = d.makeData<WgmmaInfo>();
  WgmmaOp &op = info->op;
  if (!takeWgmmaOp(d, op))
    return false;
  if (d.operandCount() < 4)
    return d.expectOperands(4, 9);
  op.aInRegisters = d.operand(1).kind == Operand::Kind::Vector;
  std::string problem = checkWgmma(op);
  info->d = wgmmaRegisterCountD(op);
  info->a = op.aInRegisters ? wgmmaRegisterCountA(op) : 0;
  size_t at = 0;
  if (!bindWgmmaOperands(d, *info, at) || !takeWgmmaImmediates(d, op, at))
    return false;
  if (problem.empty())
    problem = checkWgmma(op); // With the immediates.
  if (!problem.empty())
    return d.fail(problem);
  info->shape = static_cast<uint32_t>(op.n) << 20 |
                static_cast<uint32_t>(op.k) << 8 | static_cast<uint32_t>(op.d);
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

WgmmaOperands wgmmaOperandsOf(const Instruction &i) {
  const auto &info = i.data<WgmmaInfo>();
  return {info.op,    info.aDescriptor, info.bDescriptor,
          info.scale, info.metadata,    info.selector};
}

void registerWgmma(OpcodeTable &table) { table["wgmma"] = decodeWgmma; }

} // namespace tilec::emu
