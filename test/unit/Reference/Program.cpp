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

namespace {

/// A program and memrefs for its arguments.
struct Program {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  SmallVector<RuntimeValue> arguments;

  explicit Program(const std::string &text) {
    context
        .loadDialect<TileDialect, arith::ArithDialect, func::FuncDialect,
                     gpu::GPUDialect, math::MathDialect, memref::MemRefDialect,
                     scf::SCFDialect, tensor::TensorDialect>();
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << "does not parse:\n" << text;
      return;
    }
    function = *module->getOps<func::FuncOp>().begin();
    for (Type type : function.getArgumentTypes()) {
      auto memrefType = cast<MemRefType>(type);
      MemRef memref =
          allocate("argument", function.getLoc(), *ElementType::get(memrefType),
                   memrefType.getShape());
      writeAll(memref, Array(memref.element, memref.getNumElements()));
      arguments.push_back(std::move(memref));
    }
  }

  Array run(Accumulation accumulation) {
    if (!module)
      return {};
    InterpreterOptions options;
    options.tracksBounds = true;
    options.accumulation = accumulation;
    Interpreter interpreter(*module, options);
    SmallVector<RuntimeValue> results;
    if (failed(interpreter.run(function, arguments, results)))
      ADD_FAILURE() << "does not run";
    return readAll(*arguments.back().memref);
  }
};

} // namespace

Array mlir::tile::reference::run(const std::string &text,
                                 ArrayRef<Array> inputs,
                                 Accumulation accumulation) {
  Program program(text);
  for (auto [argument, contents] : llvm::zip(program.arguments, inputs))
    writeAll(*argument.memref, contents);
  return program.run(accumulation);
}

Array mlir::tile::reference::run(const std::string &text,
                                 ArrayRef<std::vector<double>> inputs,
                                 Accumulation accumulation) {
  Program program(text);
  for (auto [argument, values] : llvm::zip(program.arguments, inputs)) {
    ElementType element = argument.memref->element;
    Array contents(element, values.size());
    for (int64_t k = 0; k < contents.count; ++k)
      if (element.isFloat)
        contents.setDouble(k, roundTo(values[k], element.format));
      else
        contents.integers[k] = static_cast<int64_t>(values[k]);
    writeAll(*argument.memref, contents);
  }
  return program.run(accumulation);
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
