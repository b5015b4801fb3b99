//===- Wmma.cpp - wmma.load, wmma.store, wmma.mma -------------------------===//
//
// Fragments are loaded and stored element by element, or word by word where the
// elements of a register are neighbours in memory, as accesses of the whole
// warp.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Handlers.h"
#include "TensorOperands.h"
#include "tile/Emulator/TensorCore.h"

namespace tilec::emu {

StateSpace takeStateSpace(Decoder &d);

namespace {

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

struct FragmentExtra {
  WmmaFragment fragment;
  bool columnMajor = false;
  int registers = 0, perRegister = 0, elementBits = 0;
};

enum WmmaFlags : uint8_t { wideAddress = 1 };

/// Elements of one register that one access covers: all if they lie behind one
/// another in memory, else one.
int elementsPerAccess(const FragmentExtra &extra) {
  MatrixIndex first = wmmaIndex(extra.fragment, 0, 0);
  MatrixIndex last = wmmaIndex(extra.fragment, 0, extra.perRegister - 1);
  int distance =
      extra.columnMajor ? last.row - first.row : last.column - first.column;
  return distance == extra.perRegister - 1 ? extra.perRegister : 1;
}

/// Addresses of element `element` of every lane.
void fragmentAddresses(Warp &warp, const Instruction &i,
                       const FragmentExtra &extra, int element,
                       AccessRequest &request) {
  uint64_t base[32];
  gatherAddresses(warp, i, i.ref[0], i.flags & wideAddress, base);
  const uint32_t *strides = warp.ptr<uint32_t>(i.ref[1]);
  for (int lane = 0; lane < 32; ++lane) {
    MatrixIndex at = wmmaIndex(extra.fragment, lane, element);
    uint64_t major =
        static_cast<uint64_t>(extra.columnMajor ? at.column : at.row);
    uint64_t minor =
        static_cast<uint64_t>(extra.columnMajor ? at.row : at.column);
    uint64_t bits = (major * strides[lane] + minor) *
                    static_cast<uint64_t>(extra.elementBits);
    request.addresses[lane] = base[lane] + bits / 8;
  }
}

/// Visits every access: (element it begins with, its bytes, its result).
template <typename Visit>
void forEachAccess(Warp &warp, const Instruction &i, const FragmentExtra &extra,
                   AccessMode mode, Visit visit) {
  int step = elementsPerAccess(extra);
  int count = extra.registers * extra.perRegister;
  for (int element = 0; element < count; element += step) {
    AccessRequest request;
    request.space = i.space;
    request.mode = mode;
    request.bytes = static_cast<uint32_t>(step * extra.elementBits / 8);
    request.align = extra.elementBits < 8
                        ? 4
                        : static_cast<uint32_t>(extra.elementBits / 8);
    request.collective = true;
    fragmentAddresses(warp, i, extra, element, request);
    AccessResult result;
    access(warp, i, fullMask, request, result);
    visit(element, request.bytes, result);
  }
}

Step loadFragment(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!gatherWarp(warp, i, mask, step))
    return step;
  const auto &extra = *static_cast<const FragmentExtra *>(i.extra);
  const Ref *refs = &warp.launch->program->refs[i.list];
  size_t laneBytes = extra.elementBits == 64 ? 8 : 4;
  forEachAccess(warp, i, extra, AccessMode::Read,
                [&](int element, uint32_t bytes, const AccessResult &result) {
                  uint8_t *lanes =
                      warp.ptr<uint8_t>(refs[element / extra.perRegister]);
                  size_t offset = static_cast<size_t>(
                      element % extra.perRegister * extra.elementBits / 8);
                  forLanes(result.ok, [&](uint32_t lane) {
                    std::memcpy(lanes + lane * laneBytes + offset,
                                result.pointers[lane], bytes);
                  });
                });
  return Step::Next;
}

Step storeFragment(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!gatherWarp(warp, i, mask, step))
    return step;
  const auto &extra = *static_cast<const FragmentExtra *>(i.extra);
  const Ref *refs = &warp.launch->program->refs[i.list];
  size_t laneBytes = extra.elementBits == 64 ? 8 : 4;
  forEachAccess(warp, i, extra, AccessMode::Write,
                [&](int element, uint32_t bytes, const AccessResult &result) {
                  const uint8_t *lanes =
                      warp.ptr<uint8_t>(refs[element / extra.perRegister]);
                  size_t offset = static_cast<size_t>(
                      element % extra.perRegister * extra.elementBits / 8);
                  forLanes(result.ok, [&](uint32_t lane) {
                    std::memcpy(result.pointers[lane],
                                lanes + lane * laneBytes + offset, bytes);
                  });
                });
  ++warp.cluster->progress;
  return Step::Next;
}

bool decodeFragmentAccess(Decoder &d, bool isLoad) {
  auto *extra = d.makeExtra<FragmentExtra>();
  int role = isLoad ? d.takeOne({"a", "b", "c"}) : d.take("d") ? 3 : -1;
  if (role < 0 || !d.take("sync") || !d.take("aligned"))
    return false;
  int layout = d.takeOne({"row", "col"});
  std::string_view shape;
  WmmaFragment &fragment = extra->fragment;
  if (layout < 0 || !d.takeNext(shape) ||
      !parseShape(shape, fragment.m, fragment.n, fragment.k))
    return d.fail("expected a layout and a shape");
  extra->columnMajor = layout == 1;
  fragment.role = static_cast<WmmaRole>(role);
  d.out.space = takeStateSpace(d);
  if (!takeElement(d, fragment.type) || !d.expectOperands(2, 3))
    return false;
  extra->registers = wmmaRegisterCount(fragment);
  extra->perRegister = wmmaElementsPerRegister(fragment);
  extra->elementBits = bitWidth(fragment.type);
  if (extra->registers < 1 || extra->registers > 8)
    return d.fail("no such fragment");

  const Operand &address = d.operand(isLoad ? 1 : 0);
  bool wide = false;
  if (address.kind != Operand::Kind::Address ||
      !d.address(address, d.out.space, d.out.ref[0], wide, d.out.immediate))
    return false;
  d.out.flags = wide ? wideAddress : 0;
  int defaultStride = extra->columnMajor
                          ? (role == 1 ? fragment.k : fragment.m)
                          : (role == 0 ? fragment.k : fragment.n);
  d.out.ref[1] = d.operandCount() == 3
                     ? d.source(2, Type::B32)
                     : d.constant(4, static_cast<uint64_t>(defaultStride));
  bool isWide = fragment.type == ElementType::F64;
  if (!bindRegisters(d, d.operand(isLoad ? 0 : 1), extra->registers, isWide,
                     isLoad))
    return false;
  bool shared = d.out.space == StateSpace::Shared;
  return d.emit(isLoad ? loadFragment : storeFragment,
                isLoad   ? (shared ? InstructionClass::SharedLoad
                                   : InstructionClass::GlobalLoad)
                : shared ? InstructionClass::SharedStore
                         : InstructionClass::GlobalStore);
}

//===----------------------------------------------------------------------===//
// wmma.mma
//===----------------------------------------------------------------------===//

struct WmmaExtra {
  WmmaOp op;
  int counts[4] = {}; // of A, B, C, D
};

template <typename Lanes, auto function>
Step wmmaStep(Warp &warp, const Instruction &i, uint32_t mask) {
  Step step;
  if (!gatherWarp(warp, i, mask, step))
    return step;
  const auto &extra = *static_cast<const WmmaExtra *>(i.extra);
  const Ref *refs = &warp.launch->program->refs[i.list];
  alignas(64) Lanes operands[4][8];
  for (int operand = 0; operand < 3; ++operand)
    for (int r = 0; r < extra.counts[operand]; ++r)
      std::memcpy(operands[operand][r], warp.ptr<uint8_t>(*refs++),
                  sizeof(Lanes));
  function(extra.op, operands[0], operands[1], operands[2], operands[3]);
  for (int r = 0; r < extra.counts[3]; ++r)
    std::memcpy(warp.ptr<uint8_t>(*refs++), operands[3][r], sizeof(Lanes));
  return Step::Next;
}

bool decodeWmmaMma(Decoder &d) {
  auto *extra = d.makeExtra<WmmaExtra>();
  WmmaOp &op = extra->op;
  int bits = d.takeOne({"and", "xor"});
  if (bits >= 0 && !d.take("popc"))
    return d.fail("expected .popc");
  op.bitOperation = bits == 0 ? BitOperation::And : BitOperation::Xor;
  if (!d.take("sync") || !d.take("aligned"))
    return d.fail("'.sync.aligned' is missing");
  op.saturateFinite = d.take("satfinite");
  bool rounded = d.take("rn");
  std::string_view layoutA, layoutB, shape;
  if (!d.takeNext(layoutA) || !d.takeNext(layoutB) || !d.takeNext(shape) ||
      !parseShape(shape, op.m, op.n, op.k))
    return d.fail("expected two layouts and a shape");
  op.aColumnMajor = layoutA == "col";
  op.bColumnMajor = layoutB == "col";
  // f16 names only the types of D and C; the others D, A, B and C.
  ElementType first, second;
  if (!takeElement(d, first) || !takeElement(d, second))
    return false;
  op.d = first;
  op.c = second;
  if (!d.peekModifier().empty()) {
    op.a = second;
    if (!takeElement(d, op.b) || !takeElement(d, op.c))
      return false;
  }
  if (rounded && op.a != ElementType::F64)
    return d.fail("only f64 takes a rounding mode");
  if (std::string why = checkWmma(op); !why.empty())
    return d.fail(why);
  if (!d.expectOperands(4, 4))
    return false;
  const ElementType types[] = {op.a, op.b, op.c, op.d};
  bool wide = op.a == ElementType::F64;
  for (int operand = 0; operand < 4; ++operand) {
    extra->counts[operand] = wmmaRegisterCount(
        {static_cast<WmmaRole>(operand), types[operand], op.m, op.n, op.k});
    if (!bindRegisters(d, d.operand(operand == 3 ? 0 : size_t(operand) + 1),
                       extra->counts[operand], wide, operand == 3))
      return false;
  }
  return d.emit(wide ? wmmaStep<LaneDoubles, wmmaMmaF64>
                     : wmmaStep<LaneWords, wmmaMma>,
                InstructionClass::Mma);
}

} // namespace

bool decodeWmma(Decoder &d) {
  if (d.take("mma"))
    return decodeWmmaMma(d);
  if (d.take("load"))
    return decodeFragmentAccess(d, true);
  if (d.take("store"))
    return decodeFragmentAccess(d, false);
  return d.unsupported();
}

} // namespace tilec::emu
