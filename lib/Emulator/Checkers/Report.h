//===- Report.h - Collecting what went wrong --------------------*- C++ -*-===//
//
// Reports are collected over all threads of a launch, one per pair of
// instructions and kind; repetitions are counted.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_CHECKERS_REPORT_H
#define TILE_LIB_EMULATOR_CHECKERS_REPORT_H

#include "../Machine/Machine.h"

#include <map>
#include <tuple>

namespace tilec::emu {

class ReportSink {
public:
  explicit ReportSink(uint32_t maxReports) : maxReports(maxReports) {}
  /// Adds a report unless its key is known; then it is counted.
  void add(uint64_t firstKey, uint64_t secondKey, Report report);
  /// Whether this pair was reported already (and counts it), so that building
  /// the text can be spared.
  bool countKnown(ReportKind kind, uint64_t firstKey, uint64_t secondKey);
  void finish(LaunchResult &result);

private:
  std::mutex mutex;
  uint32_t maxReports;
  uint64_t dropped = 0;
  using Key = std::tuple<int, uint64_t, uint64_t>;
  std::vector<Report> reports, notes;
  std::map<Key, size_t> known, knownNotes;
};

/// Describes `instruction` executed by `lane` of `warp`.
ReportedAccess describeAccess(Warp &warp, const Instruction &instruction,
                              uint32_t lane, std::string what);
/// "file:line:column", with the chain of inlining.
std::string describeLocation(const ModuleImpl &module, uint32_t location);
Dim3 threadOf(const Launch &launch, uint32_t thread);

/// Reports something about one instruction; a note leaves the launch sound.
void reportAt(Warp &warp, const Instruction &instruction, uint32_t lane,
              ReportKind kind, std::string message, std::string missing = "",
              bool isNote = false, std::optional<uint64_t> address = {});

/// Two instructions, the later one executed by `warp`.
struct InstructionPair {
  ReportKind kind;
  const Instruction *later, *earlier;
  uint32_t laterLane, earlierLane;
  std::optional<uint64_t> address = {}; ///< that both are about
};
/// Reports a pair once, and counts its repetitions.
void reportPair(Warp &warp, Warp &earlierWarp, const InstructionPair &pair,
                std::string message, std::string later, std::string earlier,
                std::string missing);

/// An address as messages write it: "0x1f".
std::string hex(uint64_t value);
/// "'ld.global.f32'" of an instruction.
std::string spellInstruction(const Instruction &instruction);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_CHECKERS_REPORT_H
