//===- BulkCopy.cpp - Copies by the copy engine ---------------------------===//
//
// The elected thread names each box of the tile (tile/Hardware/BulkBoxes.h):
// where it is in the tensor, where it goes in shared memory, and the mbarrier
// that counts its bytes, which is that of the slot it is for. The engine knows
// the tensor's bounds by its map and fills with zeros what lies outside; the
// bytes of a box arrive all the same. Boxes to global memory are clipped there;
// the elected thread waits for them.
//
// Spans of bytes have an address in the place of coordinates, and all lie inside.
//
//     start of the side + offset of the piece      coordinates, innermost first
//     slot + start in it + bytes of the piece      address
//
//===----------------------------------------------------------------------===//

#include "BulkCopy.h"

#include "../ClusterSharing.h"
#include "../Rings.h"
#include "ImageBoxes.h"
#include "ScalarAccess.h"
#include "SharedAddresses.h"

#include "tile/Analysis/ImageFacts.h"
#include "tile/Analysis/RingFills.h"
#include "tile/Analysis/SpanFacts.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/SpanCopies.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

/// The boxes of a bulk copy; an error where it cannot be made of boxes.
static FailureOr<tilec::BulkBoxes>
findBoxes(TensorCopyOpInterface op,
          function_ref<int64_t(Value)> getDivisor = nullptr) {
  auto boxes = getBulkBoxes(op, getDivisor);
  if (boxes)
    return *boxes;
  return op->emitError() << op.getInstructionAttr().getName()
                         << " is not possible here: " << boxes.reason();
}

/// The boxes of a bulk copy that has what its instruction needs.
static FailureOr<tilec::BulkBoxes> findBoxes(ThreadEmitter &emitter,
                                             TensorCopyOpInterface op) {
  if (needsTensorMap(op) && !op.getTensorMap())
    return op->emitError() << op.getInstructionAttr().getName()
                           << " needs a tensor map; run tile-outline-kernels";
  return findBoxes(
      op, [&](Value value) { return emitter.facts.getDivisor(value); });
}

FailureOr<int64_t> tile::getArrivingBytes(TensorCopyOpInterface load) {
  auto boxes = findBoxes(load);
  if (failed(boxes))
    return failure();
  return boxes->getTileBytes();
}

/// The address of the first element of a shared side, where the pattern of the
/// buffer's XOR begins, so that there is nothing to exchange.
static Value getFirstAddress(ThreadEmitter &emitter, const Side &side) {
  SmallVector<int64_t> constants(side.getRank(), 0);
  SmallVector<SmallVector<RuntimeTerm>> terms(side.getRank());
  for (auto [dim, index] : llvm::enumerate(side.indices)) {
    if (std::optional<int64_t> constant = getConstantIntValue(index))
      constants[dim] = *constant;
    else
      terms[dim].push_back({emitter.narrow(emitter.getScalar(index)),
                            {},
                            emitter.facts.getDivisor(index)});
  }
  SharedView view = emitter.getShared(side.memref);
  view.swizzle = tilec::Swizzle();
  return SharedAddresses(emitter, view, terms).getPointer(constants);
}

/// A start in the tensor as the engine takes it, 32 bits. No tensor that a map
/// describes has 2^31 elements along a dimension: a start that does not fit lies
/// outside, and stays there with its sign.
static Value getStart(ThreadEmitter &emitter, const Side &side, int64_t dim) {
  if (side.isWhole())
    return emitter.i32(0);
  Value index = side.indices[dim], start = emitter.getScalar(index);
  constexpr int64_t least = std::numeric_limits<int32_t>::min(),
                    largest = std::numeric_limits<int32_t>::max();
  auto low = emitter.facts.getLowerBound(index);
  auto high = emitter.facts.getUpperBound(index);
  if (!side.isInBounds(dim) && (!low || *low < least))
    start = emitter.builder.createOrFold<arith::MaxSIOp>(emitter.loc, start,
                                                         emitter.i64(least));
  if (!side.isInBounds(dim) && (!high || *high > largest))
    start = emitter.builder.createOrFold<arith::MinSIOp>(emitter.loc, start,
                                                         emitter.i64(largest));
  return emitter.narrow(start);
}

/// Where a piece begins in the tensor, innermost dimension first, of elements of 4 bits
/// in pairs. Past 2^31 it wraps to far below zero, which is outside as well.
static SmallVector<Value> getCoordinates(ThreadEmitter &emitter,
                                         const Side &side,
                                         const tilec::BoxPiece &piece) {
  SmallVector<Value> coordinates;
  for (int64_t dim = side.getRank() - 1; dim >= 0; --dim) {
    Value start = getStart(emitter, side, dim);
    coordinates.push_back(emitter.addConstant(start, piece.offsets[dim]));
  }
  auto type = cast<MemRefType>(side.memref.getType());
  if (getMemoryBits(type.getElementType()) == 4)
    coordinates.front() = emitter.builder.createOrFold<arith::ShRSIOp>(
        emitter.loc, coordinates.front(), emitter.i32(1));
  return coordinates;
}

/// The address of a span; those of a copy are multiples of 16 bytes apart.
static Value getSpanAddress(ThreadEmitter &emitter, const Side &side,
                            const tilec::BoxPiece &piece) {
  SmallVector<Value> indices;
  for (int64_t dim = 0; dim < side.getRank(); ++dim) {
    Value start = emitter.i64(piece.offsets[dim]);
    if (!side.isWhole())
      start = emitter.add(emitter.getScalar(side.indices[dim]), start);
    indices.push_back(start);
  }
  return getElementPlace(emitter, side.memref, indices).pointer;
}

/// An error where spans would not begin as their instruction asks.
static LogicalResult verifySpans(ThreadEmitter &emitter, CopyOp op,
                                 const Side &side,
                                 const tilec::BulkBoxes &spans) {
  const tilec::CopyInstruction *row = op.getInstructionAttr().getCopy();
  auto obstacle = findSpanObstacle(emitter.facts, side, op.getTileShape(),
                                   spans, row->alignBytes);
  if (!obstacle)
    return success();
  return op.emitError() << row->name << " is not possible here: " << *obstacle;
}

/// One box or span to shared memory.
static void emitBox(ThreadEmitter &emitter, Value map, Value dest, Value word,
                    const BoxPlace &place, const tilec::BulkBoxes &boxes,
                    Value multicastMask) {
  OpBuilder &builder = emitter.builder;
  // An address in the block's own memory names the same bytes among those of its
  // cluster (PTX ISA, "Shared State Space"); LLVM's cast would go through generic
  // addresses.
  Type ofCluster = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  Value address = LLVM::PtrToIntOp::create(builder, emitter.loc,
                                           builder.getI64Type(), dest);
  Value inCluster =
      LLVM::IntToPtrOp::create(builder, emitter.loc, ofCluster, address);
  if (place.address) {
    NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
        builder, emitter.loc, inCluster, place.address, word,
        emitter.i32(boxes.boxBytes), /*multicastMask=*/Value(),
        /*l2CacheHint=*/Value());
    return;
  }
  auto mode = place.offsets.empty() ? NVVM::TMALoadMode::TILE
                                    : NVVM::TMALoadMode::IM2COL;
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      builder, emitter.loc, inCluster, map, place.coordinates, word,
      place.offsets, multicastMask,
      /*l2CacheHint=*/Value(), mode, /*isCTAOnly=*/false,
      /*group=*/NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
}

/// The part of each box that the block brings, and the blocks that get it.
namespace {
struct BoxPart {
  Value number; ///< i32; null where the block brings all of it for itself
  Value mask;   ///< i16
};
} // namespace

static FailureOr<BoxPart> getPart(ThreadEmitter &emitter,
                                  TensorCopyOpInterface op) {
  if (!op.getMulticastAttr())
    return BoxPart();
  ArrayRef<int64_t> masks = op.getMulticastAttr();
  auto cluster = emitter.kernel.getKnownClusterSize();
  int64_t blocks = cluster ? llvm::product_of(*cluster) : 1;
  if (blocks != static_cast<int64_t>(masks.size()))
    return op->emitError("is shared by blocks of clusters of ")
           << masks.size() << ", but the kernel's have " << blocks;
  SmallVector<int64_t> numbers;
  for (auto [rank, mask] : llvm::enumerate(masks))
    numbers.push_back(llvm::popcount(uint64_t(mask) & ((1ull << rank) - 1)));
  Value mask = arith::TruncIOp::create(emitter.builder, emitter.loc,
                                       emitter.builder.getI16Type(),
                                       getOfRank(emitter, masks));
  return BoxPart{getOfRank(emitter, numbers), mask};
}

/// One box, or the part of it that is the block's.
static void emitPart(ThreadEmitter &emitter, Value map, Value dest, Value word,
                     BoxPlace place, const tilec::BulkBoxes &boxes,
                     const BoxPart &part) {
  // Places of images are those of the part.
  if (part.number && place.offsets.empty()) {
    Value &start =
        place.coordinates[place.coordinates.size() - 1 - boxes.partDim];
    start = emitter.add(
        start, emitter.multiply(part.number, boxes.box[boxes.partDim]));
  }
  if (part.number)
    dest = emitter.advance(dest, emitter.multiply(part.number, boxes.boxBytes));
  emitBox(emitter, map, dest, word, place, boxes, part.mask);
}

/// The ring whose slot a bulk load fills, with mbarriers that count its bytes.
static FailureOr<RingOp> findCountingRing(TensorCopyOpInterface op,
                                          RingAcquireOp acquire) {
  RingOp ring = acquire ? getRing(acquire.getRing()) : RingOp();
  if (ring && ring.getBarriers())
    return ring;
  return op->emitError()
         << op.getInstructionAttr().getName()
         << " fills a slot that 'tile.ring_acquire' of a ring with mbarriers "
            "gave: its bytes are counted there";
}

using GetBoxPlace = std::function<BoxPlace(const tilec::BoxPiece &)>;

/// How the places of a load's boxes are found where they are emitted; an error
/// where boxes of an image would reach over an element of the kernel.
static FailureOr<GetBoxPlace> makePlaces(ThreadEmitter &emitter,
                                         TensorCopyOpInterface op,
                                         const tilec::BulkBoxes &boxes,
                                         const BoxPart &part) {
  using Places = FailureOr<GetBoxPlace>;
  return llvm::TypeSwitch<Operation *, Places>(op)
      .Case([&](Im2ColOp image) -> Places {
        if (auto obstacle =
                findImageObstacle(emitter.facts, image, boxes.box.back()))
          return image.emitError() << image.getInstructionAttr().getName()
                                   << " is not possible here: " << *obstacle;
        auto places =
            std::make_shared<ImageBoxes>(emitter, image, boxes, part.number);
        return GetBoxPlace([places](const tilec::BoxPiece &piece) {
          return places->getPlace(piece);
        });
      })
      .Case([&](CopyOp copy) -> Places {
        Side side = copy.getSourceSide();
        if (needsTensorMap(copy))
          return GetBoxPlace([&emitter, side](const tilec::BoxPiece &piece) {
            return BoxPlace{getCoordinates(emitter, side, piece), {}, {}};
          });
        if (failed(verifySpans(emitter, copy, side, boxes)))
          return failure();
        return GetBoxPlace([&emitter, side](const tilec::BoxPiece &piece) {
          return BoxPlace{{}, {}, getSpanAddress(emitter, side, piece)};
        });
      });
}

LogicalResult tile::lowerBulkLoad(ThreadEmitter &emitter,
                                  TensorCopyOpInterface op) {
  RingAcquireOp acquire = getAcquire(op);
  FailureOr<RingOp> ring = findCountingRing(op, acquire);
  if (failed(ring))
    return failure();
  auto boxes = findBoxes(emitter, op);
  if (failed(boxes))
    return failure();
  FailureOr<BoxPart> part = getPart(emitter, op);
  if (failed(part))
    return failure();
  RingPosition use = getRingPosition(emitter, *ring, acquire.getNumber());
  LogicalResult result = success();
  emitter.emitUnder(emitter.getScope().getIsElected(), [&] {
    Value word = getFullWord(emitter, *ring, use.slot);
    if (!isCountedAtOnce(acquire))
      NVVM::MBarrierExpectTxOp::create(emitter.builder, emitter.loc, word,
                                       emitter.i32(boxes->getTileBytes()));
    Value dest = getFirstAddress(emitter, op.getSharedSide());
    Value map =
        needsTensorMap(op) ? emitter.getScalar(op.getTensorMap()) : Value();
    FailureOr<GetBoxPlace> getPlace = makePlaces(emitter, op, *boxes, *part);
    result = success(succeeded(getPlace));
    for (const tilec::BoxPiece &piece : boxes->pieces)
      if (succeeded(getPlace))
        emitPart(emitter, map, emitter.advance(dest, piece.byteOffset), word,
                 (*getPlace)(piece), *boxes, *part);
  });
  return result;
}

static NVVM::TMAReduxKind getReduxKind(tilec::BulkReduction reduction) {
  switch (reduction) {
  case tilec::BulkReduction::Add:
    return NVVM::TMAReduxKind::ADD;
  case tilec::BulkReduction::Min:
    return NVVM::TMAReduxKind::MIN;
  case tilec::BulkReduction::Max:
    return NVVM::TMAReduxKind::MAX;
  case tilec::BulkReduction::And:
    return NVVM::TMAReduxKind::AND;
  case tilec::BulkReduction::Or:
    return NVVM::TMAReduxKind::OR;
  case tilec::BulkReduction::Xor:
    return NVVM::TMAReduxKind::XOR;
  }
  llvm_unreachable("all reductions are listed");
}

/// One box or span to global memory, which it replaces or is combined into.
static void emitBoxOut(ThreadEmitter &emitter, CopyOp op, Value source,
                       const tilec::BulkBoxes &boxes,
                       const tilec::BoxPiece &piece) {
  OpBuilder &builder = emitter.builder;
  Side dest = op.getDestSide();
  if (!needsTensorMap(op)) {
    NVVM::CpAsyncBulkSharedCTAToGlobalOp::create(
        builder, emitter.loc, getSpanAddress(emitter, dest, piece), source,
        emitter.i32(boxes.boxBytes), /*l2CacheHint=*/Value(),
        /*byteMask=*/Value());
    return;
  }
  SmallVector<Value> coordinates = getCoordinates(emitter, dest, piece);
  Value map = emitter.getScalar(op.getTensorMap());
  auto reduction = tilec::getReduction(*op.getInstructionAttr().getCopy());
  if (!reduction) {
    NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
        builder, emitter.loc, map, source, coordinates,
        /*l2CacheHint=*/Value(), NVVM::TMAStoreMode::TILE,
        /*predicate=*/Value());
    return;
  }
  NVVM::CpAsyncBulkTensorReduceOp::create(
      builder, emitter.loc, map, source, getReduxKind(*reduction),
      NVVM::TMAStoreMode::TILE, coordinates, /*l2CacheHint=*/Value());
}

LogicalResult tile::lowerBulkStore(ThreadEmitter &emitter, CopyOp op) {
  auto boxes = findBoxes(emitter, op);
  if (failed(boxes) ||
      (!needsTensorMap(op) &&
       failed(verifySpans(emitter, op, op.getDestSide(), *boxes))))
    return failure();
  OpBuilder &builder = emitter.builder;
  // Nothing of a kernel that is about to end waits for what it wrote, only its
  // shared memory must have been read.
  // The program of a role has no terminator.
  Operation *next = op->getNextNode();
  bool isLast = !next || isa<gpu::ReturnOp>(next);
  emitter.emitUnder(emitter.getScope().getIsElected(), [&] {
    Value source = getFirstAddress(emitter, op.getSourceSide());
    for (const tilec::BoxPiece &piece : boxes->pieces)
      emitBoxOut(emitter, op, emitter.advance(source, piece.byteOffset), *boxes,
                 piece);
    NVVM::CpAsyncBulkCommitGroupOp::create(builder, emitter.loc);
    NVVM::CpAsyncBulkWaitGroupOp::create(
        builder, emitter.loc, builder.getI32IntegerAttr(0),
        isLast ? builder.getUnitAttr() : UnitAttr());
  });
  return success();
}
