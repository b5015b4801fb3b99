//===- ProductAccesses.cpp - How products read shared memory -------------===//
//
// By loads of each thread, or through a descriptor, which is another path to
// memory: the instruction's row says which. A product that is started reads its
// operands until it is waited for.
//
// An external model, as all products have one answer.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::tile;

static const tilec::MatrixInstruction *getRow(MatrixProductOpInterface op) {
  InstructionAttr instruction = op.getInstructionAttr();
  return instruction ? instruction.getMatrix() : nullptr;
}

bool tile::readsThroughDescriptors(MatrixProductOpInterface product) {
  const tilec::MatrixInstruction *row = getRow(product);
  return row && row->b.space == tilec::OperandSpace::SharedByDescriptor;
}

/// Whether `use`, an operand of `product`, is read by the instruction itself.
static bool isReadByInstruction(MatrixProductOpInterface product,
                                OpOperand &use,
                                const tilec::MatrixInstruction &row) {
  if (&use == product.getMetadata())
    return false;
  bool isA = &use == &product.getAMutable();
  return (isA ? row.a : row.b).space == tilec::OperandSpace::SharedByDescriptor;
}

namespace {
template <typename ProductT>
struct ProductAccesses final
    : BlockAccessOpInterface::ExternalModel<ProductAccesses<ProductT>,
                                            ProductT> {
  void getBlockAccesses(Operation *op,
                        SmallVectorImpl<BlockAccess> &accesses) const {
    auto product = cast<MatrixProductOpInterface>(op);
    const tilec::MatrixInstruction *row = getRow(product);
    for (OpOperand &use : op->getOpOperands()) {
      if (!isa<MemRefType>(use.get().getType()))
        continue;
      BlockAccess access = BlockAccess::read(use.get());
      if (row && isReadByInstruction(product, use, *row)) {
        access.proxy = row->proxy;
        if (isa<GemmAsyncOp>(op))
          access.completion = row->completion;
      }
      accesses.push_back(access);
    }
  }
};

/// A wait gives registers. That its product has read its operands is for
/// `tile.product_wait` to say, and for releases before there is one.
struct WaitAccesses final
    : BlockAccessOpInterface::ExternalModel<WaitAccesses, WaitOp> {
  void getBlockAccesses(Operation *, SmallVectorImpl<BlockAccess> &) const {}
};
} // namespace

void tile::attachAccessesToProducts(MLIRContext *context) {
  GemmOp::attachInterface<ProductAccesses<GemmOp>>(*context);
  GemmAsyncOp::attachInterface<ProductAccesses<GemmAsyncOp>>(*context);
  GemmSparseOp::attachInterface<ProductAccesses<GemmSparseOp>>(*context);
  GemmScaledOp::attachInterface<ProductAccesses<GemmScaledOp>>(*context);
  WaitOp::attachInterface<WaitAccesses>(*context);
}
