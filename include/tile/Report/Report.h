//===- Report.h - What the compiler decided, per kernel ---------*- C++ -*-===//
//
// The answer to "what did you do with my kernel": registers and occupancy, the
// map of shared memory, the instructions and layouts chosen, what was remarked
// on. Collected while the pipeline runs, at the two stages where the facts
// stand in the IR: `laid_out` (fragments, exchanges, instructions), before and
// after `placed` (lifetimes of buffers), and `outlined` (arena, barriers); ptxas
// adds registers.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_REPORT_REPORT_H
#define TILE_REPORT_REPORT_H

#include "tile/Analysis/IndexFacts.h"
#include "tile/Arena/Picture.h"
#include "tile/Dialect/Tile/CopyFacts.h"
#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Hardware/Occupancy.h"
#include "tile/Layout/LayoutPicture.h"
#include "tile/Target/PTX/Ptxas.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <mutex>

namespace mlir::tile {

struct KernelReport {
  struct Buffer {
    std::string name, location, layout;
    int64_t offset = 0, bytes = 0, slots = 1;
  };
  /// Cycles are those predicted of one iteration.
  struct Schedule {
    std::string solver; ///< "ahead", "modulo"
    int64_t aheadCycles = 0, moduloCycles = 0;
    std::string reason;
  };
  /// Steps in front of a pipelined loop, and operations of its body in them.
  struct Prologue {
    int64_t steps = 0, operations = 0;
  };
  struct Loop {
    std::string location;
    int64_t stages = 1;
    std::string reason;
    std::optional<Prologue> prologue; ///< of a pipelined loop
    std::optional<Schedule> schedule;
  };
  struct Fragment {
    std::string location, type, layout;
    int64_t elementsPerThread = 0, replication = 1;
  };
  /// Which layout a fragment or a loop has, and why. Costs are the launch's by the
  /// estimate of LayoutCost.h, in quarters of a cycle.
  struct Layout {
    std::string location, type, layout;
    std::string decidedBy; ///< "fixed", "product", "operand", "implied", ..
    std::string from;      ///< where it comes from; empty: from there itself
    int64_t cost = 0;
    std::string runnerUp; ///< the next best layout; empty without one
    int64_t runnerUpCost = 0;
  };
  /// Bytes differ from those of the source where elements change type.
  struct Copy {
    std::string location, instruction;
    int64_t bytesPerAccess = 0, destBytesPerAccess = 0;
    /// How many blocks of a cluster bring the tile together, each its part to all.
    int64_t blocks = 1;
  };
  /// A load or store of a fragment.
  struct Access {
    std::string location;
    /// The inner ones where the whole tile lies inside of the memref.
    int64_t bytesPerAccess = 0, innerBytesPerAccess = 0;
  };
  /// How an operand comes from shared memory to registers.
  struct OperandLoad {
    std::string instruction;
    int64_t bytesPerAccess = 0;
  };
  struct Gemm {
    std::string location, instruction;
    /// Nothing of operands that are in registers, or read by the instruction.
    std::optional<OperandLoad> loadA, loadB;
  };
  /// Of data between two layouts; key "conversions" of the JSON object.
  struct Exchange {
    std::string location;
    std::string through; ///< "registers", "shuffles" or "shared"
    int64_t bytes = 0;
  };

  /// The layout of fragments of one type, or of buffers, and where they are made.
  struct DrawnLayout {
    std::string type;
    std::vector<std::string> places;
    tilec::LayoutPicture picture;
  };

  /// What a tensor map describes.
  struct TensorMap {
    int64_t parameter = 0; ///< the memref, by its number among the parameters
    int64_t elementBytes = 1;
    int64_t rank = 1;         ///< of the memref
    SmallVector<int64_t> box; ///< per dimension of the memref
    int64_t swizzleBytes = 0;
    /// In im2col mode, whose box is of pixels and channels.
    std::optional<PixelWalk> pixels;
  };

  /// What the kernel takes for granted of a parameter.
  struct Parameter {
    std::string type;
    std::optional<MemRefFacts> memref;
    bool mayAlias = false; ///< of a memref
    /// Of an integer or an index; a bound where one is known.
    int64_t divisor = 1;
    std::optional<int64_t> least, largest;
    std::optional<TensorMap> tensorMap;
  };

  /// A group of warps with a program of its own, in the order of their numbers.
  struct Role {
    std::string kind; ///< "consumer", "producer"
    /// Registers are those of a thread, 0 where all have as many.
    int64_t warps = 0, registers = 0;
    bool alternates = false; ///< its warpgroups take turns
  };

  std::string name;
  std::vector<Parameter> parameters;
  int64_t blockThreads = 0;
  std::vector<int64_t> cluster; ///< blocks, x to z; empty without clusters
  bool isDependent = false;     ///< programmatic dependent launch
  std::vector<Role> roles;      ///< empty where all warps run one program
  int64_t sharedBytes = 0;
  int64_t arenaLowerBound = 0;
  std::optional<KernelResources> resources; ///< nothing without ptxas
  tilec::Occupancy occupancy;
  std::vector<Buffer> buffers;
  /// When buffers are occupied and where; without buffers where the launch was
  /// placed before.
  tilec::arena::Picture arena;
  /// The slots of buffers in rings, by the name and location of the buffer.
  std::map<std::pair<std::string, std::string>, int64_t> ringSlots;
  std::vector<Loop> loops;
  std::vector<Fragment> fragments;
  std::vector<Layout> layouts;
  std::vector<Copy> copies;
  std::vector<Access> loads, stores;
  std::vector<Gemm> gemms;
  std::vector<Exchange> exchanges;
  std::vector<DrawnLayout> drawings; ///< only where they are asked for
  int64_t barriers = 0;
  std::vector<std::string> remarks;
};

/// Collects the reports of a module's kernels as its stages go by. Functions are
/// compiled in several threads, so anything may be added from any of them; the
/// reports come in the order of the kernels in the module.
class ReportCollector {
public:
  /// Adds what a launch at `laid_out` shows.
  void addLaunch(LaunchOp launch);
  /// Adds how a launch at `materialized` stores to global memory: by rows perhaps.
  void addStoredRows(LaunchOp launch);
  /// Adds pictures of the layouts of a launch at `materialized`.
  void addDrawings(LaunchOp launch);
  /// Adds the lifetimes of the buffers of a launch at `scheduled`.
  void addLifetimes(LaunchOp launch);
  /// Adds the places of the same buffers, views of the arena by now.
  void addPlaces(LaunchOp launch);
  /// Adds which copies of a launch blocks of a cluster bring together.
  void addMulticast(LaunchOp launch);
  /// Adds how many slots the buffers of a launch at `scheduled` have, by its
  /// rings.
  void addRings(LaunchOp launch);
  /// Adds what a kernel at `outlined` shows.
  void addKernel(gpu::GPUFuncOp kernel);
  /// Adds an optimisation remark about the launch `kernel`. Without a name it
  /// goes to the kernel with a loop at `loc`, or to the only one. It is a reason of
  /// that loop unless it is about what only stands there, such as a barrier.
  void addRemark(Location loc, StringRef text, StringRef kernel = {},
                 bool isOfLoop = true);
  /// Adds that so many iterations of the loop at `loc` of `kernel` overlap.
  void addStages(Location loc, int64_t stages, KernelReport::Prologue prologue,
                 StringRef kernel);
  /// Adds which solver scheduled the loop at `loc` of `kernel`.
  void addSchedule(Location loc, KernelReport::Schedule schedule,
                   StringRef kernel);
  /// Adds what decided a layout at `loc` of `kernel`; the same but for the place
  /// once.
  void addLayout(Location loc, KernelReport::Layout layout, StringRef kernel);
  /// Adds registers, where ptxas ran, and computes occupancy.
  void finish(const tilec::GpuTarget &target, const PtxasResult *assembled);

  ArrayRef<KernelReport> getReports() const { return reports; }

private:
  KernelReport &getReport(StringRef name);
  void addLoopFacts(KernelReport &report) const;

  std::mutex mutex; ///< held by whoever adds
  std::vector<KernelReport> reports;
  struct Remark {
    std::string location, text, kernel;
    bool isOfLoop = true;
  };
  std::vector<Remark> remarks;
  struct Stages {
    std::string location, kernel;
    int64_t stages = 1;
    KernelReport::Prologue prologue;
  };
  std::vector<Stages> stages;
  struct LoopSchedule {
    std::string location, kernel;
    KernelReport::Schedule schedule;
  };
  std::vector<LoopSchedule> schedules;
};

/// The JSON object `{"kernels": [..]}` of docs/Language.md.
void printReportJson(ArrayRef<KernelReport> reports, llvm::raw_ostream &os);

/// The same as tables for people.
void printReportText(ArrayRef<KernelReport> reports, llvm::raw_ostream &os);

/// The arenas as one SVG document, a chart for each kernel.
void printArenaSvg(ArrayRef<KernelReport> reports, llvm::raw_ostream &os);

/// The layouts of each kernel, as text or as one SVG document.
void printLayoutsText(ArrayRef<KernelReport> reports, llvm::raw_ostream &os);
void printLayoutsSvg(ArrayRef<KernelReport> reports, llvm::raw_ostream &os);

} // namespace mlir::tile

#endif // TILE_REPORT_REPORT_H
