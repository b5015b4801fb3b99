//===- WarpExchange.cpp - From one layout to another by shuffles ----------===//

#include "tile/Layout/WarpExchange.h"

#include "Arithmetic.h"

#include <algorithm>
#include <bit>

using namespace tilec;
using namespace tilec::detail;

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// `count` bits of `number` from `first` on.
static int64_t getBits(int64_t number, size_t first, size_t count) {
  return (number >> first) & ((int64_t(1) << count) - 1);
}

int64_t WarpExchange::getPublished(int64_t round) const {
  size_t paired = swaps.size();
  int64_t late = round >> (paired + roundBits.size());
  return getBits(round, 0, paired) | late << paired;
}

int64_t WarpExchange::getLaneMask(int64_t round) const {
  int64_t mask = 0;
  for (size_t k = 0; k < swaps.size(); ++k)
    mask |= getBits(round, k, 1) << swaps[k].publisher;
  for (size_t k = 0; k < roundBits.size(); ++k)
    mask |= getBits(round, swaps.size() + k, 1) << roundBits[k];
  return mask;
}

bool WarpExchange::hasOwnLane() const {
  if (!warpParts.empty())
    return false;
  for (size_t bit = 0; bit < laneBits.size(); ++bit)
    if (laneBits[bit] != static_cast<int>(bit))
      return false;
  return true;
}

bool WarpExchange::isNeeded(int64_t round) const {
  size_t paired = swaps.size();
  int64_t incoming = getBits(round, paired, roundBits.size());
  // A swap leaves it to the lane which of these the round is for.
  for (int64_t k = 0; k < int64_t(1) << paired; ++k)
    for (int64_t reg : targets[k | incoming << paired])
      if (reg != noRegister)
        return true;
  return false;
}

int64_t WarpExchange::countShuffles() const {
  int64_t count = 0;
  for (int64_t round = 0; round < getRoundCount(); ++round)
    count += isNeeded(round) && !staysInLane(round);
  return count;
}

int64_t WarpExchange::countSelectsBefore() const {
  int64_t bundles = static_cast<int64_t>(sources.size()), count = 0;
  for (auto digit = warpChoices.rbegin(); digit != warpChoices.rend();
       ++digit) {
    bundles /= digit->extent;
    count += bundles * (digit->extent - 1);
  }
  for (size_t k = 0; k < laneChoices.size(); ++k)
    count += bundles /= 2;
  return count + bundles * static_cast<int64_t>(swaps.size());
}

int64_t WarpExchange::countSelectsBehind() const {
  int64_t bundles = getRoundCount(), count = 0;
  for (size_t k = 0; k < lateChoices.size(); ++k)
    count += bundles /= 2;
  return count + bundles * static_cast<int64_t>(swaps.size());
}

//===----------------------------------------------------------------------===//
// Common cuts
//===----------------------------------------------------------------------===//

namespace {
/// A digit of one layout, or none: the other's holds nothing but padding above 0.
struct End {
  std::optional<HardwareDim> where;
  int64_t place = 1;
  int64_t extent = 1;
  int64_t step = 0; ///< only to sort by
};

/// What is one digit in both layouts.
struct Piece {
  End source, target;

  bool goes(HardwareDim from, HardwareDim to) const {
    return source.where == from && target.where == to;
  }
};

/// A register by its digits; none once a digit has a value that it does not reach.
struct RegisterSum {
  int64_t reg = 0;
  void add(const End &digit, int64_t value) {
    if (reg == WarpExchange::noRegister || value >= digit.extent)
      reg = WarpExchange::noRegister;
    else
      reg += digit.place * value;
  }
};
} // namespace

static std::vector<End> getChain(const FragmentLayout &layout, int dim) {
  std::vector<End> chain;
  for (HardwareDim where :
       {HardwareDim::Register, HardwareDim::Lane, HardwareDim::Warp}) {
    int64_t place = 1;
    for (const Digit &digit : layout.getDigits(where)) {
      if (digit.dim == dim)
        chain.push_back({where, place, digit.extent, digit.step});
      place *= digit.extent;
    }
  }
  std::ranges::sort(chain, {}, &End::step);
  return chain;
}

/// Takes the lowest `extent` values off a digit.
static End cut(End &digit, int64_t extent) {
  End lower = digit;
  lower.extent = extent;
  digit.place *= extent;
  digit.extent /= extent;
  return lower;
}

/// The pieces along `dim`; false where one layout cuts a digit of the other in no
/// whole parts. The last digit of a chain may be longer than the shape, so two of them
/// need not agree.
static bool addPieces(const FragmentLayout &source,
                      const FragmentLayout &target, int dim,
                      std::vector<Piece> &pieces) {
  std::vector<End> from = getChain(source, dim), to = getChain(target, dim);
  size_t i = 0, j = 0;
  while (i < from.size() && j < to.size()) {
    int64_t a = from[i].extent, b = to[j].extent;
    bool isLastA = i + 1 == from.size(), isLastB = j + 1 == to.size();
    if (a == b || (isLastA && isLastB)) {
      pieces.push_back({from[i++], to[j++]});
      continue;
    }
    int64_t part = std::min(a, b);
    if (std::max(a, b) % part != 0)
      return false;
    pieces.push_back({cut(from[i], part), cut(to[j], part)});
    i += from[i].extent == 1;
    j += to[j].extent == 1;
  }
  for (; i < from.size(); ++i)
    pieces.push_back({from[i], End()});
  for (; j < to.size(); ++j)
    pieces.push_back({End(), to[j]});
  return true;
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

namespace {

/// A bit of the digit of a piece: `laneBit` is where the lane has it, in the source of
/// what comes in and in the target of what goes out.
struct PieceBit {
  size_t piece;
  int bit;
  int laneBit;
};

class Planner {
public:
  Planner(std::vector<Piece> pieces, int64_t lanes)
      : pieces(std::move(pieces)),
        laneBitCount(std::countr_zero(static_cast<uint64_t>(lanes))) {}

  Expected<WarpExchange> plan();

private:
  bool addBits(size_t number);
  void addLaneBits(const Piece &piece);
  void pairBits();
  void addTables();
  int64_t getValue(const std::vector<PieceBit> &bits, size_t piece,
                   int64_t number) const;
  RegisterSum sumDigits(End Piece::*side, const std::vector<PieceBit> &bits,
                        int64_t bundle, int64_t member) const;
  int64_t getSource(int64_t bundle, int64_t member) const;
  int64_t getTarget(int64_t bundle, int64_t member) const;

  std::vector<Piece> pieces;
  int laneBitCount;
  std::vector<PieceBit> outgoing, incoming;
  std::vector<size_t> together, choices;
  std::vector<bool> isFree; ///< bits of the lane that is read
  /// By bit of a bundle's number, in the source and in the target.
  std::vector<PieceBit> sourceBits, targetBits;
  WarpExchange result;
};

} // namespace

static int getBit(int64_t place) {
  return std::countr_zero(static_cast<uint64_t>(place));
}

/// A digit of lanes in both.
void Planner::addLaneBits(const Piece &piece) {
  int from = getBit(piece.source.place), to = getBit(piece.target.place);
  int read = getBit(piece.source.extent), own = getBit(piece.target.extent);
  for (int bit = 0; bit < read; ++bit) {
    isFree[from + bit] = false;
    // Beyond the target's only padding is held.
    if (bit < own)
      result.laneBits[from + bit] = to + bit;
  }
}

/// Takes in one piece; false where it needs another warp.
bool Planner::addBits(size_t number) {
  using enum HardwareDim;
  const Piece &piece = pieces[number];
  const End &source = piece.source, &target = piece.target;
  if (source.where == Warp)
    return target.where == Warp && source.place == target.place &&
           source.extent <= target.extent;
  if (source.where == Lane && target.where != Lane)
    for (int bit = 0; bit < getBit(source.extent); ++bit)
      isFree[getBit(source.place) + bit] = false;
  if (piece.goes(Lane, Lane)) {
    addLaneBits(piece);
  } else if (piece.goes(Register, Lane)) {
    for (int bit = 0; bit < getBit(target.extent); ++bit)
      outgoing.push_back({number, bit, getBit(target.place) + bit});
  } else if (piece.goes(Lane, Register)) {
    for (int bit = 0; bit < getBit(source.extent); ++bit)
      incoming.push_back({number, bit, getBit(source.place) + bit});
  } else if (piece.goes(Lane, Warp)) {
    result.warpParts.push_back(
        {{target.place, std::min(source.extent, target.extent)},
         getBit(source.place)});
  } else if (piece.goes(Register, Warp)) {
    choices.push_back(number);
    result.warpChoices.push_back({target.place, target.extent});
  } else if (piece.goes(Register, Register)) {
    together.push_back(number);
  }
  return true;
}

/// Takes from `from` the first for which `fits`.
template <typename T, typename Predicate>
static std::optional<T> take(std::vector<T> &from, Predicate fits) {
  auto found = std::ranges::find_if(from, fits);
  if (found == from.end())
    return std::nullopt;
  T taken = *found;
  from.erase(found);
  return taken;
}

/// Finds for each outgoing bit what tells it to the lane that publishes: best the same
/// bit of the lane, so that some elements stay; then one that only replicates, which
/// leaves the reader nothing to choose.
void Planner::pairBits() {
  std::vector<int> free;
  for (int bit = 0; bit < laneBitCount; ++bit)
    if (isFree[bit])
      free.push_back(bit);
  std::vector<PieceBit> chosen, late;
  auto pair = [&](const PieceBit &out, bool isSameBit) {
    auto in = take(incoming, [&](const PieceBit &bit) {
      return !isSameBit || bit.laneBit == out.laneBit;
    });
    if (!in)
      return false;
    result.laneBits[in->laneBit] = out.laneBit;
    result.swaps.push_back({in->laneBit, out.laneBit});
    sourceBits.push_back(out);
    targetBits.push_back(*in);
    return true;
  };
  auto choose = [&](const PieceBit &out, bool isSameBit) {
    auto bit =
        take(free, [&](int bit) { return !isSameBit || bit == out.laneBit; });
    if (!bit)
      return false;
    result.laneBits[*bit] = out.laneBit;
    result.laneChoices.push_back(*bit);
    chosen.push_back(out);
    return true;
  };
  std::erase_if(outgoing, [&](auto &out) { return pair(out, true); });
  std::erase_if(outgoing, [&](auto &out) { return choose(out, true); });
  std::erase_if(outgoing, [&](auto &out) { return choose(out, false); });
  std::erase_if(outgoing, [&](auto &out) { return pair(out, false); });
  for (const PieceBit &out : outgoing) {
    result.lateChoices.push_back(out.laneBit);
    late.push_back(out);
  }
  sourceBits.insert(sourceBits.end(), late.begin(), late.end());
  sourceBits.insert(sourceBits.end(), chosen.begin(), chosen.end());
  for (const PieceBit &in : incoming) {
    result.roundBits.push_back(in.laneBit);
    targetBits.push_back(in);
  }
  for (int bit : free)
    result.laneBits[bit] = bit;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// The value of a piece's digit by the bits of a bundle's number.
int64_t Planner::getValue(const std::vector<PieceBit> &bits, size_t piece,
                          int64_t number) const {
  int64_t value = 0;
  for (size_t k = 0; k < bits.size(); ++k)
    if (bits[k].piece == piece)
      value |= getBits(number, k, 1) << bits[k].bit;
  return value;
}

/// The digits of one side that the number of a bundle and of a member of it give.
RegisterSum Planner::sumDigits(End Piece::*side,
                               const std::vector<PieceBit> &bits,
                               int64_t bundle, int64_t member) const {
  RegisterSum sum;
  for (size_t piece : together) {
    int64_t extent = pieces[piece].target.extent;
    sum.add(pieces[piece].*side, member % extent);
    member /= extent;
  }
  std::vector<size_t> seen;
  for (const PieceBit &bit : bits)
    if (std::ranges::find(seen, bit.piece) == seen.end()) {
      seen.push_back(bit.piece);
      sum.add(pieces[bit.piece].*side, getValue(bits, bit.piece, bundle));
    }
  return sum;
}

int64_t Planner::getSource(int64_t bundle, int64_t member) const {
  RegisterSum sum = sumDigits(&Piece::source, sourceBits, bundle, member);
  int64_t rest = bundle >> sourceBits.size();
  for (size_t piece : choices) {
    int64_t extent = pieces[piece].target.extent;
    sum.add(pieces[piece].source, rest % extent);
    rest /= extent;
  }
  return sum.reg;
}

int64_t Planner::getTarget(int64_t bundle, int64_t member) const {
  return sumDigits(&Piece::target, targetBits, bundle, member).reg;
}

void Planner::addTables() {
  int64_t members = 1, bundles = int64_t(1) << sourceBits.size();
  for (size_t piece : together)
    members *= pieces[piece].target.extent;
  for (size_t piece : choices)
    bundles *= pieces[piece].target.extent;
  for (int64_t bundle = 0; bundle < bundles; ++bundle)
    for (auto &list = result.sources.emplace_back();
         static_cast<int64_t>(list.size()) < members;)
      list.push_back(getSource(bundle, list.size()));
  for (int64_t bundle = 0; bundle < int64_t(1) << targetBits.size(); ++bundle)
    for (auto &list = result.targets.emplace_back();
         static_cast<int64_t>(list.size()) < members;)
      list.push_back(getTarget(bundle, list.size()));
}

Expected<WarpExchange> Planner::plan() {
  isFree.assign(laneBitCount, true);
  result.laneBits.assign(laneBitCount, -1);
  for (size_t number = 0; number < pieces.size(); ++number)
    if (!addBits(number))
      return Failure{"elements change warps"};
  pairBits();
  addTables();
  return std::move(result);
}

Expected<WarpExchange> tilec::planWarpExchange(const FragmentLayout &source,
                                               const FragmentLayout &target) {
  int64_t lanes = source.getExtent(HardwareDim::Lane);
  if (source.getShape() != target.getShape() ||
      lanes != target.getExtent(HardwareDim::Lane) ||
      source.getExtent(HardwareDim::Warp) !=
          target.getExtent(HardwareDim::Warp) ||
      !isPowerOfTwo(lanes))
    return Failure{"the two have not the same elements and threads, as a power "
                   "of two of lanes"};
  std::vector<Piece> pieces;
  for (int dim = 0; dim < source.getRank(); ++dim)
    if (!addPieces(source, target, dim, pieces))
      return Failure{"the digits of dimension " + std::to_string(dim) +
                     " have no common cuts"};
  for (const Piece &piece : pieces)
    for (const End *end : {&piece.source, &piece.target})
      if (end->where == HardwareDim::Lane && !isPowerOfTwo(end->extent))
        return Failure{"a digit of lanes is cut into no bits"};
  return Planner(std::move(pieces), lanes).plan();
}
