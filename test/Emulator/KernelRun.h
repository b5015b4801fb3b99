//===- KernelRun.h - One kernel, run and compared ---------------*- C++ -*-===//
//
// What the suites of kernels compiled by others share: a case uploads inputs,
// launches with all checkers on and compares outputs with values computed on
// the CPU. It runs several times, with different schedules and deliveries of
// asynchronous copies; the answer is the same each time, and no checker speaks.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_EMULATOR_KERNELRUN_H
#define TILE_TEST_EMULATOR_KERNELRUN_H

#include "tile/Emulator/Emulator.h"
#include "tile/Emulator/Numerics.h"
#include "tile/Emulator/TensorMap.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace tilec::emu::kernels {

/// Device memory holding `count` values of T.
template <typename T>
struct Buffer {
  uint64_t address = 0;
  size_t count = 0;
  operator uint64_t() const { return address; }
};

/// Launch sizes beyond grid and block.
struct Extra {
  uint32_t dynamicSharedBytes = 0;
  Dim3 cluster;
};

/// One execution of one case under one set of options.
class Run {
public:
  Run(Module &module, LaunchOptions options)
      : module(module), options(options) {}

  template <typename T>
  Buffer<T> upload(const std::vector<T> &values, const char *name = "input") {
    Buffer<T> buffer = allocate<T>(values.size(), name);
    memory.write(buffer.address, values.data(), values.size() * sizeof(T));
    return buffer;
  }
  template <typename T>
  Buffer<T> allocate(size_t count, const char *name = "output") {
    return {memory.allocate(count * sizeof(T), name), count};
  }
  template <typename T>
  Buffer<T> zeros(size_t count, const char *name = "zeros") {
    return upload(std::vector<T>(count), name);
  }
  template <typename T>
  std::vector<T> download(const Buffer<T> &buffer) {
    std::vector<T> values(buffer.count);
    memory.read(buffer.address, values.data(), buffer.count * sizeof(T));
    return values;
  }

  template <typename... Arguments>
  void launch(const char *kernel, Dim3 grid, Dim3 block, Extra extra,
              const Arguments &...arguments) {
    const KernelInfo *info = findKernel(kernel);
    if (!info)
      return;
    ParameterBuilder parameters(*info);
    bool fits = (true && ... && addArgument(parameters, arguments));
    if (!fits || !parameters.complete())
      return fail(std::string("the arguments do not fit the parameters of ") +
                  kernel);
    LaunchConfig config;
    config.kernel = kernel;
    config.grid = grid;
    config.block = block;
    config.cluster = extra.cluster;
    config.dynamicSharedBytes = extra.dynamicSharedBytes;
    config.parameters = parameters.bytes();
    execute(config);
  }

  /// From here on launches must report this kind, with `text` in the report.
  void expectReport(ReportKind kind, const char *text) {
    expectedReports.push_back({kind, text});
  }

  /// Bit for bit, whatever the type.
  template <typename T>
  void expect(const Buffer<T> &buffer, const std::vector<T> &expected) {
    compare(buffer, expected,
            [](T a, T b) { return std::memcmp(&a, &b, sizeof(T)) == 0; });
  }
  /// |a - b| <= relative * |b| + absolute; NaN equals NaN, infinities exact.
  template <typename T>
  void expectNear(const Buffer<T> &buffer, const std::vector<T> &expected,
                  double relative, double absolute = 0) {
    compare(buffer, expected, [=](T a, T b) {
      if (a != a || b != b)
        return a != a && b != b;
      if (std::isinf(double(a)) || std::isinf(double(b)))
        return a == b;
      return std::fabs(double(a) - double(b)) <=
             relative * std::fabs(double(b)) + absolute;
    });
  }
  void fail(const std::string &message) {
    if (messages.size() < 8)
      messages.push_back(message);
  }

  DeviceMemory memory;
  Module &module;
  LaunchOptions options;
  std::vector<std::string> messages;

private:
  struct ExpectedReport {
    ReportKind kind;
    std::string text;
  };
  std::vector<ExpectedReport> expectedReports;

  const KernelInfo *findKernel(const char *kernel);
  void execute(const LaunchConfig &config);

  template <typename T>
  bool addArgument(ParameterBuilder &parameters, const T &value) {
    return parameters.add(value);
  }
  template <typename T>
  bool addArgument(ParameterBuilder &parameters, const Buffer<T> &buffer) {
    return parameters.add(buffer.address);
  }

  template <typename T, typename Equal>
  void compare(const Buffer<T> &buffer, const std::vector<T> &expected,
               Equal equal) {
    if (!messages.empty())
      return; // the launch failed already
    if (expected.size() > buffer.count)
      return fail("more values expected than the buffer holds");
    if (uint64_t missing = memory.countUninitialized(
            buffer.address, expected.size() * sizeof(T)))
      return fail(std::to_string(missing) + " bytes were never written");
    std::vector<T> actual = download(buffer);
    for (size_t i = 0; i < expected.size(); ++i)
      if (!equal(actual[i], expected[i])) {
        std::ostringstream text;
        text.precision(17);
        text << "element " << i << " is " << print(actual[i]) << ", expected "
             << print(expected[i]);
        return fail(text.str());
      }
  }
  template <typename T>
  static std::string print(T value) {
    std::ostringstream text;
    text.precision(17);
    if constexpr (sizeof(T) == 1)
      text << static_cast<int>(value);
    else
      text << value;
    return text.str();
  }
};

/// The contents of a file; empty if it cannot be read.
std::string readFile(const std::string &path);
/// The module in the file `path`, named by its last component; null and `error`
/// if it cannot be parsed.
std::unique_ptr<Module> parseFile(const std::string &path, std::string &error);

/// Named schedules of a case: three, or as many as $TILE_KERNEL_SEEDS says.
/// Modules keep their variables, so every run parses anew.
const std::vector<std::pair<std::string, LaunchOptions>> &schedules();

//===----------------------------------------------------------------------===//
// Inputs and references
//===----------------------------------------------------------------------===//

/// `count` values function(i).
template <typename Function>
auto generate(size_t count, Function function) {
  std::vector<decltype(function(size_t()))> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = function(i);
  return values;
}

/// Reproducible random values.
std::vector<uint32_t> randomWords(size_t count, uint32_t seed = 1);
std::vector<uint64_t> randomLongs(size_t count, uint32_t seed = 1);
std::vector<float> randomFloats(size_t count, float low = -1, float high = 1,
                                uint32_t seed = 1);
/// Integers in [low, high] as T.
template <typename T>
std::vector<T> randomIntegers(size_t count, int low, int high,
                              uint32_t seed = 1) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T &value : values)
    value = static_cast<T>(low + static_cast<int>(random() % (high - low + 1)));
  return values;
}

inline uint16_t toHalf(float value) { return f32ToF16(value); }
inline uint16_t toBfloat(float value) { return f32ToBF16(value); }
inline uint8_t toE4M3(float value) {
  return static_cast<uint8_t>(encodeFloat(ElementType::E4M3, value));
}

/// C (m x n) of row-major A (m x k) and B (k x n) in double, with accessors
/// a(i, k) and b(k, j).
template <typename A, typename B>
std::vector<float> matmul(int m, int n, int k, A a, B b) {
  std::vector<float> c(static_cast<size_t>(m) * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int p = 0; p < k; ++p)
        sum += double(a(i, p)) * double(b(p, j));
      c[static_cast<size_t>(i) * n + j] = static_cast<float>(sum);
    }
  return c;
}

} // namespace tilec::emu::kernels

#endif // TILE_TEST_EMULATOR_KERNELRUN_H
