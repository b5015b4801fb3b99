//===- Progress.h - A line on runs that take long ---------------*- C++ -*-===//
//
// Says on standard error what is running once it has run for two seconds, so
// that nobody wonders whether anything happens. Quick runs print nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TILERUN_PROGRESS_H
#define TILE_TOOLS_TILERUN_PROGRESS_H

#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace mlir::tile {

class Progress {
public:
  explicit Progress(std::string activity)
      : thread([this, activity = std::move(activity)] {
          std::unique_lock lock(mutex);
          if (!done.wait_for(lock, std::chrono::seconds(2),
                             [this] { return isDone; }))
            llvm::errs() << "tile-run: " << activity << " ...\n";
        }) {}
  ~Progress() {
    {
      std::lock_guard lock(mutex);
      isDone = true;
    }
    done.notify_one();
    thread.join();
  }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

private:
  std::mutex mutex;
  std::condition_variable done;
  bool isDone = false;
  std::thread thread;
};

} // namespace mlir::tile

#endif // TILE_TOOLS_TILERUN_PROGRESS_H
