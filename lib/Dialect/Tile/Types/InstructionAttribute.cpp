//===- InstructionAttribute.cpp - Rows of Hardware by name ----------------===//

#include "tile/Dialect/Tile/TileDialect.h"
#include "tile/Hardware/CopyInstruction.h"
#include "tile/Hardware/MatrixInstruction.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::tile;

static std::string_view toView(StringRef text) {
  return {text.data(), text.size()};
}

InstructionAttr InstructionAttr::get(MLIRContext *context,
                                     const tilec::MatrixInstruction &row) {
  return get(context, StringRef(row.name));
}

InstructionAttr InstructionAttr::get(MLIRContext *context,
                                     const tilec::CopyInstruction &row) {
  return get(context, StringRef(row.name));
}

const tilec::MatrixInstruction *InstructionAttr::getMatrix() const {
  return tilec::findMatrixInstruction(toView(getName()));
}

const tilec::CopyInstruction *InstructionAttr::getCopy() const {
  return tilec::findCopyInstruction(toView(getName()));
}

LogicalResult
OperandLoadAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        InstructionAttr instruction, int64_t width) {
  const tilec::CopyInstruction *row = instruction.getCopy();
  if (!row || !includes(row->source, tilec::MemorySpace::Shared) ||
      row->dest != tilec::MemorySpace::Registers)
    return emitError() << instruction
                       << " does not load from shared memory to registers";
  if (width < 1)
    return emitError() << "the width of a load must be positive, got " << width;
  return success();
}

bool InstructionAttr::isAsynchronous() const {
  if (const tilec::MatrixInstruction *row = getMatrix())
    return row->completion != tilec::Completion::Immediate;
  return getCopy()->getBlockCompletion() != tilec::Completion::Immediate;
}

/// "'ld.st' and 'cp.async'": what a copy of each thread's elements may name.
static std::string listThreadCopies() {
  std::string names;
  for (const tilec::CopyInstruction &row : tilec::getCopyInstructions())
    if (row.issuer == tilec::Issuer::Thread &&
        row.source != tilec::MemorySpace::Registers &&
        row.dest != tilec::MemorySpace::Registers)
      names += (names.empty() ? "'" : " and '") + row.name + "'";
  return names;
}

LogicalResult
InstructionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        StringRef name) {
  if (tilec::findMatrixInstruction(toView(name)) ||
      tilec::findCopyInstruction(toView(name)))
    return success();
  return emitError() << "no instruction is named '" << name
                     << "'; a matrix instruction has its full PTX name, as in "
                        "'"
                     << tilec::getMatrixInstructions().front()->name
                     << "', copies are " << listThreadCopies();
}
