//===- ArgumentNames.cpp - What a text calls arguments --------------------===//

#include "ArgumentNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tile;

/// The name behind the `%` that stands at `place`; empty where none does.
static StringRef readName(llvm::SourceMgr &sources, FileLineColLoc place) {
  unsigned buffer = sources.getMainFileID();
  if (place.getFilename() !=
      sources.getMemoryBuffer(buffer)->getBufferIdentifier())
    return "";
  const char *begin =
      sources
          .FindLocForLineAndColumn(buffer, place.getLine(), place.getColumn())
          .getPointer();
  if (!begin || *begin != '%')
    return "";
  StringRef rest(begin + 1,
                 sources.getMemoryBuffer(buffer)->getBufferEnd() - (begin + 1));
  return rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
}

void tile::nameArguments(ModuleOp module, llvm::SourceMgr &sources) {
  module.walk([&](func::FuncOp function) {
    for (BlockArgument argument : function.getArguments()) {
      auto place = dyn_cast<FileLineColLoc>(argument.getLoc());
      StringRef name = place ? readName(sources, place) : "";
      if (!name.empty() && !llvm::isDigit(name.front()))
        argument.setLoc(
            NameLoc::get(StringAttr::get(module.getContext(), name), place));
    }
  });
}
