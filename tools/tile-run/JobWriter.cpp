//===- JobWriter.cpp - Launches to be played elsewhere -------------------===//
//
// Buffers are kept as they lie in memory, in one dimension: a view passes its
// offset and strides as parameters. A buffer that nobody wrote is `new:`, which
// ptx-run fills with ones on a GPU; elements that are undefined afterwards are
// masked, as nothing is expected of them.
//
//===----------------------------------------------------------------------===//

#include "JobWriter.h"

#include "tile/Emulator/TensorMap.h"
#include "tile/Runtime/AllocationSize.h"
#include "tile/Runtime/EmulatorLauncher.h"
#include "tile/Runtime/KernelParameters.h"
#include "tile/Runtime/ProgramArguments.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

static LogicalResult writeText(gpu::LaunchFuncOp op, const std::string &path,
                               StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (!error)
    file << text;
  file.close();
  if (error || file.has_error())
    return op.emitError("--save-jobs: cannot write '") << path << "'";
  return success();
}

static std::string printExtents(const char *option,
                                const std::array<int64_t, 3> &extents) {
  return std::string(option) + "=" + std::to_string(extents[0]) + "," +
         std::to_string(extents[1]) + "," + std::to_string(extents[2]);
}

LogicalResult JobWriter::begin(const LaunchRequest &request) {
  gpu::LaunchFuncOp op = request.op;
  job = directory + "/launch-" + std::to_string(jobCount++);
  lines.clear();
  uses.clear();
  referenceArguments = cloneArguments(request.arguments);
  parameterCount = 0;
  if (std::error_code error = llvm::sys::fs::create_directories(job))
    return op.emitError("--save-jobs: cannot make '")
           << job << "': " << error.message();
  (void)llvm::sys::fs::remove(getPath("options"));
  StringRef ptx = findPtx(module, op);
  if (ptx.empty() || failed(writeText(op, getPath("kernel.ptx"), ptx)))
    return failure();
  lines.push_back("--kernel=" + op.getKernelName().str());
  lines.push_back(printExtents("--grid", request.grid));
  lines.push_back(printExtents("--block", request.block));
  lines.push_back(printExtents("--cluster", request.cluster));
  lines.push_back("--shared=" + std::to_string(request.dynamicSharedBytes));
  for (auto [i, argument] : llvm::enumerate(request.arguments))
    if (failed(addArgument(op, op.getKernelOperands()[i], argument,
                           referenceArguments[i])))
      return failure();
  return success();
}

/// A memref's first parameter is its buffer, all others are numbers.
LogicalResult JobWriter::addArgument(gpu::LaunchFuncOp op, Value operand,
                                     const RuntimeValue &argument,
                                     const RuntimeValue &inReference) {
  FailureOr<SmallVector<KernelParameter>> parameters = getKernelParameters(
      op, operand, argument, [](const std::shared_ptr<Buffer> &) { return 0; });
  if (failed(parameters))
    return failure();
  if (parameters->front().map)
    return addTensorMap(op, parameters->front());
  ArrayRef<KernelParameter> numbers = *parameters;
  if (argument.memref) {
    const MemRef &expected = outlined ? *inReference.memref : *argument.memref;
    if (failed(addBuffer(op, *argument.memref, expected)))
      return failure();
    numbers = numbers.drop_front();
  }
  for (const KernelParameter &number : numbers) {
    StringRef bytes(reinterpret_cast<const char *>(&number.bits),
                    number.sizeBytes);
    lines.push_back("--arg=bytes:" + llvm::toHex(bytes, /*LowerCase=*/true));
    ++parameterCount;
  }
  return success();
}

/// "64x128"
template <typename T>
static std::string printExtents(ArrayRef<T> extents) {
  return llvm::join(
      llvm::map_range(extents, [](T extent) { return std::to_string(extent); }),
      "x");
}

/// Of a buffer that an argument before it has; of a tensor without elements, of
/// zeros.
LogicalResult JobWriter::addTensorMap(gpu::LaunchFuncOp op,
                                      const KernelParameter &parameter) {
  const tilec::TensorDescription &map = *parameter.map;
  std::string source =
      "zeros:" + std::to_string(parameter.buffer->bytes.size());
  for (const Use &use : uses)
    if (use.memref.buffer == parameter.buffer)
      source = "same:" + std::to_string(use.parameter);
  std::string line =
      "--arg=tensormap:" + source + ",type=" +
      tilec::emu::getName(tilec::emu::TensorElement(map.elementNumber)) +
      ",offset=" + std::to_string(parameter.offsetBytes) +
      ",dims=" + printExtents(ArrayRef(map.dims, map.rank)) +
      ",box=" + printExtents(ArrayRef(map.box, map.isIm2Col ? 2 : map.rank)) +
      ",swizzle=" + std::to_string(map.swizzleBytes);
  if (map.rank > 1)
    line +=
        ",strides=" + printExtents(ArrayRef(map.stridesBytes, map.rank - 1));
  if (map.isIm2Col)
    line += ",lower=" + printExtents(ArrayRef(map.lowerCorner, map.rank - 2)) +
            ",upper=" + printExtents(ArrayRef(map.upperCorner, map.rank - 2)) +
            ",element-strides=" +
            printExtents(ArrayRef(map.elementStrides, map.rank));
  lines.push_back(line);
  ++parameterCount;
  return success();
}

static bool isUndefined(const Buffer &buffer) {
  return !buffer.undefined.empty() &&
         llvm::all_of(buffer.undefined, [](auto mark) { return mark != 0; });
}

/// All elements of a memref's buffer, as they follow each other.
static MemRef getAllElements(const MemRef &memref) {
  MemRef all;
  all.buffer = memref.buffer;
  all.element = memref.element;
  all.sizes = {all.getCapacity()};
  all.strides = {1};
  return all;
}

/// As it lies on a device: what fills up the last word is zero.
static std::vector<uint8_t> getAllocatedBytes(const Buffer &buffer) {
  std::vector<uint8_t> bytes = buffer.bytes;
  bytes.resize(getAllocationSize(buffer));
  return bytes;
}

LogicalResult JobWriter::addBuffer(gpu::LaunchFuncOp op, const MemRef &memref,
                                   const MemRef &expected) {
  const Buffer &buffer = *memref.buffer;
  std::string number = std::to_string(parameterCount);
  for (const Use &use : uses)
    if (use.memref.buffer == memref.buffer) {
      lines.push_back("--arg=same:" + std::to_string(use.parameter));
      ++parameterCount;
      return success();
    }
  bool hasFile = !buffer.bytes.empty() && !isUndefined(buffer);
  uses.push_back({memref, parameterCount++, buffer.bytes, hasFile,
                  getAllElements(expected)});
  if (!hasFile) {
    lines.push_back("--arg=new:" + std::to_string(getAllocationSize(buffer)));
    return success();
  }
  lines.push_back("--arg=@in-" + number + ".npy");
  return writeArray(op, "in-" + number + ".npy", memref,
                    getAllocatedBytes(buffer));
}

LogicalResult JobWriter::writeArray(gpu::LaunchFuncOp op,
                                    const std::string &name,
                                    const MemRef &memref,
                                    const std::vector<uint8_t> &bytes) {
  // The kind that the element type travels as.
  tilec::NpyArray file = toNpy(Array(memref.element, 0), {0});
  if (bytes.size() % file.itemBytes != 0)
    file.kind = 'u', file.itemBytes = 1;
  file.bytes = bytes;
  file.shape = {static_cast<int64_t>(bytes.size() / file.itemBytes)};
  return writeFile(op, name, file);
}

/// What ptx-run has to be told about types that .npy files do not know.
static StringRef getTypeOption(reference::ElementType type) {
  if (!type.isFloat)
    return "";
  switch (type.format) {
  case FloatFormat::BF16:
    return ",type=bf16";
  case FloatFormat::F8E4M3FN:
    return ",type=e4m3";
  case FloatFormat::F8E5M2:
    return ",type=e5m2";
  default:
    return "";
  }
}

/// Types that ptx-run does not know are compared as bytes, bit by bit.
static bool isComparedByElement(reference::ElementType type) {
  bool isKnown =
      !type.isFloat || type.bits >= 16 || !getTypeOption(type).empty();
  return isKnown && type.memoryBits() >= 8;
}

LogicalResult JobWriter::writeFile(gpu::LaunchFuncOp op,
                                   const std::string &name,
                                   const tilec::NpyArray &file) {
  std::string error;
  if (!tilec::writeNpy(getPath(name), file, error))
    return op.emitError("--save-jobs: ") << error;
  return success();
}

/// Elements that the emulator or the reference leaves undefined are masked, and what
/// fills up the last word of a buffer that nobody wrote.
LogicalResult JobWriter::writeMask(gpu::LaunchFuncOp op, const Use &use,
                                   std::string &line) {
  const Buffer &buffer = *use.memref.buffer, &expected = *use.expected.buffer;
  size_t size = getAllocationSize(buffer);
  bool isFilledUp = !use.hasFile && size > buffer.bytes.size();
  if (buffer.undefined.empty() && expected.undefined.empty() && !isFilledUp)
    return success();
  int64_t itemBytes = std::max<int64_t>(
      1, static_cast<int64_t>(use.memref.element.memoryBits() / 8));
  tilec::NpyArray mask{'b', 1, {}, {}};
  for (size_t at = 0; at < size; at += itemBytes) {
    bool isDefined = at < buffer.bytes.size();
    for (int64_t i = 0; isDefined && i < itemBytes; ++i) {
      int64_t byte = static_cast<int64_t>(at) + i;
      isDefined &= !buffer.isUndefined(byte) && !expected.isUndefined(byte);
    }
    mask.bytes.push_back(isDefined);
  }
  mask.shape = {static_cast<int64_t>(mask.bytes.size())};
  std::string name = "mask-" + std::to_string(use.parameter) + ".npy";
  line += ",mask=" + name;
  return writeFile(op, name, mask);
}

/// How closely the elements are compared: the tolerance that was given, else
/// the bounds of the reference; without bounds, bit by bit.
LogicalResult JobWriter::writeBounds(gpu::LaunchFuncOp op, const Use &use,
                                     std::string &line) {
  tilec::ComparisonRule rule = getRule(*use.memref.buffer);
  llvm::raw_string_ostream os(line);
  if (rule.tolerance.isGiven()) {
    os << llvm::format(",rtol=%.9g,atol=%.9g",
                       rule.tolerance.rtol.value_or(0.0),
                       rule.tolerance.atol.value_or(0.0));
    return success();
  }
  Array values = readAll(use.expected);
  if (values.bounds.empty())
    return success();
  tilec::NpyArray bounds{'f', sizeof(double), {values.count}, {}};
  bounds.bytes.resize(values.bounds.size() * sizeof(double));
  std::memcpy(bounds.bytes.data(), values.bounds.data(), bounds.bytes.size());
  std::string name = "bounds-" + std::to_string(use.parameter) + ".npy";
  os << ",bounds=" << name;
  if (rule.maxUnchecked != tilec::ComparisonRule().maxUnchecked)
    os << llvm::format(",max-unchecked=%g%%", 100 * rule.maxUnchecked);
  return writeFile(op, name, bounds);
}

LogicalResult JobWriter::expect(gpu::LaunchFuncOp op, const Use &use) {
  const Buffer &buffer = *use.expected.buffer;
  if (buffer.bytes.empty() || isUndefined(buffer))
    return success();
  std::string number = std::to_string(use.parameter);
  bool isUnchanged =
      use.hasFile && buffer.bytes == use.bytes && buffer.undefined.empty();
  std::string name = (isUnchanged ? "in-" : "expected-") + number + ".npy";
  if (!isUnchanged &&
      failed(writeArray(op, name, use.memref, getAllocatedBytes(buffer))))
    return failure();
  std::string line = "--expect=" + number + ":" + name;
  if (failed(writeMask(op, use, line)))
    return failure();
  if (!isUnchanged) {
    line += getTypeOption(use.memref.element);
    if (isComparedByElement(use.memref.element) &&
        failed(writeBounds(op, use, line)))
      return failure();
  }
  lines.push_back(line);
  return success();
}

/// Runs the launch on the buffers as they were before it.
LogicalResult JobWriter::runReference(const LaunchRequest &request) {
  if (!outlined)
    return success();
  InterpreterOptions options;
  options.tracksBounds = true;
  options.accumulation = Accumulation::TensorCores; // a GPU plays the job
  Interpreter interpreter(outlined, options);
  LaunchRequest launch = request;
  launch.arguments = referenceArguments;
  return interpreter.runLaunch(launch);
}

LogicalResult JobWriter::end(const LaunchRequest &request) {
  gpu::LaunchFuncOp op = request.op;
  if (failed(runReference(request)))
    return failure();
  for (const Use &use : uses)
    if (failed(expect(op, use)))
      return failure();
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return writeText(op, getPath("options"), text);
}
