//===- CudaSuite.cpp - Compiles, runs and reports the CUDA cases ----------===//
//
// One GoogleTest per case. A source file is compiled once for each
// architecture, on first use, into a directory of its own; without nvcc every
// case is skipped, and says so.
//
//===----------------------------------------------------------------------===//

#include "CudaSuite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

using namespace tilec::emu;
using namespace tilec::emu::cuda;

std::vector<Case> &tilec::emu::cuda::cases() {
  static std::vector<Case> all;
  return all;
}

std::vector<uint32_t> tilec::emu::cuda::randomWords(size_t count,
                                                    uint32_t seed) {
  std::mt19937 random(seed);
  return generate(count, [&](size_t) { return uint32_t(random()); });
}

std::vector<uint64_t> tilec::emu::cuda::randomLongs(size_t count,
                                                    uint32_t seed) {
  std::mt19937_64 random(seed);
  return generate(count, [&](size_t) { return uint64_t(random()); });
}

std::vector<float> tilec::emu::cuda::randomFloats(size_t count, float low,
                                                  float high, uint32_t seed) {
  std::mt19937 random(seed);
  return generate(count, [&](size_t) {
    float unit = static_cast<float>(random() >> 8) * 0x1p-24f;
    return low + (high - low) * unit;
  });
}

//===----------------------------------------------------------------------===//
// Run
//===----------------------------------------------------------------------===//

const KernelInfo *Run::findKernel(const char *kernel) {
  const KernelInfo *info = module.findKernel(kernel);
  if (!info)
    fail(std::string("there is no kernel ") + kernel);
  std::vector<Diagnostic> diagnostics;
  if (info && !module.prepare(kernel, diagnostics)) {
    for (const Diagnostic &diagnostic : diagnostics)
      fail(module.name() + ":" + std::to_string(diagnostic.line) + ": " +
           diagnostic.message);
    return nullptr;
  }
  return info;
}

void Run::execute(const LaunchConfig &config) {
  LaunchResult result = emu::launch(module, memory, config, options);
  if (expectedReports.empty()) {
    for (const Report &report : result.reports)
      fail(report.format(module.name()));
    if (!result.completed && result.reports.empty())
      fail("the launch did not complete");
    return;
  }
  for (const ExpectedReport &expected : expectedReports) {
    bool found = false;
    std::string others;
    for (const Report &report : result.reports) {
      std::string text = report.format(module.name());
      found |= report.kind == expected.kind &&
               text.find(expected.text) != std::string::npos;
      others += "\n" + text;
    }
    if (!found)
      fail(std::string("no report of kind '") + toString(expected.kind) +
           "' with '" + expected.text + "', but:" + others);
  }
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

namespace {

/// The compiler: $NVCC, or the one found when the tests were configured.
std::string compiler() {
  if (const char *path = std::getenv("NVCC"))
    return path;
  return TILE_NVCC;
}

/// More options for the compiler, $TILE_CUDA_FLAGS: "-G" for unoptimised code
/// with debug sections, say.
std::string extraFlags() {
  const char *flags = std::getenv("TILE_CUDA_FLAGS");
  return flags ? flags : "";
}

/// PTX of one source file, or the reason there is none.
struct Compiled {
  std::unique_ptr<Module> module;
  std::string error;
};

std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Compiled compile(const std::string &source, const std::string &architecture) {
  namespace fs = std::filesystem;
  fs::path from = fs::path(TILE_CUDA_SOURCES) / source;
  fs::path directory = TILE_CUDA_OUTPUT;
  std::error_code ignored;
  fs::create_directories(directory, ignored);
  std::string flags = extraFlags(), suffix = flags;
  std::replace_if(
      suffix.begin(), suffix.end(),
      [](unsigned char c) { return !std::isalnum(c); }, '_');
  fs::path to = directory / (source + "." + architecture + suffix + ".ptx");
  bool fresh =
      fs::exists(to, ignored) &&
      fs::last_write_time(to, ignored) > fs::last_write_time(from, ignored);
  if (!fresh) {
    fs::path log = to.string() + ".log", partial = to.string() + ".partial";
    std::string command = "\"" + compiler() + "\" -ptx -lineinfo -std=c++17" +
                          " -arch=" + architecture + " " + flags + " \"" +
                          from.string() + "\" -o \"" + partial.string() +
                          "\" > \"" + log.string() + "\" 2>&1";
    if (std::system(command.c_str()) != 0)
      return {nullptr, "nvcc failed:\n" + readFile(log)};
    fs::rename(partial, to, ignored);
  }
  std::vector<Diagnostic> diagnostics;
  Compiled result;
  result.module =
      Module::parse(readFile(to), to.filename().string(), diagnostics);
  for (const Diagnostic &diagnostic : diagnostics)
    result.error += to.string() + ":" + std::to_string(diagnostic.line) + ": " +
                    diagnostic.message + "\n";
  return result;
}

/// Schedules of a case: three, or as many as $TILE_CUDA_SEEDS says. Modules
/// keep their variables, so every run parses anew; PTX is made once.
const std::vector<std::pair<std::string, LaunchOptions>> &schedules() {
  static const auto all = [] {
    std::vector<std::pair<std::string, LaunchOptions>> list;
    const char *text = std::getenv("TILE_CUDA_SEEDS");
    int count = text ? std::max(1, std::atoi(text)) : 3;
    static constexpr const char *names[] = {"late", "early", "random"};
    for (int seed = 0; seed < count; ++seed) {
      LaunchOptions options;
      options.seed = static_cast<uint64_t>(seed);
      options.delivery = static_cast<Delivery>(seed % 3);
      options.threadCount = seed % 3 == 2 ? 3 : 1;
      list.emplace_back("seed " + std::to_string(seed) + ", " +
                            names[seed % 3] + " delivery",
                        options);
    }
    return list;
  }();
  return all;
}

class CudaTest : public testing::Test {
public:
  explicit CudaTest(Case entry) : entry(entry) {}

  void TestBody() override {
    if (compiler().empty())
      GTEST_SKIP() << "no nvcc: CUDA kernels are not compiled (set $NVCC)";
    for (const auto &[name, options] : schedules()) {
      Compiled compiled = compile(entry.source, entry.architecture);
      ASSERT_TRUE(compiled.module) << compiled.error;
      cuda::Run run(*compiled.module, options);
      entry.body(run);
      for (const std::string &message : run.messages)
        ADD_FAILURE() << name << ": " << message;
      if (!run.messages.empty())
        return;
    }
  }

private:
  Case entry;
};

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  for (const Case &entry : cases()) {
    std::string family(entry.source);
    family = family.substr(0, family.find('.'));
    testing::RegisterTest(("Cuda_" + family).c_str(), entry.name, nullptr,
                          nullptr, __FILE__, __LINE__,
                          [entry] { return new CudaTest(entry); });
  }
  return RUN_ALL_TESTS();
}
