// Three ways to move packets: each at one place only; copies that are never forgotten; and partial
// reductions that are combined.
// Their tables grow within the memory of the Work, and long steps ask it for more time: Ended comes out of step() and
// finish().
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
#include "model/fabric.h"
#include "model/limits/work.h"
#include "model/messages/contribution_set.h"
#include "model/messages/packet_table.h"
#include "model/messages/step_messages.h"
#include "model/send_table.h"
#include "runtime/context.h"
#include "runtime/switch_reductions.h"

namespace quadrille::replaying {

// To be called with every index of a loop over `rows` rows: asks for more time, 2^16 rows at once.
inline void spend_on_row(Work& work, std::size_t index, std::size_t rows) {
  constexpr std::size_t piece = std::size_t{1} << 16;
  if (index % piece == 0) work.spend(std::min(rows - index, piece));
}

// Which demands of a copying collective have been met.
class Deliveries {
 public:
  Deliveries(const Collective& collective, Work& work)
      : work_(work), demands_(collective.demands()), pages_(demands_ / page_size + 1, &work) {}
  // The chunk has come to this processor.
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
  void add_unmet(const ReplayContext& context, StepId end) const;  // a fault for each

 private:
  static constexpr std::uint64_t page_size = 1 << 15;
  using Page = std::bitset<page_size>;  // made where a demand is met: many are declared in few bytes
  bool is_met(std::uint64_t demand) const {
    const auto& page = pages_[demand / page_size];
    return page && (*page)[demand % page_size];
  }

  Work& work_;
  std::uint64_t demands_;
  std::pmr::vector<std::unique_ptr<Page>> pages_;
  std::uint64_t met_count_ = 0;
};

// Copying collectives without multicast: a packet is in one place, its record moves with it and is dropped on delivery.
// step() is false when a row takes a packet from where its record is not. Whether that is a fault only a carrier that
// forgets nothing can say: the replay must then begin again with CopyingCarrier.
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
  std::span<const Channel> channels_;
  std::uint32_t processors_;
  PacketTable<PacketKey, ChunkAtNode> packets_;  // those on their way
  Deliveries deliveries_;
};

// Copying collectives, exactly: who has had a packet once has it for ever.
class CopyingCarrier {
 public:
  explicit CopyingCarrier(const ReplayContext& context)
      : context_(context), rows_(&context.work), stays_(context.work), deliveries_(context.collective, context.work) {
    if (context.fabric.switches_forward()) in_switches_.emplace(context.work);
  }
  bool step(const StepRows& step);  // always true
  void finish(StepId end) { deliveries_.add_unmet(context_, end); }
  std::uint64_t delivered() const { return deliveries_.met(); }
  std::uint64_t demanded() const { return context_.collective.demands(); }

 private:
  void forward(const StepRows& step);
  void sort_rows(const StepRows& step);
  void depart(StepId step, const Row& row);
  void arrive(StepId step, const Row& row);

  ReplayContext context_;
  std::optional<SwitchCopies> in_switches_;  // where these forward; stays_ then has processors only
  std::pmr::vector<const Row*> rows_;        // likewise: of the step, by channel and lane
  PacketTable<PlaceKey, ReplayedStay> stays_;
  Deliveries deliveries_;
};

// Copying collectives in rounds, message by message.
class RoundCarrier {
 public:
  explicit RoundCarrier(const ReplayContext& context)
      : context_(context), places_(context.work), deliveries_(context.collective, context.work) {}
  void round(const StepRows& batch, std::span<const Message> messages);
  void finish(StepId end) { deliveries_.add_unmet(context_, end); }
  std::uint64_t delivered() const { return deliveries_.met(); }
  std::uint64_t demanded() const { return context_.collective.demands(); }

 private:
  void depart(StepId round, NodeId from, const Row& row);
  void arrive(NodeId to, ChunkId chunk);

  ReplayContext context_;
  PacketTable<PlaceKey, std::uint32_t> places_;  // where packets have come; how many copies of one are in a switch
  Deliveries deliveries_;
};

}  // namespace quadrille::replaying
