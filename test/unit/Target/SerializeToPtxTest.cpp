//===- SerializeToPtxTest.cpp - What no pass option reaches ---------------===//
//
// The PTX version of a serialization is chosen by embedders only; passes take
// the chip's default. A version that does not know the chip would end the
// process inside of LLVM, so it is refused before.
//
//===----------------------------------------------------------------------===//

#include "tile/Target/PTX/SerializeToPtx.h"
#include "tile/Target/PTX/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::tile;

namespace {

class SerializeToPtx : public testing::Test {
protected:
  SerializeToPtx() {
    DialectRegistry registry;
    registry.insert<gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
    registerPtxTranslation(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(R"mlir(
      gpu.module @kernels {
        llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
          llvm.return
        }
      })mlir",
                                         &context);
  }

  /// What is emitted for `chip` with `version`, or the error.
  std::string serialize(llvm::StringRef chip, int version) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message += diagnostic.str();
      return success();
    });
    SerializeOptions options;
    options.ptxVersion = version;
    gpu::GPUModuleOp kernels = *module->getOps<gpu::GPUModuleOp>().begin();
    auto texts =
        serializeToPtx(kernels, *tilec::findTarget(chip.str()), options);
    EXPECT_EQ(failed(texts), !message.empty());
    return failed(texts) ? message : texts->ptx;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(SerializeToPtx, TakesTheVersionThatIsAskedFor) {
  EXPECT_NE(serialize("sm_80", 82).find(".version 8.2\n"), std::string::npos);
  EXPECT_NE(serialize("sm_80", 0).find(".version 7.8\n"), std::string::npos);
}

TEST_F(SerializeToPtx, RefusesAVersionThatDoesNotKnowTheChip) {
  std::string message = serialize("sm_100a", 78);
  EXPECT_EQ(message.find("PTX ISA version 7.8 does not know sm_100a; versions "
                         "that do: 8.6"),
            0u)
      << message;
}

TEST_F(SerializeToPtx, RefusesAVersionThatDoesNotExist) {
  EXPECT_EQ(serialize("sm_80", 99).find("PTX ISA version 9.9 does not know"),
            0u);
}

} // namespace
