//===- Report.cpp - What the compiler decided, per kernel -----------------===//

#include "tile/Report/Report.h"

#include "tile/Analysis/ExchangeChoice.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/Locations.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <set>

using namespace mlir;
using namespace mlir::tile;

static std::string formatType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The bytes that `count` elements take part in.
static int64_t getBytes(Type elementType, int64_t count) {
  return llvm::divideCeil(count * getMemoryBits(elementType), 8);
}

KernelReport &ReportCollector::getReport(StringRef name) {
  for (KernelReport &report : reports)
    if (report.name == name)
      return report;
  reports.emplace_back();
  reports.back().name = name.str();
  return reports.back();
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

static void addFragment(Value value, KernelReport &report,
                        std::set<std::pair<std::string, std::string>> &seen) {
  FragmentAttr encoding = getFragment(value.getType());
  if (!encoding)
    return;
  tilec::FragmentLayout layout = encoding.getLayout();
  auto type = cast<RankedTensorType>(value.getType());
  KernelReport::Fragment fragment;
  fragment.location = formatLocation(value.getLoc());
  fragment.type = formatType(withoutLayout(type));
  fragment.layout = layout.toString();
  fragment.elementsPerThread = layout.getRegisterCount();
  fragment.replication = layout.getReplication();
  if (seen.insert({fragment.type, fragment.layout}).second)
    report.fragments.push_back(fragment);
}

static std::string getName(InstructionAttr instruction) {
  return instruction ? instruction.getName().str() : "";
}

static std::string toString(tilec::ExchangeKind kind) {
  switch (kind) {
  case tilec::ExchangeKind::None:
    return "registers";
  case tilec::ExchangeKind::Shuffle:
    return "shuffles";
  case tilec::ExchangeKind::Memory:
    return "shared";
  }
  llvm_unreachable("all kinds are named");
}

static KernelReport::Exchange describeExchange(ConvertLayoutOp convert) {
  KernelReport::Exchange exchange;
  exchange.location = formatLocation(convert.getLoc());
  auto target = getModuleTarget(convert);
  if (failed(target) || !getFragment(convert.getSource().getType()) ||
      !getFragment(convert.getType()))
    return exchange;
  ExchangedData data = getExchangedData(convert, **target);
  exchange.through = toString(data.cost.kind);
  exchange.bytes = data.bytes;
  return exchange;
}

/// Bytes of an access of `elements` (one, where nothing is stated).
static int64_t getBytes(std::optional<uint64_t> elements, Value memref) {
  Type type = cast<MemRefType>(memref.getType()).getElementType();
  return getBytes(type, elements.value_or(1));
}

/// A load or store by `op` of elements of `memref`.
template <typename Op>
static KernelReport::Access getAccess(Op op, Value memref) {
  std::optional<uint64_t> width = op.getVectorWidth();
  std::optional<uint64_t> inner = op.getInnerWidth();
  return {formatLocation(op.getLoc()), getBytes(width, memref),
          getBytes(inner ? inner : width, memref)};
}

static KernelReport::Copy getBoxes(TensorCopyOpInterface copy) {
  auto boxes = getBulkBoxes(copy);
  int64_t bytes = boxes ? boxes->boxBytes : 0;
  int64_t blocks = boxes ? boxes->parts : 1;
  return {formatLocation(copy->getLoc()), getName(copy.getInstructionAttr()),
          bytes, bytes, blocks};
}

template <typename Op>
static KernelReport::Copy getCopy(Op op) {
  if (TensorCopyOpInterface copy = getBulkCopy(op))
    return getBoxes(copy);
  int64_t width = op.getVectorWidth().value_or(1);
  return {
      formatLocation(op.getLoc()), getName(op.getInstructionAttr()),
      getBytes(getSideWidth(op.getSource().getType(), width), op.getSource()),
      getBytes(getSideWidth(op.getDest().getType(), width), op.getDest())};
}

static std::optional<KernelReport::OperandLoad> getLoad(OperandLoadAttr load,
                                                        Type elementType) {
  if (!load)
    return std::nullopt;
  return KernelReport::OperandLoad{getName(load.getInstruction()),
                                   getBytes(elementType, load.getWidth())};
}

/// Whether `op` accesses `memref`, a buffer from or to which a bulk copy at the same
/// place moves the tile: of the two the copy accesses global memory.
static bool isStaged(Operation *op, Value memref) {
  Value buffer = getSharedRoot(memref);
  return buffer && llvm::any_of(buffer.getUsers(), [&](Operation *user) {
           return getBulkCopy(user) && user->getLoc() == op->getLoc();
         });
}

/// Stores and atomics on those memrefs that are `wanted`.
static std::vector<KernelReport::Access>
getStores(Region &body, llvm::function_ref<bool(Value)> isWanted) {
  std::vector<KernelReport::Access> stores;
  body.walk<WalkOrder::PreOrder>([&](StoreOp op) {
    if (isWanted(op.getDest()) && !isStaged(op, op.getDest()))
      stores.push_back(getAccess(op, op.getDest()));
  });
  body.walk<WalkOrder::PreOrder>([&](AtomicRMWOp op) {
    int64_t bytes = getBytes(op.getVectorWidth(), op.getDest());
    if (isWanted(op.getDest()))
      stores.push_back({formatLocation(op.getLoc()), bytes, bytes});
  });
  return stores;
}

/// What moves elements between memories, and between memory and registers.
static void addAccesses(Region &body, KernelReport &report) {
  body.walk<WalkOrder::PreOrder>(
      [&](CopyOp op) { report.copies.push_back(getCopy(op)); });
  body.walk<WalkOrder::PreOrder>(
      [&](Im2ColOp op) { report.copies.push_back(getCopy(op)); });
  body.walk<WalkOrder::PreOrder>([&](LoadOp op) {
    if (!isStaged(op, op.getSource()))
      report.loads.push_back(getAccess(op, op.getSource()));
  });
  report.stores = getStores(body, [](Value) { return true; });
}

void ReportCollector::addLaunch(LaunchOp launch) {
  std::lock_guard<std::mutex> lock(mutex);
  KernelReport &report = getReport(launch.getKernel().value_or("kernel"));
  report.blockThreads = launch.getThreads();
  std::set<std::pair<std::string, std::string>> seen;
  Region &body = launch.getBody();
  body.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      addFragment(result, report, seen);
  });
  addAccesses(body, report);
  body.walk<WalkOrder::PreOrder>([&](MatrixProductOpInterface product) {
    report.gemms.push_back(
        {formatLocation(product.getLoc()),
         getName(product.getInstructionAttr()),
         getLoad(product.getLoadAAttr(), product.getElementTypeA()),
         getLoad(product.getLoadBAttr(), product.getElementTypeB())});
  });
  body.walk<WalkOrder::PreOrder>([&](ConvertLayoutOp convert) {
    report.exchanges.push_back(describeExchange(convert));
  });
  body.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (loop->getParentOfType<ParallelOp>())
      return;
    report.loops.emplace_back();
    report.loops.back().location = formatLocation(loop.getLoc());
  });
}

void ReportCollector::addStoredRows(LaunchOp launch) {
  std::lock_guard<std::mutex> lock(mutex);
  KernelReport &report = getReport(launch.getKernel().value_or("kernel"));
  std::vector<KernelReport::Access> stores = getStores(
      launch.getBody(), [](Value dest) { return !getSharedRoot(dest); });
  auto next = stores.begin();
  for (KernelReport::Access &access : report.stores) {
    auto store = std::find_if(next, stores.end(), [&](const auto &store) {
      return store.location == access.location;
    });
    if (store == stores.end())
      continue; // to shared memory
    access = *store;
    next = std::next(store);
  }
}

void ReportCollector::addRings(LaunchOp launch) {
  std::lock_guard<std::mutex> lock(mutex);
  KernelReport &report = getReport(launch.getKernel().value_or("kernel"));
  launch.walk([&](RingOp ring) {
    for (Value buffer : ring.getBuffers())
      report.ringSlots[{formatType(buffer.getType()),
                        formatLocation(buffer.getLoc())}] =
          ring.getType().getSlots();
  });
}

void ReportCollector::addMulticast(LaunchOp launch) {
  std::lock_guard<std::mutex> lock(mutex);
  KernelReport &report = getReport(launch.getKernel().value_or("kernel"));
  launch.walk([&](TensorCopyOpInterface op) {
    if (!op.getMulticastAttr())
      return;
    KernelReport::Copy shared = getBoxes(op);
    for (KernelReport::Copy &copy : report.copies)
      if (copy.location == shared.location)
        copy = shared;
  });
}

/// A tensor map by one of the copies that go by it; they agree.
static std::optional<KernelReport::TensorMap>
describeTensorMap(BlockArgument argument) {
  for (Operation *user : argument.getUsers()) {
    TensorCopyOpInterface copy = getBulkCopy(user);
    if (!copy)
      continue;
    auto memref = dyn_cast<BlockArgument>(getTensor(copy));
    auto boxes = getBulkBoxes(copy);
    if (!memref || !boxes)
      continue;
    KernelReport::TensorMap map;
    map.parameter = memref.getArgNumber();
    map.elementBytes =
        getBytes(cast<MemRefType>(memref.getType()).getElementType(), 1);
    map.rank = cast<MemRefType>(memref.getType()).getRank();
    map.box.assign(boxes->box.begin(), boxes->box.end());
    map.swizzleBytes = boxes->swizzleBytes;
    map.pixels = getPixelWalk(copy);
    return map;
  }
  return std::nullopt;
}

static KernelReport::Parameter describeParameter(gpu::GPUFuncOp kernel,
                                                 BlockArgument argument,
                                                 IndexFacts &facts) {
  KernelReport::Parameter parameter;
  parameter.type = formatType(argument.getType());
  if (isa<MemRefType>(argument.getType())) {
    parameter.memref = facts.getMemRefFacts(argument);
    parameter.mayAlias = static_cast<bool>(
        kernel.getArgAttr(argument.getArgNumber(),
                          TileDialect::MayAliasAttrHelper::getNameStr()));
  } else if (isa<TensorMapType>(argument.getType())) {
    parameter.tensorMap = describeTensorMap(argument);
  } else if (argument.getType().isIntOrIndex()) {
    parameter.divisor = facts.getDivisor(argument);
    parameter.least = facts.getLowerBound(argument);
    parameter.largest = facts.getUpperBound(argument);
  }
  return parameter;
}

/// The arena and its buffers in the order of their offsets.
static void addMemory(gpu::GPUFuncOp kernel, KernelReport &report) {
  kernel.walk([&](ArenaOp arena) {
    report.sharedBytes = arena.getSize();
    report.arenaLowerBound = arena.getLowerBound().value_or(arena.getSize());
  });
  kernel.walk([&](ViewOp view) {
    MemRefType type = view.getType();
    auto layout =
        view.getLayout().getLayout(getMemoryBits(type.getElementType()));
    KernelReport::Buffer buffer;
    buffer.name = formatType(type);
    buffer.location = formatLocation(view.getLoc());
    buffer.layout = layout ? layout->toString() : "";
    buffer.offset = int64_t(view.getOffset());
    buffer.bytes = layout ? layout->getSizeBytes() : 0;
    auto ring = report.ringSlots.find({buffer.name, buffer.location});
    buffer.slots = ring != report.ringSlots.end() ? ring->second : 1;
    report.buffers.push_back(std::move(buffer));
  });
  llvm::sort(report.buffers, [](const auto &a, const auto &b) {
    return std::tie(a.offset, a.location) < std::tie(b.offset, b.location);
  });
}

void ReportCollector::addKernel(gpu::GPUFuncOp kernel) {
  std::lock_guard<std::mutex> lock(mutex);
  // Launches came in the order in which threads were done; kernels come in
  // theirs, and each goes to the end.
  getReport(kernel.getName());
  auto found = llvm::find_if(reports, [&](const KernelReport &report) {
    return report.name == kernel.getName();
  });
  std::rotate(found, found + 1, reports.end());
  KernelReport &report = reports.back();
  IndexFacts facts;
  for (BlockArgument argument : kernel.getArguments())
    report.parameters.push_back(describeParameter(kernel, argument, facts));
  if (auto size = kernel.getKnownBlockSize())
    report.blockThreads = (*size)[0];
  if (auto cluster = kernel.getKnownClusterSize())
    report.cluster.assign(cluster->begin(), cluster->end());
  report.isDependent =
      TileDialect::ProgrammaticDependentLaunchAttrHelper(kernel.getContext())
          .isAttrPresent(kernel);
  for (auto specialize : kernel.getBody().getOps<SpecializeOp>())
    for (auto [role, body] : llvm::zip_equal(specialize.getRoles().getRoles(),
                                             specialize.getBodies()))
      report.roles.push_back({stringifyRoleKind(role.getKind()).str(),
                              role.getWarps(), role.getRegisters(),
                              TakeTurnOp::isIn(body)});
  addMemory(kernel, report);
  kernel.walk([&](BarrierOp) { ++report.barriers; });
}

void ReportCollector::addRemark(Location loc, StringRef text, StringRef kernel,
                                bool isOfLoop) {
  std::lock_guard<std::mutex> lock(mutex);
  remarks.push_back({formatLocation(loc), text.str(), kernel.str(), isOfLoop});
}

void ReportCollector::addStages(Location loc, int64_t count,
                                KernelReport::Prologue prologue,
                                StringRef kernel) {
  std::lock_guard<std::mutex> lock(mutex);
  stages.push_back({formatLocation(loc), kernel.str(), count, prologue});
}

void ReportCollector::addSchedule(Location loc, KernelReport::Schedule schedule,
                                  StringRef kernel) {
  std::lock_guard<std::mutex> lock(mutex);
  schedules.push_back({formatLocation(loc), kernel.str(), std::move(schedule)});
}

void ReportCollector::addLayout(Location loc, KernelReport::Layout layout,
                                StringRef kernel) {
  std::lock_guard<std::mutex> lock(mutex);
  layout.location = formatLocation(loc);
  std::vector<KernelReport::Layout> &layouts = getReport(kernel).layouts;
  auto isSame = [&](const KernelReport::Layout &other) {
    return std::tie(layout.type, layout.layout, layout.decidedBy,
                    layout.from) ==
           std::tie(other.type, other.layout, other.decidedBy, other.from);
  };
  if (llvm::none_of(layouts, isSame))
    layouts.push_back(std::move(layout));
}

void ReportCollector::addLoopFacts(KernelReport &report) const {
  for (KernelReport::Loop &loop : report.loops) {
    auto isOfLoop = [&](const auto &fact) {
      return fact.kernel == report.name && fact.location == loop.location;
    };
    for (const Stages &fact : llvm::make_filter_range(stages, isOfLoop)) {
      loop.stages = fact.stages;
      loop.prologue = fact.prologue;
    }
    for (const LoopSchedule &fact :
         llvm::make_filter_range(schedules, isOfLoop))
      loop.schedule = fact.schedule;
  }
}

/// What a launch could change where its kernel spills.
static std::string explainSpills(const KernelReport &report,
                                 const tilec::GpuTarget &target) {
  constexpr int64_t step = 8; // ptxas gives registers in such steps
  int64_t taken = report.resources->registers;
  int64_t all = target.registersPerMultiprocessor / report.blockThreads;
  int64_t limit = std::min(target.maxRegistersPerThread, all / step * step);
  if (!report.roles.empty())
    return llvm::formatv("Spills: roles divide {0} registers of a thread; "
                         "smaller tiles or more consumers take fewer",
                         all)
        .str();
  if (taken + step > limit)
    return llvm::formatv(
               "Spills: ptxas takes {0} registers a thread of the {1} "
               "that one of {2} can have; smaller tiles or more "
               "threads take fewer",
               taken, limit, report.blockThreads)
        .str();
  int64_t blocks = all / (taken + step);
  return llvm::formatv("Spills: ptxas takes {0} registers a thread of the {1} "
                       "that one of {2} can have; 'min_blocks_per_sm = {3}' "
                       "leaves it {4}",
                       taken, limit, report.blockThreads, blocks,
                       std::min(limit, all / blocks / step * step))
      .str();
}

void ReportCollector::finish(const tilec::GpuTarget &target,
                             const PtxasResult *assembled) {
  for (KernelReport &report : reports) {
    if (assembled) {
      auto it = assembled->kernels.find(report.name);
      if (it != assembled->kernels.end())
        report.resources = it->second;
    }
    report.occupancy = tilec::computeOccupancy(
        target, {report.blockThreads,
                 report.resources ? report.resources->registers : 0,
                 report.sharedBytes});
    addLoopFacts(report);
    // A loop's remarks are its reason; the rest belongs to the kernel as a whole.
    for (const auto &[location, text, kernel, isOfLoop] : remarks) {
      if (!kernel.empty() && kernel != report.name)
        continue;
      auto loop = llvm::find_if(report.loops, [&](const auto &loop) {
        return loop.location == location;
      });
      if (loop != report.loops.end() && isOfLoop)
        loop->reason += (loop->reason.empty() ? "" : "; ") + text;
      if (!kernel.empty() || reports.size() == 1 || loop != report.loops.end())
        report.remarks.push_back(location + ": " + text);
    }
    if (report.resources &&
        report.resources->spillStoreBytes + report.resources->spillLoadBytes >
            0)
      report.remarks.push_back(explainSpills(report, target));
    if (assembled)
      for (const std::string &note : assembled->notes)
        report.remarks.push_back("ptxas: " + note);
  }
}
