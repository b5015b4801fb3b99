//===- AccessCost.h - What accesses and exchanges take ----------*- C++ -*-===//

#ifndef TILE_LIB_LAYOUTSEARCH_ACCESSCOST_H
#define TILE_LIB_LAYOUTSEARCH_ACCESSCOST_H

#include "tile/Hardware/ExchangeCost.h"
#include "tile/LayoutSearch/LayoutProblem.h"

namespace tilec::detail {

/// One execution of an access of the elements of a fragment of `layout`.
/// `buffer` is the layout of the buffer in shared memory; null of global
/// memory.
LayoutCost countAccess(const FragmentLayout &layout, const MemoryAccess &access,
                       const SharedLayout *buffer);

/// One exchange as the compiler carries it out: by register names, by choosing
/// registers at run time where those differ between threads, else by shuffles or
/// through a buffer, as `getExchangeCost` decides.
LayoutCost countExchange(const GpuTarget &target,
                         const ExchangedFragment &fragment);

/// One reduction or scan of elements of `bits` that have `layout`.
LayoutCost countCombination(const FragmentLayout &layout,
                            const Combination &combination, int64_t bits);

} // namespace tilec::detail

#endif // TILE_LIB_LAYOUTSEARCH_ACCESSCOST_H
