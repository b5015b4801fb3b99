//===- MatrixInstruction.h - Matrix instructions as data --------*- C++ -*-===//
//
// Instructions are rows, not code. A row says for D(M x N) = A(M x K) * B(K x
// N) + C(M x N), where C and D have the same type and place, in which space
// each operand lives, who takes part and how it completes. Passes ask for rows
// and compose their layouts; they never compare a name or spell a mapping of
// threads.
//
// The layout of an operand in registers spans those who take part: `register`
// and `lane` digits for a warp, `warp` digits too for the four warps of a
// warpgroup. Register numbers count elements in the order the PTX operand list
// packs them, low half first: elements 0 and 1 of an f16 operand share its
// first 32-bit register.
//
//     mma.m16n8k16 (f16), A over (M, K):         lane = 4 * groupID + thread
//       register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)]   a0..a7
//       lane     = [4 : (0, 2), 8 : (1, 0)]
//
// Source: PTX ISA 9.0, the figures and formulas of "Warp-level" and
// "Asynchronous warpgroup-level matrix instructions"; each row is tested
// against those formulas element by element.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_HARDWARE_MATRIXINSTRUCTION_H
#define TILE_HARDWARE_MATRIXINSTRUCTION_H

#include "tile/Hardware/ElementKind.h"
#include "tile/Hardware/InstructionTraits.h"
#include "tile/Hardware/SharedDemand.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilec {

/// Where an instruction finds an operand.
enum class OperandSpace {
  Registers,
  SharedByAddress,    ///< shared memory; code computes each element's address
  SharedByDescriptor, ///< shared memory; a descriptor names the whole tile
  TensorMemory,
};

/// Who executes an instruction together.
enum class Participants {
  Thread,
  Warp,
  Warpgroup, ///< four warps, the first a multiple of four
  BlockPair, ///< two blocks of a cluster
};

struct MatrixOperand {
  OperandSpace space = OperandSpace::Registers;

  // Registers ----------------------------------------------------------------
  /// (register, lane, warp) -> (M, K), (K, N) or (M, N). The empty layout:
  /// whichever the product has, as each thread computes its own elements.
  FragmentLayout layout;
  /// Elements in one PTX register of `registerBits` bits.
  int64_t elementsPerRegister = 1;
  /// Width of one PTX register operand: 32, and 64 for f64.
  int64_t registerBits = 32;

  // SharedByDescriptor -------------------------------------------------------
  /// What the buffer may look like, any of them; widest swizzle first.
  std::span<const SharedDemand> sharedLayouts;

  /// How many registers the PTX statement lists for the operand; 0 where it is
  /// not in registers.
  int64_t getRegisterCount() const {
    return space == OperandSpace::Registers
               ? layout.getRegisterCount() / elementsPerRegister
               : 0;
  }
};

/// Scales of A and B: one for every `block` elements along K of a row of A and
/// of a column of B.
struct BlockScaling {
  ElementKind kind = ElementKind::UE8M0;
  int64_t block = 32;
};

struct MatrixInstruction : Availability {
  /// The full PTX name, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32".
  /// Rows of wgmma, whose operand A may live in two places under one PTX name,
  /// end in ".ss" (shared memory) or ".rs" (registers). "fma": see fmaName.
  std::string name;
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  ElementKind kindA = ElementKind::F16;
  ElementKind kindB = ElementKind::F16;
  ElementKind kindAccumulator = ElementKind::F32;

  MatrixOperand a;
  MatrixOperand b;
  MatrixOperand accumulator;
  /// Which elements of a sparse A, which holds half of each row, are kept: two
  /// of every four, in a register that serves several steps along K. The layout
  /// is over (M, words of 16 bits along K) of all of them; see
  /// SparseMmaInstructions.cpp.
  std::optional<MatrixOperand> metadata;
  /// Whether blocks of A and of B have scales. Those of a step of K are
  /// neighbouring bytes of a register, whichever the statement names. The layouts
  /// are those of one block.
  std::optional<BlockScaling> scaling;
  std::optional<MatrixOperand> scaleA; ///< layout over (M, K / block)
  std::optional<MatrixOperand> scaleB; ///< layout over (N, K / block)

  Participants participants = Participants::Warp;
  Completion completion = Completion::Immediate;
  /// How operands in shared memory are read.
  Proxy proxy = Proxy::Generic;

  bool isSparse() const { return metadata.has_value(); }
  /// Scales of a row of A, or column of B, in a step of K; 0 without scales.
  int64_t getScalesPerStep() const { return scaling ? k / scaling->block : 0; }
  /// The columns of A that stand for `columns` columns of the product.
  int64_t getStoredColumns(int64_t columns) const {
    return isSparse() ? columns / 2 : columns;
  }
};

/// Columns of K whose kept elements one word of metadata names.
inline constexpr int64_t columnsPerMetadataWord = 16;

/// The row for products by single threads: multiply-adds of f32 elements, each
/// read from shared memory or wherever the code has them.
inline constexpr std::string_view fmaName = "fma";

/// All rows:
///   mma.sync    f16 (f32 and f16 accumulators) and bf16 m16n8k16 and m16n8k8,
///               tf32 m16n8k8 and m16n8k4, f64 m8n8k4, the four combinations of
///               s8 and u8 m16n8k32 and m16n8k16, the four of e4m3 and e5m2
///               m16n8k32 (f32 and f16 accumulators); with scales all pairs of these
///               and of e2m3, e3m2, e2m1 m16n8k32 (a power of two for 32), e2m1 with
///               e2m1 m16n8k64 (a power of two for 32, or ue4m3 for 16)
///   fma
///   mma.sp      f16 (f32 and f16 accumulators) and bf16 m16n8k32, the four of
///               s8 and u8 m16n8k64 and m16n8k32, the four of e4m3 and e5m2
///               m16n8k64 (f32); each with metadata in any order and, under
///               another name, in increasing order
///   wgmma       the same types but f64, m64nNk32 for 8 bits, k16 for 16, k8
///               for tf32, every N that PTX has, A in shared memory and in
///               registers
std::vector<const MatrixInstruction *> getMatrixInstructions();

/// The rows without scales for these element types and participants that `target`
/// has, largest K first, then in the order of the table; those of a sparse or of a dense
/// A. `ptxVersion` is the version code is generated at; 0 means the target's
/// default. Empty when there is none.
std::vector<const MatrixInstruction *>
findMatrixInstructions(const GpuTarget &target, ElementKind a, ElementKind b,
                       ElementKind accumulator, int ptxVersion = 0,
                       Participants participants = Participants::Warp,
                       bool isSparse = false);

/// The rows of warps that take scales too, of this kind, one for each block that
/// divides `scaling.block`; the largest K first.
std::vector<const MatrixInstruction *>
findScaledInstructions(const GpuTarget &target, ElementKind a, ElementKind b,
                       ElementKind accumulator, const BlockScaling &scaling);

/// The row named `name`, or null.
const MatrixInstruction *findMatrixInstruction(std::string_view name);

/// The oldest known target that has a row for these types and participants at
/// some PTX version it accepts, or null: what an error that refuses a gemm
/// names as the remedy.
const GpuTarget *firstTargetFor(ElementKind a, ElementKind b,
                                ElementKind accumulator,
                                Participants participants = Participants::Warp,
                                bool isSparse = false);

} // namespace tilec

#endif // TILE_HARDWARE_MATRIXINSTRUCTION_H
