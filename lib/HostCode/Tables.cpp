//===- Tables.cpp - What the runtime is told of a program -----------------===//
//
// Each function fills the fields of one struct, in the order of tile-rt/abi.h.
//
//===----------------------------------------------------------------------===//

#include "Tables.h"

#include "Signature.h"

#include "tile-rt/abi.h"
#include "tile/Dialect/Tile/Assertions.h"
#include "tile/Dialect/Tile/FixedLayout.h"
#include "tile/Dialect/Tile/Locations.h"
#include "tile/Dialect/Tile/TensorMapShape.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/GpuTarget.h"

using namespace mlir;
using namespace mlir::tile;

static_assert(TILE_RT_ANY == tilec::anyExtent);

/// What traps of the kernels mean, as pairs of texts.
static SmallVector<Field> addAssertions(ModuleOp source, Constants &constants) {
  llvm::StringMap<std::string> assertions = findAssertions(source);
  SmallVector<StringRef> places = llvm::to_vector(assertions.keys());
  llvm::sort(places); // the order of a hash table is none
  SmallVector<Field> texts;
  for (StringRef place : places) {
    texts.push_back(constants.addText(place));
    texts.push_back(constants.addText(assertions[place]));
  }
  return texts;
}

/// TileRtImage.
Tables::Tables(ModuleOp module, const CompiledProgram &program)
    : constants(module) {
  const tilec::GpuTarget *target = tilec::findTarget(program.chip);
  SmallVector<Field> assertions =
      addAssertions(program.source.get(), constants);
  LLVM::GlobalOp cubin, texts;
  if (!program.cubin.empty())
    cubin = constants.addText(program.cubin);
  if (!assertions.empty())
    texts = constants.addTable(assertions);
  image =
      constants.addTable({TILE_RT_ABI_VERSION, constants.addText(program.ptx),
                          static_cast<int64_t>(program.ptx.size()), cubin,
                          static_cast<int64_t>(program.cubin.size()),
                          target ? target->multiprocessorCount : 1,
                          static_cast<int64_t>(assertions.size() / 2), texts});
}

LLVM::GlobalOp Tables::getPlace(Location loc) {
  return constants.addText(formatLocation(loc));
}

/// TileRtMemRef.
LLVM::GlobalOp Tables::getType(MemRefType type) {
  LLVM::GlobalOp &known = types[type];
  if (!known) {
    FixedLayout layout = *getFixedLayout(type);
    known = constants.addTable(
        {type.getRank(), getMemoryBits(type.getElementType()),
         constants.addNumbers(layout.sizes),
         constants.addNumbers(layout.strides), layout.offset});
  }
  return known;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

template <typename Helper, typename Attr>
static Attr getFact(func::FuncOp function, unsigned argument) {
  return function.getArgAttrOfType<Attr>(argument, Helper::getNameStr());
}

/// TileRtArgument.
void Tables::addArgument(func::FuncOp function, unsigned number, StringRef name,
                         SmallVectorImpl<Field> &fields) {
  fields.push_back(constants.addText(name));
  auto type = dyn_cast<MemRefType>(function.getArgument(number).getType());
  fields.push_back(type ? getType(type) : LLVM::GlobalOp());
  LLVM::GlobalOp divisors, names;
  if (auto divisible =
          getFact<TileDialect::DivisibleAttrHelper, DenseI64ArrayAttr>(function,
                                                                       number))
    divisors = constants.addNumbers(divisible.asArrayRef());
  if (auto dims =
          getFact<TileDialect::DimsAttrHelper, ArrayAttr>(function, number)) {
    SmallVector<Field> texts;
    for (StringRef dim : dims.getAsValueRange<StringAttr>())
      texts.push_back(constants.addText(dim));
    if (!texts.empty())
      names = constants.addTable(texts);
  }
  auto align =
      getFact<TileDialect::AlignAttrHelper, IntegerAttr>(function, number);
  bool mayAlias = getFact<TileDialect::MayAliasAttrHelper, UnitAttr>(
                      function, number) != nullptr;
  fields.append({divisors, names, align ? align.getInt() : 0, mayAlias});
}

LLVM::GlobalOp Tables::getFunction(func::FuncOp function, StringRef name,
                                   ArrayRef<std::string> argumentNames) {
  SmallVector<Field> arguments;
  for (auto [i, argument] : llvm::enumerate(argumentNames))
    addArgument(function, static_cast<unsigned>(i), argument, arguments);
  LLVM::GlobalOp table;
  if (!arguments.empty())
    table = constants.addTable(arguments);
  return constants.addTable({image, constants.addText(name),
                             static_cast<int64_t>(argumentNames.size()),
                             table});
}

LLVM::GlobalOp Tables::getAssumption(AssumeOp op) {
  auto addNumbers = [&](std::optional<ArrayRef<int64_t>> numbers) {
    return constants.addNumbers(numbers.value_or(ArrayRef<int64_t>()));
  };
  int64_t alignment =
      op.getAlignment() ? static_cast<int64_t>(*op.getAlignment()) : 1;
  return constants.addTable(
      {getPlace(op.getLoc()), getType(cast<MemRefType>(op.getType())),
       addNumbers(op.getSizes()), addNumbers(op.getStrides()), alignment});
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// TileRtFacts; null where the launch states none.
LLVM::GlobalOp Tables::getFacts(Attribute facts) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  if (auto memref = dyn_cast_or_null<MemRefFactsAttr>(facts))
    return constants.addTable({memref.getAlignment(), memref.getContiguous(),
                               constants.addNumbers(memref.getSizes()),
                               constants.addNumbers(memref.getStrides()), 1,
                               least, most});
  if (auto scalar = dyn_cast_or_null<ScalarFactsAttr>(facts))
    return constants.addTable({1, 0, LLVM::GlobalOp(), LLVM::GlobalOp(),
                               scalar.getDivisor(), scalar.getMin(),
                               scalar.getMax()});
  return {};
}

/// TileRtTensorMap.
LLVM::GlobalOp Tables::getTensorMap(Value operand) {
  auto op = operand.getDefiningOp<EncodeTensorMapOp>();
  if (!op)
    return {};
  tilec::TensorMapShape shape = getTensorMapShape(op);
  auto addNumbers = [&](std::span<const int64_t> numbers) {
    return constants.addNumbers(ArrayRef(numbers.data(), numbers.size()));
  };
  return constants.addTable({shape.elementNumber, shape.swizzleBytes,
                             static_cast<int64_t>(shape.box.size()),
                             addNumbers(shape.box), addNumbers(shape.lower),
                             addNumbers(shape.upper),
                             addNumbers(shape.strides)});
}

LLVM::GlobalOp Tables::getLaunch(gpu::LaunchFuncOp op) {
  auto facts = op->getAttrOfType<ArrayAttr>(
      TileDialect::OperandFactsAttrHelper::getNameStr());
  SmallVector<Field> operands;
  for (auto [i, operand] : llvm::enumerate(op.getKernelOperands())) {
    LLVM::GlobalOp map = getTensorMap(operand);
    Type type = operand.getType();
    if (auto encode = operand.getDefiningOp<EncodeTensorMapOp>())
      type = encode.getSource().getType();
    auto memref = dyn_cast<MemRefType>(type);
    // TileRtOperand.
    operands.append({memref ? getType(memref) : LLVM::GlobalOp(),
                     memref ? 0 : (getMemoryBits(type) + 7) / 8,
                     getFacts(facts ? facts[i] : Attribute()), map});
  }
  LLVM::GlobalOp table;
  if (!operands.empty())
    table = constants.addTable(operands);
  bool isDependent =
      TileDialect::ProgrammaticDependentLaunchAttrHelper(op.getContext())
          .isAttrPresent(op);
  return constants.addTable(
      {image, constants.addText(op.getKernelName()), getPlace(op.getLoc()),
       isDependent, static_cast<int64_t>(op.getKernelOperands().size()),
       table});
}
