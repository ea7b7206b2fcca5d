// A hash table from packets to what is known of them; its size follows its current contents.
//
// It is written by hand because library maps have no prefetch: tsl::robin_map takes 4.2 times as long where packets
// move, and 1.18 to 1.47 times where they are copied (tests/bench/bench_tables.cpp, on 2^20 packets).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <utility>
#include <vector>

namespace quadrille {

// A well-spread 64-bit number for each key; its high bits are the best.
inline std::uint64_t spread(std::uint64_t key) {
  key *= 0x9e3779b97f4a7c15;
  return (key ^ key >> 32) * 0xd6e8feb86659fd93;
}

// Keys: a packet, wherever it is; a packet at a node; a number of any kind at a place. Each type has a value that means
// "no key", a scramble whose upper bits are practically random, and says how many slots a table begins with and how
// many eighths of them may be used.
struct PacketKey {
  std::uint64_t packet = ~std::uint64_t{0};
  static constexpr std::size_t first_slots = 64;
  static constexpr std::size_t eighths = 4;
  bool operator==(const PacketKey&) const = default;
  bool none() const { return packet == ~std::uint64_t{0}; }
  std::uint64_t scramble() const { return packet * 0x9e3779b97f4a7c15u; }
};

struct PlaceKey {
  std::uint64_t packet = 0;
  std::uint32_t node = 0xffffffff;
  static constexpr std::size_t first_slots = 64;
  static constexpr std::size_t eighths = 4;
  bool operator==(const PlaceKey&) const = default;
  bool none() const { return node == 0xffffffff; }
  std::uint64_t scramble() const {
    const std::uint64_t first = packet * 0x9e3779b97f4a7c15u;
    return (first ^ (first >> 29) ^ node) * 0xbf58476d1ce4e5b9u;
  }
};

struct PairKey {
  std::uint64_t id = 0;
  std::uint32_t place = 0xffffffff;
  static constexpr std::size_t first_slots = 16;
  static constexpr std::size_t eighths = 5;
  bool operator==(const PairKey&) const = default;
  bool none() const { return place == 0xffffffff; }
  std::uint64_t scramble() const { return spread(id ^ std::uint64_t{place} << 38); }
};

// Open addressing with linear probing, as full as its keys say; erasing shifts later entries back, so nothing is left
// behind. Pointers to values live until the next insertion or erasure.
template <class Key, class Value>
class PacketTable {
 public:
  explicit PacketTable(std::pmr::memory_resource& memory)
      : slots_(Key::first_slots, &memory), shift_(64 - std::countr_zero(Key::first_slots)) {}

  std::size_t size() const { return size_; }

  // Asks the processor to fetch the key's slot; has no other effect.
  void prefetch(const Key& key) const { __builtin_prefetch(&slots_[home(key)]); }

  // Nothing if there is no such key.
  Value* find(const Key& key) {
    Slot& slot = slots_[position(key)];
    return slot.key.none() ? nullptr : &slot.value;
  }
  const Value* find(const Key& key) const {
    const Slot& slot = slots_[position(key)];
    return slot.key.none() ? nullptr : &slot.value;
  }

  // The key's value. If there is none yet, makes a new one, and second is true. Throws what the memory throws.
  std::pair<Value*, bool> insert(const Key& key) {
    if (8 * size_ >= Key::eighths * slots_.size()) grow();
    const std::size_t at = position(key);
    if (!slots_[at].key.none()) return {&slots_[at].value, false};
    ++size_;
    slots_[at].key = key;
    return {&slots_[at].value, true};
  }

  // Calls visit(key, value) for every entry, in no particular order.
  template <class Visit>
  void each(Visit visit) const {
    for (const Slot& slot : slots_) {
      if (!slot.key.none()) visit(slot.key, slot.value);
    }
  }

  // Requires that the key is there.
  void erase(const Key& key) {
    std::size_t hole = position(key);
    for (std::size_t at = next(hole); !slots_[at].key.none(); at = next(at)) {
      if (reaches(home(slots_[at].key), hole, at)) {
        slots_[hole] = std::move(slots_[at]);
        hole = at;
      }
    }
    slots_[hole] = Slot{};
    --size_;
  }

 private:
  struct Slot {
    [[no_unique_address]] Key key;  // its last bytes may hold the value
    Value value{};
  };

  std::size_t home(const Key& key) const { return static_cast<std::size_t>(key.scramble() >> shift_); }
  std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

  // The slot that holds the key, or the empty one where it belongs.
  std::size_t position(const Key& key) const {
    std::size_t at = home(key);
    while (!slots_[at].key.none() && !(slots_[at].key == key)) at = next(at);
    return at;
  }

  // Whether probing from `from` passes `hole` before it comes to `at`.
  bool reaches(std::size_t from, std::size_t hole, std::size_t at) const {
    const std::size_t mask = slots_.size() - 1;
    return ((at - from) & mask) >= ((at - hole) & mask);
  }

  void grow() {
    std::pmr::vector<Slot> old(2 * slots_.size(), slots_.get_allocator());
    old.swap(slots_);
    --shift_;
    for (Slot& slot : old) {
      if (!slot.key.none()) slots_[position(slot.key)] = std::move(slot);
    }
  }

  std::pmr::vector<Slot> slots_;
  int shift_;
  std::size_t size_ = 0;
};

}  // namespace quadrille
