//===- Options.cpp - The command line of ptx-run -------------------------===//

#include "Options.h"

#include "../Completion.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace tilec;
using namespace tilec::emu;

static constexpr const char *help =
    R"(usage: ptx-run FILE.ptx --grid=X,Y,Z --block=X,Y,Z [options] --arg=.. ..

Runs a kernel of a PTX file: on the CPU, lane by lane as a GPU would, with
reports of races, accesses out of bounds, uninitialised reads, barrier misuse and
deadlock by PTX line and, where the PTX has .loc, source line; or on a GPU.

What runs
  --on=emulator|cuda|auto  where (default emulator); cuda is a GPU, through its
                     driver; auto is cuda where there is one, else the emulator
  --kernel=NAME      the kernel; not needed where there is only one
  --grid=X,Y,Z       blocks (missing dimensions are 1)
  --block=X,Y,Z      threads of a block
  --cluster=X,Y,Z    blocks of a cluster
  --shared=BYTES     dynamic shared memory
  --arg=VALUE        one for each parameter, in order:
       @a.npy          a buffer with the contents of a.npy
       @a.npy:b.npy    the same, written to b.npy afterwards
       i32:5  i64:7  u8:1  i16:2    an integer
       f32:1.5  f64:2  f16:0.5      a float
       zeros:BYTES     a buffer of zeros (new:BYTES: uninitialised)
       same:N          the buffer of argument N, from 0
       tensormap:..    a tensor map, see below
       bytes:HEX       the bytes of a parameter of any size
       null            a null pointer

What is done with the result
  --expect=N:FILE.npy[,type=TYPE][,bounds=FILE.npy][,rtol=X][,atol=X]
                     [,max-unchecked=N%][,mask=FILE.npy]
                     compare the buffer of argument N with a file, bit by bit (any
                     NaN for a NaN), or as far as `bounds` say, one f8 for each
                     element, or within rtol |expected| + atol. TYPE is bf16, e4m3
                     or e5m2 for a file of u2 or u1; elements whose mask is 0 are
                     not compared. docs/Running.md has the rule in full
  --list             print the kernels and their parameters
  --version          print the version
  --help             this text

On the emulator
  --check=LIST       all (default), none, or some of races, bounds, alignment,
                     init, barriers, deadlock, separated by commas
  --delivery=WHEN    when data of asynchronous copies arrive: late (default, at
                     the wait), early, random
  --equal-stores=race|allowed  whether stores of equal values to one address by
                     several warps of a block, without an order, are reported as a
                     race (default) or allowed, as code of Triton needs it
  --mbarrier-init=race|allowed  whether an mbarrier at which a bulk copy arrives,
                     and that no fence.mbarrier_init or fence.proxy.async shows
                     to it, is reported as a race (default) or allowed, as code
                     of Triton needs it
  --wgmma=warpgroup|warp  for whom a group of wgmma is complete when a warp has
                     waited for it: for all four warps of its warpgroup (default),
                     as kernels rely on that let one thread release a slot, or for
                     that warp alone, the stricter reading of the PTX ISA
  --seed=N           order of blocks and warps; 0 (default) is ascending
  --max-instructions=N  end a launch in which a warp executes more than N
                     instructions, as in an endless loop (default 1000000000,
                     about 20 seconds of one warp; 0: no limit)
  --threads=N        OS threads; 0: one per core (default 1)
  --stats[=text|json]  print what was executed; json: one document on standard
                     output (docs/Running.md), everything else on standard error

On a GPU
  --time=N           after the run whose results count, measure N more launches:
                     the device's time between two events, median, least and most
  --verbose          the device, its driver and clocks, the kernel's registers
  --device[=text|json]  print the device and its driver, run nothing

tensormap:SOURCE,KEY=VALUE,.. is what cuTensorMapEncodeTiled makes, or, with corners,
cuTensorMapEncodeIm2col, as a parameter of 128 bytes, or in a buffer where the parameter is a pointer. SOURCE is a buffer
(@a.npy, @a.npy:b.npy, zeros:BYTES, same:N). Dimensions are the innermost first,
as in 64x128:
  box=..             the extents of a box; needed
  type=TYPE          u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32ftz tf32 tf32ftz;
                     needed where no .npy file says it
  dims=..            the extents; needed where no .npy file says them
  strides=..         bytes of dimensions 1 and on (default: densely packed)
  element-strides=.. (default 1)
  lower=.. upper=..  the corners of im2col mode, of dimensions 1 to rank - 2, as in
                     -1x-1; the box then has two extents, channels and pixels
  swizzle=BYTES      0 (default), 32, 64, 128
  l2=BYTES           0 (default), 64, 128, 256: L2 promotion
  fill=zeros|nan     what lies outside (default zeros)
  offset=BYTES       where in the buffer the tensor begins (default 0)

Exit status: 0, or 1 after any error, report or difference.

examples: ptx-run add.ptx --grid=4 --block=256 --arg=@a.npy --arg=@b.npy \
            --arg=@c.npy:c-out.npy --arg=i32:1000
          ptx-run add.ptx --on=cuda --time=100 --grid=4 --block=256 ..
)";

/// More than any chip has; what the emulator has room for.
static constexpr uint64_t maxSharedBytes = 1u << 20;

int tilec::fail(const std::string &message) {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return 1;
}

static bool textIsForErrors = false;

void tilec::sendTextToErrors() { textIsForErrors = true; }

std::FILE *tilec::getTextOutput() { return textIsForErrors ? stderr : stdout; }

bool tilec::parseNumber(std::string_view text, uint64_t &value) {
  std::string copy(text);
  char *end = nullptr;
  errno = 0;
  if (copy.empty() || copy[0] == '-' || copy[0] == ' ')
    return false;
  value = std::strtoull(copy.c_str(), &end, 0);
  return errno == 0 && *end == 0;
}

static bool parseDim(std::string_view text, Dim3 &dim) {
  uint32_t *parts[] = {&dim.x, &dim.y, &dim.z};
  for (int i = 0; i < 3; ++i) {
    size_t comma = text.find(',');
    uint64_t value;
    if (!parseNumber(text.substr(0, comma), value) || value == 0 ||
        value > UINT32_MAX)
      return false;
    *parts[i] = static_cast<uint32_t>(value);
    if (comma == std::string_view::npos)
      return true;
    text = text.substr(comma + 1);
  }
  return false;
}

namespace {

/// One option at a time; an empty string, or what is wrong with it.
class Parser {
public:
  explicit Parser(RunOptions &options) : options(options) {}
  std::string parse(std::string_view word);

private:
  std::string parseSizes(std::string_view name, std::string_view value);
  std::string parseLaunch(std::string_view name, std::string_view value,
                          bool &isKnown);
  std::string parseEmulatorOnly(std::string_view name, std::string_view value,
                                bool &isKnown);
  std::string parseMode(std::string_view name, std::string_view value,
                        bool &isKnown);

  RunOptions &options;
};

} // namespace

std::string Parser::parseSizes(std::string_view name, std::string_view value) {
  Dim3 &dim = name == "--grid"    ? options.config.grid
              : name == "--block" ? options.config.block
                                  : options.config.cluster;
  dim = {};
  std::string text(name);
  if (!parseDim(value, dim))
    return text + " needs one to three positive numbers of 32 bits, as in " +
           text + "=16,8; not '" + std::string(value) + "'";
  options.gridGiven |= name == "--grid";
  options.blockGiven |= name == "--block";
  return "";
}

std::string Parser::parseLaunch(std::string_view name, std::string_view value,
                                bool &isKnown) {
  isKnown = true;
  uint64_t number = 0;
  if (name == "--grid" || name == "--block" || name == "--cluster")
    return parseSizes(name, value);
  if (name == "--kernel") {
    options.kernel = value;
  } else if (name == "--shared") {
    if (!parseNumber(value, number))
      return "--shared needs a number of bytes, not '" + std::string(value) +
             "'";
    if (number > maxSharedBytes)
      return "--shared=" + std::string(value) + " is more than the " +
             std::to_string(maxSharedBytes) + " bytes that a block can have";
    options.config.dynamicSharedBytes = static_cast<uint32_t>(number);
  } else if (name == "--arg") {
    options.arguments.emplace_back(value);
  } else if (name == "--expect") {
    options.expectations.emplace_back(value);
  } else {
    isKnown = false;
  }
  return "";
}

std::string Parser::parseEmulatorOnly(std::string_view name,
                                      std::string_view value, bool &isKnown) {
  isKnown = true;
  uint64_t number = 0;
  std::string error;
  if (name == "--check") {
    auto checks = CheckOptions::parse(value, error);
    if (!checks)
      return error;
    options.launch.checks = *checks;
  } else if (name == "--delivery") {
    if (value != "late" && value != "early" && value != "random")
      return "--delivery is late, early or random";
    options.launch.delivery = value == "late"    ? Delivery::Late
                              : value == "early" ? Delivery::Early
                                                 : Delivery::Random;
  } else if (name == "--equal-stores") {
    if (value != "race" && value != "allowed")
      return "--equal-stores is race or allowed, not '" + std::string(value) +
             "'";
    options.launch.allowEqualStores = value == "allowed";
  } else if (name == "--mbarrier-init") {
    if (value != "race" && value != "allowed")
      return "--mbarrier-init is race or allowed, not '" + std::string(value) +
             "'";
    options.launch.allowUnfencedMbarriers = value == "allowed";
  } else if (name == "--wgmma") {
    if (value != "warpgroup" && value != "warp")
      return "--wgmma is warpgroup or warp, not '" + std::string(value) + "'";
    options.launch.wgmmaCompletion =
        value == "warp" ? WgmmaCompletion::Warp : WgmmaCompletion::Warpgroup;
  } else if (name == "--seed") {
    if (!parseNumber(value, options.launch.seed))
      return "--seed needs a number";
  } else if (name == "--max-instructions") {
    if (!parseNumber(value, options.launch.maxInstructions))
      return "--max-instructions needs a number (0: no limit), not '" +
             std::string(value) + "'";
  } else if (name == "--threads") {
    if (!parseNumber(value, number) || number > 1024)
      return "--threads needs a number up to 1024";
    options.launch.threadCount = static_cast<uint32_t>(number);
  } else if (name == "--stats") {
    options.statistics = value.empty() ? "text" : value;
    if (options.statistics != "text" && options.statistics != "json")
      return "--stats is text or json";
  } else {
    isKnown = false;
    return "";
  }
  if (options.emulatorOnly.empty())
    options.emulatorOnly = name;
  return "";
}

std::string Parser::parseMode(std::string_view name, std::string_view value,
                              bool &isKnown) {
  isKnown = true;
  uint64_t number = 0;
  if (name == "--on") {
    if (value != "emulator" && value != "cuda" && value != "auto")
      return "--on is emulator, cuda or auto, not '" + std::string(value) + "'";
    options.runOn = value == "cuda"   ? RunOn::Cuda
                    : value == "auto" ? RunOn::Auto
                                      : RunOn::Emulator;
  } else if (name == "--time") {
    if (!parseNumber(value, number) || number == 0 || number > 1'000'000)
      return "--time needs a number of launches from 1 to 1000000";
    options.timedLaunches = static_cast<unsigned>(number);
  } else if (name == "--device") {
    options.device = value.empty() ? "text" : value;
    if (options.device != "text" && options.device != "json")
      return "--device is text or json";
  } else if (name == "--verbose") {
    options.verbose = true;
  } else if (name == "--list") {
    options.list = true;
  } else {
    isKnown = false;
  }
  return "";
}

std::string Parser::parse(std::string_view word) {
  if (!word.starts_with("-") || word == "-") {
    if (!options.file.empty())
      return "two PTX files: '" + options.file + "' and '" + std::string(word) +
             "'";
    options.file = word;
    return "";
  }
  size_t equals = word.find('=');
  std::string_view name = word.substr(0, equals);
  std::string_view value =
      equals == std::string_view::npos ? "" : word.substr(equals + 1);
  for (auto group :
       {&Parser::parseLaunch, &Parser::parseEmulatorOnly, &Parser::parseMode}) {
    bool isKnown = false;
    std::string error = (this->*group)(name, value, isKnown);
    if (isKnown)
      return error;
  }
  return "unknown option '" + std::string(name) + "'; see ptx-run --help";
}

int tilec::parseOptions(int argc, char **argv, RunOptions &options) {
  if (auto word = getCompletedWord(argc, argv))
    return printCompletions(readHelp(help), *word);
  Parser parser(options);
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == "--help" || word == "-h") {
      std::fputs(help, stdout);
      return 0;
    }
    if (word == "--version") {
      std::printf("ptx-run %s\n", TILE_VERSION);
      return 0;
    }
    if (std::string error = parser.parse(word); !error.empty())
      return fail(error);
  }
  if (options.file.empty() && options.device.empty())
    return fail("no PTX file; see ptx-run --help");
  return -1;
}
