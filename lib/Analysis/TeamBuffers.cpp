//===- TeamBuffers.cpp - What each team keeps in shared memory ------------===//

#include "tile/Analysis/TeamBuffers.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;

bool tile::isOfTeam(Value memref) {
  return llvm::none_of(memref.getUsers(), [](Operation *user) {
    return llvm::any_of(user->getResultTypes(), llvm::IsaPred<RingType>);
  });
}

int64_t tile::getTeamStride(const tilec::SharedLayout &layout) {
  return llvm::alignTo(layout.getSizeBytes(), layout.getAlignmentBytes());
}
