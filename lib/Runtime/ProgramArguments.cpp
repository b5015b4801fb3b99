//===- ProgramArguments.cpp - Arguments for a run ------------------------===//

#include "tile/Runtime/ProgramArguments.h"

#include "ParseElement.h"

#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Limits/AvailableMemory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static ArrayAttr getDimNames(func::FuncOp function, unsigned argument) {
  return function.getArgAttrOfType<ArrayAttr>(
      argument, TileDialect::DimsAttrHelper::getNameStr());
}

std::string mlir::tile::describeArgument(func::FuncOp function,
                                         unsigned argument) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "argument " << argument << ": "
     << function.getArgumentTypes()[argument];
  if (ArrayAttr names = getDimNames(function, argument))
    os << " dims " << names;
  return text;
}

std::string mlir::tile::describeSignature(func::FuncOp function) {
  std::string text = "  " + function.getName().str() + "(";
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    text += "\n    " + describeArgument(function, i);
  return text + ")";
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

namespace {

class ArgumentBuilder {
public:
  ArgumentBuilder(func::FuncOp function, const ArgumentOptions &options,
                  std::string &error)
      : function(function), options(options), error(error) {}

  std::optional<SmallVector<RuntimeValue>> build();

private:
  bool fail(const Twine &message) {
    error = message.str();
    return false;
  }
  bool checkNumbers();
  bool readFiles();
  void collectDims();
  bool addScalar(unsigned i);
  bool addMemRef(unsigned i);
  bool findShape(unsigned i, MemRefType type, SmallVector<int64_t> &shape);
  bool makeView(unsigned i, MemRefType type, ArrayRef<int64_t> shape,
                MemRef &memref);
  bool fill(unsigned i, const MemRef &memref);

  func::FuncOp function;
  const ArgumentOptions &options;
  std::string &error;
  SmallVector<RuntimeValue> values;
  std::map<unsigned, tilec::NpyArray> files;
  /// Sizes by name: given ones, and those of arguments whose sizes are known.
  std::map<std::string, int64_t> dims;
};

} // namespace

/// Options that name an argument which there is not, or not of that kind.
bool ArgumentBuilder::checkNumbers() {
  unsigned count = function.getNumArguments();
  auto check = [&](unsigned number, StringRef option, bool wantsMemRef) {
    if (number >= count)
      return fail("--" + option + ": there is no argument " + Twine(number) +
                  " in\n" + describeSignature(function));
    bool isMemRef = isa<MemRefType>(function.getArgumentTypes()[number]);
    if (isMemRef != wantsMemRef)
      return fail("--" + option + ": " + describeArgument(function, number) +
                  " is " + (wantsMemRef ? "no memref" : "no scalar"));
    return true;
  };
  for (auto &[number, value] : options.shapes)
    if (!check(number, "shape", true))
      return false;
  for (auto &[number, value] : options.scalars)
    if (!check(number, "scalar", false))
      return false;
  for (auto &[number, value] : options.data)
    if (!check(number, "data", true))
      return false;
  for (auto &[number, path] : options.inputs) {
    if (!check(number, "in", true))
      return false;
    if (options.data.count(number))
      return fail("--in=" + Twine(number) + ":" + path + ": --data=" +
                  Twine(number) + ":.. gives this argument other contents");
  }
  for (auto &[number, target] : options.aliases) {
    if (!check(number, "alias", true) || !check(target, "alias", true))
      return false;
    if (target >= number)
      return fail("--alias=" + Twine(number) + ":" + Twine(target) +
                  ": the second number must be the smaller one");
  }
  for (auto &[name, size] : options.dims) {
    bool isKnown = false;
    for (unsigned i = 0; i < count; ++i)
      if (ArrayAttr names = getDimNames(function, i))
        for (auto dim : names.getAsRange<StringAttr>())
          isKnown |= dim.getValue() == name;
    if (!isKnown)
      return fail("--dim=" + name +
                  ": no argument has a size of that name in "
                  "its tile.dims:\n" +
                  describeSignature(function));
  }
  return true;
}

bool ArgumentBuilder::readFiles() {
  for (auto &[number, path] : options.inputs)
    if (!tilec::readNpy(path, files[number], error))
      return false;
  return true;
}

/// Equal names are equal sizes, so one argument's size is another's too.
void ArgumentBuilder::collectDims() {
  dims = options.dims;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    ArrayAttr names = getDimNames(function, i);
    auto type = dyn_cast<MemRefType>(function.getArgumentTypes()[i]);
    if (!names || !type)
      continue;
    std::vector<int64_t> sizes = type.getShape().vec();
    if (auto it = options.shapes.find(i); it != options.shapes.end())
      sizes = it->second;
    if (auto it = files.find(i); it != files.end())
      sizes = it->second.shape;
    for (auto [dim, name] : llvm::enumerate(names.getAsRange<StringAttr>()))
      if (!name.empty() && dim < sizes.size() &&
          !ShapedType::isDynamic(sizes[dim]))
        dims.emplace(name.getValue().str(), sizes[dim]);
  }
}

bool ArgumentBuilder::addScalar(unsigned i) {
  Type type = function.getArgumentTypes()[i];
  std::optional<ElementType> element = ElementType::get(type);
  if (!element || isa<ShapedType>(type))
    return fail(describeArgument(function, i) +
                " cannot be given on a command line");
  auto it = options.scalars.find(i);
  if (it == options.scalars.end())
    return fail("the value of argument " + Twine(i) +
                " is missing; give it by "
                "--scalar=" +
                Twine(i) + ":VALUE. The signature is\n" +
                describeSignature(function));
  std::string reason;
  std::optional<Array> value = parseElement(it->second, *element, reason);
  if (!value)
    return fail("--scalar=" + Twine(i) + ":" + it->second + " " + reason);
  values.push_back(std::move(*value));
  return true;
}

bool ArgumentBuilder::findShape(unsigned i, MemRefType type,
                                SmallVector<int64_t> &shape) {
  shape.assign(type.getShape().begin(), type.getShape().end());
  // Every source of a size must agree with those before it.
  auto agree = [&](ArrayRef<int64_t> sizes, StringRef source) {
    if (static_cast<int64_t>(sizes.size()) != type.getRank())
      return fail(source + " has " + Twine(sizes.size()) + " dimensions, but " +
                  describeArgument(function, i) + " has " +
                  Twine(type.getRank()));
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      if (!ShapedType::isDynamic(shape[dim]) && shape[dim] != size)
        return fail(source + " gives dimension " + Twine(dim) + " size " +
                    Twine(size) + ", but it is " + Twine(shape[dim]) + " in " +
                    describeArgument(function, i));
      shape[dim] = size;
    }
    return true;
  };
  if (auto it = files.find(i); it != files.end())
    if (!agree(it->second.shape, "--in=" + std::to_string(i)))
      return false;
  if (auto it = options.shapes.find(i); it != options.shapes.end())
    if (!agree(it->second, "--shape=" + std::to_string(i)))
      return false;
  if (ArrayAttr names = getDimNames(function, i)) {
    for (auto [dim, name] : llvm::enumerate(names.getAsRange<StringAttr>())) {
      std::string text = name.getValue().str();
      if (auto it = options.dims.find(text);
          it != options.dims.end() && !ShapedType::isDynamic(shape[dim]) &&
          shape[dim] != it->second)
        return fail("--dim=" + text + ":" + Twine(it->second) + ": dimension " +
                    Twine(dim) + " has size " + Twine(shape[dim]) + " in " +
                    describeArgument(function, i));
      if (auto it = dims.find(text);
          it != dims.end() && ShapedType::isDynamic(shape[dim]))
        shape[dim] = it->second;
    }
  }
  if (auto it = options.aliases.find(i); it != options.aliases.end()) {
    const MemRef &target = *values[it->second].memref;
    if (target.getRank() == type.getRank())
      for (auto [dim, size] : llvm::enumerate(shape))
        if (ShapedType::isDynamic(size))
          size = target.sizes[dim];
  }
  for (auto [dim, size] : llvm::enumerate(shape))
    if (ShapedType::isDynamic(size))
      return fail("the size of dimension " + Twine(dim) + " of argument " +
                  Twine(i) + " is missing; give it by --shape=" + Twine(i) +
                  ":AxBx.. or --dim=NAME:SIZE. The signature is\n" +
                  describeSignature(function));
  return true;
}

/// How many elements of a view may lie in front of its first one, by negative strides:
/// INT64_MAX where they are more than that.
static int64_t countElementsBefore(const MemRef &memref) {
  int64_t count = 0, span = 0;
  if (llvm::is_contained(memref.sizes, 0))
    return 0;
  for (auto [size, stride] : llvm::zip_equal(memref.sizes, memref.strides))
    if (stride < 0 && (__builtin_mul_overflow(size - 1, stride, &span) ||
                       __builtin_sub_overflow(count, span, &count)))
      return INT64_MAX;
  return count;
}

/// Chooses the strides and the offset that the type of a view leaves open: rows stand
/// behind each other, and the buffer begins with the view. Gives how many elements lie
/// in front of the first one.
static int64_t completeLayout(MemRef &memref) {
  int64_t pitch = 1;
  for (int64_t d = memref.getRank(); d-- > 0;) {
    if (ShapedType::isDynamic(memref.strides[d]))
      memref.strides[d] = pitch;
    int64_t extent = std::max<int64_t>(memref.sizes[d], 1);
    // A larger one is of no use, or makes the capacity too large.
    if (__builtin_mul_overflow(memref.strides[d], extent, &pitch) ||
        __builtin_mul_overflow(pitch, pitch < 0 ? -1 : 1, &pitch))
      pitch = INT64_MAX;
  }
  int64_t before = countElementsBefore(memref);
  if (ShapedType::isDynamic(memref.offset))
    memref.offset = before;
  return before;
}

/// "512x300".
static std::string formatSizes(ArrayRef<int64_t> sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

/// Dynamic strides follow from the sizes in row-major order; a dynamic offset
/// is zero.
bool ArgumentBuilder::makeView(unsigned i, MemRefType type,
                               ArrayRef<int64_t> shape, MemRef &memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return fail(describeArgument(function, i) + " has no strided layout");
  memref.element = *ElementType::get(type);
  // The buffer, a flag for each byte, and the data on their way to it.
  std::string problem =
      tilec::checkMemory(shape.vec(), 2 * memref.element.memoryBits() + 64);
  if (!problem.empty())
    return fail(describeArgument(function, i) + " of size " +
                formatSizes(shape) + " " + problem);
  memref.sizes.assign(shape.begin(), shape.end());
  memref.offset = offset;
  memref.strides.assign(strides.begin(), strides.end());
  int64_t before = completeLayout(memref);
  if (memref.offset < before)
    return fail(describeArgument(function, i) + " of size " +
                formatSizes(shape) + " has " + Twine(before) +
                " elements in front of its first one, more than its offset " +
                Twine(memref.offset));
  std::optional<int64_t> capacity = memref.getNeededCapacity();
  problem = capacity ? checkAllocation(memref.element, {*capacity})
                     : "ends beyond element " + std::to_string(INT64_MAX);
  if (!problem.empty())
    return fail(describeArgument(function, i) + " of size " +
                formatSizes(shape) + " " + problem);
  if (auto it = options.aliases.find(i); it != options.aliases.end()) {
    const MemRef &target = *values[it->second].memref;
    memref.buffer = target.buffer;
    if (target.element != memref.element)
      return fail("--alias=" + Twine(i) + ":" + Twine(it->second) +
                  ": elements of " + describeArgument(function, it->second) +
                  " and of " + describeArgument(function, i) +
                  " have different types");
    if (memref.getCapacity() < *capacity)
      return fail("--alias=" + Twine(i) + ":" + Twine(it->second) +
                  ": the buffer has " + Twine(target.getCapacity()) +
                  " elements of " + describeArgument(function, it->second) +
                  ", which does not hold " + describeArgument(function, i));
    return true;
  }
  memref.buffer =
      allocate("argument " + std::to_string(i),
               function.getArgument(i).getLoc(), memref.element, {*capacity})
          .buffer;
  return true;
}

bool ArgumentBuilder::fill(unsigned i, const MemRef &memref) {
  if (auto it = files.find(i); it != files.end()) {
    std::string reason;
    std::optional<Array> contents = fromNpy(it->second, memref.element, reason);
    if (!contents)
      return fail("'" + options.inputs.at(i) + "' " + reason + " for " +
                  describeArgument(function, i));
    writeAll(memref, *contents);
    return true;
  }
  if (options.aliases.count(i) && !options.data.count(i))
    return true;
  DataKind kind = DataKind::getDefault(memref.element);
  if (options.dataOfAll)
    kind = *options.dataOfAll;
  if (auto it = options.data.find(i); it != options.data.end()) {
    kind = it->second;
    // What is meant for all arguments is rounded to the type of each.
    if (std::string misfit = kind.findMisfit(memref.element); !misfit.empty())
      return fail("--data=" + Twine(i) + ":values(..): " + misfit);
  }
  writeAll(memref, makeData(kind, memref.element, memref.getNumElements(),
                            options.seed * 1000003 + i));
  return true;
}

bool ArgumentBuilder::addMemRef(unsigned i) {
  auto type = cast<MemRefType>(function.getArgumentTypes()[i]);
  if (!ElementType::get(type))
    return fail(describeArgument(function, i) +
                " has an element type outside of the language");
  SmallVector<int64_t> shape;
  MemRef memref;
  if (!findShape(i, type, shape) || !makeView(i, type, shape, memref) ||
      !fill(i, memref))
    return false;
  // Gaps between rows hold zeros, as in memory that a program was given.
  memref.buffer->undefined.clear();
  values.push_back(std::move(memref));
  return true;
}

std::optional<SmallVector<RuntimeValue>> ArgumentBuilder::build() {
  if (!checkNumbers() || !readFiles())
    return std::nullopt;
  collectDims();
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (!(isa<MemRefType>(function.getArgumentTypes()[i]) ? addMemRef(i)
                                                          : addScalar(i)))
      return std::nullopt;
  return std::move(values);
}

std::optional<SmallVector<RuntimeValue>>
mlir::tile::buildArguments(func::FuncOp function,
                           const ArgumentOptions &options, std::string &error) {
  return ArgumentBuilder(function, options, error).build();
}

std::string mlir::tile::checkCopies(ArrayRef<RuntimeValue> arguments,
                                    int64_t count) {
  llvm::SmallPtrSet<const Buffer *, 8> buffers;
  int64_t sizeBytes = 0;
  for (const RuntimeValue &argument : arguments)
    if (argument.memref && buffers.insert(argument.memref->buffer.get()).second)
      sizeBytes += static_cast<int64_t>(argument.memref->buffer->bytes.size());
  std::string problem = tilec::checkMemory({sizeBytes}, 8 * count);
  return problem.empty()
             ? ""
             : "the program's arguments, kept several times, " + problem;
}

SmallVector<RuntimeValue>
mlir::tile::cloneArguments(ArrayRef<RuntimeValue> arguments) {
  std::map<Buffer *, std::shared_ptr<Buffer>> copies;
  SmallVector<RuntimeValue> result;
  for (const RuntimeValue &argument : arguments) {
    if (!argument.memref) {
      result.push_back(argument);
      continue;
    }
    MemRef memref = *argument.memref;
    auto &copy = copies[memref.buffer.get()];
    if (!copy)
      copy = std::make_shared<Buffer>(*memref.buffer);
    memref.buffer = copy;
    result.push_back(std::move(memref));
  }
  return result;
}
