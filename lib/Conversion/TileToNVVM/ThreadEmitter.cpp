//===- ThreadEmitter.cpp - The walk over a kernel -------------------------===//

#include "ThreadEmitter.h"

#include "tile/Dialect/Tile/MemRefRoots.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::FragmentLayout;

LogicalResult ThreadEmitter::emitBlock(Block &block) {
  auto end = block.mightHaveTerminator() ? block.getTerminator()->getIterator()
                                         : block.end();
  return emitOperations(llvm::make_range(block.begin(), end));
}

LogicalResult
ThreadEmitter::emitOperations(llvm::iterator_range<Block::iterator> ops) {
  for (Operation &op : ops) {
    loc = op.getLoc();
    const LoweringTable::Lowering *lower = table.find(&op);
    if (!lower)
      return notImplemented(&op, "'" + op.getName().getStringRef() +
                                     "' in a kernel");
    if (failed((*lower)(*this, &op)))
      return failure();
  }
  return success();
}

const FragmentLayout &ThreadEmitter::getLayout(FragmentAttr attr) {
  std::unique_ptr<FragmentLayout> &layout = layouts[attr];
  if (!layout)
    layout = std::make_unique<FragmentLayout>(attr.getLayout());
  return *layout;
}

const FragmentLayout &ThreadEmitter::getLayout(Type fragmentType) {
  return getLayout(getFragment(fragmentType));
}

const FragmentLayout &ThreadEmitter::getLayout(Value fragment) {
  return getLayout(fragment.getType());
}

bool ThreadEmitter::isReadOnly(Value memref) {
  return llvm::all_of(getMemRefRoots(memref), [&](Value root) {
    auto argument = dyn_cast<BlockArgument>(root);
    return argument && argument.getOwner() == &kernel.getBody().front() &&
           isUnaliased[argument.getArgNumber()];
  });
}
