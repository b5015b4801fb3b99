//===- HoistOperands.cpp - Operands that a loop does not change -----------===//
//
// What attention multiplies with every tile of keys is the same in each iteration, and
// `ldmatrix` brings it anew each time. Where a thread has the registers, it is loaded
// once:
//
//     scf.for ..                            tile.copy_wait
//       tile.copy_wait                      tile.barrier
//       tile.barrier                        %a = tile.load %as
//       tile.gemm %as, %slot         ->     scf.for ..
//                                             tile.copy_wait
//                                             tile.barrier
//                                             tile.gemm %a, %slot
//
// What the first iteration waits for is waited for in front of the loop, behind the
// copies that run ahead of it: a load further in front would wait for its own copy
// before these are issued.
//
// Requires and keeps synchronized: behind barriers, for the head of an iteration is final
// then, and no wait or barrier depends on a read that is earlier now. In front of
// outlining, which decides how many blocks are resident by the registers of a thread.
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/IndexFacts.h"
#include "tile/Analysis/LiveRegisters.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Analysis/NestedAccesses.h"
#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/StageContract.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/Occupancy.h"
#include "tile/Hardware/StoredRows.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "tile-hoist-operands"

namespace mlir::tile {
#define GEN_PASS_DEF_HOISTOPERANDS
#include "tile/Transforms/Passes.h.inc"
} // namespace mlir::tile

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// What an iteration waits for at its begin, and the products behind it.
struct LoopHead {
  SmallVector<Operation *> waits; ///< for copies, then for the block
  SmallVector<MatrixProductOpInterface> products;
};

enum class Kind { Wait, Barrier, Product, Other };
} // namespace

static Kind getKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case([](CopyWaitOp) { return Kind::Wait; })
      .Case([](BarrierOp barrier) {
        bool isOfBlock =
            !barrier.isWithinWarp() && !barrier.getId() && !barrier.getWarps();
        return isOfBlock ? Kind::Barrier : Kind::Other;
      })
      .Case([](MatrixProductOpInterface) { return Kind::Product; })
      .Default(Kind::Other);
}

/// Whether threads wait in `op` for copies or for each other.
static bool waits(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        Kind kind = getKind(inner);
        return kind == Kind::Wait || kind == Kind::Barrier
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The head of an iteration, up to where it waits once more: what products behind that
/// take may not be there before. Without products where something else comes first.
static LoopHead getHead(scf::ForOp loop) {
  LoopHead head;
  bool hasMet = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    Kind kind = getKind(&op);
    if (hasMet) {
      if (waits(&op))
        break;
      if (kind == Kind::Product)
        head.products.push_back(cast<MatrixProductOpInterface>(op));
      continue;
    }
    bool isFree = isPure(&op) && op.getNumRegions() == 0;
    if (kind == Kind::Product || (kind == Kind::Other && !isFree))
      break;
    if (kind != Kind::Other)
      head.waits.push_back(&op);
    hasMet = kind == Kind::Barrier;
  }
  return head;
}

/// The views in `loop` through which `memref` is seen, the outermost first; nothing
/// where one of them depends on the iteration.
static std::optional<SmallVector<Operation *>> getViews(scf::ForOp loop,
                                                        Value memref) {
  SmallVector<Operation *> views;
  while (!loop.isDefinedOutsideOfLoop(memref)) {
    auto view = memref.getDefiningOp<ViewLikeOpInterface>();
    if (!view)
      return std::nullopt;
    Value source = view.getViewSource();
    for (Value operand : view->getOperands())
      if (operand != source && !loop.isDefinedOutsideOfLoop(operand))
        return std::nullopt;
    views.push_back(view);
    memref = source;
  }
  std::reverse(views.begin(), views.end());
  return views;
}

/// Whether operand A of `product` comes by `ldmatrix` from where `loop` does not write.
static bool isInvariant(scf::ForOp loop, MatrixProductOpInterface product) {
  OperandLoadAttr load = product.getLoadAAttr();
  if (!load || !isOfWarps(product) || product.getMetadata() ||
      !product.getScales().empty())
    return false;
  Value a = product.getA();
  auto plan = getProductPlan(product);
  auto buffer = getSharedLayout(a);
  const tilec::CopyInstruction *row = load.getInstruction().getCopy();
  return plan && buffer && row && row->matrixCount > 0 && !row->isTransposed &&
         tilec::holdsMatrices(*buffer, plan->a) && getViews(loop, a) &&
         !isWrittenIn(loop, a);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
/// Operand A of a product in registers, and what it was.
struct HeldOperand {
  MatrixProductOpInterface product;
  LoadOp load;
  Value buffer;
  OperandLoadAttr loadInLoop;
};

class OperandHoister {
public:
  OperandHoister(LaunchOp launch, const tilec::GpuTarget &target,
                 IndexFacts &facts)
      : launch(launch), target(target), facts(facts),
        rewriter(launch.getContext()) {}
  /// False where nothing was changed.
  bool hoistFrom(scf::ForOp loop);

private:
  int64_t countBlocks(int64_t registers);
  HeldOperand hold(scf::ForOp loop, MatrixProductOpInterface product);
  void release(HeldOperand operand);
  void reportHeld(scf::ForOp loop, int64_t registers);
  void reportLoaded(scf::ForOp loop, int64_t registers, int64_t after,
                    int64_t blocks, int64_t blocksAfter);

  LaunchOp launch;
  const tilec::GpuTarget &target;
  IndexFacts &facts;
  IRRewriter rewriter;
};
} // namespace

/// Blocks of a multiprocessor whose threads take `registers` by estimate.
int64_t OperandHoister::countBlocks(int64_t registers) {
  tilec::BlockResources block;
  block.threads = static_cast<int64_t>(launch.getThreads());
  block.registersPerThread = std::min<int64_t>(registers + registerTolerance,
                                               target.maxRegistersPerThread);
  for (auto arena : launch.getBody().getOps<ArenaOp>())
    block.sharedBytes = arena.getSize();
  return computeOccupancy(target, block).blocksPerMultiprocessor;
}

HeldOperand OperandHoister::hold(scf::ForOp loop,
                                 MatrixProductOpInterface product) {
  Value buffer = product.getA();
  auto views = getViews(loop, buffer);
  for (Operation *view : *views)
    rewriter.moveOpBefore(view, loop);
  auto memref = cast<MemRefType>(buffer.getType());
  auto type = withLayout(
      RankedTensorType::get(memref.getShape(), memref.getElementType()),
      getProductPlan(product)->a);
  rewriter.setInsertionPoint(loop);
  auto load = LoadOp::create(rewriter, product.getLoc(), type, buffer);
  recordAccessWidths(facts, load);
  HeldOperand operand{product, load, buffer, product.getLoadAAttr()};
  product.getAMutable().assign(load.getResult());
  product.setLoadAAttr({});
  return operand;
}

void OperandHoister::release(HeldOperand operand) {
  operand.product.getAMutable().assign(operand.buffer);
  operand.product.setLoadAAttr(operand.loadInLoop);
  rewriter.eraseOp(operand.load);
}

void OperandHoister::reportHeld(scf::ForOp loop, int64_t registers) {
  remark::passed(loop.getLoc(), remark::RemarkOpts::name("OperandInRegisters")
                                    .category(DEBUG_TYPE)
                                    .function(launch.getKernel().value_or("")))
      << remark::reason("{0} registers a thread hold an operand that is the "
                        "same in every iteration, loaded in front of them",
                        registers);
}

void OperandHoister::reportLoaded(scf::ForOp loop, int64_t registers,
                                  int64_t after, int64_t blocks,
                                  int64_t blocksAfter) {
  std::string fewer;
  if (blocksAfter < blocks)
    fewer =
        llvm::formatv(", and by this estimate a multiprocessor would hold {0} "
                      "blocks instead of {1}",
                      blocksAfter, blocks);
  remark::missed(loop.getLoc(), remark::RemarkOpts::name("OperandInLoop")
                                    .category(DEBUG_TYPE)
                                    .function(launch.getKernel().value_or("")))
      << remark::reason("an operand that is the same in every iteration is "
                        "loaded in each: with {0} registers for it, a thread "
                        "would take some {1} of {2}{3}",
                        registers, after, getRegisterLimit(launch, target),
                        fewer);
}

bool OperandHoister::hoistFrom(scf::ForOp loop) {
  LoopHead head = getHead(loop);
  llvm::erase_if(head.products, [&](MatrixProductOpInterface product) {
    return !isInvariant(loop, product);
  });
  if (head.products.empty())
    return false;

  int64_t before = estimateRegisters(launch), registers = 0;
  SmallVector<HeldOperand> operands;
  for (MatrixProductOpInterface product : head.products) {
    operands.push_back(hold(loop, product));
    registers += countRegisters(operands.back().load.getType());
  }
  int64_t after = estimateRegisters(launch);
  int64_t blocks = countBlocks(before), blocksAfter = countBlocks(after);
  bool isHeld = after + registerTolerance <= getRegisterLimit(launch, target) &&
                blocksAfter >= blocks;
  if (!isHeld) {
    reportLoaded(loop, registers, after, blocks, blocksAfter);
    llvm::for_each(operands, [&](HeldOperand own) { release(own); });
    return true;
  }
  reportHeld(loop, registers);
  rewriter.setInsertionPoint(operands.front().load);
  for (Operation *op : head.waits)
    rewriter.clone(*op);
  return true;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct HoistOperands final : tile::impl::HoistOperandsBase<HoistOperands> {
  using HoistOperandsBase::HoistOperandsBase;

  void runOnOperation() override {
    auto launches = getLaunches(getOperation(), getArgument());
    if (failed(launches))
      return signalPassFailure();
    bool hasChanged = false;
    for (LaunchOp launch : *launches) {
      if (launch.getRoles())
        continue;
      auto target = getModuleTarget(launch);
      if (failed(target))
        return signalPassFailure();
      IndexFacts facts(launch);
      OperandHoister hoister(launch, **target, facts);
      launch.walk(
          [&](scf::ForOp loop) { hasChanged |= hoister.hoistFrom(loop); });
    }
    if (!hasChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
