//===- ChainAddresses.cpp - Addresses of copies, each from the last -------===//

#include "ChainAddresses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

static bool pointsToGlobal(const Value *value) {
  auto *type = dyn_cast<PointerType>(value->getType());
  return type && type->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL;
}

/// Inline assembly that an instruction is, if it takes an address in global memory.
static CallBase *getAccess(Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && call->isInlineAsm() && any_of(call->args(), pointsToGlobal)
             ? call
             : nullptr;
}

namespace {
/// An address that advances in each iteration, and the first access at it.
struct Address {
  Value *value;
  const SCEVAddRecExpr *sequence;
  CallBase *access;
};

/// Chains the addresses of one loop.
class AddressChainer {
public:
  AddressChainer(Loop &loop, ScalarEvolution &evolution,
                 const DominatorTree &dominators)
      : loop(loop), evolution(evolution), dominators(dominators),
        expander(evolution, "address") {}

  bool run();

private:
  SmallVector<Address> collect();
  bool follows(const Address &address, const Address &before);
  bool chain(ArrayRef<Address> addresses);
  void build(ArrayRef<Address> addresses, ArrayRef<const SCEV *> distances,
             const SCEV *step);
  void replace(const Address &address, Value *link);

  Loop &loop;
  ScalarEvolution &evolution;
  const DominatorTree &dominators;
  SCEVExpander expander;
};
} // namespace

/// The addresses that advance by what the loop does not change, each once.
SmallVector<Address> AddressChainer::collect() {
  SmallVector<Address> addresses;
  SmallPtrSet<Value *, 16> seen;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      CallBase *access = getAccess(instruction);
      if (!access)
        continue;
      for (Value *operand : access->args()) {
        if (!pointsToGlobal(operand) || !seen.insert(operand).second)
          continue;
        auto *sequence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(operand));
        if (sequence && sequence->getLoop() == &loop && sequence->isAffine())
          addresses.push_back({operand, sequence, access});
      }
    }
  return addresses;
}

/// Whether an address may be made of the one `before`: where it is used the other one
/// has been, and their distance is one number for all iterations.
bool AddressChainer::follows(const Address &address, const Address &before) {
  return address.sequence->getStepRecurrence(evolution) ==
             before.sequence->getStepRecurrence(evolution) &&
         dominators.dominates(before.access, address.access) &&
         !isa<SCEVCouldNotCompute>(
             evolution.getMinusSCEV(address.sequence, before.sequence));
}

/// Other uses than by accesses keep the address that was.
void AddressChainer::replace(const Address &address, Value *link) {
  address.value->replaceUsesWithIf(link, [&](Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    return getAccess(*user) && loop.contains(user) &&
           (user == address.access ||
            dominators.dominates(address.access, user));
  });
}

void AddressChainer::build(ArrayRef<Address> addresses,
                           ArrayRef<const SCEV *> distances, const SCEV *step) {
  BasicBlock *entry = loop.getLoopPreheader();
  auto expand = [&](const SCEV *value) {
    return expander.expandCodeFor(value, nullptr, entry->getTerminator());
  };
  IRBuilder<> builder(loop.getHeader(), loop.getHeader()->begin());
  // Frozen, an address is none that strength reduction knows more of.
  auto advance = [&](Value *from, const SCEV *distance) {
    return builder.CreateFreeze(builder.CreatePtrAdd(from, expand(distance)));
  };
  PHINode *first = builder.CreatePHI(addresses.front().value->getType(), 2);
  first->addIncoming(expand(addresses.front().sequence->getStart()), entry);
  replace(addresses.front(), first);
  Value *last = first;
  for (auto [address, distance] : zip(addresses.drop_front(), distances)) {
    builder.SetInsertPoint(address.access);
    last = advance(last, distance);
    replace(address, last);
  }
  builder.SetInsertPoint(loop.getLoopLatch()->getTerminator());
  const SCEV *rest = evolution.getMinusSCEV(
      evolution.getAddExpr(addresses.front().sequence, step),
      addresses.back().sequence);
  bool isClosed = is_contained(distances, rest) &&
                  dominators.dominates(addresses.back().access->getParent(),
                                       loop.getLoopLatch());
  first->addIncoming(isClosed ? advance(last, rest) : advance(first, step),
                     loop.getLoopLatch());
}

bool AddressChainer::chain(ArrayRef<Address> addresses) {
  SmallVector<const SCEV *> distances;
  for (auto [before, address] : zip(addresses, addresses.drop_front()))
    distances.push_back(
        evolution.getMinusSCEV(address.sequence, before.sequence));
  const SCEV *start = addresses.front().sequence->getStart();
  const SCEV *step = addresses.front().sequence->getStepRecurrence(evolution);
  Instruction *entry = loop.getLoopPreheader()->getTerminator();
  auto isKnownBefore = [&](const SCEV *value) {
    return evolution.isLoopInvariant(value, &loop) &&
           expander.isSafeToExpandAt(value, entry);
  };
  if (!isKnownBefore(start) || !isKnownBefore(step) ||
      !all_of(distances, isKnownBefore))
    return false;
  build(addresses, distances, step);
  return true;
}

bool AddressChainer::run() {
  SmallVector<Address> left = collect();
  SmallVector<WeakTrackingVH> replaced;
  for (const Address &address : left)
    replaced.emplace_back(address.value);
  bool changed = false;
  while (!left.empty()) {
    SmallVector<Address> links{left.front()}, others;
    for (const Address &address : drop_begin(left))
      (follows(address, links.back()) ? links : others).push_back(address);
    if (links.size() > 1)
      changed |= chain(links);
    left = std::move(others);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  return changed;
}

/// Whether `loop` has several accesses at addresses of its own.
static bool isCandidate(const Loop &loop) {
  int accesses = 0;
  if (loop.isInnermost())
    for (BasicBlock *block : loop.blocks())
      accesses += count_if(*block, getAccess);
  return accesses > 1;
}

PreservedAnalyses
mlir::tile::ChainAddressesPass::run(Function &function,
                                    FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!isCandidate(*loop))
      continue;
    auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto &assumptions = analyses.getResult<AssumptionAnalysis>(function);
    changed |= simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions,
                            nullptr, /*PreserveLCSSA=*/false);
    if (loop->isLoopSimplifyForm())
      changed |= AddressChainer(*loop, evolution, dominators).run();
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
