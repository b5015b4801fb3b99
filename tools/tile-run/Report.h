//===- Report.h - What a run came to ----------------------------*- C++ -*-===//
//
// What tile-run found out, as plain data, and its two forms: lines for people,
// and one JSON document (docs/Running.md describes it).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TILERUN_REPORT_H
#define TILE_TOOLS_TILERUN_REPORT_H

#include "Options.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::tile {

/// What an argument holds.
struct Summary {
  int64_t elements = 0, nans = 0, undefined = 0;
  /// Of the elements that are numbers; nothing where there are none.
  struct Range {
    double least = 0, most = 0, mean = 0;
  };
  std::optional<Range> range;
};

Summary summarize(const reference::Array &array);

struct FileComparison {
  std::string path;
  tilec::Comparison comparison;
};

struct ArgumentReport {
  unsigned number = 0;
  std::string type;
  std::vector<int64_t> shape;
  Summary summary;
  std::optional<tilec::Comparison> check; ///< with the reference
  std::vector<FileComparison> files;
};

struct StageReport {
  std::string pass;
  std::string status; ///< "equal", or a sentence
};

struct RunReport {
  std::string entry, executor;
  std::string chip;      ///< empty: nothing was compiled
  bool hasFailed = true; ///< until the run came to its end
  std::vector<ArgumentReport> arguments;
  std::vector<StageReport> stages;
  std::vector<std::string> openDecisions; ///< "file:line:column"
  std::string statisticsJson;             ///< an array; empty: not asked for
  std::vector<LaunchTime> times;

  /// Whether every comparison is equal.
  bool isEqual() const;
};

/// A line for each memref argument and each comparison, and for each time.
void printText(const RunReport &report, const RunOptions &options,
               llvm::raw_ostream &os);
void printJson(const RunReport &report, const RunOptions &options,
               llvm::raw_ostream &os);

} // namespace mlir::tile

#endif // TILE_TOOLS_TILERUN_REPORT_H
