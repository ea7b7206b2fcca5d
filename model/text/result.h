// A value, or the reasons why there is none.
#pragma once

#include <cassert>
#include <optional>
#include <utility>

#include "model/text/diagnostic.h"

namespace quadrille {

// Either a value (perhaps with warnings) or at least one error. Users' mistakes travel in it; exceptions never cross a
// public face.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value, Diagnostics warnings = {}) : value_(std::move(value)), diagnostics_(std::move(warnings)) {}
  Result(Diagnostics errors) : diagnostics_(std::move(errors)) { assert(!diagnostics_.empty()); }
  Result(Diagnostic error) : diagnostics_{std::move(error)} {}

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  // Requires ok().
  T& value() { return assert(ok()), *value_; }
  const T& value() const { return assert(ok()), *value_; }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  std::optional<T> value_;
  Diagnostics diagnostics_;
};

}  // namespace quadrille
