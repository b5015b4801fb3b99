//===- Options.h - The command line of ptx-run ------------------*- C++ -*-===//

#ifndef TILE_TOOLS_PTXRUN_OPTIONS_H
#define TILE_TOOLS_PTXRUN_OPTIONS_H

#include "tile/Emulator/Emulator.h"

#include <cstdio>
#include <string>
#include <vector>

namespace tilec {

enum class RunOn { Emulator, Cuda, Auto };

struct RunOptions {
  std::string file, kernel, statistics;
  RunOn runOn = RunOn::Emulator;
  emu::LaunchConfig config;
  emu::LaunchOptions launch;
  std::vector<std::string> arguments, expectations;
  /// The first option given that only the emulator has, as it was written.
  std::string emulatorOnly;
  unsigned timedLaunches = 0; ///< 0: do not measure
  bool list = false, gridGiven = false, blockGiven = false, verbose = false;
  std::string device; ///< "text" or "json": describe the device and end
};

/// Reads the command line; -1 to go on, else the exit status.
int parseOptions(int argc, char **argv, RunOptions &options);

/// Prints `error: message` and returns 1.
int fail(const std::string &message);

/// Where lines for people go: standard output, or standard error where that
/// belongs to a JSON document, from `sendTextToErrors` on.
std::FILE *getTextOutput();
void sendTextToErrors();

/// A number in decimal, hexadecimal or octal, all of `text`.
bool parseNumber(std::string_view text, uint64_t &value);

} // namespace tilec

#endif // TILE_TOOLS_PTXRUN_OPTIONS_H
