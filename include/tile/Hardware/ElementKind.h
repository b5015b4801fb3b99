//===- ElementKind.h - The element types of instructions --------*- C++ -*-===//
//
// What a matrix instruction multiplies and adds, named as in PTX. Types of
// MLIR are mapped to kinds outside: this library knows no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_ELEMENTKIND_H
#define TILE_HARDWARE_ELEMENTKIND_H

#include <cstdint>
#include <string_view>

namespace tilec {

enum class ElementKind {
  F64,
  F32,
  TF32,
  F16,
  BF16,
  E4M3,
  E5M2,
  E2M3, ///< of 6 bits, in the low ones of a byte
  E3M2, ///< likewise
  E2M1, ///< of 4 bits, two of which share a byte
  S8,
  U8,
  S32,
  UE8M0, ///< a power of two, as a scale
  UE4M3  ///< e4m3 without a sign, as a scale
};

/// The PTX spelling without the dot: "f16", "e4m3", "s32".
std::string_view getName(ElementKind kind);

/// Bits an element takes in shared memory, and mostly in a register: tf32 takes 32, e2m3
/// and e3m2 take 8. e2m1 takes 8 in registers that have four elements.
int64_t getElementBits(ElementKind kind);

} // namespace tilec

#endif // TILE_HARDWARE_ELEMENTKIND_H
