//===- Print.cpp - vprintf ------------------------------------------------===//
//
// Device printf: a format string and a buffer of arguments in local memory,
// each at its natural alignment (integers promoted to int, floats to double).
//
//===----------------------------------------------------------------------===//

#include "../Machine/Interpreter.h"
#include "../Memory/Access.h"

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

void printFormatted(Warp &warp, const CallInfo &info, uint32_t lane) {
  const uint8_t *stack = warp.local.bytes.data() +
                         uint64_t(lane) * warp.local.stride +
                         warp.frame().localBase;
  uint64_t formatAddress, valuesAddress;
  std::memcpy(&formatAddress, stack + info.formatOffset, 8);
  std::memcpy(&valuesAddress, stack + info.valuesOffset, 8);
  std::string format = readString(warp, lane, formatAddress);
  uint64_t available = 0, position = 0;
  const uint8_t *values = peek(warp, lane, valuesAddress, available);
  auto next = [&](unsigned bytes) {
    position = (position + bytes - 1) / bytes * bytes;
    uint64_t value = 0;
    if (values && position + bytes <= available)
      std::memcpy(&value, values + position, bytes);
    position += bytes;
    return value;
  };
  std::string &out = warp.cluster->output;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      out += '%';
      ++i;
      continue;
    }
    size_t end = i + 1;
    std::string spec = "%";
    unsigned longs = 0;
    while (end < format.size() &&
           !std::strchr("diouxXeEfFgGaAcsp", format[end])) {
      char c = format[end++];
      if (c == 'l')
        ++longs;
      else if (c == '*')
        spec += std::to_string(static_cast<int32_t>(next(4)));
      else if (c != 'h' && c != 'z' && c != 'j' && c != 't')
        spec += c;
      else if (c == 'z' || c == 'j' || c == 't')
        longs = 2;
    }
    if (end >= format.size() || spec.size() > 32)
      break;
    char conversion = format[end];
    char buffer[512] = "";
    if (std::strchr("eEfFgGaA", conversion)) {
      uint64_t bits = next(8);
      double value;
      std::memcpy(&value, &bits, 8);
      std::snprintf(buffer, sizeof buffer, (spec + conversion).c_str(), value);
      out += buffer;
    } else if (conversion == 's') {
      out += readString(warp, lane, next(8));
    } else if (conversion == 'p') {
      std::snprintf(buffer, sizeof buffer, "0x%llx",
                    static_cast<unsigned long long>(next(8)));
      out += buffer;
    } else if (conversion == 'c') {
      out += static_cast<char>(next(4));
    } else {
      uint64_t bits = next(longs ? 8 : 4);
      long long value = static_cast<long long>(bits);
      if (!longs && (conversion == 'd' || conversion == 'i'))
        value = static_cast<int32_t>(bits);
      std::snprintf(buffer, sizeof buffer, (spec + "ll" + conversion).c_str(),
                    value);
      out += buffer;
    }
    i = end;
  }
}

} // namespace tilec::emu
