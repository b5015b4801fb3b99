//===- StageOperands.cpp - Operands of bytes that lie across K ------------===//
//
// A warpgroup finds elements of 8 bits in shared memory along K alone. One that lies
// across K in its buffer is transposed once for the block, through registers:
//
//     tile.gemm %a, %b        ->   %t = tile.alloc                        N x K
//       %b is K x N                %f = tile.load %b                      words along N
//                                  %g = tile.convert_layout %f
//                                  tile.store (tile.transpose %g), %t     words along K
//                                  tile.gemm %a, %t {transpose_b}
//
// A thread has blocks of 4 x 4 elements, which it exchanges for itself: byte
// permutations. By warps, that read every element from across K, it takes ptxas more
// registers than there are, as it has no 8-bit floats but converts them first.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "StageTiles.h"

#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;
using tilec::Digit;

/// The sides of a thread's block, and the lanes of a warp that have them side by side:
/// along the operand's own dimension and along K.
static constexpr int64_t blockSide = 4, lanesAcross = 4, lanesAlongK = 8;
static constexpr int64_t warpAcross = blockSide * lanesAcross,
                         warpAlongK = blockSide * lanesAlongK;

namespace {
/// An operand that lies across K: in memory it is K x `outer`.
struct Across {
  OpOperand *use;
  StringRef attribute; ///< says of the product which way the operand lies
  bool isTransposed;   ///< what it says of the buffer along K
};
} // namespace

static SmallVector<Across, 2> findAcross(MatrixProductOpInterface product) {
  SmallVector<Across, 2> operands;
  auto add = [&](OpOperand &use, StringRef attribute, bool isTransposed) {
    auto memref = dyn_cast<MemRefType>(use.get().getType());
    if (memref && getMemoryBits(memref.getElementType()) == 8 &&
        memref.getDimSize(0) % warpAlongK == 0 &&
        memref.getDimSize(1) % warpAcross == 0)
      operands.push_back({&use, attribute, isTransposed});
  };
  if (product.getTransposeA())
    add(product.getAMutable(), "transpose_a", false);
  if (!product.getTransposeB())
    add(product.getBMutable(), "transpose_b", true);
  return operands;
}

/// Blocks of an operand of `shape`, K first, over the warps of the launch; each
/// element of a block next to the one along K, or along the other dimension.
static tilec::Expected<tilec::FragmentLayout>
getBlocks(ArrayRef<int64_t> shape, int64_t warps, bool alongK) {
  int64_t across = shape[1] / warpAcross, steps = shape[0] / warpAlongK;
  int64_t warpsAcross = std::gcd(across, warps);
  int64_t warpsAlongK = std::gcd(steps, warps / warpsAcross);
  int64_t copies = warps / (warpsAcross * warpsAlongK);
  tilec::Digits registers = {{blockSide, 1, 1}, {blockSide, 0, 1}};
  if (alongK)
    std::swap(registers[0], registers[1]);
  registers.push_back({across / warpsAcross, 1, warpAcross * warpsAcross});
  registers.push_back({steps / warpsAlongK, 0, warpAlongK * warpsAlongK});
  return tilec::FragmentLayout::get(
      {shape[0], shape[1]}, registers,
      {{lanesAcross, 1, blockSide}, {lanesAlongK, 0, blockSide}},
      {{warpsAcross, 1, warpAcross},
       {warpsAlongK, 0, warpAlongK},
       {copies, Digit::replicated, 0}});
}

// Pattern: product of %b across K  ->  transposed %t, product of %t
static void transposeOperand(LayoutContext &context,
                             MatrixProductOpInterface product,
                             const Across &operand) {
  OpBuilder builder(product);
  Location loc = product.getLoc();
  auto type = cast<MemRefType>(operand.use->get().getType());
  ArrayRef<int64_t> shape = type.getShape();
  auto fragment = RankedTensorType::get(shape, type.getElementType());
  auto read = getBlocks(shape, context.warps(), /*alongK=*/false);
  auto written = getBlocks(shape, context.warps(), /*alongK=*/true);
  if (!read || !written)
    return;
  AllocOp buffer = makeStageBuffer(builder, loc, {shape[1], shape[0]},
                                   type.getElementType());
  auto load = LoadOp::create(builder, loc, withLayout(fragment, *read),
                             operand.use->get());
  auto exchange = ConvertLayoutOp::create(builder, loc,
                                          withLayout(fragment, *written), load);
  auto transpose = TransposeOp::create(
      builder, loc,
      RankedTensorType::get({shape[1], shape[0]}, type.getElementType()),
      exchange, ArrayRef<int64_t>{1, 0});
  auto store = StoreOp::create(builder, loc, transpose, buffer);
  for (Operation *op :
       {buffer.getOperation(), load.getOperation(), exchange.getOperation(),
        transpose.getOperation(), store.getOperation()})
    copyScheduleHint(product, op);
  operand.use->set(buffer);
  if (operand.isTransposed)
    product->setAttr(operand.attribute, builder.getUnitAttr());
  else
    product->removeAttr(operand.attribute);
  reportThreads(context, product, remark::RemarkOpts::name("TransposedOperand"),
                "operand " + std::to_string(operand.use->getOperandNumber()) +
                    " lies across K, where a warpgroup finds no elements of 8 "
                    "bits; threads transpose it in shared memory each time, "
                    "which '" +
                    operand.attribute.str() + "' the other way round saves");
}

static void stageOperands(LayoutContext &context,
                          MatrixProductOpInterface product) {
  SmallVector<Across, 2> operands = findAcross(product);
  if (operands.empty() || !product.getScales().empty())
    return;
  auto choice = chooseWarpgroupProduct(context, product);
  if (!choice || !*choice)
    return;
  int64_t bytes = 0, slots = getMostStages(context, product);
  for (const Across &operand : operands)
    bytes += getBufferBytes(cast<MemRefType>(operand.use->get().getType()));
  if (findRoomObstacle(context, bytes, [&](AllocOp) { return slots; }))
    return;
  for (const Across &operand : operands)
    transposeOperand(context, product, operand);
}

void mlir::tile::stageOperands(LayoutContext &context) {
  SmallVector<MatrixProductOpInterface> products;
  context.launch.walk(
      [&](MatrixProductOpInterface product) { products.push_back(product); });
  for (MatrixProductOpInterface product : products)
    ::stageOperands(context, product);
}
