//===- MatrixMoveHandlers.cpp - Running ldmatrix and its like -------------===//
//
// ldmatrix, stmatrix and movmatrix: decoding and memory accesses. Which lane
// holds what is TensorCore/MatrixMoveFragments.cpp's.
//
//===----------------------------------------------------------------------===//

#include "../../Checkers/Report.h"
#include "../../Decode/Decoder.h"
#include "../../Decode/Families.h"
#include "../../Machine/Interpreter.h"
#include "../../Memory/Access.h"
#include "../Handlers.h"
#include "MatrixFamily.h"

namespace tilec::emu {

namespace {

struct MatrixMoveInfo {
  LdmatrixOp load;
  StmatrixOp store;
  bool wide = true;
};

/// Statistics: each group of 8 rows is one phase of 16-byte accesses.
void resolveRows(Warp &warp, const Instruction &i, bool wide, bool isStore,
                 uint32_t lanes, AccessResult &result) {
  AccessRequest request;
  request.space = i.space;
  request.mode = isStore ? AccessMode::Write : AccessMode::Read;
  request.bytes = 16;
  request.collective = true;
  gatherAddresses(warp, i, i.ref[1], wide, request.addresses);
  access(warp, i, lanes, request, result);
  // A generic address must be a shared one.
  if (uint32_t other = result.ok & ~result.shared) {
    reportAt(warp, i, static_cast<uint32_t>(__builtin_ctz(other)),
             ReportKind::OutOfBounds,
             "the address of a matrix row is not in shared memory");
    result.ok = result.shared & result.ok;
  }
}

Step ldmatrixHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!wholeWarp(warp, i, mask, step))
    return step;
  const auto &info = i.data<MatrixMoveInfo>();
  int rows = ldmatrixRowCount(info.load);
  uint32_t lanes = 0;
  for (int r = 0; r < rows; ++r)
    lanes |= 1u << ldmatrixRowLane(info.load, r);
  AccessResult result;
  resolveRows(warp, i, info.wide, false, lanes & warp.existing, result);
  alignas(64) uint8_t data[32][16];
  for (int r = 0; r < rows; ++r) {
    int lane = ldmatrixRowLane(info.load, r);
    if (result.ok >> lane & 1)
      std::memcpy(data[r], result.pointers[lane], 16);
    else
      std::memset(data[r], 0xff, 16);
  }
  alignas(64) LaneWords d[8];
  ldmatrix(info.load, data, d);
  scatter(warp, &warp.launch->program->refs[i.list],
          ldmatrixRegisterCount(info.load), d);
  return Step::Next;
}

Step stmatrixHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!wholeWarp(warp, i, mask, step))
    return step;
  const auto &info = i.data<MatrixMoveInfo>();
  int rows = stmatrixRowCount(info.store);
  uint32_t lanes = 0;
  for (int r = 0; r < rows; ++r)
    lanes |= 1u << stmatrixRowLane(info.store, r);
  AccessResult result;
  resolveRows(warp, i, info.wide, true, lanes & warp.existing, result);
  alignas(64) LaneWords a[4];
  gather(warp, &warp.launch->program->refs[i.list],
         static_cast<int>(i.listCount), a);
  alignas(64) uint8_t data[32][16];
  stmatrix(info.store, a, data);
  for (int r = 0; r < rows; ++r) {
    int lane = stmatrixRowLane(info.store, r);
    if (result.ok >> lane & 1)
      std::memcpy(result.pointers[lane], data[r], 16);
  }
  ++warp.cluster->progress;
  return Step::Next;
}

bool takeSharedSpace(Decoder &d) {
  StateSpace space = takeStateSpace(d);
  if (space != StateSpace::Shared && space != StateSpace::Generic)
    return d.fail("matrices are moved from and to shared memory only");
  d.out.space = space;
  return true;
}

/// The types of ldmatrix; `m` and `n` are its shape.
bool takeLdmatrix(Decoder &d, LdmatrixOp &op, int m, int n) {
  op.shape = m == 8 && n == 8 ? LdmatrixShape::M8N8
             : m == 16        ? LdmatrixShape::M16N16
                              : LdmatrixShape::M8N16;
  if (d.take("b8x16.b6x16_p32") || d.take("b6x16_p32"))
    op.source = LdmatrixSource::B6x16P32;
  else if (d.take("b4x16_p64"))
    op.source = LdmatrixSource::B4x16P64;
  if (op.source != LdmatrixSource::B16)
    d.take("b8x16");
  else if (d.take("b8"))
    op.source = LdmatrixSource::B8;
  else if (!d.take("b16"))
    return false;
  std::string problem = checkLdmatrix(op);
  return problem.empty() || d.fail(problem);
}

bool takeStmatrix(Decoder &d, StmatrixOp &op) {
  op.bytes = d.take("b8");
  if (!op.bytes && !d.take("b16"))
    return false;
  std::string problem = checkStmatrix(op);
  return problem.empty() || d.fail(problem);
}

/// ldmatrix and stmatrix.
bool decodeMatrixMove(Decoder &d) {
  bool isLoad = d.syntax().parts[0] == "ldmatrix";
  if (!d.take("sync") || !d.take("aligned"))
    return false;
  auto *info = d.makeData<MatrixMoveInfo>();
  int m, n, k;
  if (!takeShape(d, m, n, k))
    return false;
  int count = d.takeOne({"x1", "x2", "x4"});
  if (count < 0)
    return false;
  info->load.count = info->store.count = 1 << count;
  info->load.transpose = info->store.transpose = d.take("trans");
  if (!takeSharedSpace(d))
    return false;
  if (isLoad ? !takeLdmatrix(d, info->load, m, n)
             : !takeStmatrix(d, info->store))
    return false;
  if (!d.expectOperands(2, 2) ||
      !d.address(d.operand(isLoad ? 1 : 0), d.out.space, d.out.ref[1],
                 info->wide, d.out.immediate))
    return false;
  int registers =
      isLoad ? ldmatrixRegisterCount(info->load) : info->store.count;
  if (!listRegisters(d, d.operand(isLoad ? 0 : 1),
                     static_cast<size_t>(registers), Type::B32, isLoad))
    return false;
  return d.emit(isLoad ? ldmatrixHandler : stmatrixHandler,
                isLoad ? InstructionClass::Ldmatrix
                       : InstructionClass::SharedStore);
}

Step movmatrixHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!wholeWarp(warp, i, mask, step))
    return step;
  alignas(64) LaneWords a, d;
  std::memcpy(a, warp.ptr<uint32_t>(i.ref[1]), sizeof a);
  movmatrix(a, d);
  std::memcpy(warp.ptr<uint32_t>(i.ref[0]), d, sizeof d);
  return Step::Next;
}

bool decodeMovmatrix(Decoder &d) {
  if (!d.take("sync") || !d.take("aligned") || !d.take("m8n8") ||
      !d.take("trans") || !d.take("b16") || !d.expectOperands(2, 2))
    return false;
  d.out.ref[1] = d.source(1, Type::B32);
  d.out.ref[0] = d.destination(0, Type::B32);
  return d.emit(movmatrixHandler, InstructionClass::Shuffle);
}

} // namespace

void registerMatrixMove(OpcodeTable &table) {
  table["ldmatrix"] = table["stmatrix"] = decodeMatrixMove;
  table["movmatrix"] = decodeMovmatrix;
}

} // namespace tilec::emu
