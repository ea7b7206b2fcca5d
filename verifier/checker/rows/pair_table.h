// PairTable: a flat hash table from (id, place) to a small value, within a budget.
//
// Open addressing with linear probing, at most 5/8 full, nothing is ever removed. A find that hits the cache costs a
// few nanoseconds; prefetch() a dozen finds ahead hides the misses of large tables. By hand for that reason:
// tsl::robin_map takes 1.47 times as long (tests/bench/bench_tables.cpp).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "verifier/checker/rows/budget.h"

namespace quadrille::checker {

// A well-spread 64-bit number for each key; its high bits are the best.
inline std::uint64_t spread(std::uint64_t key) {
  key *= 0x9e3779b97f4a7c15;
  return (key ^ key >> 32) * 0xd6e8feb86659fd93;
}

template <class Value>
class PairTable {
 public:
  explicit PairTable(Budget& budget) : share_(budget) { allot(16); }

  std::size_t size() const { return size_; }

  // The value of this key; null if there is none. Valid until the next insert.
  Value* find(std::uint64_t id, std::uint32_t place) {
    for (std::size_t at = home(id, place);; at = (at + 1) & mask_) {
      Slot& slot = slots_[at];
      if (slot.place == free_place) return nullptr;
      if (slot.place == place && slot.id == id) return &slot.value;
    }
  }

  // The value of this key, which is made (a default Value) if there is none. Requires place < 2^32 - 1.
  Value& insert(std::uint64_t id, std::uint32_t place) {
    if (size_ * 8 >= slots_.size() * 5) grow();
    std::size_t at = home(id, place);
    for (; slots_[at].place != free_place; at = (at + 1) & mask_) {
      if (slots_[at].place == place && slots_[at].id == id) return slots_[at].value;
    }
    ++size_;
    slots_[at].id = id;
    slots_[at].place = place;
    return slots_[at].value;
  }

  void prefetch(std::uint64_t id, std::uint32_t place) const { __builtin_prefetch(&slots_[home(id, place)], 1); }

  // Calls visit(id, place, value) for every entry, in no useful order.
  template <class Visit>
  void each(Visit visit) {
    for (Slot& slot : slots_) {
      if (slot.place != free_place) visit(slot.id, slot.place, slot.value);
    }
  }

 private:
  static constexpr std::uint32_t free_place = 0xffffffff;
  struct Slot {
    std::uint64_t id = 0;
    std::uint32_t place = free_place;
    Value value{};
  };

  std::size_t home(std::uint64_t id, std::uint32_t place) const {
    return static_cast<std::size_t>(spread(id ^ std::uint64_t{place} << 38) >> shift_);
  }

  void allot(std::size_t slots) {
    share_.add(slots * sizeof(Slot));
    slots_ = std::vector<Slot>(slots);
    mask_ = slots - 1;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots));
  }

  void grow() {
    std::vector<Slot> old = std::move(slots_);
    allot(old.size() * 2);
    for (Slot& slot : old) {
      if (slot.place == free_place) continue;
      std::size_t at = home(slot.id, slot.place);
      while (slots_[at].place != free_place) at = (at + 1) & mask_;
      slots_[at] = std::move(slot);
    }
    share_.remove(old.size() * sizeof(Slot));
  }

  Share share_;
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  unsigned shift_ = 0;
  std::size_t size_ = 0;
};

}  // namespace quadrille::checker
