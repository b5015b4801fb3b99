/* The emulator alone, without MLIR. */
#include "check.h"

void testEmulator(void);

int main(void) {
  testEmulator();
  return finishChecks();
}
