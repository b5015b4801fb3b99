//===- ptx-run.cpp - The PTX emulator by itself ---------------------------===//
//
// Runs one kernel of a PTX file with arguments from the command line, prints
// what the checkers found and, if asked, statistics. Exit status: 0 if the
// kernel ran without a report, 1 otherwise (also for errors in options).
//
//===----------------------------------------------------------------------===//

#include "tile/Emulator/Emulator.h"
#include "tile/Runtime/Npy.h"

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

using namespace tilec;
using namespace tilec::emu;

static constexpr const char *help =
    R"(usage: ptx-run FILE.ptx --grid=X,Y,Z --block=X,Y,Z [options] --arg=.. ..

Runs a kernel of a PTX file on the CPU, lane by lane as a GPU would, and reports
races, accesses out of bounds, uninitialised reads, barrier misuse and deadlock
with the PTX line and, where the PTX has .loc, the source line.

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
       bytes:HEX       the bytes of a parameter of any size
       null            a null pointer
  --check=LIST       all (default), none, or some of races, bounds, alignment,
                     init, barriers, deadlock, separated by commas
  --delivery=WHEN    when data of asynchronous copies arrive: late (default, at
                     the wait), early, random
  --seed=N           order of blocks and warps; 0 (default) is ascending
  --max-instructions=N  end a launch in which a warp executes more than N
                     instructions, as in an endless loop (default 1000000000,
                     about 20 seconds of one warp; 0: no limit)
  --threads=N        OS threads; 0: one per core (default 1)
  --stats[=text|json]  print what was executed
  --list             print the kernels and their parameters
  --help             this text

example: ptx-run add.ptx --grid=4 --block=256 --arg=@a.npy --arg=@b.npy \
           --arg=@c.npy:c-out.npy --arg=i32:1000
)";

static int fail(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return 1;
}

static bool parseNumber(std::string_view text, uint64_t &value) {
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
        value > 0x7fffffff)
      return false;
    *parts[i] = static_cast<uint32_t>(value);
    if (comma == std::string_view::npos)
      return true;
    text = text.substr(comma + 1);
  }
  return false;
}

static bool readFile(const std::string &path, std::string &text) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return false;
  char buffer[65536];
  size_t count;
  while ((count = std::fread(buffer, 1, sizeof buffer, file)) > 0)
    text.append(buffer, count);
  std::fclose(file);
  return true;
}

static std::string signature(const KernelInfo &kernel) {
  std::string text = kernel.name + "(";
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const ParameterInfo &p = kernel.parameters[i];
    text += (i ? ", " : "") + std::string(".") + p.type;
    if (p.type == "b8")
      text += "[" + std::to_string(p.sizeBytes) + "]";
  }
  return text + ")";
}

namespace {

struct Output {
  std::string path;
  uint64_t address;
  NpyArray array;
};

struct Options {
  std::string file, kernel, statistics;
  LaunchConfig config;
  LaunchOptions launch;
  std::vector<std::string> arguments;
  bool list = false, gridGiven = false, blockGiven = false;
};

} // namespace

/// f16 from a double, through the nearest f32 (exact for what one types).
static uint16_t toHalf(double value) {
  float f = static_cast<float>(value);
  uint32_t bits = std::bit_cast<uint32_t>(f), sign = bits >> 16 & 0x8000;
  float magnitude = std::fabs(f);
  if (!(magnitude < 65520.0f))
    return static_cast<uint16_t>(sign | (f != f ? 0x7e00 : 0x7c00));
  if (magnitude < 0x1p-14f)
    return static_cast<uint16_t>(
        sign | static_cast<uint32_t>(std::nearbyint(magnitude * 0x1p24f)));
  bits &= 0x7fffffff;
  bits += 0xfff + (bits >> 13 & 1);
  return static_cast<uint16_t>(sign | ((bits >> 13) - (112u << 10)));
}

/// Appends one `--arg`; an empty string or what is wrong with it.
static std::string addArgument(const std::string &text, DeviceMemory &memory,
                               const ParameterInfo &parameter,
                               std::vector<uint8_t> &bytes,
                               std::vector<Output> &outputs) {
  size_t colon = text.find(':');
  std::string kind = text.substr(0, colon);
  std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  auto put = [&](const void *value, size_t size) {
    bytes.resize(size);
    std::memcpy(bytes.data(), value, size);
    return std::string();
  };
  if (!text.empty() && text[0] == '@') {
    std::string path = kind.substr(1), error;
    Output output;
    if (!readNpy(path, output.array, error))
      return error;
    output.path = rest;
    output.address = memory.allocate(output.array.bytes.size(), path);
    memory.write(output.address, output.array.bytes.data(),
                 output.array.bytes.size());
    if (!rest.empty())
      outputs.push_back(output);
    return put(&output.address, 8);
  }
  if (kind == "null") {
    uint64_t zero = 0;
    return put(&zero, 8);
  }
  if (kind == "zeros" || kind == "new") {
    uint64_t size;
    if (!parseNumber(rest, size))
      return "expected a number of bytes after '" + kind + ":'";
    uint64_t address = memory.allocate(size, parameter.name);
    if (kind == "zeros")
      memory.fill(address, 0, size);
    return put(&address, 8);
  }
  if (kind == "bytes") {
    bytes.clear();
    for (size_t i = 0; i + 1 < rest.size(); i += 2)
      bytes.push_back(static_cast<uint8_t>(
          std::strtoul(rest.substr(i, 2).c_str(), nullptr, 16)));
    return "";
  }
  char *end = nullptr;
  errno = 0;
  if (kind == "f32" || kind == "f64" || kind == "f16") {
    double value = std::strtod(rest.c_str(), &end);
    if (rest.empty() || *end)
      return "'" + rest + "' is not a number";
    float single = static_cast<float>(value);
    uint16_t half = toHalf(value);
    return kind == "f64"   ? put(&value, 8)
           : kind == "f32" ? put(&single, 4)
                           : put(&half, 2);
  }
  if ((kind[0] == 'i' || kind[0] == 'u' || kind[0] == 's') && kind.size() > 1) {
    uint64_t width;
    if (parseNumber(kind.substr(1), width) &&
        (width == 8 || width == 16 || width == 32 || width == 64)) {
      bool negative = !rest.empty() && rest[0] == '-';
      uint64_t value =
          negative ? static_cast<uint64_t>(std::strtoll(rest.c_str(), &end, 0))
                   : std::strtoull(rest.c_str(), &end, 0);
      if (rest.empty() || *end || errno)
        return "'" + rest + "' is not an integer";
      return put(&value, width / 8);
    }
  }
  return "unknown form '" + text +
         "'; known: @file.npy, @in.npy:out.npy, "
         "i32:N, i64:N, f32:X, f64:X, f16:X, zeros:BYTES, new:BYTES, "
         "bytes:HEX, null";
}

/// Reads the command line; -1 to go on, else the exit status.
static int parseOptions(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    size_t equals = word.find('=');
    std::string_view name = word.substr(0, equals);
    std::string_view value =
        equals == std::string_view::npos ? "" : word.substr(equals + 1);
    uint64_t number = 0;
    std::string error;
    if (name == "--help" || name == "-h") {
      std::fputs(help, stdout);
      return 0;
    }
    if (!word.starts_with("-") || word == "-") {
      if (!options.file.empty())
        return fail("two PTX files: '" + options.file + "' and '" +
                    std::string(word) + "'");
      options.file = word;
    } else if (name == "--kernel") {
      options.kernel = value;
    } else if (name == "--grid" || name == "--block" || name == "--cluster") {
      Dim3 &dim = name == "--grid"    ? options.config.grid
                  : name == "--block" ? options.config.block
                                      : options.config.cluster;
      if (!parseDim(value, dim))
        return fail(std::string(name) +
                    " needs one to three positive numbers, "
                    "as in " +
                    std::string(name) + "=16,8; not '" + std::string(value) +
                    "'");
      options.gridGiven |= name == "--grid";
      options.blockGiven |= name == "--block";
    } else if (name == "--shared") {
      if (!parseNumber(value, number) || number > 1u << 20)
        return fail("--shared needs a number of bytes");
      options.config.dynamicSharedBytes = static_cast<uint32_t>(number);
    } else if (name == "--arg") {
      options.arguments.emplace_back(value);
    } else if (name == "--check") {
      auto checks = CheckOptions::parse(value, error);
      if (!checks)
        return fail(error);
      options.launch.checks = *checks;
    } else if (name == "--delivery") {
      if (value != "late" && value != "early" && value != "random")
        return fail("--delivery is late, early or random");
      options.launch.delivery = value == "late"    ? Delivery::Late
                                : value == "early" ? Delivery::Early
                                                   : Delivery::Random;
    } else if (name == "--seed") {
      if (!parseNumber(value, options.launch.seed))
        return fail("--seed needs a number");
    } else if (name == "--max-instructions") {
      if (!parseNumber(value, options.launch.maxInstructions))
        return fail("--max-instructions needs a number (0: no limit), not '" +
                    std::string(value) + "'");
    } else if (name == "--threads") {
      if (!parseNumber(value, number) || number > 1024)
        return fail("--threads needs a number up to 1024");
      options.launch.threadCount = static_cast<uint32_t>(number);
    } else if (name == "--stats") {
      options.statistics = value.empty() ? "text" : value;
      if (options.statistics != "text" && options.statistics != "json")
        return fail("--stats is text or json");
    } else if (name == "--list") {
      options.list = true;
    } else {
      return fail("unknown option '" + std::string(name) +
                  "'; see ptx-run --help");
    }
  }
  if (options.file.empty())
    return fail("no PTX file; see ptx-run --help");
  return -1;
}

static const KernelInfo *chooseKernel(const Module &module,
                                      const Options &options) {
  std::string known;
  for (const KernelInfo &kernel : module.kernels())
    known += "\n  " + signature(kernel);
  if (!options.kernel.empty()) {
    const KernelInfo *kernel = module.findKernel(options.kernel);
    if (!kernel)
      fail("there is no kernel '" + options.kernel +
           "'; the file has:" + known);
    return kernel;
  }
  if (module.kernels().size() == 1)
    return &module.kernels()[0];
  fail(module.kernels().empty()
           ? "the file has no kernel (.entry)"
           : "the file has several kernels; choose with --kernel:" + known);
  return nullptr;
}

static int run(Module &module, const KernelInfo &kernel, Options &options) {
  if (!options.blockGiven || !options.gridGiven)
    return fail("--grid and --block are needed, as in --grid=4 --block=256");
  DeviceMemory memory;
  std::vector<Output> outputs;
  if (options.arguments.size() != kernel.parameters.size())
    return fail("the kernel takes " + std::to_string(kernel.parameters.size()) +
                " arguments, but there are " +
                std::to_string(options.arguments.size()) + ": " +
                signature(kernel));
  ParameterBuilder parameters(kernel);
  for (size_t i = 0; i < options.arguments.size(); ++i) {
    std::vector<uint8_t> bytes;
    std::string error = addArgument(options.arguments[i], memory,
                                    kernel.parameters[i], bytes, outputs);
    if (error.empty() && !parameters.addBytes(bytes.data(), bytes.size()))
      error = "has " + std::to_string(bytes.size()) +
              " bytes, but the parameter has " +
              std::to_string(kernel.parameters[i].sizeBytes);
    if (!error.empty())
      return fail("argument " + std::to_string(i) +
                  " (--arg=" + options.arguments[i] + "): " + error + "\n  " +
                  signature(kernel));
  }
  options.config.kernel = kernel.name;
  options.config.parameters = parameters.bytes();
  LaunchResult result = launch(module, memory, options.config, options.launch);
  std::fputs(result.output.c_str(), stdout);
  for (const Report &report : result.reports)
    std::fprintf(stderr, "%s\n", report.format(module.name()).c_str());
  if (result.reportsDropped)
    std::fprintf(stderr, "and %llu more\n",
                 static_cast<unsigned long long>(result.reportsDropped));
  if (result.completed) {
    for (Output &output : outputs) {
      memory.read(output.address, output.array.bytes.data(),
                  output.array.bytes.size());
      std::string error;
      if (!writeNpy(output.path, output.array, error))
        return fail(error);
    }
  }
  if (options.statistics == "json")
    std::fputs(toJson({result.statistics}).c_str(), stdout);
  else if (options.statistics == "text")
    std::fputs(toText(result.statistics).c_str(), stdout);
  return result.ok() ? 0 : 1;
}

int main(int argc, char **argv) {
  Options options;
  int status = parseOptions(argc, argv, options);
  if (status >= 0)
    return status;
  std::string text;
  if (!readFile(options.file, text))
    return fail("cannot read '" + options.file + "'");
  std::vector<Diagnostic> diagnostics;
  auto module = Module::parse(text, options.file, diagnostics);
  for (const Diagnostic &d : diagnostics)
    std::fprintf(stderr, "%s:%u: error: %s\n", options.file.c_str(), d.line,
                 d.message.c_str());
  if (!module)
    return 1;
  if (options.list) {
    for (const KernelInfo &kernel : module->kernels())
      std::printf("%s\n", signature(kernel).c_str());
    return 0;
  }
  const KernelInfo *kernel = chooseKernel(*module, options);
  return kernel ? run(*module, *kernel, options) : 1;
}
