//===- Analyses.h - Analyses of documents, one after the other --*- C++ -*-===//

#ifndef TILE_LIB_LSP_ANALYSES_H
#define TILE_LIB_LSP_ANALYSES_H

#include "Child.h"

#include "llvm/Support/JSON.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace mlir::tile {

/// Runs an analysis of each text that it is given, in a process of its own. A newer text
/// of a document ends the analysis of an older one; a text is looked at when nobody has
/// typed for a moment.
class Analyses {
public:
  /// Called from the thread of the analyses, for each object that one prints (Analysis.h).
  using Receiver = std::function<void(const std::string &uri, int64_t version,
                                      llvm::json::Object result)>;

  Analyses(std::vector<std::string> command, double timeLimitSeconds,
           Receiver receiver);
  ~Analyses();

  void start(const std::string &uri, int64_t version, std::string text);
  /// Forgets a document.
  void cancel(const std::string &uri);

private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    std::string text;
    int64_t version = 0;
    Clock::time_point due;
  };

  void run();
  void analyse(const std::string &uri, const Job &job);
  /// Reads lines until the end; false where the job was cancelled or is late.
  bool readResults(Child &child, const std::string &uri, const Job &job,
                   llvm::json::Object &last);
  bool isCancelled(const std::string &uri, int64_t version);

  std::vector<std::string> command;
  double timeLimitSeconds;
  Receiver receiver;

  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, Job> waiting;      ///< by document
  std::map<std::string, int64_t> versions; ///< the newest of open documents
  bool isEnding = false;
  std::thread thread;
};

} // namespace mlir::tile

#endif // TILE_LIB_LSP_ANALYSES_H
