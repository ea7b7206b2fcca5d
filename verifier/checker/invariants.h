// Invariants: is what is said to be held after each step what is held then?
//
// Before the rows of a step are looked at, all that is said of the steps before it is compared with what processors
// hold. Cost: nothing if nothing is said; else a look-up and a comparison of two lists of ranges for each statement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/invariant.h"
#include "verifier/checker/contributions.h"
#include "verifier/checker/rows/findings.h"
#include "verifier/checker/tracker.h"

namespace quadrille::checker {

// What processors hold at the time.
class Holdings {
 public:
  virtual ~Holdings() = default;
  // Combining: the contributions to value `part`. Copying: the origins of the chunks for `target` (none: for everyone).
  virtual Intervals held(NodeId processor, std::optional<std::uint32_t> target, std::uint32_t part) = 0;
  // The rows of the next step, if they are not followed elsewhere. May throw OverBudget or Ended.
  virtual void follow(const StepRows&) {}
};

class Invariants final : public Tracker {
 public:
  // `holdings` may change in each step, but after this has seen the step.
  Invariants(const SendTable& table, Findings& findings, const Limits& limits, Holdings& holdings);

  void step(const StepRows& batch) override;
  void finish() override;
  // What has come of it: how many statements there were, and why some are not judged.
  void report(Report& report) const;

 private:
  struct Stated {
    const TableInvariant* invariant;
    std::vector<std::uint32_t> steps;
    std::size_t next = 0;  // of these
  };

  void open();
  void judge_before(std::uint64_t step);
  void judge(const TableInvariant& invariant, std::uint32_t step);
  void compare(const TableInvariant& invariant, std::uint32_t step, const HeldOrigins& statement);
  std::string words(std::uint32_t step, const HeldOrigins& statement, const Intervals& held) const;
  void leave(Reason reason, std::string why);

  const SendTable& table_;
  Findings& findings_;
  const Limits& limits_;
  Holdings& holdings_;
  bool opened_ = false;
  std::vector<Stated> all_;
  std::uint64_t statements_ = 0;
  Reason reason_ = Reason::none;  // why something is not judged
  std::string why_;
};

}  // namespace quadrille::checker
