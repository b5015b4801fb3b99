//===- BulkCopyFacts.cpp - The boxes of a bulk tensor copy ----------------===//
//
// A copy names a box of a memref in global memory and a part of a buffer. Which
// dimension of the buffer each dimension of the memref runs along, and where in
// the buffer the part begins, follows from the views between; the rest is
// arithmetic (BulkBoxes.h).
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/LayoutConstraints.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/SpanCopies.h"
#include "tile/Dialect/Tile/SubViews.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/BulkSpans.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;

/// The row of a copy by bulk copies; null for others.
static const tilec::CopyInstruction *getBulkRow(Operation *op) {
  auto copy = dyn_cast<TensorCopyOpInterface>(op);
  if (!copy || !copy.getInstructionAttr())
    return nullptr;
  const tilec::CopyInstruction *row = copy.getInstructionAttr().getCopy();
  return row && row->issuer == tilec::Issuer::ElectedThread ? row : nullptr;
}

bool tile::isBulkCopy(Operation *op) { return getBulkRow(op); }

bool tile::needsTensorMap(Operation *op) {
  const tilec::CopyInstruction *row = getBulkRow(op);
  return row && row->box;
}

TensorCopyOpInterface tile::getBulkCopy(Operation *op) {
  return isBulkCopy(op) ? TensorCopyOpInterface(op) : TensorCopyOpInterface();
}

bool tile::isBulkLoad(Operation *op) {
  const tilec::CopyInstruction *row = getBulkRow(op);
  return row && row->completion == tilec::Completion::Mbarrier;
}

bool tile::isBulkStore(Operation *op) {
  const tilec::CopyInstruction *row = getBulkRow(op);
  return row && row->completion == tilec::Completion::Group;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The kinds by which bulk reductions combine. Of minima and maxima PTX does not
/// say what becomes of NaN.
static constexpr std::pair<arith::AtomicRMWKind, tilec::BulkReduction>
    combinations[] = {{arith::AtomicRMWKind::addf, tilec::BulkReduction::Add},
                      {arith::AtomicRMWKind::addi, tilec::BulkReduction::Add},
                      {arith::AtomicRMWKind::minu, tilec::BulkReduction::Min},
                      {arith::AtomicRMWKind::maxu, tilec::BulkReduction::Max},
                      {arith::AtomicRMWKind::andi, tilec::BulkReduction::And},
                      {arith::AtomicRMWKind::ori, tilec::BulkReduction::Or},
                      {arith::AtomicRMWKind::xori, tilec::BulkReduction::Xor}};

static bool isOfFloats(arith::AtomicRMWKind kind) {
  return kind == arith::AtomicRMWKind::addf;
}

std::optional<tilec::BulkReduction>
tile::findReduction(arith::AtomicRMWKind kind, Type type) {
  bool isFloat = type.isF16() || type.isBF16() || type.isF32() || type.isF64();
  bool isInteger = type.isInteger(32) || type.isInteger(64);
  for (auto [known, reduction] : combinations)
    if (known == kind && (isOfFloats(kind) ? isFloat : isInteger))
      return reduction;
  return std::nullopt;
}

std::optional<arith::AtomicRMWKind>
tile::getCombination(const tilec::CopyInstruction &row, Type type) {
  auto reduction = tilec::getReduction(row);
  for (auto [kind, known] : combinations)
    if (reduction && *reduction == known &&
        findReduction(kind, type) == reduction)
      return kind;
  return std::nullopt;
}

std::optional<arith::AtomicRMWKind>
tile::getCombination(TensorCopyOpInterface copy) {
  const tilec::CopyInstruction *row = getBulkRow(copy);
  auto dest = cast<MemRefType>(copy.getDest().getType());
  return row ? getCombination(*row, dest.getElementType()) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Boxes and images
//===----------------------------------------------------------------------===//

std::optional<PixelWalk> tile::getPixelWalk(TensorCopyOpInterface copy) {
  using Walk = std::optional<PixelWalk>;
  return llvm::TypeSwitch<Operation *, Walk>(copy)
      .Case([](Im2ColOp op) {
        PixelWalk walk;
        llvm::append_range(walk.lower, op.getLowerCorner());
        llvm::append_range(walk.upper, op.getUpperCorner());
        for (const APInt &stride :
             op.getStrides().getAsValueRange<IntegerAttr>())
          walk.strides.push_back(stride.getSExtValue());
        return Walk(walk);
      })
      .Default(Walk());
}

Value tile::getTensor(TensorCopyOpInterface copy) {
  return isBulkLoad(copy) ? copy.getSource() : copy.getDest();
}

std::optional<std::string> tile::findRowObstacle(TensorCopyOpInterface copy) {
  return copy.findRowObstacle(*getBulkRow(copy));
}

namespace {
/// A memref as a part of its buffer.
struct BufferPart {
  /// The dimension of the buffer that each dimension runs along.
  SmallVector<int64_t> rootDims;
  /// What divides the place of its first element, per dimension of the buffer.
  std::vector<int64_t> startDivisors;
};
} // namespace

/// What divides `place`; 0, for zero, of what is not constant without
/// `getDivisor`.
static int64_t getPlaceDivisor(OpFoldResult place,
                               llvm::function_ref<int64_t(Value)> getDivisor) {
  if (auto constant = getConstantIntValue(place))
    return std::abs(*constant);
  return getDivisor ? getDivisor(cast<Value>(place)) : 0;
}

/// One step from a view towards its buffer.
static void addView(memref::SubViewOp view,
                    llvm::function_ref<int64_t(Value)> getDivisor,
                    BufferPart &part) {
  llvm::SmallBitVector dropped = getDroppedDims(view);
  std::vector<int64_t> divisors;
  SmallVector<int64_t> kept;
  for (auto [dim, offset] : llvm::enumerate(view.getMixedOffsets())) {
    divisors.push_back(getPlaceDivisor(offset, getDivisor));
    if (dropped.test(dim))
      continue;
    divisors.back() =
        std::gcd(divisors.back(), part.startDivisors[kept.size()]);
    kept.push_back(static_cast<int64_t>(dim));
  }
  for (int64_t &dim : part.rootDims)
    dim = kept[dim];
  part.startDivisors = std::move(divisors);
}

/// Where a shared side lies in its buffer; nothing where a view in between is
/// no part of it, an element a step.
static std::optional<BufferPart>
getBufferPart(const Side &side, llvm::function_ref<int64_t(Value)> getDivisor) {
  Value memref = side.memref, root = getSharedRoot(memref);
  if (!root || side.rows)
    return std::nullopt;
  BufferPart part;
  for (int64_t dim = 0; dim < side.getRank(); ++dim) {
    part.rootDims.push_back(dim);
    part.startDivisors.push_back(
        side.isWhole() ? 0
                       : getPlaceDivisor(getAsOpFoldResult(side.indices[dim]),
                                         getDivisor));
  }
  while (memref != root) {
    if (auto castOp = memref.getDefiningOp<memref::CastOp>()) {
      memref = castOp.getSource();
      continue;
    }
    auto view = memref.getDefiningOp<memref::SubViewOp>();
    if (!view || !llvm::all_of(view.getMixedStrides(), [](OpFoldResult step) {
          return getConstantIntValue(step) == 1;
        }))
      return std::nullopt;
    addView(view, getDivisor, part);
    memref = view.getSource();
  }
  return part;
}

/// Strides in elements as the type has them; 0 where they are not constant. The
/// innermost of what bulk copies move is 1.
static std::vector<int64_t> getPitches(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  std::vector<int64_t> pitches(type.getRank(), 0);
  if (succeeded(type.getStridesAndOffset(strides, offset)))
    for (auto [pitch, stride] : llvm::zip_equal(pitches, strides))
      pitch = ShapedType::isDynamic(stride) ? 0 : stride;
  if (!pitches.empty())
    pitches.back() = 1;
  return pitches;
}

tilec::Expected<tilec::BulkBoxes>
tile::getBulkBoxes(TensorCopyOpInterface copy,
                   const tilec::CopyInstruction &row,
                   const tilec::SharedLayout &buffer,
                   llvm::function_ref<int64_t(Value)> getDivisor) {
  auto part = getBufferPart(copy.getSharedSide(), getDivisor);
  if (!part)
    return tilec::Failure{
        "the shared side is no box, an element a step, of a buffer"};
  std::vector<tilec::TensorAxis> axes = copy.getTensorAxes();
  for (tilec::TensorAxis &axis : axes)
    if (axis.bufferDim)
      axis.bufferDim = static_cast<int>(part->rootDims[*axis.bufferDim]);
  if (row.box)
    return tilec::getBulkBoxes(row, buffer, axes, part->startDivisors);
  Value tensor = row.dest == tilec::MemorySpace::Shared ? copy.getSource()
                                                        : copy.getDest();
  return tilec::getBulkSpans(row, buffer, axes, part->startDivisors,
                             getPitches(cast<MemRefType>(tensor.getType())));
}

tilec::Expected<tilec::BulkBoxes>
tile::getBulkBoxes(TensorCopyOpInterface copy,
                   llvm::function_ref<int64_t(Value)> getDivisor) {
  const tilec::CopyInstruction *row = getBulkRow(copy);
  assert(row && "only bulk copies have boxes");
  Value root = getSharedRoot(copy.getSharedSide().memref);
  SharedAttr attr = root ? getBufferLayout(root) : SharedAttr();
  if (!attr)
    return tilec::Failure{"the layout of its buffer is not known"};
  auto layout = attr.getLayout(
      getMemoryBits(cast<MemRefType>(root.getType()).getElementType()));
  if (!layout)
    return tilec::Failure{layout.reason()};
  auto boxes = getBulkBoxes(copy, *row, *layout, getDivisor);
  DenseI64ArrayAttr masks = copy.getMulticastAttr();
  if (!boxes || !masks)
    return boxes;
  return tilec::splitBoxes(
      *row, *boxes, llvm::popcount(uint64_t(masks.asArrayRef().front())));
}
