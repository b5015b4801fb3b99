//===- TensorMapParameter.cpp - A memref as a tensor map describes it -----===//
//
// What the encoder asks of a tensor is checked here, before it, so that a
// message can name the memref, both numbers and the remedy:
//
//     address                        a multiple of 16 bytes, not null
//     strides but the innermost      multiples of 16 bytes below 2^40, each at
//                                    least what the dimension inside of it spans
//     innermost stride               1
//     sizes                          below 2^31, as coordinates are
//
// No encoder takes a size of zero. A memref without elements is described as
// one element of zeros somewhere else: all that a copy reads of it is zero then,
// and what one writes is seen by nobody. So is an image in which a kernel has no
// place.
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/KernelParameters.h"

#include "tile/Dialect/Tile/TileOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

static constexpr uint64_t globalAlignBytes = 16;
static constexpr uint64_t largestSize = INT32_MAX;
static constexpr uint64_t strideLimitBytes = uint64_t(1) << 40;

/// A reduction computes with what the map says that elements are; what is only
/// copied may be anything.
static int getElementNumber(Type type, int elementBytes) {
  if (type.isF16())
    return 6;
  if (type.isF32())
    return 7;
  if (type.isF64())
    return 8;
  if (type.isBF16())
    return 9;
  // U8, U16, U32, S32, U64.
  return elementBytes == 8 ? 4 : static_cast<int>(llvm::Log2_32(elementBytes));
}

int TensorMapParameter::getSwizzleNumber() const {
  return swizzleBytes == 0 ? 0
                           : static_cast<int>(llvm::Log2_32(swizzleBytes / 16));
}

/// One element of zeros for a tensor that has none.
static void describeZeros(EncodeTensorMapOp op, GetBufferAddress getAddress,
                          TensorMapParameter &map) {
  map.buffer = std::make_shared<Buffer>("zeros of an empty tensor", op.getLoc(),
                                        globalAlignBytes,
                                        /*granuleBits=*/8);
  map.offsetBytes = 0;
  map.address = getAddress(map.buffer);
  for (int dim = 0; dim < map.rank; ++dim) {
    map.dims[dim] = 1;
    if (dim > 0)
      map.stridesBytes[dim - 1] = globalAlignBytes;
  }
  std::ranges::fill(map.lowerCorner, 0);
  std::ranges::fill(map.upperCorner, 0);
}

/// Fills what copies in im2col mode are told.
static void addPixels(EncodeTensorMapOp op, TensorMapParameter &map) {
  map.isIm2Col = true;
  for (int dim = 1; dim + 1 < map.rank; ++dim) {
    int entry = map.rank - 2 - dim;
    map.lowerCorner[dim - 1] = static_cast<int>((*op.getLower())[entry]);
    map.upperCorner[dim - 1] = static_cast<int>((*op.getUpper())[entry]);
    map.elementStrides[dim] = static_cast<uint32_t>((*op.getStrides())[entry]);
  }
}

/// Whether a copy by `map` reads no element of `memref`.
static bool isEmpty(const MemRef &memref, const TensorMapParameter &map) {
  bool isEmpty = llvm::is_contained(memref.sizes, 0);
  for (int dim = 1; map.isIm2Col && dim + 1 < map.rank; ++dim)
    isEmpty |= memref.sizes[map.rank - 1 - dim] + map.upperCorner[dim - 1] <=
               map.lowerCorner[dim - 1];
  return isEmpty;
}

/// Whether a tensor map can have the address of `map`.
static LogicalResult checkAddress(EncodeTensorMapOp op,
                                  const TensorMapParameter &map) {
  if (map.address % globalAlignBytes == 0)
    return success();
  return op.emitOpError("needs an address that is a multiple of ")
         << globalAlignBytes << " bytes, and buffer '" << map.buffer->name
         << "' with its offset of " << map.offsetBytes << " bytes is at "
         << map.address
         << "; align the view, or the allocation by 'tile.align'";
}

/// Fills dimension `dim` of `map`, whose dimensions inside of it span
/// `spanBytes`.
static LogicalResult addDim(EncodeTensorMapOp op, int64_t size, int64_t stride,
                            int dim, uint64_t &spanBytes,
                            TensorMapParameter &map) {
  int64_t memrefDim = map.rank - 1 - dim;
  if (static_cast<uint64_t>(size) > largestSize)
    return op.emitOpError("describes at most ")
           << largestSize << " elements along a dimension, and there are "
           << size << " along dimension " << memrefDim
           << "; split the memref into views";
  map.dims[dim] = size;
  if (dim == 0) {
    if (stride != 1 && size != 1)
      return op.emitOpError("needs an innermost stride of 1, and it is ")
             << stride << "; copy the memref to one whose rows lie together";
    spanBytes = size * map.elementBytes;
    return success();
  }
  uint64_t bytes = static_cast<uint64_t>(stride) * map.elementBytes;
  // Nobody takes a step along it.
  if (size == 1)
    bytes = llvm::alignTo(spanBytes, globalAlignBytes);
  if (bytes % globalAlignBytes != 0 || bytes >= strideLimitBytes)
    return op.emitOpError("needs strides that are multiples of ")
           << globalAlignBytes << " bytes below 2^40, and that of dimension "
           << memrefDim << " is " << static_cast<int64_t>(bytes)
           << " bytes; pad the rows of the memref";
  if (bytes < spanBytes)
    return op.emitOpError("needs dimensions that lie in each other, and the "
                          "stride of dimension ")
           << memrefDim << ", " << bytes << " bytes, is less than the "
           << spanBytes << " bytes of the dimensions inside of it; write them "
           << "in the order of their strides, outermost first";
  map.stridesBytes[dim - 1] = bytes;
  spanBytes = bytes * size;
  return success();
}

FailureOr<TensorMapParameter>
tile::getTensorMapParameter(Operation *launch, Value operand,
                            const MemRef &memref, GetBufferAddress getAddress) {
  auto op = operand.getDefiningOp<EncodeTensorMapOp>();
  if (!op)
    return launch->emitError("a tensor map of a kernel is made by another "
                             "operation than 'tile.encode_tensor_map'");
  TensorMapParameter map;
  map.rank = static_cast<int>(memref.getRank());
  map.elementBytes = static_cast<int>(memref.element.memoryBits() / 8);
  map.elementNumber = getElementNumber(
      cast<MemRefType>(op.getSource().getType()).getElementType(),
      map.elementBytes);
  map.swizzleBytes = static_cast<int>(op.getSwizzle());
  for (auto [dim, extent] : llvm::enumerate(llvm::reverse(op.getBox())))
    map.box[dim] = static_cast<uint32_t>(extent);
  if (op.isIm2Col())
    addPixels(op, map);
  if (isEmpty(memref, map)) {
    describeZeros(op, getAddress, map);
    return map;
  }
  map.buffer = memref.buffer;
  map.offsetBytes = memref.offset * map.elementBytes;
  map.address = getAddress(memref.buffer) + map.offsetBytes;
  if (failed(checkAddress(op, map)))
    return failure();
  uint64_t spanBytes = 0;
  for (int dim = 0; dim < map.rank; ++dim) {
    int64_t memrefDim = map.rank - 1 - dim;
    if (failed(addDim(op, memref.sizes[memrefDim], memref.strides[memrefDim],
                      dim, spanBytes, map)))
      return failure();
  }
  return map;
}
