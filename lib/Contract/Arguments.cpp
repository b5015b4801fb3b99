//===- Arguments.cpp - What a function's arguments have to be -------------===//

#include "tile/Contract/Arguments.h"

#include <map>

using namespace tilec;

static std::string describeSize(size_t dim, int64_t size) {
  return "dimension " + std::to_string(dim) + " has size " +
         std::to_string(size);
}

/// Sizes that are ones, and those of the type.
static std::string checkShape(const Argument &argument) {
  if (std::string problem = checkSizes(argument.view.sizes); !problem.empty())
    return problem;
  for (size_t dim = 0; dim < argument.view.sizes.size(); ++dim) {
    int64_t size = argument.view.sizes[dim], fixed = argument.shape.sizes[dim];
    if (fixed != anyExtent && size != fixed)
      return describeSize(dim, size) + ", but its type says " +
             std::to_string(fixed);
  }
  return "";
}

static std::string checkPlace(const Argument &argument) {
  const MemRefView &view = argument.view;
  for (size_t dim = 0; dim < argument.divisors.size(); ++dim) {
    int64_t divisor = argument.divisors[dim], size = view.sizes[dim];
    if (divisor > 0 && size % divisor != 0)
      return describeSize(dim, size) +
             ", which tile.divisible says is divisible by " +
             std::to_string(divisor);
  }
  if (!view.buffer && view.address == 0 && !view.isEmpty()) {
    std::string sizes;
    for (int64_t size : view.sizes)
      sizes += (sizes.empty() ? "" : " x ") + std::to_string(size);
    return "is null, and has " + (sizes.empty() ? "an" : sizes) + " element" +
           (sizes.empty() ? "" : "s");
  }
  if (argument.alignBytes > 0 && argument.begin % argument.alignBytes != 0)
    return "begins at " + view.formatPlace(argument.begin) + ", which " +
           (argument.isAlignStated ? "tile.align says is a multiple of "
                                   : "has to be a multiple of ") +
           std::to_string(argument.alignBytes);
  bool overflows = false;
  (void)getSpanBits(view, overflows);
  return overflows ? "has elements beyond the last address of 64 bits" : "";
}

/// Equal names in `tile.dims` are equal sizes.
static std::optional<ArgumentProblem>
checkNames(std::span<const Argument> arguments) {
  struct Named {
    int64_t size;
    const Argument *argument;
  };
  std::map<std::string_view, Named> sizes;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    for (size_t dim = 0; dim < argument.names.size(); ++dim) {
      std::string_view name = argument.names[dim];
      if (name.empty())
        continue;
      int64_t size = argument.view.sizes[dim];
      auto [entry, isNew] = sizes.try_emplace(name, Named{size, &argument});
      if (!isNew && entry->second.size != size)
        return ArgumentProblem{
            i, "dimension " + std::to_string(dim) + " named \"" +
                   std::string(name) + "\" has size " + std::to_string(size) +
                   ", but in " + entry->second.argument->name + " it has " +
                   std::to_string(entry->second.size)};
    }
  }
  return std::nullopt;
}

static std::optional<ArgumentProblem>
checkAliasing(std::span<const Argument> arguments) {
  for (size_t j = 0; j < arguments.size(); ++j)
    for (size_t i = 0; i < j; ++i) {
      const Argument &a = arguments[i], &b = arguments[j];
      if (a.isMemRef && b.isMemRef && !a.mayAlias && !b.mayAlias &&
          overlap(a.view, b.view))
        return ArgumentProblem{j, "overlaps " + a.name +
                                      "; arguments that overlap carry "
                                      "tile.may_alias"};
    }
  return std::nullopt;
}

std::optional<ArgumentProblem>
tilec::checkArguments(std::span<const Argument> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].isMemRef)
      continue;
    std::string message = checkShape(arguments[i]);
    if (message.empty())
      message = checkPlace(arguments[i]);
    if (!message.empty())
      return ArgumentProblem{i, message};
  }
  if (auto problem = checkNames(arguments))
    return problem;
  return checkAliasing(arguments);
}
