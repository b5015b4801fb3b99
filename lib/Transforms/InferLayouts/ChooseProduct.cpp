//===- ChooseProduct.cpp - The ways to carry out a matrix product ---------===//
//
// A product may take any instruction of warps that the chip has for its types,
// those with the largest K first, or the one that is written on it, on any grid
// of the launch's warps. A grid costs the elements that it pads, then its
// distance from the policy (the user's, or rows where the rows of the result are
// what later operations work on), then the operand elements that a warp reads.
// Where warpgroups can multiply they do: ChooseWarpgroupProduct.cpp.
//
//===----------------------------------------------------------------------===//

#include "LaunchLayouts.h"

#include "tile/Dialect/Tile/ProductFacts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Participants;
using tilec::ProductCandidate;

//===----------------------------------------------------------------------===//
// How warps should share the result
//===----------------------------------------------------------------------===//

/// Whether an operand of `op` is repeated along dimension 1 and computed in the
/// launch, as the statistics of rows are; not loaded from memory.
static bool meetsRowStatistics(Operation *op) {
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (!producer)
      continue;
    for (const TakenLayout &taken : getLayoutConstraints(producer).taken) {
      if (!taken.map.drops(1) || taken.source != LayoutEnd(operand))
        continue;
      Operation *source = taken.use->get().getDefiningOp();
      if (source && !isa<BlockAccessOpInterface, ParallelOp>(source))
        return true;
    }
  }
  return false;
}

/// Whether `use` is reduced along dimension 1.
static bool isReducedToRows(OpOperand &use) {
  for (const CombinedDims &combined :
       getLayoutConstraints(use.getOwner()).combined)
    if (combined.end == LayoutEnd(&use) && !combined.isScan &&
        ArrayRef<int64_t>(combined.dims) == ArrayRef<int64_t>{1})
      return true;
  return false;
}

/// The values that an operand of a terminator becomes.
static SmallVector<Value> getYieldedTo(OpOperand &use) {
  unsigned number = use.getOperandNumber();
  return llvm::TypeSwitch<Operation *, SmallVector<Value>>(
             use.getOwner()->getParentOp())
      .Case([&](scf::ForOp loop) {
        return SmallVector<Value>{loop.getResult(number),
                                  loop.getRegionIterArg(number)};
      })
      .Case([&](scf::IfOp branch) {
        return SmallVector<Value>{branch.getResult(number)};
      })
      .Default(SmallVector<Value>());
}

/// Whether whole rows of the result should stay in one warp: `a` is a fragment,
/// or the result meets row statistics (a reduction along or a broadcast from
/// dimension 1) or becomes operand `a` of another product, as in attention.
static bool prefersRows(MatrixProductOpInterface product) {
  if (isa<RankedTensorType>(product.getA().getType()))
    return true;
  SmallVector<Value> worklist = {product->getResult(0)};
  llvm::SmallPtrSet<Value, 16> seen;
  auto visit = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()) && seen.insert(value).second)
      worklist.push_back(value);
  };
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isReducedToRows(use))
        return true;
      if (auto other = dyn_cast<MatrixProductOpInterface>(user)) {
        if (other.getA() == value)
          return true;
        if (other.getC() == value)
          visit(other->getResult(0));
      } else if (user->hasTrait<OpTrait::Elementwise>()) {
        if (meetsRowStatistics(user))
          return true;
        llvm::for_each(user->getResults(), visit);
      } else if (user->hasTrait<OpTrait::IsTerminator>()) {
        llvm::for_each(getYieldedTo(use), visit);
      }
    }
  }
  return false;
}

Warps mlir::tile::chooseWarps(MatrixProductOpInterface product) {
  if (std::optional<Warps> wanted = product.getWarps())
    return *wanted;
  return prefersRows(product) ? Warps::Rows : Warps::Square;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

static std::array<int64_t, 3> getCost(const tilec::GemmPlan &plan,
                                      Warps policy) {
  tilec::Coordinate box = plan.result.getBox();
  int64_t skew = policy == Warps::Rows      ? plan.warpsN
                 : policy == Warps::Columns ? plan.warpsM
                                            : 0;
  return {box[0] * box[1], skew,
          plan.tilesM * plan.instruction->m +
              plan.tilesN * plan.instruction->n};
}

/// Whether an operand that is read through a descriptor would be read beyond its
/// end.
static bool isPaddedInMemory(const tilec::GemmPlan &plan) {
  auto isRead = [](const tilec::MatrixOperand &operand) {
    return operand.space == tilec::OperandSpace::SharedByDescriptor;
  };
  tilec::Coordinate box = plan.result.getBox(), shape = plan.result.getShape();
  return (isRead(plan.instruction->a) && box[0] != shape[0]) ||
         (isRead(plan.instruction->b) && box[1] != shape[1]);
}

/// Adds the grids of `warps` warps on which `row` can carry out the product.
static void addGrids(MatrixProductOpInterface product,
                     const tilec::MatrixInstruction &row, int64_t warps,
                     Warps policy, std::vector<ProductCandidate> &candidates) {
  int64_t warpsOfGroup =
      row.accumulator.layout.getExtent(tilec::HardwareDim::Warp);
  if (warps % warpsOfGroup != 0)
    return;
  int64_t groups = warps / warpsOfGroup;
  for (int64_t groupsM = groups; groupsM >= 1; --groupsM) {
    if (groups % groupsM != 0)
      continue;
    auto plan = tilec::planGemm(
        row, product.getM(), product.getN(), product.getK(), groupsM,
        groups / groupsM, product.getScaleBlock(), getWantedPairs(product));
    if (plan && !isPaddedInMemory(*plan))
      candidates.push_back({*plan, getCost(*plan, policy)});
  }
}

static InFlightDiagnostic emitNoInstruction(LayoutContext &context,
                                            MatrixProductOpInterface product,
                                            const ProductKinds &kinds) {
  bool isSparse = product.getMetadata() != nullptr;
  InFlightDiagnostic error =
      product->emitOpError("has no instruction on ")
      << context.target.name << " for " << tilec::getName(kinds.a) << " x "
      << tilec::getName(kinds.b) << " -> " << tilec::getName(kinds.accumulator);
  if (const auto *first = tilec::firstTargetFor(
          kinds.a, kinds.b, kinds.accumulator, Participants::Warp, isSparse))
    error << "; the first chip that has one is " << first->name;
  return error;
}

/// Whether the row that is written on the product can carry it out.
static LogicalResult verifyWritten(LayoutContext &context,
                                   MatrixProductOpInterface product) {
  InstructionAttr written = product.getInstructionAttr();
  const tilec::MatrixInstruction *row = written.getMatrix();
  if (!row || !fitsOperands(*row, product))
    return product->emitOpError("has ")
           << written << ", which does not multiply these types";
  if (row->scaling.has_value() == product.getScales().empty())
    return product->emitOpError("has ")
           << written
           << (row->scaling ? ", which takes scales of blocks"
                            : ", which takes no scales");
  if (!row->isAvailable(context.target, /*ptxVersion=*/0))
    return product->emitOpError("has ")
           << written << ", which " << context.target.name << " has not";
  for (auto [value, operand] :
       {std::pair(product.getA(), &row->a), std::pair(product.getB(), &row->b)})
    if (operand->space == tilec::OperandSpace::SharedByDescriptor &&
        !isa<MemRefType>(value.getType()))
      return product->emitOpError("has ")
             << written << ", which reads from shared memory what is "
             << value.getType() << "; store it to a 'tile.alloc' first";
  return success();
}

/// The rows with which the target multiplies these types: the one that the
/// product names, else those of warps, else those of single threads.
static std::vector<const tilec::MatrixInstruction *>
findInstructions(LayoutContext &context, MatrixProductOpInterface product,
                 const ProductKinds &kinds) {
  if (InstructionAttr written = product.getInstructionAttr())
    return {written.getMatrix()};
  if (!product.getScales().empty())
    return findScaledInstructions(product, context.target);
  for (Participants participants : {Participants::Warp, Participants::Thread}) {
    auto rows = tilec::findMatrixInstructions(
        context.target, kinds.a, kinds.b, kinds.accumulator,
        /*ptxVersion=*/0, participants, product.getMetadata() != nullptr);
    if (!rows.empty())
      return rows;
  }
  return {};
}

FailureOr<std::vector<ProductCandidate>>
mlir::tile::getProductCandidates(LayoutContext &context,
                                 MatrixProductOpInterface product) {
  std::optional<ProductKinds> kinds = getProductKinds(product);
  if (!kinds)
    return product->emitError("not implemented yet: ")
           << product->getName().getStringRef();
  if (product.getInstructionAttr() && failed(verifyWritten(context, product)))
    return failure();
  auto rows = findInstructions(context, product, *kinds);
  if (rows.empty() && !product.getScales().empty())
    return product->emitOpError("has no instruction on ")
           << context.target.name
           << " that takes its scales; run tile-split-scaled-products first";
  if (rows.empty())
    return emitNoInstruction(context, product, *kinds);
  std::vector<ProductCandidate> candidates;
  if (rows.front()->participants == Participants::Thread) {
    candidates.emplace_back();
    candidates.back().plan.instruction = rows.front();
    return candidates;
  }
  Warps policy = chooseWarps(product);
  for (const tilec::MatrixInstruction *row : rows)
    if (product.getK() % row->k == 0)
      addGrids(product, *row, context.warps(), policy, candidates);
  if (candidates.empty())
    return product->emitOpError("of ")
           << product.getM() << " x " << product.getN() << " x "
           << product.getK() << " cannot be shared by " << context.warps()
           << " warps: no grid of them gives every warp a tile of "
           << rows.front()->m << " x " << rows.front()->n
           << "; launch fewer threads or make the tile larger";
  return candidates;
}
