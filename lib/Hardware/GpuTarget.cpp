//===- GpuTarget.cpp - The rows of the known chips -----------------------===//
//
// Facts only. Each row starts from what all chips since compute capability 8.0
// share and sets what differs; a chip is added by adding its row.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/GpuTarget.h"

#include <algorithm>
#include <array>
#include <cctype>

using namespace tilec;

constexpr int64_t kibibyte = 1024;

/// The PTX versions LLVM 22 has a feature for, from the first one that knows a
/// chip of the table. 8.9 was never released.
constexpr std::array llvmPtxVersions = {70, 71, 72, 73, 74, 75, 76, 77, 78, 80,
                                        81, 82, 83, 84, 85, 86, 87, 88, 90};

/// What the rows share. Shared memory a block can opt in to is the
/// multiprocessor's less the reserved part.
static GpuTarget makeTarget(std::string_view name, int computeCapability,
                            int64_t multiprocessorCount,
                            int64_t sharedBytesPerMultiprocessor) {
  GpuTarget target;
  target.name = name;
  target.multiprocessorCount = multiprocessorCount;
  target.computeCapability = computeCapability;
  target.isArchitectureSpecific = name.ends_with('a');
  target.warpSize = 32;
  target.maxThreadsPerBlock = 1024;
  target.maxThreadsPerMultiprocessor = 2048;
  target.maxBlocksPerMultiprocessor = 32;
  target.maxClusterSize = computeCapability >= 90 ? 8 : 1;
  target.namedBarrierCount = 16;
  target.registersPerMultiprocessor = 64 * kibibyte;
  target.maxRegistersPerBlock = 64 * kibibyte;
  target.maxRegistersPerThread = 255;
  target.registerGranularity = 256;
  target.subPartitionsPerMultiprocessor = 4;
  target.staticSharedBytesPerBlock = 48 * kibibyte;
  target.reservedSharedBytesPerBlock = 1 * kibibyte;
  target.sharedBytesPerMultiprocessor = sharedBytesPerMultiprocessor;
  target.maxSharedBytesPerBlock =
      sharedBytesPerMultiprocessor - target.reservedSharedBytesPerBlock;
  target.sharedGranularityBytes = 128;
  target.hasBulkTensorCopy = computeCapability >= 90;
  target.hasDependentLaunch = computeCapability >= 90;
  return target;
}

/// The chips with 1536 resident threads: 8.6, 8.9, 12.0.
static GpuTarget makeSmallTarget(std::string_view name, int computeCapability,
                                 int64_t multiprocessorCount,
                                 int64_t maxBlocksPerMultiprocessor) {
  GpuTarget target =
      makeTarget(name, computeCapability, multiprocessorCount, 100 * kibibyte);
  target.maxThreadsPerMultiprocessor = 1536;
  target.maxBlocksPerMultiprocessor = maxBlocksPerMultiprocessor;
  return target;
}

static GpuTarget withPtx(GpuTarget target, int firstVersion,
                         int defaultVersion) {
  target.firstPtxVersion = firstVersion;
  target.defaultPtxVersion = defaultVersion;
  return target;
}

static std::vector<GpuTarget> makeTargets() {
  // The defaults have every instruction of the tables except fp8 mma with f16
  // accumulators, which needs 8.7; a newer version needs a newer driver.
  return {
      withPtx(makeTarget("sm_80", 80, 108, 164 * kibibyte), 70, 78),
      withPtx(makeSmallTarget("sm_86", 86, 84, 16), 71, 78),
      withPtx(makeSmallTarget("sm_89", 89, 142, 24), 78, 84),
      withPtx(makeTarget("sm_90a", 90, 132, 228 * kibibyte), 80, 84),
      withPtx(makeTarget("sm_100a", 100, 148, 228 * kibibyte), 86, 86),
      withPtx(makeSmallTarget("sm_120a", 120, 188, 24), 87, 87),
  };
}

bool GpuTarget::acceptsPtxVersion(int ptxVersion) const {
  return ptxVersion >= firstPtxVersion &&
         std::ranges::find(llvmPtxVersions, ptxVersion) !=
             llvmPtxVersions.end();
}

std::vector<int> GpuTarget::getAcceptedPtxVersions() const {
  std::vector<int> versions;
  for (int version : llvmPtxVersions)
    if (acceptsPtxVersion(version))
      versions.push_back(version);
  return versions;
}

const std::vector<GpuTarget> &tilec::getKnownTargets() {
  static const std::vector<GpuTarget> targets = makeTargets();
  return targets;
}

const GpuTarget *tilec::findTarget(std::string_view name) {
  for (const GpuTarget &target : getKnownTargets())
    if (target.name == name)
      return &target;
  return nullptr;
}

std::string tilec::getKnownTargetNames() {
  std::string names;
  for (const GpuTarget &target : getKnownTargets()) {
    if (!names.empty())
      names += ", ";
    names += target.name;
  }
  return names;
}

/// "SM90A" as chips are written: "sm_90a".
static std::string normalizeName(std::string_view name) {
  std::string text;
  for (char c : name)
    text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (text.starts_with("sm") && text.size() > 2 && std::isdigit(text[2]))
    text.insert(2, "_");
  return text;
}

/// Whether one character more, less or another makes one name of the other.
static bool isOneEditApart(std::string_view a, std::string_view b) {
  if (a.size() > b.size())
    std::swap(a, b);
  size_t same = 0;
  while (same < a.size() && a[same] == b[same])
    ++same;
  a.remove_prefix(same), b.remove_prefix(same);
  if (b.empty() || a.size() + 1 < b.size())
    return false;
  return a.size() == b.size() ? a.substr(1) == b.substr(1) : a == b.substr(1);
}

/// The chip that is meant, if that is clear: the name written otherwise, else
/// with what it lacks at its end, else one letter off. Null: it is not.
static const GpuTarget *guessTarget(std::string_view name) {
  std::string text = normalizeName(name);
  if (const GpuTarget *target = findTarget(text))
    return target;
  const GpuTarget *near = nullptr;
  for (const GpuTarget &target : getKnownTargets()) {
    if (text.starts_with("sm_") && text.size() > 4 &&
        target.name.starts_with(text))
      return &target;
    if (!near && isOneEditApart(text, target.name))
      near = &target;
  }
  return near;
}

std::string tilec::describeUnknownTarget(std::string_view name) {
  std::string text = "unknown chip '" + std::string(name) + "'; ";
  if (const GpuTarget *meant = guessTarget(name))
    text += "did you mean '" + std::string(meant->name) + "'? ";
  return text + "known: " + getKnownTargetNames();
}

std::string tilec::getPtxFeature(int ptxVersion) {
  return "+ptx" + std::to_string(ptxVersion);
}

std::string tilec::formatPtxVersion(int ptxVersion) {
  return std::to_string(ptxVersion / 10) + "." +
         std::to_string(ptxVersion % 10);
}
