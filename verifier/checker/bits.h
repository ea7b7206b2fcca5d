// Bits: a fixed number of yes/no marks, one bit each, within a budget.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "verifier/checker/budget.h"

namespace quadrille::checker {

class Bits {
 public:
  Bits(std::uint64_t size, Budget& budget) : size_(size), share_(budget) {
    share_.add(bytes_for(size));
    words_.resize(static_cast<std::size_t>(bytes_for(size) / 8));
  }

  static std::uint64_t bytes_for(std::uint64_t size) { return (size / 64 + 1) * 8; }

  std::uint64_t size() const { return size_; }
  std::uint64_t count() const { return count_; }
  bool test(std::uint64_t index) const { return (words_[index / 64] >> (index % 64) & 1) != 0; }

  // Marks `index`; false if it was marked already.
  bool set(std::uint64_t index) {
    std::uint64_t& word = words_[index / 64];
    const std::uint64_t mask = std::uint64_t{1} << (index % 64);
    if ((word & mask) != 0) return false;
    word |= mask;
    ++count_;
    return true;
  }

  // The first unmarked index at or after `from`; size() if there is none.
  std::uint64_t next_clear(std::uint64_t from) const {
    while (from < size_) {
      const std::uint64_t rest = ~words_[from / 64] >> (from % 64);
      if (rest != 0) {
        const std::uint64_t found = from + static_cast<std::uint64_t>(std::countr_zero(rest));
        return found < size_ ? found : size_;
      }
      from = (from / 64 + 1) * 64;
    }
    return size_;
  }

 private:
  std::uint64_t size_;
  std::uint64_t count_ = 0;
  Share share_;
  std::vector<std::uint64_t> words_;
};

}  // namespace quadrille::checker
