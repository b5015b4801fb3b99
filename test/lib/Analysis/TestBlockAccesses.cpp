//===- TestBlockAccesses.cpp - Prints accesses, roots and overlaps -------===//

#include "TestAnalyses.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/MemRefRoots.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::tile;

/// "a read and written asynchronously".
static void printAccess(raw_ostream &os, const BlockAccess &access) {
  if (access.memref)
    os << test::getTag(access.memref);
  else
    os << (access.isGlobalOnly ? "global memory" : "any memory");
  os << (access.reads ? " read" : "")
     << (access.reads && access.writes ? " and" : "")
     << (access.writes ? " written" : "")
     << (access.completion != tilec::Completion::Immediate ? " asynchronously"
                                                           : "");
  if (access.combines)
    os << " by " << arith::stringifyAtomicRMWKind(*access.combines);
}

namespace {
/// Remarks on the accesses of tagged operations.
struct TestBlockAccesses : PassWrapper<TestBlockAccesses, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestBlockAccesses)
  StringRef getArgument() const override { return "test-tile-block-accesses"; }

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (!test::getTag(op))
        return;
      std::string text;
      llvm::raw_string_ostream os(text);
      llvm::interleaveComma(
          getBlockAccesses(op), os,
          [&](const BlockAccess &access) { printAccess(os, access); });
      op->emitRemark("accesses: ") << (text.empty() ? "nothing" : text) << ".";
    });
  }
};

/// Remarks on tagged memrefs: where they come from, and which tagged memrefs
/// of the function before them they may overlap.
struct TestMemoryOverlap : PassWrapper<TestMemoryOverlap, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestMemoryOverlap)
  StringRef getArgument() const override { return "test-tile-memory-overlap"; }

  void show(Value memref, ArrayRef<Value> before) {
    std::string text = "from ";
    llvm::raw_string_ostream os(text);
    SmallVector<StringRef> roots;
    for (Value root : getMemRefRoots(memref))
      roots.push_back(test::getTag(root));
    llvm::sort(roots);
    llvm::interleave(roots, os, " or ");
    os << "; overlaps";
    for (Value other : before)
      if (mayOverlap(other, memref))
        os << " " << test::getTag(other);
    mlir::emitRemark(memref.getLoc(), text + ".");
  }

  void runOnOperation() override {
    getOperation()->walk([&](FunctionOpInterface function) {
      SmallVector<Value> known;
      auto add = [&](Value value) {
        if (!isa<MemRefType>(value.getType()) || test::getTag(value) == "?")
          return;
        if (value.getDefiningOp())
          show(value, known);
        known.push_back(value);
      };
      for (Value argument : function.getArguments())
        add(argument);
      function->walk<WalkOrder::PreOrder>([&](Operation *op) {
        for (Value result : op->getResults())
          add(result);
      });
    });
  }
};
} // namespace

void test::registerTestBlockAccesses() {
  PassRegistration<TestBlockAccesses>();
}
void test::registerTestMemoryOverlap() {
  PassRegistration<TestMemoryOverlap>();
}
