//===- Families.h - Decoders that several families share --------*- C++ -*-===//
//
// `add` is one opcode for integers and floats; the family that owns the opcode
// hands the other types on.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_DECODE_FAMILIES_H
#define TILE_LIB_EMULATOR_DECODE_FAMILIES_H

#include "Decoder.h"

namespace tilec::emu {

bool decodeFloatArithmetic(Decoder &decoder); ///< add, sub, mul, fma, mad.
bool decodeFloatDivision(Decoder &decoder);   ///< div.
bool decodeFloatMinMax(Decoder &decoder);
bool decodeClusterBarrier(Decoder &decoder);
bool decodeStoreAsync(Decoder &decoder); ///< st.async: likewise.
bool decodeRedAsync(Decoder &decoder); ///< red.async: completes on an mbarrier.
bool decodeBulk(Decoder &decoder);     ///< cp.async.bulk and its .tensor forms.
bool decodeBulkReduction(Decoder &decoder);     ///< cp.reduce.async.bulk.
void registerRegisterCount(OpcodeTable &table); ///< setmaxnreg.
/// Takes a state space of memory accesses; Generic if none is given.
StateSpace takeStateSpace(Decoder &decoder);
bool decodeFloatSign(Decoder &decoder); ///< abs, neg, copysign.
/// mov from a special register.
bool decodeSpecialMove(Decoder &decoder, Type type, const Operand &source);
/// A special register of 32 bits as a source; noRef if it is none.
Ref specialSource(Decoder &decoder, const Operand &operand);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_DECODE_FAMILIES_H
