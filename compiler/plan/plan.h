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
#include "place/rounds/message_list.h"

namespace quadrille {

// A relabelling in force: the statement, the frame in which its expressions live, and the one around it.
struct Relabelling {
  const ir::Relabel* relabel = nullptr;
  std::vector<Evaluator::Slot> frame;
  std::uint32_t outer = 0;  // 0: none
};

// A family of sends (ir::Statement::family), with the values of the variables around it.
struct Region {
  const ir::Statement* statement = nullptr;
  const ir::Frame* frame = nullptr;
  std::uint64_t slots = 0;                   // where its frame begins in Plan::slots
  std::uint32_t relabelling = 0;             // 0: none
  std::uint32_t collective = 0;              // index into Plan::collectives: the one whose packet names it uses
  const ir::Statement* outermost = nullptr;  // the statement of the schedule itself, not of a block, that holds it
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
  std::vector<Relabelling> relabellings;  // [0] unused
  std::vector<Launch> launches;           // by step; of sends on default routes without waits
  Flights flights;                        // all others
  std::uint32_t longest_route = 0;        // hops of the longest launched send
  std::uint32_t last_step = 0;
  std::uint64_t rows = 0;
  bool carries_held = false;          // in rounds: some message carries all that its sender has
  bool partial_reductions = false;    // some send is of a sum, or is kept
  std::optional<MessageList> placed;  // in rounds: retimed, by round; in place of launches and flights
  std::optional<Retiming> retiming;   // once it has been retimed
  std::optional<Fabric> retimed_for;  // whose channels the flights use, if it is not the instance's fabric

  const Fabric& fabric() const { return retimed_for ? *retimed_for : *instance.fabric; }
  const ir::Schedule& schedule() const { return *instance.schedule; }
};

// Fills in the plan of its instance: works out when everything starts, and evaluates every expression once. Keeps the
// instance's limits. Throws EvaluationError on the user's mistakes.
void make_plan(Plan& plan);

}  // namespace quadrille
