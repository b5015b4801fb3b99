//===- Run.h - A compiled program on arrays in memory -----------*- C++ -*-===//
//
//   std::vector<float> x(n), y(n);
//   if (failed(tile::run(*program, "axpy",
//                        {tile::HostArgument::array(x.data(), {n}),
//                         tile::HostArgument::array(y.data(), {n})})))
//     ...
//
// The host function runs on the CPU, its kernels on the emulator with all checkers, by
// the reference, or on a GPU. Diagnostics say what is wrong with the arguments or
// with what the program does.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_PROGRAM_RUN_H
#define TILE_PROGRAM_RUN_H

#include "tile/Pipeline/Compile.h"
#include "tile/Runtime/LaunchTime.h"

#include <atomic>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::tile {

/// Where kernels run.
enum class Backend {
  Emulator,  ///< their PTX, on the CPU, with all checkers
  Reference, ///< the program as it was written; nothing compiled runs
  Gpu,       ///< their PTX, on the first GPU, through CUDA's driver
};

/// An argument of a host function: a number, or an array in the caller's memory, which
/// the program reads and writes.
struct HostArgument {
  /// Of an array, where its first element lies; null of a number.
  void *data = nullptr;
  bool isConst = false; ///< that the program writes it is an error
  /// `data` is an address of the GPU's memory, where kernels have the array in place
  /// and nothing is copied; for `Backend::Gpu` alone.
  bool isOnGpu = false;
  int64_t elementBits = 0;
  std::vector<int64_t> sizes;
  /// In elements, none negative; empty: row-major.
  std::vector<int64_t> strides;
  std::optional<int64_t> integer; ///< an i1, an integer or an index
  std::optional<double> number;   ///< a float, rounded to its type

  /// Elements as they lie in memory: `elementBits` is 4, two a byte, or 8, 16, 32, 64.
  static HostArgument array(void *data, int64_t elementBits,
                            std::vector<int64_t> sizes,
                            std::vector<int64_t> strides = {});
  template <typename T>
  static HostArgument array(T *data, std::vector<int64_t> sizes,
                            std::vector<int64_t> strides = {}) {
    HostArgument argument =
        array(const_cast<std::remove_const_t<T> *>(data), 8 * sizeof(T),
              std::move(sizes), std::move(strides));
    argument.isConst = std::is_const_v<T>;
    return argument;
  }
  static HostArgument scalar(int64_t value);
  static HostArgument scalar(double value);
};

struct ExecutionOptions {
  Backend backend = Backend::Emulator;
  /// Orders blocks and warps of the emulator, and blocks of the reference.
  uint64_t seed = 0;
  /// Of a warp of the emulator, and steps of the reference, after which a program is
  /// called endless; 0: never; not given: their defaults.
  std::optional<uint64_t> limit;
  /// What `tile.sm_count` is; 0: the GPU's, else those of the largest product with
  /// the chip.
  int64_t multiprocessors = 0;
  /// Where the program prints; null: nowhere.
  llvm::raw_ostream *output = nullptr;
  /// Whether the emulator counts what kernels execute.
  bool collectsStatistics = false;
  /// How often launches are run again and timed.
  TimingOptions timing;
  /// Set by whoever wants the run to end soon, from any thread: it fails then, behind a
  /// kernel that runs on a GPU. Null: nobody.
  const std::atomic<bool> *interrupt = nullptr;
};

struct ExecutionResult {
  /// Of all launches, a JSON array as docs/Running.md has it; empty unless asked for.
  std::string statisticsJson;
  std::vector<LaunchTime> times;
};

/// Runs the host function `entry` of `program` to its end; arrays have its results then,
/// and what they had before where it fails. Fails with diagnostics: at the function for
/// arguments that do not fit, at operations for what they do wrong.
FailureOr<ExecutionResult> run(const CompiledProgram &program, StringRef entry,
                               ArrayRef<HostArgument> arguments,
                               const ExecutionOptions &options = {});

} // namespace mlir::tile

#endif // TILE_PROGRAM_RUN_H
