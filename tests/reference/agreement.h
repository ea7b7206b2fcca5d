// Whether the checker, the simulator and the reference checker say the same of a table; and what to keep if they do
// not.
#pragma once

#include <functional>
#include <string>

#include "model/send_table.h"

namespace quadrille::reference {

// What differs, a line each: verdict, violations of each property, T, messages, rows, queue sizes, deliveries. Empty if
// all three agree.
std::string disagreement(const SendTable& table);

// A table with as few rows as can be had by dropping rows one by one, on which they still disagree.
// Requires that they disagree on `table`.
SendTable smallest_disagreement(const SendTable& table);

std::string as_csv(const SendTable& table);

// For a failing test: what differs, and the smallest such table as CSV, to be saved in tests/property/saved/.
std::string explained(const SendTable& table);

}  // namespace quadrille::reference
