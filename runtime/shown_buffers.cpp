// The table is read twice: for the last step in which each processor sends each chunk, and for the arrivals. For
// example, on a ring of 4, after step 1 of an all-gather to the right, processor 1 holds "0->*", which it sends in
// step 2, and "1->*", which it has sent.
//
// Cost: a look-up for each row, or message and chunk, and all that is shown.
#include "runtime/shown_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "model/limits/work.h"
#include "motion/step_messages.h"

namespace quadrille {
namespace {

class Reading {
 public:
  Reading(const SendTable& table, const Limits& limits)
      : table_(table),
        work_(limits),
        messages_(table.fabric, table.collective, work_),
        held_(table.fabric.processors()) {}

  std::vector<ShownStep> read() {
    read_sends();
    if (!too_many()) begin();
    const auto cursor = table_.rows->open();
    while (!too_many()) {
      const auto batch = cursor->next();
      if (!batch) break;
      if (batch->rows.empty()) continue;
      for (const Message& message : messages_.read(*batch)) arrive(*batch, message);
      show(batch->step);
    }
    if (const Reason reason = cursor->ended_early(); reason != Reason::none) throw Ended{reason};
    return std::move(steps_);
  }

  bool too_many() const { return shown_ > most_shown; }

 private:
  // Calls visit(node, chunk) for each chunk that the message takes from its senders, or brings to its receivers.
  template <class Visit>
  void ends(const StepRows& batch, const Message& message, std::span<const Message::End> ends, const Visit& visit) {
    work_.spend(std::uint64_t{message.packets} * ends.size());
    for (const Message::End& end : ends) {
      if (!table_.fabric.is_processor(end.node)) continue;
      for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
        visit(end.node, batch.rows[message.row(packet, end.hop)].chunk);
      }
    }
  }

  std::uint64_t key(NodeId node, ChunkId chunk) const { return chunk.value * table_.fabric.processors() + node.value; }

  void read_sends() {
    const auto cursor = table_.rows->open();
    while (const auto batch = cursor->next()) {
      if (batch->rows.empty()) continue;
      for (const Message& message : messages_.read(*batch)) {
        ends(*batch, message, message.from,
             [&](NodeId node, ChunkId chunk) { last_sent_[key(node, chunk)] = batch->step.value; });
      }
      if (last_sent_.size() > most_shown) return count(most_shown + 1);
    }
    if (const Reason reason = cursor->ended_early(); reason != Reason::none) throw Ended{reason};
  }

  void begin() {
    const Collective& collective = table_.collective;
    const std::uint64_t ids = collective.chunk_ids();
    if (ids * held_.size() / held_.size() != ids || ids * held_.size() > 64 * most_shown) return count(most_shown + 1);
    for (std::uint64_t id = 0; id < ids; ++id) {
      const ChunkId chunk(id);
      for (std::size_t p = 0; p < held_.size() && collective.has(chunk); ++p) {
        work_.spend(1);
        if (collective.starts_at(chunk, NodeId(static_cast<std::uint32_t>(p)))) held_[p].push_back(chunk);
      }
    }
    show(StepId(0));
  }

  void arrive(const StepRows& batch, const Message& message) {
    ends(batch, message, message.to, [&](NodeId node, ChunkId chunk) {
      auto& held = held_[node.value];
      work_.spend(held.size());
      if (std::find(held.begin(), held.end(), chunk) == held.end()) held.push_back(chunk);
    });
  }

  void show(StepId step) {
    std::uint64_t chunks = 0;
    for (const auto& held : held_) chunks += held.size() + 1;
    count(chunks);
    if (too_many()) return;
    ShownStep& shown = steps_.emplace_back();
    shown.step = step;
    for (std::size_t p = 0; p < held_.size(); ++p) {
      ShownBuffer& of = shown.processors.emplace_back();
      for (const ChunkId chunk : held_[p]) {
        const auto sent = last_sent_.find(key(NodeId(static_cast<std::uint32_t>(p)), chunk));
        (sent != last_sent_.end() && sent->second > step.value ? of.waiting : of.held).push_back(chunk);
      }
    }
  }

  void count(std::uint64_t chunks) { shown_ += chunks; }

  const SendTable& table_;
  Work work_;
  StepMessages messages_;
  std::unordered_map<std::uint64_t, std::uint32_t> last_sent_;
  std::vector<std::vector<ChunkId>> held_;
  std::vector<ShownStep> steps_;
  std::uint64_t shown_ = 0;
};

}  // namespace

Result<ShownBuffers> buffers_of(const SendTable& table, const Limits& limits) {
  if (table.collective.combining()) {
    return error_at({}, "--show buffers: expected a collective that copies; this one combines contributions",
                    Code::usage);
  }
  try {
    Reading reading(table, limits);
    ShownBuffers result{reading.read()};
    if (!reading.too_many()) return result;
    return error_at(
        {}, fmt::format("--show buffers: more than {} chunks in processors to show, all steps together", most_shown),
        Code::usage);
  } catch (const Ended& ended) {
    return ShownBuffers{{}, ended.reason};
  }
}

}  // namespace quadrille
