//===- ReportPrinter.cpp - Reports as JSON and as tables ------------------===//

#include "tile/Report/Report.h"

#include "llvm/Support/Format.h"
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
    });
  });
}

static void printDivisors(llvm::json::OStream &json, StringRef key,
                          ArrayRef<int64_t> divisors) {
  json.attributeArray(key, [&] {
    for (int64_t divisor : divisors)
      json.value(divisor);
  });
}

static void printParameter(llvm::json::OStream &json,
                           const KernelReport::Parameter &parameter) {
  json.attribute("type", parameter.type);
  if (parameter.memref) {
    json.attribute("base_alignment", parameter.memref->baseAlignmentBytes);
    json.attribute("alignment", parameter.memref->alignmentBytes);
    printDivisors(json, "size_divisors", parameter.memref->sizeDivisors);
    printDivisors(json, "stride_divisors", parameter.memref->strideDivisors);
    json.attribute("contiguous", parameter.memref->isInnermostContiguous);
    json.attribute("may_alias", parameter.mayAlias);
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

static void printKernel(llvm::json::OStream &json, const KernelReport &report) {
  json.attribute("name", report.name);
  json.attribute("block_threads", report.blockThreads);
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
  });
  printArray(json, "fragments", report.fragments, [&](const auto &fragment) {
    json.attribute("location", fragment.location);
    json.attribute("type", fragment.type);
    json.attribute("layout", fragment.layout);
    json.attribute("elements_per_thread", fragment.elementsPerThread);
    json.attribute("replication", fragment.replication);
  });
  printArray(json, "copies", report.copies, [&](const auto &copy) {
    json.attribute("location", copy.location);
    json.attribute("instruction", copy.instruction);
    json.attribute("bytes_per_access", copy.bytesPerAccess);
  });
  printArray(json, "gemms", report.gemms, [&](const auto &gemm) {
    json.attribute("location", gemm.location);
    json.attribute("instruction", gemm.instruction);
  });
  printArray(json, "conversions", report.conversions,
             [&](const auto &conversion) {
               json.attribute("location", conversion.location);
               json.attribute("through", conversion.through);
               json.attribute("bytes", conversion.bytes);
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

static void printTables(const KernelReport &report, llvm::raw_ostream &os) {
  printHeading("shared memory", report.buffers.size(), os);
  for (const auto &buffer : report.buffers)
    os << llvm::format("    %7lld .. %7lld  ", (long long)buffer.offset,
                       (long long)(buffer.offset + buffer.bytes))
       << buffer.name << "  " << buffer.location << "\n";
  printHeading("gemms", report.gemms.size(), os);
  for (const auto &gemm : report.gemms)
    os << "    " << gemm.instruction << "  " << gemm.location << "\n";
  printHeading("copies", report.copies.size(), os);
  for (const auto &copy : report.copies)
    os << "    " << copy.instruction << ", " << copy.bytesPerAccess
       << " bytes an access  " << copy.location << "\n";
  printHeading("loops", report.loops.size(), os);
  for (const auto &loop : report.loops)
    os << "    " << loop.stages << (loop.stages == 1 ? " stage" : " stages")
       << (loop.reason.empty() ? "" : ": " + loop.reason) << "  "
       << loop.location << "\n";
  printHeading("fragments", report.fragments.size(), os);
  for (const auto &fragment : report.fragments)
    os << "    " << fragment.type << ": " << fragment.elementsPerThread
       << " a thread, held " << fragment.replication
       << (fragment.replication == 1 ? " time" : " times") << "\n      "
       << fragment.layout << "\n";
  printHeading("conversions", report.conversions.size(), os);
  for (const auto &conversion : report.conversions)
    os << "    " << conversion.bytes << " bytes through " << conversion.through
       << "  " << conversion.location << "\n";
  printHeading("remarks", report.remarks.size(), os);
  for (const std::string &remark : report.remarks)
    os << "    " << remark << "\n";
}

void tile::printReportText(ArrayRef<KernelReport> reports,
                           llvm::raw_ostream &os) {
  for (const KernelReport &report : reports) {
    os << "kernel " << report.name << "\n";
    os << "  threads    " << report.blockThreads << "\n";
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
