//===- BulkCopies.cpp - The rows of cp.async.bulk and its tensor form ----===//
//
// One thread names a run of bytes, or a box of a tensor by its coordinates and
// a tensor map; the copy engine moves it through the async proxy. Towards
// shared memory the bytes are counted down at an mbarrier; towards global
// memory the copy belongs to a bulk group of the issuing thread. The engine
// knows the tensor's bounds: it fills with zeros what a load asks for outside
// of them and leaves out what a store would write there.
//
// Source: PTX ISA 9.0, "cp.async.bulk", "cp.async.bulk.tensor",
// "cp.reduce.async.bulk.tensor" and "Tensor swizzling modes", "Im2col mode"; limits
// of boxes: CUDA driver API, cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col.
//
//===----------------------------------------------------------------------===//

#include "InstructionTables.h"

#include "tile/Hardware/BulkReductions.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::detail;

/// A copy to shared memory if `isLoad`, else to global memory; a run of bytes.
static CopyInstruction makeBulkCopy(std::string_view mnemonic, bool isLoad) {
  CopyInstruction copy;
  copy.name = std::string(mnemonic) +
              (isLoad ? ".shared::cluster.global" : ".global.shared::cta");
  copy.source = isLoad ? MemorySpace::Global : MemorySpace::Shared;
  copy.dest = isLoad ? MemorySpace::Shared : MemorySpace::Global;
  copy.accessBytes = {16};
  copy.takesMultiples = true;
  copy.alignBytes = 16;
  copy.issuer = Issuer::ElectedThread;
  copy.padding = Padding::None;
  copy.completion = isLoad ? Completion::Mbarrier : Completion::Group;
  copy.proxy = Proxy::Async;
  copy.firstCapability = 90;
  copy.firstPtxVersion = 80;
  return copy;
}

static std::string_view getCompletionName(const CopyInstruction &copy) {
  return copy.completion == Completion::Mbarrier
             ? ".mbarrier::complete_tx::bytes"
             : ".bulk_group";
}

/// A tensor copy of `rank` that is called `mnemonic`.
static CopyInstruction makeTensorCopy(std::string_view mnemonic, bool isLoad,
                                      int64_t rank) {
  CopyInstruction copy = makeBulkCopy(
      std::string(mnemonic) + "." + std::to_string(rank) + "d", isLoad);
  copy.alignBytes = 128;
  copy.padding = isLoad ? Padding::Zero : Padding::Skip;
  copy.box.emplace().rank = rank;
  return copy;
}

/// Pixels of images, in boxes of two dimensions. The engine takes up to 1024 in one
/// box; as many as along other dimensions are enough.
static CopyInstruction makeIm2ColCopy() {
  CopyInstruction copy =
      makeTensorCopy("cp.async.bulk.tensor", /*isLoad=*/true, /*rank=*/4);
  copy.name.append(".im2col").append(getCompletionName(copy));
  copy.box->rank = 2;
  copy.im2col.emplace();
  return copy;
}

static constexpr std::pair<BulkReduction, std::string_view> reductionNames[] = {
    {BulkReduction::Add, ".add"}, {BulkReduction::Min, ".min"},
    {BulkReduction::Max, ".max"}, {BulkReduction::And, ".and"},
    {BulkReduction::Or, ".or"},   {BulkReduction::Xor, ".xor"}};

std::optional<BulkReduction> tilec::getReduction(const CopyInstruction &row) {
  if (!row.name.starts_with("cp.reduce."))
    return std::nullopt;
  for (auto [reduction, name] : reductionNames)
    if (row.name.find("::cta" + std::string(name) + ".") != std::string::npos)
      return reduction;
  return std::nullopt;
}

void tilec::detail::addBulkCopies(std::vector<CopyInstruction> &table) {
  for (bool isLoad : {true, false}) {
    CopyInstruction copy = makeBulkCopy("cp.async.bulk", isLoad);
    copy.name += getCompletionName(copy);
    table.push_back(std::move(copy));
  }
  for (bool isLoad : {true, false})
    for (int64_t rank = 1; rank <= 5; ++rank) {
      CopyInstruction copy =
          makeTensorCopy("cp.async.bulk.tensor", isLoad, rank);
      copy.name.append(".tile").append(getCompletionName(copy));
      table.push_back(std::move(copy));
    }
  for (auto [reduction, name] : reductionNames)
    for (int64_t rank = 1; rank <= 5; ++rank) {
      CopyInstruction copy = makeTensorCopy("cp.reduce.async.bulk.tensor",
                                            /*isLoad=*/false, rank);
      copy.name.append(name).append(".tile").append(getCompletionName(copy));
      table.push_back(std::move(copy));
    }
  table.push_back(makeIm2ColCopy());
}

int64_t TensorBox::getMaxExtent(bool isInnermost, int64_t elementBits) const {
  return isInnermost && elementBits < 8 ? maxExtent * 8 / elementBits
                                        : maxExtent;
}

Expected<SharedLayout> TensorBox::getLayout(const Coordinate &extents,
                                            int64_t swizzleMode,
                                            int64_t elementBits) const {
  if (static_cast<int64_t>(extents.size()) != rank)
    return Failure{"a box of rank " + std::to_string(extents.size()) +
                   " is none of a tensor of rank " + std::to_string(rank)};
  for (size_t dim = 0; dim < extents.size(); ++dim) {
    int64_t most = getMaxExtent(dim + 1 == extents.size(), elementBits);
    if (extents[dim] < 1 || extents[dim] > most)
      return Failure{"a box of " + std::to_string(extents[dim]) +
                     " elements along one dimension is not within 1 and " +
                     std::to_string(most)};
  }
  if (std::ranges::find(swizzleBytes, swizzleMode) == swizzleBytes.end())
    return Failure{"there is no swizzle mode of " +
                   std::to_string(swizzleMode) + " bytes"};
  int64_t rowBits = extents.back() * elementBits;
  if (rowBits % (rowMultipleBytes * 8) != 0)
    return Failure{"the innermost row of the box, " + std::to_string(rowBits) +
                   " bits, is no multiple of " +
                   std::to_string(rowMultipleBytes) + " bytes"};
  if (swizzleMode != 0 && rowBits != swizzleMode * 8)
    return Failure{"the innermost row of the box, " + std::to_string(rowBits) +
                   " bits, is not the " + std::to_string(swizzleMode) +
                   " bytes of the swizzle mode"};
  std::vector<int> order;
  for (int dim = static_cast<int>(rank) - 1; dim >= 0; --dim)
    order.push_back(dim);
  return swizzleMode == 0
             ? SharedLayout::linear(extents, order, 0, elementBits)
             : SharedLayout::swizzled(extents, order, swizzleMode, elementBits);
}
