//===- ThreadEmitter.cpp - The walk, the value map, small emission --------===//
//
// The dispatch of a kernel's operations to their families, what stands for a
// value in a thread, and the few shapes of code that all families share.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::FragmentLayout;

ThreadEmitter::ThreadEmitter(gpu::GPUFuncOp kernel,
                             const tilec::GpuTarget &target)
    : builder(kernel.getContext()), constantBuilder(kernel.getContext()),
      prologue(kernel.getContext()), loc(kernel.getLoc()), target(target),
      kernel(kernel) {}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

LogicalResult ThreadEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    loc = op.getLoc();
    if (failed(emitOperation(&op)))
      return failure();
  }
  return success();
}

LogicalResult ThreadEmitter::emitOperation(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::ConstantOp op) { return emitConstant(op); })
      // Control flow.
      .Case([&](scf::ForOp op) { return emitFor(op); })
      .Case([&](scf::IfOp op) { return emitIf(op); })
      .Case([&](scf::WhileOp op) { return emitWhile(op); })
      .Case([&](scf::IndexSwitchOp op) { return emitIndexSwitch(op); })
      // Memory.
      .Case([&](LoadOp op) { return emitLoad(op); })
      .Case([&](StoreOp op) { return emitStore(op); })
      .Case([&](CopyOp op) { return emitCopy(op); })
      .Case([&](Im2ColOp op) { return emitIm2Col(op); })
      .Case([&](AtomicRMWOp op) { return emitAtomic(op); })
      .Case([&](memref::LoadOp op) { return emitScalarLoad(op); })
      .Case([&](memref::StoreOp op) { return emitScalarStore(op); })
      .Case([&](memref::AtomicRMWOp op) { return emitScalarAtomic(op); })
      .Case([&](memref::DimOp op) { return emitDim(op); })
      .Case([&](ArenaOp op) { return emitArena(op); })
      .Case([&](ViewOp op) { return emitView(op); })
      .Case<memref::SubViewOp, memref::CastOp, memref::ReinterpretCastOp,
            memref::ExpandShapeOp, memref::CollapseShapeOp, AssumeOp>(
          [&](Operation *op) { return emitMemRefView(op); })
      // Computation.
      .Case([&](GemmOp op) { return emitGemm(op); })
      .Case([&](ReduceOp op) { return emitReduce(op); })
      .Case([&](PartialReduceOp op) { return emitPartialReduce(op); })
      .Case([&](ScanOp op) { return emitScan(op); })
      .Case([&](ParallelOp op) { return emitParallel(op); })
      // Shapes.
      .Case([&](BroadcastOp op) { return emitBroadcast(op); })
      .Case([&](TransposeOp op) { return emitTranspose(op); })
      .Case([&](BitcastOp op) { return emitBitcast(op); })
      .Case([&](ConvertLayoutOp op) { return emitConvertLayout(op); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](Operation *op) { return emitReshape(op); })
      .Case([&](tensor::ExtractSliceOp op) { return emitExtractSlice(op); })
      .Case([&](tensor::InsertSliceOp op) { return emitInsertSlice(op); })
      .Case([&](tensor::FromElementsOp op) { return emitFromElements(op); })
      .Case([&](tensor::ExtractOp op) { return emitExtract(op); })
      .Case([&](tensor::SplatOp op) {
        int64_t count = getLayout(op.getAggregate()).getRegisterCount();
        bind(op.getAggregate(),
             SmallVector<Value>(count, getScalar(op.getInput())));
        return success();
      })
      // The block and its threads.
      .Case([&](gpu::BlockIdOp op) { return emitBlockId(op); })
      .Case([&](OnceOp op) { return emitOnce(op); })
      .Case([&](AssertOp op) { return emitAssert(op); })
      .Case([&](PrintOp op) { return emitPrint(op); })
      .Case([&](BarrierOp op) {
        NVVM::Barrier0Op::create(builder, loc);
        return success();
      })
      .Case([&](CopyWaitOp op) {
        if (op.getPending())
          NVVM::CpAsyncWaitGroupOp::create(
              builder, loc, builder.getI32IntegerAttr(*op.getPending()));
        else
          callIntrinsic("llvm.nvvm.cp.async.wait.all", Type(), {});
        return success();
      })
      .Case([&](CopyCommitOp op) {
        NVVM::CpAsyncCommitGroupOp::create(builder, loc);
        return success();
      })
      .Case([&](AssumeDivisibleOp op) {
        bind(op.getResult(), getScalar(op.getValue()));
        return success();
      })
      .Default([&](Operation *op) -> LogicalResult {
        if (isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                            ub::UBDialect>(op->getDialect()))
          return emitElementwise(op);
        return notImplemented(op, "'" + op->getName().getStringRef() +
                                      "' in a kernel");
      });
}

//===----------------------------------------------------------------------===//
// The value map
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Type>> ThreadEmitter::flattenTypes(TypeRange types,
                                                         Operation *op) {
  SmallVector<Type> flat;
  for (Type type : types) {
    if (auto memref = dyn_cast<MemRefType>(type)) {
      SmallVector<int64_t> strides;
      int64_t offset;
      if (isSharedMemory(memref) ||
          failed(memref.getStridesAndOffset(strides, offset)))
        return op->emitError("a value of type ")
               << type << " cannot be passed between regions of a kernel";
      flat.push_back(LLVM::LLVMPointerType::get(op->getContext(), 1));
      flat.append(memref.getNumDynamicDims() +
                      llvm::count_if(strides, ShapedType::isDynamic),
                  builder.getI64Type());
      continue;
    }
    auto fragment = dyn_cast<RankedTensorType>(type);
    Type scalar =
        convertScalarType(fragment ? fragment.getElementType() : type);
    if (!scalar)
      return notImplemented(op, "values of type ") << type;
    flat.append(fragment ? getLayout(type).getRegisterCount() : 1, scalar);
  }
  return flat;
}

SmallVector<Value> ThreadEmitter::flatten(ValueRange blockValues) {
  SmallVector<Value> flat;
  for (Value value : blockValues) {
    auto memref = dyn_cast<MemRefType>(value.getType());
    if (!memref) {
      llvm::append_range(flat, getValues(value));
      continue;
    }
    const GlobalView &view = getGlobal(value);
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)memref.getStridesAndOffset(strides, offset);
    flat.push_back(view.pointer);
    for (auto [dim, size] : llvm::enumerate(view.sizes))
      if (memref.isDynamicDim(dim))
        flat.push_back(size);
    for (auto [stride, value] : llvm::zip(strides, view.strides))
      if (ShapedType::isDynamic(stride))
        flat.push_back(value);
  }
  return flat;
}

void ThreadEmitter::bindFlat(ValueRange blockValues, ValueRange flat) {
  size_t next = 0;
  for (Value value : blockValues) {
    auto memref = dyn_cast<MemRefType>(value.getType());
    if (!memref) {
      size_t count = isa<RankedTensorType>(value.getType())
                         ? getLayout(value).getRegisterCount()
                         : 1;
      bind(value, llvm::to_vector(flat.slice(next, count)));
      next += count;
      continue;
    }
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)memref.getStridesAndOffset(strides, offset);
    GlobalView view;
    view.pointer = flat[next++];
    for (int64_t size : memref.getShape())
      view.sizes.push_back(ShapedType::isDynamic(size) ? flat[next++]
                                                       : i64(size));
    for (int64_t stride : strides)
      view.strides.push_back(ShapedType::isDynamic(stride) ? flat[next++]
                                                           : i64(stride));
    bind(value, std::move(view));
  }
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type ThreadEmitter::convertScalarType(Type type) {
  if (type.isIndex())
    return builder.getI64Type();
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return builder.getI8Type();
  if (type.isF16() || type.isBF16() || type.isF32() || type.isF64())
    return type;
  auto integer = dyn_cast<IntegerType>(type);
  if (integer && llvm::is_contained({1, 8, 16, 32, 64}, integer.getWidth()))
    return type;
  return {};
}

Type ThreadEmitter::convertMemoryType(Type type) {
  return type.isInteger(1) ? builder.getI8Type() : convertScalarType(type);
}

int64_t ThreadEmitter::getMemoryBytes(Type elementType) {
  return getMemoryBits(elementType) / 8;
}

Value ThreadEmitter::toMemory(Value scalar, Type elementType) {
  if (!elementType.isInteger(1))
    return scalar;
  return builder.createOrFold<arith::ExtUIOp>(loc, builder.getI8Type(), scalar);
}

Value ThreadEmitter::fromMemory(Value inMemory, Type elementType) {
  if (!elementType.isInteger(1))
    return inMemory;
  return builder.createOrFold<arith::TruncIOp>(loc, builder.getI1Type(),
                                               inMemory);
}

const FragmentLayout &ThreadEmitter::getLayout(FragmentAttr attr) {
  std::unique_ptr<FragmentLayout> &layout = layouts[attr];
  if (!layout)
    layout = std::make_unique<FragmentLayout>(attr.getLayout());
  return *layout;
}

const FragmentLayout &ThreadEmitter::getLayout(Type fragmentType) {
  return getLayout(getFragment(fragmentType));
}

const FragmentLayout &ThreadEmitter::getLayout(Value fragment) {
  return getLayout(fragment.getType());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value ThreadEmitter::constant(Type type, int64_t value) {
  Value &cached = constants[{type, value}];
  if (!cached)
    cached = arith::ConstantOp::create(constantBuilder, kernel.getLoc(),
                                       builder.getIntegerAttr(type, value));
  return cached;
}

Value ThreadEmitter::constant(TypedAttr attr) {
  return arith::ConstantOp::create(builder, loc, attr);
}

Value ThreadEmitter::floatConstant(Type type, double value) {
  return constant(builder.getFloatAttr(type, value));
}

Value ThreadEmitter::zero(Type type) {
  if (isa<IntegerType>(type))
    return constant(type, 0);
  return constant(builder.getZeroAttr(type));
}

Value ThreadEmitter::poison(Type type) {
  return LLVM::PoisonOp::create(builder, loc, type);
}

//===----------------------------------------------------------------------===//
// Integer arithmetic
//===----------------------------------------------------------------------===//

Value ThreadEmitter::add(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

Value ThreadEmitter::addConstant(Value lhs, int64_t rhs) {
  return rhs == 0 ? lhs : add(lhs, constant(lhs.getType(), rhs));
}

Value ThreadEmitter::multiply(Value lhs, int64_t rhs) {
  if (rhs == 1)
    return lhs;
  if (rhs > 0 && llvm::isPowerOf2_64(rhs))
    return builder.createOrFold<arith::ShLIOp>(
        loc, lhs, constant(lhs.getType(), llvm::Log2_64(rhs)));
  return multiply(lhs, constant(lhs.getType(), rhs));
}

Value ThreadEmitter::multiply(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
}

Value ThreadEmitter::divide(Value lhs, int64_t rhs) {
  if (rhs == 1)
    return lhs;
  if (llvm::isPowerOf2_64(rhs))
    return builder.createOrFold<arith::ShRUIOp>(
        loc, lhs, constant(lhs.getType(), llvm::Log2_64(rhs)));
  return builder.createOrFold<arith::DivUIOp>(loc, lhs,
                                              constant(lhs.getType(), rhs));
}

Value ThreadEmitter::remainder(Value lhs, int64_t rhs) {
  if (llvm::isPowerOf2_64(rhs))
    return builder.createOrFold<arith::AndIOp>(
        loc, lhs, constant(lhs.getType(), rhs - 1));
  return builder.createOrFold<arith::RemUIOp>(loc, lhs,
                                              constant(lhs.getType(), rhs));
}

Value ThreadEmitter::both(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return builder.createOrFold<arith::AndIOp>(loc, lhs, rhs);
}

Value ThreadEmitter::compare(arith::CmpIPredicate predicate, Value lhs,
                             Value rhs) {
  return builder.createOrFold<arith::CmpIOp>(loc, predicate, lhs, rhs);
}

Value ThreadEmitter::select(Value condition, Value ifTrue, Value ifFalse) {
  return builder.createOrFold<arith::SelectOp>(loc, condition, ifTrue, ifFalse);
}

Value ThreadEmitter::widen(Value i32) {
  return builder.createOrFold<arith::ExtUIOp>(loc, builder.getI64Type(), i32);
}

Value ThreadEmitter::narrow(Value i64) {
  return builder.createOrFold<arith::TruncIOp>(loc, builder.getI32Type(), i64);
}

//===----------------------------------------------------------------------===//
// Memory and calls
//===----------------------------------------------------------------------===//

Value ThreadEmitter::advance(Value pointer, Value bytes) {
  if (!bytes)
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer, ValueRange(bytes));
}

Value ThreadEmitter::advance(Value pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  return LLVM::GEPOp::create(
      builder, loc, pointer.getType(), builder.getI8Type(), pointer,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

Value ThreadEmitter::load(Value pointer, Type memoryType, int64_t count) {
  int64_t bytes = memoryType.getIntOrFloatBitWidth() / 8 * count;
  Type type = count == 1 ? memoryType : VectorType::get({count}, memoryType);
  return LLVM::LoadOp::create(builder, loc, type, pointer, bytes);
}

void ThreadEmitter::store(ArrayRef<Value> elements, Value pointer,
                          Type memoryType) {
  int64_t count = elements.size();
  int64_t bytes = memoryType.getIntOrFloatBitWidth() / 8 * count;
  Value value = elements.front();
  if (count > 1) {
    value = poison(VectorType::get({count}, memoryType));
    for (auto [position, element] : llvm::enumerate(elements))
      value = LLVM::InsertElementOp::create(builder, loc, value, element,
                                            i32(position));
  }
  LLVM::StoreOp::create(builder, loc, value, pointer, bytes);
}

Value ThreadEmitter::callIntrinsic(StringRef name, Type result,
                                   ValueRange operands) {
  StringAttr attr = builder.getStringAttr(name);
  if (!result) {
    LLVM::CallIntrinsicOp::create(builder, loc, attr, operands);
    return {};
  }
  return LLVM::CallIntrinsicOp::create(builder, loc, result, attr, operands)
      ->getResult(0);
}

Value ThreadEmitter::callLibdevice(StringRef name, Type result,
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

void ThreadEmitter::emitUnder(Value condition,
                              llvm::function_ref<void()> body) {
  if (!condition)
    return body();
  OpBuilder::InsertionGuard guard(builder);
  auto branch = scf::IfOp::create(builder, loc, condition,
                                  /*withElseRegion=*/false);
  builder.setInsertionPoint(branch.thenYield());
  body();
}
