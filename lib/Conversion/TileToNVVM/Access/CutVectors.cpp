//===- CutVectors.cpp - Vectors where a tile is cut -----------------------===//

#include "CutVectors.h"

#include "../Compute/Cast.h"
#include "PredicatedAccess.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

/// The most vectors of a thread whose predicates take less than a branch saves, and the most
/// bytes that are loaded together: more, and ptxas spills some.
static constexpr int64_t mostVectors = 4, mostTogether = 64;
/// Vectors of two elements are no better than elements.
static constexpr int64_t leastWidth = 4;

template <typename Op>
static FailureOr<SideAccess> createAccess(ThreadEmitter &emitter, Op op,
                                          const Side &side,
                                          RankedTensorType type) {
  FailureOr<SideAccess> access = SideAccess::create(
      emitter, op, side, type.getShape(), emitter.getLayout(type));
  if (succeeded(access)) {
    int64_t width = op.getVectorWidth().value_or(1);
    access->setWidths(width, op.getInnerWidth().value_or(width));
  }
  return access;
}

FailureOr<SideAccess> tile::createAccess(ThreadEmitter &emitter, LoadOp op) {
  return ::createAccess(emitter, op, op.getSourceSide(), op.getType());
}

FailureOr<SideAccess> tile::createAccess(ThreadEmitter &emitter, StoreOp op) {
  return ::createAccess(emitter, op, op.getDestSide(),
                        cast<RankedTensorType>(op.getValue().getType()));
}

//===----------------------------------------------------------------------===//
// Where it is possible
//===----------------------------------------------------------------------===//

/// The edge that may cut the vectors of `access`; nothing where none does, or where they are
/// not accessed by predicate.
static std::optional<TileEdge> findEdge(ThreadEmitter &emitter,
                                        SideAccess &access) {
  Type element = access.getElementType();
  int64_t width = access.getWidthInside();
  if (access.isShared() || emitter.isNarrow(element) || element.isInteger(1) ||
      access.getWidth() != 1 || width < leastWidth)
    return std::nullopt;
  std::optional<TileEdge> edge = access.getEdge();
  if (!edge || edge->layout->hasPadding())
    return std::nullopt;
  int64_t count = edge->layout->getRegisterCount();
  if (count / width > mostVectors)
    return std::nullopt;
  for (int64_t reg = 0; reg < count; ++reg)
    if (edge->getPart(reg) != edge->getPart(reg - reg % width) + reg % width)
      return std::nullopt;
  return edge;
}

/// `op` where it is a load, or a store; else null.
template <typename Access>
static Access getAs(Operation *op) {
  return llvm::TypeSwitch<Operation *, Access>(op)
      .template Case<Access>([](Access access) { return access; })
      .Default([](Operation *) { return Access(); });
}

/// Whether `op` computes an element of each element, and its code does not branch on them.
static bool isPlainArithmetic(Operation *op) {
  return isa<arith::ArithDialect>(op->getDialect()) &&
         op->hasTrait<OpTrait::Elementwise>() && isSpeculatable(op);
}

/// The stores of what `op` loads, or of what is computed of it, where all of that is cut at
/// the same edge, so that nobody observes what stands behind it; else none.
static SmallVector<Operation *> findStores(ThreadEmitter &emitter, LoadOp op,
                                           const TileEdge &edge) {
  SmallVector<Value> values = {op.getResult()};
  SmallVector<Operation *> stores;
  for (size_t next = 0; next < values.size(); ++next)
    for (Operation *user : values[next].getUsers()) {
      if (isPlainArithmetic(user)) {
        values.append(user->result_begin(), user->result_end());
        continue;
      }
      StoreOp store = getAs<StoreOp>(user);
      if (!store || !emitter.isBound(store.getDest()))
        return {};
      FailureOr<SideAccess> access = createAccess(emitter, store);
      if (failed(access) || access->getEdge() != edge)
        return {};
      stores.push_back(store);
    }
  return stores;
}

/// Whether all that `op` needs stands in front of `leader`.
static bool canLoadWith(LoadOp op, LoadOp leader) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *definition = operand.getDefiningOp();
    return !definition || definition->getBlock() != op->getBlock() ||
           definition->isBeforeInBlock(leader);
  });
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

namespace {
/// What threads ask of an edge. Emitted where the emitter stands.
class EdgeConditions {
public:
  EdgeConditions(ThreadEmitter &emitter, const TileEdge &edge);

  /// Whether `width` elements from register `reg` on lie inside.
  Value getIsWhole(int64_t reg, int64_t width);
  /// Whether not all vectors of the thread do.
  Value getIsCut(int64_t width);
  /// Whether the element of `reg` does and the vector around it does not.
  Value getIsLeft(int64_t reg, Value isWhole) {
    return isGreaterAndNot(emitter, limit, edge.getPart(reg), isWhole);
  }

private:
  ThreadEmitter &emitter;
  const TileEdge &edge;
  Value limit; ///< i32: elements of the thread's part that are left
};
} // namespace

EdgeConditions::EdgeConditions(ThreadEmitter &emitter, const TileEdge &edge)
    : emitter(emitter), edge(edge) {
  OpBuilder &builder = emitter.builder;
  Value left = edge.size;
  if (edge.start)
    left = builder.createOrFold<arith::SubIOp>(emitter.loc, left,
                                               emitter.getScalar(edge.start));
  left =
      builder.createOrFold<arith::MaxSIOp>(emitter.loc, left, emitter.i64(0));
  left = emitter.narrow(builder.createOrFold<arith::MinSIOp>(
      emitter.loc, left, emitter.i64(edge.getExtent())));
  limit = edge.thread ? builder.createOrFold<arith::SubIOp>(emitter.loc, left,
                                                            edge.thread)
                      : left;
}

Value EdgeConditions::getIsWhole(int64_t reg, int64_t width) {
  return emitter.compare(arith::CmpIPredicate::sgt, limit,
                         emitter.i32(edge.getPart(reg) + width - 1));
}

Value EdgeConditions::getIsCut(int64_t width) {
  int64_t last = 0;
  for (int64_t reg = 0; reg < edge.layout->getRegisterCount(); reg += width)
    if (edge.getPart(reg) > edge.getPart(last))
      last = reg;
  return emitter.builder.createOrFold<arith::XOrIOp>(
      emitter.loc, getIsWhole(last, width),
      emitter.constant(emitter.builder.getI1Type(), 1));
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// In which `width` elements are accessed: the elements, or several in a word of 32 bits.
static Type getWordType(ThreadEmitter &emitter, Type element, int64_t width) {
  constexpr int64_t mostWords = 4;
  unsigned bits = element.getIntOrFloatBitWidth();
  return emitter.builder.getIntegerType(bits == 8 || width > mostWords ? 32
                                                                       : bits);
}

static SmallVector<Value> recast(ThreadEmitter &emitter, ArrayRef<Value> values,
                                 Type type) {
  OpBuilder &builder = emitter.builder;
  Type from = values.front().getType();
  if (from == type)
    return SmallVector<Value>(values);
  int64_t bits = from.getIntOrFloatBitWidth() * values.size();
  int64_t count = bits / type.getIntOrFloatBitWidth();
  Value all = LLVM::BitcastOp::create(builder, emitter.loc,
                                      VectorType::get({count}, type),
                                      emitter.joinInVector(values));
  SmallVector<Value> results;
  emitter.appendElements(all, results);
  return results;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

namespace {
/// A load and what it has brought: the words of its vectors.
struct CutLoad {
  LoadOp op;
  SideAccess access;
  SmallVector<SmallVector<Value>> vectors;

  SmallVector<Value> getWords() const {
    SmallVector<Value> words;
    for (ArrayRef<Value> vector : vectors)
      words.append(vector.begin(), vector.end());
    return words;
  }
};
} // namespace

/// The element at `place` where `condition` holds, else `element`, both as in memory.
static Value loadElement(ThreadEmitter &emitter, SideAccess &access,
                         int64_t reg, Value condition, Value element) {
  OpBuilder &builder = emitter.builder;
  unsigned bits = element.getType().getIntOrFloatBitWidth();
  Type type = element.getType(), integer = builder.getIntegerType(bits);
  if (type != integer)
    element = arith::BitcastOp::create(builder, emitter.loc, integer, element);
  // PTX has no registers of 8 bits; what is loaded there has none above.
  if (bits < 16)
    element = arith::ExtUIOp::create(builder, emitter.loc, builder.getI16Type(),
                                     element);
  Value loaded = loadByPredicate(emitter, access.getPointer(reg), condition,
                                 element, bits, access.isReadOnly())
                     .front();
  if (bits < 16)
    loaded = arith::TruncIOp::create(builder, emitter.loc, integer, loaded);
  return type == integer
             ? loaded
             : arith::BitcastOp::create(builder, emitter.loc, type, loaded);
}

/// The loads from `op` on that end at `edge`, none of which anything in between changes.
static std::vector<CutLoad> findLoads(ThreadEmitter &emitter, LoadOp op,
                                      SideAccess &access,
                                      const TileEdge &edge) {
  int64_t bytes = 0;
  std::vector<CutLoad> loads;
  for (Operation *at = op; at; at = at->getNextNode()) {
    LoadOp load = getAs<LoadOp>(at);
    if (!load && !isMemoryEffectFree(at))
      break;
    if (!load || !canLoadWith(load, op))
      continue;
    FailureOr<SideAccess> other = createAccess(emitter, load);
    bool isCut = succeeded(other) && findEdge(emitter, *other) == edge &&
                 other->getWidthInside() == access.getWidthInside();
    SmallVector<Operation *> stores;
    if (isCut)
      stores = findStores(emitter, load, edge);
    if (stores.empty()) {
      if (load == op)
        break;
      continue;
    }
    bytes += emitter.getMemoryBytes(other->getElementType(),
                                    edge.layout->getRegisterCount());
    if (load != op && bytes > mostTogether)
      break;
    loads.push_back({load, std::move(*other), {}});
    emitter.cutStores.insert(stores.begin(), stores.end());
  }
  return loads;
}

/// What words have of which nothing is loaded: nothing, or zero where LLVM may compute
/// several small integers in one register, of which an undefined one undefines others.
static Value getUnloaded(ThreadEmitter &emitter, Type word, Type element) {
  return element.isIntOrIndex() && element.getIntOrFloatBitWidth() < 32
             ? emitter.zero(word)
             : emitter.poison(word);
}

/// Loads the vectors that lie inside.
static void loadWhole(ThreadEmitter &emitter, CutLoad &load,
                      EdgeConditions &conditions, const TileEdge &edge) {
  int64_t width = load.access.getWidthInside();
  Type word = getWordType(emitter, load.access.getMemoryType(), width);
  int64_t bits = word.getIntOrFloatBitWidth();
  int64_t words =
      8 * emitter.getMemoryBytes(load.access.getElementType(), width) / bits;
  for (int64_t reg = 0; reg < edge.layout->getRegisterCount(); reg += width)
    load.vectors.push_back(loadByPredicate(
        emitter, load.access.getPointer(reg), conditions.getIsWhole(reg, width),
        SmallVector<Value>(
            words, getUnloaded(emitter, word, load.access.getMemoryType())),
        bits, load.access.isReadOnly()));
}

/// Loads the elements of vectors that are cut; returns all words.
static SmallVector<Value> loadLeft(ThreadEmitter &emitter, CutLoad &load,
                                   EdgeConditions &conditions) {
  int64_t width = load.access.getWidthInside();
  SmallVector<Value> words;
  for (auto [number, vector] : llvm::enumerate(load.vectors)) {
    int64_t reg = number * width;
    Value isWhole = conditions.getIsWhole(reg, width);
    SmallVector<Value> elements =
        recast(emitter, vector, load.access.getMemoryType());
    for (int64_t i = 0; i + 1 < width; ++i)
      elements[i] =
          loadElement(emitter, load.access, reg + i,
                      conditions.getIsLeft(reg + i, isWhole), elements[i]);
    words.append(recast(emitter, elements, vector.front().getType()));
  }
  return words;
}

/// Binds what `load` has brought: the next of `words`.
static void bindLoaded(ThreadEmitter &emitter, CutLoad &load,
                       ArrayRef<Value> &words) {
  Type element = load.access.getElementType();
  SmallVector<Value> registers;
  for (ArrayRef<Value> vector : load.vectors) {
    SmallVector<Value> elements = recast(
        emitter, words.take_front(vector.size()), load.access.getMemoryType());
    registers.append(convertElements(emitter, elements, element,
                                     load.op.getType().getElementType()));
    words = words.drop_front(vector.size());
  }
  emitter.bind(load.op.getResult(), registers);
}

bool tile::loadCutVectors(ThreadEmitter &emitter, LoadOp op,
                          SideAccess &access) {
  std::optional<TileEdge> edge = findEdge(emitter, access);
  if (!edge)
    return false;
  std::vector<CutLoad> loads = findLoads(emitter, op, access, *edge);
  if (loads.empty())
    return false;
  EdgeConditions conditions(emitter, *edge);
  SmallVector<Type> types;
  for (CutLoad &load : loads) {
    loadWhole(emitter, load, conditions, *edge);
    for (Value word : load.getWords())
      types.push_back(word.getType());
  }
  OpBuilder &builder = emitter.builder;
  auto branch = scf::IfOp::create(builder, emitter.loc, types,
                                  conditions.getIsCut(access.getWidthInside()),
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    SmallVector<Value> words;
    for (CutLoad &load : loads)
      words.append(block == branch.thenBlock()
                       ? loadLeft(emitter, load, conditions)
                       : load.getWords());
    scf::YieldOp::create(builder, emitter.loc, words);
  }
  SmallVector<Value> all = llvm::to_vector_of<Value>(branch.getResults());
  ArrayRef<Value> words = all;
  for (CutLoad &load : loads) {
    bindLoaded(emitter, load, words);
    if (load.op != op)
      emitter.loadedAhead.insert(load.op);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

bool tile::storeCutVectors(ThreadEmitter &emitter, StoreOp op,
                           SideAccess &access, ArrayRef<Value> registers,
                           Value guard) {
  std::optional<TileEdge> edge = findEdge(emitter, access);
  if (!edge || !emitter.cutStores.contains(op))
    return false;
  Type valueType =
      cast<RankedTensorType>(op.getValue().getType()).getElementType();
  Type element = access.getElementType();
  int64_t count = registers.size(), width = access.getWidthInside();
  SmallVector<Value> pointers;
  for (int64_t reg = 0; reg < count; ++reg)
    pointers.push_back(access.getPointer(reg));
  SmallVector<Value> elements =
      convertElements(emitter, registers, valueType, element);
  EdgeConditions conditions(emitter, *edge);
  Type word = getWordType(emitter, access.getMemoryType(), width);
  for (int64_t reg = 0; reg < count; reg += width)
    storeByPredicate(
        emitter, pointers[reg],
        emitter.both(guard, conditions.getIsWhole(reg, width)),
        recast(emitter, ArrayRef(elements).slice(reg, width), word));
  emitter.emitUnder(conditions.getIsCut(width), [&] {
    for (int64_t reg = 0; reg < count; ++reg) {
      if (reg % width + 1 == width)
        continue;
      Value isWhole = conditions.getIsWhole(reg - reg % width, width);
      Value isLeft = emitter.both(guard, conditions.getIsLeft(reg, isWhole));
      emitter.emitUnder(isLeft, [&] {
        emitter.store(elements[reg], pointers[reg], access.getMemoryType());
      });
    }
  });
  return true;
}
