//===- Machine.cpp - Values, execution and lanes -------------------------===//

#include "Machine.h"

#include "tile/Dialect/Tile/TileOps.h"
#include "tile/Limits/AvailableMemory.h"
#include "tile/Limits/LaunchLimits.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

/// The rules of all families.
static void addAllRules(RuleTable &table) {
  addArithExtendedRules(table);
  addArithIntegerRules(table);
  addArithFloatRules(table);
  addMathRules(table);
  addControlFlowRules(table);
  addMemRefRules(table);
  addTensorRules(table);
  addLaunchRules(table);
  addTileMemoryRules(table);
  addGemmRules(table);
  addReduceRules(table);
  addParallelRules(table);
  addShapeRules(table);
  addLoweringRules(table);
  addRoleRules(table);
  addRingRules(table);
}

SmallVector<StringRef> mlir::tile::reference::getInterpretedOperations() {
  llvm::DenseMap<TypeID, Machine::Rule> rules;
  RuleTable table(rules);
  addAllRules(table);
  SmallVector<StringRef> names(table.getOperationNames());
  llvm::sort(names);
  return names;
}

Machine::Machine(ModuleOp module, InterpreterOptions options)
    : module(module), options(std::move(options)), random(this->options.seed) {
  RuleTable table(rules);
  addAllRules(table);
  addFloatBounds(boundTable);
  addIntegerBounds(boundTable);
  addMathBounds(boundTable);
}

int64_t mlir::tile::reference::getElementCount(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.getNumElements();
  return 1;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const RuntimeValue &Machine::get(Value value) const {
  auto it = environment->find(value);
  if (it == environment->end())
    llvm::report_fatal_error(
        "the interpreter read a value before its rule ran");
  return it->second;
}

FailureOr<int64_t> Machine::getUniform(Operation *op, Value value,
                                       StringRef role) {
  const Array &array = getArray(value);
  std::optional<int64_t> result;
  for (int64_t lane = 0; lane < array.count; ++lane) {
    if (array.count > 1 && !isActive(lane))
      continue;
    if (array.isPoison(lane))
      return undefinedAt(op, lane, array)
             << role << " depends on " << array.origin.getCause();
    if (result && *result != array.integers[lane])
      return error(op) << role << " differs between iterations";
    if (array.getBound(lane) != 0.0)
      leaveOpen(op);
    result = array.integers[lane];
  }
  return result.value_or(0);
}

FailureOr<SmallVector<int64_t>>
Machine::getUniforms(Operation *op, ValueRange values, StringRef role) {
  SmallVector<int64_t> result;
  for (Value value : values) {
    FailureOr<int64_t> element = getUniform(op, value, role);
    if (failed(element))
      return failure();
    result.push_back(*element);
  }
  return result;
}

FailureOr<SmallVector<int64_t>> Machine::getMixed(Operation *op,
                                                  ArrayRef<int64_t> statics,
                                                  ValueRange dynamics,
                                                  StringRef role) {
  SmallVector<int64_t> result;
  size_t next = 0;
  for (int64_t element : statics) {
    if (!ShapedType::isDynamic(element)) {
      result.push_back(element);
      continue;
    }
    FailureOr<int64_t> value = getUniform(op, dynamics[next++], role);
    if (failed(value))
      return failure();
    result.push_back(*value);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Runs the next operation of the running role, or leaves its innermost block.
LogicalResult Machine::step() {
  Frame &frame = role->frames.back();
  environment = frame.environment;
  if (frame.next == frame.block->end() ||
      frame.next->hasTrait<OpTrait::IsTerminator>()) {
    // A loop without operations takes steps too.
    if (failed(countSteps(frame.block->getParentOp(), 1)))
      return failure();
    auto then = std::move(frame.then);
    role->frames.pop_back();
    return then ? then() : success();
  }
  Operation *op = &*frame.next++;
  if (failed(countSteps(op, getStepCount(op))))
    return failure();
  auto rule = rules.find(op->getName().getTypeID());
  if (rule == rules.end())
    return error(op) << "'" << op->getName()
                     << "' has no meaning in a tile program; the language "
                        "page lists the operations that do";
  if (!blockState && isa<TileDialect>(op->getDialect()) &&
      !standsIn(op, Place::Host))
    return error(op) << "'" << op->getName()
                     << "' acts on a block; put it inside a 'tile.launch'";
  if (failed(rule->second(*this, op)))
    return failure();
  // What has regions goes on in them, and settles when it is through.
  if (op->getNumRegions() == 0)
    settle(op);
  return success();
}

void Machine::enter(Block &block, std::function<LogicalResult()> then) {
  role->frames.push_back(getFrame(block));
  role->frames.back().then = std::move(then);
}

LogicalResult Machine::runBlock(Block &block) {
  size_t base = role->frames.size();
  enter(block, nullptr);
  return runTo(base);
}

/// Runs until the role is back at a depth of `base` frames.
LogicalResult Machine::runTo(size_t base) {
  while (role->frames.size() > base) {
    if (failed(step())) {
      role->frames.truncate(base);
      return failure();
    }
    if (!role->waitsAt)
      continue;
    Operation *op = std::exchange(role->waitsAt, nullptr);
    return error(op) << "deadlock: the block waits for " << role->waitsFor
                     << ", and nothing else runs in it";
  }
  return success();
}

void Machine::waitFor(Operation *op, std::string what) {
  role->waitsAt = op;
  role->waitsFor = std::move(what);
  role->triedAt = progress;
  // The operation runs again.
  role->frames.back().next = op->getIterator();
}

LogicalResult Machine::runRoles(Operation *op,
                                ArrayRef<std::unique_ptr<Role>> roles) {
  llvm::SaveAndRestore roleSaver(role);
  while (true) {
    SmallVector<Role *> left, ready;
    for (const std::unique_ptr<Role> &candidate : roles) {
      if (candidate->frames.empty())
        continue;
      left.push_back(candidate.get());
      if (!candidate->waitsAt || candidate->triedAt != progress)
        ready.push_back(candidate.get());
    }
    if (left.empty())
      return success();
    if (ready.empty()) {
      InFlightDiagnostic diagnostic =
          op->emitError("deadlock: each role that is left waits for another");
      for (Role *waiting : left)
        diagnostic.attachNote(waiting->waitsAt->getLoc())
            << waiting->name << " waits for " << waiting->waitsFor;
      return diagnostic;
    }
    role = ready[random() % ready.size()];
    role->waitsAt = nullptr;
    for (uint64_t turns = 1 + random() % 32;
         turns > 0 && !role->frames.empty() && !role->waitsAt; --turns) {
      if (failed(step()))
        return failure();
      if (!role->waitsAt)
        noteProgress();
    }
  }
}

/// Rules may rely on every value having an element type and a static shape if
/// it is a tensor.
LogicalResult Machine::checkTypes(func::FuncOp function) {
  if (!checkedFunctions.insert(function).second)
    return success();
  auto isKnown = [](Type type) {
    if (auto pending = dyn_cast<PendingType>(type))
      type = pending.getFragment();
    if (isa<RingType, TensorMapType>(type))
      return true;
    auto tensor = dyn_cast<TensorType>(type);
    return ElementType::get(type) && !isa<UnrankedMemRefType>(type) &&
           (!tensor || tensor.hasStaticShape());
  };
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    for (Type type : op->getResultTypes())
      if (!isKnown(type))
        return op->emitError("a value of type ")
               << type << " has no meaning in a tile program";
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (!isKnown(argument.getType()))
          return mlir::emitError(argument.getLoc(), "an argument of type ")
                 << argument.getType() << " has no meaning in a tile program";
    return WalkResult::advance();
  });
  return success(!result.wasInterrupted());
}

LogicalResult Machine::checkCall(func::FuncOp function,
                                 ArrayRef<RuntimeValue> arguments) {
  if (function.isExternal())
    return function.emitError("function '")
           << function.getName() << "' has no body to run";
  if (!function.getBody().hasOneBlock())
    return function.emitError("function '")
           << function.getName()
           << "' has branches; the language has scf.if and loops instead";
  if (callDepth == 256)
    return function.emitError(
        "more than 256 calls are nested; recursion is not "
        "part of the language");
  if (failed(checkTypes(function)))
    return failure();
  return blockState ? success() : checkArgumentFacts(function, arguments);
}

LogicalResult
Machine::enterFunction(func::FuncOp function, ArrayRef<RuntimeValue> arguments,
                       std::function<void(ArrayRef<RuntimeValue>)> then) {
  if (failed(checkCall(function, arguments)))
    return failure();
  auto values = std::make_shared<Environment>();
  Block &body = function.getBody().front();
  for (auto [parameter, argument] : llvm::zip(body.getArguments(), arguments))
    (*values)[parameter] = argument;
  ++callDepth;
  auto leave = [this, values, caller = environment, &body, then] {
    SmallVector<RuntimeValue> results;
    for (Value result : body.getTerminator()->getOperands())
      results.push_back(get(result));
    environment = caller;
    --callDepth;
    then(results);
    return success();
  };
  role->frames.push_back({&body, body.begin(), values.get(), leave});
  return success();
}

LogicalResult Machine::runFunction(func::FuncOp function,
                                   ArrayRef<RuntimeValue> arguments,
                                   SmallVectorImpl<RuntimeValue> &results) {
  size_t base = role->frames.size();
  auto keep = [&](ArrayRef<RuntimeValue> values) {
    results.assign(values.begin(), values.end());
  };
  if (failed(enterFunction(function, arguments, keep)))
    return failure();
  return runTo(base);
}

LogicalResult Machine::withFrame(llvm::function_ref<LogicalResult()> body) {
  Environment frame;
  llvm::SaveAndRestore environmentSaver(environment, &frame);
  return body();
}

LogicalResult Machine::runGrid(Operation *op, StringRef kernel, Stage stage,
                               std::array<int64_t, 3> grid,
                               llvm::function_ref<LogicalResult()> body) {
  if (std::string problem = tilec::checkInterpretedGrid(grid); !problem.empty())
    return error(op) << problem;
  int64_t count = grid[0] * grid[1] * grid[2];
  if (std::string problem = tilec::checkMemory({count}, 32); !problem.empty())
    return error(op) << "the order of " << count << " blocks " << problem;
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  // Written out, because std::shuffle may differ between libraries: a seed
  // names one order everywhere. The bias of the remainder does not matter here.
  for (int64_t left = count; left > 1; --left)
    std::swap(order[left - 1], order[random() % left]);
  checker.beginLaunch();
  if (options.progress)
    options.progress->blocks += count;
  for (uint32_t number : order) {
    BlockState state;
    state.kernel = kernel;
    state.stage = stage;
    state.grid = grid;
    state.id = {number % grid[0], number / grid[0] % grid[1],
                number / (grid[0] * grid[1])};
    blockState = std::move(state);
    checker.beginBlock(blockState->id);
    llvm::SaveAndRestore roleSaver(role, &blockState->main);
    LogicalResult result = body();
    if (succeeded(result))
      result = checkRingsAtEnd(*this);
    blockState.reset();
    if (failed(result))
      return failure();
    if (options.progress)
      ++options.progress->finishedBlocks;
  }
  checker.endLaunch();
  return success();
}

InFlightDiagnostic Machine::error(Operation *op) {
  InFlightDiagnostic diagnostic = op->emitError();
  if (blockState)
    diagnostic.attachNote(op->getLoc())
        << "in block (" << blockState->id[0] << ", " << blockState->id[1]
        << ", " << blockState->id[2] << ") of kernel '" << blockState->kernel
        << "'" << (role->isMain() ? "" : ", " + role->name);
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

LogicalResult Machine::withActive(const Mask &mask,
                                  llvm::function_ref<LogicalResult()> body) {
  llvm::SaveAndRestore saver(active, &mask);
  return body();
}

LogicalResult Machine::withLanes(int64_t count,
                                 llvm::function_ref<LogicalResult()> body) {
  llvm::SaveAndRestore laneSaver(laneCount, count);
  llvm::SaveAndRestore activeSaver(active, static_cast<const Mask *>(nullptr));
  llvm::SaveAndRestore parallelSaver(inParallel, true);
  return body();
}

LogicalResult
Machine::withReordering(llvm::function_ref<LogicalResult()> body) {
  llvm::SaveAndRestore saver(inCombiner, true);
  return body();
}

FailureOr<Mask> Machine::getCondition(Operation *op, Value condition) {
  const Array &array = getArray(condition);
  Mask result(array.count, 0);
  for (int64_t lane = 0; lane < array.count; ++lane) {
    if (array.count > 1 && !isActive(lane))
      continue;
    if (array.isPoison(lane))
      return undefinedAt(op, lane, array)
             << "the condition depends on " << array.origin.getCause();
    result[lane] = array.isTrue(lane);
    if (array.getBound(lane) != 0.0)
      leaveOpen(op);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Interpreter
//===----------------------------------------------------------------------===//

Interpreter::Interpreter(ModuleOp module, InterpreterOptions options)
    : machine(std::make_unique<Machine>(module, std::move(options))) {}

Interpreter::~Interpreter() = default;

LogicalResult Interpreter::run(func::FuncOp function,
                               llvm::ArrayRef<RuntimeValue> arguments,
                               llvm::SmallVectorImpl<RuntimeValue> &results) {
  return machine->runFunction(function, arguments, results);
}

LogicalResult Interpreter::runLaunch(const LaunchRequest &request) {
  return machine->runKernel(request);
}

llvm::ArrayRef<Location> Interpreter::getOpenDecisions() const {
  return machine->openDecisions.getArrayRef();
}
