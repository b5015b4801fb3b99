//===- KernelParameters.cpp - The kernel ABI -----------------------------===//

#include "tile/Runtime/KernelParameters.h"

#include "tile/Dialect/Tile/FixedLayout.h"
#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

static LogicalResult addMemRef(Operation *op, MemRefType type,
                               const MemRef &memref, uint64_t address,
                               SmallVectorImpl<KernelParameter> &parameters) {
  FailureOr<FixedLayout> layout = getFixedLayout(type);
  if (failed(layout))
    return op->emitError("a kernel argument of type ")
           << type << " has no strided layout";
  tilec::forEachParameter(layout->getShape(), getView(memref),
                          static_cast<int64_t>(address), [&](int64_t value) {
                            parameters.push_back(
                                {{static_cast<uint64_t>(value)}});
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
      parameters.push_back(*map);
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
        {{scalar.getBits(0), (scalar.type.memoryBits() + 7) / 8}});
  }
  return parameters;
}

tilec::KernelLaunch
mlir::tile::getKernelLaunch(const LaunchRequest &request,
                            ArrayRef<KernelParameter> parameters) {
  gpu::LaunchFuncOp op = request.op;
  tilec::KernelLaunch launch;
  launch.kernel = op.getKernelName().str();
  launch.grid = request.grid;
  launch.block = request.block;
  launch.cluster = request.cluster;
  launch.sharedBytes = request.dynamicSharedBytes;
  launch.isDependent =
      TileDialect::ProgrammaticDependentLaunchAttrHelper(op.getContext())
          .isAttrPresent(op);
  launch.parameters.assign(parameters.begin(), parameters.end());
  return launch;
}
