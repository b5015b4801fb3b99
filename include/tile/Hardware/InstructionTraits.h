//===- InstructionTraits.h - What all instructions state --------*- C++ -*-===//
//
// The traits that matrix and copy instructions have in common. They are what a
// pass needs to order an instruction with others, without knowing which one it
// is:
//
//     completion   when its results may be used
//     proxy        which path to memory it takes: an access through the other
//                  one, made visible before, needs a proxy fence in between
//     availability the chips and PTX versions that have it
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_INSTRUCTIONTRAITS_H
#define TILE_HARDWARE_INSTRUCTIONTRAITS_H

#include "tile/Hardware/GpuTarget.h"

namespace tilec {

/// How those who issued an instruction learn that it is done.
enum class Completion {
  Immediate, ///< it is, in program order
  Group,     ///< it belongs to a group that is committed and waited for
  Mbarrier,  ///< it arrives at an mbarrier, which anyone can wait for
};

/// The path of an instruction's accesses to memory.
enum class Proxy {
  Generic, ///< loads, stores and what behaves like them
  Async,   ///< bulk copies and matrix descriptors
};

/// Which chips have an instruction.
struct Availability {
  int firstCapability = 0; ///< 80, 89, ...
  /// Only on the `a` chip of exactly that capability.
  bool isArchitectureSpecific = false;
  int firstPtxVersion = 0; ///< 70, 84, ...

  /// Whether `target` has the instruction when code is generated at
  /// `ptxVersion`; 0 means the target's default.
  bool isAvailable(const GpuTarget &target, int ptxVersion) const;
};

} // namespace tilec

#endif // TILE_HARDWARE_INSTRUCTIONTRAITS_H
