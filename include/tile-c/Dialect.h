//===- Dialect.h - The tile dialect in C --------------------------*- C -*-===//
//
// Registration, attributes and types, over MLIR's C API (mlir-c). Attributes and types
// belong to their context. A `..Get` with a location emits what is wrong with its
// arguments there and returns a null attribute or type; accessors ask for one of their
// kind (`..IsA..`). Sequences are read by number, from 0.
//
//   MlirDialectRegistry registry = mlirDialectRegistryCreate();
//   tileRegisterDialects(registry);
//   MlirContext context = mlirContextCreateWithRegistry(registry, true);
//
//===----------------------------------------------------------------------===//

#ifndef TILE_C_DIALECT_H
#define TILE_C_DIALECT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

/// `mlirGetDialectHandle__tile__()`: the dialect alone.
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tile, tile);

/// Adds the dialect, those of upstream that a program may use or is lowered to, and the
/// interfaces that compiling looks up.
MLIR_CAPI_EXPORTED void tileRegisterDialects(MlirDialectRegistry registry);

//===----------------------------------------------------------------------===//
// Enumerations as attributes
//===----------------------------------------------------------------------===//

/// How far a launch or kernel is compiled (docs/Pipeline.md).
typedef enum TileStage {
  TileStageSource,
  TileStageLogical,
  TileStageLaidOut,
  TileStageMaterialized,
  TileStageScheduled,
  TileStagePlaced,
  TileStageSynchronized,
  TileStageOutlined,
  TileStageThreaded,
} TileStage;

/// How f32 operands are multiplied.
typedef enum TilePrecision {
  TilePrecisionIEEE,
  TilePrecisionTF32
} TilePrecision;

/// How the warps of a block share a result.
typedef enum TileWarps {
  TileWarpsSquare,
  TileWarpsRows,
  TileWarpsColumns
} TileWarps;

/// Whether producer warps are added to a launch.
typedef enum TileWarpSpecialize {
  TileWarpSpecializeAuto,
  TileWarpSpecializeOn,
  TileWarpSpecializeOff
} TileWarpSpecialize;

/// Whether consumers start products in turns, and whether of tiles of their own.
typedef enum TileConsumers {
  TileConsumersAuto,
  TileConsumersCooperative,
  TileConsumersAlternating,
  TileConsumersPingPong
} TileConsumers;

/// Who meets at a barrier.
typedef enum TileBarrierScope {
  TileBarrierScopeWarp,
  TileBarrierScopeBlock
} TileBarrierScope;

MLIR_CAPI_EXPORTED bool tileAttributeIsAStage(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileStageAttrGet(MlirContext context,
                                                  TileStage value);
MLIR_CAPI_EXPORTED TileStage tileStageAttrGetValue(MlirAttribute attr);

MLIR_CAPI_EXPORTED bool tileAttributeIsAPrecision(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tilePrecisionAttrGet(MlirContext context,
                                                      TilePrecision value);
MLIR_CAPI_EXPORTED TilePrecision tilePrecisionAttrGetValue(MlirAttribute attr);

MLIR_CAPI_EXPORTED bool tileAttributeIsAWarps(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileWarpsAttrGet(MlirContext context,
                                                  TileWarps value);
MLIR_CAPI_EXPORTED TileWarps tileWarpsAttrGetValue(MlirAttribute attr);

MLIR_CAPI_EXPORTED bool tileAttributeIsAWarpSpecialize(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute
tileWarpSpecializeAttrGet(MlirContext context, TileWarpSpecialize value);
MLIR_CAPI_EXPORTED TileWarpSpecialize
tileWarpSpecializeAttrGetValue(MlirAttribute attr);

MLIR_CAPI_EXPORTED bool tileAttributeIsAConsumers(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileConsumersAttrGet(MlirContext context,
                                                      TileConsumers value);
MLIR_CAPI_EXPORTED TileConsumers tileConsumersAttrGetValue(MlirAttribute attr);

MLIR_CAPI_EXPORTED bool tileAttributeIsABarrierScope(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute
tileBarrierScopeAttrGet(MlirContext context, TileBarrierScope value);
MLIR_CAPI_EXPORTED TileBarrierScope
tileBarrierScopeAttrGetValue(MlirAttribute attr);

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

/// `#tile.target<"sm_90a">`: the chip that a module is compiled for.
MLIR_CAPI_EXPORTED bool tileAttributeIsATarget(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileTargetAttrGet(MlirLocation loc,
                                                   MlirStringRef chip);
MLIR_CAPI_EXPORTED MlirStringRef tileTargetAttrGetChip(MlirAttribute attr);

typedef enum TileRasterOrder {
  TileRasterOrderRow,
  TileRasterOrderColumn
} TileRasterOrder;

/// `#tile.rasterize<row, 8>`: the order in which blocks visit the grid.
MLIR_CAPI_EXPORTED bool tileAttributeIsARasterize(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileRasterizeAttrGet(MlirLocation loc,
                                                      TileRasterOrder order,
                                                      int64_t panel);
MLIR_CAPI_EXPORTED TileRasterOrder
tileRasterizeAttrGetOrder(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t tileRasterizeAttrGetPanel(MlirAttribute attr);

typedef enum TileRoleKind {
  TileRoleKindProducer,
  TileRoleKindConsumer
} TileRoleKind;

/// `#tile.role<consumer, warps = 8, registers = 232>`: registers are those of a thread,
/// 0 for what the launch gives it.
MLIR_CAPI_EXPORTED bool tileAttributeIsARole(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileRoleAttrGet(MlirLocation loc,
                                                 TileRoleKind kind,
                                                 int64_t warps,
                                                 int64_t registers);
MLIR_CAPI_EXPORTED TileRoleKind tileRoleAttrGetKind(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t tileRoleAttrGetWarps(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t tileRoleAttrGetRegisters(MlirAttribute attr);

/// `#tile.roles<..>`: the roles of a launch, in the order of their warps.
MLIR_CAPI_EXPORTED bool tileAttributeIsARoles(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileRolesAttrGet(MlirLocation loc,
                                                  intptr_t numRoles,
                                                  const MlirAttribute *roles);
MLIR_CAPI_EXPORTED intptr_t tileRolesAttrGetNumRoles(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileRolesAttrGetRole(MlirAttribute attr,
                                                      intptr_t role);

//===----------------------------------------------------------------------===//
// Instructions and facts
//===----------------------------------------------------------------------===//

/// `#tile.instruction<"cp.async">`: a row of the tables of docs/Instructions.md.
MLIR_CAPI_EXPORTED bool tileAttributeIsAInstruction(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileInstructionAttrGet(MlirLocation loc,
                                                        MlirStringRef name);
MLIR_CAPI_EXPORTED MlirStringRef tileInstructionAttrGetName(MlirAttribute attr);

/// `#tile.operand_load<<"ld">, width = 2>`: how an operand comes to registers.
MLIR_CAPI_EXPORTED bool tileAttributeIsAOperandLoad(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileOperandLoadAttrGet(
    MlirLocation loc, MlirAttribute instruction, int64_t width);
MLIR_CAPI_EXPORTED MlirAttribute
tileOperandLoadAttrGetInstruction(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t tileOperandLoadAttrGetWidth(MlirAttribute attr);

/// `#tile.memref_facts<..>`: what is known of a memref that a kernel is given: divisors
/// of its addresses in bytes, of its sizes and of its strides.
MLIR_CAPI_EXPORTED bool tileAttributeIsAMemRefFacts(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileMemRefFactsAttrGet(
    MlirLocation loc, int64_t baseAlignment, int64_t alignment, intptr_t rank,
    const int64_t *sizeDivisors, const int64_t *strideDivisors,
    bool isContiguous);
MLIR_CAPI_EXPORTED int64_t
tileMemRefFactsAttrGetBaseAlignment(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t tileMemRefFactsAttrGetAlignment(MlirAttribute attr);
MLIR_CAPI_EXPORTED intptr_t tileMemRefFactsAttrGetRank(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t tileMemRefFactsAttrGetSizeDivisor(MlirAttribute attr,
                                                             intptr_t dim);
MLIR_CAPI_EXPORTED int64_t
tileMemRefFactsAttrGetStrideDivisor(MlirAttribute attr, intptr_t dim);
MLIR_CAPI_EXPORTED bool tileMemRefFactsAttrIsContiguous(MlirAttribute attr);

/// `#tile.scalar_facts<..>`: what is known of an integer that a kernel is given. INT64_MIN
/// and INT64_MAX say nothing.
MLIR_CAPI_EXPORTED bool tileAttributeIsAScalarFacts(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileScalarFactsAttrGet(MlirLocation loc,
                                                        int64_t divisor,
                                                        int64_t min,
                                                        int64_t max);
MLIR_CAPI_EXPORTED int64_t tileScalarFactsAttrGetDivisor(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t tileScalarFactsAttrGetMin(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t tileScalarFactsAttrGetMax(MlirAttribute attr);

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// One digit of a mixed-radix number, least significant first (docs/Layout.md): `extent`
/// values, each a step of `step` along dimension `dim`.
typedef struct TileDigit {
  int64_t extent;
  /// -1 replicates: of fragments only.
  int64_t dim;
  int64_t step;
  /// Elements that a step is in memory: of shared layouts only.
  int64_t weight;
} TileDigit;

typedef enum TileHardwareDim {
  TileHardwareDimRegister,
  TileHardwareDimLane,
  TileHardwareDimWarp
} TileHardwareDim;

/// `#tile.fragment<..>`: which thread holds which element of a tensor. `numDigits` and
/// `digits` are by TileHardwareDim. The attribute has the canonical spelling.
MLIR_CAPI_EXPORTED bool tileAttributeIsAFragment(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileFragmentAttrGet(
    MlirLocation loc, intptr_t rank, const int64_t *shape,
    const intptr_t numDigits[3], const TileDigit *const digits[3]);
MLIR_CAPI_EXPORTED intptr_t tileFragmentAttrGetRank(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t tileFragmentAttrGetSize(MlirAttribute attr,
                                                   intptr_t dim);
MLIR_CAPI_EXPORTED intptr_t tileFragmentAttrGetNumDigits(MlirAttribute attr,
                                                         TileHardwareDim where);
MLIR_CAPI_EXPORTED TileDigit tileFragmentAttrGetDigit(MlirAttribute attr,
                                                      TileHardwareDim where,
                                                      intptr_t digit);
/// Where a position (register, lane, warp) lies: `rank` numbers in `coordinate`.
MLIR_CAPI_EXPORTED void tileFragmentAttrEvaluate(MlirAttribute attr,
                                                 const int64_t position[3],
                                                 int64_t *coordinate);

/// `#tile.shared<..>`: where a buffer keeps its elements. In full, by the digits of the
/// offset and an XOR of bits of the byte address (`bits`, `base`, `shift`), or null ..
MLIR_CAPI_EXPORTED bool tileAttributeIsAShared(MlirAttribute attr);
MLIR_CAPI_EXPORTED MlirAttribute tileSharedAttrGet(
    MlirLocation loc, intptr_t rank, const int64_t *shape, intptr_t numDigits,
    const TileDigit *digits, const int64_t *xorBits);
/// .. or in short: `order`, fastest dimension first, or null; `pad` in elements or
/// `swizzle` in bytes, -1 where it is not written.
MLIR_CAPI_EXPORTED MlirAttribute
tileSharedAttrGetShort(MlirLocation loc, intptr_t rank, const int64_t *shape,
                       const int64_t *order, int64_t pad, int64_t swizzle);
MLIR_CAPI_EXPORTED intptr_t tileSharedAttrGetRank(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t tileSharedAttrGetSize(MlirAttribute attr,
                                                 intptr_t dim);
MLIR_CAPI_EXPORTED bool tileSharedAttrIsShort(MlirAttribute attr);
/// -1 where it is not written.
MLIR_CAPI_EXPORTED int64_t tileSharedAttrGetPad(MlirAttribute attr);
MLIR_CAPI_EXPORTED int64_t tileSharedAttrGetSwizzle(MlirAttribute attr);
/// The bit at which an element lies, for elements of `elementBits`; -1 where the layout
/// does not fit them.
MLIR_CAPI_EXPORTED int64_t tileSharedAttrGetBitOffset(
    MlirAttribute attr, int64_t elementBits, const int64_t *coordinate);

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// `!tile.ring<3>`: slots that are filled and emptied in turn.
MLIR_CAPI_EXPORTED bool tileTypeIsARing(MlirType type);
MLIR_CAPI_EXPORTED MlirType tileRingTypeGet(MlirLocation loc, int64_t slots);
MLIR_CAPI_EXPORTED int64_t tileRingTypeGetSlots(MlirType type);

/// `!tile.pending<tensor<..>>`: a fragment that is still being computed.
MLIR_CAPI_EXPORTED bool tileTypeIsAPending(MlirType type);
MLIR_CAPI_EXPORTED MlirType tilePendingTypeGet(MlirLocation loc,
                                               MlirType fragment);
MLIR_CAPI_EXPORTED MlirType tilePendingTypeGetFragment(MlirType type);

/// `!tile.tensor_map`.
MLIR_CAPI_EXPORTED bool tileTypeIsATensorMap(MlirType type);
MLIR_CAPI_EXPORTED MlirType tileTensorMapTypeGet(MlirContext context);

//===----------------------------------------------------------------------===//
// What programs say (docs/Language.md)
//===----------------------------------------------------------------------===//

// Each returns false, and changes nothing, where the operation is not of that kind or
// has no such argument.

/// The chip of a `builtin.module`.
MLIR_CAPI_EXPORTED bool tileModuleSetTarget(MlirModule module,
                                            MlirAttribute target);
/// How many iterations of an `scf.for` overlap.
MLIR_CAPI_EXPORTED bool tileLoopSetStages(MlirOperation loop, int64_t stages);
/// Of an argument of a `func.func`: names of sizes, one for each dimension; equal names
/// are equal sizes, an empty one says nothing.
MLIR_CAPI_EXPORTED bool tileFunctionSetSizeNames(MlirOperation function,
                                                 intptr_t argument,
                                                 intptr_t rank,
                                                 const MlirStringRef *names);
/// What divides its sizes, one number for each dimension.
MLIR_CAPI_EXPORTED bool tileFunctionSetDivisors(MlirOperation function,
                                                intptr_t argument,
                                                intptr_t rank,
                                                const int64_t *divisors);
/// What divides its address: bytes, a power of two.
MLIR_CAPI_EXPORTED bool tileFunctionSetAlignment(MlirOperation function,
                                                 intptr_t argument,
                                                 int64_t bytes);
/// That it may overlap others.
MLIR_CAPI_EXPORTED bool tileFunctionSetMayAlias(MlirOperation function,
                                                intptr_t argument);

#ifdef __cplusplus
}
#endif

#endif // TILE_C_DIALECT_H
