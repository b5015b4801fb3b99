//===- MmaHandlers.cpp - Decoding and running mma -------------------------===//
//
// mma.sync and mma.sp: decoding and the handlers. The arithmetic and the places
// of elements are TensorCore/MmaArithmetic.cpp's, those of block-scaled
// products BlockScaleArithmetic.cpp's.
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

struct MmaInfo {
  MmaOp op;
  MmaRegisterCounts counts;
  uint64_t flops = 0;
  /// Of a block-scaled one: registers of the scales and of what selects them.
  Ref scaleA = noRef, scaleB = noRef;
  Ref byteA = noRef, threadA = noRef, byteB = noRef, threadB = noRef;
};

/// Reads the scales and their selectors; false after a report.
bool readScales(Warp &warp, const Instruction &i, const MmaInfo &info,
                MmaScales &scales) {
  // The same in every lane.
  auto first = [&](Ref ref) { return uint32_t(*warp.ptr<uint16_t>(ref)); };
  scales = {warp.ptr<uint32_t>(info.scaleA),
            warp.ptr<uint32_t>(info.scaleB),
            first(info.byteA),
            first(info.threadA),
            first(info.byteB),
            first(info.threadB)};
  std::string problem =
      checkScaleSelector(info.op.scaling, true, scales.byteA, scales.threadA);
  if (problem.empty())
    problem = checkScaleSelector(info.op.scaling, false, scales.byteB,
                                 scales.threadB);
  if (problem.empty())
    return true;
  reportAt(warp, i, 0, ReportKind::Invalid, problem);
  return false;
}

/// The list holds the registers of d, a, b, c; ref[1] the metadata, immediate
/// the selector.
Step mmaHandler(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!wholeWarp(warp, i, mask, step))
    return step;
  const auto &info = i.data<MmaInfo>();
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
  auto selector = static_cast<uint32_t>(i.immediate);
  if (metadata)
    if (std::string problem = checkMetadata(info.op, metadata, selector);
        !problem.empty()) {
      reportAt(warp, i, 0, ReportKind::Invalid, problem);
      return Step::Next;
    }
  MmaScales scales;
  if (info.op.scaling.vectors && !readScales(warp, i, info, scales))
    return Step::Next;
  mma(info.op, a, b, c, d, metadata, selector, &scales);
  scatter(warp, refs, n.d, d);
  return Step::Next;
}

/// Takes .kind and what belongs to it.
bool takeKind(Decoder &d, MmaOp &op) {
  bool mxf4 = d.take("kind::mxf4"), mxf4nvf4 = d.take("kind::mxf4nvf4");
  bool mxf8f6f4 = d.take("kind::mxf8f6f4");
  op.byteContainers = mxf8f6f4 || d.take("kind::f8f6f4");
  if (!mxf4 && !mxf4nvf4 && !mxf8f6f4)
    return true;
  if (!d.take("block_scale"))
    return d.fail("this .kind needs .block_scale");
  int vectors = d.takeOne({"scale_vec::1X", "scale_vec::2X", "scale_vec::4X"});
  if (vectors < 0 && mxf4nvf4)
    return d.fail(".kind::mxf4nvf4 needs .scale_vec::2X or 4X");
  op.scaling.vectors = vectors < 0 ? (mxf4 ? 2 : 1) : 1 << vectors;
  int type = d.takeOne({"ue8m0", "ue4m3"});
  if (type < 0)
    return d.fail("the type of the scales is missing");
  op.scaling.type = type ? ElementType::E4M3 : ElementType::UE8M0;
  return (!mxf4 || op.scaling.vectors == 2) ||
         d.fail(".kind::mxf4 has .scale_vec::2X only");
}

/// scale, {byte, thread}, from operand `at` on.
bool bindScale(Decoder &d, const MmaScaling &scaling, size_t at, bool isA,
               Ref &scale, Ref &byte, Ref &thread) {
  scale = d.source(at, Type::B32);
  const Operand &pair = d.operand(at + 1);
  if (pair.kind != Operand::Kind::Vector || pair.elements.size() != 2)
    return d.fail("expected {byte, thread} behind a scale");
  byte = d.source(pair.elements[0], Type::U16);
  thread = d.source(pair.elements[1], Type::U16);
  auto constant = [](const Operand &operand) {
    bool known = operand.kind == Operand::Kind::Integer;
    return known ? static_cast<uint32_t>(operand.bits) : 0;
  };
  std::string problem = checkScaleSelector(
      scaling, isA, constant(pair.elements[0]), constant(pair.elements[1]));
  return problem.empty() || d.fail(problem);
}

/// The metadata register and selector of mma.sp.
bool bindMetadata(Decoder &d, const MmaOp &op) {
  uint64_t selector = 0;
  d.out.ref[1] = d.source(4, Type::B32);
  if (!d.constantOperand(d.operand(5), selector))
    return false;
  d.out.immediate = static_cast<int64_t>(selector);
  uint64_t choices = sparsitySelectorCount(op);
  return selector < choices ||
         d.fail("the sparsity selector is " + std::to_string(selector) +
                ", but must be below " + std::to_string(choices));
}

/// The registers of D, A, B and C.
bool bindMatrices(Decoder &d, const MmaOp &op, const MmaRegisterCounts &n) {
  auto typeOf = [&](ElementType element) {
    return op.a == ElementType::F64      ? Type::F64
           : element == ElementType::F32 ? Type::F32
                                         : Type::B32;
  };
  auto bind = [&](size_t at, int count, ElementType element) {
    return listRegisters(d, d.operand(at), static_cast<size_t>(count),
                         typeOf(element), at == 0);
  };
  return bind(0, n.d, op.d) && bind(1, n.a, op.a) && bind(2, n.b, op.b) &&
         bind(3, n.c, op.c);
}

bool decodeMma(Decoder &d) {
  auto *info = d.makeData<MmaInfo>();
  MmaOp &op = info->op;
  bool roundingGiven = false;
  op.orderedMetadata = d.take("sp::ordered_metadata");
  op.sparse = op.orderedMetadata || d.take("sp");
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
  if (!takeKind(d, op))
    return false;
  op.saturateFinite = d.take("satfinite");
  if (int rounding = d.takeOne({"rn", "rz", "rm", "rp"}); rounding >= 0) {
    op.rounding = static_cast<Rounding>(rounding);
    roundingGiven = true;
  }
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
  if (roundingGiven && op.a != ElementType::F64)
    return d.fail("only f64 has a rounding modifier");
  std::string problem = checkMma(op);
  if (!problem.empty())
    return d.fail(problem);
  info->counts = mmaRegisterCounts(op);
  info->flops = 2ull * static_cast<uint64_t>(op.m) *
                static_cast<uint64_t>(op.n) * static_cast<uint64_t>(op.k);
  size_t scales = op.sparse ? 6 : 4;
  size_t operands = scales + (op.scaling.vectors ? 4 : 0);
  if (!d.expectOperands(operands, operands) ||
      !bindMatrices(d, op, info->counts) || (op.sparse && !bindMetadata(d, op)))
    return false;
  if (op.scaling.vectors &&
      (!bindScale(d, op.scaling, scales, true, info->scaleA, info->byteA,
                  info->threadA) ||
       !bindScale(d, op.scaling, scales + 2, false, info->scaleB, info->byteB,
                  info->threadB)))
    return false;
  return d.emit(mmaHandler, InstructionClass::Mma);
}

} // namespace

const MmaOp &mmaOpOf(const Instruction &i) { return i.data<MmaInfo>().op; }

void registerMma(OpcodeTable &table) { table["mma"] = decodeMma; }

} // namespace tilec::emu
