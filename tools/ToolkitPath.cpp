//===- ToolkitPath.cpp - Where the user keeps a CUDA toolkit --------------===//

#include "ToolkitPath.h"

#include <cstdlib>

std::vector<std::string> mlir::tile::getToolkitsOfEnvironment() {
  std::vector<std::string> folders;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (const char *value = std::getenv(variable))
      folders.push_back(value);
  return folders;
}
