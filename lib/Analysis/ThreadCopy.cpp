//===- ThreadCopy.cpp - How threads make a copy ---------------------------===//

#include "tile/Analysis/ThreadCopy.h"

#include "tile/Dialect/Tile/CopyFacts.h"

using namespace mlir;
using namespace mlir::tile;

const tilec::CopyInstruction &tile::getThreadCopy(MemRefType source,
                                                  MemRefType dest,
                                                  int64_t accessBits,
                                                  bool mayBeUnderWay) {
  const tilec::CopyInstruction *atOnce = nullptr, *underWay = nullptr;
  for (const tilec::CopyInstruction &row : tilec::getCopyInstructions()) {
    bool isFitting = row.issuer == tilec::Issuer::Thread &&
                     !findObstacle(row, source, dest, accessBits);
    bool isAtOnce = row.completion == tilec::Completion::Immediate;
    if (isFitting)
      (isAtOnce ? atOnce : underWay) = &row;
  }
  assert(atOnce && "loads and stores copy anything");
  return mayBeUnderWay && underWay ? *underWay : *atOnce;
}
