//===- Interpreter.h - The meaning of a tile program ------------*- C++ -*-===//
//
// Runs a module that holds tile programs at any block-level stage, from source
// to outlined, on the CPU. It is written after docs/Language.md and shares no
// code with the compiler (the layout library apart, which has its own tests),
// so that it can judge the compiler.
//
//   Interpreter interpreter(module, {.seed = 1});
//   LogicalResult ok = interpreter.run(function, arguments, results);
//
// It is also the one interpreter of host code: a `gpu.launch_func` goes to a
// callback where there is one (lib/Runtime runs it on the emulator or a GPU),
// else to the `gpu.func` in the module. What is wrong is emitted as a
// diagnostic at the operation, with the other operation involved as a note, and
// ends the run.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_REFERENCE_INTERPRETER_H
#define TILE_REFERENCE_INTERPRETER_H

#include "tile/Reference/Memory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <array>
#include <atomic>
#include <functional>

namespace llvm {
class raw_ostream;
}

namespace mlir::tile::reference {

struct Product;

/// A scalar or fragment, a memref or a ring: exactly one of `array`, `memref`
/// and `ring` is set. A pending fragment has its `product` beside the array.
struct RuntimeValue {
  std::shared_ptr<const Array> array;
  std::shared_ptr<const MemRef> memref;
  std::shared_ptr<Ring> ring;
  std::shared_ptr<Product> product;

  RuntimeValue() = default;
  RuntimeValue(Array value)
      : array(std::make_shared<const Array>(std::move(value))) {}
  RuntimeValue(MemRef value)
      : memref(std::make_shared<const MemRef>(std::move(value))) {}
  explicit operator bool() const { return array || memref || ring; }
};

/// A `gpu.launch_func` with its operands' values; extents are not negative and
/// none is zero.
struct LaunchRequest {
  gpu::LaunchFuncOp op;
  llvm::ArrayRef<RuntimeValue> arguments;
  std::array<int64_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
  int64_t dynamicSharedBytes = 0;
};

using LaunchFunction = std::function<LogicalResult(const LaunchRequest &)>;

/// How far a run is, for whoever watches it from another thread.
struct RunProgress {
  /// Of the launches that have begun, and how many of them have ended.
  std::atomic<int64_t> blocks{0}, finishedBlocks{0};
};

/// How matrix instructions sum up, as far as bounds allow for it.
enum class Accumulation : uint8_t {
  Single,      ///< additions round to the accumulator, as the PTX ISA describes
  TensorCores, ///< terms are cut instead, and to 14 bits of 8-bit floats
};

struct InterpreterOptions {
  /// Chooses the order in which the blocks of a launch run.
  uint64_t seed = 0;
  /// Ends a run in which a block, or the host, takes more steps, as in an
  /// endless loop; 0: never. A step is the work of a scalar operation, or of one
  /// on some 16 to 64 elements: 100 million take 2 to 40 seconds.
  uint64_t maxSteps = 100'000'000;
  /// Whether values carry bounds (`Array::bounds`), which are found in the
  /// memrefs' buffers afterwards. Without it every bound is zero.
  bool tracksBounds = false;
  Accumulation accumulation = Accumulation::Single;
  /// What `tile.sm_count` is.
  int64_t multiprocessors = 1;
  /// Where `tile.print` goes; null: nowhere.
  llvm::raw_ostream *output = nullptr;
  /// Counts blocks; null: nobody watches.
  RunProgress *progress = nullptr;
  /// Set by whoever wants the run to end soon: it fails then. Null: nobody.
  const std::atomic<bool> *interrupt = nullptr;
  /// Runs a `gpu.launch_func`; empty: the interpreter does it itself.
  LaunchFunction launch;
};

class Machine;

class Interpreter {
public:
  Interpreter(ModuleOp module, InterpreterOptions options = {});
  ~Interpreter();

  /// Runs a function of the module. The facts that its arguments carry are
  /// checked first. Memrefs are changed in place.
  LogicalResult run(func::FuncOp function,
                    llvm::ArrayRef<RuntimeValue> arguments,
                    llvm::SmallVectorImpl<RuntimeValue> &results);

  /// Runs the module's `gpu.func` that a launch of any module names.
  LogicalResult runLaunch(const LaunchRequest &request);

  /// Conditions and bounds of loops that lay within their bound of another
  /// outcome, in the order met, each place once. What follows from them has
  /// infinite bounds.
  llvm::ArrayRef<Location> getOpenDecisions() const;

private:
  std::unique_ptr<Machine> machine;
};

/// The names of all operations that have a rule, sorted: what the tests have to
/// cover.
llvm::SmallVector<llvm::StringRef> getInterpretedOperations();

} // namespace mlir::tile::reference

#endif // TILE_REFERENCE_INTERPRETER_H
