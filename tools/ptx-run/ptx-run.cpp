//===- ptx-run.cpp - One kernel of a PTX file ----------------------------===//
//
// Runs one kernel with arguments from the command line, on the emulator or on a
// GPU: prints what the emulator's checkers found, compares and writes buffers
// and, if asked, prints statistics or times. It links neither MLIR nor CUDA, so
// that it runs where only the driver is installed.
//
// Exit status: 0 if the kernel ran without a report or a difference, 1
// otherwise (also for errors in options).
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Executor.h"
#include "Expectation.h"
#include "Options.h"

#include "tile/Limits/LaunchLimits.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

using namespace tilec;
using namespace tilec::emu;

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

static const KernelInfo *chooseKernel(const Module &module,
                                      const RunOptions &options) {
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

/// Takes a device where one is asked for; null for the emulator. False after an
/// error.
static bool chooseDevice(const RunOptions &options,
                         std::unique_ptr<cuda::Device> &device) {
  bool wantsDevice =
      options.runOn != RunOn::Emulator || !options.device.empty();
  if (options.timedLaunches && options.runOn == RunOn::Emulator)
    return fail("--time measures a GPU; use --on=cuda") == 0;
  if (!wantsDevice)
    return true;
  std::string error;
  device = cuda::Device::open(error);
  if (!device && options.runOn == RunOn::Auto && options.device.empty()) {
    if (options.timedLaunches)
      return fail("--time measures a GPU, but " + error) == 0;
    if (options.verbose)
      std::fprintf(getTextOutput(), "on the emulator: %s\n", error.c_str());
    return true;
  }
  if (!device)
    return fail(options.device.empty()
                    ? "--on=cuda: " + error + "; or use --on=emulator"
                    : "--device: " + error) == 0;
  if (!options.emulatorOnly.empty())
    return fail(options.emulatorOnly +
                ": only the emulator has this; use --on=emulator") == 0;
  return true;
}

/// Lays the arguments out as the kernel's parameters ask.
static bool addArguments(const KernelInfo &kernel, RunOptions &options,
                         ArgumentList &arguments) {
  size_t count = kernel.parameters.size();
  if (options.arguments.size() != count)
    return fail("the kernel takes " + std::to_string(count) +
                " arguments, but there are " +
                std::to_string(options.arguments.size()) + ": " +
                signature(kernel)) == 0;
  ParameterBuilder parameters(kernel);
  for (size_t i = 0; i < count; ++i) {
    const std::string &text = options.arguments[i];
    std::string error = arguments.add(text, kernel.parameters[i]);
    const std::vector<uint8_t> &bytes = arguments.arguments()[i].bytes;
    if (error.empty() && !parameters.addBytes(bytes.data(), bytes.size()))
      error = "has " + std::to_string(bytes.size()) +
              " bytes, but the parameter has " +
              std::to_string(kernel.parameters[i].sizeBytes);
    if (!error.empty())
      return fail("argument " + std::to_string(i) + " (--arg=" + text +
                  "): " + error + "\n  " + signature(kernel)) == 0;
  }
  options.config.kernel = kernel.name;
  options.config.parameters = parameters.bytes();
  return true;
}

/// What --expect says, read and checked against the arguments.
static bool loadExpectations(const RunOptions &options, ArgumentList &arguments,
                             std::vector<Expectation> &expectations) {
  for (const std::string &text : options.expectations) {
    Expectation expectation;
    if (std::string error = parseExpectation(text, expectation); !error.empty())
      return fail("--expect=" + text + ": " + error) == 0;
    if (std::string error = loadExpectation(expectation, arguments);
        !error.empty())
      return fail(error) == 0;
    expectations.push_back(std::move(expectation));
  }
  return true;
}

/// Compares, and prints a line each or adds an object each to `json`.
static bool checkExpectations(const std::vector<Expectation> &expectations,
                              ArgumentList &arguments, Executor &executor,
                              std::string &json) {
  bool isRight = true;
  for (const Expectation &expectation : expectations) {
    std::string error;
    std::optional<Comparison> result =
        checkExpectation(expectation, arguments, executor, error);
    if (!result)
      return fail(error) == 0;
    const std::vector<int64_t> &shape = expectation.expected.shape;
    std::string number = std::to_string(expectation.argument);
    json += (json.empty() ? "\n  " : ",\n  ") + ("{\"argument\": " + number) +
            ", \"comparison\": " + result->toJson(shape) + "}";
    std::fprintf(getTextOutput(), "argument %s: %s\n", number.c_str(),
                 result->toText(shape).c_str());
    isRight &= result->isEqual();
  }
  return isRight;
}

static int run(Executor &executor, const KernelInfo &kernel,
               RunOptions &options) {
  if (!options.blockGiven || !options.gridGiven)
    return fail("--grid and --block are needed, as in --grid=4 --block=256");
  const Dim3 &grid = options.config.grid, &block = options.config.block;
  std::string problem = checkGrid({grid.x, grid.y, grid.z});
  if (problem.empty())
    problem = checkBlock({block.x, block.y, block.z});
  if (!problem.empty())
    return fail(problem);
  ArgumentList arguments(executor);
  std::vector<Expectation> expectations;
  if (!addArguments(kernel, options, arguments) ||
      !loadExpectations(options, arguments, expectations))
    return 1;
  bool completed = false;
  bool isRight = executor.run(kernel, options, completed);
  std::string comparisons;
  if (completed) {
    if (std::string error = arguments.writeOutputs(); !error.empty())
      return fail(error);
    isRight &=
        checkExpectations(expectations, arguments, executor, comparisons);
  }
  isRight &= executor.finish(kernel, options);
  if (options.statistics == "json")
    std::printf("{\"kernels\": %s,\n \"expectations\": [%s],\n \"status\": "
                "\"%s\"}\n",
                executor.getStatisticsJson().c_str(), comparisons.c_str(),
                isRight ? "right" : "wrong");
  return isRight ? 0 : 1;
}

/// What no check of a size foresaw; nothing may be allocated here.
static void endWithoutMemory() {
  std::fputs("error: memory does not suffice for the buffers\n", stderr);
  std::_Exit(1);
}

int main(int argc, char **argv) {
  std::set_new_handler(endWithoutMemory);
  RunOptions options;
  int status = parseOptions(argc, argv, options);
  if (status >= 0)
    return status;
  if (options.statistics == "json")
    sendTextToErrors();
  std::unique_ptr<cuda::Device> device;
  if (!options.list && !chooseDevice(options, device))
    return 1;
  if (!options.device.empty()) {
    const cuda::DeviceDescription &description = device->describe();
    std::printf("%s\n", (options.device == "json" ? description.toJson()
                                                  : description.toText())
                            .c_str());
    return 0;
  }
  std::string text;
  if (!readFile(options.file, text))
    return fail("cannot read '" + options.file + "': " + std::strerror(errno));
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
  if (!kernel)
    return 1;
  std::string error;
  std::unique_ptr<Executor> executor =
      device ? makeCudaExecutor(std::move(device), text, error)
             : makeEmulatorExecutor(*module);
  return executor ? run(*executor, *kernel, options)
                  : fail(options.file + ": " + error);
}
