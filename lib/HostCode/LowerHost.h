//===- LowerHost.h - Host functions in the llvm dialect ---------*- C++ -*-===//

#ifndef TILE_LIB_HOSTCODE_LOWERHOST_H
#define TILE_LIB_HOSTCODE_LOWERHOST_H

#include "Signature.h"
#include "Tables.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::tile {

/// A host function on its way: what it was called, and the tables of it.
struct LoweredFunction {
  func::FuncOp function; ///< private, and named otherwise
  std::string name;
  bool isExported = false;
  LLVM::GlobalOp table; ///< TileRtFunction
};

/// The host functions of a program and their C functions in the llvm dialect, with the
/// kernels as data. Fails with diagnostics at what cannot be compiled.
FailureOr<OwningOpRef<ModuleOp>> lowerHost(const CompiledProgram &program);

/// Replaces what reaches the device in a function, whose first argument is the call, by
/// calls of the runtime (LowerOperations.cpp).
void lowerOperations(const LoweredFunction &lowered,
                     ArrayRef<LoweredFunction> functions, Tables &tables);

/// Adds the C function of a host function to the module (MakeEntry.cpp).
void makeEntry(const LoweredFunction &lowered);

/// Counts the iterations of loops as the language does (CountLoops.cpp).
void countLoops(ModuleOp module);

/// Lowers the subviews that lack dimensions of their source (HostViews.cpp).
void lowerViewsOfFewerDims(ModuleOp module);

/// The rest: upstream's conversions, in front of them divisions that do not trap
/// (ConvertToLLVM.cpp).
LogicalResult convertToLLVM(ModuleOp module);

} // namespace mlir::tile

#endif // TILE_LIB_HOSTCODE_LOWERHOST_H
