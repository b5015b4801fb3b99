//===- TensorLayouts.cpp - Layouts of reshapes and slices -----------------===//
//
// They move no data: which thread holds which element stays, its coordinates
// change. What cuts through threads goes through memory until scratch is
// materialised.
//
//===----------------------------------------------------------------------===//

#include "tile/Dialect/Tile/TileInterfaces.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::LayoutMap;

static Coordinate getShapeOf(Value value) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return Coordinate(shape.begin(), shape.end());
}

static Coordinate toCoordinate(ArrayRef<int64_t> list) {
  return Coordinate(list.begin(), list.end());
}

/// The dimensions in which a slice is smaller than the whole.
static SmallVector<int64_t> getSlicedDims(OffsetSizeAndStrideOpInterface slice,
                                          Value whole) {
  SmallVector<int64_t> dims;
  for (auto [dim, size, extent] :
       llvm::enumerate(slice.getStaticSizes(), getShapeOf(whole)))
    if (size != extent)
      dims.push_back(static_cast<int64_t>(dim));
  return dims;
}

namespace {

template <typename OpT>
struct ReshapeLayouts final
    : LayoutConstraintsOpInterface::ExternalModel<ReshapeLayouts<OpT>, OpT> {
  void getLayoutConstraints(Operation *op,
                            LayoutConstraints &constraints) const {
    Coordinate source = getShapeOf(op->getOperand(0));
    GivenLayout given;
    given.source = &op->getOpOperand(0);
    given.result = op->getResult(0);
    given.map = LayoutMap::reshape(getShapeOf(given.result));
    given.inverse = LayoutMap::reshape(source);
    given.residentDims = llvm::to_vector(llvm::seq<int64_t>(0, source.size()));
    given.relabelling = Relabelling::Always;
    constraints.given.push_back(std::move(given));
  }
};

struct ExtractSliceLayouts final
    : LayoutConstraintsOpInterface::ExternalModel<ExtractSliceLayouts,
                                                  tensor::ExtractSliceOp> {
  void getLayoutConstraints(Operation *op,
                            LayoutConstraints &constraints) const {
    auto extract = cast<tensor::ExtractSliceOp>(op);
    GivenLayout given;
    given.source = &extract.getSourceMutable();
    given.result = extract.getResult();
    given.map = LayoutMap::slice(toCoordinate(extract.getStaticOffsets()),
                                 toCoordinate(extract.getStaticSizes()),
                                 getShapeOf(given.result));
    given.residentDims = getSlicedDims(extract, extract.getSource());
    given.relabelling = Relabelling::UnlessStaged;
    constraints.given.push_back(std::move(given));
  }
};

/// The result has the layout of the destination, which must be one whose slice
/// exists; the source has that slice's.
struct InsertSliceLayouts final
    : LayoutConstraintsOpInterface::ExternalModel<InsertSliceLayouts,
                                                  tensor::InsertSliceOp> {
  void getLayoutConstraints(Operation *op,
                            LayoutConstraints &constraints) const {
    auto insert = cast<tensor::InsertSliceOp>(op);
    Coordinate offsets = toCoordinate(insert.getStaticOffsets());
    Coordinate sizes = toCoordinate(insert.getStaticSizes());
    Coordinate part = getShapeOf(insert.getSource());
    OpOperand &dest = insert.getDestMutable();
    constraints.same.push_back({&dest, insert.getResult()});
    GivenLayout given;
    given.source = &dest;
    given.result = insert.getResult();
    given.map = LayoutMap::ifSliceable(offsets, sizes, part);
    given.residentDims = getSlicedDims(insert, insert.getDest());
    given.relabelling = Relabelling::UnlessStaged;
    constraints.given.push_back(std::move(given));
    constraints.taken.push_back({&insert.getSourceMutable(), insert.getResult(),
                                 LayoutMap::slice(offsets, sizes, part),
                                 Relabelling::UnlessStaged});
  }
};

} // namespace

void tile::attachInterfacesToTensor(MLIRContext *context) {
  using namespace tensor;
  ExpandShapeOp::attachInterface<ReshapeLayouts<ExpandShapeOp>>(*context);
  CollapseShapeOp::attachInterface<ReshapeLayouts<CollapseShapeOp>>(*context);
  ExtractSliceOp::attachInterface<ExtractSliceLayouts>(*context);
  InsertSliceOp::attachInterface<InsertSliceLayouts>(*context);
}
