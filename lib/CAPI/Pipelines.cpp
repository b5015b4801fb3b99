//===- Pipelines.cpp - Passes and pipelines, in C -------------------------===//

#include "tile-c/Compile.h"

#include "tile/Pipeline/Pipeline.h"

#include <mutex>

void tileRegisterPasses(void) {
  static std::once_flag once;
  std::call_once(once, mlir::tile::registerTilePipelines);
}
