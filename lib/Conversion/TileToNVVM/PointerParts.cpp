//===- PointerParts.cpp - Pointers as PTX addresses them ------------------===//

#include "PointerParts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::tile;

std::pair<Value, int64_t> tile::splitPointer(Value pointer) {
  auto gep = pointer.getDefiningOp<LLVM::GEPOp>();
  bool isConstant = gep && gep.getDynamicIndices().empty() &&
                    gep.getRawConstantIndices().size() == 1 &&
                    gep.getElemType().isInteger(8);
  if (!isConstant)
    return {pointer, 0};
  auto [base, bytes] = splitPointer(gep.getBase());
  return {base, bytes + gep.getRawConstantIndices().front()};
}
