//===- DataKind.h - What arguments are filled with --------------*- C++ -*-===//
//
// `--data=KIND`: normal(mean,deviation), uniform(lo,hi), integers(lo,hi),
// zeros, iota, perm, values(a,b,..), metadata. Parentheses may be left out where
// there are defaults. A seed and an argument's number determine the contents.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_DATAKIND_H
#define TILE_RUNTIME_DATAKIND_H

#include "tile/Reference/Array.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::tile {

struct DataKind {
  enum class Kind {
    Normal,
    Uniform,
    Integers,
    Zeros,
    Iota,
    Perm,
    Values,
    Metadata
  };
  Kind kind = Kind::Normal;
  std::vector<double> parameters;
  std::vector<std::string> texts = {}; ///< of `values`: how each is written

  /// Reads the text of an option; on failure nothing, and `error` says what is
  /// wrong and which kinds there are.
  static std::optional<DataKind> parse(llvm::StringRef text,
                                       std::string &error);
  /// Floats `normal`, i8 and i4 `integers`, i1 zeros and ones, wider integers
  /// zeros, because they are usually positions.
  static DataKind getDefault(reference::ElementType type);
  /// The first of `values` that is no element of `type`, and why; else empty.
  std::string findMisfit(reference::ElementType type) const;
};

/// `count` elements. Values are rounded to the type, but integers that are written as
/// such and that the type has are exact; `iota` and `perm` count the elements in
/// row-major order; `values` repeats its list; `metadata` names two increasing
/// positions in every four bits, as `tile.gemm_sparse` takes them.
reference::Array makeData(const DataKind &kind, reference::ElementType type,
                          int64_t count, uint64_t seed);

} // namespace mlir::tile

#endif // TILE_RUNTIME_DATAKIND_H
