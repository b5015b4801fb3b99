//===- ThreadEmitter.h - The program of one thread --------------*- C++ -*-===//
//
// Walks the body of a kernel over tiles and emits what one thread does, family
// by family (one .cpp each). It keeps for every value of the kernel what stands
// for it in a thread:
//
//     scalar           one value (index is i64, fp8 its bits in i8)
//     fragment         one scalar per register of its layout
//     global memref    pointer, sizes, strides (GlobalView)
//     shared memref    base address and layout (SharedView)
//
// A coordinate of a register is a part known at compile time (the digits of the
// register) plus a part that depends on the thread (the digits of lane and
// warp). The second is emitted once per kernel, at the top of the function;
// everything an access needs then is additions of constants, which LLVM folds
// into the immediate offsets of loads and stores.
//
// Values outside a fragment's shape (padding) are never observed; they may be
// poison.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_THREADEMITTER_H
#define TILE_LIB_CONVERSION_TILETONVVM_THREADEMITTER_H

#include "tile/Analysis/IndexFacts.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/GpuTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

#include <map>
#include <memory>

namespace mlir::tile {

/// Where the lane and warp digits of a layout put a thread along one dimension.
struct ThreadCoordinate {
  Value value;                 ///< i32; null where it is 0 in every thread
  std::vector<int64_t> values; ///< all values it takes, ascending
};

/// A memref of global memory: the element at all-zero indices, and how to go
/// on.
struct GlobalView {
  Value pointer;              ///< !llvm.ptr<1>
  SmallVector<Value> sizes;   ///< i64
  SmallVector<Value> strides; ///< i64, in elements
  Value base;                 ///< the pointer without offsets; null if unknown
};

/// A view of a shared buffer. Coordinates of the view map to coordinates of the
/// buffer's layout: layout dim `dims[v]` = start + stride * view coordinate.
struct SharedView {
  struct LayoutDim {
    int64_t extent = 1;
    int64_t stride = 1;
    int64_t start = 0;
    Value dynamicStart;       ///< i32, added to `start`; may be null
    int64_t startDivisor = 1; ///< divides `dynamicStart`
  };
  Value base; ///< !llvm.ptr<3>, where the buffer begins
  tilec::OffsetDigits digits;
  tilec::Swizzle swizzle;
  int64_t elementBytes = 1;
  SmallVector<LayoutDim> layoutDims;
  SmallVector<int> dims;
};

class ThreadEmitter {
public:
  ThreadEmitter(gpu::GPUFuncOp kernel, const tilec::GpuTarget &target);

  /// Emits the function in front of the kernel, under its name, and leaves the
  /// kernel as it is. Fails with an error at the operation that has no
  /// lowering.
  FailureOr<LLVM::LLVMFuncOp> emitKernel();

  //===--------------------------------------------------------------------===//
  // Families; each leaves what stands for the results in the value map
  //===--------------------------------------------------------------------===//

  LogicalResult emitBlock(Block &block);
  LogicalResult emitOperation(Operation *op);

  // ControlFlow.cpp
  LogicalResult emitFor(scf::ForOp op);
  LogicalResult emitIf(scf::IfOp op);
  LogicalResult emitWhile(scf::WhileOp op);
  LogicalResult emitIndexSwitch(scf::IndexSwitchOp op);
  // Elementwise.cpp
  LogicalResult emitConstant(arith::ConstantOp op);
  LogicalResult emitElementwise(Operation *op);
  FailureOr<Value> emitScalarOperation(Operation *op, ValueRange operands);
  // Division.cpp
  Value emitDivision(Operation *op, Value dividend, Value divisor);
  // Math.cpp
  FailureOr<Value> emitMath(Operation *op, ValueRange operands);
  // Convert.cpp
  FailureOr<Value> emitCast(Operation *op, Value operand);
  Value convertFloat(Value value, Type from, Type to);
  Value convertElement(Value value, Type from, Type to);
  // Shapes.cpp
  LogicalResult emitBroadcast(BroadcastOp op);
  LogicalResult emitTranspose(TransposeOp op);
  LogicalResult emitReshape(Operation *op);
  LogicalResult emitExtractSlice(tensor::ExtractSliceOp op);
  LogicalResult emitInsertSlice(tensor::InsertSliceOp op);
  LogicalResult emitConvertLayout(ConvertLayoutOp op);
  LogicalResult emitBitcast(BitcastOp op);
  LogicalResult emitFromElements(tensor::FromElementsOp op);
  LogicalResult emitExtract(tensor::ExtractOp op);
  // Views.cpp
  LogicalResult emitArena(ArenaOp op);
  LogicalResult emitView(ViewOp op);
  LogicalResult emitMemRefView(Operation *op);
  LogicalResult emitDim(memref::DimOp op);
  // Memory.cpp
  LogicalResult emitLoad(LoadOp op);
  LogicalResult emitStore(StoreOp op);
  // Copy.cpp
  LogicalResult emitCopy(CopyOp op);
  // Im2Col.cpp
  LogicalResult emitIm2Col(Im2ColOp op);
  // Gemm.cpp
  LogicalResult emitGemm(GemmOp op);
  LogicalResult emitFmaGemm(GemmOp op);
  // Reduce.cpp
  LogicalResult emitReduce(ReduceOp op);
  LogicalResult emitPartialReduce(PartialReduceOp op);
  // Scan.cpp
  LogicalResult emitScan(ScanOp op);
  // Parallel.cpp
  LogicalResult emitParallel(ParallelOp op);
  // Atomic.cpp
  LogicalResult emitAtomic(AtomicRMWOp op);
  LogicalResult emitScalarAtomic(memref::AtomicRMWOp op);
  // Block.cpp
  LogicalResult emitScalarLoad(memref::LoadOp op);
  LogicalResult emitScalarStore(memref::StoreOp op);
  LogicalResult emitOnce(OnceOp op);
  LogicalResult emitBlockId(gpu::BlockIdOp op);
  LogicalResult emitAssert(AssertOp op);
  // Print.cpp
  LogicalResult emitPrint(PrintOp op);

  //===--------------------------------------------------------------------===//
  // The value map
  //===--------------------------------------------------------------------===//

  /// What stands for a scalar, or the registers of a fragment.
  ArrayRef<Value> getValues(Value value) { return values.find(value)->second; }
  Value getScalar(Value value) { return getValues(value).front(); }
  /// Register `reg` of a fragment; a scalar is the same in every register.
  Value getElement(Value value, int64_t reg) {
    ArrayRef<Value> all = getValues(value);
    return all[isa<RankedTensorType>(value.getType()) ? reg : 0];
  }
  void bind(Value value, Value scalar) { values[value] = {scalar}; }
  void bind(Value value, SmallVector<Value> registers) {
    values[value] = std::move(registers);
  }
  const GlobalView &getGlobal(Value memref) { return globals[memref]; }
  void bind(Value memref, GlobalView view) {
    globals[memref] = std::move(view);
  }
  const SharedView &getShared(Value memref) { return shareds[memref]; }
  void bind(Value memref, SharedView view) {
    shareds[memref] = std::move(view);
  }

  /// All values that stand for scalars, fragments and global memrefs, in a row:
  /// how regions pass them on. The types are a function of the type alone.
  FailureOr<SmallVector<Type>> flattenTypes(TypeRange types, Operation *op);
  SmallVector<Value> flatten(ValueRange blockValues);
  void bindFlat(ValueRange blockValues, ValueRange flat);

  //===--------------------------------------------------------------------===//
  // Types
  //===--------------------------------------------------------------------===//

  /// The type of a scalar in a register; null for types without a lowering.
  Type convertScalarType(Type type);
  /// The type of an element in memory: as in a register, but i1 takes a byte.
  Type convertMemoryType(Type type);
  int64_t getMemoryBytes(Type elementType);
  /// Between the two: only i1 changes.
  Value toMemory(Value scalar, Type elementType);
  Value fromMemory(Value inMemory, Type elementType);

  /// The layout of a fragment; valid as long as the emitter.
  const tilec::FragmentLayout &getLayout(Value fragment);
  const tilec::FragmentLayout &getLayout(Type fragmentType);
  const tilec::FragmentLayout &getLayout(FragmentAttr attr);

  //===--------------------------------------------------------------------===//
  // Threads
  //===--------------------------------------------------------------------===//

  /// The thread's part of the coordinate along `dim`.
  const ThreadCoordinate &
  getThreadCoordinate(const tilec::FragmentLayout &layout, int dim);
  const ThreadCoordinate &getThreadCoordinate(const tilec::Digits &lanes,
                                              const tilec::Digits &warps,
                                              int dim);
  /// Whether this thread holds the first replica of its elements; null where
  /// nothing is replicated.
  Value getIsFirstReplica(const tilec::FragmentLayout &layout);
  /// Whether register `reg` of this thread lies in the shape; null if always.
  Value getIsInShape(const tilec::FragmentLayout &layout, int64_t reg);
  /// The register part of a register's coordinate.
  static tilec::Coordinate
  getRegisterCoordinate(const tilec::FragmentLayout &layout, int64_t reg) {
    return layout.evaluate(reg, 0, 0);
  }
  /// The register with this register part.
  static int64_t getRegister(const tilec::FragmentLayout &layout,
                             const tilec::Coordinate &coordinate) {
    return layout.invert(coordinate).reg;
  }

  //===--------------------------------------------------------------------===//
  // Emission
  //===--------------------------------------------------------------------===//

  Value constant(Type type, int64_t value);
  Value constant(TypedAttr attr);
  Value i32(int64_t value) { return constant(builder.getI32Type(), value); }
  Value i64(int64_t value) { return constant(builder.getI64Type(), value); }
  Value floatConstant(Type type, double value);
  Value zero(Type type);
  Value poison(Type type);

  /// Integer arithmetic that folds. A null operand of `add` and `both` is
  /// nothing; divisors are positive constants of unsigned values.
  Value add(Value lhs, Value rhs);
  Value addConstant(Value lhs, int64_t rhs);
  Value multiply(Value lhs, int64_t rhs);
  Value multiply(Value lhs, Value rhs);
  Value divide(Value lhs, int64_t rhs);
  Value remainder(Value lhs, int64_t rhs);
  Value both(Value lhs, Value rhs);
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs);
  Value select(Value condition, Value ifTrue, Value ifFalse);
  /// An i32 as i64 where both are not negative, and the low half of an i64.
  Value widen(Value i32);
  Value narrow(Value i64);

  /// `bytes` beyond `pointer`.
  Value advance(Value pointer, Value bytes);
  Value advance(Value pointer, int64_t bytes);
  /// One access of `count` elements (count 1: a scalar).
  Value load(Value pointer, Type memoryType, int64_t count);
  void store(ArrayRef<Value> elements, Value pointer, Type memoryType);

  Value callIntrinsic(StringRef name, Type result, ValueRange operands);
  /// A function of libdevice, declared on first use.
  Value callLibdevice(StringRef name, Type result, ValueRange operands);

  /// Emits `body` under `condition`; in every case if that is null.
  void emitUnder(Value condition, llvm::function_ref<void()> body);

  /// Inside `tile.parallel`, whether this thread's copy of the iteration may
  /// act on memory; null where it always may.
  Value getEffectGuard() const { return effectGuard; }

  /// A fragment of `layout` made of one value per element, in row-major order.
  SmallVector<Value> emitDistribution(const tilec::FragmentLayout &layout,
                                      ArrayRef<Value> elements);

  /// The address of one element of a memref at indices of i64.
  Value getElementPointer(Value memref, ValueRange indices);

  InFlightDiagnostic notImplemented(Operation *op, const Twine &construct) {
    return op->emitError("not implemented yet: " + construct);
  }

  OpBuilder builder;
  /// Emits constants, which stand before everything else.
  OpBuilder constantBuilder;
  /// Emits at the top of the function, where what every thread needs once
  /// stands.
  OpBuilder prologue;
  Location loc;
  const tilec::GpuTarget &target;
  IndexFacts facts;
  Value threadId, lane, warp; ///< i32
  /// Inside `tile.parallel`: the loop whose body is emitted, the register whose
  /// iteration it is, and the guard of `getEffectGuard`.
  ParallelOp parallel;
  int64_t parallelRegister = 0;
  Value effectGuard;

private:
  friend class KernelSignature;
  void emitThreadIds(int64_t threads);
  Value emitDigits(const tilec::Digits &digits, Value number, int dim);

  gpu::GPUFuncOp kernel;
  LLVM::LLVMFuncOp function;
  llvm::DenseMap<Value, SmallVector<Value>> values;
  llvm::DenseMap<Value, GlobalView> globals;
  llvm::DenseMap<Value, SharedView> shareds;
  llvm::DenseMap<std::pair<Type, int64_t>, Value> constants;
  llvm::DenseMap<Attribute, std::unique_ptr<tilec::FragmentLayout>> layouts;
  std::map<std::vector<int64_t>, ThreadCoordinate> threadCoordinates;
  std::map<std::vector<int64_t>, Value> firstReplicas;
  std::map<std::pair<const tilec::FragmentLayout *, std::vector<int64_t>>,
           Value>
      shapeConditions;
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_THREADEMITTER_H
