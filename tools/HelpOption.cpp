//===- HelpOption.cpp - --help and --version of a tool --------------------===//

#include "HelpOption.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir::tile;
using llvm::StringRef;

bool mlir::tile::printHelpOrVersion(int argc, char **argv, StringRef name,
                                    StringRef help) {
  auto end = std::find(argv, argv + argc, StringRef("--"));
  auto hasWord = [&](StringRef word) {
    return std::find(argv, end, word) != end;
  };
  if (hasWord("--help") || hasWord("-h")) {
    llvm::outs() << help;
    return true;
  }
  if (hasWord("--version")) {
    llvm::outs() << name << " " << TILE_VERSION << " (LLVM "
                 << LLVM_VERSION_STRING << ")\n";
    return true;
  }
  return false;
}
