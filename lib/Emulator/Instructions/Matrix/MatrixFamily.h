//===- MatrixFamily.h - What matrix instructions share ----------*- C++ -*-===//
//
// How element types, shapes and lists of registers are read from mma, wmma,
// wgmma and the matrix moves.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_INSTRUCTIONS_MATRIX_MATRIXFAMILY_H
#define TILE_LIB_EMULATOR_INSTRUCTIONS_MATRIX_MATRIXFAMILY_H

#include "../../Decode/Decoder.h"
#include "tile/Emulator/TensorCore.h"

namespace tilec::emu {

bool parseElement(std::string_view name, ElementType &type);
/// Takes the next modifier, which must be an element type.
bool takeElement(Decoder &decoder, ElementType &type);
/// Takes `.m16n8k16` or `.m8n8`.
bool takeShape(Decoder &decoder, int &m, int &n, int &k);
/// Lists the registers of a vector operand (or one register).
bool listRegisters(Decoder &decoder, const Operand &operand, size_t count,
                   Type type, bool isDestination);

/// A copy of registers as TensorCore.h wants them, and back.
void gather(Warp &warp, const Ref *refs, int count, LaneWords *target);
void scatter(Warp &warp, const Ref *refs, int count, const LaneWords *source);
void gatherWide(Warp &warp, const Ref *refs, int count, LaneDoubles *target);

/// All lanes must take part. False: the handler returns `step`.
bool wholeWarp(Warp &warp, const Instruction &instruction, uint32_t mask,
               Step &step);

/// What an mma or wmma.mma multiplies. Its list of operands holds the registers
/// of D, A, B and C.
const MmaOp &mmaOpOf(const Instruction &instruction);
const WmmaOp &wmmaOpOf(const Instruction &instruction);

void registerMma(OpcodeTable &table);
void registerMatrixMove(OpcodeTable &table); ///< ldmatrix, stmatrix, movmatrix
void registerWmma(OpcodeTable &table);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_INSTRUCTIONS_MATRIX_MATRIXFAMILY_H
