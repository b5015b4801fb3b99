//===- WantedDivisors.cpp - Sizes whose divisor would help ----------------===//

#include "tile/Analysis/WantedDivisors.h"
#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/AccessedSides.h"
#include "tile/Dialect/Tile/MemRefRoots.h"
#include "tile/Dialect/Tile/TileTypes.h"
#include "tile/Hardware/CopyInstruction.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

static constexpr int64_t maxAccessBits = tilec::maxAccessBytes * 8;

namespace {
/// A dimension of a memref.
using Size = std::pair<Value, int64_t>;

/// Asks what the accesses of one launch want.
class DivisorSearch {
public:
  explicit DivisorSearch(LaunchOp launch) : launch(launch), facts(launch) {}

  SmallVector<WantedDivisor> find();

private:
  std::optional<Size> findOpenSize(Value memref);
  using WidthOf = llvm::function_ref<int64_t(IndexFacts &)>;
  void ask(Operation *op, Value memref, WidthOf getWidth);
  void askSide(Operation *op, const AccessedSide &access);

  LaunchOp launch;
  IndexFacts facts;
  llvm::MapVector<Size, WantedDivisor> wanted;
};
} // namespace

/// The innermost size that is only known at run time, of the one memref known outside
/// of the launch that `memref` is of. Nothing if there is none.
std::optional<Size> DivisorSearch::findOpenSize(Value memref) {
  SmallVector<Value> roots = getMemRefRoots(memref);
  if (roots.size() != 1 ||
      launch.getBody().isAncestor(roots.front().getParentRegion()))
    return std::nullopt;
  auto type = cast<MemRefType>(roots.front().getType());
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim)
    if (type.isDynamicDim(dim))
      return Size(roots.front(), dim);
  return std::nullopt;
}

/// How many elements along tile dimension `dim` lie together on the other side of a
/// copy, where that is a buffer whose layout the program fixes.
static int64_t getLimitOfOtherSide(IndexFacts &facts, Operation *op,
                                   const Side &side, int dim) {
  for (const AccessedSide &other : getAccessedSides(op))
    if (other.side.memref != side.memref && getSharedLayout(other.side.memref))
      return getAccessWidth(facts, other.side, other.tile, dim);
  return std::numeric_limits<int64_t>::max();
}

/// `getWidth` is how many elements of `memref` the operation accesses at once, given
/// what is known.
void DivisorSearch::ask(Operation *op, Value memref, WidthOf getWidth) {
  std::optional<Size> size = findOpenSize(memref);
  if (!size)
    return;
  int64_t bits =
      getMemoryBits(cast<MemRefType>(memref.getType()).getElementType());
  int64_t most = maxAccessBits / bits;
  IndexFacts supposed(launch);
  supposed.suppose(size->first, size->second, most);
  int64_t width = getWidth(facts), possible = getWidth(supposed);
  if (possible <= width)
    return;
  WantedDivisor &divisor = wanted[*size];
  divisor.memref = size->first;
  divisor.dim = size->second;
  divisor.divisor = std::max(divisor.divisor, most);
  divisor.accesses.push_back({op, width * bits, possible * bits});
}

void DivisorSearch::askSide(Operation *op, const AccessedSide &access) {
  const Side &side = access.side;
  std::optional<int> dim = getContiguousTileDim(side, access.tile);
  if (side.isShared() || access.isAtomic || !dim)
    return;
  auto bounds = isa<TensorCopyOpInterface>(op) ? AccessBounds::Respect
                                               : AccessBounds::Ignore;
  int64_t limit = getLimitOfOtherSide(facts, op, side, *dim);
  ask(op, side.memref, [&](IndexFacts &known) {
    int64_t width =
        std::min(limit, getAccessWidth(known, side, access.tile, *dim, bounds));
    while (access.tile[*dim] % width != 0)
      width /= 2;
    return width;
  });
}

SmallVector<WantedDivisor> DivisorSearch::find() {
  launch.walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](Im2ColOp image) {
          ask(op, image.getSource(), [&](IndexFacts &known) {
            return getImageAccessWidth(known, image);
          });
        })
        .Default([&](Operation *) {
          for (const AccessedSide &access : getAccessedSides(op))
            askSide(op, access);
        });
  });
  return llvm::to_vector(llvm::make_second_range(wanted));
}

SmallVector<WantedDivisor> tile::findWantedDivisors(LaunchOp launch) {
  return DivisorSearch(launch).find();
}
