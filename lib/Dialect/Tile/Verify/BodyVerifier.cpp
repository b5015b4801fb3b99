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
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

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
  bool isKernel = place == Place::Kernel;
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
  if (!type || !isSharedMemory(type))
    return success();
  // launch_c5
  return llvm::TypeSwitch<Operation *, LogicalResult>(result.getOwner())
      .Case<AllocOp, ViewOp, ArenaOp, AssumeOp, memref::SubViewOp,
            memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp,
            func::CallOp>([](auto) { return success(); })
      .Case([](arith::SelectOp select) {
        return select.emitOpError(
            "cannot choose between memrefs in shared memory; put the "
            "operations on them under an 'scf.if'");
      })
      .Default([&](Operation *op) -> LogicalResult {
        if (op->getNumRegions() != 0)
          return op->emitOpError("cannot give a memref in shared memory as a "
                                 "result; put the 'tile.alloc' in front of it");
        return op->emitOpError("gives ")
               << type
               << ", which does not trace to a 'tile.alloc'; views of shared "
                  "memory are made by subview, expand_shape, collapse_shape "
                  "and cast";
      });
}

//===----------------------------------------------------------------------===//
// Relabelling
//===----------------------------------------------------------------------===//

/// Whether what relabels gives the layout of one end from the other's: `derived`
/// follows from `from`, the other end has `actual`.
LogicalResult BodyVerifier::verifyRelabelling(Operation *op, FragmentAttr from,
                                              FragmentAttr actual,
                                              const tilec::LayoutMap &map,
                                              bool mayBeStaged) {
  if (!from || !actual)
    return success();
  // launch_c6
  auto derived = map.apply(from.getLayout());
  if (!derived) {
    if (mayBeStaged && stage < Stage::Materialized)
      return success();
    return op->emitOpError("moves no data, but no layout of its result follows "
                           "from ")
           << from << ": " << derived.reason()
           << "; put a 'tile.convert_layout' in front of it";
  }
  auto expected = FragmentAttr::get(op->getContext(), *derived);
  if (expected == actual)
    return success();
  return op->emitOpError("moves no data: from ")
         << from << " follows " << expected << ", not " << actual
         << "; put a 'tile.convert_layout' in front of it";
}

LogicalResult BodyVerifier::verifyRelabelling(Operation *op) {
  auto hasLayout = [](Value value) {
    return bool(getFragment(value.getType()));
  };
  if (!llvm::any_of(op->getOperands(), hasLayout))
    return success();
  LayoutConstraints constraints = getLayoutConstraints(op);
  for (const GivenLayout &given : constraints.given)
    if (given.relabelling != Relabelling::None &&
        failed(
            verifyRelabelling(op, getFragmentAt(given.source),
                              getFragment(given.result.getType()), given.map,
                              given.relabelling == Relabelling::UnlessStaged)))
      return failure();
  for (const TakenLayout &taken : constraints.taken)
    if (taken.relabelling != Relabelling::None &&
        failed(verifyRelabelling(
            op, getFragmentAt(taken.source),
            getFragment(taken.use->get().getType()), taken.map,
            taken.relabelling == Relabelling::UnlessStaged)))
      return failure();
  return success();
}
