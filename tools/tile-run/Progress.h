//===- Progress.h - Lines on runs that take long ----------------*- C++ -*-===//
//
// Says on standard error what is running once it has run for two seconds, and
// every ten seconds how far it is and how long it will take if it goes on so.
// Quick runs print nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TILERUN_PROGRESS_H
#define TILE_TOOLS_TILERUN_PROGRESS_H

#include "tile/Reference/Interpreter.h"

#include "llvm/Support/Format.h"
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
      : activity(std::move(activity)), thread([this] { watch(); }) {}
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

  /// What the run counts its blocks in.
  reference::RunProgress blocks;

private:
  using Clock = std::chrono::steady_clock;

  void watch() {
    Clock::time_point begin = Clock::now();
    std::unique_lock lock(mutex);
    std::chrono::seconds pause(2);
    while (!done.wait_for(lock, pause, [this] { return isDone; })) {
      std::chrono::duration<double> passed = Clock::now() - begin;
      llvm::errs() << "tile-run: " << activity << " ..."
                   << describe(passed.count()) << "\n";
      pause = std::chrono::seconds(10);
    }
  }

  /// " 37 of 128 blocks, about 50 s left"
  std::string describe(double seconds) const {
    int64_t all = blocks.blocks, finished = blocks.finishedBlocks;
    if (finished == 0 || finished >= all)
      return "";
    double left = seconds * static_cast<double>(all - finished) /
                  static_cast<double>(finished);
    std::string text;
    llvm::raw_string_ostream(text)
        << " " << finished << " of " << all << " blocks, about "
        << llvm::format("%.0f s left", left);
    return text;
  }

  std::string activity;
  std::mutex mutex;
  std::condition_variable done;
  bool isDone = false;
  std::thread thread; ///< the last member: it reads the others
};

} // namespace mlir::tile

#endif // TILE_TOOLS_TILERUN_PROGRESS_H
