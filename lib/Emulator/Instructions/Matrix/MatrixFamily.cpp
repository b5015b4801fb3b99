//===- MatrixFamily.cpp - What matrix instructions share ------------------===//
//
// Names of element types and shapes, lists of registers, and the rule that the
// whole warp executes together.
//
//===----------------------------------------------------------------------===//

#include "MatrixFamily.h"
#include "../../Checkers/Report.h"
#include "../../Machine/Interpreter.h"

namespace tilec::emu {

bool parseElement(std::string_view name, ElementType &type) {
  static const std::unordered_map<std::string_view, ElementType> names = {
      {"f64", ElementType::F64},   {"f32", ElementType::F32},
      {"tf32", ElementType::TF32}, {"f16", ElementType::F16},
      {"bf16", ElementType::BF16}, {"e5m2", ElementType::E5M2},
      {"e4m3", ElementType::E4M3}, {"e3m2", ElementType::E3M2},
      {"e2m3", ElementType::E2M3}, {"e2m1", ElementType::E2M1},
      {"s32", ElementType::S32},   {"s8", ElementType::S8},
      {"u8", ElementType::U8},     {"s4", ElementType::S4},
      {"u4", ElementType::U4},     {"b1", ElementType::B1},
  };
  auto found = names.find(name);
  if (found == names.end())
    return false;
  type = found->second;
  return true;
}

bool takeElement(Decoder &d, ElementType &type) {
  std::string_view next = d.peekModifier();
  if (!parseElement(next, type))
    return d.fail("expected an element type, but found '." + std::string(next) +
                  "'");
  return d.takeNext(next);
}

bool takeShape(Decoder &d, int &m, int &n, int &k) {
  // m16n8k16
  std::string_view text = d.takePrefix("m");
  size_t at = 1;
  auto number = [&] {
    int value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
      value = value * 10 + (text[at++] - '0');
    return value;
  };
  m = number();
  if (at >= text.size() || text[at] != 'n')
    return d.fail("expected a shape such as .m16n8k16");
  ++at;
  n = number();
  k = 0;
  if (at < text.size() && text[at] == 'k') {
    ++at;
    k = number();
  }
  return at == text.size() || d.fail("expected a shape such as .m16n8k16");
}

bool listRegisters(Decoder &d, const Operand &operand, size_t count, Type type,
                   bool isDestination) {
  std::vector<const Operand *> elements;
  if (operand.kind == Operand::Kind::Vector)
    for (const Operand &element : operand.elements)
      elements.push_back(&element);
  else
    elements.push_back(&operand);
  if (elements.size() != count)
    return d.fail("an operand has " + std::to_string(elements.size()) +
                  " registers, but the instruction needs " +
                  std::to_string(count));
  for (const Operand *element : elements)
    d.listOperand(isDestination ? d.destination(*element, type)
                                : d.source(*element, type));
  return true;
}

/// A copy of registers as TensorCore.h wants them.
void gather(Warp &warp, const Ref *refs, int count, LaneWords *target) {
  for (int r = 0; r < count; ++r)
    std::memcpy(target[r], warp.ptr<uint32_t>(refs[r]), sizeof(LaneWords));
}
void scatter(Warp &warp, const Ref *refs, int count, const LaneWords *source) {
  for (int r = 0; r < count; ++r)
    std::memcpy(warp.ptr<uint32_t>(refs[r]), source[r], sizeof(LaneWords));
}
void gatherWide(Warp &warp, const Ref *refs, int count, LaneDoubles *target) {
  for (int r = 0; r < count; ++r)
    std::memcpy(target[r], warp.ptr<uint64_t>(refs[r]), sizeof(LaneDoubles));
}

/// All lanes must take part. False: the handler returns `step`.
bool wholeWarp(Warp &warp, const Instruction &i, uint32_t mask, Step &step) {
  if (!areConverged(warp, warp.live)) {
    step = warp.waitFor(Wait::Converge, 0, 0, warp.live);
    return false;
  }
  if (mask != fullMask && warp.launch->options.checks.barriers)
    reportAt(warp, i, static_cast<uint32_t>(__builtin_ctz(mask)),
             ReportKind::Barrier,
             "only some lanes of the warp execute a matrix instruction, which "
             "needs all 32");
  return true;
}

void registerTensor(OpcodeTable &table) {
  registerMma(table);
  registerMatrixMove(table);
  registerWmma(table);
}

} // namespace tilec::emu
