//===- NoDriver.cpp - A libcuda.so.1 that is no driver -------------------===//
//
// It loads, but has one of the driver's functions only: for the message that
// names the missing one.
//
//===----------------------------------------------------------------------===//

extern "C" __attribute__((visibility("default"))) int cuInit(unsigned) {
  return 0;
}
