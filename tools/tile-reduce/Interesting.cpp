//===- Interesting.cpp - Whether a program still shows the bug ------------===//

#include "Interesting.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir::tile;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// As text
//===----------------------------------------------------------------------===//

std::string Interest::save() const {
  llvm::json::Array words;
  for (const std::string &word : arguments)
    words.push_back(word);
  return llvm::formatv("{0}", llvm::json::Value(llvm::json::Object{
                                  {"kind", static_cast<int>(kind)},
                                  {"message", message},
                                  {"tools", tools},
                                  {"arguments", std::move(words)},
                                  {"timeout", int64_t(timeoutSeconds)}}));
}

bool Interest::load(StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object || !object->getArray("arguments"))
    return false;
  kind = static_cast<Kind>(object->getInteger("kind").value_or(0));
  message = object->getString("message").value_or("").str();
  tools = object->getString("tools").value_or("").str();
  timeoutSeconds = object->getInteger("timeout").value_or(timeoutSeconds);
  for (const llvm::json::Value &word : *object->getArray("arguments"))
    arguments.push_back(word.getAsString().value_or("").str());
  return true;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
struct Outcome {
  int status = 0; ///< negative: it died, or did not start
  bool isLate = false;
  std::string output, errors;
};
} // namespace

/// What was written to a file, which is removed.
static std::string takeFile(StringRef path) {
  std::string text;
  if (auto buffer = llvm::MemoryBuffer::getFile(path))
    text = (*buffer)->getBuffer().str();
  llvm::sys::fs::remove(path);
  return text;
}

static Outcome run(const Interest &interest, StringRef program,
                   std::vector<std::string> words) {
  llvm::SmallString<128> output, errors;
  Outcome outcome;
  if (llvm::sys::fs::createTemporaryFile("tile-reduce", "out", output) ||
      llvm::sys::fs::createTemporaryFile("tile-reduce", "err", errors)) {
    outcome.status = -1;
    outcome.errors = "cannot make a temporary file";
    return outcome;
  }
  words.insert(words.begin(), program.str());
  words.insert(words.end(), interest.arguments.begin(),
               interest.arguments.end());
  llvm::SmallVector<StringRef> arguments(words.begin(), words.end());
  std::string message;
  outcome.status = llvm::sys::ExecuteAndWait(
      program, arguments, /*Env=*/std::nullopt,
      {StringRef(), output.str(), errors.str()}, interest.timeoutSeconds,
      /*MemoryLimit=*/0, &message);
  outcome.isLate = outcome.status == -2 &&
                   StringRef(message).contains_insensitive("timed out");
  outcome.output = takeFile(output);
  outcome.errors = takeFile(errors) + message;
  if (outcome.status == -1)
    outcome.errors = "cannot run '" + program.str() + "': " + message;
  return outcome;
}

/// `tool` is one of ours.
static Outcome runTool(const Interest &interest, StringRef tool,
                       std::vector<std::string> words) {
  llvm::SmallString<128> program(interest.tools);
  llvm::sys::path::append(program, tool);
  return run(interest, program, std::move(words));
}

/// The first line that says what is wrong, else how it ended.
static std::string summarize(const Outcome &outcome) {
  for (StringRef rest = outcome.errors; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    if (line.contains("error:") || line.contains("LLVM ERROR"))
      return line.str();
    rest = next;
  }
  return outcome.isLate         ? "takes too long"
         : outcome.status == -1 ? outcome.errors
         : outcome.status < 0   ? "died: " + outcome.errors
                                : llvm::formatv("status {0}", outcome.status);
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

static Verdict judgeDifference(const Interest &interest, StringRef file) {
  Outcome outcome = runTool(interest, "tile-run",
                            {file.str(), "--on=emulator", "--check=json"});
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(outcome.output);
  if (!value) {
    llvm::consumeError(value.takeError());
    return {false, summarize(outcome)};
  }
  const llvm::json::Object *object = value->getAsObject();
  std::string status =
      object ? object->getString("status").value_or("").str() : "";
  if (status == "different")
    return {true, ""};
  return {false, status == "error" ? summarize(outcome)
                                   : "the result is '" + status + "'"};
}

static Verdict judgeFailure(const Interest &interest, const Outcome &outcome) {
  bool says =
      StringRef(outcome.output + outcome.errors).contains(interest.message);
  if (outcome.status > 0 && says)
    return {true, ""};
  return {false, outcome.status == 0 ? "it succeeds" : summarize(outcome)};
}

static Verdict judgeCrash(const Outcome &outcome) {
  bool isFatal = StringRef(outcome.errors).contains("LLVM ERROR:") ||
                 StringRef(outcome.errors).contains("Stack dump:");
  if (!outcome.isLate && (outcome.status == -2 || isFatal))
    return {true, ""};
  return {false,
          outcome.status == 0 ? "the compiler succeeds" : summarize(outcome)};
}

/// A program that dies ends with another status than 0, as a shell has it.
static Verdict judgeStatus(const Outcome &outcome) {
  bool isStarted = outcome.status != -1;
  if (isStarted && !outcome.isLate && outcome.status != 0)
    return {true, ""};
  return {false,
          outcome.status == 0 ? "it ends with status 0" : summarize(outcome)};
}

Verdict mlir::tile::judge(const Interest &interest, StringRef file) {
  std::vector<std::string> compile{file.str(), "--emit=ptx", "-o", "/dev/null"};
  switch (interest.kind) {
  case Interest::Kind::Differs:
    return judgeDifference(interest, file);
  case Interest::Kind::Fails:
    return judgeFailure(interest, runTool(interest, "tile-opt", compile));
  case Interest::Kind::RunFails:
    return judgeFailure(interest,
                        runTool(interest, "tile-run", {file.str(), "--check"}));
  case Interest::Kind::Crashes:
    return judgeCrash(runTool(interest, "tile-opt", compile));
  case Interest::Kind::Program:
    return judgeStatus(run(interest, interest.message, {file.str()}));
  }
  llvm_unreachable("all kinds are judged");
}
