//===- GemmOperand.cpp - Feeding mma from registers and memory ------------===//

#include "GemmOperand.h"

#include "../Access/MatrixLoad.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::Digit;
using tilec::Digits;
using tilec::ElementKind;
using tilec::FragmentLayout;
using tilec::HardwareDim;

Type tile::getMmaRegisterType(MLIRContext *context, ElementKind kind) {
  Builder builder(context);
  switch (kind) {
  case ElementKind::F16:
    return VectorType::get({2}, builder.getF16Type());
  case ElementKind::F64:
    return builder.getF64Type();
  case ElementKind::F32:
    return builder.getF32Type();
  default:
    return builder.getI32Type();
  }
}

GemmOperand::GemmOperand(ThreadEmitter &emitter, Value value,
                         OperandLoadAttr howToLoad, bool isSwapped,
                         FragmentLayout layout, FragmentLayout atomLayout,
                         ElementKind kind, int64_t elementsPerRegister,
                         bool isPaired)
    : emitter(emitter), value(value), isSwapped(isSwapped),
      layout(std::move(layout)), atomLayout(std::move(atomLayout)), kind(kind),
      elementsPerRegister(elementsPerRegister), isPaired(isPaired),
      tiles(this->layout, this->atomLayout, elementsPerRegister, isPaired),
      elementType(cast<ShapedType>(value.getType()).getElementType()) {
  if (!isa<MemRefType>(value.getType()))
    return;
  row = howToLoad.getInstruction().getCopy();
  accessWidth = howToLoad.getWidth();
}

int GemmOperand::getAccessDim() const {
  bool isAlongK = !row->isTransposed;
  return isAlongK == isSwapped ? 0 : 1;
}

LogicalResult GemmOperand::verify(Operation *op) const {
  if (!row ||
      getVectorWidth(emitter.getShared(value), getAccessDim()) % accessWidth ==
          0)
    return success();
  return op->emitError() << row->name << " of " << accessWidth
                         << " elements is not possible here: those of its "
                            "operand in shared memory do not lie together";
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// tf32 is f32 of which the instruction ignores the low bits: round them away.
Value GemmOperand::roundToTF32(Value f32) {
  return emitter.callIntrinsic("llvm.nvvm.f2tf32.rna",
                               emitter.builder.getI32Type(), f32);
}

/// Elements of 4 bits, the four of `halfWord`, each in the middle of a byte.
static Value spreadToBytes(ThreadEmitter &emitter, Value halfWord) {
  // Bytes 0 and 1, and a zero behind each.
  constexpr int64_t apart = 0x4140, middle = 0x3c3c3c3c;
  OpBuilder &builder = emitter.builder;
  Value bytes =
      emitter.callIntrinsic("llvm.nvvm.prmt", builder.getI32Type(),
                            {halfWord, emitter.i32(0), emitter.i32(apart)});
  auto shifted = [&](int64_t amount) -> Value {
    return LLVM::ShlOp::create(builder, emitter.loc, bytes,
                               emitter.i32(amount));
  };
  Value both = LLVM::OrOp::create(builder, emitter.loc, shifted(2), shifted(6));
  return LLVM::AndOp::create(builder, emitter.loc, both, emitter.i32(middle));
}

/// The bits that a register's elements have in memory.
int64_t GemmOperand::getWordBits() const {
  return getMemoryBits(elementType) * elementsPerRegister;
}

/// An integer as it comes from memory, as a register of the instruction.
Value GemmOperand::fromWord(Value word) {
  OpBuilder &builder = emitter.builder;
  if (getWordBits() < word.getType().getIntOrFloatBitWidth())
    return spreadToBytes(emitter, word);
  Type type = getMmaRegisterType(builder.getContext(), kind);
  if (kind == ElementKind::TF32)
    return roundToTF32(LLVM::BitcastOp::create(builder, emitter.loc,
                                               builder.getF32Type(), word));
  if (type == word.getType())
    return word;
  return LLVM::BitcastOp::create(builder, emitter.loc, type, word);
}

Value GemmOperand::pack(ArrayRef<Value> elements) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  if (kind == ElementKind::TF32)
    return roundToTF32(elements.front());
  if (elements.size() == 1)
    return elements.front();
  if (MemoryEmitter::isNarrow(elementType))
    return fromWord(emitter.packNarrow(elements, builder.getI32Type()));
  Value packed = emitter.joinInVector(elements);
  if (kind == ElementKind::F16)
    return packed;
  return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), packed);
}

/// One register from the registers of a fragment.
Value GemmOperand::loadFromFragment(int64_t outer, int64_t k, int64_t reg) {
  const FragmentLayout &held = emitter.getLayout(value);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < elementsPerRegister; ++i) {
    Coordinate part =
        getRegisterCoordinate(atomLayout, reg * elementsPerRegister + i);
    elements.push_back(emitter.getElement(
        value, getRegister(held, inMemory(outer + part[0], k + part[1]))));
  }
  return pack(elements);
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// Where each lane finds its row of a group of matrices that begins at zero.
SharedAddresses &
GemmOperand::getMatrixAddresses(const tilec::MatrixGroup &group) {
  std::unique_ptr<SharedAddresses> &addresses = matrixAddresses[group];
  if (addresses)
    return *addresses;
  const SharedView &view = emitter.getShared(value);
  Digits lanes = {{tilec::matrixRows, row->isTransposed ? 1 : 0, 1}};
  int64_t used = tilec::matrixRows;
  for (int step = 0; (2 << step) <= group.count; ++step, used *= 2)
    lanes.push_back({2, group.steps[step].first, group.steps[step].second});
  // Lanes beyond the matrices give addresses that nobody reads.
  if (used < emitter.target.warpSize)
    lanes.push_back({emitter.target.warpSize / used, Digit::replicated, 0});
  const Digits &warps = layout.getDigits(HardwareDim::Warp);
  SmallVector<SmallVector<RuntimeTerm>> terms(2);
  for (int dim : {0, 1}) {
    const ThreadCoordinate &thread =
        emitter.getScope().getCoordinate(lanes, warps, dim);
    if (thread.value)
      terms[isSwapped ? 1 - dim : dim].push_back(
          {thread.value, thread.values, 1});
  }
  addresses = std::make_unique<SharedAddresses>(emitter, view, terms);
  if (isPadded())
    addresses->clampToBuffer();
  return *addresses;
}

void GemmOperand::loadMatrices(ArrayRef<tilec::TileMatrix> matrices,
                               SmallVector<SmallVector<Value>> &registers) {
  while (!matrices.empty()) {
    tilec::MatrixGroup group = tilec::getGroup(matrices, row->matrixCount);
    Value pointer = getMatrixAddresses(group).getPointer(
        inMemory(matrices[0].outer, matrices[0].k));
    SmallVector<Value> words =
        emitMatrixLoad(emitter, pointer, group.count, row->isTransposed);
    for (auto [matrix, word] : llvm::zip(matrices, words))
      registers[matrix.tile][matrix.reg] = fromWord(word);
    matrices = matrices.drop_front(group.count);
  }
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// One register, element by element; in one load where they lie together.
Value GemmOperand::loadElements(int64_t outer, int64_t k, int64_t reg) {
  const SharedView &view = emitter.getShared(value);
  if (!elementAddresses) {
    SmallVector<SmallVector<RuntimeTerm>> terms(2);
    for (int dim : {0, 1}) {
      const ThreadCoordinate &thread =
          emitter.getScope().getCoordinate(layout, dim);
      if (thread.value)
        terms[isSwapped ? 1 - dim : dim].push_back(
            {thread.value, thread.values, 1});
    }
    elementAddresses = std::make_unique<SharedAddresses>(emitter, view, terms);
    if (isPadded())
      elementAddresses->clampToBuffer();
  }
  auto getPlace = [&](int64_t element) {
    Coordinate part = getRegisterCoordinate(atomLayout, element);
    return elementAddresses->getPlace(inMemory(outer + part[0], k + part[1]));
  };
  int64_t first = reg * elementsPerRegister;
  if (accessWidth > 1) {
    OpBuilder &builder = emitter.builder;
    Type i32 = builder.getI32Type();
    Value word = emitter.load(getPlace(first).pointer,
                              builder.getIntegerType(getWordBits()), 1);
    if (word.getType() != i32)
      word = builder.createOrFold<arith::ExtUIOp>(emitter.loc, i32, word);
    return fromWord(word);
  }
  SmallVector<Value> elements;
  for (int64_t i = 0; i < elementsPerRegister; ++i)
    llvm::append_range(
        elements, emitter.loadElements(getPlace(first + i), elementType, 1));
  return pack(elements);
}

SmallVector<SmallVector<Value>> GemmOperand::load(int64_t k) {
  int64_t registersPerTile = tiles.getRegistersPerTile();
  SmallVector<SmallVector<Value>> registers(
      getTileOrigins().size(), SmallVector<Value>(registersPerTile));
  if (row && row->matrixCount > 0 && isPaired) {
    loadPairs(k, registers);
    return registers;
  }
  if (row && row->matrixCount > 0) {
    loadMatrices(tiles.getMatrices(k), registers);
    return registers;
  }
  for (auto [tile, origin] : llvm::enumerate(getTileOrigins()))
    for (int64_t reg = 0; reg < registersPerTile; ++reg)
      registers[tile][reg] =
          row ? loadElements(origin, k, reg) : loadFromFragment(origin, k, reg);
  return registers;
}
