//===- Constants.cpp - Data in an object ----------------------------------===//

#include "Constants.h"

using namespace mlir;
using namespace mlir::tile;

LLVM::GlobalOp Constants::addGlobal(Type type, Attribute value) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  return LLVM::GlobalOp::create(builder, module.getLoc(), type,
                                /*isConstant=*/true, LLVM::Linkage::Internal,
                                "tile.data." + std::to_string(count++), value);
}

LLVM::GlobalOp Constants::addText(StringRef text) {
  Builder builder(module.getContext());
  std::string bytes = text.str();
  bytes.push_back('\0');
  return addGlobal(LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
                   builder.getStringAttr(bytes));
}

LLVM::GlobalOp Constants::addNumbers(ArrayRef<int64_t> numbers) {
  if (numbers.empty())
    return {};
  return addTable(SmallVector<Field>(numbers.begin(), numbers.end()));
}

LLVM::GlobalOp Constants::addTable(ArrayRef<Field> fields) {
  MLIRContext *context = module.getContext();
  Type number = IntegerType::get(context, 64);
  Type pointer = LLVM::LLVMPointerType::get(context);
  SmallVector<Type> types;
  for (const Field &field : fields)
    types.push_back(field.isAddress ? pointer : number);
  auto type = LLVM::LLVMStructType::getLiteral(context, types);
  LLVM::GlobalOp global = addGlobal(type, Attribute());
  Location loc = module.getLoc();
  OpBuilder builder(context);
  builder.createBlock(&global.getInitializerRegion());
  Value table = LLVM::UndefOp::create(builder, loc, type);
  for (auto [i, field] : llvm::enumerate(fields)) {
    Value value;
    if (!field.isAddress)
      value = LLVM::ConstantOp::create(builder, loc, number, field.number);
    else if (!field.target)
      value = LLVM::ZeroOp::create(builder, loc, pointer);
    else
      value = tile::getAddress(builder, loc, field.target);
    table = LLVM::InsertValueOp::create(builder, loc, table, value,
                                        static_cast<int64_t>(i));
  }
  LLVM::ReturnOp::create(builder, loc, table);
  return global;
}

Value tile::getAddress(OpBuilder &builder, Location loc,
                       LLVM::GlobalOp constant) {
  return LLVM::AddressOfOp::create(builder, loc, constant);
}
