//===- Outbox.cpp - Messages on their way out -----------------------------===//

#include "Outbox.h"

#include "Child.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir::tile;

Outbox::Outbox(int file) : file(file), thread([this] { run(); }) {}

Outbox::~Outbox() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isEnding = true;
  }
  changed.notify_one();
  thread.join();
}

void Outbox::send(const llvm::json::Value &message) {
  std::string text = llvm::formatv("{0}", message);
  std::lock_guard<std::mutex> lock(mutex);
  messages.push_back(
      llvm::formatv("Content-Length: {0}\r\n\r\n{1}", text.size(), text));
  changed.notify_one();
}

void Outbox::drop() {
  std::lock_guard<std::mutex> lock(mutex);
  messages.clear();
}

void Outbox::run() {
  bool isOpen = true;
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return isEnding || !messages.empty(); });
    if (messages.empty())
      return;
    std::string message = std::move(messages.front());
    messages.pop_front();
    lock.unlock();
    isOpen = isOpen && writeAll(file, message);
    lock.lock();
  }
}
