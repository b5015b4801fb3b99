//===- MakeEntry.cpp - The C function of a host function ------------------===//
//
//     int gemm(void *A, int64_t A_size0, .., void *stream) {
//       TileRtCall *call = tileRtEnter(&table, words of the arguments, stream);
//       if (call)
//         tile.host.gemm(call, ..);
//       return tileRtLeave(call);
//     }
//
//===----------------------------------------------------------------------===//

#include "LowerHost.h"
#include "Runtime.h"

#include "tile/Dialect/Tile/FixedLayout.h"
#include "tile/Dialect/Tile/TileTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tile;

namespace {

/// Takes the C parameters one by one, and makes values of the language of them.
class ParameterReader {
public:
  ParameterReader(OpBuilder &builder, Location loc, Block &entry)
      : builder(builder), runtime(builder), loc(loc), entry(entry) {}

  Value next() { return entry.getArgument(position++); }
  /// Reads a memref and adds its words.
  Value readMemRef(MemRefType type, SmallVectorImpl<Value> &words);
  Value readScalar(Type type);

private:
  OpBuilder &builder;
  Runtime runtime;
  Location loc;
  Block &entry;
  unsigned position = 0;
};

} // namespace

/// The type of a scalar's C parameter.
static Type getParameterType(Type scalar) {
  MLIRContext *context = scalar.getContext();
  if (scalar.isF32() || scalar.isF64())
    return scalar;
  return IntegerType::get(context, static_cast<unsigned>(std::max<int64_t>(
                                       8, getMemoryBits(scalar))));
}

static SmallVector<Type> getParameterTypes(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type word = IntegerType::get(context, 64);
  SmallVector<Type> types;
  // Without the run.
  for (Type type : function.getArgumentTypes().drop_front()) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      types.push_back(getParameterType(type));
      continue;
    }
    types.push_back(pointer);
    types.append(memref.getRank(), word);
    if (!hasOpenLayout(memref))
      continue;
    FixedLayout layout = *getFixedLayout(memref);
    types.append(llvm::count(layout.strides, tilec::anyExtent), word);
    types.append(layout.offset == tilec::anyExtent, word);
  }
  types.append(function.getNumResults() + 1, pointer);
  return types;
}

Value ParameterReader::readMemRef(MemRefType type,
                                  SmallVectorImpl<Value> &words) {
  Value pointer = next();
  SmallVector<Value> sizes, strides;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(next());
  Value offset = runtime.makeWord(loc, int64_t(0));
  if (hasOpenLayout(type)) {
    FixedLayout layout = *getFixedLayout(type);
    auto read = [&](int64_t fixed) {
      return fixed == tilec::anyExtent ? next() : runtime.makeWord(loc, fixed);
    };
    strides = llvm::map_to_vector(layout.strides, read);
    offset = read(layout.offset);
  } else {
    strides = runtime.makeStrides(loc, sizes);
  }
  words.push_back(
      LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), pointer));
  words.push_back(offset);
  words.append(sizes);
  words.append(strides);
  return runtime.makeMemRef(loc, type, pointer, offset, sizes, strides);
}

Value ParameterReader::readScalar(Type type) {
  Value value = next();
  if (value.getType() == type)
    return value;
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  if (value.getType() != bits)
    value = arith::TruncIOp::create(builder, loc, bits, value);
  if (bits == type)
    return value;
  return arith::BitcastOp::create(builder, loc, type, value);
}

/// Stores a result where the caller wants it, if anywhere.
static void storeResult(OpBuilder &builder, Location loc, Value result,
                        Value pointer) {
  Value null = LLVM::ZeroOp::create(builder, loc, pointer.getType());
  Value isWanted = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                        pointer, null);
  auto branch = scf::IfOp::create(builder, loc, isWanted, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Type type = getParameterType(result.getType());
  if (result.getType() != type) {
    Value word = Runtime(builder).makeWord(loc, result);
    result =
        type.isInteger(64)
            ? word
            : arith::TruncIOp::create(builder, loc, type, word).getResult();
  }
  LLVM::StoreOp::create(builder, loc, result, pointer);
}

void tile::makeEntry(const LoweredFunction &lowered) {
  func::FuncOp function = lowered.function;
  Location loc = function.getLoc();
  OpBuilder builder(function);
  Type status = builder.getI32Type();
  auto entry = func::FuncOp::create(
      builder, loc, lowered.name,
      builder.getFunctionType(getParameterTypes(function), status));
  Block &block = *entry.addEntryBlock();
  builder.setInsertionPointToStart(&block);
  Runtime runtime(builder);
  ParameterReader reader(builder, loc, block);
  SmallVector<Value> arguments = {Value()}, words;
  for (Type type : function.getArgumentTypes().drop_front()) {
    if (auto memref = dyn_cast<MemRefType>(type)) {
      arguments.push_back(reader.readMemRef(memref, words));
      continue;
    }
    arguments.push_back(reader.readScalar(type));
    words.push_back(runtime.makeWord(loc, arguments.back()));
  }
  Value call =
      runtime.call(loc, "tileRtEnter", runtime.getPointerType(),
                   {getAddress(builder, loc, lowered.table),
                    runtime.store(loc, words), block.getArguments().back()});
  Value null = LLVM::ZeroOp::create(builder, loc, call.getType());
  Value begins =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, call, null);
  auto branch = scf::IfOp::create(builder, loc, begins, /*withElse=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    arguments.front() = call;
    auto run = func::CallOp::create(builder, loc, function, arguments);
    for (Value result : run.getResults())
      storeResult(builder, loc, result, reader.next());
  }
  Value result = runtime.call(loc, "tileRtLeave", status, call);
  func::ReturnOp::create(builder, loc, result);
}
