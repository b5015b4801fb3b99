//===- Print.cpp - vprintf ------------------------------------------------===//
//
// Device printf: a format string and a buffer of arguments in local memory,
// each at its natural alignment (integers promoted to int, floats to double).
//
//===----------------------------------------------------------------------===//

#include "../Machine/Interpreter.h"
#include "../Memory/Access.h"

#include <cmath>
#include <cstdio>

namespace tilec::emu {

/// Host pointer of a generic address, without checks; null if there is none.
static const uint8_t *peek(Warp &warp, uint32_t lane, uint64_t address,
                           uint64_t &available) {
  if (address >= globalBegin) {
    Allocation *found = findAllocation(warp, address);
    if (!found)
      return nullptr;
    available = found->sizeBytes - (address - found->address);
    return found->data + (address - found->address);
  }
  if ((address & ~0xffffffffull) == localWindow) {
    uint64_t offset = address & 0xffffffff;
    if (offset >= warp.local.stride)
      return nullptr;
    available = warp.local.stride - offset;
    return warp.local.bytes.data() + uint64_t(lane) * warp.local.stride +
           offset;
  }
  return nullptr;
}

static std::string readString(Warp &warp, uint32_t lane, uint64_t address) {
  uint64_t available = 0;
  const uint8_t *bytes = peek(warp, lane, address, available);
  std::string text;
  for (uint64_t i = 0; bytes && i < available && bytes[i] && i < 4096; ++i)
    text += static_cast<char>(bytes[i]);
  return text;
}

namespace {

/// The buffer of arguments, each at its natural alignment.
class PrintArguments {
public:
  PrintArguments(Warp &warp, uint32_t lane, uint64_t address)
      : values(peek(warp, lane, address, available)) {}

  /// The next one; 0 behind the end.
  uint64_t next(unsigned bytes) {
    position = (position + bytes - 1) / bytes * bytes;
    uint64_t value = 0;
    if (values && position + bytes <= available)
      std::memcpy(&value, values + position, bytes);
    position += bytes;
    return value;
  }

private:
  uint64_t available = 0, position = 0;
  const uint8_t *values;
};

/// One `%..` of a format.
struct PrintConversion {
  std::string specification = "%"; ///< Without lengths and the character.
  bool isLong = false;
  char character = 0;
};

/// Reads the conversion whose flags begin at `at`, which becomes the index of
/// its character. False if it is not complete, or longer than printArgument's
/// buffer is made for.
bool parseConversion(const std::string &format, size_t &at,
                     PrintArguments &arguments, PrintConversion &conversion) {
  std::string &specification = conversion.specification;
  while (at < format.size() && !std::strchr("diouxXeEfFgGaAcsp", format[at])) {
    char c = format[at++];
    if (c == '*')
      specification += std::to_string(static_cast<int32_t>(arguments.next(4)));
    else if (c == 'l' || c == 'z' || c == 'j' || c == 't')
      conversion.isLong = true;
    else if (c != 'h')
      specification += c;
  }
  constexpr size_t longest = 32;
  if (at >= format.size() || specification.size() > longest)
    return false;
  conversion.character = format[at];
  return true;
}

std::string printArgument(Warp &warp, uint32_t lane,
                          const PrintConversion &conversion,
                          PrintArguments &arguments) {
  char character = conversion.character;
  char buffer[512] = "";
  if (character == 's')
    return readString(warp, lane, arguments.next(8));
  if (character == 'c')
    return std::string(1, static_cast<char>(arguments.next(4)));
  if (character == 'p') {
    std::snprintf(buffer, sizeof buffer, "0x%llx",
                  static_cast<unsigned long long>(arguments.next(8)));
    return buffer;
  }
  if (std::strchr("eEfFgGaA", character)) {
    uint64_t bits = arguments.next(8);
    double value;
    std::memcpy(&value, &bits, 8);
    // Which NaN it is, its sign too, is nobody's.
    if (std::isnan(value))
      value = std::copysign(value, 1.0);
    std::snprintf(buffer, sizeof buffer,
                  (conversion.specification + character).c_str(), value);
    return buffer;
  }
  uint64_t bits = arguments.next(conversion.isLong ? 8 : 4);
  long long value = static_cast<long long>(bits);
  if (!conversion.isLong && (character == 'd' || character == 'i'))
    value = static_cast<int32_t>(bits);
  std::snprintf(buffer, sizeof buffer,
                (conversion.specification + "ll" + character).c_str(), value);
  return buffer;
}

} // namespace

void printFormatted(Warp &warp, const CallInfo &info, uint32_t lane) {
  const uint8_t *stack = warp.local.bytes.data() +
                         uint64_t(lane) * warp.local.stride +
                         warp.frame().localBase;
  uint64_t formatAddress, valuesAddress;
  std::memcpy(&formatAddress, stack + info.formatOffset, 8);
  std::memcpy(&valuesAddress, stack + info.valuesOffset, 8);
  std::string format = readString(warp, lane, formatAddress);
  PrintArguments arguments(warp, lane, valuesAddress);
  std::string &out = warp.cluster->output;
  for (size_t at = 0; at < format.size(); ++at) {
    bool escaped = format.compare(at, 2, "%%") == 0;
    if (format[at] != '%' || escaped) {
      out += format[at];
      at += escaped;
      continue;
    }
    PrintConversion conversion;
    if (!parseConversion(format, ++at, arguments, conversion))
      break;
    out += printArgument(warp, lane, conversion, arguments);
  }
}

} // namespace tilec::emu
