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
  auto add = [&](int64_t value) {
    parameters.push_back({static_cast<uint64_t>(value), 8, std::nullopt});
  };
  add(static_cast<int64_t>(address));
  for (auto [size, actual] : llvm::zip(type.getShape(), memref.sizes))
    if (ShapedType::isDynamic(size))
      add(actual);
  for (auto [stride, actual] : llvm::zip(strides, memref.strides))
    if (ShapedType::isDynamic(stride))
      add(actual);
  if (ShapedType::isDynamic(offset))
    add(memref.offset);
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
