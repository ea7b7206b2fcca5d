// Division by a fixed number that is used often: by a shift if it is a power of two, with 32 bits if they are enough.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace quadrille {

class Divider {
 public:
  struct Split {
    std::uint64_t quotient;
    std::uint64_t remainder;
  };

  // Requires divisor >= 1.
  explicit Divider(std::uint64_t divisor = 1)
      : divisor_(divisor), shift_(std::has_single_bit(divisor) ? std::countr_zero(divisor) : no_shift) {
    assert(divisor > 0);
  }

  std::uint64_t divisor() const { return divisor_; }

  std::uint64_t quotient(std::uint64_t number) const {
    if (shift_ != no_shift) return number >> shift_;
    if (((number | divisor_) >> 32) == 0)
      return static_cast<std::uint32_t>(number) / static_cast<std::uint32_t>(divisor_);
    return number / divisor_;
  }

  Split split(std::uint64_t number) const {
    const std::uint64_t q = quotient(number);
    return {q, number - q * divisor_};
  }

 private:
  static constexpr int no_shift = -1;
  std::uint64_t divisor_;
  int shift_;
};

}  // namespace quadrille
