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
#include "../Definedness/Unassigned.h"
#include "Interpreter.h"
#include "tile/Limits/LaunchLimits.h"

#include <algorithm>
#include <numeric>
#include <thread>

namespace tilec::emu {

namespace {

uint32_t registersOf(const KernelInfo &kernel, const LaunchConfig &config) {
  return config.registersPerThread ? config.registersPerThread
                                   : kernel.maximumRegisters.value_or(0);
}

Dim3 toDim(const std::array<uint32_t, 3> &values) {
  return {values[0], values[1], values[2]};
}

/// Why a launch cannot begin; empty if it can.
std::string checkConfig(const KernelInfo &kernel, const LaunchConfig &config) {
  auto extents = [](const Dim3 &d) { return Extents{d.x, d.y, d.z}; };
  auto dim = [&](const Dim3 &d) { return formatExtents(extents(d)); };
  if (config.grid.count() == 0)
    return "the grid " + dim(config.grid) + " is empty";
  if (std::string problem = checkInterpretedGrid(extents(config.grid));
      !problem.empty())
    return problem;
  if (config.block.count() == 0)
    return "the block " + dim(config.block) + " is empty";
  if (std::string problem = checkBlock(extents(config.block)); !problem.empty())
    return problem;
  auto same = [](const std::array<uint32_t, 3> &a, const Dim3 &b) {
    return a[0] == b.x && a[1] == b.y && a[2] == b.z;
  };
  if (kernel.requiredBlock && !same(*kernel.requiredBlock, config.block))
    return "the kernel requires (.reqntid) a block of " +
           dim(toDim(*kernel.requiredBlock)) + ", not " + dim(config.block);
  if (kernel.maximumBlock) {
    Dim3 most = toDim(*kernel.maximumBlock);
    if (config.block.count() > most.count())
      return "the block " + dim(config.block) +
             " exceeds the kernel's .maxntid of " + dim(most);
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
  const Dim3 &grid = config.grid, &cluster = config.cluster;
  if (cluster.count() == 0 || cluster.count() > 16 || grid.x % cluster.x ||
      grid.y % cluster.y || grid.z % cluster.z)
    return "the grid is not a multiple of the cluster, or the cluster has "
           "more than 16 blocks";
  return "";
}

/// Instructions of a cluster until the thread looks whether it makes progress,
/// and whether another should run: rarely, as most clusters end before.
constexpr uint64_t clusterBudget = 1'000'000;
/// Clusters that one thread runs in turns, because they may wait for each
/// other: as many as a GPU has of a kernel whose blocks are large (one or two on
/// each multiprocessor), and at a MiB or two each what a memory holds.
constexpr size_t maximumResident = 512;

/// One OS thread of a launch.
class Runner {
public:
  Runner(Launch &launch, Statistics &statistics, std::string &output)
      : launch(launch), statistics(statistics), output(output) {}

  void run() {
    while (!launch.isStopping() && chooseCluster())
      runTurn();
    for (auto &cluster : resident)
      finish(*cluster);
  }

private:
  /// Takes a further cluster if there is room, else the next resident one's
  /// turn comes. False if all are done.
  bool chooseCluster() {
    if (resident.empty() || (crowded && resident.size() < maximumResident)) {
      uint64_t next = launch.nextCluster.fetch_add(1);
      if (next < launch.order.size()) {
        resident.push_back(
            makeCluster(launch, launch.order[static_cast<size_t>(next)]));
        turn = resident.size() - 1;
        return true;
      }
      if (resident.empty())
        return false;
    }
    turn = (turn + 1) % resident.size();
    return true;
  }

  void runTurn() {
    Cluster &cluster = *resident[turn];
    ClusterState state = runCluster(cluster, clusterBudget);
    if (state == ClusterState::Blocked && !launch.stop)
      reportDeadlock(cluster);
    if (state == ClusterState::Running) {
      // Perhaps it waits for a cluster that has not begun.
      crowded |= cluster.isPolling();
      // Who computes for long without asking for anything does not spin.
      if (launch.options.hangLimit && cluster.isPolling() &&
          cluster.sinceProgress > launch.options.hangLimit && !launch.stop)
        reportHang(cluster);
      return;
    }
    finish(cluster);
    resident.erase(resident.begin() + static_cast<ptrdiff_t>(turn));
    if (resident.empty())
      crowded = false;
  }

  void finish(Cluster &cluster) {
    statistics.add(cluster.statistics);
    if (launch.options.finishedBlocks)
      *launch.options.finishedBlocks +=
          static_cast<int64_t>(launch.clusterDim.count());
    std::lock_guard<std::mutex> lock(launch.mutex);
    output += cluster.output;
  }

  Launch &launch;
  Statistics &statistics;
  std::string &output;
  std::vector<std::unique_ptr<Cluster>> resident;
  size_t turn = 0;
  bool crowded = false; ///< A cluster may wait for one that has not begun.
};

void addInvalid(LaunchResult &result, std::string message, uint32_t line = 0) {
  Report report;
  report.kind = ReportKind::Invalid;
  report.message = std::move(message);
  report.first.ptxLine = line;
  report.first.what = "in the module";
  result.reports.push_back(std::move(report));
}

std::string listKernels(const Module &module) {
  std::string known;
  for (const KernelInfo &kernel : module.kernels())
    known += (known.empty() ? "" : ", ") + kernel.name;
  return known;
}

/// The clusters in the order in which they begin: a random one with a seed.
std::vector<uint32_t> orderClusters(uint64_t count, uint64_t seed) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  if (seed) {
    uint64_t random = seedRandom(seed);
    for (size_t left = order.size(); left > 1; --left)
      std::swap(order[left - 1], order[nextRandom(random) % left]);
  }
  return order;
}

/// Fills what follows from the module, the kernel and the configuration.
void describeLaunch(Launch &launch, Module &module, const KernelInfo &kernel) {
  ModuleImpl &impl = module.implementation();
  const LaunchConfig &config = *launch.config;
  launch.module = &impl;
  launch.program = &impl.program;
  launch.kernelInfo = &kernel;
  size_t index = static_cast<size_t>(&kernel - module.kernels().data());
  launch.kernel = &impl.program.functions[impl.kernelFunctions[index]];
  const Dim3 &cluster = config.cluster;
  launch.clusterDim = cluster;
  launch.clusterGrid = {config.grid.x / cluster.x, config.grid.y / cluster.y,
                        config.grid.z / cluster.z};
  // Dynamic shared memory begins where the module's `.extern .shared` lies.
  launch.sharedBytes =
      sharedBytesOf(impl, *launch.kernel, config.dynamicSharedBytes);
  launch.warpsPerBlock =
      static_cast<uint32_t>((config.block.count() + 31) / 32);
  launch.registersPerThread = registersOf(kernel, config);
  launch.parameters = config.parameters;
  launch.order = orderClusters(launch.clusterGrid.count(), launch.options.seed);
}

/// Runs all clusters on as many OS threads as the options say.
void runClusters(Launch &launch, LaunchResult &result) {
  uint32_t threads = launch.options.threadCount
                         ? launch.options.threadCount
                         : std::thread::hardware_concurrency();
  threads =
      std::max<uint32_t>(1, std::min<uint64_t>(threads, launch.order.size()));
  std::vector<Statistics> statistics(threads);
  std::vector<std::string> outputs(threads);
  std::vector<std::thread> workers;
  for (uint32_t index = 1; index < threads; ++index)
    workers.emplace_back([&, index] {
      Runner(launch, statistics[index], outputs[index]).run();
    });
  Runner(launch, statistics[0], outputs[0]).run();
  for (std::thread &worker : workers)
    worker.join();
  for (uint32_t index = 0; index < threads; ++index) {
    result.statistics.add(statistics[index]);
    result.output += outputs[index];
  }
  result.completed = !launch.stop;
}

} // namespace

LaunchResult launch(Module &module, DeviceMemory &memory,
                    const LaunchConfig &config, const LaunchOptions &options) {
  LaunchResult result;
  result.statistics.name = config.kernel;
  const KernelInfo *kernel = module.findKernel(config.kernel);
  if (!kernel) {
    addInvalid(result, "there is no kernel '" + config.kernel +
                           "'; known: " + listKernels(module));
    return result;
  }
  LaunchConfig actual = config;
  if (kernel->requiredCluster && actual.cluster.count() == 1)
    actual.cluster = toDim(*kernel->requiredCluster);
  if (std::string problem = checkConfig(*kernel, actual); !problem.empty()) {
    addInvalid(result, problem);
    return result;
  }
  std::vector<Diagnostic> diagnostics;
  if (!module.prepare(config.kernel, diagnostics)) {
    for (const Diagnostic &diagnostic : diagnostics)
      addInvalid(result, diagnostic.message, diagnostic.line);
    return result;
  }

  if (options.checks.init)
    prepareDefinedness(module.implementation().program);

  Launch launch;
  launch.memory = &memory;
  launch.config = &actual;
  launch.options = options;
  describeLaunch(launch, module, *kernel);
  ReportSink sink(options.maxReports);
  GlobalShadow globalShadow;
  SyncLocations locations;
  launch.sink = &sink;
  launch.globalShadow = &globalShadow;
  launch.locations = &locations;
  runClusters(launch, result);
  sink.finish(result);
  return result;
}

} // namespace tilec::emu
