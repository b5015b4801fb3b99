//===- KernelRun.cpp - Launches and their outcome -------------------------===//
//
// Everything of KernelRun.h that is no template.
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

using namespace tilec::emu;
using namespace tilec::emu::kernels;

std::vector<uint32_t> tilec::emu::kernels::randomWords(size_t count,
                                                       uint32_t seed) {
  std::mt19937 random(seed);
  return generate(count, [&](size_t) { return uint32_t(random()); });
}

std::vector<uint64_t> tilec::emu::kernels::randomLongs(size_t count,
                                                       uint32_t seed) {
  std::mt19937_64 random(seed);
  return generate(count, [&](size_t) { return uint64_t(random()); });
}

std::vector<float> tilec::emu::kernels::randomFloats(size_t count, float low,
                                                     float high,
                                                     uint32_t seed) {
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
// Modules and schedules
//===----------------------------------------------------------------------===//

std::string tilec::emu::kernels::readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::unique_ptr<Module> tilec::emu::kernels::parseFile(const std::string &path,
                                                       std::string &error) {
  std::vector<Diagnostic> diagnostics;
  std::string name = path.substr(path.rfind('/') + 1);
  auto module = Module::parse(readFile(path), name, diagnostics);
  for (const Diagnostic &diagnostic : diagnostics)
    error += path + ":" + std::to_string(diagnostic.line) + ": " +
             diagnostic.message + "\n";
  return module;
}

const std::vector<std::pair<std::string, LaunchOptions>> &
tilec::emu::kernels::schedules() {
  static const auto all = [] {
    std::vector<std::pair<std::string, LaunchOptions>> list;
    const char *text = std::getenv("TILE_KERNEL_SEEDS");
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
