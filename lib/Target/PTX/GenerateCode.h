//===- GenerateCode.h - From LLVM IR to PTX ---------------------*- C++ -*-===//

#ifndef TILE_LIB_TARGET_PTX_GENERATECODE_H
#define TILE_LIB_TARGET_PTX_GENERATECODE_H

#include <optional>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::tile {

/// The PTX of `module`, which LLVM's passes of code generation change: they may merge
/// loads, but read no byte that the module does not. Nothing if `machine` has no
/// assembly.
std::optional<std::string> generateCode(llvm::Module &module,
                                        llvm::TargetMachine &machine);

} // namespace mlir::tile

#endif // TILE_LIB_TARGET_PTX_GENERATECODE_H
