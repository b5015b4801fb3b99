//===- SharedViews.cpp - The arena and views of it ------------------------===//
//
// A view of shared memory keeps the layout of the buffer: a subview shifts
// coordinates. Reshapes are in SharedReshapes.cpp.
//
//===----------------------------------------------------------------------===//

#include "SharedViews.h"

#include "tile/Dialect/Tile/SubViews.h"
#include "tile/Hardware/SharedMemory.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::OffsetDigit;

//===----------------------------------------------------------------------===//
// The arena
//===----------------------------------------------------------------------===//

/// Dynamic shared memory starts at an external array without a size; an
/// internal one would be made static by the NVPTX backend.
static LogicalResult lowerArena(ThreadEmitter &emitter, ArenaOp op) {
  OpBuilder &builder = emitter.builder;
  auto module = emitter.kernel->getParentOfType<gpu::GPUModuleOp>();
  std::string name = (emitter.kernel.getName() + "_shared").str();
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
    global = LLVM::GlobalOp::create(
        builder, emitter.kernel.getLoc(), type, /*isConstant=*/false,
        LLVM::Linkage::External, name, Attribute(), tilec::sharedBaseAlignBytes,
        static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  }
  SharedView view;
  view.base = LLVM::AddressOfOp::create(builder, emitter.loc, global);
  emitter.bind(op.getResult(), std::move(view));
  return success();
}

static LogicalResult lowerView(ThreadEmitter &emitter, ViewOp op) {
  auto type = cast<MemRefType>(op.getResult().getType());
  Type elementType = type.getElementType();
  if (!emitter.convertMemoryType(elementType))
    return emitter.notImplemented(op, "a shared buffer of ") << elementType;
  auto layout = op.getLayout().getLayout(getMemoryBits(elementType));
  if (!layout)
    return op.emitError("the layout does not fit the buffer: ")
           << layout.reason();
  SharedView view;
  view.base =
      emitter.advance(emitter.getShared(op.getArena()).base, op.getOffset());
  view.root = view.base;
  view.digits = layout->getDigits();
  view.swizzle = layout->getSwizzle();
  view.elementBits = getMemoryBits(elementType);
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    view.layoutDims.emplace_back().extent = extent;
    view.dims.push_back(dim);
  }
  emitter.bind(op.getResult(), std::move(view));
  return success();
}

//===----------------------------------------------------------------------===//
// Views of shared memory
//===----------------------------------------------------------------------===//

const OffsetDigit *tile::findLinearDigit(const SharedView &view,
                                         int layoutDim) {
  const OffsetDigit *only = nullptr;
  for (const OffsetDigit &digit : view.digits) {
    if (digit.dim != layoutDim)
      continue;
    if (only || digit.step != 1)
      return nullptr;
    only = &digit;
  }
  return only;
}

/// The bytes from one coordinate to the next along a dimension whose steps are
/// whole periods of the XOR, such as the slots of a ring: moving along it moves
/// the base. Nothing for other dimensions.
static std::optional<int64_t> getBaseStepBytes(const SharedView &view,
                                               int layoutDim) {
  const OffsetDigit *only = findLinearDigit(view, layoutDim);
  if (!only)
    return std::nullopt;
  int64_t bits = only->weight * view.elementBits;
  if (bits % (8 * view.swizzle.getPeriodBytes()) != 0)
    return std::nullopt;
  return bits / 8;
}

FailureOr<SharedView> tile::takeShared(ThreadEmitter &emitter,
                                       memref::SubViewOp op, SharedView view) {
  SmallVector<int> dims;
  llvm::SmallBitVector dropped = getDroppedDims(op);
  for (auto [dim, offset] : llvm::enumerate(op.getMixedOffsets())) {
    SharedView::LayoutDim &layoutDim = view.layoutDims[view.dims[dim]];
    auto constant = getConstantIntValue(offset);
    auto stepBytes = getBaseStepBytes(view, view.dims[dim]);
    if (constant) {
      layoutDim.start += layoutDim.stride * *constant;
    } else if (layoutDim.extent == 1) {
      // The only slot of a ring: its number is 0.
    } else if (stepBytes && dropped.test(dim)) {
      Value start = emitter.narrow(emitter.getScalar(cast<Value>(offset)));
      int64_t bytes = layoutDim.stride * *stepBytes;
      view.base = emitter.advance(view.base, emitter.multiply(start, bytes));
      view.rootSteps.push_back({start, bytes});
    } else {
      auto value = cast<Value>(offset);
      int64_t divisor = emitter.facts.getDivisor(value) * layoutDim.stride;
      layoutDim.startDivisor = layoutDim.dynamicStart
                                   ? std::gcd(layoutDim.startDivisor, divisor)
                                   : divisor;
      Value start = emitter.multiply(emitter.narrow(emitter.getScalar(value)),
                                     layoutDim.stride);
      layoutDim.dynamicStart = emitter.add(layoutDim.dynamicStart, start);
    }
    layoutDim.stride *= op.getStaticStrides()[dim];
    if (!dropped.test(dim))
      dims.push_back(view.dims[dim]);
  }
  view.dims = dims;
  return view;
}

FailureOr<SharedView> tile::takeShared(ThreadEmitter &, AssumeOp,
                                       SharedView source) {
  return source;
}

FailureOr<SharedView> tile::takeShared(ThreadEmitter &, memref::CastOp,
                                       SharedView source) {
  return source;
}

FailureOr<SharedView> tile::takeShared(ThreadEmitter &,
                                       memref::ReinterpretCastOp, SharedView) {
  return failure();
}

void tile::registerSharedViewLowerings(LoweringTable &table) {
  table.add(lowerArena);
  table.add(lowerView);
}
