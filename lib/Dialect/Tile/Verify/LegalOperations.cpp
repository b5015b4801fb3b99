//===- LegalOperations.cpp - The closed list of legal operations ----------===//
//
// The dialect's operations say by traits where they may stand (Places.h). Of
// other dialects there is a row per operation with its places. `arith` is legal
// wherever its types are, `math` for the functions that have a lowering with a
// known accuracy. What a program might use instead of a listed operation has a
// row in the table of remedies, so that the error says what to write.
//
//===----------------------------------------------------------------------===//

#include "LegalOperations.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

namespace {

constexpr unsigned at(Place place) {
  return 1u << static_cast<unsigned>(place);
}

constexpr unsigned host = at(Place::Host);
constexpr unsigned kernel = at(Place::Kernel);
constexpr unsigned block = at(Place::Block) | kernel;
constexpr unsigned iteration = at(Place::Iteration);
constexpr unsigned once = at(Place::Once);
constexpr unsigned combiner = at(Place::Combiner);
constexpr unsigned everywhere = host | block | iteration | once | combiner;

struct Rule {
  StringLiteral name;
  unsigned places;
};

/// Of other dialects; `arith` and `math` apart, which are judged as a whole.
constexpr Rule rules[] = {
    {"func.call", host | at(Place::Block)},
    {"func.return", host},
    {"gpu.block_id", kernel},
    {"gpu.grid_dim", kernel},
    {"gpu.return", kernel},
    {"memref.alloc", host},
    {"memref.atomic_rmw", block | iteration | once},
    {"memref.cast", host | block},
    {"memref.collapse_shape", host | block},
    {"memref.copy", host},
    {"memref.dealloc", host},
    {"memref.dim", host | block | iteration | once},
    {"memref.expand_shape", host | block},
    {"memref.load", block | iteration | once},
    {"memref.reinterpret_cast", host | block},
    {"memref.store", block | iteration | once},
    {"memref.subview", host | block},
    {"scf.condition", everywhere},
    {"scf.for", everywhere},
    {"scf.if", everywhere},
    {"scf.index_switch", block},
    {"scf.while", everywhere},
    {"scf.yield", everywhere},
    {"tensor.collapse_shape", block},
    {"tensor.expand_shape", block},
    {"tensor.extract", block | iteration},
    {"tensor.extract_slice", block},
    {"tensor.from_elements", block},
    {"tensor.insert_slice", block},
    {"tensor.splat", block},
    {"ub.poison", everywhere},
};

struct Remedy {
  StringLiteral name;
  unsigned places;
  StringLiteral text;
};

/// The first row that matches a name and a place is the one that is printed.
constexpr Remedy remedies[] = {
    {"memref.load", host,
     "memrefs hold device memory; read elements inside a 'tile.launch'"},
    {"memref.store", host,
     "memrefs hold device memory; write elements inside a 'tile.launch'"},
    {"memref.atomic_rmw", host,
     "memrefs hold device memory; write elements inside a 'tile.launch'"},
    {"memref.load", combiner,
     "a combiner has no memory access; load before the operation"},
    {"memref.store", combiner, "a combiner has no memory access"},
    {"tensor.extract", combiner,
     "extract the value before the operation and use it here"},
    {"tensor.extract", once,
     "extract the value before the 'tile.once' and use it here"},
    {"memref.alloc", block | iteration,
     "shared memory is made by 'tile.alloc', global memory by the host"},
    {"memref.alloca", everywhere,
     "use a fragment, or 'tile.alloc' for shared memory"},
    {"memref.dealloc", block | iteration,
     "a buffer's lifetime is found by the compiler; remove it"},
    {"memref.copy", block | iteration, "use 'tile.copy'"},
    {"memref.generic_atomic_rmw", everywhere, "use 'memref.atomic_rmw'"},
    {"memref.get_global", everywhere,
     "pass the memref as an argument of the function"},
    {"func.call", kernel, "calls are inlined by 'tile-inline-calls'"},
    {"func.call", iteration | once | combiner,
     "write the callee's operations here"},
    {"tensor.cast", everywhere,
     "use 'tile.convert_layout' to change a layout; shapes are static"},
    {"tensor.empty", everywhere,
     "use a dense 'arith.constant' or 'tensor.splat'"},
    {"tensor.dim", everywhere, "fragments have static shape; use a constant"},
    {"tensor.insert", everywhere,
     "use 'arith.select' under a mask, 'tensor.insert_slice' or "
     "'tile.parallel'"},
    {"tensor.generate", everywhere, "use 'tile.parallel'"},
    {"tensor.gather", everywhere, "use 'tile.parallel' with 'tensor.extract'"},
    {"tensor.reshape", everywhere,
     "use 'tensor.expand_shape' or 'tensor.collapse_shape'"},
    {"tensor.bitcast", everywhere, "use 'tile.bitcast'"},
    {"tensor.splat", iteration | once | combiner | host,
     "a fragment is made at block level"},
    {"scf.parallel", block, "use 'tile.parallel'"},
    {"scf.forall", block, "use 'tile.parallel'"},
    {"scf.parallel", everywhere, "use 'scf.for'"},
    {"scf.forall", everywhere, "use 'scf.for'"},
    {"scf.index_switch", everywhere, "use 'scf.if'"},
    {"scf.execute_region", everywhere, "write its operations in line"},
    {"affine.for", everywhere, "use 'scf.for'"},
    {"affine.if", everywhere, "use 'scf.if'"},
    {"affine.apply", everywhere, "use 'arith' operations on 'index'"},
    {"affine.load", everywhere, "use 'memref.load'"},
    {"affine.store", everywhere, "use 'memref.store'"},
    {"gpu.barrier", everywhere,
     "remove it: every operation of a launch body is complete before the next"},
    {"gpu.thread_id", everywhere,
     "threads are not in the source; use the induction variables of a "
     "'tile.parallel'"},
    {"gpu.block_id", everywhere,
     "use the block coordinates of the 'tile.launch'"},
    {"gpu.grid_dim", everywhere, "use the extents of the 'tile.launch'"},
    {"cf.assert", everywhere, "use 'tile.assert'"},
};

/// The functions of the page's list, in its order.
constexpr StringLiteral mathFunctions[] = {
    "absf",  "absi",      "ceil", "copysign", "cos",   "ctlz",  "ctpop",
    "erf",   "exp",       "exp2", "expm1",    "floor", "fma",   "isfinite",
    "isinf", "isnan",     "log",  "log1p",    "log2",  "powf",  "round",
    "rsqrt", "roundeven", "sin",  "sqrt",     "tanh",  "trunc",
};

} // namespace

static StringRef describe(Place place) {
  switch (place) {
  case Place::Host:
    return "a host function with launches";
  case Place::Block:
    return "a launch body";
  case Place::Iteration:
    return "the body of a 'tile.parallel'";
  case Place::Once:
    return "the body of a 'tile.once'";
  case Place::Combiner:
    return "a combiner";
  case Place::Kernel:
    return "an outlined kernel";
  }
  llvm_unreachable("all places are listed");
}

static LogicalResult emitIllegal(Operation *op, Place place) {
  StringRef name = op->getName().getStringRef();
  InFlightDiagnostic error = op->emitOpError("cannot stand in ");
  error << describe(place);
  for (const Remedy &remedy : remedies)
    if (remedy.name == name && (remedy.places & at(place)))
      return error << ": " << remedy.text;
  if (standsIn(op, Place::Host) && !standsIn(op, Place::Block))
    return error << (op->getNumRegions() > 0
                         ? ": launches do not nest; put it after this one"
                         : ": it acts on the host; put it in front of the "
                           "launch");
  if (standsIn(op, Place::Block))
    return error << (place == Place::Host
                         ? ": it acts on a block; put it inside a 'tile.launch'"
                         : ": it acts on the whole block; put it outside");
  return error << "; docs/Language.md lists what can";
}

static bool isSupportedMath(StringRef name) {
  return name.consume_front("math.") && llvm::is_contained(mathFunctions, name);
}

/// Offsets and sizes known, strides one: what can be register names.
static LogicalResult verifySlice(OffsetSizeAndStrideOpInterface slice) {
  auto isStatic = [](ArrayRef<int64_t> list) {
    return !ShapedType::isDynamicShape(list);
  };
  if (!isStatic(slice.getStaticOffsets()) || !isStatic(slice.getStaticSizes()))
    return slice->emitOpError(
        "needs static offsets and sizes on a fragment; go through a "
        "'tile.alloc' or 'tile.parallel' for dynamic ones");
  if (!llvm::all_of(slice.getStaticStrides(),
                    [](int64_t stride) { return stride == 1; }))
    return slice->emitOpError("needs unit strides on a fragment; go through a "
                              "'tile.alloc' or 'tile.parallel' for others");
  return success();
}

/// Upstream leaves a constant dimension outside the memref undefined.
static LogicalResult verifyDimension(memref::DimOp op) {
  auto type = dyn_cast<MemRefType>(op.getSource().getType());
  std::optional<int64_t> dim = getConstantIntValue(op.getDimension());
  if (!type || !dim || (*dim >= 0 && *dim < type.getRank()))
    return success();
  return op.emitOpError("asks for dimension ")
         << *dim << " of a memref with " << type.getRank()
         << " dimensions, numbered from 0";
}

/// Casts round to nearest even.
static LogicalResult verifyRounding(Operation *op) {
  auto rounding = dyn_cast<arith::ArithRoundingModeInterface>(op);
  arith::RoundingModeAttr mode =
      rounding ? rounding.getRoundingModeAttr() : arith::RoundingModeAttr();
  if (!mode || mode.getValue() == arith::RoundingMode::to_nearest_even)
    return success();
  return op->emitOpError("must round to nearest even, got ")
         << arith::stringifyRoundingMode(mode.getValue())
         << "; leave the mode out, or use 'math' functions that round before "
            "the cast";
}

LogicalResult tile::verifyLegalOperation(Operation *op, Place place) {
  if (failed(verifyAttributeNames(op)))
    return failure();
  StringRef name = op->getName().getStringRef();
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "arith")
    return verifyRounding(op);
  if (dialect == "math") {
    if (isSupportedMath(name))
      return success();
    InFlightDiagnostic error =
        op->emitOpError("has no lowering; the functions of 'math' are ");
    llvm::interleaveComma(mathFunctions, error);
    return error;
  }
  if (standsIn(op, place))
    return success();
  const Rule *rule =
      llvm::lower_bound(rules, name, [](const Rule &rule, StringRef name) {
        return StringRef(rule.name) < name;
      });
  if (rule == std::end(rules) || rule->name != name ||
      !(rule->places & at(place)))
    return emitIllegal(op, place);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp>([](auto slice) {
        return verifySlice(
            cast<OffsetSizeAndStrideOpInterface>(slice.getOperation()));
      })
      .Case(verifyDimension)
      .Default(success());
}

LogicalResult tile::verifyLegalOperations(Region &region, Place place) {
  WalkResult result =
      region.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
        return verifyLegalOperation(op, place);
      });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool tile::isNarrowFloat(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 8;
}

bool tile::isLegalElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1u, 4u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<IndexType, Float64Type, Float32Type, Float16Type, BFloat16Type,
             Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType,
             Float6E2M3FNType, Float6E3M2FNType, Float4E2M1FNType>(type);
}

/// What multiplies numbers of `type`, a narrow float.
static StringRef getProductUse(Type type) {
  if (isa<Float8E8M0FNUType>(type))
    return "used as scales of 'tile.gemm_scaled'";
  return isa<Float8E4M3FNType, Float8E5M2Type>(type)
             ? "multiplied by 'tile.gemm'"
             : "multiplied by 'tile.gemm_scaled'";
}

LogicalResult tile::verifyElementTypes(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (isa<arith::ConstantOp, arith::TruncFOp, arith::ExtFOp, arith::BitcastOp,
          arith::SelectOp>(op) ||
      !(dialect == "arith" || dialect == "math" ||
        isa<ReduceOp, ScanOp, PartialReduceOp, memref::AtomicRMWOp>(op)))
    return success();
  auto isNarrow = [](Type type) {
    return isNarrowFloat(getElementTypeOrSelf(type));
  };
  auto operand = llvm::find_if(op->getOperandTypes(), isNarrow);
  auto result = llvm::find_if(op->getResultTypes(), isNarrow);
  if (operand == op->operand_type_end() && result == op->result_type_end())
    return success();
  Type type = getElementTypeOrSelf(operand != op->operand_type_end() ? *operand
                                                                     : *result);
  return op->emitOpError("does not exist on ")
         << type << ", which can be converted, selected, moved and "
         << getProductUse(type)
         << " only; compute in f32 with 'arith.extf' and 'arith.truncf'";
}

bool tile::isTooLarge(ArrayRef<int64_t> shape, int64_t most) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent > most / count)
      return true;
    count *= std::max<int64_t>(extent, 1);
  }
  return false;
}

static LogicalResult
verifyFragmentType(RankedTensorType type,
                   function_ref<InFlightDiagnostic()> emit) {
  if (!type.hasStaticShape())
    return emit() << "a fragment must have static shape, got " << type;
  if (llvm::is_contained(type.getShape(), 0))
    return emit() << "a fragment must have at least one element, got " << type;
  if (isTooLarge(type.getShape()))
    return emit() << "a fragment must have at most " << maxTileElements
                  << " elements, got " << type
                  << "; give the block a smaller tile";
  if (type.getEncoding() && !isa<FragmentAttr>(type.getEncoding()))
    return emit() << "the encoding of a fragment must be a #tile.fragment, got "
                  << type;
  return success();
}

static LogicalResult verifyMemRefType(MemRefType type, Place place,
                                      function_ref<InFlightDiagnostic()> emit) {
  Attribute space = type.getMemorySpace();
  auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
  bool isGlobal =
      !space || (gpuSpace && gpuSpace.getValue() == gpu::AddressSpace::Global);
  if (!isGlobal && !isSharedMemory(type))
    return emit()
           << "a memref must be in global memory (no memory space) or in "
              "#gpu.address_space<workgroup>, got "
           << type;
  if (!isGlobal && place == Place::Host)
    return emit() << "shared memory exists inside a 'tile.launch' only, got "
                  << type;
  if (!isGlobal && !type.hasStaticShape())
    return emit() << "a memref in shared memory must have static shape, got "
                  << type;
  if (!type.isStrided())
    return emit() << "the layout map of a memref must be strided, got " << type;
  return success();
}

LogicalResult
tile::verifyValueType(Type type, Place place,
                      function_ref<InFlightDiagnostic()> emitError) {
  if (isa<RingType, PendingType>(type)) {
    if (place == Place::Block || place == Place::Kernel)
      return success();
    return emitError() << type << " exists in a launch body only, got one in "
                       << describe(place);
  }
  if (isa<TensorMapType>(type)) {
    if (place == Place::Host || place == Place::Kernel)
      return success();
    return emitError() << type << " exists on the host and in kernels only, got"
                       << " one in " << describe(place);
  }
  if (isa<ShapedType>(type) && !isa<RankedTensorType, MemRefType>(type))
    return emitError()
           << "values must be scalars, ranked tensors of static shape "
              "and ranked memrefs, got "
           << type;
  if (!isLegalElementType(getElementTypeOrSelf(type)))
    return emitError() << "the language has no values of type " << type
                       << "; element types are f64, f32, f16, bf16, f8E4M3FN, "
                          "f8E5M2, i1, i8, i16, i32, i64 and index, for "
                          "instructions that take them also f8E8M0FNU, "
                          "f6E2M3FN, f6E3M2FN, f4E2M1FN and i4";
  if (isa<ShapedType>(type) && place != Place::Block &&
      place != Place::Kernel && place != Place::Host)
    return emitError() << "values made in " << describe(place)
                       << " must be scalars, got " << type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (place == Place::Host)
      return emitError() << "fragments exist inside a 'tile.launch' only, got "
                         << type;
    return verifyFragmentType(tensor, emitError);
  }
  if (auto memref = dyn_cast<MemRefType>(type))
    return verifyMemRefType(memref, place, emitError);
  return success();
}
