//===- CopyInstructions.cpp - The table of instructions that move data ---===//
//
// The families that each thread issues stand here; MatrixCopies.cpp and
// BulkCopies.cpp append the others.
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::detail;

/// A load, a store or both, by each thread for its own elements.
static CopyInstruction makeThreadCopy(std::string name, MemorySpace source,
                                      MemorySpace dest) {
  CopyInstruction copy;
  copy.name = std::move(name);
  copy.source = source;
  copy.dest = dest;
  copy.accessBytes = {1, 2, 4, 8, maxAccessBytes};
  copy.converts = true;
  copy.padding = Padding::Any;
  return copy;
}

/// Elements outside are zeros because fewer bytes are read than written.
static CopyInstruction makeAsyncCopy() {
  CopyInstruction copy;
  copy.name = "cp.async";
  copy.source = MemorySpace::Global;
  copy.dest = MemorySpace::Shared;
  copy.accessBytes = {4, 8, maxAccessBytes};
  copy.padding = Padding::Zero;
  copy.completion = Completion::Group;
  copy.firstCapability = 80;
  copy.firstPtxVersion = 70;
  return copy;
}

/// `copy` as the threads of a producer make it: its end is an arrival of each
/// thread at an mbarrier.
static CopyInstruction withArrival(CopyInstruction copy) {
  copy.name += ".mbarrier";
  copy.completion = Completion::Mbarrier;
  copy.firstCapability = 80;
  copy.firstPtxVersion = 70;
  return copy;
}

const std::vector<CopyInstruction> &tilec::getCopyInstructions() {
  static const std::vector<CopyInstruction> table = [] {
    constexpr auto memory = MemorySpace::GlobalOrShared;
    constexpr auto registers = MemorySpace::Registers;
    std::vector<CopyInstruction> rows = {
        makeThreadCopy("ld", memory, registers),
        makeThreadCopy("st", registers, memory),
        makeThreadCopy("ld.st", memory, memory),
        makeAsyncCopy(),
        withArrival(
            makeThreadCopy("ld.st", MemorySpace::Global, MemorySpace::Shared)),
        withArrival(makeAsyncCopy()),
    };
    addMatrixCopies(rows);
    addBulkCopies(rows);
    return rows;
  }();
  return table;
}

bool CopyInstruction::moves(int64_t bytes) const {
  if (takesMultiples)
    return bytes > 0 && bytes % accessBytes.front() == 0;
  return std::ranges::find(accessBytes, bytes) != accessBytes.end();
}

std::vector<const CopyInstruction *>
tilec::findCopyInstructions(const GpuTarget &target, MemorySpace source,
                            MemorySpace dest, int ptxVersion) {
  std::vector<const CopyInstruction *> found;
  for (const CopyInstruction &row : getCopyInstructions())
    if (includes(row.source, source) && includes(row.dest, dest) &&
        row.isAvailable(target, ptxVersion))
      found.push_back(&row);
  return found;
}

const CopyInstruction *tilec::findCopyInstruction(std::string_view name) {
  for (const CopyInstruction &row : getCopyInstructions())
    if (row.name == name)
      return &row;
  return nullptr;
}
