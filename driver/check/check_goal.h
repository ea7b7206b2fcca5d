// `quadrille check` of a schedule in GOAL: opened, and judged as LogGOPSim runs it.
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
  std::size_t listed = 3;   // findings of each property that are described
  bool operations = false;  // what orders them is listed; costs memory
  bool order = false;       // it is known, but not listed with what is printed: for pages
};

struct CheckGoalOutcome {
  programs::GoalSchedule schedule;
  programs::GoalReport report;
  bool binary = false;
  std::uint64_t eager_bytes = 0;
  bool eager_given = false;
  std::uint64_t operations = 0;
  std::uint64_t sends = 0;
  std::uint64_t dependencies = 0;
  bool order_listed = false;  // with what is printed
  // Between operations, numbered rank by rank, if they were asked for; empty where operations_cut().
  std::optional<std::vector<programs::OrderEdge>> edges = {};

  bool operations_cut() const { return operations > programs::most_listed_operations; }
};

// Whether that file is GOAL, text or binary; false for what cannot be read.
bool is_goal(const std::string& file, Context& context);

// What was written wrong, or what was found.
Result<CheckGoalOutcome> run(const CheckGoalRequest& request, Context& context);

}  // namespace quadrille::driver
