//===- Mutation.h - Kernels, their mutants, and who must speak --*- C++ -*-===//
//
// A Case is a correct kernel with its launch and its expected output. Sound
// cases must be silent under many schedules and every delivery of asynchronous
// copies; a Mutant changes one line of a kernel, and must be reported by the
// checker that is meant to find it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_EMULATOR_MUTATION_H
#define TILE_TEST_UNIT_EMULATOR_MUTATION_H

#include "tile/Emulator/Emulator.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tilec::emu {

inline std::string readKernel(const std::string &name) {
  std::ifstream file(std::string(TILE_KERNELS) + "/" + name + ".ptx");
  EXPECT_TRUE(file.good()) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A kernel with its launch and its expected output.
struct Case {
  std::string file, kernel;
  Dim3 grid, block;
  std::vector<std::vector<uint32_t>> buffers; ///< Last: the output.
  std::vector<uint32_t> scalars;
  std::vector<uint32_t> expected;
  bool outputIsNew = true;
};

struct Outcome {
  LaunchResult result;
  std::vector<uint32_t> output;
};

inline Outcome runText(const std::string &text, const Case &c,
                       LaunchOptions options) {
  Outcome outcome;
  std::vector<Diagnostic> diagnostics;
  auto module = Module::parse(text, c.file, diagnostics);
  for (const Diagnostic &d : diagnostics)
    ADD_FAILURE() << c.file << ":" << d.line << ": " << d.message;
  if (!module)
    return outcome;
  DeviceMemory memory;
  ParameterBuilder parameters(*module->findKernel(c.kernel));
  uint64_t last = 0;
  for (size_t i = 0; i < c.buffers.size(); ++i) {
    const auto &values = c.buffers[i];
    last = memory.allocate(values.size() * 4, "buffer" + std::to_string(i));
    if (i + 1 < c.buffers.size() || !c.outputIsNew)
      memory.write(last, values.data(), values.size() * 4);
    parameters.add(last);
  }
  for (uint32_t scalar : c.scalars)
    parameters.add(scalar);
  EXPECT_TRUE(parameters.complete());
  LaunchConfig config;
  config.kernel = c.kernel;
  config.grid = c.grid;
  config.block = c.block;
  config.parameters = parameters.bytes();
  options.hangLimit = 3'000'000;
  outcome.result = launch(*module, memory, config, options);
  outcome.output.resize(c.expected.size());
  memory.read(last, outcome.output.data(), outcome.output.size() * 4);
  return outcome;
}

inline std::string describe(const LaunchResult &result) {
  std::string text;
  for (const Report &report : result.reports)
    text += report.format("kernel") + "\n";
  return text;
}

inline void expectSound(const Case &c, LaunchOptions options = {}) {
  std::string text = readKernel(c.file);
  for (uint64_t seed = 0; seed < 20; ++seed)
    for (Delivery delivery :
         {Delivery::Late, Delivery::Early, Delivery::Random}) {
      options.seed = seed;
      options.delivery = delivery;
      Outcome outcome = runText(text, c, options);
      ASSERT_TRUE(outcome.result.ok()) << c.file << " seed " << seed << "\n"
                                       << describe(outcome.result);
      ASSERT_EQ(outcome.output, c.expected) << c.file << " seed " << seed;
    }
}

struct Mutant {
  const char *find;    ///< A line that contains this ..
  const char *replace; ///< .. becomes this; "" removes it.
  ReportKind kind;
  const char *says = ""; ///< What the report must contain.
};

/// Replaces the one line that contains `find`; a part of the line if `find`
/// begins with '='.
inline std::string mutate(const std::string &text, const Mutant &mutant) {
  std::stringstream in(text);
  std::string line, result;
  int hits = 0;
  while (std::getline(in, line)) {
    if (line.find(mutant.find) != std::string::npos) {
      ++hits;
      line = mutant.replace;
    }
    result += line + "\n";
  }
  EXPECT_EQ(hits, 1) << mutant.find;
  return result;
}

/// A report about two accesses names both by line, and the missing order.
inline bool isComplete(const Report &report) {
  if (report.kind != ReportKind::Race)
    return report.first.ptxLine != 0 && !report.message.empty();
  bool oneInstruction =
      report.message.find("different values") != std::string::npos;
  return report.first.ptxLine != 0 && !report.missing.empty() &&
         (oneInstruction || (report.second && report.second->ptxLine != 0));
}

inline void expectCaught(const Case &c, const std::vector<Mutant> &mutants,
                         LaunchOptions options = {}) {
  std::string text = readKernel(c.file);
  for (const Mutant &mutant : mutants) {
    std::string changed = mutate(text, mutant);
    // One of a few schedules must show it; most show it in the first.
    bool caught = false;
    std::string all;
    for (uint64_t seed = 0; seed < 4 && !caught; ++seed) {
      options.seed = seed;
      Outcome outcome = runText(changed, c, options);
      for (const Report &report : outcome.result.reports)
        caught |=
            report.kind == mutant.kind && isComplete(report) &&
            report.format("kernel").find(mutant.says) != std::string::npos;
      all += describe(outcome.result);
    }
    EXPECT_TRUE(caught) << c.file << ": '" << mutant.find << "' -> '"
                        << mutant.replace << "' was not reported as "
                        << toString(mutant.kind) << " with '" << mutant.says
                        << "'\n"
                        << all;
  }
}

inline std::vector<uint32_t> iota(size_t count, uint32_t scale = 1) {
  std::vector<uint32_t> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<uint32_t>(i) * scale + 1;
  return values;
}

inline constexpr ReportKind race = ReportKind::Race;
inline constexpr ReportKind barrier = ReportKind::Barrier;
inline constexpr ReportKind deadlock = ReportKind::Deadlock;
inline constexpr ReportKind bounds = ReportKind::OutOfBounds;
inline constexpr ReportKind uninitialized = ReportKind::Uninitialized;
inline constexpr ReportKind misaligned = ReportKind::Misaligned;
inline constexpr ReportKind invalid = ReportKind::Invalid;

} // namespace tilec::emu

#endif // TILE_TEST_UNIT_EMULATOR_MUTATION_H
