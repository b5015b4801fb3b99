//===- Types.cpp - Types of the dialect, in C -----------------------------===//

#include "tile-c/Dialect.h"

#include "tile/Dialect/Tile/TileDialect.h"

#include "mlir/CAPI/IR.h"

using namespace mlir;
using namespace mlir::tile;

bool tileTypeIsARing(MlirType type) { return isa<RingType>(unwrap(type)); }

MlirType tileRingTypeGet(MlirLocation loc, int64_t slots) {
  Location at = unwrap(loc);
  return wrap(Type(RingType::getChecked([&] { return emitError(at); },
                                        at.getContext(), slots)));
}

int64_t tileRingTypeGetSlots(MlirType type) {
  return cast<RingType>(unwrap(type)).getSlots();
}

bool tileTypeIsAPending(MlirType type) {
  return isa<PendingType>(unwrap(type));
}

MlirType tilePendingTypeGet(MlirLocation loc, MlirType fragment) {
  auto tensor = dyn_cast<RankedTensorType>(unwrap(fragment));
  if (tensor)
    return wrap(Type(PendingType::get(tensor.getContext(), tensor)));
  emitError(unwrap(loc)) << "a pending value is a fragment, a ranked tensor, "
                            "not "
                         << unwrap(fragment);
  return wrap(Type());
}

MlirType tilePendingTypeGetFragment(MlirType type) {
  return wrap(Type(cast<PendingType>(unwrap(type)).getFragment()));
}

bool tileTypeIsATensorMap(MlirType type) {
  return isa<TensorMapType>(unwrap(type));
}

MlirType tileTensorMapTypeGet(MlirContext context) {
  return wrap(Type(TensorMapType::get(unwrap(context))));
}
