//===- Objects.h - What the emulator's handles of C are ---------*- C++ -*-===//
//
// Each opaque struct of tile-c/Emulator.h holds the object of the emulator, and texts
// that are handed out by reference.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CAPI_EMULATOR_OBJECTS_H
#define TILE_LIB_CAPI_EMULATOR_OBJECTS_H

#include "tile-c/Emulator.h"
#include "tile/Emulator/Emulator.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct TileEmulatorModule {
  std::unique_ptr<tilec::emu::Module> module;
};

struct TileEmulatorMemory {
  tilec::emu::DeviceMemory memory;
};

struct TileEmulatorLaunch {
  tilec::emu::Module &module;
  tilec::emu::ParameterBuilder parameters;
  tilec::emu::LaunchConfig config;
  tilec::emu::LaunchOptions options;
  std::atomic<bool> isInterrupted{false};
};

struct TileEmulatorFinding {
  tilec::emu::Report report;
  std::string text;

  /// The `index`-th of the instructions that it is about.
  const tilec::emu::ReportedAccess &getAccess(size_t index) const {
    return index == 0 ? report.first : *report.second;
  }
};

struct TileEmulatorResult {
  tilec::emu::LaunchResult result;
  std::string statisticsJson;
  std::vector<TileEmulatorFinding> findings, notes;
};

inline TileString wrap(std::string_view text) {
  return {text.data(), text.size()};
}

inline std::string_view unwrap(TileString text) {
  return {text.data, text.length};
}

#endif // TILE_LIB_CAPI_EMULATOR_OBJECTS_H
