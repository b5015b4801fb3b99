//===- SetTarget.cpp - Records the chip, checks launches against it -------===//
//
// Requires source, keeps source. Sets `tile.target` on the module, gives every
// launch its name and checks what only the chip decides. It is the only pass
// that is told a chip; the others ask `getModuleTarget`.
//
// The checks are here, before any transformation, so that a launch that the
// chip cannot run is refused at the user's own line with the chip's numbers.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Hardware/GpuTarget.h"
#include "tile/Hardware/Occupancy.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#define DEBUG_TYPE "tile-set-target"

namespace mlir::tile {
#define GEN_PASS_DEF_SETTARGET
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;
using tilec::GpuTarget;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// The row to compile for: the option's, or without one the module's own.
static FailureOr<const GpuTarget *>
chooseTarget(ModuleOp module, StringRef chip, TargetAttr recorded) {
  if (chip.empty() && !recorded)
    return mlir::emitError(module.getLoc(),
                           "no chip to compile for; give chip=<name>, known: ")
           << tilec::getKnownTargetNames();
  StringRef name = chip.empty() ? recorded.getChip() : chip;
  const GpuTarget *target = tilec::findTarget(name.str());
  if (!target)
    return mlir::emitError(module.getLoc(),
                           tilec::describeUnknownTarget(name.str()));
  if (failed(verifyChip(module, chip)))
    return failure();
  return target;
}

static LogicalResult verifyThreads(LaunchOp launch, const GpuTarget &target) {
  int64_t threads = launch.getThreads();
  if (threads % target.warpSize != 0)
    return emitErrorWithoutRegions(launch)
           << "has " << threads << " threads, not whole warps of "
           << target.warpSize << "; the nearest is "
           << llvm::alignTo(threads, target.warpSize);
  if (threads > target.maxThreadsPerBlock)
    return emitErrorWithoutRegions(launch)
           << "has " << threads << " threads; a block of " << target.name
           << " has at most " << target.maxThreadsPerBlock;
  return success();
}

/// What ptxas gives a thread at least, whatever it is asked for.
static constexpr int64_t fewestRegisters = 24;

/// `min_blocks_per_sm`, `max_registers` and `threads` together. Without
/// `max_registers` the fewest registers that a kernel can be given count, so
/// that only what no kernel could meet is refused.
static LogicalResult verifyResidency(LaunchOp launch, const GpuTarget &target) {
  std::optional<uint64_t> registers = launch.getMaxRegisters();
  std::optional<uint64_t> blocks = launch.getMinBlocksPerSm();
  if (registers && (int64_t(*registers) < fewestRegisters ||
                    int64_t(*registers) > target.maxRegistersPerThread))
    return emitErrorWithoutRegions(launch)
           << "max_registers = " << int64_t(*registers) << "; a thread of "
           << target.name << " has " << fewestRegisters << " to "
           << target.maxRegistersPerThread;
  if (!blocks && !registers)
    return success();
  if (blocks && int64_t(*blocks) < 1)
    return emitErrorWithoutRegions(launch)
           << "min_blocks_per_sm = " << int64_t(*blocks)
           << "; it must be positive";
  tilec::BlockResources block;
  block.threads = launch.getThreads();
  block.registersPerThread = registers ? int64_t(*registers) : 1;
  tilec::Occupancy occupancy = tilec::computeOccupancy(target, block);
  if (occupancy.blocksPerMultiprocessor >= int64_t(blocks.value_or(1)))
    return success();
  InFlightDiagnostic error = emitErrorWithoutRegions(launch);
  if (!blocks)
    error << "max_registers = " << *registers << " with " << block.threads
          << " threads";
  else
    error << "min_blocks_per_sm = " << int64_t(*blocks) << " with "
          << block.threads << " threads";
  if (blocks && registers)
    error << " of " << *registers << " registers";
  return error << " does not fit " << target.name << ": " << occupancy.summary;
}

static LogicalResult verifyCluster(LaunchOp launch, const GpuTarget &target) {
  std::optional<ArrayRef<int64_t>> cluster = launch.getCluster();
  if (!cluster)
    return success();
  int64_t blocks = 1;
  for (int64_t extent : *cluster)
    blocks *= extent;
  if (blocks <= target.maxClusterSize)
    return success();
  InFlightDiagnostic error = emitErrorWithoutRegions(launch)
                             << "has clusters of " << blocks << " blocks; ";
  if (target.maxClusterSize > 1)
    return error << target.name << " has clusters of at most "
                 << target.maxClusterSize << "; make 'cluster(..)' smaller";
  error << target.name << " has no clusters";
  for (const GpuTarget &other : tilec::getKnownTargets())
    if (other.maxClusterSize > 1)
      return error << "; leave 'cluster(..)' out, or compile for " << other.name
                   << ", the first chip that has them";
  return error;
}

/// Whether PTX, and so a launcher, can call a kernel this.
static bool isKernelName(StringRef name) {
  auto isFollowing = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$';
  };
  return !name.empty() && llvm::all_of(name, isFollowing) &&
         !llvm::isDigit(name.front()) && (name.size() > 1 || name != "_");
}

/// A kernel name close to the name of a function.
static std::string toKernelName(StringRef function) {
  std::string name = function.str();
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '$')
      c = '_';
  return isKernelName(name) ? name : "kernel_" + name;
}

/// The name of every launch, in order. Launches without one are numbered within
/// their function; a name that stands twice, or that no kernel can have, is an
/// error.
static FailureOr<SmallVector<std::string>>
planNames(ArrayRef<LaunchOp> launches) {
  llvm::StringMap<LaunchOp> taken;
  for (LaunchOp launch : launches) {
    if (!launch.getKernel())
      continue;
    if (!isKernelName(*launch.getKernel())) {
      emitErrorWithoutRegions(launch)
          << "a kernel cannot be named '" << *launch.getKernel()
          << "': the names of PTX are letters, digits, '_' and '$', and do not "
             "begin with a digit; '"
          << toKernelName(*launch.getKernel()) << "' would do";
      return failure();
    }
    auto [entry, isNew] = taken.try_emplace(*launch.getKernel(), launch);
    if (isNew)
      continue;
    InFlightDiagnostic error = emitErrorWithoutRegions(launch)
                               << "a second launch named @"
                               << *launch.getKernel()
                               << "; names of launches are unique in a module";
    error.attachNote(entry->second.getLoc()) << "the first is here";
    return failure();
  }
  SmallVector<std::string> names;
  llvm::StringMap<int64_t> numbers;
  for (LaunchOp launch : launches) {
    if (launch.getKernel()) {
      names.push_back(launch.getKernel()->str());
      continue;
    }
    auto function = launch->getParentOfType<func::FuncOp>();
    std::string base =
        function ? toKernelName(function.getSymName()) : "kernel";
    std::string name;
    do
      name = base + "_" + std::to_string(numbers[base]++);
    while (!taken.try_emplace(name, launch).second);
    names.push_back(name);
  }
  return names;
}

static LogicalResult verifyLaunches(ArrayRef<LaunchOp> launches,
                                    const GpuTarget &target) {
  bool failed = false;
  for (LaunchOp launch : launches)
    failed |= mlir::failed(verifyThreads(launch, target)) ||
              mlir::failed(verifyResidency(launch, target)) ||
              mlir::failed(verifyCluster(launch, target));
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void applyNames(MutableArrayRef<LaunchOp> launches,
                       ArrayRef<std::string> names) {
  for (auto [launch, name] : llvm::zip_equal(launches, names))
    launch.setKernel(StringRef(name));
}

/// Takes away what only says how fast a launch should start and the chip cannot do.
static void dropUnsupportedHints(ArrayRef<LaunchOp> launches,
                                 const GpuTarget &target) {
  for (LaunchOp launch : launches) {
    if (!launch.getProgrammaticDependentLaunch() || target.hasDependentLaunch)
      continue;
    launch.setProgrammaticDependentLaunch(false);
    remark::missed(launch.getLoc(),
                   remark::RemarkOpts::name("NotDependent")
                       .category(DEBUG_TYPE)
                       .function(launch.getKernel().value_or("")))
        << remark::reason("no kernel of {0} starts before the launch in front "
                          "of it has ended",
                          target.name);
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct SetTarget : tile::impl::SetTargetBase<SetTarget> {
  using SetTargetBase::SetTargetBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    TileDialect::TargetAttrHelper attribute(&getContext());
    auto launches = getLaunches(module, getArgument());
    auto target = chooseTarget(module, chip, attribute.getAttr(module));
    if (failed(launches) || failed(target))
      return signalPassFailure();
    auto names = planNames(*launches);
    if (failed(names) || failed(verifyLaunches(*launches, **target)))
      return signalPassFailure();
    applyNames(*launches, *names);
    dropUnsupportedHints(*launches, **target);
    attribute.setAttr(module, TargetAttr::get(&getContext(), (*target)->name));
  }
};
} // namespace
