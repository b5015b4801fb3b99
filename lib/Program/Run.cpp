//===- Run.cpp - A compiled program on arrays in memory -------------------===//
//
// Arrays are copied to buffers of the host's interpreter and back. Those that are in
// one place share a buffer, as they share memory.
//
//===----------------------------------------------------------------------===//

#include "tile/Program/Run.h"

#include "tile/Analysis/IndexFacts.h"
#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Reference/Interpreter.h"
#include "tile/Runtime/CudaLauncher.h"
#include "tile/Runtime/EmulatorLauncher.h"
#include "tile/Runtime/ProgramArguments.h"

#include <cstring>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

HostArgument HostArgument::array(void *data, int64_t elementBits,
                                 std::vector<int64_t> sizes,
                                 std::vector<int64_t> strides) {
  HostArgument argument;
  argument.data = data;
  argument.elementBits = elementBits;
  argument.sizes = std::move(sizes);
  argument.strides = std::move(strides);
  return argument;
}

HostArgument HostArgument::scalar(int64_t value) {
  HostArgument argument;
  argument.integer = value;
  return argument;
}

HostArgument HostArgument::scalar(double value) {
  HostArgument argument;
  argument.number = value;
  return argument;
}

namespace {
/// The caller's arrays as the interpreter has them.
class ArgumentCopies {
public:
  ArgumentCopies(func::FuncOp function, ArrayRef<HostArgument> arguments,
                 Backend backend)
      : function(function), arguments(arguments), backend(backend) {}

  /// The values of the arguments, copies of arrays.
  FailureOr<SmallVector<RuntimeValue>> make();
  /// Puts what was written into the caller's arrays.
  LogicalResult writeBack() const;
  /// Gives the arrays of the GPU's memory to the launcher.
  LogicalResult addTo(CudaLauncher &launcher) const;

private:
  /// The bytes of an array, and the buffer that has them.
  struct Copy {
    unsigned argument;
    char *begin;
    int64_t sizeBytes;
    std::shared_ptr<Buffer> buffer;
  };
  InFlightDiagnostic error(unsigned number) const {
    return func::FuncOp(function).emitError(describeArgument(function, number))
           << " ";
  }
  LogicalResult addScalar(unsigned number);
  LogicalResult addArray(unsigned number);
  LogicalResult makeView(unsigned number, MemRefType type, MemRef &memref);
  LogicalResult addBuffer(unsigned number, MemRef &memref);
  std::shared_ptr<Buffer> makeBuffer(unsigned number, const MemRef &memref,
                                     const Copy &copy) const;

  func::FuncOp function;
  ArrayRef<HostArgument> arguments;
  Backend backend;
  SmallVector<RuntimeValue> values;
  std::vector<Copy> copies;
};
} // namespace

LogicalResult ArgumentCopies::addScalar(unsigned number) {
  const HostArgument &argument = arguments[number];
  std::optional<ElementType> type =
      ElementType::get(function.getArgumentTypes()[number]);
  if (!type)
    return error(number) << "has a type outside of the language";
  Array value(*type, 1);
  if (type->isFloat) {
    if (!argument.number)
      return error(number) << "is a float, and no number is given";
    value.setDouble(0, roundTo(*argument.number, type->format));
  } else {
    if (!argument.integer)
      return error(number) << "is an integer, and none is given";
    int64_t bits = type->bits, given = *argument.integer;
    int64_t least = bits == 1 ? 0 : llvm::minIntN(bits);
    int64_t most = bits == 1    ? 1
                   : bits == 64 ? INT64_MAX
                                : static_cast<int64_t>(llvm::maxUIntN(bits));
    if (given < least || given > most)
      return error(number) << "holds " << least << " to " << most << ", not "
                           << given;
    value.integers[0] = signExtend(given, type->bits);
  }
  values.push_back(std::move(value));
  return success();
}

/// Sizes and strides, checked against the type.
LogicalResult ArgumentCopies::makeView(unsigned number, MemRefType type,
                                       MemRef &memref) {
  const HostArgument &argument = arguments[number];
  SmallVector<int64_t> strides;
  int64_t offset = 0, rank = type.getRank();
  if (failed(type.getStridesAndOffset(strides, offset)))
    return error(number) << "has no strided layout";
  if (static_cast<int64_t>(argument.sizes.size()) != rank)
    return error(number) << "has " << rank << " dimensions, and "
                         << argument.sizes.size() << " sizes are given";
  if (!argument.strides.empty() &&
      static_cast<int64_t>(argument.strides.size()) != rank)
    return error(number) << "has " << rank << " dimensions, and "
                         << argument.strides.size() << " strides are given";
  memref.sizes.assign(argument.sizes.begin(), argument.sizes.end());
  memref.strides = argument.strides.empty()
                       ? getStrides(memref.sizes)
                       : llvm::SmallVector<int64_t, 4>(argument.strides.begin(),
                                                       argument.strides.end());
  memref.offset = ShapedType::isDynamic(offset) ? 0 : offset;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (memref.sizes[dim] < 0 || memref.strides[dim] < 0)
      return error(number) << "has a negative size or stride in dimension "
                           << dim;
    if (!type.isDynamicDim(dim) && type.getDimSize(dim) != memref.sizes[dim])
      return error(number) << "has size " << type.getDimSize(dim)
                           << " in dimension " << dim << ", and "
                           << memref.sizes[dim] << " is given";
    if (!ShapedType::isDynamic(strides[dim]) && memref.sizes[dim] > 1 &&
        strides[dim] != memref.strides[dim])
      return error(number) << "has stride " << strides[dim] << " in dimension "
                           << dim << ", and " << memref.strides[dim]
                           << " is given";
  }
  return success();
}

/// A buffer with what an array holds, or for one in the GPU's memory.
std::shared_ptr<Buffer> ArgumentCopies::makeBuffer(unsigned number,
                                                   const MemRef &memref,
                                                   const Copy &copy) const {
  std::string name = "argument " + std::to_string(number);
  Location location = func::FuncOp(function).getArgument(number).getLoc();
  int64_t elements = copy.sizeBytes * 8 / memref.element.memoryBits();
  if (arguments[number].isOnGpu) {
    auto buffer = std::make_shared<Buffer>(name, location, /*sizeBytes=*/0,
                                           memref.element.memoryBits());
    buffer->deviceBytes = copy.sizeBytes;
    return buffer;
  }
  std::shared_ptr<Buffer> buffer =
      allocate(name, location, memref.element, {elements}).buffer;
  buffer->undefined.clear();
  if (copy.sizeBytes > 0)
    std::memcpy(buffer->bytes.data(), copy.begin, copy.sizeBytes);
  return buffer;
}

LogicalResult ArgumentCopies::addTo(CudaLauncher &launcher) const {
  for (const Copy &copy : copies) {
    if (!arguments[copy.argument].isOnGpu)
      continue;
    auto address = reinterpret_cast<uint64_t>(copy.begin);
    auto stated = func::FuncOp(function).getArgAttrOfType<IntegerAttr>(
        copy.argument, TileDialect::AlignAttrHelper::getNameStr());
    auto type = cast<MemRefType>(
        func::FuncOp(function).getArgumentTypes()[copy.argument]);
    int64_t align =
        stated ? stated.getInt() : getArgumentFacts(type).baseAlignmentBytes;
    if (copy.sizeBytes > 0 && address % align != 0)
      return error(copy.argument)
             << "begins at address " << address
             << " of the GPU's memory, which is no multiple of " << align
             << " (tile.align)";
    if (failed(launcher.addResident(copy.buffer, address)))
      return failure();
  }
  return success();
}

/// The buffer of an array: that of another one at the same place, or a copy.
LogicalResult ArgumentCopies::addBuffer(unsigned number, MemRef &memref) {
  const HostArgument &argument = arguments[number];
  std::optional<int64_t> capacity = memref.getNeededCapacity();
  std::string problem =
      capacity ? checkAllocation(memref.element, {*capacity})
               : "ends beyond element " + std::to_string(INT64_MAX);
  if (!problem.empty())
    return error(number) << problem;
  int64_t offsetBytes = memref.offset * memref.element.memoryBits() / 8;
  char *begin = static_cast<char *>(argument.data) - offsetBytes;
  int64_t bits = *capacity * memref.element.memoryBits();
  Copy copy{number, begin, (bits + 7) / 8, nullptr};
  for (const Copy &other : copies) {
    if (begin == other.begin && copy.sizeBytes == other.sizeBytes)
      copy.buffer = other.buffer;
    else if (begin < other.begin + other.sizeBytes &&
             other.begin < begin + copy.sizeBytes)
      return error(number) << "lies in a part of argument " << other.argument
                           << ": give both all of that memory";
  }
  if (!copy.buffer)
    copy.buffer = makeBuffer(number, memref, copy);
  memref.buffer = copy.buffer;
  copies.push_back(std::move(copy));
  return success();
}

LogicalResult ArgumentCopies::addArray(unsigned number) {
  auto type = cast<MemRefType>(function.getArgumentTypes()[number]);
  const HostArgument &argument = arguments[number];
  if (argument.integer || argument.number)
    return error(number) << "is an array, and a number is given";
  std::optional<ElementType> element = ElementType::get(type);
  if (!element)
    return error(number) << "has an element type outside of the language";
  if (argument.isOnGpu && backend != Backend::Gpu)
    return error(number) << "lies in the memory of a GPU, and the program does "
                            "not run on one";
  MemRef memref;
  memref.element = *element;
  if (element->memoryBits() != argument.elementBits)
    return error(number) << "has elements of " << element->memoryBits()
                         << " bits, and such of " << argument.elementBits
                         << " are given";
  if (failed(makeView(number, type, memref)))
    return failure();
  if (!argument.data && !llvm::is_contained(memref.sizes, 0))
    return error(number) << "is given at address null";
  if (failed(addBuffer(number, memref)))
    return failure();
  values.push_back(std::move(memref));
  return success();
}

FailureOr<SmallVector<RuntimeValue>> ArgumentCopies::make() {
  if (arguments.size() != function.getNumArguments())
    return function.emitError("takes ")
           << function.getNumArguments() << " arguments, and "
           << arguments.size() << " are given:\n"
           << describeSignature(function);
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (failed(isa<MemRefType>(function.getArgumentTypes()[i]) ? addArray(i)
                                                               : addScalar(i)))
      return failure();
  return values;
}

LogicalResult ArgumentCopies::writeBack() const {
  auto isUnchanged = [](const Copy &copy) {
    return copy.sizeBytes == 0 || copy.buffer->deviceBytes ||
           std::memcmp(copy.buffer->bytes.data(), copy.begin, copy.sizeBytes) ==
               0;
  };
  for (const Copy &copy : copies)
    if (arguments[copy.argument].isConst && !isUnchanged(copy))
      return error(copy.argument)
             << "is written by the program, and given as const";
  for (const Copy &copy : copies)
    if (!isUnchanged(copy))
      std::memcpy(copy.begin, copy.buffer->bytes.data(), copy.sizeBytes);
  return success();
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static InterpreterOptions getHostOptions(const CompiledProgram &program,
                                         const ExecutionOptions &options) {
  InterpreterOptions host;
  host.seed = options.seed;
  if (options.limit)
    host.maxSteps = *options.limit;
  host.output = options.output;
  host.interrupt = options.interrupt;
  host.multiprocessors =
      options.multiprocessors
          ? options.multiprocessors
          : tilec::findTarget(program.chip)->multiprocessorCount;
  return host;
}

static LogicalResult interpret(func::FuncOp function,
                               ArrayRef<RuntimeValue> values,
                               InterpreterOptions options,
                               LaunchFunction launch = {}) {
  options.launch = std::move(launch);
  Interpreter interpreter(function->getParentOfType<ModuleOp>(), options);
  SmallVector<RuntimeValue> results;
  return interpreter.run(function, values, results);
}

static LogicalResult runOnEmulator(const CompiledProgram &program,
                                   func::FuncOp function,
                                   ArrayRef<RuntimeValue> values,
                                   const ExecutionOptions &options,
                                   ExecutionResult &result) {
  EmulatorOptions emulator;
  emulator.seed = options.seed;
  emulator.maxInstructions = options.limit;
  emulator.collectStatistics = options.collectsStatistics;
  emulator.timing = options.timing;
  emulator.output = options.output;
  emulator.interrupt = options.interrupt;
  emulator.assertions = findAssertions(*program.source);
  EmulatorLauncher launcher(*program.host, emulator);
  if (failed(interpret(function, values, getHostOptions(program, options),
                       [&](const LaunchRequest &request) {
                         return launcher.launch(request);
                       })))
    return failure();
  if (options.collectsStatistics)
    result.statisticsJson = launcher.getStatisticsJson();
  result.times = launcher.getTimes();
  return success();
}

static LogicalResult
runOnGpu(const CompiledProgram &program, func::FuncOp function,
         const ArgumentCopies &copies, ArrayRef<RuntimeValue> values,
         const ExecutionOptions &options, ExecutionResult &result) {
  std::string error;
  std::unique_ptr<CudaLauncher> launcher =
      CudaLauncher::create(*program.host, error, options.timing);
  if (!launcher)
    return function.emitError(error);
  if (failed(copies.addTo(*launcher)))
    return failure();
  InterpreterOptions host = getHostOptions(program, options);
  if (options.multiprocessors == 0)
    host.multiprocessors = launcher->getMultiprocessors();
  if (failed(
          interpret(function, values, host, [&](const LaunchRequest &request) {
            return launcher->launch(request);
          })))
    return failure();
  result.times = launcher->getTimes();
  return success();
}

FailureOr<ExecutionResult> tile::run(const CompiledProgram &program,
                                     StringRef entry,
                                     ArrayRef<HostArgument> arguments,
                                     const ExecutionOptions &options) {
  bool isReference = options.backend == Backend::Reference;
  ModuleOp module = isReference ? program.source.get() : program.host.get();
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return module.emitError("the program has no function '") << entry << "'";
  ArgumentCopies copies(function, arguments, options.backend);
  FailureOr<SmallVector<RuntimeValue>> values = copies.make();
  if (failed(values))
    return failure();
  ExecutionResult result;
  LogicalResult ran =
      isReference
          ? interpret(function, *values, getHostOptions(program, options))
      : options.backend == Backend::Gpu
          ? runOnGpu(program, function, copies, *values, options, result)
          : runOnEmulator(program, function, *values, options, result);
  if (failed(ran) || failed(copies.writeBack()))
    return failure();
  return result;
}
