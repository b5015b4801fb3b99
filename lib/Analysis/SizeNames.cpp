//===- SizeNames.cpp - Sizes that have a name in common -------------------===//

#include "tile/Analysis/SizeNames.h"
#include "tile/Dialect/Tile/TileDialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tile;

StringRef tile::getSizeName(const MemRefSize &size) {
  auto argument = dyn_cast<BlockArgument>(size.memref);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return {};
  auto function =
      dyn_cast_or_null<FunctionOpInterface>(argument.getOwner()->getParentOp());
  auto names = function ? function.getArgAttrOfType<ArrayAttr>(
                              argument.getArgNumber(),
                              TileDialect::DimsAttrHelper::getNameStr())
                        : ArrayAttr();
  bool isNamed =
      names && size.dim >= 0 && size.dim < static_cast<int64_t>(names.size());
  return isNamed ? cast<StringAttr>(names[size.dim]).getValue() : StringRef();
}

SmallVector<MemRefSize> tile::getEqualSizes(const MemRefSize &size) {
  SmallVector<MemRefSize> equal;
  StringRef name = getSizeName(size);
  if (name.empty())
    return equal;
  for (BlockArgument argument :
       cast<BlockArgument>(size.memref).getOwner()->getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if ((argument != size.memref || dim != size.dim) &&
          getSizeName({argument, dim}) == name)
        equal.push_back({argument, dim});
  }
  return equal;
}
