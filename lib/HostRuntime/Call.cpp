//===- Call.cpp - Entry and end of a host function ------------------------===//
//
// Arguments are checked at entry, by the rules of tile/Contract/Arguments.h, so that
// nothing is started where one is wrong.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include "tile/Contract/Arguments.h"

using namespace tilec;
using namespace tilec::rt;

MemRefView tilec::rt::readMemRef(int64_t rank, int64_t elementBits,
                                 const int64_t *&words) {
  MemRefView view;
  view.address = *words++;
  view.offset = *words++;
  view.sizes = getEntries(words, rank);
  words += rank;
  view.strides = getEntries(words, rank);
  words += rank;
  view.elementBits = elementBits;
  return view;
}

MemRefShape tilec::rt::getShape(const TileRtMemRef &type) {
  static_assert(TILE_RT_ANY == anyExtent);
  return {getEntries(type.sizes, type.rank),
          getEntries(type.strides, type.rank), type.offset};
}

/// What memrefs begin at multiples of where no `tile.align` stands (docs/Language.md).
static constexpr int64_t defaultAlignBytes = 16;

static Argument readArgument(const TileRtArgument &from,
                             const int64_t *&words) {
  Argument argument;
  argument.name = "argument '" + std::string(from.name) + "'";
  if (!from.type) {
    ++words;
    return argument;
  }
  argument.isMemRef = true;
  argument.view = readMemRef(from.type->rank, from.type->elementBits, words);
  argument.shape = getShape(*from.type);
  argument.divisors = getEntries(from.divisors, from.type->rank);
  for (int64_t dim = 0; from.names && dim < from.type->rank; ++dim)
    argument.names.push_back(from.names[dim]);
  argument.mayAlias = from.mayAlias != 0;
  argument.begin = argument.view.address;
  argument.isAlignStated = from.alignBytes != 0;
  argument.alignBytes =
      argument.isAlignStated ? from.alignBytes : defaultAlignBytes;
  return argument;
}

static Problem checkArguments(const TileRtFunction &function,
                              const int64_t *words) {
  std::vector<Argument> arguments;
  for (int64_t i = 0; i < function.argumentCount; ++i)
    arguments.push_back(readArgument(function.arguments[i], words));
  std::optional<ArgumentProblem> problem = tilec::checkArguments(arguments);
  if (!problem)
    return {};
  return {TILE_RT_INVALID_ARGUMENT, arguments[problem->argument].name +
                                        " of '" + function.name +
                                        "': " + problem->message};
}

static Problem checkVersion(const TileRtImage &image) {
  if (image.abiVersion == TILE_RT_ABI_VERSION)
    return {};
  return {TILE_RT_INVALID_USE,
          "the object was compiled for version " +
              std::to_string(image.abiVersion) +
              " of the runtime, and this is version " +
              std::to_string(TILE_RT_ABI_VERSION) +
              ": compile it again, or link the runtime of its compiler"};
}

void tileRtForget(const TileRtImage *image) { forgetImage(image); }

TileRtCall *tileRtEnter(const TileRtFunction *function, const int64_t *words,
                        TileRtStream stream) {
  Backend *backend = nullptr;
  Problem problem = checkVersion(*function->image);
  if (!problem)
    problem = checkArguments(*function, words);
  if (!problem)
    problem = getBackend(backend);
  if (problem) {
    record(problem);
    return nullptr;
  }
  auto *call = new TileRtCall();
  call->function = function;
  call->backend = backend;
  call->stream = stream;
  return call;
}

void tileRtCheckCall(TileRtCall *call, const TileRtFunction *function,
                     const int64_t *words) {
  if (!call->problem)
    call->problem = checkArguments(*function, words);
}

int32_t tileRtLeave(TileRtCall *call) {
  if (!call)
    return getLastStatus();
  std::unique_ptr<TileRtCall> owner(call);
  for (uint64_t address : call->buffers)
    call->fail(call->function->name,
               call->backend->releaseIn(call->stream, address));
  return record(call->problem);
}

int64_t tileRtMultiprocessors(TileRtCall *call) {
  int64_t count = 1;
  if (!call->problem)
    call->fail(call->function->name, call->backend->getMultiprocessors(
                                         *call->function->image, count));
  return count > 0 ? count : 1;
}
