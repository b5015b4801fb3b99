//===- ProgramBuilder.cpp - Tile programs made by C++ ---------------------===//

#include "tile/Dialect/Tile/ProgramBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::tile;

ProgramBuilder::ProgramBuilder(Location loc, Region &region)
    : ImplicitLocOpBuilder(loc, loc.getContext()) {
  setInsertionPointToEnd(&region.back());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value ProgramBuilder::index(int64_t number) {
  return arith::ConstantIndexOp::create(*this, number);
}

Value ProgramBuilder::splat(ArrayRef<int64_t> shape, Type element,
                            double number) {
  auto type = RankedTensorType::get(shape, element);
  Attribute value;
  if (auto floating = dyn_cast<FloatType>(element))
    value = getFloatAttr(floating, number);
  else
    value = getIntegerAttr(element, static_cast<int64_t>(number));
  return arith::ConstantOp::create(*this, DenseElementsAttr::get(type, value));
}

Value ProgramBuilder::size(Value memref, int64_t dim) {
  return memref::DimOp::create(*this, memref, dim);
}

Value ProgramBuilder::ceilDiv(Value dividend, Value divisor) {
  return arith::CeilDivUIOp::create(*this, dividend, divisor);
}

MemRefType ProgramBuilder::sharedType(ArrayRef<int64_t> shape, Type element) {
  return MemRefType::get(
      shape, element, MemRefLayoutAttrInterface(),
      gpu::AddressSpaceAttr::get(getContext(), gpu::AddressSpace::Workgroup));
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

func::FuncOp ProgramBuilder::function(StringRef name, TypeRange arguments,
                                      Body body) {
  auto function = func::FuncOp::create(
      *this, name, getFunctionType(arguments, /*results=*/{}));
  InsertionGuard guard(*this);
  setInsertionPointToStart(function.addEntryBlock());
  body(function.getArguments());
  func::ReturnOp::create(*this);
  return function;
}

LaunchOp ProgramBuilder::launch(ValueRange grid, int64_t threads, Body body,
                                StringRef kernel) {
  LaunchOp launch = LaunchOp::create(*this, grid, threads, kernel);
  InsertionGuard guard(*this);
  setInsertionPointToStart(&launch.getBody().front());
  body(launch.getBody().getArguments());
  return launch;
}

scf::ForOp ProgramBuilder::loop(Value lower, Value upper, Value step,
                                ValueRange carried, int64_t stages,
                                ValueBody body) {
  auto loop = scf::ForOp::create(*this, lower, upper, step, carried);
  InsertionGuard guard(*this);
  // Without carried values the terminator is there.
  setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next = body(loop.getBody()->getArguments());
  if (!carried.empty())
    scf::YieldOp::create(*this, next);
  if (stages > 0)
    setStages(loop, stages);
  return loop;
}

/// A block with these arguments, at whose end the builder is then.
Region &ProgramBuilder::addBody(Operation *op, TypeRange arguments) {
  Region &region = op->getRegion(0);
  SmallVector<Location> locations(arguments.size(), getLoc());
  createBlock(&region, region.end(), arguments, locations);
  return region;
}

ParallelOp ProgramBuilder::parallel(ArrayRef<int64_t> shape,
                                    ArrayRef<Type> elements, ValueBody body,
                                    std::optional<int64_t> coalescedWidth) {
  SmallVector<Type> results;
  for (Type element : elements)
    results.push_back(RankedTensorType::get(shape, element));
  auto op = ParallelOp::create(
      *this, results, shape,
      coalescedWidth ? getI64IntegerAttr(*coalescedWidth) : IntegerAttr(),
      /*layout=*/{}, /*vector_width=*/{});
  InsertionGuard guard(*this);
  SmallVector<Type> numbers(shape.size(), getIndexType());
  Region &region = addBody(op, numbers);
  YieldOp::create(*this, body(region.getArguments()));
  return op;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// A box in attributes; null where it says nothing.
struct BoxAttributes {
  DenseI64ArrayAttr extents;
  IntegerAttr rowsDim;
  DenseBoolArrayAttr inBounds;

  BoxAttributes(Builder &builder, const Box &box) {
    if (!box.extents.empty())
      extents = builder.getDenseI64ArrayAttr(box.extents);
    if (box.rows)
      rowsDim = builder.getI64IntegerAttr(box.rowsDim);
    if (!box.inBounds.empty())
      inBounds = builder.getDenseBoolArrayAttr(box.inBounds);
  }
};
} // namespace

Value ProgramBuilder::alloc(ArrayRef<int64_t> shape, Type element,
                            SharedAttr layout) {
  return AllocOp::create(*this, sharedType(shape, element), layout,
                         /*alignment=*/IntegerAttr());
}

CopyOp ProgramBuilder::copy(const Box &source, const Box &dest, Value pad) {
  BoxAttributes from(*this, source), to(*this, dest);
  return CopyOp::create(*this, source.memref, source.start, source.rows,
                        dest.memref, dest.start, dest.rows, pad,
                        /*tensor_map=*/Value(), from.extents, from.rowsDim,
                        from.inBounds, to.extents, to.rowsDim, to.inBounds,
                        /*layout=*/{}, /*vector_width=*/{}, /*instruction=*/{},
                        /*multicast=*/{});
}

Value ProgramBuilder::load(const Box &source, ArrayRef<int64_t> shape,
                           Type element, Value pad) {
  if (!element)
    element = getElementTypeOrSelf(source.memref.getType());
  BoxAttributes from(*this, source);
  return LoadOp::create(*this, RankedTensorType::get(shape, element),
                        source.memref, source.start, source.rows, pad,
                        from.extents, from.rowsDim, from.inBounds,
                        /*vector_width=*/{}, /*inner_width=*/{});
}

StoreOp ProgramBuilder::store(Value value, const Box &dest) {
  BoxAttributes to(*this, dest);
  return StoreOp::create(*this, value, dest.memref, dest.start, dest.rows,
                         to.extents, to.rowsDim, to.inBounds,
                         /*vector_width=*/{}, /*inner_width=*/{});
}

AtomicRMWOp ProgramBuilder::atomicRMW(arith::AtomicRMWKind kind, Value value,
                                      const Box &dest) {
  BoxAttributes to(*this, dest);
  return AtomicRMWOp::create(*this, kind, value, dest.memref, dest.start,
                             dest.rows, to.extents, to.rowsDim, to.inBounds,
                             /*vector_width=*/{});
}

Im2ColOp ProgramBuilder::im2col(Value image, Value row, Value column,
                                Value dest, ArrayRef<int64_t> kernel,
                                ArrayRef<int64_t> strides,
                                ArrayRef<int64_t> dilations,
                                ArrayRef<int64_t> padding) {
  return Im2ColOp::create(*this, image, row, column, dest,
                          /*tensor_map=*/Value(), getI64ArrayAttr(kernel),
                          getI64ArrayAttr(strides), getI64ArrayAttr(dilations),
                          getI64ArrayAttr(padding), /*layout=*/{},
                          /*vector_width=*/{}, /*instruction=*/{},
                          /*multicast=*/{});
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The type of `a` times `b` with elements of `accumulator`.
static RankedTensorType getProductType(Value a, Value b, Type accumulator,
                                       const ProductOptions &options) {
  auto shapeOfA = cast<ShapedType>(a.getType()).getShape();
  auto shapeOfB = cast<ShapedType>(b.getType()).getShape();
  return RankedTensorType::get({shapeOfA[options.transposeA ? 1 : 0],
                                shapeOfB[options.transposeB ? 0 : 1]},
                               accumulator);
}

static GemmOp createGemm(ProgramBuilder &builder, Type result, Value a, Value b,
                         Value c, const ProductOptions &options) {
  return GemmOp::create(builder, result, a, b, c, options.transposeA,
                        options.transposeB, options.unsignedA,
                        options.unsignedB, options.precision, options.warps,
                        /*instruction=*/{}, /*warp_grid=*/{}, /*load_a=*/{},
                        /*load_b=*/{});
}

Value ProgramBuilder::gemm(Value a, Value b, Value c,
                           const ProductOptions &options) {
  return createGemm(*this, c.getType(), a, b, c, options);
}

Value ProgramBuilder::gemm(Value a, Value b, Type accumulator,
                           const ProductOptions &options) {
  return createGemm(*this, getProductType(a, b, accumulator, options), a, b,
                    /*c=*/{}, options);
}

Value ProgramBuilder::gemmSparse(Value a, Value metadata, Value b, Value c,
                                 const ProductOptions &options) {
  return GemmSparseOp::create(
      *this, c.getType(), a, metadata, b, c, options.transposeA,
      options.transposeB, options.unsignedA, options.unsignedB,
      options.precision, options.warps, /*instruction=*/{}, /*warp_grid=*/{},
      /*load_a=*/{}, /*load_b=*/{});
}

Value ProgramBuilder::gemmScaled(Value a, Value scaleA, Value b, Value scaleB,
                                 Value c, int64_t block,
                                 const ProductOptions &options) {
  return GemmScaledOp::create(*this, c.getType(), a, scaleA, b, scaleB, c,
                              options.transposeA, options.transposeB, block,
                              options.warps, /*instruction=*/{},
                              /*warp_grid=*/{}, /*load_a=*/{}, /*load_b=*/{});
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

static RankedTensorType getReducedType(Type type, ArrayRef<int64_t> dims) {
  auto operand = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < operand.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      shape.push_back(operand.getDimSize(dim));
  return RankedTensorType::get(shape, operand.getElementType());
}

Value ProgramBuilder::reduce(vector::CombiningKind kind, Value operand,
                             ArrayRef<int64_t> dims, Value init,
                             arith::FastMathFlags flags) {
  return ReduceOp::create(
             *this, TypeRange{getReducedType(operand.getType(), dims)},
             ValueRange{operand}, init ? ValueRange{init} : ValueRange{},
             vector::CombiningKindAttr::get(getContext(), kind), dims, flags)
      ->getResult(0);
}

/// The body of a combiner: of each operand an element so far, then a new one.
SmallVector<Value> ProgramBuilder::combine(Operation *op, ValueRange operands,
                                           ValueBody combiner) {
  InsertionGuard guard(*this);
  SmallVector<Type> elements;
  for (int i = 0; i < 2; ++i)
    for (Value operand : operands)
      elements.push_back(getElementTypeOrSelf(operand.getType()));
  Region &region = addBody(op, elements);
  YieldOp::create(*this, combiner(region.getArguments()));
  return op->getResults();
}

SmallVector<Value> ProgramBuilder::reduce(ValueRange operands,
                                          ArrayRef<int64_t> dims,
                                          ValueBody combiner,
                                          ValueRange inits) {
  SmallVector<Type> results;
  for (Value operand : operands)
    results.push_back(getReducedType(operand.getType(), dims));
  auto op = ReduceOp::create(*this, results, operands, inits,
                             /*kind=*/vector::CombiningKindAttr(), dims);
  return combine(op, operands, combiner);
}

Value ProgramBuilder::scan(vector::CombiningKind kind, Value operand,
                           int64_t dim, bool reverse, bool exclusive) {
  return ScanOp::create(*this, TypeRange{operand.getType()},
                        ValueRange{operand}, ValueRange{},
                        vector::CombiningKindAttr::get(getContext(), kind), dim,
                        reverse, exclusive)
      ->getResult(0);
}

SmallVector<Value> ProgramBuilder::scan(ValueRange operands, int64_t dim,
                                        ValueBody combiner, ValueRange inits,
                                        bool reverse, bool exclusive) {
  auto op = ScanOp::create(*this, operands.getTypes(), operands, inits,
                           /*kind=*/vector::CombiningKindAttr(), dim, reverse,
                           exclusive);
  return combine(op, operands, combiner);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value ProgramBuilder::broadcast(Value source, ArrayRef<int64_t> dims,
                                ArrayRef<int64_t> shape) {
  auto type =
      RankedTensorType::get(shape, getElementTypeOrSelf(source.getType()));
  return BroadcastOp::create(*this, type, source, dims);
}

Value ProgramBuilder::transpose(Value source, ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  return TransposeOp::create(
      *this, RankedTensorType::get(shape, type.getElementType()), source,
      permutation);
}

Value ProgramBuilder::bitcast(Value source, Type element) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (!shape.empty())
    shape.back() = shape.back() * type.getElementTypeBitWidth() /
                   element.getIntOrFloatBitWidth();
  return BitcastOp::create(*this, RankedTensorType::get(shape, element),
                           source);
}

//===----------------------------------------------------------------------===//
// Facts and debugging
//===----------------------------------------------------------------------===//

Value ProgramBuilder::assumeDivisible(Value number, int64_t divisor) {
  return AssumeDivisibleOp::create(*this, number, divisor);
}

Value ProgramBuilder::assume(Value memref, ArrayRef<int64_t> sizes,
                             ArrayRef<int64_t> strides, int64_t alignment) {
  auto getDivisors = [&](ArrayRef<int64_t> divisors) {
    return divisors.empty() ? DenseI64ArrayAttr()
                            : getDenseI64ArrayAttr(divisors);
  };
  return AssumeOp::create(
      *this, memref, getDivisors(sizes), getDivisors(strides),
      alignment ? getI64IntegerAttr(alignment) : IntegerAttr());
}

void ProgramBuilder::print(StringRef label, Value value) {
  PrintOp::create(*this, label, value);
}

void ProgramBuilder::require(Value condition, StringRef message) {
  AssertOp::create(*this, condition, message);
}

void tile::setSizeNames(func::FuncOp function, unsigned argument,
                        ArrayRef<StringRef> names) {
  function.setArgAttr(argument, TileDialect::DimsAttrHelper::getNameStr(),
                      Builder(function.getContext()).getStrArrayAttr(names));
}

void tile::setDivisors(func::FuncOp function, unsigned argument,
                       ArrayRef<int64_t> divisors) {
  function.setArgAttr(argument, TileDialect::DivisibleAttrHelper::getNameStr(),
                      DenseI64ArrayAttr::get(function.getContext(), divisors));
}

void tile::setAlignment(func::FuncOp function, unsigned argument,
                        int64_t bytes) {
  Builder builder(function.getContext());
  function.setArgAttr(argument, TileDialect::AlignAttrHelper::getNameStr(),
                      builder.getI64IntegerAttr(bytes));
}

void tile::setMayAlias(func::FuncOp function, unsigned argument) {
  function.setArgAttr(argument, TileDialect::MayAliasAttrHelper::getNameStr(),
                      UnitAttr::get(function.getContext()));
}

void tile::setStages(scf::ForOp loop, int64_t stages) {
  Builder builder(loop.getContext());
  TileDialect::StagesAttrHelper(loop.getContext())
      .setAttr(loop, builder.getI32IntegerAttr(static_cast<int32_t>(stages)));
}
