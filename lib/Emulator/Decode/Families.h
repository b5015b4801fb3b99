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

bool decodeFloatArithmetic(Decoder &d); ///< add, sub, mul, fma, mad.
bool decodeFloatDivision(Decoder &d);   ///< div.
bool decodeFloatMinMax(Decoder &d);
bool decodeClusterBarrier(Decoder &d);
bool decodeStoreAsync(Decoder &d);    ///< st.async: likewise.
bool decodeRedAsync(Decoder &d);      ///< red.async: completes on an mbarrier.
bool decodeBulk(Decoder &d);          ///< cp.async.bulk and its .tensor forms.
bool decodeBulkReduction(Decoder &d); ///< cp.reduce.async.bulk.
void registerRegisterCount(OpcodeTable &table); ///< setmaxnreg.
/// Takes a state space of memory accesses; Generic if none is given.
StateSpace takeStateSpace(Decoder &d);
bool decodeFloatSign(Decoder &d); ///< abs, neg, copysign.
/// mov from a special register.
bool decodeSpecialMove(Decoder &d, Type type, const Operand &source);
/// A special register of 32 bits as a source; noRef if it is none.
Ref specialSource(Decoder &d, const Operand &operand);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_DECODE_FAMILIES_H
