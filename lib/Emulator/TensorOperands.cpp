//===- TensorOperands.cpp - What matrix instructions share ----------------===//
//
// See TensorOperands.h.
//
//===----------------------------------------------------------------------===//

#include "TensorOperands.h"
#include "Interpreter.h"
#include "Report.h"

#include <charconv>

namespace tilec::emu {

bool gatherWarp(Warp &warp, const Instruction &instruction, uint32_t mask,
                Step &step) {
  if (mask == fullMask)
    return true;
  if (!areConverged(warp, fullMask)) {
    step = warp.waitFor(Wait::Converge, 0, 0, warp.live);
    return false;
  }
  if (warp.launch->options.checks.barriers) {
    uint32_t lane = mask ? static_cast<uint32_t>(__builtin_ctz(mask)) : 0;
    reportAt(warp, instruction, lane, ReportKind::Barrier,
             "only " + std::to_string(__builtin_popcount(mask)) +
                 " of the 32 lanes execute this instruction",
             "it needs the whole warp (.aligned)");
  }
  step = Step::Next;
  return false;
}

static bool parseNumber(std::string_view &text, char letter, int &value) {
  if (text.empty() || text.front() != letter)
    return false;
  auto [end, error] =
      std::from_chars(text.data() + 1, text.data() + text.size(), value);
  if (error != std::errc())
    return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

bool parseShape(std::string_view text, int &m, int &n, int &k) {
  return parseNumber(text, 'm', m) && parseNumber(text, 'n', n) &&
         parseNumber(text, 'k', k) && text.empty();
}

bool parseElement(std::string_view text, ElementType &type) {
  for (int i = 0; i <= static_cast<int>(ElementType::B1); ++i)
    if (text == nameOf(static_cast<ElementType>(i))) {
      type = static_cast<ElementType>(i);
      return true;
    }
  return false;
}

bool takeElement(Decoder &d, ElementType &type) {
  std::string_view name = d.peekModifier();
  if (!parseElement(name, type))
    return d.fail(name.empty() ? "a type is missing"
                               : "unknown type '." + std::string(name) + "'");
  return d.takeNext(name);
}

bool bindRegisters(Decoder &d, const Operand &operand, int count, bool wide,
                   bool isDestination) {
  bool isVector = operand.kind == Operand::Kind::Vector;
  size_t given = isVector ? operand.elements.size() : 1;
  if (given != static_cast<size_t>(count))
    return d.fail("expected " + std::to_string(count) +
                  " registers, but there are " + std::to_string(given));
  Type type = wide ? Type::B64 : Type::B32;
  for (size_t i = 0; i < given; ++i) {
    const Operand &element = isVector ? operand.elements[i] : operand;
    // A literal 0f.. or 0d.. is a float of the register's width.
    Type literal = wide ? Type::F64 : Type::F32;
    bool isFloat = element.kind == Operand::Kind::Float32 ||
                   element.kind == Operand::Kind::Float64;
    d.listOperand(isDestination ? d.destination(element, type)
                                : d.source(element, isFloat ? literal : type));
  }
  return true;
}

} // namespace tilec::emu
