//===- OwnElement.cpp - Fragments read at an iteration's own place --------===//

#include "tile/Dialect/Tile/OwnElement.h"

using namespace mlir;
using namespace mlir::tile;

std::optional<SmallVector<int>>
tile::getOwnElementDims(tensor::ExtractOp extract, ParallelOp loop) {
  SmallVector<int> dims;
  ArrayRef<int64_t> shape = extract.getTensor().getType().getShape();
  for (auto [index, extent] : llvm::zip_equal(extract.getIndices(), shape)) {
    auto variable = dyn_cast<BlockArgument>(index);
    if (!variable || variable.getOwner() != &loop.getBody().front())
      return std::nullopt;
    auto dim = static_cast<int>(variable.getArgNumber());
    if (loop.getShape()[dim] != extent || llvm::is_contained(dims, dim))
      return std::nullopt;
    dims.push_back(dim);
  }
  return dims;
}

tilec::FragmentLayout tile::projectLayout(const tilec::FragmentLayout &layout,
                                          ArrayRef<int> dims) {
  std::vector<int> dropped, order;
  for (int dim = 0; dim < layout.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      dropped.push_back(dim);
  SmallVector<int> sorted(dims);
  llvm::sort(sorted);
  for (int dim : dims)
    order.push_back(static_cast<int>(llvm::find(sorted, dim) - sorted.begin()));
  return layout.dropDims(dropped).transpose(order);
}
