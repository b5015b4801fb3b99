//===- Outlined.cpp - Stage `outlined` ------------------------------------===//
//
// A launch has become a `gpu.func` kernel in a `gpu.module`: its block size is
// known, its parameters are final, and the operations of the block are still
// inside. What is checked for a launch body is checked again here, as there is
// no launch to do it. Established by tile-outline-kernels.
//
//===----------------------------------------------------------------------===//

#include "StagePredicates.h"

#include "../Verify/BodyVerifier.h"

#include "tile/Dialect/Tile/TileTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::tile;

LogicalResult tile::verifyOutlined(const StagedCode &code) {
  auto kernel = dyn_cast<gpu::GPUFuncOp>(code.owner);
  if (!kernel || !kernel.isKernel())
    return emitStageError(code.owner, Stage::Outlined)
           << "it is not a 'gpu.func' with 'kernel'";
  if (failed(verifyThreadCount(kernel, code.threads)))
    return failure();
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(type);
    if (isa<RankedTensorType>(type) || (memref && isSharedMemory(memref)))
      return emitStageError(kernel, Stage::Outlined)
             << "parameter " << index << " of type " << type
             << " is neither a scalar nor a memref in global memory";
  }
  BodyVerifier verifier(kernel, code.threads, Stage::Outlined);
  return verifier.verify(*code.body, Place::Kernel);
}
