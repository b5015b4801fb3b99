//===- Access.cpp - From addresses to checked host pointers ---------------===//
//
// See Access.h. Each state space has a function that resolves all lanes; a
// generic access is divided by window first.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "../Checkers/BlockEnd.h"
#include "../Checkers/Report.h"
#include "../Definedness/Definedness.h"
#include "../Instructions/Handlers.h"

#include <algorithm>

namespace tilec::emu {

static const char *verb(AccessMode mode) {
  return mode == AccessMode::Read    ? "read"
         : mode == AccessMode::Write ? "write"
                                     : "atomic access";
}

ShadowAccess shadowAccessOf(Warp &warp, const Instruction &instruction,
                            uint32_t lane, const AccessRequest &request) {
  ShadowAccess by;
  by.clock = request.flags & shadowAsync ? request.row : warp.order.clock;
  by.instruction =
      static_cast<uint32_t>(&instruction - warp.launch->program->code.data());
  by.cluster = warp.cluster->linear;
  by.stamp = static_cast<uint32_t>(warp.executed);
  by.warp = static_cast<uint16_t>(warp.indexInCluster);
  by.lane = static_cast<uint8_t>(request.collective ? collectiveLanes : lane);
  by.flags = request.flags | shadowValid;
  return by;
}

void gatherAddresses(Warp &warp, const Instruction &instruction, Ref base,
                     bool wide, uint64_t *addresses) {
  uint64_t offset = static_cast<uint64_t>(instruction.immediate);
  if (wide) {
    const uint64_t *a = warp.ptr<uint64_t>(base);
    for (uint32_t lane = 0; lane < 32; ++lane)
      addresses[lane] = a[lane] + offset;
  } else {
    const uint32_t *a = warp.ptr<uint32_t>(base);
    for (uint32_t lane = 0; lane < 32; ++lane)
      addresses[lane] = static_cast<uint32_t>(a[lane] + offset);
  }
}

Allocation *findAllocation(Warp &warp, uint64_t address) {
  if (Allocation *found = warp.launch->memory->find(address))
    return found;
  for (const auto &allocation : warp.launch->module->allocations)
    if (address - allocation->address < allocation->sizeBytes)
      return allocation.get();
  return nullptr;
}

std::string describeGlobal(Warp &warp, uint64_t address) {
  for (const auto &allocation : warp.launch->module->allocations)
    if (address - allocation->address < allocation->sizeBytes + 64)
      return hex(address) + " is byte " +
             std::to_string(address - allocation->address) + " of variable '" +
             allocation->name + "' of " +
             std::to_string(allocation->sizeBytes) + " bytes";
  if (address < 4096)
    return hex(address) + " is a null pointer plus " + std::to_string(address);
  return warp.launch->memory->describe(address);
}

Block *blockOfShared(Warp &warp, uint64_t address, uint32_t &offset) {
  uint32_t low = static_cast<uint32_t>(address);
  uint32_t rank = low >> sharedRankShift;
  offset = low & ((1u << sharedRankShift) - 1);
  if (rank == 0)
    return warp.block;
  if (rank - 1 >= warp.cluster->blocks.size())
    return nullptr;
  return warp.cluster->blocks[rank - 1].get();
}

uint64_t syncKey(Warp &warp, uint64_t address, bool isShared) {
  if (!isShared)
    return address;
  uint32_t offset = 0;
  Block *block = blockOfShared(warp, address, offset);
  return uint64_t(block ? block->rank + 1 : 0) << 32 | offset;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static void reportBounds(Warp &warp, const Instruction &instruction,
                         uint32_t lane, const AccessRequest &request,
                         std::string where) {
  if (!warp.launch->options.checks.bounds)
    return;
  reportAt(warp, instruction, lane, ReportKind::OutOfBounds,
           std::string(verb(request.mode)) + " of " +
               std::to_string(request.bytes) + " bytes: " + std::move(where),
           /*missing=*/"", /*isNote=*/false, request.addresses[lane]);
}

static uint32_t checkAlignment(Warp &warp, const Instruction &instruction,
                               uint32_t mask, const AccessRequest &request) {
  uint64_t low = (request.align ? request.align : request.bytes) - 1;
  uint64_t any = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    any |= mask >> lane & 1 ? request.addresses[lane] & low : 0;
  if (!any)
    return mask;
  uint32_t bad = 0;
  forLanes(mask, [&](uint32_t lane) {
    if (request.addresses[lane] & low)
      bad |= 1u << lane;
  });
  if (warp.launch->options.checks.alignment) {
    uint32_t lane = static_cast<uint32_t>(__builtin_ctz(bad));
    reportAt(warp, instruction, lane, ReportKind::Misaligned,
             "address " + hex(request.addresses[lane]) +
                 " is not a multiple of " + std::to_string(low + 1),
             /*missing=*/"", /*isNote=*/false, request.addresses[lane]);
  }
  return mask & ~bad;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The mbarrier whose object an access by another instruction hits.
static const MbarrierState *findHitMbarrier(const Block &block, uint32_t offset,
                                            uint32_t bytes, uint32_t &where) {
  if (offset >= block.mbarriers.high || offset + bytes <= block.mbarriers.low)
    return nullptr;
  for (where = offset & ~7u; where < offset + bytes; where += 8)
    if (auto found = block.mbarriers.states.find(where);
        found != block.mbarriers.states.end())
      return &found->second;
  return nullptr;
}

/// Bounds, initialisation and races of one lane's shared bytes.
static uint8_t *resolveShared(Warp &warp, const Instruction &instruction,
                              uint32_t lane, uint64_t address,
                              const AccessRequest &request, bool *collision) {
  uint32_t offset;
  Block *block = blockOfShared(warp, address, offset);
  if (!block || uint64_t(offset) + request.bytes > block->sharedBytes) {
    reportBounds(warp, instruction, lane, request,
                 "shared address " + hex(address & 0xffffffff) +
                     (block ? " is beyond the " +
                                  std::to_string(block->sharedBytes) +
                                  " bytes of the block"
                            : " names no block of the cluster"));
    return nullptr;
  }
  const CheckOptions &checks = warp.launch->options.checks;
  bool writes = request.mode != AccessMode::Read;
  if (checks.barriers && !request.ofMbarrier) {
    uint32_t where = 0;
    if (const MbarrierState *hit =
            findHitMbarrier(*block, offset, request.bytes, where))
      reportPair(warp, warp,
                 {ReportKind::Barrier, &instruction, hit->initializer, lane,
                  hit->initializerLane},
                 std::string("a ") + verb(request.mode) +
                     " of the bytes of the mbarrier at shared byte " +
                     std::to_string(where) + ", which is alive",
                 "by " + spellInstruction(instruction),
                 "initialised by " + spellInstruction(*hit->initializer),
                 "only mbarrier instructions may touch it until mbarrier.inval "
                 "has ended its life");
  }
  if (checks.init) {
    bool isUndefined = false;
    if (request.mode != AccessMode::Write && request.checkInit &&
        !block->shadow.isInitialized(offset, request.bytes)) {
      UndefinedRead read{StateSpace::Shared, offset, request.bytes, 0};
      for (uint32_t byte = 0; byte < request.bytes; ++byte)
        read.undefinedBytes += !block->shadow.isInitialized(offset + byte, 1);
      isUndefined = readUndefined(warp, instruction, lane, read,
                                  request.flags & shadowAsync);
      if (!isUndefined)
        block->shadow.setInitialized(offset, request.bytes);
    }
    // What an atomic leaves of undefined bytes is seen behind it.
    if (writes && request.markInit && !isUndefined)
      block->shadow.setInitialized(offset, request.bytes);
  }
  if (block != warp.block && checks.races && !(request.flags & shadowAsync))
    noteRemoteAccess(warp, instruction, lane, *block);
  if (checks.races && request.checkRace) {
    bool hit = block->shadow.access(
        warp, static_cast<int>(block->rank), offset, request.bytes,
        {shadowAccessOf(warp, instruction, lane, request), writes,
         request.store});
    if (collision)
      *collision = hit;
  }
  return block->shared + offset;
}

uint8_t *accessShared(Warp &warp, const Instruction &instruction, uint32_t lane,
                      uint64_t address, uint32_t bytes,
                      AccessRequest &request) {
  request.bytes = bytes;
  return resolveShared(warp, instruction, lane, address, request, nullptr);
}

/// The lanes that read, one after the other, where lane `first` does.
static uint32_t lanesOfRun(const uint64_t *addresses, uint32_t mask,
                           uint32_t first) {
  uint32_t run = 0;
  for (uint32_t lane = first;
       lane < 32 && (mask >> lane & 1) && addresses[lane] == addresses[first];
       ++lane)
    run |= 1u << lane;
  return run;
}

static void accessSharedLanes(Warp &warp, const Instruction &instruction,
                              uint32_t mask, AccessRequest &request,
                              AccessResult &result) {
  if (request.count)
    countShared(warp, request.addresses, mask, request.bytes);
  result.shared |= mask;
  const CheckOptions &checks = warp.launch->options.checks;
  bool areAlike =
      warp.order.laneOrder.empty() && !warp.order.lanesWithKnowledge;
  uint64_t previous = ~uint64_t(0);
  bool broadcast = false;
  for (uint32_t m = mask; m; m &= m - 1) {
    uint32_t lane = static_cast<uint32_t>(__builtin_ctz(m));
    uint64_t address = request.addresses[lane];
    // Lanes that read what the lane before read, and know what it knows: one
    // access by several.
    if (areAlike && request.mode == AccessMode::Read && address == previous &&
        result.pointers[lane - 1] && (mask >> (lane - 1) & 1)) {
      result.pointers[lane] = result.pointers[lane - 1];
      result.ok |= 1u << lane;
      if (!broadcast && checks.races && request.checkRace) {
        broadcast = true;
        uint32_t offset;
        Block *block = blockOfShared(warp, address, offset);
        ShadowAccess by = shadowAccessOf(warp, instruction, lane, request);
        if (!request.collective) {
          by.lane = severalLanes;
          by.stamp = lanesOfRun(request.addresses, mask, lane - 1);
        }
        block->shadow.access(warp, static_cast<int>(block->rank), offset,
                             request.bytes, {by, false});
      }
      continue;
    }
    previous = address;
    broadcast = false;
    bool collision = false;
    uint8_t *pointer =
        resolveShared(warp, instruction, lane, address, request, &collision);
    result.pointers[lane] = pointer;
    if (pointer)
      result.ok |= 1u << lane;
    if (collision)
      result.collision |= 1u << lane;
  }
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

static void accessGlobalLanes(Warp &warp, const Instruction &instruction,
                              uint32_t mask, AccessRequest &request,
                              AccessResult &result) {
  const CheckOptions &checks = warp.launch->options.checks;
  if (request.count)
    countGlobal(warp, request.addresses, mask, request.bytes);
  Allocation *allocation = warp.lastAllocation;
  bool writes = request.mode != AccessMode::Read;
  uint32_t bytes = request.bytes;
  uint32_t ok = 0;
  forLanes(mask, [&](uint32_t lane) {
    uint64_t address = request.addresses[lane];
    if (!allocation || address - allocation->address > allocation->sizeBytes ||
        !allocation->live)
      allocation = findAllocation(warp, address);
    uint64_t offset = allocation ? address - allocation->address : 0;
    if (!allocation || offset > allocation->sizeBytes ||
        allocation->sizeBytes - offset < bytes) {
      reportBounds(warp, instruction, lane, request,
                   describeGlobal(warp, address));
      return;
    }
    if (writes && allocation->readOnly) {
      reportBounds(warp, instruction, lane, request,
                   "'" + allocation->name + "' is constant memory");
      return;
    }
    result.pointers[lane] = allocation->data + offset;
    ok |= 1u << lane;
    if (!allocation->initialized.empty()) {
      uint8_t *init = &allocation->initialized[offset];
      if (request.mode != AccessMode::Write && checks.init &&
          request.checkInit) {
        uint32_t missing = 0;
        for (uint32_t b = 0; b < bytes; ++b)
          missing += init[b] == 0;
        if (missing &&
            readUndefined(warp, instruction, lane,
                          {StateSpace::Global, address, bytes, missing},
                          request.flags & shadowAsync))
          result.undefined |= 1u << lane;
      }
      // What an atomic leaves of undefined bytes is seen behind it.
      if (writes && request.markInit && !(result.undefined >> lane & 1))
        std::memset(init, 1, bytes);
    }
  });
  warp.lastAllocation = allocation;
  result.ok |= ok;
  if (!checks.races || !request.checkRace)
    return;
  GlobalShadow::Cursor cursor;
  forLanes(ok, [&](uint32_t lane) {
    ShadowAccess by = shadowAccessOf(warp, instruction, lane, request);
    if (warp.launch->globalShadow->access(cursor, warp, request.addresses[lane],
                                          bytes, {by, writes, request.store}))
      result.collision |= 1u << lane;
  });
}

//===----------------------------------------------------------------------===//
// The other spaces
//===----------------------------------------------------------------------===//

static void accessLocalLanes(Warp &warp, const Instruction &instruction,
                             uint32_t mask, const AccessRequest &request,
                             AccessResult &result) {
  forLanes(mask, [&](uint32_t lane) {
    uint64_t offset = request.addresses[lane] & 0xffffffff;
    if (offset + request.bytes > warp.local.stride) {
      reportBounds(warp, instruction, lane, request,
                   "local address " + hex(offset) + " is beyond the " +
                       std::to_string(warp.local.stride) +
                       " bytes of the thread's stack");
      return;
    }
    uint64_t at = uint64_t(lane) * warp.local.stride + offset;
    result.pointers[lane] = warp.local.bytes.data() + at;
    result.ok |= 1u << lane;
    if (warp.local.initialized.empty())
      return;
    uint8_t *init = warp.local.initialized.data() + at;
    if (request.mode != AccessMode::Write &&
        std::memchr(init, 0, request.bytes)) {
      auto missing =
          static_cast<uint32_t>(std::count(init, init + request.bytes, 0));
      if (!readUndefined(warp, instruction, lane,
                         {StateSpace::Local, offset, request.bytes, missing},
                         false))
        std::memset(init, 1, request.bytes);
    }
    if (request.mode != AccessMode::Read)
      std::memset(init, 1, request.bytes);
  });
}

static void accessParameterLanes(Warp &warp, const Instruction &instruction,
                                 uint32_t mask, const AccessRequest &request,
                                 AccessResult &result) {
  std::vector<uint8_t> &parameters = warp.launch->parameters;
  forLanes(mask, [&](uint32_t lane) {
    uint64_t offset = request.addresses[lane] & 0xffffffff;
    if (offset + request.bytes > warp.launch->kernelInfo->parameterBytes ||
        request.mode != AccessMode::Read) {
      reportBounds(
          warp, instruction, lane, request,
          request.mode == AccessMode::Read
              ? "parameter offset " + std::to_string(offset) +
                    " is beyond the " +
                    std::to_string(warp.launch->kernelInfo->parameterBytes) +
                    " bytes of the kernel's parameters"
              : "kernel parameters cannot be written");
      return;
    }
    result.pointers[lane] = parameters.data() + offset;
    result.ok |= 1u << lane;
  });
}

static void accessConstLanes(Warp &warp, const Instruction &instruction,
                             uint32_t mask, const AccessRequest &request,
                             AccessResult &result) {
  forLanes(mask, [&](uint32_t lane) {
    uint64_t address = constWindow + (request.addresses[lane] & 0xffffffff);
    for (const auto &a : warp.launch->module->allocations) {
      uint64_t offset = address - a->address;
      if (offset < a->sizeBytes && a->sizeBytes - offset >= request.bytes &&
          request.mode == AccessMode::Read) {
        result.pointers[lane] = a->data + offset;
        result.ok |= 1u << lane;
        return;
      }
    }
    reportBounds(warp, instruction, lane, request,
                 "constant address " +
                     hex(request.addresses[lane] & 0xffffffff) +
                     (request.mode == AccessMode::Read ? " is in no variable"
                                                       : " cannot be written"));
  });
}

StateSpace spaceOfGeneric(uint64_t address) {
  if (address >= globalBegin)
    return StateSpace::Global;
  switch (address & ~0xffffffffull) {
  case sharedWindow:
    return StateSpace::SharedCluster;
  case localWindow:
    return StateSpace::Local;
  case constWindow:
    return StateSpace::Const;
  case paramWindow:
    return StateSpace::Param;
  }
  return StateSpace::Global; // Reported as out of bounds there.
}

static void accessSpace(Warp &warp, const Instruction &instruction,
                        StateSpace space, uint32_t mask, AccessRequest &request,
                        AccessResult &result) {
  switch (space) {
  case StateSpace::Shared:
  case StateSpace::SharedCluster:
    return accessSharedLanes(warp, instruction, mask, request, result);
  case StateSpace::Local:
    return accessLocalLanes(warp, instruction, mask, request, result);
  case StateSpace::Const:
    return accessConstLanes(warp, instruction, mask, request, result);
  case StateSpace::Param:
    return accessParameterLanes(warp, instruction, mask, request, result);
  default:
    return accessGlobalLanes(warp, instruction, mask, request, result);
  }
}

void access(Warp &warp, const Instruction &instruction, uint32_t mask,
            AccessRequest &request, AccessResult &result) {
  if (warp.onVariant) [[unlikely]]
    return accessVariant(warp, instruction, mask, request, result);
  result.ok = result.collision = result.shared = result.undefined = 0;
  mask = checkAlignment(warp, instruction, mask, request);
  if (request.space != StateSpace::Generic) {
    accessSpace(warp, instruction, request.space, mask, request, result);
    return;
  }
  while (mask) {
    StateSpace space = spaceOfGeneric(request.addresses[__builtin_ctz(mask)]);
    uint32_t same = 0;
    forLanes(mask, [&](uint32_t lane) {
      if (spaceOfGeneric(request.addresses[lane]) == space)
        same |= 1u << lane;
    });
    accessSpace(warp, instruction, space, same, request, result);
    mask &= ~same;
  }
}

} // namespace tilec::emu
