// Each step goes to slots.cpp and port_rules.cpp; each round is divided into messages, which rounds.cpp judges. Cost:
// theirs.
#include "verifier/checker/rows/row_rules.h"

#include <utility>

namespace quadrille::checker {

RowRules::RowRules(const SendTable& table, Findings& findings, Budget& budget, const Limits& limits, Report& report)
    : report_(report) {
  if (table.fabric.in_rounds()) {
    messages_ = std::make_unique<Messages>(table, findings, budget, limits);
    rounds_ = std::make_unique<Rounds>(table, findings, budget, limits);
    report_.volume = report_.hops = 0;
    report_.load = rounds_->load();
    return;
  }
  try {
    auto slots = std::make_unique<Slots>(table, findings, budget, limits);
    port_rules_ = std::make_unique<PortRules>(table, findings, budget);
    slots_ = std::move(slots);
  } catch (const OverBudget&) {
    unknown_ = Reason::limit;
  }
}

void RowRules::step(const StepRows& batch) {
  report_.steps = batch.step.value;
  report_.rows += batch.rows.size();
  if (messages_ != nullptr) return judge_round(batch);
  if (slots_ == nullptr) return;
  try {
    slots_->step(batch);
    port_rules_->step(batch);
    report_.messages = slots_->messages();
  } catch (const OverBudget&) {
    slots_.reset();
    unknown_ = Reason::limit;
  }
}

// In rounds a table is read once: no tracker asks for more.
void RowRules::judge_round(const StepRows& batch) {
  if (rounds_ == nullptr) return;
  try {
    messages_->read(batch);
    rounds_->step(batch, *messages_);
    report_.messages = rounds_->messages();
    report_.volume = rounds_->volume();
    report_.load = rounds_->load();
    report_.hops = rounds_->hops();
  } catch (const OverBudget&) {
    rounds_.reset();
    unknown_ = Reason::limit;
  }
}

}  // namespace quadrille::checker
