//===- Tensor.cpp - mma, wmma, ldmatrix and their kin
//----------------------===//
//
// Decoding and execution of the warp-level matrix instructions. What they
// compute is in TensorCore.h; here operands are bound, lanes are gathered (the
// instructions are .sync.aligned: all lanes of the warp), and shared memory is
// accessed through the checkers.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "Handlers.h"
#include "Interpreter.h"
#include "TensorOperands.h"
#include "tile/Emulator/TensorCore.h"

#include <algorithm>

namespace tilec::emu {

namespace {

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

struct MmaExtra {
  MmaOp op;
  MmaRegisterCounts counts;
};

template <typename Lanes>
void readRegisters(Warp &warp, const Ref *refs, int count, Lanes *registers) {
  for (int r = 0; r < count; ++r)
    std::memcpy(registers[r], warp.ptr<uint8_t>(refs[r]), sizeof(Lanes));
}
template <typename Lanes>
void writeRegisters(Warp &warp, const Ref *refs, int count,
                    const Lanes *registers) {
  for (int r = 0; r < count; ++r)
    std::memcpy(warp.ptr<uint8_t>(refs[r]), registers[r], sizeof(Lanes));
}

Step mmaStep(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!gatherWarp(warp, i, mask, step))
    return step;
  const auto &extra = *static_cast<const MmaExtra *>(i.extra);
  const MmaRegisterCounts &counts = extra.counts;
  const Ref *refs = &warp.launch->program->refs[i.list];
  alignas(64) LaneWords a[8], b[8], c[8];
  readRegisters(warp, refs, counts.a, a);
  readRegisters(warp, refs + counts.a, counts.b, b);
  readRegisters(warp, refs + counts.a + counts.b, counts.c, c);
  alignas(64) LaneWords d[8];
  mma(extra.op, a, b, c, d,
      i.ref[0] == noRef ? nullptr : warp.ptr<uint32_t>(i.ref[0]), i.small[0]);
  writeRegisters(warp, refs + counts.a + counts.b + counts.c, counts.d, d);
  return Step::Next;
}

Step mmaF64Step(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!gatherWarp(warp, i, mask, step))
    return step;
  const auto &extra = *static_cast<const MmaExtra *>(i.extra);
  const MmaRegisterCounts &counts = extra.counts;
  const Ref *refs = &warp.launch->program->refs[i.list];
  alignas(64) LaneDoubles a[8], b[8], c[8], d[8];
  readRegisters(warp, refs, counts.a, a);
  readRegisters(warp, refs + counts.a, counts.b, b);
  readRegisters(warp, refs + counts.a + counts.b, counts.c, c);
  mmaF64(extra.op, a, b, c, d);
  writeRegisters(warp, refs + counts.a + counts.b + counts.c, counts.d, d);
  return Step::Next;
}

/// Modifiers in their order: shape, layouts, kind, types, bit operation.
bool decodeMmaModifiers(Decoder &d, MmaOp &op) {
  op.sparse = d.take("sp");
  if (d.take("sp::ordered_metadata"))
    op.sparse = op.orderedMetadata = true;
  if (!d.take("sync") || !d.take("aligned"))
    return d.fail("'.sync.aligned' is missing");
  op.saturateFinite = d.take("satfinite");
  op.byteContainers = d.take("kind::f8f6f4");
  std::string_view shape, layoutA, layoutB;
  if (!d.takeNext(shape) || !parseShape(shape, op.m, op.n, op.k))
    return d.fail("expected a shape such as .m16n8k16");
  if (!d.takeNext(layoutA) || !d.takeNext(layoutB) ||
      (layoutA != "row" && layoutA != "col") ||
      (layoutB != "row" && layoutB != "col"))
    return d.fail("expected the layouts of A and B");
  op.aColumnMajor = layoutA == "col";
  op.bRowMajor = layoutB == "row";
  if (!takeElement(d, op.d) || !takeElement(d, op.a) || !takeElement(d, op.b) ||
      !takeElement(d, op.c))
    return false;
  if (op.a == ElementType::B1) {
    int operation = d.takeOne({"and", "xor"});
    if (operation < 0 || !d.take("popc"))
      return d.fail("expected .xor.popc or .and.popc");
    op.bitOperation = operation ? BitOperation::Xor : BitOperation::And;
  }
  std::string why = checkMma(op);
  return why.empty() || d.fail(why);
}

bool decodeMma(Decoder &d) {
  auto *extra = d.makeExtra<MmaExtra>();
  MmaOp &op = extra->op;
  if (!decodeMmaModifiers(d, op))
    return false;
  size_t operands = op.sparse ? 6 : 4;
  if (!d.expectOperands(operands, operands))
    return false;
  extra->counts = mmaRegisterCounts(op);
  bool wide = op.a == ElementType::F64;
  if (!bindRegisters(d, d.operand(1), extra->counts.a, wide, false) ||
      !bindRegisters(d, d.operand(2), extra->counts.b, wide, false) ||
      !bindRegisters(d, d.operand(3), extra->counts.c, wide, false) ||
      !bindRegisters(d, d.operand(0), extra->counts.d, wide, true))
    return false;
  if (op.sparse) {
    uint64_t selector = 0;
    d.out.ref[0] = d.source(4, Type::B32);
    if (!d.constantOperand(d.operand(5), selector))
      return false;
    if (selector > 3)
      return d.fail("the sparsity selector is 0 to 3");
    d.out.small[0] = static_cast<uint16_t>(selector);
  }
  return d.emit(wide ? mmaF64Step : mmaStep, InstructionClass::Mma);
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix, movmatrix
//===----------------------------------------------------------------------===//

enum MatrixFlags : uint8_t { wideAddress = 1 };

uint32_t lanesBelow(int count) {
  return count >= 32 ? fullMask : (1u << count) - 1;
}

/// Resolves one 16-byte row a lane, for the first `rows` lanes.
void accessRows(Warp &warp, const Instruction &i, int rows, AccessMode mode,
                AccessRequest &request, AccessResult &result) {
  request.space = i.space;
  request.mode = mode;
  request.bytes = 16;
  request.collective = true;
  gatherAddresses(warp, i, i.ref[0], i.flags & wideAddress, request.addresses);
  access(warp, i, lanesBelow(rows), request, result);
}

Step ldmatrixStep(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!gatherWarp(warp, i, mask, step))
    return step;
  const auto &op = *static_cast<const LdmatrixOp *>(i.extra);
  AccessRequest request;
  AccessResult result;
  int count = ldmatrixRowCount(op);
  accessRows(warp, i, count, AccessMode::Read, request, result);
  uint8_t rows[32][16] = {};
  for (int row = 0; row < count; ++row) {
    int lane = ldmatrixRowLane(op, row);
    if (result.ok >> lane & 1)
      std::memcpy(rows[row], result.pointers[lane], 16);
  }
  alignas(64) LaneWords d[4];
  ldmatrix(op, rows, d);
  writeRegisters(warp, &warp.launch->program->refs[i.list],
                 ldmatrixRegisterCount(op), d);
  return Step::Next;
}

Step stmatrixStep(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!gatherWarp(warp, i, mask, step))
    return step;
  const auto &op = *static_cast<const StmatrixOp *>(i.extra);
  alignas(64) LaneWords a[4];
  readRegisters(warp, &warp.launch->program->refs[i.list], op.count, a);
  uint8_t rows[32][16];
  stmatrix(op, a, rows);
  AccessRequest request;
  AccessResult result;
  int count = stmatrixRowCount(op);
  accessRows(warp, i, count, AccessMode::Write, request, result);
  for (int row = 0; row < count; ++row) {
    int lane = stmatrixRowLane(op, row);
    if (result.ok >> lane & 1)
      std::memcpy(result.pointers[lane], rows[row], 16);
  }
  ++warp.cluster->progress;
  return Step::Next;
}

bool decodeMatrixAddress(Decoder &d, const Operand &operand) {
  bool shared = d.take("shared") || d.take("shared::cta");
  d.out.space = shared ? StateSpace::Shared : StateSpace::Generic;
  d.out.bytes = 16;
  bool wide = false;
  if (operand.kind != Operand::Kind::Address)
    return d.fail("expected an address in brackets");
  if (!d.address(operand, d.out.space, d.out.ref[0], wide, d.out.immediate))
    return false;
  d.out.flags = wide ? wideAddress : 0;
  return true;
}

bool takeMatrixCount(Decoder &d, int &count) {
  int index = d.takeOne({"x1", "x2", "x4"});
  if (index < 0)
    return d.fail("expected .x1, .x2 or .x4");
  count = 1 << index;
  return true;
}

bool decodeLdmatrix(Decoder &d) {
  auto *op = d.makeExtra<LdmatrixOp>();
  if (!d.take("sync") || !d.take("aligned"))
    return d.fail("'.sync.aligned' is missing");
  int shape = d.takeOne({"m8n8", "m16n16", "m8n16"});
  if (shape < 0 || !takeMatrixCount(d, op->count))
    return false;
  op->shape = static_cast<LdmatrixShape>(shape);
  op->transpose = d.take("trans");
  if (!d.expectOperands(2, 2) || !decodeMatrixAddress(d, d.operand(1)))
    return false;
  if (d.take("b8x16")) {
    int source = d.takeOne({"b6x16_p32", "b4x16_p64"});
    if (source < 0)
      return d.fail("expected .b6x16_p32 or .b4x16_p64");
    op->source = source ? LdmatrixSource::B4x16P64 : LdmatrixSource::B6x16P32;
  } else {
    int type = d.takeOne({"b16", "b8"});
    if (type < 0)
      return d.fail("expected .b16 or .b8");
    op->source = type ? LdmatrixSource::B8 : LdmatrixSource::B16;
  }
  if (std::string why = checkLdmatrix(*op); !why.empty())
    return d.fail(why);
  return bindRegisters(d, d.operand(0), ldmatrixRegisterCount(*op), false,
                       true) &&
         d.emit(ldmatrixStep, InstructionClass::Ldmatrix);
}

bool decodeStmatrix(Decoder &d) {
  auto *op = d.makeExtra<StmatrixOp>();
  if (!d.take("sync") || !d.take("aligned"))
    return d.fail("'.sync.aligned' is missing");
  int shape = d.takeOne({"m8n8", "m16n8"});
  if (shape < 0 || !takeMatrixCount(d, op->count))
    return false;
  op->bytes = shape == 1;
  op->transpose = d.take("trans");
  if (!d.expectOperands(2, 2) || !decodeMatrixAddress(d, d.operand(0)) ||
      !d.take(op->bytes ? "b8" : "b16"))
    return false;
  if (std::string why = checkStmatrix(*op); !why.empty())
    return d.fail(why);
  return bindRegisters(d, d.operand(1), op->count, false, false) &&
         d.emit(stmatrixStep, InstructionClass::SharedStore);
}

Step movmatrixStep(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!gatherWarp(warp, i, mask, step))
    return step;
  LaneWords a, d;
  readRegisters(warp, &i.ref[1], 1, &a);
  movmatrix(a, d);
  writeRegisters(warp, &i.ref[0], 1, &d);
  return Step::Next;
}

bool decodeMovmatrix(Decoder &d) {
  if (!d.take("sync") || !d.take("aligned") || !d.take("m8n8") ||
      !d.take("trans") || !d.take("b16") || !d.expectOperands(2, 2))
    return false;
  d.out.ref[1] = d.source(1, Type::B32);
  d.out.ref[0] = d.destination(0, Type::B32);
  return d.emit(movmatrixStep, InstructionClass::Shuffle);
}

} // namespace

void registerTensor(OpcodeTable &table) {
  table["mma"] = decodeMma;
  table["ldmatrix"] = decodeLdmatrix;
  table["stmatrix"] = decodeStmatrix;
  table["movmatrix"] = decodeMovmatrix;
  table["wmma"] = decodeWmma;
}

} // namespace tilec::emu
