//===- TensorMapParameter.cpp - A memref as a tensor map describes it -----===//
//
// What an operation says of a memref, for the rules of tile/Contract/TensorMaps.h.
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/KernelParameters.h"

#include "tile/Dialect/Tile/TensorMapShape.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

/// The element of zeros that a tensor without any is described as.
static std::shared_ptr<Buffer> makeZeros(EncodeTensorMapOp op) {
  return std::make_shared<Buffer>("zeros of an empty tensor", op.getLoc(),
                                  tilec::TensorDescription::alignBytes,
                                  /*granuleBits=*/8);
}

FailureOr<KernelParameter>
tile::getTensorMapParameter(Operation *launch, Value operand,
                            const MemRef &memref, GetBufferAddress getAddress) {
  auto op = operand.getDefiningOp<EncodeTensorMapOp>();
  if (!op)
    return launch->emitError("a tensor map of a kernel is made by another "
                             "operation than 'tile.encode_tensor_map'");
  tilec::MemRefView view = getView(memref);
  KernelParameter parameter;
  parameter.sizeBytes = tilec::TensorDescription::sizeBytes;
  tilec::TensorDescription &map = parameter.map.emplace(
      tilec::TensorDescription::get(getTensorMapShape(op), view.elementBits));
  if (map.isEmptyFor(view)) {
    parameter.buffer = makeZeros(op);
    map.describeZeros(getAddress(parameter.buffer));
    return parameter;
  }
  parameter.buffer = memref.buffer;
  parameter.offsetBytes = memref.offset * map.elementBytes;
  if (std::string problem =
          map.describe(view, getAddress(memref.buffer) + parameter.offsetBytes,
                       memref.buffer->name);
      !problem.empty())
    return op.emitOpError(problem);
  return parameter;
}
