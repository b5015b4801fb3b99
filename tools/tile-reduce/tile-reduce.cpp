//===- tile-reduce.cpp - The smallest program that shows a bug ------------===//
//
// Upstream's mlir-reduce with all dialects, a pass that reduces by uses, and the tests
// that one wants of a tile program: the result differs from the reference, the compiler
// fails with a message, or crashes.
//
//===----------------------------------------------------------------------===//

#include "Interesting.h"

#include "../ChipOption.h"
#include "../Completion.h"
#include "../HelpOption.h"

#include "tile/Pipeline/Register.h"
#include "tile/Reduction/ReduceProgram.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Reducer/Passes.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

#include <csignal>

using namespace mlir;
using namespace mlir::tile;

static constexpr const char *help =
    R"(tile-reduce: makes the smallest program that still shows a bug

  tile-reduce bad.mlir --differs --chip=sm_80 -o small.mlir
  tile-reduce bad.mlir --fails="bytes of shared memory" -- --chip=sm_80

What a program must do to be kept
  --differs            tile-run --check says that an argument is different
  --fails=MESSAGE      the compiler (tile-opt --emit=ptx) fails and prints MESSAGE
  --run-fails=MESSAGE  tile-run --check ends with another status than 0 and prints
                       MESSAGE, such as a report of the emulator
  --crashes            the compiler dies
  --test=PROGRAM       PROGRAM, run on a file, ends with another status than 0

How
  --chip=NAME          what is compiled for
  -- ARGUMENTS         of the tool that is run, such as --dim=M:300 --seed=5
  --timeout=N          a run that takes longer than N seconds is not kept (60)
  --trials=N           programs that are tried at most (5000)
  --tools=DIR          where tile-opt and tile-run are (beside tile-reduce)
  -o FILE              where the program goes (default: standard output)
  --version, --help

Without one of the first five it is mlir-reduce: --reduction-tree, --opt-reduction-pass,
and --tile-reduce-program, the pass behind them, each with test=PROGRAM.

Ctrl-C writes the smallest program so far and ends with status 130, a second one at once.
)";

/// What this program tells itself to be when it runs as a test.
static constexpr StringLiteral judgeWord = "--as-test=";

namespace {
struct CommandLine {
  std::string input, output = "-";
  std::optional<Interest> interest;
  std::string trials = "5000";
};
} // namespace

/// The status of a program that Ctrl-C ends, as shells have it.
static constexpr int interruptedStatus = 130;

static volatile std::sig_atomic_t isInterrupted = 0;

/// What LLVM does when interrupted: it removes the file that the program goes to.
static struct sigaction endAtOnce;

static void listenForInterrupt() {
  struct sigaction finish = {};
  finish.sa_handler = [](int signal) {
    isInterrupted = 1;
    sigaction(signal, &endAtOnce, nullptr);
  };
  finish.sa_flags = SA_RESTART;
  sigaction(SIGINT, &finish, &endAtOnce);
}

static int fail(const Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

/// tile-reduce --as-test=SPEC FILE: status 1 where the file is interesting.
static int runTest(StringRef specification, StringRef file) {
  auto text = llvm::MemoryBuffer::getFile(specification);
  Interest interest;
  if (!text || !interest.load((*text)->getBuffer()))
    return fail("cannot read '" + specification + "'");
  return judge(interest, file).isInteresting;
}

/// Whether the command line is one of ours rather than mlir-reduce's.
static bool isOwn(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    StringRef name = StringRef(argv[i]).split('=').first;
    if (llvm::is_contained(
            {"--differs", "--fails", "--run-fails", "--crashes", "--test"},
            name))
      return true;
  }
  return false;
}

/// Takes what says which programs are kept; false for other options.
static bool parseKind(StringRef name, StringRef value, CommandLine &line,
                      std::string &error) {
  std::optional<Interest::Kind> kind;
  if (name == "--differs")
    kind = Interest::Kind::Differs;
  else if (name == "--fails")
    kind = Interest::Kind::Fails;
  else if (name == "--run-fails")
    kind = Interest::Kind::RunFails;
  else if (name == "--crashes")
    kind = Interest::Kind::Crashes;
  else if (name == "--test")
    kind = Interest::Kind::Program;
  else
    return false;
  if (line.interest) {
    error = ("'" + name + "': one test is enough").str();
  } else if (name != "--differs" && name != "--crashes" && value.empty()) {
    error = ("'" + name + "' needs a value, as in " + name + "=..").str();
  } else {
    line.interest.emplace().kind = *kind;
    line.interest->message = value.str();
  }
  return true;
}

/// Reads the command line; what is wrong with it, or nothing.
static std::string parse(int argc, char **argv, CommandLine &line,
                         std::string tools) {
  std::vector<std::string> arguments;
  unsigned timeout = Interest().timeoutSeconds, count;
  std::string error;
  for (int i = 1; i < argc; ++i) {
    StringRef word(argv[i]);
    auto [name, value] = word.split('=');
    if (word == "--") {
      arguments.insert(arguments.end(), argv + i + 1, argv + argc);
      break;
    }
    if (parseKind(name, value, line, error)) {
      if (!error.empty())
        return error;
    } else if (name == "--chip") {
      if (error = checkChipName(value); !error.empty())
        return error;
      arguments.push_back(word.str());
    } else if (name == "--timeout" || name == "--trials") {
      if (value.getAsInteger(10, count) || count == 0)
        return (word + ": expected a number above 0").str();
      if (name == "--timeout")
        timeout = count;
      else
        line.trials = value.str();
    } else if (name == "--tools") {
      tools = value.str();
    } else if (word == "-o" && i + 1 < argc) {
      line.output = argv[++i];
    } else if (word.starts_with("-")) {
      return ("unknown option '" + word + "'; --help lists the options").str();
    } else if (!line.input.empty()) {
      return ("'" + word + "': one program is enough").str();
    } else {
      line.input = word.str();
    }
  }
  if (line.input.empty())
    return "which program? tile-reduce bad.mlir --differs";
  if (line.interest->kind == Interest::Kind::Program && !arguments.empty())
    return "a program of your own (--test) gets no arguments of ours";
  line.interest->tools = tools;
  line.interest->arguments = arguments;
  line.interest->timeoutSeconds = timeout;
  return "";
}

/// What keeps the files of the command line from being read and written; mlir-reduce
/// says nothing of it. Finds the program of a test.
static std::string checkFiles(CommandLine &line) {
  if (auto text = llvm::MemoryBuffer::getFile(line.input); !text)
    return "cannot read '" + line.input + "': " + text.getError().message();
  if (line.output.empty() || llvm::sys::fs::is_directory(line.output))
    return "-o '" + line.output + "': expected a file";
  StringRef folder = llvm::sys::path::parent_path(line.output);
  StringRef written = llvm::sys::fs::exists(line.output) ? line.output
                      : folder.empty()                   ? "."
                                                         : folder;
  if (line.output != "-")
    if (std::error_code error =
            llvm::sys::fs::access(written, llvm::sys::fs::AccessMode::Write))
      return "cannot write '" + line.output + "': " + error.message();
  if (line.interest->kind != Interest::Kind::Program)
    return "";
  auto program = llvm::sys::findProgramByName(line.interest->message);
  if (!program || !llvm::sys::fs::can_execute(*program))
    return "--test=" + line.interest->message + ": no such program";
  line.interest->message = *program;
  return "";
}

/// As a value of a pass's option, which may hold blanks and one kind of quotes.
static std::string quote(const std::string &value) {
  const char *mark = value.find('\'') == std::string::npos ? "'" : "\"";
  return mark + value + mark;
}

static int reduce(CommandLine &line, const std::string &self,
                  MLIRContext &context) {
  if (std::string error = checkFiles(line); !error.empty())
    return fail(error);
  if (Verdict verdict = judge(*line.interest, line.input);
      !verdict.isInteresting)
    return fail("'" + line.input +
                "' is not what is looked for: " + verdict.summary);
  int file;
  llvm::SmallString<128> specification;
  if (llvm::sys::fs::createTemporaryFile("tile-reduce", "json", file,
                                         specification))
    return fail("cannot make a temporary file");
  llvm::FileRemover remover(specification);
  llvm::sys::RemoveFileOnSignal(specification);
  llvm::raw_fd_ostream(file, /*shouldClose=*/true) << line.interest->save();
  std::string pass =
      "--tile-reduce-program=trials=" + line.trials + " test=" + quote(self) +
      " test-arg=" + quote(judgeWord.str() + specification.str().str());
  std::vector<std::string> words{"tile-reduce", line.input, "-o", line.output,
                                 pass};
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  listenForInterrupt();
  if (failed(mlirReduceMain(arguments.size(), arguments.data(), context)))
    return 1;
  if (isInterrupted) {
    llvm::errs()
        << "tile-reduce: interrupted; this is the smallest program so far\n";
    return interruptedStatus;
  }
  if (line.output != "-" && !judge(*line.interest, line.output).isInteresting)
    return fail("'" + line.output +
                "' is not what is looked for, though it was when it was tried: "
                "the test does not say the same each time");
  return 0;
}

int main(int argc, char **argv) {
  StringRef first(argc > 1 ? argv[1] : "");
  // Upstream's Tester passes the arguments, then the file.
  if (first.consume_front(judgeWord))
    return argc > 2 ? runTest(first, argv[argc - 1]) : fail("no file");
  if (printHelpOrVersion(argc, argv, "tile-reduce", help))
    return 0;
  if (auto word = tilec::getCompletedWord(argc, argv)) {
    auto completions = tilec::readHelp(help);
    tilec::addValues(completions, "chip", getChipNames());
    return tilec::printCompletions(std::move(completions), *word);
  }
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerTileDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  registerReducerPasses();
  registerReduceProgram([] { return isInterrupted != 0; });
  if (!isOwn(argc, argv))
    return failed(mlirReduceMain(argc, argv, context));

  std::string self = llvm::sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&main));
  CommandLine line;
  std::string error =
      parse(argc, argv, line, llvm::sys::path::parent_path(self).str());
  return error.empty() ? reduce(line, self, context) : fail(error);
}
