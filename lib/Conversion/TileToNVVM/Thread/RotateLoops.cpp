//===- RotateLoops.cpp - First operands before the back edge --------------===//
//
// A loop whose iterations begin by waiting for their operands
//
//     for i:  wait; barrier; %a = ldmatrix ..; mma %a ..; ..
//
// leaves the tensor cores idle until the first of them is loaded. Its head is
// carried out for the next iteration at the end of this one, where products are
// still under way:
//
//     wait; barrier; %a0 = ldmatrix ..
//     for i, %a = %a0:  mma %a ..; ..; wait; barrier; %next = ldmatrix ..
//
// The same operations are executed in the same order as before, and one head more
// behind the last iteration. It only waits and reads: at slots of counters that go
// round, so that what it reads, and nobody uses, exists. Where something may be
// written there before threads meet again, they meet behind the loop.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/SlotCounter.h"
#include "tile/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tile {
#define GEN_PASS_DEF_ROTATELOOPS
#include "tile/Conversion/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

/// Registers that a loop carries for its next iteration at most.
static constexpr int64_t maxCarried = 64;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isIntrinsic(Operation *op, StringRef family) {
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  return call && call.getIntrin().starts_with(family);
}

static bool isSharedPointer(Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() ==
                        static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
}

static bool loadsShared(Operation *op) {
  if (isIntrinsic(op, "llvm.nvvm.ldmatrix"))
    return true;
  auto load = dyn_cast<LLVM::LoadOp>(op);
  return load && !load.getVolatile_() &&
         isSharedPointer(load.getAddr().getType());
}

static bool isWait(Operation *op) {
  return isa<NVVM::CpAsyncWaitGroupOp, NVVM::SyncWarpOp>(op) ||
         isIntrinsic(op, "llvm.nvvm.cp.async.wait.all");
}

static bool isBlockBarrier(Operation *op) { return isa<NVVM::Barrier0Op>(op); }

static bool isProduct(Operation *op) {
  return isIntrinsic(op, "llvm.nvvm.mma.");
}

/// Whether `op` may write what other threads see of shared memory.
static bool mayWriteShared(Operation *op) {
  if (op->getNumRegions() > 0 || isPure(op) || loadsShared(op) || isWait(op) ||
      isBlockBarrier(op) || isProduct(op))
    return false;
  if (isa<LLVM::InlineAsmOp, LLVM::CallOp>(op))
    return true;
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
    return pointer && pointer.getAddressSpace() !=
                          static_cast<unsigned>(NVVM::NVVMMemorySpace::Global);
  });
}

//===----------------------------------------------------------------------===//
// Behind the loop
//===----------------------------------------------------------------------===//

namespace {
enum class Next { Barrier, Write, Neither };
} // namespace

/// What comes first in these operations: a barrier of the block, or what may write
/// to shared memory.
static Next findNext(Block::iterator begin, Block::iterator end) {
  for (Operation &op : llvm::make_range(begin, end)) {
    if (isBlockBarrier(&op))
      return Next::Barrier;
    bool writes = op.walk([](Operation *inner) {
                      return mayWriteShared(inner) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
                    }).wasInterrupted();
    if (writes)
      return Next::Write;
  }
  return Next::Neither;
}

/// Whether shared memory may be written behind `op` before the threads meet.
static bool mayBeWrittenBehind(Operation *op) {
  for (; !isa<FunctionOpInterface>(op); op = op->getParentOp()) {
    Next next = findNext(std::next(op->getIterator()), op->getBlock()->end());
    if (next != Next::Neither)
      return next == Next::Write;
    // Its condition comes between two iterations.
    if (isa<scf::WhileOp>(op->getParentOp()))
      return true;
    bool isRepeated = isa<LoopLikeOpInterface>(op->getParentOp());
    if (isRepeated &&
        findNext(op->getBlock()->begin(), op->getIterator()) == Next::Write)
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// The head of a loop
//===----------------------------------------------------------------------===//

namespace {
class LoopRotator {
public:
  LoopRotator(scf::ForOp loop, IRRewriter &rewriter)
      : loop(loop), rewriter(rewriter) {}
  void rotate();

private:
  bool findHead();
  bool addSlice(Value value);
  bool addParts(Operation *load);
  void collectMade();
  SmallVector<Value> emitHead(ValueRange arguments);

  scf::ForOp loop;
  IRRewriter &rewriter;
  /// What waits and loads, and all that it needs of the body.
  llvm::DenseSet<Operation *> head;
  SmallVector<Operation *> anchors;
  /// What the head makes for the rest of its iteration, one register each: what is
  /// loaded, and addresses of the slot.
  SmallVector<Value> made;
};
} // namespace

/// Whether `number` is that of a slot of `slots`: a constant, or counted from one by
/// this loop or one around or in front of it.
static bool isSlot(Value number, int64_t slots) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return *constant >= 0 && *constant < slots;
  auto argument = dyn_cast<BlockArgument>(number);
  if (auto loop = number.getDefiningOp<scf::ForOp>())
    argument = loop.getTiedLoopRegionIterArg(cast<OpResult>(number));
  std::optional<SlotCounter> counter =
      argument ? matchSlotCounter(argument) : std::nullopt;
  return counter && counter->slots == slots && isSlot(counter->init, slots);
}

static bool isSlot(BlockArgument argument) {
  std::optional<SlotCounter> counter = matchSlotCounter(argument);
  return counter && isSlot(argument, counter->slots);
}

/// Adds what computes `value` in the body; whether that is the same in every
/// iteration but for slots.
bool LoopRotator::addSlice(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() != loop.getBody() || isSlot(argument);
  Operation *op = value.getDefiningOp();
  if (op->getBlock() != loop.getBody() || head.contains(op))
    return true;
  if (!isPure(op) || op->getNumRegions() > 0)
    return false;
  head.insert(op);
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return addSlice(operand); });
}

/// Adds what takes the registers of a load apart; whether nothing else uses it.
bool LoopRotator::addParts(Operation *load) {
  if (!isa<LLVM::LLVMStructType>(load->getResult(0).getType()))
    return true;
  for (Operation *user : load->getUsers()) {
    if (!isa<LLVM::ExtractValueOp>(user) || user->getBlock() != loop.getBody())
      return false;
    head.insert(user);
  }
  return true;
}

/// Collects what the rest of the body takes of the head: what is loaded, and
/// addresses as far as they are others in each iteration.
void LoopRotator::collectMade() {
  llvm::DenseSet<Value> varying;
  auto isVarying = [&](Value operand) {
    auto argument = dyn_cast<BlockArgument>(operand);
    return varying.contains(operand) ||
           (argument && argument.getOwner() == loop.getBody());
  };
  auto isInHead = [&](Operation *user) { return head.contains(user); };
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool isMade =
        head.contains(&op) && op.getNumResults() == 1 &&
        (loadsShared(&op) || llvm::any_of(op.getOperands(), isVarying));
    if (!isMade)
      continue;
    varying.insert(op.getResult(0));
    if (!llvm::all_of(op.getUsers(), isInHead))
      made.push_back(op.getResult(0));
  }
}

/// Whether the loop begins with a barrier and loads from shared memory, and then
/// multiplies.
bool LoopRotator::findHead() {
  bool meets = false, loads = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isProduct(&op))
      return meets && loads;
    bool isLoad = loadsShared(&op);
    if (isLoad || isWait(&op) || isBlockBarrier(&op)) {
      meets |= isBlockBarrier(&op);
      loads |= isLoad;
      head.insert(&op);
      anchors.push_back(&op);
      if (isLoad && (!addSlice(op.getOperand(0)) || !addParts(&op)))
        return false;
    } else if (!isPure(&op) || op.getNumRegions() > 0) {
      return false;
    }
  }
  return false;
}

/// Emits the head of an iteration with these values of what the loop carries; what
/// it makes.
SmallVector<Value> LoopRotator::emitHead(ValueRange arguments) {
  IRMapping mapping;
  mapping.map(loop.getRegionIterArgs(), arguments);
  for (Operation &op : loop.getBody()->without_terminator())
    if (head.contains(&op))
      rewriter.clone(op, mapping);
  return llvm::map_to_vector(
      made, [&](Value value) { return mapping.lookup(value); });
}

void LoopRotator::rotate() {
  if (!findHead())
    return;
  collectMade();
  if (static_cast<int64_t>(made.size()) > maxCarried)
    return;
  bool mustMeet = mayBeWrittenBehind(loop);
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> first = emitHead(loop.getInitArgs());
  unsigned carried = loop.getNumRegionIterArgs();
  auto attributes = loop->getDiscardableAttrDictionary();
  auto rotated = cast<scf::ForOp>(
      loop.replaceWithAdditionalYields(
              rewriter, first,
              /*replaceInitOperandUsesInLoop=*/false,
              [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
                return SmallVector<Value>(arguments.begin(), arguments.end());
              })
          ->getOperation());
  rotated->setDiscardableAttrs(attributes);
  loop = rotated;
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  rewriter.setInsertionPoint(yield);
  SmallVector<Value> next = emitHead(yield.getOperands());
  yield->setOperands(carried, next.size(), next);
  for (auto [index, value] : llvm::enumerate(made))
    rewriter.replaceAllUsesWith(value, loop.getRegionIterArg(carried + index));
  for (Operation *anchor : llvm::reverse(anchors)) {
    for (Operation *user : llvm::make_early_inc_range(anchor->getUsers()))
      rewriter.eraseOp(user);
    rewriter.eraseOp(anchor);
  }
  if (!mustMeet)
    return;
  rewriter.setInsertionPointAfter(loop);
  NVVM::Barrier0Op::create(rewriter, loop.getLoc());
}

namespace {
struct RotateLoops final : tile::impl::RotateLoopsBase<RotateLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      LoopRotator(loop, rewriter).rotate();
  }
};
} // namespace
