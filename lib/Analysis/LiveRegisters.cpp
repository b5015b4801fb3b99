//===- LiveRegisters.cpp - Registers that a thread of a launch wants ------===//

#include "tile/Analysis/LiveRegisters.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

/// Registers that no fragment shows: counters, lanes and conditions; for each buffer
/// or argument that loops access an address and where it ends; for reductions in loops
/// what lanes exchange. Fitted to what ptxas 13.0 takes for test/Kernels and examples.
static constexpr int64_t counterRegisters = 12, addressRegisters = 4,
                         exchangeRegisters = 12;

/// Registers of the operands that a product of warps loads for one step of K.
static int64_t countOperandRegisters(Operation &op) {
  auto product = dyn_cast<MatrixProductOpInterface>(op);
  if (!product || !isOfWarps(product))
    return 0;
  auto plan = getProductPlan(product);
  if (!plan)
    return 0;
  const tilec::MatrixInstruction &row = *plan->instruction;
  int64_t registers = 0;
  if (isa<MemRefType>(product.getA().getType()))
    registers += row.a.getRegisterCount() * plan->tilesM;
  if (isa<MemRefType>(product.getB().getType()))
    registers += row.b.getRegisterCount() * plan->tilesN;
  return registers;
}

/// Whether an operation computes or stores elements one by one.
static bool takesElements(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](StoreOp) { return true; })
      .Default([](Operation *other) {
        return other->hasTrait<OpTrait::Elementwise>();
      });
}

/// Whether results need no registers of their own: constants, elements that stand for
/// several, and those that are computed, one by one, for what takes them so.
static bool isStreamed(Operation &op) {
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([](BroadcastOp) { return true; })
      .Default([](Operation *other) {
        return other->hasTrait<OpTrait::ConstantLike>() ||
               (other->hasTrait<OpTrait::Elementwise>() &&
                llvm::all_of(other->getUsers(), takesElements));
      });
}

/// The fragments that an operation makes and that stay in registers.
static SmallVector<Value> getFragments(Operation &op) {
  if (isStreamed(op))
    return {};
  return llvm::to_vector_of<Value>(op.getResults());
}

int64_t tile::countHeldRegisters(Value fragment) {
  int64_t registers = countRegisters(fragment.getType());
  auto type = dyn_cast<RankedTensorType>(fragment.getType());
  if (!type || !type.getEncoding())
    return registers;
  if (auto branch = fragment.getDefiningOp<scf::IfOp>()) {
    unsigned number = cast<OpResult>(fragment).getResultNumber();
    for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
      registers =
          std::max(registers, countHeldRegisters(yield.getOperand(number)));
  }
  auto load = fragment.getDefiningOp<LoadOp>();
  if (!load || load.getSourceSide().isShared())
    return registers;
  MemRefType memref = load.getSource().getType();
  int64_t width = load.getVectorWidth().value_or(1);
  int64_t accesses = getLayout(fragment).getRegisterCount() / width;
  if (width * getMemoryBits(memref.getElementType()) >= 32)
    return registers;
  return std::max(registers, accesses) +
         (memref.hasStaticShape() ? 0 : accesses);
}

static RegisterEstimate countMostLive(Region &region);

static void takeMost(RegisterEstimate &estimate, int64_t registers,
                     Operation *op) {
  if (registers > estimate.registers)
    estimate = {registers, op};
}

/// The operation of `block` behind which a value of it is no longer needed.
static Operation *getLastUse(Block &block, Value value) {
  Operation *last = value.getDefiningOp();
  if (!last)
    last = &block.front();
  for (Operation *user : value.getUsers())
    if (Operation *inBlock = block.findAncestorOpInBlock(*user))
      last = last->isBeforeInBlock(inBlock) ? inBlock : last;
  return last;
}

/// Whether a region of `op` uses `value`, by its name outside.
static bool isUsedInside(Operation *op, Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return op->isProperAncestor(user);
  });
}

static RegisterEstimate countMostLive(Block &block) {
  int64_t live = 0;
  llvm::DenseMap<Operation *, int64_t> dying, dyingInside;
  auto addDeath = [&](Value value) {
    Operation *last = getLastUse(block, value);
    int64_t registers = countRegisters(value.getType());
    dying[last] += registers;
    if (isUsedInside(last, value))
      dyingInside[last] += registers;
  };
  for (BlockArgument argument : block.getArguments()) {
    live += countRegisters(argument.getType());
    addDeath(argument);
  }
  for (Operation &op : block)
    llvm::for_each(getFragments(op), addDeath);
  RegisterEstimate most{live, block.getParentOp()};
  for (Operation &op : block) {
    RegisterEstimate inside{countOperandRegisters(op), &op};
    for (Region &region : op.getRegions())
      if (RegisterEstimate own = countMostLive(region);
          own.registers > inside.registers)
        inside = own;
    // What a region goes on with, and a result, takes the registers of what dies.
    int64_t left = live - dying.lookup(&op);
    takeMost(most,
             inside.registers + (op.getNumRegions() > 0
                                     ? left + dyingInside.lookup(&op)
                                     : live),
             inside.most);
    for (Value result : getFragments(op))
      left += countRegisters(result.getType());
    live = left;
    takeMost(most, live, &op);
  }
  return most;
}

static RegisterEstimate countMostLive(Region &region) {
  RegisterEstimate most;
  for (Block &block : region)
    if (RegisterEstimate own = countMostLive(block);
        own.registers > most.registers)
      most = own;
  return most;
}

/// Of what loops in `scope` do, itself if it is one.
static int64_t countScalarRegisters(Operation *scope) {
  llvm::DenseSet<Value> roots;
  bool reduces = false;
  scope->walk([&](Operation *op) {
    if (!op->getParentOfType<LoopLikeOpInterface>())
      return;
    for (const BlockAccess &access : getBlockAccesses(op))
      if (access.memref)
        for (Value root : getMemRefRoots(access.memref))
          roots.insert(root);
  });
  scope->walk([&](ReduceOp reduce) {
    reduces |=
        static_cast<bool>(reduce->getParentOfType<LoopLikeOpInterface>());
  });
  return counterRegisters +
         addressRegisters * static_cast<int64_t>(roots.size()) +
         (reduces ? exchangeRegisters : 0);
}

RegisterEstimate tile::estimateMostLive(LaunchOp launch) {
  RegisterEstimate estimate = countMostLive(launch.getBody());
  estimate.registers += countScalarRegisters(launch);
  return estimate;
}

int64_t tile::estimateRegisters(LaunchOp launch) {
  return estimateMostLive(launch).registers;
}

int64_t tile::estimateRegistersOf(LoopLikeOpInterface loop) {
  int64_t most = 0;
  for (Region *region : loop.getLoopRegions())
    most = std::max(most, countMostLive(*region).registers);
  return most + countScalarRegisters(loop);
}

int64_t tile::getRegisterLimit(LaunchOp launch,
                               const tilec::GpuTarget &target) {
  auto threads = static_cast<int64_t>(launch.getThreads());
  int64_t blocks = std::max<int64_t>(launch.getMinBlocksPerSm().value_or(1), 1);
  int64_t limit =
      std::min(target.maxRegistersPerThread,
               target.registersPerMultiprocessor / blocks / threads);
  return std::min<int64_t>(limit, launch.getMaxRegisters().value_or(limit));
}

int64_t tile::countAssembledRegisters(LaunchOp launch, int64_t warps,
                                      const tilec::GpuTarget &target) {
  int64_t blocks = launch.getMinBlocksPerSm().value_or(1);
  int64_t each =
      target.registersPerMultiprocessor / blocks / (warps * target.warpSize);
  return std::min(each / 8 * 8, getRegisterLimit(launch, target));
}
