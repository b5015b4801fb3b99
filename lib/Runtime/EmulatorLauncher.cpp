//===- EmulatorLauncher.cpp - Kernels on the PTX emulator ----------------===//

#include "tile/Runtime/EmulatorLauncher.h"

#include "OperandFacts.h"

#include "tile/DeviceLaunch/EmulatorLaunch.h"
#include "tile/Limits/AvailableMemory.h"
#include "tile/Limits/LaunchLimits.h"
#include "tile/Runtime/AllocationSize.h"
#include "tile/Runtime/KernelParameters.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <map>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace emu = tilec::emu;

StringRef mlir::tile::findPtx(ModuleOp module, gpu::LaunchFuncOp op) {
  auto binary = module.lookupSymbol<gpu::BinaryOp>(op.getKernelModuleName());
  if (!binary) {
    op.emitError("there is no gpu.binary '")
        << op.getKernelModuleName() << "' with the kernel's PTX";
    return "";
  }
  for (Attribute attribute : binary.getObjects())
    if (auto object = dyn_cast<gpu::ObjectAttr>(attribute))
      if (object.getFormat() == gpu::CompilationTarget::Assembly)
        return object.getObject().getValue();
  op.emitError("gpu.binary '")
      << op.getKernelModuleName() << "' holds no PTX text";
  return "";
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

struct EmulatorLauncher::Impl {
  ModuleOp module;
  EmulatorOptions options;
  emu::DeviceMemory memory;
  /// A buffer and where it is mirrored; the pointer keeps the buffer alive.
  struct Mirror {
    std::shared_ptr<Buffer> buffer;
    uint64_t address;
  };
  std::map<const Buffer *, Mirror> mirrors;
  std::map<std::string, std::unique_ptr<emu::Module>> modules;
  std::vector<emu::Statistics> statistics;
  std::vector<LaunchTime> times;

  emu::Module *getModule(gpu::LaunchFuncOp op);
  uint64_t getAddress(const std::shared_ptr<Buffer> &buffer);
  LogicalResult checkMemory(const LaunchRequest &request);
  void copyIn(const Mirror &mirror);
  void copyOut(const Mirror &mirror);
  unsigned getUndefinedHalves(const Mirror &mirror, uint64_t byte) const;
  void readUndefined(const Mirror &mirror, uint64_t begin, uint64_t end);
  emu::LaunchOptions makeLaunchOptions(const emu::LaunchConfig &config) const;
  LogicalResult measure(gpu::LaunchFuncOp op, emu::Module &module,
                        const emu::LaunchConfig &config,
                        emu::LaunchOptions options, ArrayRef<Mirror> before);
  LogicalResult report(gpu::LaunchFuncOp op, const emu::LaunchResult &result,
                       StringRef moduleName);
};

EmulatorLauncher::EmulatorLauncher(ModuleOp module, EmulatorOptions options)
    : impl(std::make_unique<Impl>()) {
  impl->module = module;
  impl->options = options;
}

EmulatorLauncher::~EmulatorLauncher() = default;

emu::Module *EmulatorLauncher::Impl::getModule(gpu::LaunchFuncOp op) {
  std::string name = op.getKernelModuleName().str();
  std::unique_ptr<emu::Module> &entry = modules[name];
  if (entry)
    return entry.get();
  StringRef ptx = findPtx(module, op);
  if (ptx.empty())
    return nullptr;
  std::vector<emu::Diagnostic> diagnostics;
  entry = emu::Module::parse(std::string_view(ptx.data(), ptx.size()),
                             name + ".ptx", diagnostics);
  if (!entry)
    for (const emu::Diagnostic &diagnostic : diagnostics)
      op.emitError("the emulator cannot read the PTX: line ")
          << diagnostic.line << ": " << diagnostic.message;
  return entry.get();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

uint64_t
EmulatorLauncher::Impl::getAddress(const std::shared_ptr<Buffer> &buffer) {
  auto [it, isNew] = mirrors.try_emplace(buffer.get(), Mirror{buffer, 0});
  if (isNew)
    it->second.address =
        memory.allocate(getAllocationSize(*buffer), buffer->name);
  return it->second.address;
}

/// Whether memory suffices for the order of the blocks and for the mirrors that
/// the launch needs, with a flag for each byte.
LogicalResult
EmulatorLauncher::Impl::checkMemory(const LaunchRequest &request) {
  gpu::LaunchFuncOp op = request.op;
  if (std::string problem = tilec::checkInterpretedGrid(request.grid);
      !problem.empty())
    return op.emitError(problem);
  int64_t blocks = request.grid[0] * request.grid[1] * request.grid[2];
  if (std::string problem = tilec::checkMemory({blocks}, 32); !problem.empty())
    return op.emitError("the order of ") << blocks << " blocks " << problem;
  for (const RuntimeValue &argument : request.arguments) {
    if (!argument.memref || mirrors.count(argument.memref->buffer.get()))
      continue;
    const Buffer &buffer = *argument.memref->buffer;
    if (std::string problem = tilec::checkMemory(
            {static_cast<int64_t>(buffer.bytes.size())}, 8, /*bytesBeside=*/1);
        !problem.empty())
      return op.emitError("the emulator's copy of buffer '")
             << buffer.name << "' " << problem;
  }
  return success();
}

/// The bits of halves as a buffer numbers them.
static uint8_t getBitsOfHalves(unsigned halves) {
  return (halves & 1 ? 0x0f : 0) | (halves & 2 ? 0xf0 : 0);
}
static constexpr unsigned bothHalves = 3;

/// Runs of bytes that somebody wrote, and halves of bytes.
void EmulatorLauncher::Impl::copyIn(const Mirror &mirror) {
  const Buffer &buffer = *mirror.buffer;
  size_t size = buffer.bytes.size();
  for (size_t begin = 0; begin < size;) {
    size_t end = begin;
    while (end < size && !buffer.isUndefined(end))
      ++end;
    if (end > begin)
      memory.write(mirror.address + begin, buffer.bytes.data() + begin,
                   end - begin);
    if (end < size && buffer.getUndefinedHalves(end) != bothHalves)
      memory.writeBits(mirror.address + end, buffer.bytes[end],
                       ~getBitsOfHalves(buffer.getUndefinedHalves(end)));
    begin = end + 1;
  }
}

/// The halves of a byte of which not all bits are initialised.
unsigned EmulatorLauncher::Impl::getUndefinedHalves(const Mirror &mirror,
                                                    uint64_t byte) const {
  uint8_t bits = memory.getInitializedBits(mirror.address + byte);
  unsigned halves = 0;
  for (unsigned half : {1u, 2u})
    if ((bits & getBitsOfHalves(half)) != getBitsOfHalves(half))
      halves |= half;
  return halves;
}

/// Marks the bytes of [begin, end) that are still uninitialised, halving ranges
/// that are partly so.
void EmulatorLauncher::Impl::readUndefined(const Mirror &mirror, uint64_t begin,
                                           uint64_t end) {
  uint64_t size = end - begin;
  uint64_t count =
      size ? memory.countUninitialized(mirror.address + begin, size) : 0;
  if (count == 0)
    return;
  Buffer &buffer = *mirror.buffer;
  if (buffer.undefined.empty())
    buffer.undefined.assign(buffer.bytes.size(), 0);
  if (count == size) {
    bool areNarrow = buffer.granuleBits < 8;
    for (uint64_t byte = begin; byte < end; ++byte)
      buffer.setUndefinedHalves(
          byte, areNarrow ? getUndefinedHalves(mirror, byte) : bothHalves);
    return;
  }
  readUndefined(mirror, begin, begin + size / 2);
  readUndefined(mirror, begin + size / 2, end);
}

void EmulatorLauncher::Impl::copyOut(const Mirror &mirror) {
  Buffer &buffer = *mirror.buffer;
  memory.read(mirror.address, buffer.bytes.data(), buffer.bytes.size());
  buffer.undefined.clear();
  readUndefined(mirror, 0, buffer.bytes.size());
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// "file:line:column", as `.loc` has it; the launch where there is none.
static Location getLocation(const std::string &source, Operation *op) {
  StringRef text(source);
  auto [head, columnText] = text.rsplit(':');
  auto [file, lineText] = head.rsplit(':');
  unsigned line, column;
  if (file.empty() || lineText.getAsInteger(10, line) ||
      columnText.getAsInteger(10, column))
    return op->getLoc();
  return FileLineColLoc::get(op->getContext(), file, line, column);
}

LogicalResult EmulatorLauncher::Impl::report(gpu::LaunchFuncOp op,
                                             const emu::LaunchResult &result,
                                             StringRef moduleName) {
  for (const emu::Report &note : result.notes)
    mlir::emitRemark(getLocation(note.first.source, op))
        << "emulator: " << note.message;
  for (const emu::Report &entry : result.reports) {
    InFlightDiagnostic error =
        mlir::emitError(getLocation(entry.first.source, op));
    auto assertion = entry.kind == emu::ReportKind::Trap
                         ? options.assertions.find(entry.first.source)
                         : options.assertions.end();
    if (assertion != options.assertions.end())
      error << assertion->second;
    else
      error << "emulator, " << emu::toString(entry.kind) << ": "
            << entry.message;
    auto attach = [&](const emu::ReportedAccess &access) {
      error.attachNote(getLocation(access.source, op))
          << access.what << " by thread (" << access.thread.x << ", "
          << access.thread.y << ", " << access.thread.z << ") of block ("
          << access.block.x << ", " << access.block.y << ", " << access.block.z
          << "), " << moduleName << ":" << access.ptxLine;
    };
    attach(entry.first);
    if (entry.second)
      attach(*entry.second);
    if (!entry.missing.empty())
      error.attachNote(op.getLoc()) << entry.missing;
    if (entry.count > 1)
      error.attachNote(op.getLoc()) << entry.count << " times";
  }
  if (result.reportsDropped)
    op.emitError("the emulator made ")
        << result.reportsDropped << " more reports";
  if (!result.completed && result.reports.empty())
    op.emitError("kernel '") << op.getKernelName()
                             << (options.interrupt && *options.interrupt
                                     ? "' was interrupted"
                                     : "' did not run to its end");
  return success(result.completed && result.reports.empty());
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Runs the launch again, from what the buffers held `before` it each time.
LogicalResult EmulatorLauncher::Impl::measure(gpu::LaunchFuncOp op,
                                              emu::Module &module,
                                              const emu::LaunchConfig &config,
                                              emu::LaunchOptions options,
                                              ArrayRef<Mirror> before) {
  using Clock = std::chrono::steady_clock;
  options.finishedBlocks = nullptr;
  LaunchTime time{config.kernel, {}};
  unsigned runs = this->options.timing.warmUpCount + this->options.timing.count;
  for (unsigned run = 0; run < runs; ++run) {
    for (const Mirror &mirror : before)
      copyIn(mirror);
    Clock::time_point begin = Clock::now();
    emu::LaunchResult result = emu::launch(module, memory, config, options);
    std::chrono::duration<double> taken = Clock::now() - begin;
    if (failed(report(op, result, module.name())))
      return failure();
    if (run >= this->options.timing.warmUpCount)
      time.seconds.push_back(taken.count());
  }
  std::sort(time.seconds.begin(), time.seconds.end());
  times.push_back(std::move(time));
  return success();
}

emu::LaunchOptions EmulatorLauncher::Impl::makeLaunchOptions(
    const emu::LaunchConfig &config) const {
  emu::LaunchOptions result = tilec::getEmulatorOptions();
  result.seed = options.seed;
  if (options.maxInstructions)
    result.maxInstructions = *options.maxInstructions;
  result.statistics = options.collectStatistics;
  result.interrupt = options.interrupt;
  if (options.progress) {
    options.progress->blocks += static_cast<int64_t>(config.grid.count());
    result.finishedBlocks = &options.progress->finishedBlocks;
  }
  return result;
}

LogicalResult EmulatorLauncher::launch(const LaunchRequest &request) {
  gpu::LaunchFuncOp op = request.op;
  emu::Module *module = impl->getModule(op);
  if (!module)
    return failure();
  std::string kernelName = op.getKernelName().str();
  const emu::KernelInfo *kernel = module->findKernel(kernelName);
  if (!kernel)
    return op.emitError("the PTX has no kernel '") << kernelName << "'";
  if (failed(checkOperandFacts(op, request.arguments)) ||
      failed(impl->checkMemory(request)))
    return failure();

  llvm::SmallPtrSet<const Buffer *, 8> used;
  FailureOr<SmallVector<KernelParameter>> parameters =
      getKernelParameters(op, op.getKernelOperands(), request.arguments,
                          [&](const std::shared_ptr<Buffer> &buffer) {
                            used.insert(buffer.get());
                            return impl->getAddress(buffer);
                          });
  if (failed(parameters))
    return failure();
  emu::LaunchConfig config;
  if (std::string problem = tilec::prepareLaunch(
          getKernelLaunch(request, *parameters), *kernel, config);
      !problem.empty())
    return op.emitError(problem);

  bool isTimed = impl->options.timing.count > 0;
  SmallVector<Impl::Mirror> before;
  for (const Buffer *buffer : used) {
    const Impl::Mirror &mirror = impl->mirrors.at(buffer);
    impl->copyIn(mirror);
    if (isTimed)
      before.push_back({std::make_shared<Buffer>(*buffer), mirror.address});
  }
  emu::LaunchOptions options = impl->makeLaunchOptions(config);
  emu::LaunchResult result =
      emu::launch(*module, impl->memory, config, options);
  if (impl->options.output)
    *impl->options.output << result.output;
  if (impl->options.collectStatistics)
    impl->statistics.push_back(result.statistics);
  for (const Buffer *buffer : used)
    impl->copyOut(impl->mirrors.at(buffer));
  if (failed(impl->report(op, result, module->name())))
    return failure();
  return isTimed ? impl->measure(op, *module, config, options, before)
                 : success();
}

std::string EmulatorLauncher::getStatisticsJson() const {
  return emu::toJson(impl->statistics);
}

const std::vector<LaunchTime> &EmulatorLauncher::getTimes() const {
  return impl->times;
}

std::string EmulatorLauncher::getStatisticsText() const {
  std::string text;
  for (const emu::Statistics &launch : impl->statistics)
    text += emu::toText(launch);
  return text;
}
