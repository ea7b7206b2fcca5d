// Idea: one collective's schedule often is, or is a part of, another's.
// * A schedule of a total exchange is one of a reduce_scatter: the packet from s to t is s's contribution to t's
//   value. It joins when it arrives; nothing joins it on the way.
// * A time-reversed allgather is a reduce_scatter, and a time-reversed broadcast a reduction (time_reversal.h says
//   where).
// * A reduce_scatter and then an allgather are an allreduce, whose values are the ones that the first leaves in
//   pieces. So are a reduction to a root and then a broadcast from there. The shortest halves that were offered are
//   joined.
//
//   hypercube of 8, 8 values: recursive halving, 3 steps of 4, 2 and 1 values, and then recursive doubling
//
// The checker judges every result before it is used. Cost: a look at each row; for reversing, the cost in
// time_reversal.cpp.
#include "verifier/search/related.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "verifier/search/problem/rows.h"
#include "verifier/search/rounds/tables.h"
#include "verifier/search/time_reversal.h"

namespace quadrille {
namespace {

// The exchange of which a collective joins the packets that come to one processor.
std::optional<DemandShape> exchange_of(const Collective& collective) {
  if (!collective.combining() || !collective.shape()->unit_per_wanter) return std::nullopt;
  DemandShape exchange = *collective.shape();
  exchange.unit_per_supplier = true;
  return exchange;
}

// The copying collective whose time-reversed schedules are this collective's, except for the order in which
// contributions are joined. The checker tells whether that order is the one of an ordered operation.
std::optional<Collective> copying_counterpart(const Fabric& fabric, const Collective& collective) {
  if (!collective.combining()) return std::nullopt;
  CollectiveDescription any_order = collective.description();
  any_order.operation = Operation::commutative;
  return searching::time_reversed_of(fabric, Collective::make(std::move(any_order), collective.processors()).value());
}

}  // namespace

std::vector<Collective> related_collectives(const Fabric& fabric, const Collective& collective) {
  std::vector<Collective> all;
  const std::uint32_t n = collective.processors();
  if (n < 2) return all;
  if (const auto exchange = exchange_of(collective)) all.push_back(collective_of_shape(*exchange, n).value());
  if (auto copying = copying_counterpart(fabric, collective)) all.push_back(std::move(*copying));
  if (!collective.combining() || !collective.shape()->all_to_all()) return all;
  const auto add_halves = [&](const DemandShape& second) {
    all.push_back(collective_of_shape(second, n).value());
    all.push_back(collective_of_shape(*second.mirrored(), n, collective.operation()).value());
  };
  const std::uint32_t values = collective.values();
  if (values % n == 0) add_halves(shares_to_all(values / n));
  for (const std::uint32_t root : {0U, n / 2}) add_halves(root_to_all(root, values));
  return all;
}

namespace searching {
namespace {

// --- in rounds ------------------------------------------------------------------------------------------------------

// Idea: a table's rows are gathered by message, and each message becomes one of the other collective: with its
// packets renamed, with its direction turned round, or as the message that brings a result from its sender to its
// receivers. The checker judges every result before it is used.
//
//   broadcast 0 -> 1, 2 by one message that branches at a switch; as the end of an allreduce: two messages
//
// Cost: a look at each row, in ordered maps.

struct Rows {
  std::vector<StoredRows::StepRow> rows;
  std::vector<MessageId> messages;  // by row

  void add(const SendTable& table, std::uint32_t later, const std::function<ChunkId(ChunkId)>& name) {
    const auto cursor = table.rows->open();
    while (const auto step = cursor->next()) {
      for (std::size_t i = 0; i < step->rows.size(); ++i) {
        const Row& row = step->rows[i];
        rows.push_back({StepId{step->step.value + later}, {row.channel, row.lane, name(row.chunk)}});
        const bool alone = step->messages.empty();
        messages.push_back(alone ? MessageId(static_cast<std::uint32_t>(i)) : step->messages[i]);
      }
    }
  }
};

// The table of these rows, with their lanes and messages.
SendTable table_of(const Fabric& fabric, const Collective& collective, std::string name, Rows rows) {
  auto stored = std::make_shared<StoredRows>(std::move(rows.rows), rows.messages);
  return {fabric, collective, std::move(name), {}, std::move(stored)};
}

struct RelatedSend {
  std::set<std::pair<ChannelId, LaneId>> ways;
  std::set<ChunkId> chunks;
};

// The messages of the table, by round and number.
std::map<std::pair<std::uint32_t, MessageId>, RelatedSend> messages_of(const SendTable& table) {
  Rows all;
  all.add(table, 0, [](ChunkId chunk) { return chunk; });
  std::map<std::pair<std::uint32_t, MessageId>, RelatedSend> messages;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    const auto& [step, row] = all.rows[i];
    RelatedSend& it = messages[{step.value, all.messages[i]}];
    it.ways.emplace(row.channel, row.lane);
    it.chunks.insert(row.chunk);
  }
  return messages;
}

// The messages of a copying table: where each begins and ends, and which values it carries.
std::vector<DrawnMessage> drawn_messages(const SendTable& table) {
  std::vector<DrawnMessage> drawn;
  std::uint32_t number = 0;
  for (const auto& [key, message] : messages_of(table)) {
    std::set<NodeId> heads;
    std::set<NodeId> tails;
    for (const auto& [channel, lane] : message.ways) {
      heads.insert(table.fabric.channel(channel).to);
      tails.insert(table.fabric.channel(channel).from);
    }
    DrawnMessage it{key.first, number++, {}, {}, {message.ways.begin(), message.ways.end()}};
    for (const NodeId tail : tails) {
      if (!heads.contains(tail)) it.sender = tail;
    }
    std::ranges::set_difference(heads, tails, std::back_inserter(it.receivers));
    for (const ChunkId chunk : message.chunks) it.values.insert(table.collective.dual_value(chunk));
    drawn.push_back(std::move(it));
  }
  return drawn;
}

// The table with the same messages and their packets renamed. Requires a table whose rows do not name partial
// reductions (ReductionUse).
SendTable renamed_table(const SendTable& table, const Collective& collective,
                        const std::function<ChunkId(ChunkId)>& name) {
  Rows rows;
  rows.add(table, 0, name);
  return table_of(table.fabric, collective, table.schedule, std::move(rows));
}

// The allreduce that does a reduction or reduce_scatter first, and then a broadcast or allgather. A message of the
// second part to several receivers becomes one message to each. Nothing where messages of the second part begin or
// end at switches.
std::optional<SendTable> joined_in_rounds(const SendTable& combining, const SendTable& copying,
                                          const Collective& allreduce, std::string name) {
  const Fabric& fabric = copying.fabric;
  std::vector<JoiningMessage> results;
  for (const DrawnMessage& drawn : drawn_messages(copying)) {
    for (const NodeId receiver : drawn.receivers) {
      if (!fabric.is_processor(drawn.sender) || !fabric.is_processor(receiver)) return std::nullopt;
      JoiningMessage it{drawn.round, receiver, tree_of(fabric, drawn, {receiver}), {}};
      for (const std::uint64_t value : drawn.values) {
        const auto packet = allreduce.chunk({drawn.sender.value, receiver.value, static_cast<std::uint32_t>(value)});
        if (!packet) return std::nullopt;
        it.packets[drawn.sender].push_back(*packet);
      }
      results.push_back(std::move(it));
    }
  }
  Rows rows;
  rows.add(combining, 0, [&](ChunkId chunk) { return allreduce.chunk(combining.collective.name(chunk)).value(); });
  const std::uint32_t later = combining.rows->last_step().value_or(StepId{0}).value;
  rows.add(joined_table(fabric, allreduce, name, std::move(results)), later, [](ChunkId chunk) { return chunk; });
  return table_of(fabric, allreduce, std::move(name), std::move(rows));
}

}  // namespace

Report checked_quietly(const SendTable& table, Limits limits) {
  limits.progress = {};
  return check(table, {.listed_per_property = 0, .limits = std::move(limits)});
}

RelatedSchedules::Made RelatedSchedules::made_of(const SendTable& known, const Limits& limits) {
  Made all;
  if (!(known.fabric == fabric_)) return all;
  const Collective& other = known.collective;
  const Report report = checked_quietly(known, limits);
  if (report.verdict != Verdict::holds) return all;
  const auto method = [&](Method::Use use) {
    return Method{Method::Kind::known_schedule, use, known.schedule, other.notation()};
  };
  const auto exchange = exchange_of(collective_);
  if (exchange && !other.listed() && other.shape() == exchange) {
    all.emplace_back(exchanged(known), method(Method::Use::of_another));
  }
  const auto copying = copying_counterpart(fabric_, collective_);
  if (copying && copying->notation() == other.notation()) {
    if (auto table = time_reversed(known, collective_)) {
      all.emplace_back(*std::move(table), method(Method::Use::time_reversed));
    }
  }
  if (collective_.combining() && collective_.shape()->all_to_all()) add_halves(known, report.steps, limits, all);
  return all;
}

// Renames the packet from s to t, part p, as the packet of value t · parts + p.
SendTable RelatedSchedules::exchanged(const SendTable& exchange) const {
  const std::uint32_t parts = collective_.description().parts;
  const auto renamed = [&](ChunkId chunk) {
    const ChunkName name = exchange.collective.name(chunk);
    const std::uint32_t target = name.target.value();
    return collective_.chunk({name.origin, target, target * parts + name.part}).value();
  };
  if (in_rounds()) return renamed_table(exchange, collective_, renamed);
  std::vector<StepRow> rows = all_rows(exchange);
  for (StepRow& it : rows) it.row.chunk = renamed(it.row.chunk);
  return table_of(fabric_, collective_, exchange.schedule, std::move(rows));
}

std::optional<SendTable> RelatedSchedules::time_reversed(const SendTable& copying, const Collective& combining) const {
  if (in_rounds()) return time_reversed_table(fabric_, combining, copying.schedule, drawn_messages(copying));
  return table_of(fabric_, combining, copying.schedule,
                  time_reversed_rows(fabric_, combining, copying.collective, all_rows(copying)));
}

void RelatedSchedules::add_halves(const SendTable& known, std::uint64_t steps, const Limits& limits, Made& made) {
  const Collective& other = known.collective;
  const std::uint32_t n = collective_.processors();
  const std::uint64_t parts = std::uint64_t{other.description().parts} * (other.rooted() ? 1 : n);
  if (parts != collective_.description().parts) return;
  const std::pair key(other.rooted(), other.rooted() ? other.description().root : 0U);
  auto found = std::ranges::find(pairs_, key, &std::pair<std::pair<bool, std::uint32_t>, Pair>::first);
  if (found == pairs_.end()) found = pairs_.insert(pairs_.end(), {key, {}});
  Pair& pair = found->second;
  const auto better = [](std::optional<Half>& half, SendTable table, std::uint64_t its_steps) {
    if (half && half->steps <= its_steps) return false;
    half = Half{std::move(table), its_steps};
    return true;
  };
  bool changed = better(other.combining() ? pair.combining : pair.copying, known, steps);
  // A copying half is also a combining half, time-reversed, where links go both ways.
  if (!other.combining() && !(pair.combining && pair.combining->steps <= steps) && !fabric_.has_one_way_links()) {
    const Collective dual = collective_of_shape(other.shape()->mirrored().value(), n, collective_.operation()).value();
    auto table = time_reversed(known, dual);
    if (table) table->schedule += ", time-reversed";
    if (table && checked_quietly(*table, limits).verdict == Verdict::holds) {
      changed = better(pair.combining, *std::move(table), steps) || changed;
    }
  }
  if (!changed || !pair.combining || !pair.copying) return;
  const std::string name = pair.combining->table.schedule + ", then " + pair.copying->table.schedule;
  if (auto table = joined(*pair.combining, *pair.copying, name)) {
    made.emplace_back(*std::move(table), Method{Method::Kind::known_schedule, Method::Use::as_it_is, name, ""});
  }
}

std::optional<SendTable> RelatedSchedules::joined(const Half& combining, const Half& copying,
                                                  const std::string& name) const {
  if (in_rounds()) return joined_in_rounds(combining.table, copying.table, collective_, name);
  std::vector<StepRow> rows = all_rows(combining.table);
  for (StepRow& it : rows) {
    it.row.chunk = collective_.chunk(combining.table.collective.name(it.row.chunk)).value();
  }
  const std::vector<StepRow> after =
      rows_of_results(fabric_, collective_, copying.table.collective, all_rows(copying.table),
                      static_cast<std::uint32_t>(combining.steps));
  rows.insert(rows.end(), after.begin(), after.end());
  return table_of(fabric_, collective_, name, std::move(rows));
}

}  // namespace searching
}  // namespace quadrille
