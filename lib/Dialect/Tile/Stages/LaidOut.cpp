//===- LaidOut.cpp - Stage `laid_out` -------------------------------------===//
//
// Every fragment has a layout, every buffer, copy and parallel loop too, and
// operands agree or a `tile.convert_layout` stands between:
//
//   broadcast   operand = result without the new dimensions
//   transpose   result = operand, permuted
//   reduce      result = operand without the reduced dimensions
//   parallel    results have the loop's layout; a fragment read at the loop's
//               own variables has the loop's, without those not used, permuted
//
// Elementwise operations, constants and region arguments are checked by their
// own verifiers (equal types), reshapes and lanes times warps at every stage.
// Established by tile-plan-roles and tile-infer-layouts.
//
//===----------------------------------------------------------------------===//

#include "StagePredicates.h"

#include "../Verify/LayoutChecks.h"

#include "tile/Dialect/Tile/OwnElement.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/Instructions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

static std::vector<int> toDims(ArrayRef<int64_t> dims) {
  return {dims.begin(), dims.end()};
}

/// Whether `value` has exactly the layout `expected`.
static LogicalResult expectLayout(Operation *op, Value value, StringRef name,
                                  const tilec::FragmentLayout &expected) {
  FragmentAttr layout = getFragment(value.getType());
  auto wanted = FragmentAttr::get(op->getContext(), expected);
  if (layout == wanted)
    return success();
  return emitStageError(op, Stage::LaidOut)
         << name << " has layout " << layout << ", but " << wanted
         << " follows from the other side; put a 'tile.convert_layout' between";
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

/// A copy by `cp.async` moves 4, 8 or 16 bytes an access from global to shared
/// memory and converts nothing.
template <typename Op>
static LogicalResult verifyAsyncCopy(Op op) {
  MemRefType source = op.getSource().getType(), dest = op.getDest().getType();
  Type element = source.getElementType();
  if (isSharedMemory(source) || !isSharedMemory(dest) ||
      element != dest.getElementType())
    return emitStageError(op, Stage::LaidOut)
           << "'cp.async' copies from global to shared memory without "
              "converting, got "
           << source << " and " << dest;
  int64_t bits = *op.getVectorWidth() * getMemoryBits(element);
  if (!llvm::is_contained({32, 64, 128}, bits))
    return emitStageError(op, Stage::LaidOut)
           << "'cp.async' moves 4, 8 or 16 bytes an access, got " << bits
           << " bits";
  return success();
}

/// For `tile.copy` and `tile.im2col`.
template <typename Op>
static LogicalResult verifyCopy(Op op) {
  if (!op.getLayout())
    return emitMissing(op, "layout");
  if (!op.getVectorWidth())
    return emitMissing(op, "vector_width");
  std::optional<StringRef> instruction = op.getInstruction();
  if (!instruction)
    return emitMissing(op, "instruction");
  if (*instruction == "cp.async")
    return verifyAsyncCopy(op);
  if (*instruction == "ld.st")
    return success();
  return emitStageError(op, Stage::LaidOut)
         << "unknown instruction '" << *instruction
         << "' of a copy; known: cp.async, ld.st";
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

static LogicalResult verifyGemm(GemmOp op) {
  std::optional<StringRef> instruction = op.getInstruction();
  if (!instruction)
    return emitMissing(op, "instruction");
  if (*instruction == "fma" ||
      tilec::findMmaAtomByName({instruction->data(), instruction->size()}))
    return success();
  return emitStageError(op, Stage::LaidOut)
         << "unknown instruction '" << *instruction
         << "' of a gemm; it is 'fma' or the name of an mma instruction";
}

static LogicalResult verifyReduce(ReduceOp op) {
  for (auto [operand, result] :
       llvm::zip_equal(op.getOperands_(), op.getResults_()))
    if (failed(expectLayout(op, result, "the result",
                            getLayout(operand).dropDims(toDims(op.getDims())))))
      return failure();
  return success();
}

static LogicalResult verifyScan(ScanOp op) {
  for (auto [operand, result] :
       llvm::zip_equal(op.getOperands_(), op.getResults_()))
    if (failed(expectLayout(op, result, "the result", getLayout(operand))))
      return failure();
  return success();
}

static LogicalResult verifyParallel(ParallelOp op) {
  if (!op.getLayout())
    return emitMissing(op, "layout");
  if (!op.getVectorWidth())
    return emitMissing(op, "vector_width");
  tilec::FragmentLayout layout = op.getLayout()->getLayout();
  for (Value result : op.getResults())
    if (failed(expectLayout(op, result, "a result", layout)))
      return failure();
  WalkResult result =
      op.getBody().walk([&](tensor::ExtractOp extract) -> WalkResult {
        auto dims = getOwnElementDims(extract, op);
        if (!dims)
          return WalkResult::advance();
        return expectLayout(extract, extract.getTensor(), "the fragment",
                            projectLayout(layout, *dims));
      });
  return failure(result.wasInterrupted());
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
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<AllocOp>(verifyAlloc)
        .Case<CopyOp, Im2ColOp>([](auto op) { return verifyCopy(op); })
        .Case<GemmOp>(verifyGemm)
        .Case<ReduceOp>(verifyReduce)
        .Case<ScanOp>(verifyScan)
        .Case<ParallelOp>(verifyParallel)
        .Case<BroadcastOp>([](BroadcastOp op) {
          return expectLayout(
              op, op.getSource(), "the operand",
              getLayout(op.getResult()).dropDims(toDims(op.getDims())));
        })
        .Case<TransposeOp>([](TransposeOp op) {
          return expectLayout(
              op, op.getResult(), "the result",
              getLayout(op.getSource()).transpose(toDims(op.getPermutation())));
        })
        .Default(success());
  });
}
