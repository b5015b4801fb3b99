//===- Decisions.cpp - What was decided, by its place ---------------------===//

#include "tile/Report/Decisions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

#include <algorithm>
#include <tuple>

using namespace mlir;
using namespace mlir::tile;

std::optional<SourcePlace> tile::parsePlace(StringRef text) {
  auto [rest, column] = text.rsplit(':');
  auto [file, line] = rest.rsplit(':');
  SourcePlace place{file.str(), 0, 0};
  if (file.empty() || line.getAsInteger(10, place.line) ||
      column.getAsInteger(10, place.column) || place.line <= 0)
    return std::nullopt;
  return place;
}

std::optional<SourcePlace> tile::takePlace(StringRef &remark) {
  // The first place of the text, whatever places it speaks of later.
  SmallVector<StringRef> parts;
  if (!llvm::Regex(":[0-9]+:[0-9]+: ").match(remark, &parts))
    return std::nullopt;
  size_t end = parts[0].end() - remark.begin();
  StringRef separator = ": ";
  std::optional<SourcePlace> place =
      parsePlace(remark.take_front(end - separator.size()));
  if (place)
    remark = remark.drop_front(end);
  return place;
}

StringRef tile::toString(Decision::Kind kind) {
  switch (kind) {
  case Decision::Kind::Buffer:
    return "buffer";
  case Decision::Kind::Layout:
    return "layout";
  case Decision::Kind::Copy:
    return "copy";
  case Decision::Kind::Access:
    return "access";
  case Decision::Kind::Product:
    return "product";
  case Decision::Kind::Conversion:
    return "conversion";
  case Decision::Kind::Loop:
    return "loop";
  case Decision::Kind::Remark:
    return "remark";
  }
  llvm_unreachable("all kinds are named");
}

namespace {

/// Turns a report by places.
class Collector {
public:
  explicit Collector(const KernelReport &report) : report(report) {}

  std::vector<Decision> collect() {
    addBuffers();
    addLayouts();
    addMoves();
    addProducts();
    addLoops();
    for (const std::string &remark : report.remarks)
      addRemark(remark);
    auto key = [](const Decision &decision) {
      return std::tie(decision.place.file, decision.place.line,
                      decision.place.column, decision.kind, decision.summary,
                      decision.detail);
    };
    llvm::sort(decisions,
               [&](const auto &a, const auto &b) { return key(a) < key(b); });
    return std::move(decisions);
  }

private:
  void add(StringRef location, Decision::Kind kind, std::string summary,
           std::string detail = {}) {
    std::optional<SourcePlace> place = parsePlace(location);
    if (!place)
      return;
    Decision decision{*place, kind, std::move(summary), std::move(detail)};
    bool isKnown = llvm::any_of(decisions, [&](const Decision &other) {
      return other.kind == kind && other.place == *place &&
             other.summary == decision.summary &&
             other.detail == decision.detail;
    });
    if (!isKnown)
      decisions.push_back(std::move(decision));
  }

  void addBuffers();
  void addLayouts();
  void addMoves();
  void addProducts();
  void addLoops();
  void addRemark(StringRef remark);

  const KernelReport &report;
  std::vector<Decision> decisions;
};

} // namespace

/// "memref<64x64xf16>": all buffers are in shared memory.
static std::string shortenType(StringRef type) {
  auto [front, space] = type.split(", #gpu.address_space<workgroup>");
  return (front + space).str();
}

void Collector::addBuffers() {
  for (const KernelReport::Buffer &buffer : report.buffers)
    add(buffer.location, Decision::Kind::Buffer,
        llvm::formatv(
            "bytes {0} to {1}{2}", buffer.offset, buffer.offset + buffer.bytes,
            buffer.slots > 1 ? llvm::formatv(", {0} slots", buffer.slots).str()
                             : ""),
        shortenType(buffer.name) + ", " + buffer.layout);
}

void Collector::addLayouts() {
  for (const KernelReport::Layout &layout : report.layouts) {
    std::string detail = layout.type + ": " + layout.layout;
    if (!layout.runnerUp.empty())
      detail += llvm::formatv("; costs {0}, the next best {1}: {2}",
                              layout.cost, layout.runnerUpCost, layout.runnerUp)
                    .str();
    std::string from = layout.from.empty() ? "" : " of " + layout.from;
    if (auto place = parsePlace(layout.from))
      from = llvm::formatv(" of line {0}", place->line);
    add(layout.location, Decision::Kind::Layout,
        layout.decidedBy + from + ", " + layout.type, std::move(detail));
  }
  for (const KernelReport::Exchange &exchange : report.exchanges)
    add(exchange.location, Decision::Kind::Conversion,
        llvm::formatv("{0} bytes through {1}", exchange.bytes,
                      exchange.through));
}

/// "16 bytes an access, 4 of the destination".
static std::string formatWidths(const KernelReport::Copy &copy) {
  std::string text = llvm::formatv("{0} bytes an access", copy.bytesPerAccess);
  if (copy.destBytesPerAccess != copy.bytesPerAccess)
    text += llvm::formatv(", {0} of the destination", copy.destBytesPerAccess);
  if (copy.blocks > 1)
    text += llvm::formatv(", multicast by each of {0} blocks", copy.blocks);
  return text;
}

void Collector::addMoves() {
  for (const KernelReport::Copy &copy : report.copies)
    add(copy.location, Decision::Kind::Copy, formatWidths(copy),
        "by " + copy.instruction);
  auto addAccesses = [&](StringRef verb, const auto &accesses) {
    for (const KernelReport::Access &access : accesses) {
      std::string inner;
      if (access.innerBytesPerAccess != access.bytesPerAccess)
        inner = llvm::formatv(", {0} where the tile lies inside",
                              access.innerBytesPerAccess);
      add(access.location, Decision::Kind::Access,
          llvm::formatv("{0} {1} bytes an access{2}", verb,
                        access.bytesPerAccess, inner));
    }
  };
  addAccesses("loads", report.loads);
  addAccesses("stores", report.stores);
}

void Collector::addProducts() {
  for (const KernelReport::Gemm &gemm : report.gemms) {
    std::string detail;
    auto addOperand = [&](StringRef name, const auto &load) {
      if (load)
        detail += llvm::formatv("{0}{1} by {2}, {3} bytes an access",
                                detail.empty() ? "" : "; ", name,
                                load->instruction, load->bytesPerAccess);
    };
    addOperand("a", gemm.loadA);
    addOperand("b", gemm.loadB);
    add(gemm.location, Decision::Kind::Product, gemm.instruction,
        std::move(detail));
  }
}

void Collector::addLoops() {
  for (const KernelReport::Loop &loop : report.loops) {
    std::string detail = loop.reason;
    if (loop.schedule)
      detail += llvm::formatv(
          "{0}schedule {1}, predicted cycles an iteration: ahead {2}, modulo "
          "{3}; {4}",
          detail.empty() ? "" : "; ", loop.schedule->solver,
          loop.schedule->aheadCycles, loop.schedule->moduloCycles,
          loop.schedule->reason);
    add(loop.location, Decision::Kind::Loop,
        loop.stages == 1 ? "1 stage"
                         : llvm::formatv("{0} stages", loop.stages).str(),
        std::move(detail));
  }
}

/// "file:line:column: Name: text"; what a loop has for its reason is left out.
void Collector::addRemark(StringRef remark) {
  StringRef text = remark;
  if (!takePlace(text))
    return;
  StringRef location =
      remark.drop_back(text.size()).drop_back(StringRef(": ").size());
  for (const KernelReport::Loop &loop : report.loops)
    if (loop.location == location && StringRef(loop.reason).contains(text))
      return;
  auto [name, sentence] = text.split(": ");
  add(location, Decision::Kind::Remark, name.str(), sentence.str());
}

std::vector<Decision> tile::getDecisions(const KernelReport &report) {
  return Collector(report).collect();
}
