//===- ImageBoxes.cpp - Places of boxes in im2col mode --------------------===//
//
// The copy engine is told the pixel on which the kernel's first element lies in the
// first position of the box, how far the element that is meant is from it, and the
// first channel (ImageMatrix.h):
//
//     row      image n, top, left       it goes on by itself, to the next images
//     column   down, right, channel     all the same in the box
//
// Pixels outside of the image are zeros, and so are images and channels that do not
// exist: there lies what is outside of the matrix. In an empty matrix any place will
// do, for its map describes zeros (Runtime/TensorMapParameter.cpp).
//
//===----------------------------------------------------------------------===//

#include "ImageBoxes.h"

using namespace mlir;
using namespace mlir::tile;

/// Whether a number in the matrix fits 32 bits: what is divided is cheaper then.
static bool isNarrow(IndexFacts &facts, Value start, int64_t added) {
  std::optional<int64_t> low = facts.getLowerBound(start);
  std::optional<int64_t> high = facts.getUpperBound(start);
  return low && high && *low >= 0 && *high <= INT32_MAX - added;
}

const ImageBoxes::Pixel &ImageBoxes::getPixel(int64_t rowOffset) {
  auto [it, isNew] = pixels.try_emplace(rowOffset);
  if (!isNew)
    return it->second;
  int64_t lastPart = (boxes.parts - 1) * boxes.box.front();
  bool narrow = isNarrow(emitter.facts, op.getRow(), rowOffset + lastPart);
  std::optional<int64_t> least = emitter.facts.getLowerBound(op.getRow());
  bool mayBeNegative = !least || *least < 0;
  auto fit = [&](Value value) {
    return narrow ? emitter.narrow(value) : value;
  };
  Value row = emitter.addConstant(emitter.getScalar(op.getRow()), rowOffset);
  if (part && boxes.partDim == 0)
    row = emitter.add(row,
                      emitter.multiply(emitter.widen(part), boxes.box.front()));
  // A box that begins in front of the matrix may reach into it, over an image for
  // each of its pixels.
  int64_t imagesBefore = mayBeNegative ? boxes.box.front() : 0;
  Value first = row;
  if (mayBeNegative)
    first = emitter.add(row,
                        emitter.multiply(emitter.multiply(matrix.outputRows,
                                                          matrix.outputColumns),
                                         imagesBefore));
  Value columns = fit(matrix.outputColumns), rows = fit(matrix.outputRows);
  Value line = matrix.divide(fit(first), columns);
  Value image = emitter.addConstant(matrix.divide(line, rows), -imagesBefore);
  if (!narrow) {
    Value count = matrix.getSize(0);
    image =
        emitter.builder.createOrFold<arith::MinSIOp>(emitter.loc, image, count);
    if (mayBeNegative)
      image = emitter.select(emitter.compare(arith::CmpIPredicate::slt, row,
                                             emitter.i64(-imagesBefore)),
                             emitter.i64(std::numeric_limits<int32_t>::min()),
                             image);
  }
  auto finish = [&](Value value) {
    return narrow ? value : emitter.narrow(value);
  };
  it->second = {finish(image),
                finish(matrix.scale(matrix.remainder(line, rows),
                                    matrix.strides[0], -matrix.padding[0])),
                finish(matrix.scale(matrix.remainder(fit(first), columns),
                                    matrix.strides[1], -matrix.padding[1]))};
  return it->second;
}

const ImageBoxes::Element &ImageBoxes::getElement(int64_t columnOffset) {
  auto [it, isNew] = elements.try_emplace(columnOffset);
  if (!isNew)
    return it->second;
  bool narrow = isNarrow(emitter.facts, op.getCol(), columnOffset);
  auto fit = [&](Value value) {
    return narrow ? emitter.narrow(value) : value;
  };
  Value column =
      emitter.addConstant(emitter.getScalar(op.getCol()), columnOffset);
  Value channels = fit(matrix.channels);
  Value position = matrix.divide(fit(column), channels);
  Value channel = matrix.remainder(fit(column), channels);
  Value down = emitter.multiply(emitter.divide(position, matrix.kernel[1]),
                                matrix.dilations[0]);
  Value right = emitter.multiply(emitter.remainder(position, matrix.kernel[1]),
                                 matrix.dilations[1]);
  std::optional<int64_t> high = emitter.facts.getUpperBound(op.getCol());
  int64_t size = op.getSource().getType().getDimSize(3);
  bool isInside =
      narrow && !ShapedType::isDynamic(size) &&
      *high + columnOffset < size * matrix.kernel[0] * matrix.kernel[1];
  if (!isInside) {
    // Behind the last channel nothing is.
    Value exists =
        emitter.compare(arith::CmpIPredicate::ult, column, matrix.columnCount);
    Value none = emitter.constant(down.getType(), 0);
    channel = emitter.select(exists, channel, channels);
    down = emitter.select(exists, down, none);
    right = emitter.select(exists, right, none);
  }
  auto toOffset = [&](Value value) -> Value {
    return emitter.builder.createOrFold<arith::TruncIOp>(
        emitter.loc, emitter.builder.getI16Type(), value);
  };
  it->second = {narrow ? channel : emitter.narrow(channel), toOffset(down),
                toOffset(right)};
  return it->second;
}

BoxPlace ImageBoxes::getPlace(const tilec::BoxPiece &piece) {
  const Pixel &pixel = getPixel(piece.offsets[0]);
  const Element &element = getElement(piece.offsets[1]);
  Value channel = element.channel;
  if (part && boxes.partDim == 1)
    channel = emitter.add(channel, emitter.multiply(part, boxes.box.back()));
  return {{channel, pixel.left, pixel.top, pixel.image},
          {element.right, element.down}};
}
