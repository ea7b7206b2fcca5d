// A plan says, for one size, in which steps groups of sends start. Rows are made from it step by step (rows.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "compiler/evaluate/evaluate.h"
#include "compiler/ir.h"
#include "model/collective.h"
#include "model/send_table.h"
#include "place/flights/flights.h"
#include "place/held/send_reductions.h"
#include "place/rounds/message_list.h"

namespace quadrille {

// What the names in a block stand for, where that is not what they stand for in the whole schedule: a block of
// processors (`of e`) has an n of its own, the statements of another schedule (`run`) have its parameters and packets.
struct Setting {
  Instance instance;
  std::uint32_t home = 0;               // the setting whose collectives its packets are of: its own, if it is run
  std::vector<Collective> collectives;  // of a home: as Plan::collectives
};

// A relabelling in force: the statement, the frame in which its expressions live, and the one around it. Or the edge of
// a run: outside of it packets have the names of the collective outside.
struct Relabelling {
  const ir::Relabel* relabel = nullptr;  // null: the edge of a run
  std::vector<Evaluator::Slot> frame;
  std::uint32_t setting = 0;     // of its expressions; of an edge: the setting outside
  std::uint32_t collective = 0;  // of an edge: the one outside, among those of its home, at the start of the run
  std::uint32_t outer = 0;       // 0: none
  bool one_to_one = true;        // each processor and packet has one image, by this one and those around it
};

// A family of sends (ir::Statement::family), with the values of the variables around it.
struct Region {
  const ir::Statement* statement = nullptr;
  const ir::Frame* frame = nullptr;
  std::uint64_t slots = 0;                   // where its frame begins in Plan::slots
  std::uint32_t relabelling = 0;             // 0: none
  std::uint32_t collective = 0;              // index into Plan::collectives: the one whose packets it sends
  const ir::Statement* outermost = nullptr;  // the statement of the schedule itself, not of a block, that holds it
  std::uint32_t setting = 0;                 // index into Plan::settings, from 1; 0: that of the plan's instance
  std::uint32_t own_collective = 0;          // like `collective`, among those of its home: whose packet names it uses
};

// A region that starts at a step.
struct Launch {
  std::uint32_t step = 0;
  std::uint32_t region = 0;
};

struct Plan {
  Instance instance;
  std::vector<Collective> collectives;  // [0]: the schedule's; [1]: its dual, if something is reversed
  std::vector<Region> regions;
  std::vector<Evaluator::Slot> slots;
  std::vector<Relabelling> relabellings;           // [0] unused
  std::vector<std::shared_ptr<Setting>> settings;  // [0] unused
  std::vector<Launch> launches;                    // by step; of sends on default routes without waits
  Flights flights;                                 // all others
  std::uint32_t longest_route = 0;                 // hops of the longest launched send
  std::uint32_t last_step = 0;
  std::uint64_t rows = 0;
  bool carries_held = false;          // in rounds: some message carries all that its sender has
  bool partial_reductions = false;    // some send is of a sum, or is kept
  std::vector<SentReduction> said;    // of a table's sends, by serial: a plan of it has no regions
  std::optional<MessageList> placed;  // in rounds: retimed, by round; in place of launches and flights
  std::optional<Retiming> retiming;   // once it has been retimed
  std::optional<Fabric> retimed_for;  // whose channels the flights use, if it is not the instance's fabric

  const Fabric& fabric() const { return retimed_for ? *retimed_for : *instance.fabric; }
  const ir::Schedule& schedule() const { return *instance.schedule; }
  const Instance& instance_of(std::uint32_t setting) const {
    return setting == 0 ? instance : settings[setting]->instance;
  }
  // The setting whose collectives the packets of a setting are of.
  std::uint32_t home(std::uint32_t setting) const { return setting == 0 ? 0 : settings[setting]->home; }
  const std::vector<Collective>& collectives_of(std::uint32_t setting) const {
    return home(setting) == 0 ? collectives : settings[home(setting)]->collectives;
  }
};

// The evaluators of a plan's settings, each made when it is first asked for. They count together.
class SettingEvaluators {
 public:
  SettingEvaluators(const Plan& plan, Evaluator& main) : plan_(&plan), main_(&main) {}

  Evaluator& of(std::uint32_t setting) {
    if (setting == 0) return *main_;
    if (others_.size() <= setting) others_.resize(setting + std::size_t{1});
    auto& other = others_[setting];
    if (other == nullptr) other = std::make_unique<Evaluator>(plan_->instance_of(setting), *main_);
    return *other;
  }

 private:
  const Plan* plan_;
  Evaluator* main_;
  std::vector<std::unique_ptr<Evaluator>> others_;
};

// Fills in the plan of its instance: works out when everything starts, and evaluates every expression once. Keeps the
// instance's limits. Throws EvaluationError on the user's mistakes.
void make_plan(Plan& plan);

}  // namespace quadrille
