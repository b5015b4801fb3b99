//===- ToolkitPath.h - Where the user keeps a CUDA toolkit ------*- C++ -*-===//

#ifndef TILE_TOOLS_TOOLKITPATH_H
#define TILE_TOOLS_TOOLKITPATH_H

#include "tile/Target/PTX/Ptxas.h"

namespace mlir::tile {

/// The folders that CUDA_HOME, CUDA_PATH and CUDA_ROOT name, in this order; a
/// CUDA_HOME that is set and empty says that there is no toolkit. The library
/// looks at no environment variable; the tools hand it this.
ToolkitSearch getToolkitsOfEnvironment();

} // namespace mlir::tile

#endif // TILE_TOOLS_TOOLKITPATH_H
