// Messages are placed in the first round in which their lanes and ports are free, and nothing is sent before it has
// arrived: such tables hold. Then some are damaged.
#include "tests/reference/random_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "model/route.h"
#include "tests/reference/random_reductions.h"
#include "tests/reference/random_tables.h"

namespace quadrille::reference {

namespace {

struct MessageRow {
  std::uint32_t round = 0;
  Row row;
  std::uint32_t message = 0;
};

// Rows in memory; those of a round in a random order.
class JumbledMessages final : public RowSource {
 public:
  JumbledMessages(std::vector<MessageRow> rows, bool numbered, Dice& dice) : numbered_(numbered) {
    dice.shuffle(rows);
    for (const MessageRow& it : rows) {
      auto& [of_round, messages] = rounds_[StepId(it.round)];
      of_round.push_back(it.row);
      if (numbered) messages.push_back(MessageId(it.message));
    }
  }
  bool has_messages() const override { return numbered_; }
  std::unique_ptr<RowCursor> open() const override { return std::make_unique<Cursor>(*this); }

 private:
  using Rounds = std::map<StepId, std::pair<std::vector<Row>, std::vector<MessageId>>>;
  class Cursor final : public RowCursor {
   public:
    explicit Cursor(const JumbledMessages& table) : table_(table), at_(table.rounds_.begin()) {}
    std::optional<StepRows> next() override {
      if (at_ == table_.rounds_.end()) return std::nullopt;
      const auto& [round, rows] = *at_++;
      return StepRows{round, rows.first, rows.second};
    }

   private:
    const JumbledMessages& table_;
    Rounds::const_iterator at_;
  };
  bool numbered_;
  Rounds rounds_;
};

class RoundPlanner {
 public:
  RoundPlanner(Dice& dice, const Fabric& fabric) : dice_(dice), fabric_(fabric), router_(fabric) {}

  // Sends the chunks along a default route, after round `ready`. The round; 0 if there is no way.
  std::uint32_t send(const std::vector<ChunkId>& chunks, NodeId from, NodeId to, std::uint32_t ready) {
    std::vector<ChannelId> path;
    if (from == to || !router_.append_route(from, to, path)) return 0;
    return place(crossings(chunks, path), {from}, {to}, ready);
  }

  // Several send packets of the same targets and parts to one, in one message in which ways join at switches. `chunks`:
  // by sender. The round, and who could be joined.
  std::pair<std::uint32_t, std::vector<NodeId>> join(const std::map<NodeId, std::vector<ChunkId>>& chunks, NodeId to,
                                                     std::uint32_t ready) {
    std::map<NodeId, ChannelId> out;
    std::vector<NodeId> joined;
    for (const auto& [from, own] : chunks) {
      std::vector<ChannelId> path;
      if (from == to || out.contains(from) || !router_.append_route(from, to, path)) continue;
      std::size_t length = 0;
      while (length < path.size() && !out.contains(fabric_.channel(path[length]).from)) ++length;
      const bool meets = length < path.size() && !fabric_.is_processor(fabric_.channel(path[length]).from);
      if (!meets && !out.empty()) continue;
      for (std::size_t i = 0; i < length; ++i) out[fabric_.channel(path[i]).from] = path[i];
      joined.push_back(from);
    }
    if (joined.size() < 2) return {0, {}};
    std::vector<Crossing> ways;
    for (const auto& [node, channel] : out) {
      ways.push_back({channel, chunks.at(chunks.contains(node) ? node : dice_.pick(joined))});
    }
    return {place(ways, joined, {to}, ready), joined};
  }

  // The same along a tree to those of `targets` whose ways part at switches. Which these are.
  std::pair<std::uint32_t, std::vector<NodeId>> send_to_some(const std::vector<ChunkId>& chunks, NodeId from,
                                                             const std::vector<NodeId>& targets, std::uint32_t ready) {
    std::vector<ChannelId> tree;
    std::vector<NodeId> reached;
    for (const NodeId target : targets) {
      std::vector<ChannelId> path;
      if (target == from || !router_.append_route_in_tree(from, target, path)) continue;
      const bool relayed = std::any_of(path.begin(), path.end() - 1, [&](ChannelId channel) {
        return fabric_.is_processor(fabric_.channel(channel).to);
      });
      if (relayed || (!tree.empty() && path.front() != tree.front())) continue;
      for (const ChannelId channel : path) {
        if (std::find(tree.begin(), tree.end(), channel) == tree.end()) tree.push_back(channel);
      }
      reached.push_back(target);
    }
    if (tree.empty()) return {0, {}};
    return {place(crossings(chunks, tree), {from}, reached, ready), reached};
  }

  std::vector<MessageRow>& rows() { return rows_; }

  bool joins() const { return fabric_.switches_reduce(); }

 private:
  struct Crossing {
    ChannelId channel;
    std::vector<ChunkId> chunks;
  };

  static std::vector<Crossing> crossings(const std::vector<ChunkId>& chunks, const std::vector<ChannelId>& ways) {
    std::vector<Crossing> result;
    for (const ChannelId channel : ways) result.push_back({channel, chunks});
    return result;
  }

  std::uint32_t place(const std::vector<Crossing>& ways, const std::vector<NodeId>& from, const std::vector<NodeId>& to,
                      std::uint32_t ready) {
    std::uint32_t round = ready + 1 + (dice_.one_in(5) ? dice_.below(3) : 0);
    const bool patient = !dice_.one_in(60);
    while (patient && !all_free(ways, from, to, round)) ++round;
    const std::uint32_t number = numbers_[round];
    numbers_[round] += dice_.from_to(1, 2);
    for (const auto& [channel, chunks] : ways) {
      const std::uint32_t lane =
          fabric_.rules().paths == Paths::held ? use_[{round, channel}]++ % fabric_.channel(channel).capacity : 0;
      for (const ChunkId chunk : chunks) rows_.push_back({round, {channel, LaneId(lane), chunk}, number});
    }
    for (const NodeId source : from) ++sent_[{round, source}];
    for (const NodeId target : to) ++received_[{round, target}];
    return round;
  }

  std::uint32_t use(std::uint32_t round, ChannelId channel) const {
    const auto found = use_.find({round, channel});
    return found == use_.end() ? 0 : found->second;
  }

  bool all_free(const std::vector<Crossing>& ways, const std::vector<NodeId>& from, const std::vector<NodeId>& to,
                std::uint32_t round) const {
    const Rules& rules = fabric_.rules();
    for (const Crossing& way : ways) {
      const auto back = fabric_.reverse(way.channel);
      const std::uint32_t own = fabric_.channel(way.channel).capacity;
      std::uint32_t used = use(round, way.channel);
      std::uint32_t capacity = own;
      if (rules.duplex == Duplex::half && back) {
        used += use(round, *back);
        capacity = fabric_.channel(std::min(way.channel, *back)).capacity;
      }
      if (rules.paths == Paths::held && used >= std::min(capacity, own)) return false;
    }
    if (rules.ports == Ports::multi) return true;
    const bool half = rules.duplex == Duplex::half;
    const auto sends = [&](NodeId node) { return sent_.contains({round, node}); };
    const auto receives = [&](NodeId node) { return received_.contains({round, node}); };
    return std::none_of(from.begin(), from.end(),
                        [&](NodeId node) { return sends(node) || (half && receives(node)); }) &&
           std::none_of(to.begin(), to.end(), [&](NodeId node) { return receives(node) || (half && sends(node)); });
  }

  Dice& dice_;
  const Fabric& fabric_;
  Router router_;
  std::vector<MessageRow> rows_;
  std::map<std::uint32_t, std::uint32_t> numbers_;  // the next message of each round
  std::map<std::pair<std::uint32_t, ChannelId>, std::uint32_t> use_;
  std::map<std::pair<std::uint32_t, NodeId>, std::uint32_t> sent_, received_;
};

// --- copying --------------------------------------------------------------------------------------------------------

// Where every chunk has been, and since which round.
using Places = std::map<NodeId, std::map<ChunkId, std::uint32_t>>;

Places starts(const Fabric& fabric, const Collective& collective, const std::vector<ChunkId>& chunks) {
  Places places;
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
    for (const ChunkId chunk : chunks) {
      if (collective.starts_at(chunk, NodeId(p))) places[NodeId(p)][chunk] = 0;
    }
  }
  return places;
}

std::uint32_t ready(const Places& places, NodeId node, const std::vector<ChunkId>& chunks) {
  std::uint32_t latest = 0;
  for (const ChunkId chunk : chunks) latest = std::max(latest, places.at(node).at(chunk));
  return latest;
}

// A message of some of what a random node has, to one or several others.
void send_some(Dice& dice, const Fabric& fabric, RoundPlanner& planner, Places& places) {
  std::vector<NodeId> nodes;
  for (const auto& [node, chunks] : places) nodes.push_back(node);
  if (nodes.empty()) return;
  const NodeId from = dice.pick(nodes);
  std::vector<ChunkId> chunks;
  for (const auto& [chunk, since] : places[from]) {
    if (dice.one_in(2)) chunks.push_back(chunk);
  }
  dice.shuffle(chunks);
  if (chunks.empty()) return;
  if (chunks.size() > 4) chunks.resize(4);
  const std::uint32_t since = ready(places, from, chunks);
  std::vector<NodeId> targets;
  for (std::uint32_t i = dice.from_to(1, 4); i > 0; --i) targets.emplace_back(dice.below(fabric.processors()));
  std::uint32_t round = 0;
  if (dice.one_in(2) || fabric.switches_forward()) {
    targets.resize(1);
    round = planner.send(chunks, from, targets[0], since);
    if (round == 0) targets.clear();
  } else {
    std::tie(round, targets) = planner.send_to_some(chunks, from, targets, since);
  }
  for (const NodeId target : targets) {
    for (const ChunkId chunk : chunks) places[target].emplace(chunk, round);
  }
}

void plan_copies(Dice& dice, const Fabric& fabric, const Collective& collective, const std::vector<ChunkId>& chunks,
                 RoundPlanner& planner) {
  Places places = starts(fabric, collective, chunks);
  for (std::uint32_t sends = dice.below(12); sends > 0; --sends) send_some(dice, fabric, planner, places);
  for (std::uint64_t demand = 0; demand < std::min<std::uint64_t>(collective.demands(), 60); ++demand) {
    const auto [chunk, target] = collective.demand_at(demand);
    if (places[target].contains(chunk)) continue;
    for (const auto& [node, held] : places) {
      const auto found = held.find(chunk);
      if (found == held.end()) continue;
      const std::uint32_t round = planner.send({chunk}, node, target, found->second);
      if (round > 0) places[target].emplace(chunk, round);
      break;
    }
  }
}

// --- combining ------------------------------------------------------------------------------------------------------

// Several values at once, a message from processor to processor.
class ReductionPlan {
 public:
  ReductionPlan(Dice& dice, const Collective& collective, RoundPlanner& planner, std::vector<std::uint32_t> values)
      : dice_(dice),
        collective_(collective),
        planner_(planner),
        values_(std::move(values)),
        ready_(collective.processors()) {}

  void send(std::uint32_t from, std::uint32_t to) {
    const std::vector<ChunkId> chunks = packets(from, to);
    if (chunks.empty()) return;
    const std::uint32_t round = planner_.send(chunks, NodeId(from), NodeId(to), ready_[from]);
    ready_[to] = std::max(ready_[to], round);
  }

  // Those that cannot be joined send for themselves.
  void join(const std::vector<std::uint32_t>& sources, std::uint32_t to) {
    std::map<NodeId, std::vector<ChunkId>> chunks;
    std::uint32_t ready = 0;
    for (const std::uint32_t from : sources) {
      chunks[NodeId(from)] = packets(from, to);
      ready = std::max(ready, ready_[from]);
      if (chunks[NodeId(from)].empty()) return;
    }
    const auto [round, joined] = planner_.join(chunks, NodeId(to), ready);
    ready_[to] = std::max(ready_[to], round);
    for (const std::uint32_t from : sources) {
      if (std::find(joined.begin(), joined.end(), NodeId(from)) == joined.end()) send(from, to);
    }
  }

  void reduce(std::uint32_t root) {
    const std::uint32_t n = collective_.processors();
    if (planner_.joins() && dice_.one_in(2)) {
      std::vector<std::uint32_t> all;
      for (std::uint32_t p = 0; p < n; ++p) {
        if (p != root) all.push_back(p);
      }
      return join_in_two(all, root);
    }
    if (collective_.ordered()) {
      for (std::uint32_t p = 0; p < root; ++p) send(p, p + 1);
      for (std::uint32_t p = n - 1; p > root; --p) send(p, p - 1);
      return;
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t p = 0; p < n; ++p) {
      if (p != root) order.push_back(p);
    }
    dice_.shuffle(order);
    order.push_back(root);
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      const auto later = dice_.from_to(static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(order.size()) - 1);
      send(order[i], order[later]);
    }
  }

  // Some send to one of the others first.
  void join_in_two(std::vector<std::uint32_t> all, std::uint32_t root) {
    std::vector<std::uint32_t> some;
    if (all.size() > 2 && dice_.one_in(2)) {
      some.assign(all.begin() + 1, all.begin() + 1 + dice_.below(all.size() - 1));
      all.erase(all.begin() + 1, all.begin() + 1 + static_cast<std::ptrdiff_t>(some.size()));
    }
    if (!some.empty()) join(some, all.front());
    join(all, root);
  }

  void tell_all(std::uint32_t root) {
    for (std::uint32_t p = 0; p < collective_.processors(); ++p) {
      if (p != root) send(root, p);
    }
  }

  void pass_along() {
    for (std::uint32_t p = 0; p + 1 < collective_.processors(); ++p) send(p, p + 1);
  }

 private:
  std::vector<ChunkId> packets(std::uint32_t from, std::uint32_t to) const {
    std::vector<ChunkId> chunks;
    for (const std::uint32_t value : values_) {
      if (const auto chunk = collective_.chunk({from, to, value})) chunks.push_back(*chunk);
    }
    return chunks;
  }

  Dice& dice_;
  const Collective& collective_;
  RoundPlanner& planner_;
  std::vector<std::uint32_t> values_;
  std::vector<std::uint32_t> ready_;  // the last round in which something arrives
};

void plan_reductions(Dice& dice, const Collective& collective, RoundPlanner& planner) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_root;  // values that end at the same processor go together
  for (std::uint32_t value = 0; value < std::min(collective.values(), 6U); ++value) {
    std::uint32_t root = 0;
    while (root + 1 < collective.processors() && !collective.wanted_contributions(value, NodeId(root))) ++root;
    by_root[root].push_back(value);
  }
  for (const auto& [root, values] : by_root) {
    ReductionPlan plan(dice, collective, planner, values);
    if (collective.kind() == CollectiveKind::prefix || collective.kind() == CollectiveKind::exclusive_prefix) {
      plan.pass_along();
      continue;
    }
    if (collective.kind() == CollectiveKind::allreduce && dice.one_in(3)) {
      for (std::uint32_t p = 0; p < collective.processors(); ++p) plan.tell_all(p);
      continue;
    }
    plan.reduce(root);
    if (collective.kind() == CollectiveKind::allreduce || collective.kind() == CollectiveKind::barrier) {
      plan.tell_all(root);
    }
  }
}

// --- faults ---------------------------------------------------------------------------------------------------------

MessageRow random_row(Dice& dice, const Fabric& fabric, const std::vector<ChunkId>& packets, std::uint32_t rounds) {
  const ChannelId channel(dice.below(fabric.channels()));
  const LaneId lane(dice.below(std::uint64_t{fabric.channel(channel).capacity} + dice.one_in(5)));
  return {dice.from_to(1, rounds), {channel, lane, dice.pick(packets)}, dice.below(4)};
}

void damage(Dice& dice, const Fabric& fabric, const std::vector<ChunkId>& packets, std::vector<MessageRow>& rows) {
  if (rows.empty()) return;
  const std::size_t at = dice.below(rows.size());
  MessageRow& row = rows[at];
  switch (dice.below(8)) {
    case 0:
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      rows.push_back(MessageRow(row));
      break;
    case 2:
      row.message = dice.below(4);
      break;
    case 3:
      row.row.lane = LaneId(dice.below(3));
      break;
    case 4:
      row.row.chunk = dice.pick(packets);
      break;
    case 5: {  // a whole message goes earlier or later, perhaps into another one
      const MessageRow of = row;
      const std::uint32_t to = std::max(1U, of.round - 1 + dice.below(3));
      for (MessageRow& it : rows) {
        if (it.round == of.round && it.message == of.message) it.round = to;
      }
      break;
    }
    case 6: {  // a whole message is lost
      const MessageRow of = row;
      std::erase_if(rows, [&](const MessageRow& it) { return it.round == of.round && it.message == of.message; });
      break;
    }
    default:
      row.row.channel = ChannelId(dice.below(fabric.channels()));
      break;
  }
}

Fabric with_rounds(Dice& dice, const Fabric& fabric) {
  Rules rules = fabric.rules();
  rules.timing = Timing::rounds;
  rules.switches = static_cast<Switching>(dice.below(3));
  rules.paths = dice.one_in(3) ? Paths::shared : Paths::held;
  return fabric.with_rules(rules);
}

std::vector<MessageRow> wild_rows(Dice& dice, const Fabric& fabric, const std::vector<ChunkId>& packets) {
  std::vector<ChunkId> some;
  for (std::uint32_t i = dice.from_to(1, 3); i > 0; --i) some.push_back(dice.pick(packets));
  std::vector<MessageRow> rows;
  const std::uint32_t rounds = dice.from_to(1, 6);
  for (std::uint32_t i = dice.below(50); i > 0; --i) rows.push_back(random_row(dice, fabric, some, rounds));
  return rows;
}

std::vector<MessageRow> sensible_rows(Dice& dice, const Fabric& fabric, const Collective& collective,
                                      const std::vector<ChunkId>& packets) {
  RoundPlanner planner(dice, fabric);
  if (collective.combining()) {
    plan_reductions(dice, collective, planner);
  } else {
    plan_copies(dice, fabric, collective, packets, planner);
  }
  std::vector<MessageRow> rows = std::move(planner.rows());
  if (dice.one_in(2)) {
    for (std::uint32_t faults = dice.from_to(1, 3); faults > 0; --faults) damage(dice, fabric, packets, rows);
  }
  return rows;
}

}  // namespace

SendTable random_rounds_table(std::uint64_t seed, bool words) {
  Dice dice(seed);
  const Fabric fabric = with_rounds(dice, random_fabric(dice));
  const Collective collective = random_collective(dice, fabric.processors());
  const std::vector<ChunkId> packets = packets_of(collective, 1024);
  std::vector<MessageRow> rows;
  if (!packets.empty()) {
    rows = dice.one_in(4) ? wild_rows(dice, fabric, packets) : sensible_rows(dice, fabric, collective, packets);
  }
  std::shared_ptr<const RowSource> source = std::make_shared<JumbledMessages>(std::move(rows), !dice.one_in(6), dice);
  if (words) source = perhaps_with_words(std::move(source), collective, dice);
  return {fabric, collective, fmt::format("random rounds seed={}", seed), {}, std::move(source)};
}

}  // namespace quadrille::reference
