//===- Unassigned.h - Registers read before they are written ----*- C++ -*-===//
//
// A register that some path reads before it is written begins a function
// undefined (Definedness.h). Found once for each function, by definite
// assignment: what is written on all paths to an instruction. In most functions
// there is none, and none costs anything.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_DEFINEDNESS_UNASSIGNED_H
#define TILE_LIB_EMULATOR_DEFINEDNESS_UNASSIGNED_H

namespace tilec::emu {

struct Program;

/// What checking definedness needs of functions decoded since the last call:
/// the rules of their instructions, and ProgramFunction::unassigned.
void prepareDefinedness(Program &program);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_DEFINEDNESS_UNASSIGNED_H
