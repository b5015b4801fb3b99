//===- Signature.h - Host functions as C sees them --------------*- C++ -*-===//
//
// A host function becomes a C function of pointers and numbers:
//
//     %A: memref<?x?xf16>     void *A, int64_t A_size0, int64_t A_size1
//     %B: memref<8xf32, strided<[?], offset: ?>>
//                             float *B, int64_t B_size0, int64_t B_stride0,
//                             int64_t B_offset
//     %n: index               int64_t n
//     -> index                int64_t *result0
//     always the last         void *stream
//
// All sizes are given, so that those that types and names fix are checked; strides and
// offsets where a layout leaves them open.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_HOSTCODE_SIGNATURE_H
#define TILE_LIB_HOSTCODE_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir::tile {

/// A parameter of the C function.
struct CParameter {
  std::string type, name; ///< "int64_t", "A_size0"
};

/// A host function that is compiled.
struct HostFunction {
  func::FuncOp function;
  /// Whether it has a C function: it is public and starts kernels.
  bool isExported = false;
};

/// The functions that those with a C function are made of, callers and called ones, in
/// the module's order. Fails with diagnostics where one cannot be compiled, or where
/// there is none.
FailureOr<std::vector<HostFunction>> getHostFunctions(ModuleOp host);

/// Whether C can call a function; a diagnostic at it where it cannot.
LogicalResult checkExported(func::FuncOp function);

/// What messages and the header call an argument: the name of its location, else "arg0".
std::string getArgumentName(func::FuncOp function, unsigned argument);

/// Memrefs as their pointers, sizes and open strides and offset, scalars as they are,
/// results as pointers, the stream.
std::vector<CParameter> getCParameters(func::FuncOp function);

/// The C type of a scalar: as wide as it lies in memory.
std::string getCType(Type scalar);

/// Whether a C function takes strides and an offset of memrefs of this type.
bool hasOpenLayout(MemRefType type);

} // namespace mlir::tile

#endif // TILE_LIB_HOSTCODE_SIGNATURE_H
