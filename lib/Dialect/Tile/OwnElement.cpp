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
