//===- MatrixProduct.cpp - Facts about matrix products --------------------===//

#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"

using namespace mlir;
using namespace mlir::tile;

static std::optional<tilec::ElementKind>
getElementKind(Type type, bool isUnsigned, bool isTF32) {
  using tilec::ElementKind;
  if (type.isF64())
    return ElementKind::F64;
  if (type.isF32())
    return isTF32 ? ElementKind::TF32 : ElementKind::F32;
  if (type.isF16())
    return ElementKind::F16;
  if (type.isBF16())
    return ElementKind::BF16;
  if (isa<Float8E4M3FNType>(type))
    return ElementKind::E4M3;
  if (isa<Float8E5M2Type>(type))
    return ElementKind::E5M2;
  if (isa<Float6E2M3FNType>(type))
    return ElementKind::E2M3;
  if (isa<Float6E3M2FNType>(type))
    return ElementKind::E3M2;
  if (isa<Float4E2M1FNType>(type))
    return ElementKind::E2M1;
  if (type.isInteger(8))
    return isUnsigned ? ElementKind::U8 : ElementKind::S8;
  if (type.isInteger(32))
    return ElementKind::S32;
  return std::nullopt;
}

std::optional<ProductKinds>
tile::getProductKinds(MatrixProductOpInterface product) {
  auto a = getElementKind(product.getElementTypeA(), product.isUnsignedA(),
                          product.isTF32());
  auto b = getElementKind(product.getElementTypeB(), product.isUnsignedB(),
                          product.isTF32());
  auto accumulator = getElementKind(product.getAccumulatorType(), false, false);
  if (!a || !b || !accumulator)
    return std::nullopt;
  return ProductKinds{*a, *b, *accumulator};
}

bool tile::fitsOperands(const tilec::MatrixInstruction &row,
                        MatrixProductOpInterface product) {
  std::optional<ProductKinds> kinds = getProductKinds(product);
  std::optional<tilec::BlockScaling> scaling = getBlockScaling(product);
  return kinds && kinds->a == row.kindA && kinds->b == row.kindB &&
         kinds->accumulator == row.kindAccumulator &&
         (!row.scaling || !scaling || row.scaling->kind == scaling->kind) &&
         row.isSparse() == (product.getMetadata() != nullptr);
}

bool tile::isOfWarps(MatrixProductOpInterface product) {
  InstructionAttr instruction = product.getInstructionAttr();
  const tilec::MatrixInstruction *row =
      instruction ? instruction.getMatrix() : nullptr;
  return row && row->participants == tilec::Participants::Warp;
}

std::optional<tilec::BlockScaling>
tile::getBlockScaling(MatrixProductOpInterface product) {
  SmallVector<OpOperand *, 2> scales = product.getScales();
  if (scales.empty())
    return std::nullopt;
  auto getType = [](OpOperand *use) {
    return cast<ShapedType>(use->get().getType()).getElementType();
  };
  Type type = getType(scales.front());
  if (type != getType(scales.back()))
    return std::nullopt;
  // f8E4M3FN has a sign, which is the elements' to the instruction.
  return tilec::BlockScaling{isa<Float8E8M0FNUType>(type)
                                 ? tilec::ElementKind::UE8M0
                                 : tilec::ElementKind::UE4M3,
                             product.getScaleBlock()};
}

bool tile::sharesBytesAcross(Value operand, bool isAlongK) {
  auto memref = dyn_cast<MemRefType>(operand.getType());
  return memref && !isAlongK && getMemoryBits(memref.getElementType()) < 8;
}

std::vector<const tilec::MatrixInstruction *>
tile::findScaledInstructions(MatrixProductOpInterface product,
                             const tilec::GpuTarget &target) {
  std::optional<ProductKinds> kinds = getProductKinds(product);
  std::optional<tilec::BlockScaling> scaling = getBlockScaling(product);
  if (!kinds || !scaling ||
      sharesBytesAcross(product.getA(), !product.getTransposeA()) ||
      sharesBytesAcross(product.getB(), product.getTransposeB()))
    return {};
  auto rows = tilec::findScaledInstructions(target, kinds->a, kinds->b,
                                            kinds->accumulator, *scaling);
  std::erase_if(rows,
                [&](const auto *row) { return product.getK() % row->k != 0; });
  return rows;
}

tilec::BytePairs tile::getWantedPairs(MatrixProductOpInterface product) {
  // Metadata and scales are of rows in their order.
  if (product.getMetadata() || product.getScaleBlock() != 0)
    return {};
  auto isOfBytes = [](Value operand) {
    auto memref = dyn_cast<MemRefType>(operand.getType());
    return memref && getMemoryBits(memref.getElementType()) == 8;
  };
  return {product.getTransposeA() && isOfBytes(product.getA()),
          !product.getTransposeB() && isOfBytes(product.getB())};
}

tilec::Expected<tilec::GemmPlan>
tile::getProductPlan(MatrixProductOpInterface product) {
  InstructionAttr instruction = product.getInstructionAttr();
  DenseI64ArrayAttr grid = product.getWarpGridAttr();
  const tilec::MatrixInstruction *row =
      instruction ? instruction.getMatrix() : nullptr;
  if (!row || !grid || grid.size() != 2)
    return tilec::Failure{"no matrix instruction and grid of warps are chosen"};
  return tilec::planGemm(*row, product.getM(), product.getN(), product.getK(),
                         grid[0], grid[1], product.getScaleBlock(),
                         getWantedPairs(product));
}
