//===- TileOps.cpp - The operations' generated definitions ----------------===//
//
// Everything that is not generated is in the file of its family: syntax, sides,
// verifiers, folders.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileOps.h"

#include "Syntax/CustomSyntax.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tile;

#include "tile/Dialect/Tile/TileInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "tile/Dialect/Tile/TileOps.cpp.inc"

void TileDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "tile/Dialect/Tile/TileOps.cpp.inc"
      >();
}
