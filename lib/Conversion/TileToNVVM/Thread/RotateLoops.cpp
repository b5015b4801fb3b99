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
#include "llvm/ADT/TypeSwitch.h"

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

namespace {
/// What an operation does for the threads of a block.
enum class Kind {
  Wait,    ///< for copies, or for the lanes of a warp
  Barrier, ///< of the block
  Load,    ///< from shared memory
  Product, ///< of a warp
  Other,
};
} // namespace

static bool pointsTo(Type type, NVVM::NVVMMemorySpace space) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() == static_cast<unsigned>(space);
}

static Kind getIntrinsicKind(StringRef name) {
  if (name.starts_with("llvm.nvvm.ldmatrix"))
    return Kind::Load;
  if (name.starts_with("llvm.nvvm.mma."))
    return Kind::Product;
  return name == "llvm.nvvm.cp.async.wait.all" ? Kind::Wait : Kind::Other;
}

static Kind getKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case<NVVM::CpAsyncWaitGroupOp, NVVM::SyncWarpOp>(
          [](auto) { return Kind::Wait; })
      .Case([](NVVM::Barrier0Op) { return Kind::Barrier; })
      .Case([](LLVM::LoadOp load) {
        bool isShared =
            pointsTo(load.getAddr().getType(), NVVM::NVVMMemorySpace::Shared);
        return isShared && !load.getVolatile_() ? Kind::Load : Kind::Other;
      })
      .Case([](LLVM::CallIntrinsicOp call) {
        return getIntrinsicKind(call.getIntrin());
      })
      .Default(Kind::Other);
}

/// Whether `op` may write what other threads see of shared memory: it takes a pointer
/// to other memory than global one, or nobody knows what it does.
static bool mayWriteShared(Operation *op) {
  if (op->getNumRegions() > 0 || isPure(op) || getKind(op) != Kind::Other)
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<LLVM::InlineAsmOp, LLVM::CallOp>([](auto) { return true; })
      .Default([](Operation *other) {
        return llvm::any_of(other->getOperandTypes(), [](Type type) {
          return isa<LLVM::LLVMPointerType>(type) &&
                 !pointsTo(type, NVVM::NVVMMemorySpace::Global);
        });
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
    if (getKind(&op) == Kind::Barrier)
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
    // A condition in a region of its own comes between two iterations.
    bool isRepeated = isa<LoopLikeOpInterface>(op->getParentOp());
    if (isRepeated && op->getParentOp()->getNumRegions() > 1)
      return true;
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
  /// Returns whether the loop has changed.
  bool rotate();

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
    bool isPart = user->getName().getStringRef() ==
                      LLVM::ExtractValueOp::getOperationName() &&
                  user->getBlock() == loop.getBody();
    if (!isPart)
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
    bool isMade = head.contains(&op) && op.getNumResults() == 1 &&
                  (getKind(&op) == Kind::Load ||
                   llvm::any_of(op.getOperands(), isVarying));
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
    Kind kind = getKind(&op);
    if (kind == Kind::Product)
      return meets && loads;
    if (kind == Kind::Other) {
      if (!isPure(&op) || op.getNumRegions() > 0)
        return false;
      continue;
    }
    meets |= kind == Kind::Barrier;
    loads |= kind == Kind::Load;
    head.insert(&op);
    anchors.push_back(&op);
    if (kind == Kind::Load && (!addSlice(op.getOperand(0)) || !addParts(&op)))
      return false;
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

bool LoopRotator::rotate() {
  if (!findHead())
    return false;
  collectMade();
  if (static_cast<int64_t>(made.size()) > maxCarried)
    return false;
  bool mustMeet = mayBeWrittenBehind(loop);
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> first = emitHead(loop.getInitArgs());
  unsigned carried = loop.getNumRegionIterArgs();
  auto attributes = loop->getDiscardableAttrDictionary();
  auto keep = [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    return SmallVector<Value>(arguments.begin(), arguments.end());
  };
  auto rotated = loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false, keep);
  loop = scf::ForOp(rotated->getOperation());
  loop->setDiscardableAttrs(attributes);
  Operation *yield = loop.getBody()->getTerminator();
  rewriter.setInsertionPoint(yield);
  SmallVector<Value> next = emitHead(yield->getOperands());
  yield->setOperands(carried, next.size(), next);
  for (auto [index, value] : llvm::enumerate(made))
    rewriter.replaceAllUsesWith(value, loop.getRegionIterArg(carried + index));
  for (Operation *anchor : llvm::reverse(anchors)) {
    for (Operation *user : llvm::make_early_inc_range(anchor->getUsers()))
      rewriter.eraseOp(user);
    rewriter.eraseOp(anchor);
  }
  if (mustMeet) {
    rewriter.setInsertionPointAfter(loop);
    NVVM::Barrier0Op::create(rewriter, loop.getLoc());
  }
  return true;
}

namespace {
struct RotateLoops final : tile::impl::RotateLoopsBase<RotateLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    bool changed = false;
    for (scf::ForOp loop : loops)
      changed |= LoopRotator(loop, rewriter).rotate();
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
