//===- LayoutMap.cpp - How one layout follows from another ----------------===//

#include "tile/Layout/LayoutMap.h"

using namespace tilec;

LayoutMap LayoutMap::dropDims(const Coordinate &dims) {
  return {Kind::DropDims, dims};
}

LayoutMap LayoutMap::permute(const Coordinate &permutation) {
  return {Kind::Permute, permutation};
}

LayoutMap LayoutMap::project(const Coordinate &dims) {
  return {Kind::Project, dims};
}

LayoutMap LayoutMap::reshape(const Coordinate &shape) {
  return {Kind::Reshape, shape};
}

LayoutMap LayoutMap::slice(const Coordinate &offsets, const Coordinate &sizes,
                           const Coordinate &shape) {
  return {Kind::Slice, offsets, sizes, shape};
}

LayoutMap LayoutMap::ifSliceable(const Coordinate &offsets,
                                 const Coordinate &sizes,
                                 const Coordinate &shape) {
  return {Kind::IfSliceable, offsets, sizes, shape};
}

LayoutMap LayoutMap::recast(int64_t sourceBits, int64_t resultBits) {
  return {Kind::Recast, {sourceBits, resultBits}};
}

static std::vector<int> toDims(const Coordinate &list) {
  return {list.begin(), list.end()};
}

static Expected<FragmentLayout> applySlice(const FragmentLayout &layout,
                                           const Coordinate &offsets,
                                           const Coordinate &sizes,
                                           const Coordinate &shape) {
  Expected<FragmentLayout> part = layout.slice(offsets, sizes);
  if (!part || part->getShape() == shape)
    return part;
  return part->reshape(shape);
}

Expected<FragmentLayout> LayoutMap::apply(const FragmentLayout &layout) const {
  switch (kind) {
  case Kind::Identity:
    return layout;
  case Kind::DropDims:
    return layout.dropDims(toDims(lists[0]));
  case Kind::Permute:
    return layout.transpose(toDims(lists[0]));
  case Kind::Project:
    return layout.project(toDims(lists[0]));
  case Kind::Reshape:
    return layout.reshape(lists[0]);
  case Kind::Slice:
    return applySlice(layout, lists[0], lists[1], lists[2]);
  case Kind::IfSliceable: {
    Expected<FragmentLayout> part =
        applySlice(layout, lists[0], lists[1], lists[2]);
    if (!part)
      return part;
    return layout;
  }
  case Kind::Recast:
    return layout.recast(lists[0][0], lists[0][1]);
  }
  return Failure{"unknown map"};
}

static std::string toText(const Coordinate &list) {
  std::string text = "[";
  for (int64_t entry : list)
    text += (text.size() > 1 ? ", " : "") + std::to_string(entry);
  return text + "]";
}

std::string LayoutMap::toString() const {
  std::string part = toText(lists[0]) + " " + toText(lists[1]);
  switch (kind) {
  case Kind::Identity:
    return "identity";
  case Kind::DropDims:
    return "drop dims " + toText(lists[0]);
  case Kind::Permute:
    return "permute " + toText(lists[0]);
  case Kind::Project:
    return "project " + toText(lists[0]);
  case Kind::Reshape:
    return "reshape " + toText(lists[0]);
  case Kind::Slice:
    return "slice " + part;
  case Kind::IfSliceable:
    return "if sliceable " + part;
  case Kind::Recast:
    return "recast " + std::to_string(lists[0][0]) + " to " +
           std::to_string(lists[0][1]) + " bits";
  }
  return "unknown map";
}
