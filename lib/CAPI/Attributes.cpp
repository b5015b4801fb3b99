//===- Attributes.cpp - Attributes of the dialect, in C -------------------===//

#include "tile-c/Dialect.h"

#include "tile/Dialect/Tile/TileDialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace mlir::tile;

/// The attribute as one of its kind, which the caller knows.
template <typename Attr>
static Attr unwrapAs(MlirAttribute attr) {
  return cast<Attr>(unwrap(attr));
}

/// Makes an attribute, or emits what is wrong with the arguments at `loc`.
template <typename Attr, typename... Arguments>
static MlirAttribute getChecked(MlirLocation loc, Arguments... arguments) {
  Location at = unwrap(loc);
  return wrap(Attribute(Attr::getChecked([&] { return emitError(at); },
                                         at.getContext(), arguments...)));
}

/// The value of C as the one of C++; nothing of what is none.
template <typename Enum>
static std::optional<Enum> getEnum(int value) {
  return symbolizeEnum<Enum>(stringifyEnum(static_cast<Enum>(value)));
}

/// The same of a part of another attribute; what is none is an error at `loc`, which
/// calls it `what`.
template <typename Enum>
static std::optional<Enum> getEnum(MlirLocation loc, const char *what,
                                   int value) {
  std::optional<Enum> known = getEnum<Enum>(value);
  if (!known)
    emitError(unwrap(loc)) << "there is no " << what << " of number " << value;
  return known;
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

// Values have the same numbers in C: each last one is compared.
#define TILE_DEFINE_ENUM(Name, Last)                                           \
  static_assert(static_cast<int>(Name::Last) == Tile##Name##Last);             \
  bool tileAttributeIsA##Name(MlirAttribute attr) {                            \
    return isa<Name##Attr>(unwrap(attr));                                      \
  }                                                                            \
  MlirAttribute tile##Name##AttrGet(MlirContext context, Tile##Name value) {   \
    std::optional<Name> known = getEnum<Name>(value);                          \
    return wrap(known ? Attribute(Name##Attr::get(unwrap(context), *known))    \
                      : Attribute());                                          \
  }                                                                            \
  Tile##Name tile##Name##AttrGetValue(MlirAttribute attr) {                    \
    return static_cast<Tile##Name>(unwrapAs<Name##Attr>(attr).getValue());     \
  }

TILE_DEFINE_ENUM(Stage, Threaded)
TILE_DEFINE_ENUM(Precision, TF32)
TILE_DEFINE_ENUM(Warps, Columns)
TILE_DEFINE_ENUM(WarpSpecialize, Off)
TILE_DEFINE_ENUM(Consumers, PingPong)
TILE_DEFINE_ENUM(BarrierScope, Block)

#undef TILE_DEFINE_ENUM

static_assert(static_cast<int>(RasterOrder::Column) == TileRasterOrderColumn);
static_assert(static_cast<int>(RoleKind::Consumer) == TileRoleKindConsumer);

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

bool tileAttributeIsATarget(MlirAttribute attr) {
  return isa<TargetAttr>(unwrap(attr));
}

MlirAttribute tileTargetAttrGet(MlirLocation loc, MlirStringRef chip) {
  return getChecked<TargetAttr>(loc, unwrap(chip));
}

MlirStringRef tileTargetAttrGetChip(MlirAttribute attr) {
  return wrap(unwrapAs<TargetAttr>(attr).getChip());
}

bool tileAttributeIsARasterize(MlirAttribute attr) {
  return isa<RasterizeAttr>(unwrap(attr));
}

MlirAttribute tileRasterizeAttrGet(MlirLocation loc, TileRasterOrder order,
                                   int64_t panel) {
  auto known = getEnum<RasterOrder>(loc, "order of a rasterization", order);
  if (!known)
    return wrap(Attribute());
  return getChecked<RasterizeAttr>(loc, *known, panel);
}

TileRasterOrder tileRasterizeAttrGetOrder(MlirAttribute attr) {
  return static_cast<TileRasterOrder>(unwrapAs<RasterizeAttr>(attr).getOrder());
}

int64_t tileRasterizeAttrGetPanel(MlirAttribute attr) {
  return unwrapAs<RasterizeAttr>(attr).getPanel();
}

bool tileAttributeIsARole(MlirAttribute attr) {
  return isa<RoleAttr>(unwrap(attr));
}

MlirAttribute tileRoleAttrGet(MlirLocation loc, TileRoleKind kind,
                              int64_t warps, int64_t registers) {
  auto known = getEnum<RoleKind>(loc, "kind of a role", kind);
  if (!known)
    return wrap(Attribute());
  return getChecked<RoleAttr>(loc, *known, warps, registers);
}

TileRoleKind tileRoleAttrGetKind(MlirAttribute attr) {
  return static_cast<TileRoleKind>(unwrapAs<RoleAttr>(attr).getKind());
}

int64_t tileRoleAttrGetWarps(MlirAttribute attr) {
  return unwrapAs<RoleAttr>(attr).getWarps();
}

int64_t tileRoleAttrGetRegisters(MlirAttribute attr) {
  return unwrapAs<RoleAttr>(attr).getRegisters();
}

bool tileAttributeIsARoles(MlirAttribute attr) {
  return isa<RolesAttr>(unwrap(attr));
}

MlirAttribute tileRolesAttrGet(MlirLocation loc, intptr_t numRoles,
                               const MlirAttribute *roles) {
  SmallVector<RoleAttr> list;
  for (MlirAttribute role : ArrayRef(roles, numRoles)) {
    list.push_back(dyn_cast_if_present<RoleAttr>(unwrap(role)));
    if (!list.back()) {
      emitError(unwrap(loc), "roles are #tile.role");
      return wrap(Attribute());
    }
  }
  return getChecked<RolesAttr>(loc, ArrayRef<RoleAttr>(list));
}

intptr_t tileRolesAttrGetNumRoles(MlirAttribute attr) {
  return static_cast<intptr_t>(unwrapAs<RolesAttr>(attr).getRoles().size());
}

MlirAttribute tileRolesAttrGetRole(MlirAttribute attr, intptr_t role) {
  return wrap(Attribute(unwrapAs<RolesAttr>(attr).getRoles()[role]));
}

//===----------------------------------------------------------------------===//
// Instructions and facts
//===----------------------------------------------------------------------===//

bool tileAttributeIsAInstruction(MlirAttribute attr) {
  return isa<InstructionAttr>(unwrap(attr));
}

MlirAttribute tileInstructionAttrGet(MlirLocation loc, MlirStringRef name) {
  return getChecked<InstructionAttr>(loc, unwrap(name));
}

MlirStringRef tileInstructionAttrGetName(MlirAttribute attr) {
  return wrap(unwrapAs<InstructionAttr>(attr).getName());
}

bool tileAttributeIsAOperandLoad(MlirAttribute attr) {
  return isa<OperandLoadAttr>(unwrap(attr));
}

MlirAttribute tileOperandLoadAttrGet(MlirLocation loc,
                                     MlirAttribute instruction, int64_t width) {
  auto named = dyn_cast_if_present<InstructionAttr>(unwrap(instruction));
  if (named)
    return getChecked<OperandLoadAttr>(loc, named, width);
  emitError(unwrap(loc), "an operand is loaded by a #tile.instruction");
  return wrap(Attribute());
}

MlirAttribute tileOperandLoadAttrGetInstruction(MlirAttribute attr) {
  return wrap(Attribute(unwrapAs<OperandLoadAttr>(attr).getInstruction()));
}

int64_t tileOperandLoadAttrGetWidth(MlirAttribute attr) {
  return unwrapAs<OperandLoadAttr>(attr).getWidth();
}

bool tileAttributeIsAMemRefFacts(MlirAttribute attr) {
  return isa<MemRefFactsAttr>(unwrap(attr));
}

MlirAttribute tileMemRefFactsAttrGet(MlirLocation loc, int64_t baseAlignment,
                                     int64_t alignment, intptr_t rank,
                                     const int64_t *sizeDivisors,
                                     const int64_t *strideDivisors,
                                     bool isContiguous) {
  return getChecked<MemRefFactsAttr>(
      loc, baseAlignment, alignment, ArrayRef(sizeDivisors, rank),
      ArrayRef(strideDivisors, rank), isContiguous);
}

int64_t tileMemRefFactsAttrGetBaseAlignment(MlirAttribute attr) {
  return unwrapAs<MemRefFactsAttr>(attr).getBaseAlignment();
}

int64_t tileMemRefFactsAttrGetAlignment(MlirAttribute attr) {
  return unwrapAs<MemRefFactsAttr>(attr).getAlignment();
}

intptr_t tileMemRefFactsAttrGetRank(MlirAttribute attr) {
  return static_cast<intptr_t>(
      unwrapAs<MemRefFactsAttr>(attr).getSizes().size());
}

int64_t tileMemRefFactsAttrGetSizeDivisor(MlirAttribute attr, intptr_t dim) {
  return unwrapAs<MemRefFactsAttr>(attr).getSizes()[dim];
}

int64_t tileMemRefFactsAttrGetStrideDivisor(MlirAttribute attr, intptr_t dim) {
  return unwrapAs<MemRefFactsAttr>(attr).getStrides()[dim];
}

bool tileMemRefFactsAttrIsContiguous(MlirAttribute attr) {
  return unwrapAs<MemRefFactsAttr>(attr).getContiguous();
}

bool tileAttributeIsAScalarFacts(MlirAttribute attr) {
  return isa<ScalarFactsAttr>(unwrap(attr));
}

MlirAttribute tileScalarFactsAttrGet(MlirLocation loc, int64_t divisor,
                                     int64_t min, int64_t max) {
  return getChecked<ScalarFactsAttr>(loc, divisor, min, max);
}

int64_t tileScalarFactsAttrGetDivisor(MlirAttribute attr) {
  return unwrapAs<ScalarFactsAttr>(attr).getDivisor();
}

int64_t tileScalarFactsAttrGetMin(MlirAttribute attr) {
  return unwrapAs<ScalarFactsAttr>(attr).getMin();
}

int64_t tileScalarFactsAttrGetMax(MlirAttribute attr) {
  return unwrapAs<ScalarFactsAttr>(attr).getMax();
}
