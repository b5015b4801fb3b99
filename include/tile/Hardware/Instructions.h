//===- Instructions.h - Matrix and copy instructions as data ----*- C++ -*-===//
//
// Instructions are rows, not code: a name of the PTX ISA, a shape, element
// types, and for every operand the fragment layout that says which lane holds
// which element. Passes ask for rows and compose their layouts; they never
// spell an instruction's thread mapping.
//
// A row's layouts are for one warp: `register` and `lane` digits only. Register
// numbers count elements in the order the PTX operand list packs them, low half
// first: elements 0 and 1 of an f16 operand share its first 32-bit register.
//
//     mma.m16n8k16 (f16), A over (M, K):         lane = 4 * groupID + thread
//       register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)]   a0..a7
//       lane     = [4 : (0, 2), 8 : (1, 0)]
//
// Source: PTX ISA 9.0, section "Warp-level matrix instructions", the figures
// and formulas under "Matrix fragments for mma.<shape>"; each row is tested
// against those formulas element by element.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_INSTRUCTIONS_H
#define TILE_HARDWARE_INSTRUCTIONS_H

#include "tile/Hardware/GpuTarget.h"
#include "tile/Layout/FragmentLayout.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilec {

/// The element types of matrix instructions, named as in PTX.
enum class ElementKind { F64, F32, TF32, F16, BF16, E4M3, E5M2, S8, U8, S32 };

/// The PTX spelling without the dot: "f16", "e4m3", "s32".
std::string_view getName(ElementKind kind);

/// Bits an element takes in a register: tf32 takes 32.
int64_t getElementBits(ElementKind kind);

// Matrix multiply-accumulate -----------------------------------------------------

/// One `mma.sync`: D(M x N) = A(M x K) * B(K x N) + C(M x N), by one warp. D
/// and C have the same type and layout.
struct MmaAtom {
  /// The full PTX name: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32".
  std::string name;
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  ElementKind a = ElementKind::F16;
  ElementKind b = ElementKind::F16;
  ElementKind accumulator = ElementKind::F32;

  FragmentLayout aLayout; ///< (register, lane) -> (M, K)
  FragmentLayout bLayout; ///< (register, lane) -> (K, N)
  FragmentLayout cLayout; ///< (register, lane) -> (M, N)

  /// Elements of A and of B in one PTX register of `registerBits` bits.
  int64_t elementsPerRegister = 0;
  /// Elements of C and of D in one PTX register: 2 for f16, else 1.
  int64_t accumulatorElementsPerRegister = 0;
  /// Width of one PTX register operand: 32, and 64 for f64.
  int64_t registerBits = 32;

  int firstCapability = 0; ///< 80, 89, ...
  /// Only on the `a` chip of exactly that capability. No `mma.sync` row is.
  bool isArchitectureSpecific = false;
  int firstPtxVersion = 0; ///< 70, 84, ...

  /// How many registers the PTX statement lists for an operand.
  int64_t getARegisters() const {
    return aLayout.getRegisterCount() / elementsPerRegister;
  }
  int64_t getBRegisters() const {
    return bLayout.getRegisterCount() / elementsPerRegister;
  }
  int64_t getCRegisters() const {
    return cLayout.getRegisterCount() / accumulatorElementsPerRegister;
  }
  /// Whether `target` has the instruction when code is generated at
  /// `ptxVersion`.
  bool isAvailable(const GpuTarget &target, int ptxVersion) const;
};

/// All rows: for f16 (f32 and f16 accumulators) and bf16 m16n8k16 and m16n8k8,
/// tf32 m16n8k8 and m16n8k4, f64 m8n8k4, the four combinations of s8 and u8
/// m16n8k32 and m16n8k16, the four of e4m3 and e5m2 m16n8k32 (f32 and f16
/// accumulators).
const std::vector<MmaAtom> &getMmaAtoms();

/// The rows for these element types that `target` has, largest K first.
/// `ptxVersion` is the version code is generated at; 0 means the target's
/// default. Empty when there is none.
std::vector<const MmaAtom *> findMmaAtoms(const GpuTarget &target,
                                          ElementKind a, ElementKind b,
                                          ElementKind accumulator,
                                          int ptxVersion = 0);

/// The row named `name`, or null.
const MmaAtom *findMmaAtomByName(std::string_view name);

/// The oldest known target that has a row for these types at some PTX version
/// it accepts, or null: what an error that refuses a gemm names as the remedy.
const GpuTarget *firstTargetFor(ElementKind a, ElementKind b,
                                ElementKind accumulator);

// Copies ---------------------------------------------------------------------

enum class CopyKind {
  LoadMatrix,  ///< ldmatrix: shared memory to registers, by a warp
  StoreMatrix, ///< stmatrix: registers to shared memory, by a warp
  Async,       ///< cp.async: global to shared memory, by a thread
  Load,        ///< ld: memory to registers, by a thread
  Store,       ///< st: registers to memory, by a thread
};

enum class MemorySpace { Global, Shared };

/// One instruction that moves data.
struct CopyAtom {
  /// The PTX name. Rows of `cp.async` end in the byte count (".16"), which PTX
  /// writes as an operand.
  std::string name;
  CopyKind kind = CopyKind::Load;
  /// The memory read or written; of `cp.async` the source (it writes Shared).
  MemorySpace space = MemorySpace::Global;

  /// Bytes that one address covers; the address is a multiple of it. For
  /// ldmatrix and stmatrix one row of 16 bytes.
  int64_t bytesPerAccess = 0;

  // LoadMatrix and StoreMatrix only ------------------------------------------
  /// 8x8 matrices of 16-bit elements: 1, 2 or 4; 0 in other rows. Lane l < 8 *
  /// matrixCount gives the address of row l % 8 of matrix l / 8.
  int64_t matrixCount = 0;
  bool isTransposed = false; ///< `.trans`
  /// (register, lane) -> (matrix, row, column), rows and columns as they lie in
  /// memory. Register elements 2i and 2i + 1 share 32-bit register i = matrix.
  FragmentLayout layout;

  int firstCapability = 0;
  int firstPtxVersion = 0;

  bool isAvailable(const GpuTarget &target, int ptxVersion) const;
};

/// All rows: ldmatrix and stmatrix x1, x2, x4 with and without .trans for b16;
/// cp.async.ca of 4, 8 and 16 and cp.async.cg of 16 bytes; ld and st of 1, 2,
/// 4, 8 and 16 bytes, global and shared.
const std::vector<CopyAtom> &getCopyAtoms();

/// The rows of a kind that read (cp.async, ld) or write (st) `space` and that
/// `target` has, widest first (bytes an access times matrices), without .trans
/// before with, .ca before .cg. `ptxVersion` as in `findMmaAtoms`.
std::vector<const CopyAtom *> findCopyAtoms(const GpuTarget &target,
                                            CopyKind kind, MemorySpace space,
                                            int ptxVersion = 0);

/// The row named `name`, or null.
const CopyAtom *findCopyAtomByName(std::string_view name);

} // namespace tilec

#endif // TILE_HARDWARE_INSTRUCTIONS_H
