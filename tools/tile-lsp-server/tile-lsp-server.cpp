//===- tile-lsp-server.cpp - The language server --------------------------===//
//
// For editors: upstream's MLIR language server with all dialects, and beside it
// diagnostics and hovers of the compiler. Three programs in one: the server that the
// editor talks to, and its children (tile/Lsp/Server.h), upstream's server and the
// analysis of a text.
//
//===----------------------------------------------------------------------===//

#include "../ChipOption.h"
#include "../Completion.h"
#include "../HelpOption.h"

#include "tile/Lsp/Analysis.h"
#include "tile/Lsp/Server.h"
#include "tile/Pipeline/Register.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

#include <csignal>
#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace mlir;
using namespace mlir::tile;

static constexpr const char *help =
    R"(tile-lsp-server: the language server for programs of tile and MLIR

Speaks the language server protocol on standard input and output; editors start it
(docs/Editor.md).

  --chip=NAME        the chip to compile for where a module names none in its
                     tile.target (default: the oldest)
  --time-limit=N     stop compiling a text after N seconds (default 60)
  --version, --help
)";

/// What the editor's server tells its children to be; not for people.
static constexpr StringLiteral upstreamWord = "--as-upstream",
                               analysisWord = "--as-analysis";

namespace {
struct CommandLine {
  std::string chip;
  double timeLimitSeconds = 60;
};
} // namespace

static int fail(const Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

static void registerDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerTileDialects(registry);
}

/// A child ends with the editor's server, also where that is killed: who else would end
/// one that hangs?
static void endWithParent() {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

/// tile-lsp-server --as-analysis [--chip=NAME] URI < text
static int runAnalysis(int argc, char **argv) {
  endWithParent();
  auto text = llvm::MemoryBuffer::getSTDIN();
  if (!text)
    return fail("cannot read standard input: " + text.getError().message());
  AnalysisInput input;
  input.text = (*text)->getBuffer().str();
  for (int i = 2; i < argc; ++i) {
    StringRef word(argv[i]);
    if (word.consume_front("--chip="))
      input.chip = word.str();
    else
      input.uri = word.str();
  }
  DialectRegistry registry;
  registerDialects(registry);
  analyse(input, registry, llvm::outs());
  return 0;
}

/// tile-lsp-server --as-upstream
static int runUpstream(char **argv) {
  endWithParent();
  DialectRegistry registry;
  registerDialects(registry);
  char quiet[] = "--log=error";
  char *arguments[] = {argv[0], quiet, nullptr};
  return failed(MlirLspServerMain(/*argc=*/2, arguments, registry));
}

/// Reads the command line of people; what is wrong with it, or nothing.
static std::string parse(int argc, char **argv, CommandLine &line) {
  for (int i = 1; i < argc; ++i) {
    StringRef word(argv[i]), name = word.split('=').first,
                             value = word.split('=').second;
    if (name == "--chip" && !value.empty()) {
      if (std::string message = checkChipName(value); !message.empty())
        return message;
      line.chip = value.str();
    } else if (name == "--time-limit") {
      if (value.getAsDouble(line.timeLimitSeconds) ||
          !(line.timeLimitSeconds > 0))
        return (word + ": expected a number of seconds above 0").str();
    } else if (word != "--stdio") { // what some editors add
      return ("unknown option '" + word + "'; --help lists the options").str();
    }
  }
  return "";
}

int main(int argc, char **argv) {
  StringRef first(argc > 1 ? argv[1] : "");
  if (printHelpOrVersion(argc, argv, "tile-lsp-server", help))
    return 0;
  if (auto word = tilec::getCompletedWord(argc, argv)) {
    auto completions = tilec::readHelp(help);
    tilec::addValues(completions, "chip", getChipNames());
    return tilec::printCompletions(std::move(completions), *word);
  }
  if (first == analysisWord)
    return runAnalysis(argc, argv);
  if (first == upstreamWord)
    return runUpstream(argv);

  CommandLine line;
  if (std::string message = parse(argc, argv, line); !message.empty())
    return fail(message);
  std::string self = llvm::sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&main));
  ServerOptions options;
  options.upstream = {self, upstreamWord.str()};
  options.analysis = {self, analysisWord.str()};
  if (!line.chip.empty())
    options.analysis.push_back("--chip=" + line.chip);
  options.timeLimitSeconds = line.timeLimitSeconds;
  return runServer(options, stdin, stdout);
}
