//===- Runtime.cpp - Calls of libtileRt -----------------------------------===//

#include "Runtime.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::tile;

Value Runtime::call(Location loc, StringRef name, Type result,
                    ValueRange operands) {
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  Type type = result;
  if (!type)
    type = LLVM::LLVMVoidType::get(builder.getContext());
  FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
      builder, module, name, llvm::to_vector(operands.getTypes()), type);
  assert(succeeded(function) && "names of the runtime are no program's");
  auto made = LLVM::CallOp::create(builder, loc, *function, operands);
  return result ? made.getResult() : Value();
}

Value Runtime::makeWord(Location loc, int64_t number) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(number));
}

Value Runtime::makeWord(Location loc, Value number) {
  Type word = builder.getI64Type(), type = number.getType();
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, word, number);
  bool isSigned = type.isInteger() && !type.isInteger(1);
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type))
    number = arith::BitcastOp::create(builder, loc,
                                      builder.getIntegerType(bits), number);
  if (bits == 64)
    return number;
  return isSigned
             ? arith::ExtSIOp::create(builder, loc, word, number).getResult()
             : arith::ExtUIOp::create(builder, loc, word, number).getResult();
}

void Runtime::addWords(Location loc, Value value,
                       SmallVectorImpl<Value> &words) {
  if (!isa<MemRefType>(value.getType()))
    return words.push_back(makeWord(loc, value));
  words.push_back(makeWord(loc, memref::ExtractAlignedPointerAsIndexOp::create(
                                    builder, loc, value)));
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, value);
  words.push_back(makeWord(loc, metadata.getOffset()));
  for (Value size : metadata.getSizes())
    words.push_back(makeWord(loc, size));
  for (Value stride : metadata.getStrides())
    words.push_back(makeWord(loc, stride));
}

Value Runtime::makeMemRef(Location loc, MemRefType type, Value pointer,
                          Value offset, ValueRange sizes, ValueRange strides) {
  SmallVector<Value> fields = {pointer, pointer, offset};
  llvm::append_range(fields, sizes);
  llvm::append_range(fields, strides);
  LLVMTypeConverter converter(builder.getContext());
  Value descriptor =
      MemRefDescriptor::pack(builder, loc, converter, type, fields);
  return UnrealizedConversionCastOp::create(builder, loc, type, descriptor)
      .getResult(0);
}

SmallVector<Value> Runtime::makeStrides(Location loc, ValueRange sizes) {
  SmallVector<Value> strides(sizes.size());
  Value stride = makeWord(loc, 1);
  for (size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride = arith::MulIOp::create(builder, loc, stride, sizes[dim]);
  }
  return strides;
}

Value Runtime::store(Location loc, ValueRange words) {
  Type word = builder.getI64Type(), pointer = getPointerType();
  Value array;
  {
    // At the function's begin: in a loop it would take memory at each turn.
    OpBuilder::InsertionGuard guard(builder);
    auto function =
        dyn_cast<func::FuncOp>(builder.getInsertionBlock()->getParentOp());
    if (!function)
      function = builder.getInsertionBlock()
                     ->getParentOp()
                     ->getParentOfType<func::FuncOp>();
    builder.setInsertionPointToStart(&function.getBody().front());
    Value count =
        makeWord(loc, std::max<int64_t>(1, static_cast<int64_t>(words.size())));
    array = LLVM::AllocaOp::create(builder, loc, pointer, word, count);
  }
  for (auto [i, value] : llvm::enumerate(words)) {
    Value place = LLVM::GEPOp::create(builder, loc, pointer, word, array,
                                      LLVM::GEPArg(static_cast<int32_t>(i)));
    LLVM::StoreOp::create(builder, loc, value, place);
  }
  return array;
}
