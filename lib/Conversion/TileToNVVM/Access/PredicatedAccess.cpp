//===- PredicatedAccess.cpp - Accesses under a predicate ------------------===//

#include "PredicatedAccess.h"

#include "../PointerParts.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tile;

/// How assembly names registers of so many bits.
static StringRef getLetter(Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits == 16 ? "h" : bits == 32 ? "r" : "l";
}

/// The type of `count` words of `bits`: `.b32`, `.v4.b32`.
static std::string getSuffix(int64_t bits, size_t count) {
  std::string vector = count == 1 ? "" : llvm::formatv(".v{0}", count).str();
  return llvm::formatv("{0}.b{1}", vector, bits);
}

/// The operands of assembly from `first` on: `$2`, `{$2, $3}`.
static std::string getOperands(size_t first, size_t count) {
  std::string names;
  for (size_t i = 0; i < count; ++i)
    names += llvm::formatv("{0}${1}", i == 0 ? "" : ", ", first + i);
  return count == 1 ? names : "{" + names + "}";
}

SmallVector<Value> tile::loadByPredicate(ThreadEmitter &emitter, Value pointer,
                                         Value condition,
                                         ArrayRef<Value> otherwise,
                                         int64_t bits, bool isReadOnly) {
  OpBuilder &builder = emitter.builder;
  Type word = otherwise.front().getType();
  size_t count = otherwise.size();
  auto [base, bytes] = splitPointer(pointer);
  SmallVector<Value> operands = {base};
  std::string predicate, constraints;
  for (size_t i = 0; i < count; ++i)
    constraints += llvm::formatv("={0},", getLetter(word));
  constraints += "l";
  if (condition) {
    operands.push_back(condition);
    operands.append(otherwise.begin(), otherwise.end());
    predicate = llvm::formatv("@${0} ", count + 1);
    constraints += ",b";
    for (size_t i = 0; i < count; ++i)
      constraints += llvm::formatv(",{0}", i);
  }
  std::string text = llvm::formatv(
      "{0}ld.global{1}{2} {3}, [${4}+{5}];", predicate, isReadOnly ? ".nc" : "",
      getSuffix(bits, count), getOperands(0, count), count, bytes);
  Type type = count == 1
                  ? word
                  : Type(LLVM::LLVMStructType::getLiteral(
                        builder.getContext(), SmallVector<Type>(count, word)));
  Value loaded = emitter.emitAssembly(text, constraints, type, operands,
                                      /*hasEffects=*/!isReadOnly);
  if (count == 1)
    return {loaded};
  SmallVector<Value> words;
  for (size_t i = 0; i < count; ++i)
    words.push_back(
        LLVM::ExtractValueOp::create(builder, emitter.loc, loaded, i));
  return words;
}

void tile::storeByPredicate(ThreadEmitter &emitter, Value pointer,
                            Value condition, ArrayRef<Value> words) {
  Type word = words.front().getType();
  auto [base, bytes] = splitPointer(pointer);
  SmallVector<Value> operands = {condition, base};
  operands.append(words.begin(), words.end());
  std::string constraints = "b,l";
  for (size_t i = 0; i < words.size(); ++i)
    constraints += llvm::formatv(",{0}", getLetter(word));
  emitter.emitAssembly(
      llvm::formatv("@$0 st.global{0} [$1+{1}], {2};",
                    getSuffix(word.getIntOrFloatBitWidth(), words.size()),
                    bytes, getOperands(2, words.size()))
          .str(),
      constraints, Type(), operands);
}

Value tile::isGreaterAndNot(ThreadEmitter &emitter, Value lhs, int64_t rhs,
                            Value condition) {
  return emitter.emitAssembly(
      llvm::formatv("setp.gt.and.s32 $0, $1, {0}, !$2;", rhs).str(), "=b,r,b",
      emitter.builder.getI1Type(), {lhs, condition}, /*hasEffects=*/false);
}
