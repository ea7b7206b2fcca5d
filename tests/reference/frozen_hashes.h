// Hashes of what is made of a table. They are compared with hashes of an earlier day, so that no row, measure or
// program changes unseen.
#pragma once

#include <string>

#include "model/send_table.h"

namespace quadrille::reference {

// Returns eight hexadecimal digits, FNV-1a of 32 bits.
std::string hash_of(const std::string& text);

// The rows, each with its message and what it says of partial reductions; their order within a step does not count.
std::string hash_of_rows(const SendTable& table);

// All that the simulator measures, in steps and in time, faults included.
std::string hash_of_replay(const SendTable& table);

// The table in each target's form, or why there is none.
std::string hash_of_programs(const SendTable& table);

}  // namespace quadrille::reference
