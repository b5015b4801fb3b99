//===- SerializeToPtxTest.cpp - What no pass option reaches ---------------===//
//
// The PTX version of a serialization is chosen by embedders only; passes take
// the chip's default. A version that does not know the chip would end the
// process inside of LLVM, so it is refused before.
//
// Kernels are compiled on the context's threads, which a pool counts here; what parts
// have in their PTX is test/Target/PTX/kernel-parts.mlir's.
//
//===----------------------------------------------------------------------===//

#include "tile/Target/PTX/SerializeToPtx.h"
#include "tile/Target/PTX/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ThreadPool.h"

#include <gtest/gtest.h>

#include <thread>

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

/// Runs each task on a thread of its own.
class CountingPool final : public llvm::ThreadPoolInterface {
public:
  ~CountingPool() override { wait(); }
  void wait() override {
    for (std::thread &thread : threads)
      thread.join();
    threads.clear();
  }
  void wait(llvm::ThreadPoolTaskGroup &) override { wait(); }
  unsigned getMaxConcurrency() const override { return 2; }

  int taskCount = 0;

private:
  void asyncEnqueue(llvm::unique_function<void()> task,
                    llvm::ThreadPoolTaskGroup *) override {
    ++taskCount;
    threads.emplace_back(std::move(task));
  }

  std::vector<std::thread> threads;
};

/// Three kernels at `location`, a format that takes their names; two of them store to
/// `counter` where `shares`.
std::string makeKernels(bool shares,
                        llvm::StringLiteral location = "\"a\":1:1") {
  std::string text = R"mlir(
    gpu.module @kernels {
      llvm.mlir.global external @counter(0 : i32) {addr_space = 1 : i32} : i32)mlir";
  for (llvm::StringRef name : {"first", "second", "third"}) {
    text += ("\n      llvm.func @" + name + R"mlir((%n: i32, %p: !llvm.ptr<1>)
          attributes {gpu.kernel, nvvm.kernel} {
        llvm.store %n, %p : i32, !llvm.ptr<1>)mlir")
                .str();
    if (shares && name != "second")
      text += R"mlir(
        %c = llvm.mlir.addressof @counter : !llvm.ptr<1>
        llvm.store %n, %c : i32, !llvm.ptr<1>)mlir";
    text += "\n        llvm.return } loc(";
    text += llvm::formatv(location.data(), name).str() + ")";
  }
  return text + "}";
}

class SerializeInParts : public testing::Test {
protected:
  SerializeInParts() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registry.insert<gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
    registerPtxTranslation(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  void parse(llvm::StringRef source) {
    module = parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module);
  }

  SerializedModule serialize(SerializeOptions options = {}) {
    auto texts = serializeToPtx(*module->getOps<gpu::GPUModuleOp>().begin(),
                                *tilec::findTarget("sm_80"), options);
    EXPECT_TRUE(succeeded(texts));
    return succeeded(texts) ? *texts : SerializedModule();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(SerializeInParts, UsesTheThreadsOfTheContext) {
  parse(makeKernels(false));
  SerializedModule alone = serialize();
  CountingPool pool;
  context.setThreadPool(pool);
  SerializedModule together = serialize();
  EXPECT_EQ(pool.taskCount, 2);
  EXPECT_EQ(alone.partCount, 3u);
  EXPECT_EQ(together.partCount, 3u);
  EXPECT_EQ(alone.ptx, together.ptx);
}

TEST_F(SerializeInParts, KeepsTogetherWhatSharesAVariable) {
  parse(makeKernels(true));
  SerializedModule texts = serialize();
  EXPECT_EQ(texts.partCount, 2u);
  for (llvm::StringRef text :
       {".u32 counter", "entry first(", "entry second(", "entry third("})
    EXPECT_EQ(llvm::StringRef(texts.ptx).count(text), 1u) << text.str();
}

TEST_F(SerializeInParts, PrintsLlvmIrOfTheWhole) {
  SerializeOptions options;
  options.printsLlvmIr = true;
  parse(makeKernels(false));
  SerializedModule texts = serialize(options);
  EXPECT_EQ(texts.partCount, 1u);
  EXPECT_EQ(llvm::StringRef(texts.llvmIr).count("define "), 3u);
}

// Sections of debug information point into one another.
TEST_F(SerializeInParts, LeavesFullDebugInformationWhole) {
  parse(makeKernels(false, R"mlir(
    fused<#llvm.di_subprogram<
      compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C,
        file = <"a.mlir" in "">, isOptimized = true, emissionKind = Full>,
      scope = #llvm.di_file<"a.mlir" in "">, name = "{0}",
      file = <"a.mlir" in "">, line = 1, subprogramFlags = Definition,
      type = <callingConvention = DW_CC_normal>>>["a.mlir":1:1])mlir"));
  SerializedModule texts = serialize();
  EXPECT_EQ(texts.partCount, 1u);
  EXPECT_EQ(llvm::StringRef(texts.ptx).count(".section\t.debug_info\n"), 1u)
      << texts.ptx;
}

} // namespace
