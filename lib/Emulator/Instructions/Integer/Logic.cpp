//===- Logic.cpp - Logic, bit by bit --------------------------------------===//
//
// and, or, xor, not and cnot on registers and predicates, and lop3, which is
// any function of three bits by its truth table.
//
//===----------------------------------------------------------------------===//

#include "../../Decode/Decoder.h"
#include "../Handlers.h"

namespace tilec::emu {

namespace {

template <typename T>
T andOp(T a, T b) {
  return a & b;
}
template <typename T>
T orOp(T a, T b) {
  return a | b;
}
template <typename T>
T xorOp(T a, T b) {
  return a ^ b;
}
template <typename T>
T notOp(T a) {
  return static_cast<T>(~a);
}
template <typename T>
T cnotOp(T a) {
  return a == 0 ? 1 : 0;
}

/// lop3: the bit of `table` selected by the bits of a, b, c.
Step lop3(Warp &warp, const Instruction &instruction, uint32_t mask) {
  const uint32_t *a = warp.ptr<uint32_t>(instruction.ref[1]);
  const uint32_t *b = warp.ptr<uint32_t>(instruction.ref[2]);
  const uint32_t *c = warp.ptr<uint32_t>(instruction.ref[3]);
  alignas(64) uint32_t values[32];
  uint32_t minterm[8];
  for (unsigned i = 0; i < 8; ++i)
    minterm[i] = instruction.immediate >> i & 1 ? ~0u : 0u;
#pragma clang loop vectorize(assume_safety)
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t x = a[lane], y = b[lane], z = c[lane];
    uint32_t result = (~x & ~y & ~z & minterm[0]) | (~x & ~y & z & minterm[1]) |
                      (~x & y & ~z & minterm[2]) | (~x & y & z & minterm[3]) |
                      (x & ~y & ~z & minterm[4]) | (x & ~y & z & minterm[5]) |
                      (x & y & ~z & minterm[6]) | (x & y & z & minterm[7]);
    values[lane] = result;
  }
  blend(warp.ptr<uint32_t>(instruction.ref[0]), values, mask);
  return Step::Next;
}

/// lop3.BoolOp.b32 d|p, a, b, c, table, q: p = (d != 0) BoolOp q. ref[4] is p,
/// ref[5] is q, flags whether the operation is `and`.
Step lop3Predicate(Warp &warp, const Instruction &instruction, uint32_t mask) {
  uint32_t q = warp.predicate(instruction.ref[5]);
  lop3(warp, instruction, mask);
  const uint32_t *d = warp.ptr<uint32_t>(instruction.ref[0]);
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    bits |= d[lane] != 0 ? 1u << lane : 0u;
  warp.setPredicate(instruction.ref[4], mask,
                    instruction.flags ? bits & q : bits | q);
  return Step::Next;
}

enum class Logic { And, Or, Xor, Not };
template <Logic operation>
Step logicPredicate(Warp &warp, const Instruction &instruction, uint32_t mask) {
  uint32_t a = warp.predicate(instruction.ref[1]);
  uint32_t b = operation == Logic::Not ? 0 : warp.predicate(instruction.ref[2]);
  uint32_t result = operation == Logic::And   ? a & b
                    : operation == Logic::Or  ? a | b
                    : operation == Logic::Xor ? a ^ b
                                              : ~a;
  warp.setPredicate(instruction.ref[0], mask, result);
  return Step::Next;
}

#define BY_BITS(type, OP)                                                      \
  (registerBytes(type) == 2   ? Handler(OP(uint16_t))                          \
   : registerBytes(type) == 4 ? Handler(OP(uint32_t))                          \
   : registerBytes(type) == 8 ? Handler(OP(uint64_t))                          \
                              : nullptr)
#define AND(T) mapLanes<andOp<T>, T, T, T>
#define OR(T) mapLanes<orOp<T>, T, T, T>
#define XOR(T) mapLanes<xorOp<T>, T, T, T>
#define NOT(T) mapLanes<notOp<T>, T, T>
#define CNOT(T) mapLanes<cnotOp<T>, T, T>

bool decodeLogic(Decoder &d) {
  std::string_view opcode = d.syntax().parts[0];
  Logic operation = opcode == "and"   ? Logic::And
                    : opcode == "or"  ? Logic::Or
                    : opcode == "xor" ? Logic::Xor
                                      : Logic::Not;
  bool unary = operation == Logic::Not;
  Type type = d.takeType();
  if (!d.expectOperands(unary ? 2 : 3, unary ? 2 : 3))
    return false;
  if (type == Type::Pred) {
    d.out.ref[1] = d.sourcePredicate(d.operand(1));
    if (!unary)
      d.out.ref[2] = d.sourcePredicate(d.operand(2));
    d.out.ref[0] = d.destinationPredicate(d.operand(0));
    Handler handler = operation == Logic::And   ? logicPredicate<Logic::And>
                      : operation == Logic::Or  ? logicPredicate<Logic::Or>
                      : operation == Logic::Xor ? logicPredicate<Logic::Xor>
                                                : logicPredicate<Logic::Not>;
    return d.emit(handler, InstructionClass::Integer);
  }
  if (!isBits(type))
    return false;
  d.out.ref[1] = d.source(1, type);
  if (!unary)
    d.out.ref[2] = d.source(2, type);
  d.out.ref[0] = d.destination(0, type);
  Handler handler = operation == Logic::And   ? BY_BITS(type, AND)
                    : operation == Logic::Or  ? BY_BITS(type, OR)
                    : operation == Logic::Xor ? BY_BITS(type, XOR)
                                              : BY_BITS(type, NOT);
  return d.emit(handler, InstructionClass::Integer);
}

bool decodeCnot(Decoder &d) {
  Type type = d.takeType();
  if (!isBits(type) || !d.expectOperands(2, 2))
    return false;
  d.out.ref[1] = d.source(1, type);
  d.out.ref[0] = d.destination(0, type);
  return d.emit(BY_BITS(type, CNOT), InstructionClass::Integer);
}

bool decodeLop3(Decoder &d) {
  int boolOp = d.takeOne({"or", "and"});
  if (d.takeType() != Type::B32)
    return false;
  size_t count = boolOp >= 0 ? 6 : 5;
  if (!d.expectOperands(count, count))
    return false;
  for (size_t i = 1; i <= 3; ++i)
    d.out.ref[i] = d.source(i, Type::B32);
  uint64_t table = 0;
  if (!d.constantOperand(d.operand(4), table))
    return false;
  d.out.immediate = static_cast<int64_t>(table);
  if (boolOp < 0) {
    d.out.ref[0] = d.destination(0, Type::B32);
    return d.emit(lop3, InstructionClass::Integer);
  }
  const Operand &result = d.operand(0);
  if (result.kind != Operand::Kind::Pair)
    return d.fail("expected d|p");
  d.out.ref[0] = d.destination(result.elements[0], Type::B32);
  d.out.ref[4] = d.destinationPredicate(result.elements[1]);
  d.out.ref[5] = d.sourcePredicate(d.operand(5));
  d.out.flags = boolOp == 1;
  return d.emit(lop3Predicate, InstructionClass::Integer);
}

} // namespace

void registerLogic(OpcodeTable &table) {
  table["and"] = table["or"] = table["xor"] = table["not"] = decodeLogic;
  table["cnot"] = decodeCnot;
  table["lop3"] = decodeLop3;
}

} // namespace tilec::emu
