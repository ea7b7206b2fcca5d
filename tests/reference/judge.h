// The reference checker's state: the rows of a table, and a function for each row or paragraph of model/MODEL.md, over
// all of them at once. Its parts: reference_check.cpp (properties of rows, copying), judge_rounds.cpp,
// judge_queues.cpp, judge_combining.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/reference/partial_reduction.h"
#include "tests/reference/reference_check.h"
#include "tests/reference/round_messages.h"
#include "tests/reference/switch_contents.h"

namespace quadrille::reference {

using Step = std::uint32_t;

// A row with everything that it names looked up. In rounds: a (message, chunk, receiver), from its sender to it.
struct Hop {
  Step step;
  NodeId from, to;
  ChannelId channel;
  std::uint32_t lane;
  ChunkId packet;
  std::size_t message = 0;               // in rounds: its place among all
  bool joins = false;                    // in rounds: on its way; `from` says nothing
  std::vector<std::uint32_t> sent = {};  // the words that the row out of `from` names
  Arrival arrival = Arrival::joined;     // what the row into `to` says
};

class Judge {
 public:
  explicit Judge(const SendTable& table)
      : table_(table), fabric_(table.fabric), collective_(table.collective), contents_(table.collective) {
    if (rounds()) {
      read_messages();
      return;
    }
    read_rows();
  }

  // Requires judge().
  HeldAtEnd held_at_end() const;

  Findings judge() {
    if (rounds()) {
      judge_rounds();
    } else {
      judge_rows();
    }
    note_arrivals();
    found_.queue_by_level.resize(fabric_.levels() + 1);
    found_.channel_queue_by_level.resize(fabric_.levels() + 1);
    if (collective_.combining()) {
      combine();
    } else {
      if (forwarding()) forward_copies();
      judge_causal_copies();
      judge_complete_copies();
      judge_non_redundant();
    }
    if (!rounds()) measure_queues();
    measure_buffers();
    judge_claims();
    for (std::size_t i = 0; i < properties; ++i) {
      if (i != non_redundant && i != agreement && found_.violations[i] > 0) found_.verdict = Verdict::violated;
    }
    return found_;
  }

 private:
  bool rounds() const { return fabric_.in_rounds(); }
  void violation(PropertyNumber property) { ++found_.violations[property]; }
  bool processor(NodeId node) const { return node.value < fabric_.processors(); }
  bool forwarding() const { return fabric_.switches_forward(); }
  bool reducing() const { return fabric_.switches_reduce() && collective_.combining(); }

  void judge_rows() {
    measure();
    judge_well_formed();
    judge_contention_free();
    judge_capacity();
    if (fabric_.rules().duplex == Duplex::half) judge_half_duplex();
    if (fabric_.rules().ports == Ports::single) judge_single_port();
  }

  void read_rows();
  void read_messages();
  void judge_rounds();
  void judge_held_paths();
  void judge_message_ports();
  void measure_rounds();
  void measure_load();
  void measure();
  void judge_well_formed();
  void judge_contention_free();
  void judge_capacity();
  void judge_half_duplex();
  void judge_links(const std::map<std::pair<Step, ChannelId>, std::uint32_t>& uses);
  void judge_single_port();
  void note_arrivals();
  std::optional<Step> latest_arrival(NodeId node, ChunkId packet, Step before) const;
  void measure_queues();
  void measure_buffers();
  void wait_for(ChannelId channel, Step arrival, Step departure);
  void forward_copies();
  void judge_causal_copies();
  void judge_complete_copies();
  void judge_non_redundant();
  void judge_claims();

  using Place = std::pair<std::uint32_t, std::uint32_t>;  // processor, value
  struct Joining {
    PartialReduction carried;
    Arrival arrival;
  };
  using Order =
      std::tuple<std::uint32_t, ChannelId, std::uint32_t, ChunkId>;  // smallest contribution, channel, lane, packet; …
  using Arrivals = std::map<Place, std::multimap<Order, Joining>>;   // … then in the order of messages
  void combine();
  std::vector<PartialReduction> take_along(const std::vector<Hop>& step);
  PartialReduction leaving(const Hop& hop);
  PartialReduction crossing(const RoundMessage& message, Wanted wanted, ChannelId channel);
  std::optional<PartialReduction> taken_from_switch(const Hop& hop);
  void bring_to_switches(const std::vector<Hop>& step, const std::vector<PartialReduction>& carried);
  void judge_gaps_in_switches();
  Arrivals bring(const std::vector<Hop>& step, const std::vector<PartialReduction>& carried);
  PartialReduction chained(const Hop& hop, const ChunkName& name);
  void join(const Arrivals& arrivals);
  struct Added {  // to what is held, in a step, since that was replaced
    PartialReduction to;
    std::vector<PartialReduction> all;
  };
  void join_one(Place place, const Joining& arriving, Added& added);
  std::optional<PartialReduction> result(Place place) const;
  void judge_agreement();
  void judge_complete_reductions();

  const SendTable& table_;
  const Fabric& fabric_;
  const Collective& collective_;
  std::vector<Hop> hops_;  // by step, channel, lane, packet, message
  RoundMessages messages_;
  std::map<std::pair<NodeId, ChunkId>, std::set<Step>> arrivals_;  // at any node
  std::map<Place, std::vector<PartialReduction>> kept_;            // likewise: words 1, 2, …
  std::map<Place, PartialReduction> held_;                         // combining
  std::map<std::pair<NodeId, ChunkId>, PartialReduction>
      brought_;  // combining: by the latest row of a packet into a node
  // Other than under `copy`.
  SwitchContents contents_;
  std::set<std::size_t> gaps_;  // of its packets: those that have left with a gap
  std::map<std::pair<ChannelId, Step>, std::uint64_t> waiting_;
  Findings found_;
};

}  // namespace quadrille::reference
