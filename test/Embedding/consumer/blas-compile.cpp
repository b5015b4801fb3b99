//===- blas-compile.cpp - A compiler that embeds Tile ---------------------===//
//
// blas-compile CHIP: lowers `y = 3 x + y` from the consumer's own dialect to tile,
// prints the PTX, runs it in memory and compares the result. `blas.norm` is not for a
// GPU: it is still there in the host program.
//
//===----------------------------------------------------------------------===//

#include "Blas.h"

#include "tile/Pipeline/Compile.h"
#include "tile/Pipeline/Register.h"
#include "tile/Program/Run.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace mlir;

static const char *const program = R"(
func.func @axpy(%x: memref<?xf32>, %y: memref<?xf32>) {
  blas.axpy 3.0, %x, %y : memref<?xf32>
  return
}
func.func @length(%x: memref<?xf32>) -> f32 {
  %sum = blas.norm %x : memref<?xf32>
  return %sum : f32
}
)";

static bool runAndCompare(const tile::CompiledProgram &compiled) {
  constexpr int64_t size = 2500; // three blocks, the last one in part
  std::vector<float> x(size), y(size);
  for (int64_t i = 0; i < size; ++i) {
    x[i] = static_cast<float>(i % 17);
    y[i] = static_cast<float>(i % 5);
  }
  if (failed(tile::run(compiled, "axpy",
                       {tile::HostArgument::array(x.data(), {size}),
                        tile::HostArgument::array(y.data(), {size})})))
    return false;
  for (int64_t i = 0; i < size; ++i)
    if (y[i] != 3 * static_cast<float>(i % 17) + static_cast<float>(i % 5))
      return false;
  return true;
}

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
  if (failed(manager.run(*module)))
    return 1;

  tile::CompileOptions options;
  options.chip = argv[1];
  FailureOr<tile::CompiledProgram> compiled = tile::compile(*module, options);
  if (failed(compiled))
    return 1;
  llvm::outs() << compiled->ptx;
  compiled->host->walk([](blas::NormOp norm) {
    llvm::outs() << "stays on the host: " << norm << "\n";
  });
  if (!runAndCompare(*compiled))
    return 1;
  llvm::outs() << "all elements are right\n";
  return 0;
}
