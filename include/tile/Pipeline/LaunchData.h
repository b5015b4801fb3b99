//===- LaunchData.h - What host code starts ---------------------*- C++ -*-===//
//
// A host function as data, for launchers that do not run it: which kernels it
// starts, under which condition, with which grid and operands, each an expression of
// the function's arguments:
//
//     %gx = arith.ceildivsi %n, %c128        ceildivsi(arg0.size[1], 128)
//
// What follows from anything else, such as a number that is read from memory or
// counted by a loop, is `Unknown`, and such a function has to be run as it is.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_PIPELINE_LAUNCHDATA_H
#define TILE_PIPELINE_LAUNCHDATA_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tile {

/// An integer, an index or a bit that host code computes.
struct HostExpression {
  enum class Kind {
    Constant,  ///< `number`
    Argument,  ///< the scalar argument `number`
    Size,      ///< of dimension `dim` of the memref argument `number`
    Operation, ///< `operation` of `operands`
    Unknown,
  };
  Kind kind = Kind::Unknown;
  int64_t number = 0, dim = 0;
  unsigned bits = 64; ///< of the result: 1, 8, 16, 32 or 64
  /// The name of an operation of `arith` without the dialect, as "ceildivsi"; of
  /// comparisons with the predicate, as "cmpi slt".
  std::string operation;
  std::vector<HostExpression> operands;

  static HostExpression get(Value value);

  /// Whether nothing in it is unknown.
  bool isKnown() const;
  /// The number for these arguments: of a scalar its value, of a memref the size of a
  /// dimension. Nothing where something is unknown or the operation has no result, as a
  /// division by zero.
  using GetArgument = std::function<int64_t(int64_t argument, int64_t dim)>;
  std::optional<int64_t> evaluate(const GetArgument &getArgument) const;
  /// "ceildivsi(arg0.size[1], 128)".
  std::string toString() const;
  /// A number, a text as "arg1" or "arg0.size[1]", `null`, or
  /// `{"op": "ceildivsi", "operands": [..]}`.
  llvm::json::Value toJson() const;
};

/// One `gpu.launch_func`.
struct LaunchData {
  /// A value that the kernel is given, in the order of the report's parameters.
  struct Operand {
    /// The argument that it is; nothing of what the host computes.
    std::optional<int64_t> argument;
    /// Of a scalar.
    std::optional<HostExpression> value;
    bool isTensorMap = false; ///< which one, the report says
  };
  std::string function, kernel;
  std::array<HostExpression, 3> grid; ///< blocks, x to z
  int64_t blockThreads = 0;
  HostExpression sharedBytes;
  /// All of these are true where it is started; those of the other branch of an
  /// `scf.if` are negated by "xori" with 1.
  std::vector<HostExpression> conditions;
  /// Whether it stands in a loop, which starts it any number of times.
  bool isRepeated = false;
  std::vector<Operand> operands;

  llvm::json::Value toJson() const;
};

/// The launches of the host functions of a compiled module, in their order.
std::vector<LaunchData> getLaunchData(ModuleOp host);

} // namespace mlir::tile

#endif // TILE_PIPELINE_LAUNCHDATA_H
