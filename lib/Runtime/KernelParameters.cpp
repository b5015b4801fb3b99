//===- KernelParameters.cpp - The kernel ABI -----------------------------===//

#include "tile/Runtime/KernelParameters.h"

#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

static LogicalResult addMemRef(Operation *op, MemRefType type,
                               const MemRef &memref, uint64_t address,
                               SmallVectorImpl<KernelParameter> &parameters) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return op->emitError("a kernel argument of type ")
           << type << " has no strided layout";
  auto getFixed = [](ArrayRef<int64_t> extents) {
    SmallVector<int64_t> fixed;
    for (int64_t extent : extents)
      fixed.push_back(ShapedType::isDynamic(extent) ? tilec::anyExtent
                                                    : extent);
    return fixed;
  };
  SmallVector<int64_t> sizes = getFixed(type.getShape());
  strides = getFixed(strides);
  tilec::MemRefShape shape{sizes, strides,
                           ShapedType::isDynamic(offset) ? tilec::anyExtent
                                                         : offset};
  tilec::forEachParameter(
      shape, getView(memref), static_cast<int64_t>(address),
      [&](int64_t value) {
        parameters.push_back({static_cast<uint64_t>(value), 8, std::nullopt});
      });
  return success();
}

FailureOr<SmallVector<KernelParameter>>
mlir::tile::getKernelParameters(Operation *op, ValueRange operands,
                                ArrayRef<RuntimeValue> arguments,
                                GetBufferAddress getAddress) {
  SmallVector<KernelParameter> parameters;
  for (auto [operand, argument] : llvm::zip(operands, arguments)) {
    if (argument.memref && argument.memref->buffer->isFreed)
      return op->emitError("buffer '")
             << argument.memref->buffer->name << "' was deallocated";
    if (isa<TensorMapType>(operand.getType())) {
      auto map =
          getTensorMapParameter(op, operand, *argument.memref, getAddress);
      if (failed(map))
        return failure();
      parameters.push_back({0, TensorMapParameter::sizeBytes, *map});
      continue;
    }
    if (auto memrefType = dyn_cast<MemRefType>(operand.getType())) {
      const MemRef &memref = *argument.memref;
      if (failed(addMemRef(op, memrefType, memref, getAddress(memref.buffer),
                           parameters)))
        return failure();
      continue;
    }
    const Array &scalar = *argument.array;
    if (scalar.isPoison(0))
      return op->emitError("a kernel argument is undefined");
    parameters.push_back(
        {scalar.getBits(0), (scalar.type.memoryBits() + 7) / 8, std::nullopt});
  }
  return parameters;
}
