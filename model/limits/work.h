// Work tracks the time and memory that one piece of work takes, and ends it at its limits. Containers that grow with
// the input (std::pmr) allocate from it, tables of known size are taken from it as a whole, and loops report to it
// how much they do.
//
//   Work work(limits);
//   std::pmr::vector<int> literals(&work);
//   for (…) work.spend(literals.size());
//
// Cost: a comparison for each call; a look at the clock every 2^16 units of work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "model/limits/limits.h"

namespace quadrille {

class Work final : public std::pmr::memory_resource {
 public:
  // Keeps a reference. `taken`: bytes that are taken at the beginning. Throws Ended if they are too many.
  explicit Work(const Limits& limits, std::uint64_t taken = 0) : limits_(limits) { take(taken, 1); }
  explicit Work(const Limits&& limits, std::uint64_t taken = 0) = delete;  // it would be gone at the first look

  // Reports `units` more of work, each of some nanoseconds. Throws Ended.
  void spend(std::uint64_t units) {
    if (units < until_look_) {
      until_look_ -= units;
    } else {
      look();
    }
  }

  // Takes bytes for `count` things that are allocated elsewhere, until the work ends. Throws Ended.
  void take(std::uint64_t count, std::uint64_t bytes_each);

  std::uint64_t used() const { return used_; }  // bytes

 private:
  void look();
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  const Limits& limits_;
  std::uint64_t used_ = 0;
  std::uint64_t until_look_ = 0;  // the first call looks
  std::uint64_t looks_ = 0;
};

}  // namespace quadrille
