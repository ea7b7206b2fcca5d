// Invariants by the page (model/MODEL.md, Invariants): the rows up to a step are a table, and what it leaves at each
// processor is what is held after that step.
#pragma once

#include <cstdint>
#include <memory>

#include "model/send_table.h"
#include "tests/reference/reference_check.h"

namespace quadrille::reference {

// The rows of steps up to `last`.
SendTable up_to(const SendTable& table, std::uint32_t last);

// How many statements of the table's invariants are wrong.
std::uint64_t wrong_statements(const SendTable& table);

}  // namespace quadrille::reference
