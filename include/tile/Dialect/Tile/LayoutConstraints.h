//===- LayoutConstraints.h - What an operation asks of layouts --*- C++ -*-===//
//
// Which layouts go together at an operation is stated once, by the operation
// (`LayoutConstraintsOpInterface`), and read by all who need it: layout
// inference chooses by it, stage `laid_out` checks it, reshapes relabel by it.
// The ends of a constraint are what has a layout:
//
//     a value           as its operation gives it, or a region's argument
//     an operand        as its operation takes it
//     an iteration space    that threads share, as of `tile.parallel`
//     a buffer              in shared memory, which an operand is a view of
//
// and there are four kinds:
//
//     same     two values that should have one layout: results of one
//              operation, an iteration argument and its result
//     take     an operand's layout follows from another end's
//     give     a result's layout follows from an operand's or a space's
//     demand   an instruction or a copy fixes the layout of an operand or
//              result, or asks something of the layout of a buffer
//
// What is not satisfied between fragments costs a `tile.convert_layout`, on the
// operand or behind the result. A buffer has one layout: what is demanded of it
// must hold at once.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_LAYOUTCONSTRAINTS_H
#define TILE_DIALECT_TILE_LAYOUTCONSTRAINTS_H

#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Hardware/BufferDemand.h"
#include "tile/Layout/LayoutMap.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/PointerUnion.h"

namespace mlir::tile {

/// What has a layout: a value, an operand as its operation takes it, or the
/// iteration space of an operation.
using LayoutEnd = llvm::PointerUnion<Value, OpOperand *, Operation *>;

/// Two values that should have one layout.
struct SameLayout {
  LayoutEnd a, b;
};

/// Whether, and until when, a constraint may be broken without a conversion.
enum class Relabelling {
  None,   ///< holds from stage `laid_out` on
  Always, ///< moves no data: holds wherever both ends have layouts
  /// The same, but where the map has no value the operation goes through
  /// memory, until scratch is materialised.
  UnlessStaged,
};

/// The layout of operand `use` is `map` of the layout of `source`.
struct TakenLayout {
  OpOperand *use;
  LayoutEnd source;
  tilec::LayoutMap map;
  Relabelling relabelling = Relabelling::None;
};

/// The layout of `result` is `map` of the layout of `source`, an operand, an
/// iteration space or another result.
struct GivenLayout {
  LayoutEnd source;
  Value result;
  tilec::LayoutMap map;
  /// `source` from `result`, where that exists for every layout it is asked.
  std::optional<tilec::LayoutMap> inverse;
  /// Where `map` can fail: dimensions that the operand must hold whole in
  /// registers for it to succeed.
  SmallVector<int64_t> residentDims;
  Relabelling relabelling = Relabelling::None;
};

/// An operand, or a result, has exactly this layout.
struct DemandedLayout {
  LayoutEnd end;
  tilec::FragmentLayout layout;
};

/// The buffer of operand `use`, a memref in shared memory, has a layout that
/// meets `demand`, whose dimensions are those of the operand.
struct DemandedBuffer {
  OpOperand *use;
  tilec::BufferDemand demand;
};

/// Dimensions along which an operation combines elements of an operand or
/// result: cheaper the fewer warps share them.
struct CombinedDims {
  LayoutEnd end;
  SmallVector<int64_t> dims;
  bool isScan = false;   ///< each element with all before it
  bool hasTotals = true; ///< `ScanOp::hasTotals`
};

/// All constraints of an operation, each kind in the order it was stated.
struct LayoutConstraints {
  SmallVector<SameLayout, 2> same;
  SmallVector<TakenLayout, 4> taken;
  SmallVector<GivenLayout, 2> given;
  SmallVector<DemandedLayout, 0> demanded;
  SmallVector<DemandedBuffer, 0> buffers;
  SmallVector<CombinedDims, 0> combined;

  /// `use` takes the layout of `source`, and both should have one.
  void takeSame(OpOperand &use, LayoutEnd source,
                Relabelling relabelling = Relabelling::None);
  /// The buffer of `use`, a memref, keeps groups of `count` elements along
  /// `dim` together; nothing of global memory, or of single elements.
  void demandGroups(OpOperand &use, int64_t dim, int64_t count);
  /// The same of elements that digits number, innermost first.
  void demandGroups(OpOperand &use, tilec::Digits numbering);
};

/// The layout that an end carries; null where none is chosen.
FragmentAttr getFragmentAt(LayoutEnd end);

/// The layout of the shared buffer `root` (`getSharedRoot`); null where none is
/// chosen.
SharedAttr getBufferLayout(Value root);

/// `demand` about the dimensions of the buffer that operand `use` is a view of;
/// nothing where a view in between does not keep them apart.
std::optional<tilec::BufferDemand>
getDemandOnRoot(const DemandedBuffer &demanded);

/// The constraints of `op`: its own statement, or that all operands and results
/// agree where it is elementwise; none otherwise.
LayoutConstraints getLayoutConstraints(Operation *op);

} // namespace mlir::tile

#endif // TILE_DIALECT_TILE_LAYOUTCONSTRAINTS_H
