// A packet's rows are cut at processors: a row out of a processor begins a send, and a row out of a switch goes on with
// the one that reached it.
//
// For example, the rows 0->s in step 1, s->1 in step 2 and s->2 in step 2 of one packet are `at 1: send 0 -> {1, 2}`,
// if these are the routes of a send to several; else, or if the packet waits, its links are listed. A switch may have
// got a packet more than once: each row out belongs to the arrival that came first of those that have gone nowhere yet,
// or else to the latest.
//
// Where switches reduce, packets of a combining collective for one processor and value are one packet in a switch. Each
// row out of a processor is a send all the same, whose later rows may be those of other sends, too. Such a row has the
// name of the send that the schedule lists first (compiler/rows/rows.cpp). Other names are lost, and refused if a
// processor passes the packet on.
//
// Cost: rows · log rows, and the default routes of the sends; where rows speak of partial reductions, their replay,
// too.
#include "compiler/decompile/sent_flights.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "compiler/decompile/sent_reductions.h"

namespace quadrille {
namespace {

using RowsOfPacket = std::vector<StoredRows::StepRow>;

// A row, as a part of sends.
struct SentRow {
  std::uint32_t step = 0;
  ChannelId channel;
  ChunkId chunk;
  LaneId lane;
  std::vector<std::size_t> next;  // the rows that go on with it
};

// A row of a switch that reduces, with the sends that it stands for.
struct SharedRow {
  ChunkName name;
  NodeId at;
  std::uint32_t step = 0;
  std::vector<std::size_t> flights;
};

class FlightReader {
 public:
  FlightReader(const SendTable& table, const Router& router) : table_(table), fabric_(table.fabric), router_(router) {}

  Result<SentFlights> read() {
    if (table_.rows->has_partial_reductions() && !read_reductions()) return error_at({}, why_, Code::unsupported);
    const bool joins = fabric_.has_switches() && fabric_.switches_reduce() && table_.collective.combining();
    const bool read = joins ? read_joined() : read_packets();
    if (!read) return error_at({}, why_, Code::unsupported);
    std::ranges::sort(result_.flights);
    return std::move(result_);
  }

 private:
  // --- partial reductions -------------------------------------------------------------------------------------------

  bool read_reductions() {
    SentReductions reductions(table_);
    const auto cursor = table_.rows->open();
    while (const auto step = cursor->next()) {
      if (!reductions.read(*step)) return refuse(fmt::format("in step {} {}", step->step.value, reductions.why_not()));
      for (std::size_t i = 0; i < step->rows.size(); ++i) {
        const ReductionToSay& said = reductions.to_say()[i];
        if (said.sum || said.keeping) to_say_.emplace(key_of(step->step.value, step->rows[i]), said);
      }
    }
    return true;
  }

  using RowKey = std::tuple<std::uint32_t, ChannelId, LaneId, ChunkId>;
  static RowKey key_of(std::uint32_t step, const Row& row) { return {step, row.channel, row.lane, row.chunk}; }

  ReductionToSay to_say(const SentRow& row) const {
    const auto found = to_say_.find({row.step, row.channel, row.lane, row.chunk});
    return found == to_say_.end() ? ReductionToSay() : found->second;
  }

  // --- packets that stay apart ------------------------------------------------------------------------------------

  bool read_packets() {
    std::map<ChunkId, RowsOfPacket> packets;
    for (const StoredRows::StepRow& row : all_rows(table_)) packets[row.row.chunk].push_back(row);
    return std::ranges::all_of(packets, [&](const auto& packet) { return cut(packet.second); });
  }

  bool cut(const RowsOfPacket& rows) {
    sent_.clear();
    std::map<NodeId, std::vector<std::size_t>> arrivals;
    for (const auto& [step, row] : rows) {
      const Channel& channel = fabric_.channel(row.channel);
      if (!fabric_.is_processor(channel.from)) {
        const auto before = arrival_for(arrivals[channel.from], step.value);
        if (!before) return leaves_too_early(step.value, row);
        sent_[*before].next.push_back(sent_.size());
      }
      if (!fabric_.is_processor(channel.to)) arrivals[channel.to].push_back(sent_.size());
      sent_.push_back({step.value, row.channel, row.chunk, row.lane, {}});
    }
    for (const SentRow& row : sent_) {
      if (row.next.empty() && !fabric_.is_processor(fabric_.channel(row.channel).to)) return never_leaves(row);
    }
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      if (fabric_.is_processor(fabric_.channel(sent_[i].channel).from) && !add_flight(i)) return false;
    }
    return true;
  }

  // Returns the arrival at a switch that a row out of it goes on with, in a later step.
  std::optional<std::size_t> arrival_for(const std::vector<std::size_t>& arrivals, std::uint32_t step) const {
    std::optional<std::size_t> latest;
    for (const std::size_t arrival : arrivals) {
      if (sent_[arrival].step >= step) break;
      if (sent_[arrival].next.empty()) return arrival;
      latest = arrival;
    }
    return fabric_.switches_forward() ? std::nullopt : latest;
  }

  bool add_flight(std::size_t first) {
    std::vector<std::size_t> path{first};
    while (sent_[path.back()].next.size() == 1) path.push_back(sent_[path.back()].next.front());
    return sent_[path.back()].next.empty() ? add_path(path) : add_tree(first);
  }

  // --- packets that join in switches --------------------------------------------------------------------------------

  bool read_joined() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, RowsOfPacket> values;  // by target and part
    for (const StoredRows::StepRow& row : all_rows(table_)) {
      const ChunkName name = table_.collective.name(row.row.chunk);
      values[{name.target.value_or(0), name.part}].push_back(row);
    }
    std::vector<SharedRow> joined;
    for (const auto& [value, rows] : values) {
      if (!join(rows, joined)) return false;
    }
    return std::ranges::all_of(joined, [&](const SharedRow& row) { return named_after_first(row); });
  }

  // A row out of a switch goes on with all that has come there since the last step in which something left it.
  bool join(const RowsOfPacket& rows, std::vector<SharedRow>& joined) {
    sent_.clear();
    std::map<NodeId, std::vector<std::size_t>> held;
    std::map<NodeId, std::uint32_t> left;
    for (const auto& [step, row] : rows) {
      const Channel& channel = fabric_.channel(row.channel);
      if (!fabric_.is_processor(channel.from)) {
        std::vector<std::size_t>& arrivals = held[channel.from];
        const auto [last, first_time] = left.emplace(channel.from, step.value);
        if (!first_time && std::exchange(last->second, step.value) == step.value) return parts(channel.from, row.chunk);
        const auto came = [this, now = step.value](std::size_t arrival) { return sent_[arrival].step < now; };
        if (std::ranges::none_of(arrivals, came)) return leaves_too_early(step.value, row);
        for (const std::size_t arrival : arrivals) {
          if (came(arrival)) sent_[arrival].next.push_back(sent_.size());
        }
        std::erase_if(arrivals, came);
      }
      if (!fabric_.is_processor(channel.to)) held[channel.to].push_back(sent_.size());
      sent_.push_back({step.value, row.channel, row.chunk, row.lane, {}});
    }
    for (const auto& [node, arrivals] : held) {
      if (!arrivals.empty()) return never_leaves(sent_[arrivals.front()]);
    }
    return add_joined(joined);
  }

  bool add_joined(std::vector<SharedRow>& joined) {
    std::map<std::size_t, SharedRow> shared;  // by row
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      if (!fabric_.is_processor(fabric_.channel(sent_[i].channel).from)) continue;
      std::vector<std::size_t> path{i};
      while (!sent_[path.back()].next.empty()) path.push_back(sent_[path.back()].next.front());
      for (std::size_t h = 1; h < path.size(); ++h) {
        const SentRow& sent = sent_[path[h]];
        SharedRow& row = shared[path[h]];
        row.name = table_.collective.name(sent.chunk);
        row.at = fabric_.channel(sent.channel).from;
        row.step = sent.step;
        row.flights.push_back(result_.flights.size());
      }
      if (!add_path(path)) return false;
    }
    for (auto& [place, row] : shared) {
      result_.joined = result_.joined || row.flights.size() > 1;
      joined.push_back(std::move(row));
    }
    return true;
  }

  // Sends that wait on their way make their rows after the others of a step.
  bool named_after_first(const SharedRow& row) {
    const auto before = [&](std::size_t a, std::size_t b) {
      const auto waits = [&](std::size_t i) { return result_.flights[i].stays(); };
      return waits(a) != waits(b) ? waits(b) : result_.flights[a] < result_.flights[b];
    };
    const SentFlight& first = result_.flights[*std::ranges::min_element(row.flights, before)];
    // What goes to its target is the same by any name. A processor on the way passes on what came by one name.
    const bool arrives = first.to.front() == row.name.target;
    if (arrives || first.chunks.front() == row.name) return true;
    return refuse(
        fmt::format("the row out of switch {} in step {} has the name {}; the rows of a schedule have the name "
                    "of its first send that joins there, {}",
                    fabric_.name(row.at), row.step, to_string(row.name), to_string(first.chunks.front())));
  }

  // --- sends --------------------------------------------------------------------------------------------------------

  SentFlight begun(const SentRow& first) const {
    SentFlight flight;
    flight.step = first.step;
    flight.from = fabric_.channel(first.channel).from.value;
    flight.chunks = {table_.collective.name(first.chunk)};
    if (const auto sum = to_say(first).sum) flight.sum.assign(sum->all().begin(), sum->all().end());
    return flight;
  }

  bool add_path(const std::vector<std::size_t>& path) {
    SentFlight flight = begun(sent_[path.front()]);
    std::vector<ChannelId> channels;
    for (std::size_t h = 0; h < path.size(); ++h) {
      const SentRow& row = sent_[path[h]];
      channels.push_back(row.channel);
      if (h == 0) continue;
      flight.waits.push_back(row.step - sent_[path[h - 1]].step - 1);
      flight.along.push_back(fabric_.channel(row.channel).from);
    }
    for (std::size_t h = 0; h < flight.waits.size(); ++h) {
      if (flight.waits[h] == 0 || std::ranges::count(channels, channels[h + 1]) == 1) continue;
      return refuse(fmt::format("packet {} waits in switch {} for channel {}, which it crosses twice",
                                to_string(flight.chunks.front()), fabric_.name(flight.along[h]),
                                fabric_.name(channels[h + 1])));
    }
    const NodeId target = fabric_.channel(channels.back()).to;
    if (target.value == flight.from) return comes_back(sent_[path.back()]);
    flight.to = {target.value};
    flight.keeping = to_say(sent_[path.back()]).keeping;
    std::vector<ChannelId> usual;
    router_.append_route(NodeId{flight.from}, target, usual);
    if (usual == channels) flight.along.clear();
    result_.flights.push_back(std::move(flight));
    return true;
  }

  // A send to several. By default it takes the routes to all of them, without waiting.
  bool add_tree(std::size_t first) {
    SentFlight flight = begun(sent_[first]);
    std::vector<ChannelId> channels;
    std::set<NodeId> entered;
    std::vector<std::size_t> open{first};
    while (!open.empty()) {
      const SentRow& row = sent_[open.back()];
      open.pop_back();
      channels.push_back(row.channel);
      const NodeId at = fabric_.channel(row.channel).to;
      if (at.value == flight.from) return comes_back(row);
      if (!entered.insert(at).second) return enters_twice(row);
      if (row.next.empty()) flight.to.push_back(at.value);
      flight.keeping = flight.keeping || to_say(row).keeping;
      for (const std::size_t next : row.next) {
        const std::uint32_t waits = sent_[next].step - row.step - 1;
        if (waits > 0) flight.tree_waits.push_back({at, fabric_.channel(sent_[next].channel).to, waits});
        open.push_back(next);
      }
    }
    std::ranges::sort(flight.to);
    std::ranges::sort(flight.tree_waits);
    const NodeId source{flight.from};
    if (!flight.tree_waits.empty() ||
        std::set<ChannelId>(channels.begin(), channels.end()) != channels_to(source, flight.to))
      flight.links = links_of(fabric_, source, channels);
    result_.flights.push_back(std::move(flight));
    return true;
  }

  std::set<ChannelId> channels_to(NodeId from, const std::vector<std::uint32_t>& targets) const {
    std::vector<ChannelId> channels;
    for (const std::uint32_t target : targets) router_.append_route_in_tree(from, NodeId{target}, channels);
    return {channels.begin(), channels.end()};
  }

  // --- what has no send
  // -----------------------------------------------------------------------------------------------

  bool refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }
  bool leaves_too_early(std::uint32_t step, const Row& row) {
    return refuse(fmt::format("packet {} leaves switch {} in step {}, and none has come there before",
                              table_.collective.label(row.chunk), fabric_.name(fabric_.channel(row.channel).from),
                              step));
  }
  bool never_leaves(const SentRow& row) {
    return refuse(fmt::format("packet {}, which comes to switch {} in step {}, never leaves it",
                              table_.collective.label(row.chunk), fabric_.name(fabric_.channel(row.channel).to),
                              row.step));
  }
  bool comes_back(const SentRow& last) {
    return refuse(fmt::format("packet {} comes back in step {} to processor {}, which sent it",
                              table_.collective.label(last.chunk), last.step,
                              fabric_.name(fabric_.channel(last.channel).to)));
  }
  bool enters_twice(const SentRow& row) {
    return refuse(
        fmt::format("packet {}, which parts in a switch, comes to {} twice, the second time in step {} or "
                    "before",
                    table_.collective.label(row.chunk), fabric_.name(fabric_.channel(row.channel).to), row.step));
  }
  bool parts(NodeId at, ChunkId chunk) {
    return refuse(fmt::format("packet {} parts in switch {}, where packets join", table_.collective.label(chunk),
                              fabric_.name(at)));
  }

  const SendTable& table_;
  const Fabric& fabric_;
  const Router& router_;
  std::vector<SentRow> sent_;                // of the packet at work, in order of steps
  std::map<RowKey, ReductionToSay> to_say_;  // by row that says something
  SentFlights result_;
  std::string why_;
};

}  // namespace

std::vector<SentLinks> links_of(const Fabric& fabric, NodeId source, const std::vector<ChannelId>& channels) {
  std::map<NodeId, std::set<NodeId>> leaving;
  for (const ChannelId channel : channels) leaving[fabric.channel(channel).from].insert(fabric.channel(channel).to);
  std::vector<SentLinks> links;
  std::vector<NodeId> reached{source};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const auto found = leaving.find(reached[i]);
    if (found == leaving.end()) continue;
    links.push_back({reached[i], {found->second.begin(), found->second.end()}});
    reached.insert(reached.end(), found->second.begin(), found->second.end());
  }
  return links;
}

Result<SentFlights> sent_flights(const SendTable& table, const Router& router) {
  return FlightReader(table, router).read();
}

}  // namespace quadrille
