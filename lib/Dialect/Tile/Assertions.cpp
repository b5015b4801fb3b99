//===- Assertions.cpp - What a trap of a kernel means ---------------------===//

#include "tile/Dialect/Tile/Assertions.h"

#include "tile/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace mlir::tile;

llvm::StringMap<std::string> tile::findAssertions(ModuleOp source) {
  llvm::StringMap<std::string> messages;
  auto add = [&](Operation *op, const Twine &message) {
    if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
      messages[(place.getFilename().getValue() + ":" + Twine(place.getLine()) +
                ":" + Twine(place.getColumn()))
                   .str()] = message.str();
  };
  source.walk(
      [&](AssertOp op) { add(op, "assertion failed: " + op.getMessage()); });
  source.walk([&](AssumeDivisibleOp op) {
    add(op, "assumption violated: not divisible by " +
                Twine(static_cast<int64_t>(op.getDivisor())));
  });
  source.walk([&](AssumeOp op) {
    add(op, "assumption violated: the memref's sizes, strides or address are "
            "not as stated");
  });
  return messages;
}
