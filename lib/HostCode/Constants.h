//===- Constants.h - Data in an object --------------------------*- C++ -*-===//
//
// Texts, numbers and tables as globals. All that tile-rt/abi.h describes is made of
// fields of 8 bytes, numbers and pointers, so a struct and an array of structs are
// lists of fields.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_HOSTCODE_CONSTANTS_H
#define TILE_LIB_HOSTCODE_CONSTANTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace mlir::tile {

/// A number, or the address of another constant; that of none is null.
struct Field {
  int64_t number = 0;
  bool isAddress = false;
  LLVM::GlobalOp target;

  Field(int64_t number) : number(number) {}
  Field(LLVM::GlobalOp target) : isAddress(true), target(target) {}
};

class Constants {
public:
  explicit Constants(ModuleOp module) : module(module) {}

  /// A text with a zero behind it.
  LLVM::GlobalOp addText(StringRef text);
  /// Null where there are none.
  LLVM::GlobalOp addNumbers(ArrayRef<int64_t> numbers);
  LLVM::GlobalOp addTable(ArrayRef<Field> fields);

private:
  LLVM::GlobalOp addGlobal(Type type, Attribute value);

  ModuleOp module;
  unsigned count = 0;
};

/// The address of a constant, at the builder's place.
Value getAddress(OpBuilder &builder, Location loc, LLVM::GlobalOp constant);

} // namespace mlir::tile

#endif // TILE_LIB_HOSTCODE_CONSTANTS_H
