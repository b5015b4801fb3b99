//===- Output.cpp - Text to a file or an error that names it --------------===//

#include "Output.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

int tile::fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

int tile::writeOutput(llvm::StringRef path, llvm::StringRef text) {
  std::string message;
  auto output = openOutputFile(path, &message);
  if (!output)
    return fail(message);
  llvm::raw_fd_ostream &os = output->os();
  os << text;
  os.flush();
  if (os.has_error()) {
    std::string reason = os.error().message();
    os.clear_error(); // else the end of the stream aborts
    return path == "-" ? fail("cannot write standard output: " + reason)
                       : fail("cannot write '" + path + "': " + reason);
  }
  output->keep();
  return 0;
}
