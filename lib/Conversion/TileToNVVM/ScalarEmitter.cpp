//===- ScalarEmitter.cpp - Constants, integers, calls ---------------------===//

#include "ScalarEmitter.h"

using namespace mlir;
using namespace mlir::tile;

ScalarEmitter::ScalarEmitter(gpu::GPUFuncOp kernel)
    : kernel(kernel), builder(kernel.getContext()),
      constantBuilder(kernel.getContext()), loc(kernel.getLoc()) {}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value ScalarEmitter::constant(Type type, int64_t value) {
  Value &cached = constants[{type, value}];
  if (!cached)
    cached = arith::ConstantOp::create(constantBuilder, kernel.getLoc(),
                                       builder.getIntegerAttr(type, value));
  return cached;
}

Value ScalarEmitter::constant(TypedAttr attr) {
  return arith::ConstantOp::create(builder, loc, attr);
}

Value ScalarEmitter::floatConstant(Type type, double value) {
  return constant(builder.getFloatAttr(type, value));
}

Value ScalarEmitter::zero(Type type) {
  if (isa<IntegerType>(type))
    return constant(type, 0);
  return constant(builder.getZeroAttr(type));
}

Value ScalarEmitter::poison(Type type) {
  return LLVM::PoisonOp::create(builder, loc, type);
}

Value ScalarEmitter::freeze(Value value) {
  if (value.getDefiningOp<arith::ConstantOp>())
    return value;
  return LLVM::FreezeOp::create(builder, loc, value);
}

Value ScalarEmitter::joinInVector(ArrayRef<Value> values) {
  Value vector = poison(VectorType::get({static_cast<int64_t>(values.size())},
                                        values.front().getType()));
  for (auto [index, value] : llvm::enumerate(values))
    vector =
        LLVM::InsertElementOp::create(builder, loc, vector, value, i32(index));
  return vector;
}

void ScalarEmitter::appendElements(Value vector,
                                   SmallVectorImpl<Value> &elements) {
  int64_t count = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(
        LLVM::ExtractElementOp::create(builder, loc, vector, i32(i)));
}

//===----------------------------------------------------------------------===//
// Integer arithmetic
//===----------------------------------------------------------------------===//

Value ScalarEmitter::add(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

Value ScalarEmitter::addConstant(Value lhs, int64_t rhs) {
  return rhs == 0 ? lhs : add(lhs, constant(lhs.getType(), rhs));
}

Value ScalarEmitter::multiply(Value lhs, int64_t rhs) {
  if (rhs == 1)
    return lhs;
  if (rhs > 0 && llvm::isPowerOf2_64(rhs))
    return builder.createOrFold<arith::ShLIOp>(
        loc, lhs, constant(lhs.getType(), llvm::Log2_64(rhs)));
  return multiply(lhs, constant(lhs.getType(), rhs));
}

Value ScalarEmitter::multiply(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
}

Value ScalarEmitter::divide(Value lhs, int64_t rhs) {
  if (rhs == 1)
    return lhs;
  if (llvm::isPowerOf2_64(rhs))
    return builder.createOrFold<arith::ShRUIOp>(
        loc, lhs, constant(lhs.getType(), llvm::Log2_64(rhs)));
  return builder.createOrFold<arith::DivUIOp>(loc, lhs,
                                              constant(lhs.getType(), rhs));
}

Value ScalarEmitter::remainder(Value lhs, int64_t rhs) {
  if (llvm::isPowerOf2_64(rhs))
    return builder.createOrFold<arith::AndIOp>(
        loc, lhs, constant(lhs.getType(), rhs - 1));
  return builder.createOrFold<arith::RemUIOp>(loc, lhs,
                                              constant(lhs.getType(), rhs));
}

Value ScalarEmitter::both(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return builder.createOrFold<arith::AndIOp>(loc, lhs, rhs);
}

Value ScalarEmitter::compare(arith::CmpIPredicate predicate, Value lhs,
                             Value rhs) {
  return builder.createOrFold<arith::CmpIOp>(loc, predicate, lhs, rhs);
}

Value ScalarEmitter::select(Value condition, Value ifTrue, Value ifFalse) {
  return builder.createOrFold<arith::SelectOp>(loc, condition, ifTrue, ifFalse);
}

Value ScalarEmitter::widen(Value i32) {
  return builder.createOrFold<arith::ExtUIOp>(loc, builder.getI64Type(), i32);
}

Value ScalarEmitter::narrow(Value i64) {
  return builder.createOrFold<arith::TruncIOp>(loc, builder.getI32Type(), i64);
}

//===----------------------------------------------------------------------===//
// Calls and conditions
//===----------------------------------------------------------------------===//

Value ScalarEmitter::callIntrinsic(StringRef name, Type result,
                                   ValueRange operands) {
  StringAttr attr = builder.getStringAttr(name);
  if (!result) {
    LLVM::CallIntrinsicOp::create(builder, loc, attr, operands);
    return {};
  }
  return LLVM::CallIntrinsicOp::create(builder, loc, result, attr, operands)
      ->getResult(0);
}

Value ScalarEmitter::emitAssembly(StringRef text, StringRef constraints,
                                  Type result, ValueRange operands,
                                  bool hasEffects) {
  auto assembly = LLVM::InlineAsmOp::create(
      builder, loc, result ? TypeRange(result) : TypeRange(), operands, text,
      constraints, /*has_side_effects=*/hasEffects, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None,
      /*asm_dialect=*/LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr());
  return result ? assembly.getResult(0) : Value();
}

Value ScalarEmitter::callLibdevice(StringRef name, Type result,
                                   ValueRange operands) {
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    callee = LLVM::LLVMFuncOp::create(
        builder, kernel.getLoc(), name,
        LLVM::LLVMFunctionType::get(result,
                                    llvm::to_vector(operands.getTypes())));
  }
  return LLVM::CallOp::create(builder, loc, callee, operands).getResult();
}

scf::IfOp ScalarEmitter::emitUnder(Value condition,
                                   llvm::function_ref<void()> body) {
  if (!condition) {
    body();
    return {};
  }
  OpBuilder::InsertionGuard guard(builder);
  auto branch = scf::IfOp::create(builder, loc, condition,
                                  /*withElseRegion=*/false);
  builder.setInsertionPoint(branch.thenYield());
  body();
  return branch;
}
