// Idea and cost: invariants.h.
//
//   broadcast on the line 0-1-2, `invariant after t in 0..2: for k in processors: held(k) == …`: before the rows of
//   step 2 are read, what is said of steps 0 and 1 is compared with what has come in step 1; the rest at the end
#include "verifier/checker/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace quadrille::checker {
namespace {

bool same(const Interval& held, const OriginRange& stated) {
  return held.first == stated.first && held.last == stated.last;
}

// Both are sorted.
bool contains(const Intervals& held, const std::vector<OriginRange>& stated) {
  auto at = held.begin();
  for (const OriginRange& range : stated) {
    while (at != held.end() && at->last < range.first) ++at;
    if (at == held.end() || at->first > range.first || at->last < range.last) return false;
  }
  return true;
}

bool equal(const Intervals& held, const std::vector<OriginRange>& stated) {
  return std::equal(held.begin(), held.end(), stated.begin(), stated.end(), same);
}

// "{0-3, 7}"
template <class Range>
std::string braced(const std::vector<Range>& ranges) {
  std::string text = "{";
  for (const Range& range : ranges) {
    if (text.size() > 1) text += ", ";
    text += range.first == range.last ? fmt::format("{}", range.first) : fmt::format("{}-{}", range.first, range.last);
  }
  return text + "}";
}

}  // namespace

Invariants::Invariants(const SendTable& table, Findings& findings, const Limits& limits, Holdings& holdings)
    : table_(table), findings_(findings), limits_(limits), holdings_(holdings) {}

void Invariants::step(const StepRows& batch) {
  if (table_.invariants.empty()) return;
  judge_before(batch.step.value);
  if (reason_ == Reason::limit) return;
  try {
    holdings_.follow(batch);
  } catch (const OverBudget&) {
    leave(Reason::limit, "the checker has no memory left for what is held");
  }
}

void Invariants::finish() {
  if (!table_.invariants.empty()) judge_before(std::numeric_limits<std::uint64_t>::max());
}

// Which steps are spoken of.
void Invariants::open() {
  opened_ = true;
  for (const TableInvariant& invariant : table_.invariants) {
    auto steps = invariant.steps(limits_);
    if (steps) {
      all_.push_back({&invariant, *std::move(steps)});
    } else {
      leave(reason_of(steps.diagnostics()), steps.diagnostics().front().message);
    }
  }
}

void Invariants::judge_before(std::uint64_t step) {
  if (!opened_) open();
  for (Stated& stated : all_) {
    while (stated.next < stated.steps.size() && stated.steps[stated.next] < step && reason_ == Reason::none)
      judge(*stated.invariant, stated.steps[stated.next++]);
  }
}

void Invariants::judge(const TableInvariant& invariant, std::uint32_t step) {
  const auto wrong = invariant.statements(step, limits_, [&](const HeldOrigins& statement) {
    ++statements_;
    try {
      compare(invariant, step, statement);
    } catch (const OverBudget&) {
      leave(Reason::limit, "the checker has no memory left for what is held");
    }
    return reason_ == Reason::none;
  });
  if (wrong) leave(reason_of({*wrong}), wrong->message);
}

void Invariants::compare(const TableInvariant& invariant, std::uint32_t step, const HeldOrigins& statement) {
  const Intervals held = holdings_.held(statement.processor, statement.target, statement.part);
  if (statement.at_least ? contains(held, statement.origins) : equal(held, statement.origins)) return;
  findings_.add(Property::invariants, step, [&] {
    return BlamedViolation{{.step = StepId{step},
                            .node = statement.processor,
                            .message = words(step, statement, held),
                            .origin = {statement.span, {}},
                            .claim = invariant.span},
                           std::nullopt};
  });
}

// "after round 2 processor 5 holds {4-5} of value 1, but {3-5} is stated"
std::string Invariants::words(std::uint32_t step, const HeldOrigins& statement, const Intervals& held) const {
  const bool rounds = table_.fabric.in_rounds();
  std::string what;
  if (statement.target) what += fmt::format(" for {}", *statement.target);
  if (table_.collective.combining()) {
    if (table_.collective.values() > 1) what += fmt::format(" of value {}", statement.part);
  } else if (statement.part > 0 || table_.collective.description().parts > 1) {
    what += fmt::format(" of part {}", statement.part);
  }
  return fmt::format("after {} {} processor {} holds {}{}, but {}{} is stated", rounds ? "round" : "step", step,
                     statement.processor.value, braced(held), what, statement.at_least ? "at least " : "",
                     braced(statement.origins));
}

// The first reason counts; what is in error is not supported, as with claims.
void Invariants::leave(Reason reason, std::string why) {
  if (reason_ != Reason::none) return;
  reason_ = reason == Reason::none ? Reason::unsupported : reason;
  why_ = std::move(why);
}

void Invariants::report(Report& report) const {
  report.invariant_statements = statements_;
  if (reason_ == Reason::none) return;
  PropertyResult& result = report.properties[static_cast<std::size_t>(Property::invariants)];
  result.verdict = Verdict::unknown;
  result.reason = reason_;
  result.why = why_;
}

}  // namespace quadrille::checker
