// `claim optimal steps` is about all schedules there are: the checker, which sees one table, leaves it unknown. Here a
// lower bound is tried first, and then a search for a schedule that takes one step less, which begins with all that
// ships. For example, `allgather_ring` takes 7 rounds on 8 processors: that is violated by `allgather_bruck`, which
// takes 3; its volume, 7, is what each processor must receive, and so optimal.
#include "driver/search/optimal_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "driver/search/known_schedules.h"
#include "verifier/search.h"

namespace quadrille::driver {
namespace {

struct ClaimVerdict {
  Verdict verdict = Verdict::unknown;
  std::string why = {};
  Reason reason = Reason::unsupported;
};

constexpr double search_seconds = 10;  // the most that is spent on looking for one schedule that is better

class OptimalJudge {
 public:
  OptimalJudge(const SendTable& table, const OptimalEvidence& evidence, Context& context, const Report& report)
      : table_(table), evidence_(evidence), context_(context), report_(report) {}

  ClaimVerdict judge(const TableClaim& claim) {
    auto [verdict, why] = claim.evaluate(measured(report_));
    const bool of_rounds = *claim.optimal != OptimalMeasure::steps;
    if (verdict != Verdict::unknown || (of_rounds && !report_.volume)) return {verdict, std::move(why)};
    if (*claim.optimal == OptimalMeasure::volume)
      return least("volume", *report_.volume, *evidence_.volume->steps, true);
    return least(of_rounds ? "rounds" : "steps", report_.steps, *evidence_.bound.steps, false);
  }

 private:
  // Whether nothing takes less than `here`.
  ClaimVerdict least(std::string_view measure, std::uint64_t here, std::uint64_t bound, bool volume) {
    if (bound == here) return {Verdict::holds};
    if (!evidence_.search) return least_known(measure, here, volume);
    SearchGoal goal{.steps = static_cast<std::uint32_t>(here - 1)};
    if (volume) goal.phases = goal.steps;  // a round that sends anything has a volume of 1 at least
    const std::string numbers = fmt::format("{} is {}, the bound {}", measure, here, bound);
    if (const auto why = cannot_search(table_.fabric, table_.collective, goal)) {
      return {Verdict::unknown, fmt::format("{}; not searched: {}", numbers, *why)};
    }
    const SearchResult found = searched(goal);
    if (found.table && found.steps < here) {
      return {Verdict::violated, fmt::format("{} is {}; there is a schedule of {} ({})", measure, here, found.steps,
                                             to_string(found.method))};
    }
    if (found.verdict == SearchVerdict::impossible && covers_every_schedule()) return {Verdict::holds};
    const Reason reason = found.reason == Reason::none ? Reason::unsupported : found.reason;
    return {Verdict::unknown, fmt::format("{}; no schedule in between is found", numbers), reason};
  }

  ClaimVerdict least_known(std::string_view measure, std::uint64_t here, bool volume) {
    std::uint64_t least = here;
    offer_known_tables(table_.fabric, table_.collective, context_, [&](SendTable known) {
      known.claims.clear();
      known.invariants.clear();
      const Limits limits = remaining(context_);
      // Schedules of related collectives are of use to a search only.
      if (known.collective.notation() != table_.collective.notation() || !(known.fabric == table_.fabric)) return true;
      const Report report = check(known, {.limits = limits});
      if (report.verdict == Verdict::holds)
        least = std::min<std::uint64_t>(least, volume ? report.volume.value_or(least) : report.steps);
      return limits.reached() == Reason::none;
    });
    if (least == here) return {Verdict::unknown, "no schedule that is known is better", Reason::unsupported};
    return {Verdict::violated, fmt::format("{} is {}; there is a schedule of {} (known)", measure, here, least)};
  }

  SearchResult searched(const SearchGoal& goal) {
    SearchOptions options;
    options.limits = remaining(context_).within(std::chrono::duration<double>(search_seconds));
    options.offer_known = [&](const std::function<bool(SendTable)>& take) {
      offer_known_tables(table_.fabric, table_.collective, context_, take);
    };
    return search(table_.fabric, table_.collective, goal, options);
  }

  // Formulas about combining collectives in steps are about processors that hold one word each.
  bool covers_every_schedule() const { return !table_.collective.combining() || table_.fabric.in_rounds(); }

  const SendTable& table_;
  const OptimalEvidence& evidence_;
  Context& context_;
  const Report& report_;
};

void add(const TableClaim& claim, const ClaimVerdict& verdict_of_claim, std::size_t listed, Report& report) {
  PropertyResult& all = report.properties[static_cast<std::size_t>(Property::claims)];
  if (verdict_of_claim.verdict == Verdict::violated) {
    ++all.violations;
    if (all.violations <= listed) {
      report.violations.push_back(
          {.property = Property::claims,
           .message = fmt::format("the claim {} does not hold: {}", claim.text, verdict_of_claim.why),
           .claim = claim.span});
    }
    all.verdict = Verdict::violated;
    all.reason = Reason::none;
    all.why.clear();
  } else if (verdict_of_claim.verdict == Verdict::unknown && all.verdict != Verdict::violated) {
    all.verdict = Verdict::unknown;
    all.reason = verdict_of_claim.reason;
    if (all.why.empty()) all.why = fmt::format("{}: {}", claim.text, verdict_of_claim.why);
  }
  report.verdict = both(report.verdict, all.verdict);
}

}  // namespace

bool claims_optimum(const SendTable& table) {
  return std::ranges::any_of(table.claims, [](const TableClaim& claim) { return claim.optimal.has_value(); });
}

Report check_without_optimal(const SendTable& table, const CheckOptions& options) {
  SendTable judged = table;
  std::erase_if(judged.claims, [](const TableClaim& claim) { return claim.optimal.has_value(); });
  return check(judged, options);
}

void judge_optimal_claims(const SendTable& table, const OptimalEvidence& evidence, Context& context, Report& report) {
  const Report before = report;
  const bool holds = std::ranges::all_of(report.properties, [&](const PropertyResult& each) {
    const auto property = static_cast<Property>(&each - report.properties.data());
    return property == Property::claims || report.only_warns(property) || each.verdict == Verdict::holds;
  });
  OptimalJudge judge(table, evidence, context, before);
  for (const TableClaim& claim : table.claims) {
    if (!claim.optimal) continue;
    tell_stage(context, "looking for a better schedule");
    add(claim, holds ? judge.judge(claim) : ClaimVerdict{.why = "the table does not hold"}, evidence.listed, report);
  }
}

}  // namespace quadrille::driver
