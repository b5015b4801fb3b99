//===- Launch.cpp - Kernels that run on the emulator, in C ----------------===//

#include "Objects.h"

using namespace tilec::emu;

static_assert(static_cast<int>(Delivery::Random) == TileEmulatorDeliveryRandom);

TileEmulatorLaunch *tileEmulatorLaunchCreate(TileEmulatorModule *module,
                                             TileString kernel) {
  const KernelInfo *info = module->module->findKernel(unwrap(kernel));
  if (!info)
    return nullptr;
  auto *launch = new TileEmulatorLaunch{
      *module->module, ParameterBuilder(*info), LaunchConfig(), {}};
  launch->config.kernel = info->name;
  launch->options.interrupt = &launch->isInterrupted;
  return launch;
}

void tileEmulatorLaunchDestroy(TileEmulatorLaunch *launch) { delete launch; }

void tileEmulatorLaunchSetGrid(TileEmulatorLaunch *launch, uint32_t x,
                               uint32_t y, uint32_t z) {
  launch->config.grid = {x, y, z};
}

void tileEmulatorLaunchSetBlock(TileEmulatorLaunch *launch, uint32_t x,
                                uint32_t y, uint32_t z) {
  launch->config.block = {x, y, z};
}

void tileEmulatorLaunchSetCluster(TileEmulatorLaunch *launch, uint32_t x,
                                  uint32_t y, uint32_t z) {
  launch->config.cluster = {x, y, z};
}

void tileEmulatorLaunchSetDynamicSharedBytes(TileEmulatorLaunch *launch,
                                             uint32_t sizeBytes) {
  launch->config.dynamicSharedBytes = sizeBytes;
}

bool tileEmulatorLaunchAddArgument(TileEmulatorLaunch *launch,
                                   const void *bytes, size_t sizeBytes) {
  return launch->parameters.addBytes(bytes, sizeBytes);
}

bool tileEmulatorLaunchSetChecks(TileEmulatorLaunch *launch, TileString checks,
                                 TileStringCallback error, void *userData) {
  std::string message;
  std::optional<CheckOptions> parsed =
      CheckOptions::parse(unwrap(checks), message);
  if (parsed)
    launch->options.checks = *parsed;
  else if (error)
    error(wrap(message), userData);
  return parsed.has_value();
}

void tileEmulatorLaunchSetDelivery(TileEmulatorLaunch *launch,
                                   TileEmulatorDelivery delivery) {
  launch->options.delivery = static_cast<Delivery>(delivery);
}

void tileEmulatorLaunchSetSeed(TileEmulatorLaunch *launch, uint64_t seed) {
  launch->options.seed = seed;
}

void tileEmulatorLaunchSetThreadCount(TileEmulatorLaunch *launch,
                                      uint32_t count) {
  launch->options.threadCount = count;
}

void tileEmulatorLaunchSetMaxFindings(TileEmulatorLaunch *launch,
                                      uint32_t count) {
  launch->options.maxReports = count;
}

void tileEmulatorLaunchSetMaxInstructions(TileEmulatorLaunch *launch,
                                          uint64_t count) {
  launch->options.maxInstructions = count;
}

void tileEmulatorLaunchAllowEqualStores(TileEmulatorLaunch *launch,
                                        bool isAllowed) {
  launch->options.allowEqualStores = isAllowed;
}

void tileEmulatorLaunchAllowUnfencedMbarriers(TileEmulatorLaunch *launch,
                                              bool isAllowed) {
  launch->options.allowUnfencedMbarriers = isAllowed;
}

void tileEmulatorLaunchInterrupt(TileEmulatorLaunch *launch) {
  launch->isInterrupted = true;
}

/// Reports with their texts.
static std::vector<TileEmulatorFinding>
getFindings(const std::vector<Report> &reports, const Module &module) {
  std::vector<TileEmulatorFinding> findings;
  for (const Report &report : reports)
    findings.push_back({report, report.format(module.name())});
  return findings;
}

TileEmulatorResult *tileEmulatorLaunchRun(const TileEmulatorLaunch *launch,
                                          TileEmulatorMemory *memory) {
  LaunchConfig config = launch->config;
  config.parameters = launch->parameters.bytes();
  auto *result = new TileEmulatorResult;
  if (launch->parameters.complete()) {
    result->result = tilec::emu::launch(launch->module, memory->memory, config,
                                        launch->options);
  } else {
    Report report;
    report.message = "not every parameter of '" + config.kernel + "' is given";
    result->result.reports.push_back(report);
  }
  result->statisticsJson = toJson({result->result.statistics});
  result->findings = getFindings(result->result.reports, launch->module);
  result->notes = getFindings(result->result.notes, launch->module);
  return result;
}
