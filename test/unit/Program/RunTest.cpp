//===- RunTest.cpp - Programs on arrays in memory -------------------------===//

#include "tile/Program/Run.h"

#include "../CompilerTest.h"

#include "tile/Emulator/Emulator.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;

namespace {

/// y = f * x + y; a row of %m is all %i.
const char *const program = R"(
func.func @axpy(%f: f32, %x: memref<?xf32> {tile.dims = ["N"]}, %y: memref<?xf32> {tile.dims = ["N"]}) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivsi %n, %c128 : index
  tile.launch blocks(%b) in (%blocks) threads(128) {
    %i = arith.muli %b, %c128 : index
    %t = tile.load %x[%i] : memref<?xf32> -> tensor<128xf32>
    %u = tile.load %y[%i] : memref<?xf32> -> tensor<128xf32>
    %s = tensor.splat %f : tensor<128xf32>
    %v = arith.mulf %t, %s : tensor<128xf32>
    %w = arith.addf %v, %u : tensor<128xf32>
    tile.store %w, %y[%i] : tensor<128xf32>, memref<?xf32>
  }
  return
}
func.func @row(%r: index, %i: i8, %m: memref<?x6xi8, strided<[?, 1]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tensor.splat %i : tensor<6xi8>
    tile.store %t, %m[%r, %c0] [1, 6] : tensor<6xi8>, memref<?x6xi8, strided<[?, 1]>>
  }
  return
}
func.func @count(%n: memref<1xi64>) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tile.sm_count
  tile.launch blocks(%b) in (%s) threads(32) {
    tile.parallel (%i) in (1) {
      %e = memref.atomic_rmw addi %one, %n[%c0] : (i64, memref<1xi64>) -> i64
    }
  }
  return
}
)";

class Run : public CompilerTest {
protected:
  void compileProgram(const char *text) {
    FailureOr<CompiledProgram> result = compileText(text);
    ASSERT_TRUE(succeeded(result));
    compiled = std::move(*result);
  }

  /// Expects a failure that says `text` at last.
  void expectError(const char *entry, std::vector<HostArgument> arguments,
                   const std::string &text) {
    messages.clear();
    EXPECT_TRUE(failed(tile::run(compiled, entry, arguments)));
    ASSERT_FALSE(messages.empty()) << text;
    EXPECT_NE(messages.front().find(text), std::string::npos)
        << messages.front();
  }

  CompiledProgram compiled;
};

TEST_F(Run, OnEmulatorAndReference) {
  compileProgram(program);
  for (Backend backend : {Backend::Emulator, Backend::Reference}) {
    std::vector<float> x(300), y(300, 1);
    std::iota(x.begin(), x.end(), 0.0f);
    ExecutionOptions options;
    options.backend = backend;
    options.collectsStatistics = true;
    FailureOr<ExecutionResult> result =
        tile::run(compiled, "axpy",
                  {HostArgument::scalar(2.0),
                   HostArgument::array<const float>(x.data(), {300}),
                   HostArgument::array(y.data(), {300})},
                  options);
    ASSERT_TRUE(succeeded(result)) << messages.front();
    for (int i = 0; i < 300; ++i)
      ASSERT_EQ(y[i], 2.0f * static_cast<float>(i) + 1);
    EXPECT_EQ(result->statisticsJson.empty(), backend == Backend::Reference);
  }
}

// Arrays of a GPU's memory are for a GPU: nothing reads them as if they were here.
TEST_F(Run, ArraysOnAGpuStayThere) {
  compileProgram(program);
  HostArgument x = HostArgument::array(reinterpret_cast<void *>(4096), 32, {9});
  x.isOnGpu = true;
  expectError("axpy", {HostArgument::scalar(2.0), x, x},
              "lies in the memory of a GPU, and the program does not run");
}

// The text of one kernel is a module: it loads, and has that kernel and no other.
TEST_F(Run, TextsOfSingleKernels) {
  compileProgram(program);
  ASSERT_EQ(compiled.kernels.size(), 3u);
  for (const KernelReport &kernel : compiled.kernels) {
    std::vector<tilec::emu::Diagnostic> diagnostics;
    std::string text = compiled.getKernelPtx(kernel.name);
    std::unique_ptr<tilec::emu::Module> module =
        tilec::emu::Module::parse(text, "kernel.ptx", diagnostics);
    ASSERT_TRUE(module) << diagnostics.front().message;
    for (const KernelReport &other : compiled.kernels) {
      bool isThis = other.name == kernel.name;
      EXPECT_EQ(module->findKernel(other.name) != nullptr, isThis);
      std::string comment = "// .globl\t" + other.name + "\n";
      EXPECT_EQ(text.find(comment) != text.npos, isThis);
    }
  }
  EXPECT_EQ(compiled.getKernelPtx("axpy"), "");
}

// An array in two places of the arguments is one.
TEST_F(Run, ArraysAtOnePlace) {
  compileProgram(program);
  std::vector<float> x(8, 3);
  ASSERT_TRUE(failed(
      tile::run(compiled, "axpy",
                {HostArgument::scalar(2.0), HostArgument::array(x.data(), {8}),
                 HostArgument::array(x.data(), {8})})));
  EXPECT_NE(messages.front().find("overlap"), std::string::npos)
      << messages.front();
  EXPECT_EQ(x, std::vector<float>(8, 3));
}

TEST_F(Run, StridedRows) {
  compileProgram(program);
  std::vector<int8_t> m(4 * 10, 7);
  ASSERT_TRUE(succeeded(tile::run(
      compiled, "row",
      {HostArgument::scalar(int64_t(2)), HostArgument::scalar(int64_t(-5)),
       HostArgument::array(m.data(), {4, 6}, {10, 1})})))
      << messages.front();
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(m[i], i / 10 == 2 && i % 10 < 6 ? -5 : 7) << i;
}

TEST_F(Run, CountsMultiprocessors) {
  compileProgram(program);
  for (int64_t count : {0, 3}) {
    int64_t n = 0;
    ExecutionOptions options;
    options.multiprocessors = count;
    ASSERT_TRUE(succeeded(
        tile::run(compiled, "count", {HostArgument::array(&n, {1})}, options)))
        << messages.front();
    EXPECT_EQ(n, count ? count : 108); // of an A100
  }
}

TEST_F(Run, SaysWhatIsWrongWithArguments) {
  compileProgram(program);
  std::vector<float> x(8, 1), y(8);
  auto array = [](std::vector<float> &of, std::vector<int64_t> sizes,
                  std::vector<int64_t> strides = {}) {
    return HostArgument::array(of.data(), std::move(sizes), std::move(strides));
  };
  HostArgument f = HostArgument::scalar(2.0);
  expectError("dot", {}, "no function 'dot'");
  expectError("axpy", {f}, "takes 3 arguments, and 1 are given");
  expectError("axpy",
              {HostArgument::scalar(int64_t(2)), array(x, {8}), array(y, {8})},
              "is a float, and no number is given");
  expectError("axpy", {f, f, array(y, {8})}, "is an array, and a number");
  expectError("axpy", {f, array(x, {2, 4}), array(y, {8})},
              "has 1 dimensions, and 2 sizes are given");
  expectError("axpy", {f, array(x, {8}, {1, 1}), array(y, {8})},
              "has 1 dimensions, and 2 strides are given");
  expectError("axpy", {f, array(x, {4}, {2}), array(y, {4})},
              "has stride 1 in dimension 0, and 2 is given");
  expectError("axpy", {f, array(x, {-1}), array(y, {8})}, "negative size");
  expectError("axpy", {f, array(x, {4}), array(y, {8})},
              "has size 8, but in argument 1 it has 4");
  expectError("axpy",
              {f, HostArgument::array<float>(nullptr, {8}), array(y, {8})},
              "at address null");
  std::vector<double> wide(8);
  expectError("axpy", {f, HostArgument::array(wide.data(), {8}), array(y, {8})},
              "has elements of 32 bits, and such of 64");
  expectError("axpy",
              {f, array(y, {4}), HostArgument::array(y.data() + 2, {4})},
              "lies in a part of argument 1");
  expectError("axpy",
              {f, array(x, {8}),
               HostArgument::array(const_cast<const float *>(y.data()), {8})},
              "given as const");
  EXPECT_EQ(y, std::vector<float>(8));
  std::vector<int8_t> m(12);
  HostArgument rows = HostArgument::array(m.data(), {2, 6});
  HostArgument one = HostArgument::scalar(int64_t(1));
  expectError("row", {one, HostArgument::scalar(int64_t(256)), rows},
              "holds -128 to 255, not 256");
  expectError("row", {one, one, HostArgument::array(m.data(), {2, 5})},
              "has size 6 in dimension 1, and 5 is given");
  EXPECT_TRUE(succeeded(tile::run(compiled, "row", {one, one, rows})));
}

// What a program does wrong is said at its line, and its arrays are as they were.
TEST_F(Run, SaysWhatAProgramDoesWrong) {
  compileProgram(R"(
func.func @beyond(%x: memref<4xi32>, %i: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    tile.parallel (%j) in (1) {
      %c7 = arith.constant 7 : i32
      memref.store %c7, %x[%i] : memref<4xi32>
    }
  }
  return
}
)");
  for (Backend backend : {Backend::Emulator, Backend::Reference}) {
    std::vector<int32_t> x = {1, 2, 3, 4};
    ExecutionOptions options;
    options.backend = backend;
    messages.clear();
    EXPECT_TRUE(failed(tile::run(compiled, "beyond",
                                 {HostArgument::array(x.data(), {4}),
                                  HostArgument::scalar(int64_t(100))},
                                 options)));
    EXPECT_FALSE(messages.empty());
    EXPECT_EQ(x, (std::vector<int32_t>{1, 2, 3, 4}));
    EXPECT_TRUE(succeeded(tile::run(
        compiled, "beyond",
        {HostArgument::array(x.data(), {4}), HostArgument::scalar(int64_t(2))},
        options)));
    EXPECT_EQ(x[2], 7);
  }
}

} // namespace
