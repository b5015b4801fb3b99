//===- ParameterFacts.cpp - What a kernel knows of its parameters ---------===//

#include "ParameterFacts.h"

#include "tile/Dialect/Tile/TileDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::tile;

/// The first number that its divisor does not divide.
static std::optional<std::pair<int64_t, int64_t>>
findContradiction(ArrayRef<int64_t> numbers, ArrayRef<int64_t> divisors) {
  for (auto [number, divisor] : llvm::zip_equal(numbers, divisors))
    if (!ShapedType::isDynamic(number) &&
        (divisor == 0 ? number != 0 : number % divisor != 0))
      return std::pair(number, divisor);
  return std::nullopt;
}

static LogicalResult
verifyMemRefFacts(MemRefType type, MemRefFactsAttr facts,
                  llvm::function_ref<InFlightDiagnostic()> emitError) {
  size_t rank = type.getRank();
  if (facts.getSizes().size() != rank)
    return emitError() << ", which must have a divisor per dimension (" << rank
                       << "), got " << facts.getSizes().size();
  SmallVector<int64_t> strides;
  int64_t offset;
  auto contradiction = findContradiction(type.getShape(), facts.getSizes());
  if (!contradiction && succeeded(type.getStridesAndOffset(strides, offset)))
    contradiction = findContradiction(strides, facts.getStrides());
  if (contradiction)
    return emitError() << ", but " << contradiction->first << " in " << type
                       << " is not divisible by " << contradiction->second;
  return success();
}

LogicalResult
tile::verifyParameterFacts(Type type, Attribute facts,
                           llvm::function_ref<InFlightDiagnostic()> emitError) {
  auto memref = dyn_cast<MemRefType>(type);
  if (auto stated = dyn_cast<MemRefFactsAttr>(facts); stated && memref)
    return verifyMemRefFacts(memref, stated, emitError);
  if (isa<ScalarFactsAttr>(facts) && type.isIntOrIndex())
    return success();
  return emitError() << ", which is "
                     << (memref ? "a #tile.memref_facts<..> for a memref"
                                : "a #tile.scalar_facts<..> for an integer or "
                                  "an index")
                     << ", got " << facts << " for " << type;
}

gpu::LaunchFuncOp tile::getKernelLaunch(Operation *op) {
  return dyn_cast<gpu::LaunchFuncOp>(op);
}

LogicalResult tile::verifyOperandFacts(Operation *op, Attribute facts) {
  gpu::LaunchFuncOp launch = getKernelLaunch(op);
  if (!launch)
    return op->emitOpError(
        "has 'tile.operand_facts', which stands on 'gpu.launch_func'");
  auto list = dyn_cast<ArrayAttr>(facts);
  if (!list || list.size() != launch.getNumKernelOperands())
    return op->emitOpError(
               "has 'tile.operand_facts', which must have an entry per "
               "operand of the kernel (")
           << launch.getNumKernelOperands() << "), got " << facts;
  for (auto [index, entry] : llvm::enumerate(list)) {
    if (isa<UnitAttr>(entry))
      continue;
    auto emitError = [&, index = index] {
      return op->emitOpError("has 'tile.operand_facts' of operand ") << index;
    };
    if (failed(verifyParameterFacts(launch.getKernelOperands()[index].getType(),
                                    entry, emitError)))
      return failure();
  }
  return success();
}
