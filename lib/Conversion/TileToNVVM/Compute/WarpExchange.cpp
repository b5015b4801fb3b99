//===- WarpExchange.cpp - Registers given from lane to lane ---------------===//
//
// The steps of a plan (tile/Layout/WarpExchange.h) on the registers of a thread.
// Narrow elements that travel together share a word of 32 bits, before anything is
// chosen, so that a choice is for all of them.
//
//===----------------------------------------------------------------------===//

#include "WarpExchange.h"

#include "Combiner.h"

#include "tile/Hardware/ExchangeCost.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::WarpExchange;

using Bundle = SmallVector<Value>;

namespace {
class ExchangeEmitter {
public:
  ExchangeEmitter(ThreadEmitter &emitter, const WarpExchange &plan, Type type)
      : emitter(emitter), plan(plan), type(type) {
    int64_t inWord =
        tilec::getExchangeWords(type.getIntOrFloatBitWidth()).elementsInWord;
    if (plan.getBundleSize() > 1 && plan.countShuffles() > 0)
      elementsInWord = inWord;
  }

  SmallVector<Value> emit(ArrayRef<Value> registers, int64_t count);

private:
  // Words.
  Bundle pack(const std::vector<int64_t> &list, ArrayRef<Value> registers);
  Value packWord(ArrayRef<Value> elements);
  Value unpack(const Bundle &bundle, int64_t member);
  Bundle getPadding();

  // Choices.
  Value getLaneBit(int bit);
  Value getDigit(const WarpExchange::WarpDigit &digit);
  Bundle select(Value condition, const Bundle &ifTrue, const Bundle &ifFalse);
  void chooseByLane(int bit);
  void chooseByWarp(const WarpExchange::WarpDigit &digit);
  void swap(int64_t bundleBit, int laneBit);

  // Rounds.
  Value getSourceLane();
  void exchange();

  ThreadEmitter &emitter;
  const WarpExchange &plan;
  Type type;
  int64_t elementsInWord = 1;
  std::vector<Bundle> bundles;
};
} // namespace

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Frozen, as one that is poison would spoil the others of its word.
Value ExchangeEmitter::packWord(ArrayRef<Value> elements) {
  OpBuilder &builder = emitter.builder;
  int64_t bits = type.getIntOrFloatBitWidth();
  Value word;
  for (auto [index, element] : llvm::enumerate(elements)) {
    Value part = builder.createOrFold<arith::BitcastOp>(
        emitter.loc, builder.getIntegerType(bits), emitter.freeze(element));
    part = builder.createOrFold<arith::ExtUIOp>(emitter.loc,
                                                builder.getI32Type(), part);
    part = builder.createOrFold<arith::ShLIOp>(
        emitter.loc, part, emitter.i32(bits * static_cast<int64_t>(index)));
    word = word ? builder.createOrFold<arith::OrIOp>(emitter.loc, word, part)
                : part;
  }
  return word;
}

Bundle ExchangeEmitter::pack(const std::vector<int64_t> &list,
                             ArrayRef<Value> registers) {
  SmallVector<Value> elements;
  for (int64_t reg : list)
    elements.push_back(reg == WarpExchange::noRegister ? emitter.padding(type)
                                                       : registers[reg]);
  if (elementsInWord == 1)
    return elements;
  Bundle words;
  for (ArrayRef<Value> rest = elements; !rest.empty();) {
    size_t count = std::min<size_t>(elementsInWord, rest.size());
    words.push_back(packWord(rest.take_front(count)));
    rest = rest.drop_front(count);
  }
  return words;
}

Value ExchangeEmitter::unpack(const Bundle &bundle, int64_t member) {
  if (elementsInWord == 1)
    return bundle[member];
  OpBuilder &builder = emitter.builder;
  int64_t bits = type.getIntOrFloatBitWidth();
  Value word = builder.createOrFold<arith::ShRUIOp>(
      emitter.loc, bundle[member / elementsInWord],
      emitter.i32(bits * (member % elementsInWord)));
  word = builder.createOrFold<arith::TruncIOp>(
      emitter.loc, builder.getIntegerType(bits), word);
  return builder.createOrFold<arith::BitcastOp>(emitter.loc, type, word);
}

Bundle ExchangeEmitter::getPadding() {
  return Bundle(llvm::divideCeil(plan.getBundleSize(), elementsInWord),
                emitter.padding(
                    elementsInWord == 1 ? type : emitter.builder.getI32Type()));
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

Value ExchangeEmitter::getLaneBit(int bit) {
  Value masked = emitter.builder.createOrFold<arith::AndIOp>(
      emitter.loc, emitter.getScope().getLane(),
      emitter.i32(int64_t(1) << bit));
  return emitter.compare(arith::CmpIPredicate::ne, masked, emitter.i32(0));
}

Value ExchangeEmitter::getDigit(const WarpExchange::WarpDigit &digit) {
  return emitter.remainder(
      emitter.divide(emitter.getScope().getWarp(), digit.place), digit.extent);
}

Bundle ExchangeEmitter::select(Value condition, const Bundle &ifTrue,
                               const Bundle &ifFalse) {
  Bundle result;
  for (auto [a, b] : llvm::zip_equal(ifTrue, ifFalse))
    result.push_back(emitter.select(condition, a, b));
  return result;
}

void ExchangeEmitter::chooseByLane(int bit) {
  size_t count = bundles.size() / 2;
  Value isUpper = getLaneBit(bit);
  for (size_t i = 0; i < count; ++i)
    bundles[i] = select(isUpper, bundles[count + i], bundles[i]);
  bundles.resize(count);
}

void ExchangeEmitter::chooseByWarp(const WarpExchange::WarpDigit &digit) {
  size_t count = bundles.size() / digit.extent;
  Value value = getDigit(digit);
  for (int64_t part = 1; part < digit.extent; ++part) {
    Value isPart =
        emitter.compare(arith::CmpIPredicate::eq, value, emitter.i32(part));
    for (size_t i = 0; i < count; ++i)
      bundles[i] = select(isPart, bundles[part * count + i], bundles[i]);
  }
  bundles.resize(count);
}

void ExchangeEmitter::swap(int64_t bundleBit, int laneBit) {
  Value isSwapped = getLaneBit(laneBit);
  for (size_t i = 0; i < bundles.size(); ++i) {
    size_t other = i | size_t(1) << bundleBit;
    if (other == i)
      continue;
    Bundle lower = select(isSwapped, bundles[other], bundles[i]);
    bundles[other] = select(isSwapped, bundles[i], bundles[other]);
    bundles[i] = std::move(lower);
  }
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// The lane that is read where nothing differs between rounds; null for lane 0.
Value ExchangeEmitter::getSourceLane() {
  OpBuilder &builder = emitter.builder;
  std::map<int, int64_t> masks; ///< by how far bits move up
  for (auto [bit, own] : llvm::enumerate(plan.laneBits))
    if (own >= 0)
      masks[static_cast<int>(bit) - own] |= int64_t(1) << own;
  Value lane;
  for (auto [distance, mask] : masks) {
    Value part = builder.createOrFold<arith::AndIOp>(
        emitter.loc, emitter.getScope().getLane(), emitter.i32(mask));
    part = distance < 0 ? emitter.divide(part, int64_t(1) << -distance)
                        : emitter.multiply(part, int64_t(1) << distance);
    lane = emitter.add(lane, part);
  }
  for (const WarpExchange::WarpPart &part : plan.warpParts)
    lane = emitter.add(
        lane, emitter.multiply(getDigit(part.digit), int64_t(1) << part.bit));
  return lane;
}

void ExchangeEmitter::exchange() {
  bool isOwn = plan.hasOwnLane();
  Value base = isOwn || plan.countShuffles() == 0 ? Value() : getSourceLane();
  std::vector<Bundle> read;
  for (int64_t round = 0; round < plan.getRoundCount(); ++round) {
    const Bundle &published = bundles[plan.getPublished(round)];
    if (!plan.isNeeded(round)) {
      read.push_back(getPadding());
      continue;
    }
    if (plan.staysInLane(round)) {
      read.push_back(published);
      continue;
    }
    Value lane = emitter.i32(plan.getLaneMask(round));
    if (base)
      lane =
          emitter.builder.createOrFold<arith::XOrIOp>(emitter.loc, base, lane);
    Bundle &bundle = read.emplace_back();
    for (Value word : published)
      bundle.push_back(
          shuffle(emitter, word,
                  isOwn ? NVVM::ShflKind::bfly : NVVM::ShflKind::idx, lane));
  }
  bundles = std::move(read);
}

SmallVector<Value> ExchangeEmitter::emit(ArrayRef<Value> registers,
                                         int64_t count) {
  for (const std::vector<int64_t> &list : plan.sources)
    bundles.push_back(pack(list, registers));
  for (const WarpExchange::WarpDigit &digit : llvm::reverse(plan.warpChoices))
    chooseByWarp(digit);
  for (int bit : llvm::reverse(plan.laneChoices))
    chooseByLane(bit);
  for (auto [bit, pair] : llvm::enumerate(plan.swaps))
    swap(bit, pair.publisher);
  exchange();
  for (int bit : llvm::reverse(plan.lateChoices))
    chooseByLane(bit);
  for (auto [bit, pair] : llvm::enumerate(plan.swaps))
    swap(bit, pair.reader);
  SmallVector<Value> result(count, emitter.padding(type));
  for (auto [bundle, list] : llvm::zip_equal(bundles, plan.targets))
    for (auto [member, reg] : llvm::enumerate(list))
      if (reg != WarpExchange::noRegister)
        result[reg] = unpack(bundle, member);
  return result;
}

SmallVector<Value> tile::emitWarpExchange(ThreadEmitter &emitter,
                                          const WarpExchange &plan,
                                          ArrayRef<Value> registers,
                                          int64_t count) {
  return ExchangeEmitter(emitter, plan, registers.front().getType())
      .emit(registers, count);
}
