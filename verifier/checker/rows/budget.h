// Budget: the memory that the checker may still take, and what happens when there is none left.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "model/limits/limits.h"

namespace quadrille::checker {

// Thrown when the budget would be overdrawn. It ends what asked for the memory, and leaves that "unknown"; all else
// goes on. Other reasons to end are thrown as Ended itself, and end the whole check.
struct OverBudget : Ended {
  OverBudget() : Ended{Reason::limit} {}
};

// Asks the limits at every 2^16th of the rows of a step, or of other things that are counted from 0: under a
// millisecond. Throws Ended.
inline void look_at_limits(const Limits& limits, std::uint64_t index) {
  constexpr std::uint64_t between_looks = std::uint64_t{1} << 16;
  if (index % between_looks != between_looks - 1) return;
  if (const Reason reason = limits.reached(); reason != Reason::none) throw Ended{reason};
}

// Counts the bytes of the checker's large tables. Small fixed things are not counted. Containers of std::pmr that
// allocate from it are counted as they grow.
class Budget final : public std::pmr::memory_resource {
 public:
  explicit Budget(std::uint64_t bytes) : limit_(bytes) {}

  std::uint64_t left() const { return limit_ - used_; }
  std::uint64_t limit() const { return limit_; }

  // Call before allocating. Throws OverBudget, taking nothing, if less than that is left.
  void take(std::uint64_t bytes) {
    if (bytes > left()) throw OverBudget{};
    used_ += bytes;
  }
  void give_back(std::uint64_t bytes) { used_ -= bytes; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    take(bytes);
    try {
      return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    } catch (...) {
      give_back(bytes);
      throw;
    }
  }
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override {
    give_back(bytes);
    std::pmr::new_delete_resource()->deallocate(at, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::uint64_t limit_;
  std::uint64_t used_ = 0;
};

// Bytes taken from a budget for as long as this lives.
class Share {
 public:
  explicit Share(Budget& budget) : budget_(budget) {}
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;
  ~Share() { budget_.give_back(bytes_); }

  void add(std::uint64_t bytes) {
    budget_.take(bytes);
    bytes_ += bytes;
  }
  void remove(std::uint64_t bytes) {
    budget_.give_back(bytes);
    bytes_ -= bytes;
  }

 private:
  Budget& budget_;
  std::uint64_t bytes_ = 0;
};

}  // namespace quadrille::checker
