//===- WarpExchange.h - From one layout to another by shuffles --*- C++ -*-===//
//
// Where every element stays in its warp, lanes give registers to one another. In one
// *round* each lane publishes one element and reads what one lane publishes. Which
// register a lane publishes, and where it puts what it reads, may depend on the lane.
//
// Both layouts are cut at all places where either of them cuts a dimension. A piece is
// then a digit of register, lane or warp in the source, and one in the target:
//
//     source     target     what it is
//     register   register   elements that travel together
//     lane       lane       a lane reads from the lane with this digit
//     register   lane       *outgoing*: which register is read follows from the reader
//     lane       register   *incoming*: the lane that is read follows from the register
//     register   warp       *choice*: the register follows from the warp
//     lane       warp       the lane that is read follows from the warp
//
// Lane digits are powers of two and are taken as bits. A lane has one element to
// publish in a round, so that an outgoing bit has to be told by the lane itself: by a
// bit of its number that only replicates, or by that of an incoming bit. With such a
// pair there are two rounds, r = 0 and 1; lane s publishes the register whose outgoing
// bit is r ^ (bit of s), and lane t puts what it reads into the register whose incoming
// bit is r ^ (bit of t). Four lanes that transpose 4 x 4 elements have two pairs,
//
//     register      lane 0  1  2  3        round 0   lane ^ 0: nothing moves
//            0          a0 b0 c0 d0        round 1   lane ^ 1: a1 <-> b0, c3 <-> d2
//            1          a1 b1 c1 d1        round 2   lane ^ 2: a2 <-> c0, b3 <-> d1
//            2          a2 b2 c2 d2        round 3   lane ^ 3: a3 <-> d0, b2 <-> c1
//            3          a3 b3 c3 d3
//
// and need three shuffles, the fewest that there can be: a lane needs three elements
// of others. Choosing among 2^n registers by n bits of the lane takes n steps of
// conditional swaps, before the rounds and behind them.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_WARPEXCHANGE_H
#define TILE_LAYOUT_WARPEXCHANGE_H

#include "tile/Layout/FragmentLayout.h"

namespace tilec {

/// The steps of an exchange in a warp, on lists of *bundles*: the elements that travel
/// together. Bits of a bundle's number are counted from the lowest.
///
///   1. each lane has `sources`; for each of `warpChoices`, from the last, it keeps of
///      the n bundles the n / extent from number (digit of the warp) * n / extent on
///   2. for each of `laneChoices`, from the last, the same by a bit of the lane
///   3. for each bit k of `swaps`: bundle b is bundle b ^ (bit `publisher` of the lane
///      << k)
///   4. in round r bundle `getPublished(r)` is read from lane `getSourceLane`; what is
///      read is bundle r
///   5. for each of `lateChoices`, from the last, as 2
///   6. for each bit k of `swaps`: as 3 by bit `reader`
///   7. the registers of `targets`
struct WarpExchange {
  static constexpr int64_t noRegister = -1;

  /// A digit of the warp's number.
  struct WarpDigit {
    int64_t place = 1, extent = 1;
  };
  struct Swap {
    int publisher = 0; ///< bit of the lane that publishes
    int reader = 0;    ///< bit of the lane that reads
  };
  /// Bits of the lane that is read, from `bit` on, that are a digit of the warp.
  struct WarpPart {
    WarpDigit digit;
    int bit = 0;
  };

  /// By bundle, the register of each element; `noRegister` where it is padding.
  std::vector<std::vector<int64_t>> sources, targets;
  std::vector<WarpDigit> warpChoices;
  std::vector<int> laneChoices, lateChoices;
  std::vector<Swap> swaps;
  /// Bits of the lane that is read that differ between rounds, besides those of
  /// `swaps`.
  std::vector<int> roundBits;
  /// By bit of the lane that is read: the bit of the reader that it is, or -1.
  std::vector<int> laneBits;
  std::vector<WarpPart> warpParts;

  /// Rounds, those included in which nothing moves: numbers of bits of swaps, of
  /// `roundBits` and of `lateChoices`, the lowest first.
  int64_t getRoundCount() const {
    return int64_t(1) << (swaps.size() + roundBits.size() + lateChoices.size());
  }
  int64_t getPublished(int64_t round) const;
  /// The lane that is read is the reader's bits by `laneBits` and the warp's by
  /// `warpParts`, exclusive or this.
  int64_t getLaneMask(int64_t round) const;
  /// Whether every lane would read itself.
  bool staysInLane(int64_t round) const {
    return hasOwnLane() && getLaneMask(round) == 0;
  }
  /// Whether some lane reads an element of the shape.
  bool isNeeded(int64_t round) const;
  /// Whether without the mask every lane reads itself.
  bool hasOwnLane() const;

  /// Elements that travel together.
  int64_t getBundleSize() const {
    return static_cast<int64_t>(sources.front().size());
  }
  /// Rounds in which something moves: shuffles of each word of a bundle.
  int64_t countShuffles() const;
  /// Choices between two values for each word of a bundle, before and behind the
  /// rounds.
  int64_t countSelectsBefore() const;
  int64_t countSelectsBehind() const;
};

/// The steps from `source` to `target`, of one shape and the same numbers of lanes and
/// warps, with the fewest shuffles where nothing is replicated. Fails where elements
/// change warps, or where the digits of the two have no common cuts (3 * 32 and 32 * 3).
Expected<WarpExchange> planWarpExchange(const FragmentLayout &source,
                                        const FragmentLayout &target);

} // namespace tilec

#endif // TILE_LAYOUT_WARPEXCHANGE_H
