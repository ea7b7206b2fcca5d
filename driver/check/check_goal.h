// `quadrille check` of a schedule in GOAL: opens it, and judges it as LogGOPSim runs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/text/result.h"
#include "programs/goal/judge.h"

namespace quadrille::driver {

struct CheckGoalRequest {
  std::string file = {};    // a path
  std::string buffer = {};  // messages up to this size are eager: "64KiB"; empty: the simulator's own, and smaller ones
  std::size_t listed = 3;   // number of findings of each property that are described
  bool operations = false;  // list the order of operations; costs memory
  bool order = false;       // find the order, but do not list it with the printed report: for pages
};

struct CheckGoalOutcome {
  programs::GoalSchedule schedule;
  programs::ProgramReport report;
  bool binary = false;
  std::uint64_t eager_bytes = 0;
  bool eager_given = false;
  std::uint64_t operations = 0;
  std::uint64_t sends = 0;
  std::uint64_t dependencies = 0;
  bool order_listed = false;  // in the printed report
  // The edges between operations, numbered rank by rank, if they were wanted; empty if operations_cut().
  std::optional<std::vector<programs::OrderEdge>> edges = {};

  bool operations_cut() const { return operations > programs::most_listed_operations; }
};

// Whether the file is GOAL, text or binary; false if it cannot be read.
bool is_goal(const std::string& file, Context& context);

// Checks a schedule. Errors: the request or the file is wrong.
Result<CheckGoalOutcome> run(const CheckGoalRequest& request, Context& context);

}  // namespace quadrille::driver
