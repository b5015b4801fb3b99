//===- LaunchOp.cpp - Verification of launches and allocations ------------===//
//
// A launch is checked in three places, because each sees more than the one
// before: `verify` its own operands and attributes, `verifyRegions` its body
// and the host function around it, `verifySymbolUses` the functions that it
// calls (only the verifier of the module may look into other functions: passes
// on functions run in parallel).
//
// Why the launch and not each operation: an operation does not know whether it
// stands in a launch or in a function that one calls.
//
//===----------------------------------------------------------------------===//

#include "../Verify/BodyVerifier.h"
#include "../Verify/LayoutChecks.h"
#include "../Verify/LegalOperations.h"

#include "tile/Dialect/Tile/Stages.h"
#include "tile/Dialect/Tile/TileTarget.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

void LaunchOp::build(OpBuilder &builder, OperationState &state, ValueRange grid,
                     int64_t threads, StringRef name) {
  state.addOperands(grid);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.threads = builder.getI64IntegerAttr(threads);
  if (!name.empty())
    properties.kernel = builder.getStringAttr(name);
  Block &body = state.addRegion()->emplaceBlock();
  for (size_t dim = 0; dim < grid.size(); ++dim)
    body.addArgument(builder.getIndexType(), state.location);
  ensureTerminator(*state.regions.back(), builder, state.location);
}

//===----------------------------------------------------------------------===//
// Operands and attributes
//===----------------------------------------------------------------------===//

LogicalResult LaunchOp::verify() {
  // launch_c1
  size_t rank = getGrid().size();
  if (rank < 1 || rank > 3)
    return emitOpError("must have a grid of 1 to 3 extents, got ") << rank;
  if (getBody().getNumArguments() != rank ||
      !llvm::all_of(getBody().getArgumentTypes(),
                    [](Type type) { return type.isIndex(); }))
    return emitOpError(
               "must have a block coordinate of type 'index' for each of its ")
           << rank << " extents, got " << getBody().getNumArguments()
           << " block arguments";
  // launch_c2
  if (failed(verifyThreadCount(*this, getThreads())))
    return failure();
  // launch_c3
  if (std::optional<ArrayRef<int64_t>> cluster = getCluster()) {
    if (cluster->empty() || cluster->size() > rank)
      return emitOpError("must have a cluster of 1 to ")
             << rank << " extents, one per dimension of the grid at most, got "
             << cluster->size();
    for (int64_t extent : *cluster)
      if (extent < 1)
        return emitOpError("must have positive cluster extents, got ")
               << extent;
  }
  for (auto [name, value] :
       {std::pair("min_blocks_per_sm", getMinBlocksPerSm()),
        std::pair("max_registers", getMaxRegisters())})
    if (value && static_cast<int64_t>(*value) < 1)
      return emitOpError() << "'" << name << "' must be positive, got "
                           << static_cast<int64_t>(*value);
  // launch_c10
  if (getRoles() && failed(verifyRoleThreads(*this, *getRoles(), getThreads(),
                                             /*isKernel=*/false)))
    return failure();
  if (!(*this)->getParentOfType<FunctionOpInterface>())
    return emitOpError("stands inside a function, which is its host code");
  return success();
}

//===----------------------------------------------------------------------===//
// Body and host function
//===----------------------------------------------------------------------===//

/// What becomes a kernel parameter can be one; constants are not passed.
static LogicalResult verifyCaptures(LaunchOp launch) {
  // launch_c7
  llvm::SetVector<Value> captures;
  getUsedValuesDefinedAbove(launch.getBody(), captures);
  for (Value value : captures) {
    if (value.getDefiningOp<arith::ConstantOp>())
      continue;
    Type type = value.getType();
    auto emitError = [&] {
      InFlightDiagnostic error = launch.emitOpError("captures a value: ");
      error.attachNote(value.getLoc()) << "the value";
      return error;
    };
    if (isa<RankedTensorType>(type))
      return emitError()
             << "a fragment does not cross the boundary of a launch, "
                "got "
             << type << "; pass it through a memref in global memory";
    if (failed(verifyValueType(type, Place::Host, emitError)))
      return failure();
  }
  return success();
}

/// The first launch of a function, in order of operations.
static LaunchOp getFirstLaunch(Operation *function) {
  LaunchOp first;
  function->walk<WalkOrder::PreOrder>([&](LaunchOp launch) {
    first = launch;
    return WalkResult::interrupt();
  });
  return first;
}

/// Operations and values of host code; launch bodies are not host code.
static LogicalResult verifyHostRegion(Region &region) {
  for (Block &block : region) {
    for (BlockArgument argument : block.getArguments())
      if (failed(verifyValueType(argument.getType(), Place::Host, [&] {
            return region.getParentOp()->emitOpError();
          })))
        return failure();
    for (Operation &op : block) {
      if (failed(verifyLegalOperation(&op, Place::Host)) ||
          failed(verifyElementTypes(&op)))
        return failure();
      // A dense constant is rematerialised in the launches that use it.
      if (!isa<arith::ConstantOp>(op))
        for (Type type : op.getResultTypes())
          if (failed(verifyValueType(type, Place::Host,
                                     [&] { return op.emitOpError(); })))
            return failure();
      if (getPlaceInside(&op, Place::Host) == Place::Host)
        for (Region &inner : op.getRegions())
          if (failed(verifyHostRegion(inner)))
            return failure();
    }
  }
  return success();
}

LogicalResult LaunchOp::verifyRegions() {
  if (failed(verifyCaptures(*this)))
    return failure();
  BodyVerifier verifier(*this, getThreads(), getReachedStage());
  if (failed(verifier.verify(getBody(), Place::Block)))
    return failure();
  // launch_c8
  if (failed(verifyStage(*this, getReachedStage())))
    return failure();
  // launch_c9
  auto function = (*this)->getParentOfType<FunctionOpInterface>();
  if (getFirstLaunch(function) == *this)
    return verifyHostRegion(function.getFunctionBody());
  return success();
}

//===----------------------------------------------------------------------===//
// Called functions
//===----------------------------------------------------------------------===//

namespace {
/// Follows the calls of one launch, or of the host code around launches.
class CallVerifier {
public:
  CallVerifier(LaunchOp launch, SymbolTableCollection &symbols, Place place)
      : launch(launch), symbols(symbols), place(place) {}

  /// Checks every function called in `region` and in those.
  LogicalResult verifyCalls(Region &region) {
    WalkResult result =
        region.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
          if (place == Place::Host && getPlaceInside(op, place) != place)
            return WalkResult::skip();
          auto call = dyn_cast<func::CallOp>(op);
          return call ? WalkResult(verifyCall(call)) : WalkResult::advance();
        });
    return failure(result.wasInterrupted());
  }

private:
  LogicalResult verifyCall(func::CallOp call) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee)
      return success(); // The call's own verifier reports it.
    if (callee.isExternal())
      return place == Place::Host
                 ? success()
                 : call.emitOpError("calls '")
                       << callee.getSymName()
                       << "', which has no body; calls in a launch are inlined";
    if (llvm::is_contained(stack, callee))
      return call.emitOpError("makes '")
             << callee.getSymName()
             << "' recursive; calls are inlined, use 'scf.while'";
    if (!checked.insert(callee).second)
      return success();
    stack.push_back(callee);
    LogicalResult result = verifyCallee(callee);
    if (succeeded(result))
      result = verifyCalls(callee.getBody());
    stack.pop_back();
    return result;
  }

  LogicalResult verifyCallee(func::FuncOp callee) {
    if (place == Place::Host)
      // A function with launches of its own is checked by the first of them.
      return getFirstLaunch(callee) ? success()
                                    : verifyHostRegion(callee.getBody());
    BodyVerifier verifier(launch, launch.getThreads(),
                          launch.getReachedStage());
    return verifier.verify(callee.getBody(), Place::Block);
  }

  LaunchOp launch;
  SymbolTableCollection &symbols;
  Place place;
  SmallVector<func::FuncOp> stack;
  llvm::DenseSet<Operation *> checked;
};
} // namespace

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  // launch_c4
  CallVerifier body(*this, symbolTable, Place::Block);
  if (failed(body.verifyCalls(getBody())))
    return failure();
  // launch_c9
  auto function = (*this)->getParentOfType<FunctionOpInterface>();
  if (!function || getFirstLaunch(function) != *this)
    return success();
  CallVerifier hostCode(*this, symbolTable, Place::Host);
  return hostCode.verifyCalls(function.getFunctionBody());
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

LogicalResult AllocOp::verify() {
  MemRefType type = getType();
  // alloc_c1
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return emitOpError(
               "must make a buffer of static shape with the identity layout "
               "map, got ")
           << type << "; where elements lie is said by 'layout(...)'";
  if (llvm::is_contained(type.getShape(), 0))
    return emitOpError("must make a buffer of at least one element, got ")
           << type;
  if (isTooLarge(type.getShape(), maxMemoryElements))
    return emitOpError("must make a buffer of at most ")
           << maxMemoryElements << " elements, got " << type
           << "; give the block a smaller tile";
  int64_t elementBits = getMemoryBits(type.getElementType());
  if (elementBits == 0)
    return emitOpError("has no memory size for element type ")
           << type.getElementType();
  // alloc_c2
  if (SharedAttr layout = getLayoutAttr())
    if (failed(verifySharedLayout(*this, layout, type)))
      return failure();
  // alloc_c3
  if (std::optional<uint64_t> alignment = getAlignment()) {
    int64_t elementBytes = llvm::divideCeil(elementBits, 8);
    int64_t bytes = static_cast<int64_t>(*alignment);
    if (bytes < 1 || !llvm::isPowerOf2_64(bytes) || bytes % elementBytes != 0)
      return emitOpError(
                 "must have an alignment that is a power of two of at least "
                 "the element's ")
             << elementBytes << " bytes, got " << bytes;
  }
  return success();
}
