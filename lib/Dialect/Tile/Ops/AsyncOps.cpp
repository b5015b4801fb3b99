//===- AsyncOps.cpp - Verification of roles and rings ---------------------===//
//
// What is known without running the program: where roles stand, how many warps
// they have, which role may do what with a ring. That slots are acquired,
// committed, waited for and released in step, and that no role waits for ever,
// depends on numbers, and is checked by the reference interpreter, for one
// sequence of operations by tile/Analysis/RingProtocol.h too.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

LogicalResult SpecializeOp::verify() {
  // specialize_c1
  ArrayRef<RoleAttr> roles = getRoles().getRoles();
  if (roles.size() != getBodies().size())
    return emitOpError("must have a region for each of its ")
           << roles.size() << " roles, got " << getBodies().size();
  // specialize_c2
  Operation *parent = (*this)->getParentOp();
  if (!isa<LaunchOp, gpu::GPUFuncOp>(parent))
    return emitOpError("stands in the body of the launch itself, not inside '")
           << parent->getName() << "'";
  Operation *next = (*this)->getNextNode();
  if (next && !next->hasTrait<OpTrait::IsTerminator>())
    return emitOpError("is the last operation of its launch, but '")
           << next->getName() << "' follows; move it in front or into a role";
  // specialize_c5
  auto launch = (*this)->getParentOfType<LaunchOp>();
  if (launch && launch.getRoles() && *launch.getRoles() != getRoles())
    return emitOpError("has other roles than its launch: ")
           << getRoles() << " and " << *launch.getRoles();
  return success();
}

LogicalResult SpecializeOp::verifyRegions() {
  // specialize_c4
  for (Region &body : getBodies()) {
    llvm::SetVector<Value> captures;
    getUsedValuesDefinedAbove(body, captures);
    for (Value value : captures) {
      if (value.getDefiningOp<arith::ConstantOp>() ||
          !isa<RankedTensorType, PendingType>(value.getType()))
        continue;
      InFlightDiagnostic error =
          emitOpError("takes ")
          << value.getType()
          << " from outside into a role, whose warps do not hold it; compute "
             "it in the role";
      error.attachNote(value.getLoc()) << "the value";
      return error;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Barriers and waits
//===----------------------------------------------------------------------===//

LogicalResult BarrierOp::verify() {
  // barrier_c1
  if (getId().has_value() != getWarps().has_value())
    return emitOpError("of a part of the block has both 'id' and 'warps', "
                       "got only ")
           << (getId() ? "'id'" : "'warps'");
  if (getId() && (static_cast<int64_t>(*getId()) < 1 ||
                  static_cast<int64_t>(*getWarps()) < 1))
    return emitOpError(
               "of a part of the block must have an 'id' and a number of "
               "'warps' of at least 1, got ")
           << static_cast<int64_t>(*getId()) << " and "
           << static_cast<int64_t>(*getWarps())
           << "; the barrier of the whole block is 'tile.barrier'";
  // barrier_c2
  if (getId() && getScope())
    return emitOpError("with 'id' is of the warps that it counts; remove "
                       "'scope'");
  return success();
}

LogicalResult CopyWaitOp::verify() {
  // copy_wait_c1
  if (getPending() && static_cast<int64_t>(*getPending()) < 0)
    return emitOpError("must leave 0 or more groups pending, got ")
           << static_cast<int64_t>(*getPending());
  return success();
}

LogicalResult ProductWaitOp::verify() {
  // product_wait_c1
  if (static_cast<int64_t>(getPending()) < 0)
    return emitOpError("must leave 0 or more products in flight, got ")
           << static_cast<int64_t>(getPending());
  return success();
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// The role of `specialize` around an operation: its region, or null.
static Region *getRole(Operation *op) {
  auto specialize = op->getParentOfType<SpecializeOp>();
  if (!specialize)
    return nullptr;
  return llvm::find_if(specialize.getBodies(), [&](Region &body) {
    return body.isAncestor(op->getParentRegion());
  });
}

/// Whether a ring is the only one that `buffer` is in, and comes before all
/// other uses: views made earlier would not be guarded.
static LogicalResult verifyFirstUse(RingOp ring, Value buffer) {
  if (llvm::count(ring.getBuffers(), buffer) > 1)
    return ring.emitOpError("guards a buffer twice; list each once");
  for (Operation *user : buffer.getUsers()) {
    Operation *inBlock = ring->getBlock()->findAncestorOpInBlock(*user);
    bool isOtherRing = isa<RingOp>(user) && user != ring;
    if (!isOtherRing &&
        (!inBlock || inBlock == ring || ring->isBeforeInBlock(inBlock)))
      continue;
    InFlightDiagnostic error = ring.emitOpError();
    error.attachNote(user->getLoc()) << "the other use is here";
    if (isOtherRing)
      return error << "guards a buffer that is in another ring; give each ring "
                      "its own";
    return error
           << "guards a buffer that is used before it; put the ring behind "
              "the allocation";
  }
  return success();
}

/// Whether `user` is an operation on rings, and in the role of `producer` if it
/// fills them as that does. The first one that fills becomes the producer.
static LogicalResult verifyRingUser(Operation *user, Operation *&producer) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(user)
      .Case<RingWaitOp, RingReleaseOp>([](auto) { return success(); })
      .Case<RingAcquireOp, RingCommitOp>([&](Operation *op) -> LogicalResult {
        if (!producer)
          producer = op;
        if (getRole(op) == getRole(producer))
          return success();
        InFlightDiagnostic error = op->emitOpError(
            "makes a second role fill the ring; slots are acquired and "
            "committed in one role");
        error.attachNote(producer->getLoc()) << "the first one is here";
        return error;
      })
      .Default([](Operation *op) {
        return op->emitOpError("cannot use a ring; it is acquired, committed, "
                               "waited for and released");
      });
}

void RingOp::build(OpBuilder &builder, OperationState &state, RingType type,
                   ValueRange buffers) {
  build(builder, state, type, buffers, /*barriers=*/Value(), /*consumers=*/1,
        /*modulo=*/false);
}

/// Whether `words` are the mbarriers of a ring of `slots` slots.
static LogicalResult verifyBarriers(RingOp ring, Value words, int64_t slots) {
  auto type = cast<MemRefType>(words.getType());
  if (type.getShape() != ArrayRef<int64_t>{2, slots} ||
      !type.getElementType().isInteger(64))
    return ring.emitOpError("of ") << slots << " slots has barriers of 2 x "
                                   << slots << " words of i64, got " << type;
  if (!isa_and_nonnull<AllocOp, ViewOp>(words.getDefiningOp()))
    return ring.emitOpError("has barriers of its own; give it the result of a "
                            "'tile.alloc' or 'tile.view'");
  if (words.hasOneUse())
    return success();
  return ring.emitOpError(
      "has barriers that something else uses; give them to the ring alone");
}

LogicalResult RingOp::verify() {
  int64_t slots = getType().getSlots();
  // ring_c1
  if (getBuffers().empty())
    return emitOpError("guards at least one buffer");
  for (Value buffer : getBuffers()) {
    auto type = cast<MemRefType>(buffer.getType());
    if (type.getRank() < 1 || type.getDimSize(0) != slots)
      return emitOpError("of ")
             << slots << " slots must guard buffers with the outermost extent "
             << slots << ", got " << type;
    Operation *op = buffer.getDefiningOp();
    if (!isa_and_nonnull<AllocOp, ViewOp>(op))
      return emitOpError("guards whole buffers; give it the result of a "
                         "'tile.alloc' or 'tile.view', not a view of one");
    // ring_c4
    if (failed(verifyFirstUse(*this, buffer)))
      return failure();
  }
  // ring_c2
  if (static_cast<int64_t>(getConsumers()) < 1)
    return emitOpError(
               "must have at least 1 release per use, got 'consumers' = ")
           << static_cast<int64_t>(getConsumers());
  // ring_c5
  if (getBarriers() && failed(verifyBarriers(*this, getBarriers(), slots)))
    return failure();
  // ring_c3
  Operation *producer = nullptr;
  for (Operation *user : getResult().getUsers())
    if (failed(verifyRingUser(user, producer)))
      return failure();
  return success();
}
