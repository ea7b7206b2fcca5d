// Idea: constraints 1 to 14 of verifier/FORMULA.md, a function each, in the page's order.
//
//   broadcast from 0 to 1 over the channel 0->1, T = 1: variable 1 is hop(0->1, 1), variable 2 is at(1, 1); the clauses
//   are -2 1 (what is there came) and 2 (the demand): satisfied by both being true. For T = 0 there is no variable, and
//   the demand is the empty clause
//
// Cost: steps x channels x chunks, and the counters.
#include "verifier/certificate/formulas/copies.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "verifier/certificate.h"
#include "verifier/certificate/formulas/copy_variables.h"
#include "verifier/certificate/formulas/rules.h"
#include "verifier/certificate/formulas/trees.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {
namespace {

// --- siblings ------------------------------------------------------------------------------------------------------

// Siblings orders the siblings in fat trees: variables 7 and constraint 14 of verifier/FORMULA.md.
//
// Idea: symmetry breaking. Subtrees with a common parent can be exchanged in any schedule, so it is enough to look at
// schedules in which no subtree sends its first message before its left sibling has sent one.
//
//   allgather on a tree of two leaves: sent(leaf 1, t) -> sent(leaf 0, t); schedules in which leaf 1 begins are left
//   out
//
// Cost: a variable for each subtree and step; a clause for each leaf below, and three more. Source:
// verifier/FORMULA.md, constraint 14 and Why it is right.

class Siblings {
 public:
  // Numbers the variables, if siblings are ordered.
  Siblings(const Certificate& question, Writer& writer);

  // `hop_of`: the leaf's hop out of it in a step, of its own chunk.
  void write(const std::function<std::int32_t(NodeId leaf, std::uint32_t step)>& hop_of);

 private:
  struct Subtree {
    std::uint32_t first_leaf = 0;
    std::uint32_t last_leaf = 0;
    Series sent;
    std::optional<std::size_t> left_sibling;  // in subtrees_
  };

  std::uint32_t T_;
  Writer& writer_;
  std::vector<Subtree> subtrees_;  // in the order of their variables; none if siblings are not ordered
};

bool siblings_are_ordered(const Certificate& question) {
  return tree_of(question.fabric).has_value() && !question.fabric.switches_forward() && !question.collective.listed() &&
         question.collective.shape() == shares_to_all(1) && question.inject_once && question.paths_kept;
}

Siblings::Siblings(const Certificate& question, Writer& writer) : T_(question.steps), writer_(writer) {
  if (!siblings_are_ordered(question)) return;
  const auto [arity, levels] = *tree_of(question.fabric);
  std::uint32_t leaves = 1;
  // Level by level from the leaves, from left to right, as the page numbers them.
  for (std::uint32_t level = 0; level < levels; ++level, leaves *= arity) {
    for (std::uint32_t j = 0; j < question.fabric.processors() / leaves; ++j) {
      Subtree subtree{j * leaves, (j + 1) * leaves - 1, writer.series(1, T_), {}};
      if (j % arity != 0) subtree.left_sibling = subtrees_.size() - 1;
      subtrees_.push_back(subtree);
    }
  }
}

void Siblings::write(const std::function<std::int32_t(NodeId leaf, std::uint32_t step)>& hop_of) {
  for (const Subtree& X : subtrees_) {
    for (std::uint32_t t = 1; t <= T_ && !writer_.stopped(); ++t) {
      Literals reasons{-X.sent.at(t), X.sent.at(t - 1)};
      for (std::uint32_t leaf = X.first_leaf; leaf <= X.last_leaf; ++leaf) {
        const std::int32_t hop = hop_of(NodeId(leaf), t);
        writer_.clause({-hop, X.sent.at(t)});
        reasons.push_back(hop);
      }
      writer_.clause({-X.sent.at(t - 1), X.sent.at(t)});
      writer_.clause(std::move(reasons));
      if (X.left_sibling) writer_.clause({-X.sent.at(t), subtrees_[*X.left_sibling].sent.at(t)});
    }
  }
}

// --- clauses -------------------------------------------------------------------------------------------------------

class Formula {
 public:
  Formula(const Certificate& question, CopyVariables variables, Writer& writer)
      : question_(question),
        fabric_(question.fabric),
        collective_(question.collective),
        T_(question.steps),
        once_(question.inject_once),
        phases_(question.phases),
        limit_(question.fabric.rules().queue.limit),
        writer_(writer),
        chunks_(std::move(variables.chunks)),
        start_(variables.start),
        on_channel_(fabric_.channels()),
        at_node_(fabric_.nodes()) {
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      writer.work().take(chunks_[c].ways.size() + chunks_[c].places.size(), 2 * sizeof(Use));
      for (std::size_t i = 0; i < chunks_[c].ways.size(); ++i)
        on_channel_[chunks_[c].ways[i].e.value].push_back({c, i});
      for (std::size_t i = 0; i < chunks_[c].places.size(); ++i) at_node_[chunks_[c].places[i].value].push_back({c, i});
    }
  }

  void write() {
    Siblings siblings(question_, writer_);

    what_leaves_was_there();
    what_is_there_came_or_stayed();
    buffering();
    phases();
    injecting();
    demands();
    write_rules(fabric_, T_, traffic(), writer_);
    once_is_enough();
    inject_once();
    number_of_phases();
    siblings.write([this](NodeId leaf, std::uint32_t t) { return hop_of_leaf(leaf, t); });
  }

 private:
  using Use = std::pair<std::size_t, std::size_t>;  // a chunk, and one of its ways or places

  // By place, by number.
  static std::vector<std::vector<std::size_t>> ways_into(const Chunk& c) {
    std::vector<std::vector<std::size_t>> into(c.places.size());
    for (std::size_t i = 0; i < c.ways.size(); ++i) into[c.ways[i].to].push_back(i);
    return into;
  }

  bool limited_queues() const { return limit_.has_value(); }

  // Calls `visit` with each step from 1 to T.
  template <class Visit>
  void each_step(Visit visit) const {
    for (std::uint32_t t = 1; t <= T_ && !writer_.stopped(); ++t) {
      writer_.work().spend(1);
      visit(t);
    }
  }

  // 1
  void what_leaves_was_there() {
    for (const MovingChunk& c : chunks_) {
      for (std::size_t i = 0; i < c.ways.size(); ++i) {
        const std::size_t u = c.ways[i].from;
        if (c.starts_at[u]) continue;
        each_step([&](std::uint32_t t) {
          writer_.clause({-c.hop[i].at(t), phases_ ? c.early[u].at(t) : c.at[u].at(t - 1)});
        });
      }
    }
  }

  // 2
  void what_is_there_came_or_stayed() {
    for (const MovingChunk& c : chunks_) {
      const std::vector<std::vector<std::size_t>> into = ways_into(c);
      each_other_place(c, [&](std::size_t v) {
        each_step([&](std::uint32_t t) {
          if (!c.at[v].has(t)) return;
          Literals literals{-c.at[v].at(t)};
          if (fabric_.is_processor(c.places[v]) || !limited_queues()) {
            literals.push_back(c.at[v].at(t - 1));
          } else {
            literals.push_back(c.held[v].at(t));
          }
          for (const std::size_t i : into[v]) literals.push_back(c.hop[i].at(t));
          writer_.clause(std::move(literals));
        });
      });
    }
  }

  // 3
  void buffering() {
    for (const MovingChunk& c : chunks_) {
      for (std::size_t v = fabric_.processors(); v < c.places.size(); ++v) {
        each_step([&](std::uint32_t t) { writer_.clause({-c.held[v].at(t), c.at[v].at(t - 1)}); });
      }
    }
  }

  // 4
  void phases() {
    if (!phases_) return;
    for (const MovingChunk& c : chunks_) {
      each_other_place(c, [&](std::size_t v) {
        each_step([&](std::uint32_t t) {
          const std::int32_t start = t == 1 ? true_literal : start_.at(t);
          writer_.clause({-c.early[v].at(t), -start, c.at[v].at(t - 1)});
          writer_.clause({-c.early[v].at(t), start, c.early[v].at(t - 1)});
        });
      });
    }
  }

  // 5
  void injecting() {
    if (!once_) return;
    for (const MovingChunk& c : chunks_) {
      for (std::size_t i = 0; i < c.ways.size(); ++i) {
        const std::size_t h = c.ways[i].from;
        if (!c.starts_at[h]) continue;
        each_step([&](std::uint32_t t) { writer_.clause({-c.hop[i].at(t), c.inject[h].at(t)}); });
      }
    }
  }

  // 6
  void demands() {
    for (std::uint64_t i = 0; i < collective_.demands(); ++i) {
      const auto [id, processor] = collective_.demand_at(i);
      const auto c = std::lower_bound(chunks_.begin(), chunks_.end(), id,
                                      [](const Chunk& chunk, ChunkId other) { return chunk.id < other; });
      writer_.clause({c->at[processor.value].at(T_)});
    }
  }

  // 7 to 10
  TrafficLiterals traffic() const {
    return {[this](ChannelId e, std::uint32_t t) {
              Literals literals;
              writer_.work().spend(on_channel_[e.value].size());
              for (const auto& [c, i] : on_channel_[e.value]) literals.push_back(chunks_[c].hop[i].at(t));
              return literals;
            },
            [this](std::uint32_t v, std::uint32_t t) {
              Literals literals;
              writer_.work().spend(at_node_[v].size());
              for (const auto& [c, i] : at_node_[v]) literals.push_back(chunks_[c].held[i].at(t));
              return literals;
            }};
  }

  // 11
  void once_is_enough() {
    const bool paths_kept = question_.paths_kept && tree_of(fabric_).has_value();
    for (const MovingChunk& c : chunks_) {
      const bool on_one_path = paths_kept && c.H.size() == 1 && c.W.size() == 1;
      if (limited_queues() && !on_one_path) continue;
      const std::vector<std::vector<std::size_t>> into = ways_into(c);
      each_other_place(c, [&](std::size_t v) {
        Literals literals;
        for (const std::size_t i : into[v]) {
          each_step([&](std::uint32_t t) { literals.push_back(c.hop[i].at(t)); });
        }
        writer_.at_most(1, std::move(literals));
      });
    }
  }

  // 12
  void inject_once() {
    for (const MovingChunk& c : chunks_) {
      for (const NodeId h : c.H) {
        Literals literals;
        each_step([&](std::uint32_t t) { literals.push_back(c.inject[h.value].at(t)); });
        writer_.at_most(1, std::move(literals));
      }
    }
  }

  // 13
  void number_of_phases() {
    if (!phases_) return;
    Literals literals;
    for (std::uint32_t t = 2; t <= T_; ++t) literals.push_back(start_.at(t));
    writer_.at_most(*phases_ - 1, std::move(literals));
  }

  // 14; chunk p is leaf p's, which has one channel.
  std::int32_t hop_of_leaf(NodeId leaf, std::uint32_t t) const {
    const auto& [c, i] = *std::find_if(on_channel_[fabric_.channels_from(leaf).front().value].begin(),
                                       on_channel_[fabric_.channels_from(leaf).front().value].end(),
                                       [&](const Use& use) { return use.first == leaf.value; });
    return chunks_[c].hop[i].at(t);
  }

  const Certificate& question_;
  const Fabric& fabric_;
  const Collective& collective_;
  std::uint32_t T_;
  bool once_;
  std::optional<std::uint32_t> phases_;
  std::optional<std::uint32_t> limit_;  // of queues
  Writer& writer_;
  std::vector<MovingChunk> chunks_;  // by number
  Series start_;
  std::vector<std::vector<Use>> on_channel_;
  std::vector<std::vector<Use>> at_node_;
};

}  // namespace

bool write_copies(const Certificate& question, Writer& writer) {
  auto chunks = chunks_that_move(question, writer.work());
  if (!chunks) return false;
  Formula(question, number_copies(question, *std::move(chunks), writer), writer).write();
  return true;
}

}  // namespace quadrille::certificate
