//===- TensorCore.h - Warp-level matrix instructions ------------*- C++ -*-===//
//
// mma.sync, mma.sp, ldmatrix, stmatrix, movmatrix, wmma and wgmma as functions
// over the registers of one warp. A register is an array of its 32 lanes, so an
// operand of N registers is `uint32_t regs[N][32]`, in the order of the PTX
// operand list. f64 operands are `uint64_t regs[N][32]`.
//
// Each instruction is described by a plain struct. `check...` says whether the
// PTX ISA has that combination (an empty string, or the reason); the executing
// functions require a checked description.
//
// Arithmetic: products are exact; a dot product is summed in f32 (f64 for f64
// operands, exact integers for integers) with k ascending, starting from C,
// each sum rounded to nearest even; an f16 result is rounded once at the end.
// Hardware aligns and truncates the addends of a group of products, so its last
// bits differ wherever a sum is inexact.
//
// Shared memory is seen only as rows handed in by the caller or through
// `wgmmaForEachChunk`, so bounds and races are checked where they are known.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_EMULATOR_TENSORCORE_H
#define TILE_EMULATOR_TENSORCORE_H

#include "tile/Emulator/Numerics.h"
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tilec::emu {

using LaneWords = uint32_t[warpLanes];   // one 32-bit register of a warp
using LaneDoubles = uint64_t[warpLanes]; // one 64-bit register of a warp

//===----------------------------------------------------------------------===//
// mma.sync and mma.sp
//===----------------------------------------------------------------------===//

enum class BitOperation : uint8_t { And, Xor }; // .b1: what popc is taken of

/// .block_scale: `vectors` (.scale_vec::1X, 2X, 4X) scales for a row of A or a
/// column of B, each for K / vectors elements that follow each other.
struct MmaScaling {
  int vectors = 0;                       // 0: no block scaling
  ElementType type = ElementType::UE8M0; // or E4M3, for .ue4m3
  bool operator==(const MmaScaling &) const = default;
};

/// mma.sync.aligned.m<M>n<N>k<K>.row.col.<d>.<a>.<b>.<c>
struct MmaOp {
  int m = 0, n = 0, k = 0;
  ElementType a = ElementType::F16, b = ElementType::F16;
  ElementType c = ElementType::F32, d = ElementType::F32;
  bool saturateFinite = false; // .satfinite: S32 results clamp, no wrap
  BitOperation bitOperation = BitOperation::Xor; // B1 only
  bool sparse = false; // mma.sp: A holds half of its columns
  bool orderedMetadata = false;
  bool aColumnMajor = false; // only m8n8k4 of f16 may differ from row.col
  bool bRowMajor = false;
  /// .kind::f8f6f4: 4- and 6-bit elements stand in bytes (e2m1 at bits 5:2,
  /// 6-bit types at bits 5:0).
  bool byteContainers = false;
  MmaScaling scaling;
  Rounding rounding = Rounding::NearestEven; // F64 only
};

/// An empty string if the PTX ISA has this instruction, or the reason.
std::string checkMma(const MmaOp &op);

/// Registers of an operand per lane: 32-bit ones, or 64-bit ones for F64.
struct MmaRegisterCounts {
  int a = 0, b = 0, c = 0, d = 0;
};
MmaRegisterCounts mmaRegisterCounts(const MmaOp &op);

/// Sparsity selectors of a sparse mma are below this.
uint32_t sparsitySelectorCount(const MmaOp &op);

/// An empty string if the metadata that a sparse mma takes from the lanes'
/// registers names kept elements as it has to, or what is wrong: the positions of
/// a pair differ and, with `.sp::ordered_metadata`, increase; tf32 keeps one of
/// two, named 0b0100 or 0b1110.
std::string checkMetadata(const MmaOp &op, const uint32_t *metadata,
                          uint32_t selector);

/// The scales of a block-scaled mma: a register of packed bytes each for A and
/// B, and which of its bytes and of the lanes of a group of four hold them.
struct MmaScales {
  const uint32_t *a = nullptr, *b = nullptr;
  uint32_t byteA = 0, threadA = 0, byteB = 0, threadB = 0;
};
/// An empty string if `byte` (0 to 3) and `thread` (0 or 1 for A, 0 to 3 for B)
/// may select the scales of an operand, or the reason.
std::string checkScaleSelector(const MmaScaling &scaling, bool isA,
                               uint32_t byte, uint32_t thread);

/// D = A * B + C. Any operand may alias D. `metadata` is the metadata register
/// and `selector` the sparsity selector of mma.sp, else null and 0; `scales`
/// belongs to block-scaled ones.
void mma(const MmaOp &op, const LaneWords *a, const LaneWords *b,
         const LaneWords *c, LaneWords *d, const uint32_t *metadata = nullptr,
         uint32_t selector = 0, const MmaScales *scales = nullptr);

/// The f64 shapes: m8n8k4, m16n8k4, m16n8k8, m16n8k16.
void mmaF64(const MmaOp &op, const LaneDoubles *a, const LaneDoubles *b,
            const LaneDoubles *c, LaneDoubles *d);

/// Which element of the matrix a lane's packed element is.
struct MatrixIndex {
  int row = 0, column = 0;
  bool operator==(const MatrixIndex &) const = default;
};
/// Element `element` (counted through the lane's registers, low bits first) of
/// fragment A, B (K rows, N columns) or C/D. For mma.sp, A's columns count the
/// stored ones, K / 2 of them.
MatrixIndex mmaIndexA(const MmaOp &op, int lane, int element);
MatrixIndex mmaIndexB(const MmaOp &op, int lane, int element);
MatrixIndex mmaIndexC(const MmaOp &op, int lane, int element);

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix, movmatrix
//===----------------------------------------------------------------------===//

enum class LdmatrixShape : uint8_t {
  M8N8,   // .b16: rows of 16 bytes
  M16N16, // .b8 or .b8x16.b4x16_p64/.b6x16_p32, always .trans
  M8N16   // .b8x16.b4x16_p64 / .b6x16_p32
};
enum class LdmatrixSource : uint8_t { B16, B8, B6x16P32, B4x16P64 };

struct LdmatrixOp {
  LdmatrixShape shape = LdmatrixShape::M8N8;
  LdmatrixSource source = LdmatrixSource::B16;
  int count = 1; // .x1 .x2 .x4
  bool transpose = false;
};
std::string checkLdmatrix(const LdmatrixOp &op);

/// Rows read: row r of the instruction is at the address given by lane
/// `ldmatrixRowLane(op, r)`, and is 16 bytes long in every form.
int ldmatrixRowCount(const LdmatrixOp &op);
int ldmatrixRowLane(const LdmatrixOp &op, int row);
int ldmatrixRegisterCount(const LdmatrixOp &op);
/// Distributes `rows` (ldmatrixRowCount of 16 bytes) into the registers.
void ldmatrix(const LdmatrixOp &op, const uint8_t (*rows)[16], LaneWords *d);

struct StmatrixOp {
  bool bytes = false; // .m16n8.b8 (always .trans) instead of .m8n8.b16
  int count = 1;
  bool transpose = false;
};
std::string checkStmatrix(const StmatrixOp &op);
int stmatrixRowCount(const StmatrixOp &op);
int stmatrixRowLane(const StmatrixOp &op, int row);
/// Collects the registers into `rows` (stmatrixRowCount of 16 bytes).
void stmatrix(const StmatrixOp &op, const LaneWords *a, uint8_t (*rows)[16]);

/// movmatrix.sync.aligned.m8n8.trans.b16
void movmatrix(const LaneWords &a, LaneWords &d);

//===----------------------------------------------------------------------===//
// wmma
//===----------------------------------------------------------------------===//

enum class WmmaRole : uint8_t { A, B, C, D };

struct WmmaOp {
  int m = 16, n = 16, k = 16;
  ElementType a = ElementType::F16, b = ElementType::F16;
  ElementType c = ElementType::F32, d = ElementType::F32;
  bool aColumnMajor = false, bColumnMajor = false;
  bool saturateFinite = false;
  BitOperation bitOperation = BitOperation::Xor;
  Rounding rounding = Rounding::NearestEven; // F64 only
};
std::string checkWmma(const WmmaOp &op);

/// How a fragment lies in the lanes. The ISA leaves it open; ours distributes
/// elements round robin, and repeats them where the ISA's register count asks
/// for more elements than the matrix has.
struct WmmaFragment {
  WmmaRole role = WmmaRole::A;
  ElementType type = ElementType::F16;
  int m = 16, n = 16, k = 16;
};
/// Registers per lane (64-bit ones for F64).
int wmmaRegisterCount(const WmmaFragment &fragment);
/// Elements in one register.
int wmmaElementsPerRegister(const WmmaFragment &fragment);
/// The matrix element held by `lane` as its `element`-th.
MatrixIndex wmmaIndex(const WmmaFragment &fragment, int lane, int element);

void wmmaMma(const WmmaOp &op, const LaneWords *a, const LaneWords *b,
             const LaneWords *c, LaneWords *d);
void wmmaMmaF64(const WmmaOp &op, const LaneDoubles *a, const LaneDoubles *b,
                const LaneDoubles *c, LaneDoubles *d);

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

/// The 64-bit shared-memory matrix descriptor, decoded to bytes.
struct WgmmaDescriptor {
  uint32_t startAddress = 0;       // bits 13:0, times 16
  uint32_t leadingOffsetBytes = 0; // bits 29:16, times 16
  uint32_t strideOffsetBytes = 0;  // bits 45:32, times 16
  uint32_t baseOffset = 0;         // bits 51:49
  uint32_t swizzleBytes = 0;       // bits 63:62 as 0, 128, 64, 32
};
WgmmaDescriptor decodeWgmmaDescriptor(uint64_t bits);

/// wgmma.mma_async.sp?.sync.aligned.m64n<N>k<K>.<d>.<a>.<b>
struct WgmmaOp {
  int n = 8, k = 16;
  ElementType a = ElementType::F16, b = ElementType::F16;
  ElementType d = ElementType::F32;
  bool aInRegisters = false;
  bool aMnMajor = false, bMnMajor = false; // imm-trans-a, imm-trans-b
  bool negateA = false, negateB = false;   // imm-scale = -1
  bool saturateFinite = false;
  BitOperation bitOperation = BitOperation::And;
  bool sparse = false;
};
std::string checkWgmma(const WgmmaOp &op);
int wgmmaRegisterCountA(const WgmmaOp &op);
int wgmmaRegisterCountD(const WgmmaOp &op);

/// As for mma; each warp (0 to 3) of the four has the metadata of its own rows.
uint32_t sparsitySelectorCount(const WgmmaOp &op);
std::string checkMetadata(const WgmmaOp &op, int warp, const uint32_t *metadata,
                          uint32_t selector);
/// Whether a sparse product reads the register of `lane`, and the row of the
/// warp's 16 whose metadata half `half` of it, 0 or 1, holds.
bool isMetadataRead(const WgmmaOp &op, int lane, uint32_t selector);
int metadataRow(const WgmmaOp &op, int lane, int half);

/// Which operand's shared memory; A is 64 x K, B is K x N.
enum class WgmmaOperand : uint8_t { A, B };

/// Shared bytes one operand reads, as 16-byte chunks; each eight in a row are a
/// core matrix, which hardware reads at once. Addresses are shared-window offsets,
/// swizzle applied.
void wgmmaForEachChunk(const WgmmaOp &op, WgmmaOperand operand,
                       uint64_t descriptor,
                       const std::function<void(uint32_t address)> &visit);

/// The shared-window address of element (row, column) of an operand: A's are
/// (m, k), B's (k, n). Sub-byte types: the byte that holds it.
uint32_t wgmmaAddress(const WgmmaOp &op, WgmmaOperand operand,
                      uint64_t descriptor, int row, int column);

/// The part of one warp (0 to 3: rows 16 * warp onwards) of D = A * B + D, or
/// A * B if not `scaleD`. `shared` is the block's shared window, which the
/// caller has checked to hold every chunk. `aRegisters` if A is in registers,
/// else `aDescriptor`. `metadata` is the metadata register of the warp's lanes
/// and `selector` the sparsity selector of a sparse one, else null and 0.
void wgmma(const WgmmaOp &op, int warp, const uint8_t *shared,
           const LaneWords *aRegisters, uint64_t aDescriptor,
           uint64_t bDescriptor, bool scaleD, LaneWords *d,
           const uint32_t *metadata = nullptr, uint32_t selector = 0);

} // namespace tilec::emu

#endif // TILE_EMULATOR_TENSORCORE_H
