//===- Upstream.cpp - Upstream's server as a child ------------------------===//

#include "Upstream.h"

#include "llvm/Support/LSP/Transport.h"

#include <unistd.h>

using namespace mlir::tile;
namespace json = llvm::json;

/// Whether values lie in each other deeper than any message of the protocol has them.
/// The parser goes down once for each.
static bool isTooDeep(llvm::StringRef text) {
  constexpr int most = 1000;
  int depth = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size() && depth <= most; ++i) {
    char letter = text[i];
    if (isString && letter == '\\')
      ++i;
    else if (letter == '"')
      isString = !isString;
    else if (!isString)
      depth +=
          (letter == '[' || letter == '{') - (letter == ']' || letter == '}');
  }
  return depth > most;
}

static llvm::Expected<json::Value> parseMessage(llvm::StringRef text) {
  if (isTooDeep(text))
    return llvm::createStringError("it is nested too deep");
  return json::parse(text);
}

void mlir::tile::readMessages(std::FILE *file,
                              const std::function<bool(json::Object)> &handle) {
  llvm::lsp::JSONTransportInputOverFile input(file);
  std::string text;
  while (!input.isEndOfInput() && !input.hasError()) {
    text.clear();
    if (failed(input.readMessage(text)))
      continue;
    llvm::Expected<json::Value> value = parseMessage(text);
    if (!value) {
      llvm::errs() << "tile-lsp-server: a message that is no JSON: "
                   << llvm::toString(value.takeError()) << "\n";
      continue;
    }
    if (json::Object *object = value->getAsObject())
      if (!handle(std::move(*object)))
        return;
  }
}

Upstream::Upstream(const std::vector<std::string> &command, Handler onMessage,
                   std::function<void()> onEnd)
    : child(command), outbox(child.getInput()), alive(child.isRunning()),
      reader(
          [this, onMessage = std::move(onMessage), onEnd = std::move(onEnd)] {
            if (std::FILE *file = fdopen(dup(child.getOutput()), "r")) {
              readMessages(file, [&](json::Object message) {
                onMessage(std::move(message));
                return true;
              });
              std::fclose(file);
            }
            alive = false;
            onEnd();
          }) {}

Upstream::~Upstream() {
  outbox.drop();
  child.kill();
  reader.join();
}

void Upstream::finish() {
  constexpr int patienceMilliseconds = 1000, tickMilliseconds = 10;
  for (int waited = 0; alive && waited < patienceMilliseconds;
       waited += tickMilliseconds)
    usleep(tickMilliseconds * 1000);
}
