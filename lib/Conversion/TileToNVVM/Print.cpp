//===- Print.cpp - tile.print ---------------------------------------------===//
//
// One thread of the block prints, by `vprintf`: a format in constant memory and
// a buffer with the arguments, integers widened to 4 or 8 bytes and floats to
// f64. A call prints a whole line of PrintFormat.h, as lines of different
// blocks may mix. tile-materialize-scratch has put fragments into a buffer,
// which the printing thread walks in row-major order.
//
//===----------------------------------------------------------------------===//

#include "Access/ScalarAccess.h"
#include "Compute/Cast.h"

#include "tile/Dialect/Tile/PrintFormat.h"

using namespace mlir;
using namespace mlir::tile;

namespace {

/// The text and the arguments of one call of vprintf.
class Line {
public:
  Line(ThreadEmitter &emitter, PrintOp op) : emitter(emitter) {
    for (char c : op.getLabel())
      format += c == '%' ? std::string("%%") : std::string(1, c);
  }

  void addText(StringRef text) { format += text.str(); }
  /// The block and, in a parallel loop, the iteration.
  void addPlace();
  /// ` [2, 16]`; the indices are i64.
  void addCoordinates(ArrayRef<Value> indices);
  /// An element of `type` as it stands in a register.
  void addElement(Value value, Type type);
  void emitCall();

private:
  Value getFormat();

  ThreadEmitter &emitter;
  std::string format;
  SmallVector<Value> arguments;
};

} // namespace

void Line::addPlace() {
  OpBuilder &builder = emitter.builder;
  Type i32 = builder.getI32Type();
  format += " (block %d, %d, %d)";
  arguments.push_back(NVVM::BlockIdXOp::create(builder, emitter.loc, i32));
  arguments.push_back(NVVM::BlockIdYOp::create(builder, emitter.loc, i32));
  arguments.push_back(NVVM::BlockIdZOp::create(builder, emitter.loc, i32));
  if (!emitter.iteration.loop)
    return;
  addCoordinates(llvm::map_to_vector(
      emitter.iteration.loop.getInductionVars(),
      [&](Value variable) { return emitter.getScalar(variable); }));
}

void Line::addCoordinates(ArrayRef<Value> indices) {
  format += " [";
  for (auto [position, index] : llvm::enumerate(indices)) {
    format += position == 0 ? "%d" : ", %d";
    arguments.push_back(emitter.narrow(index));
  }
  format += "]";
}

void Line::addElement(Value value, Type type) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  if (isa<FloatType>(type)) {
    format += "%g";
    if (!type.isF64())
      value = convertFloat(emitter, value, type, builder.getF32Type());
    if (!value.getType().isF64())
      value = arith::ExtFOp::create(builder, loc, builder.getF64Type(), value);
  } else if (value.getType().isInteger(64)) {
    format += "%lld";
  } else {
    format += "%d";
    Type i32 = builder.getI32Type();
    if (type.isInteger(1))
      value = arith::ExtUIOp::create(builder, loc, i32, value);
    else if (value.getType() != i32)
      value = arith::ExtSIOp::create(builder, loc, i32, value);
  }
  arguments.push_back(value);
}

/// The address of the format, a constant of the module.
Value Line::getFormat() {
  OpBuilder &builder = emitter.builder;
  auto module =
      builder.getBlock()->getParentOp()->getParentOfType<gpu::GPUModuleOp>();
  std::string bytes = format + '\0';
  LLVM::GlobalOp global;
  int64_t count = 0;
  for (auto known : module.getOps<LLVM::GlobalOp>()) {
    auto text = dyn_cast_or_null<StringAttr>(known.getValueOrNull());
    if (text && text.getValue() == StringRef(bytes))
      global = known;
    ++count;
  }
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    global = LLVM::GlobalOp::create(
        builder, emitter.loc, type, /*isConstant=*/true,
        LLVM::Linkage::Internal, ("print_format_" + Twine(count)).str(),
        builder.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(builder, emitter.loc, global);
}

void Line::emitCall() {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  MLIRContext *context = builder.getContext();
  SmallVector<Type> types;
  for (Value argument : arguments)
    types.push_back(argument.getType());
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto buffer = LLVM::LLVMStructType::getLiteral(context, types);
  // Memory of the function's frame, not of a loop's iteration.
  Value values = LLVM::AllocaOp::create(emitter.constantBuilder, loc, pointer,
                                        buffer, emitter.i32(1));
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Value place = LLVM::GEPOp::create(
        builder, loc, pointer, buffer, values,
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    LLVM::StoreOp::create(builder, loc, argument, place);
  }
  emitter.callLibdevice("vprintf", builder.getI32Type(), {getFormat(), values});
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

namespace {

/// Prints a buffer in row-major order, line by line.
class BufferPrinter {
public:
  BufferPrinter(ThreadEmitter &emitter, PrintOp op)
      : emitter(emitter), op(op),
        type(cast<MemRefType>(op.getValue().getType())) {}

  void emit();

private:
  void emitRow(ArrayRef<Value> outer);
  void emitLine(ArrayRef<Value> outer, Value start, int64_t count);
  void emitLoop(int64_t count, llvm::function_ref<void(Value)> body);

  ThreadEmitter &emitter;
  PrintOp op;
  MemRefType type;
};

} // namespace

void BufferPrinter::emitLoop(int64_t count,
                             llvm::function_ref<void(Value)> body) {
  if (count == 1)
    return body(emitter.i64(0));
  OpBuilder &builder = emitter.builder;
  auto loop = scf::ForOp::create(builder, emitter.loc, emitter.i64(0),
                                 emitter.i64(count), emitter.i64(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

/// One line: `count` neighbours of the last dimension from `start` on.
void BufferPrinter::emitLine(ArrayRef<Value> outer, Value start,
                             int64_t count) {
  SmallVector<Value> indices(outer);
  indices.push_back(start);
  Line line(emitter, op);
  line.addPlace();
  if (count < type.getNumElements())
    line.addCoordinates(indices);
  Type element = type.getElementType();
  Type memoryType = emitter.convertMemoryType(element);
  for (int64_t i = 0; i < count; ++i) {
    line.addText(i == 0 ? ": [" : ", ");
    indices.back() = emitter.addConstant(start, i);
    if (emitter.isNarrow(element)) {
      line.addElement(
          emitter.loadElements(getElementPlace(emitter, op.getValue(), indices),
                               element, 1)[0],
          element);
      continue;
    }
    // LLVM would join plain loads into one that passes the end of a short row.
    Value value = LLVM::LoadOp::create(
        emitter.builder, emitter.loc, memoryType,
        getElementPlace(emitter, op.getValue(), indices).pointer,
        /*alignment=*/0,
        /*isVolatile=*/true);
    line.addElement(emitter.fromMemory(value, element), element);
  }
  line.addText("]\n");
  line.emitCall();
}

void BufferPrinter::emitRow(ArrayRef<Value> outer) {
  int64_t extent = type.getShape().back();
  int64_t lines = extent / printLineElements, rest = extent % printLineElements;
  if (lines > 0)
    emitLoop(lines, [&](Value line) {
      emitLine(outer, emitter.multiply(line, printLineElements),
               printLineElements);
    });
  if (rest > 0)
    emitLine(outer, emitter.i64(extent - rest), rest);
}

void BufferPrinter::emit() {
  ArrayRef<int64_t> outer = type.getShape().drop_back();
  int64_t rows = type.getNumElements() / type.getShape().back();
  emitLoop(rows, [&](Value row) {
    SmallVector<Value> indices(outer.size());
    for (size_t dim = outer.size(); dim-- > 0;) {
      indices[dim] = emitter.remainder(row, outer[dim]);
      row = emitter.divide(row, outer[dim]);
    }
    emitRow(indices);
  });
}

//===----------------------------------------------------------------------===//
// tile.print
//===----------------------------------------------------------------------===//

static LogicalResult lowerPrint(ThreadEmitter &emitter, PrintOp op) {
  Value value = op.getValue();
  Type element = getElementTypeOrSelf(value.getType());
  if (!emitter.convertScalarType(element) ||
      !emitter.convertMemoryType(element))
    return emitter.notImplemented(op, "printing values of type ") << element;
  Value isPrinter = emitter.iteration.effectGuard;
  if (!emitter.iteration.loop)
    isPrinter = emitter.getScope().getIsElected();
  if (isa<MemRefType>(value.getType())) {
    emitter.emitUnder(isPrinter, [&] { BufferPrinter(emitter, op).emit(); });
    return success();
  }
  auto fragment = dyn_cast<RankedTensorType>(value.getType());
  if (fragment && fragment.getRank() > 0)
    return emitter.notImplemented(op, "printing a fragment here: ")
           << fragment << " is spread over threads; print its elements";
  emitter.emitUnder(isPrinter, [&] {
    Line line(emitter, op);
    line.addPlace();
    line.addText(": ");
    line.addElement(emitter.getElement(value, 0), element);
    line.addText("\n");
    line.emitCall();
  });
  return success();
}

void tile::registerPrintLowerings(LoweringTable &table) {
  table.add(lowerPrint);
}
