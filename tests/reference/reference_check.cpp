// Each function below is one row or paragraph of model/MODEL.md, over all rows of the table at once.
#include "tests/reference/reference_check.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "tests/reference/partial_reduction.h"
#include "tests/reference/round_messages.h"
#include "tests/reference/switch_contents.h"

namespace quadrille::reference {

namespace {

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
    judge_claims();
    for (std::size_t i = 0; i < properties; ++i) {
      if (i != non_redundant && i != agreement && found_.violations[i] > 0) found_.verdict = Verdict::violated;
    }
    return found_;
  }

 private:
  bool rounds() const { return fabric_.rules().timing == Timing::rounds; }
  void violation(PropertyNumber property) { ++found_.violations[property]; }
  bool processor(NodeId node) const { return node.value < fabric_.processors(); }
  bool forwarding() const { return fabric_.rules().switches == Switching::forward; }
  bool reducing() const { return fabric_.rules().switches == Switching::reduce && collective_.combining(); }

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
  void measure();
  void judge_well_formed();
  void judge_contention_free();
  void judge_capacity();
  void judge_half_duplex();
  void judge_single_port();
  void note_arrivals();
  std::optional<Step> latest_arrival(NodeId node, ChunkId packet, Step before) const;
  void measure_queues();
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
  void join_one(Place place, const Joining& arriving);
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

// --- Properties ---------------------------------------------------------------------------------------------------

void Judge::measure() {
  for (const Hop& hop : hops_) {
    ++found_.rows;
    if (processor(hop.from)) ++found_.messages;
    found_.steps = std::max<std::uint64_t>(found_.steps, hop.step);
  }
}

// Row whose lane is not below its channel's capacity.
void Judge::judge_well_formed() {
  for (const Hop& hop : hops_) {
    if (hop.lane >= fabric_.channel(hop.channel).capacity) violation(well_formed);
  }
}

// (Step, channel, lane) used by more than one row.
void Judge::judge_contention_free() {
  std::map<std::tuple<Step, ChannelId, std::uint32_t>, int> uses;
  for (const Hop& hop : hops_) ++uses[{hop.step, hop.channel, hop.lane}];
  for (const auto& [lane, count] : uses) {
    if (count > 1) violation(contention_free);
  }
}

// (Step, channel) with more rows than its capacity.
void Judge::judge_capacity() {
  std::map<std::pair<Step, ChannelId>, std::uint32_t> rows;
  for (const Hop& hop : hops_) ++rows[{hop.step, hop.channel}];
  for (const auto& [key, count] : rows) {
    if (count > fabric_.channel(key.second).capacity) violation(capacity);
  }
}

// (Step, link) whose directions together exceed the capacity of one, if neither alone does.
void Judge::judge_half_duplex() {
  std::map<std::pair<Step, ChannelId>, std::map<ChannelId, std::uint32_t>> rows;  // (step, lower channel) -> direction
  for (const Hop& hop : hops_) {
    const ChannelId back = fabric_.channel_between(hop.to, hop.from).value_or(hop.channel);  // none: it goes one way
    ++rows[{hop.step, std::min(hop.channel, back)}][hop.channel];
  }
  for (const auto& [key, directions] : rows) {
    std::uint32_t together = 0;
    bool one_alone = false;
    for (const auto& [channel, count] : directions) {
      together += count;
      if (count > fabric_.channel(channel).capacity) one_alone = true;
    }
    if (together > fabric_.channel(key.second).capacity && !one_alone) violation(capacity);
  }
}

// (Step, processor) that sends more than one row; that receives more than one; in half duplex: one of each.
void Judge::judge_single_port() {
  std::map<std::pair<Step, NodeId>, std::pair<int, int>> rows;  // sent, received
  for (const Hop& hop : hops_) {
    if (processor(hop.from)) ++rows[{hop.step, hop.from}].first;
    if (processor(hop.to)) ++rows[{hop.step, hop.to}].second;
  }
  for (const auto& [key, counts] : rows) {
    const auto [sent, received] = counts;
    if (sent > 1) violation(capacity);
    if (received > 1) violation(capacity);
    if (fabric_.rules().duplex == Duplex::half && sent == 1 && received == 1) violation(capacity);
  }
}

// A claim that does not hold.
void Judge::judge_claims() {
  Measured measured{static_cast<std::int64_t>(found_.steps), static_cast<std::int64_t>(found_.messages),
                    static_cast<std::int64_t>(found_.rows), static_cast<std::int64_t>(found_.max_queue)};
  if (found_.volume) measured.volume = static_cast<std::int64_t>(*found_.volume);
  if (found_.hops) measured.hops = static_cast<std::int64_t>(*found_.hops);
  for (const Claim& claim : table_.claims) {
    const Verdict verdict = claim.evaluate(measured).first;
    if (verdict == Verdict::violated) violation(claims);
    if (verdict == Verdict::unknown) found_.verdict = Verdict::unknown;
  }
}

// --- Rounds -------------------------------------------------------------------------------------------------------

void Judge::read_rows() {
  const auto cursor = table_.rows->open();
  while (const auto batch = cursor->next()) {
    const auto first = static_cast<std::ptrdiff_t>(hops_.size());
    for (std::size_t i = 0; i < batch->rows.size(); ++i) {
      const Row& row = batch->rows[i];
      const Channel& channel = fabric_.channel(row.channel);
      hops_.push_back({batch->step.value, channel.from, channel.to, row.channel, row.lane.value, row.chunk});
      if (batch->words.empty()) continue;
      hops_.back().sent = batch->words[i].sent;
      hops_.back().arrival = batch->words[i].arrival;
    }
    std::stable_sort(hops_.begin() + first, hops_.end(), [](const Hop& a, const Hop& b) {
      return std::tie(a.channel, a.lane, a.packet) < std::tie(b.channel, b.lane, b.packet);
    });
  }
}

// "With (message, chunk, receiver) for the row, the sender for its `from`, the receiver for its `to`, and the message's
// last channel, into the receiver, for the row's channel."
void Judge::read_messages() {
  messages_ = messages_of(table_);
  for (std::size_t number = 0; number < messages_.all.size(); ++number) {
    const RoundMessage& message = messages_.all[number];
    for (const auto& end : message.ends) {
      for (const ChunkId chunk : message.chunks) {
        if (!message.words.contains({chunk, end.channel})) continue;  // another packet stands for it there
        hops_.push_back({message.round, *message.senders.begin(), end.receiver, end.channel, end.lane, chunk, number,
                         message.joins});
        hops_.back().arrival = message.words.at({chunk, end.channel}).arrival;
        for (const auto& [channel, lane] : message.ways) {
          if (!message.joins && message.senders.contains(fabric_.channel(channel).from)) {
            hops_.back().sent = message.words.at({chunk, channel}).sent;
          }
        }
      }
    }
  }
  std::stable_sort(hops_.begin(), hops_.end(), [](const Hop& a, const Hop& b) {
    return std::tie(a.step, a.channel, a.lane, a.packet, a.message) <
           std::tie(b.step, b.channel, b.lane, b.packet, b.message);
  });
}

void Judge::judge_rounds() {
  found_.violations[well_formed] = messages_.ill_formed;
  for (const auto& [step, row] : all_rows(table_)) {
    ++found_.rows;
    found_.steps = std::max<std::uint64_t>(found_.steps, step.value);
    if (row.lane.value >= fabric_.channel(row.channel).capacity) violation(well_formed);
  }
  for (const RoundMessage& message : messages_.all) {
    if (processor(*message.senders.begin())) ++found_.messages;  // processors are numbered before switches
  }
  if (fabric_.rules().paths == Paths::held) judge_held_paths();
  if (fabric_.rules().ports == Ports::single) judge_message_ports();
  measure_rounds();
}

// (Round, channel, lane) used by more than one message; (round, channel) with more messages than its capacity; half
// duplex: (round, link), as in judge_half_duplex().
void Judge::judge_held_paths() {
  std::map<std::tuple<Step, ChannelId, std::uint32_t>, std::uint32_t> on_lane;
  std::map<std::pair<Step, ChannelId>, std::uint32_t> on_channel;
  for (const RoundMessage& message : messages_.all) {
    for (const auto& [channel, lane] : message.ways) {
      ++on_lane[{message.round, channel, lane}];
      ++on_channel[{message.round, channel}];
    }
  }
  for (const auto& [key, count] : on_lane) {
    if (count > 1) violation(contention_free);
  }
  std::map<std::pair<Step, ChannelId>, std::map<ChannelId, std::uint32_t>> on_link;
  for (const auto& [key, count] : on_channel) {
    const auto [round, channel] = key;
    if (count > fabric_.channel(channel).capacity) violation(capacity);
    const auto back = fabric_.reverse(channel);
    if (back) on_link[{round, std::min(channel, *back)}][channel] = count;
  }
  if (fabric_.rules().duplex != Duplex::half) return;
  for (const auto& [key, directions] : on_link) {
    std::uint32_t together = 0;
    bool one_alone = false;
    for (const auto& [channel, count] : directions) {
      together += count;
      if (count > fabric_.channel(channel).capacity) one_alone = true;
    }
    if (together > fabric_.channel(key.second).capacity && !one_alone) violation(capacity);
  }
}

// (Round, processor) that sends more than one message; that receives more than one; in half duplex: one of each.
void Judge::judge_message_ports() {
  std::map<std::pair<Step, NodeId>, std::pair<int, int>> count;  // sent, received
  for (const RoundMessage& message : messages_.all) {
    for (const NodeId sender : message.senders) {
      if (processor(sender)) ++count[{message.round, sender}].first;
    }
    for (const auto& end : message.ends) {
      if (processor(end.receiver)) ++count[{message.round, end.receiver}].second;
    }
  }
  for (const auto& [key, counts] : count) {
    const auto [sent, received] = counts;
    if (sent > 1) violation(capacity);
    if (received > 1) violation(capacity);
    if (fabric_.rules().duplex == Duplex::half && sent == 1 && received == 1) violation(capacity);
  }
}

// The sums over all rounds of the longest message, or the largest ⌈load / capacity⌉; and of the longest way.
void Judge::measure_rounds() {
  std::map<Step, std::uint64_t> length, way, load;
  std::map<std::pair<Step, ChannelId>, std::uint64_t> rows;
  for (const RoundMessage& message : messages_.all) {
    length[message.round] = std::max<std::uint64_t>(length[message.round], message.length);
    way[message.round] = std::max(way[message.round], message.longest);
  }
  for (const auto& [step, row] : all_rows(table_)) {
    const auto back = fabric_.reverse(row.channel);
    const bool link = fabric_.rules().duplex == Duplex::half && back;
    ++rows[{step.value, link ? std::min(row.channel, *back) : row.channel}];
  }
  for (const auto& [key, count] : rows) {
    const std::uint64_t capacity = fabric_.channel(key.second).capacity;
    load[key.first] = std::max(load[key.first], (count + capacity - 1) / capacity);
  }
  found_.volume = found_.hops = 0;
  for (const auto& [round, most] : way) *found_.hops += most;
  for (const auto& [round, most] : fabric_.rules().paths == Paths::held ? length : load) *found_.volume += most;
}

// --- Queues -------------------------------------------------------------------------------------------------------

// All rows that bring a packet in one step are one arrival.
void Judge::note_arrivals() {
  for (const Hop& hop : hops_) arrivals_[{hop.to, hop.packet}].insert(hop.step);
}

std::optional<Step> Judge::latest_arrival(NodeId node, ChunkId packet, Step before) const {
  const auto found = arrivals_.find({node, packet});
  if (found == arrivals_.end()) return std::nullopt;
  std::optional<Step> latest;
  for (const Step step : found->second) {
    if (step < before) latest = step;
  }
  return latest;
}

void Judge::wait_for(ChannelId channel, Step arrival, Step departure) {
  for (Step step = arrival + 1; step <= departure - 1; ++step) ++waiting_[{channel, step}];
}

void Judge::measure_queues() {
  std::map<std::tuple<NodeId, ChunkId, Step>, Step> last_departure;  // of an arrival: (switch, packet, its step)
  for (const Hop& hop : hops_) {
    if (processor(hop.from) || forwarding() || reducing()) continue;
    const auto arrival = latest_arrival(hop.from, hop.packet, hop.step);
    if (!arrival) continue;  // a departure that belongs to none
    wait_for(hop.channel, *arrival, hop.step);
    Step& last = last_departure[{hop.from, hop.packet, *arrival}];
    last = std::max(last, hop.step);
  }
  std::map<std::pair<NodeId, Step>, std::uint64_t> held;
  for (const auto& [key, last] : last_departure) {
    const auto& [node, packet, arrival] = key;
    for (Step step = arrival + 1; step <= last - 1; ++step) ++held[{node, step}];
  }
  for (const SwitchPacket& it : contents_.all()) {
    for (Step step = it.arrival + 1; it.departure && step <= *it.departure - 1; ++step) ++held[{it.at, step}];
  }

  const auto raise = [](std::uint64_t& largest, std::uint64_t size) { largest = std::max(largest, size); };
  for (const auto& [key, size] : held) {
    raise(found_.max_queue, size);
    raise(found_.queue_by_level[fabric_.level(key.first)], size);
    if (const auto limit = fabric_.rules().queue.limit; limit && size > *limit) violation(queue);
  }
  for (const auto& [key, size] : waiting_) {
    raise(found_.max_channel_queue, size);
    raise(found_.channel_queue_by_level[fabric_.level(fabric_.channel(key.first).from)], size);
    raise(found_.queue_of_channel[key.first], size);
  }
}

// --- Copying collectives --------------------------------------------------------------------------------------------

// `forward`: a row out of a switch that finds no copy is a causality violation.
void Judge::forward_copies() {
  for (auto first = hops_.begin(); first != hops_.end();) {
    const auto last = std::find_if(first, hops_.end(), [&](const Hop& hop) { return hop.step != first->step; });
    for (auto hop = first; hop != last; ++hop) {
      if (processor(hop->from)) continue;
      if (const SwitchPacket* copy = contents_.take(hop->from, hop->packet, hop->step)) {
        wait_for(hop->channel, copy->arrival, hop->step);
      } else {
        violation(causal);
      }
    }
    for (auto hop = first; hop != last; ++hop) {
      if (!processor(hop->to)) contents_.bring(hop->to, hop->packet, hop->step);
    }
    first = last;
  }
}

// Row whose `from` does not have the packet when the step begins.
void Judge::judge_causal_copies() {
  std::set<std::pair<std::size_t, ChunkId>> judged;  // in rounds: a chunk once, whatever its message's receivers
  for (const Hop& hop : hops_) {
    if (forwarding() && !processor(hop.from)) continue;  // forward_copies()
    if (rounds() && !judged.emplace(hop.message, hop.packet).second) continue;
    const bool starts_here = processor(hop.from) && collective_.starts_at(hop.packet, hop.from);
    if (!starts_here && !latest_arrival(hop.from, hop.packet, hop.step)) violation(causal);
  }
}

// Demand not met: the chunk is not at the processor at the end.
void Judge::judge_complete_copies() {
  for (std::uint64_t number = 0; number < collective_.demands(); ++number) {
    const auto [chunk, node] = collective_.demand_at(number);
    if (!arrivals_.contains({node, chunk})) violation(complete);
  }
}

void Judge::judge_non_redundant() {
  // Rows into a processor that had the chunk already: all but the first, and the first, too, where it starts.
  std::map<std::pair<NodeId, ChunkId>, std::uint64_t> rows_into;
  for (const Hop& hop : hops_) {
    if (processor(hop.to)) ++rows_into[{hop.to, hop.packet}];
  }
  for (const auto& [key, rows] : rows_into) {
    const bool starts_here = collective_.starts_at(key.second, key.first);
    found_.violations[non_redundant] += starts_here ? rows : rows - 1;
  }
  for (const SwitchPacket& copy : contents_.all()) {
    if (!copy.departure) violation(non_redundant);
  }
  if (forwarding()) return;
  // Arrivals at a switch that no departure belongs to.
  std::set<std::tuple<NodeId, ChunkId, Step>> taken_out;
  for (const Hop& hop : hops_) {
    const auto arrival = latest_arrival(hop.from, hop.packet, hop.step);
    if (arrival) taken_out.insert({hop.from, hop.packet, *arrival});
  }
  for (const auto& [key, steps] : arrivals_) {
    if (processor(key.first)) continue;
    for (const Step step : steps) {
      if (!taken_out.contains({key.first, key.second, step})) violation(non_redundant);
    }
  }
}

// --- Combining collectives ------------------------------------------------------------------------------------------

void Judge::combine() {
  for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
    for (std::uint32_t value = 0; value < collective_.values(); ++value) held_[{p, value}] = own_contribution(p);
  }
  for (auto first = hops_.begin(); first != hops_.end();) {
    const auto last = std::find_if(first, hops_.end(), [&](const Hop& hop) { return hop.step != first->step; });
    const std::vector<Hop> step(first, last);
    const std::vector<PartialReduction> carried = take_along(step);
    if (collective_.ordered() && reducing()) judge_gaps_in_switches();
    bring_to_switches(step, carried);
    join(bring(step, carried));
    first = last;
  }
  judge_complete_reductions();
  judge_agreement();
}

// The partial reduction that each row of a step carries: the origin's own, or what the latest row brought to where it
// starts.
std::vector<PartialReduction> Judge::take_along(const std::vector<Hop>& step) {
  std::vector<PartialReduction> carried;
  for (const Hop& hop : step) {
    if (!hop.joins) {
      carried.push_back(leaving(hop));
      continue;
    }
    const ChunkName name = collective_.name(hop.packet);
    carried.push_back(crossing(messages_.all[hop.message], {*name.target, name.part}, hop.channel));
  }
  return carried;
}

PartialReduction Judge::leaving(const Hop& hop) {
  const ChunkName name = collective_.name(hop.packet);
  if (hop.from.value == name.origin) return hop.sent.empty() ? held_[{name.origin, name.part}] : chained(hop, name);
  if (!processor(hop.from) && (forwarding() || reducing())) {
    const auto taken = taken_from_switch(hop);
    if (!taken) violation(causal);
    return taken.value_or(PartialReduction{});
  }
  if (const auto found = brought_.find({hop.from, hop.packet}); found != brought_.end()) return found->second;
  violation(causal);
  return {};
}

// What crosses a channel of a message that joins: what leaves its sender, or what has joined where ways meet.
PartialReduction Judge::crossing(const RoundMessage& message, Wanted wanted, ChannelId channel) {
  const NodeId from = fabric_.channel(channel).from;
  const ChunkId packet = message.joining.at({channel, wanted});
  if (message.senders.contains(from)) {
    Hop hop{message.round, from, fabric_.channel(channel).to, channel, 0, packet};
    hop.sent = message.words.at({packet, channel}).sent;
    return leaving(hop);
  }
  std::map<std::pair<std::uint32_t, ChannelId>, PartialReduction> arrived;
  std::size_t ways = 0;
  for (const auto& [before, lane] : message.ways) {
    if (fabric_.channel(before).to != from) continue;
    ++ways;
    const PartialReduction carried = crossing(message, wanted, before);
    if (!carried.empty()) arrived[{*carried.contributions.begin(), before}] = carried;
  }
  PartialReduction joined;
  for (const auto& [order, carried] : arrived) {
    if (disjoint(joined, carried) || collective_.idempotent()) {
      add(collective_, joined, carried);
    } else {
      violation(complete);
    }
  }
  if (ways > 1 && collective_.ordered() && has_gap(joined)) violation(complete);
  return joined;
}

std::optional<PartialReduction> Judge::taken_from_switch(const Hop& hop) {
  const SwitchPacket* taken =
      forwarding() ? contents_.take(hop.from, hop.packet, hop.step) : contents_.carry(hop.from, hop.packet, hop.step);
  if (!taken) return std::nullopt;
  wait_for(hop.channel, taken->arrival, hop.step);
  return taken->carried;
}

// `reduce`, ordered: "What leaves it must be an interval". Each one that leaves is judged once: it then is gone.
void Judge::judge_gaps_in_switches() {
  for (std::size_t number = 0; number < contents_.all().size(); ++number) {
    const SwitchPacket& it = contents_.all()[number];
    if (it.departure && has_gap(it.carried) && gaps_.insert(number).second) violation(complete);
  }
}

void Judge::bring_to_switches(const std::vector<Hop>& step, const std::vector<PartialReduction>& carried) {
  std::vector<SwitchContents::Arrival> arrivals;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const Hop& hop = step[i];
    if (processor(hop.to)) continue;
    if (forwarding()) contents_.bring(hop.to, hop.packet, hop.step, carried[i]);
    arrivals.push_back({hop.to, hop.packet, hop.channel, hop.lane, carried[i]});
  }
  if (!reducing()) return;
  found_.violations[complete] += contents_.join(std::move(arrivals), step.front().step);
}

// Rows arrive in the order of channel, then lane, then message. The result is what has reached its target.
Judge::Arrivals Judge::bring(const std::vector<Hop>& step, const std::vector<PartialReduction>& carried) {
  Arrivals arrivals;
  std::vector<std::size_t> order(step.size());
  for (std::size_t i = 0; i < step.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(step[a].channel, step[a].lane, step[a].message) <
           std::tie(step[b].channel, step[b].lane, step[b].message);
  });
  for (const std::size_t i : order) {
    const Hop& hop = step[i];
    const ChunkName name = collective_.name(hop.packet);
    brought_[{hop.to, hop.packet}] = carried[i];
    if (hop.to.value != *name.target || carried[i].empty()) continue;
    arrivals[{*name.target, name.part}].insert(
        {{*carried[i].contributions.begin(), hop.channel, hop.lane, hop.packet}, {carried[i], hop.arrival}});
  }
  return arrivals;
}

// "What these words, as they are when the step begins, make when they are chained."
PartialReduction Judge::chained(const Hop& hop, const ChunkName& name) {
  const Place place{name.origin, name.part};
  std::vector<PartialReduction> words{held_[place]};
  words.insert(words.end(), kept_[place].begin(), kept_[place].end());
  PartialReduction chain;
  bool missing = false;
  bool gap = false;
  for (const std::uint32_t number : hop.sent) {
    if (number >= words.size()) {
      missing = true;
    } else if (!disjoint(chain, words[number]) && !collective_.idempotent()) {
      violation(complete);
    } else {
      add(collective_, chain, words[number]);
      if (has_gap(chain)) gap = true;
    }
  }
  if (missing) violation(causal);
  if (gap && collective_.ordered()) violation(complete);
  return chain;
}

void Judge::join(const Arrivals& arrivals) {
  for (const auto& [place, arrived] : arrivals) {
    for (const auto& [order, arriving] : arrived) join_one(place, arriving);
    if (collective_.ordered() && has_gap(held_[place])) violation(complete);
  }
}

void Judge::join_one(Place place, const Joining& arriving) {
  PartialReduction& held = held_[place];
  const auto& [carried, arrival] = arriving;
  const bool may_unite = disjoint(held, carried) || collective_.idempotent();
  switch (arrival) {
    case Arrival::kept:
      kept_[place].push_back(carried);
      return;
    case Arrival::stored:
      if (!contains(carried, held)) return violation(complete);
      held = carried;
      return;
    case Arrival::combined:
      if (!may_unite) return violation(complete);
      held = united(collective_, held, carried);
      return;
    case Arrival::joined:
      break;
  }
  if (disjoint(held, carried)) {
    held = united(collective_, held, carried);
  } else if (contains(carried, held)) {
    held = carried;
  } else if (may_unite) {
    held = united(collective_, held, carried);
  } else {
    violation(complete);  // a contribution is counted twice
  }
}

// "Its words that have wanted contributions only, chained in the order of their smallest contributions"; nothing if the
// demand is not met.
std::optional<PartialReduction> Judge::result(Place place) const {
  const auto wanted = collective_.wanted_contributions(place.second, NodeId(place.first));
  PartialReduction whole;
  for (std::uint32_t contribution = wanted->first; contribution <= wanted->second; ++contribution)
    whole.contributions.insert(contribution);
  std::vector<PartialReduction> words;
  if (contains(whole, held_.at(place))) words.push_back(held_.at(place));
  if (const auto kept = kept_.find(place); kept != kept_.end()) {
    for (const PartialReduction& word : kept->second) {
      if (contains(whole, word)) words.push_back(word);
    }
  }
  std::sort(words.begin(), words.end(), [](const PartialReduction& a, const PartialReduction& b) {
    return *a.contributions.begin() < *b.contributions.begin();
  });
  PartialReduction chain;
  for (const PartialReduction& word : words) {
    if (!disjoint(chain, word) && !collective_.idempotent()) return std::nullopt;
    if (has_gap(word) && collective_.ordered()) return std::nullopt;
    add(collective_, chain, word);
  }
  return chain.contributions == whole.contributions ? std::optional(chain) : std::nullopt;
}

// Demand not met: the result is not what is wanted.
void Judge::judge_complete_reductions() {
  for (const auto& [place, held] : held_) {
    const auto wanted = collective_.wanted_contributions(place.second, NodeId(place.first));
    if (wanted && !result(place)) violation(complete);
  }
}

// "Of the processors that want the same contributions of a value, and whose demand for it is met, each whose result has
// another tree than that of the lowest of them."
void Judge::judge_agreement() {
  if (collective_.idempotent()) return;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::string> lowest;  // by value and what is wanted
  for (const auto& [place, held] : held_) {
    const auto wanted = collective_.wanted_contributions(place.second, NodeId(place.first));
    const auto own = wanted ? result(place) : std::nullopt;
    if (!own) continue;
    const auto first = lowest.emplace(std::tuple(place.second, wanted->first, wanted->second), own->tree).first;
    if (first->second != own->tree) violation(agreement);
  }
}

}  // namespace

Findings judge(const SendTable& table) { return Judge(table).judge(); }

}  // namespace quadrille::reference
