// Bits: a fixed number of yes/no marks, one bit each, within a budget. They lie in pages that are made when one of
// their bits is set: a table of a few rows costs little, however many packets its collective has.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "verifier/checker/rows/budget.h"

namespace quadrille::checker {

class Bits {
 public:
  Bits(std::uint64_t size, Budget& budget) : size_(size), share_(budget) {
    const std::uint64_t pages = size / page_bits + 1;
    share_.add(pages * sizeof(pages_[0]));
    pages_.resize(static_cast<std::size_t>(pages));
  }

  // At most; a page's size more.
  static std::uint64_t bytes_for(std::uint64_t size) { return (size / 64 + 1) * 8; }

  std::uint64_t size() const { return size_; }
  std::uint64_t count() const { return count_; }
  bool test(std::uint64_t index) const { return (word(index) >> (index % 64) & 1) != 0; }

  // Marks `index`; false if it was marked already. May throw OverBudget.
  bool set(std::uint64_t index) {
    std::unique_ptr<Page>& page = pages_[index / page_bits];
    if (!page) add(page);
    std::uint64_t& word = (*page)[index % page_bits / 64];
    const std::uint64_t mask = std::uint64_t{1} << (index % 64);
    if ((word & mask) != 0) return false;
    word |= mask;
    ++count_;
    return true;
  }

  // The first unmarked index at or after `from`; size() if there is none.
  std::uint64_t next_clear(std::uint64_t from) const {
    while (from < size_) {
      // 64 marks at a time: the lowest clear one at or after `from`, if this word has one.
      const std::uint64_t rest = ~word(from) >> (from % 64);
      if (rest != 0) {
        const std::uint64_t found = from + static_cast<std::uint64_t>(std::countr_zero(rest));
        return found < size_ ? found : size_;
      }
      from = (from / 64 + 1) * 64;
    }
    return size_;
  }

 private:
  static constexpr std::uint64_t page_bits = 1 << 15;
  using Page = std::array<std::uint64_t, page_bits / 64>;

  std::uint64_t word(std::uint64_t index) const {
    const std::unique_ptr<Page>& page = pages_[index / page_bits];
    return page ? (*page)[index % page_bits / 64] : 0;
  }

  [[gnu::noinline]] void add(std::unique_ptr<Page>& page) {
    share_.add(sizeof(Page));
    page = std::make_unique<Page>();
  }

  std::uint64_t size_;
  std::uint64_t count_ = 0;
  Share share_;
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace quadrille::checker
