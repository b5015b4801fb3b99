//===- EmitMain.cpp - tile-opt --emit -------------------------------------===//
//
// `tile-opt in.mlir --emit=ptx --chip=sm_90a -o out.ptx`: reads a file, runs
// the pipeline from the stage the file is at, writes the text whole or not at
// all. With --split-input-file or pass options, tile-opt is an ordinary opt
// tool and none of this runs.
//
//===----------------------------------------------------------------------===//

#include "EmitMain.h"

#include "ArgumentNames.h"
#include "Output.h"

#include "../ChipOption.h"
#include "../ToolkitPath.h"

#include "tile/HostCode/HostCode.h"
#include "tile/Page/Page.h"
#include "tile/Pipeline/Emit.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tile;

bool tile::isEmitCommand(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    StringRef argument(argv[i]);
    if (argument.starts_with("--emit") || argument.starts_with("-emit"))
      return true;
  }
  return false;
}

/// The options that are the tool's own, before those of LLVM and MLIR.
static constexpr const char *ownHelp =
    R"(OVERVIEW: tile-opt: the tile compiler, and an optimizer driver like mlir-opt

  tile-opt in.mlir --emit=ptx --chip=sm_90a -o out.ptx   compiles a file
  tile-opt in.mlir --tile-logical-phase=chip=sm_90a      runs passes

Compiling, from the stage that the file is at:
  --emit=KIND        ptx, llvm (optimised LLVM IR), nvvm (the module with threaded
                     kernels), cubin (what ptxas makes of the PTX), report (what
                     was decided per kernel), arena (shared memory by lifetime, as
                     SVG), layouts (what lies where, of each fragment and buffer),
                     object (host functions and their kernels for an application to
                     link, docs/HostCode.md), header (their declarations in C), html
                     (all that was decided, as one page)
  --chip=NAME        the chip to compile for, such as sm_80 or sm_90a; without it
                     the module's tile.target, else sm_80, which is said
  --format=FORMAT    of a report: text or json; of layouts: text or svg
  --opt-level=N      LLVM's level, 0 to 3 (default 3)
  --check-assumptions  let the code trap where a tile.assume or
                     tile.assume_divisible of a launch does not hold
  --line-info=BOOL   point from the PTX to lines of the source (default true)
  --libdevice=FILE   libdevice.10.bc (default: the CUDA toolkit's)
  --prefetch-bytes=N let each cp.async bring N bytes to L2: 64, 128 or 256 (default
                     0: no more than it copies)
  --version-launches=BOOL  make a second kernel for sizes with divisors where one for
                     any is slow (default true)
  --reuse=POLICY     where buffers that are never needed together share bytes of
                     shared memory: always, cold (where it saves blocks on a
                     multiprocessor, the default), never
  --embed-cubin      of an object: machine code by ptxas beside the PTX, for a start
                     without the driver's compiler on that very chip
  -o FILE            where the text goes (default: standard output)

Passes and pipelines begin with tile- and convert-tile-; those that take a chip
take it as --PASS=chip=NAME. All other options are MLIR's and LLVM's:

)";

/// The names of the options that only mean something with `--emit`.
static constexpr StringLiteral emitOptions[] = {
    "emit",           "chip",
    "format",         "opt-level",
    "line-info",      "libdevice",
    "reuse",          "check-assumptions",
    "prefetch-bytes", "version-launches",
    "embed-cubin"};

/// "chip" of "--chip=sm_80"; empty where the word is no option.
static StringRef getOptionName(StringRef word) {
  if (!word.consume_front("-"))
    return "";
  word.consume_front("-");
  return word.split('=').first;
}

/// Whether `name` is `option` with one letter wrong, or two exchanged.
static bool isMisspelt(StringRef name, StringRef option) {
  if (name.size() <= 2 || name == option)
    return false;
  unsigned distance = name.edit_distance(option, true, 2);
  return distance <= 1 ||
         (distance == 2 && name.size() == option.size() &&
          std::is_permutation(name.begin(), name.end(), option.begin()));
}

void tile::printOwnHelp(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    StringRef name = getOptionName(argv[i]);
    if (name == "help" || name == "h" || name == "help-hidden")
      llvm::outs() << ownHelp;
  }
}

std::string tile::checkOwnOptions(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    StringRef name = getOptionName(argv[i]);
    for (StringRef option : emitOptions) {
      std::string text = "--" + option.str();
      if (name == option && option != "emit")
        return text + " belongs to --emit=KIND, which is missing; passes take "
                      "options as in --tile-compile=chip=..";
      if (isMisspelt(name, option))
        return "unknown option '" + std::string(argv[i]) + "'; did you mean '" +
               text + "'?";
    }
  }
  return "";
}

namespace {

enum class Kind {
  Ptx,
  Llvm,
  Nvvm,
  Cubin,
  Report,
  Arena,
  Layouts,
  Object,
  Header,
  Html
};
enum class Format { Text, Json, Svg };

/// The command line of `--emit`. Members, so that nothing is registered in an
/// ordinary run of the tool.
struct CommandLine {
  llvm::cl::opt<std::string> input{llvm::cl::Positional, llvm::cl::init("-"),
                                   llvm::cl::desc("<input file>")};
  llvm::cl::opt<std::string> output{
      "o", llvm::cl::init("-"), llvm::cl::value_desc("file"),
      llvm::cl::desc("Where the text goes; standard output by default")};
  llvm::cl::opt<Kind> kind{
      "emit", llvm::cl::Required, llvm::cl::desc("What to emit:"),
      llvm::cl::values(
          clEnumValN(Kind::Ptx, "ptx", "PTX text"),
          clEnumValN(Kind::Llvm, "llvm", "optimised LLVM IR of the kernels"),
          clEnumValN(Kind::Nvvm, "nvvm", "the module with threaded kernels"),
          clEnumValN(Kind::Cubin, "cubin", "what ptxas makes of the PTX"),
          clEnumValN(Kind::Report, "report", "what was decided per kernel"),
          clEnumValN(Kind::Arena, "arena", "shared memory by lifetime, as SVG"),
          clEnumValN(Kind::Layouts, "layouts",
                     "what lies where, of each fragment and buffer"),
          clEnumValN(Kind::Object, "object",
                     "host functions and their kernels, to be linked"),
          clEnumValN(Kind::Header, "header", "their declarations in C"),
          clEnumValN(Kind::Html, "html", "all of it as one page"))};
  llvm::cl::opt<std::string> chip{
      "chip", llvm::cl::value_desc("name"),
      llvm::cl::desc("The chip to compile for, such as sm_80 or sm_90a")};
  llvm::cl::opt<Format> format{
      "format", llvm::cl::init(Format::Text),
      llvm::cl::desc("Format of a report or of layouts:"),
      llvm::cl::values(clEnumValN(Format::Text, "text", "tables"),
                       clEnumValN(Format::Json, "json", "JSON, of a report"),
                       clEnumValN(Format::Svg, "svg", "SVG, of layouts"))};
  llvm::cl::opt<int> optLevel{"opt-level", llvm::cl::init(3),
                              llvm::cl::desc("LLVM's level, 0 to 3")};
  llvm::cl::opt<bool> lineInfo{
      "line-info", llvm::cl::init(true),
      llvm::cl::desc("Point from the PTX to lines of the source")};
  llvm::cl::opt<bool> checkAssumptions{
      "check-assumptions",
      llvm::cl::desc("Let the code trap where an assumption does not hold")};
  llvm::cl::opt<std::string> libdevice{
      "libdevice", llvm::cl::value_desc("file"),
      llvm::cl::desc("libdevice.10.bc; found in the CUDA toolkit by default")};
  llvm::cl::opt<bool> embedCubin{
      "embed-cubin", llvm::cl::desc("Put machine code into an object, too")};
  llvm::cl::opt<bool> versions{
      "version-launches", llvm::cl::init(true),
      llvm::cl::desc("Make a second kernel for sizes with divisors")};
  llvm::cl::opt<int64_t> prefetchBytes{
      "prefetch-bytes", llvm::cl::init(0),
      llvm::cl::desc("How many bytes an asynchronous copy brings to L2")};
  llvm::cl::opt<ReusePolicy> reuse{
      "reuse", llvm::cl::init(ReusePolicy::Cold),
      llvm::cl::desc("Where buffers share bytes of shared memory:"),
      llvm::cl::values(clEnumValN(ReusePolicy::Always, "always",
                                  "wherever that saves bytes"),
                       clEnumValN(ReusePolicy::Cold, "cold",
                                  "where it saves blocks on a multiprocessor"),
                       clEnumValN(ReusePolicy::Never, "never", "nowhere"))};
};

} // namespace

/// Why the value of option `name` is none of those of `values`; LLVM's own
/// message does not list them.
static std::string checkValue(int argc, char **argv, StringRef name,
                              llvm::cl::generic_parser_base &values) {
  for (int i = 1; i < argc; ++i) {
    if (getOptionName(argv[i]) != name)
      continue;
    auto [option, value] = StringRef(argv[i]).split('=');
    if (!StringRef(argv[i]).contains('=') && i + 1 < argc)
      value = argv[i + 1];
    if (values.findOption(value) != values.getNumOptions())
      continue;
    std::string message =
        "--" + name.str() + "=" + value.str() + ": known are ";
    for (unsigned k = 0, count = values.getNumOptions(); k < count; ++k)
      message += (k == 0           ? ""
                  : k + 1 == count ? " and "
                                   : ", ") +
                 values.getOption(k).str();
    return message;
  }
  return "";
}

/// The words that an option with listed values takes.
static void addValues(std::vector<tilec::CompletionWord> &completions,
                      StringRef name, llvm::cl::generic_parser_base &values) {
  for (unsigned i = 0, count = values.getNumOptions(); i < count; ++i)
    completions.push_back({("--" + name + "=" + values.getOption(i)).str(),
                           values.getDescription(i).str()});
}

/// The first line of what an option, a pass or a pipeline is for.
static StringRef describeOption(StringRef name,
                                const llvm::cl::Option &option) {
  StringRef text = option.HelpStr;
  if (const PassInfo *pass = PassInfo::lookup(name))
    text = pass->getPassDescription();
  else if (const PassPipelineInfo *pipeline = PassPipelineInfo::lookup(name))
    text = pipeline->getPassDescription();
  return text.split('\n').first;
}

std::vector<tilec::CompletionWord>
tile::getCompletions(DialectRegistry &registry) {
  MlirOptMainConfig::registerCLOptions(registry);
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
  CommandLine line;
  std::vector<tilec::CompletionWord> completions;
  for (auto &[name, option] : llvm::cl::getRegisteredOptions()) {
    // Some two thousand of LLVM's are for those who work on LLVM.
    if (option->getOptionHiddenFlag() != llvm::cl::NotHidden)
      continue;
    bool isLetter = name.size() == 1;
    bool wantsValue =
        option->getValueExpectedFlag() == llvm::cl::ValueRequired && !isLetter;
    completions.push_back(
        {((isLetter ? "-" : "--") + name).str() + (wantsValue ? "=" : ""),
         describeOption(name, *option).str()});
  }
  addValues(completions, "emit", line.kind.getParser());
  addValues(completions, "format", line.format.getParser());
  addValues(completions, "reuse", line.reuse.getParser());
  tilec::addValues(completions, "chip", getChipNames());
  return completions;
}

static CompileOptions getCompileOptions(const CommandLine &line, StringRef chip,
                                        TimingScope &timing) {
  CompileOptions options;
  options.chip = chip.str();
  options.reuse = line.reuse;
  options.optLevel = line.optLevel;
  options.lineInfo = line.lineInfo;
  options.checkAssumptions = line.checkAssumptions;
  options.versions = line.versions;
  options.prefetchBytes = line.prefetchBytes;
  options.libdevice = line.libdevice;
  options.toolkits = getToolkitsOfEnvironment();
  options.makesCubin = line.embedCubin;
  options.configure = [&timing](PassManager &pm) -> LogicalResult {
    pm.enableTiming(timing);
    return applyPassManagerCLOptions(pm);
  };
  return options;
}

static EmitKind getEmitKind(const CommandLine &line) {
  switch (line.kind) {
  case Kind::Llvm:
    return EmitKind::Llvm;
  case Kind::Nvvm:
    return EmitKind::Nvvm;
  case Kind::Cubin:
    return EmitKind::Cubin;
  case Kind::Report:
    return line.format == Format::Json ? EmitKind::ReportJson
                                       : EmitKind::ReportText;
  case Kind::Arena:
    return EmitKind::ArenaSvg;
  case Kind::Layouts:
    return line.format == Format::Svg ? EmitKind::LayoutsSvg
                                      : EmitKind::LayoutsText;
  default:
    return EmitKind::Ptx;
  }
}

static FailureOr<std::string> emitObjectOrHeader(ModuleOp module, Kind kind,
                                                 const CompileOptions &options,
                                                 llvm::SourceMgr &sources) {
  nameArguments(module, sources);
  FailureOr<CompiledProgram> program = compile(module, options);
  if (failed(program))
    return failure();
  return kind == Kind::Object ? makeObject(*program) : makeHeader(*program);
}

static FailureOr<std::string> emitPage(ModuleOp module, CompileOptions options,
                                       const llvm::SourceMgr &sources) {
  options.drawsLayouts = true;
  options.makesCubin = findPtxas(options.toolkits).has_value();
  FailureOr<CompiledProgram> program = compile(module, options);
  if (failed(program))
    return failure();
  const llvm::MemoryBuffer &file =
      *sources.getMemoryBuffer(sources.getMainFileID());
  std::string text;
  llvm::raw_string_ostream os(text);
  printPage({file.getBufferIdentifier().str(), file.getBuffer().str()},
            *program, os);
  return text;
}

/// Objects, headers and pages are made of a whole program, all else on the way to it.
static FailureOr<std::string> emitKind(ModuleOp module, const CommandLine &line,
                                       const CompileOptions &options,
                                       llvm::SourceMgr &sources) {
  switch (line.kind) {
  case Kind::Object:
  case Kind::Header:
    return emitObjectOrHeader(module, line.kind, options, sources);
  case Kind::Html:
    return emitPage(module, options, sources);
  default:
    return emit(module, EmitOptions{options, getEmitKind(line)});
  }
}

int tile::runEmitCommand(int argc, char **argv, DialectRegistry &registry) {
  llvm::InitLLVM init(argc, argv);
  printOwnHelp(argc, argv);
  CommandLine line;
  // As in an ordinary run, where it is MLIR's.
  llvm::cl::opt<bool> allowUnregistered{
      "allow-unregistered-dialect",
      llvm::cl::desc("Allow operations of dialects that are not known")};
  std::string message = checkValue(argc, argv, "emit", line.kind.getParser());
  if (message.empty())
    message = checkValue(argc, argv, "format", line.format.getParser());
  if (message.empty())
    message = checkValue(argc, argv, "reuse", line.reuse.getParser());
  if (!message.empty())
    return fail(message);
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
  llvm::cl::ParseCommandLineOptions(argc, argv, "tile compiler\n");

  if (line.optLevel < 0 || line.optLevel > 3)
    return fail("--opt-level=" + Twine(line.optLevel) +
                " is not one of 0, 1, 2, 3");
  if (line.embedCubin && line.kind != Kind::Object)
    return fail("--embed-cubin belongs to --emit=object");
  if ((line.format == Format::Svg && line.kind != Kind::Layouts) ||
      (line.format == Format::Json && line.kind == Kind::Layouts))
    return fail("--format: a report is text or json, layouts are text or svg");
  message = checkChipName(line.chip);
  if (!message.empty())
    return fail(message);
  auto file = openInputFile(line.input, &message);
  if (!file)
    return fail(message);

  DefaultTimingManager timingManager;
  applyDefaultTimingManagerCLOptions(timingManager);
  TimingScope timing = timingManager.getRootScope();
  MLIRContext context(registry);
  context.allowUnregisteredDialects(allowUnregistered);
  context.printOpOnDiagnostic(false); // the line of the source says it better
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(*sources, &context);
  TimingScope parsing = timing.nest("Parser");
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  parsing.stop();
  if (!module)
    return 1;

  FailureOr<std::string> chip = chooseChip(*module, line.chip);
  if (failed(chip))
    return 1;
  FailureOr<std::string> text =
      emitKind(*module, line, getCompileOptions(line, *chip, timing), *sources);
  if (failed(text))
    return 1;
  return writeOutput(line.output, *text);
}
