// A row out of a processor begins a send, and those that go on with it (motion/continued_rows.h) are its further
// hops. For example, the rows 0->s in step 1, s->1 in step 2 and s->2 in step 2 of one packet are `at 1: send 0 -> {1,
// 2}`, if these are the routes of a send to several; else, or if the packet waits, its links are listed.
//
// Where packets join in switches, the later rows of a send may be those of other sends, too. Such a row has the name of
// the send that the schedule lists first (compiler/rows/rows.cpp). Other names are lost, and refused if a processor
// passes the packet on.
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
#include "model/limits/work.h"
#include "motion/continued_rows.h"
#include "motion/moves.h"

namespace quadrille {
namespace {

class StepDecompiler {
 public:
  StepDecompiler(const SendTable& table, const Router& router)
      : table_(table), fabric_(table.fabric), router_(router), joins_(joins_in_switches(table)) {}

  Result<SentFlights> read() {
    if (table_.rows->has_partial_reductions() && !read_reductions()) return error_at({}, why_, Code::unsupported);
    const Limits limits;
    Work work(limits);
    Result<std::vector<ContinuedRow>> rows = continued_rows(table_, work);
    if (!rows) return rows.diagnostics();
    sent_ = *std::move(rows);
    if (!all_leave() || !add_sends() || !named_after_first()) return error_at({}, why_, Code::unsupported);
    std::ranges::sort(result_.sends, {}, &SentWithHops::flight);
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

  ReductionToSay to_say(const ContinuedRow& sent) const {
    const auto found = to_say_.find(key_of(sent.step, sent.row));
    return found == to_say_.end() ? ReductionToSay() : found->second;
  }

  // --- sends --------------------------------------------------------------------------------------------------------

  NodeId from(const ContinuedRow& sent) const { return fabric_.channel(sent.row.channel).from; }
  NodeId to(const ContinuedRow& sent) const { return fabric_.channel(sent.row.channel).to; }

  bool all_leave() {
    for (const ContinuedRow& sent : sent_) {
      if (sent.next.empty() && !fabric_.is_processor(to(sent))) return never_leaves(sent);
      if (joins_ && sent.next.size() > 1) return parts(sent);
    }
    return true;
  }

  bool add_sends() {
    for (std::size_t first = 0; first < sent_.size(); ++first) {
      if (!fabric_.is_processor(from(sent_[first]))) continue;
      std::vector<std::size_t> path{first};
      while (sent_[path.back()].next.size() == 1) path.push_back(sent_[path.back()].next.front());
      if (sent_[path.back()].next.empty() ? !add_path(path) : !add_tree(first)) return false;
    }
    return true;
  }

  bool named_after_first() {
    for (const auto& [index, sends] : sends_through_) {
      result_.joined = result_.joined || sends.size() > 1;
      if (!named_after_first(sent_[index], sends)) return false;
    }
    return true;
  }

  // Sends that wait on their way make their rows after the others of a step.
  bool named_after_first(const ContinuedRow& sent, const std::vector<std::size_t>& sends) {
    const auto before = [&](std::size_t a, std::size_t b) {
      const SentFlight& one = result_.sends[a].flight;
      const SentFlight& other = result_.sends[b].flight;
      return one.stays() != other.stays() ? other.stays() : one < other;
    };
    const SentFlight& first = result_.sends[*std::ranges::min_element(sends, before)].flight;
    const ChunkName name = table_.collective.name(sent.row.chunk);
    // What goes to its target is the same by any name. A processor on the way passes on what came by one name.
    const bool arrives = first.to.front() == name.target;
    if (arrives || first.chunks.front() == name) return true;
    return refuse(
        fmt::format("the row out of switch {} in step {} has the name {}; the rows of a schedule have the name "
                    "of its first send that joins there, {}",
                    fabric_.name(from(sent)), sent.step, to_string(name), to_string(first.chunks.front())));
  }

  SentFlight begun(const ContinuedRow& first) const {
    SentFlight flight;
    flight.step = first.step;
    flight.from = from(first).value;
    flight.chunks = {table_.collective.name(first.row.chunk)};
    if (const auto sum = to_say(first).sum) flight.sum.assign(sum->all().begin(), sum->all().end());
    return flight;
  }

  bool add_path(const std::vector<std::size_t>& path) {
    SentFlight flight = begun(sent_[path.front()]);
    std::vector<ChannelId> channels;
    std::vector<Hop> hops;
    for (std::size_t h = 0; h < path.size(); ++h) {
      const ContinuedRow& sent = sent_[path[h]];
      channels.push_back(sent.row.channel);
      hops.push_back({sent.row.channel, sent.step});
      if (h == 0) continue;
      flight.waits.push_back(sent.step - hops[h - 1].step - 1);
      flight.along.push_back(from(sent));
      if (joins_) sends_through_[path[h]].push_back(result_.sends.size());
    }
    for (std::size_t h = 0; h < flight.waits.size(); ++h) {
      if (flight.waits[h] == 0 || std::ranges::count(channels, channels[h + 1]) == 1) continue;
      return refuse(fmt::format("packet {} waits in switch {} for channel {}, which it crosses twice",
                                to_string(flight.chunks.front()), fabric_.name(flight.along[h]),
                                fabric_.name(channels[h + 1])));
    }
    const NodeId target = to(sent_[path.back()]);
    if (target.value == flight.from) return comes_back(sent_[path.back()]);
    flight.to = {target.value};
    flight.keeping = to_say(sent_[path.back()]).keeping;
    std::vector<ChannelId> usual;
    router_.append_route(NodeId{flight.from}, target, usual);
    if (usual == channels) flight.along.clear();
    result_.sends.push_back({std::move(flight), std::move(hops)});
    return true;
  }

  // A send to several. By default it takes the routes to all of them, without waiting.
  bool add_tree(std::size_t first) {
    SentFlight flight = begun(sent_[first]);
    std::vector<Hop> hops{{sent_[first].row.channel, flight.step}};
    std::set<NodeId> entered;
    std::vector<std::size_t> open{first};
    while (!open.empty()) {
      ContinuedRow& sent = sent_[open.back()];
      open.pop_back();
      const NodeId at = to(sent);
      if (at.value == flight.from) return comes_back(sent);
      if (!entered.insert(at).second) return enters_twice(sent);
      if (sent.next.empty()) flight.to.push_back(at.value);
      flight.keeping = flight.keeping || to_say(sent).keeping;
      std::ranges::sort(sent.next, {}, [&](std::size_t next) { return to(sent_[next]); });
      for (const std::size_t next : sent.next) {
        hops.push_back({sent_[next].row.channel, sent_[next].step});
        const std::uint32_t waits = sent_[next].step - sent.step - 1;
        if (waits > 0) flight.tree_waits.push_back({at, to(sent_[next]), waits});
        open.push_back(next);
      }
    }
    std::ranges::sort(flight.to);
    std::ranges::sort(flight.tree_waits);
    std::vector<Hop> usual = default_hops(router_, flight, 1);
    if (flight.tree_waits.empty() && cross_the_same(usual, hops)) {
      hops = std::move(usual);
    } else {
      flight.links = links_of(fabric_, NodeId{flight.from}, hops);
    }
    result_.sends.push_back({std::move(flight), std::move(hops)});
    return true;
  }

  // --- rows that are no sends ---------------------------------------------------------------------------------------

  bool refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }
  bool never_leaves(const ContinuedRow& sent) {
    return refuse(fmt::format("packet {}, which comes to switch {} in step {}, never leaves it", label(sent),
                              fabric_.name(to(sent)), sent.step));
  }
  bool comes_back(const ContinuedRow& last) {
    return refuse(fmt::format("packet {} comes back in step {} to processor {}, which sent it", label(last), last.step,
                              fabric_.name(to(last))));
  }
  bool enters_twice(const ContinuedRow& sent) {
    return refuse(
        fmt::format("packet {}, which parts in a switch, comes to {} twice, the second time in step {} or before",
                    label(sent), fabric_.name(to(sent)), sent.step));
  }
  bool parts(const ContinuedRow& sent) {
    return refuse(fmt::format("packet {} parts in switch {}, where packets join", label(sent_[sent.next[1]]),
                              fabric_.name(to(sent))));
  }
  std::string label(const ContinuedRow& sent) const { return table_.collective.label(sent.row.chunk); }

  const SendTable& table_;
  const Fabric& fabric_;
  const Router& router_;
  bool joins_;
  std::vector<ContinuedRow> sent_;
  std::map<std::size_t, std::vector<std::size_t>> sends_through_;  // by row out of a switch that joins
  std::map<RowKey, ReductionToSay> to_say_;                        // by row that says something
  SentFlights result_;
  std::string why_;
};

}  // namespace

std::vector<SentLinks> links_of(const Fabric& fabric, NodeId source, const std::vector<Hop>& hops) {
  std::map<NodeId, std::set<NodeId>> leaving;
  for (const Hop& hop : hops) leaving[fabric.channel(hop.channel).from].insert(fabric.channel(hop.channel).to);
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

std::vector<Hop> default_hops(const Router& router, const SentFlight& send, std::uint32_t steps) {
  std::vector<Hop> hops;
  std::set<ChannelId> crossed;
  for (const std::uint32_t target : send.to) {
    std::vector<ChannelId> route;
    router.append_route_in_tree(NodeId{send.from}, NodeId{target}, route);
    for (std::uint32_t hop = 0; hop < route.size(); ++hop) {
      if (crossed.insert(route[hop]).second) hops.push_back({route[hop], send.step + hop * steps});
    }
  }
  return hops;
}

bool cross_the_same(const std::vector<Hop>& a, const std::vector<Hop>& b) {
  const auto crossed = [](const std::vector<Hop>& hops) {
    std::set<ChannelId> channels;
    for (const Hop& hop : hops) channels.insert(hop.channel);
    return channels;
  };
  return crossed(a) == crossed(b);
}

Result<SentFlights> sent_flights(const SendTable& table, const Router& router) {
  return StepDecompiler(table, router).read();
}

}  // namespace quadrille
