//===- VectorTargets.h - Functions compiled for several machines *- C++ -* ===//
//
// TILE_VECTOR_TARGETS before a function definition compiles it for the baseline
// and for the machine's vector extensions; the loader picks one. Elsewhere, and
// under sanitizers (which instrument code that runs before they are ready), it
// is empty.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_NUMERICS_VECTORTARGETS_H
#define TILE_LIB_EMULATOR_NUMERICS_VECTORTARGETS_H

#if defined(__x86_64__) && defined(__linux__) && defined(__clang__) &&         \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) &&   \
    !__has_feature(memory_sanitizer)
#define TILE_VECTOR_TARGETS                                                    \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TILE_VECTOR_TARGETS
#endif

#endif // TILE_LIB_EMULATOR_NUMERICS_VECTORTARGETS_H
