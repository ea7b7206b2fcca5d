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
#include "verifier/search/heuristics/phases.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace quadrille::searching {
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
