#include "verifier/certificate/formula.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <variant>
#include <vector>

namespace quadrille::certificate {
namespace {

constexpr std::uint32_t far = 0xffffffff;                          // more hops than there are steps
constexpr std::int32_t most_variables = 1 << 28;                   // numbers beyond are refused
constexpr std::uint64_t most_work = std::uint64_t{1} << 32;        // steps x channels x chunks
constexpr std::uint64_t most_table_size = std::uint64_t{1} << 27;  // chunks x (channels and nodes)

using Literals = std::vector<std::int32_t>;

// The variables of one subject, a step each, for steps without gaps.
class Series {
 public:
  void add(std::uint32_t step, std::int32_t variable) {
    if (size_ == 0) {
      first_step_ = step;
      first_variable_ = variable;
    }
    ++size_;
  }
  // 0: there is no such variable.
  std::int32_t at(std::uint32_t step) const {
    return step >= first_step_ && step - first_step_ < size_
               ? first_variable_ + static_cast<std::int32_t>(step - first_step_)
               : 0;
  }

 private:
  std::uint32_t first_step_ = 0;
  std::uint32_t size_ = 0;
  std::int32_t first_variable_ = 0;
};

// A chunk that moves.
struct Chunk {
  ChunkId id;
  std::vector<NodeId> H;                        // where it starts, by number
  std::vector<NodeId> W;                        // who wants it
  std::vector<std::uint32_t> d;                 // by node: hops from the nearest of H
  std::vector<std::uint32_t> r;                 // by node: hops to the nearest of W
  std::vector<ChannelId> channels;              // that it uses, by number
  std::vector<bool> uses;                       // by channel
  std::vector<bool> starts_at;                  // by node
  std::vector<Series> hop;                      // by channel
  std::vector<Series> at, held, early, inject;  // by node
};

enum class Way : std::uint8_t { from, to };

// Hops from (or to) the nearest of `ends`, to (or from) each node, over the channels for which `uses` says so.
std::vector<std::uint32_t> hops(const Fabric& fabric, const std::vector<NodeId>& ends, const std::vector<bool>& uses,
                                Way way) {
  std::vector<std::uint32_t> result(fabric.nodes(), far);
  std::deque<NodeId> waiting(ends.begin(), ends.end());
  for (const NodeId end : ends) result[end.value] = 0;
  for (; !waiting.empty(); waiting.pop_front()) {
    const NodeId node = waiting.front();
    for (const ChannelId e : way == Way::from ? fabric.channels_from(node) : fabric.channels_to(node)) {
      const NodeId next = way == Way::from ? fabric.channel(e).to : fabric.channel(e).from;
      if (!uses[e.value] || result[next.value] != far) continue;
      result[next.value] = result[node.value] + 1;
      waiting.push_back(next);
    }
  }
  return result;
}

class Formula {
 public:
  Formula(const Certificate& question, const TakeClause& take)
      : fabric_(question.fabric),
        collective_(question.collective),
        T_(question.steps),
        once_(question.inject_once),
        paths_kept_(question.paths_kept),
        phases_(question.phases),
        limit_(question.fabric.rules().queue.limit),
        take_(take) {}

  std::optional<FormulaSize> write() {
    if (!find_chunks()) return std::nullopt;
    for (Chunk& c : chunks_) describe(c);

    number_hops();
    number_at();
    number_held();
    number_injections();
    number_starts();
    number_early();
    if (siblings_are_ordered()) number_sent();

    what_leaves_was_there();
    what_is_there_came_or_stayed();
    holding_over();
    phases();
    injecting();
    demands();
    capacities();
    half_duplex();
    single_port();
    queues();
    once_is_enough();
    inject_once();
    number_of_phases();
    siblings();
    if (stopped_) return std::nullopt;
    return FormulaSize{static_cast<std::uint64_t>(last_variable_), clauses_};
  }

 private:
  bool limited_queues() const { return limit_.has_value(); }
  bool some_queue() const { return limit_ && *limit_ > 0; }

  // --- the chunks that move -------------------------------------------------------------------------------------

  // False if there are too many.
  bool find_chunks() {
    const std::uint64_t size = std::uint64_t{fabric_.channels()} + fabric_.nodes();
    if (collective_.demands() > most_table_size) return false;
    std::map<ChunkId, std::vector<NodeId>> wanted;
    for (std::uint64_t i = 0; i < collective_.demands(); ++i) {
      const auto [chunk, processor] = collective_.demand_at(i);
      wanted[chunk].push_back(processor);
    }
    const std::uint64_t count = std::max<std::uint64_t>(wanted.size(), 1);
    if (count > most_table_size / size || std::uint64_t{T_} > most_work / count / size) return false;
    for (const auto& [id, processors] : wanted) {
      Chunk chunk;
      chunk.id = id;
      chunk.W = processors;
      chunks_.push_back(std::move(chunk));
    }
    return true;
  }

  // The rest of "The question".
  void describe(Chunk& c) const {
    c.starts_at.resize(fabric_.nodes());
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      if (!collective_.starts_at(c.id, NodeId(p))) continue;
      c.H.emplace_back(p);
      c.starts_at[p] = true;
    }
    const bool keeps_to_paths = tree() && c.H.size() == 1 && (paths_kept_ || (!limited_queues() && c.W.size() == 1));
    c.uses = keeps_to_paths ? paths_between(c.H.front(), c.W) : all_but_those_into(c.starts_at);
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      if (c.uses[e]) c.channels.emplace_back(e);
    }
    c.d = hops(fabric_, c.H, c.uses, Way::from);
    c.r = hops(fabric_, c.W, c.uses, Way::to);
    c.hop.resize(fabric_.channels());
    for (auto* table : {&c.at, &c.held, &c.early, &c.inject}) table->resize(fabric_.nodes());
  }

  bool tree() const {
    return std::holds_alternative<FatTreeShape>(fabric_.shape()) || std::holds_alternative<StarShape>(fabric_.shape());
  }

  // The channels of the shortest ways from h to each of `ends`; in a tree there is one for each.
  std::vector<bool> paths_between(NodeId h, const std::vector<NodeId>& ends) const {
    const std::vector<bool> all(fabric_.channels(), true);
    const auto from = hops(fabric_, {h}, all, Way::from);
    std::vector<bool> on_path(fabric_.channels());
    for (const NodeId w : ends) {
      const auto to = hops(fabric_, {w}, all, Way::to);
      for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
        const Channel& channel = fabric_.channel(ChannelId(e));
        if (from[channel.from.value] + 1 + to[channel.to.value] == from[w.value]) on_path[e] = true;
      }
    }
    return on_path;
  }

  std::vector<bool> all_but_those_into(const std::vector<bool>& nodes) const {
    std::vector<bool> result(fabric_.channels());
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) result[e] = !nodes[fabric_.channel(ChannelId(e)).to.value];
    return result;
  }

  // --- variables ------------------------------------------------------------------------------------------------

  std::int32_t new_variable() {
    if (last_variable_ == most_variables) stopped_ = true;
    return stopped_ ? last_variable_ : ++last_variable_;
  }

  // Calls `visit` with each node that is not in H.
  template <class Visit>
  void each_other_node(const Chunk& c, Visit visit) const {
    for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
      if (!c.starts_at[v]) visit(v);
    }
  }

  void number_hops() {
    for (Chunk& c : chunks_) {
      for (const ChannelId e : c.channels) {
        const Channel& channel = fabric_.channel(e);
        for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) {
          if (c.d[channel.from.value] <= t - 1 && c.r[channel.to.value] <= T_ - t)
            c.hop[e.value].add(t, new_variable());
        }
      }
    }
  }

  void number_at() {
    for (Chunk& c : chunks_) {
      each_other_node(c, [&](std::uint32_t v) {
        for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) {
          if (c.d[v] <= t && c.r[v] <= T_ - t) c.at[v].add(t, new_variable());
        }
      });
    }
  }

  void number_held() {
    if (!some_queue()) return;
    for (Chunk& c : chunks_) {
      for (std::uint32_t v = fabric_.processors(); v < fabric_.nodes(); ++v) {
        for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) {
          if (c.at[v].at(t - 1) != 0 && c.at[v].at(t) != 0) c.held[v].add(t, new_variable());
        }
      }
    }
  }

  void number_injections() {
    if (!once_) return;
    for (Chunk& c : chunks_) {
      for (const NodeId h : c.H) {
        for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) {
          const auto leaves = [&](ChannelId e) { return c.hop[e.value].at(t) != 0; };
          const auto channels = fabric_.channels_from(h);
          if (std::any_of(channels.begin(), channels.end(), leaves)) c.inject[h.value].add(t, new_variable());
        }
      }
    }
  }

  void number_starts() {
    if (!phases_) return;
    for (std::uint32_t t = 2; t <= T_ && !stopped_; ++t) start_.add(t, new_variable());
  }

  void number_early() {
    if (!phases_) return;
    for (Chunk& c : chunks_) {
      each_other_node(c, [&](std::uint32_t v) {
        for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) {
          if (c.at[v].at(t - 1) != 0) c.early[v].add(t, new_variable());
        }
      });
    }
  }

  bool siblings_are_ordered() const {
    return std::holds_alternative<FatTreeShape>(fabric_.shape()) && collective_.kind() == CollectiveKind::allgather &&
           collective_.description().parts == 1 && once_ && paths_kept_;
  }

  // A subtree of a fat tree, for the order of siblings.
  struct Subtree {
    std::uint32_t first_leaf = 0;
    std::uint32_t last_leaf = 0;
    Series sent;
    std::optional<std::size_t> left_sibling;  // in subtrees_
  };

  void number_sent() {
    const auto& tree = std::get<FatTreeShape>(fabric_.shape());
    std::uint32_t leaves = 1;
    for (std::size_t level = 0; level < tree.capacities.size(); ++level, leaves *= tree.arity) {
      for (std::uint32_t j = 0; j < fabric_.processors() / leaves; ++j) {
        Subtree subtree{j * leaves, (j + 1) * leaves - 1, {}, {}};
        if (j % tree.arity != 0) subtree.left_sibling = subtrees_.size() - 1;
        for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) subtree.sent.add(t, new_variable());
        subtrees_.push_back(subtree);
      }
    }
  }

  // --- clauses --------------------------------------------------------------------------------------------------

  void clause(const Literals& literals) {
    if (stopped_) return;
    ++clauses_;
    stopped_ = !take_(literals);
  }

  // The literals without the variables that do not exist; each variable is false where it does not.
  static Literals existing(Literals literals) {
    literals.erase(std::remove(literals.begin(), literals.end(), 0), literals.end());
    return literals;
  }

  static void add_if_exists(Literals& literals, std::int32_t variable) {
    if (variable != 0) literals.push_back(variable);
  }

  // 1
  void what_leaves_was_there() {
    for (const Chunk& c : chunks_) {
      for (const ChannelId e : c.channels) {
        const std::uint32_t u = fabric_.channel(e).from.value;
        for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) {
          const std::int32_t hop = c.hop[e.value].at(t);
          if (hop == 0 || c.starts_at[u]) continue;
          clause(existing({-hop, phases_ ? c.early[u].at(t) : c.at[u].at(t - 1)}));
        }
      }
    }
  }

  // 2
  void what_is_there_came_or_stayed() {
    for (const Chunk& c : chunks_) {
      each_other_node(c, [&](std::uint32_t v) {
        for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) {
          const std::int32_t at = c.at[v].at(t);
          if (at == 0) continue;
          Literals literals{-at};
          if (fabric_.is_processor(NodeId(v)) || !limited_queues()) {
            add_if_exists(literals, c.at[v].at(t - 1));
          } else if (some_queue()) {
            add_if_exists(literals, c.held[v].at(t));
          }
          for (const ChannelId e : fabric_.channels_to(NodeId(v))) add_if_exists(literals, c.hop[e.value].at(t));
          clause(literals);
        }
      });
    }
  }

  // 3
  void holding_over() {
    for (const Chunk& c : chunks_) {
      for (std::uint32_t v = fabric_.processors(); v < fabric_.nodes(); ++v) {
        for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) {
          if (c.held[v].at(t) != 0) clause({-c.held[v].at(t), c.at[v].at(t - 1)});
        }
      }
    }
  }

  // 4
  void phases() {
    if (!phases_) return;
    for (const Chunk& c : chunks_) {
      each_other_node(c, [&](std::uint32_t v) {
        for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) {
          const std::int32_t early = c.early[v].at(t);
          if (early == 0) continue;
          if (t == 1) {
            clause({-early, c.at[v].at(t - 1)});
            continue;
          }
          clause({-early, -start_.at(t), c.at[v].at(t - 1)});
          clause(existing({-early, start_.at(t), c.early[v].at(t - 1)}));
        }
      });
    }
  }

  // 5
  void injecting() {
    if (!once_) return;
    for (const Chunk& c : chunks_) {
      for (const ChannelId e : c.channels) {
        const NodeId h = fabric_.channel(e).from;
        if (!c.starts_at[h.value]) continue;
        for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) {
          if (c.hop[e.value].at(t) != 0) clause({-c.hop[e.value].at(t), c.inject[h.value].at(t)});
        }
      }
    }
  }

  // 6
  void demands() {
    for (std::uint64_t i = 0; i < collective_.demands(); ++i) {
      const auto [id, processor] = collective_.demand_at(i);
      const auto c = std::lower_bound(chunks_.begin(), chunks_.end(), id,
                                      [](const Chunk& chunk, ChunkId other) { return chunk.id < other; });
      clause(existing({c->at[processor.value].at(T_)}));
    }
  }

  // The hops over a channel in a step, by chunk.
  void add_hops(Literals& literals, ChannelId e, std::uint32_t t) const {
    for (const Chunk& c : chunks_) add_if_exists(literals, c.hop[e.value].at(t));
  }

  // 7
  void capacities() {
    for (std::uint32_t t = 1; t <= T_; ++t) {
      for (std::uint32_t e = 0; e < fabric_.channels() && !stopped_; ++e) {
        Literals literals;
        add_hops(literals, ChannelId(e), t);
        at_most(fabric_.channel(ChannelId(e)).capacity, literals);
      }
    }
  }

  // 8
  void half_duplex() {
    if (fabric_.rules().duplex != Duplex::half) return;
    for (std::uint32_t t = 1; t <= T_; ++t) {
      for (std::uint32_t e = 0; e < fabric_.channels() && !stopped_; ++e) {
        const ChannelId reverse = fabric_.reverse(ChannelId(e));
        if (reverse.value < e) continue;
        Literals literals;
        add_hops(literals, ChannelId(e), t);
        add_hops(literals, reverse, t);
        at_most(fabric_.channel(ChannelId(e)).capacity, literals);
      }
    }
  }

  // 9
  void single_port() {
    if (fabric_.rules().ports != Ports::single) return;
    for (std::uint32_t t = 1; t <= T_; ++t) {
      for (std::uint32_t p = 0; p < fabric_.processors() && !stopped_; ++p) {
        Literals out;
        Literals in;
        for (const ChannelId e : fabric_.channels_from(NodeId(p))) add_hops(out, e, t);
        for (const ChannelId e : fabric_.channels_to(NodeId(p))) add_hops(in, e, t);
        at_most(1, out);
        at_most(1, in);
        if (fabric_.rules().duplex != Duplex::half) continue;
        out.insert(out.end(), in.begin(), in.end());
        at_most(1, out);
      }
    }
  }

  // 10
  void queues() {
    if (!some_queue()) return;
    for (std::uint32_t t = 1; t <= T_; ++t) {
      for (std::uint32_t v = fabric_.processors(); v < fabric_.nodes() && !stopped_; ++v) {
        Literals literals;
        for (const Chunk& c : chunks_) add_if_exists(literals, c.held[v].at(t));
        at_most(*limit_, literals);
      }
    }
  }

  // 11
  void once_is_enough() {
    for (const Chunk& c : chunks_) {
      const bool on_one_path = paths_kept_ && tree() && c.H.size() == 1 && c.W.size() == 1;
      if (limited_queues() && !on_one_path) continue;
      each_other_node(c, [&](std::uint32_t v) {
        Literals literals;
        for (const ChannelId e : fabric_.channels_to(NodeId(v))) {
          for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) add_if_exists(literals, c.hop[e.value].at(t));
        }
        at_most(1, literals);
      });
    }
  }

  // 12
  void inject_once() {
    if (!once_) return;
    for (const Chunk& c : chunks_) {
      for (const NodeId h : c.H) {
        Literals literals;
        for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) add_if_exists(literals, c.inject[h.value].at(t));
        at_most(1, literals);
      }
    }
  }

  // 13
  void number_of_phases() {
    if (!phases_) return;
    Literals literals;
    for (std::uint32_t t = 2; t <= T_; ++t) add_if_exists(literals, start_.at(t));
    at_most(*phases_ - 1, literals);
  }

  // 14
  void siblings() {
    for (const Subtree& X : subtrees_) {
      for (std::uint32_t t = 1; t <= T_ && !stopped_; ++t) {
        Literals reasons{-X.sent.at(t)};
        if (t > 1) reasons.push_back(X.sent.at(t - 1));
        for (const Chunk& c : chunks_) {
          const NodeId p = c.H.front();
          if (p.value < X.first_leaf || p.value > X.last_leaf) continue;
          const std::int32_t hop = c.hop[fabric_.channels_from(p).front().value].at(t);
          if (hop == 0) continue;
          clause({-hop, X.sent.at(t)});
          reasons.push_back(hop);
        }
        if (t > 1) clause({-X.sent.at(t - 1), X.sent.at(t)});
        clause(reasons);
        if (X.left_sibling) clause({-X.sent.at(t), subtrees_[*X.left_sibling].sent.at(t)});
      }
    }
  }

  // At most k of x1 … xm. The code counts from 1, as the page does: x(i), s(i, j).
  void at_most(std::uint32_t k, const Literals& literals) {
    const std::size_t m = literals.size();
    const auto x = [&](std::size_t i) { return literals[i - 1]; };
    if (m <= k) return;
    if (k == 0) {
      for (std::size_t i = 1; i <= m; ++i) clause({-x(i)});
      return;
    }
    if (k == 1 && m <= 4) {
      for (std::size_t i = 1; i <= m; ++i) {
        for (std::size_t j = i + 1; j <= m; ++j) clause({-x(i), -x(j)});
      }
      return;
    }
    const std::int32_t first = last_variable_ + 1;
    for (std::size_t i = 0; i < (m - 1) * k && !stopped_; ++i) new_variable();
    if (stopped_) return;
    const auto s = [&](std::size_t i, std::size_t j) { return first + static_cast<std::int32_t>((i - 1) * k + j - 1); };
    clause({-x(1), s(1, 1)});
    for (std::size_t j = 2; j <= k; ++j) clause({-s(1, j)});
    for (std::size_t i = 2; i <= m - 1; ++i) {
      clause({-x(i), s(i, 1)});
      clause({-s(i - 1, 1), s(i, 1)});
      for (std::size_t j = 2; j <= k; ++j) {
        clause({-x(i), -s(i - 1, j - 1), s(i, j)});
        clause({-s(i - 1, j), s(i, j)});
      }
      clause({-x(i), -s(i - 1, k)});
    }
    clause({-x(m), -s(m - 1, k)});
  }

  const Fabric& fabric_;
  const Collective& collective_;
  std::uint32_t T_;
  bool once_;
  bool paths_kept_;
  std::optional<std::uint32_t> phases_;
  std::optional<std::uint32_t> limit_;  // of queues
  const TakeClause& take_;
  std::vector<Chunk> chunks_;      // by number
  std::vector<Subtree> subtrees_;  // in the order of their variables, if siblings are ordered
  Series start_;
  std::int32_t last_variable_ = 0;
  std::uint64_t clauses_ = 0;
  bool stopped_ = false;
};

}  // namespace

std::optional<FormulaSize> write_formula(const Certificate& question, const TakeClause& take) {
  return Formula(question, take).write();
}

}  // namespace quadrille::certificate
