//===- Description.cpp - Which device, which driver ----------------------===//
//
// What a measurement or a recorded answer needs to be told beside its value.
//
//===----------------------------------------------------------------------===//

#include "tile/CudaDriver/Device.h"

using namespace tilec::cuda;

std::string DeviceDescription::cudaVersionText() const {
  return std::to_string(cudaVersion / 1000) + "." +
         std::to_string(cudaVersion % 1000 / 10);
}

std::string DeviceDescription::toText() const {
  return name + ", compute capability " + std::to_string(major) + "." +
         std::to_string(minor) + ", " + std::to_string(multiprocessors) +
         " multiprocessors, " + std::to_string(memoryBytes >> 20) +
         " MiB, peak clocks " + std::to_string(clockKilohertz / 1000) +
         " MHz and " + std::to_string(memoryClockKilohertz / 1000) +
         " MHz (memory); driver " + (driver.empty() ? "unknown" : driver) +
         ", CUDA " + cudaVersionText();
}

static std::string quote(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + "\"";
}

std::string DeviceDescription::toJson() const {
  return "{\"device\": " + quote(name) + ", \"compute_capability\": \"" +
         std::to_string(major) + "." + std::to_string(minor) +
         "\", \"driver\": " + quote(driver) + ", \"cuda\": \"" +
         cudaVersionText() +
         "\", \"multiprocessors\": " + std::to_string(multiprocessors) +
         ", \"clock_mhz\": " + std::to_string(clockKilohertz / 1000) +
         ", \"memory_clock_mhz\": " +
         std::to_string(memoryClockKilohertz / 1000) +
         ", \"memory_bytes\": " + std::to_string(memoryBytes) + "}";
}
