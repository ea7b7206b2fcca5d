// What orders the operations of another system's program, as JSON.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cli/render/json_pieces.h"
#include "driver/check/check_goal.h"
#include "driver/check/check_program.h"
#include "model/text/source.h"
#include "programs/order_graph.h"

namespace quadrille::cli {

// Numbers of lines, for many places of the same texts: each text is read through once.
class LineNumbers {
 public:
  // Keeps the reference.
  explicit LineNumbers(const Sources& sources) : sources_(sources) {}
  // Of where the span begins; nothing of one that is unknown.
  std::optional<std::uint32_t> at(const Span& span);

 private:
  const Sources& sources_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> ends_ = {};  // of lines, by source
};

// For pages: {"operations", "edges", "cut"}, and of MSCCL XML "mend", what its changes add. Requires that what orders
// the operations was asked for.
Json order_json(const driver::CheckProgramOutcome& outcome, const Sources& sources);
Json order_json(const driver::CheckGoalOutcome& outcome, const Sources& sources);

Json edges_json(const std::vector<programs::OrderEdge>& edges);

}  // namespace quadrille::cli
