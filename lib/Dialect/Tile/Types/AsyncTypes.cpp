//===- AsyncTypes.cpp - Types and attributes of roles and rings -----------===//
//
// Registration of the dialect's types, and what rings and roles ask for by
// themselves.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_TYPEDEF_CLASSES
#include "tile/Dialect/Tile/TileTypeDefs.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile/Dialect/Tile/TileTypeDefs.cpp.inc"
      >();
}

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult RingType::verify(EmitError emitError, int64_t slots) {
  if (slots < 1)
    return emitError() << "a ring must have at least 1 slot, got " << slots;
  return success();
}

LogicalResult RoleAttr::verify(EmitError emitError, RoleKind, int64_t warps,
                               int64_t registers) {
  // More than any block has, and few enough to be added up.
  constexpr int64_t maxWarps = 1 << 10;
  if (warps < 1 || warps > maxWarps)
    return emitError() << "a role must have 1 to " << maxWarps << " warps, got "
                       << warps;
  if (registers < 0)
    return emitError()
           << "the registers of a role must be a number per thread, "
              "got "
           << registers;
  return success();
}

LogicalResult RolesAttr::verify(EmitError emitError, ArrayRef<RoleAttr> roles) {
  if (llvm::any_of(roles, [](RoleAttr role) {
        return role.getKind() == RoleKind::Consumer;
      }))
    return success();
  return emitError() << "a launch has at least one consumer, which computes; "
                        "none of the "
                     << roles.size() << " roles is one";
}

int64_t RolesAttr::getConsumerWarps() const {
  int64_t warps = 0;
  for (RoleAttr role : getRoles())
    if (role.getKind() == RoleKind::Consumer)
      warps += role.getWarps();
  return warps;
}

int64_t RolesAttr::getWarps() const {
  int64_t warps = 0;
  for (RoleAttr role : getRoles())
    warps += role.getWarps();
  return warps;
}
