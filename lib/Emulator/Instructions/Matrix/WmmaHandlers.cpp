//===- WmmaHandlers.cpp - Decoding and running wmma -----------------------===//
//
// wmma.load, wmma.store and wmma.mma: decoding and memory accesses. The
// fragments and the arithmetic are TensorCore/WmmaArithmetic.cpp's.
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

struct WmmaMoveInfo {
  WmmaFragment fragment;
  bool columnMajor = false, wide = true;
  int registers = 0, perRegister = 1;
};

Step wmmaMove(Warp &warp, const Instruction &i, uint32_t mask, bool isStore) {
  Step step;
  if (!wholeWarp(warp, i, mask, step))
    return step;
  const auto &info = i.data<WmmaMoveInfo>();
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
  const auto &info = i.data<WmmaInfo>();
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
  auto *info = d.makeData<WmmaMoveInfo>();
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

/// .f32.f16 (d and c of f16 inputs), or all of d, a, b, c.
bool takeWmmaTypes(Decoder &d, WmmaOp &op) {
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
    return true;
  }
  if (count != 4)
    return d.fail("the element types are missing");
  op.d = types[0];
  op.a = types[1];
  op.b = types[2];
  op.c = types[3];
  return true;
}

bool takeWmmaOp(Decoder &d, WmmaOp &op) {
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
  int rounding = d.takeOne({"rn", "rz", "rm", "rp"});
  if (rounding >= 0)
    op.rounding = static_cast<Rounding>(rounding);
  op.saturateFinite = d.take("satfinite");
  if (!takeWmmaTypes(d, op))
    return false;
  op.saturateFinite |= d.take("satfinite");
  if (rounding >= 0 && op.a != ElementType::F64)
    return d.fail("only f64 has a rounding modifier");
  std::string problem = checkWmma(op);
  return problem.empty() || d.fail(problem);
}

/// Lists one matrix; `count` becomes the number of its registers.
bool listFragment(Decoder &d, const WmmaOp &op, WmmaRole role,
                  ElementType element, size_t operand, int &count) {
  count = wmmaRegisterCount({role, element, op.m, op.n, op.k});
  Type type = element == ElementType::F64   ? Type::F64
              : element == ElementType::F32 ? Type::F32
                                            : Type::B32;
  return listRegisters(d, d.operand(operand), static_cast<size_t>(count), type,
                       role == WmmaRole::D);
}

bool decodeWmma(Decoder &d) {
  if (d.take("load"))
    return decodeWmmaMove(d, false);
  if (d.take("store"))
    return decodeWmmaMove(d, true);
  if (!d.take("mma"))
    return false;
  auto *info = d.makeData<WmmaInfo>();
  WmmaOp &op = info->op;
  if (!takeWmmaOp(d, op))
    return false;
  info->flops = 2ull * static_cast<uint64_t>(op.m) *
                static_cast<uint64_t>(op.n) * static_cast<uint64_t>(op.k);
  if (!d.expectOperands(4, 4) ||
      !listFragment(d, op, WmmaRole::D, op.d, 0, info->d) ||
      !listFragment(d, op, WmmaRole::A, op.a, 1, info->a) ||
      !listFragment(d, op, WmmaRole::B, op.b, 2, info->b) ||
      !listFragment(d, op, WmmaRole::C, op.c, 3, info->c))
    return false;
  return d.emit(wmmaHandler, InstructionClass::Mma);
}

} // namespace

const WmmaOp &wmmaOpOf(const Instruction &i) { return i.data<WmmaInfo>().op; }

void registerWmma(OpcodeTable &table) { table["wmma"] = decodeWmma; }

} // namespace tilec::emu
