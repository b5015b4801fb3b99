//===- AccessFacts.cpp - What copies, loads, stores and atomics do --------===//
//
// Their sides, what they do to memory, and which layouts go together. The rows
// of a side lie where the elements do that they choose: their layout is that of
// the tile, without its other dimensions.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/ExchangeBuffer.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::LayoutMap;

//===----------------------------------------------------------------------===//
// Sides
//===----------------------------------------------------------------------===//

static std::optional<int64_t> getDim(std::optional<uint64_t> dim) {
  return dim ? std::optional<int64_t>(*dim) : std::nullopt;
}

template <typename Op>
static Side makeSource(Op op) {
  return {op.getSource(),
          op.getSourceIndices(),
          op.getSourceBoxAttr(),
          op.getSourceRows(),
          getDim(op.getSourceRowsDim()),
          op.getSourceInBoundsAttr()};
}

template <typename Op>
static Side makeDest(Op op) {
  return {
      op.getDest(),     op.getDestIndices(),         op.getDestBoxAttr(),
      op.getDestRows(), getDim(op.getDestRowsDim()), op.getDestInBoundsAttr()};
}

Side CopyOp::getSourceSide() { return makeSource(*this); }
Side CopyOp::getDestSide() { return makeDest(*this); }
Side LoadOp::getSourceSide() { return makeSource(*this); }
Side StoreOp::getDestSide() { return makeDest(*this); }
Side AtomicRMWOp::getDestSide() { return makeDest(*this); }

Side Im2ColOp::getDestSide() {
  Side side;
  side.memref = getDest();
  return side;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void LoadOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  accesses.push_back(BlockAccess::read(getSourceSide(), getResult()));
}

void StoreOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  accesses.push_back(BlockAccess::write(getDestSide(), getValue()));
}

void AtomicRMWOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  BlockAccess access = BlockAccess::write(getDestSide());
  access.reads = true;
  access.replaces = false;
  access.combines = getCommutingKind(getKind());
  accesses.push_back(access);
}

/// Both accesses of a copy are done when its instruction is.
static void addCopy(BlockAccess source, BlockAccess dest,
                    InstructionAttr instruction,
                    SmallVectorImpl<BlockAccess> &accesses) {
  const tilec::CopyInstruction *row =
      instruction ? instruction.getCopy() : nullptr;
  for (BlockAccess *access : {&source, &dest}) {
    if (row) {
      access->completion = row->getBlockCompletion();
      access->proxy = row->proxy;
      access->byOneThread = row->issuer == tilec::Issuer::ElectedThread;
    }
    if (access->byOneThread)
      access->threads = FragmentAttr();
    accesses.push_back(*access);
  }
}

/// A side of a copy with its extents, which the other side may have given.
static Side withExtents(Side side, ArrayRef<int64_t> tile) {
  if (!side.isWhole() && !side.box)
    side.box =
        DenseI64ArrayAttr::get(side.memref.getContext(), side.getExtents(tile));
  return side;
}

void CopyOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  SmallVector<int64_t> tile = getTileShape();
  BlockAccess source = BlockAccess::read(withExtents(getSourceSide(), tile));
  BlockAccess dest = BlockAccess::write(withExtents(getDestSide(), tile));
  for (BlockAccess *access : {&source, &dest})
    if (!access->side->rows)
      access->threads = getLayoutAttr();
  if (auto kind = getCombination(*this)) {
    dest.reads = true;
    dest.replaces = false;
    dest.combines = getCommutingKind(*kind);
  }
  addCopy(source, dest, getInstructionAttr(), accesses);
}

void Im2ColOp::getBlockAccesses(SmallVectorImpl<BlockAccess> &accesses) {
  addCopy(BlockAccess::read(Value(getSource())),
          BlockAccess::write(getDestSide()), getInstructionAttr(), accesses);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// The map from the layout of a tile of shape `tileShape` to that of the rows
/// of `side`; nothing without rows, or along a dimension that the tile lacks.
static std::optional<LayoutMap> getRowsMap(const Side &side,
                                           ArrayRef<int64_t> tileShape) {
  if (!side.rows)
    return std::nullopt;
  SmallVector<int64_t> dims = side.getTileDims(tileShape);
  auto it = llvm::find(dims, side.rowsDim.value_or(-1));
  if (it == dims.end())
    return std::nullopt;
  return LayoutMap::project({it - dims.begin()});
}

/// The buffer of `side` lets `width` consecutive registers of `layout` move in
/// one access.
static void demandGroups(OpOperand &memref, const Side &side,
                         const tilec::FragmentLayout &layout, int64_t width,
                         LayoutConstraints &constraints) {
  SmallVector<int64_t> dims = side.getTileDims(layout.getShape());
  tilec::GroupDemand group(tilec::getFirstRegisters(layout, width));
  for (tilec::Digit &digit : group.numbering)
    digit.dim = static_cast<int>(dims[digit.dim]);
  if (group.getCount() == width)
    constraints.demandGroups(memref, std::move(group.numbering));
}

/// The same for a load or store of `fragment`: its widest accesses.
template <typename Op>
static void demandGroups(Op op, OpOperand &memref, const Side &side,
                         Type fragment, LayoutConstraints &constraints) {
  int64_t width =
      std::max(op.getVectorWidth().value_or(1), op.getInnerWidth().value_or(1));
  if (FragmentAttr layout = getFragment(fragment))
    demandGroups(memref, side, layout.getLayout(), width, constraints);
}

void LoadOp::getLayoutConstraints(LayoutConstraints &constraints) {
  if (auto map = getRowsMap(getSourceSide(), getType().getShape()))
    constraints.taken.push_back(
        {&getSourceRowsMutable()[0], getResult(), *map});
  demandGroups(*this, getSourceMutable(), getSourceSide(), getType(),
               constraints);
}

void StoreOp::getLayoutConstraints(LayoutConstraints &constraints) {
  demandGroups(*this, getDestMutable(), getDestSide(), getValue().getType(),
               constraints);
  if (auto map = getRowsMap(getDestSide(), getValue().getType().getShape()))
    constraints.taken.push_back(
        {&getDestRowsMutable()[0], &getValueMutable(), *map});
}

void AtomicRMWOp::getLayoutConstraints(LayoutConstraints &constraints) {
  if (auto map = getRowsMap(getDestSide(), getValue().getType().getShape()))
    constraints.taken.push_back(
        {&getDestRowsMutable()[0], &getValueMutable(), *map});
}

SmallVector<DemandedLayout>
CopyOp::getDemandedLayouts(const tilec::FragmentLayout &layout) {
  SmallVector<DemandedLayout> demanded;
  SmallVector<int64_t> shape = getTileShape();
  if (auto map = getRowsMap(getSourceSide(), shape))
    demanded.push_back({&getSourceRowsMutable()[0], *map->apply(layout)});
  if (auto map = getRowsMap(getDestSide(), shape))
    demanded.push_back({&getDestRowsMutable()[0], *map->apply(layout)});
  return demanded;
}

void CopyOp::getLayoutConstraints(LayoutConstraints &constraints) {
  if (!getLayoutAttr())
    return;
  tilec::FragmentLayout layout = getLayoutAttr().getLayout();
  llvm::append_range(constraints.demanded, getDemandedLayouts(layout));
  int64_t width = getVectorWidth().value_or(1);
  demandGroups(getSourceMutable(), getSourceSide(), layout,
               getSideWidth(getSource().getType(), width), constraints);
  demandGroups(getDestMutable(), getDestSide(), layout,
               getSideWidth(getDest().getType(), width), constraints);
}

void Im2ColOp::getLayoutConstraints(LayoutConstraints &constraints) {
  if (FragmentAttr layout = getLayoutAttr())
    demandGroups(getDestMutable(), getDestSide(), layout.getLayout(),
                 getVectorWidth().value_or(1), constraints);
}
