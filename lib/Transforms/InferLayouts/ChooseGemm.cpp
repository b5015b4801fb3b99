//===- ChooseGemm.cpp - Instruction and warp grid of a gemm ---------------===//
//
// A gemm gets the matrix instruction with the largest K that the chip has for
// its types, and the grid of warps that wastes least: padding first, then the
// policy (the user's, or rows where the rows of the result are what later
// operations work on), then the operand bytes a warp reads.
//
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <tuple>

using namespace mlir;
using namespace mlir::tile;

/// Whether whole rows of the result should stay in one warp: `a` is a fragment,
/// or the result meets row statistics (a reduction along or a broadcast from
/// dimension 1) or becomes operand `a` of another gemm, as in attention.
static bool prefersRows(GemmOp gemm) {
  if (isa<RankedTensorType>(gemm.getA().getType()))
    return true;
  SmallVector<Value> worklist = {gemm.getResult()};
  llvm::SmallPtrSet<Value, 16> seen;
  auto visit = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()) && seen.insert(value).second)
      worklist.push_back(value);
  };
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (auto reduce = dyn_cast<ReduceOp>(user)) {
        if (reduce.getDims() == ArrayRef<int64_t>{1})
          return true;
      } else if (auto other = dyn_cast<GemmOp>(user)) {
        if (other.getA() == value)
          return true;
        if (other.getC() == value)
          visit(other.getResult());
      } else if (user->hasTrait<OpTrait::Elementwise>()) {
        for (Value operand : user->getOperands())
          if (auto broadcast = operand.getDefiningOp<BroadcastOp>())
            if (broadcast.getDims() == ArrayRef<int64_t>{1} &&
                broadcast.getSource().getDefiningOp() &&
                !isa<LoadOp, ParallelOp>(broadcast.getSource().getDefiningOp()))
              return true;
        for (Value result : user->getResults())
          visit(result);
      } else if (isa<scf::YieldOp>(user)) {
        if (auto loop = dyn_cast<scf::ForOp>(user->getParentOp())) {
          visit(loop.getResult(use.getOperandNumber()));
          visit(loop.getRegionIterArg(use.getOperandNumber()));
        } else if (isa<scf::IfOp>(user->getParentOp())) {
          visit(user->getParentOp()->getResult(use.getOperandNumber()));
        }
      }
    }
  }
  return false;
}

/// Less is better: padded elements, distance from the policy, elements of A and
/// B a warp reads for one step of K.
using GemmCost = std::tuple<int64_t, int64_t, int64_t>;

static GemmCost getCost(const GemmPlan &plan, Warps policy) {
  tilec::Coordinate box = plan.result.getBox();
  int64_t skew = policy == Warps::Rows      ? plan.warpsN
                 : policy == Warps::Columns ? plan.warpsM
                                            : 0;
  return {box[0] * box[1], skew,
          plan.tilesM * plan.atom->m + plan.tilesN * plan.atom->n};
}

/// The best plan of `atom` over all grids of `warps` warps.
static std::optional<GemmPlan> planBestGrid(GemmOp gemm,
                                            const tilec::MmaAtom &atom,
                                            int64_t warps, Warps policy) {
  std::optional<GemmPlan> best;
  for (int64_t warpsM = warps; warpsM >= 1; --warpsM) {
    if (warps % warpsM != 0)
      continue;
    auto plan = planGemm(atom, gemm.getM(), gemm.getN(), gemm.getK(), warpsM,
                         warps / warpsM);
    if (plan && (!best || getCost(*plan, policy) < getCost(*best, policy)))
      best = *plan;
  }
  return best;
}

static InFlightDiagnostic emitNoInstruction(LayoutContext &context, GemmOp gemm,
                                            const GemmKinds &kinds) {
  InFlightDiagnostic error =
      gemm.emitOpError("has no instruction on ")
      << context.target.name << " for " << tilec::getName(kinds.a) << " x "
      << tilec::getName(kinds.b) << " -> " << tilec::getName(kinds.accumulator);
  if (const auto *first =
          tilec::firstTargetFor(kinds.a, kinds.b, kinds.accumulator))
    error << "; the first chip that has one is " << first->name;
  return error;
}

FailureOr<GemmChoice> tile::chooseGemm(LayoutContext &context, GemmOp gemm) {
  std::optional<GemmKinds> kinds = getGemmKinds(gemm);
  if (!kinds)
    return GemmChoice{GemmPlan(), fmaInstruction};
  auto atoms = tilec::findMmaAtoms(context.target, kinds->a, kinds->b,
                                   kinds->accumulator);
  if (atoms.empty())
    return emitNoInstruction(context, gemm, *kinds);

  Warps policy = gemm.getWarps()     ? *gemm.getWarps()
                 : prefersRows(gemm) ? Warps::Rows
                                     : Warps::Square;
  // A layout the user fixed decides, if some grid gives it.
  auto fixed = dyn_cast_or_null<FragmentAttr>(gemm.getType().getEncoding());
  std::optional<GemmPlan> best;
  for (const tilec::MmaAtom *atom : atoms) {
    if (gemm.getK() % atom->k != 0)
      continue;
    if (fixed) {
      gemm.setInstruction(atom->name);
      auto plan = getGemmPlan(gemm);
      gemm.removeInstructionAttr();
      if (plan)
        return GemmChoice{*plan, atom->name};
    }
    if (!best)
      best = planBestGrid(gemm, *atom, context.warps(), policy);
  }
  if (!best)
    return gemm.emitOpError("of ")
           << gemm.getM() << " x " << gemm.getN() << " x " << gemm.getK()
           << " cannot be shared by " << context.warps()
           << " warps: no grid of them gives every warp a tile of "
           << atoms.front()->m << " x " << atoms.front()->n
           << "; launch fewer threads or make the tile larger";
  return GemmChoice{*best, best->atom->name};
}
