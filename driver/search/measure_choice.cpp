// For example, `allreduce` on dgx1: allreduce_ring with N = 8 has 14 rounds of volume 14 for 8 chunks, so that a
// message of 1 MiB takes 14·T_s + 14·128 KiB·T_c.
//
// What the messages take in any rounds (any_rounds.h) is known before they are judged, or placed anew: choices that are
// of no use end there, and messages are placed anew only if they may take fewer rounds. Cost: in rounds a pass over the
// rows, a compilation and a check, and two where fewer rounds may be possible; in steps one of each.
#include "driver/search/measure_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "driver/inputs/bandwidth.h"
#include "driver/inputs/message_time.h"
#include "driver/search/consumer.h"
#include "driver/search/fit.h"
#include "driver/search/known_arguments.h"
#include "driver/search/least_time.h"
#include "model/route.h"

namespace quadrille::driver {
namespace {

// Compares two tables in rounds.
bool better(const Compared::InRounds& placed, const Compared::InRounds& written) {
  const bool as_good = placed.rounds <= written.rounds && placed.volume <= written.volume &&
                       placed.load <= written.load && placed.hops <= written.hops;
  return as_good && (placed.rounds < written.rounds || placed.load < written.load);
}

// Whether some processors have several shortest routes to each other, and nothing says which to take.
bool has_equal_routes(const Fabric& fabric) {
  constexpr std::uint32_t most_senders = 64;
  const Router router(fabric);
  for (std::uint32_t from = 0; from < std::min(fabric.processors(), most_senders); ++from) {
    for (std::uint32_t to = 0; to < fabric.processors(); ++to) {
      if (from != to && router.leaves_choice(NodeId(from), NodeId(to))) return true;
    }
  }
  return false;
}

// Nor invariants: a shipped schedule's are of no interest to a comparison.
Result<SendTable> without_claims(Result<SendTable> table) {
  if (!table) return table;
  table->claims.clear();
  table->invariants.clear();
  return table;
}

constexpr std::uint64_t most_rows_routed = std::uint64_t{1} << 18;
constexpr std::uint64_t most_rows_spread = std::uint64_t{1} << 23;

std::uint64_t rows_of(const SendTable& table) {
  return table.rows->row_count().value_or(std::numeric_limits<std::uint64_t>::max());
}

// A table that is so large is not placed anew, nor are its messages given other routes once it is measured.
bool is_large(const SendTable& table) { return rows_of(table) > most_rows_routed; }

bool less_at_some_size(const std::vector<std::optional<double>>& times,
                       const std::vector<std::optional<double>>& least) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] && (!least[i] || *times[i] < *least[i])) return true;
  }
  return false;
}

}  // namespace

ChoiceMeter::ChoiceMeter(const CompareOutcome& asked, const CompareRequest& request, Context& context)
    : asked_(asked),
      request_(request),
      in_steps_(timed(asked.fabric, Timing::steps)),
      in_rounds_(timed(asked.fabric, Timing::rounds)),
      context_(context),
      least_rounds_(least_rounds(in_rounds_, asked.collective, quiet_limits())),
      equal_routes_(has_equal_routes(in_rounds_)) {}

std::vector<Arguments> ChoiceMeter::choices(const std::shared_ptr<const ir::Schedule>& schedule,
                                            const Arguments& given) const {
  std::vector<Arguments> all =
      arguments_of_any_parts(*schedule, in_rounds_, asked_.collective, quiet_limits(), given, asked_.levels);
  if (asked_.sizes.empty()) all.resize(1);
  // A default may come twice, once by name.
  std::set<std::string> titles;
  std::erase_if(all, [&](const Arguments& arguments) {
    const Result<std::string> title = title_at(schedule, arguments);
    return title && !titles.insert(*title).second;
  });
  return all;
}

std::optional<Collective> ChoiceMeter::collective_for(const std::shared_ptr<const ir::Schedule>& schedule,
                                                      const Arguments& arguments) const {
  Result<Collective> served = collective_served(schedule, arguments, asked_.collective, ChunkCount::any,
                                                {.fabric = in_rounds_, .limits = quiet_limits()});
  return served ? std::optional(*std::move(served)) : std::nullopt;
}

std::optional<std::uint64_t> ChoiceMeter::chunks(const std::shared_ptr<const ir::Schedule>& schedule,
                                                 const Arguments& arguments) const {
  const auto served = collective_for(schedule, arguments);
  return served ? std::optional<std::uint64_t>(served->message_parts()) : std::nullopt;
}

TriedChoice ChoiceMeter::in_rounds(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                   const std::vector<std::optional<double>>& least, const std::vector<double>& of_all,
                                   const OfNoUse& of_no_use, const OfNoUse& cannot_be_best) const {
  if (auto over = too_large(schedule, arguments, least, of_all)) return {.passed_over = std::move(over)};
  PlacedBy placement = PlacedBy::written;
  std::function<Result<SendTable>()> spread_later;
  std::optional<SendTable> written = compiled(schedule, arguments, in_rounds_, placement, &spread_later);
  const auto spread_table = [&] {
    return spread_later ? taken(without_claims(spread_later()))
                        : compiled(schedule, arguments, in_rounds_, PlacedBy::spread);
  };
  if (written && !written->rows->has_messages()) return {};
  AnyRounds bound;
  if (written) {
    const bool another =
        !request_.every_choice && std::ranges::any_of(least, [](const auto& it) { return it.has_value(); });
    if (another && rows_of(*written) > request_.most_rows)
      return {.passed_over = PassedOver{written->schedule, {}, rows_of(*written)}};
    // For a large table the bound only tells whether it is of no use, and whether spreading is.
    const bool bounded = !is_large(*written) || !of_all.empty() || equal_routes_;
    if (bounded) {
      if (auto over = passed_over(*written, equal_routes_, of_no_use, bound)) return {.passed_over = std::move(over)};
    }
    const bool worth_it = !cannot_be_best(bound, written->collective.message_parts());
    if (equal_routes_ && worth_it && is_large(*written) && rows_of(*written) <= most_rows_spread) {
      // Its routes are settled before it is judged at all.
      if (auto spread = spread_table()) {
        written = std::move(spread);
        placement = PlacedBy::spread;
      }
    }
    if (placement == PlacedBy::spread && bounded) {
      if (auto over = passed_over(*written, false, of_no_use, bound)) return {.passed_over = std::move(over)};
    }
  }
  const std::optional<SoundTable> first = judged(std::move(written), placement);
  std::vector<MeasuredChoice> all;
  if (first) add(*first, least, all);
  const auto try_to_place = [&](PlacedBy how) {
    auto table = how == PlacedBy::spread ? spread_table() : compiled(schedule, arguments, in_rounds_, how);
    if (const auto other = judged(std::move(table), how)) add(*other, least, all);
  };
  const bool no_gain = !all.empty() && cannot_gain(all.front(), least, bound);
  if (no_gain) return {.measured = std::move(all)};
  const bool first_is_large = first && is_large(first->table);
  const bool fewer_rounds = !first || (!first_is_large && first->report.steps > std::max(least_rounds_, bound.rounds));
  // Where it takes no time, all are placed anew: by other routes, or in other rounds, channels may carry less in as
  // many.
  constexpr std::uint64_t few_rows = 32768;
  const bool small = first && first->report.rows <= few_rows;
  if (fewer_rounds || small) try_to_place(PlacedBy::retimed);
  if (equal_routes_ && !first_is_large && may_be_spread(all, least, of_all)) try_to_place(PlacedBy::spread);
  return {.measured = std::move(all)};
}

// Whether so many rows, one for each demand at least, are not worth the time that it takes to make them: another choice
// of the algorithm is known, and at each size something takes hardly more than any schedule has to.
std::optional<PassedOver> ChoiceMeter::too_large(const std::shared_ptr<const ir::Schedule>& schedule,
                                                 const Arguments& arguments,
                                                 const std::vector<std::optional<double>>& least,
                                                 const std::vector<double>& of_all) const {
  constexpr std::uint64_t most_demands = std::uint64_t{1} << 17;
  constexpr double hardly_more = 1.05;
  const bool another = std::ranges::any_of(least, [](const auto& it) { return it.has_value(); });
  if (!another || of_all.empty()) return std::nullopt;
  for (std::size_t i = 0; i < of_all.size(); ++i) {
    if (of_all[i] > asked_.at_least[i] * hardly_more) return std::nullopt;
  }
  const auto served = collective_for(schedule, arguments);
  if (!served || served->demands() <= most_demands) return std::nullopt;
  std::string name = schedule->name;
  for (const auto& [parameter, value] : arguments) name += fmt::format(" {}={}", parameter, value);
  return PassedOver{std::move(name), {}, served->demands()};
}

// Whether by the bound no placement takes less, at any size, than the choice as it is measured, or than its row.
bool ChoiceMeter::cannot_gain(const MeasuredChoice& choice, const std::vector<std::optional<double>>& least,
                              const AnyRounds& bound) const {
  constexpr double rounding = 1e-9;
  for (std::size_t i = 0; i < asked_.sizes.size(); ++i) {
    const double known = std::min(least[i].value_or(never), choice.times[i].value_or(never));
    if (bound.of(asked_.sizes[i], choice.choice.chunks) * (1 + rounding) < known) return false;
  }
  return !asked_.sizes.empty();
}

// Spreading saves time on channels alone, and is tried for choices that are not much slower than their row without it,
// and than the best of all. What takes less when it is placed anew has other routes already.
bool ChoiceMeter::may_be_spread(const std::vector<MeasuredChoice>& so_far,
                                const std::vector<std::optional<double>>& least,
                                const std::vector<double>& of_all) const {
  if (so_far.empty()) return true;
  if (asked_.sizes.empty()) return so_far.back().choice.placement != PlacedBy::retimed;
  for (std::size_t i = 0; i < asked_.sizes.size(); ++i) {
    const double to_beat = std::min(least[i].value_or(never), of_all.empty() ? never : of_all[i]);
    const auto time = [&](const MeasuredChoice& it) { return it.times[i].value_or(never); };
    const MeasuredChoice& best = *std::ranges::min_element(so_far, {}, time);
    // The least that is left of a time: four fifths, or a quarter.
    const double saved = best.choice.placement == PlacedBy::retimed ? 1.25 : 4;
    if (time(best) / saved < to_beat) return true;
  }
  return false;
}

// Adds a placement that takes less than those before it at some size, or, without sizes, is better than the one before.
void ChoiceMeter::add(const SoundTable& sound, std::vector<std::optional<double>> least,
                      std::vector<MeasuredChoice>& all) const {
  if (!sound.table.rows->has_messages()) return;
  for (const MeasuredChoice& it : all) {
    for (std::size_t i = 0; i < least.size(); ++i) {
      if (it.times[i]) least[i] = std::min(least[i].value_or(never), *it.times[i]);
    }
  }
  MeasuredChoice next = measured(sound, least);
  if (all.empty() || less_at_some_size(next.times, least)) {
    if (is_taken(sound.table)) all.push_back(std::move(next));
  } else if (asked_.sizes.empty() && better(*next.choice.in_rounds, *all.front().choice.in_rounds)) {
    all.front() = std::move(next);
  }
}

// Whether the executor takes it that is asked for, if one is.
bool ChoiceMeter::is_taken(const SendTable& table) const {
  if (request_.consumer.empty()) return true;
  std::vector<std::uint64_t> wholes = asked_.sizes;
  for (std::uint64_t& it : wholes) it *= messages_in_whole(table.collective);
  return takes(request_.consumer, table, wholes, quiet_limits());
}

std::optional<PassedOver> ChoiceMeter::passed_over(const SendTable& table, bool other_routes, const OfNoUse& of_no_use,
                                                   AnyRounds& bound) const {
  if (request_.every_choice) return std::nullopt;
  const std::uint64_t chunks = table.collective.message_parts();
  const auto enough = [&](const AnyRounds& at_least) { return of_no_use(at_least, chunks); };
  bound = any_rounds(table, asked_.costs, other_routes, quiet_limits(), enough).value_or(AnyRounds{});
  if (!enough(bound)) return std::nullopt;
  PassedOver over{table.schedule, {}};
  for (const std::uint64_t size : asked_.sizes) over.at_least.push_back(bound.of(size, chunks));
  return over;
}

// The time is linear in the size, and two sizes tell it: where links state their speeds, each is a pass over the rows.
std::vector<std::optional<double>> ChoiceMeter::times(const SoundTable& sound) const {
  const auto& [table, report, placement] = sound;
  const Measures measures = measures_of(table.fabric, report);
  const auto time = [&, &rows = table](std::uint64_t size) {
    return message_time(rows, measures, asked_.costs, size, quiet_limits());
  };
  const auto& sizes = asked_.sizes;
  std::vector<std::optional<double>> all(sizes.size());
  if (sizes.size() <= 2 || !timed_by_row(table.fabric, measures, asked_.costs)) {
    std::ranges::transform(sizes, all.begin(), time);
    return all;
  }
  const auto [least, most] = std::ranges::minmax(sizes);
  const auto at_least = time(least);
  const auto at_most = most > least ? time(most) : at_least;
  if (!at_least || !at_most) return all;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double part = most > least ? static_cast<double>(sizes[i] - least) / static_cast<double>(most - least) : 0;
    all[i] = *at_least + (*at_most - *at_least) * part;
  }
  return all;
}

MeasuredChoice ChoiceMeter::measured(const SoundTable& sound, const std::vector<std::optional<double>>& least) const {
  const auto& [table, report, placement] = sound;
  MeasuredChoice result{{.algorithm = table.schedule, .chunks = table.collective.message_parts()}, {}};
  result.choice.placement = placement;
  result.choice.in_rounds = {report.steps, *report.volume, report.load, *report.hops};
  result.times = times(sound);
  if (less_at_some_size(result.times, least)) {
    if (auto busy = busy_rounds(table, transfer_costs(asked_.costs), quiet_limits())) {
      result.choice.busy = std::move(*busy);
    }
  }
  return result;
}

void ChoiceMeter::add_steps(Compared& row, const std::shared_ptr<const ir::Schedule>& schedule,
                            const Arguments& arguments) const {
  const auto steps = judged(compiled(schedule, arguments, in_steps_, PlacedBy::retimed), PlacedBy::retimed);
  if (!steps) return;
  row.steps = steps->report.steps;
  row.bound = best_bound(in_steps_, steps->table.collective, steps->report.steps, quiet_limits());
}

std::optional<Compared> ChoiceMeter::in_steps(const std::shared_ptr<const ir::Schedule>& schedule,
                                              const Arguments& arguments) const {
  const auto steps = judged(compiled(schedule, arguments, in_steps_, PlacedBy::retimed), PlacedBy::retimed);
  if (!steps) return std::nullopt;
  const SendTable& table = steps->table;
  Compared row{.algorithm = table.schedule,
               .choices = {{.algorithm = table.schedule, .chunks = table.collective.message_parts()}}};
  row.choice_at.resize(asked_.sizes.size());
  row.times.resize(asked_.sizes.size());
  row.steps = steps->report.steps;
  row.bound = best_bound(in_steps_, table.collective, steps->report.steps, quiet_limits());
  return row;
}

Diagnostic ChoiceMeter::why_none(const std::shared_ptr<const ir::Schedule>& schedule,
                                 const Arguments& arguments) const {
  Result<SendTable> table =
      elaborated_choice(schedule, arguments, PlacedBy::written, in_rounds_, asked_.collective, quiet_limits());
  if (table && !table->rows->has_messages()) {
    if (!asked_.steps) return error_at({}, "it is written in steps, which --steps measures", Code::invalid);
    table = elaborated_choice(schedule, arguments, PlacedBy::retimed, in_steps_, asked_.collective, quiet_limits());
  }
  if (!table) return table.diagnostics().front();
  const Report report = check(*table, {.listed_per_property = 1, .limits = quiet_limits()});
  const auto wrong =
      std::ranges::find_if(report.violations, [&](const Violation& it) { return !report.only_warns(it.property); });
  if (wrong == report.violations.end()) return error_at({}, "limits were reached before it was judged", Code::limit);
  return error_at(wrong->origin.span, wrong->message, Code::invalid);
}

Result<SendTable> elaborated_choice(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                    PlacedBy placement, const Fabric& fabric, const Collective& collective,
                                    const Limits& limits, std::function<Result<SendTable>()>* spread_later) {
  const ElaborateOptions options{.fabric = fabric,
                                 .retime = placement == PlacedBy::retimed,
                                 .spread = placement == PlacedBy::spread,
                                 .keep_messages = true,
                                 .spread_later = spread_later,
                                 .limits = limits};
  return without_claims(elaborate_serving(schedule, arguments, collective, ChunkCount::any, options));
}

std::optional<SendTable> ChoiceMeter::compiled(const std::shared_ptr<const ir::Schedule>& schedule,
                                               const Arguments& arguments, const Fabric& fabric, PlacedBy placement,
                                               std::function<Result<SendTable>()>* spread_later) const {
  return taken(
      elaborated_choice(schedule, arguments, placement, fabric, asked_.collective, quiet_limits(), spread_later));
}

// Nothing of a table that cannot be made; notes whether limits are why.
std::optional<SendTable> ChoiceMeter::taken(Result<SendTable> table) const {
  if (!table) {
    if (table.diagnostics().front().code == Code::limit) over_limit_ = true;
    return std::nullopt;
  }
  return *std::move(table);
}

std::optional<ChoiceMeter::SoundTable> ChoiceMeter::judged(std::optional<SendTable> table, PlacedBy placement) const {
  if (!table) return std::nullopt;
  Report report = check(*table, {.listed_per_property = 0, .limits = quiet_limits()});
  if (report.ended_early == Reason::limit) over_limit_ = true;
  if (report.verdict != Verdict::holds) return std::nullopt;
  return SoundTable{std::move(*table), std::move(report), placement};
}

Limits ChoiceMeter::quiet_limits() const {
  Limits limits = remaining(context_);
  limits.progress = {};
  return limits;
}

}  // namespace quadrille::driver
