//===- OperandFacts.cpp - What a kernel takes for granted ----------------===//

#include "OperandFacts.h"

#include "tile/Dialect/Tile/TileDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

/// Whether `divisor` divides `number`; 0 divides only zero.
static bool divides(int64_t divisor, int64_t number) {
  return divisor == 0 ? number == 0 : number % divisor == 0;
}

namespace {
/// One operand of a launch and what errors about it say first.
struct Operand {
  mutable gpu::LaunchFuncOp op;
  size_t index;

  InFlightDiagnostic emitError() const {
    return op.emitError("kernel '")
           << op.getKernelName().getValue() << "' is compiled for an operand "
           << index << " ";
  }
};
} // namespace

static LogicalResult checkDivisors(const Operand &operand, StringRef what,
                                   ArrayRef<int64_t> numbers,
                                   ArrayRef<int64_t> divisors) {
  for (auto [dim, number, divisor] : llvm::enumerate(numbers, divisors))
    if (!divides(divisor, number))
      return operand.emitError()
             << "whose " << what << " of dimension " << dim
             << " is divisible by " << divisor << ", and it is " << number;
  return success();
}

static LogicalResult checkMemRef(const Operand &operand, const MemRef &memref,
                                 MemRefFactsAttr facts) {
  int64_t byte = memref.offset * memref.element.memoryBits() / 8;
  if (!divides(facts.getAlignment(), byte))
    return operand.emitError()
           << "that begins at a multiple of " << facts.getAlignment()
           << " bytes, and it begins at byte " << byte << " of its buffer";
  if (failed(checkDivisors(operand, "size", memref.sizes, facts.getSizes())))
    return failure();
  if (memref.getNumElements() == 0)
    return success(); // its strides lead nowhere
  if (failed(
          checkDivisors(operand, "stride", memref.strides, facts.getStrides())))
    return failure();
  if (facts.getContiguous() && !memref.strides.empty() &&
      memref.strides.back() != 1)
    return operand.emitError() << "whose innermost stride is 1, and it is "
                               << memref.strides.back();
  return success();
}

static LogicalResult checkScalar(const Operand &operand, const Array &scalar,
                                 ScalarFactsAttr facts) {
  if (scalar.isPoison(0))
    return operand.op.emitError("a kernel argument is undefined");
  int64_t number = llvm::SignExtend64(
      scalar.getBits(0), static_cast<unsigned>(scalar.type.memoryBits()));
  if (!divides(facts.getDivisor(), number))
    return operand.emitError() << "that is divisible by " << facts.getDivisor()
                               << ", and it is " << number;
  if (number < facts.getMin() || number > facts.getMax())
    return operand.emitError() << "from " << facts.getMin() << " to "
                               << facts.getMax() << ", and it is " << number;
  return success();
}

LogicalResult tile::checkOperandFacts(gpu::LaunchFuncOp op,
                                      ArrayRef<RuntimeValue> operands) {
  auto facts = op->getAttrOfType<ArrayAttr>(
      TileDialect::OperandFactsAttrHelper::getNameStr());
  if (!facts)
    return success();
  for (auto [index, entry, value] : llvm::enumerate(facts, operands)) {
    Operand operand{op, index};
    if (auto memref = dyn_cast<MemRefFactsAttr>(entry)) {
      if (failed(checkMemRef(operand, *value.memref, memref)))
        return failure();
    } else if (auto scalar = dyn_cast<ScalarFactsAttr>(entry)) {
      if (failed(checkScalar(operand, *value.array, scalar)))
        return failure();
    }
  }
  return success();
}
