//===- TensorMapReplace.cpp - tensormap.replace and its fence -------------===//
//
// Kernels that change a tensor map in memory: one field at a time, in global or
// shared memory, then tensormap.cp_fenceproxy to publish a copy of it.
//
//===----------------------------------------------------------------------===//

#include "../Checkers/Report.h"
#include "../Decode/Decoder.h"
#include "../Decode/Families.h"
#include "../Instructions/Handlers.h"
#include "../Memory/Access.h"
#include "tile/Emulator/TensorMap.h"

namespace tilec::emu {

namespace {

struct ReplaceInfo {
  TensorMapField field = TensorMapField::GlobalAddress;
  int ordinal = 0;
  bool wide = true;      ///< Address of 64 bits.
  bool wideValue = true; ///< .b64
};

Step replace(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = i.data<ReplaceInfo>();
  AccessRequest request;
  request.space = i.space;
  request.mode = AccessMode::ReadWrite;
  request.bytes = 128;
  gatherAddresses(warp, i, i.ref[1], info.wide, request.addresses);
  AccessResult result;
  access(warp, i, mask, request, result);
  forLanes(result.ok, [&](uint32_t lane) {
    TensorMap map;
    std::memcpy(&map, result.pointers[lane], sizeof map);
    uint64_t value = info.wideValue ? warp.ptr<uint64_t>(i.ref[2])[lane]
                                    : warp.ptr<uint32_t>(i.ref[2])[lane];
    std::string problem =
        map.magic == TensorMap::magicNumber
            ? replaceField(map, info.field, info.ordinal, value)
            : "there is no tensor map at this address";
    if (!problem.empty()) {
      reportAt(warp, i, lane, ReportKind::Invalid, problem);
      return;
    }
    std::memcpy(result.pointers[lane], &map, sizeof map);
  });
  ++warp.cluster->progress;
  return Step::Next;
}

/// ref[1]: target in global memory, ref[2]: source in shared memory.
Step copyMap(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = i.data<ReplaceInfo>();
  AccessRequest from, to;
  from.space = StateSpace::Shared;
  from.bytes = to.bytes = 128;
  to.space = StateSpace::Global;
  to.mode = AccessMode::Write;
  gatherAddresses(warp, i, i.ref[1], info.wide, to.addresses);
  gatherAddresses(warp, i, i.ref[2], info.wideValue, from.addresses);
  AccessResult source, target;
  access(warp, i, mask, from, source);
  access(warp, i, source.ok, to, target);
  forLanes(target.ok, [&](uint32_t lane) {
    std::memcpy(target.pointers[lane], source.pointers[lane], 128);
  });
  ++warp.cluster->progress;
  return Step::Next;
}

bool decodeCopyMap(Decoder &d) {
  auto *info = d.makeData<ReplaceInfo>();
  std::string_view modifier;
  while (d.takeNext(modifier)) {
  }
  int64_t targetOffset = 0, sourceOffset = 0;
  if (!d.expectOperands(3, 3) ||
      !d.address(d.operand(0), StateSpace::Global, d.out.ref[1], info->wide,
                 targetOffset) ||
      !d.address(d.operand(1), StateSpace::Shared, d.out.ref[2],
                 info->wideValue, sourceOffset))
    return false;
  if (targetOffset || sourceOffset)
    return d.fail("offsets in these addresses are not supported");
  return d.emit(copyMap, InstructionClass::Other);
}

bool decodeTensormap(Decoder &d) {
  if (d.take("cp_fenceproxy"))
    return decodeCopyMap(d);
  if (!d.take("replace") || !d.take("tile"))
    return false;
  auto *info = d.makeData<ReplaceInfo>();
  int field = d.takeOne({"global_address", "rank", "box_dim", "global_dim",
                         "global_stride", "element_stride", "elemtype",
                         "interleave_layout", "swizzle_mode", "fill_mode"});
  if (field < 0)
    return d.fail("the field is missing");
  info->field = static_cast<TensorMapField>(field);
  d.out.space = takeStateSpace(d);
  if (!d.take("b1024"))
    return false;
  Type type = d.takeType();
  info->wideValue = type == Type::B64;
  if (type != Type::B64 && type != Type::B32)
    return false;
  bool indexed = info->field == TensorMapField::BoxDim ||
                 info->field == TensorMapField::GlobalDim ||
                 info->field == TensorMapField::GlobalStride ||
                 info->field == TensorMapField::ElementStride;
  size_t count = indexed ? 3 : 2;
  if (!d.expectOperands(count, count) ||
      !d.address(d.operand(0), d.out.space, d.out.ref[1], info->wide,
                 d.out.immediate))
    return false;
  if (indexed) {
    uint64_t ordinal = 0;
    if (!d.constantOperand(d.operand(1), ordinal))
      return false;
    info->ordinal = static_cast<int>(ordinal);
  }
  d.out.ref[2] = d.source(count - 1, type);
  return d.emit(replace, InstructionClass::Other);
}

} // namespace

void registerTensorMapOps(OpcodeTable &table) {
  table["tensormap"] = decodeTensormap;
}

} // namespace tilec::emu
