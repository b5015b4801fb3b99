//===- ProgramArguments.h - Arguments for a run -----------------*- C++ -*-===//
//
// Turns what a user says about the arguments of an entry function (shapes,
// names of sizes, scalars, files, kinds of data, aliases) into buffers and
// scalars. Everything that is missing is an error that prints the signature.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_PROGRAMARGUMENTS_H
#define TILE_RUNTIME_PROGRAMARGUMENTS_H

#include "tile/Reference/Interpreter.h"
#include "tile/Runtime/DataKind.h"
#include "tile/Runtime/Npy.h"

#include <map>

namespace mlir::tile {

struct ArgumentOptions {
  std::map<unsigned, std::vector<int64_t>> shapes;
  std::map<std::string, int64_t> dims; ///< by name in `tile.dims`
  std::map<unsigned, std::string> scalars;
  std::map<unsigned, DataKind> data;
  std::optional<DataKind> dataOfAll;
  std::map<unsigned, std::string> inputs; ///< .npy files
  std::map<unsigned, unsigned> aliases;
  uint64_t seed = 0;
};

/// The arguments, or nothing and a sentence in `error`.
std::optional<SmallVector<reference::RuntimeValue>>
buildArguments(func::FuncOp function, const ArgumentOptions &options,
               std::string &error);

/// Why memory does not suffice for `count` copies of the values' buffers; empty
/// if it does.
std::string checkCopies(ArrayRef<reference::RuntimeValue> arguments,
                        int64_t count);

/// The same values in buffers of their own; memrefs that share one still do.
SmallVector<reference::RuntimeValue>
cloneArguments(ArrayRef<reference::RuntimeValue> arguments);

/// "gemm(0 %A: memref<?x?xf16> dims M, K; 1 ..)", one argument a line.
std::string describeSignature(func::FuncOp function);

/// The name of an argument in messages: its number and type.
std::string describeArgument(func::FuncOp function, unsigned argument);

/// A memref's elements as they travel in files: floats of 16 bits and more as
/// themselves, bf16, fp8 and i4 as unsigned integers, i1 as bool.
tilec::NpyArray toNpy(const reference::Array &values, ArrayRef<int64_t> shape);

/// And back; nothing where the file's type does not fit.
std::optional<reference::Array> fromNpy(const tilec::NpyArray &file,
                                        reference::ElementType type,
                                        std::string &error);

} // namespace mlir::tile

#endif // TILE_RUNTIME_PROGRAMARGUMENTS_H
