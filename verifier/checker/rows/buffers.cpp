// A chunk is in a processor's buffer after each step from the one in which it first comes to the last but one before
// the processor sends it for the last time. What is never sent on is in no buffer; nor is what the processor begins
// with.
//
//   on a ring, in step 1 "0->*" comes to 1, in step 2 1 sends its own, in step 3 "3->*" comes, in step 4 1 sends
//   "0->*": after step 3 there are two
//
// All receptions and sends are collected, and sorted twice: by processor and chunk, and what comes of it by processor
// and step. Cost: 24 bytes and two sorts for each of them; done only where a claim speaks of it.
// Source: Single-Port Multinode Broadcasting, §3.2 (two-message buffers).
#include "verifier/checker/rows/buffers.h"

#include <algorithm>
#include <tuple>

namespace quadrille::checker {
namespace {

// Makes room for one more, by half as many more; what there was and what there will be is there at once.
template <class Item>
void make_room(std::vector<Item>& items, Share& share) {
  if (items.size() < items.capacity()) return;
  const std::size_t before = items.capacity();
  const std::size_t after = std::max<std::size_t>(1024, before + before / 2);
  share.add(after * sizeof(Item));
  items.reserve(after);
  share.remove(before * sizeof(Item));
}

}  // namespace

void Buffers::add(NodeId node, ChunkId chunk, StepId step, bool sent) {
  if (!table_.fabric.is_processor(node)) return;
  make_room(events_, share_);
  const bool combining = table_.collective.combining();
  events_.push_back({node.value, combining ? table_.collective.value_of(chunk) : chunk.value, step.value, sent});
}

void Buffers::step(const StepRows& batch, const Messages* messages) {
  const auto from = [&](std::uint32_t row) { return table_.fabric.channel(batch.rows[row].channel).from; };
  const auto to = [&](std::uint32_t row) { return table_.fabric.channel(batch.rows[row].channel).to; };
  if (messages == nullptr) {
    for (std::uint32_t row = 0; row < batch.rows.size(); ++row) {
      look_at_limits(limits_, row);
      add(from(row), batch.rows[row].chunk, batch.step, true);
      add(to(row), batch.rows[row].chunk, batch.step, false);
    }
    return;
  }
  std::uint64_t looked = 0;
  for (const CheckedMessage& message : messages->all()) {
    const auto rows = messages->rows(message);
    for (std::size_t first = 0; first < rows.size(); first += message.channels) {
      look_at_limits(limits_, looked++);
      for (const std::uint32_t place : messages->starts(message)) {
        const std::uint32_t row = rows[first + place];
        add(from(row), batch.rows[row].chunk, batch.step, true);
      }
      for (const std::uint32_t place : messages->ends(message)) {
        const std::uint32_t row = rows[first + place];
        add(to(row), batch.rows[row].chunk, batch.step, false);
      }
    }
  }
}

void Buffers::add_change(const Change& change) {
  make_room(changes_, share_);
  changes_.push_back(change);
}

std::uint64_t Buffers::largest() {
  std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
    return std::tie(a.processor, a.chunk, a.step) < std::tie(b.processor, b.chunk, b.step);
  });
  for (std::size_t i = 0; i < events_.size();) {
    look_at_limits(limits_, i);
    const Event& of = events_[i];
    std::uint32_t came = 0;  // no step
    std::uint32_t left = 0;
    for (; i < events_.size() && events_[i].processor == of.processor && events_[i].chunk == of.chunk; ++i) {
      if (events_[i].sent) left = events_[i].step;
      if (!events_[i].sent && came == 0) came = events_[i].step;
    }
    if (came == 0 || left <= came) continue;
    add_change({of.processor, came, 1});
    add_change({of.processor, left, -1});
  }
  std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return std::tie(a.processor, a.step, a.more) < std::tie(b.processor, b.step, b.more);
  });
  // Within a step what leaves comes first, so that all of it is gone when what comes is counted.
  std::int64_t now = 0;
  std::int64_t most = 0;
  for (const Change& change : changes_) most = std::max(most, now += change.more);
  return static_cast<std::uint64_t>(most);
}

}  // namespace quadrille::checker
