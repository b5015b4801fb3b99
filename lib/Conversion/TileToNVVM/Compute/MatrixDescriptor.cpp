//===- MatrixDescriptor.cpp - Operands that descriptors name -------------===//

#include "MatrixDescriptor.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::OffsetDigit;

/// What addresses and strides are counted in.
static constexpr int64_t unitBytes = 16;

static bool isInAnyLoop(Value memref) {
  Operation *around = memref.getParentBlock()->getParentOp();
  return isa<LoopLikeOpInterface>(around) ||
         around->getParentOfType<LoopLikeOpInterface>();
}

DescribedOperand::DescribedOperand(ThreadEmitter &emitter, Value memref,
                                   bool isSwapped,
                                   const tilec::MatrixOperand &traits, bool isB,
                                   const tilec::Coordinate &tile,
                                   ThreadCoordinate group)
    : emitter(emitter), view(emitter.getShared(memref)),
      outerDim(view.dims[isSwapped]), kDim(view.dims[!isSwapped]),
      group(std::move(group)), isInLoop(isInAnyLoop(memref)) {
  tilec::Coordinate shape;
  for (const SharedView::LayoutDim &dim : view.layoutDims)
    shape.push_back(dim.extent);
  auto layout = tilec::SharedLayout::get(shape, view.digits, view.swizzle,
                                         view.elementBits);
  if (!layout) {
    obstacle = layout.reason();
    return;
  }
  std::vector<int> operandDims = {outerDim, kDim};
  if (isB)
    std::swap(operandDims[0], operandDims[1]);
  for (const tilec::SharedDemand &demand : traits.sharedLayouts) {
    auto found = demand.getStrides(*layout, operandDims, tile);
    if (found) {
      pattern = &demand;
      strides = *found;
      return;
    }
    obstacle = found.reason();
  }
}

LogicalResult DescribedOperand::verify(Operation *op) const {
  if (pattern)
    return success();
  return op->emitError("no descriptor names an operand in shared memory: ")
         << obstacle;
}

//===----------------------------------------------------------------------===//
// Where tiles begin
//===----------------------------------------------------------------------===//

/// The bytes from the start of the buffer along one dimension, before the XOR.
int64_t DescribedOperand::getBytes(int dim, int64_t position) const {
  int64_t bytes = 0;
  for (const tilec::OffsetDigit &digit : view.digits)
    if (digit.dim == dim)
      bytes += position / digit.step % digit.extent * digit.weight *
               view.elementBits / 8;
  return bytes;
}

Value DescribedOperand::getRuntimeBytes(int dim, Value position) const {
  Value bytes;
  for (const tilec::OffsetDigit &digit : view.digits) {
    if (digit.dim != dim)
      continue;
    Value value =
        emitter.remainder(emitter.divide(position, digit.step), digit.extent);
    bytes = emitter.add(
        bytes, emitter.multiply(value, digit.weight * view.elementBits / 8));
  }
  return bytes;
}

/// Whether what is added to `position` at run time is only the warpgroup's part,
/// and carries into no digit.
bool DescribedOperand::isAdditive(int dim, int64_t position) const {
  if (view.layoutDims[dim].dynamicStart)
    return false;
  if (dim != outerDim || !group.value)
    return true;
  return llvm::all_of(group.values, [&](int64_t value) {
    return getBytes(dim, value + position) ==
           getBytes(dim, value) + getBytes(dim, position);
  });
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// The swizzle mode as a descriptor has it.
static int64_t getMode(int64_t swizzleBytes) {
  switch (swizzleBytes) {
  case 128:
    return 1;
  case 64:
    return 2;
  case 32:
    return 3;
  default:
    return 0;
  }
}

/// All but the start address.
int64_t DescribedOperand::getConstantBits() const {
  // A leading stride that is never taken counts as one unit.
  int64_t leading = std::max<int64_t>(strides.leadingBytes / unitBytes, 1);
  int64_t stride = strides.strideBytes / unitBytes;
  return leading << 16 | stride << 32 | getMode(pattern->swizzleBytes) << 62;
}

/// An address (i32) as a descriptor holds it (i64): the same in all lanes, also
/// for ptxas.
static Value toUniformUnits(ThreadEmitter &emitter, Value address) {
  constexpr int64_t endOfAddresses = int64_t(1) << 18;
  Value units =
      emitter.divide(emitter.remainder(address, endOfAddresses), unitBytes);
  return emitter.widen(emitter.callIntrinsic(
      "llvm.nvvm.shfl.sync.idx.i32", emitter.builder.getI32Type(),
      {emitter.i32(-1), units, emitter.i32(0), emitter.i32(31)}));
}

/// The descriptor of the warpgroup's part of the buffer: where the buffer's
/// address is known, once for all products.
Value DescribedOperand::getBase() const {
  Value &base = emitter.descriptorBases[{view.root.getAsOpaquePointer(),
                                         group.value.getAsOpaquePointer(),
                                         outerDim, getConstantBits()}];
  if (base)
    return base;
  OpBuilder::InsertionGuard guard(emitter.builder);
  // A role has the addresses of most buffers from outside.
  Operation *endOfPrologue = emitter.getScope().getEndOfPrologue();
  Value root = view.root;
  if (endOfPrologue->getParentRegion()->isAncestor(root.getParentRegion()))
    emitter.builder.setInsertionPointAfterValue(view.root);
  else
    emitter.builder.setInsertionPoint(endOfPrologue);
  Type i32 = emitter.builder.getI32Type();
  Value address =
      LLVM::PtrToIntOp::create(emitter.builder, emitter.loc, i32, view.root);
  if (group.value)
    address = emitter.add(address, getRuntimeBytes(outerDim, group.value));
  base = emitter.add(toUniformUnits(emitter, address),
                     emitter.i64(getConstantBits()));
  return base;
}

/// The descriptor of one tile alone, where something may carry.
Value DescribedOperand::getMoved(ArrayRef<int64_t> positions) const {
  OpBuilder &builder = emitter.builder;
  Value address = LLVM::PtrToIntOp::create(builder, emitter.loc,
                                           builder.getI32Type(), view.base);
  for (auto [dim, position] : llvm::enumerate(positions)) {
    Value runtime = view.layoutDims[dim].dynamicStart;
    if (int(dim) == outerDim)
      runtime = emitter.add(runtime, group.value);
    address = emitter.add(
        address,
        runtime ? getRuntimeBytes(dim, emitter.addConstant(runtime, position))
                : emitter.i32(getBytes(dim, position)));
  }
  return emitter.add(toUniformUnits(emitter, address),
                     emitter.i64(getConstantBits()));
}

SmallVector<int64_t> DescribedOperand::getPositions(int64_t outer,
                                                    int64_t k) const {
  SmallVector<int64_t> positions;
  for (const SharedView::LayoutDim &dim : view.layoutDims)
    positions.push_back(dim.start);
  positions[outerDim] += outer;
  positions[kDim] += k;
  return positions;
}

void DescribedOperand::prepare(int64_t outer, int64_t k) {
  SmallVector<int64_t> positions = getPositions(outer, k);
  for (auto [dim, position] : llvm::enumerate(positions))
    if (!isAdditive(dim, position)) {
      moved[{outer, k}] = getMoved(positions);
      return;
    }
}

Descriptor DescribedOperand::get(int64_t outer, int64_t k, bool isKept) const {
  if (auto alone = moved.find({outer, k}); alone != moved.end())
    return {alone->second};
  int64_t bytes = 0;
  for (auto [dim, position] : llvm::enumerate(getPositions(outer, k)))
    bytes += getBytes(dim, position);
  Value base = getBase(), moved = base;
  for (auto [value, stepBytes] : view.rootSteps) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      bytes += *constant * stepBytes;
    else
      moved = emitter.add(
          moved, emitter.multiply(emitter.widen(value), stepBytes / unitBytes));
  }
  bool isConstantSlot = !view.rootSteps.empty() && moved == base;
  if (isInLoop && isConstantSlot && !isKept)
    return {base, bytes / unitBytes};
  return {emitter.addConstant(moved, bytes / unitBytes)};
}
