//===- Machine.h - The machine that handlers act on -------------*- C++ -*-===//
//
// Decoded code (Instruction, Program) and running state (Warp, Block, Cluster,
// Launch). The unit of execution is a warp: a register is an array of its 32
// lanes, and a handler executes one instruction for all active lanes.
//
// Divergence: the lanes of a warp are divided into splits, each with its own
// program counter; the split with the lowest one runs, and splits that meet
// become one. An instruction that needs lanes which are elsewhere waits for
// them (Wait::Converge). Nothing blocks the host: a split that waits says for
// what, and the scheduler asks again later.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MACHINE_MACHINE_H
#define TILE_LIB_EMULATOR_MACHINE_MACHINE_H

#include "../Checkers/Shadow.h"
#include "../Checkers/VectorClock.h"
#include "../Syntax/SyntaxTree.h"
#include "tile/Emulator/Emulator.h"

#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace tilec::emu {

struct Warp;
struct Block;
struct Cluster;
struct Launch;
struct Instruction;
struct SyncLocations;
struct FenceState;
struct WgmmaRegisters;
struct WarpgroupLog;

inline constexpr uint32_t fullMask = 0xffffffffu;

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Where an operand lies: bit 31 the constant pool instead of the registers,
/// bit 30 a negated predicate, below a byte offset.
using Ref = uint32_t;
inline constexpr Ref constantBit = 0x80000000u;
inline constexpr Ref negatedBit = 0x40000000u;
inline constexpr Ref noRef = 0x3fffffffu;

/// What a handler tells the interpreter.
enum class Step : uint8_t {
  Next,       ///< Go on with the next instruction.
  Jump,       ///< The handler set `warp.pc`.
  Reschedule, ///< The splits changed, or this one waits.
  Stop,       ///< The launch ends.
};

using Handler = Step (*)(Warp &, const Instruction &, uint32_t mask);

struct Instruction {
  Handler handler = nullptr;
  Ref predicate = noRef;
  Ref ref[6] = {noRef, noRef, noRef, noRef, noRef, noRef};
  uint32_t list = 0, listCount = 0; ///< Further operands in Program::refs.
  uint32_t target = 0;              ///< Of a branch or call.
  int64_t immediate = 0;            ///< Address offset and the like.
  const void *extra = nullptr;      ///< A struct of the instruction's family.
  InstructionClass instructionClass = InstructionClass::Other;
  bool counted = true;           ///< False for the helpers the decoder inserts.
  bool always = false;           ///< Called with an empty mask too.
  uint8_t bytes = 0, vector = 1; ///< Of memory accesses.
  StateSpace space = StateSpace::Generic;
  uint8_t flags = 0;      ///< Meaning is the family's.
  uint16_t small[2] = {}; ///< Likewise.
  uint32_t line = 0, location = 0;
  const InstructionSyntax *syntax = nullptr;
};

struct ProgramFunction {
  bool decoded = false;
  uint32_t entry = 0; ///< Index of the first instruction.
  uint32_t end = 0;
  uint32_t registerBytes = 0;
  uint32_t localBytes = 0;  ///< Of one frame and lane: variables, parameters.
  uint32_t stackBytes = 0;  ///< With everything it calls.
  uint32_t sharedBytes = 0; ///< Static, with everything it calls.
  bool recursive = false;
  std::vector<uint32_t> callees;
  std::vector<uint32_t> parameterOffsets, returnOffsets; ///< In the frame.
};

/// One argument or result of a call: copied between frames, lane by lane.
struct CallCopy {
  uint32_t callerOffset, calleeOffset, bytes;
};
struct CallInfo {
  uint32_t function = 0;
  std::vector<CallCopy> arguments, results;
  uint32_t formatOffset = 0, valuesOffset = 0; ///< Of vprintf.
};

struct AlignedBytes {
  void resize(size_t bytes) {
    if (storage.size() < bytes / 64 + 2)
      storage.resize(bytes / 64 + 2);
  }
  uint8_t *data() {
    auto address = reinterpret_cast<uintptr_t>(storage.data());
    return reinterpret_cast<uint8_t *>((address + 63) & ~uintptr_t(63));
  }
  struct Line {
    uint64_t words[8];
  };
  std::vector<Line> storage;
};

struct Program {
  std::vector<Instruction> code;
  std::vector<Ref> refs;
  std::vector<ProgramFunction> functions;
  /// Values of constants, 32 lanes each, in the layout of registers.
  std::vector<uint8_t> constants;
  std::unordered_map<uint64_t, Ref> constantRefs[4]; ///< By width 2, 4, 8, 1.
  std::vector<std::shared_ptr<void>> extras;
  /// Instructions that touch registers of wgmma (WgmmaRegisters.h).
  std::shared_ptr<WgmmaRegisters> wgmmaRegisters;
};

struct ModuleImpl {
  std::string text, name, target;
  ModuleSyntax syntax;
  Program program;
  std::vector<KernelInfo> kernels;
  std::vector<uint32_t> kernelFunctions;
  /// Of module variables: offset in shared space, address otherwise.
  std::vector<uint64_t> variableAddresses;
  uint32_t moduleSharedBytes = 0;
  /// Where the static shared variables of each function begin: those of device
  /// functions one behind the other, those of kernels all behind them.
  std::vector<uint32_t> functionSharedBase;
  uint32_t dynamicSharedBase = 0; ///< Behind all static ones.
  std::vector<std::unique_ptr<Allocation>> allocations;
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

struct Allocation {
  std::string name;
  uint64_t address = 0, sizeBytes = 0;
  uint8_t *data = nullptr;
  std::vector<uint8_t> owned;
  /// One byte per byte, 1 if initialised; empty: all are.
  std::vector<uint8_t> initialized;
  bool live = true;
  bool readOnly = false;
};

/// Generic addresses of the windows of the other spaces.
inline constexpr uint64_t sharedWindow = 0x1'0000'0000ull;
inline constexpr uint64_t localWindow = 0x2'0000'0000ull;
inline constexpr uint64_t constWindow = 0x3'0000'0000ull;
inline constexpr uint64_t paramWindow = 0x4'0000'0000ull;
inline constexpr uint64_t globalBegin = 0x100'0000'0000ull;
/// Shared addresses with a rank in bits 24 and up (less one) are those of
/// another block of the cluster.
inline constexpr uint32_t sharedRankShift = 24;

//===----------------------------------------------------------------------===//
// Running state
//===----------------------------------------------------------------------===//

enum class Wait : uint8_t {
  None,
  Converge,       ///< For lanes `required` at this instruction.
  WarpSync,       ///< bar.warp.sync of the lanes `required`.
  Barrier,        ///< For barrier `object` to leave generation `value`.
  Mbarrier,       ///< For the mbarrier at `object` to complete phase `value`.
  ClusterBarrier, ///< For the cluster barrier to leave generation `value`.
  Registers,      ///< For `value` registers of the block's pool (setmaxnreg).
};

struct Split {
  uint32_t pc = 0, mask = 0;
  Wait wait = Wait::None;
  bool woken = false; ///< To answer "not yet" to a waiting instruction.
  uint8_t polls = 0;  ///< How often since the last progress.
  uint32_t required = 0;
  uint64_t object = 0, value = 0;
};

struct Frame {
  const ProgramFunction *function = nullptr;
  AlignedBytes registers;
  std::vector<Split> splits;
  uint32_t localBase = 0;
  uint32_t liveMask = 0; ///< Lanes that entered and have not returned.
  uint32_t callerSplit = 0;
  const Instruction *call = nullptr;
};

/// A group of cp.async operations of some lanes, or one bulk operation.
struct AsyncRow;

struct Warp {
  Warp() = default;
  Warp(const Warp &) = delete;
  ~Warp();

  uint8_t *bank[2] = {nullptr, nullptr};
  uint32_t pc = 0;
  uint32_t active = 0; ///< Mask of the running split.
  uint32_t nextPc = 0; ///< Where the running split may meet another.
  uint32_t current = 0;
  uint32_t frameCount = 0;
  std::vector<std::unique_ptr<Frame>> frames;
  Block *block = nullptr;
  Cluster *cluster = nullptr;
  Launch *launch = nullptr;
  uint32_t indexInBlock = 0, indexInCluster = 0;
  uint32_t existing = 0; ///< Lanes that the launch has.
  uint32_t live = 0;     ///< Lanes that have not exited.
  bool done = false;
  std::vector<uint8_t> local; ///< 32 stacks of `localStride` bytes.
  /// One byte for each of these, 1 if initialised; empty if not checked.
  std::vector<uint8_t> localInitialized;
  uint32_t localStride = 0;
  uint64_t executed = 0;
  Allocation *lastAllocation = nullptr;

  // Ordering.
  uint32_t clock = 1;
  uint32_t laneSyncClock = 0; ///< Up to here the lanes are ordered.
  Knowledge knowledge;
  /// What single lanes know beyond the warp.
  std::unique_ptr<std::array<Knowledge, 32>> laneKnowledge;
  uint32_t lanesWithKnowledge = 0;
  /// laneOrder[a * 32 + b]: clock of a up to which b knows, for partial
  /// bar.warp.sync.
  std::vector<uint32_t> laneOrder;
  /// Fences of single lanes and what their relaxed reads have seen; made at the
  /// first of these.
  std::shared_ptr<FenceState> fences;

  // Asynchronous copies: see AsyncCopy.cpp.
  struct LaneGroups {
    uint32_t open = 0; ///< Row of the group not yet committed; 0: none.
    std::vector<uint32_t> committed;
  };
  std::array<LaneGroups, 32> copyGroups;
  std::array<LaneGroups, 32> bulkGroups;
  struct WgmmaState;
  std::shared_ptr<WgmmaState> wgmma;

  Frame &frame() { return *frames[frameCount - 1]; }
  template <typename T>
  T *ptr(Ref ref) {
    return reinterpret_cast<T *>(bank[ref >> 31] +
                                 (ref & ~(constantBit | negatedBit)));
  }
  uint32_t predicate(Ref ref) {
    uint32_t bits = *ptr<uint32_t>(ref);
    return ref & negatedBit ? ~bits : bits;
  }
  void setPredicate(Ref ref, uint32_t mask, uint32_t bits) {
    uint32_t &target = *ptr<uint32_t>(ref);
    target = (target & ~mask) | (bits & mask);
  }
  Split &split() { return frame().splits[current]; }
  uint32_t threadIndex(uint32_t lane) const { return indexInBlock * 32 + lane; }

  /// Lets the running split wait at the instruction it is at (`pc` as it is).
  Step waitFor(Wait wait, uint64_t object, uint64_t value, uint32_t required);
};

/// A named barrier of a block, or the barrier of a cluster.
struct BarrierState {
  uint32_t arrived = 0;  ///< Threads, or lanes for the cluster barrier.
  uint32_t expected = 0; ///< 0: all threads.
  uint32_t generation = 0;
  uint32_t users = 0; ///< Arrivals in this generation.
  Knowledge gathered, released;
  /// Who waits, and where a reduction's result goes.
  struct Participant {
    Warp *warp;
    const Instruction *instruction;
    uint32_t mask;
    uint8_t *registers;
  };
  std::vector<Participant> waiting;
  uint32_t trueCount = 0, falseCount = 0;
  const Instruction *first = nullptr; ///< Of this generation.
  std::vector<uint32_t> arrivedLanes; ///< Per warp.
};

struct MbarrierState {
  uint32_t id = 0;
  uint32_t expected = 0; ///< Arrivals of a phase.
  int64_t pending = 0;   ///< Arrivals still missing.
  int64_t transactions = 0;
  uint32_t phase = 0;    ///< Counts completed phases.
  uint32_t observed = 0; ///< The last phase that somebody waited for.
  Knowledge gathered, released;
  const Instruction *initializer = nullptr;
  uint32_t initializerLane = 0;
};

/// The registers of a block that setmaxnreg moves between its warps, in
/// registers per thread summed over warps.
struct RegisterPool {
  uint32_t total = 0; ///< At launch; an upper bound if that is not known.
  /// Of a thread of each warp; 0: as launched, which is not known.
  std::vector<uint32_t> perWarp;
  /// The least that those of unknown count have.
  static constexpr uint32_t leastPerWarp = 24;

  uint32_t used() const {
    uint32_t sum = 0;
    for (uint32_t count : perWarp)
      sum += count ? count : leastPerWarp;
    return sum;
  }
  uint32_t available() const { return used() < total ? total - used() : 0; }
};

struct Block {
  Cluster *cluster = nullptr;
  Dim3 id{0, 0, 0};
  uint32_t rank = 0;
  uint64_t linear = 0;
  std::vector<std::unique_ptr<Warp>> warps;
  AlignedBytes sharedStorage;
  uint8_t *shared = nullptr;
  uint32_t sharedBytes = 0;
  SharedShadow shadow;
  std::array<BarrierState, 16> barriers;
  std::unordered_map<uint32_t, MbarrierState> mbarriers;
  /// Bounds of the bytes of live mbarriers, low above high if there are none.
  uint32_t mbarrierLow = ~0u, mbarrierHigh = 0;
  uint32_t liveThreads = 0;
  uint32_t exitedThreads = 0;
  /// What the warps of each warpgroup did together (Warpgroup.h).
  std::vector<std::shared_ptr<WarpgroupLog>> warpgroups;
  RegisterPool registers;
  /// The last access of each warp of another block, and what the block's
  /// threads knew when they exited: see BlockEnd.cpp.
  struct RemoteAccess {
    const Instruction *instruction = nullptr;
    uint32_t clock = 0, lane = 0;
  };
  std::vector<RemoteAccess> remote;
  Knowledge atExit;
};

/// An asynchronous operation (or group) that the shadow memory refers to.
struct AsyncRow {
  enum class State : uint8_t { Pending, Complete };
  State state = State::Pending;
  bool isBulk = false;
  uint32_t warp = 0;  ///< Issuer, index in the cluster.
  uint32_t lanes = 0; ///< That issued and have not waited.
  uint32_t lane = allLanes;
  uint32_t clock = 0;     ///< Of the issuer when it waited; 0: never did.
  uint32_t readClock = 0; ///< Likewise for .read waits.
  uint32_t mbarrier = 0;  ///< Id, or 0.
  uint32_t phase = 0;     ///< That completes it, counted from 1.
  const Instruction *instruction = nullptr;
};

/// Work of the asynchronous engines, delivered later than issued.
struct PendingOperation {
  Warp *warp = nullptr;
  const Instruction *instruction = nullptr;
  uint32_t row = 0;
  uint32_t lane = 0;
  std::shared_ptr<void> state;
  void (*deliver)(Cluster &, PendingOperation &) = nullptr;
};

/// One cp.async of one lane, not delivered yet.
struct CopyPiece {
  Block *block;
  uint32_t offset;
  const uint8_t *source;
  uint8_t bytes, sourceBytes, lane;
};

struct Cluster {
  Launch *launch = nullptr;
  uint32_t linear = 0;
  Dim3 id{0, 0, 0};
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<Warp *> warps;
  BarrierState barrier;
  std::vector<AsyncRow> rows;
  std::unordered_map<uint32_t, std::vector<CopyPiece>> copyPieces; ///< By row.
  std::deque<PendingOperation> pending;
  uint32_t nextMbarrierId = 1;
  uint64_t random = 1;
  uint64_t progress = 0; ///< Counts events that change anything.
  uint64_t sinceProgress = 0;
  uint64_t seenProgress = 0;
  /// Strong reads since then: threads may wait for another cluster.
  uint64_t polls = 0;
  Statistics statistics;
  std::string output;
  std::shared_ptr<SyncLocations> locations; ///< In shared memory.

  uint64_t nextRandom() {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return random;
  }
};

class ReportSink;
class GlobalShadow;

struct Launch {
  ModuleImpl *module = nullptr;
  Program *program = nullptr;
  DeviceMemory *memory = nullptr;
  const LaunchConfig *config = nullptr;
  LaunchOptions options;
  const ProgramFunction *kernel = nullptr;
  const KernelInfo *kernelInfo = nullptr;
  Dim3 clusterDim, clusterGrid;
  uint32_t sharedBytes = 0;
  uint32_t warpsPerBlock = 0;
  uint32_t registersPerThread = 0; ///< 0: not known.
  std::vector<uint8_t> parameters;
  std::vector<uint32_t> order; ///< Of clusters.
  std::atomic<uint64_t> nextCluster{0};
  std::atomic<bool> stop{false};
  ReportSink *sink = nullptr;
  GlobalShadow *globalShadow = nullptr;
  SyncLocations *locations = nullptr; ///< In global memory.
  std::mutex mutex;
};

/// Xorshift needs a state that is not zero.
inline uint64_t seedRandom(uint64_t seed) {
  seed += 0x9e3779b97f4a7c15ull;
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9ull;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebull;
  return (seed ^ (seed >> 31)) | 1;
}

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MACHINE_MACHINE_H
