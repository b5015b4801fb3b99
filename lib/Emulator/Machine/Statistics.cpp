//===- Statistics.cpp - What a launch executed ----------------------------===//
//
// Adding up and printing statistics; see tile/Emulator/Statistics.h.
//
//===----------------------------------------------------------------------===//

#include "tile/Emulator/Statistics.h"

#include <cstdio>

namespace tilec::emu {

const char *toString(InstructionClass c) {
  static constexpr const char *names[instructionClassCount] = {
      "mma",         "ldmatrix",     "shared_load", "shared_store",
      "global_load", "global_store", "async_copy",  "atomic",
      "shuffle",     "barrier",      "branch",      "integer",
      "float",       "convert",      "other"};
  return names[static_cast<size_t>(c)];
}

void Statistics::add(const Statistics &other) {
  warps += other.warps;
  instructions += other.instructions;
  for (unsigned i = 0; i < instructionClassCount; ++i)
    classes[i] += other.classes[i];
  sharedAccesses += other.sharedAccesses;
  sharedWavefronts += other.sharedWavefronts;
  sharedIdealWavefronts += other.sharedIdealWavefronts;
  sharedBytes += other.sharedBytes;
  globalAccesses += other.globalAccesses;
  globalSectors += other.globalSectors;
  globalIdealSectors += other.globalIdealSectors;
  globalBytes += other.globalBytes;
  flops += other.flops;
}

std::string toJson(const std::vector<Statistics> &launches) {
  std::string json = "[";
  bool first = true;
  for (const Statistics &s : launches) {
    json += first ? "\n" : ",\n";
    first = false;
    json += "  {\"name\": \"";
    for (char ch : s.name) {
      if (ch == '"' || ch == '\\')
        json += '\\';
      json += ch;
    }
    json += "\", \"warps\": " + std::to_string(s.warps) +
            ", \"instructions\": " + std::to_string(s.instructions) +
            ",\n   \"classes\": {";
    for (unsigned i = 0; i < instructionClassCount; ++i)
      json += std::string(i ? ", \"" : "\"") +
              toString(static_cast<InstructionClass>(i)) +
              "\": " + std::to_string(s.classes[i]);
    json +=
        "},\n   \"shared\": {\"accesses\": " +
        std::to_string(s.sharedAccesses) +
        ", \"wavefronts\": " + std::to_string(s.sharedWavefronts) +
        ", \"ideal_wavefronts\": " + std::to_string(s.sharedIdealWavefronts) +
        ", \"bytes\": " + std::to_string(s.sharedBytes) +
        "},\n   \"global\": {\"accesses\": " +
        std::to_string(s.globalAccesses) +
        ", \"sectors\": " + std::to_string(s.globalSectors) +
        ", \"ideal_sectors\": " + std::to_string(s.globalIdealSectors) +
        ", \"bytes\": " + std::to_string(s.globalBytes) +
        "},\n   \"flops\": " + std::to_string(s.flops) + "}";
  }
  return json + (first ? "]" : "\n]");
}

static std::string line(const char *label, uint64_t value,
                        const std::string &note = "") {
  char text[160];
  std::snprintf(text, sizeof text, "  %-26s %14llu%s%s\n", label,
                static_cast<unsigned long long>(value),
                note.empty() ? "" : "  ", note.c_str());
  return text;
}

std::string toText(const Statistics &s) {
  std::string text = "kernel " + s.name + "\n";
  text += line("warps", s.warps);
  text += line("warp instructions", s.instructions);
  for (unsigned i = 0; i < instructionClassCount; ++i) {
    if (!s.classes[i])
      continue;
    char share[32];
    std::snprintf(share, sizeof share, "%5.1f %%",
                  100.0 * static_cast<double>(s.classes[i]) /
                      static_cast<double>(s.instructions));
    std::string label =
        std::string("  ") + toString(static_cast<InstructionClass>(i));
    text += line(label.c_str(), s.classes[i], share);
  }
  text += line("shared accesses", s.sharedAccesses);
  text += line("shared wavefronts", s.sharedWavefronts,
               "ideal " + std::to_string(s.sharedIdealWavefronts));
  text += line("shared bytes", s.sharedBytes);
  text += line("global accesses", s.globalAccesses);
  text += line("global sectors", s.globalSectors,
               "ideal " + std::to_string(s.globalIdealSectors));
  text += line("global bytes", s.globalBytes);
  text += line("flops of mma", s.flops);
  return text;
}

} // namespace tilec::emu
