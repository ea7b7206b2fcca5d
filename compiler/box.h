// Box<T> owns a value on the heap. It copies the value with itself, and passes its constness on, so that a type can
// contain itself.
#pragma once

#include <memory>
#include <utility>

namespace quadrille {

// A Box is empty only after it has been moved from; it may then only be assigned to or destroyed. T may be incomplete
// where Box<T> is named.
template <class T>
class Box {
 public:
  Box(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT: a value is converted into its box
  Box(const Box& other) : value_(std::make_unique<T>(*other)) {}
  Box(Box&&) noexcept = default;
  Box& operator=(const Box& other) {
    value_ = std::make_unique<T>(*other);
    return *this;
  }
  Box& operator=(Box&&) noexcept = default;
  ~Box() = default;

  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace quadrille
