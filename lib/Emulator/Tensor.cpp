//===- Tensor.cpp - Matrix instructions of one warp -----------------------===//
//
// mma, ldmatrix, stmatrix, movmatrix and wmma: decoding and memory accesses.
// The arithmetic and the places of elements are TensorCore.h's.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "Families.h"
#include "Handlers.h"
#include "Interpreter.h"
#include "Report.h"
#include "TensorFamily.h"

#include <algorithm>

namespace tilec::emu {

bool parseElement(std::string_view name, ElementType &type) {
  static const std::unordered_map<std::string_view, ElementType> names = {
      {"f64", ElementType::F64},   {"f32", ElementType::F32},
      {"tf32", ElementType::TF32}, {"f16", ElementType::F16},
      {"bf16", ElementType::BF16}, {"e5m2", ElementType::E5M2},
      {"e4m3", ElementType::E4M3}, {"e3m2", ElementType::E3M2},
      {"e2m3", ElementType::E2M3}, {"e2m1", ElementType::E2M1},
      {"s32", ElementType::S32},   {"s8", ElementType::S8},
      {"u8", ElementType::U8},     {"s4", ElementType::S4},
      {"u4", ElementType::U4},     {"b1", ElementType::B1},
  };
  auto found = names.find(name);
  if (found == names.end())
    return false;
  type = found->second;
  return true;
}

bool takeElement(Decoder &d, ElementType &type) {
  std::string_view next = d.peekModifier();
  if (!parseElement(next, type))
    return d.fail("expected an element type, but found '." + std::string(next) +
                  "'");
  return d.takeNext(next);
}

bool takeShape(Decoder &d, int &m, int &n, int &k) {
  // m16n8k16
  std::string_view text = d.takePrefix("m");
  size_t at = 1;
  auto number = [&] {
    int value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
      value = value * 10 + (text[at++] - '0');
    return value;
  };
  m = number();
  if (at >= text.size() || text[at] != 'n')
    return d.fail("expected a shape such as .m16n8k16");
  ++at;
  n = number();
  k = 0;
  if (at < text.size() && text[at] == 'k') {
    ++at;
    k = number();
  }
  return at == text.size() || d.fail("expected a shape such as .m16n8k16");
}

bool listRegisters(Decoder &d, const Operand &operand, size_t count, Type type,
                   bool isDestination) {
  std::vector<const Operand *> elements;
  if (operand.kind == Operand::Kind::Vector)
    for (const Operand &element : operand.elements)
      elements.push_back(&element);
  else
    elements.push_back(&operand);
  if (elements.size() != count)
    return d.fail("an operand has " + std::to_string(elements.size()) +
                  " registers, but the instruction needs " +
                  std::to_string(count));
  for (const Operand *element : elements)
    d.listOperand(isDestination ? d.destination(*element, type)
                                : d.source(*element, type));
  return true;
}

namespace {

/// A copy of registers as TensorCore.h wants them.
void gather(Warp &warp, const Ref *refs, int count, LaneWords *target) {
  for (int r = 0; r < count; ++r)
    std::memcpy(target[r], warp.ptr<uint32_t>(refs[r]), sizeof(LaneWords));
}
void scatter(Warp &warp, const Ref *refs, int count, const LaneWords *source) {
  for (int r = 0; r < count; ++r)
    std::memcpy(warp.ptr<uint32_t>(refs[r]), source[r], sizeof(LaneWords));
}
void gatherWide(Warp &warp, const Ref *refs, int count, LaneDoubles *target) {
  for (int r = 0; r < count; ++r)
    std::memcpy(target[r], warp.ptr<uint64_t>(refs[r]), sizeof(LaneDoubles));
}

/// All lanes must take part. False: the handler returns `step`.
bool wholeWarp(Warp &warp, const Instruction &i, uint32_t mask, Step &step) {
  if (!areConverged(warp, warp.live)) {
    step = warp.waitFor(Wait::Converge, 0, 0, warp.live);
    return false;
  }
  if (mask != fullMask && warp.launch->options.checks.barriers)
    reportAt(warp, i, static_cast<uint32_t>(__builtin_ctz(mask)),
             ReportKind::Barrier,
             "only some lanes of the warp execute a matrix instruction, which "
             "needs all 32");
  return true;
}

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

struct MmaInfo {
  MmaOp op;
  MmaRegisterCounts counts;
  uint64_t flops = 0;
};

/// The list holds the registers of d, a, b, c; ref[1] the metadata, immediate
/// the selector.
Step mmaHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!wholeWarp(warp, i, mask, step))
    return step;
  const auto &info = *static_cast<const MmaInfo *>(i.extra);
  const Ref *refs = &warp.launch->program->refs[i.list];
  const MmaRegisterCounts &n = info.counts;
  warp.cluster->statistics.flops += info.flops;
  if (info.op.a == ElementType::F64) {
    LaneDoubles a[8], b[8], c[8], d[8];
    gatherWide(warp, refs + n.d, n.a, a);
    gatherWide(warp, refs + n.d + n.a, n.b, b);
    gatherWide(warp, refs + n.d + n.a + n.b, n.c, c);
    mmaF64(info.op, a, b, c, d);
    for (int r = 0; r < n.d; ++r)
      std::memcpy(warp.ptr<uint64_t>(refs[r]), d[r], sizeof(LaneDoubles));
    return Step::Next;
  }
  alignas(64) LaneWords a[8], b[8], c[8], d[8];
  gather(warp, refs + n.d, n.a, a);
  gather(warp, refs + n.d + n.a, n.b, b);
  gather(warp, refs + n.d + n.a + n.b, n.c, c);
  const uint32_t *metadata =
      i.ref[1] == noRef ? nullptr : warp.ptr<uint32_t>(i.ref[1]);
  mma(info.op, a, b, c, d, metadata, static_cast<uint32_t>(i.immediate));
  scatter(warp, refs, n.d, d);
  return Step::Next;
}

bool decodeMma(Decoder &d) {
  auto *info = d.makeExtra<MmaInfo>();
  MmaOp &op = info->op;
  if (d.take("sp::ordered_metadata")) {
    op.sparse = op.orderedMetadata = true;
  } else {
    op.sparse = d.take("sp");
  }
  if (!d.take("sync") || !d.take("aligned"))
    return d.fail("mma needs .sync.aligned");
  if (!takeShape(d, op.m, op.n, op.k))
    return false;
  std::string_view aLayout, bLayout;
  d.takeNext(aLayout);
  d.takeNext(bLayout);
  if ((aLayout != "row" && aLayout != "col") ||
      (bLayout != "row" && bLayout != "col"))
    return d.fail("the layouts of A and B are missing");
  op.aColumnMajor = aLayout == "col";
  op.bRowMajor = bLayout == "row";
  op.byteContainers = d.take("kind::f8f6f4");
  if (!d.takePrefix("kind::mx").empty() || d.take("block_scale"))
    return d.fail("block-scaled mma is not supported");
  op.saturateFinite = d.take("satfinite");
  if (!takeElement(d, op.d) || !takeElement(d, op.a) || !takeElement(d, op.b) ||
      !takeElement(d, op.c))
    return false;
  if (op.a == ElementType::B1) {
    op.bitOperation = d.take("and") ? BitOperation::And : BitOperation::Xor;
    if (op.bitOperation == BitOperation::Xor && !d.take("xor"))
      return false;
    if (!d.take("popc"))
      return false;
  }
  std::string problem = checkMma(op);
  if (!problem.empty())
    return d.fail(problem);
  info->counts = mmaRegisterCounts(op);
  info->flops = 2ull * static_cast<uint64_t>(op.m) *
                static_cast<uint64_t>(op.n) * static_cast<uint64_t>(op.k);
  size_t operands = op.sparse ? 6 : 4;
  if (!d.expectOperands(operands, operands))
    return false;
  bool wide = op.a == ElementType::F64;
  auto typeOf = [&](ElementType element) {
    return wide                          ? Type::F64
           : element == ElementType::F32 ? Type::F32
                                         : Type::B32;
  };
  const MmaRegisterCounts &n = info->counts;
  if (!listRegisters(d, d.operand(0), static_cast<size_t>(n.d), typeOf(op.d),
                     true) ||
      !listRegisters(d, d.operand(1), static_cast<size_t>(n.a), typeOf(op.a),
                     false) ||
      !listRegisters(d, d.operand(2), static_cast<size_t>(n.b), typeOf(op.b),
                     false) ||
      !listRegisters(d, d.operand(3), static_cast<size_t>(n.c), typeOf(op.c),
                     false))
    return false;
  if (op.sparse) {
    uint64_t selector = 0;
    d.out.ref[1] = d.source(4, Type::B32);
    if (!d.constantOperand(d.operand(5), selector))
      return false;
    d.out.immediate = static_cast<int64_t>(selector);
  }
  return d.emit(mmaHandler, InstructionClass::Mma);
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix, movmatrix
//===----------------------------------------------------------------------===//

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
  const auto &info = *static_cast<const MatrixMoveInfo *>(i.extra);
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
  const auto &info = *static_cast<const MatrixMoveInfo *>(i.extra);
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

bool decodeLdmatrix(Decoder &d) {
  bool isLoad = d.syntax().parts[0] == "ldmatrix";
  if (!d.take("sync") || !d.take("aligned"))
    return false;
  auto *info = d.makeExtra<MatrixMoveInfo>();
  int m, n, k;
  if (!takeShape(d, m, n, k))
    return false;
  int count = d.takeOne({"x1", "x2", "x4"});
  if (count < 0)
    return false;
  count = 1 << count;
  bool transpose = d.take("trans");
  if (!takeSharedSpace(d))
    return false;
  std::string problem;
  size_t registers;
  if (isLoad) {
    LdmatrixOp &op = info->load;
    op.shape = m == 8 && n == 8 ? LdmatrixShape::M8N8
               : m == 16        ? LdmatrixShape::M16N16
                                : LdmatrixShape::M8N16;
    op.count = count;
    op.transpose = transpose;
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
    problem = checkLdmatrix(op);
    if (!problem.empty())
      return d.fail(problem);
    registers = static_cast<size_t>(ldmatrixRegisterCount(op));
  } else {
    StmatrixOp &op = info->store;
    op.count = count;
    op.transpose = transpose;
    op.bytes = d.take("b8");
    if (!op.bytes && !d.take("b16"))
      return false;
    problem = checkStmatrix(op);
    if (!problem.empty())
      return d.fail(problem);
    registers = static_cast<size_t>(count);
  }
  if (!d.expectOperands(2, 2))
    return false;
  bool wide;
  if (!d.address(d.operand(isLoad ? 1 : 0), d.out.space, d.out.ref[1], wide,
                 d.out.immediate))
    return false;
  info->wide = wide;
  if (!listRegisters(d, d.operand(isLoad ? 0 : 1), registers, Type::B32,
                     isLoad))
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

//===----------------------------------------------------------------------===//
// wmma
//===----------------------------------------------------------------------===//

struct WmmaMoveInfo {
  WmmaFragment fragment;
  bool columnMajor = false, wide = true;
  int registers = 0, perRegister = 1;
};

Step wmmaMove(Warp &warp, const Instruction &i, uint32_t mask, bool isStore) {
  Step step;
  if (!wholeWarp(warp, i, mask, step))
    return step;
  const auto &info = *static_cast<const WmmaMoveInfo *>(i.extra);
  const Ref *refs = &warp.launch->program->refs[i.list];
  uint64_t bases[32];
  gatherAddresses(warp, i, i.ref[1], info.wide, bases);
  int bits = bitWidth(info.fragment.type);
  // Elements of less than a byte move a register at a time: they are neighbours
  // in memory, since A is by rows and B by columns.
  int elements = bits < 8 ? 1 : info.perRegister;
  uint32_t bytes = bits < 8 ? 4 : static_cast<uint32_t>(bits / 8);
  unsigned registerBytes = info.fragment.type == ElementType::F64 ? 8 : 4;
  for (int r = 0; r < info.registers; ++r)
    for (int p = 0; p < elements; ++p) {
      AccessRequest request;
      request.space = i.space;
      request.mode = isStore ? AccessMode::Write : AccessMode::Read;
      request.bytes = bytes;
      request.collective = true;
      request.count = false;
      for (int lane = 0; lane < 32; ++lane) {
        MatrixIndex at =
            wmmaIndex(info.fragment, lane, r * info.perRegister + p);
        // Without a stride operand rows follow each other.
        int64_t stride =
            i.ref[2] == noRef
                ? i.small[0]
                : static_cast<int64_t>(warp.ptr<uint32_t>(i.ref[2])[lane]);
        int64_t index = info.columnMajor ? at.column * stride + at.row
                                         : at.row * stride + at.column;
        request.addresses[lane] =
            bases[lane] + static_cast<uint64_t>(index * bits / 8);
      }
      AccessResult result;
      access(warp, i, mask, request, result);
      uint8_t *registers = warp.ptr<uint8_t>(refs[r]);
      forLanes(result.ok, [&](uint32_t lane) {
        uint8_t *element =
            registers + lane * registerBytes + static_cast<unsigned>(p) * bytes;
        if (isStore)
          std::memcpy(result.pointers[lane], element, bytes);
        else
          std::memcpy(element, result.pointers[lane], bytes);
      });
    }
  ++warp.cluster->progress;
  return Step::Next;
}
Step wmmaLoad(Warp &warp, const Instruction &i, uint32_t mask) {
  return wmmaMove(warp, i, mask, false);
}
Step wmmaStore(Warp &warp, const Instruction &i, uint32_t mask) {
  return wmmaMove(warp, i, mask, true);
}

struct WmmaInfo {
  WmmaOp op;
  int a = 0, b = 0, c = 0, d = 0;
  uint64_t flops = 0;
};

Step wmmaHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!wholeWarp(warp, i, mask, step))
    return step;
  const auto &info = *static_cast<const WmmaInfo *>(i.extra);
  const Ref *refs = &warp.launch->program->refs[i.list];
  warp.cluster->statistics.flops += info.flops;
  if (info.op.a == ElementType::F64) {
    LaneDoubles a[8], b[8], c[8], d[8];
    gatherWide(warp, refs + info.d, info.a, a);
    gatherWide(warp, refs + info.d + info.a, info.b, b);
    gatherWide(warp, refs + info.d + info.a + info.b, info.c, c);
    wmmaMmaF64(info.op, a, b, c, d);
    for (int r = 0; r < info.d; ++r)
      std::memcpy(warp.ptr<uint64_t>(refs[r]), d[r], sizeof(LaneDoubles));
    return Step::Next;
  }
  alignas(64) LaneWords a[16], b[16], c[16], d[16];
  gather(warp, refs + info.d, info.a, a);
  gather(warp, refs + info.d + info.a, info.b, b);
  gather(warp, refs + info.d + info.a + info.b, info.c, c);
  wmmaMma(info.op, a, b, c, d);
  scatter(warp, refs, info.d, d);
  return Step::Next;
}

bool decodeWmmaMove(Decoder &d, bool isStore) {
  auto *info = d.makeExtra<WmmaMoveInfo>();
  int role = d.takeOne({"a", "b", "c", "d"});
  if (role < 0 || !d.take("sync") || !d.take("aligned"))
    return false;
  int layout = d.takeOne({"row", "col"});
  WmmaFragment &f = info->fragment;
  f.role = static_cast<WmmaRole>(role);
  if (layout < 0 || !takeShape(d, f.m, f.n, f.k))
    return false;
  info->columnMajor = layout == 1;
  d.out.space = takeStateSpace(d);
  if (!takeElement(d, f.type))
    return false;
  info->registers = wmmaRegisterCount(f);
  info->perRegister = wmmaElementsPerRegister(f);
  if (!d.expectOperands(2, 3))
    return false;
  bool wide;
  if (!d.address(d.operand(isStore ? 0 : 1), d.out.space, d.out.ref[1], wide,
                 d.out.immediate))
    return false;
  info->wide = wide;
  if (d.operandCount() == 3)
    d.out.ref[2] = d.source(2, Type::U32);
  int rows = f.role == WmmaRole::B ? f.k : f.m;
  int columns = f.role == WmmaRole::A ? f.k : f.n;
  d.out.small[0] = static_cast<uint16_t>(info->columnMajor ? rows : columns);
  Type type = f.type == ElementType::F64   ? Type::F64
              : f.type == ElementType::F32 ? Type::F32
                                           : Type::B32;
  if (!listRegisters(d, d.operand(isStore ? 1 : 0),
                     static_cast<size_t>(info->registers), type, !isStore))
    return false;
  return d.emit(isStore ? wmmaStore : wmmaLoad,
                d.out.space == StateSpace::Shared
                    ? isStore ? InstructionClass::SharedStore
                              : InstructionClass::SharedLoad
                : isStore ? InstructionClass::GlobalStore
                          : InstructionClass::GlobalLoad);
}

bool decodeWmma(Decoder &d) {
  if (d.take("load"))
    return decodeWmmaMove(d, false);
  if (d.take("store"))
    return decodeWmmaMove(d, true);
  if (!d.take("mma"))
    return false;
  auto *info = d.makeExtra<WmmaInfo>();
  WmmaOp &op = info->op;
  bool bitAnd = d.take("and"), bitXor = d.take("xor");
  op.bitOperation = bitAnd ? BitOperation::And : BitOperation::Xor;
  if (bitAnd || bitXor)
    d.take("popc");
  if (!d.take("sync") || !d.take("aligned"))
    return false;
  std::string_view first, second;
  if (!d.takeNext(first) || !d.takeNext(second))
    return false;
  op.aColumnMajor = first == "col";
  op.bColumnMajor = second == "col";
  if (!takeShape(d, op.m, op.n, op.k))
    return false;
  d.take("rn");
  op.saturateFinite = d.take("satfinite");
  // .f32.f16 (d and c of f16 inputs), or all of d, a, b, c.
  ElementType types[4];
  int count = 0;
  while (count < 4 && parseElement(d.peekModifier(), types[count])) {
    std::string_view taken;
    d.takeNext(taken);
    ++count;
  }
  if (count == 2) {
    op.d = types[0];
    op.c = types[1];
    op.a = op.b = ElementType::F16;
  } else if (count == 4) {
    op.d = types[0];
    op.a = types[1];
    op.b = types[2];
    op.c = types[3];
  } else {
    return d.fail("the element types are missing");
  }
  op.saturateFinite |= d.take("satfinite");
  std::string problem = checkWmma(op);
  if (!problem.empty())
    return d.fail(problem);
  auto registers = [&](WmmaRole role, ElementType type) {
    return wmmaRegisterCount({role, type, op.m, op.n, op.k});
  };
  info->a = registers(WmmaRole::A, op.a);
  info->b = registers(WmmaRole::B, op.b);
  info->c = registers(WmmaRole::C, op.c);
  info->d = registers(WmmaRole::D, op.d);
  info->flops = 2ull * static_cast<uint64_t>(op.m) *
                static_cast<uint64_t>(op.n) * static_cast<uint64_t>(op.k);
  if (!d.expectOperands(4, 4))
    return false;
  auto typeOf = [&](ElementType element) {
    return element == ElementType::F64   ? Type::F64
           : element == ElementType::F32 ? Type::F32
                                         : Type::B32;
  };
  if (!listRegisters(d, d.operand(0), static_cast<size_t>(info->d),
                     typeOf(op.d), true) ||
      !listRegisters(d, d.operand(1), static_cast<size_t>(info->a),
                     typeOf(op.a), false) ||
      !listRegisters(d, d.operand(2), static_cast<size_t>(info->b),
                     typeOf(op.b), false) ||
      !listRegisters(d, d.operand(3), static_cast<size_t>(info->c),
                     typeOf(op.c), false))
    return false;
  return d.emit(wmmaHandler, InstructionClass::Mma);
}

} // namespace

void registerTensor(OpcodeTable &table) {
  table["mma"] = decodeMma;
  table["ldmatrix"] = table["stmatrix"] = decodeLdmatrix;
  table["movmatrix"] = decodeMovmatrix;
  table["wmma"] = decodeWmma;
}

} // namespace tilec::emu
