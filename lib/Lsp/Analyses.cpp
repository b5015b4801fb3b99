//===- Analyses.cpp - Analyses of documents, one after the other ----------===//

#include "Analyses.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <poll.h>
#include <unistd.h>

using namespace mlir::tile;
namespace json = llvm::json;

/// Nobody has typed for so long.
static constexpr auto typingPause = std::chrono::milliseconds(120);

Analyses::Analyses(std::vector<std::string> command, double timeLimitSeconds,
                   Receiver receiver)
    : command(std::move(command)), timeLimitSeconds(timeLimitSeconds),
      receiver(std::move(receiver)), thread([this] { run(); }) {}

Analyses::~Analyses() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isEnding = true;
    versions.clear();
  }
  changed.notify_one();
  thread.join();
}

void Analyses::start(const std::string &uri, int64_t version,
                     std::string text) {
  std::lock_guard<std::mutex> lock(mutex);
  versions[uri] = version;
  waiting[uri] = {std::move(text), version, Clock::now() + typingPause};
  changed.notify_one();
}

void Analyses::cancel(const std::string &uri) {
  std::lock_guard<std::mutex> lock(mutex);
  versions.erase(uri);
  waiting.erase(uri);
}

bool Analyses::isCancelled(const std::string &uri, int64_t version) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = versions.find(uri);
  return found == versions.end() || found->second != version;
}

void Analyses::run() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!isEnding) {
    if (waiting.empty()) {
      changed.wait(lock);
      continue;
    }
    auto next = std::min_element(waiting.begin(), waiting.end(),
                                 [](const auto &a, const auto &b) {
                                   return a.second.due < b.second.due;
                                 });
    if (next->second.due > Clock::now()) {
      changed.wait_until(lock, next->second.due);
      continue;
    }
    auto [uri, job] = *next;
    waiting.erase(next);
    lock.unlock();
    analyse(uri, job);
    lock.lock();
  }
}

bool Analyses::readResults(Child &child, const std::string &uri, const Job &job,
                           json::Object &last) {
  auto end = Clock::now() + std::chrono::duration<double>(timeLimitSeconds);
  std::string text;
  while (true) {
    if (isCancelled(uri, job.version) || Clock::now() > end)
      return false;
    pollfd events{child.getOutput(), POLLIN, 0};
    constexpr int tickMilliseconds = 20;
    if (poll(&events, 1, tickMilliseconds) <= 0)
      continue;
    char buffer[1 << 16];
    ssize_t count = read(child.getOutput(), buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return true;
    text.append(buffer, count);
    for (size_t at; (at = text.find('\n')) != std::string::npos;) {
      llvm::Expected<json::Value> value =
          json::parse(llvm::StringRef(text).take_front(at));
      text.erase(0, at + 1);
      if (!value) {
        llvm::consumeError(value.takeError());
        continue;
      }
      if (json::Object *object = value->getAsObject()) {
        last = *object;
        receiver(uri, job.version, std::move(*object));
      }
    }
  }
}

/// A diagnostic of the whole document.
static json::Object complain(const std::string &message) {
  json::Object start{{"line", 0}, {"character", 0}};
  json::Object end = start;
  return json::Object{{"range", json::Object{{"start", std::move(start)},
                                             {"end", std::move(end)}}},
                      {"severity", 2},
                      {"source", "tile"},
                      {"message", message}};
}

void Analyses::analyse(const std::string &uri, const Job &job) {
  std::vector<std::string> words = command;
  words.push_back(uri);
  // Through a file, so that one that does not read keeps nobody waiting.
  std::FILE *text = std::tmpfile();
  if (!text)
    return;
  std::fwrite(job.text.data(), 1, job.text.size(), text);
  std::rewind(text);
  Child child(words, fileno(text));
  std::fclose(text);
  json::Object last;
  bool isStarted = child.isRunning();
  bool isRead = isStarted && readResults(child, uri, job, last);
  if (!isRead)
    child.kill();
  int status = child.wait();
  if (isCancelled(uri, job.version) ||
      (isRead && status == 0 && last.getString("phase") == "compiled"))
    return;
  // What is known from parsing stays, and why there is no more is said.
  std::string reason =
      !isStarted ? "the compiler could not be started on this text"
      : !isRead  ? llvm::formatv("compiling took longer than {0} seconds and "
                                 "was stopped",
                                 timeLimitSeconds)
                       .str()
      : status < 0
          ? llvm::formatv("the compiler crashed on this text (signal {0})",
                          -status)
                .str()
          : llvm::formatv("the compiler gave up on this text (status {0})",
                          status)
                .str();
  json::Array diagnostics;
  if (json::Array *known = last.getArray("diagnostics"))
    diagnostics = *known;
  diagnostics.push_back(complain(reason));
  last["diagnostics"] = std::move(diagnostics);
  receiver(uri, job.version, std::move(last));
}
