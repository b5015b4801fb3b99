//===- Upstream.h - Upstream's server as a child ----------------*- C++ -*-===//

#ifndef TILE_LIB_LSP_UPSTREAM_H
#define TILE_LIB_LSP_UPSTREAM_H

#include "Child.h"
#include "Outbox.h"

#include <atomic>
#include <cstdio>
#include <functional>

namespace mlir::tile {

/// Reads messages of the protocol until the end of `file`; what is no JSON object is
/// skipped.
void readMessages(std::FILE *file,
                  const std::function<bool(llvm::json::Object)> &handle);

/// Upstream's server, and the thread that reads what it says.
class Upstream {
public:
  using Handler = std::function<void(llvm::json::Object)>;

  /// `onEnd` is called from the reading thread when the process is gone.
  Upstream(const std::vector<std::string> &command, Handler onMessage,
           std::function<void()> onEnd);
  ~Upstream();

  void send(const llvm::json::Value &message) { outbox.send(message); }
  bool isAlive() const { return alive; }
  /// Lets it come to its own end, after `exit` was sent.
  void finish();

private:
  Child child;
  Outbox outbox;
  std::atomic<bool> alive;
  std::thread reader;
};

} // namespace mlir::tile

#endif // TILE_LIB_LSP_UPSTREAM_H
