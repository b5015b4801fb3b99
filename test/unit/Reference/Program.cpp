//===- Program.cpp - A tile program run by the reference -----------------===//

#include "Program.h"

#include "tile/Dialect/Tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

std::string
mlir::tile::reference::fill(std::string text,
                            const llvm::StringMap<std::string> &replacements) {
  for (const auto &entry : replacements) {
    std::string name = "{" + entry.getKey().str() + "}";
    for (size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at))
      text.replace(at, name.size(), entry.getValue());
  }
  return text;
}

Array mlir::tile::reference::run(const std::string &text,
                                 ArrayRef<std::vector<double>> inputs,
                                 Accumulation accumulation) {
  MLIRContext context;
  context.loadDialect<TileDialect, arith::ArithDialect, func::FuncDialect,
                      gpu::GPUDialect, math::MathDialect, memref::MemRefDialect,
                      scf::SCFDialect, tensor::TensorDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << "does not parse:\n" << text;
    return {};
  }
  auto function = *module->getOps<func::FuncOp>().begin();
  SmallVector<RuntimeValue> arguments, results;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto memrefType = cast<MemRefType>(type);
    ElementType element = *ElementType::get(memrefType);
    MemRef memref =
        allocate("argument", function.getLoc(), element, memrefType.getShape());
    Array contents(element, memref.getNumElements());
    for (int64_t k = 0; i < inputs.size() && k < contents.count; ++k)
      if (element.isFloat)
        contents.setDouble(k, roundTo(inputs[i][k], element.format));
      else
        contents.integers[k] = static_cast<int64_t>(inputs[i][k]);
    writeAll(memref, contents);
    arguments.push_back(std::move(memref));
  }
  InterpreterOptions options;
  options.tracksBounds = true;
  options.accumulation = accumulation;
  Interpreter interpreter(*module, options);
  if (failed(interpreter.run(function, arguments, results)))
    ADD_FAILURE() << "does not run:\n" << text;
  return readAll(*arguments.back().memref);
}

Verdict mlir::tile::reference::judge(const std::vector<double> &actual,
                                     const Array &expected) {
  Verdict verdict;
  double squares = 0;
  for (int64_t i = 0; i < expected.count; ++i)
    squares += expected.getDouble(i) * expected.getDouble(i);
  double past = std::sqrt(squares / static_cast<double>(expected.count));
  for (int64_t i = 0; i < expected.count; ++i) {
    double bound = expected.getBound(i), value = expected.getDouble(i);
    bool isSame =
        actual[i] == value && std::signbit(actual[i]) == std::signbit(value);
    bool isWithin = bound != 0.0 && std::fabs(actual[i] - value) <= bound;
    if (bound > past)
      ++verdict.unchecked;
    else if (!isSame && !isWithin)
      ++verdict.different;
  }
  verdict.isEqual =
      verdict.different == 0 && verdict.unchecked * 100 <= expected.count;
  return verdict;
}
