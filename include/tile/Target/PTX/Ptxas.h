//===- Ptxas.h - NVIDIA's assembler, if there is one ------------*- C++ -*-===//
//
// Runs ptxas as a separate process and reads what it says of each kernel. No
// part of the compiler needs it; without it the cubin and the register columns
// of reports say so.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TARGET_PTX_PTXAS_H
#define TILE_TARGET_PTX_PTXAS_H

#include "tile/Layout/Expected.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tile {

/// What ptxas reports of one kernel.
struct KernelResources {
  int64_t registers = 0;
  int64_t spillStoreBytes = 0;
  int64_t spillLoadBytes = 0;
  int64_t stackBytes = 0;
};

struct PtxasResult {
  std::string cubin; ///< the ELF file's bytes
  std::map<std::string, KernelResources> kernels;
  /// Notes that mean lost speed although the exit status is zero: "(C7510)
  /// ...".
  std::vector<std::string> notes;
};

/// Folders of CUDA toolkits, to be searched in this order and before the
/// standard places: the toolkit whose ptxas is on PATH, then /usr/local/cuda.
using ToolkitPaths = llvm::ArrayRef<std::string>;

/// The path of ptxas; nothing if there is none.
std::optional<std::string> findPtxas(ToolkitPaths toolkits);

/// Assembles `ptx` for `chip`; fails with ptxas' own message.
tilec::Expected<PtxasResult>
runPtxas(llvm::StringRef ptxas, llvm::StringRef ptx, llvm::StringRef chip);

/// The CUDA toolkit's libdevice.10.bc; nothing if there is none.
std::optional<std::string> findLibdevice(ToolkitPaths toolkits);

} // namespace mlir::tile

#endif // TILE_TARGET_PTX_PTXAS_H
