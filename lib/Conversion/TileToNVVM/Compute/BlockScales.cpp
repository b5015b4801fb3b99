//===- BlockScales.cpp - Scales as instructions take them -----------------===//

#include "BlockScales.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::FragmentLayout;
using tilec::HardwareDim;

static constexpr int64_t scalesPerRegister = 4;
/// From a lane's first row of a tile of A to its second.
static constexpr int64_t rowStep = 8;
/// What ue4m3 has of four bytes of e4m3.
static constexpr int64_t allButSigns = 0x7f7f7f7f;
/// One in each of the four numbers of `prmt`'s selector.
static constexpr int64_t eachByte = 0x1111;

BlockScales::BlockScales(ThreadEmitter &emitter, Value scales, int64_t block,
                         const tilec::MatrixInstruction &row,
                         const tilec::MatrixOperand &rows, FragmentLayout atom)
    : emitter(emitter), scales(scales), block(block),
      haveSigns(row.scaling->kind == tilec::ElementKind::UE4M3),
      areOfBothRows(rows.layout.getRegisterCount() > 1), atom(std::move(atom)),
      unit(row.getScalesPerStep() == 1 ? block : row.scaling->block) {}

/// The register with the scales from the byte `first` along K on. Beyond the last they
/// are zero: nobody asks for these.
Value BlockScales::pack(int64_t outer, int64_t first) {
  OpBuilder &builder = emitter.builder;
  const FragmentLayout &layout = emitter.getLayout(scales);
  int64_t count =
      std::min(scalesPerRegister, layout.getShape()[1] * block / unit - first);
  auto type = VectorType::get({scalesPerRegister}, builder.getI8Type());
  Value packed =
      count == scalesPerRegister ? emitter.poison(type) : emitter.zero(type);
  for (int64_t i = 0; i < count; ++i)
    packed = LLVM::InsertElementOp::create(
        builder, emitter.loc, packed,
        emitter.getElement(
            scales, getRegister(layout, {outer, (first + i) * unit / block})),
        emitter.i32(i));
  return LLVM::BitcastOp::create(builder, emitter.loc, builder.getI32Type(),
                                 packed);
}

Value BlockScales::getWord(int64_t outer, int64_t first) {
  Value &word = words[{outer, first}];
  if (!word)
    word = pack(outer, first);
  return word;
}

/// Whether the lane is the one of the two that the statement names which has the scales
/// of the tile's lower rows.
Value BlockScales::getIsOdd() {
  if (isOdd)
    return isOdd;
  ThreadScope &scope = emitter.getScope();
  OpBuilder::InsertionGuard guard(emitter.builder);
  emitter.builder.setInsertionPoint(scope.getEndOfPrologue());
  isOdd =
      emitter.compare(arith::CmpIPredicate::ne,
                      emitter.remainder(scope.getLane(), 2), emitter.i32(0));
  return isOdd;
}

SmallVector<Value> BlockScales::get(int64_t outer, int64_t k) {
  int64_t number = k / unit;
  int64_t byte = number % scalesPerRegister, first = number - byte;
  Value word = getWord(outer, first);
  if (areOfBothRows)
    word = emitter.select(getIsOdd(), getWord(outer + rowStep, first), word);
  if (haveSigns)
    word = LLVM::AndOp::create(emitter.builder, emitter.loc, word,
                               emitter.i32(allButSigns));
  auto constant = [&](int64_t value) {
    return emitter.constant(emitter.builder.getI16Type(), value);
  };
  return {word, constant(byte), constant(0)};
}

/// What `prmt` makes of a word of scales: the sign of that of the lane's first elements
/// in a step of K, in all bits.
Value BlockScales::getSelector() {
  if (selector)
    return selector;
  constexpr int64_t signOfByte = 8;
  OpBuilder::InsertionGuard guard(emitter.builder);
  emitter.builder.setInsertionPoint(emitter.getScope().getEndOfPrologue());
  Value alongK = emitter.getScope()
                     .getCoordinate(atom.getDigits(HardwareDim::Lane), {}, 1)
                     .value;
  selector = emitter.addConstant(
      emitter.multiply(emitter.divide(alongK, unit), eachByte),
      signOfByte * eachByte);
  return selector;
}

void BlockScales::moveSigns(int64_t outer, int64_t k,
                            SmallVector<Value> &elements) {
  if (!haveSigns)
    return;
  constexpr auto signsOfElements = static_cast<int32_t>(0x88888888);
  OpBuilder &builder = emitter.builder;
  int64_t perRegister =
      atom.getRegisterCount() / static_cast<int64_t>(elements.size());
  for (auto [reg, element] : llvm::enumerate(elements)) {
    tilec::Coordinate part =
        getRegisterCoordinate(atom, static_cast<int64_t>(reg) * perRegister);
    int64_t number = (k + part[1]) / unit;
    int64_t byte = number % scalesPerRegister;
    Value signs = emitter.callIntrinsic(
        "llvm.nvvm.prmt", builder.getI32Type(),
        {getWord(outer + part[0], number - byte), emitter.i32(0),
         emitter.addConstant(getSelector(), byte * eachByte)});
    signs = LLVM::AndOp::create(builder, emitter.loc, signs,
                                emitter.i32(signsOfElements));
    element = LLVM::XOrOp::create(builder, emitter.loc, element, signs);
  }
}
