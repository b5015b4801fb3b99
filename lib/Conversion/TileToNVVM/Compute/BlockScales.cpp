//===- BlockScales.cpp - Scales as instructions take them -----------------===//

#include "BlockScales.h"

using namespace mlir;
using namespace mlir::tile;

static constexpr int64_t scalesPerRegister = 4;

/// The register with the scales from block `first` on. Beyond the last they are
/// zero: nobody asks for these.
Value BlockScales::pack(int64_t outer, int64_t first) {
  OpBuilder &builder = emitter.builder;
  const tilec::FragmentLayout &layout = emitter.getLayout(scales);
  int64_t count = std::min(scalesPerRegister, layout.getShape()[1] - first);
  auto type = VectorType::get({scalesPerRegister}, builder.getI8Type());
  Value packed =
      count == scalesPerRegister ? emitter.poison(type) : emitter.zero(type);
  for (int64_t i = 0; i < count; ++i)
    packed = LLVM::InsertElementOp::create(
        builder, emitter.loc, packed,
        emitter.getElement(scales, getRegister(layout, {outer, first + i})),
        emitter.i32(i));
  return LLVM::BitcastOp::create(builder, emitter.loc, builder.getI32Type(),
                                 packed);
}

SmallVector<Value> BlockScales::get(int64_t outer, int64_t number) {
  int64_t byte = number % scalesPerRegister, first = number - byte;
  Value &scalesOfTile = registers[{outer, first}];
  if (!scalesOfTile)
    scalesOfTile = pack(outer, first);
  auto constant = [&](int64_t value) {
    return emitter.constant(emitter.builder.getI16Type(), value);
  };
  return {scalesOfTile, constant(byte), constant(0)};
}
