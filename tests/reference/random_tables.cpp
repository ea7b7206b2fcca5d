#include "tests/reference/random_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "tests/reference/planner.h"
#include "tests/reference/random_joins.h"
#include "tests/reference/random_reductions.h"

namespace quadrille::reference {

namespace {

using StepRow = StoredRows::StepRow;

// Rows in memory; those of a step in a random order.
class JumbledRows final : public RowSource {
 public:
  JumbledRows(std::vector<StepRow> rows, Dice& dice) {
    dice.shuffle(rows);
    for (const auto& [step, row] : rows) steps_[step].push_back(row);
  }
  std::unique_ptr<RowCursor> open() const override { return std::make_unique<Cursor>(*this); }

 private:
  class Cursor final : public RowCursor {
   public:
    explicit Cursor(const JumbledRows& table) : table_(table), at_(table.steps_.begin()) {}
    std::optional<StepRows> next() override {
      if (at_ == table_.steps_.end()) return std::nullopt;
      const auto& [step, rows] = *at_++;
      return StepRows{step, rows};
    }

   private:
    const JumbledRows& table_;
    std::map<StepId, std::vector<Row>>::const_iterator at_;
  };
  std::map<StepId, std::vector<Row>> steps_;
};

// --- sensible tables ------------------------------------------------------------------------------------------------

// Takes each chunk to each of its targets, from anywhere where it has been.
void plan_copies(Dice& dice, const Fabric& fabric, const Collective& collective, Planner& planner) {
  std::vector<std::uint64_t> demands(collective.demands());
  for (std::uint64_t i = 0; i < demands.size(); ++i) demands[i] = i;
  dice.shuffle(demands);
  if (demands.size() > 60) demands.resize(60);
  const bool from_switches = dice.one_in(3);
  std::map<ChunkId, std::vector<std::pair<NodeId, std::uint32_t>>> has;
  for (const std::uint64_t demand : demands) {
    const auto [chunk, target] = collective.demand_at(demand);
    auto& places = has[chunk];
    for (std::uint32_t p = 0; places.empty() && p < fabric.processors(); ++p) {
      if (collective.starts_at(chunk, NodeId(p))) places.emplace_back(NodeId(p), 0);
    }
    const auto [source, since] = dice.pick(places);
    for (const auto& visit : planner.travel(chunk, source, target, since)) {
      if (fabric.is_processor(visit.first) || from_switches) places.push_back(visit);
    }
  }
}

// Partial reductions of one value travel from processor to processor; a sender waits for what it is to pass on.
class WordPlan {
 public:
  WordPlan(Dice& dice, const Collective& collective, Planner& planner, std::uint32_t value)
      : dice_(dice), collective_(collective), planner_(planner), value_(value), ready_(collective.processors()) {}

  void send(std::uint32_t from, std::uint32_t to) {
    const auto packet = collective_.chunk({from, to, value_});
    if (!packet) return;
    const auto visits = planner_.travel(*packet, NodeId(from), NodeId(to), ready_[from]);
    if (!visits.empty()) ready_[to] = std::max(ready_[to], visits.back().second);
  }

  // All contributions to `root`: ordered, along the line; else over a random tree.
  void reduce(std::uint32_t root) {
    const std::uint32_t n = collective_.processors();
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

  void tell_all(std::uint32_t root) {
    for (std::uint32_t p = 0; p < collective_.processors(); ++p) {
      if (p != root) send(root, p);
    }
  }

 private:
  Dice& dice_;
  const Collective& collective_;
  Planner& planner_;
  std::uint32_t value_;
  std::vector<std::uint32_t> ready_;  // the last step in which a partial reduction arrives
};

void plan_words(Dice& dice, const Collective& collective, Planner& planner) {
  const std::uint32_t n = collective.processors();
  for (std::uint32_t value = 0; value < std::min(collective.values(), 6u); ++value) {
    WordPlan plan(dice, collective, planner, value);
    std::uint32_t root = 0;
    while (root + 1 < n && !collective.wanted_contributions(value, NodeId(root))) ++root;
    if (collective.kind() == CollectiveKind::prefix || collective.kind() == CollectiveKind::exclusive_prefix) {
      for (std::uint32_t p = 0; p + 1 < n; ++p) plan.send(p, p + 1);
      continue;
    }
    if (collective.kind() == CollectiveKind::allreduce && dice.one_in(3)) {
      for (std::uint32_t p = 0; p < n; ++p) plan.tell_all(p);
      continue;
    }
    plan.reduce(root);
    if (collective.kind() == CollectiveKind::allreduce || collective.kind() == CollectiveKind::barrier) {
      plan.tell_all(root);
    }
  }
}

void add_wanderers(Dice& dice, const Fabric& fabric, const std::vector<ChunkId>& packets, Planner& planner) {
  for (std::uint32_t more = dice.from_to(1, 4); more > 0; --more) {
    const ChunkId packet = dice.pick(packets);
    const NodeId start(dice.below(fabric.processors()));
    const std::uint32_t hops = dice.from_to(1, 8);
    planner.wander(packet, start, hops, dice.below(4));
  }
}

// --- faults
// -----------------------------------------------------------------------------------------------------------

Row random_row(Dice& dice, const Fabric& fabric, const std::vector<ChunkId>& packets) {
  const ChannelId channel(dice.below(fabric.channels()));
  return {channel, LaneId(dice.below(std::uint64_t{fabric.channel(channel).capacity} + dice.one_in(5))),
          dice.pick(packets)};
}

void damage(Dice& dice, const Fabric& fabric, const std::vector<ChunkId>& packets, std::vector<StepRow>& rows) {
  if (rows.empty()) return;
  const std::size_t at = dice.below(rows.size());
  StepRow& row = rows[at];
  switch (dice.below(7)) {
    case 0:
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      rows.push_back(StepRow(row));
      break;
    case 2:
      row.step = StepId(row.step.value + 1);
      break;
    case 3:
      row.step = StepId(std::max(1u, row.step.value - 1));
      break;
    case 4:
      row.row.lane = LaneId(dice.below(3));
      break;
    case 5:
      row.row.chunk = dice.pick(packets);
      break;
    default:
      row.row = random_row(dice, fabric, packets);
      break;
  }
}

// A long pause: packets in switches wait through it.
void pause(Dice& dice, std::vector<StepRow>& rows) {
  if (rows.empty()) return;
  const StepId from = dice.pick(rows).step;
  const std::uint32_t length = dice.from_to(10, 300);
  for (StepRow& row : rows) {
    if (row.step >= from) row.step.value += length;
  }
}

std::vector<StepRow> wild_rows(Dice& dice, const Fabric& fabric, const std::vector<ChunkId>& packets) {
  std::vector<ChunkId> some;
  for (std::uint32_t i = dice.from_to(1, 5); i > 0; --i) some.push_back(dice.pick(packets));
  std::vector<StepRow> rows;
  const std::uint32_t steps = dice.from_to(2, 10);
  for (std::uint32_t i = dice.below(60); i > 0; --i) {
    rows.push_back({StepId(dice.from_to(1, steps)), random_row(dice, fabric, some)});
  }
  return rows;
}

std::vector<StepRow> sensible_rows(Dice& dice, const Fabric& fabric, const Collective& collective,
                                   const std::vector<ChunkId>& packets) {
  Planner planner(dice, fabric, dice.one_in(2));
  if (collective.combining()) {
    plan_words(dice, collective, planner);
  } else {
    plan_copies(dice, fabric, collective, planner);
  }
  const bool joins = fabric.switches_reduce() && collective.combining();
  if (joins && !dice.one_in(4)) planner.rows() = joining_rows(dice, fabric, collective);
  if (dice.one_in(6)) add_wanderers(dice, fabric, packets, planner);
  std::vector<StepRow> rows = std::move(planner.rows());
  if (dice.one_in(2)) {
    for (std::uint32_t faults = dice.from_to(1, 4); faults > 0; --faults) damage(dice, fabric, packets, rows);
  }
  if (dice.one_in(8)) pause(dice, rows);
  return rows;
}

}  // namespace

std::vector<ChunkId> packets_of(const Collective& collective, std::uint64_t ids) {
  std::vector<ChunkId> packets;
  for (std::uint64_t id = 0; id < std::min<std::uint64_t>(collective.chunk_ids(), ids); ++id) {
    if (collective.chunk(collective.name(ChunkId(id))) == ChunkId(id)) packets.push_back(ChunkId(id));
  }
  return packets;
}

SendTable random_table(std::uint64_t seed, bool words) {
  Dice dice(seed);
  const Fabric fabric = random_fabric(dice);
  const Collective collective = random_collective(dice, fabric.processors());
  const std::vector<ChunkId> packets = packets_of(collective, 4096);
  std::vector<StepRow> rows;
  if (!packets.empty()) {
    rows = dice.one_in(4) ? wild_rows(dice, fabric, packets) : sensible_rows(dice, fabric, collective, packets);
  }
  std::shared_ptr<const RowSource> source = std::make_shared<JumbledRows>(std::move(rows), dice);
  if (words) source = perhaps_with_words(std::move(source), collective, dice);
  return {fabric, collective, fmt::format("random seed={}", seed), {}, std::move(source)};
}

}  // namespace quadrille::reference
