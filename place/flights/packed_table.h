// PackedTable: a hash table from chunks at processors to small values, for millions of them. Entries lie side by side;
// at most half of the slots are taken; an entry whose slot is taken goes to the next free one. Entries are never
// erased.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "place/flights/chunk_at.h"

namespace quadrille {

template <class Value>
class PackedTable {
 public:
  // The entry of that key, with `value` if there was none; and whether there was none. Valid until the next insert.
  std::pair<Value&, bool> insert(const ChunkAt& key, Value value) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place(key)];
    if (slot.processor != none) return {slot.value, false};
    slot = {key.chunk, key.processor, value};
    ++size_;
    return {slot.value, true};
  }

  // Null if there is none.
  const Value* find(const ChunkAt& key) const {
    if (size_ == 0) return nullptr;
    const Slot& slot = slots_[place(key)];
    return slot.processor == none ? nullptr : &slot.value;
  }
  Value* find(const ChunkAt& key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

  // Calls visit(ChunkAt, Value), in no order that means anything.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.processor != none) visit(ChunkAt{slot.chunk, slot.processor}, slot.value);
    }
  }

  std::size_t size() const { return size_; }

 private:
  static constexpr std::uint32_t none = 0xffffffff;  // no processor's number (max_fabric_size)
  static constexpr std::size_t fewest = 64;

  struct Slot {
    std::uint64_t chunk = 0;
    std::uint32_t processor = none;
    Value value = {};
  };

  // Where the key is, or would be.
  std::size_t place(const ChunkAt& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(hash(key)) & mask;
    while (slots_[at].processor != none && (slots_[at].chunk != key.chunk || slots_[at].processor != key.processor))
      at = (at + 1) & mask;
    return at;
  }

  // Every bit of the key comes into the lower ones.
  static std::uint64_t hash(const ChunkAt& key) {
    std::uint64_t bits = (key.chunk ^ std::uint64_t{key.processor} << 32) * 0x9e3779b97f4a7c15U;
    bits ^= bits >> 32U;
    bits *= 0xd6e8feb86659fd93U;
    return bits ^ bits >> 32U;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? fewest : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.processor != none) slots_[place({slot.chunk, slot.processor})] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace quadrille
