//===- Outbox.h - Messages on their way out ---------------------*- C++ -*-===//

#ifndef TILE_LIB_LSP_OUTBOX_H
#define TILE_LIB_LSP_OUTBOX_H

#include "llvm/Support/JSON.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace mlir::tile {

/// Writes messages in a thread of its own, so that a reader that is slow, or hangs, keeps
/// nobody waiting. Messages to a closed file are lost.
class Outbox {
public:
  explicit Outbox(int file);
  /// Writes what is left, unless `drop` was called.
  ~Outbox();
  void send(const llvm::json::Value &message);
  /// Forgets what is not written yet.
  void drop();

private:
  void run();

  int file;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> messages;
  bool isEnding = false;
  std::thread thread;
};

} // namespace mlir::tile

#endif // TILE_LIB_LSP_OUTBOX_H
