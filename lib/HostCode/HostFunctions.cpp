//===- HostFunctions.cpp - What is compiled, and what cannot be -----------===//
//
// Compiled are public functions from which a launch is reached, and what they call.
// Everything that the lowering does not know is refused here, at its place, so that
// nothing behind it fails.
//
//===----------------------------------------------------------------------===//

#include "Signature.h"

#include "tile/Dialect/Tile/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Which functions
//===----------------------------------------------------------------------===//

namespace {

/// Functions and whom they call.
class CallGraph {
public:
  explicit CallGraph(ModuleOp module) : symbols(module) {}

  /// Adds `function` and all that it calls to `reached`, callers first.
  void reach(func::FuncOp function,
             llvm::SetVector<func::FuncOp> &reached) const {
    if (!reached.insert(function))
      return;
    function.walk([&](func::CallOp call) {
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
        reach(callee, reached);
    });
  }

  /// Whether a launch is reached from `function`.
  bool starts(func::FuncOp function) const {
    llvm::SetVector<func::FuncOp> reached;
    reach(function, reached);
    return llvm::any_of(reached, [](func::FuncOp callee) {
      return callee
          .walk([](gpu::LaunchFuncOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
    });
  }

private:
  SymbolTable symbols;
};

} // namespace

//===----------------------------------------------------------------------===//
// What can be compiled
//===----------------------------------------------------------------------===//

/// Whether values of `type` are numbers or memrefs of global memory.
static bool isHostType(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return memref.isStrided() && !memref.getMemorySpace();
  return type.isIntOrIndexOrFloat() || isa<TensorMapType>(type);
}

/// Whether the lowering knows the operation.
static bool isKnown(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == arith::ArithDialect::getDialectNamespace() ||
      dialect == math::MathDialect::getDialectNamespace() ||
      dialect == scf::SCFDialect::getDialectNamespace() ||
      dialect == ub::UBDialect::getDialectNamespace())
    return true;
  return isa<func::CallOp, func::ReturnOp, gpu::LaunchFuncOp, memref::AllocOp,
             memref::CastOp, memref::CollapseShapeOp, memref::CopyOp,
             memref::DeallocOp, memref::DimOp, memref::ExpandShapeOp,
             memref::ReinterpretCastOp, memref::SubViewOp, AssumeOp,
             AssumeDivisibleOp, EncodeTensorMapOp, SmCountOp>(op);
}

/// Whether the machine computes in `type`, if only by way of a wider one.
static bool isComputed(Type type) {
  return !isa<FloatType>(type) || type.getIntOrFloatBitWidth() >= 16;
}

/// Whether `op` rounds to bf16 what f32 does not hold, which would be rounded twice.
static bool roundsTwice(Operation *op) {
  if (isa<math::FmaOp>(op))
    return op->getResult(0).getType().isBF16();
  if (!isa<arith::SIToFPOp, arith::UIToFPOp, arith::TruncFOp>(op) ||
      !op->getResult(0).getType().isBF16())
    return false;
  constexpr unsigned integerBitsOfF32 = 24;
  Type type = op->getOperand(0).getType();
  return type.isF64() ||
         (type.isInteger() && type.getIntOrFloatBitWidth() > integerBitsOfF32);
}

static LogicalResult checkOperation(Operation *op) {
  if (!isKnown(op))
    return op->emitError("'")
           << op->getName()
           << "' cannot be compiled to host code; lower it to what host code "
              "is made of (docs/Language.md), or do it in a tile.launch";
  auto isComputedHere = [](Value value) { return isComputed(value.getType()); };
  StringRef dialect = op->getName().getDialectNamespace();
  bool computes =
      (dialect == arith::ArithDialect::getDialectNamespace() &&
       !isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op)) ||
      dialect == math::MathDialect::getDialectNamespace();
  if (computes && (!llvm::all_of(op->getOperands(), isComputedHere) ||
                   !llvm::all_of(op->getResults(), isComputedHere)))
    return op->emitError("not implemented yet: conversions of floats of 8 bits "
                         "and less by the host; pass them as f32, or convert "
                         "them in a tile.launch");
  if (roundsTwice(op))
    return op->emitError("not implemented yet: '")
           << op->getName() << "' of " << op->getOperand(0).getType()
           << " to bf16 by the host; go by way of f32, or compute it in a "
              "tile.launch";
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    if (!alloc.getType().getLayout().isIdentity())
      return alloc.emitError("an allocation of type ")
             << alloc.getType() << " has no meaning in a tile program";
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    for (Value operand : launch.getKernelOperands())
      if (isa<TensorMapType>(operand.getType()) &&
          !operand.getDefiningOp<EncodeTensorMapOp>())
        return launch.emitError("a tensor map of a kernel is made by another "
                                "operation than 'tile.encode_tensor_map'");
  return success();
}

static LogicalResult checkFunction(func::FuncOp function) {
  if (function.isExternal())
    return function.emitError("host code calls '")
           << function.getSymName() << "', which has no body";
  WalkResult result = function.walk([](Operation *op) -> WalkResult {
    if (isa<func::FuncOp>(op))
      return WalkResult::advance();
    // A dense constant is left behind by the launches that used it.
    if (op->hasTrait<OpTrait::ConstantLike>() && op->use_empty())
      return WalkResult::advance();
    if (failed(checkOperation(op)))
      return WalkResult::interrupt();
    for (Type type :
         llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
      if (!isHostType(type)) {
        op->emitError("host code has no values of type ") << type;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  for (BlockArgument argument : function.getArguments())
    if (!isHostType(argument.getType()))
      return function.emitError("host code has no values of type ")
             << argument.getType();
  return failure(result.wasInterrupted());
}

FailureOr<std::vector<HostFunction>> tile::getHostFunctions(ModuleOp host) {
  CallGraph calls(host);
  llvm::SetVector<func::FuncOp> exported, needed;
  for (auto function : host.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal() &&
        calls.starts(function)) {
      exported.insert(function);
      calls.reach(function, needed);
    }
  if (exported.empty())
    return host.emitError("holds no public function that starts a kernel: "
                          "there is no host code to compile");
  std::vector<HostFunction> functions;
  LogicalResult result = success();
  for (auto function : host.getOps<func::FuncOp>()) {
    if (!needed.contains(function))
      continue;
    functions.push_back({function, exported.contains(function)});
    if (failed(checkFunction(function)))
      result = failure();
    if (functions.back().isExported && failed(tile::checkExported(function)))
      result = failure();
  }
  if (failed(result))
    return failure();
  return functions;
}
