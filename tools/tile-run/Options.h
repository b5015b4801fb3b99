//===- Options.h - The command line of tile-run -----------------*- C++ -*-===//

#ifndef TILE_TOOLS_TILERUN_OPTIONS_H
#define TILE_TOOLS_TILERUN_OPTIONS_H

#include "tile/Runtime/Comparison.h"
#include "tile/Runtime/LaunchTime.h"
#include "tile/Runtime/ProgramArguments.h"

#include <map>
#include <optional>
#include <string>

namespace mlir::tile {

enum class Executor { Auto, Emulator, Cuda, Reference };
enum class StatisticsFormat { None, Text, Json };

struct RunOptions {
  std::string inputFile;
  std::string entry;
  std::string chip; ///< empty: nobody names one
  Executor executor = Executor::Auto;
  bool check = false;
  bool checkStages = false;
  bool checkAssumptions = false; ///< by the code that runs
  StatisticsFormat statistics = StatisticsFormat::None;
  /// Standard output is one JSON document; what else is printed goes to
  /// standard error.
  bool writesJson = false;
  TimingOptions timing;
  std::optional<uint64_t> maxInstructions; ///< of one warp in the emulator
  std::optional<uint64_t> maxSteps;        ///< of one block in the reference
  /// What the host program is told; 0: as many as the GPU has or, without one, the
  /// largest product with the chip.
  int64_t multiprocessors = 0;
  ArgumentOptions arguments;
  std::map<unsigned, std::string> outputs, expectations;
  std::string jobDirectory; ///< where launches are kept; empty: nowhere
  tilec::Tolerance tolerance;
  std::map<unsigned, tilec::Tolerance> toleranceOf;
  double maxUnchecked = tilec::ComparisonRule().maxUnchecked;
  bool showHelp = false;
  bool showVersion = false;
  bool listOperations = false; ///< of the reference interpreter

  /// How an argument is compared.
  tilec::ComparisonRule getRule(unsigned argument) const;
  /// Where lines for people and what programs print go.
  llvm::raw_ostream &getTextOutput() const;
};

/// Reads a command line; nothing and a sentence in `error` where it is wrong.
std::optional<RunOptions> parseOptions(int argc, char **argv,
                                       std::string &error);

extern const char *const helpText;

} // namespace mlir::tile

#endif // TILE_TOOLS_TILERUN_OPTIONS_H
