//===- Machine.h - The state of a running interpreter -----------*- C++ -*-===//
//
// What the rules of all operations share: values by IR value, the running
// block, the active iterations of a `tile.parallel`, memory accesses with their
// checks, and the table from operation to rule. Each family of operations
// registers its rules in a file of its own; a rule is `LogicalResult
// rule(Machine &, Op)`.
//
// Inside a `tile.parallel` every operation is evaluated once, on arrays with an
// element per iteration (a *lane*); `active` says which lanes execute it. What
// a rule computes for other lanes is never looked at.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_REFERENCE_MACHINE_H
#define TILE_LIB_REFERENCE_MACHINE_H

#include "AccessChecker.h"
#include "Bounds/Bounds.h"
#include "Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

#include <map>
#include <random>

namespace mlir::tile {
// Rules of upstream dialects do not need to see the tile dialect's headers.
enum class Stage : uint32_t;
} // namespace mlir::tile

namespace mlir::tile::reference {

/// The block that runs, or nothing on the host.
struct BlockState {
  StringRef kernel;
  std::array<int64_t, 3> id{0, 0, 0}, grid{1, 1, 1};
  Stage stage{}; ///< Source unless set
  Role main;     ///< runs the operations outside of tile.specialize
  SmallVector<std::shared_ptr<Ring>> rings;
  SmallVector<std::shared_ptr<Product>> inFlight;
  std::map<int64_t, NamedBarrier> barriers; ///< by their id
  /// Of roles that take turns with each other: how many they are, and whose it is.
  int64_t turnCount = 0, turn = 0;
  uint64_t stepCount = 0;
};

/// An element number of an access that is left out: outside of the memref's
/// bounds, or of an inactive lane.
constexpr int64_t skipped = INT64_MIN;

class Machine {
public:
  using Rule = std::function<LogicalResult(Machine &, Operation *)>;

  Machine(ModuleOp module, InterpreterOptions options);

  // Values -------------------------------------------------------------------

  const RuntimeValue &get(Value value) const;
  const Array &getArray(Value value) const { return *get(value).array; }
  const MemRef &getMemRef(Value value) const { return *get(value).memref; }
  void set(Value value, RuntimeValue contents) {
    (*environment)[value] = std::move(contents);
  }
  /// A scalar that is the same for all active lanes: the shape of a view, a
  /// bound on the host. Fails with a diagnostic where it is poison.
  FailureOr<int64_t> getUniform(Operation *op, Value value, StringRef role);
  FailureOr<SmallVector<int64_t>> getUniforms(Operation *op, ValueRange values,
                                              StringRef role);
  /// Static and dynamic parts of a mixed list of sizes, offsets or strides.
  FailureOr<SmallVector<int64_t>> getMixed(Operation *op,
                                           ArrayRef<int64_t> statics,
                                           ValueRange dynamics, StringRef role);

  // Execution ----------------------------------------------------------------

  /// Runs the operations of a block, its terminator excepted.
  LogicalResult runBlock(Block &block);
  /// Makes the running role go on in `block`, and call `then` when it is
  /// through. The operations run after the rule that calls this has returned.
  void enter(Block &block, std::function<LogicalResult()> then);
  /// The same for a function, whose results `then` gets. Fails with a
  /// diagnostic where it cannot be called with these arguments.
  LogicalResult enterFunction(func::FuncOp function,
                              ArrayRef<RuntimeValue> arguments,
                              std::function<void(ArrayRef<RuntimeValue>)> then);
  /// A frame for a block that sees the present values.
  Frame getFrame(Block &block) {
    return {&block, block.begin(), environment, nullptr};
  }
  /// Runs each role's frames, in turns that the seed chooses, until all are
  /// through. Fails with a diagnostic at `op` where all that are left wait.
  LogicalResult runRoles(Operation *op, ArrayRef<std::unique_ptr<Role>> roles);
  /// Called by a rule that cannot go on before another role does something: the
  /// operation runs again later. `what` completes "waits for".
  void waitFor(Operation *op, std::string what);
  /// Something changed that another role may wait for.
  void noteProgress() { ++progress; }
  Role &getRole() { return *role; }
  LogicalResult runFunction(func::FuncOp function,
                            ArrayRef<RuntimeValue> arguments,
                            SmallVectorImpl<RuntimeValue> &results);
  /// Runs `body` with no values from outside: a kernel.
  LogicalResult withFrame(llvm::function_ref<LogicalResult()> body);
  /// Runs the kernel that a launch names, as it is in this module.
  LogicalResult runKernel(const LaunchRequest &request);
  /// Runs `body` for every block of the grid, in seeded random order.
  LogicalResult runGrid(Operation *op, StringRef kernel, Stage stage,
                        std::array<int64_t, 3> grid,
                        llvm::function_ref<LogicalResult()> body);

  /// An error at an operation, with the running block as a note.
  InFlightDiagnostic error(Operation *op);
  /// The same, in a parallel loop also with the iteration.
  InFlightDiagnostic errorAt(Operation *op, int64_t lane);
  /// The same, where an element of `array` is poison: with where that comes
  /// from.
  InFlightDiagnostic undefinedAt(Operation *op, int64_t lane,
                                 const Array &array);

  // Lanes --------------------------------------------------------------------

  int64_t getLaneCount() const { return laneCount; }
  bool isActive(int64_t lane) const { return !active || (*active)[lane]; }
  const Mask *getActive() const { return active; }
  bool isInParallel() const { return inParallel; }

  /// Runs `body` with other active lanes.
  LogicalResult withActive(const Mask &mask,
                           llvm::function_ref<LogicalResult()> body);
  /// Runs the body of a parallel loop of `count` iterations.
  LogicalResult withLanes(int64_t count,
                          llvm::function_ref<LogicalResult()> body);

  /// Whether operations run as part of a combiner, whose order is open.
  bool isReordering() const { return inCombiner; }
  LogicalResult withReordering(llvm::function_ref<LogicalResult()> body);

  // Open decisions (OpenDecisions.cpp) ---------------------------------------

  /// Called where control flow, an address or a size follows from an element
  /// that is not exact, while `op` or its terminator runs.
  void leaveOpen(Operation *op);
  bool isLeftOpen(Operation *op) const { return leftOpen.contains(op); }
  /// Called when an operation, its regions included, has run: if it was left
  /// open, nothing can be said of its results and of what it may write.
  void settle(Operation *op);

  /// A condition's truth: one element where it is the same for all lanes. Fails
  /// where an active lane's is poison.
  FailureOr<Mask> getCondition(Operation *op, Value condition);

  // Memory -------------------------------------------------------------------

  /// Reads the elements `linear`; skipped ones stay zero. Checks bounds of the
  /// buffer, freed buffers and order; what was never written is poison.
  FailureOr<Array> load(Operation *op, const MemRef &memref,
                        ArrayRef<int64_t> linear);
  /// Writes them. Poison is an error unless `carriesPoison`.
  LogicalResult store(Operation *op, const MemRef &memref,
                      ArrayRef<int64_t> linear, const Array &values,
                      bool carriesPoison = false);
  /// Writes what a copy, which was checked when it was issued, has in flight.
  void deliver(const PendingWrite &write);
  /// Combines one after another; returns the elements from before.
  FailureOr<Array> atomicUpdate(Operation *op, const MemRef &memref,
                                ArrayRef<int64_t> linear, const Array &values,
                                arith::AtomicRMWKind kind);
  /// Element numbers of scalar indices, one a lane; errors for active lanes out
  /// of bounds or with poison.
  FailureOr<std::vector<int64_t>>
  getElements(Operation *op, const MemRef &memref, ValueRange indices);

  ModuleOp module;
  InterpreterOptions options;
  SymbolTableCollection symbols;
  BoundTable boundTable;
  AccessChecker checker;
  /// Set while a block runs.
  std::optional<BlockState> blockState;
  /// See Interpreter::getOpenDecisions.
  llvm::SetVector<Location> openDecisions;
  /// Address tables of `tile.view`, which are the same for every block.
  llvm::DenseMap<Operation *, std::shared_ptr<const std::vector<int64_t>>>
      addressTables;

private:
  /// Whether a value is what it will be wherever `decision` leads, computing it
  /// if it follows from such values; `known` keeps the answers.
  bool isKnown(Value value, Operation *decision,
               llvm::DenseMap<Value, bool> &known);
  /// Opens what `op`, part of `decision`, may write.
  void openWrites(Operation *op, Operation *decision,
                  llvm::DenseMap<Value, bool> &known);
  LogicalResult checkTypes(func::FuncOp function);
  LogicalResult checkCall(func::FuncOp function,
                          ArrayRef<RuntimeValue> arguments);
  LogicalResult step();
  LogicalResult countSteps(Operation *op, uint64_t count);
  uint64_t getStepCount(Operation *op);
  LogicalResult runTo(size_t base);
  LogicalResult checkAccess(Operation *op, const MemRef &memref,
                            ArrayRef<int64_t> linear, AccessKind kind);
  PoisonOrigin getOrigin(Operation *op, const MemRef &memref,
                         int64_t linear) const;

  llvm::DenseMap<TypeID, Rule> rules;
  /// Operations that run and were left open.
  llvm::SmallPtrSet<Operation *, 4> leftOpen;
  Environment *environment = nullptr;
  int64_t laneCount = 1;
  const Mask *active = nullptr;
  bool inParallel = false, inCombiner = false;
  unsigned callDepth = 0;
  Role host;          ///< runs what is outside of all blocks
  Role *role = &host; ///< that is running
  uint64_t progress = 0;
  uint64_t hostStepCount = 0;
  llvm::DenseMap<Operation *, uint64_t> stepCounts; ///< outside of parallels
  llvm::DenseSet<Operation *> checkedFunctions;
  std::mt19937_64 random;
};

/// Collects the rules of a family.
class RuleTable {
public:
  explicit RuleTable(llvm::DenseMap<TypeID, Machine::Rule> &rules)
      : rules(rules) {}
  template <typename Op>
  void add(LogicalResult (*rule)(Machine &, Op)) {
    rules[TypeID::get<Op>()] = [rule](Machine &machine, Operation *op) {
      return rule(machine, cast<Op>(op));
    };
    names.push_back(Op::getOperationName());
  }
  /// The same rule for several operations.
  template <typename... Ops>
  void addAll(LogicalResult (*rule)(Machine &, Operation *)) {
    ((rules[TypeID::get<Ops>()] = rule), ...);
    (names.push_back(Ops::getOperationName()), ...);
  }
  /// The operations that have a rule, in the order they were added.
  ArrayRef<StringRef> getOperationNames() const { return names; }

private:
  llvm::DenseMap<TypeID, Machine::Rule> &rules;
  SmallVector<StringRef> names;
};

// One function a file.
void addArithExtendedRules(RuleTable &table);
void addArithIntegerRules(RuleTable &table);
void addArithFloatRules(RuleTable &table);
void addMathRules(RuleTable &table);
void addControlFlowRules(RuleTable &table);
void addMemRefRules(RuleTable &table);
void addTensorRules(RuleTable &table);
void addLaunchRules(RuleTable &table);
void addTileMemoryRules(RuleTable &table);
void addGemmRules(RuleTable &table);
void addReduceRules(RuleTable &table);
void addParallelRules(RuleTable &table);
void addShapeRules(RuleTable &table);
void addLoweringRules(RuleTable &table);
void addRoleRules(RuleTable &table);
void addRingRules(RuleTable &table);

/// Whether the running role may read or write elements of a ring's buffer now.
LogicalResult checkSlots(Machine &machine, Operation *op, const MemRef &memref,
                         ArrayRef<int64_t> linear, AccessKind kind);
/// Whether the running role fills a slot in which one of the elements lies.
bool fillsSlot(Machine &machine, const MemRef &memref,
               ArrayRef<int64_t> linear);
/// Whether the elements, which are to be written, are neither read by a product
/// in flight nor what a copy of the running role has yet to deliver.
LogicalResult checkNotInFlight(Machine &machine, Operation *op,
                               const MemRef &memref, ArrayRef<int64_t> linear);
/// What a store, copy or atomic of a tile writes, if `isKnown` holds for all that
/// says where.
std::optional<std::pair<MemRef, std::vector<int64_t>>>
getWrittenElements(Machine &machine, Operation *op,
                   llvm::function_ref<bool(Value)> isKnown);
/// Ends what a product and those before it on its accumulator read.
void retire(Machine &machine, const Product *product);
/// Whether every slot that was acquired was committed, waited for and released.
LogicalResult checkRingsAtEnd(Machine &machine);

/// Whether the arguments of a function have the sizes, divisors, alignment and
/// distinctness that its signature and `tile.` attributes promise.
LogicalResult checkArgumentFacts(func::FuncOp function,
                                 ArrayRef<RuntimeValue> arguments);

/// The array of a constant.
FailureOr<Array> getConstant(Operation *op, TypedAttr value);

/// One step of an atomic or a reduction, on bits-exact elements of one type.
double combineFloats(arith::AtomicRMWKind kind, double a, double b,
                     FloatFormat format);
int64_t combineIntegers(arith::AtomicRMWKind kind, int64_t a, int64_t b,
                        unsigned bits);

/// The number of elements of a scalar (1) or of a shaped type.
int64_t getElementCount(Type type);

} // namespace mlir::tile::reference

#endif // TILE_LIB_REFERENCE_MACHINE_H
