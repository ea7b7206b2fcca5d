// The channels of a fabric, and those at one node, as ranges of values. They are look-ups where the fabric lists its
// channels and arithmetic where it does not (complete graphs, whose channels are n(n - 1)): both are read alike.
//
//   for (const Channel& channel : fabric.all_channels()) lanes += channel.capacity;
//   const ChannelId first = fabric.channels_from(node)[0];
//
// They are valid as long as their fabric or a copy of it. Cost: one division for a channel that is not listed; else a
// look-up.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

#include "model/ids.h"

namespace quadrille {

// The largest number of nodes of a fabric, and of channels that it lists (Limits::channels).
inline constexpr std::uint32_t max_fabric_size = 1U << 26;

// One direction of a link; the whole link, if it goes one way.
struct Channel {
  NodeId from;
  NodeId to;
  std::uint32_t capacity = 1;  // lanes, at least 1
  std::uint32_t level = 0;     // in a complete tree: i for the channel between levels i-1 and i; elsewhere 0
  bool operator==(const Channel&) const = default;
};

// An iterator over the values list[0], list[1], … of a list that is cheap to copy.
template <class List>
class ListIterator {
 public:
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::input_iterator_tag;  // it gives values, not references
  using value_type = typename List::value_type;
  using difference_type = std::ptrdiff_t;
  using reference = value_type;
  using pointer = void;

  ListIterator() = default;
  ListIterator(List list, std::size_t at) : list_(list), at_(static_cast<difference_type>(at)) {}

  value_type operator*() const { return list_[static_cast<std::size_t>(at_)]; }
  value_type operator[](difference_type n) const { return list_[static_cast<std::size_t>(at_ + n)]; }
  ListIterator& operator++() { return *this += 1; }
  ListIterator& operator--() { return *this -= 1; }
  ListIterator operator++(int) { return ListIterator(list_, static_cast<std::size_t>(at_++)); }
  ListIterator operator--(int) { return ListIterator(list_, static_cast<std::size_t>(at_--)); }
  ListIterator& operator+=(difference_type n) { return at_ += n, *this; }
  ListIterator& operator-=(difference_type n) { return at_ -= n, *this; }
  friend ListIterator operator+(ListIterator it, difference_type n) { return it += n; }
  friend ListIterator operator+(difference_type n, ListIterator it) { return it += n; }
  friend ListIterator operator-(ListIterator it, difference_type n) { return it -= n; }
  friend difference_type operator-(const ListIterator& a, const ListIterator& b) { return a.at_ - b.at_; }
  friend bool operator==(const ListIterator& a, const ListIterator& b) { return a.at_ == b.at_; }
  friend auto operator<=>(const ListIterator& a, const ListIterator& b) { return a.at_ <=> b.at_; }

 private:
  List list_;
  difference_type at_ = 0;
};

// All channels of a fabric, by number.
class ChannelList {
 public:
  using value_type = Channel;
  using const_iterator = ListIterator<ChannelList>;

  ChannelList() = default;
  ChannelList(const Channel* listed, std::uint32_t size) : listed_(listed), size_(size) {}

  // Those of a complete graph of n nodes, at most 2^16: from a to b goes a(n - 1) + b, less 1 if b > a.
  static ChannelList complete(std::uint32_t nodes, std::uint32_t capacity) {
    ChannelList list(nullptr, nodes < 2 ? 0 : nodes * (nodes - 1));
    list.others_ = nodes < 2 ? 1 : nodes - 1;
    list.capacity_ = capacity;
    return list;
  }

  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Channel operator[](std::size_t i) const {
    if (listed_ != nullptr) return listed_[i];
    const std::uint32_t from = static_cast<std::uint32_t>(i) / others_;
    const std::uint32_t to = static_cast<std::uint32_t>(i) - from * others_;
    return {NodeId(from), NodeId(to < from ? to : to + 1), capacity_, 0};
  }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, size_}; }

 private:
  const Channel* listed_ = nullptr;  // else those of a complete graph
  std::uint32_t size_ = 0;
  std::uint32_t others_ = 1;  // the channels out of each node, if they are not listed
  std::uint32_t capacity_ = 1;
};

// Numbers of channels, listed or computed. Arithmetic is modulo 2^32.
class ChannelIds {
 public:
  using value_type = ChannelId;
  using const_iterator = ListIterator<ChannelIds>;

  ChannelIds() = default;
  ChannelIds(std::span<const ChannelId> listed)
      : listed_(listed.data()), size_(static_cast<std::uint32_t>(listed.size())) {}

  // first, first + 1, …
  static ChannelIds consecutive(std::uint32_t first, std::uint32_t size) {
    ChannelIds ids;
    ids.first_ = first;
    ids.size_ = size;
    return ids;
  }

  // first, first + stride, …; from place `gap` on with `jump` more.
  static ChannelIds spaced(std::uint32_t first, std::uint32_t size, std::uint32_t stride, std::uint32_t gap,
                           std::uint32_t jump) {
    ChannelIds ids = consecutive(first, size);
    ids.stride_ = stride;
    ids.gap_ = gap;
    ids.jump_ = jump;
    return ids;
  }

  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  ChannelId operator[](std::size_t i) const {
    if (listed_ != nullptr) return listed_[i];
    const auto place = static_cast<std::uint32_t>(i);
    return ChannelId(first_ + place * stride_ + (place < gap_ ? 0 : jump_));
  }
  ChannelId front() const { return (*this)[0]; }
  ChannelId back() const { return (*this)[size_ - std::size_t{1}]; }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, size_}; }

 private:
  const ChannelId* listed_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t stride_ = 1;
  std::uint32_t gap_ = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t jump_ = 0;
};

}  // namespace quadrille
