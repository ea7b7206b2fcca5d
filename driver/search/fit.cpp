// A table in rounds is compared with one in steps on the same nodes and channels: only the counting differs. For
// example, allreduce_ring among 8 cuts a message into 8 chunks: it does what an allreduce of one part does.
//
// A combining collective's packets have the same names and numbers, whoever wants the results and whatever is known of
// the operation. So a table of one is a table of another that asks for no more, as it stands: an allreduce is a
// reduction to any root, a barrier, and, of as many values, a reduce_scatter. Rows of which nobody has any use are left
// out: backwards from the end, a row is kept if what it brings is wanted where it arrives, or is sent on from there
// later by a row that is kept.
//
//   allreduce among 4 by recursive doubling, as a reduction to 0: 2 -> 0 of the second round, 1 -> 0 and 3 -> 2 of the
//   first
//
// Cost: a look at each demand, where the collectives differ; of leaving out, rows · log(rows).
#include "driver/search/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace quadrille::driver {

Fabric timed(const Fabric& fabric, Timing timing) {
  Rules rules = fabric.rules();
  if (rules.timing == timing) return fabric;
  rules.timing = timing;
  rules.paths = timing == Timing::rounds ? Paths::shared : Paths::held;
  return fabric.with_rules(rules);
}

bool may_serve(CollectiveKind done, const Collective& asked) {
  return done == asked.kind() || (done.facts().combining && asked.combining());
}

namespace {

// Whether both do the same for the same processors; for combining collectives, whatever the operation is.
bool alike_but_for_operation(const Collective& done, const Collective& asked) {
  CollectiveDescription description = done.description();
  description.operation = asked.description().operation;
  const Result<Collective> relabelled = Collective::make(std::move(description), done.processors());
  return relabelled && relabelled->notation() == asked.notation();
}

bool wants_as_much(const Collective& done, const Collective& asked) {
  for (std::uint64_t number = 0; number < asked.demands(); ++number) {
    const auto [packet, processor] = asked.demand_at(number);
    const auto value = static_cast<std::uint32_t>(packet.value);
    if (done.wanted_contributions(value, processor) != asked.wanted_contributions(value, processor)) return false;
  }
  return true;
}

}  // namespace

bool serves(const Collective& done, const Collective& asked) {
  if (done.processors() != asked.processors() || !may_serve(done.kind(), asked)) return false;
  if (!asked.combining()) return done.notation() == asked.notation();
  if (done.values() != asked.values() || done.chunk_ids() != asked.chunk_ids()) return false;
  return alike_but_for_operation(done, asked) || wants_as_much(done, asked);
}

namespace {

constexpr std::size_t most_rows_sifted = std::size_t{1} << 20;

// A processor's holding of a value (the target is the processor itself), or what a node passes on to a target.
using Holding = std::tuple<NodeId, NodeId, std::uint32_t>;

// A table's rows, and which of them are of use.
class Sieve {
 public:
  // Reads the rows; false if there are too many, or they cannot all be read.
  bool read(const SendTable& table) {
    const auto cursor = table.rows->open();
    while (const auto step = cursor->next()) {
      if (rows_.size() + step->rows.size() > most_rows_sifted) return false;
      begins_.push_back(rows_.size());
      for (const Row& row : step->rows) rows_.push_back({step->step, row});
      messages_.insert(messages_.end(), step->messages.begin(), step->messages.end());
    }
    return cursor->ended_early() == Reason::none;
  }

  std::shared_ptr<const StoredRows> useful(const Fabric& fabric, const Collective& asked) {
    for (std::uint64_t number = 0; number < asked.demands(); ++number) {
      const auto [value, processor] = asked.demand_at(number);
      wanted_.emplace(processor, processor, static_cast<std::uint32_t>(value.value));
    }
    std::vector<bool> kept(rows_.size());
    std::size_t end = rows_.size();
    for (auto begin = begins_.rbegin(); begin != begins_.rend(); end = *begin++) {
      std::set<Holding> sent_on;
      for (const std::vector<std::size_t>& together : moved_together(*begin, end, asked)) {
        keep_if_wanted(together, fabric, asked, kept, sent_on);
      }
      wanted_.merge(sent_on);
    }
    return those(kept);
  }

 private:
  // Groups the rows of one step: those with which one message brings one value to one target; without messages, each
  // row alone.
  std::vector<std::vector<std::size_t>> moved_together(std::size_t begin, std::size_t end,
                                                       const Collective& collective) const {
    std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t>, std::vector<std::size_t>> groups;
    for (std::size_t i = begin; i < end; ++i) {
      const ChunkName name = collective.name(rows_[i].row.chunk);
      const std::size_t message = messages_.empty() ? i : messages_[i].value;
      groups[{message, name.target.value(), name.part}].push_back(i);
    }
    std::vector<std::vector<std::size_t>> all;
    for (auto& [key, group] : groups) all.push_back(std::move(group));
    return all;
  }

  void keep_if_wanted(const std::vector<std::size_t>& together, const Fabric& fabric, const Collective& collective,
                      std::vector<bool>& kept, std::set<Holding>& sent_on) const {
    std::set<NodeId> heads, tails;
    for (const std::size_t i : together) {
      heads.insert(fabric.channel(rows_[i].row.channel).to);
      tails.insert(fabric.channel(rows_[i].row.channel).from);
    }
    const ChunkName any = collective.name(rows_[together.front()].row.chunk);
    const bool wanted = std::ranges::any_of(heads, [&](NodeId head) {
      return !tails.contains(head) && wanted_.contains({head, NodeId(*any.target), any.part});
    });
    if (!wanted) return;
    for (const std::size_t i : together) {
      kept[i] = true;
      const NodeId tail = fabric.channel(rows_[i].row.channel).from;
      const ChunkName name = collective.name(rows_[i].row.chunk);
      const NodeId target = tail.value == name.origin ? tail : NodeId(*name.target);
      if (!heads.contains(tail)) sent_on.emplace(tail, target, name.part);
    }
  }

  std::shared_ptr<const StoredRows> those(const std::vector<bool>& kept) const {
    std::vector<StoredRows::StepRow> rows;
    std::vector<MessageId> messages;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!kept[i]) continue;
      rows.push_back(rows_[i]);
      if (!messages_.empty()) messages.push_back(messages_[i]);
    }
    return std::make_shared<StoredRows>(std::move(rows), messages);
  }

  std::vector<StoredRows::StepRow> rows_;
  std::vector<MessageId> messages_;  // by row, or none
  std::vector<std::size_t> begins_;  // of the steps
  std::set<Holding> wanted_;         // after the step that is looked at
};

}  // namespace

std::optional<SendTable> serving(SendTable table, const Collective& asked) {
  if (table.collective.notation() == asked.notation()) return table;
  if (!serves(table.collective, asked)) return std::nullopt;
  const bool asks_less = asked.demands() < table.collective.demands();
  table.collective = asked;
  Sieve sieve;
  // Named partial reductions are counted in the order of arrival, so no arrival may be missing.
  if (asks_less && !table.rows->has_partial_reductions() && sieve.read(table))
    table.rows = sieve.useful(table.fabric, asked);
  return table;
}

namespace {

// The requested collective, with its messages cut into as many chunks as those of the schedule; unchanged if it gives
// the number, or if that is not possible.
Collective cut_alike(const Collective& asked, const Collective& done) {
  CollectiveDescription description = asked.description();
  if (asked.listed() || done.listed() || description.parts != 1) return asked;
  description.parts = done.description().parts;
  if (asked.combining() && done.combining()) description.parts = done.values() / asked.values();
  const Result<Collective> cut = Collective::make(std::move(description), asked.processors());
  return cut ? *cut : asked;
}

}  // namespace

Result<Collective> collective_served(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                     const Collective& asked, ChunkCount chunks, ElaborateOptions options) {
  options.operation = asked.operation();
  const Result<Collective> done = collective_at(schedule, arguments, options);
  if (!done) return done.diagnostics();
  Collective served = chunks == ChunkCount::any ? cut_alike(asked, *done) : asked;
  if (!serves(*done, served)) {
    return error_at({}, fmt::format("the schedule does {}, and not {}", done->notation(), asked.notation()),
                    Code::invalid);
  }
  return served;
}

Result<SendTable> elaborate_serving(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                    const Collective& asked, ChunkCount chunks, ElaborateOptions options) {
  const Result<Collective> served = collective_served(schedule, arguments, asked, chunks, options);
  if (!served) return served.diagnostics();
  options.operation = asked.operation();
  const auto as_served = [served = *served](Result<SendTable> table) -> Result<SendTable> {
    if (!table) return table.diagnostics();
    return *serving(std::move(*table), served);
  };
  std::function<Result<SendTable>()> spread;
  auto* const spread_later = std::exchange(options.spread_later, &spread);
  Result<SendTable> table = as_served(elaborate(schedule, arguments, options));
  if (spread_later != nullptr && spread) {
    *spread_later = [as_served, spread = std::move(spread)] { return as_served(spread()); };
  }
  return table;
}

}  // namespace quadrille::driver
