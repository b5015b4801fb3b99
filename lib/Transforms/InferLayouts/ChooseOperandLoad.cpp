//===- ChooseOperandLoad.cpp - How operands come from shared memory -------===//
//
// An operand that an instruction takes in registers and that lies in shared
// memory is loaded by `ldmatrix`, as many matrices at once as its tiles allow,
// where rows of 16 bytes lie together along K, as registers have them; with
// `.trans`, for 16-bit elements and pairs of bytes (BytePairs.h), where they do along
// M or N. Elsewhere its elements are loaded one by one, or a register's at once
// where those lie together.
//
//===----------------------------------------------------------------------===//

#include "LaunchLayouts.h"

#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/MatrixLoads.h"

using namespace mlir;
using namespace mlir::tile;

/// The row of ldmatrix for `count` matrices.
static const tilec::CopyInstruction *
findMatrixLoad(const tilec::GpuTarget &target, int64_t count,
               bool isTransposed) {
  for (const tilec::CopyInstruction *row : tilec::findCopyInstructions(
           target, tilec::MemorySpace::Shared, tilec::MemorySpace::Registers))
    if (row->matrixCount == count && row->isTransposed == isTransposed)
      return row;
  return nullptr;
}

/// The row for loads by each thread.
static const tilec::CopyInstruction *
findThreadLoad(const tilec::GpuTarget &target) {
  for (const tilec::CopyInstruction *row : tilec::findCopyInstructions(
           target, tilec::MemorySpace::Shared, tilec::MemorySpace::Registers))
    if (row->issuer == tilec::Issuer::Thread)
      return row;
  llvm_unreachable("every chip has loads");
}

OperandLoadAttr mlir::tile::chooseOperandLoad(LayoutContext &context,
                                              Value buffer,
                                              const ProductOperand &operand) {
  MLIRContext *mlirContext = context.launch.getContext();
  auto type = cast<MemRefType>(buffer.getType());
  int64_t bits = getMemoryBits(type.getElementType());
  int64_t dimOfK = operand.isSwapped ? 0 : 1;
  auto liesTogether = [&](int64_t dim, int64_t count) {
    return isSharedGroupContiguous(context.facts, buffer, dim, count);
  };
  auto get = [&](const tilec::CopyInstruction &row, int64_t width) {
    return OperandLoadAttr::get(mlirContext,
                                InstructionAttr::get(mlirContext, row), width);
  };
  if (operand.isPaired) {
    int64_t blocks = operand.atom.getShape()[1] / tilec::pairedElements;
    const tilec::CopyInstruction *row =
        findMatrixLoad(context.target, 2 * blocks, /*isTransposed=*/true);
    if (row && liesTogether(1 - dimOfK, row->accessBytes.front()))
      return get(*row, row->accessBytes.front());
  }
  // Registers of 32 bits as they lie in memory are what a matrix is made of, whose rows
  // are not those of pairs.
  bool areWords = operand.traits->registerBits == 32 &&
                  bits * operand.traits->elementsPerRegister == 32;
  if (areWords && !operand.isPaired) {
    tilec::OperandTiles tiles(operand.layout, operand.atom,
                              operand.traits->elementsPerRegister);
    for (bool isTransposed : {false, true}) {
      const tilec::CopyInstruction *row =
          findMatrixLoad(context.target, tiles.getLargestGroup(), isTransposed);
      if (!row || (isTransposed && bits != 16))
        continue;
      int64_t rowElements = row->accessBytes.front() * 8 / bits;
      if (liesTogether(isTransposed ? 1 - dimOfK : dimOfK, rowElements))
        return get(*row, rowElements);
    }
  }
  int64_t perRegister = operand.traits->elementsPerRegister;
  bool isWord = perRegister > 1 && liesTogether(dimOfK, perRegister);
  return get(*findThreadLoad(context.target), isWord ? perRegister : 1);
}

void mlir::tile::applyOperandLoads(LayoutContext &context,
                                   MatrixProductOpInterface product,
                                   const tilec::GemmPlan &plan) {
  const tilec::MatrixInstruction &row = *plan.instruction;
  Value a = product.getA(), b = product.getB();
  auto isLoaded = [](Value value, const tilec::MatrixOperand &operand) {
    return isa<MemRefType>(value.getType()) &&
           operand.space == tilec::OperandSpace::Registers;
  };
  if (isLoaded(a, row.a))
    product.setLoadAAttr(chooseOperandLoad(
        context, a,
        {&row.a, plan.a, row.a.layout, product.getTransposeA(), plan.pairs.a}));
  if (isLoaded(b, row.b))
    product.setLoadBAttr(chooseOperandLoad(
        context, b,
        {&row.b, plan.b.transpose({1, 0}), row.b.layout.transpose({1, 0}),
         !product.getTransposeB(), plan.pairs.b}));
}
