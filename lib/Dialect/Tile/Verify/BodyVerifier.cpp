//===- BodyVerifier.cpp - What holds in a body at every stage -------------===//
//
// One walk over a launch body, a kernel, or a function that a launch calls.
// Types and layouts are uniqued, so each is looked at once.
//
// Relabelling: a reshape or slice of a fragment never moves data. Where operand
// and result both carry a layout, the result's is the one that the algebra
// derives from the operand's. A slice that has no such layout (it cuts through
// threads) goes through memory and may stand until scratch is materialised.
//
//===----------------------------------------------------------------------===//

#include "BodyVerifier.h"
#include "PendingValues.h"

#include "tile/Dialect/Tile/TileTarget.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tile;

static Place getPlaceInside(Operation *op, Place outside) {
  if (isa<ParallelOp>(op))
    return Place::Iteration;
  if (isa<OnceOp>(op))
    return Place::Once;
  if (isa<ReduceOp, ScanOp>(op))
    return Place::Combiner;
  return outside;
}

LogicalResult BodyVerifier::verify(Region &region, Place place) {
  if (failed(verifyRegion(region, place)))
    return failure();
  return verifyPendingValues(region);
}

LogicalResult tile::verifyRoleThreads(Operation *op, RolesAttr roles,
                                      int64_t threads, bool isKernel) {
  int64_t warps = isKernel ? roles.getWarps() : roles.getConsumerWarps();
  if (threads % warps == 0 && isWarpSize(op, threads / warps))
    return verifyThreadCount(op, threads / warps * roles.getWarps());
  return op->emitOpError("has roles with ")
         << warps << (isKernel ? " warps" : " warps of consumers") << " in a "
         << (isKernel ? "kernel" : "launch") << " of " << threads
         << " threads; threads(N) counts the threads that compute, which are "
            "the consumers'";
}

/// Each role is verified as a body of its own threads.
LogicalResult BodyVerifier::verifyRoles(SpecializeOp op, Place place) {
  // specialize_c3
  bool isKernel = !isa<LaunchOp>(owner);
  if (failed(verifyRoleThreads(op, op.getRoles(), threads, isKernel)))
    return failure();
  int64_t threadsPerWarp =
      threads /
      (isKernel ? op.getRoles().getWarps() : op.getRoles().getConsumerWarps());
  for (auto [role, body] :
       llvm::zip_equal(op.getRoles().getRoles(), op.getBodies())) {
    BodyVerifier verifier(owner, role.getWarps() * threadsPerWarp, stage);
    verifier.isRole = true;
    if (failed(verifier.verifyRegion(body, place)))
      return failure();
  }
  return success();
}

LogicalResult BodyVerifier::verifyRegion(Region &region, Place place) {
  Operation *parent = region.getParentOp();
  for (Block &block : region) {
    for (BlockArgument argument : block.getArguments()) {
      if (failed(verifyType(argument.getType(), place, parent)))
        return failure();
      // launch_c5
      auto memref = dyn_cast<MemRefType>(argument.getType());
      if (memref && isSharedMemory(memref) && !isa<func::FuncOp>(parent))
        return parent->emitOpError("cannot carry ")
               << memref
               << ": a memref in shared memory is always the same "
                  "'tile.alloc'; "
                  "allocate both buffers and choose between their operations";
    }
    for (Operation &op : block) {
      if (failed(verifyOperation(&op, place)))
        return failure();
      if (auto specialize = dyn_cast<SpecializeOp>(op)) {
        if (failed(verifyRoles(specialize, place)))
          return failure();
        continue;
      }
      for (Region &inner : op.getRegions())
        if (failed(verifyRegion(inner, getPlaceInside(&op, place))))
          return failure();
    }
  }
  return success();
}

LogicalResult BodyVerifier::verifyOperation(Operation *op, Place place) {
  bool returnsFromHelper =
      isa<func::ReturnOp>(op) && isa<func::FuncOp>(op->getParentOp());
  // launch_c4
  if (!returnsFromHelper && (failed(verifyLegalOperation(op, place)) ||
                             failed(verifyElementTypes(op))))
    return failure();
  for (OpResult result : op->getResults())
    if (failed(verifyType(result.getType(), place, op)) ||
        failed(verifySharedResult(result)))
      return failure();
  for (NamedAttribute attribute : op->getAttrs())
    if (auto layout = dyn_cast<FragmentAttr>(attribute.getValue()))
      if (failed(verifyLayout(layout, op)))
        return failure();
  return verifyRelabelling(op);
}

LogicalResult BodyVerifier::verifyType(Type type, Place place, Operation *op) {
  if (!goodTypes.insert({type, static_cast<unsigned>(place)}).second)
    return success();
  if (failed(verifyValueType(type, place, [&] { return op->emitOpError(); })))
    return failure();
  if (auto pending = dyn_cast<PendingType>(type))
    return verifyType(pending.getFragment(), place, op);
  if (FragmentAttr layout = getFragment(type))
    return verifyLayout(layout, op);
  return success();
}

/// Lanes times warps are the threads of the launch.
LogicalResult BodyVerifier::verifyLayout(FragmentAttr layout, Operation *op) {
  if (!goodLayouts.insert(layout).second)
    return success();
  tilec::FragmentLayout value = layout.getLayout();
  int64_t lanes = value.getExtent(tilec::HardwareDim::Lane);
  int64_t warps = value.getExtent(tilec::HardwareDim::Warp);
  // launch_c2
  if (isWarpSize(owner, lanes) && lanes * warps == threads)
    return success();
  return op->emitOpError("has a layout of ")
         << lanes << " lanes times " << warps << " warps in a "
         << (isRole ? "role" : "launch") << " of " << threads
         << " threads; lanes are the warp size, warps the rest: " << layout;
}

/// A shared memref is made by an allocation or is a view of one.
LogicalResult BodyVerifier::verifySharedResult(OpResult result) {
  auto type = dyn_cast<MemRefType>(result.getType());
  Operation *op = result.getOwner();
  if (!type || !isSharedMemory(type) ||
      isa<AllocOp, ViewOp, ArenaOp, AssumeOp, memref::SubViewOp,
          memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp,
          func::CallOp>(op))
    return success();
  // launch_c5
  if (isa<arith::SelectOp>(op))
    return op->emitOpError("cannot choose between memrefs in shared memory; "
                           "put the operations on them under an 'scf.if'");
  if (op->getNumRegions() != 0)
    return op->emitOpError("cannot give a memref in shared memory as a result; "
                           "put the 'tile.alloc' in front of it");
  return op->emitOpError("gives ")
         << type
         << ", which does not trace to a 'tile.alloc'; views of shared memory "
            "are made by subview, expand_shape, collapse_shape and cast";
}

//===----------------------------------------------------------------------===//
// Relabelling
//===----------------------------------------------------------------------===//

static tilec::Coordinate toCoordinate(ArrayRef<int64_t> list) {
  return {list.begin(), list.end()};
}

/// The part of `whole` that a slice takes, in the shape of its small side.
static tilec::Expected<tilec::FragmentLayout>
deriveSlice(OffsetSizeAndStrideOpInterface slice,
            const tilec::FragmentLayout &whole, RankedTensorType part) {
  auto box = whole.slice(toCoordinate(slice.getStaticOffsets()),
                         toCoordinate(slice.getStaticSizes()));
  if (!box)
    return box;
  return box->reshape(toCoordinate(part.getShape()));
}

namespace {
/// A fragment whose layout follows from another's.
struct Relabelling {
  Value from, to;
  std::optional<tilec::Expected<tilec::FragmentLayout>> derived;
  /// Goes through memory where nothing can be derived.
  bool mayBeStaged = false;
};
} // namespace

static Relabelling getRelabelling(Operation *op) {
  Relabelling result;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, BitcastOp,
          tensor::ExtractSliceOp>(op)) {
    result.from = op->getOperand(0);
    result.to = op->getResult(0);
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    result.from = insert.getDest();
    result.to = insert.getSource();
  }
  if (!result.from || !getFragment(result.from.getType()) ||
      !getFragment(result.to.getType()))
    return {};
  tilec::FragmentLayout layout = getLayout(result.from);
  auto from = cast<RankedTensorType>(result.from.getType());
  auto to = cast<RankedTensorType>(result.to.getType());
  result.mayBeStaged =
      isa<BitcastOp, tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
  if (isa<BitcastOp>(op))
    result.derived = getBitcastLayout(layout, from.getElementTypeBitWidth(),
                                      to.getElementTypeBitWidth());
  else if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
    result.derived = deriveSlice(slice, layout, to);
  else
    result.derived = layout.reshape(toCoordinate(to.getShape()));
  return result;
}

LogicalResult BodyVerifier::verifyRelabelling(Operation *op) {
  Relabelling relabelling = getRelabelling(op);
  if (!relabelling.derived)
    return success();
  // launch_c6
  const auto &derived = *relabelling.derived;
  if (!derived) {
    if (relabelling.mayBeStaged && stage < Stage::Materialized)
      return success();
    return op->emitOpError("moves no data, but no layout of its result follows "
                           "from ")
           << getFragment(relabelling.from.getType()) << ": "
           << derived.reason()
           << "; put a 'tile.convert_layout' in front of it";
  }
  if (*derived == getLayout(relabelling.to))
    return success();
  return op->emitOpError("moves no data: from ")
         << getFragment(relabelling.from.getType()) << " follows "
         << FragmentAttr::get(op->getContext(), *derived) << ", not "
         << getFragment(relabelling.to.getType())
         << "; put a 'tile.convert_layout' in front of it";
}
