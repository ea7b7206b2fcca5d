// Budget: the memory that the checker may still take, and what happens when there is none left.
#pragma once

#include <cstdint>

#include "model/limits.h"

namespace quadrille::checker {

// Thrown when the budget would be overdrawn; caught by check(), which then answers "unknown".
struct OverBudget {};

// Thrown when the table's rows end before the table does, for this reason; caught likewise.
struct CutShort {
  Reason reason;
};

// Counts the bytes of the checker's large tables. Small fixed things are not counted.
class Budget {
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
