//===- EmulatorExecutor.cpp - A kernel on the PTX emulator ---------------===//

#include "Executor.h"

#include "tile/Limits/AvailableMemory.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace tilec;
using namespace tilec::emu;

namespace {

class EmulatorExecutor final : public Executor {
public:
  explicit EmulatorExecutor(Module &module) : module(module) {}

  std::string allocate(uint64_t sizeBytes, const std::string &name,
                       uint64_t &address) override {
    // Its bytes, a flag for each, and what is written to it.
    int64_t most =
        static_cast<int64_t>(std::min<uint64_t>(sizeBytes, INT64_MAX));
    std::string problem = checkMemory({most}, 8, /*bytesBeside=*/2);
    if (!problem.empty())
      return "the buffer of " + std::to_string(sizeBytes) + " bytes " + problem;
    address = memory.allocate(sizeBytes, name);
    return "";
  }
  std::string write(uint64_t address, const void *source,
                    uint64_t sizeBytes) override {
    return check(memory.write(address, source, sizeBytes), address);
  }
  std::string read(uint64_t address, void *target,
                   uint64_t sizeBytes) override {
    return check(memory.read(address, target, sizeBytes), address);
  }
  std::string fill(uint64_t address, uint8_t value,
                   uint64_t sizeBytes) override {
    return check(memory.fill(address, value, sizeBytes), address);
  }
  std::string encodeTensorMap(const TensorMapArguments &arguments,
                              int l2Promotion, TensorMapBytes &map) override {
    TensorMap encoded;
    std::string error = emu::encodeTensorMap(arguments, encoded);
    encoded.l2Promotion = static_cast<uint8_t>(l2Promotion);
    std::memcpy(map.bytes, &encoded, sizeof map.bytes);
    return error;
  }
  bool run(const KernelInfo &kernel, const RunOptions &options,
           bool &completed) override;
  bool finish(const KernelInfo &kernel, const RunOptions &options) override;
  std::string getStatisticsJson() const override {
    return toJson({statistics});
  }

private:
  std::string check(bool isInside, uint64_t address) {
    return isInside ? "" : memory.describe(address);
  }

  Module &module;
  DeviceMemory memory;
  Statistics statistics;
};

} // namespace

bool EmulatorExecutor::run(const KernelInfo &, const RunOptions &options,
                           bool &completed) {
  LaunchResult result = launch(module, memory, options.config, options.launch);
  completed = result.completed;
  statistics = result.statistics;
  std::fputs(result.output.c_str(), getTextOutput());
  for (const Report &note : result.notes)
    std::fprintf(stderr, "%s\n", note.format(module.name()).c_str());
  for (const Report &report : result.reports)
    std::fprintf(stderr, "%s\n", report.format(module.name()).c_str());
  if (result.reportsDropped)
    std::fprintf(stderr, "and %llu more\n",
                 static_cast<unsigned long long>(result.reportsDropped));
  return result.ok();
}

bool EmulatorExecutor::finish(const KernelInfo &, const RunOptions &options) {
  if (options.statistics == "text")
    std::fputs(toText(statistics).c_str(), stdout);
  return true;
}

std::unique_ptr<Executor> tilec::makeEmulatorExecutor(Module &module) {
  return std::make_unique<EmulatorExecutor>(module);
}
