//===- SparseMetadata.cpp - Which elements of a sparse A are kept ---------===//

#include "SparseMetadata.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;

/// Loads of each thread: of a register, where what it holds lies together.
static OperandLoadAttr getLoad(ThreadEmitter &emitter, Value value,
                               const tilec::MatrixOperand &traits) {
  if (!isa<MemRefType>(value.getType()))
    return {};
  MLIRContext *context = value.getContext();
  auto rows =
      tilec::findCopyInstructions(emitter.target, tilec::MemorySpace::Shared,
                                  tilec::MemorySpace::Registers);
  const auto *row = *llvm::find_if(rows, [](const auto *row) {
    return row->issuer == tilec::Issuer::Thread;
  });
  int64_t count = traits.elementsPerRegister;
  Coordinate last = getRegisterCoordinate(traits.layout, count - 1);
  bool isTogether =
      last == Coordinate{0, count - 1} &&
      getVectorWidth(emitter.getShared(value), /*dim=*/1) % count == 0;
  return OperandLoadAttr::get(context, InstructionAttr::get(context, *row),
                              isTogether ? count : 1);
}

SparseMetadata::SparseMetadata(ThreadEmitter &emitter, Value value,
                               const tilec::GemmPlan &plan)
    : emitter(emitter), plan(plan), traits(*plan.instruction->metadata),
      operand(emitter, value, getLoad(emitter, value, traits),
              /*isSwapped=*/false, plan.metadata, traits.layout,
              tilec::ElementKind::S32, traits.elementsPerRegister,
              /*isPaired=*/false) {}

int64_t SparseMetadata::getColumnsPerRegister() const {
  return traits.layout.getShape()[1] * tilec::columnsPerMetadataWord;
}

int64_t SparseMetadata::getSelector(int64_t k) const {
  return k % getColumnsPerRegister() / plan.instruction->k;
}

/// Rows that the product has not, of the tile that begins at row `m`, keep their
/// first two columns: the instruction is not defined for every number.
Value SparseMetadata::maskPadding(Value word, int64_t m) {
  constexpr int64_t firstTwo = 0x4444, bits = 16, all = 0xffff;
  int64_t M = plan.metadata.getShape()[0];
  if (plan.metadata.getBox()[0] == M)
    return word;
  const ThreadCoordinate &thread =
      emitter.getScope().getCoordinate(plan.metadata, 0);
  for (int64_t i = 0; i < traits.elementsPerRegister; ++i) {
    int64_t row = m + getRegisterCoordinate(traits.layout, i)[0];
    if (row + (thread.values.empty() ? 0 : thread.values.back()) < M)
      continue;
    Value isRow =
        emitter.compare(arith::CmpIPredicate::slt,
                        emitter.addConstant(thread.value, row), emitter.i32(M));
    OpBuilder &builder = emitter.builder;
    int32_t others = static_cast<int32_t>(~(all << (bits * i)));
    int32_t instead = static_cast<int32_t>(firstTwo << (bits * i));
    Value padding =
        LLVM::AndOp::create(builder, emitter.loc, word, emitter.i32(others));
    padding =
        LLVM::OrOp::create(builder, emitter.loc, padding, emitter.i32(instead));
    word = emitter.select(isRow, word, padding);
  }
  return word;
}

ArrayRef<Value> SparseMetadata::load(int64_t k) {
  if (k % getColumnsPerRegister() != 0)
    return registers;
  registers.clear();
  auto words = operand.load(k / tilec::columnsPerMetadataWord);
  for (auto [m, word] : llvm::zip(operand.getTileOrigins(), words))
    registers.push_back(maskPadding(word.front(), m));
  return registers;
}
