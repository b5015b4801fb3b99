//===- SharedAddresses.cpp - Addresses in a swizzled buffer ---------------===//

#include "SharedAddresses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tile;

int64_t RuntimeTerm::getLargestRemainder(int64_t modulus) const {
  if (values.empty())
    return modulus - std::gcd(modulus, divisor);
  int64_t largest = 0;
  for (int64_t value : values)
    largest = std::max(largest, value % modulus);
  return largest;
}

int64_t tile::getVectorWidth(const SharedView &view, int dim) {
  int layoutDim = view.dims[dim];
  const SharedView::LayoutDim &along = view.layoutDims[layoutDim];
  if (along.stride != 1 || view.digits.empty())
    return 1;
  const tilec::OffsetDigit &innermost = view.digits.front();
  if (innermost.dim != layoutDim || innermost.weight != 1 ||
      innermost.step != 1)
    return 1;
  int64_t width = std::gcd(innermost.extent, along.start);
  if (along.dynamicStart)
    width = std::gcd(width, along.startDivisor);
  for (const tilec::OffsetDigit &digit : llvm::drop_begin(view.digits))
    width = std::gcd(width, digit.weight);
  if (view.swizzle.bits > 0)
    width =
        std::gcd(width, (int64_t(8) << view.swizzle.base) / view.elementBits);
  return width;
}

SharedAddresses::SharedAddresses(ThreadEmitter &emitter, const SharedView &view,
                                 ArrayRef<SmallVector<RuntimeTerm>> terms)
    : emitter(emitter), view(view), unitsPerByte(view.getUnitsPerByte()),
      elementUnits(view.getElementUnits()), swizzle(view.swizzle),
      dims(view.layoutDims.size()) {
  if (swizzle.bits != 0)
    swizzle.base += llvm::Log2_64(unitsPerByte);
  for (const tilec::OffsetDigit &digit : view.digits)
    dims[digit.dim].digits.push_back(digit);
  for (auto [dim, layoutDim] : llvm::zip(dims, view.layoutDims)) {
    llvm::sort(dim.digits, [](auto &a, auto &b) { return a.step < b.step; });
    if (layoutDim.dynamicStart)
      dim.terms.push_back({layoutDim.dynamicStart, {}, layoutDim.startDivisor});
  }
  for (auto [viewDim, viewTerms] : llvm::enumerate(terms)) {
    int layoutDim = view.dims[viewDim];
    int64_t stride = view.layoutDims[layoutDim].stride;
    for (RuntimeTerm term : viewTerms) {
      term.value = emitter.multiply(term.value, stride);
      term.divisor *= stride;
      for (int64_t &value : term.values)
        value *= stride;
      dims[layoutDim].terms.push_back(std::move(term));
    }
  }
  for (DimState &dim : dims)
    for (const RuntimeTerm &term : dim.terms)
      dim.runtime = emitter.add(dim.runtime, term.value);

  // How far the runtime part reaches into the bits below the XOR.
  int64_t lowModulus = int64_t(1) << swizzle.base;
  for (DimState &dim : dims)
    for (const RuntimeTerm &term : dim.terms) {
      int64_t termBits = 0;
      if (term.values.empty()) {
        int64_t step = lowModulus;
        for (auto [index, digit] : llvm::enumerate(dim.digits))
          step = std::gcd(step, digit.weight * elementUnits *
                                    (index == 0 ? term.divisor : 1));
        termBits = lowModulus - step;
      }
      for (int64_t value : term.values)
        termBits =
            std::max(termBits, getConstantUnits(dim, value) % lowModulus);
      largestLowBits += termBits;
    }
}

/// Whether no digit carries when `constant` is added to the runtime terms.
bool SharedAddresses::isAdditive(const DimState &dim, int64_t constant) const {
  if (isClamped || constant < 0)
    return false;
  for (const tilec::OffsetDigit &digit :
       llvm::drop_begin(dim.digits, dim.digits.empty() ? 0 : 1)) {
    int64_t sum = constant % digit.step;
    for (const RuntimeTerm &term : dim.terms) {
      // Below zero a shift rounds down as a digit needs it, a division does
      // not.
      if (term.values.empty() && !llvm::isPowerOf2_64(digit.step))
        return false;
      sum += term.getLargestRemainder(digit.step);
    }
    if (sum >= digit.step)
      return false;
  }
  return true;
}

/// The offset of a constant coordinate; the topmost digit does not wrap.
int64_t SharedAddresses::getConstantUnits(const DimState &dim,
                                          int64_t constant) const {
  int64_t units = 0;
  for (const tilec::OffsetDigit &digit : dim.digits) {
    int64_t value = constant / digit.step;
    if (&digit != &dim.digits.back())
      value %= digit.extent;
    units += value * digit.weight * elementUnits;
  }
  return units;
}

Value SharedAddresses::getRuntimeUnits(const DimState &dim, Value coordinate) {
  Value units;
  for (const tilec::OffsetDigit &digit : dim.digits) {
    Value value = coordinate;
    if (&digit != &dim.digits.back())
      value =
          emitter.remainder(emitter.divide(value, digit.step), digit.extent);
    else if (llvm::isPowerOf2_64(digit.step))
      value = emitter.builder.createOrFold<arith::ShRSIOp>(
          emitter.loc, value, emitter.i32(llvm::Log2_64(digit.step)));
    else
      value = emitter.divide(value, digit.step);
    units = emitter.add(units,
                        emitter.multiply(value, digit.weight * elementUnits));
  }
  return units;
}

Value SharedAddresses::applySwizzle(Value units) {
  if (swizzle.bits == 0 || !units)
    return units;
  int64_t mask = ((int64_t(1) << swizzle.bits) - 1) << swizzle.base;
  Value bits = emitter.divide(units, int64_t(1) << swizzle.shift);
  bits = emitter.builder.createOrFold<arith::AndIOp>(emitter.loc, bits,
                                                     emitter.i32(mask));
  return emitter.builder.createOrFold<arith::XOrIOp>(emitter.loc, units, bits);
}

ElementPlace SharedAddresses::getPlaceOf(Value units) {
  if (!units)
    return {view.base, Value()};
  OpBuilder &builder = emitter.builder;
  Value bytes = units, half;
  if (unitsPerByte > 1) {
    half = emitter.remainder(units, unitsPerByte);
    bytes = builder.createOrFold<arith::ShRSIOp>(
        emitter.loc, units, emitter.i32(llvm::Log2_64(unitsPerByte)));
  }
  Value wide = builder.createOrFold<arith::ExtSIOp>(
      emitter.loc, builder.getI64Type(), bytes);
  return {emitter.advance(view.base, wide), half};
}

Value SharedAddresses::getPosition(int64_t dim, int64_t constant) {
  Value runtime = dims[dim].runtime;
  Value position =
      runtime ? emitter.addConstant(runtime, constant) : emitter.i32(constant);
  if (!isClamped)
    return position;
  Value size = emitter.i32(view.layoutDims[dim].extent);
  Value fits = emitter.compare(arith::CmpIPredicate::ult, position, size);
  return emitter.select(fits, position, emitter.i32(0));
}

ElementPlace SharedAddresses::getReshapedPlace(ArrayRef<int64_t> constants) {
  Value number;
  for (auto [dim, constant] : llvm::enumerate(constants)) {
    if (number)
      number = emitter.multiply(number, view.layoutDims[dim].extent);
    number = emitter.add(number, getPosition(dim, constant));
  }
  SmallVector<SmallVector<RuntimeTerm>> terms(view.sourceShape.size());
  for (size_t dim = terms.size(); dim-- > 0;) {
    int64_t size = view.sourceShape[dim];
    Value position = dim == 0 ? number : emitter.remainder(number, size);
    terms[dim].push_back({position, {}, 1});
    number = emitter.divide(number, size);
  }
  SmallVector<int64_t> origin(terms.size(), 0);
  return SharedAddresses(emitter, *view.source, terms).getPlace(origin);
}

ElementPlace SharedAddresses::getPlace(ArrayRef<int64_t> coordinate) {
  SmallVector<int64_t> constants;
  for (const SharedView::LayoutDim &dim : view.layoutDims)
    constants.push_back(dim.start);
  for (auto [viewDim, value] : llvm::enumerate(coordinate)) {
    int layoutDim = view.dims[viewDim];
    constants[layoutDim] += view.layoutDims[layoutDim].stride * value;
  }

  if (view.source)
    return getReshapedPlace(constants);

  // Where something may carry: compute this coordinate alone.
  bool allAdditive = true;
  for (auto [dim, constant] : llvm::zip(dims, constants))
    allAdditive &= isAdditive(dim, constant);
  if (!allAdditive) {
    Value units;
    for (auto [index, dim] : llvm::enumerate(dims))
      units = emitter.add(
          units, getRuntimeUnits(dim, getPosition(index, constants[index])));
    return getPlaceOf(applySwizzle(units));
  }

  if (!hasRuntimeUnits) {
    for (DimState &dim : dims)
      if (dim.runtime)
        runtimeUnits =
            emitter.add(runtimeUnits, getRuntimeUnits(dim, dim.runtime));
    hasRuntimeUnits = true;
  }
  int64_t units = 0;
  for (auto [dim, constant] : llvm::zip(dims, constants))
    units += getConstantUnits(dim, constant);
  // The immediate moves whole bytes.
  int64_t low = units % unitsPerByte;
  if (swizzle.bits != 0) {
    low = units % swizzle.getPeriodBytes();
    int64_t below = low % (int64_t(1) << swizzle.base);
    if (largestLowBits + below < int64_t(1) << swizzle.base)
      low -= below - below % unitsPerByte;
  }
  ElementPlace &place = places[low];
  if (!place.pointer) {
    Value sum = runtimeUnits;
    if (low != 0)
      sum = sum ? emitter.addConstant(sum, low) : emitter.i32(low);
    place = getPlaceOf(applySwizzle(sum));
  }
  return {emitter.advance(place.pointer, (units - low) / unitsPerByte),
          place.half};
}
