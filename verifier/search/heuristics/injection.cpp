// Idea: in one step a single port sends one packet, over one channel. So all who want the chunk must be reachable
// from the other end of that channel, without passing a processor at which the chunk starts. If it starts at several
// processors, they must be reachable from the other ends of one channel each. Where switches forward, and packets
// keep to their paths in a tree, no processor hands a chunk on. Then there must be as many copies as processors that
// want one, and in one step no more copies leave than there are lanes, or than a port allows.
//
//   broadcast from 1 on the line 0-1-2 with single ports: 1 sends to 0, or to 2, and never to the other
//
// Cost: a breadth-first search for each channel out of a start.
#include "verifier/search/heuristics/injection.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "model/text/counted.h"
#include "model/topology.h"
#include "verifier/search/problem/moves.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_visits = std::uint64_t{1} << 26;
constexpr std::uint64_t most_choices = std::uint64_t{1} << 12;

struct Chunk {
  std::vector<NodeId> starts;
  std::vector<NodeId> wanted;  // where it does not start
};

using Reached = std::vector<bool>;  // by node

class Injection {
 public:
  Injection(const Fabric& fabric, const Chunk& chunk) : fabric_(fabric), chunk_(chunk) {}

  // Whether each start can choose a channel so that all who want the chunk are reached. True if that takes too long
  // to find out.
  bool single_ports_serve() const {
    std::vector<std::vector<Reached>> choices;
    std::uint64_t all = 1;
    for (const NodeId start : chunk_.starts) {
      choices.emplace_back();
      for (const ChannelId e : fabric_.channels_from(start)) choices.back().push_back(reached_over(e));
      all *= std::max<std::uint64_t>(choices.back().size(), 1);
      if (all > most_choices) return true;  // too many choices: the answer is not known
    }
    return some_choice_serves(choices, 0, Reached(fabric_.nodes()));
  }

  // The number of copies that can leave the only start in one step.
  std::uint64_t copies_at_once() const {
    if (fabric_.rules().ports == Ports::single) return 1;
    std::uint64_t lanes = 0;
    for (const ChannelId e : fabric_.channels_from(chunk_.starts.front())) lanes += fabric_.channel(e).capacity;
    return lanes;
  }

 private:
  Reached reached_over(ChannelId first) const {
    Reached reached(fabric_.nodes());
    std::queue<NodeId> waiting;
    const auto enter = [&](NodeId node) {
      if (reached[node.value] || std::ranges::find(chunk_.starts, node) != chunk_.starts.end()) return;
      reached[node.value] = true;
      waiting.push(node);
    };
    enter(fabric_.channel(first).to);
    for (; !waiting.empty(); waiting.pop()) {
      for (const ChannelId e : fabric_.channels_from(waiting.front())) enter(fabric_.channel(e).to);
    }
    return reached;
  }

  bool some_choice_serves(const std::vector<std::vector<Reached>>& choices, std::size_t start,
                          const Reached& before) const {
    if (start == choices.size()) {
      return std::ranges::all_of(chunk_.wanted, [&](NodeId node) { return before[node.value]; });
    }
    if (choices[start].empty()) return some_choice_serves(choices, start + 1, before);
    return std::ranges::any_of(choices[start], [&](const Reached& reached) {
      Reached together = before;
      for (std::size_t v = 0; v < together.size(); ++v) together[v] = together[v] || reached[v];
      return some_choice_serves(choices, start + 1, together);
    });
  }

  const Fabric& fabric_;
  const Chunk& chunk_;
};

std::map<ChunkId, Chunk> chunks_for_several(const Collective& collective) {
  std::map<ChunkId, Chunk> chunks;
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [chunk, processor] = collective.demand_at(number);
    chunks[chunk].wanted.push_back(processor);
  }
  std::erase_if(chunks, [](const auto& it) { return it.second.wanted.size() < 2; });
  for (auto& [id, chunk] : chunks) {
    for (const std::uint32_t p : starts_of(collective, id)) chunk.starts.emplace_back(p);
  }
  return chunks;
}

}  // namespace

std::optional<std::string> why_never_in_one_step(const Fabric& fabric, const Collective& collective,
                                                 const SearchGoal& goal) {
  const bool single = fabric.rules().ports == Ports::single;
  const bool each_its_copy = forwards(fabric) && goal.keep_to_paths && fabric.topology().tree() != nullptr;
  if (collective.unicast() || (!single && !each_its_copy)) return std::nullopt;
  if (collective.demands() * (fabric.nodes() + fabric.channels()) > most_visits) return std::nullopt;
  for (const auto& [id, chunk] : chunks_for_several(collective)) {
    const Injection injection(fabric, chunk);
    if (single && !injection.single_ports_serve()) {
      return fmt::format(
          "{} leaves each processor in one step only, by its single port, and from there not all {} that "
          "want it can be reached",
          collective.label(id), chunk.wanted.size());
    }
    if (!each_its_copy || chunk.starts.size() != 1) continue;
    const std::uint64_t copies = injection.copies_at_once();
    if (copies >= chunk.wanted.size()) continue;
    return fmt::format(
        "{} want {}, which leaves processor {} in one step only, in {}, and switches that forward make no "
        "more of it",
        counted(chunk.wanted.size(), "processor"), collective.label(id), chunk.starts.front().value,
        copies == 1 ? "1 copy" : fmt::format("{} copies", copies));
  }
  return std::nullopt;
}

// Idea: a row that leaves in step t with contents that arrived in step a needs a phase that begins in one of the
// steps a+1 … t. Going through the steps, each phase begins as late as possible: with the first row that would leave
// too early.
//
//   broadcast on the line 0-1-2: 0->1 in step 1, 1->2 in step 2: the second row needs what came in step 1, so that
//   there are two phases
//
// A row needs the first arrival of a chunk; out of a switch that forwards, the arrival of its own copy; of a partial
// reduction, the arrival of everything that has been joined with it; of a partial reduction that is kept, its
// arrival.

namespace {

class Phases {
 public:
  explicit Phases(const SendTable& table) : fabric_(table.fabric), collective_(table.collective) {}

  void add(const StepRows& batch) {
    std::uint32_t needed = 0;
    for (std::size_t i = 0; i < batch.rows.size(); ++i)
      needed = std::max(needed, leaving(batch.rows[i], words(batch, i)));
    if (phases_ == 0 || needed >= began_) {
      ++phases_;
      began_ = batch.step.value;
    }
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      arriving(batch.rows[i], words(batch, i), batch.step.value);
    }
  }

  std::uint32_t number() const { return phases_; }

 private:
  using Key = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>;  // node; chunk, or value; or a switch's target
  struct Arrivals {
    std::vector<std::uint32_t> steps;  // of copies that can leave; of chunks the first; of partial reductions the last
    std::size_t left = 0;              // number of copies that have left
    std::vector<std::uint32_t> kept;   // partial reductions that are kept apart
  };

  static const ReductionUse* words(const StepRows& batch, std::size_t row) {
    return batch.uses.empty() ? nullptr : &batch.uses[row];
  }

  bool is_switch(NodeId node) const { return !fabric_.is_processor(node); }
  bool forwards(NodeId node) const { return is_switch(node) && fabric_.switches_forward(); }

  // The key under which the node holds the packet.
  Key key_at(NodeId node, ChunkId chunk) const {
    if (!collective_.combining()) return {node.value, chunk.value, 0};
    const ChunkName name = collective_.name(chunk);
    const bool joins = is_switch(node) && fabric_.switches_reduce();
    if (joins) return {node.value, name.part, name.target.value() + 1};
    const bool held = node.value == name.origin || name.target == node.value;
    return held ? Key{node.value, name.part, 0} : Key{node.value, chunk.value, ~0U};
  }

  // The step of the last arrival that the row needs; 0 if it needs none.
  std::uint32_t leaving(const Row& row, const ReductionUse* words) {
    const NodeId from = fabric_.channel(row.channel).from;
    const auto found = arrivals_.find(key_at(from, row.chunk));
    if (found == arrivals_.end()) return 0;
    if (!collective_.combining() && !is_switch(from) && collective_.starts_at(row.chunk, from)) return 0;
    Arrivals& arrivals = found->second;
    if (forwards(from)) return arrivals.left < arrivals.steps.size() ? arrivals.steps[arrivals.left++] : 0;
    const std::uint32_t joined = arrivals.steps.empty() ? 0 : arrivals.steps.front();
    const bool names_words =
        words != nullptr && !words->sent.empty() && collective_.name(row.chunk).origin == from.value;
    return names_words ? last_word(arrivals, words->sent, joined) : joined;
  }

  static std::uint32_t last_word(const Arrivals& arrivals, const std::vector<std::uint32_t>& sent,
                                 std::uint32_t joined) {
    std::uint32_t last = 0;
    for (const std::uint32_t word : sent) {
      if (word == 0) last = std::max(last, joined);
      if (word > 0 && word <= arrivals.kept.size()) last = std::max(last, arrivals.kept[word - 1]);
    }
    return last;
  }

  void arriving(const Row& row, const ReductionUse* words, std::uint32_t step) {
    const NodeId to = fabric_.channel(row.channel).to;
    Arrivals& arrivals = arrivals_[key_at(to, row.chunk)];
    const bool at_target = collective_.combining() && collective_.name(row.chunk).target == to.value;
    if (at_target && words != nullptr && words->arrival == Arrival::kept) return arrivals.kept.push_back(step);
    if (forwards(to) || arrivals.steps.empty()) return arrivals.steps.push_back(step);
    if (collective_.combining()) arrivals.steps.front() = step;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  std::map<Key, Arrivals> arrivals_;
  std::uint32_t phases_ = 0;
  std::uint32_t began_ = 1;
};

}  // namespace

std::uint32_t phases_of(const SendTable& table) {
  Phases phases(table);
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) phases.add(*batch);
  return phases.number();
}

}  // namespace quadrille::searching
