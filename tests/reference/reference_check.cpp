// Each function below, and those of judge_rounds.cpp, judge_queues.cpp and judge_combining.cpp, is one row or paragraph
// of model/MODEL.md, over all rows of the table at once.
#include "tests/reference/reference_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tests/reference/judge.h"

namespace quadrille::reference {

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

void Judge::judge_half_duplex() {
  std::map<std::pair<Step, ChannelId>, std::uint32_t> rows;
  for (const Hop& hop : hops_) ++rows[{hop.step, hop.channel}];
  judge_links(rows);
}

// (Step, link) whose directions together exceed the capacity of one, if neither alone does. In rounds, messages.
void Judge::judge_links(const std::map<std::pair<Step, ChannelId>, std::uint32_t>& uses) {
  std::map<std::pair<Step, ChannelId>, std::map<ChannelId, std::uint32_t>> on_link;  // by the lower channel: directions
  for (const auto& [key, count] : uses) {
    const auto [step, channel] = key;
    const Channel& it = fabric_.channel(channel);
    const auto back = fabric_.channel_between(it.to, it.from);
    if (back) on_link[{step, std::min(channel, *back)}][channel] = count;
  }
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
  measured.max_buffer = static_cast<std::int64_t>(found_.max_buffer);
  if (found_.volume) measured.volume = static_cast<std::int64_t>(*found_.volume);
  measured.load = found_.load;
  if (found_.hops) measured.hops = static_cast<std::int64_t>(*found_.hops);
  for (const TableClaim& claim : table_.claims) {
    const Verdict verdict = claim.evaluate(measured).first;
    if (verdict == Verdict::violated) violation(claims);
    if (verdict == Verdict::unknown) found_.verdict = Verdict::unknown;
  }
}

// --- Rows, and when they arrive -----------------------------------------------------------------------------------

void Judge::read_rows() {
  const auto cursor = table_.rows->open();
  while (const auto batch = cursor->next()) {
    const auto first = static_cast<std::ptrdiff_t>(hops_.size());
    for (std::size_t i = 0; i < batch->rows.size(); ++i) {
      const Row& row = batch->rows[i];
      const Channel& channel = fabric_.channel(row.channel);
      hops_.push_back({batch->step.value, channel.from, channel.to, row.channel, row.lane.value, row.chunk});
      if (batch->uses.empty()) continue;
      hops_.back().sent = batch->uses[i].sent;
      hops_.back().arrival = batch->uses[i].arrival;
    }
    std::stable_sort(hops_.begin() + first, hops_.end(), [](const Hop& a, const Hop& b) {
      return std::tie(a.channel, a.lane, a.packet) < std::tie(b.channel, b.lane, b.packet);
    });
  }
}

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

HeldAtEnd Judge::held_at_end() const {
  HeldAtEnd held;
  for (const auto& [place, reduction] : held_) held[{place.first, {}, place.second}] = reduction.contributions;
  if (collective_.combining()) return held;
  for (std::uint64_t chunk = 0; chunk < collective_.chunk_ids(); ++chunk) {
    if (!collective_.has(ChunkId(chunk))) continue;
    const ChunkName name = collective_.name(ChunkId(chunk));
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      const bool there =
          collective_.starts_at(ChunkId(chunk), NodeId(p)) || arrivals_.contains({NodeId(p), ChunkId(chunk)});
      if (there) held[{p, name.target, name.part}].insert(name.origin);
    }
  }
  return held;
}

HeldAtEnd held_at_end(const SendTable& table) {
  Judge judge(table);
  (void)judge.judge();
  return judge.held_at_end();
}

Findings judge(const SendTable& table) { return Judge(table).judge(); }

}  // namespace quadrille::reference
