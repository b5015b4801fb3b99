#include "Decoder.h"
#include "Families.h"
#include "Interpreter.h"
#include "Waiting.h"
namespace tilec::emu {
void registerAtomic(OpcodeTable &) {}
void registerAsyncCopy(OpcodeTable &) {}
void registerMbarrier(OpcodeTable &) {}
void registerBulkCopy(OpcodeTable &) {}
void registerWgmma(OpcodeTable &) {}
void registerCluster(OpcodeTable &) {}
bool decodeClusterBarrier(Decoder &) { return false; }
MbarrierState *findMbarrier(Block &, uint32_t) { return nullptr; }
bool deliverOne(Cluster &) { return false; }
}
