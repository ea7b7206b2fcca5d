// Two carriers move packets of copying collectives through a table, and compare with where they are. Their tables grow
// within the memory of the Work, and long steps ask it for more time, so step(), round() and finish() throw Ended.
//
// If each packet is for one processor, its record moves with it and is dropped on delivery: 0 -> 2 by way of 1 is a
// record "at 1 since step 1" after the first row, and none after the second. So the memory is that of the packets in
// flight. If several processors want a packet, or if such a record was missing, nothing is forgotten: there is a record
// for each (packet, node), kept from its first arrival on. Cost: a look-up in a hash table for each row (fetched eight
// rows ahead where records move).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "model/collective.h"
#include "model/containers/packet_table.h"
#include "model/fabric.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/packets_in_switches.h"
#include "motion/step_messages.h"
#include "runtime/context.h"

namespace quadrille::replaying {

// Asks for more time, for 2^16 rows at once. To be called with every index of a loop over `rows` rows.
inline void spend_on_row(Work& work, std::size_t index, std::size_t rows) {
  constexpr std::size_t piece = std::size_t{1} << 16;
  if (index % piece == 0) work.spend(std::min(rows - index, piece));
}

// Records which demands of a copying collective have been met.
class Deliveries {
 public:
  Deliveries(const Collective& collective, Work& work)
      : work_(work), demands_(collective.demands()), pages_(demands_ / page_size + 1, &work) {}
  // Notes that the chunk has come to this processor.
  void arrive(const Collective& collective, ChunkId chunk, NodeId processor) {
    if (const auto demand = collective.demand(chunk, processor)) meet(*demand);
  }
  void meet(std::uint64_t demand) {
    std::unique_ptr<Page>& page = pages_[demand / page_size];
    if (!page) {
      work_.take(1, sizeof(Page));
      page = std::make_unique<Page>();
    }
    auto bit = (*page)[demand % page_size];
    met_count_ += !bit;
    bit = true;
  }
  std::uint64_t met() const { return met_count_; }

  // adds a fault for each
  void add_unmet(const ReplayContext& context, StepId end) const {
    std::uint64_t unmet_count = demands_ - met_count_;
    // Adds faults only as far as they are listed; the count tells how many more there are.
    for (std::uint64_t demand = 0; unmet_count > 0 && context.faults.lists_more(); ++demand) {
      context.work.spend(1);
      if (is_met(demand)) continue;
      --unmet_count;
      const auto unmet = context.collective.demand_at(demand);
      context.faults.add(end, {}, unmet.first, [&] {
        return fmt::format("packet {} is never delivered to {}", context.collective.label(unmet.first),
                           context.fabric.name(unmet.second));
      });
    }
    context.faults.add_unlisted(unmet_count);
  }

 private:
  static constexpr std::uint64_t page_size = 1 << 15;
  using Page = std::bitset<page_size>;  // made when a demand in it is met: many demands are declared in few bytes
  bool is_met(std::uint64_t demand) const {
    const auto& page = pages_[demand / page_size];
    return page && (*page)[demand % page_size];
  }

  Work& work_;
  std::uint64_t demands_;
  std::pmr::vector<std::unique_ptr<Page>> pages_;
  std::uint64_t met_count_ = 0;
};

// Moves packets of copying collectives without multicast. A packet is in one place; its record moves with it and is
// dropped on delivery. step() is false if a row takes a packet from where its record is not. Only a carrier that
// forgets nothing can say whether that is a fault, so the replay must begin again with CopyingCarrier.
class MovingCarrier {
 public:
  explicit MovingCarrier(const ReplayContext& context)
      : context_(context),
        channels_(context.fabric.all_channels()),
        processors_(context.fabric.processors()),
        packets_(context.work),
        deliveries_(context.collective, context.work) {}

  bool step(const StepRows& step) {
    constexpr std::size_t ahead = 8;  // rows whose records are fetched in the meantime
    for (std::size_t i = 0; i < step.rows.size(); ++i) {
      spend_on_row(context_.work, i, step.rows.size());
      if (i + ahead < step.rows.size()) packets_.prefetch({step.rows[i + ahead].chunk.value});
      if (!move(step.step, step.rows[i])) return false;
    }
    return true;
  }

  void finish(StepId end) { deliveries_.add_unmet(context_, end); }
  std::uint64_t delivered() const { return deliveries_.met(); }
  std::uint64_t demanded() const { return context_.collective.demands(); }

 private:
  struct ChunkAtNode {
    NodeId node;
    std::uint32_t arrived = 0;
  };

  // Moves the packet; false if it is not where the row takes it from, or was moved in this step already.
  bool move(StepId step, const Row& row) {
    const Channel& channel = channels_[row.channel.value];
    ChunkAtNode* place = packets_.find({row.chunk.value});
    if (!place) {
      if (!set_out(row, channel.from, place)) return false;
    } else if (place->node != channel.from || place->arrived >= step.value) {
      return false;
    } else if (channel.from.value >= processors_) {
      SwitchStay stay{place->arrived, 0};
      context_.queues.leave(stay, row.channel, step);
    }
    // A processor that wants the packet is the end of its path, because the packet is for one processor only.
    if (channel.to.value < processors_) {
      if (const auto demand = context_.collective.demand(row.chunk, channel.to)) {
        deliveries_.meet(*demand);
        packets_.erase({row.chunk.value});
        return true;
      }
    }
    *place = {channel.to, step.value};
    return true;
  }

  bool set_out(const Row& row, NodeId from, ChunkAtNode*& place) {
    if (from.value >= processors_ || !context_.collective.starts_at(row.chunk, from)) return false;
    place = packets_.insert({row.chunk.value}).first;
    return true;
  }

  ReplayContext context_;
  ChannelList channels_;
  std::uint32_t processors_;
  PacketTable<PacketKey, ChunkAtNode> packets_;  // packets on their way
  Deliveries deliveries_;
};

// Moves packets of copying collectives, exactly, row by row or, in rounds, message by message: a processor that has had
// a packet has it for ever.
class CopyingCarrier {
 public:
  explicit CopyingCarrier(const ReplayContext& context)
      : context_(context), rows_(&context.work), stays_(context.work), deliveries_(context.collective, context.work) {
    if (context.fabric.switches_forward()) in_switches_.emplace(context.fabric, context.collective, context.work);
  }

  // Always true. All departures of a step come before its arrivals: a packet that arrives in a step cannot leave in it.
  bool step(const StepRows& step) {
    if (in_switches_) {
      forward(step);
      return true;
    }
    for (std::size_t i = 0; i < step.rows.size(); ++i) {
      spend_on_row(context_.work, i, step.rows.size());
      depart(step.step, step.rows[i]);
    }
    for (std::size_t i = 0; i < step.rows.size(); ++i) {
      spend_on_row(context_.work, i, step.rows.size());
      arrive(step.step, step.rows[i]);
    }
    return true;
  }

  void round(const StepRows& batch, std::span<const Message> messages) {
    for (const Message& message : messages) {
      for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
        context_.work.spend(1);
        depart(batch.step, batch.rows[message.row(packet, message.from.front().hop)]);
      }
    }
    for (const Message& message : messages) {
      for (const Message::End& to : message.to) {
        for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
          context_.work.spend(1);
          arrive(batch.step, batch.rows[message.row(packet, to.hop)]);
        }
      }
    }
  }

  void finish(StepId end) { deliveries_.add_unmet(context_, end); }
  std::uint64_t delivered() const { return deliveries_.met(); }
  std::uint64_t demanded() const { return context_.collective.demands(); }

 private:
  // In switches that forward, the copy that a row takes depends on the rows before it.
  void forward(const StepRows& step) {
    sort_rows(step);
    for (const Row* row : rows_) {
      context_.work.spend(1);
      depart(step.step, *row);
    }
    for (const Row* row : rows_) {
      context_.work.spend(1);
      arrive(step.step, *row);
    }
  }

  void sort_rows(const StepRows& step) {
    rows_.clear();
    for (const Row& row : step.rows) rows_.push_back(&row);
    std::sort(rows_.begin(), rows_.end(), [this](const Row* a, const Row* b) {
      context_.work.spend(1);
      return std::tie(a->channel, a->lane, a->chunk, a) < std::tie(b->channel, b->lane, b->chunk, b);
    });
  }

  void depart(StepId step, const Row& row) {
    const NodeId from = context_.fabric.channel(row.channel).from;
    const bool from_processor = context_.fabric.is_processor(from);
    if (in_switches_ && !from_processor) {
      const StepId* arrived = in_switches_->leave(from, row.chunk);
      if (arrived == nullptr) return add_missing_packet(context_, step, from, row);
      SwitchStay stay{arrived->value, 0};
      context_.queues.leave(stay, row.channel, step);
    } else if (SwitchStay* stay = stays_.find({row.chunk.value, from.value})) {
      if (!from_processor) context_.queues.leave(*stay, row.channel, step);
    } else if (!from_processor || !context_.collective.starts_at(row.chunk, from)) {
      add_missing_packet(context_, step, from, row);
    }
  }

  void arrive(StepId step, const Row& row) {
    const NodeId to = context_.fabric.channel(row.channel).to;
    const bool to_processor = context_.fabric.is_processor(to);
    if (in_switches_ && !to_processor) {
      *in_switches_->arrive(to, row.chunk).first = step;
      return;
    }
    const auto [stay, is_new] = stays_.insert({row.chunk.value, to.value});
    *stay = {step.value, 0};
    if (is_new && to_processor) deliveries_.arrive(context_.collective, row.chunk, to);
  }

  ReplayContext context_;
  // The steps of arrivals, if switches forward; then stays_ has processors only.
  std::optional<PacketsInSwitches<StepId>> in_switches_;
  std::pmr::vector<const Row*> rows_;  // likewise: of the step, by channel and lane
  PacketTable<PlaceKey, SwitchStay> stays_;
  Deliveries deliveries_;
};

}  // namespace quadrille::replaying
