//===- Hovers.h - What is said of an operation or a value -------*- C++ -*-===//

#ifndef TILE_LIB_LSP_HOVERS_H
#define TILE_LIB_LSP_HOVERS_H

#include "tile/Pipeline/Compile.h"
#include "tile/Report/Decisions.h"

#include <map>
#include <mutex>
#include <set>

namespace mlir::tile {

/// The layouts of the values of launches, by their places. Passes run in threads, so
/// anything may be added from any of them.
class ValueLayouts {
public:
  /// Adds those of all values in `op` that have one.
  void add(Operation *op);
  /// Adds a look at the program after layouts are chosen to a pass manager.
  void watch(PassManager &pm);
  /// "tensor<64x64xf32>: [..], 32 elements a thread", each once.
  std::vector<std::string> get(Location loc) const;

private:
  std::mutex mutex;
  std::map<std::string, std::set<std::string>> layouts;
};

/// What is said of a program's operations and values, as markdown.
class HoverTexts {
public:
  /// `program` is null where the text was not compiled.
  HoverTexts(const ValueLayouts &layouts, const CompiledProgram *program);

  /// Of an operation; empty where nothing is known.
  std::string describe(Operation *op) const;
  /// Of a block's argument.
  std::string describe(BlockArgument argument) const;

private:
  std::string describePlace(Location loc, Operation *inside) const;
  std::string describeKernel(LaunchOp launch) const;

  const ValueLayouts &layouts;
  const CompiledProgram *program;
  std::map<std::string, std::vector<Decision>> decisions; ///< by place
};

} // namespace mlir::tile

#endif // TILE_LIB_LSP_HOVERS_H
