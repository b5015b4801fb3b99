//===- Expected.h - A value, or the reason there is none --------*- C++ -*-===//
//
// The partial operations of the MLIR-free libraries (a reshape that splits a
// digit, a schedule that does not fit) return one of these: either the value,
// or one sentence, without a trailing period, that a diagnostic can end with.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LAYOUT_EXPECTED_H
#define TILE_LAYOUT_EXPECTED_H

#include <optional>
#include <string>
#include <utility>

namespace tilec {

/// The reason an operation has no result, on its way into an `Expected`.
struct Failure {
  std::string reason;
};

template <typename T>
class [[nodiscard]] Expected {
public:
  Expected(T value) : value(std::move(value)) {}
  Expected(Failure failure) : why(std::move(failure.reason)) {}

  explicit operator bool() const { return value.has_value(); }
  T &operator*() { return *value; }
  const T &operator*() const { return *value; }
  T *operator->() { return &*value; }
  const T *operator->() const { return &*value; }

  /// Why there is no value; empty when there is one.
  const std::string &reason() const { return why; }

private:
  std::optional<T> value;
  std::string why;
};

} // namespace tilec

#endif // TILE_LAYOUT_EXPECTED_H
