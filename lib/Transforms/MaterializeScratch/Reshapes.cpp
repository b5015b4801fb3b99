//===- Reshapes.cpp - Reshapes and insertions that cut layouts ------------===//
//
// A reshape or an insertion that cuts what lanes and warps hold is one of a fragment that
// each thread holds more of, at worst all of it. Memory has every element at its
// coordinates, new and old:
//
//     %c = tile.convert_layout %a                 %s = tile.alloc of 9797 elements
//     %f = tensor.collapse_shape %c               tile.store %a, expand %s to 97 x 101
//     %e = tensor.expand_shape %f           ->
//     %b = tile.convert_layout %e                 %b = tile.load expand %s to 101 x 97
//
// Reshapes of which each is of what the last one gives, converted or not, move once.
//
//     %c = tile.convert_layout %a                 tile.store %a, %s
//     %e = tensor.insert_slice %p into %c   ->    tile.store %p, %s[3, 5]
//     %b = tile.convert_layout %e                 %b = tile.load %s
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/ExchangeChoice.h"
#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/LayoutConstraints.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

/// The conversion through memory that gives `value`, to a layout in which a thread holds
/// more of it; null if none does.
static ConvertLayoutOp findGathering(Value value,
                                     const tilec::GpuTarget &target) {
  auto convert = value.getDefiningOp<ConvertLayoutOp>();
  if (!convert ||
      getLayout(convert.getResult()).getRegisterCount() <=
          getLayout(convert.getSource()).getRegisterCount() ||
      getExchangeCost(convert, target).kind != tilec::ExchangeKind::Memory)
    return {};
  return convert;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static SmallVector<ConvertLayoutOp> findConversions(Value value) {
  SmallVector<ConvertLayoutOp> conversions;
  for (Operation *user : value.getUsers())
    llvm::TypeSwitch<Operation *>(user).Case(
        [&](ConvertLayoutOp convert) { conversions.push_back(convert); });
  return conversions;
}

/// What `value` is converted to first; `otherwise` if it is not.
static RankedTensorType getUsedType(Value value, RankedTensorType otherwise) {
  SmallVector<ConvertLayoutOp> conversions = findConversions(value);
  return conversions.empty() ? otherwise : conversions.back().getType();
}

/// Puts `loaded` in the place of `value`, of which it has the elements.
static void replaceConverted(RewriterBase &rewriter, Value value,
                             Value loaded) {
  auto convertTo = [&](Type type) {
    return type == loaded.getType()
               ? loaded
               : ConvertLayoutOp::create(rewriter, loaded.getLoc(), type,
                                         loaded)
                     .getResult();
  };
  for (ConvertLayoutOp convert : findConversions(value))
    rewriter.replaceOp(convert, convertTo(convert.getType()));
  if (!value.use_empty())
    rewriter.replaceAllUsesWith(value, convertTo(value.getType()));
}

static void eraseUnused(RewriterBase &rewriter, Operation *op) {
  if (op && op->use_empty())
    rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

static bool isReshape(Operation *op) {
  return llvm::any_of(
      getLayoutConstraints(op).given, [](const GivenLayout &given) {
        return given.map.getKind() == tilec::LayoutMap::Kind::Reshape;
      });
}

/// The elements of `flat` as an array of shape `shape`.
static Value viewAs(RewriterBase &rewriter, Location loc, Value flat,
                    ArrayRef<int64_t> shape) {
  auto type = cast<MemRefType>(flat.getType());
  if (shape.size() == 1)
    return flat;
  SmallVector<ReassociationIndices> groups(1);
  llvm::append_range(groups.front(), llvm::seq<int64_t>(0, shape.size()));
  return memref::ExpandShapeOp::create(
      rewriter, loc,
      MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(),
                      type.getMemorySpace()),
      flat, groups);
}

/// `reshape` and those behind it that nothing but the next one uses, with the conversions
/// between them; ends with a reshape.
static SmallVector<Operation *> findChain(Operation *reshape) {
  SmallVector<Operation *> chain = {reshape};
  Operation *last = reshape;
  while (last->hasOneUse()) {
    Operation *user = *last->user_begin();
    Operation *convert = nullptr;
    if (!findConversions(last->getResult(0)).empty() && user->hasOneUse()) {
      convert = user;
      user = *user->user_begin();
    }
    if (!isReshape(user))
      break;
    if (convert)
      chain.push_back(convert);
    chain.push_back(user);
    last = user;
  }
  return chain;
}

// Pattern: reshape (.. reshape (convert_layout %a))  ->  load (store %a)
static void moveReshapes(ArrayRef<Operation *> chain, ConvertLayoutOp convert,
                         RewriterBase &rewriter) {
  Operation *reshape = chain.front();
  Value result = chain.back()->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  Location loc = reshape->getLoc();
  rewriter.setInsertionPoint(chain.back());
  Value flat =
      createScratch(rewriter, loc, type.getNumElements(), type.getElementType(),
                    FragmentAttr(), FragmentAttr());
  storeToScratch(rewriter, loc, convert.getSource(),
                 viewAs(rewriter, loc, flat, convert.getType().getShape()));
  Value loaded = loadFromScratch(rewriter, loc,
                                 viewAs(rewriter, loc, flat, type.getShape()),
                                 getUsedType(result, type));
  replaceConverted(rewriter, result, loaded);
  for (Operation *op : llvm::reverse(chain))
    rewriter.eraseOp(op);
  eraseUnused(rewriter, convert);
}

//===----------------------------------------------------------------------===//
// Insertions
//===----------------------------------------------------------------------===//

static void storePart(tensor::InsertSliceOp insert, Value part, Value buffer,
                      RewriterBase &rewriter) {
  Location loc = insert.getLoc();
  SmallVector<Value> indices;
  for (int64_t offset : insert.getStaticOffsets())
    indices.push_back(arith::ConstantIndexOp::create(rewriter, loc, offset));
  auto store = StoreOp::create(
      rewriter, loc, widenToScratch(rewriter, loc, part), buffer, indices);
  store.setDestBox(insert.getStaticSizes());
  store.setDestInBounds(SmallVector<bool>(indices.size(), true));
  IndexFacts facts;
  recordAccessWidths(facts, store);
}

// Pattern: insert_slice %p into (convert_layout %a)
//       -> load (store %p (store %a))
static void moveInsertion(tensor::InsertSliceOp insert, ConvertLayoutOp convert,
                          RewriterBase &rewriter) {
  Location loc = insert.getLoc();
  Value whole = convert.getSource(), part = insert.getSource();
  auto partConvert = part.getDefiningOp<ConvertLayoutOp>();
  if (partConvert)
    part = partConvert.getSource();
  RankedTensorType type =
      getUsedType(insert.getResult(), cast<RankedTensorType>(whole.getType()));
  rewriter.setInsertionPoint(insert);
  Value buffer =
      createScratch(rewriter, loc, type.getShape(), type.getElementType(),
                    getFragment(whole.getType()), getFragment(type));
  storeToScratch(rewriter, loc, whole, buffer);
  storePart(insert, part, buffer, rewriter);
  replaceConverted(rewriter, insert.getResult(),
                   loadFromScratch(rewriter, loc, buffer, type));
  rewriter.eraseOp(insert);
  eraseUnused(rewriter, convert);
  eraseUnused(rewriter, partConvert);
}

LogicalResult mlir::tile::materializeReshapes(LaunchOp launch,
                                              RewriterBase &rewriter) {
  auto target = getModuleTarget(launch);
  if (failed(target))
    return failure();
  SmallVector<Operation *> reshapes;
  SmallVector<tensor::InsertSliceOp> inserts;
  launch.getBody().walk([&](ConvertLayoutOp convert) {
    if (findGathering(convert.getResult(), **target))
      llvm::copy_if(convert->getUsers(), std::back_inserter(reshapes),
                    isReshape);
  });
  launch.getBody().walk(
      [&](tensor::InsertSliceOp insert) { inserts.push_back(insert); });
  // What one gives may be what the next reshapes or is inserted into.
  DenseSet<Operation *> moved;
  for (Operation *reshape : reshapes) {
    if (moved.contains(reshape))
      continue;
    if (auto convert = findGathering(reshape->getOperand(0), **target)) {
      SmallVector<Operation *> chain = findChain(reshape);
      moved.insert_range(chain);
      moveReshapes(chain, convert, rewriter);
    }
  }
  for (tensor::InsertSliceOp insert : inserts)
    if (ConvertLayoutOp convert = findGathering(insert.getDest(), **target))
      moveInsertion(insert, convert, rewriter);
  return success();
}
