// RowRules: what is judged of each step by itself, in the first reading of a table: lanes, capacities, ports; in rounds
// of messages.
#pragma once

#include <memory>

#include "model/send_table.h"
#include "verifier/check.h"
#include "verifier/checker/rows/budget.h"
#include "verifier/checker/rows/findings.h"
#include "verifier/checker/rows/messages.h"
#include "verifier/checker/rows/port_rules.h"
#include "verifier/checker/rows/rounds.h"
#include "verifier/checker/rows/slots.h"

namespace quadrille::checker {

class RowRules {
 public:
  // Keeps references; `report` gets what is measured.
  RowRules(const SendTable& table, Findings& findings, Budget& budget, const Limits& limits, Report& report);

  // Judges a step; what does not fit into the budget any more is unknown from then on.
  void step(const StepRows& batch);

  // In rounds: the messages of the round at work; null where the fabric counts steps.
  const Messages* messages() const { return messages_.get(); }
  // Whether a round could not be divided into messages: nothing that needs them can go on.
  bool undivided() const { return messages_ != nullptr && rounds_ == nullptr; }
  Reason unknown() const { return unknown_; }

 private:
  void judge_round(const StepRows& batch);

  Report& report_;
  Reason unknown_ = Reason::none;
  std::unique_ptr<Slots> slots_;  // null if the budget does not suffice; so with port_rules_
  std::unique_ptr<PortRules> port_rules_;
  std::unique_ptr<Messages> messages_;  // null if the fabric's timing is steps. So with rounds_
  std::unique_ptr<Rounds> rounds_;
};

}  // namespace quadrille::checker
