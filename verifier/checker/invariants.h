// Invariants: is what is said to be held after each step what is held then?
//
// Before the rows of a step are looked at, all that is said of the steps before it is compared with what processors
// hold. Where statements come in time (model/invariant.h), one whose words and whose holdings are those of the step
// before is what it was then. Cost: nothing if nothing is said; else a look-up and a comparison of two lists of ranges
// for each statement, or for each that changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/containers/packet_table.h"
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

  // What is held where may have changed.
  struct HeldPlace {
    NodeId processor;
    std::uint64_t what;  // of target and part
  };
  static std::uint64_t what(std::optional<std::uint32_t> target, std::uint32_t part) {
    return (target ? std::uint64_t{*target} + 1 : 0) << 32 | part;
  }
  // Returns the places of all changes since the last call; the first call asks for them to be kept.
  std::vector<HeldPlace> take_changes();

 protected:
  void changes(NodeId processor, std::optional<std::uint32_t> target, std::uint32_t part) {
    if (kept_) changes_.push_back({processor, what(target, part)});
  }

 private:
  bool kept_ = false;
  std::vector<HeldPlace> changes_;
};

// The statements of one invariant that come in time, judged: each anew where it, or what is held there, has changed.
class JudgedInTime {
 public:
  JudgedInTime(std::unique_ptr<StatementsInTime> statements, Budget& budget)
      : statements_(std::move(statements)), share_(budget), first_(budget) {}

  void hold_anew(const Holdings::HeldPlace& place);
  // Calls holds(statement) for what has changed. False: the step is to be judged by its statements.
  template <class Holds>
  bool go_to(std::uint32_t step, const Holds& holds);

  const HeldOrigins* said(std::uint32_t number) const { return statements_->said(number); }
  std::uint64_t count() const { return said_; }
  const std::set<std::uint32_t>& wrong() const { return wrong_; }

 private:
  // Of a number.
  struct Record {
    std::uint32_t next = 0;  // 1 + the next number about the same place
    bool chained = false;
    bool said = false;
    bool open = false;  // to be judged
  };

  void open(std::uint32_t number);
  void allot();
  void chain(std::uint32_t number, const HeldOrigins& statement);

  std::unique_ptr<StatementsInTime> statements_;
  Share share_;
  PacketTable<PairKey, std::uint32_t> first_;  // 1 + the first number about a place
  std::vector<Record> records_;
  std::vector<std::uint32_t> changed_;
  std::vector<std::uint32_t> open_;
  std::set<std::uint32_t> wrong_;
  std::uint64_t said_ = 0;
};

class Invariants final : public Tracker {
 public:
  // `holdings` may change in each step, but after this has seen the step.
  Invariants(const SendTable& table, Findings& findings, Budget& budget, const Limits& limits, Holdings& holdings);

  void step(const StepRows& batch) override;
  void finish() override;
  // What has come of it: how many statements there were, and why some are not judged.
  void report(Report& report) const;

 private:
  struct Stated {
    const TableInvariant* invariant;
    std::vector<std::uint32_t> steps;
    std::size_t next = 0;                        // of these
    std::unique_ptr<JudgedInTime> in_time = {};  // from the first step on, as far as they come so
  };

  void open();
  void judge_before(std::uint64_t step);
  void judge(Stated& stated, std::uint32_t step);
  bool judge_in_time(Stated& stated, std::uint32_t step);
  void judge_statements(const TableInvariant& invariant, std::uint32_t step);
  bool holds(const HeldOrigins& statement);
  void add_wrong(const TableInvariant& invariant, std::uint32_t step, const HeldOrigins& statement);
  std::string words(std::uint32_t step, const HeldOrigins& statement, const Intervals& held) const;
  void leave(Reason reason, std::string why);

  const SendTable& table_;
  Findings& findings_;
  Budget& budget_;
  const Limits& limits_;
  Holdings& holdings_;
  bool opened_ = false;
  std::vector<Stated> all_;
  std::uint64_t statements_ = 0;
  std::uint64_t compared_ = 0;
  Reason reason_ = Reason::none;  // why something is not judged
  std::string why_;
};

}  // namespace quadrille::checker
