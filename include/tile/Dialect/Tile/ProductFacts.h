//===- ProductFacts.h - What products do to buffers -------------*- C++ -*-===//
//
// What a product asks of the buffers that it reads, and how it reads them,
// follows from its instruction: layout inference asks before one is written on
// the product.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_PRODUCTFACTS_H
#define TILE_DIALECT_TILE_PRODUCTFACTS_H

#include "tile/Dialect/Tile/TileInterfaces.h"

namespace mlir::tile {

/// What `product` would demand of the buffers of its operands if `row` carried
/// it out, as far as that reads them through descriptors.
SmallVector<DemandedBuffer>
getDescriptorDemands(MatrixProductOpInterface product,
                     const tilec::MatrixInstruction &row);

/// Whether `operand` is in shared memory and its elements share bytes along M or N.
bool sharesBytesAcross(Value operand, bool isAlongK);

/// The rows of `target` that take the scales of `product` for its blocks, its K and
/// its operands where they lie, the largest K first: none takes elements that share
/// a byte in shared memory along M or N.
std::vector<const tilec::MatrixInstruction *>
findScaledInstructions(MatrixProductOpInterface product,
                       const tilec::GpuTarget &target);

/// Whether `row` is for the element types of `product`, for scales as it has them,
/// and for a sparse or a dense `a`.
bool fitsOperands(const tilec::MatrixInstruction &row,
                  MatrixProductOpInterface product);

/// Whether warps carry out `product`, each with matrix instructions of its own.
bool isOfWarps(MatrixProductOpInterface product);

/// Multiplies `a`, an M x K with all its columns, in the place of `product`.
void multiplyDense(MatrixProductOpInterface product, Value a);

/// Whether `product` reads operands in shared memory through the asynchronous
/// proxy, from a descriptor.
bool readsThroughDescriptors(MatrixProductOpInterface product);

/// Products state their accesses; called by the dialect.
void attachAccessesToProducts(MLIRContext *context);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_PRODUCTFACTS_H
