//===- Machine.h - The machine that handlers act on -------------*- C++ -*-===//
//
// Running state, from the inside out:
//
//   Launch   what all clusters share                       Launch.h
//     Cluster  blocks that see each other's shared memory  Cluster.h
//       Block    shared memory and its barriers            Block.h
//         Warp     registers of 32 lanes, one pc           Warp.h
//           Frame    an activation and its splits          Frame.h
//
// The unit of execution is a warp: a register is an array of its 32 lanes, and
// a handler executes one instruction for all active lanes.
//
// Divergence: the lanes of a warp are divided into splits, each with its own
// program counter; the split with the lowest one runs, and splits that meet
// become one. An instruction that needs lanes which are elsewhere waits for
// them (Wait::Converge). Nothing blocks the host: a split that waits says for
// what, and the scheduler asks again later.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MACHINE_MACHINE_H
#define TILE_LIB_EMULATOR_MACHINE_MACHINE_H

#include "../Memory/AddressWindows.h"
#include "Block.h"
#include "Cluster.h"
#include "Launch.h"
#include "Warp.h"

#include <cstring>

#endif // TILE_LIB_EMULATOR_MACHINE_MACHINE_H
