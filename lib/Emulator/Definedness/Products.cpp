//===- Products.cpp - Undefined elements of matrix products ---------------===//
//
// D = A B + C: an undefined element of A makes its row of D undefined, one of B
// its column, one of C itself. Products whose padding is undefined are right as
// long as nobody uses the rows and columns that the padding spoils.
//
//===----------------------------------------------------------------------===//

#include "../Async/Wgmma.h"
#include "../Instructions/Handlers.h"
#include "../Instructions/Matrix/MatrixFamily.h"
#include "Definedness.h"

#include <algorithm>

namespace tilec::emu {

namespace {

/// Which elements of D are undefined.
class UndefinedElements {
public:
  UndefinedElements(int rows, int columns)
      : width(columns), ofRows(static_cast<size_t>(rows)),
        ofColumns(static_cast<size_t>(columns)),
        single(static_cast<size_t>(rows * columns)) {}

  void addRow(int row) { ofRows[static_cast<size_t>(row)] = true; }
  void addColumn(int column) { ofColumns[static_cast<size_t>(column)] = true; }
  void add(MatrixIndex at) { single[place(at)] = true; }
  void addAll() { std::fill(ofRows.begin(), ofRows.end(), true); }
  bool has(MatrixIndex at) const {
    return ofRows[static_cast<size_t>(at.row)] ||
           ofColumns[static_cast<size_t>(at.column)] || single[place(at)];
  }

private:
  size_t place(MatrixIndex at) const {
    return static_cast<size_t>(at.row * width + at.column);
  }
  int width;
  std::vector<bool> ofRows, ofColumns, single;
};

/// The registers of one operand and the bits of an element.
struct Fragment {
  const Ref *refs;
  int registers;
  int registerBits, elementBits;

  int perRegister() const { return registerBits / elementBits; }
};

/// Calls `visit(lane, element)` for the undefined elements of a fragment.
template <typename Visit>
void forUndefinedElements(Warp &warp, const Fragment &fragment, Visit visit) {
  for (int r = 0; r < fragment.registers; ++r) {
    const UndefinedRegister *found =
        undefinedRegistersOf(warp).find(fragment.refs[r]);
    if (!found)
      continue;
    forLanes(found->lanes, [&](uint32_t lane) {
      const uint8_t *bits = found->bitsOf(lane);
      for (int e = 0; e < fragment.perRegister(); ++e) {
        bool any = false;
        for (int bit = e * fragment.elementBits;
             bit < (e + 1) * fragment.elementBits; ++bit)
          any |= bits[bit / 8] >> (bit % 8) & 1;
        if (any)
          visit(static_cast<int>(lane), r * fragment.perRegister() + e);
      }
    });
  }
}

/// Gives the registers of D their undefined bits; `index` says where a lane's
/// element lies in the matrix.
template <typename Index>
void setFragment(Warp &warp, const Instruction &i, const Fragment &d,
                 const UndefinedElements &elements, Index index) {
  auto bytes = static_cast<uint8_t>(d.registerBits / 8);
  std::array<uint32_t, 32> origins;
  for (uint32_t lane = 0; lane < 32; ++lane)
    origins[lane] = findOrigin(warp, i, lane);
  UndefinedRegisters &registers = undefinedRegistersOf(warp);
  for (int r = 0; r < d.registers; ++r) {
    registers.define(d.refs[r], fullMask);
    for (int lane = 0; lane < 32; ++lane) {
      uint8_t bits[8] = {};
      bool any = false;
      for (int e = 0; e < d.perRegister(); ++e)
        if (elements.has(index(lane, r * d.perRegister() + e))) {
          any = true;
          std::fill_n(bits + e * d.elementBits / 8, d.elementBits / 8,
                      uint8_t(0xff));
        }
      if (any)
        registers.set(d.refs[r], bytes, static_cast<uint32_t>(lane), bits,
                      origins[static_cast<size_t>(lane)]);
    }
  }
}

/// Whether an operand that is no element (metadata, scales) is undefined.
bool isAnyOtherUndefined(Warp &warp, const Instruction &i) {
  const InstructionUses &uses = usesOf(warp, i);
  const RegisterUse *use = beginUses(warp, uses);
  const Ref *begin = &warp.launch->program->refs[i.list];
  const Ref *end = begin + i.listCount;
  for (uint32_t k = 0; k < uses.count; ++k)
    if (use[k].role == UseRole::Read && !use[k].isConstant() &&
        std::find(begin, end, use[k].ref) == end &&
        undefinedRegistersOf(warp).find(use[k].ref))
      return true;
  return false;
}

int widthOf(ElementType type, bool byteContainers = false) {
  int width = bitWidth(type);
  return byteContainers && width < 8 ? 8 : width;
}

void propagateMma(Warp &warp, const Instruction &i) {
  const MmaOp &op = mmaOpOf(i);
  MmaRegisterCounts counts = mmaRegisterCounts(op);
  int bits = op.a == ElementType::F64 ? 64 : 32;
  const Ref *refs = &warp.launch->program->refs[i.list];
  Fragment d{refs, counts.d, bits, widthOf(op.d)};
  Fragment a{d.refs + counts.d, counts.a, bits,
             widthOf(op.a, op.byteContainers)};
  Fragment b{a.refs + counts.a, counts.b, bits,
             widthOf(op.b, op.byteContainers)};
  Fragment c{b.refs + counts.b, counts.c, bits, widthOf(op.c)};
  UndefinedElements elements(op.m, op.n);
  forUndefinedElements(warp, a, [&](int lane, int element) {
    elements.addRow(mmaIndexA(op, lane, element).row);
  });
  forUndefinedElements(warp, b, [&](int lane, int element) {
    elements.addColumn(mmaIndexB(op, lane, element).column);
  });
  forUndefinedElements(warp, c, [&](int lane, int element) {
    elements.add(mmaIndexC(op, lane, element));
  });
  if (isAnyOtherUndefined(warp, i))
    elements.addAll();
  setFragment(warp, i, d, elements, [&](int lane, int element) {
    return mmaIndexC(op, lane, element);
  });
}

void propagateWmma(Warp &warp, const Instruction &i) {
  const WmmaOp &op = wmmaOpOf(i);
  auto shape = [&](WmmaRole role, ElementType type) {
    return WmmaFragment{role, type, op.m, op.n, op.k};
  };
  int bits = op.a == ElementType::F64 ? 64 : 32;
  const Ref *refs = &warp.launch->program->refs[i.list];
  auto next = [&](const WmmaFragment &f) {
    Fragment fragment{refs, wmmaRegisterCount(f), bits, widthOf(f.type)};
    refs += fragment.registers;
    return fragment;
  };
  WmmaFragment ofD = shape(WmmaRole::D, op.d), ofA = shape(WmmaRole::A, op.a);
  WmmaFragment ofB = shape(WmmaRole::B, op.b), ofC = shape(WmmaRole::C, op.c);
  Fragment d = next(ofD), a = next(ofA), b = next(ofB), c = next(ofC);
  UndefinedElements elements(op.m, op.n);
  forUndefinedElements(warp, a, [&](int lane, int element) {
    elements.addRow(wmmaIndex(ofA, lane, element).row);
  });
  forUndefinedElements(warp, b, [&](int lane, int element) {
    elements.addColumn(wmmaIndex(ofB, lane, element).column);
  });
  forUndefinedElements(warp, c, [&](int lane, int element) {
    elements.add(wmmaIndex(ofC, lane, element));
  });
  setFragment(warp, i, d, elements, [&](int lane, int element) {
    return wmmaIndex(ofD, lane, element);
  });
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

/// Element `element` of a lane of D, of which a warp has 16 rows: an f32
/// register pair or an f16 register is row lane / 4 (and 8 rows below for odd
/// pairs), columns 2 * (lane % 4) and the next.
MatrixIndex wgmmaIndexD(int lane, int element) {
  int pair = element / 2;
  return {lane / 4 + 8 * (pair % 2),
          8 * (pair / 2) + lane % 4 * 2 + element % 2};
}

/// Whether `count` elements of an operand in shared memory are all defined: row
/// `mn` of A, or column `mn` of B.
bool isDefinedAlongK(const Warp &warp, const WgmmaOp &op, WgmmaOperand operand,
                     uint64_t descriptor, int mn, int count) {
  bool isA = operand == WgmmaOperand::A;
  int bits = bitWidth(isA ? op.a : op.b);
  auto bytes = static_cast<uint32_t>(std::max(bits / 8, 1));
  for (int k = 0; k < count; ++k) {
    uint32_t address = isA ? wgmmaAddress(op, operand, descriptor, mn, k)
                           : wgmmaAddress(op, operand, descriptor, k, mn);
    if (!warp.block->shadow.isInitialized(address, bytes))
      return false;
  }
  return true;
}

/// The rows whose metadata, as far as the product reads them, are undefined.
void addUndefinedMetadata(Warp &warp, const WgmmaOperands &operands,
                          UndefinedElements &elements) {
  const WgmmaOp &op = operands.op;
  Fragment metadata{&operands.metadata, 1, 32, 16};
  forUndefinedElements(warp, metadata, [&](int lane, int half) {
    if (isMetadataRead(op, lane, operands.selector))
      elements.addRow(metadataRow(op, lane, half));
  });
}

/// D counts as written when the product is issued: no other instruction may
/// touch it before the wait.
void propagateWgmma(Warp &warp, const Instruction &i) {
  WgmmaOperands operands = wgmmaOperandsOf(i);
  const WgmmaOp &op = operands.op;
  const WarpDefinedness &state = *warp.definedness;
  const Ref *refs = &warp.launch->program->refs[i.list];
  Fragment d{refs, wgmmaRegisterCountD(op), 32, widthOf(op.d)};
  UndefinedElements elements(16, op.n);
  int firstRow = static_cast<int>(warp.indexInBlock % 4) * 16;
  auto descriptorOf = [&](Ref ref) {
    const uint8_t *values = ref & constantBit
                                ? warp.ptr<uint8_t>(ref)
                                : state.findSaved(ref)->values.data();
    uint64_t descriptor;
    std::memcpy(&descriptor, values, 8);
    return descriptor;
  };
  if (op.aInRegisters) {
    Fragment a{refs + d.registers, wgmmaRegisterCountA(op), 32, 32};
    forUndefinedElements(warp, a, [&](int lane, int r) {
      elements.addRow(lane / 4 + 8 * (r % 2));
    });
  } else {
    int k = op.sparse ? op.k / 2 : op.k;
    uint64_t descriptor = descriptorOf(operands.aDescriptor);
    for (int row = 0; row < 16; ++row)
      if (!isDefinedAlongK(warp, op, WgmmaOperand::A, descriptor,
                           firstRow + row, k))
        elements.addRow(row);
  }
  if (op.sparse)
    addUndefinedMetadata(warp, operands, elements);
  uint64_t descriptor = descriptorOf(operands.bDescriptor);
  for (int column = 0; column < op.n; ++column)
    if (!isDefinedAlongK(warp, op, WgmmaOperand::B, descriptor, column, op.k))
      elements.addColumn(column);
  if (warp.predicate(operands.scale) & 1)
    forUndefinedElements(warp, d, [&](int lane, int element) {
      elements.add(wgmmaIndexD(lane, element));
    });
  setFragment(warp, i, d, elements, wgmmaIndexD);
}

} // namespace

void propagateProduct(Warp &warp, const Instruction &i) {
  std::string_view opcode = i.syntax->parts[0];
  if (opcode == "mma")
    propagateMma(warp, i);
  else if (opcode == "wmma")
    propagateWmma(warp, i);
  else
    propagateWgmma(warp, i);
}

} // namespace tilec::emu
