//===- ImageMatrix.h - The im2col matrix of an image ------------*- C++ -*-===//
//
// A row of the matrix is an output position (n, oh, ow), a column an element of the
// kernel and a channel:
//
//     row      n = r / (OH * OW)   top  = r / OW % OH * stride - padding
//                                  left = r % OW * stride - padding
//     column   y = top + c / (KW * C) * dilation
//              x = left + c / C % KW * dilation      channel = c % C
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_IMAGEMATRIX_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_IMAGEMATRIX_H

#include "../ThreadEmitter.h"

namespace mlir::tile {

class ImageMatrix {
public:
  ImageMatrix(ThreadEmitter &emitter, Im2ColOp op);

  /// A size of the image, i64.
  Value getSize(int dim);

  /// Unsigned; an empty matrix has no element to divide for.
  Value divide(Value lhs, Value rhs);
  Value remainder(Value lhs, Value rhs);
  /// lhs * factor + summand.
  Value scale(Value lhs, int64_t factor, int64_t summand) {
    return emitter.addConstant(emitter.multiply(lhs, factor), summand);
  }

  std::array<int64_t, 2> kernel, strides, dilations, padding;
  Value channels, outputRows, outputColumns, rowCount, columnCount; ///< i64

private:
  Value getDivisor(Value rhs);

  ThreadEmitter &emitter;
  Im2ColOp op;
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_IMAGEMATRIX_H
