//===- LayoutAttributes.cpp - Attributes of the tile dialect --------------===//
//
// The attributes' storage, text and own checks. Layouts are kept as sequences
// of integers ("words") of the canonical layout, so that equal maps are the
// same attribute; `getLayout` turns the words back into values of the layout
// library. The only way to make a `#tile.fragment` is from such a value, which
// cannot be wrong.
//
//===----------------------------------------------------------------------===//

#include "../Syntax/LayoutSyntax.h"

#include "tile/Dialect/Tile/SharedSpelling.h"
#include "tile/Hardware/CopyInstruction.h"
#include "tile/Hardware/GpuTarget.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

#include "tile/Dialect/Tile/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tile/Dialect/Tile/TileAttributes.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tile/Dialect/Tile/TileAttributes.cpp.inc"
      >();
}

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Launch and module attributes
//===----------------------------------------------------------------------===//

LogicalResult RasterizeAttr::verify(EmitError emitError, RasterOrder order,
                                    int64_t panel) {
  if (panel < 1)
    return emitError()
           << "the panel of a rasterization must be at least 1, got " << panel;
  return success();
}

LogicalResult TargetAttr::verify(EmitError emitError, StringRef chip) {
  if (chip.empty())
    return emitError() << "the target names a chip, as in #tile.target<\"sm_90a"
                          "\">";
  if (!tilec::findTarget(chip))
    return emitError() << tilec::describeUnknownTarget(chip);
  return success();
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static constexpr tilec::HardwareDim hardwareDims[] = {
    tilec::HardwareDim::Register, tilec::HardwareDim::Lane,
    tilec::HardwareDim::Warp};

static SmallVector<int64_t> getWords(const tilec::FragmentLayout &layout) {
  SmallVector<int64_t> words;
  words.push_back(layout.getRank());
  llvm::append_range(words, layout.getShape());
  for (tilec::HardwareDim dim : hardwareDims) {
    const tilec::Digits &digits = layout.getDigits(dim);
    words.push_back(static_cast<int64_t>(digits.size()));
    for (const tilec::Digit &digit : digits)
      words.append({digit.extent, digit.dim, digit.step});
  }
  return words;
}

static SmallVector<int64_t> getWords(const tilec::SharedLayout &layout) {
  SmallVector<int64_t> words;
  for (const tilec::OffsetDigit &digit : layout.getDigits())
    words.append({digit.extent, digit.dim, digit.step, digit.weight});
  return words;
}

static tilec::Coordinate toCoordinate(ArrayRef<int64_t> list) {
  return {list.begin(), list.end()};
}

//===----------------------------------------------------------------------===//
// FragmentAttr
//===----------------------------------------------------------------------===//

FragmentAttr FragmentAttr::get(MLIRContext *context,
                               const tilec::FragmentLayout &layout) {
  return Base::get(context, ::getWords(layout));
}

tilec::FragmentLayout FragmentAttr::getLayout() const {
  ArrayRef<int64_t> rest = getWords();
  auto take = [&](size_t count) {
    ArrayRef<int64_t> taken = rest.take_front(count);
    rest = rest.drop_front(count);
    return taken;
  };
  tilec::Coordinate shape = toCoordinate(take(take(1)[0]));
  tilec::Digits digits[3];
  for (tilec::Digits &list : digits)
    for (int64_t count = take(1)[0]; count > 0; --count) {
      ArrayRef<int64_t> word = take(3);
      list.push_back({word[0], static_cast<int>(word[1]), word[2]});
    }
  // The words are those of a layout: this cannot fail.
  return *tilec::FragmentLayout::get(std::move(shape), std::move(digits[0]),
                                     std::move(digits[1]),
                                     std::move(digits[2]));
}

Attribute FragmentAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  tilec::Digits digits[3];
  if (parser.parseLess() || parseIntegerList(parser, shape))
    return {};
  static constexpr StringLiteral names[] = {"register", "lane", "warp"};
  for (auto [name, list] : llvm::zip_equal(names, digits))
    if (parser.parseComma() || parser.parseKeyword(name) ||
        parser.parseEqual() ||
        parseDigits(parser, static_cast<int64_t>(shape.size()), list))
      return {};
  if (parser.parseGreater())
    return {};
  auto layout = tilec::FragmentLayout::get(toCoordinate(shape), digits[0],
                                           digits[1], digits[2]);
  if (!layout) {
    parser.emitError(loc) << "invalid fragment layout: " << layout.reason();
    return {};
  }
  return get(parser.getContext(), *layout);
}

void FragmentAttr::print(AsmPrinter &printer) const {
  printer << '<' << getLayout().toString() << '>';
}

LogicalResult FragmentAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                           EmitError emitError) const {
  if (toCoordinate(shape) == getLayout().getShape())
    return success();
  InFlightDiagnostic error = emitError();
  error << "the layout is for shape [";
  llvm::interleaveComma(getLayout().getShape(), error);
  error << "], the tensor has shape [";
  llvm::interleaveComma(shape, error);
  return error << "]";
}

//===----------------------------------------------------------------------===//
// SharedAttr
//===----------------------------------------------------------------------===//

SharedAttr SharedAttr::get(MLIRContext *context,
                           const tilec::SharedLayout &layout) {
  SmallVector<int64_t> xorBits;
  if (const tilec::Swizzle &swizzle = layout.getSwizzle(); swizzle.bits != 0)
    xorBits = {swizzle.bits, swizzle.base, swizzle.shift};
  return Base::get(context, layout.getShape(), ::getWords(layout), xorBits,
                   ArrayRef<int64_t>(), /*pad=*/-1, /*swizzle=*/-1);
}

static tilec::OffsetDigits getOffsetDigits(ArrayRef<int64_t> words) {
  tilec::OffsetDigits digits;
  for (; words.size() >= 4; words = words.drop_front(4))
    digits.push_back(
        {words[0], static_cast<int>(words[1]), words[2], words[3]});
  return digits;
}

static tilec::Swizzle getSwizzleBits(ArrayRef<int64_t> xorBits) {
  if (xorBits.empty())
    return {};
  return {static_cast<int>(xorBits[0]), static_cast<int>(xorBits[1]),
          static_cast<int>(xorBits[2])};
}

tilec::Expected<tilec::SharedLayout>
SharedAttr::getLayout(int64_t elementBits) const {
  tilec::Coordinate shape = toCoordinate(getShape());
  if (!isShortForm())
    return tilec::SharedLayout::get(shape, getOffsetDigits(getWords()),
                                    getSwizzleBits(getXorBits()), elementBits);
  std::vector<int> order(getOrder().begin(), getOrder().end());
  if (order.empty())
    for (int dim = static_cast<int>(shape.size()) - 1; dim >= 0; --dim)
      order.push_back(dim);
  if (getSwizzle() > 0)
    return tilec::SharedLayout::swizzled(shape, order, getSwizzle(),
                                         elementBits);
  return tilec::SharedLayout::linear(
      shape, order, std::max<int64_t>(getPad(), 0), elementBits);
}

/// The fields that are only in the short form.
static LogicalResult verifyShortForm(EmitError emitError, size_t rank,
                                     ArrayRef<int64_t> order, int64_t pad,
                                     int64_t swizzle) {
  if (!order.empty()) {
    SmallVector<int64_t> sorted = llvm::to_vector(order);
    llvm::sort(sorted);
    if (sorted != llvm::to_vector(llvm::seq<int64_t>(0, rank))) {
      InFlightDiagnostic error = emitError();
      error << "'order' must list each of the " << rank
            << " dimensions once, fastest first, got [";
      llvm::interleaveComma(order, error);
      return error << "]";
    }
  }
  if (pad < -1)
    return emitError() << "'pad' must not be negative, got " << pad;
  std::vector<int64_t> modes = tilec::TensorBox().swizzleBytes;
  if (swizzle != -1 && !llvm::is_contained(modes, swizzle)) {
    InFlightDiagnostic error = emitError();
    error << "'swizzle' must be one of ";
    llvm::interleaveComma(llvm::reverse(modes), error);
    return error << " (bytes), got " << swizzle;
  }
  if (pad > 0 && swizzle > 0)
    return emitError() << "a shared layout has either 'pad' = " << pad
                       << " or 'swizzle' = " << swizzle
                       << ", not both; drop one of them";
  return success();
}

LogicalResult SharedAttr::verify(EmitError emitError, ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> words,
                                 ArrayRef<int64_t> xorBits,
                                 ArrayRef<int64_t> order, int64_t pad,
                                 int64_t swizzle) {
  for (int64_t extent : shape)
    if (extent < 1)
      return emitError()
             << "the extents of a shared layout must be positive, got "
             << extent;
  if (words.empty()) {
    if (!xorBits.empty())
      return emitError()
             << "'xor' needs the digits of 'offset'; the short form "
                "has 'swizzle'";
    return verifyShortForm(emitError, shape.size(), order, pad, swizzle);
  }
  if (!order.empty() || pad != -1 || swizzle != -1)
    return emitError() << "a shared layout has either 'offset' or the short "
                          "form's 'order', 'pad' and 'swizzle'";
  if (words.size() % 4 != 0)
    return emitError() << "four words are a digit, got " << words.size();
  if (!xorBits.empty() && xorBits.size() != 3)
    return emitError() << "'xor' must be [bits, base, shift], got "
                       << xorBits.size() << " numbers";
  if (llvm::any_of(xorBits, [](int64_t n) { return n < 0 || n > 31; }))
    return emitError() << "the numbers of 'xor' are from 0 to 31";
  // Bytes are the smallest elements that every XOR fits; the buffer's own
  // element width is checked where the attribute meets it, at `tile.alloc`.
  auto layout = tilec::SharedLayout::get(
      toCoordinate(shape), getOffsetDigits(words), getSwizzleBits(xorBits), 8);
  if (!layout)
    return emitError() << "invalid shared layout: " << layout.reason();
  return success();
}

SharedAttr tile::getShared(MLIRContext *context, const SharedSpelling &spelling,
                           EmitError emitError) {
  // Canonical: digits merged, an XOR of no bits dropped.
  SmallVector<int64_t> xorBits = spelling.xorBits, words;
  if (xorBits.size() == 3 && xorBits[0] == 0)
    xorBits.clear();
  if (!spelling.offset.empty()) {
    auto layout = tilec::SharedLayout::get(toCoordinate(spelling.shape),
                                           spelling.offset, {}, 8);
    if (!layout) {
      emitError() << "invalid shared layout: " << layout.reason();
      return {};
    }
    words = ::getWords(*layout);
    // One element has no digits, and an XOR nothing to move.
    if (words.empty())
      xorBits.clear();
  }
  return SharedAttr::Base::getChecked(
      emitError, context, ArrayRef<int64_t>(spelling.shape),
      ArrayRef<int64_t>(words), ArrayRef<int64_t>(xorBits),
      ArrayRef<int64_t>(spelling.order), spelling.pad, spelling.swizzle);
}

/// One `name = value`; each at most once.
static ParseResult parseSharedField(AsmParser &parser, SharedSpelling &fields,
                                    llvm::SmallDenseSet<StringRef> &seen) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  if (!seen.insert(name).second)
    return parser.emitError(loc) << "'" << name << "' is given twice";
  if (!llvm::is_contained({"offset", "xor", "order", "pad", "swizzle"}, name))
    return parser.emitError(loc)
           << "unknown field '" << name
           << "' of a shared layout; known: offset, xor, order, pad, swizzle";
  if (parser.parseEqual())
    return failure();
  if (name == "offset")
    return parseOffsetDigits(parser, static_cast<int64_t>(fields.shape.size()),
                             fields.offset);
  if (name == "xor")
    return parseIntegerList(parser, fields.xorBits);
  if (name == "order")
    return parseIntegerList(parser, fields.order);
  int64_t &number = name == "pad" ? fields.pad : fields.swizzle;
  if (parser.parseInteger(number))
    return failure();
  if (number < 0)
    return parser.emitError(loc)
           << "'" << name << "' must not be negative, got " << number;
  return success();
}

Attribute SharedAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SharedSpelling fields;
  llvm::SmallDenseSet<StringRef> seen;
  if (parser.parseLess() || parseIntegerList(parser, fields.shape))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parseSharedField(parser, fields, seen))
      return {};
  if (parser.parseGreater())
    return {};
  return getShared(parser.getContext(), fields,
                   [&] { return parser.emitError(loc); });
}

void SharedAttr::print(AsmPrinter &printer) const {
  auto printList = [&](StringRef name, ArrayRef<int64_t> list) {
    printer << name << '[';
    llvm::interleaveComma(list, printer);
    printer << ']';
  };
  printList("<", getShape());
  if (!isShortForm()) {
    printer << ", offset = ";
    printOffsetDigits(printer, static_cast<int64_t>(getShape().size()),
                      getOffsetDigits(getWords()));
  }
  if (!getXorBits().empty())
    printList(", xor = ", getXorBits());
  if (!getOrder().empty())
    printList(", order = ", getOrder());
  if (getPad() != -1)
    printer << ", pad = " << getPad();
  if (getSwizzle() != -1)
    printer << ", swizzle = " << getSwizzle();
  printer << '>';
}

LogicalResult SharedAttr::verifyEncoding(ArrayRef<int64_t>, Type,
                                         EmitError emitError) const {
  return emitError()
         << "#tile.shared is the layout of a shared buffer; a tensor "
            "has a #tile.fragment";
}
