//===- LowerOperations.cpp - What reaches the device ----------------------===//
//
// Launches, allocations, copies and calls become calls of the runtime; so do the checks
// of views and assumptions, as the reference makes them.
//
//===----------------------------------------------------------------------===//

#include "LowerHost.h"
#include "Runtime.h"

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

namespace {

class OperationLowering {
public:
  OperationLowering(const LoweredFunction &lowered,
                    ArrayRef<LoweredFunction> functions, Tables &tables)
      : functions(functions), tables(tables),
        builder(func::FuncOp(lowered.function).getContext()), runtime(builder),
        call(func::FuncOp(lowered.function).getArgument(0)) {}

  void lower(Operation *op);

private:
  void lower(gpu::LaunchFuncOp op);
  void lower(memref::AllocOp op);
  void lower(memref::DeallocOp op);
  void lower(memref::CopyOp op);
  void lower(func::CallOp op);
  void lower(SmCountOp op);
  void lower(AssumeOp op);
  void lower(AssumeDivisibleOp op);
  void lower(memref::SubViewOp op);
  void lower(memref::CastOp op);
  void lower(memref::DimOp op);
  void lower(scf::ForOp op);

  Value getAddress(Location loc, LLVM::GlobalOp constant) {
    return tile::getAddress(builder, loc, constant);
  }
  Value getPlace(Operation *op) {
    return getAddress(op->getLoc(), tables.getPlace(op->getLoc()));
  }

  ArrayRef<LoweredFunction> functions;
  Tables &tables;
  OpBuilder builder;
  Runtime runtime;
  Value call;
};

} // namespace

void OperationLowering::lower(gpu::LaunchFuncOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> words;
  auto addExtents = [&](gpu::KernelDim3 extents) {
    for (Value extent : {extents.x, extents.y, extents.z})
      words.push_back(runtime.makeWord(loc, extent));
  };
  addExtents(op.getGridSizeOperandValues());
  addExtents(op.getBlockSizeOperandValues());
  if (op.hasClusterSize())
    addExtents(op.getClusterSizeOperandValues());
  else
    words.append(3, runtime.makeWord(loc, 1));
  Value bytes = op.getDynamicSharedMemorySize();
  words.push_back(bytes ? runtime.makeWord(loc, bytes)
                        : runtime.makeWord(loc, int64_t(0)));
  for (Value operand : op.getKernelOperands()) {
    auto map = operand.getDefiningOp<EncodeTensorMapOp>();
    runtime.addWords(loc, map ? map.getSource() : operand, words);
  }
  runtime.call(
      loc, "tileRtLaunch", {},
      {call, getAddress(loc, tables.getLaunch(op)), runtime.store(loc, words)});
  op.erase();
}

void OperationLowering::lower(memref::AllocOp op) {
  Location loc = op.getLoc();
  MemRefType type = op.getType();
  SmallVector<Value> sizes;
  unsigned dynamic = 0;
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size)
                        ? runtime.makeWord(loc, op.getDynamicSizes()[dynamic++])
                        : runtime.makeWord(loc, size));
  Value pointer = runtime.call(
      loc, "tileRtNewBuffer", runtime.getPointerType(),
      {call, getPlace(op),
       runtime.makeWord(loc, getMemoryBits(type.getElementType())),
       runtime.makeWord(loc, type.getRank()), runtime.store(loc, sizes)});
  Value made =
      runtime.makeMemRef(loc, type, pointer, runtime.makeWord(loc, int64_t(0)),
                         sizes, runtime.makeStrides(loc, sizes));
  op.replaceAllUsesWith(made);
  op.erase();
}

void OperationLowering::lower(memref::DeallocOp op) {
  Location loc = op.getLoc();
  Value address =
      runtime.makeWord(loc, memref::ExtractAlignedPointerAsIndexOp::create(
                                builder, loc, op.getMemref()));
  Value pointer =
      LLVM::IntToPtrOp::create(builder, loc, runtime.getPointerType(), address);
  runtime.call(loc, "tileRtFreeBuffer", {}, {call, getPlace(op), pointer});
  op.erase();
}

void OperationLowering::lower(memref::CopyOp op) {
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getSource().getType());
  SmallVector<Value> words;
  runtime.addWords(loc, op.getSource(), words);
  runtime.addWords(loc, op.getTarget(), words);
  runtime.call(loc, "tileRtCopyBuffer", {},
               {call, getPlace(op),
                runtime.makeWord(loc, getMemoryBits(type.getElementType())),
                runtime.makeWord(loc, type.getRank()),
                runtime.store(loc, words)});
  op.erase();
}

void OperationLowering::lower(func::CallOp op) {
  Location loc = op.getLoc();
  const LoweredFunction &callee =
      *llvm::find_if(functions, [&](const LoweredFunction &lowered) {
        return lowered.name == op.getCallee();
      });
  bool hasMemRefs =
      llvm::any_of(op.getOperandTypes(), llvm::IsaPred<MemRefType>);
  if (hasMemRefs) {
    SmallVector<Value> words;
    for (Value operand : op.getOperands())
      runtime.addWords(loc, operand, words);
    runtime.call(
        loc, "tileRtCheckCall", {},
        {call, getAddress(loc, callee.table), runtime.store(loc, words)});
  }
  SmallVector<Value> operands = {call};
  llvm::append_range(operands, op.getOperands());
  auto made = func::CallOp::create(builder, loc, callee.function, operands);
  op.replaceAllUsesWith(made);
  op.erase();
}

void OperationLowering::lower(SmCountOp op) {
  Value count = runtime.call(op.getLoc(), "tileRtMultiprocessors",
                             builder.getI64Type(), call);
  op.replaceAllUsesWith(
      arith::IndexCastOp::create(builder, op.getLoc(), op.getType(), count)
          .getResult());
  op.erase();
}

//===----------------------------------------------------------------------===//
// What only is checked
//===----------------------------------------------------------------------===//

void OperationLowering::lower(AssumeDivisibleOp op) {
  Location loc = op.getLoc();
  runtime.call(loc, "tileRtAssume", {},
               {call, getPlace(op), runtime.makeWord(loc, op.getValue()),
                runtime.makeWord(loc, static_cast<int64_t>(op.getDivisor()))});
  op.replaceAllUsesWith(op.getValue());
  op.erase();
}

void OperationLowering::lower(AssumeOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> words;
  runtime.addWords(loc, op.getSource(), words);
  runtime.call(loc, "tileRtAssumeMemRef", {},
               {call, getAddress(loc, tables.getAssumption(op)),
                runtime.store(loc, words)});
  op.replaceAllUsesWith(op.getSource());
  op.erase();
}

void OperationLowering::lower(memref::SubViewOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> words;
  auto add = [&](OpFoldResult number) {
    words.push_back(isa<Value>(number)
                        ? runtime.makeWord(loc, cast<Value>(number))
                        : runtime.makeWord(loc, *getConstantIntValue(number)));
  };
  auto source =
      memref::ExtractStridedMetadataOp::create(builder, loc, op.getSource());
  for (auto [offset, size, stride, sourceSize] :
       llvm::zip_equal(op.getMixedOffsets(), op.getMixedSizes(),
                       op.getMixedStrides(), source.getSizes())) {
    add(offset);
    add(size);
    add(stride);
    words.push_back(runtime.makeWord(loc, sourceSize));
  }
  runtime.call(loc, "tileRtCheckView", {},
               {call, getPlace(op),
                runtime.makeWord(loc, op.getSourceType().getRank()),
                runtime.store(loc, words)});
}

void OperationLowering::lower(memref::CastOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> words;
  runtime.addWords(loc, op.getSource(), words);
  runtime.call(loc, "tileRtCheckCast", {},
               {call, getPlace(op),
                getAddress(loc, tables.getType(cast<MemRefType>(op.getType()))),
                runtime.store(loc, words)});
}

/// Of a dimension that is not there the first one's size is taken.
void OperationLowering::lower(memref::DimOp op) {
  if (op.getConstantIndex())
    return;
  Location loc = op.getLoc();
  auto rank = cast<MemRefType>(op.getSource().getType()).getRank();
  runtime.call(loc, "tileRtCheckDim", {},
               {call, getPlace(op), runtime.makeWord(loc, op.getIndex()),
                runtime.makeWord(loc, rank)});
  Value ranks = arith::ConstantIndexOp::create(builder, loc, rank);
  Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        op.getIndex(), ranks);
  Value first = arith::ConstantIndexOp::create(builder, loc, 0);
  op.getIndexMutable().assign(
      arith::SelectOp::create(builder, loc, isThere, op.getIndex(), first));
}

void OperationLowering::lower(scf::ForOp op) {
  Value step = op.getStep();
  APInt known;
  bool isUnsigned = op.getUnsignedCmp();
  if (matchPattern(step, m_ConstantInt(&known)) &&
      (isUnsigned ? !known.isZero() : known.isStrictlyPositive()))
    return;
  Location loc = op.getLoc();
  if (isUnsigned) {
    Value zero = arith::ConstantOp::create(builder, loc,
                                           builder.getZeroAttr(step.getType()));
    step = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, step,
                                 zero);
  }
  runtime.call(loc, "tileRtCheckStep", {},
               {call, getPlace(op), runtime.makeWord(loc, step)});
}

void OperationLowering::lower(Operation *op) {
  builder.setInsertionPoint(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case<gpu::LaunchFuncOp, memref::AllocOp, memref::DeallocOp,
            memref::CopyOp, memref::SubViewOp, memref::CastOp, func::CallOp,
            memref::DimOp, scf::ForOp, SmCountOp, AssumeOp, AssumeDivisibleOp>(
          [&](auto known) { lower(known); });
}

void tile::lowerOperations(const LoweredFunction &lowered,
                           ArrayRef<LoweredFunction> functions,
                           Tables &tables) {
  func::FuncOp function = lowered.function;
  OperationLowering lowering(lowered, functions, tables);
  SmallVector<Operation *> operations;
  function.walk([&](Operation *op) { operations.push_back(op); });
  for (Operation *op : operations)
    lowering.lower(op);
  // Constants of what launches took with them, and tensor maps.
  function.walk([](Operation *op) {
    if (op->use_empty() &&
        (op->hasTrait<OpTrait::ConstantLike>() || isa<EncodeTensorMapOp>(op)))
      op->erase();
  });
}
