//===- LayoutGraph.cpp - The constraints between layouts ------------------===//

#include "LayoutGraph.h"

#include "tile/Dialect/Tile/OwnElement.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coordinate;
using tilec::Expected;
using tilec::FragmentLayout;

static bool isFragment(Value value) {
  return isa<RankedTensorType>(value.getType());
}

static Coordinate getShapeOf(Value value) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return Coordinate(shape.begin(), shape.end());
}

static Expected<FragmentLayout> identity(const FragmentLayout &layout) {
  return layout;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

LayoutGraph::LayoutGraph(LaunchOp launch) {
  launch.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { addValues(op); });
  parents.resize(values.size());
  std::iota(parents.begin(), parents.end(), 0);
  fixedLayouts.resize(values.size());
  launch.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { addEdges(op); });
}

int LayoutGraph::addNode(Value value, ParallelOp loop,
                         ArrayRef<int64_t> shape) {
  values.push_back(value);
  loops.push_back(loop);
  shapes.push_back(Coordinate(shape.begin(), shape.end()));
  return getNodeCount() - 1;
}

void LayoutGraph::addValues(Operation *op) {
  auto add = [&](Value value) {
    if (isFragment(value))
      valueNodes[value] = addNode(value, ParallelOp(), getShapeOf(value));
  };
  if (auto loop = dyn_cast<ParallelOp>(op))
    loopNodes[op] = addNode(Value(), loop, loop.getShape());
  llvm::for_each(op->getResults(), add);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::for_each(block.getArguments(), add);
}

int LayoutGraph::getNode(Value fragment) const {
  return valueNodes.lookup(fragment);
}

int LayoutGraph::getNode(ParallelOp loop) const {
  return loopNodes.lookup(loop.getOperation());
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

void LayoutGraph::addSame(OpOperand &use, int target, bool targetIsOperand) {
  int source = getNode(use.get());
  sameNodes.push_back({source, target});
  operandEdges.push_back({&use, source, target, identity, targetIsOperand});
}

void LayoutGraph::addEdges(Operation *op) {
  if (auto gemm = dyn_cast<GemmOp>(op)) {
    if (gemm.getC())
      addSame(gemm.getCMutable()[0], getNode(gemm.getResult()));
    return; // operands a and b depend on the instruction: chosen later
  }
  if (auto loop = dyn_cast<ParallelOp>(op))
    return addParallelEdges(loop);
  if (op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() > 0 &&
      isFragment(op->getResult(0))) {
    for (Value result : op->getResults().drop_front())
      sameNodes.push_back({getNode(op->getResult(0)), getNode(result)});
    for (OpOperand &use : op->getOpOperands())
      if (isFragment(use.get()))
        addSame(use, getNode(op->getResult(0)));
    return;
  }
  addControlFlowEdges(op);
  addShapeEdges(op);
  addRowsEdges(op);
}

std::optional<int> tile::getRowsTileDim(const Side &side,
                                        ArrayRef<int64_t> tileShape) {
  SmallVector<int64_t> dims = side.getTileDims(tileShape);
  auto it = llvm::find(dims, side.rowsDim.value_or(-1));
  if (it == dims.end())
    return std::nullopt;
  return static_cast<int>(it - dims.begin());
}

void LayoutGraph::addRowsEdges(Operation *op) {
  auto add = [&](MutableOperandRange rows, const Side &side, Value tile,
                 bool tileIsOperand) {
    if (rows.empty())
      return;
    auto dim = getRowsTileDim(side, getShapeOf(tile));
    if (!dim)
      return;
    operandEdges.push_back({&rows[0], getNode(side.rows), getNode(tile),
                            [dim = *dim](const FragmentLayout &layout) {
                              return Expected<FragmentLayout>(
                                  projectLayout(layout, {dim}));
                            },
                            tileIsOperand});
  };
  if (auto load = dyn_cast<LoadOp>(op))
    add(load.getSourceRowsMutable(), load.getSourceSide(), load.getResult(),
        /*tileIsOperand=*/false);
  else if (auto store = dyn_cast<StoreOp>(op))
    add(store.getDestRowsMutable(), store.getDestSide(), store.getValue(),
        /*tileIsOperand=*/true);
  else if (auto atomic = dyn_cast<AtomicRMWOp>(op))
    add(atomic.getDestRowsMutable(), atomic.getDestSide(), atomic.getValue(),
        /*tileIsOperand=*/true);
}

void LayoutGraph::addControlFlowEdges(Operation *op) {
  auto joinValues = [&](Value a, Value b) {
    if (isFragment(a))
      sameNodes.push_back({getNode(a), getNode(b)});
  };
  auto flow = [&](OpOperand &use, Value target) {
    if (isFragment(use.get()))
      addSame(use, getNode(target));
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, argument, result] :
         llvm::zip(loop.getInitArgsMutable(), loop.getRegionIterArgs(),
                   loop.getResults())) {
      joinValues(argument, result);
      flow(init, argument);
    }
    for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      flow(loop.getBody()->getTerminator()->getOpOperand(index), argument);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [init, argument] :
         llvm::zip(loop.getInitsMutable(), loop.getBeforeArguments()))
      flow(init, argument);
    auto forwarded = loop.getConditionOp().getArgsMutable();
    for (auto [use, argument, result] :
         llvm::zip(forwarded, loop.getAfterArguments(), loop.getResults())) {
      joinValues(argument, result);
      flow(use, argument);
    }
    for (auto [use, argument] : llvm::zip(loop.getYieldOp()->getOpOperands(),
                                          loop.getBeforeArguments()))
      flow(use, argument);
  } else if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      Operation *yield = region.front().getTerminator();
      for (auto [use, result] :
           llvm::zip(yield->getOpOperands(), op->getResults()))
        flow(use, result);
    }
  }
}

void LayoutGraph::addParallelEdges(ParallelOp loop) {
  int node = getNode(loop);
  for (Value result : loop.getResults()) {
    sameNodes.push_back({node, getNode(result)});
    resultEdges.push_back(
        {nullptr, node, getNode(result), identity, identity, {}});
  }
  loop.getBody().walk([&](tensor::ExtractOp extract) {
    auto dims = getOwnElementDims(extract, loop);
    if (!dims)
      return;
    bool isWhole =
        dims->size() == loop.getShape().size() && llvm::is_sorted(*dims);
    OpOperand &use = extract.getTensorMutable();
    if (isWhole)
      return addSame(use, node);
    operandEdges.push_back({&use, getNode(use.get()), node,
                            [dims = *dims](const FragmentLayout &layout) {
                              return Expected<FragmentLayout>(
                                  projectLayout(layout, dims));
                            }});
  });
}

static std::vector<int> toDims(ArrayRef<int64_t> dims) {
  return std::vector<int>(dims.begin(), dims.end());
}

static std::vector<int> invertPermutation(const std::vector<int> &permutation) {
  std::vector<int> inverse(permutation.size());
  for (size_t dim = 0; dim < permutation.size(); ++dim)
    inverse[permutation[dim]] = dim;
  return inverse;
}

static SmallVector<int> allDims(size_t rank) {
  SmallVector<int> dims(rank);
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

/// The part that a static slice op names, as a function of the whole's layout.
template <typename SliceOp>
static DeriveLayout sliceOf(SliceOp op, Coordinate partShape) {
  Coordinate offsets(op.getStaticOffsets().begin(),
                     op.getStaticOffsets().end());
  Coordinate sizes(op.getStaticSizes().begin(), op.getStaticSizes().end());
  return [=](const FragmentLayout &layout) -> Expected<FragmentLayout> {
    auto part = layout.slice(offsets, sizes);
    if (!part || part->getShape() == partShape)
      return part;
    return part->reshape(partShape); // rank-reducing: unit dimensions go
  };
}

/// The dimensions in which a slice is smaller than the whole.
template <typename SliceOp>
static SmallVector<int> getSlicedDims(SliceOp op, const Coordinate &whole) {
  SmallVector<int> dims;
  for (auto [dim, size] : llvm::enumerate(op.getStaticSizes()))
    if (size != whole[dim])
      dims.push_back(dim);
  return dims;
}

void LayoutGraph::addSliceEdges(Operation *op) {
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
    Value source = extract.getSource(), result = extract.getResult();
    resultEdges.push_back({&extract.getSourceMutable(), getNode(source),
                           getNode(result),
                           sliceOf(extract, getShapeOf(result)), nullptr,
                           getSlicedDims(extract, getShapeOf(source))});
    return;
  }
  // The result has the layout of the destination, which must be one whose slice
  // exists; the source has that slice's.
  auto insert = cast<tensor::InsertSliceOp>(op);
  DeriveLayout slice = sliceOf(insert, getShapeOf(insert.getSource()));
  auto ifSliceable =
      [slice](const FragmentLayout &layout) -> Expected<FragmentLayout> {
    auto part = slice(layout);
    if (!part)
      return tilec::Failure{part.reason()};
    return layout;
  };
  int dest = getNode(insert.getDest()), result = getNode(insert.getResult());
  sameNodes.push_back({dest, result});
  resultEdges.push_back({&insert.getDestMutable(), dest, result, ifSliceable,
                         nullptr,
                         getSlicedDims(insert, getShapeOf(insert.getDest()))});
  operandEdges.push_back(
      {&insert.getSourceMutable(), getNode(insert.getSource()), result, slice});
}

void LayoutGraph::addBitcastEdges(BitcastOp bitcast) {
  Value source = bitcast.getSource(), result = bitcast.getResult();
  if (getShapeOf(source) == getShapeOf(result))
    return addSame(bitcast.getSourceMutable(), getNode(result));
  // Widening joins elements that one thread must hold in a row.
  auto recast = [](RankedTensorType from, RankedTensorType to) -> DeriveLayout {
    int64_t fromBits = from.getElementTypeBitWidth();
    int64_t toBits = to.getElementTypeBitWidth();
    return [=](const FragmentLayout &layout) {
      return getBitcastLayout(layout, fromBits, toBits);
    };
  };
  int lastDim = static_cast<int>(getShapeOf(source).size()) - 1;
  resultEdges.push_back(
      {&bitcast.getSourceMutable(),
       getNode(source),
       getNode(result),
       recast(bitcast.getSource().getType(), bitcast.getType()),
       recast(bitcast.getType(), bitcast.getSource().getType()),
       {lastDim}});
}

/// All operands and results of a scan in one layout, `init` in that without the
/// scanned dimension.
void LayoutGraph::addScanEdges(ScanOp scan) {
  for (Value result : scan.getResults())
    sameNodes.push_back({getNode(scan.getResult(0)), getNode(result)});
  for (OpOperand &use : scan.getOperands_Mutable())
    addSame(use, getNode(scan.getResult(0)));
  int dim = static_cast<int>(scan.getDim());
  for (OpOperand &use : scan.getInitsMutable())
    operandEdges.push_back(
        {&use, getNode(use.get()), getNode(scan.getResult(0)),
         [dim](const FragmentLayout &layout) {
           return Expected<FragmentLayout>(layout.dropDims({dim}));
         }});
}

void LayoutGraph::addShapeEdges(Operation *op) {
  auto reshapeTo = [](Coordinate shape) -> DeriveLayout {
    return
        [shape](const FragmentLayout &layout) { return layout.reshape(shape); };
  };
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    operandEdges.push_back(
        {&broadcast.getSourceMutable(), getNode(broadcast.getSource()),
         getNode(broadcast.getResult()),
         [dims = toDims(broadcast.getDims())](const FragmentLayout &layout) {
           return Expected<FragmentLayout>(layout.dropDims(dims));
         }});
  } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
    auto drop = [dims =
                     toDims(reduce.getDims())](const FragmentLayout &layout) {
      return Expected<FragmentLayout>(layout.dropDims(dims));
    };
    // All operands in the layout of the first, all results in the one it gives.
    OpOperand &first = op->getOpOperand(0);
    int source = getNode(first.get());
    for (auto [index, value] : llvm::enumerate(reduce.getSources()))
      if (index > 0)
        addSame(op->getOpOperand(index), source, /*targetIsOperand=*/true);
    for (Value result : reduce.getResults())
      resultEdges.push_back(
          {&first, source, getNode(result), drop, nullptr, {}});
    int64_t firstInit = reduce.getSources().size();
    for (auto [index, init] : llvm::enumerate(reduce.getInits()))
      addSame(op->getOpOperand(firstInit + index),
              getNode(reduce.getResult(index)));
  } else if (auto scan = dyn_cast<ScanOp>(op)) {
    addScanEdges(scan);
  } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
    std::vector<int> permutation = toDims(transpose.getPermutation());
    auto apply = [](std::vector<int> order) -> DeriveLayout {
      return [order](const FragmentLayout &layout) {
        return Expected<FragmentLayout>(layout.transpose(order));
      };
    };
    resultEdges.push_back({&transpose.getSourceMutable(),
                           getNode(transpose.getSource()),
                           getNode(transpose.getResult()),
                           apply(permutation),
                           apply(invertPermutation(permutation)),
                           {}});
  } else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    Value source = op->getOperand(0), result = op->getResult(0);
    resultEdges.push_back({&op->getOpOperand(0), getNode(source),
                           getNode(result), reshapeTo(getShapeOf(result)),
                           reshapeTo(getShapeOf(source)),
                           allDims(getShapeOf(source).size())});
  } else if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op)) {
    addSliceEdges(op);
  } else if (auto bitcast = dyn_cast<BitcastOp>(op)) {
    addBitcastEdges(bitcast);
  }
  // Conversions, loads, stores and everything else leave their fragments free.
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

int LayoutGraph::getClass(int node) const {
  while (parents[node] != node)
    node = parents[node] = parents[parents[node]];
  return node;
}

void LayoutGraph::fix(int node, const FragmentLayout &layout) {
  fixedLayouts[node] = layout;
}

std::optional<FragmentLayout> LayoutGraph::getFixedLayout(int classId) const {
  return fixedLayouts[classId];
}

void LayoutGraph::join(int a, int b) {
  a = getClass(a);
  b = getClass(b);
  if (a == b || shapes[a] != shapes[b])
    return;
  if (fixedLayouts[a] && fixedLayouts[b] &&
      !(*fixedLayouts[a] == *fixedLayouts[b]))
    return;
  if (b < a)
    std::swap(a, b);
  if (!fixedLayouts[a])
    fixedLayouts[a] = fixedLayouts[b];
  parents[b] = a;
}

void LayoutGraph::joinClasses() {
  for (auto [a, b] : sameNodes)
    join(a, b);
}
