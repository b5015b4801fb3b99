//===- blas-compile.cpp - A compiler that embeds Tile ---------------------===//
//
// blas-compile CHIP: lowers `y = 3 x + y` from the consumer's own dialect to
// tile and prints the PTX.
//
//===----------------------------------------------------------------------===//

#include "Blas.h"

#include "tile/Pipeline/Pipeline.h"
#include "tile/Pipeline/Register.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static const char *const program = R"(
func.func @axpy(%x: memref<?xf32>, %y: memref<?xf32>) {
  blas.axpy 3.0, %x, %y : memref<?xf32>
  return
}
)";

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: blas-compile CHIP\n";
    return 1;
  }

  DialectRegistry registry;
  registry.insert<blas::BlasDialect>();
  tile::registerTileDialects(registry);
  MLIRContext context(registry);

  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(program, &context, "axpy.mlir");
  if (!module)
    return 1;

  PassManager manager(&context);
  manager.addPass(blas::createLowerBlasToTile());
  tile::TileCompileOptions options;
  options.chip = std::string(argv[1]);
  tile::buildTileCompilePipeline(manager, options);
  if (failed(manager.run(*module)))
    return 1;

  module->walk([](gpu::BinaryOp binary) {
    for (Attribute object : binary.getObjects())
      llvm::outs() << cast<gpu::ObjectAttr>(object).getObject().getValue();
  });
  return 0;
}
