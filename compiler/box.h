// A value on the heap that is copied, and const, with its owner: what a type that contains itself is made of.
#pragma once

#include <memory>
#include <utility>

namespace quadrille {

// Never empty, but after it has been moved from: then it may only be assigned to, or destroyed. T may be incomplete
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
