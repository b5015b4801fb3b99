//===- KernelParameters.cpp - Bytes of a kernel's parameters --------------===//

#include "KernelParameters.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

/// The first version that takes as many bytes of parameters as ptxas does.
static constexpr int longParametersVersion = 81;

static int64_t getMostParameterBytes(int ptxVersion) {
  return ptxVersion < longParametersVersion ? 4352 : 32764;
}

/// The parameters one behind the other, each at a multiple of its alignment.
static int64_t getParameterBytes(LLVM::LLVMFuncOp kernel) {
  DataLayout layout = DataLayout::closest(kernel);
  int64_t bytes = 0;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto byValue = kernel.getArgAttrOfType<TypeAttr>(
        index, LLVM::LLVMDialect::getByValAttrName());
    auto alignment = kernel.getArgAttrOfType<IntegerAttr>(
        index, LLVM::LLVMDialect::getAlignAttrName());
    Type passed = byValue ? byValue.getValue() : type;
    // That of a pointer is said of what it points to.
    int64_t alignBytes = byValue && alignment
                             ? alignment.getInt()
                             : layout.getTypeABIAlignment(passed);
    bytes = llvm::alignTo(bytes, alignBytes) +
            int64_t(layout.getTypeSize(passed).getFixedValue());
  }
  return bytes;
}

FailureOr<int> tile::choosePtxVersion(gpu::GPUModuleOp kernels,
                                      const tilec::GpuTarget &target,
                                      int wanted) {
  int version = wanted == 0 ? target.defaultPtxVersion : wanted;
  for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>()) {
    if (kernel.isExternal())
      continue;
    int64_t bytes = getParameterBytes(kernel);
    if (wanted == 0 && bytes > getMostParameterBytes(version))
      version = std::max(version, longParametersVersion);
    if (int64_t most = getMostParameterBytes(version); bytes > most)
      return kernel.emitError("has ")
             << bytes << " bytes of parameters, of which a kernel has at most "
             << most << " in PTX ISA version "
             << tilec::formatPtxVersion(version)
             << "; a memref has 8 for its address and for each size and "
                "stride that its type does not state";
  }
  return version;
}
