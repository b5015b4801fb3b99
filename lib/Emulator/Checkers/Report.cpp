//===- Report.cpp - Collecting what went wrong ----------------------------===//
//
// Builds the text of reports: both accesses with PTX line and source location,
// block and thread, and which ordering is missing.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "PendingAccess.h"
#include "StoredValues.h"

#include <algorithm>
#include <cstdio>

namespace tilec::emu {

const char *toString(ReportKind kind) {
  switch (kind) {
  case ReportKind::Race:
    return "race";
  case ReportKind::OutOfBounds:
    return "out of bounds";
  case ReportKind::Misaligned:
    return "misaligned access";
  case ReportKind::Uninitialized:
    return "uninitialised read";
  case ReportKind::Barrier:
    return "barrier misuse";
  case ReportKind::Deadlock:
    return "deadlock";
  case ReportKind::Trap:
    return "trap";
  case ReportKind::Invalid:
    return "invalid use";
  }
  return "?";
}

static std::string formatDim(const Dim3 &d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," +
         std::to_string(d.z) + ")";
}

std::string Report::format(std::string_view moduleName) const {
  std::string text =
      isNote ? "note: " + message
             : std::string("error: ") + toString(kind) + ": " + message;
  auto addAccess = [&](const ReportedAccess &access) {
    if (access.ptxLine == 0)
      return;
    text += "\n  " + access.what + "\n    at " + std::string(moduleName) + ":" +
            std::to_string(access.ptxLine);
    if (!access.source.empty())
      text += " (" + access.source + ")";
    text += ", block " + formatDim(access.block) + ", thread " +
            formatDim(access.thread) + ", warp " + std::to_string(access.warp);
  };
  addAccess(first);
  if (second)
    addAccess(*second);
  if (!missing.empty())
    text += "\n  " + missing;
  if (count > 1)
    text += "\n  (" + std::to_string(count) + " times)";
  return text;
}

void ReportSink::add(uint64_t firstKey, uint64_t secondKey, Report report) {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Report> &list = report.isNote ? notes : reports;
  std::map<Key, size_t> &keys = report.isNote ? knownNotes : known;
  Key key(static_cast<int>(report.kind), firstKey, secondKey);
  auto found = keys.find(key);
  if (found != keys.end()) {
    ++list[found->second].count;
    return;
  }
  if (list.size() >= maxReports) {
    dropped += !report.isNote;
    return;
  }
  keys[key] = list.size();
  list.push_back(std::move(report));
}

bool ReportSink::countKnown(ReportKind kind, uint64_t firstKey,
                            uint64_t secondKey) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = known.find({static_cast<int>(kind), firstKey, secondKey});
  if (found == known.end())
    return false;
  ++reports[found->second].count;
  return true;
}

void ReportSink::finish(LaunchResult &result) {
  std::lock_guard<std::mutex> lock(mutex);
  result.reports = std::move(reports);
  result.notes = std::move(notes);
  result.reportsDropped = dropped;
}

std::string describeLocation(const ModuleImpl &module, uint32_t location) {
  std::string text;
  for (int depth = 0; location && depth < 8; ++depth) {
    const LocationSyntax &loc = module.syntax.locations[location];
    auto file = module.syntax.files.find(loc.file);
    if (!text.empty())
      text += ", inlined at ";
    text += file == module.syntax.files.end()
                ? "file " + std::to_string(loc.file)
                : file->second;
    text += ":" + std::to_string(loc.line) + ":" + std::to_string(loc.column);
    location = loc.inlinedAt;
  }
  return text;
}

Dim3 threadOf(const Launch &launch, uint32_t thread) {
  return delinearize(thread, launch.config->block);
}

ReportedAccess describeAccess(Warp &warp, const Instruction &instruction,
                              uint32_t lane, std::string what) {
  ReportedAccess access;
  access.what = std::move(what);
  access.ptxLine = instruction.line;
  access.source = describeLocation(*warp.launch->module, instruction.location);
  access.block = warp.block->id;
  access.thread =
      threadOf(*warp.launch, warp.threadIndex(lane < 32 ? lane : 0));
  access.warp = warp.indexInBlock;
  return access;
}

std::string hex(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx",
                static_cast<unsigned long long>(value));
  return text;
}

std::string spellInstruction(const Instruction &instruction) {
  if (!instruction.syntax)
    return "the end of the function";
  return "'" + std::string(instruction.syntax->opcode) + "'";
}

void reportAt(Warp &warp, const Instruction &instruction, uint32_t lane,
              ReportKind kind, std::string message, std::string missing,
              bool isNote, std::optional<uint64_t> address) {
  if (warp.onVariant)
    return;
  uint64_t key =
      static_cast<uint64_t>(&instruction - warp.launch->program->code.data());
  Report report;
  report.isNote = isNote;
  report.kind = kind;
  report.message = std::move(message);
  report.first = describeAccess(warp, instruction, lane,
                                "by " + spellInstruction(instruction));
  report.missing = std::move(missing);
  report.address = address;
  warp.launch->sink->add(key, 0, std::move(report));
}

void reportPair(Warp &warp, Warp &earlierWarp, const InstructionPair &pair,
                std::string message, std::string later, std::string earlier,
                std::string missing) {
  if (warp.onVariant)
    return;
  const Instruction *code = warp.launch->program->code.data();
  auto firstKey = static_cast<uint64_t>(pair.later - code) << 2 | 2;
  auto secondKey = static_cast<uint64_t>(pair.earlier - code) << 2 | 2;
  if (warp.launch->sink->countKnown(pair.kind, firstKey, secondKey))
    return;
  Report report;
  report.kind = pair.kind;
  report.message = std::move(message);
  report.first =
      describeAccess(warp, *pair.later, pair.laterLane, std::move(later));
  report.second = describeAccess(earlierWarp, *pair.earlier, pair.earlierLane,
                                 std::move(earlier));
  report.missing = std::move(missing);
  report.address = pair.address;
  warp.launch->sink->add(firstKey, secondKey, std::move(report));
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

/// Whether one of the two is not coherent, which is what is wrong then.
static bool isNonCoherent(const Conflict &c) {
  return (c.earlier.flags | c.later.flags) & shadowNonCoherent;
}

/// The access as a phrase: "write of 16 bytes by 'cp.async..'".
static std::string describeShadow(Launch &launch, const ShadowAccess &access,
                                  bool isWrite) {
  const Instruction &i = launch.program->code[access.instruction];
  std::string text = isWrite ? "write " : "read ";
  if (i.bytes)
    text += "of " + std::to_string(i.bytes * i.vector) + " bytes ";
  text += "by " + spellInstruction(i);
  if (access.flags & shadowAsync)
    text += ", asynchronous";
  if (access.lane == collectiveLanes)
    text += ", all lanes of the warp";
  else if (access.lane == severalLanes)
    text += ", several lanes of the warp";
  return text;
}

/// " in 'tile' + 12", if a variable of the kernel or the module lies there.
static std::string describeSharedVariable(const Launch &launch,
                                          uint64_t address) {
  const ModuleImpl &module = *launch.module;
  auto named = [&](const VariableSyntax &v, uint64_t begin) -> std::string {
    uint64_t end = v.isDynamic ? launch.sharedBytes : begin + v.sizeBytes;
    if (v.space != StateSpace::Shared || address < begin || address >= end)
      return "";
    return " in '" + std::string(v.name) + "' + " +
           std::to_string(address - begin);
  };
  for (size_t i = 0; i < module.syntax.variables.size(); ++i)
    if (std::string text =
            named(module.syntax.variables[i], module.variableAddresses[i]);
        !text.empty())
      return text;
  for (size_t f = 0; f < module.syntax.functions.size(); ++f) {
    const FunctionSyntax &function = module.syntax.functions[f];
    if (function.isEntry && function.name != launch.kernelInfo->name)
      continue;
    uint64_t at = module.functionSharedBase[f];
    for (const VariableSyntax &v : function.variables) {
      if (v.space != StateSpace::Shared)
        continue;
      uint64_t align = std::max(v.alignBytes, 1u);
      uint64_t begin = v.isDynamic ? module.dynamicSharedBase
                                   : (at + align - 1) / align * align;
      if (std::string text = named(v, begin); !text.empty())
        return text;
      if (!v.isDynamic)
        at = begin + v.sizeBytes;
    }
  }
  return "";
}

/// What orders an access behind the asynchronous one of a row; empty if that
/// was waited for.
static std::string missingWait(const AsyncRow &row,
                               const ShadowAccess &access) {
  if (row.isProduct)
    return "the asynchronous operation was not waited for: no "
           "wgmma.wait_group that retires its group is ordered before this "
           "access";
  if (row.mbarrier)
    return "the copy completes on an mbarrier whose phase " +
           std::to_string(row.phase) +
           " this thread did not wait for (mbarrier.try_wait)";
  bool isInFlight =
      (!row.clock && !row.readClock) || hasLaneInFlight(row, access);
  return isInFlight
             ? "the asynchronous operation was not waited for (wait_group, "
               "wait_all) before this access"
             : "";
}

/// Whether an access is the initialisation of an mbarrier.
static bool isInitialization(const Warp &warp, const ShadowAccess &access) {
  const Instruction &i = warp.launch->program->code[access.instruction];
  return spellInstruction(i).starts_with("'mbarrier.init");
}

static std::string missingOrder(Warp &warp, const Conflict &c) {
  const ShadowAccess &a = c.earlier, &b = c.later;
  if (isNonCoherent(c))
    return "what ld.global.nc and ldu read must not be written in the launch, "
           "before or after: the memory consistency model does not apply to "
           "them (PTX ISA, 'Scope and applicability of the model'); load with "
           "ld.global";
  if ((a.flags & b.flags & shadowStrong) && differInSize(a, b, warp))
    return "accesses of different sizes overlap only in part and are not "
           "morally strong (PTX ISA, 'Morally strong operations'): give them "
           "one size, or an order";
  bool crossesProxies = (b.flags & shadowProxyAsync) &&
                        !(a.flags & shadowProxyAsync) && c.earlierIsWrite;
  if (a.cluster == b.cluster && (a.flags & shadowAsync)) {
    const AsyncRow &row = rowOf(*warp.cluster, a);
    std::string wait = missingWait(row, a);
    if (!wait.empty())
      return wait + (crossesProxies && row.mbarrier
                         ? ", or no fence.proxy.async follows the wait"
                         : "");
  }
  if (crossesProxies && isInitialization(warp, a))
    return "no fence.mbarrier_init by the thread that initialised the mbarrier "
           "shows it to bulk copies; let it execute one, or a "
           "fence.proxy.async, "
           "before the barrier, or allow this "
           "(LaunchOptions::allowUnfencedMbarriers, ptx-run "
           "--mbarrier-init=allowed)";
  if (crossesProxies)
    return "no fence.proxy.async orders the write before this access through "
           "the asynchronous proxy";
  if (a.cluster != b.cluster)
    return "blocks are not ordered: use atomics, or release and acquire at "
           "gpu scope";
  if (a.warp == b.warp)
    return "lanes of one warp are not ordered: a bar.warp.sync (__syncwarp) "
           "between the two is missing";
  return "no barrier, mbarrier or release/acquire orders warp " +
         std::to_string(a.warp) + " before warp " + std::to_string(b.warp);
}

/// "a write and a read that are not ordered"
static std::string describeConflict(const Conflict &c, bool areEqual) {
  if (isNonCoherent(c))
    return c.earlierIsWrite
               ? "a write and a non-coherent read of the same bytes"
               : "a non-coherent read and a write of the same bytes";
  return std::string(c.earlierIsWrite ? "a write" : "a read") + " and a " +
         (c.laterIsWrite ? "write" : "read") +
         (areEqual ? " of equal values" : "") + " that are not ordered";
}

void reportConflict(Warp &warp, const Conflict &c, int rank) {
  Launch &launch = *warp.launch;
  if (launch.options.allowEqualStores && storesWhatIsThere(warp, c, rank))
    return;
  uint64_t firstKey = uint64_t(c.earlier.instruction) << 1 | c.earlierIsWrite;
  uint64_t secondKey = uint64_t(c.later.instruction) << 1 | c.laterIsWrite;
  if (launch.sink->countKnown(ReportKind::Race, firstKey, secondKey))
    return;
  Report report;
  report.kind = ReportKind::Race;
  report.address = c.address;
  char address[64];
  if (rank >= 0)
    std::snprintf(address, sizeof address, "shared byte %llu of block rank %d",
                  static_cast<unsigned long long>(c.address), rank);
  std::string where = rank >= 0
                          ? address + describeSharedVariable(launch, c.address)
                          : launch.memory->describe(c.address);
  bool areEqual = storesWhatIsThere(warp, c, rank);
  report.message = describeConflict(c, areEqual) + ": " + where;
  const Instruction &later = launch.program->code[c.later.instruction];
  report.first = describeAccess(
      warp, later, c.later.lane,
      "later:   " + describeShadow(launch, c.later, c.laterIsWrite));
  const Instruction &earlier = launch.program->code[c.earlier.instruction];
  std::string what =
      "earlier: " + describeShadow(launch, c.earlier, c.earlierIsWrite);
  if (c.earlier.cluster == warp.cluster->linear) {
    Warp &other = *warp.cluster->warps[c.earlier.warp];
    report.second = describeAccess(other, earlier, c.earlier.lane, what);
  } else {
    ReportedAccess access;
    bool areClusters = launch.clusterDim.count() > 1;
    access.what =
        what + (areClusters ? " of another cluster" : " of another block");
    access.ptxLine = earlier.line;
    access.source = describeLocation(*launch.module, earlier.location);
    uint32_t perBlock = launch.warpsPerBlock;
    uint32_t lane = c.earlier.lane < 32 ? c.earlier.lane : 0;
    access.warp = c.earlier.warp % perBlock;
    access.thread = threadOf(launch, access.warp * 32 + lane);
    const Dim3 &grid = launch.clusterGrid;
    uint32_t n = c.earlier.cluster;
    access.block = {n % grid.x * launch.clusterDim.x,
                    n / grid.x % grid.y * launch.clusterDim.y,
                    n / (grid.x * grid.y) * launch.clusterDim.z};
    report.second = access;
  }
  report.missing = missingOrder(warp, c);
  if (areEqual)
    report.missing +=
        "; let one of them store, or allow stores of equal values "
        "(LaunchOptions::allowEqualStores, ptx-run "
        "--equal-stores=allowed)";
  launch.sink->add(firstKey, secondKey, std::move(report));
}

} // namespace tilec::emu
