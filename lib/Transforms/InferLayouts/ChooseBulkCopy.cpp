//===- ChooseBulkCopy.cpp - Which copies are bulk tensor copies -----------===//
//
// A bulk tensor copy takes no thread's time, no register and no address: one
// thread names a box of a tensor. What the tensor is stands in a tensor map that
// the host makes, so it is taken only where facts prove that there will be one:
//
//     the tensor     known on the host, rows together, address and strides at
//                    multiples of 16 bytes, strides nested, rank at most 5
//     the elements   as they are, zeros around them
//     the buffer     boxes of a swizzle mode, or dense, that the tile fills
//     the launch     writes nothing else to the tensor: what threads wrote is
//                    not seen by the copy engine
//     an image       channels of a box are of one element of the kernel
//
// A start may be anywhere, negative too. Each obstacle is told to the author
// with what would remove it.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"

#include "tile/Analysis/BlockAccesses.h"
#include "tile/Analysis/ImageFacts.h"
#include "tile/Analysis/ViewedBox.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::CopyInstruction;

//===----------------------------------------------------------------------===//
// The tensor
//===----------------------------------------------------------------------===//

/// Whether each stride is known to be at least the elements that the dimension
/// inside of it spans, as tensor maps ask.
static bool hasNestedStrides(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getRank() <= 2 || type.getLayout().isIdentity())
    return true;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  bool isNested = true;
  for (int64_t dim = 0; dim + 1 < type.getRank(); ++dim)
    isNested &= !ShapedType::isDynamic(strides[dim]) &&
                !ShapedType::isDynamic(strides[dim + 1]) &&
                !type.isDynamicDim(dim + 1) &&
                strides[dim] >= strides[dim + 1] * type.getDimSize(dim + 1);
  if (isNested)
    return true;
  Operation *view = memref.getDefiningOp();
  return isa_and_nonnull<memref::SubViewOp, memref::CastOp>(view) &&
         hasNestedStrides(view->getOperand(0));
}

Obstacle mlir::tile::findTensorObstacle(LayoutContext &context, Value memref,
                                        const tilec::TensorBox &rules) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t bits = getMemoryBits(type.getElementType());
  MemRefFacts facts = context.facts.getMemRefFacts(memref);
  if (isMadeInLaunch(context.facts, memref))
    return "its memref is made in the launch and no kernel parameter; make it "
           "in front of the launch, or index the memref that it views";
  if (!facts.isInnermostContiguous)
    return "the innermost stride of its memref is not known to be 1; write it "
           "in the type, or state 'strides' by 'tile.assume'";
  if (facts.alignmentBytes % rules.globalAlignBytes != 0)
    return llvm::formatv("the address of its memref is known to be a multiple "
                         "of {0} bytes, not of {1}; state 'tile.align', or "
                         "'alignment' by 'tile.assume'",
                         facts.alignmentBytes, rules.globalAlignBytes)
        .str();
  for (int64_t dim = 0; dim + 1 < type.getRank(); ++dim) {
    int64_t strideBytes = facts.strideDivisors[dim] * bits / 8;
    if (strideBytes % rules.globalAlignBytes != 0)
      return llvm::formatv("the stride of dimension {0} of its memref is known "
                           "to be a multiple of {1} bytes, not of {2}; state "
                           "'tile.divisible', or 'strides' by 'tile.assume'",
                           dim, strideBytes, rules.globalAlignBytes)
          .str();
  }
  if (bits < 8 && facts.sizeDivisors.back() % 2 != 0)
    return "its rows are not known to have whole bytes; state "
           "'tile.divisible', or 'sizes' by 'tile.assume'";
  if (!hasNestedStrides(memref))
    return "the strides of its memref are not known to be those of dimensions "
           "that lie in each other, outermost first";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The buffer
//===----------------------------------------------------------------------===//

scf::ForOp mlir::tile::getProducerLoop(LayoutContext &context, Operation *op) {
  TileDialect::StagesAttrHelper stages(op->getContext());
  if (!context.launch.getRoles())
    return {};
  auto loop = op->getParentOfType<scf::ForOp>();
  for (; loop && context.launch->isAncestor(loop);
       loop = loop->getParentOfType<scf::ForOp>())
    if (IntegerAttr count = stages.getAttr(loop); count && count.getInt() > 1)
      return loop;
  return {};
}

int64_t mlir::tile::getMostStages(LayoutContext &context, Operation *op) {
  TileDialect::StagesAttrHelper stages(op->getContext());
  int64_t most = 1;
  for (; op != context.launch; op = op->getParentOp())
    if (IntegerAttr count = stages.getAttr(op))
      most = std::max(most, count.getInt());
  return most;
}

int64_t mlir::tile::getSmallestBoxBytes(LayoutContext &context, Operation *op) {
  return getProducerLoop(context, op) ? 1 : smallestBoxBytes;
}

/// Whether a view of `memref` has other dimensions than its buffer, so that it is
/// no view of a slot of it.
static bool isReshaped(Value memref) {
  return llvm::any_of(memref.getUsers(), [](Operation *user) {
    if (!isa<ViewLikeOpInterface>(user))
      return false;
    return !isa<memref::SubViewOp, memref::CastOp>(user) ||
           isReshaped(user->getResult(0));
  });
}

/// Whether `buffer` is filled in a loop that may give it slots, which stand behind
/// each other.
static bool mayGetSlots(LayoutContext &context, Value buffer) {
  return context.launch
      .walk([&](Operation *op) {
        if (op->getNumRegions() != 0 || getMostStages(context, op) == 1)
          return WalkResult::advance();
        bool fills =
            llvm::any_of(getBlockAccesses(op), [&](const BlockAccess &access) {
              return access.writes && access.memref &&
                     getSharedRoot(access.memref) == buffer;
            });
        return fills ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

Obstacle mlir::tile::findBufferObstacle(LayoutContext &context,
                                        TensorCopyOpInterface copy,
                                        const CopyInstruction &row,
                                        const PlannedBuffers &planned) {
  Side shared = copy.getSharedSide();
  SmallVector<int64_t> tile = copy.getTileShape();
  for (int64_t dim = 0; dim < shared.getRank(); ++dim)
    if (!isKnownInBounds(context.facts, shared, tile, dim))
      return llvm::formatv("it is not known to stay inside its buffer along "
                           "dimension {0}; state 'in_bounds'",
                           dim)
          .str();
  auto layout = getSharedLayout(shared.memref, &planned);
  if (!layout)
    return "its buffer is not known";
  if (row.dest == tilec::MemorySpace::Shared &&
      isReshaped(getSharedRoot(shared.memref)))
    return "its buffer is seen under another shape too, which a slot of it "
           "cannot be; give the tile a buffer of its own";
  auto boxes = getBulkBoxes(copy, row, *layout, [&](Value value) {
    return context.facts.getDivisor(value);
  });
  if (!boxes)
    return boxes.reason();
  int64_t bytes = layout->getSizeBytes();
  if (bytes % row.alignBytes != 0 &&
      (row.dest == tilec::MemorySpace::Shared ||
       mayGetSlots(context, getSharedRoot(shared.memref))))
    return llvm::formatv("its buffer has {0} bytes, and the next slot of it "
                         "would begin at no multiple of {1}",
                         bytes, row.alignBytes)
        .str();
  int64_t smallest = getSmallestBoxBytes(context, copy);
  if (boxes->boxBytes < smallest)
    return llvm::formatv("its boxes have {0} bytes, and from {1} bytes on they "
                         "are worth it",
                         boxes->boxBytes, smallest)
        .str();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The instruction
//===----------------------------------------------------------------------===//

const CopyInstruction *
mlir::tile::findBulkRow(const tilec::GpuTarget &target,
                        tilec::MemorySpace source, tilec::MemorySpace dest,
                        int64_t rank,
                        std::optional<tilec::BulkReduction> reduction) {
  const CopyInstruction *largest = nullptr;
  for (const CopyInstruction *row :
       tilec::findCopyInstructions(target, source, dest)) {
    if (!row->box || row->im2col || tilec::getReduction(*row) != reduction)
      continue;
    if (row->box->rank == rank)
      return row;
    if (!largest || row->box->rank > largest->box->rank)
      largest = row;
  }
  return largest;
}

const CopyInstruction *
mlir::tile::findIm2ColRow(const tilec::GpuTarget &target) {
  for (const CopyInstruction *row : tilec::findCopyInstructions(
           target, tilec::MemorySpace::Global, tilec::MemorySpace::Shared))
    if (row->im2col)
      return row;
  return nullptr;
}

/// The row that would carry out `copy`; null where it is not between global and
/// shared memory, or the chip has no bulk tensor copies.
static const CopyInstruction *findRow(LayoutContext &context,
                                      TensorCopyOpInterface copy) {
  auto source = cast<MemRefType>(copy.getSource().getType()),
       dest = cast<MemRefType>(copy.getDest().getType());
  if (!context.bulkCopies || isSharedMemory(source) == isSharedMemory(dest) ||
      copy.getTileShape().empty())
    return nullptr;
  MemRefType tensor = isSharedMemory(source) ? dest : source;
  return llvm::TypeSwitch<Operation *, const CopyInstruction *>(copy)
      .Case([&](Im2ColOp) { return findIm2ColRow(context.target); })
      .Default([&](Operation *) {
        // What combines was staged as such (StageResults.cpp).
        if (getCombination(copy))
          return copy.getInstructionAttr().getCopy();
        return findBulkRow(context.target, getMemorySpace(source),
                           getMemorySpace(dest), tensor.getRank());
      });
}

/// What is in the way of a box of elements of 4 bits, which the engine takes by bytes.
static Obstacle findByteObstacle(LayoutContext &context, const Side &tensor) {
  auto type = cast<MemRefType>(tensor.memref.getType());
  if (getMemoryBits(type.getElementType()) >= 8 || tensor.isWhole() ||
      context.facts.getDivisor(tensor.indices.back()) % 2 == 0)
    return std::nullopt;
  return "it is not known to begin with a byte, at an even column of its "
         "memref; "
         "state that by 'tile.assume_divisible'";
}

/// What is in the way of a box of the tensor: views that the launch makes, halves of
/// bytes, and gathered rows.
static Obstacle findSideObstacle(LayoutContext &context,
                                 TensorCopyOpInterface copy) {
  return llvm::TypeSwitch<Operation *, Obstacle>(copy)
      .Case([&](CopyOp op) {
        Side source = op.getSourceSide(),
             tensor = source.isShared() ? op.getDestSide() : source;
        if (Obstacle obstacle =
                findViewObstacle(context, tensor, op.getTileShape()))
          return obstacle;
        if (Obstacle obstacle = findByteObstacle(context, tensor))
          return obstacle;
        return source.rows && !source.isShared() ? findRunObstacle(context, op)
                                                 : Obstacle();
      })
      .Default(Obstacle());
}

/// What is in the way of boxes of one element of the kernel each; nothing for
/// copies of other tensors.
static Obstacle findMatrixObstacle(LayoutContext &context,
                                   TensorCopyOpInterface copy,
                                   const CopyInstruction &row,
                                   const PlannedBuffers &planned) {
  return llvm::TypeSwitch<Operation *, Obstacle>(copy)
      .Case([&](Im2ColOp op) {
        auto boxes =
            getBulkBoxes(copy, row, *getSharedLayout(op.getDest(), &planned));
        return findImageObstacle(context.facts, op, boxes->box.back());
      })
      .Default(Obstacle());
}

/// What is in the way of `copy` by `row`, the rest of the launch left out.
static Obstacle findOwnObstacle(LayoutContext &context,
                                TensorCopyOpInterface copy,
                                const CopyInstruction &row,
                                const PlannedBuffers &planned) {
  if (Obstacle obstacle = findSideObstacle(context, copy))
    return obstacle;
  if (auto obstacle = copy.findRowObstacle(row))
    return row.name + " " + *obstacle;
  Value tensor = row.dest == tilec::MemorySpace::Shared ? copy.getSource()
                                                        : copy.getDest();
  if (Obstacle obstacle = findTensorObstacle(context, tensor, *row.box))
    return obstacle;
  if (Obstacle obstacle = findBufferObstacle(context, copy, row, planned))
    return obstacle;
  return findMatrixObstacle(context, copy, row, planned);
}

/// The bulk copy that carries out `copy`, the rest of the launch left out.
static tilec::Expected<const CopyInstruction *>
chooseOwnRow(LayoutContext &context, TensorCopyOpInterface copy,
             const PlannedBuffers &planned) {
  const CopyInstruction *row = findRow(context, copy);
  if (!row)
    return row;
  Obstacle obstacle = findOwnObstacle(context, copy, *row, planned);
  auto spans = chooseSpans(context, copy, *row, !obstacle, planned);
  if (spans && *spans)
    return spans;
  Value memref = row->dest == tilec::MemorySpace::Shared ? copy.getSource()
                                                         : copy.getDest();
  bool isTensor =
      !isMadeInLaunch(context.facts, memref) &&
      cast<MemRefType>(memref.getType()).getRank() <= row->box->rank;
  if (obstacle && !spans && !isTensor)
    *obstacle += "; and without a tensor map: " + spans.reason();
  if (obstacle)
    return tilec::Failure{*obstacle};
  return row;
}

/// Whether `op` writes its memref by a bulk copy too.
static bool isOtherBulkStore(LayoutContext &context, Operation *op,
                             const PlannedBuffers &planned) {
  auto copy = dyn_cast<TensorCopyOpInterface>(op);
  if (!copy)
    return false;
  auto row = chooseOwnRow(context, copy, planned);
  return row && *row && (*row)->dest == tilec::MemorySpace::Global;
}

tilec::Expected<const CopyInstruction *>
mlir::tile::chooseBulkCopy(LayoutContext &context, TensorCopyOpInterface copy,
                           const PlannedBuffers &planned) {
  auto row = chooseOwnRow(context, copy, planned);
  if (!row || !*row)
    return row;
  bool isLoad = (*row)->dest == tilec::MemorySpace::Shared;
  // Copies back to a tensor are complete one by one, and may follow each other.
  Obstacle obstacle = findOtherWriter(
      context, copy, isLoad ? copy.getSource() : copy.getDest(),
      [&](Operation *op) {
        return !isLoad && isOtherBulkStore(context, op, planned);
      });
  if (obstacle)
    return tilec::Failure{*obstacle};
  return row;
}
