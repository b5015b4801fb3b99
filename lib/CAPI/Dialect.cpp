//===- Dialect.cpp - Registration, and what programs say, in C ------------===//

#include "tile-c/Dialect.h"

#include "tile/Dialect/Tile/ProgramBuilder.h"
#include "tile/Pipeline/Register.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace mlir::tile;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tile, tile, mlir::tile::TileDialect)

void tileRegisterDialects(MlirDialectRegistry registry) {
  registerTileDialects(*unwrap(registry));
}

//===----------------------------------------------------------------------===//
// What programs say
//===----------------------------------------------------------------------===//

bool tileModuleSetTarget(MlirModule module, MlirAttribute target) {
  auto attr = dyn_cast<TargetAttr>(unwrap(target));
  if (!attr)
    return false;
  ModuleOp op = unwrap(module);
  TileDialect::TargetAttrHelper(op.getContext()).setAttr(op, attr);
  return true;
}

bool tileLoopSetStages(MlirOperation loop, int64_t stages) {
  auto op = dyn_cast<scf::ForOp>(unwrap(loop));
  if (!op || stages != static_cast<int32_t>(stages))
    return false;
  setStages(op, stages);
  return true;
}

/// The function that has such an argument; null where there is none, or where a rank is
/// given and the argument is no memref of it.
static func::FuncOp getFunction(MlirOperation op, intptr_t argument,
                                std::optional<intptr_t> rank = {}) {
  auto function = dyn_cast<func::FuncOp>(unwrap(op));
  if (!function || argument < 0 || argument >= function.getNumArguments())
    return {};
  auto type = dyn_cast<MemRefType>(function.getArgumentTypes()[argument]);
  if (rank && (!type || type.getRank() != *rank))
    return {};
  return function;
}

bool tileFunctionSetSizeNames(MlirOperation function, intptr_t argument,
                              intptr_t rank, const MlirStringRef *names) {
  func::FuncOp op = getFunction(function, argument, rank);
  SmallVector<StringRef> list;
  for (intptr_t dim = 0; op && dim < rank; ++dim)
    list.push_back(unwrap(names[dim]));
  if (op)
    setSizeNames(op, argument, list);
  return !!op;
}

bool tileFunctionSetDivisors(MlirOperation function, intptr_t argument,
                             intptr_t rank, const int64_t *divisors) {
  func::FuncOp op = getFunction(function, argument, rank);
  if (op)
    setDivisors(op, argument, ArrayRef(divisors, rank));
  return !!op;
}

bool tileFunctionSetAlignment(MlirOperation function, intptr_t argument,
                              int64_t bytes) {
  func::FuncOp op = getFunction(function, argument);
  if (op)
    setAlignment(op, argument, bytes);
  return !!op;
}

bool tileFunctionSetMayAlias(MlirOperation function, intptr_t argument) {
  func::FuncOp op = getFunction(function, argument);
  if (op)
    setMayAlias(op, argument);
  return !!op;
}
