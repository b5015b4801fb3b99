//===- Server.cpp - A language server around upstream's -------------------===//

#include "tile/Lsp/Server.h"

#include "Analyses.h"
#include "Upstream.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LSP/Protocol.h"

#include <chrono>
#include <csignal>
#include <optional>
#include <tuple>

using namespace mlir::tile;
namespace json = llvm::json;

namespace {

struct Document {
  std::string language;
  int64_t version = 0;
  int64_t revision = 0; ///< counts texts, as editors may repeat a version
  std::string text;
  json::Object analysis; ///< of this text; empty until there is one
};

using Clock = std::chrono::steady_clock;

class Server {
public:
  Server(const ServerOptions &options, std::FILE *out);
  ~Server();
  /// Whether more messages are wanted.
  bool handle(json::Object message);
  bool wasShutDown() const { return isShutDown; }

private:
  void open(const json::Object &parameters);
  void change(const json::Object &parameters);
  void close(const json::Object &parameters);
  /// Upstream's server; started again, with all documents, where it has ended. Says
  /// whether it was.
  bool ensureUpstream();
  void forward(json::Object message);

  void receiveUpstream(json::Object message);
  void failPending();
  void receiveAnalysis(const std::string &uri, int64_t revision,
                       json::Object result);
  std::optional<json::Object> getHover(const json::Object &parameters);
  json::Value joinHovers(const json::Value *upstreams,
                         std::optional<json::Object> own);

  /// A request of the editor that upstream's server has not answered.
  struct Request {
    json::Value id;
    std::string method;
    json::Object parameters;
    Clock::time_point begin;
  };
  /// Whether one has waited longer than anything may take.
  bool isUpstreamStuck();

  ServerOptions options;
  Outbox editor;
  std::mutex mutex; ///< of what follows, up to the threads
  std::map<std::string, Document> documents;
  std::map<std::string, Request> pending; ///< by the id as text
  int64_t revisions = 0;
  json::Object initialization; ///< parameters of the editor's `initialize`
  bool isShutDown = false;

  std::unique_ptr<Upstream> upstream;
  std::unique_ptr<Analyses> analyses;
};

/// The id of our own request that initializes a server that was started again.
constexpr llvm::StringLiteral restartId = "tile-restart";

} // namespace

static std::string toKey(const json::Value &id) {
  return llvm::formatv("{0}", id);
}

static json::Value makeNotification(llvm::StringRef method,
                                    json::Object parameters) {
  return json::Object{{"jsonrpc", "2.0"},
                      {"method", method},
                      {"params", std::move(parameters)}};
}

static std::string getUri(const json::Object &parameters) {
  const json::Object *document = parameters.getObject("textDocument");
  return document ? document->getString("uri").value_or("").str() : "";
}

Server::Server(const ServerOptions &options, std::FILE *out)
    : options(options), editor(fileno(out)) {
  analyses = std::make_unique<Analyses>(
      options.analysis, options.timeLimitSeconds,
      [this](const std::string &uri, int64_t revision, json::Object result) {
        receiveAnalysis(uri, revision, std::move(result));
      });
  ensureUpstream();
}

Server::~Server() {
  // What calls back goes first.
  analyses.reset();
  upstream.reset();
}

//===----------------------------------------------------------------------===//
// From the editor
//===----------------------------------------------------------------------===//

bool Server::handle(json::Object message) {
  std::string method = message.getString("method").value_or("").str();
  json::Object none;
  const json::Object *parameters = message.getObject("params");
  if (!parameters)
    parameters = &none;
  if (method == "exit") {
    forward(std::move(message));
    if (upstream)
      upstream->finish();
    return false;
  }
  if (method == "textDocument/didOpen") {
    open(*parameters);
    if (ensureUpstream())
      return true;
  } else if (method == "textDocument/didChange") {
    change(*parameters);
    if (ensureUpstream())
      return true;
  } else if (method == "textDocument/didClose") {
    close(*parameters);
  } else if (method == "initialize") {
    std::lock_guard<std::mutex> lock(mutex);
    initialization = *parameters;
  } else if (method == "shutdown") {
    isShutDown = true;
  }
  forward(std::move(message));
  return true;
}

void Server::forward(json::Object message) {
  const json::Value *id = message.get("id");
  std::optional<llvm::StringRef> method = message.getString("method");
  bool isAlive = upstream && upstream->isAlive();
  if (id && method) {
    std::lock_guard<std::mutex> lock(mutex);
    const json::Object *parameters = message.getObject("params");
    pending.insert(
        {toKey(*id),
         Request{*id, method->str(), parameters ? *parameters : json::Object(),
                 Clock::now()}});
  }
  if (isAlive)
    upstream->send(json::Value(std::move(message)));
  if (!upstream || !upstream->isAlive())
    failPending();
}

void Server::open(const json::Object &parameters) {
  const json::Object *given = parameters.getObject("textDocument");
  if (!given)
    return;
  std::string uri = getUri(parameters);
  std::lock_guard<std::mutex> lock(mutex);
  Document document;
  document.language = given->getString("languageId").value_or("mlir").str();
  document.version = given->getInteger("version").value_or(0);
  document.revision = ++revisions;
  document.text = given->getString("text").value_or("").str();
  analyses->start(uri, document.revision, document.text);
  documents[uri] = std::move(document);
}

void Server::change(const json::Object &parameters) {
  std::vector<llvm::lsp::TextDocumentContentChangeEvent> changes;
  json::Path::Root root;
  const json::Value *given = parameters.get("contentChanges");
  std::string uri = getUri(parameters);
  std::lock_guard<std::mutex> lock(mutex);
  auto found = documents.find(uri);
  if (!given || found == documents.end() ||
      !fromJSON(*given, changes, json::Path(root)))
    return;
  Document &document = found->second;
  if (failed(llvm::lsp::TextDocumentContentChangeEvent::applyTo(changes,
                                                                document.text)))
    return;
  const json::Object *identifier = parameters.getObject("textDocument");
  document.version =
      identifier->getInteger("version").value_or(document.version + 1);
  document.revision = ++revisions;
  document.analysis = json::Object();
  analyses->start(uri, document.revision, document.text);
}

void Server::close(const json::Object &parameters) {
  std::string uri = getUri(parameters);
  analyses->cancel(uri);
  {
    std::lock_guard<std::mutex> lock(mutex);
    documents.erase(uri);
  }
  editor.send(makeNotification(
      "textDocument/publishDiagnostics",
      json::Object{{"uri", uri}, {"diagnostics", json::Array()}}));
}

bool Server::isUpstreamStuck() {
  std::lock_guard<std::mutex> lock(mutex);
  return llvm::any_of(pending, [&](const auto &entry) {
    std::chrono::duration<double> waited = Clock::now() - entry.second.begin;
    return waited.count() > options.timeLimitSeconds;
  });
}

bool Server::ensureUpstream() {
  if (upstream && upstream->isAlive() && !isUpstreamStuck())
    return false;
  bool isFirst = !upstream;
  upstream.reset();
  upstream = std::make_unique<Upstream>(
      options.upstream,
      [this](json::Object message) { receiveUpstream(std::move(message)); },
      [this] { failPending(); });
  if (isFirst)
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  json::Object parameters = initialization;
  upstream->send(json::Object{{"jsonrpc", "2.0"},
                              {"id", restartId},
                              {"method", "initialize"},
                              {"params", std::move(parameters)}});
  upstream->send(makeNotification("initialized", json::Object()));
  for (const auto &[uri, document] : documents)
    upstream->send(makeNotification(
        "textDocument/didOpen",
        json::Object{
            {"textDocument", json::Object{{"uri", uri},
                                          {"languageId", document.language},
                                          {"version", document.version},
                                          {"text", document.text}}}}));
  return true;
}

//===----------------------------------------------------------------------===//
// From the children
//===----------------------------------------------------------------------===//

void Server::receiveUpstream(json::Object message) {
  std::optional<llvm::StringRef> method = message.getString("method");
  const json::Value *id = message.get("id");
  // Diagnostics are those of the analysis, which parses, too.
  if (method && *method == "textDocument/publishDiagnostics")
    return;
  if (id && !method) {
    if (id->getAsString() == std::optional<llvm::StringRef>(restartId))
      return;
    std::lock_guard<std::mutex> lock(mutex);
    auto found = pending.find(toKey(*id));
    if (found == pending.end())
      return;
    Request request = std::move(found->second);
    pending.erase(found);
    if (request.method == "textDocument/hover")
      message["result"] =
          joinHovers(message.get("result"), getHover(request.parameters));
    if (json::Object *result = message.getObject("result");
        result && request.method == "initialize")
      (*result)["serverInfo"] =
          json::Object{{"name", "tile-lsp-server"}, {"version", TILE_VERSION}};
  }
  editor.send(json::Value(std::move(message)));
}

/// Answers what upstream's server will not: hovers by what is known without it.
void Server::failPending() {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[key, request] : pending) {
    json::Object reply{{"jsonrpc", "2.0"}, {"id", request.id}};
    if (request.method == "textDocument/hover")
      reply["result"] = joinHovers(nullptr, getHover(request.parameters));
    else if (request.method == "shutdown")
      reply["result"] = nullptr;
    else
      reply["error"] = json::Object{
          {"code", -32603}, // the protocol's "internal error"
          {"message", "MLIR's server has ended; it is started again when the "
                      "text changes"}};
    editor.send(json::Value(std::move(reply)));
  }
  pending.clear();
}

void Server::receiveAnalysis(const std::string &uri, int64_t revision,
                             json::Object result) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = documents.find(uri);
  if (found == documents.end() || found->second.revision != revision)
    return;
  json::Array diagnostics;
  if (json::Array *given = result.getArray("diagnostics"))
    diagnostics = *given;
  found->second.analysis = std::move(result);
  editor.send(
      makeNotification("textDocument/publishDiagnostics",
                       json::Object{{"uri", uri},
                                    {"version", found->second.version},
                                    {"diagnostics", std::move(diagnostics)}}));
}

//===----------------------------------------------------------------------===//
// Hovers
//===----------------------------------------------------------------------===//

/// (line, character) of the protocol; past the end where it is none.
static std::pair<int64_t, int64_t> getPosition(const json::Object *position) {
  if (!position)
    return {INT64_MAX, INT64_MAX};
  return {position->getInteger("line").value_or(INT64_MAX),
          position->getInteger("character").value_or(INT64_MAX)};
}

/// What the analysis says of the innermost range around a position.
std::optional<json::Object> Server::getHover(const json::Object &parameters) {
  auto found = documents.find(getUri(parameters));
  auto at = getPosition(parameters.getObject("position"));
  if (found == documents.end())
    return std::nullopt;
  const json::Object &analysis = found->second.analysis;
  const json::Array *hovers = analysis.getArray("hovers");
  const json::Array *texts = analysis.getArray("texts");
  if (!hovers || !texts)
    return std::nullopt;
  std::optional<json::Object> best;
  std::pair<int64_t, int64_t> bestBegin;
  for (const json::Value &value : *hovers) {
    const json::Object *hover = value.getAsObject();
    const json::Object *range = hover ? hover->getObject("range") : nullptr;
    if (!range)
      continue;
    auto begin = getPosition(range->getObject("start"));
    auto end = getPosition(range->getObject("end"));
    size_t text = hover->getInteger("text").value_or(0);
    if (at < begin || at > end || text >= texts->size() ||
        (best && begin < bestBegin))
      continue;
    bestBegin = begin;
    best = json::Object{{"contents", json::Object{{"kind", "markdown"},
                                                  {"value", (*texts)[text]}}},
                        {"range", json::Object(*range)}};
  }
  return best;
}

/// Our hover with upstream's below it; null where there is neither.
json::Value Server::joinHovers(const json::Value *upstreams,
                               std::optional<json::Object> own) {
  const json::Object *hover = upstreams ? upstreams->getAsObject() : nullptr;
  if (!own)
    return hover ? json::Value(json::Object(*hover)) : json::Value(nullptr);
  const json::Object *contents = hover ? hover->getObject("contents") : nullptr;
  std::optional<llvm::StringRef> text =
      contents ? contents->getString("value") : std::nullopt;
  if (!text)
    return json::Value(std::move(*own));
  std::string above =
      own->getObject("contents")->getString("value").value_or("").str();
  json::Object joined = *hover;
  joined["contents"] = json::Object{
      {"kind", "markdown"}, {"value", above + "\n\n---\n\n" + text->str()}};
  return json::Value(std::move(joined));
}

int mlir::tile::runServer(const ServerOptions &options, std::FILE *in,
                          std::FILE *out) {
  // A child, or an editor, that is gone is noticed where it is written to.
  std::signal(SIGPIPE, SIG_IGN);
  Server server(options, out);
  readMessages(in, [&](json::Object message) {
    return server.handle(std::move(message));
  });
  return server.wasShutDown() ? 0 : 1;
}
