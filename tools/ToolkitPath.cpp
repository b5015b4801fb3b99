//===- ToolkitPath.cpp - Where the user keeps a CUDA toolkit --------------===//

#include "ToolkitPath.h"

#include <cstdlib>

mlir::tile::ToolkitSearch mlir::tile::getToolkitsOfEnvironment() {
  ToolkitSearch search;
  const char *home = std::getenv("CUDA_HOME");
  search.isDenied = home && !*home;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (const char *value = std::getenv(variable))
      search.folders.push_back(value);
  return search;
}
