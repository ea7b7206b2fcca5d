// A property is violated if anything was found, even where not everything could be looked at; else unknown if that is
// so; else it holds.
#include "verifier/checker/verdicts.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

namespace quadrille {
namespace checker {
namespace {

PropertyResult& result(Report& report, Property property) {
  return report.properties[static_cast<std::size_t>(property)];
}

std::string why_text(Reason reason, const Budget& budget) {
  switch (reason) {
    case Reason::limit:
      return fmt::format("the checker's tables would take more than {} MiB of memory", budget.limit() >> 20);
    case Reason::timeout:
      return "not done when the time was up";
    case Reason::cancelled:
      return "cancelled";
    default:
      return "the table's rows end before the table does";
  }
}

}  // namespace

void leave_unknown(std::initializer_list<Property> properties, Reason reason, const Budget& budget, Report& report) {
  if (reason == Reason::none) return;
  for (const Property property : properties) {
    result(report, property).verdict = Verdict::unknown;
    result(report, property).reason = reason;
    result(report, property).why = why_text(reason, budget);
  }
}

void judge_claims(const std::vector<TableClaim>& claims, Findings& findings, Report& report) {
  const Measured numbers = measured(report);
  for (const TableClaim& claim : claims) {
    const auto [verdict, why] = claim.evaluate(numbers);
    if (verdict == Verdict::unknown) {
      PropertyResult& all = result(report, Property::claims);
      all.verdict = Verdict::unknown;
      all.reason = Reason::unsupported;
      if (all.why.empty()) all.why = fmt::format("{}: {}", claim.text, why);
    } else if (verdict == Verdict::violated) {
      std::string text = fmt::format("the claim {} does not hold: {}", claim.text, why);
      findings.add(Property::claims, Findings::no_step, [&] {
        return BlamedViolation{{.message = std::move(text), .claim = claim.span}, std::nullopt};
      });
    }
  }
}

void conclude(const SendTable& table, const Findings& findings, const Limits& limits, Report& report) {
  for (std::size_t number = 0; number < property_count; ++number) {
    const auto property = static_cast<Property>(number);
    PropertyResult& it = report.properties[number];
    it.violations = findings.counted(property);
    if (it.violations > 0) {
      it.verdict = Verdict::violated;
      it.reason = Reason::none;
    }
    if (!report.only_warns(property)) report.verdict = both(report.verdict, it.verdict);
  }
  report.violations = findings.listed(table, limits);
}

}  // namespace checker

Measured measured(const Report& report) {
  Measured numbers{static_cast<std::int64_t>(report.steps), static_cast<std::int64_t>(report.messages),
                   static_cast<std::int64_t>(report.rows), static_cast<std::int64_t>(report.queues.largest)};
  if (report.max_buffer) numbers.max_buffer = static_cast<std::int64_t>(*report.max_buffer);
  if (report.volume) numbers.volume = static_cast<std::int64_t>(*report.volume);
  numbers.load = report.load;
  if (report.hops) numbers.hops = static_cast<std::int64_t>(*report.hops);
  return numbers;
}

std::string_view to_string(Property property) {
  constexpr std::array<std::string_view, property_count> names{
      "well_formed", "contention_free", "capacity",  "causal", "queue",
      "complete",    "non_redundant",   "agreement", "claims", "invariants"};
  return names[static_cast<std::size_t>(property)];
}

}  // namespace quadrille
