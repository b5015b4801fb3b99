//===- SharedDemandTest.cpp - Descriptors against the PTX ISA's figures --===//
//
// How the hardware finds element (mn, k) behind a descriptor, typed out from
// the PTX ISA's figures of core matrices and swizzled layouts, in bytes and
// without the layout algebra; for every row's demand, a buffer that has the
// pattern is read tile by tile through the strides that the demand gives.
//
//===----------------------------------------------------------------------===//

#include "tile/Hardware/MatrixInstruction.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilec;

namespace {

/// The swizzle of an address: bits 4, 5, 6 xor bits 7, 8, 9, as many as the
/// mode has 16-byte chunks.
int64_t swizzleAddress(int64_t address, int64_t modeBytes) {
  switch (modeBytes) {
  case 128:
    return address ^ ((address >> 3) & 0x70);
  case 64:
    return address ^ ((address >> 3) & 0x30);
  case 32:
    return address ^ ((address >> 3) & 0x10);
  default:
    return address;
  }
}

/// Where a descriptor that starts at `start` finds an element.
int64_t getHardwareAddress(Major major, int64_t modeBytes,
                           DescriptorStrides strides, int64_t start, int64_t mn,
                           int64_t k, int64_t elementBytes) {
  int64_t leading = strides.leadingBytes, stride = strides.strideBytes;
  int64_t offset = 0;
  if (major == Major::K) {
    int64_t kByte = k * elementBytes;
    offset = modeBytes == 0 ? (mn / 8) * stride + (mn % 8) * 16 +
                                  (kByte / 16) * leading + kByte % 16
                            : (mn / 8) * stride + (mn % 8) * modeBytes + kByte;
  } else {
    int64_t mnByte = mn * elementBytes;
    offset = modeBytes == 0
                 ? (mnByte / 16) * stride + mnByte % 16 + (k / 8) * leading +
                       (k % 8) * 16
                 : (mnByte / modeBytes) * leading + mnByte % modeBytes +
                       (k / 8) * stride + (k % 8) * modeBytes;
  }
  return swizzleAddress(start + offset, modeBytes);
}

/// A buffer of atoms: those along `firstDim` follow each other in memory, then
/// those along the other dimension.
SharedLayout repeatAtom(const SharedDemand &demand, const Coordinate &shape,
                        int firstDim) {
  const SharedLayout &atom = demand.atom;
  OffsetDigits digits = atom.getDigits();
  int64_t weight = atom.getShape()[0] * atom.getShape()[1];
  for (int dim : {firstDim, 1 - firstDim}) {
    int64_t count = shape[dim] / atom.getShape()[dim];
    digits.push_back({count, dim, atom.getShape()[dim], weight});
    weight *= count;
  }
  auto layout = SharedLayout::get(shape, digits, atom.getSwizzle(),
                                  atom.getElementBits());
  EXPECT_TRUE(layout) << layout.reason();
  return *layout;
}

/// Reads every tile of `buffer`, whose dimensions are the operand's, through a
/// descriptor.
void expectReads(const SharedDemand &demand, const SharedLayout &buffer,
                 const Coordinate &tile, int mnDim) {
  auto strides = demand.getStrides(buffer, {0, 1}, tile);
  ASSERT_TRUE(strides) << strides.reason() << " in " << buffer.toString();
  const Coordinate &shape = buffer.getShape();
  int64_t bytes = buffer.getElementBits() / 8;
  for (int64_t row = 0; row < shape[0]; row += tile[0])
    for (int64_t column = 0; column < shape[1]; column += tile[1]) {
      int64_t start = buffer.getLinearOffset({row, column}) * bytes;
      ASSERT_EQ(start % 16, 0);
      for (int64_t i = 0; i < tile[0]; ++i)
        for (int64_t j = 0; j < tile[1]; ++j) {
          int64_t mn = mnDim == 0 ? i : j, k = mnDim == 0 ? j : i;
          ASSERT_EQ(buffer.getByteOffset({row + i, column + j}),
                    getHardwareAddress(demand.major, demand.swizzleBytes,
                                       *strides, start, mn, k, bytes))
              << "tile at " << row << ", " << column << ", element " << i
              << ", " << j << " of " << buffer.toString();
        }
    }
}

/// Buffers of several tiles, atoms running along either dimension first.
void expectDemand(const SharedDemand &demand, const Coordinate &tile,
                  int mnDim) {
  SCOPED_TRACE("swizzle " + std::to_string(demand.swizzleBytes) +
               (demand.major == Major::K ? ", K-major" : ", MN-major"));
  Coordinate shape(2);
  for (int dim = 0; dim < 2; ++dim) {
    int64_t atom = demand.atom.getShape()[dim];
    shape[dim] = 2 * std::max(tile[dim], atom);
    ASSERT_EQ(shape[dim] % atom, 0);
    ASSERT_EQ(shape[dim] % tile[dim], 0);
  }
  for (int firstDim : {0, 1})
    expectReads(demand, repeatAtom(demand, shape, firstDim), tile, mnDim);
}

/// Whether atoms and tiles fit each other: 24 columns are no multiple of an
/// atom of 16 or more.
bool fits(const SharedDemand &demand, const Coordinate &tile) {
  for (int dim = 0; dim < 2; ++dim) {
    int64_t atom = demand.atom.getShape()[dim];
    if (atom % tile[dim] != 0 && tile[dim] % atom != 0)
      return false;
  }
  return true;
}

TEST(SharedDemand, EveryDemandReadsWhatTheHardwareReads) {
  int checked = 0;
  for (const MatrixInstruction *instruction : getMatrixInstructions()) {
    const MatrixInstruction &row = *instruction;
    SCOPED_TRACE(row.name);
    // The demands do not depend on N, of which these are representative.
    if (row.participants != Participants::Warpgroup ||
        (row.n != 8 && row.n != 24 && row.n != 128 && row.n != 256))
      continue;
    for (const SharedDemand &demand : row.a.sharedLayouts)
      expectDemand(demand, {row.m, row.getStoredColumns(row.k)}, 0);
    for (const SharedDemand &demand : row.b.sharedLayouts)
      if (fits(demand, {row.k, row.n})) {
        expectDemand(demand, {row.k, row.n}, 1);
        ++checked;
      }
  }
  EXPECT_GT(checked, 400);
}

TEST(SharedDemand, ModesAndMajorsAreThoseOfThePtxIsa) {
  using Modes = std::multiset<std::pair<int64_t, Major>>;
  const Modes kMajor = {
      {128, Major::K}, {64, Major::K}, {32, Major::K}, {0, Major::K}};
  Modes both = kMajor;
  for (int64_t bytes : {128, 64, 32, 0})
    both.insert({bytes, Major::MN});
  // 64 bytes along K, as B has beside a sparse A, are in a row of that length, or in
  // rows of MN.
  const Modes longK = {{128, Major::K}, {64, Major::K}};
  Modes bothLong = longK;
  for (int64_t bytes : {128, 64, 32})
    bothLong.insert({bytes, Major::MN});
  for (const MatrixInstruction *row : getMatrixInstructions())
    for (const MatrixOperand *operand : {&row->a, &row->b}) {
      if (operand->space != OperandSpace::SharedByDescriptor)
        continue;
      Modes found;
      for (const SharedDemand &demand : operand->sharedLayouts) {
        found.insert({demand.swizzleBytes, demand.major});
        // Eight rows; the base is a multiple of what the pattern repeats in.
        EXPECT_EQ(demand.atom.getSizeBytes(),
                  8 * std::max<int64_t>(16, demand.swizzleBytes));
        EXPECT_EQ(demand.atom.getAlignmentBytes(),
                  demand.swizzleBytes == 0 ? 16 : 8 * demand.swizzleBytes);
      }
      // Only elements of 16 bits may be transposed.
      bool isLong = row->isSparse() && operand == &row->b;
      EXPECT_EQ(found, getElementBits(row->kindA) == 16
                           ? (isLong ? bothLong : both)
                           : (isLong ? longK : kMajor))
          << row->name;
    }
}

const MatrixInstruction &getWgmma() {
  return *findMatrixInstruction(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16.ss");
}

const SharedDemand &getDemand(const MatrixOperand &operand, Major major,
                              int64_t swizzleBytes) {
  for (const SharedDemand &demand : operand.sharedLayouts)
    if (demand.major == major && demand.swizzleBytes == swizzleBytes)
      return demand;
  ADD_FAILURE();
  return operand.sharedLayouts.front();
}

// The layouts that buffers get anyway: rows of the mode's length or panels.
TEST(SharedDemand, SwizzledBuffersFit) {
  const SharedDemand &a = getDemand(getWgmma().a, Major::K, 128);
  SharedLayout buffer = *SharedLayout::swizzled({128, 128}, {1, 0}, 128, 16);
  expectReads(a, buffer, {64, 16}, 0);
  EXPECT_EQ(*a.getStrides(buffer, {0, 1}, {64, 16}),
            (DescriptorStrides{0, 1024}));

  // B over (K, N): K-major if it lies as N x K, MN-major as it is.
  const SharedDemand &b = getDemand(getWgmma().b, Major::MN, 128);
  buffer = *SharedLayout::swizzled({64, 256}, {1, 0}, 128, 16);
  expectReads(b, buffer, {16, 128}, 1);
  EXPECT_EQ(*b.getStrides(buffer, {0, 1}, {16, 128}),
            (DescriptorStrides{64 * 128, 1024}));
  buffer = *SharedLayout::swizzled({64, 256}, {0, 1}, 128, 16);
  const SharedDemand &transposed = getDemand(getWgmma().b, Major::K, 128);
  expectReads(transposed, buffer, {16, 128}, 1);
}

// Rings put the number of the slot in front; a transposed operand lies in a
// buffer of exchanged dimensions.
TEST(SharedDemand, DimensionsOfTheBufferAreNamed) {
  const SharedDemand &a = getDemand(getWgmma().a, Major::K, 64);
  SharedLayout ring =
      SharedLayout::swizzled({64, 32}, {1, 0}, 64, 16)->replicateOutermost(4);
  EXPECT_EQ(*a.getStrides(ring, {1, 2}, {64, 16}), (DescriptorStrides{0, 512}));
  const SharedDemand &b = getDemand(getWgmma().b, Major::K, 64);
  SharedLayout nByK = *SharedLayout::swizzled({128, 32}, {1, 0}, 64, 16);
  EXPECT_EQ(*b.getStrides(nByK, {1, 0}, {16, 128}),
            (DescriptorStrides{0, 512}));
}

TEST(SharedDemand, OtherPatternsAreRefusedWithTheReason) {
  auto why = [](int64_t swizzleBytes, const SharedLayout &buffer) {
    return getDemand(getWgmma().a, Major::K, swizzleBytes)
        .getStrides(buffer, {0, 1}, {64, 16})
        .reason();
  };
  auto padded = SharedLayout::linear({64, 64}, {1, 0}, 8, 16);
  EXPECT_EQ(why(128, *padded), "the buffer's swizzle is not that of 128 bytes");
  // Rows of 144 bytes: the second lies where the first chunk should go on.
  EXPECT_EQ(why(0, *padded),
            "element 1 of dimension 0 lies 72 elements behind the start of its "
            "tile, where the instruction reads 8");
  EXPECT_EQ(why(64, *SharedLayout::swizzled({64, 64}, {1, 0}, 128, 16)),
            "the buffer's swizzle is not that of 64 bytes");
  EXPECT_EQ(why(128, *SharedLayout::swizzled({32, 64}, {1, 0}, 128, 16)),
            "an extent of 32 is no multiple of the instruction's 64");
  EXPECT_EQ(why(128, *SharedLayout::swizzled({64, 64}, {0, 1}, 128, 16)),
            "element 1 of dimension 0 lies 1 elements behind the start of its "
            "tile, where the instruction reads 64");
  EXPECT_EQ(why(128, *SharedLayout::swizzled({64, 128}, {1, 0}, 128, 8)),
            "the buffer's elements have 8 bits and the instruction's 16");
}

TEST(SharedDemand, StridesFitTheDescriptor) {
  const SharedDemand &a = getDemand(getWgmma().a, Major::K, 128);
  // A tile of two panels: the descriptor repeats rows only.
  EXPECT_EQ(a.getStrides(*SharedLayout::swizzled({64, 128}, {1, 0}, 128, 16),
                         {0, 1}, {64, 128})
                .reason(),
            "the descriptor has no stride along dimension 1");
  // Groups of eight rows, `weight` elements from one to the next.
  auto spaced = [&](int64_t weight) {
    return a.getStrides(
        *SharedLayout::get({64, 64},
                           {{64, 1, 1, 1}, {8, 0, 1, 64}, {8, 0, 8, weight}},
                           {3, 4, 3}, 16),
        {0, 1}, {64, 16});
  };
  EXPECT_EQ(*spaced((1 << 17) - 512), (DescriptorStrides{0, (1 << 18) - 1024}));
  EXPECT_EQ(spaced(1 << 17).reason(),
            "a stride of 262144 bytes does not fit a descriptor");
  EXPECT_EQ(spaced(516).reason(),
            "a stride of 1032 bytes does not fit a descriptor");
}

} // namespace
