#include "Decoder.h"
#include "Families.h"
#include "Interpreter.h"
#include "Mbarrier.h"
#include "Waiting.h"
namespace tilec::emu {
void registerMbarrier(OpcodeTable &) {}
void registerBulkCopy(OpcodeTable &) {}
void registerCluster(OpcodeTable &) {}
bool decodeClusterBarrier(Decoder &) { return false; }
bool decodeRedAsync(Decoder &) { return false; }
bool decodeBulk(Decoder &) { return false; }
MbarrierState *findMbarrier(Block &, uint32_t) { return nullptr; }
bool deliverOne(Cluster &) { return false; }
MbarrierState *requireMbarrier(Warp &, const Instruction &, uint32_t, Block *, uint32_t, uint64_t) { return nullptr; }
void arriveAsynchronously(Warp &, const Instruction &, Block &, uint32_t, uint32_t) {}
}
