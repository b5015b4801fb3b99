//===- Emulator.h - Running PTX text on the CPU -----------------*- C++ -*-===//
//
// The host's view of the PTX emulator: load a module from the text that would
// go to ptxas, allocate device memory, launch a kernel, read reports and
// statistics.
//
//   std::vector<Diagnostic> diagnostics;
//   auto module = Module::parse(ptxText, "gemm.ptx", diagnostics);
//   DeviceMemory memory;
//   uint64_t a = memory.allocate(bytes, "A");
//   memory.write(a, hostA, bytes);
//   ParameterBuilder parameters(*module->findKernel("gemm"));
//   parameters.add(a) ...;
//   LaunchConfig config{.kernel = "gemm", .grid = {4, 4}, .block = {128}};
//   LaunchResult result = launch(*module, memory, config, options);
//   if (!result.ok()) for (const Report &r : result.reports) r.print(..);
//
// Everything that PTX leaves undefined and the checkers know of becomes a
// report, never a crash; an instruction the emulator does not know is a
// diagnostic with its line, never a guess.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_EMULATOR_EMULATOR_H
#define TILE_EMULATOR_EMULATOR_H

#include "tile/Emulator/Memory.h"
#include "tile/Emulator/Statistics.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Something wrong with PTX text. Lines and columns count from 1; 0 is unknown.
struct Diagnostic {
  uint32_t line = 0;
  uint32_t column = 0;
  std::string message;
};

struct ParameterInfo {
  std::string name;
  std::string type;         ///< As in PTX without the dot: "u64", "f32", "b8".
  uint32_t offsetBytes = 0; ///< In the block of parameter bytes.
  uint32_t sizeBytes = 0;   ///< All elements of an array such as `.b8 x[128]`.
  uint32_t alignBytes = 0;
};

struct KernelInfo {
  std::string name;
  std::vector<ParameterInfo> parameters;
  uint32_t parameterBytes = 0;
  uint32_t staticSharedBytes = 0;
  bool usesDynamicShared = false;
  std::optional<std::array<uint32_t, 3>> requiredBlock; ///< .reqntid
  std::optional<std::array<uint32_t, 3>> maximumBlock;  ///< .maxntid
  std::optional<std::array<uint32_t, 3>>
      requiredCluster;                      ///< .reqnctapercluster
  std::optional<uint32_t> maximumRegisters; ///< .maxnreg
};

struct ModuleImpl;

/// One PTX module with its module-scope variables, which keep their contents
/// between launches as on a device.
class Module {
public:
  /// Parses PTX text. On errors returns null and appends at least one
  /// diagnostic. `name` is what reports call the text.
  static std::unique_ptr<Module> parse(std::string_view ptx,
                                       std::string_view name,
                                       std::vector<Diagnostic> &diagnostics);
  ~Module();

  const std::vector<KernelInfo> &kernels() const;
  /// The kernel of that name, or null.
  const KernelInfo *findKernel(std::string_view name) const;
  /// Decodes every instruction of a kernel and of what it calls, so that an
  /// unknown instruction is found before a launch (which does the same).
  bool prepare(std::string_view kernel, std::vector<Diagnostic> &diagnostics);
  /// The target of the module, "sm_90a".
  const std::string &target() const;
  const std::string &name() const;
  /// Address and size of a `.global` or `.const` variable; false if none.
  bool findVariable(std::string_view name, uint64_t &address,
                    uint64_t &sizeBytes) const;
  /// Reads and writes a variable's bytes from the host.
  bool readVariable(std::string_view name, void *target,
                    uint64_t sizeBytes) const;
  bool writeVariable(std::string_view name, const void *source,
                     uint64_t sizeBytes);

  ModuleImpl &implementation() const { return *impl; }

private:
  explicit Module(std::unique_ptr<ModuleImpl> impl);
  std::unique_ptr<ModuleImpl> impl;
};

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// Lays arguments out as a kernel's parameters ask, in order.
class ParameterBuilder {
public:
  explicit ParameterBuilder(const KernelInfo &kernel);
  /// Sets the next parameter from raw bytes; false if there is none left or its
  /// size differs.
  bool addBytes(const void *bytes, uint64_t sizeBytes);
  template <typename T>
  bool add(const T &value) {
    return addBytes(&value, sizeof(T));
  }
  /// Whether every parameter was given.
  bool complete() const;
  const std::vector<uint8_t> &bytes() const { return data; }

private:
  const KernelInfo &kernel;
  size_t next = 0;
  std::vector<uint8_t> data;
};

struct LaunchConfig {
  std::string kernel;
  Dim3 grid, block, cluster;
  uint32_t dynamicSharedBytes = 0;
  std::vector<uint8_t> parameters;
  /// Registers that ptxas gave a thread, which setmaxnreg changes; 0: those of
  /// .maxnreg, else not known.
  uint32_t registersPerThread = 0;
};

/// What is checked while a kernel runs. An access out of bounds is never
/// performed, whether it is reported or not.
struct CheckOptions {
  bool races = true;     ///< Conflicting accesses without an order.
  bool bounds = true;    ///< Addresses outside of buffers, wrong state space.
  bool alignment = true; ///< Addresses that are not multiples of the access.
  bool init = true;      ///< Undefined values that decide something.
  bool barriers = true; ///< Divergent barriers, misuse of mbarriers and groups.
  bool deadlock = true; ///< No thread can go on.

  static CheckOptions all() { return {}; }
  static CheckOptions none() {
    return {false, false, false, false, false, false};
  }
  /// "all", "none" or names separated by commas (races, bounds, alignment,
  /// init, barriers, deadlock); on an unknown name, empty and `error` is set.
  static std::optional<CheckOptions> parse(std::string_view text,
                                           std::string &error);
};

/// When the data of asynchronous copies arrive. Until then the destination
/// holds poison.
enum class Delivery {
  Late,   ///< At the wait that needs them.
  Early,  ///< At once.
  Random, ///< Each copy early or late, by seed.
};

/// For whom a group of wgmma completes when a warp waits for it.
enum class WgmmaCompletion {
  Warpgroup, ///< For all four warps: a wgmma is one operation of the four.
  Warp,      ///< For that warp alone, the stricter reading of the PTX ISA.
};

inline constexpr uint64_t defaultMaxInstructions = 1'000'000'000;

struct LaunchOptions {
  CheckOptions checks;
  Delivery delivery = Delivery::Late;
  /// Orders blocks and warps and chooses poison; the same seed with one thread
  /// gives the same run. 0: blocks and warps in ascending order.
  uint64_t seed = 0;
  /// OS threads over which blocks are spread; 0: one per core.
  uint32_t threadCount = 1;
  bool statistics = true;
  /// Whether several stores of equal values by one block need no order; Triton
  /// keeps copies of a value in several warps and stores them all. Lanes of one
  /// instruction may always store equal values.
  bool allowEqualStores = false;
  /// Whether bulk copies may arrive at mbarriers that only a barrier orders behind
  /// their initialisation, without a fence.mbarrier_init or fence.proxy.async: code
  /// of Triton has none.
  bool allowUnfencedMbarriers = false;
  WgmmaCompletion wgmmaCompletion = WgmmaCompletion::Warpgroup;
  /// Distinct reports kept; later ones are only counted.
  uint32_t maxReports = 32;
  /// Warp instructions without any progress (a store, a barrier, a finished
  /// thread) after which a launch whose threads read flags or test barriers all
  /// the while is called hung; 0: never.
  uint64_t hangLimit = 20'000'000;
  /// Instructions after which a warp that has not ended is called endless;
  /// 0: never. A core executes some 50 million in a second.
  uint64_t maxInstructions = defaultMaxInstructions;
  /// Is raised by every block that ended, for whoever watches; null: nobody.
  std::atomic<int64_t> *finishedBlocks = nullptr;
  /// Set by whoever wants the launch to end soon; it is not completed then. Null: nobody.
  const std::atomic<bool> *interrupt = nullptr;
};

enum class ReportKind {
  Race,
  OutOfBounds,
  Misaligned,
  Uninitialized,
  Barrier,  ///< Divergent or mismatched barriers, mbarrier and group misuse.
  Deadlock, ///< Nothing can go on, or nothing does.
  Trap,     ///< `trap`, a failed assertion.
  Invalid,  ///< Undefined use of an instruction: a launch or operand error.
};

const char *toString(ReportKind kind);

/// One access or instruction, as a report names it.
struct ReportedAccess {
  std::string what;     ///< "write of 16 bytes by cp.async"
  uint32_t ptxLine = 0; ///< Line of the PTX text.
  std::string source;   ///< "file:line:column" from `.loc`, with inlining.
  Dim3 block{0, 0, 0}, thread{0, 0, 0};
  uint32_t warp = 0;
};

struct Report {
  ReportKind kind = ReportKind::Invalid;
  std::string message; ///< One sentence with the numbers.
  ReportedAccess first;
  std::optional<ReportedAccess> second;
  /// Of the first byte that it is about, where it is about bytes: as the kernel has it,
  /// of shared memory the offset in the block's.
  std::optional<uint64_t> address;
  std::string missing; ///< The order that is missing, or the remedy.
  uint64_t count = 1;  ///< How often the same pair of instructions did it.
  /// Worth knowing, but no mistake: in LaunchResult::notes.
  bool isNote = false;

  /// Several lines, ready to print.
  std::string format(std::string_view moduleName) const;
};

struct LaunchResult {
  /// All blocks ran to their end. False after a trap, deadlock, hang, an
  /// interrupt or a launch that could not begin.
  bool completed = false;
  std::vector<Report> reports;
  std::vector<Report> notes;
  uint64_t reportsDropped = 0;
  Statistics statistics;
  std::string output; ///< What the kernel printed with vprintf.

  bool ok() const { return completed && reports.empty(); }
};

/// Runs one kernel to its end. Never throws or aborts: whatever is wrong with
/// the configuration or the kernel is in the result.
LaunchResult launch(Module &module, DeviceMemory &memory,
                    const LaunchConfig &config,
                    const LaunchOptions &options = {});

} // namespace tilec::emu

#endif // TILE_EMULATOR_EMULATOR_H
