//===- ClangTest.cpp - PTX that clang makes of device code ----------------===//
//
// functions.cu is compiled to PTX by clang when the test runs, executed with
// all checkers, and compared with the same functions compiled for the host.
// Without a clang that knows NVPTX the tests are skipped, and say so.
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "functions.cu"

#include <gtest/gtest.h>

#include <filesystem>

using namespace tilec::emu;
using namespace tilec::emu::kernels;

namespace {

/// Compiles functions.cu at one level of optimisation; empty if that fails.
std::string compile(const std::string &level) {
  std::filesystem::create_directories(TILE_CLANG_OUTPUT);
  std::string to = std::string(TILE_CLANG_OUTPUT) + "/functions" + level;
  std::string command = std::string("\"") + TILE_CLANG + "\" -x cuda " +
                        "--cuda-gpu-arch=sm_80 --cuda-device-only -nocudalib "
                        "-nocudainc -Wno-unknown-cuda-version -S " +
                        level + " \"" TILE_CLANG_SOURCE "\" -o \"" + to +
                        ".ptx\" > \"" + to + ".log\" 2>&1";
  if (std::string(TILE_CLANG).empty() || std::system(command.c_str()) != 0)
    return "";
  return to + ".ptx";
}

/// Runs `kernel` on 32 values in one block, and compares.
template <typename Result, typename Expected>
void check(const char *kernel, Expected expected) {
  auto x = randomIntegers<int>(32, 1, 500);
  for (const char *level : {"-O0", "-O1", "-O3"}) {
    std::string path = compile(level);
    if (path.empty())
      GTEST_SKIP() << "no clang that compiles CUDA to PTX";
    for (const auto &[name, options] : schedules()) {
      std::string error;
      auto module = parseFile(path, error);
      ASSERT_TRUE(module) << error;
      Run run(*module, options);
      auto y = run.allocate<Result>(32);
      run.launch(kernel, {1}, {32}, {}, run.upload(x), y);
      run.expect(y, generate(32, [&](size_t i) {
                   return expected(x, static_cast<int>(i));
                 }));
      for (const std::string &message : run.messages)
        ADD_FAILURE() << level << ", " << name << ": " << message;
    }
  }
}

using Values = const std::vector<int> &;

} // namespace

TEST(Clang, Switches) {
  check<int>("switches", [](Values x, int i) { return choose(x[i]); });
}
TEST(Clang, Structures) {
  check<double>("structures", [](Values x, int i) { return sumPair(i, x[i]); });
}
TEST(Clang, Arrays) {
  check<int>("arrays", [](Values x, int i) { return median(x.data(), i); });
}
TEST(Clang, Recursion) {
  check<int>("recursion", [](Values x, int i) { return factorial(x[i] % 12); });
}
TEST(Clang, Pointers) {
  check<int>("pointers", [](Values x, int i) {
    return i % 3 == 0   ? increment(x[i])
           : i % 3 == 1 ? twice(x[i])
                        : collatz(x[i]);
  });
}
