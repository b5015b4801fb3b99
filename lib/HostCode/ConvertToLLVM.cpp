//===- ConvertToLLVM.cpp - Host code by upstream's conversions ------------===//
//
// Host code computes with numbers that a caller gives, so that a division by zero,
// whose result is unspecified in the language, must not end the process: x86's
// instruction traps.
//
//===----------------------------------------------------------------------===//

#include "LowerHost.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// What upstream leaves
//===----------------------------------------------------------------------===//

/// Pattern: %a / %b -> %a / (%b == 0 || %b == -1 && %a == least ? 1 : %b)
static void guardDivision(Operation *op, bool isSigned) {
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  APInt constant;
  if (matchPattern(divisor, m_ConstantInt(&constant)) && !constant.isZero() &&
      !constant.isAllOnes())
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type type = divisor.getType();
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto isEqual = [&](Value value, const APInt &number) -> Value {
    Value other = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(type, number));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 other);
  };
  Value traps = isEqual(divisor, APInt::getZero(bits));
  if (isSigned) {
    Value overflows = arith::AndIOp::create(
        builder, loc, isEqual(divisor, APInt::getAllOnes(bits)),
        isEqual(dividend, APInt::getSignedMinValue(bits)));
    traps = arith::OrIOp::create(builder, loc, traps, overflows);
  }
  Value one = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(type, APInt(bits, 1)));
  op->setOperand(1, arith::SelectOp::create(builder, loc, traps, one, divisor));
}

static void guardDivisions(ModuleOp module) {
  module.walk([](Operation *op) {
    bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op);
    if (isSigned || isa<arith::DivUIOp, arith::RemUIOp>(op))
      guardDivision(op, isSigned);
  });
}

/// Pattern: math.isinf %x -> |%x| == inf
/// which upstream has no lowering for.
static void expandIsInf(ModuleOp module) {
  module.walk([](math::IsInfOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto type = cast<FloatType>(op.getOperand().getType());
    Value infinity = arith::ConstantOp::create(
        builder, loc,
        builder.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics())));
    Value magnitude = math::AbsFOp::create(builder, loc, op.getOperand());
    op.replaceAllUsesWith(arith::CmpFOp::create(builder, loc,
                                                arith::CmpFPredicate::OEQ,
                                                magnitude, infinity)
                              .getResult());
    op.erase();
  });
}

/// Pattern: arith.sitofp %x : iN to bf16 -> arith.truncf (arith.sitofp %x : iN to f32)
/// which is the same for integers that f32 holds; others are refused (HostFunctions.cpp).
/// LLVM would call a function that libgcc has since version 13.
static void convertThroughF32(ModuleOp module) {
  module.walk([](Operation *op) {
    if (!isa<arith::SIToFPOp, arith::UIToFPOp>(op))
      return;
    Type type = op->getResult(0).getType();
    if (!type.isBF16())
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    op->getResult(0).setType(builder.getF32Type());
    auto narrow =
        arith::TruncFOp::create(builder, op->getLoc(), type, op->getResult(0));
    op->getResult(0).replaceAllUsesExcept(narrow, narrow);
  });
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// What the machine has no instructions for, in terms of what it has.
static void addExpansions(OpPassManager &pm) {
  math::MathExtendToSupportedTypesOptions functions;
  functions.targetTypeStr = "f32";
  pm.addNestedPass<func::FuncOp>(
      math::createMathExtendToSupportedTypes(functions));
  arith::ArithEmulateUnsupportedFloatsOptions floats;
  floats.sourceTypeStrs.assign({"bf16", "f16"});
  floats.targetTypeStr = "f32";
  pm.addNestedPass<func::FuncOp>(
      arith::createArithEmulateUnsupportedFloats(floats));
  arith::ArithExpandOpsPassOptions operations;
  operations.includeBf16 = true;
  pm.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass(operations));
  pm.addNestedPass<func::FuncOp>(memref::createExpandStridedMetadataPass());
  pm.addNestedPass<func::FuncOp>(createLowerAffinePass());
}

static void addConversions(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createSCFToControlFlowPass());
  pm.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

LogicalResult tile::convertToLLVM(ModuleOp module) {
  expandIsInf(module);
  convertThroughF32(module);
  lowerViewsOfFewerDims(module);
  PassManager expansions(module.getContext(), ModuleOp::getOperationName());
  addExpansions(expansions);
  if (failed(expansions.run(module)))
    return failure();
  guardDivisions(module);
  PassManager conversions(module.getContext(), ModuleOp::getOperationName());
  addConversions(conversions);
  return conversions.run(module);
}
