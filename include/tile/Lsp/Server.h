//===- Server.h - A language server around upstream's -----------*- C++ -*-===//
//
// Upstream's MLIR language server knows definitions, references, symbols and
// completion, and cannot be extended (docs/decisions/0027-editor-by-proxy.md). So it runs
// as a child, and this server stands between it and the editor:
//
//     editor <--> Server <--> upstream's server     what it can do
//                   |  \----> analysis, a process   diagnostics and hovers, by
//                   |         for each text         compiling
//                   +-- texts of open documents
//
// No child can take the server down: one that crashes, hangs or takes long is replaced,
// and the editor is never kept waiting for one.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LSP_SERVER_H
#define TILE_LSP_SERVER_H

#include <cstdio>
#include <string>
#include <vector>

namespace mlir::tile {

struct ServerOptions {
  /// Command lines: the program and its arguments. Upstream's server speaks the protocol
  /// on its standard input and output.
  std::vector<std::string> upstream;
  /// Gets the document's address as a last argument and the text on standard input, and
  /// writes what `analyse` (Analysis.h) does.
  std::vector<std::string> analysis;
  /// A text whose analysis takes longer keeps what was known after parsing. Upstream's
  /// server is started again where it takes longer to answer.
  double timeLimitSeconds = 60;
};

/// Serves until the editor says `exit` or closes `in`. Returns the exit status that the
/// protocol asks for: 0 after `shutdown`, else 1.
int runServer(const ServerOptions &options, std::FILE *in, std::FILE *out);

} // namespace mlir::tile

#endif // TILE_LSP_SERVER_H
