//===- Launch.cpp - Running a kernel --------------------------------------===//
//
// Checks the configuration, decodes the kernel, and runs its clusters on OS
// threads. A thread normally runs one cluster to its end; if that takes long
// (it may wait for another cluster), the thread takes up further clusters and
// gives each a share.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Ordering.h"
#include "../Checkers/Report.h"
#include "../Checkers/Shadow.h"
#include "../Decode/Decoder.h"
#include "Interpreter.h"

#include <algorithm>
#include <thread>

namespace tilec::emu {

namespace {

uint32_t registersOf(const KernelInfo &kernel, const LaunchConfig &config) {
  return config.registersPerThread ? config.registersPerThread
                                   : kernel.maximumRegisters.value_or(0);
}

/// Why a launch cannot begin; empty if it can.
std::string checkConfig(const KernelInfo &kernel, const LaunchConfig &config) {
  auto dim = [](const Dim3 &d) {
    return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" +
           std::to_string(d.z);
  };
  if (config.grid.count() == 0)
    return "the grid " + dim(config.grid) + " is empty";
  if (config.grid.count() > 0x7fffffff)
    return "the grid " + dim(config.grid) + " has more than 2^31 - 1 blocks";
  if (config.block.count() == 0)
    return "the block " + dim(config.block) + " is empty";
  if (config.block.count() > 1024 || config.block.z > 64)
    return "the block " + dim(config.block) +
           " is too large: at most 1024 threads, 64 in z";
  auto same = [](const std::array<uint32_t, 3> &a, const Dim3 &b) {
    return a[0] == b.x && a[1] == b.y && a[2] == b.z;
  };
  if (kernel.requiredBlock && !same(*kernel.requiredBlock, config.block))
    return "the kernel requires (.reqntid) a block of " +
           dim({(*kernel.requiredBlock)[0], (*kernel.requiredBlock)[1],
                (*kernel.requiredBlock)[2]}) +
           ", not " + dim(config.block);
  if (kernel.maximumBlock) {
    const auto &m = *kernel.maximumBlock;
    if (config.block.count() > uint64_t(m[0]) * m[1] * m[2])
      return "the block " + dim(config.block) +
             " exceeds the kernel's .maxntid of " + dim({m[0], m[1], m[2]});
  }
  if (kernel.requiredCluster && config.cluster.count() > 1 &&
      !same(*kernel.requiredCluster, config.cluster))
    return "the kernel requires (.reqnctapercluster) another cluster than " +
           dim(config.cluster);
  if (config.parameters.size() != kernel.parameterBytes)
    return "the kernel takes " + std::to_string(kernel.parameterBytes) +
           " bytes of parameters, but " +
           std::to_string(config.parameters.size()) + " were given";
  uint32_t registers = registersOf(kernel, config);
  uint64_t warps = (config.block.count() + 31) / 32;
  if (registers > 256 ||
      (registers + 7) / 8 * 8 * warps * 32 > registersPerMultiprocessor)
    return "a block of " + std::to_string(config.block.count()) +
           " threads of " + std::to_string(registers) +
           " registers does not fit the " +
           std::to_string(registersPerMultiprocessor) +
           " registers of a multiprocessor";
  if (uint64_t(config.dynamicSharedBytes) + kernel.staticSharedBytes >
      (1u << 20))
    return "more than 1 MiB of shared memory";
  return "";
}

class Runner {
public:
  Runner(Launch &launch, Statistics &statistics, std::string &output)
      : launch(launch), statistics(statistics), output(output) {}

  void run() {
    std::vector<std::unique_ptr<Cluster>> resident;
    constexpr size_t maxResident = 512;
    uint64_t total = launch.order.size();
    size_t turn = 0;
    while (!launch.stop) {
      bool fresh = false;
      if (resident.empty() || (crowded && resident.size() < maxResident)) {
        uint64_t next = launch.nextCluster.fetch_add(1);
        if (next < total) {
          resident.push_back(
              makeCluster(launch, launch.order[static_cast<size_t>(next)]));
          turn = resident.size() - 1;
          fresh = true;
        } else if (resident.empty()) {
          break;
        }
      }
      if (!fresh)
        turn = (turn + 1) % resident.size();
      Cluster &cluster = *resident[turn];
      ClusterState state = runCluster(cluster, 1'000'000);
      if (state == ClusterState::Blocked && !launch.stop)
        reportDeadlock(cluster);
      if (state == ClusterState::Running) {
        // Perhaps it waits for a cluster that has not begun.
        crowded |= cluster.polls > 64;
        // Who computes for long without asking for anything does not spin.
        if (launch.options.hangLimit && cluster.polls > 64 &&
            cluster.sinceProgress > launch.options.hangLimit && !launch.stop)
          reportHang(cluster);
        continue;
      }
      finish(cluster);
      resident.erase(resident.begin() + static_cast<ptrdiff_t>(turn));
      if (resident.empty())
        crowded = false;
    }
    for (auto &cluster : resident)
      finish(*cluster);
  }

private:
  void finish(Cluster &cluster) {
    statistics.add(cluster.statistics);
    std::lock_guard<std::mutex> lock(launch.mutex);
    output += cluster.output;
  }

  Launch &launch;
  Statistics &statistics;
  std::string &output;
  bool crowded = false;
};

} // namespace

LaunchResult launch(Module &module, DeviceMemory &memory,
                    const LaunchConfig &config, const LaunchOptions &options) {
  LaunchResult result;
  result.statistics.name = config.kernel;
  auto invalid = [&](std::string message, uint32_t line = 0) {
    Report report;
    report.kind = ReportKind::Invalid;
    report.message = std::move(message);
    report.first.ptxLine = line;
    report.first.what = "in the module";
    result.reports.push_back(std::move(report));
  };
  const KernelInfo *kernel = module.findKernel(config.kernel);
  if (!kernel) {
    std::string known;
    for (const KernelInfo &k : module.kernels())
      known += (known.empty() ? "" : ", ") + k.name;
    invalid("there is no kernel '" + config.kernel + "'; known: " + known);
    return result;
  }
  LaunchConfig actual = config;
  if (kernel->requiredCluster && actual.cluster.count() == 1)
    actual.cluster = {(*kernel->requiredCluster)[0],
                      (*kernel->requiredCluster)[1],
                      (*kernel->requiredCluster)[2]};
  std::string problem = checkConfig(*kernel, actual);
  const Dim3 &c = actual.cluster;
  if (problem.empty() &&
      (c.count() == 0 || c.count() > 16 || actual.grid.x % c.x ||
       actual.grid.y % c.y || actual.grid.z % c.z))
    problem = "the grid is not a multiple of the cluster, or the cluster has "
              "more than 16 blocks";
  if (!problem.empty()) {
    invalid(problem);
    return result;
  }
  std::vector<Diagnostic> diagnostics;
  if (!module.prepare(config.kernel, diagnostics)) {
    for (const Diagnostic &d : diagnostics)
      invalid(d.message, d.line);
    return result;
  }

  Launch launch;
  ModuleImpl &impl = module.implementation();
  launch.module = &impl;
  launch.program = &impl.program;
  launch.memory = &memory;
  launch.config = &actual;
  launch.options = options;
  launch.kernelInfo = kernel;
  size_t index = static_cast<size_t>(kernel - module.kernels().data());
  launch.kernel = &impl.program.functions[impl.kernelFunctions[index]];
  launch.clusterDim = c;
  launch.clusterGrid = {actual.grid.x / c.x, actual.grid.y / c.y,
                        actual.grid.z / c.z};
  // Dynamic shared memory begins where the module's `.extern .shared` lies.
  launch.sharedBytes =
      sharedBytesOf(impl, *launch.kernel, actual.dynamicSharedBytes);
  launch.warpsPerBlock =
      static_cast<uint32_t>((actual.block.count() + 31) / 32);
  launch.registersPerThread = registersOf(*kernel, actual);
  launch.parameters = actual.parameters;
  launch.order.resize(launch.clusterGrid.count());
  for (uint32_t i = 0; i < launch.order.size(); ++i)
    launch.order[i] = i;
  if (options.seed) {
    uint64_t random = seedRandom(options.seed);
    for (size_t i = launch.order.size(); i > 1; --i) {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      std::swap(launch.order[i - 1], launch.order[random % i]);
    }
  }
  ReportSink sink(options.maxReports);
  GlobalShadow globalShadow;
  SyncLocations locations;
  launch.sink = &sink;
  launch.globalShadow = &globalShadow;
  launch.locations = &locations;

  uint32_t threads = options.threadCount ? options.threadCount
                                         : std::thread::hardware_concurrency();
  threads =
      std::max<uint32_t>(1, std::min<uint64_t>(threads, launch.order.size()));
  std::vector<Statistics> statistics(threads);
  std::vector<std::string> outputs(threads);
  std::vector<std::thread> workers;
  for (uint32_t t = 1; t < threads; ++t)
    workers.emplace_back(
        [&, t] { Runner(launch, statistics[t], outputs[t]).run(); });
  Runner(launch, statistics[0], outputs[0]).run();
  for (std::thread &worker : workers)
    worker.join();
  for (uint32_t t = 0; t < threads; ++t) {
    result.statistics.add(statistics[t]);
    result.output += outputs[t];
  }
  result.completed = !launch.stop;
  sink.finish(result);
  return result;
}

} // namespace tilec::emu
