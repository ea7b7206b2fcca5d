// Copies: any copying collective: for every chunk and node, when it came and when it left. Nothing is forgotten.
//
// Each step is read twice: first every row's departure is judged by what had arrived before the step, then the arrivals
// are recorded. For a processor the first arrival counts; for a switch the latest one, with its last departure so far.
//
// Cost: two look-ups a row, 10 to 40 ns; 8 bytes for each (chunk, node) if all of them are few (then an array is used),
// else some 40 bytes for each pair that a row touches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/containers/packet_table.h"
#include "verifier/checker/forwarding.h"
#include "verifier/checker/tracker.h"

namespace quadrille::checker {

// A packet at a node: the steps of its arrival (0: never) and of its last departure since (0: none).
struct Stay {
  std::uint32_t arrival = 0;
  std::uint32_t departure = 0;
};

// The stays of all chunks at all nodes: an array or a hash table.
class Stays {
 public:
  Stays(std::uint64_t chunks, std::uint32_t nodes, bool sparse, Budget& budget);

  // Null or a stay with arrival 0 if there is none.
  Stay* find(std::uint64_t chunk, std::uint32_t node) {
    return dense_.empty() ? sparse_.find({chunk, node}) : &dense_[chunk * nodes_ + node];
  }
  Stay& insert(std::uint64_t chunk, std::uint32_t node) {
    return dense_.empty() ? *sparse_.insert({chunk, node}).first : dense_[chunk * nodes_ + node];
  }
  void prefetch(std::uint64_t chunk, std::uint32_t node) const {
    if (dense_.empty()) {
      sparse_.prefetch({chunk, node});
    } else {
      __builtin_prefetch(&dense_[chunk * nodes_ + node], 1);
    }
  }

  // Calls visit(chunk, node, stay) for every stay.
  template <class Visit>
  void each(Visit visit) {
    sparse_.each([&](const PairKey& at, const Stay& stay) { visit(at.id, at.place, stay); });
    for (std::size_t at = 0; at < dense_.size(); ++at) {
      if (dense_[at].arrival != 0) visit(at / nodes_, static_cast<std::uint32_t>(at % nodes_), dense_[at]);
    }
  }

 private:
  std::uint64_t nodes_;
  Share share_;
  std::vector<Stay> dense_;
  PacketTable<PairKey, Stay> sparse_;
};

// Records a departure of step `step` through `channel` of the packet that stays at a switch; in rounds nothing waits.
void leave_switch(Pass& pass, Stay& stay, ChannelId channel, NodeId at, std::uint32_t step);

class Copies final : public Tracker {
 public:
  // Follows the chunks marked in `only`; all of them if it is null.
  Copies(Pass pass, Bits& delivered, const Bits* only);

  void step(const StepRows& batch) override;
  void finish() override;

 private:
  // Where a chunk with one target was seen last.
  struct Seen {
    std::uint32_t node = 0;
    std::uint32_t step = 0;
  };

  bool follows(ChunkId chunk) const { return only_ == nullptr || only_->test(chunk.value); }
  void step_in_order(const StepRows& batch);
  void depart(const StepRows& batch, std::size_t index);
  void arrive(const StepRows& batch, std::size_t index);
  void reach_processor(const StepRows& batch, std::size_t index, NodeId processor);
  std::string last_seen(ChunkId chunk);

  Pass pass_;
  ChannelList channels_;
  std::uint32_t processors_;
  Bits& delivered_;
  const Bits* only_;
  Stays stays_;
  PacketTable<PairKey, Seen> seen_;       // by (chunk, 0); only of the chunks in only_
  std::optional<Forwarding> forwarding_;  // in place of stays_ at switches, under `switches: forward`
};

}  // namespace quadrille::checker
