//===- KernelParts.cpp - What of a gpu.module belongs together ------------===//
//
// Functions and globals are nodes of a graph, uses of what the module defines are its
// edges, and its components are the parts: no definition is in two of them, so that
// nothing has to be renamed when their PTX is joined (JoinPtx.h). Declarations, which
// kernels share (`vprintf`, a function of libdevice), are in each part that uses them.
//
//===----------------------------------------------------------------------===//

#include "KernelParts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tile;

namespace {

/// A function or global and what it uses, by number.
struct Node {
  Operation *op = nullptr;
  bool isFunction = false;
  bool isDefined = false;
  SmallVector<unsigned> uses = {};
};

} // namespace

/// The functions and globals of `module` in its order, with their uses; empty where it
/// holds anything else.
static SmallVector<Node> buildGraph(gpu::GPUModuleOp module) {
  llvm::DenseMap<Operation *, Node> known;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    known[function] = {function, true, !function.isExternal()};
  for (auto global : module.getOps<LLVM::GlobalOp>())
    known[global] = {global, false,
                     global.getValue() ||
                         !global.getInitializerRegion().empty()};
  SmallVector<Node> nodes;
  llvm::DenseMap<StringAttr, unsigned> numbers;
  for (Operation &op : *module.getBody()) {
    auto found = known.find(&op);
    if (found == known.end())
      return {};
    numbers[SymbolTable::getSymbolName(&op)] = nodes.size();
    nodes.push_back(std::move(found->second));
  }
  for (Node &node : nodes) {
    auto uses = SymbolTable::getSymbolUses(node.op);
    if (!uses)
      return {};
    for (SymbolTable::SymbolUse use : *uses)
      if (auto used = numbers.find(use.getSymbolRef().getRootReference());
          used != numbers.end())
        node.uses.push_back(used->second);
  }
  return nodes;
}

SmallVector<KernelPart> tile::splitKernels(gpu::GPUModuleOp module) {
  SmallVector<Node> nodes = buildGraph(module);
  llvm::IntEqClasses classes(nodes.size());
  for (auto [number, node] : llvm::enumerate(nodes))
    for (unsigned used : node.uses)
      if (nodes[used].isDefined)
        classes.join(number, used);
  classes.compress();

  // What each class with a function needs, in the order of the first functions.
  llvm::MapVector<unsigned, SmallVector<unsigned>> needed;
  for (auto [number, node] : llvm::enumerate(nodes))
    if (node.isFunction && node.isDefined)
      needed.insert({classes[number], {}});
  if (needed.size() < 2)
    return {};
  for (auto [number, node] : llvm::enumerate(nodes)) {
    if (!node.isDefined)
      continue;
    // A variable that no function uses is the host's: it goes with the last.
    auto *found = needed.find(classes[number]);
    SmallVector<unsigned> &part =
        found == needed.end() ? needed.back().second : found->second;
    part.push_back(number);
    part.append(node.uses);
  }

  SmallVector<KernelPart> parts;
  for (auto &[unused, numbers] : needed) {
    llvm::sort(numbers);
    numbers.erase(llvm::unique(numbers), numbers.end());
    KernelPart &part = parts.emplace_back();
    for (unsigned number : numbers)
      part.members.push_back(nodes[number].op);
  }
  return parts;
}

OwningOpRef<gpu::GPUModuleOp> tile::createShell(gpu::GPUModuleOp module) {
  gpu::GPUModuleOp shell = module.cloneWithoutRegions();
  shell.getBodyRegion().emplaceBlock();
  return shell;
}

void tile::fillShell(gpu::GPUModuleOp shell, const KernelPart &part) {
  OpBuilder builder = OpBuilder::atBlockEnd(shell.getBody());
  for (Operation *member : part.members)
    builder.clone(*member);
}
