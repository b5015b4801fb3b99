//===- ScalarEmitter.h - Constants, integers, calls -------------*- C++ -*-===//
//
// The smallest pieces of a thread's code. Integer arithmetic folds as it is
// emitted, so that what is known at compile time leaves no instruction behind.
// Constants stand before everything else in the function, each once.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_SCALAREMITTER_H
#define TILE_LIB_CONVERSION_TILETONVVM_SCALAREMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::tile {

class ScalarEmitter {
public:
  explicit ScalarEmitter(gpu::GPUFuncOp kernel);

  //===--------------------------------------------------------------------===//
  // Constants
  //===--------------------------------------------------------------------===//

  Value constant(Type type, int64_t value);
  Value constant(TypedAttr attr);
  Value i32(int64_t value) { return constant(builder.getI32Type(), value); }
  Value i64(int64_t value) { return constant(builder.getI64Type(), value); }
  Value floatConstant(Type type, double value);
  Value zero(Type type);
  Value poison(Type type);
  /// What a register gets that lies in padding: see ValueMap.h.
  Value padding(Type type) { return zero(type); }
  /// `value`, or some number where that is poison.
  Value freeze(Value value);

  /// `values`, which have one type, as a vector.
  Value joinInVector(ArrayRef<Value> values);
  /// Appends each element of `vector`.
  void appendElements(Value vector, SmallVectorImpl<Value> &elements);

  //===--------------------------------------------------------------------===//
  // Integer arithmetic. A null operand of `add` and `both` is nothing; divisors
  // are positive constants of unsigned values.
  //===--------------------------------------------------------------------===//

  Value add(Value lhs, Value rhs);
  Value addConstant(Value lhs, int64_t rhs);
  Value multiply(Value lhs, int64_t rhs);
  Value multiply(Value lhs, Value rhs);
  Value divide(Value lhs, int64_t rhs);
  Value remainder(Value lhs, int64_t rhs);
  Value both(Value lhs, Value rhs);
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs);
  Value select(Value condition, Value ifTrue, Value ifFalse);
  /// An i32 as i64 where it is not negative, and the low half of an i64.
  Value widen(Value i32);
  Value narrow(Value i64);

  //===--------------------------------------------------------------------===//
  // Calls and conditions
  //===--------------------------------------------------------------------===//

  /// Null where `result` is null.
  Value callIntrinsic(StringRef name, Type result, ValueRange operands);
  /// A function of libdevice or of the driver, declared on first use.
  Value callLibdevice(StringRef name, Type result, ValueRange operands);
  /// An instruction or a directive of PTX, with LLVM's constraints on its
  /// registers; null where `result` is null. One without effects may be moved,
  /// and removed where nobody uses what it gives.
  Value emitAssembly(StringRef text, StringRef constraints, Type result,
                     ValueRange operands, bool hasEffects = true);

  /// Emits `body` under `condition`, in the branch that is returned; in every case, and
  /// null, if that is null.
  scf::IfOp emitUnder(Value condition, llvm::function_ref<void()> body);

  InFlightDiagnostic notImplemented(Operation *op, const Twine &construct) {
    return op->emitError("not implemented yet: " + construct);
  }

  gpu::GPUFuncOp kernel; ///< what is lowered
  OpBuilder builder;
  /// Emits constants.
  OpBuilder constantBuilder;
  Location loc; ///< of the operation that is lowered

private:
  llvm::DenseMap<std::pair<Type, int64_t>, Value> constants;
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_SCALAREMITTER_H
