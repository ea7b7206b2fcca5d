// PacketsInSwitches says which arrival at a switch a departure continues (model/MODEL.md, Queues and Switches).
//
// Switches that copy: the latest of earlier steps. Switches that forward: the first that no departure has taken.
// Switches that reduce, in combining collectives: all that has joined for the packet's target and part, which is gone
// when the step of its departure ends. For example, a packet comes to a switch in steps 1 and 3 and leaves in steps 2
// and 4: switches of each kind continue the arrival of step 1 in step 2, and that of step 3 in step 4.
//
// Cost: a look-up for each departure and arrival; memory for what is in switches.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/containers/packet_table.h"
#include "model/fabric.h"
#include "model/limits/work.h"

namespace quadrille {

// `Content`: what is known of an arrival, or of all that has joined.
template <class Content>
class PacketsInSwitches {
 public:
  // `keep`: where switches copy, a packet that has left may leave once more in a later step; else it is forgotten then.
  PacketsInSwitches(const Fabric& fabric, const Collective& collective, Work& work, bool keep = true)
      : collective_(collective),
        forward_(fabric.switches_forward()),
        reduce_(fabric.switches_reduce() && collective.combining()),
        forget_(reduce_ || !keep),
        lines_(work),
        entries_(&work),
        left_(&work) {}

  bool copy() const { return !forward_ && !reduce_; }

  // The arrival that a departure continues; null: the switch does not have the packet. Requires that a step's
  // departures come before its arrivals, and valid until the first of these. Throws Ended.
  Content* leave(NodeId node, ChunkId packet) {
    const PlaceKey key = key_of(node, packet);
    const Line* line = lines_.find(key);
    if (line == nullptr) return nullptr;
    Content* content = &entries_[line->first].content;
    if (forward_) {
      remove_first(key);
    } else if (forget_) {
      left_.push_back(key);
    }
    return content;
  }

  // All departures of the step are known.
  void end_departures() {
    for (const PlaceKey& key : left_) {
      if (lines_.find(key) != nullptr) remove_first(key);
    }
    left_.clear();
  }

  // Knows an arrival from now on. Second: it is new; else it is that of an earlier one (switches that copy), or of all
  // that has joined (switches that reduce). Throws Ended.
  std::pair<Content*, bool> arrive(NodeId node, ChunkId packet) {
    const auto [line, is_new] = lines_.insert(key_of(node, packet));
    if (!is_new && !forward_) return {&entries_[line->first].content, false};
    const std::uint32_t entry = new_entry();
    (is_new ? line->first : entries_[line->last].next) = entry;
    line->last = entry;
    return {&entries_[entry].content, true};
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Entry {
    Content content = {};
    std::uint32_t next = none;  // behind it in its line, or among those that are free
  };
  struct Line {  // of entries that have come to one place
    std::uint32_t first = none;
    std::uint32_t last = none;
  };

  PlaceKey key_of(NodeId node, ChunkId packet) const {
    if (!reduce_) return {packet.value, node.value};
    const ChunkName name = collective_.name(packet);
    return {std::uint64_t{name.target.value_or(0)} << 32 | name.part, node.value};
  }

  // The entry's content stays readable until an arrival takes its room.
  void remove_first(const PlaceKey& key) {
    Line& line = *lines_.find(key);
    const std::uint32_t entry = line.first;
    if (entry == line.last) {
      lines_.erase(key);
    } else {
      line.first = entries_[entry].next;
    }
    entries_[entry].next = std::exchange(free_, entry);
  }

  std::uint32_t new_entry() {
    if (free_ == none) {
      entries_.emplace_back();
      return static_cast<std::uint32_t>(entries_.size() - 1);
    }
    const std::uint32_t entry = std::exchange(free_, entries_[free_].next);
    entries_[entry] = {};
    return entry;
  }

  const Collective& collective_;
  bool forward_;
  bool reduce_;
  bool forget_;
  PacketTable<PlaceKey, Line> lines_;
  std::pmr::vector<Entry> entries_;
  std::uint32_t free_ = none;        // the first entry that is free
  std::pmr::vector<PlaceKey> left_;  // in this step, to be forgotten
};

}  // namespace quadrille
