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
      return {nullptr, "nvcc failed:\n" + readFile(log.string())};
    fs::rename(partial, to, ignored);
  }
  Compiled result;
  result.module = parseFile(to.string(), result.error);
  return result;
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
