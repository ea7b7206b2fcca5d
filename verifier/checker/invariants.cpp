// Idea and cost: invariants.h.
//
//   broadcast on the line 0-1-2, `invariant after t in 0..2: for k in processors: held(k) == …`: before the rows of
//   step 2 are read, what is said of steps 0 and 1 is compared with what has come in step 1; the rest at the end
#include "verifier/checker/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

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

std::vector<Holdings::HeldPlace> Holdings::take_changes() {
  kept_ = true;
  return std::exchange(changes_, {});
}

// --- in time ------------------------------------------------------------------------------------------------------

void JudgedInTime::hold_anew(const Holdings::HeldPlace& place) {
  const std::uint32_t* first = first_.find({place.what, place.processor.value});
  for (std::uint32_t at = first != nullptr ? *first : 0; at != 0; at = records_[at - 1].next) open(at - 1);
}

void JudgedInTime::open(std::uint32_t number) {
  if (std::exchange(records_[number].open, true)) return;
  open_.push_back(number);
}

void JudgedInTime::allot() {
  if (!records_.empty()) return;
  share_.add(statements_->numbers() * (sizeof(Record) + 2 * sizeof(std::uint32_t)));
  records_.resize(statements_->numbers());
}

void JudgedInTime::chain(std::uint32_t number, const HeldOrigins& statement) {
  if (std::exchange(records_[number].chained, true)) return;
  std::uint32_t& first =
      *first_.insert({Holdings::what(statement.target, statement.part), statement.processor.value}).first;
  records_[number].next = std::exchange(first, number + 1);
}

template <class Holds>
bool JudgedInTime::go_to(std::uint32_t step, const Holds& holds) {
  constexpr std::size_t entry = 48;  // of a set, about
  changed_.clear();
  if (!statements_->go_to(step, changed_)) return false;
  allot();
  for (const std::uint32_t number : changed_) open(number);
  for (const std::uint32_t number : std::exchange(open_, {})) {
    Record& record = records_[number];
    record.open = false;
    const HeldOrigins* statement = statements_->said(number);
    if (statement != nullptr) chain(number, *statement);
    said_ += (statement != nullptr ? 1 : 0);
    said_ -= std::exchange(record.said, statement != nullptr) ? 1 : 0;
    if (statement != nullptr && !holds(*statement)) {
      if (wrong_.insert(number).second) share_.add(entry);
    } else if (wrong_.erase(number) > 0) {
      share_.remove(entry);
    }
  }
  return true;
}

// --- all ----------------------------------------------------------------------------------------------------------

Invariants::Invariants(const SendTable& table, Findings& findings, Budget& budget, const Limits& limits,
                       Holdings& holdings)
    : table_(table), findings_(findings), budget_(budget), limits_(limits), holdings_(holdings) {}

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
  for (const Holdings::HeldPlace& place : holdings_.take_changes()) {
    for (Stated& stated : all_) {
      if (stated.in_time) stated.in_time->hold_anew(place);
    }
  }
  for (Stated& stated : all_) {
    while (stated.next < stated.steps.size() && stated.steps[stated.next] < step && reason_ == Reason::none)
      judge(stated, stated.steps[stated.next++]);
    if (stated.next == stated.steps.size()) stated.in_time.reset();
  }
}

void Invariants::judge(Stated& stated, std::uint32_t step) {
  const TableInvariant& invariant = *stated.invariant;
  try {
    const bool first = stated.next == 1;
    if (first && invariant.in_time) {
      if (auto statements = invariant.in_time(limits_))
        stated.in_time = std::make_unique<JudgedInTime>(std::move(statements), budget_);
    }
    if (stated.in_time && judge_in_time(stated, step)) return;
    stated.in_time.reset();
    judge_statements(invariant, step);
  } catch (const OverBudget&) {
    leave(Reason::limit, "the checker has no memory left for what is held");
  }
}

bool Invariants::judge_in_time(Stated& stated, std::uint32_t step) {
  JudgedInTime& judged = *stated.in_time;
  if (!judged.go_to(step, [&](const HeldOrigins& statement) { return holds(statement); })) return false;
  statements_ += judged.count();
  std::uint64_t left = judged.wrong().size();
  for (const std::uint32_t number : judged.wrong()) {
    if (!findings_.wants(Property::invariants, step)) break;
    add_wrong(*stated.invariant, step, *judged.said(number));
    --left;
  }
  findings_.count(Property::invariants, left);
  return true;
}

void Invariants::judge_statements(const TableInvariant& invariant, std::uint32_t step) {
  std::optional<OverBudget> over;
  const auto wrong = invariant.statements(step, limits_, [&](const HeldOrigins& statement) {
    ++statements_;
    try {
      if (!holds(statement)) add_wrong(invariant, step, statement);
    } catch (const OverBudget& caught) {
      over = caught;
    }
    return !over;
  });
  if (over) throw OverBudget(*over);
  if (wrong) leave(reason_of({*wrong}), wrong->message);
}

bool Invariants::holds(const HeldOrigins& statement) {
  look_at_limits(limits_, compared_++);
  const Intervals held = holdings_.held(statement.processor, statement.target, statement.part);
  return statement.at_least ? contains(held, statement.origins) : equal(held, statement.origins);
}

void Invariants::add_wrong(const TableInvariant& invariant, std::uint32_t step, const HeldOrigins& statement) {
  findings_.add(Property::invariants, step, [&] {
    const Intervals held = holdings_.held(statement.processor, statement.target, statement.part);
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
