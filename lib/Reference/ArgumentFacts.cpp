//===- ArgumentFacts.cpp - What a function's signature promises ----------===//
//
// Static sizes, `tile.divisible`, `tile.dims`, `tile.align` and the absence of
// `tile.may_alias` are facts that the compiler relies on. They are checked
// where a program is started and at every call on the host.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "tile/Dialect/Tile/TileDialect.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tile;
using namespace mlir::tile::reference;

namespace {

template <typename Helper, typename Attr>
Attr getFact(func::FuncOp function, unsigned argument) {
  return function.getArgAttrOfType<Attr>(argument, Helper::getNameStr());
}

InFlightDiagnostic violated(func::FuncOp function, unsigned argument) {
  return mlir::emitError(function.getArgument(argument).getLoc())
         << "argument " << argument << " of '" << function.getName() << "': ";
}

LogicalResult checkSizes(func::FuncOp function, unsigned argument,
                         const MemRef &memref) {
  auto type = cast<MemRefType>(function.getArgumentTypes()[argument]);
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!ShapedType::isDynamic(size) && size != memref.sizes[dim])
      return violated(function, argument)
             << "dimension " << dim << " has size " << memref.sizes[dim]
             << ", but its type says " << size;
  auto divisible = getFact<TileDialect::DivisibleAttrHelper, DenseI64ArrayAttr>(
      function, argument);
  if (divisible)
    for (auto [dim, divisor] : llvm::enumerate(divisible.asArrayRef()))
      if (divisor > 0 && memref.sizes[dim] % divisor != 0)
        return violated(function, argument)
               << "dimension " << dim << " has size " << memref.sizes[dim]
               << ", which tile.divisible says is divisible by " << divisor;
  auto align =
      getFact<TileDialect::AlignAttrHelper, IntegerAttr>(function, argument);
  int64_t byte = memref.offset * memref.element.memoryBits() / 8;
  if (align && align.getInt() > 0 && byte % align.getInt() != 0)
    return violated(function, argument)
           << "begins at byte " << byte << " of its buffer, which tile.align "
           << "says is a multiple of " << align.getInt();
  return success();
}

/// Equal names in `tile.dims` are equal sizes.
LogicalResult checkNames(func::FuncOp function,
                         ArrayRef<RuntimeValue> arguments) {
  struct Named {
    int64_t size;
    unsigned argument;
  };
  llvm::StringMap<Named> sizes;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    auto names = getFact<TileDialect::DimsAttrHelper, ArrayAttr>(function, i);
    if (!names || !argument.memref)
      continue;
    for (auto [dim, name] : llvm::enumerate(names.getAsRange<StringAttr>())) {
      int64_t size = argument.memref->sizes[dim];
      if (name.getValue().empty())
        continue;
      auto [entry, isNew] = sizes.try_emplace(
          name.getValue(), Named{size, static_cast<unsigned>(i)});
      if (!isNew && entry->second.size != size)
        return violated(function, i)
               << "dimension " << dim << " named \"" << name.getValue()
               << "\" has size " << size << ", but in argument "
               << entry->second.argument << " it has " << entry->second.size;
    }
  }
  return success();
}

/// The elements [first, last] that a memref spans; nothing if it is empty.
std::optional<std::pair<int64_t, int64_t>> getSpan(const MemRef &memref) {
  if (memref.getNumElements() == 0)
    return std::nullopt;
  int64_t first = memref.offset, last = memref.offset;
  for (auto [size, stride] : llvm::zip(memref.sizes, memref.strides))
    (stride < 0 ? first : last) += (size - 1) * stride;
  return std::pair(first, last);
}

LogicalResult checkAliasing(func::FuncOp function,
                            ArrayRef<RuntimeValue> arguments) {
  auto mayAlias = [&](unsigned i) {
    return getFact<TileDialect::MayAliasAttrHelper, UnitAttr>(function, i) !=
           nullptr;
  };
  for (unsigned j = 0; j < arguments.size(); ++j) {
    for (unsigned i = 0; i < j; ++i) {
      const auto &a = arguments[i].memref, &b = arguments[j].memref;
      if (!a || !b || a->buffer != b->buffer || mayAlias(i) || mayAlias(j))
        continue;
      auto spanA = getSpan(*a), spanB = getSpan(*b);
      if (!spanA || !spanB || spanA->second < spanB->first ||
          spanB->second < spanA->first)
        continue;
      return violated(function, j)
             << "overlaps argument " << i
             << "; arguments that overlap carry tile.may_alias";
    }
  }
  return success();
}

} // namespace

LogicalResult
mlir::tile::reference::checkArgumentFacts(func::FuncOp function,
                                          ArrayRef<RuntimeValue> arguments) {
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (argument.memref && failed(checkSizes(function, i, *argument.memref)))
      return failure();
  if (failed(checkNames(function, arguments)))
    return failure();
  return checkAliasing(function, arguments);
}
