//===- Views.cpp - What host code makes of memrefs ------------------------===//

#include "tile/Contract/Views.h"

#include "Call.h"

using namespace tilec;
using namespace tilec::rt;

static void check(TileRtCall *call, const char *place, std::string message) {
  if (!message.empty())
    call->fail(place, {TILE_RT_INVALID_ARGUMENT, std::move(message)});
}

void tileRtAssume(TileRtCall *call, const char *place, int64_t number,
                  int64_t divisor) {
  check(call, place, checkAssumption(number, divisor));
}

void tileRtAssumeMemRef(TileRtCall *call, const TileRtAssumption *assumption,
                        const int64_t *words) {
  const TileRtMemRef &type = *assumption->type;
  MemRefView view = readMemRef(type.rank, type.elementBits, words);
  check(call, assumption->place,
        checkAssumption(
            MemRefAssumption{getEntries(assumption->sizeDivisors, type.rank),
                             getEntries(assumption->strideDivisors, type.rank),
                             assumption->alignment},
            view));
}

void tileRtCheckView(TileRtCall *call, const char *place, int64_t rank,
                     const int64_t *words) {
  for (int64_t dim = 0; dim < rank; ++dim, words += 4)
    check(call, place,
          checkSubview(static_cast<size_t>(dim), words[0], words[1], words[2],
                       words[3]));
}

void tileRtCheckDim(TileRtCall *call, const char *place, int64_t dim,
                    int64_t rank) {
  check(call, place, checkDim(dim, rank));
}

void tileRtCheckStep(TileRtCall *call, const char *place, int64_t step) {
  check(call, place, checkStep(step));
}

void tileRtCheckCast(TileRtCall *call, const char *place,
                     const TileRtMemRef *type, const int64_t *words) {
  MemRefView view = readMemRef(type->rank, type->elementBits, words);
  check(call, place, checkType(getShape(*type), view));
}
