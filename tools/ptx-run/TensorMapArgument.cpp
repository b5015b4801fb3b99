//===- TensorMapArgument.cpp - Tensor maps on the command line -----------===//
//
// The arguments of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col by name, with those that an .npy file
// tells filled in: its element type, its extents (the last, which is the
// innermost, first) and dense strides.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include <algorithm>

using namespace tilec;
using namespace tilec::emu;

static std::string parseElement(const std::string &name, TensorElement &type) {
  std::string known;
  for (int i = 0; const char *spelled = getName(TensorElement(i)); ++i) {
    if (name == spelled) {
      type = TensorElement(i);
      return "";
    }
    known += (i ? ", " : "") + std::string(spelled);
  }
  return "type=" + name + ": known are " + known;
}

/// "64x128" into `values`, whose number of elements is at most `limit`.
template <typename T>
static std::string parseExtents(const std::string &key, const std::string &text,
                                T *values, int limit, int &count) {
  std::vector<std::string> parts = split(text, 'x');
  count = static_cast<int>(parts.size());
  if (parts.size() > static_cast<size_t>(limit))
    return key + "=" + text + ": at most " + std::to_string(limit) + " numbers";
  for (int i = 0; i < count; ++i) {
    uint64_t number;
    if (!parseNumber(parts[i], number) || static_cast<T>(number) != number)
      return key + "=" + text + ": '" + parts[i] + "' is not a number";
    values[i] = static_cast<T>(number);
  }
  return "";
}

/// "-1x0", numbers that may be negative, into `values`.
static std::string parseCorner(const std::string &key, const std::string &text,
                               int *values, int &count) {
  std::vector<std::string> parts = split(text, 'x');
  count = static_cast<int>(parts.size());
  if (count > 3)
    return key + "=" + text + ": at most 3 numbers";
  for (int i = 0; i < count; ++i) {
    bool isNegative = parts[i].starts_with('-');
    uint64_t number;
    if (!parseNumber(parts[i].substr(isNegative), number) || number > INT32_MAX)
      return key + "=" + text + ": '" + parts[i] + "' is not a number";
    values[i] = static_cast<int>(number) * (isNegative ? -1 : 1);
  }
  return "";
}

/// The position of `text` among `choices`, as the driver numbers them.
static std::string choose(const std::string &key, const std::string &text,
                          const std::vector<std::string> &choices,
                          int &number) {
  auto found = std::find(choices.begin(), choices.end(), text);
  number = static_cast<int>(found - choices.begin());
  if (found != choices.end())
    return "";
  std::string known;
  for (const std::string &choice : choices)
    known += (known.empty() ? "" : ", ") + choice;
  return key + "=" + text + ": known are " + known;
}

namespace {

/// Which keys were given, with how many numbers.
struct Given {
  bool type = false;
  int dims = 0, strides = 0, box = 0, elementStrides = 0;
  int lower = 0, upper = 0;
};

} // namespace

static std::string parseKey(const std::string &key, const std::string &value,
                            TensorMapArguments &map, int &l2Promotion,
                            Given &given) {
  int number = 0;
  std::string error;
  if (key == "type") {
    given.type = true;
    return parseElement(value, map.element);
  }
  if (key == "dims")
    return parseExtents(key, value, map.dims, 5, given.dims);
  if (key == "strides")
    return parseExtents(key, value, map.stridesBytes, 4, given.strides);
  if (key == "box")
    return parseExtents(key, value, map.box, 5, given.box);
  if (key == "element-strides")
    return parseExtents(key, value, map.elementStrides, 5,
                        given.elementStrides);
  if (key == "lower" || key == "upper") {
    map.mode = TensorMode::Im2col;
    bool isLower = key == "lower";
    return parseCorner(key, value, isLower ? map.lowerCorner : map.upperCorner,
                       isLower ? given.lower : given.upper);
  }
  if (key == "swizzle") {
    error = choose(key, value, {"0", "32", "64", "128"}, number);
    map.swizzle = static_cast<TensorSwizzle>(number);
    return error;
  }
  if (key == "offset")
    return parseNumber(value, map.globalAddress)
               ? ""
               : key + "=" + value + ": is not a number";
  if (key == "fill") {
    error = choose(key, value, {"zeros", "nan"}, number);
    map.fill = static_cast<TensorFill>(number);
    return error;
  }
  if (key == "l2")
    return choose(key, value, {"0", "64", "128", "256"}, l2Promotion);
  return "'" + key +
         "' is not an option of tensormap; known are box, type, dims, strides, "
         "element-strides, lower, upper, swizzle, l2, fill, offset";
}

/// What a file of 16-bit unsigned integers holds may be bf16, but is not said.
static std::string chooseElement(const NpyArray &array, TensorElement &type) {
  std::string name = array.typeName();
  static const std::pair<const char *, TensorElement> known[] = {
      {"u1", TensorElement::U8},  {"u2", TensorElement::U16},
      {"u4", TensorElement::U32}, {"i4", TensorElement::S32},
      {"u8", TensorElement::U64}, {"i8", TensorElement::S64},
      {"f2", TensorElement::F16}, {"f4", TensorElement::F32},
      {"f8", TensorElement::F64}};
  for (auto [text, element] : known)
    if (name == text) {
      type = element;
      return "";
    }
  return "a tensor map has no elements of type " + name + "; give type=";
}

std::string tilec::parseTensorMap(const std::string &options,
                                  const ArgumentBuffer &buffer,
                                  TensorMapArguments &map, int &l2Promotion) {
  Given given;
  std::string error;
  for (const std::string &option : split(options, ',')) {
    size_t equals = option.find('=');
    error =
        parseKey(option.substr(0, equals),
                 equals == std::string::npos ? "" : option.substr(equals + 1),
                 map, l2Promotion, given);
    if (!error.empty())
      return error;
  }
  if (!buffer.hasFile && (!given.type || given.dims == 0))
    return "a tensor map of a buffer without a file needs type= and dims=";
  if (!given.type &&
      !(error = chooseElement(buffer.array, map.element)).empty())
    return error;
  map.rank = given.dims;
  if (given.dims == 0) {
    const std::vector<int64_t> &shape = buffer.array.shape;
    if (shape.empty() || shape.size() > 5)
      return "a tensor map has 1 to 5 dimensions, the file has " +
             std::to_string(shape.size());
    map.rank = static_cast<int>(shape.size());
    std::copy(shape.rbegin(), shape.rend(), map.dims);
  }
  if (map.mode == TensorMode::Im2col &&
      (given.lower != map.rank - 2 || given.upper != map.rank - 2 ||
       given.box != 2))
    return "im2col mode needs " + std::to_string(map.rank - 2) +
           " numbers in lower= and in upper=, and channels and pixels in box=, "
           "as in box=64x128";
  if (map.mode == TensorMode::Tiled && given.box != map.rank)
    return "box= needs " + std::to_string(map.rank) +
           " numbers, as in box=64x8";
  if (given.strides != 0 && given.strides != map.rank - 1)
    return "strides= needs " + std::to_string(map.rank - 1) +
           " numbers, in bytes, of dimensions 1 and on";
  if (given.elementStrides != 0 && given.elementStrides != map.rank)
    return "element-strides= needs " + std::to_string(map.rank) + " numbers";
  uint64_t bytes = static_cast<uint64_t>(elementBytes(map.element));
  for (int i = 0; given.strides == 0 && i + 1 < map.rank; ++i)
    map.stridesBytes[i] = bytes *= map.dims[i];
  map.globalAddress += buffer.address;
  return "";
}
