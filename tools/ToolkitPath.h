//===- ToolkitPath.h - Where the user keeps a CUDA toolkit ------*- C++ -*-===//

#ifndef TILE_TOOLS_TOOLKITPATH_H
#define TILE_TOOLS_TOOLKITPATH_H

#include <string>
#include <vector>

namespace mlir::tile {

/// The folders that CUDA_HOME, CUDA_PATH and CUDA_ROOT name, in this order. The
/// library looks at no environment variable; the tools hand it these.
std::vector<std::string> getToolkitsOfEnvironment();

} // namespace mlir::tile

#endif // TILE_TOOLS_TOOLKITPATH_H
