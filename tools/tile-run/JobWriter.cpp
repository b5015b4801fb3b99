//===- JobWriter.cpp - Launches to be played elsewhere -------------------===//
//
// Buffers are kept as they lie in memory, in one dimension: a view passes its
// offset and strides as parameters. A buffer that nobody wrote is `new:`, which
// ptx-run fills with ones on a GPU; elements that are undefined afterwards are
// masked, as nothing is expected of them.
//
//===----------------------------------------------------------------------===//

#include "JobWriter.h"

#include "tile/Runtime/EmulatorLauncher.h"
#include "tile/Runtime/KernelParameters.h"
#include "tile/Runtime/ProgramArguments.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

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
  for (auto [type, argument] :
       llvm::zip(op.getKernelOperands().getTypes(), request.arguments))
    if (failed(addArgument(op, type, argument)))
      return failure();
  return success();
}

/// A memref's first parameter is its buffer, all others are numbers.
LogicalResult JobWriter::addArgument(gpu::LaunchFuncOp op, Type type,
                                     const RuntimeValue &argument) {
  FailureOr<SmallVector<KernelParameter>> parameters = getKernelParameters(
      op, type, argument, [](const std::shared_ptr<Buffer> &) { return 0; });
  if (failed(parameters))
    return failure();
  ArrayRef<KernelParameter> numbers = *parameters;
  if (argument.memref) {
    if (failed(addBuffer(op, *argument.memref)))
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

static bool isUndefined(const Buffer &buffer) {
  return !buffer.undefined.empty() &&
         llvm::all_of(buffer.undefined, [](auto mark) { return mark != 0; });
}

LogicalResult JobWriter::addBuffer(gpu::LaunchFuncOp op, const MemRef &memref) {
  const Buffer &buffer = *memref.buffer;
  std::string number = std::to_string(parameterCount);
  for (const Use &use : uses)
    if (use.memref.buffer == memref.buffer) {
      lines.push_back("--arg=same:" + std::to_string(use.parameter));
      ++parameterCount;
      return success();
    }
  bool hasFile = !buffer.bytes.empty() && !isUndefined(buffer);
  uses.push_back({memref, parameterCount++, buffer.bytes, hasFile});
  if (!hasFile) {
    lines.push_back("--arg=new:" + std::to_string(buffer.bytes.size()));
    return success();
  }
  lines.push_back("--arg=@in-" + number + ".npy");
  return writeArray(op, "in-" + number + ".npy", memref, buffer.bytes);
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
  std::string error;
  if (!tilec::writeNpy(getPath(name), file, error))
    return op.emitError("--save-jobs: ") << error;
  return success();
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

LogicalResult JobWriter::expect(gpu::LaunchFuncOp op, const Use &use) {
  const Buffer &buffer = *use.memref.buffer;
  if (buffer.bytes.empty() || isUndefined(buffer))
    return success();
  std::string number = std::to_string(use.parameter);
  bool isUnchanged =
      use.hasFile && buffer.bytes == use.bytes && buffer.undefined.empty();
  std::string name = (isUnchanged ? "in-" : "expected-") + number + ".npy";
  if (!isUnchanged && failed(writeArray(op, name, use.memref, buffer.bytes)))
    return failure();
  std::string line = "--expect=" + number + ":" + name;
  if (!buffer.undefined.empty()) {
    int64_t itemBytes = std::max<int64_t>(
        1, static_cast<int64_t>(use.memref.element.memoryBits() / 8));
    tilec::NpyArray mask{'b', 1, {}, {}};
    for (size_t at = 0; at < buffer.bytes.size(); at += itemBytes) {
      bool isDefined = true;
      for (int64_t i = 0; i < itemBytes; ++i)
        isDefined &= !buffer.isUndefined(static_cast<int64_t>(at) + i);
      mask.bytes.push_back(isDefined);
    }
    mask.shape = {static_cast<int64_t>(mask.bytes.size())};
    std::string error;
    if (!tilec::writeNpy(getPath("mask-" + number + ".npy"), mask, error))
      return op.emitError("--save-jobs: ") << error;
    line += ",mask=mask-" + number + ".npy";
  }
  if (use.memref.element.isFloat && !isUnchanged) {
    // Compared with itself for the tolerance that it is compared with.
    Array values = readAll(use.memref);
    Comparison comparison =
        compare(values, values, narrowestPrecision, getTolerance(buffer));
    llvm::raw_string_ostream(line)
        << getTypeOption(use.memref.element)
        << llvm::format(",rtol=%.9g,atol=%.9g", comparison.rtol,
                        comparison.atol);
  }
  lines.push_back(line);
  return success();
}

LogicalResult JobWriter::end(const LaunchRequest &request) {
  gpu::LaunchFuncOp op = request.op;
  for (const Use &use : uses)
    if (failed(expect(op, use)))
      return failure();
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return writeText(op, getPath("options"), text);
}
