//===- BlockProducts.cpp - Products of a block together -------------------===//

#include "BlockProducts.h"
#include "ProductLoop.h"

#include "tile/Analysis/RingFills.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

static Operation *getEarlier(Operation *one, Operation *other) {
  return one->isBeforeInBlock(other) ? one : other;
}

/// The operation of the product's block that is or has the first use of its
/// result; the terminator if there is no other.
static Operation *findFirstUser(MatrixProductOpInterface product) {
  Block *block = product->getBlock();
  Operation *first = block->getTerminator();
  for (Operation *user : product->getUsers())
    first = getEarlier(first, block->findAncestorOpInBlock(*user));
  return first;
}

/// Whether `op` gives the operand in registers of a product. ptxas completes all
/// products where such registers are written while one is in flight.
static bool givesRegisters(Operation *op) {
  return llvm::any_of(op->getUses(), [](OpOperand &use) {
    auto product = dyn_cast<MatrixProductOpInterface>(use.getOwner());
    return product && isWaitedForLater(product) && use.get() == product.getA();
  });
}

/// Whether registers that `product` reads may be touched while it is in flight:
/// only those of a conversion of its own are not.
static bool sharesRegisters(MatrixProductOpInterface product) {
  if (!isa<RankedTensorType>(product.getA().getType()))
    return false;
  Operation *conversion = product.getA().getDefiningOp();
  return !isa_and_present<CastOpInterface>(conversion) ||
         !conversion->hasOneUse();
}

/// Whether `next` does nothing with the result of `product` but add to it, and
/// nothing else uses that.
static bool isContinuedBy(MatrixProductOpInterface product,
                          MatrixProductOpInterface next) {
  Value sum = product->getResult(0);
  return sum.hasOneUse() && next.getC() == sum;
}

namespace {
/// Products, each of which adds to the result of the one before, and where they
/// are waited for.
class ProductChain {
public:
  explicit ProductChain(MatrixProductOpInterface product)
      : deadline(product->getBlock()->getTerminator()) {
    append(product);
  }
  ArrayRef<MatrixProductOpInterface> getProducts() const { return products; }
  bool isContinuedBy(MatrixProductOpInterface next) const {
    return ::isContinuedBy(products.back(), next) &&
           next->isBeforeInBlock(deadline);
  }
  void append(MatrixProductOpInterface next);
  Operation *getWaitPoint() const {
    return getEarlier(findFirstUser(products.back()), deadline);
  }

private:
  SmallVector<MatrixProductOpInterface> products;
  /// The first operation of the block that must find them complete, whatever uses
  /// their results; the terminator if there is none.
  Operation *deadline;
  /// What they read: nothing in front of the deadline overwrites it.
  llvm::SmallDenseSet<Value> buffers;
};
} // namespace

void ProductChain::append(MatrixProductOpInterface next) {
  products.push_back(next);
  Operation *op = next->getNextNode();
  if (sharesRegisters(next)) {
    deadline = op;
    return;
  }
  SmallVector<Value> added;
  for (Value operand : {next.getA(), next.getB()})
    if (isa<MemRefType>(operand.getType()) && buffers.insert(operand).second)
      added.push_back(operand);
  // The first one reads B there, and has looked for what gives registers as far.
  if (added.empty())
    return;
  auto isWritten = [&](Value buffer) { return mayOverwrite(op, buffer); };
  while (op != deadline && !givesRegisters(op) &&
         llvm::none_of(added, isWritten))
    op = op->getNextNode();
  deadline = op;
}

static SmallVector<ProductChain> findChains(Block &block) {
  SmallVector<ProductChain> chains;
  for (auto product : block.getOps<MatrixProductOpInterface>()) {
    if (!isWaitedForLater(product))
      continue;
    if (!chains.empty() && chains.back().isContinuedBy(product))
      chains.back().append(product);
    else
      chains.emplace_back(product);
  }
  return chains;
}

/// Whether a product of `chains` starts before the one in front is waited for.
static bool anyTogether(ArrayRef<ProductChain> chains) {
  for (auto [index, chain] : llvm::enumerate(chains)) {
    bool hasNext = index + 1 < chains.size();
    if (chain.getProducts().size() > 1 ||
        (hasNext && chains[index + 1].getProducts().front()->isBeforeInBlock(
                        chain.getWaitPoint())))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Whether `op` waits for a slot, or for room in one, anywhere.
static bool waitsForRing(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        std::optional<RingUseKind> kind = getRingUseKind(inner);
        bool waits = kind == RingUseKind::Wait || kind == RingUseKind::Acquire;
        return waits ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Where `last` is known to be complete: its own wait `done`, or an earlier wait for
/// a product that started later.
static Operation *findCompletion(GemmAsyncOp last, WaitOp done) {
  for (auto wait : last->getBlock()->getOps<WaitOp>()) {
    Operation *other = wait.getPending().getDefiningOp();
    if (other && other->getBlock() == last->getBlock() &&
        last->isBeforeInBlock(other))
      return getEarlier(wait, done);
  }
  return done;
}

/// Moves the releases of `rings` behind `last` to where it is complete. Not past a
/// wait for a slot: what fills that may need the room.
static void delayReleases(GemmAsyncOp last, WaitOp done,
                          const llvm::SetVector<Operation *> &rings) {
  Operation *completion = findCompletion(last, done);
  Operation *end = last->getNextNode();
  while (end != completion && !waitsForRing(end))
    end = end->getNextNode();
  if (!waitsForRing(end))
    end = end->getNextNode();
  SmallVector<RingReleaseOp> releases;
  for (auto release : last->getBlock()->getOps<RingReleaseOp>())
    if (rings.contains(release.getRing().getDefiningOp()) &&
        last->isBeforeInBlock(release) && release->isBeforeInBlock(end))
      releases.push_back(release);
  for (RingReleaseOp release : releases)
    release->moveBefore(end);
}

// Pattern: s = gemm a, b; t = gemm c, d, s  ..  use t
//       -> s = gemm_async a, b; t = gemm_async c, d, s  ..  wait t; use t
/// Each stands directly behind the product that it replaces, which stays: that may be
/// where a product in front is waited for.
static void start(const ProductChain &chain) {
  Operation *waitPoint = chain.getWaitPoint();
  MatrixProductOpInterface end = chain.getProducts().back();
  llvm::SetVector<Operation *> rings;
  GemmAsyncOp last;
  for (MatrixProductOpInterface product : chain.getProducts()) {
    OpBuilder builder(product->getContext());
    builder.setInsertionPointAfter(product);
    IRMapping operands;
    if (last)
      operands.map(product.getC(), last.getResult());
    last = startProduct(builder, product, operands);
    for (Value operand : {product.getA(), product.getB()})
      if (isa<MemRefType>(operand.getType()))
        if (RingOp ring = findRing(operand))
          rings.insert(ring);
  }
  OpBuilder builder(waitPoint);
  auto done = WaitOp::create(builder, end.getLoc(), end.getProductType(), last);
  end->getResult(0).replaceAllUsesWith(done);
  delayReleases(last, done, rings);
}

bool tile::startTogether(Block &block) {
  SmallVector<ProductChain> chains = findChains(block);
  if (!anyTogether(chains))
    return false;
  for (const ProductChain &chain : llvm::reverse(chains))
    start(chain);
  for (const ProductChain &chain : llvm::reverse(chains))
    for (MatrixProductOpInterface product : llvm::reverse(chain.getProducts()))
      product->erase();
  return true;
}
