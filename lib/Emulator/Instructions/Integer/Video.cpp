//===- Video.cpp - SIMD arithmetic on the bytes and halves of a word ------===//
//
// vadd2/4, vsub2/4, vavrg2/4, vabsdiff2/4, vmin2/4, vmax2/4 without selectors
// and masks: what compilers emit for the byte intrinsics. With .add the results
// are summed onto c, else they replace it.
//
//===----------------------------------------------------------------------===//

#include "../../Decode/Decoder.h"
#include "../Handlers.h"

#include <algorithm>
#include <cstdlib>

namespace tilec::emu {

namespace {

enum class VideoOp : uint8_t { Add, Sub, Average, Difference, Min, Max };

struct VideoInfo {
  VideoOp operation = VideoOp::Add;
  int width = 8; // of an element
  bool aSigned = false, bSigned = false, dSigned = false;
  bool saturate = false, accumulate = false;
};

int extend(uint32_t word, int element, int width, bool isSigned) {
  uint32_t bits = word >> (element * width) << (32 - width);
  return isSigned ? static_cast<int32_t>(bits) >> (32 - width)
                  : static_cast<int>(bits >> (32 - width));
}

int compute(VideoOp operation, int a, int b) {
  switch (operation) {
  case VideoOp::Add:
    return a + b;
  case VideoOp::Sub:
    return a - b;
  case VideoOp::Average: // halves are rounded away from zero
    return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
  case VideoOp::Difference:
    return std::abs(a - b);
  case VideoOp::Min:
    return std::min(a, b);
  case VideoOp::Max:
    return std::max(a, b);
  }
  return 0;
}

uint32_t evaluate(const VideoInfo &info, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t mask = (1u << info.width) - 1;
  int low = info.dSigned ? -(1 << (info.width - 1)) : 0;
  int high =
      info.dSigned ? (1 << (info.width - 1)) - 1 : static_cast<int>(mask);
  uint32_t sum = c, packed = 0;
  for (int element = 0; element < 32 / info.width; ++element) {
    int value =
        compute(info.operation, extend(a, element, info.width, info.aSigned),
                extend(b, element, info.width, info.bSigned));
    if (info.saturate)
      value = std::clamp(value, low, high);
    sum += static_cast<uint32_t>(value);
    packed |= (static_cast<uint32_t>(value) & mask) << (element * info.width);
  }
  return info.accumulate ? sum : packed;
}

Step video(Warp &warp, const Instruction &i, uint32_t mask) {
  const auto &info = i.data<VideoInfo>();
  const uint32_t *a = warp.ptr<uint32_t>(i.ref[1]);
  const uint32_t *b = warp.ptr<uint32_t>(i.ref[2]);
  const uint32_t *c = warp.ptr<uint32_t>(i.ref[3]);
  uint32_t *d = warp.ptr<uint32_t>(i.ref[0]);
  forLanes(mask, [&](uint32_t lane) {
    d[lane] = evaluate(info, a[lane], b[lane], c[lane]);
  });
  return Step::Next;
}

bool takeSign(Decoder &d, bool &isSigned) {
  Type type = d.takeType();
  isSigned = type == Type::S32;
  return type == Type::S32 || type == Type::U32;
}

bool decodeVideo(Decoder &d) {
  static constexpr std::string_view names[] = {"vadd",     "vsub", "vavrg",
                                               "vabsdiff", "vmin", "vmax"};
  auto *info = d.makeData<VideoInfo>();
  std::string_view opcode = d.syntax().parts[0];
  info->width = opcode.back() == '2' ? 16 : 8;
  opcode.remove_suffix(1);
  info->operation = static_cast<VideoOp>(
      std::find(std::begin(names), std::end(names), opcode) -
      std::begin(names));
  if (!takeSign(d, info->dSigned) || !takeSign(d, info->aSigned) ||
      !takeSign(d, info->bSigned))
    return false;
  info->saturate = d.take("sat");
  info->accumulate = d.take("add");
  if (info->saturate && info->accumulate)
    return d.fail(".sat and .add exclude each other");
  if (!d.expectOperands(4, 4))
    return false;
  for (size_t operand = 1; operand < 4; ++operand)
    d.out.ref[operand] = d.source(operand, Type::B32);
  d.out.ref[0] = d.destination(0, Type::B32);
  return d.emit(video, InstructionClass::Integer);
}

} // namespace

void registerVideo(OpcodeTable &table) {
  for (const char *opcode :
       {"vadd2", "vadd4", "vsub2", "vsub4", "vavrg2", "vavrg4", "vabsdiff2",
        "vabsdiff4", "vmin2", "vmin4", "vmax2", "vmax4"})
    table[opcode] = decodeVideo;
}

} // namespace tilec::emu
