//===- CompileTest.cpp - The compiler in one call -------------------------===//

#include "../CompilerTest.h"

#include "tile/Pipeline/Emit.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Remarks.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tile;

namespace {

const char *const program = R"(
func.func @two(%x: memref<?xf32>, %y: memref<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivsi %n, %c128 : index
  tile.launch @first blocks(%b) in (%blocks) threads(128) {
    %i = arith.muli %b, %c128 : index
    %t = tile.load %x[%i] : memref<?xf32> -> tensor<128xf32>
    tile.store %t, %x[%i] : tensor<128xf32>, memref<?xf32>
  }
  tile.launch @second blocks(%b) in (%c1) threads(64) {
    %s = tile.alloc : memref<64x64xf16, #gpu.address_space<workgroup>>
    tile.copy %y to %s : memref<64x64xf16> to memref<64x64xf16, #gpu.address_space<workgroup>>
    %d = tile.gemm %s, %s : memref<64x64xf16, #gpu.address_space<workgroup>>, memref<64x64xf16, #gpu.address_space<workgroup>> -> tensor<64x64xf32>
    tile.store %d, %y : tensor<64x64xf32>, memref<64x64xf16>
  }
  return
}
)";

using Compile = CompilerTest;

// One module for two chips, as often as one likes: nothing is left in it or in its
// context.
TEST_F(Compile, LeavesTheModule) {
  OwningOpRef<ModuleOp> module = parse(program);
  std::string before = print(*module);
  std::string texts[2];
  for (int i = 0; i < 2; ++i)
    for (const char *chip : {"sm_80", "sm_90a"}) {
      FailureOr<CompiledProgram> compiled = compileFor(*module, chip);
      ASSERT_TRUE(succeeded(compiled));
      EXPECT_EQ(compiled->chip, chip);
      EXPECT_NE(compiled->ptx.find(std::string(".target ") + chip),
                std::string::npos);
      if (i == 0)
        texts[chip == std::string("sm_80")] = compiled->ptx;
      else
        EXPECT_EQ(texts[chip == std::string("sm_80")], compiled->ptx);
    }
  EXPECT_EQ(print(*module), before);
  EXPECT_EQ(context.getRemarkEngine(), nullptr);
  EXPECT_TRUE(messages.empty());
}

TEST_F(Compile, HasWhatALauncherNeeds) {
  OwningOpRef<ModuleOp> module = parse(program);
  FailureOr<CompiledProgram> compiled = compileFor(*module, "sm_90a");
  ASSERT_TRUE(succeeded(compiled));
  ASSERT_EQ(compiled->kernels.size(), 2u);
  const KernelReport *second = compiled->findKernel("second");
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(compiled->findKernel("third"), nullptr);
  EXPECT_EQ(second->blockThreads, 64);
  EXPECT_GE(second->sharedBytes, 64 * 64 * 2);
  ASSERT_EQ(compiled->launches.size(), 2u);
  const LaunchData &first = compiled->launches[0];
  EXPECT_EQ(first.kernel, "first");
  EXPECT_EQ(first.grid[0].toString(), "ceildivsi(arg0.size[0], 128)");
  const LaunchData &last = compiled->launches[1];
  EXPECT_EQ(last.sharedBytes.number, second->sharedBytes);
  EXPECT_EQ(last.operands.size(), second->parameters.size());
  EXPECT_TRUE(compiled->cubin.empty());
  // The emitted text is the same.
  EmitOptions options;
  options.chip = "sm_90a";
  EXPECT_EQ(*emit(*module, options), compiled->ptx);
}

// Pictures of layouts are in the reports where they are asked for, of each kernel its
// own.
TEST_F(Compile, DrawsLayouts) {
  OwningOpRef<ModuleOp> module = parse(program);
  for (bool isAsked : {false, true}) {
    CompileOptions options;
    options.chip = "sm_80";
    options.drawsLayouts = isAsked;
    FailureOr<CompiledProgram> compiled = tile::compile(*module, options);
    ASSERT_TRUE(succeeded(compiled));
    ASSERT_EQ(compiled->kernels.size(), 2u);
    for (const KernelReport &kernel : compiled->kernels)
      EXPECT_EQ(kernel.drawings.empty(), !isAsked);
  }
}

TEST_F(Compile, PrintsJson) {
  OwningOpRef<ModuleOp> module = parse(program);
  FailureOr<CompiledProgram> compiled = compileFor(*module, "sm_80");
  ASSERT_TRUE(succeeded(compiled));
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse(compiled->toJson());
  ASSERT_TRUE(bool(json));
  const llvm::json::Object &object = *json->getAsObject();
  EXPECT_EQ(object.getString("chip"), "sm_80");
  ASSERT_EQ(object.getArray("kernels")->size(), 2u);
  const llvm::json::Object &launch =
      *object.getArray("launches")->front().getAsObject();
  EXPECT_EQ(launch.getString("kernel"), "first");
  EXPECT_EQ(launch.getString("function"), "two");
  EXPECT_EQ(launch.getInteger("block"), 128);
  const llvm::json::Object &extent =
      *launch.getArray("grid")->front().getAsObject();
  EXPECT_EQ(extent.getString("op"), "ceildivsi");
  EXPECT_EQ(extent.getArray("operands")->front().getAsString(), "arg0.size[0]");
}

TEST_F(Compile, SaysWhatIsWrong) {
  OwningOpRef<ModuleOp> empty = parse("func.func @f() { return }");
  EXPECT_TRUE(failed(compileFor(*empty, "sm_80")));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("holds no tile.launch"), std::string::npos);
  OwningOpRef<ModuleOp> module = parse(program);
  std::string before = print(*module);
  EXPECT_TRUE(failed(compileFor(*module, "sm_12")));
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_NE(messages[1].find("sm_12"), std::string::npos);
  EXPECT_EQ(print(*module), before);
  CompileOptions options;
  options.chip = "sm_80";
  options.makesCubin = true;
  options.toolkits.isDenied = true;
  EXPECT_TRUE(failed(tile::compile(*module, options)));
  EXPECT_NE(messages.back().find("ptxas"), std::string::npos);
}

// Who receives the context's remarks keeps them, and gets those of the compiler.
TEST_F(Compile, LeavesAReceiverOfRemarks) {
  struct Receiver final : remark::detail::MLIRRemarkStreamerBase {
    explicit Receiver(int &count) : count(count) {}
    void streamOptimizationRemark(const remark::detail::Remark &) override {
      ++count;
    }
    int &count;
  };
  int count = 0;
  remark::RemarkCategories categories;
  categories.analysis = ".*";
  ASSERT_TRUE(succeeded(remark::enableOptimizationRemarks(
      context, std::make_unique<Receiver>(count),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)));
  OwningOpRef<ModuleOp> module = parse(program);
  FailureOr<CompiledProgram> compiled = compileFor(*module, "sm_80");
  ASSERT_TRUE(succeeded(compiled));
  EXPECT_NE(context.getRemarkEngine(), nullptr);
  EXPECT_GT(count, 0);
  EXPECT_EQ(compiled->kernels.size(), 2u);
}

// What no pass knows stays where it is.
TEST_F(Compile, LeavesOtherDialectsAlone) {
  context.allowUnregisteredDialects();
  std::string text = std::string(program) + R"(
"other.table"() {rows = 3} : () -> ()
func.func private @library(memref<?xf32>)
func.func @other(%x: memref<?xf32>) -> index {
  call @library(%x) : (memref<?xf32>) -> ()
  %n = "other.count"(%x) : (memref<?xf32>) -> index
  return %n : index
}
)";
  OwningOpRef<ModuleOp> module = parse(text.c_str());
  ASSERT_TRUE(module);
  FailureOr<CompiledProgram> compiled = compileFor(*module, "sm_80");
  ASSERT_TRUE(succeeded(compiled));
  auto printFunction = [](ModuleOp in) {
    std::string text;
    llvm::raw_string_ostream os(text);
    in.lookupSymbol("other")->print(os);
    return text;
  };
  EXPECT_EQ(printFunction(*module), printFunction(*compiled->host));
  int tables = 0;
  compiled->host->walk([&](Operation *op) {
    tables += op->getName().getStringRef() == "other.table";
  });
  EXPECT_EQ(tables, 1);
}

} // namespace
