//===- ImageBoxes.h - Places of boxes in im2col mode ------------*- C++ -*-===//

#ifndef TILE_LIB_CONVERSION_TILETONVVM_ACCESS_IMAGEBOXES_H
#define TILE_LIB_CONVERSION_TILETONVVM_ACCESS_IMAGEBOXES_H

#include "ImageMatrix.h"

#include "tile/Hardware/BulkBoxes.h"

namespace mlir::tile {

/// Where the copy engine begins a box, innermost dimension first.
struct BoxPlace {
  SmallVector<Value> coordinates; ///< i32
  SmallVector<Value> offsets;     ///< i16, of the kernel's element; im2col mode
  Value address = {};             ///< of a span, which has nothing else
};

/// The places of the boxes of a bulk copy in im2col mode, of which the block brings
/// the part of this number (i32; null: all).
class ImageBoxes {
public:
  ImageBoxes(ThreadEmitter &emitter, Im2ColOp op, const tilec::BulkBoxes &boxes,
             Value part)
      : emitter(emitter), op(op), boxes(boxes), part(part),
        matrix(emitter, op) {}

  BoxPlace getPlace(const tilec::BoxPiece &piece);

private:
  struct Pixel {
    Value image, top, left;
  };
  struct Element {
    Value channel, down, right;
  };
  const Pixel &getPixel(int64_t rowOffset);
  const Element &getElement(int64_t columnOffset);

  ThreadEmitter &emitter;
  Im2ColOp op;
  const tilec::BulkBoxes &boxes;
  Value part;
  ImageMatrix matrix;
  std::map<int64_t, Pixel> pixels;     ///< by what is added to the row
  std::map<int64_t, Element> elements; ///< by what is added to the column
};

} // namespace mlir::tile

#endif // TILE_LIB_CONVERSION_TILETONVVM_ACCESS_IMAGEBOXES_H
