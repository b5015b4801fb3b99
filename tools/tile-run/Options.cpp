//===- Options.cpp - The command line of tile-run ------------------------===//
//
// Read by hand rather than through LLVM's registry of options, whose help would
// list the options of all of LLVM beside these.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>

using namespace mlir;
using namespace mlir::tile;

const char *const mlir::tile::helpText = R"(tile-run: executes a tile program

  tile-run in.mlir --entry=gemm --on=emulator --chip=sm_90a --check

Fills the arguments of the entry function, runs it, and prints a line per memref
argument. Arguments are numbered from 0 over all arguments of the entry.

What runs
  --entry=NAME          the function; not needed where the file has one. What it
                        does not call is not compiled
  --on=emulator|cuda|reference|auto
                        emulator  the PTX that would go to a GPU, on the CPU
                        cuda      the same PTX on a GPU
                        reference the meaning of the program, without compiling
                        auto      cuda where there is a driver, else emulator
  --chip=NAME           compile for this chip (default: the module's, else sm_80)
  --multiprocessors=N   how many the host program is told of, as a persistent launch
                        asks (default: the GPU's; without one, those of the
                        largest product with the chip)

What it is given
  --shape=ARG:512x300   the sizes of a memref argument
  --dim=NAME:SIZE       a size by its name in tile.dims
  --scalar=ARG:VALUE    a scalar argument
  --data=[ARG:]KIND     normal(mean,deviation)  uniform(lo,hi)  integers(lo,hi)
                        zeros  iota  perm  values(a,b,..)  metadata
                        (default: floats normal, i8 integers, i1 0 and 1,
                        wider integers zeros)
  --in=ARG:FILE.npy     contents, and the shape with them
  --alias=ARG:OTHER     ARG is OTHER's buffer
  --seed=N              of the data and of the order in which blocks run
  --max-instructions=N  end a launch in which a warp executes more, as in an
                        endless loop (emulator; default 1000000000; 0: no limit)
  --max-steps=N         the same for the reference: end a run in which a block
                        takes more steps, each the work of a scalar operation
                        (default 100000000, less than a minute; 0: no limit)

What is done with the result
  --check[=json]        compare every memref argument with the reference, each
                        element within the bound that the reference derives for
                        it: bit by bit where the language leaves no freedom
  --check-stages        run the reference after every pass that changes the
                        program and name the first that changes a result
  --check-assumptions   let the compiled code trap where a tile.assume or
                        tile.assume_divisible of a launch does not hold
  --out=ARG:FILE.npy    write an argument afterwards
  --expect=ARG:FILE.npy compare an argument with a file too, within the same
                        bounds
  --rtol=[ARG:]X        instead of the bounds of floats:
  --atol=[ARG:]X        |x - ref| <= rtol |ref| + atol, 0 where not given
  --max-unchecked=N%    how many elements of an argument may have bounds that say
                        nothing (default 1%)
  --stats[=json]        what the kernels executed (emulator)
                        json, for --check or --stats: standard output is one JSON
                        document, everything else goes to standard error
  --time[=N]            the time of N more runs of each launch (default 5)
  --warm-up=N           after N that do not count (default 1)
  --save-jobs=DIR       keep each launch as a folder DIR/launch-N for ptx-run: the
                        PTX, the buffers before it and what the emulator makes
                        of them

  --version, --help

docs/Running.md has the rules and formats in full.
Exit status: 0, or 1 after any error, report or difference.
)";

tilec::ComparisonRule RunOptions::getRule(unsigned argument) const {
  tilec::ComparisonRule rule{tolerance, maxUnchecked};
  if (auto it = toleranceOf.find(argument); it != toleranceOf.end()) {
    if (it->second.rtol)
      rule.tolerance.rtol = it->second.rtol;
    if (it->second.atol)
      rule.tolerance.atol = it->second.atol;
  }
  return rule;
}

llvm::raw_ostream &RunOptions::getTextOutput() const {
  return writesJson ? llvm::errs() : llvm::outs();
}

namespace {

class Parser {
public:
  Parser(RunOptions &options, std::string &error)
      : options(options), error(error) {}

  /// Whether the option says the same as where it was given before, if it was.
  bool checkRepeated(StringRef name, StringRef value);
  /// One option with its value; `value` is null where there is none.
  bool parse(StringRef name, const StringRef *value);

private:
  bool fail(const Twine &message) {
    error = message.str();
    return false;
  }
  bool splitNumber(StringRef name, StringRef value, unsigned &argument,
                   StringRef &rest);
  bool parseShape(StringRef value);
  bool parseDim(StringRef value);
  bool parseData(StringRef value);
  bool parseAlias(StringRef value);
  bool parseExecutor(StringRef value);
  bool parseTolerance(StringRef name, StringRef value);
  bool parseMultiprocessors(StringRef value);
  bool parseLimit(StringRef name, StringRef value,
                  std::optional<uint64_t> &target);
  bool parseFormat(StringRef name, const StringRef *value);
  bool parseTimes(StringRef name, StringRef value);
  bool parseMaxUnchecked(StringRef value);
  bool parseWithValue(StringRef name, StringRef value);
  bool parseText(StringRef name, StringRef value,
                 std::map<unsigned, std::string> &target);

  RunOptions &options;
  std::string &error;
  /// What was given before, by option and, where it has one, argument or name.
  std::map<std::string, std::string> given;
};

} // namespace

bool Parser::checkRepeated(StringRef name, StringRef value) {
  std::string key = name.str();
  auto [subject, rest] = value.split(':');
  unsigned number;
  if (name == "dim" || (!rest.empty() && !subject.getAsInteger(10, number)))
    key += "=" + subject.str();
  auto [it, isNew] = given.try_emplace(key, value.str());
  return isNew || it->second == value ||
         fail("--" + name + "=" + value + ": --" + name + "=" + it->second +
              " was given before");
}

/// "3:rest".
bool Parser::splitNumber(StringRef name, StringRef value, unsigned &argument,
                         StringRef &rest) {
  auto [number, text] = value.split(':');
  if (text.empty() || number.getAsInteger(10, argument))
    return fail("--" + name + "=" + value +
                ": expected ARGUMENT:VALUE, such "
                "as --" +
                name + "=0:..");
  rest = text;
  return true;
}

bool Parser::parseShape(StringRef value) {
  unsigned argument;
  StringRef rest;
  if (!splitNumber("shape", value, argument, rest))
    return false;
  SmallVector<StringRef> parts;
  rest.split(parts, 'x');
  std::vector<int64_t> shape;
  for (StringRef part : parts) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 0)
      return fail("--shape=" + value + ": '" + part +
                  "' is not a size; write sizes as in 512x300");
    shape.push_back(size);
  }
  options.arguments.shapes[argument] = std::move(shape);
  return true;
}

bool Parser::parseDim(StringRef value) {
  auto [name, number] = value.split(':');
  int64_t size;
  if (number.getAsInteger(10, size) || size < 0)
    return fail("--dim=" + value + ": expected NAME:SIZE, such as M:300");
  options.arguments.dims[name.str()] = size;
  return true;
}

bool Parser::parseData(StringRef value) {
  auto [number, rest] = value.split(':');
  unsigned argument = 0;
  bool hasNumber = !rest.empty() && !number.getAsInteger(10, argument);
  std::string reason;
  std::optional<DataKind> kind =
      DataKind::parse(hasNumber ? rest : value, reason);
  if (!kind)
    return fail("--data=" + value + ": " + reason);
  if (hasNumber)
    options.arguments.data[argument] = *kind;
  else
    options.arguments.dataOfAll = *kind;
  return true;
}

bool Parser::parseAlias(StringRef value) {
  unsigned argument, target;
  StringRef rest;
  if (!splitNumber("alias", value, argument, rest))
    return false;
  if (rest.getAsInteger(10, target))
    return fail("--alias=" + value + ": expected two argument numbers");
  options.arguments.aliases[argument] = target;
  return true;
}

bool Parser::parseExecutor(StringRef value) {
  if (value == "emulator")
    options.executor = Executor::Emulator;
  else if (value == "cuda")
    options.executor = Executor::Cuda;
  else if (value == "reference")
    options.executor = Executor::Reference;
  else if (value == "auto")
    options.executor = Executor::Auto;
  else
    return fail("--on=" + value +
                ": known are emulator, cuda, auto and reference");
  return true;
}

bool Parser::parseTolerance(StringRef name, StringRef value) {
  auto [number, rest] = value.split(':');
  tilec::Tolerance *target = &options.tolerance;
  unsigned argument;
  StringRef text = value;
  if (!rest.empty() && !number.getAsInteger(10, argument)) {
    target = &options.toleranceOf[argument];
    text = rest;
  }
  double x;
  if (text.getAsDouble(x) || !(x >= 0))
    return fail("--" + name + "=" + value + ": '" + text +
                "' is not a number from 0 on");
  (name == "rtol" ? target->rtol : target->atol) = x;
  return true;
}

bool Parser::parseText(StringRef name, StringRef value,
                       std::map<unsigned, std::string> &target) {
  unsigned argument;
  StringRef rest;
  if (!splitNumber(name, value, argument, rest))
    return false;
  target[argument] = rest.str();
  return true;
}

bool Parser::parseMultiprocessors(StringRef value) {
  return (!value.getAsInteger(10, options.multiprocessors) &&
          options.multiprocessors > 0) ||
         fail("--multiprocessors=" + value + ": expected an integer from 1 on");
}

bool Parser::parseLimit(StringRef name, StringRef value,
                        std::optional<uint64_t> &target) {
  uint64_t count = 0;
  if (value.getAsInteger(10, count))
    return fail("--" + name + "=" + value +
                ": expected an integer from 0 (no limit) on");
  target = count;
  return true;
}

bool Parser::parse(StringRef name, const StringRef *value) {
  auto flag = [&](bool &target) {
    if (value)
      return fail("--" + name + " takes no value");
    target = true;
    return true;
  };
  if (name == "help" || name == "h")
    return flag(options.showHelp);
  // Not in the help: the tests ask which operations they have to cover.
  if (name == "list-operations")
    return flag(options.listOperations);
  if (name == "version")
    return flag(options.showVersion);
  if (name == "check") {
    options.check = true;
    return parseFormat(name, value);
  }
  if (name == "check-stages")
    return flag(options.checkStages);
  if (name == "check-assumptions")
    return flag(options.checkAssumptions);
  if (name == "stats") {
    options.statistics = value && *value == "json" ? StatisticsFormat::Json
                                                   : StatisticsFormat::Text;
    return parseFormat(name, value);
  }
  if (name == "time" && !value) {
    options.timing.count = TimingOptions::defaultCount;
    return true;
  }
  return parseWithValue(name, value ? *value : StringRef());
}

/// Of what is printed: none is text.
bool Parser::parseFormat(StringRef name, const StringRef *value) {
  if (value && *value != "json" && *value != "text")
    return fail("--" + name + "=" + *value + ": known are text and json");
  options.writesJson |= value && *value == "json";
  return true;
}

bool Parser::parseTimes(StringRef name, StringRef value) {
  unsigned &target =
      name == "time" ? options.timing.count : options.timing.warmUpCount;
  if (value.getAsInteger(10, target) || target > 1000000 ||
      (name == "time" && target == 0))
    return fail("--" + name + "=" + value + ": expected a number of launches " +
                (name == "time" ? "from 1" : "from 0") + " to 1000000");
  return true;
}

bool Parser::parseMaxUnchecked(StringRef value) {
  return tilec::parseShare(value.str(), options.maxUnchecked) ||
         fail("--max-unchecked=" + value +
              ": expected a share from 0% to 100%, such as 1%");
}

/// Options that stand without a value.
static constexpr StringLiteral flags[] = {
    "help",         "h",     "version", "check",          "check-assumptions",
    "check-stages", "stats", "time",    "list-operations"};

static bool isFlag(StringRef name) { return llvm::is_contained(flags, name); }

/// "; did you mean --check?" where an option is two letters from `name`.
template <typename Names>
static std::string suggest(StringRef name, const Names &withValue) {
  StringRef nearest;
  unsigned least = name.size() > 4 ? 3 : 2;
  auto consider = [&](StringRef option) {
    unsigned distance = name.edit_distance(option, true, least);
    if (distance < least) {
      least = distance;
      nearest = option;
    }
  };
  for (StringRef option : withValue)
    consider(option);
  for (StringRef option : flags)
    consider(option);
  return nearest.empty() ? "; see tile-run --help"
                         : "; did you mean --" + nearest.str() + "?";
}

/// Options that need a value; an empty one is none.
bool Parser::parseWithValue(StringRef name, StringRef value) {
  using Handler = std::function<bool(StringRef)>;
  auto text = [&](std::string &target) -> Handler {
    return [&target](StringRef v) {
      target = v.str();
      return true;
    };
  };
  const std::map<StringRef, Handler> handlers = {
      {"entry", text(options.entry)},
      {"chip", text(options.chip)},
      {"save-jobs", text(options.jobDirectory)},
      {"on", [&](StringRef v) { return parseExecutor(v); }},
      {"shape", [&](StringRef v) { return parseShape(v); }},
      {"dim", [&](StringRef v) { return parseDim(v); }},
      {"data", [&](StringRef v) { return parseData(v); }},
      {"alias", [&](StringRef v) { return parseAlias(v); }},
      {"rtol", [&](StringRef v) { return parseTolerance("rtol", v); }},
      {"atol", [&](StringRef v) { return parseTolerance("atol", v); }},
      {"scalar",
       [&](StringRef v) {
         return parseText("scalar", v, options.arguments.scalars);
       }},
      {"in",
       [&](StringRef v) {
         return parseText("in", v, options.arguments.inputs);
       }},
      {"out",
       [&](StringRef v) { return parseText("out", v, options.outputs); }},
      {"expect",
       [&](StringRef v) {
         return parseText("expect", v, options.expectations);
       }},
      {"time", [&](StringRef v) { return parseTimes("time", v); }},
      {"warm-up", [&](StringRef v) { return parseTimes("warm-up", v); }},
      {"max-unchecked", [&](StringRef v) { return parseMaxUnchecked(v); }},
      {"max-instructions",
       [&](StringRef v) {
         return parseLimit("max-instructions", v, options.maxInstructions);
       }},
      {"max-steps",
       [&](StringRef v) {
         return parseLimit("max-steps", v, options.maxSteps);
       }},
      {"multiprocessors", [&](StringRef v) { return parseMultiprocessors(v); }},
      {"seed",
       [&](StringRef v) {
         return !v.getAsInteger(10, options.arguments.seed) ||
                fail("--seed=" + v + ": expected an integer from 0 on");
       }},
  };
  auto handler = handlers.find(name);
  if (handler == handlers.end())
    return fail("unknown option --" + name +
                suggest(name, llvm::make_first_range(handlers)));
  if (value.empty())
    return fail("--" + name + " needs a value: --" + name + "=..");
  return handler->second(value);
}

std::optional<RunOptions> mlir::tile::parseOptions(int argc, char **argv,
                                                   std::string &error) {
  RunOptions options;
  Parser parser(options, error);
  for (int i = 1; i < argc; ++i) {
    StringRef word = argv[i];
    if (!word.starts_with("-") || word == "-") {
      if (!options.inputFile.empty()) {
        error = "one program a run, but '" + options.inputFile + "' and '" +
                word.str() + "' are given";
        return std::nullopt;
      }
      options.inputFile = word.str();
      continue;
    }
    auto [name, value] = word.ltrim('-').split('=');
    bool hasValue = word.contains('=');
    // "--entry gemm" is "--entry=gemm".
    if (!hasValue && !isFlag(name) && i + 1 < argc) {
      value = argv[++i];
      hasValue = true;
    }
    if ((hasValue && !parser.checkRepeated(name, value)) ||
        !parser.parse(name, hasValue ? &value : nullptr))
      return std::nullopt;
  }
  if (options.inputFile.empty() && !options.showHelp && !options.showVersion &&
      !options.listOperations) {
    error = "no program is given; see tile-run --help";
    return std::nullopt;
  }
  return options;
}
