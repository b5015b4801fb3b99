//===- LaidOut.cpp - Stage `laid_out` -------------------------------------===//
//
// Every fragment has a layout, every buffer, copy and parallel loop too, every
// product and copy its instruction; and what operations ask of layouts
// (LayoutConstraints.h) holds, or a `tile.convert_layout` stands between:
//
//   broadcast   operand = result without the new dimensions
//   transpose   result = operand, permuted
//   reduce      result = operand without the reduced dimensions
//   parallel    results have the loop's layout; a fragment read at the loop's
//               own variables has the loop's, without those not used, permuted
//   gemm        result and operands have the layouts of its instruction
//   buffers     instructions and wide accesses find them as they ask
//
// What relabels is checked at every stage (Verify/BodyVerifier.cpp), as is that
// lanes times warps are the threads. Established by tile-plan-roles and
// tile-infer-layouts.
//
//===----------------------------------------------------------------------===//

#include "StagePredicates.h"

#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/ProductFacts.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// How an error calls an end of a constraint of `op`.
static std::string describe(Operation *op, LayoutEnd end) {
  if (auto *use = dyn_cast<OpOperand *>(end)) {
    if (use->getOwner() != op)
      return "the fragment";
    if (op->getNumOperands() == 1)
      return "the operand";
    return "operand " + std::to_string(use->getOperandNumber());
  }
  return op->getNumResults() == 1 ? "the result" : "a result";
}

/// The error of an end of a constraint of `op`: at the operation that reads an
/// operand, which may stand in a region of `op`.
static InFlightDiagnostic emitBrokenAt(Operation *op, LayoutEnd end) {
  auto *use = dyn_cast<OpOperand *>(end);
  return emitStageError(use ? use->getOwner() : op, Stage::LaidOut);
}

/// Whether the layout of `end` is `expected`.
static LogicalResult expectLayout(Operation *op, LayoutEnd end,
                                  const tilec::FragmentLayout &expected) {
  FragmentAttr layout = getFragmentAt(end);
  auto wanted = FragmentAttr::get(op->getContext(), expected);
  if (layout == wanted)
    return success();
  return emitBrokenAt(op, end)
         << describe(op, end) << " has layout " << layout << ", but " << wanted
         << " follows from the other side; put a 'tile.convert_layout' between";
}

/// Whether the layout of `end` is `map` of that of `source`.
static LogicalResult verifyMap(Operation *op, LayoutEnd end, LayoutEnd source,
                               const tilec::LayoutMap &map) {
  FragmentAttr from = getFragmentAt(source);
  if (map.isIdentity() && getFragmentAt(end) == from)
    return success();
  auto expected = map.apply(from.getLayout());
  if (!expected)
    return emitBrokenAt(op, end)
           << "no layout for " << describe(op, end) << " follows from " << from
           << ": " << expected.reason();
  return expectLayout(op, end, *expected);
}

/// The layouts in which the buffer `root` would meet `demand`, for an error.
static std::string listLayouts(Value root, const tilec::BufferDemand &demand) {
  auto type = cast<MemRefType>(root.getType());
  std::vector<tilec::SharedLayout> layouts = tilec::getLayouts(
      demand, tilec::Coordinate(type.getShape().begin(), type.getShape().end()),
      getMemoryBits(type.getElementType()));
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (layouts.empty())
    stream << "; no layout of this shape meets it";
  else
    stream << "; " << SharedAttr::get(root.getContext(), layouts.front())
           << " meets it";
  return text;
}

/// Whether the buffer behind an operand is as its access asks.
static LogicalResult verifyBuffer(Operation *op,
                                  const DemandedBuffer &demanded) {
  Value root = getSharedRoot(demanded.use->get());
  SharedAttr attr = root ? getBufferLayout(root) : SharedAttr();
  auto demand = getDemandOnRoot(demanded);
  if (!attr || !demand)
    return emitStageError(op, Stage::LaidOut)
           << describe(op, demanded.use)
           << " is no view, an element a step, of a buffer whose layout is "
              "known, and its access asks for one";
  auto type = cast<MemRefType>(root.getType());
  auto layout = attr.getLayout(getMemoryBits(type.getElementType()));
  auto obstacle = layout ? tilec::findObstacle(*demand, *layout)
                         : std::optional(layout.reason());
  if (!obstacle)
    return success();
  return emitStageError(op, Stage::LaidOut)
         << "the buffer of " << describe(op, demanded.use) << " has layout "
         << attr << ", which its access cannot use: " << *obstacle
         << listLayouts(root, *demand);
}

static LogicalResult verifyConstraints(Operation *op) {
  LayoutConstraints constraints = getLayoutConstraints(op);
  for (const TakenLayout &taken : constraints.taken)
    if (taken.relabelling == Relabelling::None &&
        failed(verifyMap(op, taken.use, taken.source, taken.map)))
      return failure();
  for (const GivenLayout &given : constraints.given)
    if (given.relabelling == Relabelling::None &&
        failed(verifyMap(op, given.result, given.source, given.map)))
      return failure();
  for (const DemandedLayout &demanded : constraints.demanded)
    if (failed(expectLayout(op, demanded.end, demanded.layout)))
      return failure();
  for (const DemandedBuffer &demanded : constraints.buffers)
    if (failed(verifyBuffer(op, demanded)))
      return failure();
  return success();
}

static LogicalResult verifyTypes(Operation *op, TypeRange types) {
  for (Type type : types)
    if (isa<RankedTensorType>(type) && !getFragment(type))
      return emitStageError(op, Stage::LaidOut)
             << type << " has no layout; 'tile-infer-layouts' chooses it";
  return success();
}

static LogicalResult emitMissing(Operation *op, StringRef attribute) {
  return emitStageError(op, Stage::LaidOut)
         << "it has no '" << attribute << "'; 'tile-infer-layouts' chooses it";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LogicalResult verifyAlloc(AllocOp op) {
  return op.getLayout() ? success() : emitMissing(op, "layout");
}

/// A copy by bulk tensor copies: one thread names boxes, so that nothing is
/// chosen for threads.
static LogicalResult verifyBulkCopy(TensorCopyOpInterface op) {
  auto emitObstacle = [&]() {
    return emitStageError(op, Stage::LaidOut) << op.getInstructionAttr() << ' ';
  };
  if (op.getLayoutAttr() || op.getVectorWidthAttr())
    return emitObstacle() << "is issued by one thread, and the copy has a "
                             "'layout' or 'vector_width'";
  if (auto obstacle = findRowObstacle(op))
    return emitObstacle() << *obstacle;
  auto boxes = getBulkBoxes(op);
  if (!boxes)
    return emitObstacle() << "cannot move this tile: " << boxes.reason();
  return success();
}

/// For `tile.copy` and `tile.im2col`.
template <typename Op>
static LogicalResult verifyCopy(Op op) {
  if (TensorCopyOpInterface copy = getBulkCopy(op))
    return verifyBulkCopy(copy);
  if (!op.getLayout())
    return emitMissing(op, "layout");
  if (!op.getVectorWidth())
    return emitMissing(op, "vector_width");
  if (!op.getInstructionAttr())
    return emitMissing(op, "instruction");
  const tilec::CopyInstruction *row = op.getInstructionAttr().getCopy();
  if (!row)
    return emitStageError(op, Stage::LaidOut)
           << op.getInstructionAttr() << " is no instruction of a copy";
  if (row->issuer != tilec::Issuer::Thread)
    return emitStageError(op, Stage::LaidOut)
           << op.getInstructionAttr()
           << " is no copy of each thread's elements, which this one is";
  MemRefType source = op.getSource().getType();
  int64_t bits = *op.getVectorWidth() * getMemoryBits(source.getElementType());
  auto obstacle = findObstacle(*row, source, op.getDest().getType(), bits);
  if (!obstacle)
    return success();
  return emitStageError(op, Stage::LaidOut)
         << op.getInstructionAttr() << ' ' << *obstacle;
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

/// Whether an operand is where its instruction finds it, or is loaded from
/// there; `name` is that of the attribute that says how.
static LogicalResult verifyOperand(Operation *op, OpOperand &use,
                                   const tilec::MatrixOperand &traits,
                                   OperandLoadAttr load, StringRef name) {
  bool isInMemory = isa<MemRefType>(use.get().getType());
  if (traits.space == tilec::OperandSpace::Registers) {
    if (isInMemory && !load)
      return emitMissing(op, name);
    return success();
  }
  if (!isInMemory)
    return emitStageError(op, Stage::LaidOut)
           << describe(op, &use)
           << " is a fragment, and its instruction reads it from shared memory";
  if (load)
    return emitStageError(op, Stage::LaidOut)
           << "it has '" << name << "', and its instruction reads "
           << describe(op, &use) << " from shared memory itself";
  return success();
}

static LogicalResult verifyProduct(MatrixProductOpInterface op) {
  InstructionAttr instruction = op.getInstructionAttr();
  if (!instruction)
    return emitMissing(op, "instruction");
  const tilec::MatrixInstruction *row = instruction.getMatrix();
  if (!row)
    return emitStageError(op, Stage::LaidOut)
           << instruction << " is no instruction of a product";
  if (!fitsOperands(*row, op) ||
      row->scaling.has_value() != getBlockScaling(op).has_value())
    return emitStageError(op, Stage::LaidOut)
           << instruction << " does not multiply these types";
  if (row->participants == tilec::Participants::Thread)
    return success();
  if (!op.getWarpGridAttr())
    return emitMissing(op, "warp_grid");
  auto plan = getProductPlan(op);
  if (!plan)
    return emitStageError(op, Stage::LaidOut)
           << "its instruction does not give the product to these warps: "
           << plan.reason();
  if (failed(verifyOperand(op, op.getAMutable(), row->a, op.getLoadAAttr(),
                           "load_a")))
    return failure();
  return verifyOperand(op, op.getBMutable(), row->b, op.getLoadBAttr(),
                       "load_b");
}

static LogicalResult verifySpace(IterationSpaceOpInterface op) {
  if (!op.getLayoutAttr())
    return emitMissing(op, "layout");
  return op.getVectorWidthAttr() ? success() : emitMissing(op, "vector_width");
}

/// What layout inference writes on operations.
static LogicalResult verifyAttributes(Operation *op) {
  if (auto product = dyn_cast<MatrixProductOpInterface>(op))
    return verifyProduct(product);
  if (auto space = dyn_cast<IterationSpaceOpInterface>(op))
    return verifySpace(space);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<AllocOp>(verifyAlloc)
      .Case<CopyOp, Im2ColOp>([](auto op) { return verifyCopy(op); })
      .Default(success());
}

LogicalResult tile::verifyLaidOut(const StagedCode &code) {
  return code.forEach([](Operation *op) -> LogicalResult {
    // Captured constants show as operands only.
    if (failed(verifyTypes(op, op->getOperandTypes())) ||
        failed(verifyTypes(op, op->getResultTypes())))
      return failure();
    for (Region &region : op->getRegions())
      if (failed(verifyTypes(op, region.getArgumentTypes())))
        return failure();
    if (failed(verifyAttributes(op)))
      return failure();
    return verifyConstraints(op);
  });
}
