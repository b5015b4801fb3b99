//===- AccessOps.cpp - Verification of copies, loads, stores, atomics -----===//
//
// All of them move a box between one side and another side or a fragment
// (TileSide.h), so all share the checks of a side: one index, extent and bound
// per dimension, and a box that is the moved tile up to unit dimensions.
//
//===----------------------------------------------------------------------===//

#include "../Verify/LayoutChecks.h"
#include "../Verify/LegalOperations.h"

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/ScalarInstruction.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

void CopyOp::build(OpBuilder &builder, OperationState &state, Value source,
                   ValueRange sourceIndices, Value dest,
                   ValueRange destIndices) {
  build(builder, state, source, sourceIndices, /*source_rows=*/{}, dest,
        destIndices, /*dest_rows=*/{}, /*pad=*/{}, /*tensor_map=*/{},
        /*source_box=*/{}, /*source_rows_dim=*/{}, /*source_in_bounds=*/{},
        /*dest_box=*/{},
        /*dest_rows_dim=*/{}, /*dest_in_bounds=*/{}, /*layout=*/{},
        /*vector_width=*/{}, /*instruction=*/{}, /*multicast=*/{});
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Type result,
                   Value source, ValueRange indices, Value pad) {
  build(builder, state, result, source, indices, /*source_rows=*/{}, pad,
        /*source_box=*/{}, /*source_rows_dim=*/{}, /*source_in_bounds=*/{},
        /*vector_width=*/{}, /*inner_width=*/{});
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value value,
                    Value dest, ValueRange indices) {
  build(builder, state, value, dest, indices, /*dest_rows=*/{},
        /*dest_box=*/{}, /*dest_rows_dim=*/{}, /*dest_in_bounds=*/{},
        /*vector_width=*/{}, /*inner_width=*/{});
}

//===----------------------------------------------------------------------===//
// One side
//===----------------------------------------------------------------------===//

/// Whether the lists of a side have one entry per dimension of its memref.
static LogicalResult verifySideLists(Operation *op, const Side &side,
                                     StringRef name) {
  // copy_c3
  int64_t rank = side.getRank();
  auto expectEntries = [&](size_t count, StringRef what) -> LogicalResult {
    if (static_cast<int64_t>(count) == rank)
      return success();
    return op->emitOpError("has ")
           << count << ' ' << what << " for its " << name << " of rank " << rank
           << " (" << side.getType() << "); give one per dimension";
  };
  if (side.isWhole()) {
    if (rank != 0 && (side.box || side.rows || side.inBounds))
      return op->emitOpError("needs indices for its ")
             << name << " to have a box, rows or bounds";
    if (!side.getType().hasStaticShape())
      return op->emitOpError("takes its ")
             << name << " whole, which needs a static shape, got "
             << side.getType() << "; give indices, and a box where needed";
  } else if (failed(expectEntries(side.indices.size(), "indices"))) {
    return failure();
  }
  if (side.inBounds &&
      failed(expectEntries(side.inBounds.size(), "entries of 'in_bounds'")))
    return failure();
  if (!side.box)
    return success();
  if (failed(expectEntries(side.box.size(), "box extents")))
    return failure();
  for (int64_t extent : side.box.asArrayRef())
    if (extent < 1)
      return op->emitOpError("must have positive box extents, got ")
             << formatShape(side.box.asArrayRef());
  return success();
}

/// Whether the gathered or scattered rows fit the extents of the side.
static LogicalResult verifyRows(Operation *op, const Side &side,
                                ArrayRef<int64_t> extents, StringRef name) {
  if (!side.rows && !side.rowsDim)
    return success();
  if (!side.rows || !side.rowsDim)
    return op->emitOpError("has 'rows' with its dimension or neither");
  int64_t dim = *side.rowsDim;
  if (dim < 0 || dim >= side.getRank())
    return op->emitOpError("has rows along dimension ")
           << dim << " of its " << name << " of rank " << side.getRank();
  int64_t count = cast<ShapedType>(side.rows.getType()).getDimSize(0);
  if (count != extents[dim])
    return op->emitOpError("has ")
           << count << " rows for an extent of " << extents[dim]
           << " along dimension " << dim << " of its " << name;
  return success();
}

/// Whether a side, which moves `tile`, describes that shape: as it is, or with
/// a box of higher rank after unit dimensions are dropped.
static LogicalResult verifySideShape(Operation *op, const Side &side,
                                     ArrayRef<int64_t> tile, StringRef name) {
  // copy_c1
  bool takesExtents = !side.isWhole() && !side.box;
  if (takesExtents && side.getRank() != static_cast<int64_t>(tile.size()))
    return op->emitOpError("has no box for its ")
           << name << " of rank " << side.getRank()
           << ", so its extents are those of the other side, of rank "
           << tile.size() << "; write a box of " << side.getRank()
           << " extents after the indices";
  SmallVector<int64_t> extents = side.getExtents(tile);
  SmallVector<int64_t> dims = side.getTileDims(tile);
  bool matches = dims.size() == tile.size();
  for (int64_t dim = 0; dim < side.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      matches &= extents[dim] == 1;
  for (auto [index, dim] : llvm::enumerate(dims))
    matches &= index < tile.size() && extents[dim] == tile[index];
  if (!matches)
    return op->emitOpError("has a ")
           << name << " of extents " << formatShape(extents)
           << ", which is not the tile " << formatShape(tile)
           << " with unit dimensions added";
  return verifyRows(op, side, extents, name);
}

/// Floats become floats and integers integers.
static LogicalResult verifyCast(Operation *op, Type from, Type to) {
  // copy_c2
  auto isInteger = [](Type type) { return type.isSignlessIntOrIndex(); };
  for (Type type : {from, to})
    if (!isLegalElementType(type))
      return op->emitOpError("cannot move elements of type ")
             << type
             << "; integers have 1, 4, 8, 16, 32 or 64 bits, floats 4 to 64";
  if (isInteger(from) == isInteger(to))
    return success();
  return op->emitOpError("converts floats to floats and integers to integers, "
                         "not ")
         << from << " to " << to
         << "; load a fragment, convert it with 'arith' and store that";
}

/// What is read outside of the source must be known.
static LogicalResult verifyPadding(Operation *op, const Side &source, Value pad,
                                   Type destType) {
  // copy_c4
  bool alwaysInside =
      source.isWhole() ||
      (source.inBounds && llvm::all_of(source.inBounds.asArrayRef(),
                                       [](bool inside) { return inside; }));
  if (pad || alwaysInside || !isa<Float8E8M0FNUType>(destType))
    return success();
  return op->emitOpError("needs 'pad(...)': ")
         << destType << " has no zero to read outside of the source";
}

/// A constant list of rows that writes an element twice.
static LogicalResult verifyDistinctRows(Operation *op, const Side &dest) {
  DenseIntElementsAttr rows;
  if (!dest.rows || !matchPattern(dest.rows, m_Constant(&rows)))
    return success();
  llvm::SmallDenseSet<int64_t> seen;
  for (const APInt &row : rows.getValues<APInt>())
    if (!seen.insert(row.getSExtValue()).second)
      return op->emitOpError("writes row ")
             << row.getSExtValue()
             << " more than once; rows of a destination are distinct, use "
                "'tile.atomic_rmw' to combine";
  return success();
}

//===----------------------------------------------------------------------===//
// Copy
//===----------------------------------------------------------------------===//

/// The extents that a side says itself; nothing where the other one gives them.
static std::optional<SmallVector<int64_t>> getOwnExtents(const Side &side) {
  if (!side.isWhole() && !side.box)
    return std::nullopt;
  return side.getExtents({});
}

SmallVector<int64_t> CopyOp::getTileShape() {
  auto source = getOwnExtents(getSourceSide());
  auto dest = getOwnExtents(getDestSide());
  if (!source || !dest)
    return source ? *source : *dest;
  return source->size() <= dest->size() ? *source : *dest;
}

/// b - a where that is known without running the program.
static std::optional<int64_t> getDistance(Value a, Value b) {
  APInt first, second;
  if (a == b)
    return 0;
  if (matchPattern(a, m_ConstantInt(&first)) &&
      matchPattern(b, m_ConstantInt(&second)))
    return second.getSExtValue() - first.getSExtValue();
  return std::nullopt;
}

/// Two boxes of one memref that share an element, whatever the program does.
static bool provablyOverlap(const Side &a, const Side &b,
                            ArrayRef<int64_t> tile) {
  if (a.memref != b.memref || a.rows || b.rows)
    return false;
  if (a.isWhole() || b.isWhole())
    return a.isWhole() && b.isWhole();
  SmallVector<int64_t> extentsA = a.getExtents(tile);
  SmallVector<int64_t> extentsB = b.getExtents(tile);
  for (int64_t dim = 0; dim < a.getRank(); ++dim) {
    std::optional<int64_t> distance =
        getDistance(a.indices[dim], b.indices[dim]);
    if (!distance || *distance >= extentsA[dim] || -*distance >= extentsB[dim])
      return false;
  }
  return true;
}

/// The groups of blocks that share a copy are one partition of the cluster.
static LogicalResult verifyMulticast(TensorCopyOpInterface op) {
  // copy_c5, im2col_c3
  if (!op.getMulticastAttr())
    return success();
  ArrayRef<int64_t> masks = op.getMulticastAttr();
  auto count = static_cast<int64_t>(masks.size());
  if (!isSharedMemory(cast<MemRefType>(op.getDest().getType())) || count < 2 ||
      count > 16)
    return op->emitOpError("has 'multicast' for ")
           << count << " blocks; copies to shared memory have it, of clusters "
           << "of 2 to 16 blocks";
  for (auto [rank, mask] : llvm::enumerate(masks)) {
    bool isGroup = mask >> count == 0 && (mask >> rank & 1);
    for (int64_t other = 0; isGroup && other < count; ++other)
      isGroup = !(mask >> other & 1) || masks[other] == mask;
    if (!isGroup || llvm::popcount(uint64_t(mask)) !=
                        llvm::popcount(uint64_t(masks.front())))
      return op->emitOpError(
                 "must have in 'multicast' a mask for each block that "
                 "has its own bit and is that of all it names, of "
                 "equally many; that of block ")
             << rank << " of " << count << " is " << mask;
  }
  return success();
}

LogicalResult CopyOp::verify() {
  Side source = getSourceSide(), dest = getDestSide();
  if (failed(verifySideLists(*this, source, "source")) ||
      failed(verifySideLists(*this, dest, "destination")))
    return failure();
  if (!getOwnExtents(source) && !getOwnExtents(dest))
    return emitOpError("has indices but no box on either side; write the "
                       "extents, as in [64, 32], after the indices of one");
  SmallVector<int64_t> tile = getTileShape();
  if (isTooLarge(tile, maxMemoryElements))
    return emitOpError("must move at most ")
           << maxMemoryElements << " elements, got a box of "
           << formatShape(tile)
           << "; give each block a part, or loop over parts";
  Type destType = dest.getType().getElementType();
  if (failed(verifySideShape(*this, source, tile, "source")) ||
      failed(verifySideShape(*this, dest, tile, "destination")) ||
      failed(verifyCast(*this, source.getType().getElementType(), destType)) ||
      failed(verifyPadding(*this, source, getPad(), destType)) ||
      failed(verifyDistinctRows(*this, dest)) || failed(verifyMulticast(*this)))
    return failure();
  if (provablyOverlap(source, dest, tile))
    return emitOpError("has a source and a destination that overlap; copy "
                       "through another buffer or a fragment");
  return verifyThreadLayout(*this, getLayoutAttr(), getVectorWidth(), tile);
}

//===----------------------------------------------------------------------===//
// Load, store, atomics
//===----------------------------------------------------------------------===//

/// The widths of the accesses of a load or store, where chosen. A buffer may have
/// elements of several dimensions together, which its layout says (LaidOut.cpp).
template <typename Op>
static LogicalResult verifyWidths(Op op, const Side &side, Type fragment) {
  FragmentAttr layout = getFragment(fragment);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(fragment).getShape();
  std::optional<int64_t> width = op.getVectorWidth();
  bool isGroup = side.isShared() && layout && width && *width > 0 &&
                 layout.getLayout().getRegisterCount() % *width == 0;
  if (failed(verifyThreadLayout(op, layout, isGroup ? 1 : width, shape)))
    return failure();
  if (!op.getInnerWidth())
    return success();
  int64_t inner = *op.getInnerWidth(), edge = op.getVectorWidth().value_or(1);
  if (inner < edge || inner % edge != 0)
    return op.emitOpError("must have an 'inner_width' that 'vector_width' ")
           << edge << " divides, got " << inner;
  return verifyThreadLayout(op, layout, inner, shape);
}

LogicalResult LoadOp::verify() {
  Side source = getSourceSide();
  RankedTensorType type = getType();
  if (failed(verifySideLists(*this, source, "source")) ||
      failed(verifySideShape(*this, source, type.getShape(), "source")) ||
      failed(verifyCast(*this, source.getType().getElementType(),
                        type.getElementType())))
    return failure();
  if (failed(verifyPadding(*this, source, getPad(), type.getElementType())))
    return failure();
  return verifyWidths(*this, source, type);
}

LogicalResult StoreOp::verify() {
  Side dest = getDestSide();
  RankedTensorType type = getValue().getType();
  if (failed(verifySideLists(*this, dest, "destination")) ||
      failed(verifySideShape(*this, dest, type.getShape(), "destination")) ||
      failed(verifyCast(*this, type.getElementType(),
                        dest.getType().getElementType())) ||
      failed(verifyDistinctRows(*this, dest)))
    return failure();
  return verifyWidths(*this, dest, type);
}

/// Whether an atomic of this kind exists on elements of this type.
static bool fits(arith::AtomicRMWKind kind, Type type) {
  using Kind = arith::AtomicRMWKind;
  switch (kind) {
  case Kind::assign:
    return true;
  case Kind::addf:
  case Kind::mulf:
  case Kind::maximumf:
  case Kind::minimumf:
  case Kind::maxnumf:
  case Kind::minnumf:
    return isa<FloatType>(type);
  default:
    return isa<IntegerType>(type);
  }
}

int64_t AtomicRMWOp::getLargestWidth() {
  Type type = getDestSide().getType().getElementType();
  bool addsVectors = getKind() == arith::AtomicRMWKind::addf &&
                     !getDestSide().isShared() &&
                     (type.isF16() || type.isBF16() || type.isF32());
  return addsVectors ? tilec::vectorAtomicBytes * 8 / getMemoryBits(type) : 1;
}

LogicalResult AtomicRMWOp::verify() {
  Side dest = getDestSide();
  RankedTensorType type = getValue().getType();
  Type element = type.getElementType();
  if (failed(verifySideLists(*this, dest, "destination")) ||
      failed(verifySideShape(*this, dest, type.getShape(), "destination")))
    return failure();
  // atomic_rmw_c1
  if (dest.getType().getElementType() != element)
    return emitOpError("does not convert: the fragment has ")
           << element << ", memory " << dest.getType().getElementType();
  bool hasAtomics = element.isInteger(32) || element.isInteger(64) ||
                    (isa<FloatType>(element) && !isNarrowFloat(element));
  if (!hasAtomics)
    return emitOpError("exists for i32, i64 and floats from 16 bits on, got ")
           << element;
  if (!fits(getKind(), element))
    return emitOpError("of kind '")
           << arith::stringifyAtomicRMWKind(getKind())
           << "' does not fit elements of type " << element
           << (isa<FloatType>(element)
                   ? "; floats take addf, mulf, minimumf, maximumf, minnumf, "
                     "maxnumf and assign"
                   : "; integers take addi, muli, mins, maxs, minu, maxu, "
                     "andi, ori, xori and assign");
  // atomic_rmw_c2
  int64_t width = getVectorWidth().value_or(1), largest = getLargestWidth();
  if (width > largest)
    return emitOpError("must have a 'vector_width' of ")
           << largest << " at most for this kind, type and memory, got "
           << width;
  return verifyThreadLayout(*this, getFragment(type), getVectorWidth(),
                            type.getShape());
}

LogicalResult Im2ColOp::verify() {
  MemRefType source = getSource().getType(), dest = getDest().getType();
  // im2col_c1
  if (source.getRank() != 4 || dest.getRank() != 2 || !dest.hasStaticShape())
    return emitOpError(
               "must copy from an image N x H x W x C to a buffer of rank "
               "2, got ")
           << source << " and " << dest;
  if (source.getElementType() != dest.getElementType())
    return emitOpError("does not convert: the image has ")
           << source.getElementType() << ", the buffer "
           << dest.getElementType();
  // im2col_c2
  for (auto [name, list, least] : {std::tuple("kernel", getKernel(), 1),
                                   {"strides", getStrides(), 1},
                                   {"dilations", getDilations(), 1},
                                   {"padding", getPadding(), 0}}) {
    if (list.size() != 2)
      return emitOpError() << "'" << name << "' must have two entries, got "
                           << list.size();
    for (Attribute entry : list)
      if (cast<IntegerAttr>(entry).getInt() < least)
        return emitOpError()
               << "the entries of '" << name << "' must be at least " << least
               << ", got " << cast<IntegerAttr>(entry).getInt();
  }
  if (failed(verifyMulticast(*this)))
    return failure();
  return verifyThreadLayout(*this, getLayoutAttr(), getVectorWidth(),
                            dest.getShape());
}
