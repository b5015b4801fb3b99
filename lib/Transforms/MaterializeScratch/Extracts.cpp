//===- Extracts.cpp - Elements that another thread holds ------------------===//
//
// `tensor.extract` of a fragment is one of
//
//     own element     in a `tile.parallel`, at its induction variables, of a
//                     fragment that is laid out like the loop: in a register
//     held by all     at constant indices of a fragment that every thread holds
//                     whole: in a register, at block level
//     anything else   through memory: the fragment is written to a buffer once,
//                     where it is made, and the element is a `memref.load`; at block
//                     level, of a fragment that no buffer holds, the element alone
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "tile/Analysis/ModuleTarget.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

#define DEBUG_TYPE "tile-materialize-scratch"

using namespace mlir;
using namespace mlir::tile;
using tilec::FragmentLayout;
using tilec::HardwareDim;

/// Whether an extract in `loop` reads the element of its own iteration.
static bool readsOwnElement(tensor::ExtractOp extract, ParallelOp loop) {
  std::vector<int> used;
  for (Value index : extract.getIndices()) {
    auto argument = dyn_cast<BlockArgument>(index);
    if (!argument || argument.getOwner() != &loop.getBody().front() ||
        llvm::is_contained(used, int(argument.getArgNumber())))
      return false;
    used.push_back(argument.getArgNumber());
  }
  FragmentLayout layout = loop.getLayoutAttr().getLayout();
  std::vector<int> unused, ascending = used, permutation;
  llvm::sort(ascending);
  for (int dim = 0; dim < layout.getRank(); ++dim)
    if (!llvm::is_contained(used, dim))
      unused.push_back(dim);
  for (int dim : used)
    permutation.push_back(llvm::find(ascending, dim) - ascending.begin());
  return layout.dropDims(unused).transpose(permutation) ==
         getLayout(extract.getTensor());
}

static bool hasConstantIndices(tensor::ExtractOp extract) {
  return llvm::all_of(extract.getIndices(), [](Value index) {
    return getConstantIntValue(index).has_value();
  });
}

static bool isHeldByAll(Value fragment) {
  FragmentLayout layout = getLayout(fragment);
  return layout.getReplication() == layout.getExtent(HardwareDim::Lane) *
                                        layout.getExtent(HardwareDim::Warp);
}

// Pattern: parallel { extract %t[c] }  ->  %e = extract %t[c], parallel { %e }
//          [if every thread holds %t]
static void hoistExtract(tensor::ExtractOp extract, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(getBlockLevelOp(extract));
  SmallVector<Value> indices;
  for (Value index : extract.getIndices())
    indices.push_back(arith::ConstantIndexOp::create(
        rewriter, extract.getLoc(), *getConstantIntValue(index)));
  rewriter.replaceOpWithNewOp<tensor::ExtractOp>(extract, extract.getTensor(),
                                                 indices);
}

/// Writes `fragment` to a buffer where it is made.
static Value stageFragment(Value fragment, RewriterBase &rewriter,
                           LaunchOp launch) {
  auto type = cast<RankedTensorType>(fragment.getType());
  rewriter.setInsertionPointAfterValue(fragment);
  // A constant from outside is written at the start of the launch.
  if (!launch->isProperAncestor(rewriter.getInsertionBlock()->getParentOp()) &&
      rewriter.getInsertionBlock()->getParentOp() != launch)
    rewriter.setInsertionPointToStart(&launch.getBody().front());
  Value buffer =
      createScratch(rewriter, fragment.getLoc(), type.getShape(),
                    type.getElementType(), getFragment(type), /*read=*/{});
  storeToScratch(rewriter, fragment.getLoc(), fragment, buffer);
  return buffer;
}

/// Writes the element that `extract` reads to a buffer of one element, where nothing else
/// of the fragment lies; gives the indices of it.
static Value stageElement(tensor::ExtractOp extract, RewriterBase &rewriter,
                          SmallVectorImpl<Value> &indices) {
  Location loc = extract.getLoc();
  auto type = extract.getTensor().getType();
  rewriter.setInsertionPoint(extract);
  SmallVector<int64_t> shape(type.getRank(), 1);
  Value buffer = createScratch(rewriter, loc, shape, type.getElementType(),
                               FragmentAttr(), FragmentAttr());
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  SmallVector<Value> starts;
  for (Value index : extract.getIndices())
    starts.push_back(rewriter.createOrFold<arith::SubIOp>(loc, zero, index));
  storeToScratch(rewriter, loc, extract.getTensor(), buffer, starts);
  indices.assign(shape.size(), zero);
  return buffer;
}

LogicalResult mlir::tile::materializeExtracts(LaunchOp launch,
                                              RewriterBase &rewriter) {
  auto target = getModuleTarget(launch);
  if (failed(target))
    return failure();
  SmallVector<tensor::ExtractOp> extracts;
  launch.getBody().walk([&](tensor::ExtractOp extract) {
    auto loop = extract->getParentOfType<ParallelOp>();
    bool isHeld =
        hasConstantIndices(extract) && isHeldByAll(extract.getTensor());
    if (!(loop ? readsOwnElement(extract, loop) : isHeld))
      extracts.push_back(extract);
  });
  llvm::DenseMap<Value, Value> buffers;
  for (tensor::ExtractOp extract : extracts) {
    Value fragment = extract.getTensor();
    if (hasConstantIndices(extract) && isHeldByAll(fragment)) {
      hoistExtract(extract, rewriter);
      continue;
    }
    SmallVector<Value> indices(extract.getIndices());
    Value buffer;
    if (!extract->getParentOfType<ParallelOp>() &&
        !fitsSharedMemory(extract.getTensor().getType(), **target)) {
      buffer = stageElement(extract, rewriter, indices);
    } else {
      Value &whole = buffers[fragment];
      if (!whole)
        whole = stageFragment(fragment, rewriter, launch);
      buffer = whole;
    }
    remark::missed(extract.getLoc(),
                   remark::RemarkOpts::name("StagedExtract")
                       .category(DEBUG_TYPE)
                       .function(launch.getKernel().value_or("")))
        << remark::reason("an element that another thread holds is read "
                          "through shared memory");
    // Pattern: extract %t[%i]  ->  load %s[%i], with %t stored to %s
    rewriter.setInsertionPoint(extract);
    Value loaded =
        memref::LoadOp::create(rewriter, extract.getLoc(), buffer, indices);
    rewriter.replaceOp(extract, narrowFromScratch(rewriter, extract.getLoc(),
                                                  loaded, extract.getType()));
  }
  return success();
}
