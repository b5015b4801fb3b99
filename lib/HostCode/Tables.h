//===- Tables.h - What the runtime is told of a program ---------*- C++ -*-===//
//
// The structs of tile-rt/abi.h, as constants of the object.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_HOSTCODE_TABLES_H
#define TILE_LIB_HOSTCODE_TABLES_H

#include "Constants.h"

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Pipeline/Compile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tile {

class Tables {
public:
  Tables(ModuleOp module, const CompiledProgram &program);

  /// TileRtImage.
  LLVM::GlobalOp getImage() const { return image; }
  /// TileRtFunction; `name` is what messages call it.
  LLVM::GlobalOp getFunction(func::FuncOp function, StringRef name,
                             ArrayRef<std::string> argumentNames);
  /// TileRtLaunch.
  LLVM::GlobalOp getLaunch(gpu::LaunchFuncOp op);
  /// TileRtAssumption.
  LLVM::GlobalOp getAssumption(AssumeOp op);
  /// TileRtMemRef.
  LLVM::GlobalOp getType(MemRefType type);
  /// "gemm.mlir:12:3"
  LLVM::GlobalOp getPlace(Location loc);

private:
  LLVM::GlobalOp getFacts(Attribute facts);
  LLVM::GlobalOp getTensorMap(Value operand);
  void addArgument(func::FuncOp function, unsigned number, StringRef name,
                   SmallVectorImpl<Field> &fields);

  Constants constants;
  LLVM::GlobalOp image;
  llvm::DenseMap<Type, LLVM::GlobalOp> types;
};

} // namespace mlir::tile

#endif // TILE_LIB_HOSTCODE_TABLES_H
