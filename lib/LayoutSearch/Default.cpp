//===- Default.cpp - Layouts of what nothing else decides -----------------===//
//
// A class without an anchor is spread over all threads so that its widest
// access to memory is vectorised and coalesced. If its members are reduced
// along the contiguous dimension and there are rows enough, warps go to the
// rows, so that the reduction stays inside a warp; but to the columns where rows
// load a vector along them again and again and are reduced once, behind the loop,
// so that each warp loads a part of the vector. Where a dimension is scanned, warps go
// to another one, the slowest that they divide; where there is none, each has a part of
// the fastest one in one piece, so that one total a warp travels.
//
//===----------------------------------------------------------------------===//

#include "Classes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>

using namespace tilec;
using namespace tilec::detail;

namespace {
/// What the members of a class want together.
struct Wishes {
  int fastestDim;
  int64_t vectorWidth = 1; ///< elements
  /// Of the access that decided: its bytes, global memory before shared.
  int64_t rank = 0;
  std::vector<bool> reduced, scanned; ///< by dimension, by some member
  bool isReducedOften = false;
};
} // namespace

/// Lets an access decide the fastest dimension if it is wider than what decided
/// so far. Global accesses win over shared ones of equal width.
static void consider(const AccessWish &access, Wishes &wishes) {
  int64_t rank = 2 * access.bytes + (access.isGlobal ? 1 : 0);
  if (rank <= wishes.rank)
    return;
  wishes.rank = rank;
  wishes.fastestDim = access.dim;
  wishes.vectorWidth = access.width;
}

static Wishes collectWishes(const LayoutProblem &problem,
                            const std::vector<NodeId> &members) {
  size_t rank = problem.nodes[members.front()].shape.size();
  Wishes wishes;
  wishes.fastestDim = static_cast<int>(rank) - 1;
  wishes.reduced.assign(rank, false);
  wishes.scanned.assign(rank, false);
  for (NodeId member : members) {
    const LayoutNode &node = problem.nodes[member];
    if (node.coalescedWidth)
      wishes.vectorWidth = *node.coalescedWidth;
    if (node.coalescedDim && wishes.rank == 0) {
      wishes.fastestDim = *node.coalescedDim;
      wishes.rank = 1;
    }
    for (const AccessWish &access : node.accesses)
      consider(access, wishes);
    wishes.isReducedOften |= node.isReducedOften;
    for (size_t dim = 0; dim < rank; ++dim) {
      wishes.reduced[dim] = wishes.reduced[dim] || node.reduced[dim];
      wishes.scanned[dim] = wishes.scanned[dim] || node.scanned[dim];
    }
  }
  return wishes;
}

/// Rows to warps, columns to lanes: `blocked` for one warp's share of the rows,
/// repeated by the warps. Nothing if the rows do not split evenly, or if lanes do not
/// split the rest so, unless it `mayPad`.
static std::optional<FragmentLayout>
distributeRows(const LayoutProblem &problem, const Coordinate &shape,
               const std::vector<int> &order, int64_t width, int rowDim,
               bool mayPad = false) {
  int64_t warps = problem.warps;
  if (warps == 1 || shape[rowDim] < warps || shape[rowDim] % warps != 0)
    return std::nullopt;
  Coordinate share = shape;
  share[rowDim] /= warps;
  FragmentLayout one =
      FragmentLayout::blocked(share, order, width, problem.lanes, 1);
  if (mayPad ? one.getBox()[rowDim] != share[rowDim] : one.hasPadding())
    return std::nullopt;
  Expected<FragmentLayout> layout =
      FragmentLayout::tile(one, shape, {{HardwareDim::Warp, rowDim, warps}});
  if (!layout)
    return std::nullopt;
  return *layout;
}

/// Whether all rows along `rowDim` use one vector that is loaded from global memory.
static bool shareLoadedVector(const LayoutProblem &problem,
                              const std::vector<NodeId> &members, int rowDim) {
  return std::ranges::any_of(
      problem.operandEdges, [&](const OperandEdge &edge) {
        return edge.map.drops(rowDim) &&
               std::ranges::find(members, edge.target) != members.end() &&
               std::ranges::any_of(problem.nodes[edge.source].accesses,
                                   &AccessWish::isGlobal);
      });
}

/// Columns to warps. The lanes that are left over share the rows, each with
/// neighbours, whose results then move together. Nothing if anything does not
/// divide.
static std::optional<FragmentLayout>
distributeColumns(const LayoutProblem &problem, const Coordinate &shape,
                  int columnDim, int rowDim, int64_t width) {
  int64_t share = shape[columnDim] / problem.warps;
  int64_t lanesAlong = std::min(problem.lanes, share / width);
  if (shape.size() != 2 || lanesAlong == 0 ||
      !std::has_single_bit(static_cast<uint64_t>(lanesAlong)))
    return std::nullopt;
  int64_t rowLanes = problem.lanes / lanesAlong;
  int64_t rows = shape[rowDim] / rowLanes, run = width * lanesAlong;
  if (share * problem.warps != shape[columnDim] || share % run != 0 ||
      rows * rowLanes != shape[rowDim])
    return std::nullopt;
  Expected<FragmentLayout> layout = FragmentLayout::get(
      shape,
      {{width, columnDim, 1}, {rows, rowDim, 1}, {share / run, columnDim, run}},
      {{lanesAlong, columnDim, width}, {rowLanes, rowDim, rows}},
      {{problem.warps, columnDim, share}});
  return layout ? std::optional(*layout) : std::nullopt;
}

/// Columns to warps where all rows along `rowDim` use one vector, of which each then
/// loads a part, and which are reduced behind the loop that accumulates them.
static std::optional<FragmentLayout>
shareVector(const LayoutProblem &problem, const std::vector<NodeId> &members,
            const Wishes &wishes, int64_t width, int rowDim) {
  // Each warp still reads runs of this many accesses.
  constexpr int64_t leastRun = 4;
  const Coordinate &shape = problem.nodes[members.front()].shape;
  int fastest = wishes.fastestDim;
  bool hasRuns = shape[fastest] / problem.warps >= leastRun * width;
  if (wishes.isReducedOften || !hasRuns ||
      !shareLoadedVector(problem, members, rowDim))
    return std::nullopt;
  return distributeColumns(problem, shape, fastest, rowDim, width);
}

/// What a class that is reduced along its fastest dimension does with its warps;
/// nothing if they do not split it evenly.
static std::optional<FragmentLayout>
distributeReduced(const LayoutProblem &problem,
                  const std::vector<NodeId> &members, const Wishes &wishes,
                  const std::vector<int> &order, int64_t width) {
  const Coordinate &shape = problem.nodes[members.front()].shape;
  for (int dim : order) {
    if (wishes.reduced[dim])
      continue;
    if (auto columns = shareVector(problem, members, wishes, width, dim))
      return columns;
    if (auto rows = distributeRows(problem, shape, order, width, dim))
      return rows;
  }
  return std::nullopt;
}

/// A part of dimension `dim` for each warp, in one piece, which lanes and registers
/// fill; the last may end in padding. Nothing if some warp had nothing else.
static std::optional<FragmentLayout>
distributePieces(const LayoutProblem &problem, const Coordinate &shape,
                 const std::vector<int> &order, int64_t width, int dim) {
  int64_t warps = problem.warps, run = width * problem.lanes;
  Coordinate share = shape;
  share[dim] = (shape[dim] + warps * run - 1) / (warps * run) * run;
  if (share[dim] * (warps - 1) >= shape[dim])
    return std::nullopt;
  FragmentLayout one =
      FragmentLayout::blocked(share, order, width, problem.lanes, 1);
  Digits all = one.getDigits(HardwareDim::Warp);
  all.push_back({warps, dim, share[dim]});
  Expected<FragmentLayout> layout =
      FragmentLayout::get(shape, one.getDigits(HardwareDim::Register),
                          one.getDigits(HardwareDim::Lane), all);
  return layout ? std::optional(*layout) : std::nullopt;
}

/// What a class of which dimensions are scanned does with its warps.
static std::optional<FragmentLayout>
distributeScanned(const LayoutProblem &problem, const Coordinate &shape,
                  const Wishes &wishes, const std::vector<int> &order,
                  int64_t width) {
  for (bool mayPad : {false, true})
    for (auto dim = order.rbegin(); dim != order.rend(); ++dim)
      if (!wishes.scanned[*dim])
        if (auto rows =
                distributeRows(problem, shape, order, width, *dim, mayPad))
          return rows;
  return wishes.scanned[wishes.fastestDim]
             ? distributePieces(problem, shape, order, width, wishes.fastestDim)
             : std::nullopt;
}

/// The widest access with which no thread holds more than with narrower ones. Where
/// the elements do not divide evenly some threads go without, and the others make
/// one access where all of them would make two, the last of which is half empty:
///
///     1000 elements, 128 threads    4 at once: 128 x 4 + 122 x 4    8: 125 x 8
static int64_t getVectorWidth(const LayoutProblem &problem,
                              const Coordinate &shape, const Wishes &wishes) {
  int64_t elements = std::accumulate(shape.begin(), shape.end(), int64_t(1),
                                     std::multiplies<>());
  int64_t threads = problem.lanes * problem.warps;
  auto share = static_cast<uint64_t>((elements + threads - 1) / threads);
  int64_t width = std::min<int64_t>(wishes.vectorWidth, std::bit_ceil(share));
  while (shape[wishes.fastestDim] % width != 0)
    width /= 2;
  return width;
}

LayoutProblem detail::makeProblemOf(const LayoutProblem &problem,
                                    const Coordinate &shape) {
  LayoutProblem alone;
  alone.lanes = problem.lanes;
  alone.warps = problem.warps;
  alone.nodes.emplace_back(shape);
  return alone;
}

/// The dimensions, the fastest first.
static std::vector<int> getOrder(int rank, int fastestDim) {
  std::vector<int> order = {fastestDim};
  for (int dim = rank - 1; dim >= 0; --dim)
    if (dim != fastestDim)
      order.push_back(dim);
  return order;
}

FragmentLayout detail::getDefaultLayout(const LayoutProblem &problem,
                                        const std::vector<NodeId> &members) {
  const Coordinate &shape = problem.nodes[members.front()].shape;
  int rank = static_cast<int>(shape.size());
  if (rank == 0)
    return FragmentLayout::blocked(shape, {}, 1, problem.lanes, problem.warps);
  Wishes wishes = collectWishes(problem, members);
  int64_t width = getVectorWidth(problem, shape, wishes);
  std::vector<int> order = getOrder(rank, wishes.fastestDim);
  if (wishes.reduced[wishes.fastestDim])
    if (auto layout = distributeReduced(problem, members, wishes, order, width))
      return *layout;
  if (std::ranges::find(wishes.scanned, true) != wishes.scanned.end())
    if (auto layout = distributeScanned(problem, shape, wishes, order, width))
      return *layout;
  return FragmentLayout::blocked(shape, order, width, problem.lanes,
                                 problem.warps);
}

/// `layout` with what a thread holds along `dim` as neighbours: registers have the
/// smallest steps there, then lanes, then warps. Nothing where they have them already.
static std::optional<FragmentLayout> makeRuns(const FragmentLayout &layout,
                                              int dim) {
  std::array<Digits, 3> digits;
  int64_t step = 1;
  for (HardwareDim where :
       {HardwareDim::Register, HardwareDim::Lane, HardwareDim::Warp}) {
    Digits &list = digits[static_cast<int>(where)] = layout.getDigits(where);
    for (Digit &digit : list)
      if (digit.dim == dim) {
        digit.step = step;
        step *= digit.extent;
      }
  }
  Expected<FragmentLayout> runs =
      FragmentLayout::get(layout.getShape(), std::move(digits[0]),
                          std::move(digits[1]), std::move(digits[2]));
  if (!runs || *runs == layout)
    return std::nullopt;
  return *runs;
}

std::vector<FragmentLayout>
detail::listAlternatives(const LayoutProblem &problem,
                         const std::vector<NodeId> &members) {
  const Coordinate &shape = problem.nodes[members.front()].shape;
  int rank = static_cast<int>(shape.size());
  if (rank == 0)
    return {};
  Wishes wishes = collectWishes(problem, members);
  int64_t width = getVectorWidth(problem, shape, wishes);
  std::vector<int> order = getOrder(rank, wishes.fastestDim);
  auto vectors = static_cast<uint64_t>(shape[wishes.fastestDim] / width);
  std::vector<FragmentLayout> layouts;
  for (auto along = std::min<int64_t>(std::bit_ceil(vectors), problem.lanes);
       along > 1; along /= 2)
    layouts.push_back(FragmentLayout::blocked(
        shape, order, width, problem.lanes, problem.warps, along));
  // Of the default, whose warps share no dimension that is scanned if they need not.
  for (int dim = 0; dim < rank; ++dim)
    if (wishes.scanned[dim])
      if (auto runs = makeRuns(getDefaultLayout(problem, members), dim))
        layouts.push_back(*runs);
  return layouts;
}

FragmentLayout detail::getResidentLayout(const LayoutProblem &problem,
                                         const Coordinate &shape,
                                         const std::vector<int> &resident) {
  // Spread the other dimensions as if the resident ones had extent 1 ...
  Coordinate rest = shape;
  for (int dim : resident)
    rest[dim] = 1;
  std::vector<int> order;
  for (int dim = static_cast<int>(shape.size()) - 1; dim >= 0; --dim)
    order.push_back(dim);
  FragmentLayout spread =
      FragmentLayout::blocked(rest, order, 1, problem.lanes, problem.warps);
  // ... then let registers run through them, first of all.
  Digits registers;
  for (auto dim = resident.rbegin(); dim != resident.rend(); ++dim)
    registers.push_back(Digit{shape[*dim], *dim, 1});
  const Digits &others = spread.getDigits(HardwareDim::Register);
  registers.insert(registers.end(), others.begin(), others.end());
  auto drop = [&](Digits digits) {
    for (Digit &digit : digits)
      if (std::ranges::find(resident, digit.dim) != resident.end())
        digit = Digit{digit.extent, Digit::replicated, 0};
    return digits;
  };
  Expected<FragmentLayout> layout = FragmentLayout::get(
      shape, registers, drop(spread.getDigits(HardwareDim::Lane)),
      drop(spread.getDigits(HardwareDim::Warp)));
  return layout
             ? *layout
             : FragmentLayout::replicated(shape, problem.lanes, problem.warps);
}

Expected<FragmentLayout> detail::repeatPart(const FragmentLayout &part,
                                            const Coordinate &whole,
                                            const LayoutMap &map) {
  if (map.getKind() != LayoutMap::Kind::Slice || part.hasPadding())
    return Failure{"no slice, or padding"};
  const Coordinate &shape = map.getSliceSizes();
  // With the unit dimensions that the slice drops.
  Expected<FragmentLayout> inside = part.reshape(shape);
  if (!inside)
    return inside;
  std::vector<FragmentLayout::Outer> outer;
  for (size_t dim = 0; dim < whole.size(); ++dim) {
    if (shape[dim] == 0 || whole[dim] % shape[dim] != 0)
      return Failure{"the part does not divide the whole"};
    if (whole[dim] != shape[dim])
      outer.push_back({HardwareDim::Register, static_cast<int>(dim),
                       whole[dim] / shape[dim]});
  }
  Expected<FragmentLayout> layout = FragmentLayout::tile(*inside, whole, outer);
  if (layout)
    if (Expected<FragmentLayout> slice = map.apply(*layout); !slice)
      return Failure{slice.reason()};
  return layout;
}

bool detail::isSharedVector(const LayoutProblem &problem,
                            const std::vector<NodeId> &members,
                            const FragmentLayout &layout) {
  Wishes wishes = collectWishes(problem, members);
  const Coordinate &shape = problem.nodes[members.front()].shape;
  if (shape.empty() || !wishes.reduced[wishes.fastestDim])
    return false;
  int64_t width = getVectorWidth(problem, shape, wishes);
  for (int dim = 0; dim < static_cast<int>(shape.size()); ++dim)
    if (!wishes.reduced[dim] &&
        shareVector(problem, members, wishes, width, dim) == layout)
      return true;
  return false;
}
