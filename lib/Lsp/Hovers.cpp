//===- Hovers.cpp - What is said of an operation or a value ---------------===//

#include "Hovers.h"

#include "tile/Dialect/Tile/Locations.h"
#include "tile/Dialect/Tile/Stages.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Layouts of values
//===----------------------------------------------------------------------===//

static std::string describeLayout(Type type) {
  FragmentAttr fragment = getFragment(type);
  if (!fragment)
    return "";
  tilec::FragmentLayout layout = fragment.getLayout();
  std::string text;
  llvm::raw_string_ostream(text)
      << "`" << withoutLayout(cast<RankedTensorType>(type)) << "` "
      << layout.getRegisterCount() << " elements a thread"
      << (layout.getReplication() > 1
              ? llvm::formatv(", held {0} times", layout.getReplication()).str()
              : "")
      << ": `" << layout.toString() << "`";
  return text;
}

void ValueLayouts::add(Operation *op) {
  auto addValue = [&](Value value) {
    std::string text = describeLayout(value.getType());
    if (!text.empty())
      layouts[formatLocation(value.getLoc())].insert(std::move(text));
  };
  std::lock_guard<std::mutex> lock(mutex);
  op->walk([&](Operation *inner) {
    for (Value result : inner->getResults())
      addValue(result);
    for (Region &region : inner->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          addValue(argument);
  });
}

void ValueLayouts::watch(PassManager &pm) {
  struct Watch final : PassInstrumentation {
    explicit Watch(ValueLayouts &layouts) : layouts(layouts) {}
    void runAfterPass(Pass *pass, Operation *op) override {
      if (pass->getArgument() == "tile-infer-layouts")
        layouts.add(op);
    }
    ValueLayouts &layouts;
  };
  pm.addInstrumentation(std::make_unique<Watch>(*this));
}

std::vector<std::string> ValueLayouts::get(Location loc) const {
  auto found = layouts.find(formatLocation(loc));
  if (found == layouts.end())
    return {};
  return {found->second.begin(), found->second.end()};
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static std::string getKey(const SourcePlace &place) {
  return llvm::formatv("{0}:{1}:{2}", place.file, place.line, place.column);
}

HoverTexts::HoverTexts(const ValueLayouts &layouts,
                       const CompiledProgram *program)
    : layouts(layouts), program(program) {
  if (!program)
    return;
  for (const KernelReport &report : program->kernels)
    for (Decision &decision : getDecisions(report))
      decisions[getKey(decision.place)].push_back(std::move(decision));
}

/// "**product** `mma..`; a by ldmatrix". The layout of a value is not said twice.
static std::string formatDecision(const Decision &decision, bool hasLayout) {
  bool isName = decision.kind == Decision::Kind::Product;
  std::string text = llvm::formatv(isName ? "**{0}** `{1}`" : "**{0}** {1}",
                                   toString(decision.kind), decision.summary);
  bool isSaid = hasLayout && decision.kind == Decision::Kind::Layout;
  if (!decision.detail.empty() && !isSaid)
    text += (decision.kind == Decision::Kind::Remark ? ": " : "; ") +
            decision.detail;
  return text;
}

/// "stage `source`, compiled for `sm_80`" of the launch that holds `op`.
static std::string describeStage(Operation *op,
                                 const CompiledProgram *program) {
  auto launch = dyn_cast<LaunchOp>(op);
  if (!launch)
    launch = op->getParentOfType<LaunchOp>();
  std::string text;
  if (launch)
    text = "stage `" + stringifyStage(launch.getReachedStage()).str() + "`";
  if (program)
    text +=
        (text.empty() ? "" : ", ") + ("compiled for `" + program->chip) + "`";
  return text;
}

std::string HoverTexts::describePlace(Location loc, Operation *inside) const {
  std::string lines;
  std::vector<std::string> ofValues = layouts.get(loc);
  for (const std::string &layout : ofValues)
    lines += "- **layout** " + layout + "\n";
  auto found = decisions.find(formatLocation(loc));
  if (found != decisions.end())
    for (const Decision &decision : found->second)
      lines += "- " + formatDecision(decision, !ofValues.empty()) + "\n";
  return lines.empty()
             ? ""
             : "*tile*: " + describeStage(inside, program) + "\n\n" + lines;
}

/// Threads, shared memory as it is occupied, what runs on a multiprocessor.
std::string HoverTexts::describeKernel(LaunchOp launch) const {
  const KernelReport *report = program && launch.getKernel()
                                   ? program->findKernel(*launch.getKernel())
                                   : nullptr;
  if (!report)
    return "";
  constexpr int columns = 40; // a hover is narrow
  std::string text = llvm::formatv(
      "- **kernel** `{0}`: {1} threads, {2} bytes of shared memory, {3}, {4} "
      "barriers\n",
      report->name, report->blockThreads, report->sharedBytes,
      report->occupancy.summary, report->barriers);
  std::string arena = tilec::arena::drawText(report->arena, "", columns);
  if (!arena.empty())
    text += "\n```text\n" + arena + "```\n";
  return text;
}

std::string HoverTexts::describe(Operation *op) const {
  std::string text = describePlace(op->getLoc(), op);
  auto launch = dyn_cast<LaunchOp>(op);
  if (!launch)
    return text;
  std::string kernel = describeKernel(launch);
  if (text.empty() && !kernel.empty())
    text = "*tile*: " + describeStage(op, program) + "\n\n";
  return text + kernel;
}

std::string HoverTexts::describe(BlockArgument argument) const {
  return describePlace(argument.getLoc(), argument.getOwner()->getParentOp());
}
