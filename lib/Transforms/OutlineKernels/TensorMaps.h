//===- TensorMaps.h - The tensors that a kernel copies in bulk --*- C++ -*-===//
//
// Bulk tensor copies of one memref by boxes of one kind share a tensor map. The
// host makes it in front of the start of the kernel, whose last parameters are
// its tensor maps:
//
//     tile.copy %m[..] to %s     ->    %map = tile.encode_tensor_map %m box ..
//                                      gpu.launch_func .. args(.., %map)
//                                      tile.copy %m[..] to %s tensor_map(%arg)
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_TRANSFORMS_OUTLINEKERNELS_TENSORMAPS_H
#define TILE_LIB_TRANSFORMS_OUTLINEKERNELS_TENSORMAPS_H

#include "tile/Dialect/Tile/CopyFacts.h"

namespace mlir::tile {

/// One tensor map of a launch and the copies that go by it.
struct TensorMapPlan {
  Value memref;
  SmallVector<int64_t> box;
  int64_t swizzle;
  std::optional<PixelWalk> pixels; ///< of copies in im2col mode
  SmallVector<TensorCopyOpInterface, 1> copies;
};

/// The tensor maps of `launch`, in the order of their first copies. Fails with
/// an error at a copy whose memref the host does not know.
FailureOr<SmallVector<TensorMapPlan>> planTensorMaps(LaunchOp launch);

/// Makes them where `builder` stands.
SmallVector<Value> encodeTensorMaps(ArrayRef<TensorMapPlan> plans, Location loc,
                                    OpBuilder &builder);

/// Hands the copies their maps, the last arguments of the kernel.
void useTensorMaps(ArrayRef<TensorMapPlan> plans, ArrayRef<BlockArgument> maps);

} // namespace mlir::tile

#endif // TILE_LIB_TRANSFORMS_OUTLINEKERNELS_TENSORMAPS_H
