//===- Definedness.h - Definedness travels with values ----------*- C++ -*-===//
//
// Bytes that nothing was written to are undefined. Reading them is legal: code
// moves the padding of structures, loads a vector of which it uses a part, adds
// lanes that it drops later. It is an error where an undefined value *decides*:
// a branch or guard, an address, an operand of an instruction that synchronises
// or copies, and what is stored to global memory. So undefined bits travel with
// values, from the read to the decision, and a report names both:
//
//   memory            registers                              decisions
//   shared, local,    mov, shifts, shuffles: bit by bit      predicate, address,
//   global: by byte   and, or, lop3: where they matter       store to global
//        |            products: row of A, column of B             ^
//        +--> ld -->  the rest: the whole result  ----------------+
//        <--- st ---+
//
// Nothing is paid while all is defined. A read that meets undefined bytes, or a
// function with registers that may be read before they are written
// (Unassigned.h), turns a warp over to `executeTracked`, which gives it back
// when its registers are defined again.
//
// Instructions that move bits are not described a second time: executed with
// their undefined bits 0, and again with 1, they show by the difference where
// these bits go (Variants.cpp). Loads and stores do so with memory. The rest
// follows a rule by opcode (Rules.h).
//
// After a report the value counts as defined, so that one mistake is one
// report.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_DEFINEDNESS_DEFINEDNESS_H
#define TILE_LIB_EMULATOR_DEFINEDNESS_DEFINEDNESS_H

#include "../Machine/Machine.h"
#include "../Memory/Access.h"

#include <string>

namespace tilec::emu {

//===----------------------------------------------------------------------===//
// Of the interpreter
//===----------------------------------------------------------------------===//

/// Executes an instruction of a warp with undefined values.
Step executeTracked(Warp &warp, const Instruction &instruction, uint32_t mask);
/// After an instruction without undefined operands that read undefined memory:
/// marks its results.
void settle(Warp &warp, const Instruction &instruction, uint32_t mask);
/// A guard must be defined in the running lanes.
void requireDefinedGuard(Warp &warp, const Instruction &instruction);
/// A function begins: its registers are defined but for those it may read
/// before it writes them.
void enterFrame(Warp &warp, const ProgramFunction &function);

//===----------------------------------------------------------------------===//
// Of memory
//===----------------------------------------------------------------------===//

/// A lane reads bytes of which some are undefined. True if they may travel;
/// else a report: the instruction decides by them.
bool readUndefined(Warp &warp, const Instruction &instruction, uint32_t lane,
                   const UndefinedRead &read, bool isAsynchronous);
/// `access`, while an instruction is executed on variants of its operands.
void accessVariant(Warp &warp, const Instruction &instruction, uint32_t mask,
                   AccessRequest &request, AccessResult &result);

//===----------------------------------------------------------------------===//
// Between the files here
//===----------------------------------------------------------------------===//

const InstructionUses &usesOf(const Warp &warp, const Instruction &instruction);
const RegisterUse *beginUses(const Warp &warp, const InstructionUses &uses);
/// The state of a warp, made at the first use.
WarpDefinedness &definednessOf(Warp &warp);
UndefinedRegisters &undefinedRegistersOf(Warp &warp);

/// Keeps the registers of an instruction as they are before it.
void saveOperands(Warp &warp, const Instruction &instruction);

/// Undefined lanes of a source; none of a constant.
uint32_t undefinedLanes(Warp &warp, const RegisterUse &use);
/// Lanes of which any source is undefined.
uint32_t lanesWithUndefinedSource(Warp &warp, const InstructionUses &uses);
/// The values of a source before the instruction.
const uint8_t *valuesOf(Warp &warp, const RegisterUse &use);

/// All results of `undefined` lanes are undefined, those of the rest of `mask`
/// defined.
void setResults(Warp &warp, const Instruction &instruction, uint32_t mask,
                uint32_t undefined);
/// The undefined bits that results get by the other rules, and memory.
void propagateBits(Warp &warp, const Instruction &instruction, uint32_t mask);
void propagateLogic(Warp &warp, const Instruction &instruction, uint32_t mask);
void propagateSum(Warp &warp, const Instruction &instruction, uint32_t mask);
void propagateHalves(Warp &warp, const Instruction &instruction, uint32_t mask);
void propagateAtomic(Warp &warp, const Instruction &instruction, uint32_t mask);
/// Lanes of an atomic `and` or `or` whose operand is defined define bits of the
/// bytes that they found undefined.
void defineBitsAtomically(Warp &warp, const Instruction &instruction,
                          uint32_t mask, const RegisterUse &operand,
                          const uint64_t *addresses);
/// Keeps which bytes an atomic finds undefined.
void noteUndefinedBytes(Warp &warp, uint32_t lane, const UndefinedRead &read);
void propagateCombined(Warp &warp, const Instruction &instruction,
                       uint32_t mask);
void propagateProduct(Warp &warp, const Instruction &instruction);

/// An undefined operand or byte by which a lane's result is undefined: the
/// lane's own if it has one, else any; 0 if there is none.
uint32_t findOrigin(Warp &warp, const Instruction &instruction, uint32_t lane);

/// Reports that the value of an origin decides: "decides a branch".
void reportDecision(Warp &warp, const Instruction &instruction, uint32_t lane,
                    uint32_t origin, const std::string &decision);
/// "read of 4 bytes at shared address 0x10 that nothing was written to"
std::string describeRead(Warp &warp, const UndefinedRead &read);

/// Where bytes lie that may be undefined.
struct MemoryPlace {
  uint8_t *bytes = nullptr; ///< Null: outside of memory.
  StateSpace space = StateSpace::Global;
  uint64_t address = 0;
  SharedShadow *shadow = nullptr; ///< Of shared bytes, at `offset`.
  uint32_t offset = 0;
  uint8_t *flags = nullptr; ///< Of other bytes, 1: defined; null: all are.
  uint64_t owner = 0;       ///< The block of shared bytes.

  bool isDefined(uint32_t byte) const;
  void undefine(uint32_t byte) const;
  /// The bits of a byte that are undefined (PartialBytes.cpp).
  uint8_t undefinedBits(uint32_t byte) const;
  /// Some more bits of a byte are defined; with the last of them the byte is.
  void defineBits(uint32_t byte, uint8_t bits) const;
};
/// Memory of the host becomes other memory, or undefined: no bits of it are defined.
void forgetDefinedBits(const uint8_t *begin, uint64_t size);
MemoryPlace findPlace(Warp &warp, uint32_t lane, StateSpace space,
                      uint64_t address, uint32_t bytes);
/// Stores undefined bytes: a report if they are global.
void storeUndefined(Warp &warp, const Instruction &instruction, uint32_t lane,
                    const MemoryPlace &place, uint32_t byte, uint32_t origin);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_DEFINEDNESS_DEFINEDNESS_H
