//===- AccessKinds.cpp - Accesses that are alike in their places ----------===//

#include "tile/Analysis/AccessKinds.h"

#include "tile/Dialect/Tile/TileTypes.h"

#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::tile;

/// What accesses are told apart by, in a row.
using Likeness = std::vector<int64_t>;

static void append(Likeness &key, const void *pointer) {
  key.push_back(reinterpret_cast<intptr_t>(pointer));
}

/// All of a dimension but the constant that it starts at.
static void append(Likeness &key, const PlaceDim &dim) {
  SmallVector<std::pair<Value, int64_t>> factors = dim.start.getFactors();
  key.push_back(factors.size());
  for (auto [value, factor] : factors) {
    append(key, value.getAsOpaquePointer());
    key.push_back(factor);
  }
  llvm::append_values(key, dim.stride, dim.extent, dim.isUnknown);
  append(key, dim.rows.getAsOpaquePointer());
}

/// Where `place` is, but for constants.
static Likeness getFamilyKey(const AccessPlace &place) {
  Likeness key;
  append(key, place.space.getAsOpaquePointer());
  key.push_back(place.dims.size());
  for (const PlaceDim &dim : place.dims)
    append(key, dim);
  return key;
}

/// Who touches what there.
static void appendThreads(Likeness &key, const BlockAccess &access) {
  append(key, access.memref.getType().getAsOpaquePointer());
  append(key, access.threads.getAsOpaquePointer());
  append(key, access.fragment ? access.fragment.getType().getAsOpaquePointer()
                              : nullptr);
  append(key, access.op->getName().getAsOpaquePointer());
  key.push_back(access.byOneThread);
}

/// Whether places of whole bytes are told apart by the constants that they start at.
static bool areConstantsTelling(const BlockAccess &access,
                                const AccessPlace &place) {
  auto type = cast<MemRefType>(access.memref.getType());
  return getMemoryBits(type.getElementType()) % 8 == 0 &&
         llvm::all_of(place.dims, [](const PlaceDim &dim) {
           return !dim.isUnknown && !ShapedType::isDynamic(dim.extent) &&
                  dim.stride >= 1;
         });
}

AccessKinds::AccessKinds(ArrayRef<BlockAccess> accesses,
                         ArrayRef<AccessPlace> places) {
  std::map<Likeness, int> families, numbers;
  for (auto [access, place] : llvm::zip(accesses, places)) {
    // Without a place it may touch anything.
    Likeness key;
    Kind kind;
    if (place.space) {
      key = getFamilyKey(place);
      if (areConstantsTelling(access, place)) {
        kind.family = families.try_emplace(key, families.size()).first->second;
        for (const PlaceDim &dim : place.dims)
          kind.spans.push_back(
              {dim.start.getConstant(), (dim.extent - 1) * dim.stride + 1});
      }
      for (const PlaceDim &dim : place.dims)
        key.push_back(dim.start.getConstant());
      llvm::append_range(key, place.tileDims);
      appendThreads(key, access);
    } else {
      key.push_back(access.byOneThread);
    }
    auto [number, isNew] = numbers.try_emplace(std::move(key), kinds.size());
    if (isNew)
      kinds.push_back(std::move(kind));
    kindOf.push_back(number->second);
  }
}

bool AccessKinds::areApart(int first, int second) const {
  const Kind &a = kinds[first], &b = kinds[second];
  if (a.family < 0 || a.family != b.family)
    return false;
  return llvm::any_of(llvm::zip(a.spans, b.spans), [](auto spans) {
    auto [x, y] = spans;
    int64_t distance = 0;
    return !llvm::SubOverflow(y.begin, x.begin, distance) &&
           (distance >= x.range || distance <= -y.range);
  });
}
