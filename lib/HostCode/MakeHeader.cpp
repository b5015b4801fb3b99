//===- MakeHeader.cpp - The C header of an object -------------------------===//

#include "tile/HostCode/HostCode.h"

#include "Signature.h"

#include "tile/Dialect/Tile/Locations.h"
#include "tile/Dialect/Tile/TileDialect.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tile;

static constexpr const char *preamble = R"(
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
)";

static constexpr const char *ending = R"(
#ifdef __cplusplus
}
#endif
)";

/// What the caller has to know of an argument beside its C type.
static void describeArgument(func::FuncOp function, unsigned argument,
                             llvm::raw_ostream &os) {
  os << "//   " << getArgumentName(function, argument) << ": "
     << function.getArgument(argument).getType();
  auto get = [&](StringRef name) {
    return function.getArgAttr(argument, name);
  };
  for (StringRef name : {TileDialect::DimsAttrHelper::getNameStr(),
                         TileDialect::DivisibleAttrHelper::getNameStr(),
                         TileDialect::AlignAttrHelper::getNameStr(),
                         TileDialect::MayAliasAttrHelper::getNameStr()})
    if (Attribute fact = get(name)) {
      os << ", " << name;
      if (auto number = dyn_cast<IntegerAttr>(fact))
        os << " = " << number.getInt();
      else if (!isa<UnitAttr>(fact))
        os << " = " << fact;
    }
  os << "\n";
}

static void declareFunction(func::FuncOp function, llvm::raw_ostream &os) {
  os << "\n// " << formatLocation(function.getLoc()) << "\n";
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    describeArgument(function, i, os);
  std::string line = "int " + function.getSymName().str() + "(";
  std::string indent(line.size(), ' ');
  constexpr size_t maxColumns = 80;
  std::vector<CParameter> parameters = getCParameters(function);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const auto &[type, name] = parameters[i];
    std::string text = type + (type.back() == '*' ? "" : " ") + name +
                       (i + 1 < parameters.size() ? "," : ");");
    if (line.size() + text.size() > maxColumns && i > 0) {
      os << StringRef(line).rtrim() << "\n";
      line = indent;
    }
    line += text + " ";
  }
  os << StringRef(line).rtrim() << "\n";
}

FailureOr<std::string> tile::makeHeader(const CompiledProgram &program) {
  FailureOr<std::vector<HostFunction>> functions =
      getHostFunctions(*program.host);
  if (failed(functions))
    return failure();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// Host functions compiled for " << program.chip
     << ", written by the tile compiler; link the object and libtileRt.\n"
        "//\n"
        "// Pointers are device pointers. Functions start kernels in `stream`, "
        "a "
        "CUstream or\n"
        "// cudaStream_t, and return 0, or a TileRtStatus of tile-rt/tileRt.h, "
        "whose\n"
        "// tileRtLastError() has the words.\n"
     << preamble;
  for (const HostFunction &host : *functions)
    if (host.isExported)
      declareFunction(host.function, os);
  os << ending;
  return text;
}
