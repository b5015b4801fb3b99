//===- ChooseWarpgroupProduct.cpp - Products by groups of four warps ------===//
//
// A chip whose warpgroups multiply reads operand b, and a where it is no
// fragment, from shared memory through descriptors. Nothing is padded there, so
// the grid of warpgroups divides the product, and each of them multiplies its
// part in instructions of the widest N that divides it and leaves ptxas the
// registers that it wants. Of the grids that do
//
//     128 x 256, two groups:   2 x 1, N = 256:   2 x (64 + 256) rows read
//                              1 x 2, N = 128:   4 x (64 + 128) rows read
//
// the one is taken that pads least, then is nearest to the policy, then reads
// least. What is not possible falls back to products by warps, and says why.
//
//===----------------------------------------------------------------------===//

#include "LaunchLayouts.h"

#include "tile/Analysis/LiveRegisters.h"
#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::ElementKind;
using tilec::Failure;
using tilec::MatrixInstruction;
using tilec::ProductCandidate;

/// The narrowest instruction of a part that is wider itself.
static constexpr int64_t narrowestN = 32;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static bool isFragment(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// Whether the view that an operand is begins at a whole number of tiles of its
/// buffer.
static bool startsAtTile(LayoutContext &context,
                         const DemandedBuffer &demanded) {
  const auto &pattern = std::get<tilec::PatternDemand>(demanded.demand);
  for (auto [dim, extent] : llvm::zip(pattern.dims, pattern.tile)) {
    auto isWhole = [&, extent = extent](OpFoldResult offset) {
      return context.facts.getDivisor(offset) % extent == 0;
    };
    if (!getRootDim(demanded.use->get(), dim, isWhole))
      return false;
  }
  return true;
}

/// Why the operands of a product are not where a warpgroup finds them.
static std::optional<std::string>
findObstacleAtOperands(MatrixProductOpInterface product) {
  if (isFragment(product.getB()))
    return "operand b is a fragment, and is read from shared memory";
  if (product.isTF32())
    return "f32 operands in shared memory would be cut to tf32, not rounded";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

namespace {
/// A grid of warpgroups and the row with which each multiplies its part.
struct WarpgroupGrid {
  const MatrixInstruction *row = nullptr;
  int64_t groupsM = 1, groupsN = 1;
};
} // namespace

/// The warps of a block, those of all teams and roles.
static int64_t countWarps(LayoutContext &context) {
  LaunchOp launch = context.launch;
  std::optional<RolesAttr> roles = launch.getRoles();
  if (!roles)
    return context.warps();
  int64_t warps = 0;
  for (RoleAttr role : roles->getRoles())
    warps += role.getKind() == RoleKind::Consumer
                 ? role.getWarps() * launch.getTeamCount()
                 : role.getWarps();
  return warps;
}

/// The widest row for the parts of `groupsN` groups along N whose accumulators fit
/// into `registers`, null where none divides them.
static const MatrixInstruction *
findWidest(ArrayRef<const MatrixInstruction *> rows,
           MatrixProductOpInterface product, int64_t groupsN,
           int64_t registers) {
  int64_t N = product.getN(), part = N / groupsN;
  if (N % groupsN != 0)
    return nullptr;
  for (const MatrixInstruction *row : rows) {
    bool isInRegisters = row->a.space == tilec::OperandSpace::Registers;
    bool fits =
        row->accumulator.getRegisterCount() + registersBesideSums <= registers;
    if (isInRegisters == isFragment(product.getA()) && part % row->n == 0 &&
        fits)
      return row->n >= std::min(part, narrowestN) ? row : nullptr;
  }
  return nullptr;
}

/// Padded elements, distance from the policy, rows of shared memory that are
/// read in a step of K.
static std::array<int64_t, 3> getCost(const tilec::GemmPlan &plan,
                                      Warps policy) {
  const MatrixInstruction &row = *plan.instruction;
  tilec::Coordinate box = plan.result.getBox();
  int64_t skew = policy == Warps::Rows      ? plan.warpsN
                 : policy == Warps::Columns ? plan.warpsM
                                            : 0;
  int64_t rowsOfA = row.a.space == tilec::OperandSpace::Registers ? 0 : row.m;
  int64_t instructions = plan.warpsM * plan.warpsN * plan.tilesM * plan.tilesN;
  return {box[0] * box[1], skew, instructions * (rowsOfA + row.n)};
}

/// Why `plan` is no good way to carry out the product.
static std::optional<std::string>
findObstacle(LayoutContext &context, const tilec::GemmPlan &plan,
             MatrixProductOpInterface product) {
  const MatrixInstruction &row = *plan.instruction;
  int64_t M = product.getM(), padded = plan.result.getBox()[0];
  bool isPaddedInMemory = padded != M && !isFragment(product.getA());
  if (isPaddedInMemory || 3 * padded > 4 * M)
    return "M = " + std::to_string(M) + " gives " +
           std::to_string(plan.warpsM) + " warpgroups no multiple of " +
           std::to_string(row.m) + " rows";
  int64_t registers =
      plan.result.getRegisterCount() / row.accumulator.elementsPerRegister;
  int64_t available = getRegisterLimit(context.launch, context.target);
  if (registers + registersBesideSums > available)
    return "each thread would hold the result in " + std::to_string(registers) +
           " of its " + std::to_string(available) + " registers";
  return std::nullopt;
}

/// The best grid of those that `rows` allow; fails with what is in the way of
/// the last one.
static tilec::Expected<ProductCandidate>
chooseGrid(LayoutContext &context, MatrixProductOpInterface product,
           ArrayRef<const MatrixInstruction *> rows) {
  int64_t warpsOfGroup =
      rows.front()->accumulator.layout.getExtent(tilec::HardwareDim::Warp);
  if (context.warps() % warpsOfGroup != 0)
    return Failure{std::to_string(context.warps()) +
                   " warps are no warpgroups of " +
                   std::to_string(warpsOfGroup)};
  int64_t groups = context.warps() / warpsOfGroup;
  Warps policy = chooseWarps(product);
  int64_t registers = countAssembledRegisters(
      context.launch, countWarps(context), context.target);
  std::optional<ProductCandidate> best;
  std::string obstacle;
  for (int64_t groupsM = 1; groupsM <= groups; ++groupsM) {
    if (groups % groupsM != 0)
      continue;
    const MatrixInstruction *row =
        findWidest(rows, product, groups / groupsM, registers);
    if (!row) {
      obstacle = "N = " + std::to_string(product.getN()) + " gives " +
                 std::to_string(groups / groupsM) +
                 " warpgroups no columns for a wide instruction of " +
                 std::to_string(registers) + " registers";
      continue;
    }
    auto plan = tilec::planGemm(*row, product.getM(), product.getN(),
                                product.getK(), groupsM, groups / groupsM,
                                /*scaleBlock=*/0, getWantedPairs(product));
    auto wrong = plan ? findObstacle(context, *plan, product) : plan.reason();
    if (wrong) {
      obstacle = *wrong;
      continue;
    }
    ProductCandidate candidate{*plan, getCost(*plan, policy)};
    if (!best || candidate.cost < best->cost)
      best = std::move(candidate);
  }
  if (!best)
    return Failure{obstacle};
  return *best;
}

std::optional<tilec::Expected<ProductCandidate>>
mlir::tile::chooseWarpgroupProduct(LayoutContext &context,
                                   MatrixProductOpInterface product) {
  auto kinds = getProductKinds(product);
  // The table of these rows is large: not for chips that have none.
  if (!kinds || !context.target.isArchitectureSpecific ||
      product.getInstructionAttr())
    return std::nullopt;
  auto rows = tilec::findMatrixInstructions(
      context.target, kinds->a, kinds->b, kinds->accumulator, /*ptxVersion=*/0,
      tilec::Participants::Warpgroup, product.getMetadata() != nullptr);
  if (rows.empty())
    return std::nullopt;
  using Choice = tilec::Expected<ProductCandidate>;
  if (auto obstacle = findObstacleAtOperands(product))
    return Choice(Failure{*obstacle});
  if (product.getK() % rows.front()->k != 0)
    return Choice(Failure{"K = " + std::to_string(product.getK()) +
                          " is no multiple of " +
                          std::to_string(rows.front()->k)});
  Choice choice = chooseGrid(context, product, rows);
  if (!choice)
    return choice;
  for (const DemandedBuffer &demanded :
       getDescriptorDemands(product, *choice->plan.instruction)) {
    if (!startsAtTile(context, demanded))
      return Choice(Failure{
          "operand " + std::to_string(demanded.use->getOperandNumber()) +
          " is not known to begin at a multiple of its tile in a buffer"});
  }
  return choice;
}
