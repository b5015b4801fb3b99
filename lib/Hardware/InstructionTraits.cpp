//===- InstructionTraits.cpp - Which chips have an instruction -----------===//

#include "tile/Hardware/InstructionTraits.h"

using namespace tilec;

bool Availability::isAvailable(const GpuTarget &target, int ptxVersion) const {
  if (ptxVersion == 0)
    ptxVersion = target.defaultPtxVersion;
  if (ptxVersion < firstPtxVersion)
    return false;
  if (isArchitectureSpecific)
    return target.isArchitectureSpecific &&
           target.computeCapability == firstCapability;
  return target.computeCapability >= firstCapability;
}
