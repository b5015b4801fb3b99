//===- Handlers.h - Diagnostics of one call, in C ---------------*- C++ -*-===//

#ifndef TILE_LIB_CAPI_HANDLERS_H
#define TILE_LIB_CAPI_HANDLERS_H

#include "mlir/CAPI/Diagnostics.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace mlir::tile {

/// Gives diagnostics to a handler of C for as long as it lives; without one they go
/// where they would have gone.
class CallHandler {
public:
  CallHandler(MLIRContext *context, MlirDiagnosticHandler handler,
              void *userData) {
    if (handler)
      scope.emplace(context, [=](Diagnostic &diagnostic) {
        return unwrap(handler(wrap(diagnostic), userData));
      });
  }

private:
  std::optional<ScopedDiagnosticHandler> scope;
};

} // namespace mlir::tile

#endif // TILE_LIB_CAPI_HANDLERS_H
