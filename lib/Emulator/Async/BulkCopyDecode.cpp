//===- BulkCopyDecode.cpp - Decoding bulk and tensor copies ---------------===//
//
// cp.async.bulk, cp.reduce.async.bulk and their .tensor forms, their groups and
// prefetches. The modifiers decide the direction, what signals completion and
// which operands follow.
//
//===----------------------------------------------------------------------===//

#include "../Decode/Decoder.h"
#include "../Decode/Families.h"
#include "BulkCopy.h"

namespace tilec::emu {

void registerTensorMapOps(OpcodeTable &table); // TensorMapReplace.cpp

namespace {

/// [map, {x, y, ..}]
bool bindMap(Decoder &d, const Operand &operand, BulkInfo &info) {
  if (operand.kind != Operand::Kind::Address || operand.elements.empty() ||
      operand.elements[0].kind != Operand::Kind::Vector)
    return d.fail("expected [map, {coordinates}]");
  Operand base = operand;
  base.elements.clear();
  info.mapSpace = StateSpace::Generic;
  if (!d.address(base, StateSpace::Generic, info.map))
    return false;
  const auto &coordinates = operand.elements[0].elements;
  if (coordinates.size() != static_cast<size_t>(info.rank))
    return d.fail("expected " + std::to_string(info.rank) + " coordinates");
  for (size_t c = 0; c < coordinates.size(); ++c)
    info.coordinates[c] = d.source(coordinates[c], Type::S32);
  return true;
}

bool takeBulkSpaces(Decoder &d, BulkInfo &info) {
  bool globalTarget = false;
  int first = d.takeOne({"shared::cluster", "shared::cta", "global"});
  // The modifiers stand in the order target, source; which comes first decides.
  std::string_view opcode = d.syntax().opcode;
  size_t sharedAt = opcode.find(".shared"), globalAt = opcode.find(".global");
  globalTarget = globalAt != std::string_view::npos && globalAt < sharedAt;
  bool bothShared = globalAt == std::string_view::npos;
  int second = d.takeOne({"global", "shared::cta", "shared::cluster"});
  if (first < 0 || second < 0)
    return d.fail("the state spaces are missing");
  info.direction = bothShared     ? Direction::SharedToShared
                   : globalTarget ? Direction::SharedToGlobal
                                  : Direction::GlobalToShared;
  return true;
}

bool takeReduction(Decoder &d, BulkInfo &info) {
  int operation =
      d.takeOne({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
  if (operation < 0)
    return d.fail("the reduction operation is missing");
  info.reduction = static_cast<BulkReduction>(operation);
  if (info.tensor)
    return true;
  d.take("noftz");
  Type type = d.takeType();
  switch (type) {
  case Type::U32:
  case Type::B32:
    info.element = TensorElement::U32;
    break;
  case Type::S32:
    info.element = TensorElement::S32;
    break;
  case Type::U64:
  case Type::B64:
    info.element = TensorElement::U64;
    break;
  case Type::S64:
    info.element = TensorElement::S64;
    break;
  case Type::F16:
    info.element = TensorElement::F16;
    break;
  case Type::BF16:
    info.element = TensorElement::BF16;
    break;
  case Type::F32:
    info.element = TensorElement::F32;
    break;
  case Type::F64:
    info.element = TensorElement::F64;
    break;
  default:
    return false;
  }
  std::string problem = checkReduction(info.element, info.reduction);
  return problem.empty() || d.fail(problem);
}

/// Modifiers of tensor copies that are not supported, and one that says
/// nothing.
bool takeTensorMode(Decoder &d, BulkInfo &info) {
  info.im2col = d.take("im2col");
  if (d.take("tile::gather4") || d.take("tile::scatter4") ||
      d.take("im2col::w") || d.take("im2col::w::128") ||
      d.take("im2col_no_offs"))
    return d.fail("this tensor mode is not supported");
  d.take("tile");
  return true;
}

/// What signals completion: an mbarrier, or a group of the thread. `hasPolicy`:
/// whether a cache policy follows the operands.
bool takeCompletion(Decoder &d, BulkInfo &info, bool &hasPolicy) {
  info.onMbarrier = d.take("mbarrier::complete_tx::bytes");
  bool group = d.take("bulk_group");
  info.multicast = d.take("multicast::cluster");
  d.takePrefix("cta_group::1");
  hasPolicy = d.take("L2::cache_hint");
  if (info.onMbarrier == group)
    return d.fail("the completion mechanism is missing");
  if (info.onMbarrier == (info.direction == Direction::SharedToGlobal))
    return d.fail("the completion mechanism does not fit the direction");
  return true;
}

/// The operands of a bulk copy, in their order.
class BulkOperands {
public:
  BulkOperands(Decoder &d, BulkInfo &info) : d(d), info(info) {}

  bool bindAll(bool hasPolicy) {
    if (!bindSide(info.direction == toGlobal, info.target) ||
        !bindSide(info.direction == fromGlobal, info.source) || !bindRest() ||
        (hasPolicy && !next()))
      return false;
    return at == d.operandCount() || d.fail("too many operands");
  }

private:
  static constexpr Direction toGlobal = Direction::SharedToGlobal;
  static constexpr Direction fromGlobal = Direction::GlobalToShared;

  const Operand *next() {
    if (at < d.operandCount())
      return &d.operand(at++);
    d.fail("an operand is missing");
    return nullptr;
  }

  /// The target or the source; the global side of a tensor copy is its map.
  bool bindSide(bool isGlobal, AddressOperand &address) {
    const Operand *operand = next();
    if (!operand)
      return false;
    if (info.tensor && isGlobal)
      return bindMap(d, *operand, info);
    return d.address(
        *operand, isGlobal ? StateSpace::Global : StateSpace::Shared, address);
  }

  /// Size, mbarrier, im2col offsets and the mask of blocks, where they exist.
  bool bindRest() {
    const Operand *operand = nullptr;
    if (!info.tensor) {
      if (!(operand = next()))
        return false;
      info.size = d.source(*operand, Type::U32);
    }
    if (info.onMbarrier &&
        (!(operand = next()) ||
         !d.address(*operand, StateSpace::Shared, info.mbarrier)))
      return false;
    if (info.im2col && info.direction == fromGlobal) {
      if (!(operand = next()) || operand->kind != Operand::Kind::Vector ||
          operand->elements.size() != static_cast<size_t>(info.rank - 2))
        return d.fail("the im2col offsets are missing");
      for (size_t c = 0; c < operand->elements.size(); ++c)
        info.offsets[c] = d.source(operand->elements[c], Type::U16);
    }
    if (info.multicast) {
      if (!(operand = next()))
        return false;
      info.ctaMask = d.source(*operand, Type::U16);
    }
    return true;
  }

  Decoder &d;
  BulkInfo &info;
  size_t at = 0;
};

bool decodeBulkCopy(Decoder &d, bool reduces) {
  auto *info = d.makeData<BulkInfo>();
  info->reduces = reduces;
  info->tensor = d.take("tensor");
  if (info->tensor) {
    info->rank = d.takeOne({"1d", "2d", "3d", "4d", "5d"}) + 1;
    if (info->rank == 0)
      return d.fail("the dimension (.1d to .5d) is missing");
  }
  if (!takeBulkSpaces(d, *info) || (reduces && !takeReduction(d, *info)) ||
      !takeTensorMode(d, *info))
    return false;
  bool policy = false;
  if (!takeCompletion(d, *info, policy) ||
      !BulkOperands(d, *info).bindAll(policy))
    return false;
  return d.emit(bulkHandler, InstructionClass::AsyncCopy);
}

bool decodePrefetchBulk(Decoder &d) {
  auto *info = d.makeData<BulkInfo>();
  info->direction = Direction::Prefetch;
  std::string_view modifier;
  while (d.takeNext(modifier)) {
  }
  return d.emit(bulkHandler, InstructionClass::AsyncCopy);
}

bool decodeReduceAsync(Decoder &d) {
  return d.take("reduce") && d.take("async") && d.take("bulk") &&
         decodeBulkCopy(d, true);
}

} // namespace

bool decodeBulk(Decoder &d) {
  if (!d.take("bulk"))
    return false;
  if (d.take("commit_group"))
    return d.expectOperands(0, 0) &&
           d.emit(commitBulkHandler, InstructionClass::AsyncCopy);
  if (d.take("wait_group")) {
    d.out.flags = d.take("read");
    uint64_t groups = 0;
    if (!d.expectOperands(1, 1) || !d.constantOperand(d.operand(0), groups))
      return false;
    d.out.immediate = static_cast<int64_t>(groups);
    return d.emit(waitBulkHandler, InstructionClass::AsyncCopy);
  }
  if (d.take("prefetch"))
    return decodePrefetchBulk(d);
  return decodeBulkCopy(d, false);
}

bool decodeBulkReduction(Decoder &d) { return decodeReduceAsync(d); }

void registerBulkCopy(OpcodeTable &table) { registerTensorMapOps(table); }

} // namespace tilec::emu
