//===- OperandFacts.cpp - What a kernel takes for granted ----------------===//

#include "OperandFacts.h"

#include "tile/Contract/Operands.h"
#include "tile/Dialect/Tile/TileDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

static std::string checkMemRef(const MemRef &memref, MemRefFactsAttr facts) {
  return tilec::checkFacts({.alignment = facts.getAlignment(),
                            .sizeDivisors = facts.getSizes(),
                            .strideDivisors = facts.getStrides(),
                            .isContiguous = facts.getContiguous()},
                           getView(memref));
}

static std::string checkScalar(const Array &scalar, ScalarFactsAttr facts) {
  int64_t number = llvm::SignExtend64(
      scalar.getBits(0), static_cast<unsigned>(scalar.type.memoryBits()));
  return tilec::checkFacts({.divisor = facts.getDivisor(),
                            .min = facts.getMin(),
                            .max = facts.getMax()},
                           number);
}

LogicalResult tile::checkOperandFacts(gpu::LaunchFuncOp op,
                                      ArrayRef<RuntimeValue> operands) {
  auto facts = op->getAttrOfType<ArrayAttr>(
      TileDialect::OperandFactsAttrHelper::getNameStr());
  if (!facts)
    return success();
  for (auto [index, entry, value] : llvm::enumerate(facts, operands)) {
    std::string problem;
    if (auto memref = dyn_cast<MemRefFactsAttr>(entry)) {
      problem = checkMemRef(*value.memref, memref);
    } else if (auto scalar = dyn_cast<ScalarFactsAttr>(entry)) {
      if (value.array->isPoison(0))
        return op.emitError("a kernel argument is undefined");
      problem = checkScalar(*value.array, scalar);
    }
    if (!problem.empty())
      return op.emitError(tilec::formatOperandProblem(
          op.getKernelName().getValue().str(), index, problem));
  }
  return success();
}
