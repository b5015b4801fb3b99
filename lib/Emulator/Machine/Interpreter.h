//===- Interpreter.h - Running warps and blocks -----------------*- C++ -*-===//
//
// What handlers of control and synchronisation need from the interpreter, and
// the interpreter's entry: running one cluster of blocks to its end.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_EMULATOR_MACHINE_INTERPRETER_H
#define TILE_LIB_EMULATOR_MACHINE_INTERPRETER_H

#include "Machine.h"

namespace tilec::emu {

/// A frame of `function` for the lanes of `mask`, whose variables begin at
/// `localBase` of each stack.
Frame &pushFrame(Warp &warp, const ProgramFunction &function,
                 uint32_t localBase, uint32_t mask);
/// Ends lanes for good.
void retireLanes(Warp &warp, uint32_t mask);
/// Pushes a frame for the lanes of `mask`; the caller's split goes on behind
/// the call when they have returned.
void enterFunction(Warp &warp, const CallInfo &info, const Instruction &call,
                   uint32_t mask);
/// Pops the frame if all its lanes have returned.
void leaveIfDone(Warp &warp);
/// vprintf for one lane.
void printFormatted(Warp &warp, const CallInfo &info, uint32_t lane);

/// Lets the running split wait until all of `required` (of the live lanes) are
/// at this instruction. True if they are already: then the handler goes on.
inline bool areConverged(Warp &warp, uint32_t required) {
  return (warp.active & required) == (required & warp.live);
}

/// Shared bytes of a block: static ones, then the dynamic ones.
uint32_t sharedBytesOf(const ModuleImpl &module, const ProgramFunction &kernel,
                       uint32_t dynamicBytes);
/// Makes a cluster with its blocks and warps, ready to run.
std::unique_ptr<Cluster> makeCluster(Launch &launch, uint32_t linear);
enum class ClusterState { Finished, Blocked, Running };
/// Runs for a while.
ClusterState runCluster(Cluster &cluster, uint64_t budget);
/// Reports that nothing can go on.
void reportDeadlock(Cluster &cluster);
void reportHang(Cluster &cluster);
/// What setmaxnreg has to give: `perThread` registers at launch, 0 if that is
/// not known.
void fillRegisterPool(Block &block, uint32_t perThread, uint32_t warps);
std::string describeRegisters(const Block &block);
inline constexpr uint32_t registersPerMultiprocessor = 65536;
/// Reports that a warp executed more instructions than the launch allows.
void reportLimit(Warp &warp);

} // namespace tilec::emu

#endif // TILE_LIB_EMULATOR_MACHINE_INTERPRETER_H
