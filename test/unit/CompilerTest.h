//===- CompilerTest.h - A context that compiles -----------------*- C++ -*-===//
//
// The fixture of tests that compile programs as an embedder does: a context with what
// compiling needs, and what it says.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_COMPILERTEST_H
#define TILE_TEST_UNIT_COMPILERTEST_H

#include "tile/Pipeline/Compile.h"
#include "tile/Pipeline/Register.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

namespace mlir::tile {

class CompilerTest : public testing::Test {
protected:
  CompilerTest() {
    DialectRegistry registry;
    registerTileDialects(registry);
    context.appendDialectRegistry(registry);
    handler.emplace(&context, [&](Diagnostic &diagnostic) {
      messages.push_back(diagnostic.str());
      return success();
    });
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, &context);
  }
  FailureOr<CompiledProgram> compileFor(ModuleOp module, const char *chip) {
    CompileOptions options;
    options.chip = chip;
    return tile::compile(module, options);
  }
  /// For sm_80; what is wrong fails the test.
  FailureOr<CompiledProgram> compileText(const std::string &text) {
    OwningOpRef<ModuleOp> module = parse(text);
    FailureOr<CompiledProgram> program = failure();
    if (module)
      program = compileFor(*module, "sm_80");
    EXPECT_TRUE(succeeded(program))
        << (messages.empty() ? text : messages.front());
    return program;
  }
  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module.print(os, OpPrintingFlags().enableDebugInfo());
    return text;
  }

  MLIRContext context;
  std::vector<std::string> messages; ///< of diagnostics

private:
  std::optional<ScopedDiagnosticHandler> handler;
};

} // namespace mlir::tile

#endif // TILE_TEST_UNIT_COMPILERTEST_H
