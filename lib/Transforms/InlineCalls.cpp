//===- InlineCalls.cpp - Inlines the calls in launches --------------------===//
//
// Requires source, keeps source. After it a launch body is self-contained: no
// later pass has to look through a call.
//
// Upstream's inliner decides by callee and would also inline host functions
// into each other, which would duplicate named launches; it also wants to keep
// recursive calls, which a launch cannot. Functions of the language are one
// structured block, so inlining is cloning it: the walk below follows calls
// depth first and refuses a function that is already on the path.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/ScheduleHints.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#define DEBUG_TYPE "tile-inline-calls"

namespace mlir::tile {
#define GEN_PASS_DEF_INLINECALLS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// The calls to inline, in the order in which to do it.
struct InlinePlan {
  SmallVector<func::CallOp> calls;
  /// Functions that some launch calls, directly or not.
  llvm::SetVector<func::FuncOp> callees;
};
} // namespace

static SmallVector<func::CallOp> getCalls(Operation *root) {
  SmallVector<func::CallOp> calls;
  root->walk([&](func::CallOp call) { calls.push_back(call); });
  return calls;
}

/// Adds every function reachable from the calls under `root` to `callees`, what
/// a function calls before the function itself.
static void followCalls(Operation *root, SymbolTableCollection &symbols,
                        llvm::SetVector<func::FuncOp> &callees) {
  for (func::CallOp call : getCalls(root)) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (callees.contains(callee))
      continue;
    followCalls(callee, symbols, callees);
    callees.insert(callee);
  }
}

/// Inside callees first, so that a call is always replaced by a body without
/// calls; then in launches and in host functions that share a callee with them.
static InlinePlan planInlining(ModuleOp module, ArrayRef<LaunchOp> launches,
                               SymbolTableCollection &symbols) {
  InlinePlan plan;
  for (LaunchOp launch : launches)
    followCalls(launch, symbols, plan.callees);
  for (func::FuncOp callee : plan.callees)
    llvm::append_range(plan.calls, getCalls(callee));
  for (auto function : module.getOps<func::FuncOp>()) {
    if (plan.callees.contains(function))
      continue;
    for (func::CallOp call : getCalls(function)) {
      auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (callee && plan.callees.contains(callee))
        plan.calls.push_back(call);
    }
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

// Pattern: %r = func.call @f(%x)  ->  the body of @f with its argument as %x
static void inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  for (Operation &op : callee.getBody().front().without_terminator()) {
    Operation *clone = builder.clone(op, mapping);
    copyScheduleHint(call, clone);
    clone->walk([&](Operation *inner) {
      inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
    });
  }
  Operation *terminator = callee.getBody().front().getTerminator();
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), terminator->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

static void applyInlining(const InlinePlan &plan,
                          SymbolTableCollection &symbols) {
  for (func::CallOp call : plan.calls)
    inlineCall(call, symbols.lookupNearestSymbolFrom<func::FuncOp>(
                         call, call.getCalleeAttr()));
}

/// Erases private callees that nothing refers to any more.
static void eraseUnusedCallees(ModuleOp module, const InlinePlan &plan) {
  for (func::FuncOp callee : llvm::reverse(plan.callees))
    if (callee.isPrivate() && SymbolTable::symbolKnownUseEmpty(callee, module))
      callee.erase();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct InlineCalls : tile::impl::InlineCallsBase<InlineCalls> {
  void runOnOperation() override {
    auto launches = getLaunches(getOperation(), getArgument());
    if (failed(launches))
      return signalPassFailure();
    SymbolTableCollection symbols;
    InlinePlan plan = planInlining(getOperation(), *launches, symbols);
    applyInlining(plan, symbols);
    eraseUnusedCallees(getOperation(), plan);
  }
};
} // namespace
