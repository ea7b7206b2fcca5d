// Two carriers, which move packets in two ways: packets that are at one place only; and copies that are never
// forgotten. Their tables grow within the memory of the Work, and long steps ask it for more
// time, so step(), round() and finish() throw Ended.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
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
  void add_unmet(const ReplayContext& context, StepId end) const;  // adds a fault for each

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
  explicit MovingCarrier(const ReplayContext& context);
  bool step(const StepRows& step);
  void finish(StepId end) { deliveries_.add_unmet(context_, end); }
  std::uint64_t delivered() const { return deliveries_.met(); }
  std::uint64_t demanded() const { return context_.collective.demands(); }

 private:
  struct ChunkAtNode {
    NodeId node;
    std::uint32_t arrived = 0;
  };
  bool move(StepId step, const Row& row);
  bool set_out(const Row& row, NodeId from, ChunkAtNode*& place);

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
  bool step(const StepRows& step);  // always true
  void round(const StepRows& batch, std::span<const Message> messages);
  void finish(StepId end) { deliveries_.add_unmet(context_, end); }
  std::uint64_t delivered() const { return deliveries_.met(); }
  std::uint64_t demanded() const { return context_.collective.demands(); }

 private:
  void forward(const StepRows& step);
  void sort_rows(const StepRows& step);
  void depart(StepId step, const Row& row);
  void arrive(StepId step, const Row& row);

  ReplayContext context_;
  // The steps of arrivals, if switches forward; then stays_ has processors only.
  std::optional<PacketsInSwitches<StepId>> in_switches_;
  std::pmr::vector<const Row*> rows_;  // likewise: of the step, by channel and lane
  PacketTable<PlaceKey, SwitchStay> stays_;
  Deliveries deliveries_;
};

}  // namespace quadrille::replaying
