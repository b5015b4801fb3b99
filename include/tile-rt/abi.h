//===- abi.h - What compiled host code calls ------------------------*- C -*-===//
//
// The contract between the objects of `tile-opt --emit=object` and the runtime; nothing
// for applications. An object holds constants that describe its kernels, functions and
// launches, and code that calls the functions at the end with the numbers of a run.
//
// A value is given as words of 64 bits: a memref by its allocation's address, its
// offset, its sizes and its strides, in elements; an integer or index sign-extended, an
// i1 as 0 or 1, a float by its bits.
//
// Whatever fails is kept in the call, and what follows in it does nothing: the program
// goes on to its end, which the control flow of host code reaches without results.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RT_ABI_H
#define TILE_RT_ABI_H

#include "tile-rt/tileRt.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Changes with every change of this file; the runtime refuses objects of another.
#define TILE_RT_ABI_VERSION 2

/// A size, stride or offset that a type leaves open.
#define TILE_RT_ANY INT64_MIN

/// The kernels of an object.
typedef struct TileRtImage {
  int64_t abiVersion;
  const char *ptx; ///< with a zero at its end
  int64_t ptxBytes;
  const char *cubin; ///< null where there is none
  int64_t cubinBytes;
  int64_t multiprocessors; ///< what `tile.sm_count` is without a GPU
  /// What a trap means: pairs of a place in the program and a sentence.
  int64_t assertionCount;
  const char *const *assertions;
} TileRtImage;

/// A memref type.
typedef struct TileRtMemRef {
  int64_t rank, elementBits;
  const int64_t *sizes, *strides; ///< fixed ones, or TILE_RT_ANY
  int64_t offset;
} TileRtMemRef;

/// An argument of a host function.
typedef struct TileRtArgument {
  const char *name;
  const TileRtMemRef *type; ///< null: a scalar, one word
  const int64_t *divisors;  ///< of sizes; null: none
  const char *const *names; ///< of sizes, empty ones for none; null: none
  int64_t alignBytes;       ///< of the allocation; 0: not stated
  int64_t mayAlias;
} TileRtArgument;

typedef struct TileRtFunction {
  const TileRtImage *image;
  const char *name;
  int64_t argumentCount;
  const TileRtArgument *arguments;
} TileRtFunction;

/// What a kernel was compiled for, of a memref or of an integer.
typedef struct TileRtFacts {
  int64_t alignment, isContiguous;
  const int64_t *sizeDivisors, *strideDivisors; ///< null: none
  int64_t divisor, min, max;
} TileRtFacts;

/// How a memref becomes a tensor map; entries outermost dimension first.
typedef struct TileRtTensorMap {
  int64_t element, swizzleBytes, boxRank;
  const int64_t *box;
  const int64_t *lower, *upper, *strides; ///< two entries each; null: tiled
} TileRtTensorMap;

/// What a kernel is given.
typedef struct TileRtOperand {
  const TileRtMemRef *type;   ///< null: a scalar
  int64_t scalarBytes;        ///< of a scalar, as a parameter
  const TileRtFacts *facts;   ///< null: none
  const TileRtTensorMap *map; ///< null: the memref or scalar itself
} TileRtOperand;

/// What `tile.assume` says of a memref.
typedef struct TileRtAssumption {
  const char *place;
  const TileRtMemRef *type;
  const int64_t *sizeDivisors, *strideDivisors; ///< null: none
  int64_t alignment;
} TileRtAssumption;

typedef struct TileRtLaunch {
  const TileRtImage *image;
  const char *kernel;
  const char *place;   ///< "gemm.mlir:12:3"
  int64_t isDependent; ///< programmatic dependent launch
  int64_t operandCount;
  const TileRtOperand *operands;
} TileRtLaunch;

/// One run of a host function.
typedef struct TileRtCall TileRtCall;

/// The object that has the image is unloaded: what was loaded of it is not looked for
/// again, though another image may be at the address.
TILE_RT_EXPORT void tileRtForget(const TileRtImage *image);
/// Begins a run where the arguments are right: their words, one argument after the
/// other. Null where they are not.
TILE_RT_EXPORT TileRtCall *tileRtEnter(const TileRtFunction *function,
                                       const int64_t *words,
                                       TileRtStream stream);
/// Ends a run, releases what it has not, and says what it came to.
TILE_RT_EXPORT int32_t tileRtLeave(TileRtCall *call);
/// Checks the arguments of a call of another host function.
TILE_RT_EXPORT void tileRtCheckCall(TileRtCall *call,
                                    const TileRtFunction *function,
                                    const int64_t *words);
/// Checks a `tile.assume_divisible`.
TILE_RT_EXPORT void tileRtAssume(TileRtCall *call, const char *place,
                                 int64_t number, int64_t divisor);
/// Checks a `tile.assume`; words of the memref.
TILE_RT_EXPORT void tileRtAssumeMemRef(TileRtCall *call,
                                       const TileRtAssumption *assumption,
                                       const int64_t *words);
/// Checks a `memref.subview`; words: of each dimension of the source the view's offset,
/// size and stride and the source's size.
TILE_RT_EXPORT void tileRtCheckView(TileRtCall *call, const char *place,
                                    int64_t rank, const int64_t *words);
/// Checks the dimension that a `memref.dim` asks for.
TILE_RT_EXPORT void tileRtCheckDim(TileRtCall *call, const char *place,
                                   int64_t dim, int64_t rank);
/// Checks the step of a loop; of an unsigned one whether it is zero.
TILE_RT_EXPORT void tileRtCheckStep(TileRtCall *call, const char *place,
                                    int64_t step);
/// Checks a `memref.cast` to `type`; words of the memref.
TILE_RT_EXPORT void tileRtCheckCast(TileRtCall *call, const char *place,
                                    const TileRtMemRef *type,
                                    const int64_t *words);
/// Words: grid, block and cluster, three of each, bytes of dynamic shared memory, then
/// the operands; of a tensor map those of its memref.
TILE_RT_EXPORT void tileRtLaunch(TileRtCall *call, const TileRtLaunch *launch,
                                 const int64_t *words);
/// Memory for an allocation of `sizes`.
TILE_RT_EXPORT void *tileRtNewBuffer(TileRtCall *call, const char *place,
                                     int64_t elementBits, int64_t rank,
                                     const int64_t *sizes);
TILE_RT_EXPORT void tileRtFreeBuffer(TileRtCall *call, const char *place,
                                     void *address);
/// Copies all elements; words: of the source, then of the target.
TILE_RT_EXPORT void tileRtCopyBuffer(TileRtCall *call, const char *place,
                                     int64_t elementBits, int64_t rank,
                                     const int64_t *words);
/// At least one.
TILE_RT_EXPORT int64_t tileRtMultiprocessors(TileRtCall *call);

#ifdef __cplusplus
}
#endif

#endif // TILE_RT_ABI_H
