//===- Launches.cpp - What host functions start, in C ---------------------===//
//
// The handles are the data themselves, seen from C as opaque structs.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "mlir/CAPI/Support.h"

using namespace mlir::tile;

static const TileLaunch *wrap(const LaunchData &launch) {
  return reinterpret_cast<const TileLaunch *>(&launch);
}

static const LaunchData &unwrap(const TileLaunch *launch) {
  return *reinterpret_cast<const LaunchData *>(launch);
}

static const TileExpression *wrap(const HostExpression &expression) {
  return reinterpret_cast<const TileExpression *>(&expression);
}

static const HostExpression &unwrap(const TileExpression *expression) {
  return *reinterpret_cast<const HostExpression *>(expression);
}

intptr_t tileProgramGetNumLaunches(const TileProgram *program) {
  return static_cast<intptr_t>(program->program.launches.size());
}

const TileLaunch *tileProgramGetLaunch(const TileProgram *program,
                                       intptr_t launch) {
  return wrap(program->program.launches[launch]);
}

MlirStringRef tileLaunchGetFunction(const TileLaunch *launch) {
  return ::wrap(llvm::StringRef(unwrap(launch).function));
}

MlirStringRef tileLaunchGetKernel(const TileLaunch *launch) {
  return ::wrap(llvm::StringRef(unwrap(launch).kernel));
}

const TileExpression *tileLaunchGetGrid(const TileLaunch *launch,
                                        intptr_t dim) {
  return wrap(unwrap(launch).grid[dim]);
}

int64_t tileLaunchGetBlockThreads(const TileLaunch *launch) {
  return unwrap(launch).blockThreads;
}

const TileExpression *tileLaunchGetSharedBytes(const TileLaunch *launch) {
  return wrap(unwrap(launch).sharedBytes);
}

intptr_t tileLaunchGetNumConditions(const TileLaunch *launch) {
  return static_cast<intptr_t>(unwrap(launch).conditions.size());
}

const TileExpression *tileLaunchGetCondition(const TileLaunch *launch,
                                             intptr_t condition) {
  return wrap(unwrap(launch).conditions[condition]);
}

bool tileLaunchIsRepeated(const TileLaunch *launch) {
  return unwrap(launch).isRepeated;
}

intptr_t tileLaunchGetNumOperands(const TileLaunch *launch) {
  return static_cast<intptr_t>(unwrap(launch).operands.size());
}

int64_t tileLaunchGetOperandArgument(const TileLaunch *launch,
                                     intptr_t operand) {
  return unwrap(launch).operands[operand].argument.value_or(-1);
}

const TileExpression *tileLaunchGetOperandValue(const TileLaunch *launch,
                                                intptr_t operand) {
  const LaunchData::Operand &found = unwrap(launch).operands[operand];
  return found.value ? wrap(*found.value) : nullptr;
}

bool tileLaunchIsOperandTensorMap(const TileLaunch *launch, intptr_t operand) {
  return unwrap(launch).operands[operand].isTensorMap;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

bool tileExpressionEvaluate(const TileExpression *expression,
                            TileArgumentCallback argument, void *userData,
                            int64_t *result) {
  std::optional<int64_t> value =
      unwrap(expression).evaluate([&](int64_t number, int64_t dim) {
        return argument(number, dim, userData);
      });
  if (value)
    *result = *value;
  return value.has_value();
}

void tileExpressionPrint(const TileExpression *expression,
                         MlirStringCallback print, void *userData) {
  std::string text = unwrap(expression).toString();
  print(::wrap(llvm::StringRef(text)), userData);
}
