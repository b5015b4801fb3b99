//===- Signature.cpp - Host functions as C sees them ----------------------===//

#include "Signature.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Words that are no names in C or C++.
static constexpr StringLiteral keywords =
    " _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary "
    "_Noreturn _Static_assert _Thread_local alignas alignof and and_eq "
    "asm auto bitand bitor bool break case catch char char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept const "
    "const_cast consteval constexpr constinit continue decltype default "
    "delete do double dynamic_cast else enum explicit export extern "
    "false float for friend goto if inline int long mutable namespace "
    "new noexcept not not_eq nullptr operator or or_eq private "
    "protected public register reinterpret_cast requires restrict "
    "return short signed sizeof static static_assert static_cast struct "
    "switch template this thread_local throw true try typedef typeid "
    "typename typeof typeof_unqual union unsigned using virtual void "
    "volatile wchar_t while xor xor_eq ";

/// Types of the header, and what compilers and headers define as macros.
static constexpr StringLiteral takenNames =
    " int8_t int16_t int32_t int64_t uint8_t uint16_t NULL linux unix ";

/// Whether the header cannot call anything by this name.
static bool isTaken(StringRef name) {
  std::string word = (" " + name + " ").str();
  return keywords.contains(word) || takenNames.contains(word);
}

/// Whether the C library has a function of this name, which the application and host
/// code itself may call.
static bool isLibraryFunction(StringRef name) {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  llvm::TargetLibraryInfoImpl library(triple);
  llvm::LibFunc function;
  return library.getLibFunc(name, function);
}

std::string tile::getArgumentName(func::FuncOp function, unsigned argument) {
  if (auto name =
          function.getArgument(argument).getLoc()->findInstanceOf<NameLoc>())
    if (isIdentifier(name.getName()))
      return name.getName().str();
  return "arg" + std::to_string(argument);
}

LogicalResult tile::checkExported(func::FuncOp function) {
  StringRef name = function.getSymName();
  if (!isIdentifier(name) || isTaken(name))
    return function.emitError("'")
           << name
           << "' is no name of a function in C; rename the function, or "
           << "make it private";
  const char *owner = name == "main"               ? "application"
                      : name.starts_with("tileRt") ? "runtime"
                      : isLibraryFunction(name)    ? "C library"
                                                   : nullptr;
  if (owner)
    return function.emitError("a C function '")
           << name << "' would be in the place of the " << owner
           << "'s; rename the function, or make it private";
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (!type.isIntOrIndexOrFloat())
      return function.emitError("result ")
             << i << " is of type " << type << ", which a C function cannot "
             << "return: let the caller pass the memref as an argument, or "
                "make "
                "the function private";
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::string tile::getCType(Type scalar) {
  if (scalar.isF32())
    return "float";
  if (scalar.isF64())
    return "double";
  if (scalar.isInteger(1))
    return "bool";
  int64_t bits = getMemoryBits(scalar);
  std::string width = std::to_string(bits < 8 ? 8 : bits) + "_t";
  return (isa<FloatType>(scalar) ? "uint" : "int") + width;
}

bool tile::hasOpenLayout(MemRefType type) {
  return !type.getLayout().isIdentity();
}

static void addMemRef(const std::string &name, MemRefType type,
                      std::vector<CParameter> &parameters) {
  Type element = type.getElementType();
  bool isTyped = element.isF32() || element.isF64();
  parameters.push_back({isTyped ? getCType(element) + " *" : "void *", name});
  auto add = [&](const char *what, int64_t dim) {
    parameters.push_back(
        {"int64_t", name + "_" + what + (dim < 0 ? "" : std::to_string(dim))});
  };
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    add("size", dim);
  if (!hasOpenLayout(type))
    return;
  auto [strides, offset] = type.getStridesAndOffset();
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (ShapedType::isDynamic(stride))
      add("stride", static_cast<int64_t>(dim));
  if (ShapedType::isDynamic(offset))
    add("offset", -1);
}

std::vector<CParameter> tile::getCParameters(func::FuncOp function) {
  std::vector<CParameter> parameters;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::string name = getArgumentName(function, static_cast<unsigned>(i));
    if (auto memref = dyn_cast<MemRefType>(type))
      addMemRef(name, memref, parameters);
    else
      parameters.push_back({getCType(type), name});
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    parameters.push_back({getCType(type) + " *", "result" + std::to_string(i)});
  parameters.push_back({"void *", "stream"});
  llvm::StringSet<> taken;
  for (CParameter &parameter : parameters)
    while (isTaken(parameter.name) || !taken.insert(parameter.name).second)
      parameter.name += "_";
  return parameters;
}
