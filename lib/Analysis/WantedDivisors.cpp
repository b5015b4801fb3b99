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
/// Asks what the accesses of one launch want.
class DivisorSearch {
public:
  explicit DivisorSearch(LaunchOp launch) : launch(launch), facts(launch) {}

  SmallVector<WantedDivisor> find();

private:
  using WidthOf = llvm::function_ref<int64_t(IndexFacts &)>;
  Value findRoot(Value memref);
  void ask(Operation *op, Value memref, WidthOf getWidth);
  void askSide(Operation *op, const AccessedSide &access);

  LaunchOp launch;
  IndexFacts facts;
  llvm::MapVector<Value, WantedDivisor> wanted;
};
} // namespace

/// The one memref known outside of the launch that `memref` is of; null if there is
/// none.
Value DivisorSearch::findRoot(Value memref) {
  SmallVector<Value> roots = getMemRefRoots(memref);
  bool isOutside = roots.size() == 1 && !launch.getBody().isAncestor(
                                            roots.front().getParentRegion());
  return isOutside ? roots.front() : Value();
}

/// What would make accesses of `type` wide: of the identity layout that the innermost
/// dynamic size is divisible. Nothing if all is known.
static std::optional<WantedDivisor> getWish(Value memref, int64_t divisor) {
  auto type = cast<MemRefType>(memref.getType());
  bool isStrided = !type.getLayout().isIdentity();
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim)
    if (type.isDynamicDim(dim) || (isStrided && dim == 0))
      return WantedDivisor{memref, dim, divisor, isStrided, {}};
  return std::nullopt;
}

/// What is known of a memref where a wish is granted.
static MemRefFacts getFacts(const WantedDivisor &wish) {
  auto type = cast<MemRefType>(wish.memref.getType());
  MemRefFacts facts;
  facts.sizeDivisors.assign(type.getRank(), 1);
  facts.strideDivisors.assign(type.getRank(), 1);
  if (type.isDynamicDim(wish.dim))
    facts.sizeDivisors[wish.dim] = wish.divisor;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!wish.isStrided || failed(type.getStridesAndOffset(strides, offset)))
    return facts;
  facts.alignmentBytes = tilec::maxAccessBytes;
  for (auto [divisor, stride] : llvm::zip(facts.strideDivisors, strides))
    if (ShapedType::isDynamic(stride))
      divisor = wish.divisor;
  return facts;
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
  int64_t bits =
      getMemoryBits(cast<MemRefType>(memref.getType()).getElementType());
  Value root = findRoot(memref);
  auto wish = root ? getWish(root, maxAccessBits / bits) : std::nullopt;
  if (!wish)
    return;
  IndexFacts supposed(launch);
  supposed.suppose(root, getFacts(*wish));
  int64_t width = getWidth(facts), possible = getWidth(supposed);
  if (possible <= width)
    return;
  WantedDivisor &divisor = wanted.try_emplace(root, *wish).first->second;
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
