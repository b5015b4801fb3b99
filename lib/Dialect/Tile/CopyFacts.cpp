//===- CopyFacts.cpp - What an instruction can copy -----------------------===//

#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/TileSide.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;

tilec::MemorySpace tile::getMemorySpace(MemRefType type) {
  return isSharedMemory(type) ? tilec::MemorySpace::Shared
                              : tilec::MemorySpace::Global;
}

std::optional<std::string> tile::findObstacle(const tilec::CopyInstruction &row,
                                              MemRefType source,
                                              MemRefType dest,
                                              int64_t accessBits) {
  std::string reason;
  llvm::raw_string_ostream stream(reason);
  bool converts = source.getElementType() != dest.getElementType();
  if (!includes(row.source, getMemorySpace(source)) ||
      !includes(row.dest, getMemorySpace(dest)) ||
      (converts && !row.converts)) {
    stream << "does not move these elements between these memories: '" << source
           << "' and '" << dest << "'";
    return reason;
  }
  // What converts takes elements apart.
  if (row.converts || (accessBits % 8 == 0 && row.moves(accessBits / 8)))
    return std::nullopt;
  stream << "moves ";
  llvm::interleaveComma(row.accessBytes, stream);
  stream << " bytes an access, got " << accessBits << " bits";
  return reason;
}

int64_t tile::getSideWidth(MemRefType side, int64_t vectorWidth) {
  int64_t bits = getMemoryBits(side.getElementType());
  return std::gcd(vectorWidth,
                  std::max<int64_t>(1, tilec::maxAccessBytes * 8 / bits));
}

bool tile::isZeroPad(Value pad) {
  if (!pad || matchPattern(pad, m_Zero()))
    return true;
  // Of a type without a zero these are the bits of another number.
  FloatAttr number;
  return matchPattern(pad, m_Constant(&number)) &&
         number.getValue().bitcastToAPInt().isZero();
}
