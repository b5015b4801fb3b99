//===- FactAttributes.cpp - What is known of a kernel's parameters --------===//

#include "tile/Dialect/Tile/TileDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tile;

LogicalResult
MemRefFactsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        int64_t baseAlignment, int64_t alignment,
                        ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                        bool contiguous) {
  for (int64_t bytes : {baseAlignment, alignment})
    if (bytes < 1)
      return emitError() << "alignments must be positive, got " << bytes;
  for (ArrayRef<int64_t> divisors : {sizes, strides})
    for (int64_t divisor : divisors)
      if (divisor < 0)
        return emitError() << "divisors must not be negative, got " << divisor;
  if (sizes.size() != strides.size())
    return emitError() << "there are " << sizes.size() << " sizes and "
                       << strides.size() << " strides; give one per dimension";
  return success();
}

LogicalResult
ScalarFactsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        int64_t divisor, int64_t min, int64_t max) {
  if (divisor < 0)
    return emitError() << "a divisor must not be negative, got " << divisor;
  if (min > max)
    return emitError() << "the least number, " << min
                       << ", is above the largest, " << max;
  return success();
}
