// Schedules from texts in tests, and what the checker says of a size.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "model/send_table.h"

namespace quadrille::reference {

struct Compiled {
  std::shared_ptr<const ir::Schedule> schedule;  // null if the text is wrong
  std::string errors;                            // then: why, as a person sees it
};
// What is included is a schedule that ships.
Compiled compiled(const std::string& text, const std::string& name = "test");

// The checker leaves them unknown, since they are about other tables, too.
SendTable without_optimal_claims(SendTable table);

// Whether there is a table of that size, and it holds; nothing if the schedule is not for these arguments, or if it
// takes too many steps of work to find out. Claims that nothing is better do not count.
std::optional<bool> holds_at(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments);

}  // namespace quadrille::reference
