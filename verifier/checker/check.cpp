// The checker's driver: reads the table once, shows every step to the parts that judge it, and puts their findings into
// a report. If packets stray from their simple life (flights.h), the table is read again for those alone.
//
//   rows       well formed, contention-free, capacity      row_rules.h: slots.cpp, port_rules.cpp
//   packets    causal, complete, non-redundant             one of flights.h, copies.h, reduction_tracker.h
//   rounds     in place of slots and copies, where the fabric's timing is rounds   messages.h, round_copies.h
//   waiting    queue                                       queues.h
//   holdings   invariants                                  invariants.h, copied_origins.h
//   report     claims, and the verdict of each property    verdicts.h
//
// Cost: see these; memory is taken from a budget, and what does not fit is unknown, never holds.
#include "verifier/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <optional>

#include "verifier/checker/copied_origins.h"
#include "verifier/checker/copies.h"
#include "verifier/checker/flights.h"
#include "verifier/checker/invariants.h"
#include "verifier/checker/reduction_tracker.h"
#include "verifier/checker/round_copies.h"
#include "verifier/checker/rows/bits.h"
#include "verifier/checker/rows/buffers.h"
#include "verifier/checker/rows/findings.h"
#include "verifier/checker/rows/queues.h"
#include "verifier/checker/rows/row_rules.h"
#include "verifier/checker/unmet_demands.h"
#include "verifier/checker/verdicts.h"

namespace quadrille {
namespace checker {
namespace {

constexpr std::uint64_t rows_between_looks = std::uint64_t{1} << 16;  // at the limits: under a millisecond

class Check {
 public:
  Check(const SendTable& table, const CheckOptions& options)
      : table_(table),
        options_(options),
        findings_(options.listed_per_property),
        unmet_demands_(table, options, findings_),
        budget_(options.limits.memory),
        rules_(table, findings_, budget_, options.limits, report_) {
    const auto& claims = table.claims;
    const bool speak = std::any_of(claims.begin(), claims.end(), [](const TableClaim& claim) { return claim.buffers; });
    if (speak) buffers_.emplace(table, budget_, options.limits);
  }

  Report run();

 private:
  using Trackers = std::vector<Tracker*>;

  void step_buffers(const StepRows& batch);
  void measure_buffers();
  void follow_packets();
  void follow();
  void follow_partial_reductions();
  void follow_copies();
  void follow_round_copies();
  void follow_flights();
  void follow_origins();
  void end_early(Reason reason);
  void read(Trackers trackers);
  void report_progress(StepId step, std::uint64_t rows) const;
  void finish(const Trackers& trackers, Queues& queues);

  Pass pass(Queues& queues) { return {table_, findings_, queues, budget_, options_.limits}; }

  const SendTable& table_;
  const CheckOptions& options_;
  Findings findings_;
  UnmetDemands unmet_demands_;
  Budget budget_;
  bool read_before_ = false;  // to the end
  Reason slots_unknown_ = Reason::none;
  Reason packets_unknown_ = Reason::none;
  Reason invariants_unknown_ = Reason::none;
  Report report_;
  RowRules rules_;
  std::optional<Buffers> buffers_;  // as long as they are measured
};

Report Check::run() {
  report_.agreement_demanded = options_.agreement;
  follow_packets();
  measure_buffers();
  if (slots_unknown_ == Reason::none) slots_unknown_ = rules_.unknown();
  leave_unknown({Property::well_formed, Property::contention_free, Property::capacity}, slots_unknown_, budget_,
                report_);
  leave_unknown({Property::causal, Property::queue, Property::complete, Property::non_redundant, Property::agreement},
                packets_unknown_, budget_, report_);
  if (!table_.invariants.empty()) leave_unknown({Property::invariants}, invariants_unknown_, budget_, report_);
  const Reason unmeasured = packets_unknown_ != Reason::none ? packets_unknown_ : slots_unknown_;
  if (!table_.claims.empty() && unmeasured != Reason::none) {
    leave_unknown({Property::claims}, unmeasured, budget_, report_);
  } else {
    judge_claims(table_.claims, findings_, report_);
  }
  conclude(table_, findings_, options_.limits, report_);
  return std::move(report_);
}

void Check::step_buffers(const StepRows& batch) {
  if (!buffers_) return;
  try {
    buffers_->step(batch, rules_.messages());
  } catch (const OverBudget&) {
    buffers_.reset();
  }
}

// Left unmeasured where that takes too much memory or time.
void Check::measure_buffers() {
  if (!buffers_ || !read_before_) return;
  try {
    report_.max_buffer = buffers_->largest();
  } catch (const OverBudget&) {
  } catch (const std::bad_alloc&) {
  } catch (const Ended& ended) {
    report_.ended_early = ended.reason;
  }
  buffers_.reset();
}

// Follows the packets as far as the limits allow. The slots are judged to the table's end even where the packets take
// too much memory.
void Check::follow_packets() {
  try {
    try {
      follow();
    } catch (const OverBudget&) {
      packets_unknown_ = invariants_unknown_ = Reason::limit;
    }
    if (!read_before_) read({});
  } catch (const std::bad_alloc&) {  // where the system gives less than the budget
    end_early(Reason::limit);
  } catch (const Ended& ended) {
    end_early(ended.reason);
  }
}

void Check::end_early(Reason reason) {
  report_.ended_early = packets_unknown_ = invariants_unknown_ = reason;
  if (!read_before_) slots_unknown_ = reason;
}

void Check::follow() {
  if (table_.collective.combining()) {
    follow_partial_reductions();
  } else if (rules_.messages() != nullptr) {
    follow_round_copies();
  } else {
    SingleTargets::suits(table_, budget_) ? follow_flights() : follow_copies();
    if (!table_.invariants.empty()) follow_origins();
  }
}

void Check::follow_partial_reductions() {
  Queues queues(table_, budget_);
  ReductionTracker partial_reductions(pass(queues), rules_.messages());
  Invariants invariants(table_, findings_, budget_, options_.limits, partial_reductions);
  read({&invariants, &partial_reductions});
  finish({&invariants, &partial_reductions}, queues);
  invariants.report(report_);
}

void Check::follow_copies() {
  Bits delivered(table_.collective.demands(), budget_);
  Queues queues(table_, budget_);
  Copies copies(pass(queues), delivered, nullptr);
  read({&copies});
  finish({&copies}, queues);
  unmet_demands_.judge(delivered);
}

void Check::follow_round_copies() {
  Bits delivered(table_.collective.demands(), budget_);
  Queues queues(table_, budget_);
  RoundCopies copies(pass(queues), *rules_.messages(), delivered);
  CopiedOrigins origins(table_, budget_, options_.limits, rules_.messages());
  Invariants invariants(table_, findings_, budget_, options_.limits, origins);
  read({&invariants, &copies});
  finish({&invariants, &copies}, queues);
  invariants.report(report_);
  unmet_demands_.judge(delivered);
}

// Reads the table; if that shows suspects, reads it again and has Copies follow these.
void Check::follow_flights() {
  Bits suspects(table_.collective.chunk_ids(), budget_);
  // What a reading says is right only if it brings no new suspects: else once more, with all that are known. There are
  // only so many chunks, so this ends: as a rule after one reading or two.
  for (bool settled = false; !settled;) {
    const std::uint64_t known = suspects.count();
    Bits delivered(known > 0 ? table_.collective.demands() : 0, budget_);
    Queues queues(table_, budget_);
    SingleTargets flights(pass(queues), suspects);
    Trackers trackers{&flights};
    std::optional<Copies> copies;
    if (known > 0) trackers.push_back(&copies.emplace(pass(queues), delivered, &suspects));
    read(trackers);
    // A step number that does not fit a slot: the source had not announced so many steps.
    if (flights.overflown()) return follow_copies();
    settled = suspects.count() == known;
    if (!settled) continue;
    finish(trackers, queues);
    unmet_demands_.judge(flights, delivered);
  }
}

// Of copied packets, in steps: a reading of its own, so that all others need not know of it.
void Check::follow_origins() {
  CopiedOrigins origins(table_, budget_, options_.limits, nullptr);
  Invariants invariants(table_, findings_, budget_, options_.limits, origins);
  try {
    read({&invariants});
    invariants.finish();
    invariants.report(report_);
  } catch (const Ended& ended) {  // all else is judged
    invariants_unknown_ = ended.reason;
  }
}

// Shows every step to the trackers; the first reading also judges the slots. When the trackers run over the budget, the
// first reading goes on to the end for the slots' sake; then OverBudget is thrown. Throws Ended.
void Check::read(Trackers trackers) {
  std::uint64_t rows = 0;
  std::uint64_t next_look = rows_between_looks;
  bool over_budget = false;
  report_progress(StepId(0), 0);
  const auto cursor = table_.rows->open();
  while (const auto batch = cursor->next()) {
    if (batch->rows.empty()) continue;
    if (!read_before_) {
      rules_.step(*batch);
      step_buffers(*batch);
    }
    try {
      if (rules_.undivided()) throw OverBudget{};
      for (Tracker* tracker : trackers) tracker->step(*batch);
    } catch (const OverBudget&) {
      // Only the first reading has something else to finish: the slots.
      if (read_before_) throw;
      over_budget = true;
      trackers.clear();
    }
    rows += batch->rows.size();
    if (rows < next_look) continue;
    report_progress(batch->step, rows);
    next_look = rows + rows_between_looks;
  }
  if (const Reason reason = cursor->ended_early(); reason != Reason::none) throw Ended{reason};
  read_before_ = true;
  if (over_budget) throw OverBudget{};
}

// Throws Ended when the limits are reached.
void Check::report_progress(StepId step, std::uint64_t rows) const {
  if (const Reason reason = options_.limits.reached(); reason != Reason::none) throw Ended{reason};
  if (rows == 0 || !options_.limits.progress) return;
  const auto last = table_.rows->last_step();
  options_.limits.progress({.stage = "checking",
                            .done = step.value,
                            .of = last ? std::optional<std::uint64_t>(last->value) : std::nullopt,
                            .unit = "steps",
                            .rows = rows});
}

void Check::finish(const Trackers& trackers, Queues& queues) {
  for (Tracker* tracker : trackers) tracker->finish();
  report_.queues = queues.finish(findings_);
}

}  // namespace
}  // namespace checker

Report check(const SendTable& table, const CheckOptions& options) { return checker::Check(table, options).run(); }

}  // namespace quadrille
