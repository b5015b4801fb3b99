//===- ReportPrinter.cpp - Reports as JSON and as tables ------------------===//

#include "tile/Report/Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// An array of objects, one for each element of `items`.
template <typename T, typename Fn>
static void printArray(llvm::json::OStream &json, StringRef key,
                       const std::vector<T> &items, Fn printItem) {
  json.attributeArray(key, [&] {
    for (const T &item : items)
      json.object([&] { printItem(item); });
  });
}

/// Lifetimes in program points, and the lines of the source of the loops.
static void printLifetimes(llvm::json::OStream &json,
                           const tilec::arena::Picture &arena) {
  auto printSpan = [&](const tilec::arena::Lifetime &span) {
    json.array([&] {
      json.value(span.begin);
      json.value(span.end);
    });
  };
  json.attributeArray("lifetimes", [&] {
    for (auto [buffer, offset] :
         llvm::zip(arena.problem.buffers, arena.solution.offsets))
      json.object([&] {
        json.attribute("name", buffer.name);
        json.attribute("offset", offset);
        json.attribute("bytes", buffer.sizeBytes);
        json.attribute("alignment", buffer.alignmentBytes);
        json.attributeArray("points", [&] {
          for (const tilec::arena::Lifetime &span : buffer.lifetimes)
            printSpan(span);
        });
      });
  });
  json.attributeArray("loops", [&] {
    for (const tilec::arena::LoopMark &loop : arena.loops)
      json.object([&] {
        json.attribute("line", loop.line);
        json.attributeBegin("points");
        printSpan(loop.span);
        json.attributeEnd();
      });
  });
}

static void printArena(llvm::json::OStream &json, const KernelReport &report) {
  json.attributeObject("arena", [&] {
    json.attribute("size", report.sharedBytes);
    json.attribute("lower_bound", report.arenaLowerBound);
    printArray(json, "buffers", report.buffers, [&](const auto &buffer) {
      json.attribute("name", buffer.name);
      json.attribute("location", buffer.location);
      json.attribute("offset", buffer.offset);
      json.attribute("bytes", buffer.bytes);
      json.attribute("slots", buffer.slots);
      json.attribute("layout", buffer.layout);
    });
    printLifetimes(json, report.arena);
  });
}

static void printNumbers(llvm::json::OStream &json, StringRef key,
                         ArrayRef<int64_t> numbers) {
  json.attributeArray(key, [&] {
    for (int64_t number : numbers)
      json.value(number);
  });
}

static void printParameter(llvm::json::OStream &json,
                           const KernelReport::Parameter &parameter) {
  json.attribute("type", parameter.type);
  if (parameter.memref) {
    json.attribute("base_alignment", parameter.memref->baseAlignmentBytes);
    json.attribute("alignment", parameter.memref->alignmentBytes);
    printNumbers(json, "size_divisors", parameter.memref->sizeDivisors);
    printNumbers(json, "stride_divisors", parameter.memref->strideDivisors);
    json.attribute("contiguous", parameter.memref->isInnermostContiguous);
    json.attribute("may_alias", parameter.mayAlias);
    return;
  }
  if (parameter.tensorMap) {
    const KernelReport::TensorMap &map = *parameter.tensorMap;
    json.attribute("parameter", map.parameter);
    json.attribute("element_bytes", map.elementBytes);
    json.attribute("rank", map.rank);
    printNumbers(json, "box", map.box);
    json.attribute("swizzle", map.swizzleBytes);
    if (map.pixels) {
      printNumbers(json, "lower", map.pixels->lower);
      printNumbers(json, "upper", map.pixels->upper);
      printNumbers(json, "strides", map.pixels->strides);
    }
    return;
  }
  json.attribute("divisor", parameter.divisor);
  auto printBound = [&](StringRef key, std::optional<int64_t> bound) {
    if (bound)
      json.attribute(key, *bound);
    else
      json.attribute(key, nullptr);
  };
  printBound("min", parameter.least);
  printBound("max", parameter.largest);
}

/// What each access moves; the inner one is that of tiles that lie inside of
/// the memref as a whole.
static void printAccesses(llvm::json::OStream &json, StringRef key,
                          const std::vector<KernelReport::Access> &accesses) {
  printArray(json, key, accesses, [&](const auto &access) {
    json.attribute("location", access.location);
    json.attribute("bytes_per_access", access.bytesPerAccess);
    json.attribute("inner_bytes_per_access", access.innerBytesPerAccess);
  });
}

static void printLoad(llvm::json::OStream &json, StringRef key,
                      const std::optional<KernelReport::OperandLoad> &load) {
  if (!load)
    return json.attribute(key, nullptr);
  json.attributeObject(key, [&] {
    json.attribute("instruction", load->instruction);
    json.attribute("bytes_per_access", load->bytesPerAccess);
  });
}

/// Copies, loads, stores and products: how each moves its elements.
static void printMoves(llvm::json::OStream &json, const KernelReport &report) {
  printArray(json, "copies", report.copies, [&](const auto &copy) {
    json.attribute("location", copy.location);
    json.attribute("instruction", copy.instruction);
    json.attribute("bytes_per_access", copy.bytesPerAccess);
    json.attribute("dest_bytes_per_access", copy.destBytesPerAccess);
    if (copy.blocks > 1)
      json.attribute("multicast_blocks", copy.blocks);
  });
  printAccesses(json, "loads", report.loads);
  printAccesses(json, "stores", report.stores);
  printArray(json, "gemms", report.gemms, [&](const auto &gemm) {
    json.attribute("location", gemm.location);
    json.attribute("instruction", gemm.instruction);
    printLoad(json, "load_a", gemm.loadA);
    printLoad(json, "load_b", gemm.loadB);
  });
}

/// Of what runs ahead the first steps are peeled; at the end it is predicated.
static void
printPrologue(llvm::json::OStream &json,
              const std::optional<KernelReport::Prologue> &prologue) {
  if (!prologue)
    return json.attribute("prologue", nullptr);
  json.attributeObject("prologue", [&] {
    json.attribute("steps", prologue->steps);
    json.attribute("operations", prologue->operations);
  });
}

static void
printSchedule(llvm::json::OStream &json,
              const std::optional<KernelReport::Schedule> &schedule) {
  if (!schedule)
    return json.attribute("schedule", nullptr);
  json.attributeObject("schedule", [&] {
    json.attribute("solver", schedule->solver);
    json.attributeObject("predicted_cycles", [&] {
      json.attribute("ahead", schedule->aheadCycles);
      json.attribute("modulo", schedule->moduloCycles);
    });
    json.attribute("reason", schedule->reason);
  });
}

static void printLayouts(llvm::json::OStream &json,
                         const KernelReport &report) {
  printArray(json, "layouts", report.layouts, [&](const auto &layout) {
    json.attribute("location", layout.location);
    json.attribute("type", layout.type);
    json.attribute("layout", layout.layout);
    json.attribute("decided_by", layout.decidedBy);
    if (layout.from.empty())
      json.attribute("from", nullptr);
    else
      json.attribute("from", layout.from);
    json.attribute("cost", layout.cost);
    if (layout.runnerUp.empty())
      return json.attribute("runner_up", nullptr);
    json.attributeObject("runner_up", [&] {
      json.attribute("layout", layout.runnerUp);
      json.attribute("cost", layout.runnerUpCost);
    });
  });
}

static void printKernel(llvm::json::OStream &json, const KernelReport &report) {
  json.attribute("name", report.name);
  json.attribute("block_threads", report.blockThreads);
  json.attributeArray("cluster", [&] {
    for (int64_t extent : report.cluster)
      json.value(extent);
  });
  json.attribute("programmatic_dependent_launch", report.isDependent);
  printArray(json, "roles", report.roles, [&](const auto &role) {
    json.attribute("kind", role.kind);
    json.attribute("warps", role.warps);
    json.attribute("registers", role.registers);
    json.attribute("alternating", role.alternates);
  });
  json.attribute("shared_bytes", report.sharedBytes);
  if (report.resources) {
    json.attribute("registers", report.resources->registers);
    json.attribute("spill_bytes", report.resources->spillStoreBytes +
                                      report.resources->spillLoadBytes);
  } else {
    json.attribute("registers", nullptr);
    json.attribute("spill_bytes", nullptr);
  }
  printArray(json, "parameters", report.parameters,
             [&](const auto &parameter) { printParameter(json, parameter); });
  json.attribute("occupancy", report.occupancy.blocksPerMultiprocessor);
  printArena(json, report);
  printArray(json, "loops", report.loops, [&](const auto &loop) {
    json.attribute("location", loop.location);
    json.attribute("stages", loop.stages);
    json.attribute("reason", loop.reason);
    printPrologue(json, loop.prologue);
    printSchedule(json, loop.schedule);
  });
  printArray(json, "fragments", report.fragments, [&](const auto &fragment) {
    json.attribute("location", fragment.location);
    json.attribute("type", fragment.type);
    json.attribute("layout", fragment.layout);
    json.attribute("elements_per_thread", fragment.elementsPerThread);
    json.attribute("replication", fragment.replication);
  });
  printLayouts(json, report);
  printMoves(json, report);
  printArray(json, "conversions", report.exchanges, [&](const auto &exchange) {
    json.attribute("location", exchange.location);
    json.attribute("through", exchange.through);
    json.attribute("bytes", exchange.bytes);
  });
  json.attribute("barriers", report.barriers);
  json.attributeArray("remarks", [&] {
    for (const std::string &remark : report.remarks)
      json.value(remark);
  });
}

void tile::printReportJson(ArrayRef<KernelReport> reports,
                           llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeArray("kernels", [&] {
      for (const KernelReport &report : reports)
        json.object([&] { printKernel(json, report); });
    });
  });
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printHeading(StringRef title, size_t count, llvm::raw_ostream &os) {
  if (count > 0)
    os << "  " << title << "\n";
}

/// `2 bytes an access, 16 inside`: the second where it is another one.
static void printAccesses(StringRef title,
                          const std::vector<KernelReport::Access> &accesses,
                          llvm::raw_ostream &os) {
  printHeading(title, accesses.size(), os);
  for (const auto &access : accesses) {
    os << "    " << access.bytesPerAccess << " bytes an access";
    if (access.innerBytesPerAccess != access.bytesPerAccess)
      os << ", " << access.innerBytesPerAccess << " inside";
    os << "  " << access.location << "\n";
  }
}

static void printMoves(const KernelReport &report, llvm::raw_ostream &os) {
  auto printLoad = [&](StringRef name, const auto &load) {
    if (load)
      os << "      " << name << " by " << load->instruction << ", "
         << load->bytesPerAccess << " bytes an access\n";
  };
  printHeading("gemms", report.gemms.size(), os);
  for (const auto &gemm : report.gemms) {
    os << "    " << gemm.instruction << "  " << gemm.location << "\n";
    printLoad("a", gemm.loadA);
    printLoad("b", gemm.loadB);
  }
  printHeading("copies", report.copies.size(), os);
  for (const auto &copy : report.copies) {
    os << "    " << copy.instruction << ", " << copy.bytesPerAccess
       << " bytes an access";
    if (copy.destBytesPerAccess != copy.bytesPerAccess)
      os << ", " << copy.destBytesPerAccess << " of the destination";
    if (copy.blocks > 1)
      os << ", multicast by each of " << copy.blocks << " blocks";
    os << "  " << copy.location << "\n";
  }
  printAccesses("loads", report.loads, os);
  printAccesses("stores", report.stores, os);
}

static void printLayouts(const KernelReport &report, llvm::raw_ostream &os) {
  printHeading("layouts", report.layouts.size(), os);
  for (const auto &layout : report.layouts) {
    os << "    " << layout.type << ": " << layout.decidedBy;
    if (!layout.from.empty())
      os << " from " << layout.from;
    os << "  " << layout.location << "\n      " << layout.layout << "\n";
    if (!layout.runnerUp.empty())
      os << "      costs " << layout.cost << ", the next best "
         << layout.runnerUpCost << ": " << layout.runnerUp << "\n";
  }
}

static void printTables(const KernelReport &report, llvm::raw_ostream &os) {
  printHeading("shared memory", report.buffers.size(), os);
  for (const auto &buffer : report.buffers)
    os << llvm::format("    %7lld .. %7lld  ", (long long)buffer.offset,
                       (long long)(buffer.offset + buffer.bytes))
       << buffer.name << "  " << buffer.location << "\n      " << buffer.layout
       << "\n";
  std::string picture = tilec::arena::drawText(report.arena, "    ");
  printHeading("lifetimes", picture.size(), os);
  os << picture;
  printMoves(report, os);
  printHeading("loops", report.loops.size(), os);
  for (const auto &loop : report.loops) {
    os << "    " << loop.stages << (loop.stages == 1 ? " stage" : " stages")
       << (loop.reason.empty() ? "" : ": " + loop.reason) << "  "
       << loop.location << "\n";
    if (loop.prologue)
      os << "      prologue: " << loop.prologue->steps
         << (loop.prologue->steps == 1 ? " step" : " steps") << " peeled, "
         << loop.prologue->operations
         << (loop.prologue->operations == 1 ? " operation" : " operations")
         << "; epilogue: predicated, none peeled\n";
    if (loop.schedule)
      os << "      schedule: " << loop.schedule->solver
         << ", predicted cycles an iteration: ahead "
         << loop.schedule->aheadCycles << ", modulo "
         << loop.schedule->moduloCycles << "; " << loop.schedule->reason
         << "\n";
  }
  printHeading("fragments", report.fragments.size(), os);
  for (const auto &fragment : report.fragments)
    os << "    " << fragment.type << ": " << fragment.elementsPerThread
       << " a thread, held " << fragment.replication
       << (fragment.replication == 1 ? " time" : " times") << "\n      "
       << fragment.layout << "\n";
  printLayouts(report, os);
  printHeading("conversions", report.exchanges.size(), os);
  for (const auto &exchange : report.exchanges)
    os << "    " << exchange.bytes << " bytes through " << exchange.through
       << "  " << exchange.location << "\n";
  printHeading("remarks", report.remarks.size(), os);
  for (const std::string &remark : report.remarks)
    os << "    " << remark << "\n";
}

void tile::printReportText(ArrayRef<KernelReport> reports,
                           llvm::raw_ostream &os) {
  for (const KernelReport &report : reports) {
    os << "kernel " << report.name << "\n";
    os << "  threads    " << report.blockThreads;
    for (const KernelReport::Role &role : report.roles) {
      os << ", " << role.kind << " " << role.warps
         << (role.warps == 1 ? " warp" : " warps");
      if (role.registers)
        os << " with " << role.registers << " registers";
      if (role.alternates)
        os << " in turns";
    }
    if (!report.cluster.empty())
      os << ", in clusters of " << llvm::interleaved(report.cluster, " x ")
         << " blocks";
    if (report.isDependent)
      os << ", programmatic dependent launch";
    os << "\n";
    if (report.resources)
      os << "  registers  " << report.resources->registers << " a thread, "
         << report.resources->spillStoreBytes + report.resources->spillLoadBytes
         << " bytes of spills\n";
    else
      os << "  registers  unknown: no ptxas found\n";
    os << "  shared     " << report.sharedBytes << " bytes (lower bound "
       << report.arenaLowerBound << ")\n";
    os << "  occupancy  " << report.occupancy.summary << "\n";
    os << "  barriers   " << report.barriers << "\n";
    printTables(report, os);
    os << "\n";
  }
}
