//===- SharedMemory.h - What layouts ask of shared memory -------*- C++ -*-===//

#ifndef TILE_HARDWARE_SHAREDMEMORY_H
#define TILE_HARDWARE_SHAREDMEMORY_H

#include <cstdint>

namespace tilec {

/// What the start of a block's shared memory is a multiple of, so that every
/// layout finds the alignment it asks for behind it: a swizzle exchanges
/// addresses within eight rows of its mode's bytes, at most 128.
/// Source: PTX ISA 9.0, "Tensor swizzling modes".
inline constexpr int64_t sharedBaseAlignBytes = 8 * 128;

} // namespace tilec

#endif // TILE_HARDWARE_SHAREDMEMORY_H
