//===- PairedHalves.cpp - Two numbers of 16 bits at once ------------------===//
//
// A register of 32 bits holds two f16 or bf16, and `add.rn.f16x2` and its like
// compute both in the time of one. Neighbouring registers of a fragment, which
// loads bring and products leave in one word, are put together as vectors of two;
// LLVM has an instruction for each operation on those, or two where the chip lacks
// it, and removes what takes a pair apart only to put it together again:
//
//     fragment register   0   1   2   3
//     word                 \ /     \ /
//                         add.x2  add.x2
//
//===----------------------------------------------------------------------===//

#include "ScalarLowerings.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Digits;
using tilec::HardwareDim;

/// Whether registers 2i and 2i + 1 hold neighbours, of types that have pairs.
static bool comesInPairs(ThreadEmitter &emitter, Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return false;
  Type element = type.getElementType();
  if (!element.isF16() && !element.isBF16())
    return false;
  for (Type operand : op->getOperandTypes())
    if (getElementTypeOrSelf(operand) != element)
      return false;
  const Digits &registers =
      emitter.getLayout(type).getDigits(HardwareDim::Register);
  return !registers.empty() && !registers.front().replicates() &&
         registers.front().step == 1 && registers.front().extent % 2 == 0;
}

LogicalResult tile::lowerInPairs(ThreadEmitter &emitter, Operation *op,
                                 const ScalarLowering &lower) {
  if (!comesInPairs(emitter, op))
    return lowerElementwise(emitter, op, lower);
  Value result = op->getResult(0);
  int64_t count = emitter.getLayout(result).getRegisterCount();
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < count; reg += 2) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          emitter.joinInVector({emitter.getElement(operand, reg),
                                emitter.getElement(operand, reg + 1)}));
    FailureOr<Value> pair = lower(emitter, op, operands);
    if (failed(pair))
      return failure();
    emitter.appendElements(*pair, registers);
  }
  emitter.bind(result, std::move(registers));
  return success();
}
